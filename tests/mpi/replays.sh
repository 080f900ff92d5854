# shellcheck shell=bash
# For scripts that replay programs: traces of a program, a replay of them under the tracer, and what differs.

# shellcheck source=tests/mpi/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
bin=$CROSSTALK_BIN
tests=$CROSSTALK_BUILD/tests
sources=$CROSSTALK_SOURCE/tests/mpi
PATH=$bin:$tests:$tests/lab:$PATH
replayed=() # folders of original traces and of those of their replays, in turn

# trace DIR RANKS COMMAND...: awake=1: ranks of several threads. A thread of MPICH's that waits has its lock, and ranks
# that sleep as they wait hardly let others have it.
awake=''
trace() {
    local directory=$1 ranks=$2 as=(sleeping "$2")
    shift 2
    # Open MPI 4 has no one-sided calls over TCP for programs of several threads.
    [ "$CROSSTALK_MPI" = openmpi ] && [ "$*" = trace_calls ] && as=()
    [ -n "$awake" ] && as=()
    "${as[@]}" timeout -k 2 "$deadline_s" crosstalk trace -o "$directory" -- mpiexec -n "$ranks" "$@" \
        >summary 2>messages </dev/null && return
    fail "trace of $*: $(tail -n 3 messages)"
    return 1
}

# replay_as DIR TRACES RANKS [OPTION...]: TRACES, which make the calls of DIR, are replayed; the traces of that are
# in TRACES.again
replay_as() {
    local directory=$1 traces=$2 ranks=$3
    shift 3
    trace "$traces.again" "$ranks" workload replay --trace "$traces" "$@" && replayed+=("$directory" "$traces.again")
}
replay() { # DIR RANKS [OPTION...]
    replay_as "$1" "$@"
}

# Whether each replay made the calls of its original, in all of its three passes.
compare_replays() {
    [ "${#replayed[@]}" -gt 0 ] && python3 "$sources/same_calls.py" "$bin/crosstalk" 3 "${replayed[@]}" >compared 2>&1 &&
        return
    fail "replays: $(cat compared)"
}
