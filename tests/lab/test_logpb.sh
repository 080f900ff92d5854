#!/usr/bin/env bash
# logpb in the lab, where the rate of a port is known: G is the rate's inverse plus headers, and both
# methods agree on gaps. What cannot be at any load of the machine fails at once; what a disturbance
# can spoil has three tries.
# shellcheck disable=SC2317 # called by check
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1

run() { timeout -k 2 50 crosstalk lab mpiexec --deadline 45s -- "$@"; }
answer() { # EXPRESSION of the document d
    python3 -c 'import json, statistics, sys; d = json.load(open("logp.json")); print(eval(sys.argv[1]))' "$1"
}

# RATE in Mbit/s. Of the gaps the median counts, so that one disturbed size does not decide.
accurate_at() {
    local ideal_s
    ideal_s=$(awk -v rate="$1" 'BEGIN { print 8 / (rate * 1e6) * 1514 / 1448 }')
    rm -f logp.h5
    run logpb --method both --max-size 64KiB --max-sizes 18 --format json -q -o logp.h5 >logp.json || return 1
    between "$(answer 'd["G_s_per_byte"]')" "$(awk "BEGIN { print 0.95 * $ideal_s }")" \
        "$(awk "BEGIN { print 1.05 * $ideal_s }")" || return 1
    between "$(answer 'statistics.median(abs(s["g_s"] / s["g_saturation_s"] - 1)
        for s in d["sizes"] if s["bytes"] > 1024)')" 0 0.1
}

# A network card that is slower than the others, towards the switch.
# shellcheck disable=SC2016 # for the inner shell
slow_down() { # HOST RATE
    lab_ exec --host "$1" -- bash -c '
        rate=$0
        tc class change dev eth0 parent 1: classid 1:1 htb rate "$rate" ceil "$rate" burst 1600 cburst 1600
        for class in $(tc class show dev eth0 | grep -o "htb 1:1[0-9a-f]\{2\}" | cut -d" " -f2); do
            tc class change dev eth0 parent 1:1 classid "$class" htb rate 1mbit ceil "$rate" burst 1600 cburst 1600
        done' "$2"
}

slow_pairs_are_named() {
    run logpb --pairs all --swap --max-size 16KiB --max-sizes 16 --epsilon 5% --format json -q >logp.json || return 1
    equal "$(answer 'sorted([p["rank_from"], p["rank_to"]] for p in d["pairs"] if "gap_per_byte_s" in p["outlier"])')" \
        '[[2, 0], [2, 1]]' || return 1
    between "$(answer 'next(x["ratio"] for x in d["directions"]
        if (x["rank_a"], x["rank_b"], x["parameter"]) == (0, 2, "g(m) / m"))')" 1.8 2.2
}

up_or_skip --hosts 2 --rate 50mbit
check '50 Mbit/s: G within 5 %, gaps of both methods within 10 %' in_tries 3 "LogGP of a lab" accurate_at 50
check 'no gap is shorter than the link lets it be' \
    between "$(answer 'min(s["g_saturation_s"] / s["bytes"] for s in d["sizes"] if s["bytes"] > 4096)')" 155e-9 1
check 'saturation moves more data' \
    between "$(answer 'd["methods"]["saturation"]["bytes"] / d["methods"]["fast"]["bytes"]')" 1 1000
for simulator in loggopsim llamp simgrid; do
    check "export for $simulator" crosstalk export logp.h5 --emit "$simulator"
done
check 'another rate' lab_ down
check 'another rate' lab_ up --hosts 3 --rate 100mbit
check '100 Mbit/s: G within 5 %, gaps of both methods within 10 %' in_tries 3 "LogGP of a lab" accurate_at 100
check 'a slow card' slow_down h3 50mbit
check 'pairs that are outliers, and directions that differ' in_tries 3 "slow pairs" slow_pairs_are_named

# A campaign measures them idle and under load; a run that the time cuts short says so.
lab_ down -q
cat >campaign.yaml <<'YAML'
campaign: logp
seed: 1
launcher: {kind: lab, hosts: 2, rate: 50mbit}
durations: {impact: 500ms, runtime: 500ms, settle: 100ms, logp: 3s}
repetitions: {idle: 1, baseline: 0, impact: 0, compression: 0, corun: 0}
applications:
  - {name: nap, command: "sleep 0.2", passes: driver}
configurations:
  - {partners: 1, messages: 1, bubble: 30ms}
logp: true
YAML
check 'a campaign with logp' timeout -k 2 60 crosstalk campaign run campaign.yaml -o results
for run in logp-r0 logp-nap-r0 logp-p1-m1-b30ms-r0; do
    check "$run can be emitted" crosstalk export "results/runs/$run.h5" --emit llamp
done
equal "$(crosstalk export results --dataset logp | grep -o '^results/runs/[^,]*' | sort -u | wc -l)" 3 >/dev/null
check 'export has the rows of all three' test $? -eq 0
finish
