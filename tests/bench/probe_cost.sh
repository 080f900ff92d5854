#!/usr/bin/env bash
# How much impactb at its defaults slows the application that it watches: fft in the lab, alone and
# with impactb beside it, in turns. Prints the ratio of each turn, their mean and its 95 % interval.
set -u
PATH=${CROSSTALK_BIN:?}:$PATH
turns=${1:-8} time=${2:-8s}
id=bench-$$
work=$(mktemp -d)
trap 'crosstalk lab down --id "$id" --quiet; rm -rf "$work"' EXIT
crosstalk lab up --id "$id" --hosts 8 --quiet || exit 1

mpi() { crosstalk lab mpiexec --id "$id" --deadline 60s -- "$@"; }

mean_pass() { # FILE: mean duration of a pass, seconds
    mpi workload fft --loop --time "$time" --quiet --format csv | sed -n 's/^mean_s,//p'
}

echo "fft on 8 hosts, $turns turns of $time alone and $time with impactb"
for ((turn = 1; turn <= turns; turn++)); do
    alone=$(mean_pass)
    mpi impactb --time 600s --quiet >/dev/null &
    probe=$!
    sleep 2
    beside=$(mean_pass)
    kill -TERM "$probe"
    wait "$probe"
    awk -v a="$alone" -v b="$beside" -v t="$turn" \
        'BEGIN { if (a <= 0 || b <= 0) exit 1; printf "turn %d: %.4f s alone, %.4f s beside, slowdown %+.2f %%\n", t, a, b, 100 * (b / a - 1) }' ||
        { echo "a run failed" >&2; exit 1; }
    printf '%s %s\n' "$alone" "$beside" >>"$work/pairs"
done
awk '{ x = 100 * ($2 / $1 - 1); n++; s += x; q += x * x }
    END { m = s / n; sd = sqrt((q - n * m * m) / (n - 1));
          printf "mean slowdown %+.2f %%, 95 %% interval %+.2f to %+.2f %% (t, %d turns)\n",
                 m, m - t(n) * sd / sqrt(n), m + t(n) * sd / sqrt(n), n }
    function t(k) { split("12.71 4.30 3.18 2.78 2.57 2.45 2.36 2.31 2.26", v, " "); return k - 1 > 9 ? 2.1 : v[k - 1] }' "$work/pairs"
