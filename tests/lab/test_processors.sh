#!/usr/bin/env bash
# What waiting for processors explains of a slowdown: most of it where programs that compute share one
# core, little of it where programs that sleep share links.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1
[ -r /proc/self/schedstat ] || { echo 'skipped: this kernel does not count'; exit 77; }
need taskset util-linux
up_or_skip --hosts 2
lab_ down -q

file() { # name, rate, command
    cat <<YAML
campaign: $1
seed: 1
launcher: {kind: lab, hosts: 2, rate: $2}
durations: {impact: 1s, runtime: 2500ms, settle: 300ms}
probe: {interval: 20ms}
repetitions: {idle: 1, baseline: 1, impact: 1, compression: 1, corun: 1}
applications: [{name: $1, command: "$3"}]
configurations: [{partners: 1, messages: 1, bubble: 50ms}]
YAML
}
answer() { # campaign, expression of the pair
    timeout -k 2 60 crosstalk predict "$1" --format json >answer.json || return 1
    python3 -c 'import json, sys; pair = json.load(open("answer.json"))["pairs"][0]; print(eval(sys.argv[1]))' "$2"
}
# shellcheck disable=SC2317 # called by check
explains() { # campaign, low, high: share of the slowdown
    local share
    share=$(answer "$1" 'pair["cpu_wait"]')
    answer "$1" '{key: pair[key] for key in ("measured", "measured_ci", "cpu_slowdown", "cpu_wait", "flags")}'
    [ -n "$share" ] && [ "$share" != None ] && between "$share" "$2" "$3"
}
flag() { # campaign: what the flags say of processors
    answer "$1" '"slowed by processors" in (pair["flags"] or "")'
}

core=$(awk '/^Cpus_allowed_list/ { split($2, a, /[-,]/); print a[1] }' /proc/self/status)
file spin 200mbit 'workload milc --iterations 10 --scale 0.3 --compute spin' >spin.yaml
check 'programs that compute, on one core' \
    timeout -k 2 120 taskset -c "$core" crosstalk campaign run spin.yaml -o spin
check 'that they share it explains most of the slowdown' explains spin 0.6 1
check 'the pair is flagged' equal "$(flag spin)" True

# How busy the machine is shows, too.
file sleep 5mbit 'workload fft --iterations 2 --scale 0.3 --compute sleep' >sleep.yaml
# shellcheck disable=SC2317 # called by check
little_of_sleep() {
    rm -rf sleep
    timeout -k 2 120 crosstalk campaign run sleep.yaml -o sleep && explains sleep 0 0.3
}
check 'processors explain little of the slowdown of programs that sleep, on slow links' \
    in_tries 3 "programs that sleep" little_of_sleep
finish
