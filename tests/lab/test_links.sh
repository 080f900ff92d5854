#!/usr/bin/env bash
# Probes by path in a tree of switches: pairs, classes, and which links are busy, against the counters
# of the switches. The load is between two hosts: what it passes is known.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1

probe() { # seconds, run file, option...
    local time=$1 output=$2
    shift 2
    timeout -k 2 40 crosstalk lab mpiexec --deadline 30s -- \
        impactb --time "$time" --interval 15ms --seed 1 -q -o "$output" "$@" >probe.out 2>&1
}
busy() { # from, to: in percent, by probes
    value links.json "100 * next(l['utilization'] for l in d['links'] if (l['from'], l['to']) == ('$1', '$2'))"
}
counted() { # from, to: of two switches, in percent
    value counters.json "100 * next(l['busy_frac'] for l in d['links'] if (l['from'], l['to']) == ('$1', '$2'))"
}

# Packets of 1.2 ms, far longer than the hosts take; one queue a port, in which probes wait.
up_or_skip --topology tree:3x3 --spines 2 --rate 10mbit --queue fifo
check "a run that finds the topology by itself" probe 3s found.h5
check "names it" crosstalk show found.h5 --format json
cp check.out found.json
check "with its nodes" equal "$(value found.json "d['attributes']['topology'], d['attributes']['topology_nodes']")" \
    "('tree:3x3,2', 'n0 n1 n2 n3 n4 n5 n6 n7 n8')"
check "all pairs, by switches" equal "$(value found.json "[(p['path'], p['n_pairs']) for p in d['paths']]")" \
    "[('same switch', 9), ('3 switches', 27)]"
check "the slowest by name" grep -qE '"h[1-9] to h[1-9]:.*leaf[0-2].*, back.*leaf[0-2]' found.json

check "fewer pairs that pass every link" probe 8s idle.h5 --pairing links
check "some hosts only" timeout -k 2 40 crosstalk lab mpiexec --deadline 30s --hosts-used h4,h8 -- \
    impactb --time 500ms --interval 15ms -q -o two.h5
check "are other nodes" grep -q 'topology_nodes *n3 n7$' <(crosstalk show two.h5)

# h1 sends to h4 (n3), by spine 1: half of the time, in bursts.
lab_ exec --host h4 -- lab_traffic sink 24 >sink.out &
wait_until grep -q ready sink.out
(
    for ((i = 0; i < 24; i++)); do
        lab_ exec --host h1 -- lab_traffic source 10.77.0.4 250000 >/dev/null
        sleep 0.1
    done
) &
load=$!
sleep 0.5
lab_ counters --interval 7s --format json >counters.json &
counting=$!
check "a run beside a load" probe 8s loaded.h5 --pairing links
wait "$counting"
kill "$load" 2>/dev/null
wait "$load" 2>/dev/null

check "links" crosstalk utilization --links --idle idle.h5 --loaded loaded.h5 --format json --seed 1 -o busy.svg
cp check.out links.json
counted=$(counted leaf0 spine1)
check "the load passes spine 1" between "$counted" 30 99
check "the way up is busy" between "$(busy leaf0 spine1)" 12 100
check "more than the other leaves' ways up" between \
    "$(value links.json "$(busy leaf0 spine1) / (max(100 * l['utilization'] for l in d['links'] if l['from'] in ('leaf1', 'leaf2') and l['to'] == 'spine0') + 1)")" \
    1.3 1e9
check "h1's link is busy" between "$(busy n0 leaf0)" 8 100
check "that of h9 is not" between "$(busy n8 leaf2)" 0 15
check "both directions of a host's link have one value" equal \
    "$(value links.json "next(l['same_as'] for l in d['links'] if l['from'] == 'n0')")" "['leaf0 to n0']"
check "waits are on the way" between \
    "$(value links.json "1e3 * next(l['mean_wait_s'] for l in d['links'] if (l['from'], l['to']) == ('n0', 'leaf0'))")" 0.2 1000
check "intervals" equal \
    "$(value links.json "all(l['utilization_ci'][0] <= l['utilization_ci'][1] for l in d['links'])")" True
check "a picture" grep -q 'leaf0 - spine1, there [1-9]' busy.svg
check "the same table, for a picture" crosstalk utilization --links --idle idle.h5 --loaded loaded.h5 --format csv --seed 1
grep -A1000 '^from,' check.out >links.csv
check "colours another picture" crosstalk topology tree:3x3,2 --utilization links.csv -o again.svg
check "down" lab_ down
finish
