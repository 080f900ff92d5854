#!/usr/bin/env bash
# Several switches: every pair's route, rates of links between switches, latency, what is refused,
# nothing left behind.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1

machine() { # what the machine itself has of interfaces and queues
    ip -o link | sed 's/ state .*//'
    tc qdisc show
}
machine >before

status() { # key
    lab_ status --format json >status.json
    value status.json "$1"
}
# shellcheck disable=SC2317 # called by check
all_routes() { # expected number of pairs, of which one in so many is tried
    equal "$(timeout -k 2 40 lab_routes test "${2:-1}" | tail -n 1)" "$1 of $1"
}

# --- a tree, two to one oversubscribed
up_or_skip --topology tree:4x4 --spines 2 --rate 20mbit
check "status has its topology" equal "$(status 'd["topology"], d["uplink_bit_per_s"], d["oversubscription"]')" \
    "('tree:4x4,2', 20000000, 2)"
check "switches" equal "$(value status.json '" ".join(s["name"] for s in d["switches"])')" \
    "leaf0 leaf1 leaf2 leaf3 spine0 spine1"
check "a link for each leaf and spine" equal "$(value status.json 'len(set((l["from"], l["to"]) for l in d["links"]))')" 8
check "hosts know their leaf" equal "$(value status.json 'd["hosts"][4]["name"] + d["hosts"][4]["switch"]')" h5leaf1
check "every pair takes the route of crosstalk topology" all_routes 240
check "the same again" fails_with 0 'exists already' lab_ up --topology tree:4x4,2 --rate 20mbit --uplink 20mbit
check "other spines are another lab" fails_with 1 'other settings' lab_ up --topology tree:4x4 --rate 20mbit
check "another uplink, too" fails_with 1 'other settings' \
    lab_ up --topology tree:4x4 --spines 2 --rate 20mbit --uplink 10mbit
check "ranks on all leaves" equal "$(lab_ mpiexec --hosts-used h1,h5,h9,h13 -- hostname 2>mpiexec.err | sort | tr '\n' ' ')" \
    "h1 h13 h5 h9 "

# --- flows: h5 and h7 are nodes 4 and 6, reached by spine 0; h6 is node 5, by spine 1
sink() { # host, connections
    start_ready "sink.$1" lab_ exec --host "$1" -- lab_traffic sink "$2"
}
send() { # from, number of the host it goes to, bytes
    lab_ exec --host "$1" -- lab_traffic source "10.77.0.$2" "$3" &
}
rates() { # host...: data rates of its connections as fractions of 20 Mbit/s; of 1514 bytes 1448 are data
    awk '/^10/ { printf "%.3f\n", $2 * 8 / $3 / 20e6 * 1514 / 1448 }' "${@/#/sink.}"
}
load() { # from, to, key
    value counters.json "next(l['$3'] for l in d['links'] if l['from'] == '$1' and l['to'] == '$2')"
}
for host in h5 h6 h7; do sink $host 1; done
lab_ counters --interval 7s --format json >counters.json &
sleep 0.2
send h1 5 3600000 # so long that it does not matter which one begins
send h2 7 3600000
send h3 6 1200000
wait
check "two flows share an uplink: one" between "$(rates h5)" 0.4 0.65
check "two flows share an uplink: the other" between "$(rates h7)" 0.4 0.65
check "a flow over the other uplink has it alone" between "$(rates h6)" 0.75 1.05
check "the shared uplink carried both" between "$(load leaf0 spine0 bytes)" 7200000 8100000
check "so did the link down" equal "$(load spine0 leaf1 bytes)" "$(load leaf0 spine0 bytes)"
check "the other one a flow" between "$(load leaf0 spine1 bytes)" 1200000 1350000
check "none was dropped" equal "$(value counters.json 'sum(l["drops"] for l in d["links"])')" 0
check "other leaves carried nothing" equal \
    "$(value counters.json 'sum(l["bytes"] for l in d["links"] if l["from"] in ("leaf2", "leaf3"))')" 0

# Three flows of one leaf into one uplink: each a third, served in turn by their hosts.
sink h5 3
lab_ counters --interval 2s --format csv >busy.csv &
sleep 0.2
for host in h1 h2 h3; do send $host 5 600000; done
wait
check "three flows share an uplink: smallest part" between "$(rates h5 | sort -n | head -n 1)" 0.2 0.4
check "three flows share an uplink: largest part" between "$(rates h5 | sort -n | tail -n 1)" 0.2 0.5

# --- a picture of it
check "a picture" crosstalk topology tree:4x4 --spines 2 --utilization busy.csv --plot tree.svg
check "has the load of links in it" grep -qE 'leaf0 - spine0, there [1-9][0-9]*\.' tree.svg

# --- campaigns: none begins where a link is gone
cat >campaign.yaml <<'YAML'
campaign: tree
seed: 1
launcher: {kind: lab, topology: "tree:2x2", spines: 2, rate: 20mbit}
logp: false
durations: {impact: 1s, settle: 300ms}
probe: {interval: 20ms}
repetitions: {idle: 0, baseline: 0, impact: 1, compression: 0, corun: 0}
configurations:
  - {partners: 3, messages: 1, bubble: 50ms}
YAML
# shellcheck disable=SC2317 # called by check
campaign() { timeout -k 2 50 crosstalk campaign run campaign.yaml -o "$1"; }
check "down" lab_ down
check "nothing is left outside" equal "$(machine)" "$(cat before)"
lab_ up -q --topology tree:2x2,2 --rate 20mbit
lab_ exec -- ip link set u3b down
check "a link that is down is named" fails_with 1 'the link from leaf1 to spine0 is gone' campaign damaged
lab_ down -q

# --- a campaign in a tree of its own
check "a campaign" campaign results
run=results/runs/impact-p3-m1-b50ms-r0
check "its run" crosstalk show $run.h5 --format json
cp check.out facts.json
fact() { value facts.json "d['attributes']['$1']"; }
link() { value $run.ports.json "$1(l['busy_fraction'] for l in d['links'])"; }
check "knows its topology" equal "$(fact topology) $(fact uplink_bit_per_s) $(fact link_drops)" "tree:2x2,2 20000000 0"
check "and how busy links were" between "$(fact link_busy_max)" 0.02 1
check "as the list of all says" equal "$(fact link_busy_max)" "$(link max)"
check "all of them" equal "$(value $run.ports.json 'len(d["links"])') $(value $run.ports.json 'd["topology"]')" "8 tree:2x2,2"
busiest=$(fact link_busiest)
check "the busiest by its name" equal "$(value $run.ports.json \
    "[l['busy_fraction'] for l in d['links'] if l['from'] + ' to ' + l['to'] == '$busiest'][0]")" "$(link max)"
check "its lab is taken down" fails_with 1 'does not exist' lab_ status

# --- uplinks that carry more than hosts send, one queue a port
check "up with fast uplinks" lab_ up --topology tree:2x2 --rate 10mbit --uplink 40mbit --queue fifo
check "undersubscribed" equal "$(status 'd["oversubscription"]')" 0.5
check "its routes" all_routes 12
sink h3 1
sink h4 1
send h1 3 1800000
send h2 4 1800000
wait
check "both have their own rate" between "$(rates h3)" 0.35 0.53
check "both have their own rate" between "$(rates h4)" 0.35 0.53
check "down" lab_ down

# --- with a latency: once a path, however many switches
check "up with a latency" fails_with 0 '2ms later, by ' lab_ up --topology tree:2x2 --latency 2ms
start_ready echo.out lab_ exec --host h4 -- lab_traffic echo
way() { lab_ exec --host "$1" -- lab_traffic ping 10.77.0.4 50 0 | awk '{ print $5 }'; }
check "later on the same leaf" between "$(way h3)" 2000 4000
check "not twice as late between leaves" between "$(way h1)" 2000 4000
check "down" lab_ down
wait

# --- other networks by the same text
for text in fat-tree:4:240 torus:3x3:72 dragonfly:4,2,2:240; do
    check "up: ${text%:*}" lab_ up --topology "${text%:*}"
    check "routes: ${text%:*}" all_routes "${text##*:}"
    lab_ down -q
done
# 4032 pairs, of which every 19th: all hosts send, and all get something.
check "up: 64 hosts" lab_ up --topology tree:8x8 --spines 4 --rate 20mbit --queue fifo
check "routes: 64 hosts" all_routes 213 19
# h9 and h13 are nodes 8 and 12, both reached by spine 0: two flows in the one queue of leaf0 there.
sink h9 1
sink h13 1
send h1 9 3600000 # so long that it does not matter which one begins
send h2 13 3600000
wait
check "an uplink with one queue is shared" between "$(rates h9)" 0.25 0.8
check "by both" between "$(rates h13)" 0.25 0.8
check "and carries no more than its rate" between "$(rates h9 h13 | sort -n | head -n 1)" 0.25 0.6
lab_ down -q
check "one switch by that text" lab_ up --topology switch:3
check "is one switch" fails_with 0 'exists already, 3 hosts' lab_ up --hosts 3
lab_ down -q

# --- what cannot be
refused() { # exit code, pattern, option...
    local code=$1 pattern=$2
    shift 2
    check "refused: $*" fails_with "$code" "$pattern" lab_ up "$@"
}
refused 1 "'tree:1x4': all its hosts are on one switch.*two leaves" --topology tree:1x4
refused 1 "'tree:9x8': 72 hosts: 2 to 64" --topology tree:9x8
refused 1 '33 switches and 272 links.*at most 128 and 256' --topology tree:16x4 --spines 17
refused 1 'its hosts have 2 links' --topology xgft:4,4/2,2
refused 2 '^crosstalk lab up: --spines: .*--topology' --spines 2
refused 2 '^crosstalk lab up: --uplink: .*--topology' --uplink 10mbit
refused 2 "--uplink: '0mbit': outside 100kbit" --topology tree:4x4 --uplink 0mbit
refused 2 'has 16 hosts, not 8' --topology tree:4x4 --hosts 8
refused 2 'has 2 spines, not 3' --topology tree:4x4,2 --spines 3
refused 2 'one switch has no uplinks' --topology switch:4 --uplink 1mbit
refused 2 'write tree:LEAVESxHOSTS' --topology tree:4
refused 2 "'slurm.conf': neither" --topology slurm.conf

# --- up is killed at any moment
for delay in 0.1 0.4; do
    crosstalk lab up --id test --topology tree:8x4 --spines 4 -q &
    up=$!
    sleep "$delay"
    kill -9 "$up" 2>/dev/null
    wait "$up" 2>/dev/null
    lab_ down -q || failures=$((failures + 1))
    check "up killed after $delay s leaves no file" equal "$(ls "$CROSSTALK_LAB_DIR")" ""
done
check "nothing is left outside in the end" equal "$(machine)" "$(cat before)"
finish
