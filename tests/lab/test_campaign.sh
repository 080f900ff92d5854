#!/usr/bin/env bash
# A campaign in a lab of its own: the ports see what is measured, SIGKILL and resuming, programs left
# over, one campaign a lab.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1
up_or_skip --hosts 3 --rate 50mbit
lab_ down -q

cat >campaign.yaml <<'YAML'
campaign: lab
seed: 1
launcher: {kind: lab, hosts: 3, rate: 50mbit}
durations: {impact: 1s, runtime: 500ms, settle: 300ms}
probe: {interval: 20ms}
repetitions: {idle: 1, baseline: 1, impact: 1, compression: 1, corun: 1}
applications:
  - {name: nap, command: "sleep 0.2", passes: driver}
configurations:
  - {partners: 2, messages: 2, bubble: 10ms}
YAML

campaign() { timeout -k 2 50 crosstalk campaign "$@"; }
runs_in() { find "$1/runs" -maxdepth 1 -name '*.h5' ! -name '*.sent.h5' 2>/dev/null | wc -l; }
# shellcheck disable=SC2317 # these are called by check and wait_until
has_runs() { [ "$(runs_in "$1")" -ge "$2" ]; }
# shellcheck disable=SC2317
is_up() { lab_ status; }
# shellcheck disable=SC2317
no_lab() { ! lab_ status; }
files_of() { find "$1/runs" -maxdepth 1 -name '*.h5' ! -name '*.sent.h5' -printf '%p %T@ %i\n' | sort; }
busy() { # folder, run
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["busy_fraction_mean"])' \
        "$1/runs/$2.ports.json"
}

crosstalk campaign run campaign.yaml -o results >out 2>err </dev/null &
driver=$!
check 'runs are made' wait_until has_runs results 2
check 'one campaign a lab' fails_with 1 "another campaign runs in it" \
    campaign run campaign.yaml -o second
kill -KILL "$driver"
wait "$driver" 2>/dev/null
check 'no program outlives its driver' wait_until nobody_inside
check 'a killed driver leaves its lab up' is_up

files_of results >before
timeout -k 2 30 crosstalk lab exec -- sleep 100 >exec.out 2>&1 &
left_over=$!
check 'a program is left over' wait_until at_least_inside 1
campaign run campaign.yaml -o results >go.out 2>&1
check 'go on' test $? -eq 0
check 'what was left over is named' grep -q "left-over processes, such as '.*', are killed" go.out
wait "$left_over"
check 'nothing is made twice' equal "$(files_of results | comm -23 before - | wc -l)" 0
check 'every run is there' equal "$(runs_in results)" 6
check 'its lab is taken down' no_lab
check 'the idle network is idle' between "$(busy results idle-r0)" 0 0.05
check 'the ports see compressionb' between "$(busy results impact-p2-m2-b10ms-r0)" 0.1 1
check 'the ports see it beside an application too' \
    between "$(busy results runtime-nap-under-p2-m2-b10ms-r0)" 0.1 1

lab_ up --hosts 3 --rate 50mbit -q
sed -i 's/impact: 1, compression: 1, corun: 1/impact: 0, compression: 0, corun: 0/' campaign.yaml
campaign run campaign.yaml -o third >third.out 2>&1
check 'in a lab that exists' test $? -eq 0
check 'a program that sends nothing is named' grep -q 'baseline-nap-r0: nothing passed the network' third.out
check 'it is left as it was' is_up

# --- messages past the ports: what a site sets does not count, and what a command sets is found
sed 's/^seed: 1/seed: 1\nretries: 0/; /name: nap/d; /^applications/a\  - {name: past, command: "env UCX_TLS=sm,self workload fft", slots: 1}' \
    campaign.yaml >past.yaml
check 'a run whose messages do not pass the ports fails' fails_with 1 \
    'baseline-past-r0: failed .*workload ran on 3 hosts, and none of its messages passed the lab' \
    env UCX_TLS=all timeout -k 2 50 crosstalk campaign run past.yaml -o past
check 'the variable of a site is named' grep -q 'not taken from the environment: UCX_TLS=all' "$work/fails.out"
check 'the others pass them' between "$(value past/runs/idle-r0.ports.json 'd["ports"][0]["tx_bytes"]')" 1 1e9
sed -i 's/hosts: 3/hosts: 4/' campaign.yaml
check 'a lab of another kind is refused' fails_with 1 "exists already" campaign run campaign.yaml -o fourth
lab_ down -q

# --- with a latency: runs tell it, and how late packets were; one that was too late is none
fact() { # attribute of a run
    crosstalk show later/runs/idle-r0.h5 --format json >facts.json
    value facts.json "d['attributes']['latency_$1']"
}
sed -i 's/rate: 50mbit/rate: 50mbit, latency: 2ms, lateness: 1s/; s/hosts: 4/hosts: 3/' campaign.yaml
check 'a lab with a latency' campaign run campaign.yaml -o later
check 'runs tell it' equal "$(fact added_s) $(fact jitter_s)" '0.002 0'
if [ "$(fact by)" = "delay line" ]; then
    check 'and how late packets were' between "$(fact late_median_s)" -20e-6 20e-6
    check 'that they were counted' between "$(fact packets)" 10 1e6
    check 'that none was lost' equal "$(fact drops)" 0
    sed -i 's/lateness: 1s/lateness: 1us/; s/^seed: 1/seed: 1\nretries: 0/' campaign.yaml
    check 'a run that was too late' fails_with 1 'too late: median .* allowed are 40.0 and 1.0' \
        campaign run campaign.yaml -o late
    check 'is none' test ! -e late/runs/idle-r0.h5
fi
finish
