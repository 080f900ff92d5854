#!/usr/bin/env bash
# Messages that arrive later: each latency is what was asked for, nobody pays it twice, every kind of
# call is right, and what ends early leaves nothing behind. Ranks send by UCX's shared memory: by sockets of UCX 1.13
# programs of MPICH 4.0 sometimes stay in MPI_Finalize on a busy machine, without crosstalk delay, too.
# shellcheck disable=SC2317 # measured() is given the checks by name
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"
program=$CROSSTALK_BUILD/tests/delay_program
crosstalk=$CROSSTALK_BIN/crosstalk
export UCX_TLS=sm,self
# Where what is common to both MPIs is tested with the other one, less of it.
latencies_us=(100 1000 5000) base_runs=3 checks=(0us 300us) rendezvous_ranks=4
is_second_mpi && latencies_us=(100 5000) base_runs=1 checks=(300us) rendezvous_ranks=3
deadline_s=${CROSSTALK_TEST_DEADLINE:-60}

# delayed CODE RANKS OPTION... -- WORD...: the program under crosstalk delay
within_nodes=(--within-nodes)
delayed() {
    local code=$1 ranks=$2 options=() got
    shift 2
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    timeout -k 2 "$deadline_s" "$crosstalk" delay "${within_nodes[@]}" "${options[@]}" -- \
        mpiexec -n "$ranks" "$program" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$code" ] && return
    fail "delay ${options[*]} of $*: exit code $got, expected $code"
    tail -n 5 err
}

refused() { # PATTERN WORD...
    timeout -k 2 20 "$crosstalk" delay "${@:2}" >out 2>err </dev/null && fail "delay ${*:2} was taken"
    grep -qE -- "$1" err || fail "delay ${*:2}: $(cat err)"
}

# ---- how much later: times in us ----
# The least of all attempts counts: what else runs on the machine only adds to it, and what comes too
# early stays.
least() { # FILE NAME
    awk -v name="$2" '$1 == name && (least == "" || $2 < least) { least = $2 } END { print least }' "$1"
}

within() { # NAME LEAST MOST
    local got
    got=$(least seen "$1")
    awk -v got="$got" -v least="$2" -v most="$3" 'BEGIN { exit !(got != "" && got > least && got < most) }' ||
        echo "$1 took ${got:-no} us, expected $2 to $3" >>wrong
}

# added NAME CROSSINGS LATENCY_US: not earlier than so many latencies, and with 5 % or 40 us of them, whatever
# is more, from what it takes without; 15 % for several, which tells their number.
added() {
    local base added_us=$(($2 * $3)) bound_us=40 percent=5
    [ "$2" -le 1 ] || percent=15
    [ "$((added_us * percent))" -le 4000 ] || bound_us=$((added_us * percent / 100))
    base=$(least base "$1")
    within "$1" "$((added_us - 1))" "$(awk -v base="${base:-0}" -v more="$((added_us + bound_us))" 'BEGIN { print base + more }')"
}

# The four cases: receives that wait or not, sends at once or with 2 ms of computing between them.
check_times() { # LATENCY_US
    local case
    added small 1 "$1"
    added large 3 "$1"       # request, grant, data
    added synchronous 2 "$1" # message, acknowledgement
    for case in probed persistent collective; do # MPI_Mprobe of any source; MPI_Bcast
        added "$case" 1 "$1"
    done
    for case in posted unexpected posted_gap unexpected_gap; do
        added "${case}_sends" 0 "$1" # the sender pays nothing
        added "${case}_first" 1 "$1"
        added "${case}_both" 1 "$1" # and the second message does not pay again
    done
    # While the receiver computes for 2.5 ms; noted up to 0.25 ms late.
    [ "$1" -lt 5000 ] || within computing 4950 5350
}

# measured CHECK ARGUMENT RANKS OPTION...: until the check is content, 25 times at most
measured() {
    local check=$1 argument=$2 tries
    shift 2
    : >seen
    for ((tries = 0; tries < 25; tries++)); do
        OMPI_MCA_mpi_yield_when_idle=0 delayed 0 "$@" -- measure 20
        cat out >>seen
        : >wrong
        "$check" "$argument"
        [ -s wrong ] || return
    done
    while IFS= read -r line; do
        fail "$*: $line"
    done <wrong
}

: >base
for ((tries = 0; tries < base_runs; tries++)); do
    OMPI_MCA_mpi_yield_when_idle=0 delayed 0 2 --latency 0us -q -- measure 40
    cat out >>base
done
for latency_us in "${latencies_us[@]}"; do
    measured check_times "$latency_us" 2 --latency "${latency_us}us"
    grep -q "^crosstalk delay: messages arrive $latency_us us later; rendezvous from 8192 B$" err ||
        fail 'no word of the latency'
done

# ---- every kind of call ----
for latency in "${checks[@]}"; do
    delayed 0 3 --latency "$latency" -- check
    [ "$(grep -c . out)" -eq 12 ] || fail "$latency: not all cases were run: $(tr '\n' ' ' <out)"
done
delayed 0 "$rendezvous_ranks" --latency 500us --rendezvous 64B -- check
delayed 0 2 --latency 300us -- check-threads

# ---- messages within a node ----
within_nodes=()
delayed 0 2 --latency 20ms -- measure 5
awk '$1 == "small" && $2 < 20000 { is_soon = 1 } END { exit !is_soon }' out || fail 'messages within a node are delayed'
grep -q 'got no message from another node' err || fail 'no word of messages within a node'
within_nodes=(--within-nodes)

# ---- pairs ----
printf -- '# from 0, 1, 2\n- 1ms 0us\n3ms - 0us\n0us 0us -\n' >matrix
check_pairs() { # LATENCY_US: 1 there, 3 back
    added small 2 "$1" # of half a round trip
    added synchronous 4 "$1"
    added posted_both 1 "$1"
    added large 6 "$1" # of 1 + 3 + 1 there and 3 + 1 + 3 back
}
measured check_pairs 1000 3 --matrix matrix
is_second_mpi || delayed 0 3 --matrix matrix -- check
delayed 1 2 --matrix matrix -- check
grep -q 'is for 3 ranks, but rank [01] is one of 2' err || fail 'a matrix of another size is taken'

# ---- programs that end early ----
gone() { # Open MPI's mpiexec may end before the ranks of a program that has failed
    local tries
    for ((tries = 0; tries < 50; tries++)); do
        pgrep -x delay_program >/dev/null || return 0
        sleep 0.1
    done
    return 1
}
gone || fail "there are such programs already: $(pgrep -x delay_program)"
delayed 1 2 --latency 1ms -- abort
delayed 1 2 --latency 1ms -- exit
deadline_s=3 delayed 124 2 --latency 1ms -- wait # timeout ends it
gone || fail 'a program is left behind'
# A signal to crosstalk delay alone ends its program.
for signal in TERM KILL; do
    "$crosstalk" delay "${within_nodes[@]}" --latency 1ms -q -- mpiexec -n 2 "$program" wait >out 2>err </dev/null &
    command=$!
    for ((tries = 0; tries < 100; tries++)); do
        pgrep -x delay_program >/dev/null && break
        sleep 0.1
    done
    [ "$tries" -lt 100 ] || fail 'a program does not start'
    kill -"$signal" "$command"
    wait "$command"
    gone || fail "SIG$signal to crosstalk delay leaves its program behind"
done

# ---- refused ----
if [ "$CROSSTALK_MPI" = openmpi ]; then
    refused '--mca pml ob1: messages of Open MPI by its component ob1 cannot be delayed; .*--mca pml ucx' \
        --latency 1us -- mpiexec --mca pml ob1 -n 2 "$program" check
    # Where neither program nor options are seen before it starts, each rank refuses.
    export PROGRAM=$program
    cat >hidden <<'END'
#!/bin/sh
exec mpiexec --mca pml ob1 -n 2 "$PROGRAM" check
END
    chmod +x hidden
    refused 'Open MPI has not chosen its pml/ucx, .* give mpiexec --mca pml ucx' --latency 1us -- ./hidden
    # And each rank sees that another runs without the library.
    refused 'a process of this program runs without crosstalk delay' --latency 1us -- \
        mpiexec -n 1 "$program" check : -n 1 env -u LD_PRELOAD "$program" check
    finish
fi
refused 'give --latency or --matrix' -- true
refused 'give --latency or --matrix' --latency 1us --matrix matrix -- true
refused 'nowhere' --matrix nowhere -- true
printf -- '- 1\n1us -\n' >matrix2
refused "matrix2:1: entry 2: .*'1'" --matrix matrix2 -- true
refused 'in the lab ranks sleep' --latency 1us -- "$crosstalk" lab mpiexec -n 2 true
other=$(command -v mpiexec.openmpi)
[ -z "$other" ] || refused "is Open MPI's, but .* is linked to MPICH" --latency 1us -- "$other" -n 2 "$program"
finish
