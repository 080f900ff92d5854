#!/usr/bin/env bash
# What an operation costs in programs of more and more ranks, and in long ones, no two ranks of which are
# alike: processor time and peak memory of T with tolerances. Then the traces of a generated program of 65,536 ranks, read again. Words behind the first
# one are the numbers of ranks.
set -u
export LC_ALL=C
PATH=${CROSSTALK_BIN:?}:$PATH
write_traces=$1
shift
[ $# -gt 0 ] || set -- 16384 131072 1048576
many=65536
work=$(mktemp -d -p /dev/shm) # each file is flushed: 65,536 of them take minutes on a disk
trap 'rm -rf "$work"' EXIT
fail() {
    echo "many_ranks: $1" >&2
    exit 1
}

printf '%-48s %12s %10s %12s %12s %10s\n' program operations 'time [s]' 'memory [MB]' 'us an op.' 'B an op.'
# measure PROGRAM: a row of the table.
measure() {
    local user_s system_s memory_kib operations
    /usr/bin/time -f '%U %S %M' -o "$work/cost" crosstalk tolerance "$1" --L 3us --o 5us --G 0.018ns --verbose \
        >"$work/answer" || fail "tolerance $1 failed"
    read -r user_s system_s memory_kib <"$work/cost"
    operations=$(sed -nE 's/^# operations[^0-9]*([0-9]+).*/\1/p' "$work/answer")
    awk -v p="$1" -v n="${operations:?}" -v s="$user_s" -v t="$system_s" -v m="$memory_kib" 'BEGIN {
        printf "%-48s %12d %10.2f %12.0f %12.2f %10.1f\n", p, n, s + t, 1024 * m / 1e6, 1e6 * (s + t) / n, 1024 * m / n }'
}
for ranks; do
    measure "allreduce:$ranks,rounds=1"
    measure "halo:$ranks,rounds=1"
done
# In windows: four times the length, the same memory.
measure 'halo:1024,rounds=400,imbalance=10%,noise=10%'
measure 'halo:1024,rounds=1600,imbalance=10%,noise=10%'

program=allreduce:$many,rounds=1
"$write_traces" "$work/traces" "$program" || exit 1
crosstalk goal "$work/traces" -o "$work/read.bin" || fail 'the traces cannot be read'
crosstalk goal "$program" -o "$work/generated.bin" || fail "goal $program failed"
cmp -s "$work/read.bin" "$work/generated.bin" || fail 'the schedules of traces and program differ'
echo "$program: traces of $(du -bs "$work/traces" | awk '{print int($1 / 1e6)}') MB, read again, are the same schedule"
