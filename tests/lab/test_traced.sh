#!/usr/bin/env bash
# From running programs to what they tolerate and how they slow each other, end to end: a campaign traces
# two applications and measures the idle network; schedules, tolerance and simulation follow.
# shellcheck disable=SC2317 # called by check
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "${work:?}" || exit 1
up_or_skip --hosts 2 --rate 50mbit
lab_ down -q
cat >campaign.yaml <<'YAML'
campaign: traced
seed: 1
launcher: {kind: lab, hosts: 2, rate: 50mbit}
durations: {impact: 1s, runtime: 1s, settle: 100ms, logp: 10s}
probe: {interval: 10ms}
repetitions: {idle: 1, baseline: 1, impact: 1, compression: 0, corun: 1}
applications:
  - {name: fft, command: "workload fft --iterations 5 --scale 0.3"}
  - {name: milc, command: "workload milc --iterations 10"}
configurations:
  - {partners: 1, messages: 1, bubble: 20ms}
logp: idle
trace: true
YAML
check 'a campaign with traces and logp' timeout -k 2 120 crosstalk campaign run campaign.yaml -o results
logp=results/runs/logp-r0.h5

check 'every model on schedules answers' crosstalk predict results --models lp,replay_gap,simulated --format json
crosstalk predict results --models lp,replay_gap,simulated --format json >predicted.json
check 'for all four pairs' equal "$(value predicted.json \
    'sum(v is not None for p in d["pairs"] for v in p["predicted"].values())')" 12

check 'tolerance from a trace, logpb and the probes' crosstalk tolerance results/traces/fft --serialize-nic \
    --logp "$logp" --campaign results --app fft --format json
crosstalk tolerance results/traces/fft --serialize-nic --logp "$logp" --format json >tolerance.json
crosstalk trace --format json --check results/traces/fft >trace.json
# How well it is predicted is for bench-trace-runtime to show: here, that it is this program's time.
check 'the run time is that of the program' between \
    "$(awk "BEGIN { print $(value tolerance.json 'd["runtime_s"]') / $(value trace.json 'd["time_s"]') }")" 0.4 1.6
check 'it tolerates some latency' between "$(value tolerance.json 'd["tolerance"][-1]["delta_L_s"]')" 1e-7 1

check 'simulation of both' crosstalk simulate results/traces/fft results/traces/milc --logp "$logp" --format json
crosstalk simulate results/traces/fft results/traces/milc --logp "$logp" --format json >together.json
check 'both are slowed, by no more than one after the other' between \
    "$(value together.json 'max(p["slowdown"] for p in d["programs"])')" 0.001 10
finish
