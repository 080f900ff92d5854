#!/usr/bin/env bash
# stolen.sh PROGRAM...: runs it, then prints how much of the time that the machine's processors had work its host took away.
set -u
times() { awk '/^cpu / { print $2 + $3 + $4 + $7 + $8, $9 }' /proc/stat; }
read -r busy stolen <<<"$(times)"
"$@"
status=$?
read -r busy_after stolen_after <<<"$(times)"
awk -v busy=$((busy_after - busy)) -v stolen=$((stolen_after - stolen)) -v per_s="$(getconf CLK_TCK)" 'BEGIN {
    printf "stolen from this machine meanwhile: %.1f s, %.1f %% of the time that its processors had work\n",
        stolen / per_s, 100 * stolen / (busy + stolen + 1e-9) }'
exit $status
