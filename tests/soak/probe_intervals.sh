#!/usr/bin/env bash
# What the probe measures must not depend on how often it is sent: beside the heaviest configuration of
# examples/lab8, on the emulated switch, at intervals of 25, 100 and 400 ms, in random order. 10 minutes;
# the machine should have nothing else to do. $1: where the helpers of the lab's tests are.
# shellcheck source=tests/lab/common.sh
. "${CROSSTALK_SOURCE:?}/tests/lab/common.sh"
need python3 python3
python3 -c 'import h5py' 2>/dev/null || skip_for_tool "Python's h5py is not installed (package python3-h5py)"
up_or_skip --hosts 8 --rate 50mbit

# INTERVAL TIME ROUND: one run of the probe beside the load
# shellcheck disable=SC2317 # called through check
probe_beside_load() {
    local load code
    timeout -k 2 300 crosstalk lab mpiexec -- \
        compressionb -P 4 -M 2 -B 5ms --time 240s --seed 7 -q >"$work/load.out" 2>&1 &
    load=$!
    sleep 3
    timeout -k 2 200 crosstalk lab mpiexec -- \
        impactb --interval "$1" --time "$2" --seed "$3" -q -o "$work/$1.$3.h5" >"$work/probe.out" 2>&1
    code=$?
    [ "$code" -eq 0 ] || tail -n 5 "$work/probe.out" "$work/load.out"
    kill -TERM "$load" && wait "$load"
    return "$code"
}

for round in 1 2 3 4; do
    for run in $(printf '%s\n' 25ms:24s 100ms:40s 400ms:100s | shuf --random-source=<(yes "$round")); do
        check "round $round, a probe every ${run%:*}" probe_beside_load "${run%:*}" "${run#*:}" "$round"
    done
done
python3 "$CROSSTALK_SOURCE/tests/soak/probe_intervals.py" "$work" 25ms 100ms 400ms || failures=$((failures + 1))
finish
