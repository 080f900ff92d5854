#!/usr/bin/env bash
# A watched fabric with a slow link: journal, metrics, a program for the alarm, and the check of a node.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
"${CROSSTALK_BIN}/../tests/watched_fabric" watch || exit 1
# shellcheck disable=SC2016 # the program's variables
printf '#!/bin/sh\necho "$CROSSTALK_WATCH_EVENT $CROSSTALK_WATCH_KIND at $CROSSTALK_WATCH_PLACE" >>called\n' >program
chmod +x program
watch() {
    crosstalk watch watch --topology tree:4x4,2 --learn 100s --journal journal --textfile metrics.prom --status status.json \
        --on-alarm ./program
}
watch >words || exit 1
check 'a line for the alarm' 1 "$(grep -c '"event": "fault", "id": 1, "kind": "rate", "place": "leaf0 to spine0"' journal)"
check 'the program' 'fault rate at leaf0 to spine0' "$(cat called)"
watch >words || exit 1
check 'what the journal has is known' 1 "$(grep -c '"event": "fault"' journal)"
check 'and is no news to the program' 1 "$(wc -l <called)"
check 'metrics' 1 "$(grep -c '^crosstalk_watch_fault_since_timestamp_seconds{place="leaf0 to spine0",kind="rate"}' metrics.prom)"
if command -v promtool >/dev/null; then
    promtool check metrics <metrics.prom
    check 'promtool finds nothing' 0 $?
fi

# The probes are of 2023.
check_node() {
    crosstalk watch check status.json "$@" >line
    echo "$? $(cut -d: -f1 line)"
}
check 'old probes say nothing' '0 UNKNOWN' "$(check_node)"
check 'which may be a failure' '1 UNKNOWN' "$(check_node --strict)"
check 'a variable that is not set' 1 "$(crosstalk watch check status.json --host '' | grep -c '^UNKNOWN: --host: empty')"
check 'a pipe that nobody writes' '0 UNKNOWN' "$(mkfifo pipe && crosstalk watch check pipe --time-limit 200ms >line
    echo "$? $(cut -d: -f1 line)")"
python3 - <<'PY'
import json, time
status = json.load(open("status.json"))
status["newest_unix_s"] = time.time()
for host in status["hosts_seen"]:
    host["present"] = 1
json.dump(status, open("status.json", "w"))
PY
check 'a sick link' '1 FAULT' "$(check_node)"
check 'no name of a host' '0 UNKNOWN' "$(check_node --host '')"
check 'of another host' '0 OK' "$(check_node --host n9)"
check 'a host that is not there' '0 UNKNOWN' "$(check_node --host n99)"

# Two at once, and what cannot be written.
crosstalk watch watch --topology tree:4x4,2 --learn 100s --follow --journal journal -q >first.txt 2>first.err &
first=$!
for _ in $(seq 100); do
    flock -n journal true || break
    sleep 0.1
done
watch >/dev/null 2>second.err
check 'a second watch is refused' 1 $?
check 'and says why' 1 "$(grep -c 'journal: another watch writes it' second.err)"
kill -TERM $first
wait $first
check 'a signal ends the first one' 0 $?
crosstalk watch watch --topology tree:4x4,2 --learn 100s --journal /dev/full >words 2>err
check 'a full disk is said at the end' 1 $?
check 'with its cause' 1 "$(grep -c '^crosstalk watch: /dev/full: cannot be written: No space left on device' err)"
check 'and the answer is there' 1 "$(grep -c '^leaf0 to spine0 carries less' words)"
printf '{"time": "20' >>journal
watch >words
check 'a line that a killed watch left is gone' 0 "$(python3 -c 'import json; [json.loads(line) for line in open("journal")]'; echo $?)"
check 'and what was written is kept' 1 "$(grep -c '"event": "fault"' journal)"
check 'no news to the program' 1 "$(wc -l <called)"
cp -r watch damaged
printf x | dd of="$(echo damaged/samples-00000001-*)" bs=1 seek=100 conv=notrunc 2>dd.err
crosstalk watch damaged --topology tree:4x4,2 --learn 100s >words 2>err
check 'damage is named' 1 "$(grep -c 'damaged at byte 0: samples there are left out' err)"
check 'and what is behind it is read' 1 "$(grep -c '^leaf0 to spine0 carries less' words)"
crosstalk watch watch --topology tree:4x4,2 --learn 100s --textfile /nowhere/m.prom >/dev/null 2>err
check 'no folder for the metrics' 1 $?
crosstalk watch watch --topology tree:4x4,2 --learn 100s --on-alarm ./no-such-program >/dev/null 2>err
check 'no program for alarms' 1 $?
crosstalk watch watch --topology switch:4 --learn 100s >words
check 'hosts that a topology does not have' 1 "$(grep -c '^Not known: where 12 hosts are: the topology has no n4' words)"

crosstalk watch script --partition batch --nodes 4 --interface 'ib 0' >job.sh
check 'a script' 0 "$(bash -n job.sh; echo $?)"
check 'quoted' 1 "$(grep -c -- "--interface 'ib 0'" job.sh)"
crosstalk watch script --partition $'a\nb' --nodes 4 >/dev/null 2>err
check 'a name that would be a line' 2 $?
crosstalk watch script --partition batch --nodes 4 --link-rate 100gbyte >/dev/null 2>err
check 'a rate that impactb would refuse, in days' 2 $?
finish
