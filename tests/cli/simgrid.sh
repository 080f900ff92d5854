#!/usr/bin/env bash
# Programs inside SimGrid: built by the preset, each alone, two together, and a campaign of eight hosts with
# two applications, which models predict, and a validation.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
need smpicc libsimgrid-dev
need ninja ninja-build
build=${CROSSTALK_BUILD:?}/simgrid
source=${CROSSTALK_SOURCE:?}
# Unoptimised: most of the time is the compiler's. A second run of this test builds nothing.
if ! {
    cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release '-DCMAKE_C_FLAGS_RELEASE=-O0 -DNDEBUG' \
        -DCROSSTALK_WERROR=ON -DCROSSTALK_MPI=simgrid -DCROSSTALK_ANALYSIS=OFF -DCROSSTALK_OTF2=OFF \
        -DCROSSTALK_TESTS=OFF &&
        cmake --build "$build" --target crosstalk-simgrid impactb compressionb logpb scanb workload
} >build.log 2>&1; then
    cat build.log
    exit 1
fi

hosts=h1,h2,h3,h4,h5,h6,h7,h8
{
    echo "<?xml version='1.0'?>"
    echo '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
    echo '<platform version="4.1"><cluster id="c" prefix="h" suffix="" radical="1-8" speed="1Gf" bw="5GBps"'
    echo 'lat="500ns" sharing_policy="SPLITDUPLEX"/></platform>'
} >net.xml
simulate() { timeout -k 2 100 "$build/bin/crosstalk-simgrid" --platform net.xml --model plain "$@"; }

# Two links of 500 ns, 1 KiB at 5 GB/s, 500 ns to send it and 500 ns to receive it: 2.2 us, or more where a
# cluster has a backbone.
simulate --hosts $hosts impactb --time 50ms --interval 1ms --outstanding 1 --seed 1 -q --output idle.h5 >idle.txt
check 'the probe ends' 0 $?
simulate --hosts $hosts impactb --time 50ms --interval 1ms --outstanding 1 --seed 1 -q --output again.h5 >again.txt
check 'the same twice' "$(grep -v '^# \(started\|output\)' idle.txt)" "$(grep -v '^# \(started\|output\)' again.txt)"
simulate --hosts h1,h2 logpb --time 5s --max-size 4KiB -q --output logp.h5 >logp.txt
check 'logpb measures the overhead that was set' 0.5000 "$(awk '$1 == "o" { print $2; exit }' logp.txt)"
simulate --hosts $hosts compressionb --partners 2 --messages 1 --bubble 1ms --time 20ms -q --output load.h5 >load.txt
check 'compressionb ends' 0 $?

# Bytes on links. Two runs with one seed differ by 1000 bytes in each of their messages: 3 partners in
# each round and in the first one, which is not counted. Each host sends as much as it receives.
for size in 40000 41000; do
    simulate --counters links-$size.json --hosts $hosts compressionb --partners 3 --messages 1 --bubble 1ms --time 20ms \
        --message-size ${size}B --seed 1 -q --output load-$size.h5 >load-$size.txt
    check "compressionb with $size bytes, counted" 0 $?
done
python3 - <<'PYTHON'
import json
files = [json.load(open(f"links-{size}.json", encoding="utf-8")) for size in (40000, 41000)]
rounds = [[int(line.split()[1]) for line in open(f"load-{size}.txt", encoding="utf-8") if line.startswith("rounds ")][0]
          for size in (40000, 41000)]
assert rounds[0] == rounds[1], rounds
small, large = ({link["link"]: link for link in file["links"]} for file in files)
assert len(small) == 16 and small.keys() == large.keys(), small.keys()
for name, link in small.items():
    more = large[name]["bytes"] - link["bytes"]
    assert more == 1000 * 3 * (rounds[0] + 1), (name, more, rounds)
    assert large[name]["messages"] == link["messages"]
# With the model plain, what is sent takes its bytes of the rate, and 5 % of that on the way back.
up, down = small["c_link_1_UP"], small["c_link_1_DOWN"]
busy = (up["bytes"] + 0.05 * down["bytes"]) / (5e9 * files[0]["interval_s"])
assert abs(up["busy_fraction"] / busy - 1) < 1e-9, (up, busy)
PYTHON
check 'every byte is counted' 0 $?
# Of a program that says when it measures, only that counts, not its start and its end.
simulate --counters probed.json --hosts $hosts impactb --time 20ms --interval 1ms --seed 1 -q --output probed.h5 >probed.txt
check 'what impactb measures is counted' yes "$(python3 -c 'import json
file = json.load(open("probed.json"))
print("yes" if abs(file["interval_s"] / 0.02 - 1) < 0.01 else file["interval_s"])')"
# Counting changes nothing, with factors of the rate by size either.
for how in '' '--counters smpi.json'; do
    # shellcheck disable=SC2086
    simulate --model smpi $how --set "smpi/bw-factor:30000:0.5;0:0.8" --hosts $hosts compressionb --partners 2 --messages 1 --bubble 1ms \
        --time 20ms --seed 1 -q --output smpi.h5 | grep -v '^# started' >"smpi${how:+-counted}.txt"
done
check 'counting changes nothing' "1 $(cat smpi.txt)" "$(grep -c '^rounds ' smpi-counted.txt) $(cat smpi-counted.txt)"
check 'factors that cannot be counted by are refused' 1 "$(
    simulate --counters no.json --set network/bandwidth-factor:0.9 --hosts h1,h2 workload milc -q 2>&1 >no.txt |
        grep -c 'crosstalk-simgrid: --counters: '
)"

simulate --hosts $hosts --start 1ms workload fft --compute-time 100us --loop --time 10ms -q --output fft.h5 : \
    --hosts $hosts --background workload milc --compute-time 100us --loop --time 1h -q >both.txt
check 'a background ends with what is measured' 0 $?
# Programs start when all are there, or as much later as they are told: however short that is beside the time
# that they need to be there, they meet at another phase.
for start in 0us 10us; do
    simulate --hosts $hosts --start $start workload fft --compute-time 100us --loop --time 10ms --seed 1 -q --output at.h5 : \
        --hosts $hosts --background workload milc --compute-time 100us --loop --time 1h -q | grep -v '^# started' >at-$start.txt
done
check 'a program starts when it is told' 1 "$(cmp -s at-0us.txt at-10us.txt; echo $?)"
check 'a program that fails is told' 1 "$(
    simulate --hosts h1,h2 workload nothing -q >fail.txt 2>&1
    echo $?
)"
check 'by its name' 1 "$(grep -c 'crosstalk-simgrid: workload: exit code 2' fail.txt)"
check 'only once' 1 "$(grep -c 'no such workload' fail.txt)"
# Every message is later by the added latency, whatever factors the model has, or is told, and while links are counted.
for how in plain smpi 'smpi --counters added.json' 'smpi --set smpi/lat-factor:1000:3;0:1.5'; do
    for added in 0us 10us; do
        # shellcheck disable=SC2086 # words
        simulate --model $how --add-latency $added --hosts h1,h2 logpb --time 1s --max-size 4KiB -q --output "later-$added.h5" >/dev/null
        crosstalk show --all "later-$added.h5" --format json >"later-$added.json"
    done
    check "10 us later with $how" 'same same' "$(python3 - <<'PYTHON'
import json
none, later = ({size["bytes"]: size["rtt_s"] for size in json.load(open(f"later-{added}.json", encoding="utf-8"))["sizes"] if size["rtt_s"]}
               for added in ("0us", "10us"))
both = sorted(none.keys() & later.keys())
for size in (both[0], both[-1]):
    added = (later[size] - none[size]) / 2
    print("same" if abs(added - 10e-6) < 2e-9 else f"{size} bytes: {added}", end=" " if size == both[0] else "")
assert both[-1] == 4096 and none[4096] > none[both[0]]
PYTHON
)"
done
check 'a platform to whose links nothing can be added' '1 1' "$(
    sed 's/lat="500ns"/lat="0ns"/' net.xml >no-latency.xml
    timeout -k 2 100 "$build/bin/crosstalk-simgrid" --platform no-latency.xml --model plain --add-latency 1us --hosts h1,h2 \
        workload fft -i 1 -q >none.txt 2>&1
    echo "$? $(grep -c -- '--add-latency: the route from h1 to h2 has no latency' none.txt)"
)"
check 'another model is refused' 2 "$(
    simulate --add-latency 1us --set network/model:LV08 --hosts h1,h2 workload milc -q >no.txt 2>&1
    echo $?
)"
check 'a model that has its own factors is told' 1 "$(
    simulate --add-latency 1us --set network/latency-factor:0.9 --hosts h1,h2 workload milc -q 2>&1 >no.txt | grep -c -- '--add-latency: '
)"
printf 'h1\nh2\n' >hosts
timeout -k 2 100 smpirun -no-privatize -platform net.xml -hostfile hosts -np 2 --cfg=smpi/simulate-computation:no \
    --cfg=smpi/wtime:0 --cfg=smpi/coll-selector:mpich "$build/bin/workload" fft -q --output alone.h5 >alone.txt 2>&1
check 'smpirun starts a program alone' 0 $?
for file in idle:impact logp:logp load:compression fft:runtime alone:runtime; do
    check "${file%:*}.h5 can be read" 1 "$(crosstalk show --all "${file%:*}.h5" | grep -c "^kind  *${file#*:}\$")"
done

# A topology is the network of its platform file, route by route.
crosstalk topology tree:2x4,2 --rate 40gbit --wire 500ns --format simgrid -o tree.xml
for network in '--platform tree.xml' '--topology tree:2x4 --spines 2 --rate 40gbit --wire 500ns'; do
    # shellcheck disable=SC2086 # words
    timeout -k 2 100 "$build/bin/crosstalk-simgrid" $network --model plain --counters "tree-${network:2:8}.json" \
        --hosts n0,n1,n2,n3,n4,n5,n6,n7 --slots 2 workload milc -i 2 --seed 1 -q >"tree-${network:2:8}.txt"
    check "milc on $network" 0 $?
done
check 'the same bytes on the same links' 0 "$(cmp tree-platform.json tree-topology.json >&2; echo $?)"
check 'and the same times' "$(grep -v '^# started' tree-platform.txt)" "$(grep -v '^# started' tree-topology.txt)"
timeout -k 2 100 "$build/bin/crosstalk-simgrid" --topology tree:2x4,2 --hosts n0 workload milc 2>none.txt
check 'a topology without rates is refused' "1 1" "$? $(grep -c 'has no rate' none.txt)"

cat >campaign.yaml <<YAML
campaign: simulated
seed: 3
logp: idle
trace: true
launcher: {kind: simgrid, simgrid: $build/bin, topology: "tree:2x4,2", rate: 40gbit, latency: 500ns}
durations: {impact: 10ms, runtime: 3ms, logp: 200ms, settle: 1ms}
probe: {interval: 200us}
repetitions: {idle: 1, baseline: 1, impact: 1, compression: 1, corun: 2}
applications:
  - {name: fft, command: workload fft --compute-time 100us, pass: 2ms}
  - {name: milc, command: workload milc --compute-time 100us, pass: 3ms}
configurations:
  - {partners: 1, messages: 1, bubble: 200us}
  - {partners: 2, messages: 1, bubble: 100us}
  - {partners: 4, messages: 1, bubble: 100us}
YAML
timeout -k 2 400 crosstalk campaign run campaign.yaml -o results --jobs 1 >run.txt 2>&1
check 'a campaign runs' 0 $?
tail -n 3 run.txt
check 'with all runs' 23 "$(find results/runs -name '*.h5' ! -name '*.sent.h5' | wc -l)"
check 'each with the load of its links' "23 tree:2x4,2 8" "$(find results/runs -name '*.ports.json' | wc -l) $(
    python3 -c 'import json; d = json.load(open("results/runs/impact-fft-r0.ports.json")); print(d["topology"], len(d["links"]))')"
for app in fft milc; do
    check "$app is traced, in simulated time" 8 "$(crosstalk trace --check results/traces/$app |
        awk '$1 == "ranks" { ranks = $2 } $1 == "time" && $3 < 0.1 { print ranks }')"
done
check 'repetitions meet a co-runner at another phase' 2 "$(for r in 0 1; do
    crosstalk show --all results/runs/runtime-fft-with-fft-r$r.h5 | grep '^communication_frac'
done | sort -u | wc -l)"
check 'transpositions are in the trace' 1 "$(crosstalk trace --check results/traces/fft | grep -c "^alltoall")"
check 'nothing is traced that was not asked for' 2 "$(find results/traces -mindepth 1 -maxdepth 1 | wc -l)"

# Several at once give what one after the other gives. The folder is of a simulator that fails or hangs for some runs.
mkdir wrapped
cat >wrapped/crosstalk-simgrid <<SCRIPT
#!/bin/sh
case "\$(cat "$PWD/mode"):\$*" in
hang:*milc*) exec sleep 98765 ;;
fail:*milc*) echo out of luck; exit 3 ;;
esac
exec "$build/bin/crosstalk-simgrid" "\$@"
SCRIPT
chmod +x wrapped/crosstalk-simgrid
sed "s:simgrid\: $build/bin:simgrid\: $PWD/wrapped, jobs\: 3:; s:^seed:retries\: 0\nseed:" campaign.yaml >at-once.yaml
echo hang >mode
timeout -k 2 200 crosstalk campaign run at-once.yaml -o at-once >hang.txt 2>&1 &
driver=$!
for _ in $(seq 600); do # the fake one hangs for three of them in the end, whatever their order
    [ "$(pgrep -cf '^sleep 98765')" = 3 ] && break
    sleep 0.1
done
check 'three hang at once' 3 "$(pgrep -cf '^sleep 98765')"
n_done=$(grep '"done"' at-once/journal.jsonl | grep -vc '"trace')
kill -TERM "$(pgrep -P $driver)"
wait $driver
check 'a signal ends a campaign' 1 $?
check 'which says so' 1 "$(grep -c ': interrupted: ' hang.txt)"
check 'and all that it has started' 0 "$(pgrep -cf '^sleep 98765')"
check 'they are told' 3 "$(grep -c '"interrupted"' at-once/journal.jsonl)"
check 'what was done is kept' "$n_done" "$(find at-once/runs -maxdepth 1 -name '*.h5' ! -name '*.sent.h5' | wc -l)"
echo fail >mode
timeout -k 2 200 crosstalk campaign run at-once.yaml -o at-once --jobs 2 >fail.txt 2>&1
check 'runs that fail do not end it' 1 $?
check 'and are told' "$(grep -c '"failed"' at-once/journal.jsonl)" "$(grep -c 'failed 1 times, given up: .*out of luck' fail.txt)"
check 'the others are made' 12 "$(find at-once/runs -name '*.h5' ! -name '*.sent.h5' ! -name '*milc*' | wc -l)"
echo pass >mode
timeout -k 2 200 crosstalk campaign run at-once.yaml -o at-once >run.txt 2>&1
check 'the rest follows' 0 $?
python3 - <<'PYTHON'
import json
import subprocess
from pathlib import Path

def content(path):
    d = json.loads(subprocess.run(["crosstalk", "show", path, "--format", "json"], capture_output=True, check=True).stdout)
    facts = {k: v for k, v in d["attributes"].items() if k not in ("started_utc", "argv", "option_output", "started")}
    return facts, {k: v for k, v in d.items() if k not in ("attributes", "provenance")}

names = sorted(path.name for path in Path("results/runs").glob("*.h5"))
assert names == sorted(path.name for path in Path("at-once/runs").glob("*.h5"))
for name in names:
    one, other = content(f"results/runs/{name}"), content(f"at-once/runs/{name}")
    assert one == other, (name, one, other)
PYTHON
check 'with the same answers' 0 $?

# T(L) against run times with added latency, by classes of paths of a file that only libyaml reads.
cat >net.yaml <<YAML
switches:
  - {name: leaf0, nodes: "n[0-1]", rate: 40gbit, latency: 500ns}
  - {name: leaf1, nodes: "n[2-3]", rate: 40gbit, latency: 500ns}
links:
  - {from: leaf0, to: leaf1, rate: 40gbit, latency: 700ns}
YAML
timeout -k 10 200 crosstalk validate --launcher simgrid --simgrid "$build/bin" -o validated --topology net.yaml --hosts 4 --model plain \
    --latencies 0us,5us,20us --time 2ms --logp-time 100ms --serialize-nic --seed 1 --format json -- \
    workload milc --iterations 10 --compute-time 100us >validated.json 2>validated.txt
check 'a validation' 0 $?
check 'measures and predicts' True "$(python3 - <<'PYTHON'
import json
d = json.load(open("validated.json", encoding="utf-8"))
points = d["points"]
assert [round(1e6 * p["delta_L_s"]) for p in points] == [0, 5, 20], points
assert [(c["class"], c["links"]) for c in d["classes"]] == [(1, 1), (2, 1)], d["classes"]
one, two = (c["L_s"] for c in d["classes"])
assert abs(two - one - 700e-9) < 20e-9, (one, two)
assert points[2]["measured_s"] > 1.2 * points[0]["measured_s"], points
assert abs(d["slope_measured"] / d["slope_predicted"] - 1) < 0.02, (d["slope_measured"], d["slope_predicted"])
print(d["rrmse"] < 0.05)
PYTHON
)"
# With a load, interrupted, and continued.
options=(--launcher simgrid --simgrid "$build/bin" -o loaded --hosts 2 --model plain --latencies '0us,10us' --time 2ms --probe-time 2ms
    --logp-time 100ms --load 'P1 M1 B50us' --set contexts/stack-size:512 --serialize-nic --format json)
timeout -k 10 200 crosstalk validate "${options[@]}" -- workload milc --iterations 10 --compute-time 100us >loaded.json 2>loaded.txt &
driver=$!
for _ in $(seq 200); do
    grep -q '"done"' loaded/journal.jsonl 2>/dev/null && break
    sleep 0.05
done
kill -TERM "$(pgrep -P $driver)"
wait $driver
check 'a validation is interrupted, and says so, or was faster' $? "$(grep -c ': interrupted: .*the same command goes on' loaded.txt)"
timeout -k 10 200 crosstalk validate "${options[@]}" -- workload milc --iterations 10 --compute-time 100us >loaded.json 2>loaded.txt
check 'and goes on' 0 $?
check 'beside the load' 'True True' "$(python3 -c 'import json
d = json.load(open("loaded.json", encoding="utf-8"))
points = d["points"]
print(d["provenance"]["load"] == "P1 M1 B50us", 9e-6 < points[1]["probe_L_s"] - points[0]["probe_L_s"] < 12e-6)')"
check 'runs tell their latency' '0 1e-05' "$(for later in '' -later-10us; do
    crosstalk show --all "loaded/runs/runtime-program-under-p1-m1-b50us$later-r0.h5" --format json |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["attributes"]["latency_delta_s"])'
done | tr '\n' ' ' | sed 's/ $//')"
refused() { # MESSAGE OPTION...
    crosstalk validate -o none --simgrid "$build/bin" "${@:2}" -- workload milc --iterations 2 2>none.txt
    check "refused: ${*:2}" '2 1' "$? $(grep -c -e "$1" none.txt)"
}
refused '--lateness: is for labs' --launcher simgrid --lateness 1ms
refused '--simgrid: goes with --launcher simgrid'
refused '--base: net.yaml says that itself' --launcher simgrid --topology net.yaml --hosts 4 --base 1us
refused '--passes: workload would be timed by the driver' --launcher simgrid --passes driver
check 'rates that no simulation has' 1 "$(crosstalk validate --launcher simgrid -o none --rate 2000gbit -- workload milc --iterations 2 2>&1 |
    grep -c -e '--rate: a simulation has at most 1000gbit')"
check 'uplinks of one switch' 1 "$(crosstalk validate --launcher simgrid -o none --uplink 2gbit -- workload milc --iterations 2 2>&1 |
    grep -c -e '--uplink: one switch has none')"
check 'nothing is made of it' 1 "$(test -e none; echo $?)"
check 'why a simulation fails is told' 1 "$(timeout -k 10 100 crosstalk validate --launcher simgrid --simgrid "$build/bin" -o failing --hosts 2 --model plain \
    --latencies 0us,1us --time 2ms --logp-time 100ms --set network/latency-factor:2 -- workload milc --iterations 2 2>&1 |
    grep -c -e 'given up: .*--add-latency: latency cannot be added')"

crosstalk predict results --format json >predict.json 2>predict.txt
check 'models predict it' 0 $?
# Where both transpose at a time they share every link, each message with its share.
python3 - <<'PYTHON'
import json
d = json.load(open("predict.json", encoding="utf-8"))
pairs = {(p["app"], p["with"]): p for p in d["pairs"]}
assert len(pairs) == 4, sorted(pairs)
assert "; shared" in d["provenance"]["packet_queues"] or d["provenance"]["packet_queues"].startswith("shared"), d["provenance"]
assert d["provenance"]["packet_order"] == "recorded", d["provenance"]
assert pairs["fft", "fft"]["measured"] > 0.02, pairs["fft", "fft"]
assert abs(pairs["milc", "milc"]["measured"]) < pairs["fft", "fft"]["measured"]
PYTHON
check 'co-runs slow down' 0 $?
finish
