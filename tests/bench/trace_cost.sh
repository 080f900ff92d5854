#!/usr/bin/env bash
# Cost of the tracer per MPI call, and size of an event: trace_cost.sh BENCH_TRACE LIBRARY [TURNS]. The same from
# Fortran, if CROSSTALK_MPI's compiler is there. Turns with and without the tracer alternate.
set -u
program=$1 library=$2 turns=${3:-7}
sources=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
calls=400000 # of bench_trace

cost() { # LANGUAGE PROGRAM
    for ((turn = 0; turn < turns; turn++)); do
        rm -rf "$work/traces"
        plain=$(timeout -k 2 60 "$2") || exit 1
        traced=$(CROSSTALK_TRACE_DIR=$work/traces LD_PRELOAD=$library timeout -k 2 60 "$2") || exit 1
        placed=$(CROSSTALK_TRACE_DIR=$work/placed CROSSTALK_TRACE_CALL_SITES=1 LD_PRELOAD=$library timeout -k 2 60 "$2") || exit 1
        bytes=$(stat -c %s "$work"/traces/rank-000000.trace)
        placed_bytes=$(stat -c %s "$work"/placed/rank-000000.trace)
        rm -rf "$work/placed"
        printf '%s %s %s\n' "$plain" "$traced" "$placed"
    done >"$work/times"
    sort -n "$work/times" | awk -v language="$1" -v bytes="$bytes" -v placed_bytes="$placed_bytes" -v calls="$calls" '
        { plain[NR] = $1; cost[NR] = $2 - $1; site[NR] = $3 - $2 }
        END { n = asort_numbers(cost, NR); m = int((NR + 1) / 2)
              printf "MPI_Sendrecv with itself, %s: %.0f ns without the tracer, %.0f ns more with it (median of %d turns, %.0f to %.0f; aim: below 150)\n", language, plain[m], cost[m], NR, cost[1], cost[NR]
              n = asort_numbers(site, NR)
              printf "with --call-sites: %.0f ns more (median, %.0f to %.0f)\n", site[m], site[1], site[NR]
              printf "trace: %.1f bytes an event (aim: 16), with --call-sites %.1f\n", bytes / calls, placed_bytes / calls }
        function asort_numbers(a, n,    i, j, t) {
            for (i = 2; i <= n; i++) for (j = i; j > 1 && a[j-1] > a[j]; j--) { t = a[j]; a[j] = a[j-1]; a[j-1] = t }
            return n }'
}

cost C "$program"
mpifort=$(command -v "mpifort.$CROSSTALK_MPI" || command -v mpifort)
if [ -n "$mpifort" ] && "$mpifort" -O2 -o "$work/fortran" "$sources/bench_trace.f90" 2>"$work/messages"; then
    cost Fortran "$work/fortran"
else
    echo 'from Fortran: not measured, no compiler (package gfortran)'
fi
