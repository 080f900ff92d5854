#!/usr/bin/env bash
# Traces of a large program to its latency tolerance: time and peak memory, from the traces and from
# the schedule that was made of them before. The default is the size of MILC on 1024 ranks in LLAMP's
# Table I, 23.6 million operations; a second argument is the number of iterations, a third that of ranks.
set -u
export LC_ALL=C
PATH=${CROSSTALK_BIN:?}:$PATH
make_trace=$1 iterations=${2:-296} ranks=${3:-1024}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "events: $1" >&2
    exit 1
}

# timed NAME COMMAND...: standard output to $work/NAME, a row of the table here.
timed() {
    local name=$1 time_s user_s system_s memory_kib
    shift
    /usr/bin/time -f '%e %U %S %M' -o "$work/cost" "$@" >"$work/$name" || fail "$* failed"
    read -r time_s user_s system_s memory_kib <"$work/cost"
    printf '%-44s %8.1f %14.1f %14d\n' "$name" "$time_s" "$(awk "BEGIN {print $user_s + $system_s}")" \
        $((memory_kib * 1024 / 1000000))
}

"$make_trace" "$work/traces" "$ranks" "$iterations" || exit 1
parameters=(--L 3us --o 5us --G 0.018ns --seed 1 --verbose)
echo "$ranks ranks, $((iterations * 36 * ranks)) calls, traces of $(du -sm "$work/traces" | cut -f 1) MiB"
printf '%-44s %8s %14s %14s\n' '' 'time [s]' 'processor [s]' 'memory [MB]'
timed 'traces to tolerance' crosstalk tolerance "$work/traces" "${parameters[@]}"
timed 'traces to tolerance, --serialize-nic' crosstalk tolerance "$work/traces" "${parameters[@]}" --serialize-nic
timed 'traces to schedule' crosstalk goal "$work/traces" -o "$work/schedule.bin"
timed 'schedule to tolerance' crosstalk tolerance "$work/schedule.bin" "${parameters[@]}"
grep -E '^# operations|^run time|^lambda_L,' "$work/traces to tolerance"
for way in traces schedule; do
    sed '/^# schedule/d; /^[Tt]raced/d' "$work/$way to tolerance" >"$work/$way.answer"
done
cmp -s "$work/traces.answer" "$work/schedule.answer" || fail 'the answers differ'
