#!/usr/bin/env bash
# What sick links cost six applications, measured in the lab and said by crosstalk watch --fault: within 3 points
# on average (examples/prices). Three rounds, 25 minutes; the machine should have nothing else to do.
# shellcheck source=tests/lab/common.sh
. "${CROSSTALK_SOURCE:?}/tests/lab/common.sh"
need python3 python3
up_or_skip --hosts 2
crosstalk lab down -q
check 'measured' python3 "$CROSSTALK_SOURCE/examples/prices/measure.py" "$work/prices" 3
check 'within 3 points' python3 "$CROSSTALK_SOURCE/examples/prices/compare.py" "$work/prices"
finish
