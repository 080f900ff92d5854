#!/usr/bin/env bash
# Whether what an operation costs grows with the number of ranks: processor time and peak memory of schedules
# and of T with tolerances, less those of a program of two ranks, and their ratio to the first row of each kind.
# Words are numbers of ranks: of fewer than the first of these the time is too short to be measured like this.
set -u
export LC_ALL=C
PATH=${CROSSTALK_BIN:?}:$PATH
[ $# -gt 0 ] || set -- 16384 131072 1048576
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "growth: $1" >&2
    exit 1
}

# run COMMAND PROGRAM: sets seconds, kib and operations
run() {
    local user_s system_s options=()
    [ "$1" = goal ] || options=(--L 3us --o 5us --G 0.018ns --verbose)
    /usr/bin/time -f '%U %S %M' -o "$work/cost" crosstalk "$1" "$2" "${options[@]}" >"$work/answer" || fail "$1 $2 failed"
    read -r user_s system_s kib <"$work/cost"
    seconds=$(awk -v s="$user_s" -v t="$system_s" 'BEGIN { print s + t }')
    operations=$(sed -nE 's/^#? ?operations[^0-9]*([0-9]+).*/\1/p' "$work/answer" | head -n 1)
    [ -n "$operations" ] || fail "$1 $2: no number of operations"
}

printf '%-32s %10s %9s %12s %10s %10s %7s %7s\n' '' operations 'time [s]' 'memory [MB]' 'us an op.' 'B an op.' time memory
for command in goal tolerance; do
    for pattern in halo allreduce; do
        run "$command" "$pattern:2,rounds=1"
        none_s=$seconds none_kib=$kib first=
        for ranks; do
            run "$command" "$pattern:$ranks,rounds=1"
            row=$(awk -v n="$operations" -v s="$seconds" -v t="$none_s" -v m="$kib" -v k="$none_kib" \
                'BEGIN { print 1e6 * (s - t) / n, 1024 * (m - k) / n }')
            first=${first:-$row}
            awk -v p="$command $pattern:$ranks" -v n="$operations" -v s="$seconds" -v m="$kib" -v row="$row" -v first="$first" 'BEGIN {
                split(row, of); split(first, to)
                time = to[1] > 0 ? of[1] / to[1] : 0
                memory = to[2] > 0 ? of[2] / to[2] : 0
                printf "%-32s %10d %9.2f %12.0f %10.3f %10.1f %7.2f %7.2f\n", p, n, s, 1024 * m / 1e6, of[1], of[2],
                    time, memory }'
        done
    done
done
