#!/usr/bin/env bash
# A halo exchange of 256 ranks, 998,400 operations: what the commands take, reading included, as ratios to
# LogGOPSim's run of the same schedule where CROSSTALK_LOGGOPSIM has its binary, else to `crosstalk tolerance`.
set -u
export LC_ALL=C
PATH=${CROSSTALK_BIN:?}:$PATH
rounds=${1:-130}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
base=''
model=(--o 5us --G 1ns) # LogGOPSim takes whole nanoseconds
schedule=$work/halo.bin

# timed NAME COMMAND...: standard output to $work/out, a row of the table here; the first one is the base.
timed() {
    local name=$1 time_s user_s system_s memory_kib
    shift
    /usr/bin/time -f '%e %U %S %M' -o "$work/cost" "$@" >"$work/out" 2>"$work/err" ||
        { echo "loggopsim: $* failed: $(tail -n 1 "$work/err")" >&2; exit 1; }
    read -r time_s user_s system_s memory_kib <"$work/cost"
    base=${base:-$time_s}
    awk -v name="$name" -v t="$time_s" -v cpu="$user_s $system_s" -v kib="$memory_kib" -v base="$base" 'BEGIN {
        split(cpu, parts, " ")
        printf "%-52s %8.2f %14.2f %12.0f %8.2f\n", name, t, parts[1] + parts[2], kib * 1.024e-3, (base > 0 ? t / base : 0) }'
}

crosstalk goal "halo:8x8x4,levels=1,rounds=$rounds" -o "$schedule" || exit 1
crosstalk goal "$schedule" | grep -E '^(ranks|operations) '
printf '%-52s %8s %14s %12s %8s\n' '' 'time [s]' 'processor [s]' 'memory [MB]' ratio
if [ -n "${CROSSTALK_LOGGOPSIM:-}" ]; then
    timed LogGOPSim "$CROSSTALK_LOGGOPSIM" -f "$schedule" -L 3000 -o 5000 -g 0 -G 1 -S 262144
fi
timed 'tolerance: T, lambda, tolerances' crosstalk tolerance "$schedule" --L 3us "${model[@]}"
timed 'simulate --network alpha-beta' crosstalk simulate "$schedule" --L 3us "${model[@]}" --network alpha-beta
timed 'tolerance --topology fat-tree:16' crosstalk tolerance "$schedule" "${model[@]}" --topology fat-tree:16 --wire 274ns \
    --switch 108ns
timed 'place --topology tree:16x16' crosstalk place "$schedule" "${model[@]}" --topology tree:16x16 --wire 274ns \
    --switch 108ns --seed 1
[ -n "${CROSSTALK_LOGGOPSIM:-}" ] || echo 'LogGOPSim was not run: CROSSTALK_LOGGOPSIM=FILE names its binary.'
