#!/usr/bin/env bash
# A replay takes as long as its program: passes of the six workloads, and of the replay of that part of one trace of
# each that is its timed pass, in turns in random order, on the emulated switch. 8 minutes; the machine should have
# nothing else to do. $1: where the helpers of the lab's tests are. CROSSTALK_WORKLOADS: some of the six.
# shellcheck disable=SC2317 # functions are called by their names
# shellcheck source=tests/lab/common.sh
. "${CROSSTALK_SOURCE:?}/tests/lab/common.sh"
need python3 python3
cd "${work:?}" || exit 1
up_or_skip --hosts 8 --rate 50mbit
rounds=8

# The mean pass in 3 s of a program, s.
passes() { # WORDS of workload
    timeout -k 2 60 crosstalk lab mpiexec -- workload "$@" --loop --time 3s --format json -q >now.json </dev/null ||
        return 1
    value now.json 'd["mean_s"]'
}
program() { passes "$1"; }
replay() { # NAME
    # shellcheck disable=SC2046 # two options with values
    passes replay --trace "trace-$1" $(pass_of "$1")
}

# A timed pass begins behind a workload's second barrier and ends before the reduction of its three times, 24 B; where messages
# are under way there, one collective earlier. The collectives of workloads are on communicators of all ranks.
pass_of() { # NAME
    local from to pass
    read -r from to < <(crosstalk trace --dump "trace-$1" | awk '
        $1 == 0 && $6 ~ /^(barrier|bcast|reduce|allreduce|allgather|alltoall|scan)$/ {
            marks++
            if ($6 == "barrier" && ++barriers == 2) from = marks
            if ($6 == "allreduce" && $7 == 24) to = marks
        }
        END { print from, to }')
    for pass in "$from $to" "$((from - 1)) $to" "$from $((to - 1))" "$((from - 1)) $((to - 1))"; do
        read -r from to <<<"$pass"
        crosstalk goal "trace-$1" --pass-from "$from" --pass-to "$to" -o part.goal 2>/dev/null && break
    done
    echo "--pass-from $from --pass-to $to"
}

read -ra names <<<"${CROSSTALK_WORKLOADS:-fft vpfft lulesh mcb milc amg}"
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
print("workload   runs  program [s]  replay [s]  replay / program  its interval")
failed = []
for name, of in spans.items():
    program, replay = (sorted(of[kind]) for kind in ("program", "replay"))
    # Medians by order statistics: ranks 2 and 7 of 8 are 93 % for each.
    n = min(len(program), len(replay))
    middle = [statistics.median(x) for x in (program, replay)]
    low, high = replay[1] / program[-2], replay[-2] / program[1]
    ratio = middle[1] / middle[0]
    print(f"{name:9} {n:5} {middle[0]:12.4f} {middle[1]:11.4f} {ratio:17.4f}  {low:.3f} to {high:.3f}")
    failed += [name] if abs(ratio - 1) > 0.03 or n < 6 else []
if failed:
    raise SystemExit(f"more than 3 % from the program: {', '.join(failed)}")
PYTHON
finish
