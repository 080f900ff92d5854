#!/usr/bin/env bash
# A replay takes as long as its program: the six workloads and the replay of one trace of each, in turns in
# random order, on the emulated switch. The time of a program is that from MPI_Init to MPI_Finalize of its
# slowest rank, that of a replay its pass. 4 minutes; the machine should have nothing else to do. $1: where
# the helpers of the lab's tests are.
# shellcheck disable=SC2317 # functions are called by their names
# shellcheck source=tests/lab/common.sh
. "${CROSSTALK_SOURCE:?}/tests/lab/common.sh"
need python3 python3
cd "${work:?}" || exit 1
up_or_skip --hosts 8 --rate 50mbit
rounds=10

# Seconds of a program, by its trace.
program() { # NAME
    rm -rf now
    timeout -k 2 60 crosstalk trace -o now -- crosstalk lab mpiexec -- workload "$1" >now.out 2>&1 </dev/null ||
        { cat now.out >&2; return 1; }
    crosstalk trace --dump now | awk '
        $6 == "begin" { begun[$1] = $2 + 1e-6 * $4 }
        $6 == "end" && $2 - begun[$1] > most { most = $2 - begun[$1] }
        END { print most }'
}

# Seconds of a pass of its replay. Before and after it the replay makes a pass each that checks all data.
replay() { # NAME
    timeout -k 2 60 crosstalk lab mpiexec -- workload replay --trace "$work/trace-$1" --format json -q >now.json </dev/null ||
        return 1
    value now.json 'd["mean_s"]'
}

names=(fft vpfft lulesh mcb milc amg)
for name in "${names[@]}"; do
    check "a trace of $name" timeout -k 2 60 crosstalk trace -o "trace-$name" -- crosstalk lab mpiexec -- workload "$name"
done
for ((round = 1; round <= rounds; round++)); do
    while read -r name kind; do
        printf '%s %s %d %s\n' "$name" "$kind" "$round" "$("$kind" "$name")"
    done < <(for name in "${names[@]}"; do printf '%s\n' "$name program" "$name replay"; done |
        shuf --random-source=<(yes "$round")) >>spans
done
python3 - <<'PYTHON' || failures=$((failures + 1))
import statistics
spans = {}
with open("spans") as file:
    for line in file:
        name, kind, _, *seconds = line.split()
        spans.setdefault(name, {}).setdefault(kind, []).extend(map(float, seconds))
print("workload   runs  program [s]  replay [s]  replay / program  its 95 % interval")
failed = []
for name, of in spans.items():
    program, replay = (sorted(of[kind]) for kind in ("program", "replay"))
    # Medians by order statistics: ranks 2 and 9 of 10 are 97.9 % for each, together 95 % and more.
    n = min(len(program), len(replay))
    middle = [statistics.median(x) for x in (program, replay)]
    low, high = replay[1] / program[-2], replay[-2] / program[1]
    ratio = middle[1] / middle[0]
    print(f"{name:9} {n:5} {middle[0]:12.4f} {middle[1]:11.4f} {ratio:17.4f}  {low:.3f} to {high:.3f}")
    failed += [name] if abs(ratio - 1) > 0.03 or n < 8 else []
if failed:
    raise SystemExit(f"more than 3 % from the program: {', '.join(failed)}")
PYTHON
finish
