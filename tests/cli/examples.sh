#!/usr/bin/env bash
# Every campaign file among the examples can be planned, and every script there says how to call it.
set -u
PATH=${CROSSTALK_BIN:?}:$PATH
cd "${CROSSTALK_SOURCE:?}" || exit 1
failures=0
for file in examples/*.yaml examples/*/*.yaml; do
    [ "$file" = examples/cluster.yaml ] && continue # wants a host file
    [[ $file == examples/calibration/* ]] && continue # parameters of crosstalk calibrate
    crosstalk campaign plan --summary "$file" | grep -q 'runs, about' || { echo "$file cannot be planned"; failures=1; }
done
for script in examples/*/run.sh; do
    "$script" --help | grep -q "^Usage: $script" || { echo "$script --help: no usage"; failures=1; }
    "$script" --long >/dev/null 2>&1
    [ "$?" -eq 2 ] || { echo "$script --long: exit code other than 2"; failures=1; }
done
exit "$failures"
