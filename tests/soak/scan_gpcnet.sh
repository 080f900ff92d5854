#!/usr/bin/env bash
# GPCNeT's own program beside a scan with its congestors, in the lab: congestion impacts that agree within intervals of at most
# 10 %. CROSSTALK_GPCNET: its program network_load_test, built with the MPI of scanb (github.com/netbench/GPCNET, not a part of
# crosstalk); without it nothing is run, which is said. Half an hour and more: each of its tests takes as long as it was built for.
# $1: where the helpers of the lab's tests are.
# shellcheck source=tests/lab/common.sh
. "${CROSSTALK_SOURCE:?}/tests/lab/common.sh"
if [ -z "${CROSSTALK_GPCNET:-}" ]; then
    skip "not run: CROSSTALK_GPCNET does not name GPCNeT's program network_load_test"
fi
cd "$work" || exit 1
up_or_skip --topology tree:3x4 --rate 100mbit

runs=4
for ((run = 1; run <= runs; run++)); do
    check "run $run of GPCNeT" timeout -k 5 3600 crosstalk lab mpiexec -- sh -c "cd '$work' && exec '$CROSSTALK_GPCNET' >gpcnet-\$\$.out"
    cat gpcnet-*.out >"gpcnet.$run.txt"
    rm -f gpcnet-*.out
done
check 'a scan' timeout -k 5 1800 crosstalk scan -o sheet --lab test --time 20min --half-width 5% --seed 7 --yes \
    --cells 'latency:gpcnet bandwidth:gpcnet allreduce:gpcnet'

judge() {
    /usr/bin/python3 - "$runs" <<'PYTHON'
import json
import math
import re
import sys

STUDENT = {2: 12.71, 3: 4.30, 4: 3.18}  # 95 %, of so many runs
NAMES = "RR Two-sided Lat", "RR Two-sided BW+Sync", "Multiple Allreduce"


def impacts(path):
    """Of a run: by name, at the average and at 99 %, from its tables alone and beside congestors, in this order."""
    values = {name: [] for name in NAMES}
    with open(path, encoding="utf-8") as file:
        for found in re.finditer(r"\|\s+(.+?) \(\s*\d+ B\) \|\s+([0-9.]+) \|\s+([0-9.]+) \|\s+(\S+) \|", file.read()):
            values[found[1]].append((float(found[2]), float(found[3]), found[4]))
    made = {}
    for name, (alone, beside) in values.items():
        for i, key in enumerate(("average", "p99")):
            quotient = beside[i] / alone[i]
            made[name, key] = math.log(quotient if alone[2] == "usec" else 1 / quotient)
    return made


runs = [impacts(f"gpcnet.{run}.txt") for run in range(1, int(sys.argv[1]) + 1)]
with open("sheet/sheet.json", encoding="utf-8") as file:
    table = json.load(file)["gpcnet"]
failed = 0
print(f"{'congestion impact':28} {'GPCNeT':>14} {'scan':>14}")
for row in table:
    for key in "average", "p99":
        name = next(name for name in NAMES if row["name"].startswith(name))
        own = [run[name, key] for run in runs]
        mean = sum(own) / len(own)
        half = STUDENT[len(own)] * math.sqrt(sum((x - mean) ** 2 for x in own) / (len(own) - 1) / len(own))
        impact = row[key]["impact"]
        other, other_half = math.log(impact["value"]), math.log(impact["hi"] / impact["lo"]) / 2
        agrees = abs(mean - other) <= math.hypot(half, other_half) and max(half, other_half) <= 0.1
        failed += not agrees
        print(f"{name + ', ' + key:28} {math.exp(mean):7.2f}±{math.exp(mean) * half:.2f} {impact['value']:7.2f}±"
              f"{impact['value'] * other_half:.2f} {'agrees' if agrees else 'DIFFERS'}")
sys.exit(failed > 0)
PYTHON
}
judge || failures=$((failures + 1))
finish
