# shellcheck shell=bash
# For scripts that run MPI programs: every launch has a deadline, only processes started here are
# signalled, and the working folder goes away at the end.

# shellcheck source=tests/mpi/mpi.sh
. "$(dirname "${BASH_SOURCE[0]}")/mpi.sh"
# shellcheck source=tests/skip.sh
. "${CROSSTALK_SOURCE:?}/tests/skip.sh"
work=$(mktemp -d)
mpi_files_in "$work"
cd "$work" || exit 1
failures=0 launcher=''
trap 'end_launcher; rm -rf "$work"' EXIT
deadline_s=${CROSSTALK_TEST_DEADLINE:-60}

fail() {
    printf 'FAILED: %s\n' "$1"
    failures=$((failures + 1))
}

# launch NODES RANKS PROGRAM...: in the background, output in out and err
launch() {
    on_nodes "$1" "$2" launch_ranks "${@:2}"
}
launch_ranks() { # RANKS PROGRAM...
    timeout -k 2 "$deadline_s" mpiexec -n "$@" >out 2>err </dev/null &
    launcher=$!
}

# launch_patient ...: as launch, where mpiexec is told to end. Open MPI's then kills ranks after a second, in
# which those of a busy machine do not get to write what they measured.
launch_patient() {
    OMPI_MCA_odls_base_sigkill_timeout=4 launch "$@"
}

# await_checkpoint RUN.h5: the first one; until then a program starts, which takes a busy machine its time
await_checkpoint() {
    local tries
    for ((tries = 0; tries < 200; tries++)); do
        [ -e "$1.checkpoint/run.h5" ] && return
        sleep 0.1
    done
    fail "no checkpoint of $1"
}

# await WHAT CODE: wait for the launch and compare its exit code
await() {
    wait "$launcher"
    local got=$?
    launcher=''
    [ "$got" -eq "$2" ] && return
    fail "$1: exit code $got, expected $2"
    tail -n 5 err
}

# check WHAT CODE NODES RANKS PROGRAM...
check() {
    local what=$1 code=$2
    shift 2
    launch "$@"
    await "$what" "$code"
}

end_launcher() {
    [ -n "$launcher" ] && kill -KILL "$launcher" 2>/dev/null
    launcher=''
}

# signal_rank RANK|mpiexec SIGNAL PROGRAM: to one rank of the launch, or to its mpiexec, which is what
# timeout has started
signal_rank() {
    local pid
    if [ "$1" = mpiexec ]; then
        pid=$(pgrep -P "$launcher") && kill -"$2" "$pid" && return
    else
        for pid in $(descendants "$launcher"); do
            [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$3" ] && is_rank "$pid" "$1" &&
                kill -"$2" "$pid" && return
        done
    fi
    fail "no process for SIG$2 to $1"
}

# kill_ranks PROGRAM: ranks outlive a killed mpiexec for a while, and write
kill_ranks() {
    local pid
    for pid in $(pgrep -x "$1"); do
        [ "$(readlink "/proc/$pid/cwd")" = "$work" ] && kill -KILL "$pid"
    done
}

finish() {
    [ "$failures" -eq 0 ] && echo 'all as expected'
    exit "$((failures > 0))"
}
