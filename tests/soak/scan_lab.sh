#!/usr/bin/env bash
# Scans of a lab with two switches: two of the same lab differ within their intervals, nine times in ten over at least 40 factors;
# one whose uplink has half its rate is found by --against, and the same lab is not. Five minutes; the machine should have nothing
# else to do. $1: where the helpers of the lab's tests are.
# shellcheck source=tests/lab/common.sh
. "${CROSSTALK_SOURCE:?}/tests/lab/common.sh"
cd "$work" || exit 1
time=${CROSSTALK_SCAN_TIME:-90s}

# shellcheck disable=SC2317 # called by check
scan() { # FOLDER SEED ARGUMENT...
    timeout -k 5 400 crosstalk scan -o "$1" --lab test --seed "$2" --cell-time 200ms --message-size 16KiB --time "$time" --yes \
        --cells "$(printf '%s ' {latency,bandwidth,allreduce}:{incast,alltoall,broadcast,bisection,allreduce})" "${@:3}"
}

up_or_skip --topology tree:2x4,1 --rate 50mbit --uplink 50mbit
check 'a scan' scan one 1
check 'another one of the same lab' scan two 2 --against one/sheet.json
mv check.out two.txt
grep 'Against the other sheet' -A 5 two.txt
check 'nothing differs' grep -q 'Against the other sheet: 0 of' two.txt
lab_ down -q
up_or_skip --topology tree:2x4,1 --rate 50mbit --uplink 25mbit
check 'the uplink has half its rate' scan half 3 --against one/sheet.json
mv check.out half.txt
grep 'Against the other sheet' -A 5 half.txt
check 'it is found' grep -q 'bandwidth:none, median: [0-9.]* times what it was' half.txt

/usr/bin/python3 - "$CROSSTALK_SOURCE/tests/soak" <<'PYTHON' || failures=$((failures + 1))
import json
import math
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from scan_simgrid import CELLS, STATISTICS, half_of, ratio_of

rows = []
for name in "one", "two":
    with open(f"{name}/sheet.json", encoding="utf-8") as file:
        rows.append({row["cell"]: row for row in json.load(file)["rows"] if row["path_class"] == -1})
factors = [(cell, key) for cell in CELLS for key in STATISTICS if all(cell in of for of in rows)]
factors = [(cell, key) for cell, key in factors if all(math.isfinite(half_of(of[cell][key])) for of in rows)]
within = 0
for cell, key in factors:
    ratio, half = ratio_of(rows[0][cell][key], rows[1][cell][key])
    within += abs(ratio) <= half
print(f"{within} of {len(factors)} factors differ within their intervals")
sys.exit(len(factors) < 40 or within < 0.9 * len(factors))
PYTHON
finish
