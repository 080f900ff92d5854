#!/usr/bin/env bash
# crosstalk scan in the lab: the plan loads nothing, rounds, an end that is said, signals, a killed driver, too few nodes.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1
up_or_skip --topology tree:2x2 --rate 100mbit

command=(timeout -k 2 60 crosstalk scan -o sheet --lab test --cells latency:incast --cell-time 50ms --message-size 4KiB)
scan() { "${command[@]}" "$@"; }
rounds() { find sheet/runs -maxdepth 1 -name 'round-*' | wc -l; }
# What is in a folder, by name and content.
contents() { (cd "$1" && find . -type f -path './round-*.h5' -exec cksum {} + | sort); }
# Nothing that was started is left.
# shellcheck disable=SC2317 # called by check
is_empty() {
    [ "$(timeout 20 crosstalk lab status --format json | /usr/bin/python3 -c 'import json, sys; print(len(json.load(sys.stdin).get("processes", [])))')" = 0 ]
}

# --- the plan
scan --time 1min --seed 5 >plan.txt 2>err
check 'a survey, and the plan' test $? -eq 0
check 'the plan says that nothing has loaded the network' grep -q 'Nothing has loaded the network yet' plan.txt
check 'the plan says what the load is' grep -q '2 of the 4 nodes send as much as they can' <(tr '\n' ' ' <plan.txt)
check 'one round, the survey' equal "$(rounds)" 1
check 'switches are those of the lab' grep -q 'tree:2x2' sheet/scan.json

scan --time 4s --cells bandwidth:incast >out 2>err
check 'other cells are refused' grep -q 'sheet: has a scan of other cells' err
scan --time 4s --message-size 8KiB >out 2>err
check 'other messages are refused' grep -q 'sheet: has a scan with messages of 4KiB; give --message-size 4KiB, or another folder' err
sed -i 's/links of 100mbit/links of 1gbit/' sheet/scan.json
scan --time 4s >out 2>err
check 'other rates are refused' grep -q 'sheet: has a scan of links of 1gbit, 100mbit between switches, and this is one of links of 100mbit' err
sed -i 's/links of 1gbit/links of 100mbit/' sheet/scan.json

# --- rounds until the time is up
cp -r sheet/runs before
scan --time 8s --yes >end.txt 2>err
check 'rounds' test $? -eq 0
check 'the end is said' grep -qE '^[0-9]+ rounds, [0-9]+ of them now: (the time is up|every interval is as narrow as asked)' end.txt
check 'it ends with the sheet' grep -q 'Congestion score' end.txt
check 'the sheet is one screen' test "$(sed '1,/ rounds, /d' end.txt | wc -l)" -le 25
check 'the sheet as a page and JSON' test -s sheet/sheet.html -a -s sheet/sheet.json
check 'ReFrame and Ramble read it' /usr/bin/python3 "$CROSSTALK_SOURCE/tests/cli/other_tools.py" "$work"
check 'report opens a scan' timeout 20 crosstalk report sheet -o page.html
check 'the page is well-formed' /usr/bin/python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("page.html")'

# --- applications beside the loads
mkdir apps
printf 'num_ranks 2\nrank 0 {\na: calc 100000\nb: send 4000b to 1 tag 0\nb requires a\n}\nrank 1 {\nrecv 4000b from 0 tag 0\n}\n' >apps/two.goal
printf 'num_ranks 5\nrank 0 {\ncalc 10\n}\n' >five.goal
fails_with 1 'the scan has no bandwidth canary' timeout 20 crosstalk report sheet --applications apps -o page.html >/dev/null
check 'both canaries are needed' equal $? 0
timeout -k 2 60 crosstalk scan -o both --lab test --cell-time 50ms --message-size 4KiB --half-width 90% --time 20s --yes --seed 5 \
    --cells 'latency:incast bandwidth:incast latency:compression:P=1,M=2,B=1ms bandwidth:compression:P=1,M=2,B=1ms milc:incast
        milc:compression:P=1,M=2,B=1ms' --applications apps >ended.txt 2>err
check 'a scan with both, a known load and a workload' test $? -eq 0
check 'it ends with slowdowns, too' grep -qE '^two beside (incast|compression:P=1,M=2,B=1ms): .*, the most of 2 loads' ended.txt
check 'the rate of a node' grep -q '^Rate: a canary node sends and receives [0-9.]* Mbit/s each way' ended.txt
check 'its sheet has them' grep -q '"applications"' both/sheet.json
check 'and the workload' grep -qE '^milc  *-?[0-9.]+' <(sed -n '/^Time of a workload/,$p' ended.txt)
timeout 20 crosstalk predict both --no-cache --format json >predicted.json 2>err
check 'predict works from a scan' /usr/bin/python3 - <<'PYTHON'
import json
study = json.load(open("predicted.json"))
one, = (pair for pair in study["pairs"] if pair["app"] == "milc" and pair["with"] == "incast")
assert study["model"].startswith("probe ") and one["measured"] > -1 and one["predicted"]["probe"] >= 0, (study["model"], one)
assert study["shared"] == "own hosts", study["shared"]
PYTHON
check 'slowdowns in words' grep -qE '^two beside (incast|compression:P=1,M=2,B=1ms): .*, the most of 2 loads' \
    <(timeout 20 crosstalk report both --applications apps -o answers.json 2>err)
check 'and as JSON' /usr/bin/python3 - <<'PYTHON'
import json
two, = json.load(open("answers.json"))["applications"]
assert two["name"] == "two" and two["n_ranks"] == 2 and two["ranks_per_node"] == 1, two
assert [one["congestor"] for one in sorted(two["beside"], key=str)] == ["compression:P=1,M=2,B=1ms", "incast"], two
assert all(one["lo"] <= one["slowdown"] <= one["hi"] for one in two["beside"]), two
PYTHON
check 'one schedule, and the page' timeout 20 crosstalk report both --applications apps/two.goal -o page.html
check 'the page has them' grep -q 'How much longer applications take' page.html
check 'this page is well-formed' /usr/bin/python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("page.html")'
fails_with 1 'applications: nowhere: No such file' timeout 20 crosstalk report both --applications nowhere -o page.html >/dev/null
check 'no such folder' equal $? 0
fails_with 2 '5 ranks, 1 on a node, and the scan has 4 nodes; give --ranks-per-node 2' \
    timeout 20 crosstalk report both --applications five.goal -o page.html >/dev/null
check 'more ranks than nodes' equal $? 0
printf 'num_ranks 2\nrank 0 {\nsend 8b to 7\n}\n' >wrong.goal
fails_with 1 'wrong.goal: no schedule in it can be read' timeout 20 crosstalk report both --applications wrong.goal -o page.html >/dev/null
check 'no schedule at all' equal $? 0
fails_with 1 '2 of 4 nodes load the network: P is at most 1' timeout -k 2 60 crosstalk scan -o many --lab test --time 5s \
    --cell-time 50ms --cells latency:compression:P=2,M=1,B=1ms >/dev/null
check 'more partners than nodes' equal $? 0

# --- a kit: sealed after two rounds, one file without names
mkdir narwhalpath
printf 'SwitchName=ocelotleaf1 Nodes=h[1-2]\nSwitchName=ocelotleaf2 Nodes=h[3-4]\nSwitchName=top Switches=ocelotleaf[1-2]\n' \
    >narwhalpath/topology.conf
check 'a kit' env USER=zanzibar LOGNAME=zanzibar HOSTNAME=quokkahost SLURM_JOB_ID=jackdaw4711 SSH_CLIENT=axolotl10 \
    MPIR_CVAR_OFI_NIC=mandrillhca timeout -k 2 60 crosstalk scan -o kit --lab test --topology narwhalpath/topology.conf \
    --cells 'latency:incast latency:incast:0.5' --cell-time 50ms --message-size 4KiB --time 30s --half-width 100% --yes --kit kit.json
check 'no name is in it' /usr/bin/python3 - <<'PYTHON'
import base64
import re
with open("kit.json", "rb") as file:
    kit = file.read()
assert b"node-" in kit and b"switch-" in kit
assert not re.search(rb'"(h[1-4]|top|[^"]*/[^"]*)"', kit)
for name in ("zanzibar", "quokkahost", "jackdaw4711", "axolotl10", "mandrillhca", "narwhalpath", "ocelotleaf"):
    codes = [name.encode(), name.encode().hex().encode()]
    codes += [base64.b64encode(b"x" * i + name.encode())[4:-4] for i in range(3)]
    assert not any(code.lower() in kit.lower() for code in codes), name
PYTHON
check 'names are in its folder' grep -q ocelotleaf1 kit/scan.json
check 'predictions were sealed before the rounds that judge them' /usr/bin/python3 - <<'PYTHON'
import glob
import json
import os
kit = json.load(open("kit.json", encoding="utf-8"))
assert kit["sealed"][0] == "sealed 1 rounds 2 level 0.9", kit["sealed"][0]
assert any(row["n_rounds"] for row in kit["judged"]), kit["judged"]
rounds = sorted(glob.glob("kit/runs/round-*.h5"))
assert os.path.getmtime(rounds[2]) <= os.path.getmtime("kit/sealed.txt") <= os.path.getmtime(rounds[3])
PYTHON
check 'report opens it' timeout 20 crosstalk report kit.json -o page.html
check 'a kit is a sheet, too' timeout -k 2 60 crosstalk scan -o kit --lab test --topology narwhalpath/topology.conf --message-size 4KiB \
    --time 1s --yes --against kit.json -q
cp sheet/sheet.json other.json
scan --time 1s --yes --against other.json >against.txt 2>err
check 'a scan differs from itself in nothing' grep -qE '^Against the other sheet: 0 of|no cell in common' against.txt
scan --time 1s --yes --against sheet/scan.json >against.txt 2>err
check 'what is no sheet is refused' grep -q 'against: sheet/scan.json: not a sheet of crosstalk scan' err
check 'there are rounds' test "$(rounds)" -ge 2
check 'the survey has not changed' cmp before/round-0000.h5 sheet/runs/round-0000.h5
check 'a canary on each switch in each round' /usr/bin/python3 - <<'PYTHON'
import glob
import h5py
for path in sorted(glob.glob("sheet/runs/round-*.h5"))[1:]:
    with h5py.File(path) as run:
        hosts, canaries = run.attrs["hosts"].split(), run.attrs["scan_canaries"].split()
        assert len(canaries) == 2, canaries
        assert {hosts[int(c)] in ("h1", "h2") for c in canaries} == {True, False}, canaries
        cells = run["scan_cells"][:]
        assert (cells["congestor"] == 0).sum() == 2 and (cells["congestor_bytes"] > 0).sum() == 1, cells
        assert run.attrs["cpu_measured_ranks"] == 4
PYTHON

# --- a signal ends everything; the same command continues
contents sheet/runs >before.txt
"${command[@]}" --time 60s --half-width 0.1% --yes >out 2>err &
driver=$!
# shellcheck disable=SC2317 # called by wait_until
more_rounds() { [ "$(rounds)" -gt "$1" ] || [ -n "$(ls sheet/runs/.partial 2>/dev/null)" ]; }
wait_until more_rounds "$(rounds)"
sleep 1
kill -TERM "$driver" # timeout passes it on
wait "$driver"
check 'a signal' grep -q '^crosstalk scan: interrupted' err
check 'it says how to continue' grep -q 'interrupted after .* the same command continues' err
check 'no rank is left' is_empty

# --- a killed driver: what it had measured is taken over
n=$(rounds)
"${command[@]}" --time 60s --half-width 0.1% --cell-time 2s --yes >out 2>err &
driver=$!
# shellcheck disable=SC2317 # called by wait_until
kept() { [ -e "$(echo sheet/runs/.partial/round-*.h5.checkpoint/rows-000000.h5)" ]; }
for _ in 1 2 3; do wait_until kept && break; done
check 'a checkpoint' kept
kill -KILL "$(pgrep -P "$driver" -x crosstalk)"
wait "$driver" 2>/dev/null
scan --time 1s --yes -q >out 2>err
check 'the same command after a kill' test $? -eq 0
check 'what was under way is kept' test "$(rounds)" -gt "$n"
check 'nothing is half done' equal "$(ls sheet/runs/.partial)" ''
contents sheet/runs >after.txt
check 'earlier rounds have not changed' equal "$(comm -23 before.txt after.txt)" ''

# --- too few nodes
lab_ up --id two --hosts 2 -q
fails_with 1 '2 nodes: a scan needs at least 4' timeout -k 2 60 crosstalk scan -o few --lab two --time 5s --cells latency:incast \
    --cell-time 50ms >/dev/null
check 'two nodes' equal $? 0
finish
