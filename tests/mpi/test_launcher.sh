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

mpi=MPICH other=OMPI_COMM_WORLD other_mpi=openmpi
[ "$CROSSTALK_MPI" = openmpi ] && mpi='Open MPI' other=PMI other_mpi=mpich

alone 'no launcher' 0
alone 'a step of srun' 1 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0
says 'a step of srun' 'srun has started 2 ranks, but each of them is alone in MPI_COMM_WORLD'
says 'a step of srun' "linked to $mpi; start it with "
says 'a step of srun' '--mpi=pm'
alone 'the other task of it' 1 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1
[ -s err ] && fail "both tasks speak: $(cat err)"
alone 'a step of one task' 0 SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0
alone 'a batch script' 0 SLURM_NTASKS=2 SLURM_PROCID=0

# MPICH believes PMI_SIZE and Open MPI its own variables, so only those of the other can be imitated.
alone 'rank 0 of 3 elsewhere' 1 "${other}_SIZE=3" "${other}_RANK=0"
says 'rank 0 of 3 elsewhere' 'has started 3 ranks'
alone 'rank 1 of 3 elsewhere' 1 "${other}_SIZE=3" "${other}_RANK=1"
[ -s err ] && fail "rank 1 speaks, too: $(cat err)"

# A larger job in which this program is started alone, by its own launcher.
MPIR_CVAR_NUM_CLIQUES=1 timeout -k 2 30 env "${other}_SIZE=3" "${other}_RANK=0" SLURM_STEP_NUM_TASKS=3 \
    mpiexec -n 1 "$bin/workload" fft --iterations 1 --scale 0.1 >out 2>err </dev/null ||
    fail "alone within a job: $(cat err)"

real=$(command -v "mpiexec.$other_mpi")
if [ -n "$real" ]; then
    oversubscribe=()
    [ "$other_mpi" = openmpi ] && oversubscribe=(--allow-run-as-root --oversubscribe)
    timeout -k 2 30 "$real" "${oversubscribe[@]}" -n 3 "$bin/impactb" --time 60s >out 2>err </dev/null
    code=$?
    [ "$code" -eq 1 ] || fail "$real: exit code $code"
    says "$real" 'has started 3 ranks'
    says "$real" "start it with ${CROSSTALK_MPIEXEC}"
else
    not_tried "the other MPI, mpiexec.$other_mpi (package $other_mpi-bin or $other_mpi)"
fi
finish
