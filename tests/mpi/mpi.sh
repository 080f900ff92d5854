# shellcheck shell=bash
# The MPI of the programs under test, as ctest says, or as they are linked; from here on mpiexec is its
# launcher.
if [ -z "${CROSSTALK_MPI:-}" ]; then
    CROSSTALK_MPI=mpich
    ldd "${CROSSTALK_BIN:?}/impactb" | grep -q libopen-pal && CROSSTALK_MPI=openmpi
fi
: "${CROSSTALK_MPIEXEC:=$(command -v "mpiexec.$CROSSTALK_MPI" || command -v mpiexec)}"
export CROSSTALK_MPI CROSSTALK_MPIEXEC
PATH=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/launcher:$PATH
# Its Fortran compiler, "" where there is none.
# shellcheck disable=SC2034 # for those who source this
mpifort=$(command -v "mpifort.$CROSSTALK_MPI" || command -v mpifort)
# What a launcher exits with that was told to end, and whose ranks then ended in order.
# shellcheck disable=SC2034
ended_launcher=0
# shellcheck disable=SC2034
[ "$CROSSTALK_MPI" = openmpi ] && ended_launcher=1
# For what crosstalk starts by itself. Ranks of Open MPI that wait poll without end; with more ranks than
# cores they have to offer their core to others, or the one that all wait for gets it a time slice in ten. Open MPI
# 4.1.4 has windows by rdma, its first choice, which it cannot create over TCP, and which crash in shared memory.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_osc=^rdma

# True where another build runs the same tests whole with its MPI: what does not depend on the MPI, like
# arithmetic, options and files, is then left out here.
is_second_mpi() {
    [ "${CROSSTALK_SECOND_MPI:-OFF}" = ON ]
}

# own_words FILE: without what Open MPI's mpiexec says about a rank's exit code, between two lines of -
own_words() {
    sed '/^-\{70,\}$/,/^-\{70,\}$/d' "$1"
}

# is_rank PID RANK: by what its launcher has told it
is_rank() {
    tr '\0' '\n' <"/proc/$1/environ" 2>/dev/null | grep -qxE "(PMI_RANK|OMPI_COMM_WORLD_RANK)=$2"
}

descendants() { # PID
    local child
    for child in $(pgrep -P "$1"); do
        printf '%s\n' "$child"
        descendants "$child"
    done
}

# mpi_files_in FOLDER: what Open MPI leaves behind where it is killed is there
mpi_files_in() {
    export OMPI_MCA_orte_tmpdir_base=$1 OMPI_MCA_btl_vader_backing_directory=$1
}

# sleeping RANKS COMMAND...: with an environment in which ranks that wait sleep, each a node of its own, by
# the lab's library, which knows of sockets only
sleeping() {
    MPIR_CVAR_NUM_CLIQUES=$1 LD_PRELOAD=${CROSSTALK_BUILD:?}/lab/libcrosstalk-lab.so UCX_TLS=tcp,self \
        UCX_NET_DEVICES=lo OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo \
        OMPI_MCA_opal_event_include=epoll "${@:2}"
}

# Before a command that starts four ranks, each on a node of its own for MPICH: there they sleep where they wait.
# shellcheck disable=SC2034 # for those who source this
four_sleeping=()
# shellcheck disable=SC2034
[ "$CROSSTALK_MPI" = mpich ] && four_sleeping=(sleeping 4)

# on_nodes NODES RANKS COMMAND...: with so many nodes on this machine. Ranks of MPICH that wait spin, and where there
# are more than two most would do nothing else, so these sleep. Those of Open MPI offer their core to others.
on_nodes() {
    if [ "$2" -gt 2 ] && [ "$CROSSTALK_MPI" = mpich ]; then
        sleeping "$1" "${@:3}"
    else
        MPIR_CVAR_NUM_CLIQUES=$1 "${@:3}"
    fi
}
