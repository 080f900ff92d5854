#!/usr/bin/env bash
# What an operation costs in programs of more and more ranks, in long ones, no two ranks of which are alike, and
# in a traced one, repeated: processor time and peak memory of T with tolerances, and of LogGOPSim's run of the
# same schedule where CROSSTALK_LOGGOPSIM has its binary. Then the traces of a generated program of 65,536 ranks,
# read again. The words are the program that writes traces, traces, and numbers of ranks.
set -u
export LC_ALL=C
PATH=${CROSSTALK_BIN:?}:$PATH
write_traces=$1 traces=$2
shift 2
[ $# -gt 0 ] || set -- 16384 131072 1048576
many=65536
work=$(mktemp -d -p /dev/shm) # each file is flushed: 65,536 of them take minutes on a disk
trap 'rm -rf "$work"' EXIT
fail() {
    echo "many_ranks: $1" >&2
    exit 1
}

printf '%-48s %12s %10s %12s %12s %10s\n' program operations 'time [s]' 'memory [MB]' 'us an op.' 'B an op.'
# add_row NAME OPERATIONS: of what $work/cost says
add_row() {
    local user_s system_s memory_kib
    read -r user_s system_s memory_kib <"$work/cost"
    awk -v p="$1" -v n="$2" -v s="$user_s" -v t="$system_s" -v m="$memory_kib" 'BEGIN {
        printf "%-48s %12d %10.2f %12.0f %12.2f %10.1f\n", p, n, s + t, 1024 * m / 1e6, 1e6 * (s + t) / n, 1024 * m / n }'
}

# measure NAME PROGRAM: its rows of the table.
measure() {
    local operations
    /usr/bin/time -f '%U %S %M' -o "$work/cost" crosstalk tolerance "$2" --L 3us --o 5us --G 0.018ns --verbose \
        >"$work/answer" || fail "tolerance $2 failed"
    operations=$(sed -nE 's/^# operations[^0-9]*([0-9]+).*/\1/p' "$work/answer")
    add_row "$1" "${operations:?}"
    [ -n "${CROSSTALK_LOGGOPSIM:-}" ] || return 0
    crosstalk goal "$2" -o "$work/schedule.bin" || fail "goal $2 failed"
    /usr/bin/time -f '%U %S %M' -o "$work/cost" "$CROSSTALK_LOGGOPSIM" -f "$work/schedule.bin" -L 3000 -o 5000 -g 0 \
        -G 1 -S 262144 >"$work/answer" || fail "LogGOPSim failed"
    add_row "  LogGOPSim" "$operations"
    rm "$work/schedule.bin"
}
for ranks; do
    for program in "allreduce:$ranks,rounds=1" "halo:$ranks,rounds=1"; do
        measure "$program" "$program"
    done
done
# In windows: four times the length, the same memory.
for rounds in 400 1600; do
    program=halo:1024,rounds=$rounds,imbalance=10%,noise=10%
    measure "$program" "$program"
done
for times in 700 2800; do
    "$write_traces" "$work/traces" "$traces" "$times" || exit 1
    measure "${traces#"${traces%/*/*/*}"/}, $times times" "$work/traces"
    rm -r "$work/traces"
done
[ -n "${CROSSTALK_LOGGOPSIM:-}" ] || echo 'LogGOPSim was not run: CROSSTALK_LOGGOPSIM=FILE names its binary.'

program=allreduce:$many,rounds=1
"$write_traces" "$work/traces" "$program" || exit 1
crosstalk goal "$work/traces" -o "$work/read.bin" || fail 'the traces cannot be read'
crosstalk goal "$program" -o "$work/generated.bin" || fail "goal $program failed"
cmp -s "$work/read.bin" "$work/generated.bin" || fail 'the schedules of traces and program differ'
echo "$program: traces of $(du -bs "$work/traces" | awk '{print int($1 / 1e6)}') MB, read again, are the same schedule"
