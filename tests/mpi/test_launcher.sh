#!/usr/bin/env bash
# A program started by a launcher of another MPI: every rank is alone in a world of one, and one of
# them says so. The launchers are imitated by what they put into the environment; where the other MPI
# is installed, its real one is tried too.
bin=${CROSSTALK_BIN:?}
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"

# alone WHAT CODE VARIABLE=VALUE... : workload alone, with these variables; its words in err
alone() {
    local what=$1 code=$2 got
    shift 2
    env -u PMI_RANK -u PMI_SIZE "$@" timeout -k 2 30 "$bin/workload" fft --iterations 1 --scale 0.1 \
        >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$code" ] || fail "$what: exit code $got, expected $code: $(cat err)"
}

# says WHAT TEXT: once, in err
says() {
    [ "$(grep -cF -- "$2" err)" -eq 1 ] || fail "$1: '$2' is not in: $(cat err)"
}

mpi=MPICH name=OMPI_COMM_WORLD launcher=mpiexec.openmpi
if "$bin/crosstalk" --version | grep -q 'Open MPI'; then
    mpi='Open MPI' name=PMI launcher=mpiexec.mpich
fi

alone 'no launcher' 0
if [ "$mpi" = MPICH ]; then
    alone 'rank 0 of 3 elsewhere' 1 "${name}_SIZE=3" "${name}_RANK=0"
    says 'rank 0 of 3 elsewhere' 'has started 3 ranks, but each of them is alone in MPI_COMM_WORLD'
    says 'rank 0 of 3 elsewhere' "linked to $mpi; start it with "
    alone 'rank 1 of 3 elsewhere' 1 "${name}_SIZE=3" "${name}_RANK=1"
    [ -s err ] && fail "rank 1 speaks, too: $(cat err)"
    alone 'alone there as well' 0 "${name}_SIZE=1" "${name}_RANK=0"
fi
alone 'a step of srun' 1 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0
says 'a step of srun' 'srun has started 2 ranks'
alone 'a batch script' 0 SLURM_NTASKS=2 SLURM_PROCID=0
