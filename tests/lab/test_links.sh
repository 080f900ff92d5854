#!/usr/bin/env bash
# Probes by path in a tree of switches: pairs, classes, and which links are busy, against the counters
# of the switches. The load is between four hosts: what it passes is known.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1

# shellcheck disable=SC2317 # called by check
probe() { # seconds, run file, option...
    local time=$1 output=$2
    shift 2
    timeout -k 2 40 crosstalk lab mpiexec --deadline 30s -- \
        impactb --time "$time" --interval 30ms --seed 1 -q -o "$output" "$@" >probe.out 2>&1
}
# shellcheck disable=SC2317 # called by check
busy() { # from, to: in percent, by probes
    value links.json "100 * next(l['utilization'] for l in d['links'] if (l['from'], l['to']) == ('$1', '$2'))"
}
# shellcheck disable=SC2317 # called by check
counted() { # from, to: of two switches, in percent
    value counters.json "100 * next(l['busy_frac'] for l in d['links'] if (l['from'], l['to']) == ('$1', '$2'))"
}

# Packets of 3 ms, far longer than the hosts take; one queue a port, in which probes wait.
up_or_skip --topology tree:3x3 --spines 2 --rate 4mbit --queue fifo
check "a run that finds the topology by itself" probe 5s found.h5
check "names it" crosstalk show --all found.h5 --format json
cp check.out found.json
check "with its nodes" equal "$(value found.json "d['attributes']['topology'], d['attributes']['topology_nodes']")" \
    "('tree:3x3,2', 'n0 n1 n2 n3 n4 n5 n6 n7 n8')"
check "all pairs, by switches" equal "$(value found.json "[(p['path'], p['n_pairs']) for p in d['paths']]")" \
    "[('same switch', 9), ('3 switches', 27)]"
check "the slowest by name" grep -qE '"h[1-9] to h[1-9]:.*leaf[0-2].*, back.*leaf[0-2]' found.json

check "some hosts only" timeout -k 2 40 crosstalk lab mpiexec --deadline 30s --hosts-used h4,h8 -- \
    impactb --time 500ms --interval 30ms -q -o two.h5
check "are other nodes" grep -q 'topology_nodes *n3 n7$' <(crosstalk show --all two.h5)

# Sends until it is killed.
# shellcheck disable=SC2317 # called by check
stream() { # from, to, number of the host
    while :; do
        start_ready "sink.$2" lab_ exec --host "$2" -- lab_traffic sink 1
        lab_ exec --host "$1" -- lab_traffic source "10.77.0.$3" 100000 >/dev/null
        wait
    done
}
# h1 sends to h4 and h2 to h6 (nodes n3 and n5), both by spine 1, in bursts: they meet on the way up.
# shellcheck disable=SC2317 # called by check
measure() {
    local first second counting good
    probe 8s idle.h5 --pairing links || return 1
    stream h1 h4 4 2>/dev/null &
    first=$!
    stream h2 h6 6 2>/dev/null &
    second=$!
    sleep 0.5
    lab_ counters --interval 7s --format json >counters.json &
    counting=$!
    probe 8s loaded.h5 --pairing links
    good=$?
    wait "$counting"
    kill "$first" "$second"
    wait "$first" "$second" 2>/dev/null
    crosstalk utilization --links --idle idle.h5 --loaded loaded.h5 --format json --seed 1 --plot busy.svg >links.json || good=1
    return "$good"
}
# shellcheck disable=SC2317 # called by check
waited() { # which links l, in Python: in milliseconds, by probes
    value links.json "1e3 * sum(l['mean_wait_s'] for l in d['links'] if $1)"
}
# The busy link, the idle ones, and a host that sends and hears little.
# shellcheck disable=SC2317 # called by check
judge() {
    between "$(counted leaf0 spine1)" 30 100 && between "$(busy leaf0 spine1)" 12 100 &&
        between "$(busy n8 leaf2)" 0 20 && between "$(busy leaf2 spine0)" 0 "$(busy leaf0 spine1)" &&
        between "$(waited "l['from'] in ('n0', 'n1', 'leaf0')")" 0.2 1000 &&
        between "$(waited "l['to'] == 'n0'")" 0 "$(waited "l['from'] == 'n0'")"
}
# shellcheck disable=SC2317 # called by check
measure_and_judge() { # other programs on this machine delay hosts, too
    measure && judge && return
    cat probe.out
    return 1
}
check "the busy link is found, and which host sends" in_tries 3 "links of a tree" measure_and_judge
check "the directions of a host's link are distinguished" equal \
    "$(value links.json "next(l['same_as'] for l in d['links'] if l['from'] == 'n0')")" "[]"
check "round trips on request" crosstalk utilization --links --round-trips --idle idle.h5 --loaded loaded.h5 --format json --seed 1
check "have one value for both" equal "$(value check.out "next(l['same_as'] for l in d['links'] if l['from'] == 'n0')")" "['leaf0 to n0']"
check "intervals" equal \
    "$(value links.json "all(l['utilization_ci'][0] <= l['utilization_ci'][1] for l in d['links'])")" True
check "a picture" grep -q 'leaf0 - spine1, there [1-9]' busy.svg
check "the same table, for a picture" crosstalk utilization --links --idle idle.h5 --loaded loaded.h5 --format csv --seed 1
grep -A1000 '^from,' check.out >links.csv
check "colours another picture" crosstalk topology tree:3x3,2 --utilization links.csv --plot again.svg
check "down" lab_ down
finish
