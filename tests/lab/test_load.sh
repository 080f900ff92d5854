#!/usr/bin/env bash
# The measuring programs in the lab: what compressionb says it sends is what the ports count, and
# impactb sees higher latencies beside it than on the idle network.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1
up_or_skip --hosts 4 --rate 50mbit

run() { timeout -k 10 60 crosstalk lab mpiexec --deadline 40s -- "$@"; }
# shellcheck disable=SC2317 # called by check
rises() {
    echo "p90 of latency $1 s idle, $2 s beside a heavy load; expected more than twice"
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && b > 2 * a) }'
}
measure() { run "$@" -q --format json; }

measure impactb --time 3s --interval 20ms --seed 1 -o idle.h5 >idle.json
check 'impactb on the idle network' test $? -eq 0
timeout -k 10 60 crosstalk lab mpiexec --deadline 40s -- \
    compressionb --partners 3 --messages 4 --bubble 5ms --time 600s -q --format json -o load.h5 >load.json &
load=$!
sleep 1.5
timeout -k 2 20 crosstalk lab counters --interval 3s --format json >counters.json &
counters=$!
measure impactb --time 3s --interval 20ms --seed 1 --config 3:4:5ms -o loaded.h5 >loaded.json
check 'impactb beside compressionb' test $? -eq 0
wait "$counters"
check 'counters' test $? -eq 0
kill -TERM "$load"
wait "$load"
check 'compressionb ends well after SIGTERM' test $? -eq 0

check 'latency rises under load' rises "$(value idle.json 'd["latencies"]["p90"]["value_s"]')" \
    "$(value loaded.json 'd["latencies"]["p90"]["value_s"]')"
# A frame carries 1448 bytes of data in 1514; acknowledgements and probes come on top.
check 'the ports count what compressionb sends' between \
    "$(value counters.json 'sum(p["tx_bytes"] for p in d["ports"]) / d["interval_s"]')" \
    "$(value load.json '1.00 * d["bytes_per_s"]')" "$(value load.json '1.25 * d["bytes_per_s"]')"

check 'utilization' timeout 60 crosstalk utilization --idle idle.h5 --loaded loaded.h5 --format json
cp "$work/check.out" utilization.json
# Not by pk: one odd latency on the idle network moves that far.
check 'utilization of a heavy load' between \
    "$(value utilization.json 'd["waiting_utilization"]')" 0.3 1
check 'the run files can be read' crosstalk show --all load.h5
finish
