#!/usr/bin/env bash
# From running programs to what they tolerate and how they slow each other, end to end: a campaign traces
# two applications and measures the idle network; schedules, tolerance and simulation follow. Before: a
# program whose ranks wait for known times, with long messages in between.
# shellcheck disable=SC2317 # called by check
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "${work:?}" || exit 1
up_or_skip --hosts 2 --rate 50mbit
late() {
    timeout -k 2 60 crosstalk trace --call-sites -o late -- crosstalk lab mpiexec -- "${CROSSTALK_BUILD:?}/tests/late_ranks" >known
}
check 'late ranks are traced' late
lab_ down -q
printf 'protocols: loggps\nL: 60us\no: 10us\nG: 167ns\nS: 64KiB\n' >switch.yaml
for network in packet shared alpha-beta; do
    timeout -k 2 60 crosstalk simulate late --network "$network" --parameters switch.yaml --format json >answer
    check "$network: known waits are synchronization" python3 "$CROSSTALK_SOURCE/tests/known_waits.py" "$network"
done
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
check 'answers are those of the traces, of the lab, and of one another' python3 "$CROSSTALK_SOURCE/tests/lab/traced_checks.py" \
    results results/runs/logp-r0.h5
grep -v '^ok: ' "$work/check.out"
finish
