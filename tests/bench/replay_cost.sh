#!/usr/bin/env bash
# Processor time of a replay per call beyond that of the bare calls: replay_cost.sh BENCH_REPLAY WORKLOAD
# LONG_TRACE_PY [TURNS]. Turns of both, and of both without calls, alternate; the rehearsal is counted in.
set -u
program=$1 workload=$2 generate=$3 turns=${4:-5} rounds=200000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$generate" "$work/none" 1 0 && python3 "$generate" "$work/long" 1 "$rounds" || exit 1

# Processor seconds of a command and what it starts.
used() {
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, close_fds=False, timeout=120)
x = resource.getrusage(resource.RUSAGE_CHILDREN)
print(x.ru_utime + x.ru_stime)' "$@"
}

for ((turn = 0; turn < turns; turn++)); do
    printf '%s %s %s %s\n' "$(used "$program" 0)" "$(used "$program" "$rounds")" \
        "$(used "$workload" replay --trace "$work/none" --quiet)" "$(used "$workload" replay --trace "$work/long" --quiet)"
done >"$work/times"
awk -v calls=$((3 * rounds * 41 / 10)) '
    { bare[NR] = 1e9 * ($2 - $1) / calls; cost[NR] = 1e9 * ($4 - $3) / calls - bare[NR] }
    END { sort(bare, NR); sort(cost, NR); m = int((NR + 1) / 2)
          printf "a call: %.0f ns of processor in MPI, %.0f ns more in a replay (median of %d turns, %.0f to %.0f; aim: below 1000)\n",
                 bare[m], cost[m], NR, cost[1], cost[NR] }
    function sort(a, n,    i, j, t) {
        for (i = 2; i <= n; i++) for (j = i; j > 1 && a[j-1] > a[j]; j--) { t = a[j]; a[j] = a[j-1]; a[j-1] = t } }' \
    "$work/times"
