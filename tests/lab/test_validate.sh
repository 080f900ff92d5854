#!/usr/bin/env bash
# Run time over latency, measured and predicted by one command, which goes on where it was ended.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/screen.sh
. "$CROSSTALK_SOURCE/tests/screen.sh"
cd "$work" || exit 1
up_or_skip --hosts 2 --latency 200us
lab_ down -q

validate() { timeout -k 2 150 crosstalk validate "$@"; }
runs_in() { find val/runs -maxdepth 1 -name 'baseline-*.h5' 2>/dev/null | wc -l; }
# shellcheck disable=SC2317 # called by wait_until
has_runs() { [ "$(runs_in)" -ge 2 ]; }

# --- refused, with the reason
check "without --iterations" fails_with 2 'longer' validate -o none -- workload fft
check "a latency that cannot be added" fails_with 1 'latencies: 30ms: .* 20ms' \
    validate -o none --latencies 0us,30ms -- workload fft --iterations 2
check "no duration" fails_with 1 "latencies: .*'soon'" \
    validate -o none --latencies soon -- workload fft --iterations 2
check "a load that is none" fails_with 2 "load: 'P2 M4'.*P4 M1 B10ms" \
    validate -o none --load 'P2 M4' -- workload fft --iterations 2
check "a load with more partners than hosts" fails_with 1 'partners' \
    validate -o none --hosts 2 --load 2:4:5ms -- workload fft --iterations 2
check "nothing is made of it" test ! -e none

# --- a workload: few, short runs. What is right with them is that everything is there.
options=(-o val --hosts 4 --latencies "0us,200us,2ms" --repetitions 2 --time 1s --logp-time 8s
    --lateness 10s --serialize-nic --format json)
program=(workload milc --iterations 10 --compute-time 20ms)
crosstalk validate "${options[@]}" -- "${program[@]}" >first.json 2>first.err </dev/null &
first=$!
for ((i = 0; i < 10; i++)); do
    wait_until has_runs && break
done
check "runs are made" has_runs
kill -TERM "$first"
wait "$first"
check "interrupted, it says how it goes on" grep -q 'interrupted: .*the same command goes on' first.err
find val/runs -maxdepth 1 -name '*.h5' -printf '%p %i\n' | sort >before
if ! validate "${options[@]}" -- "${program[@]}" >val.json 2>val.err; then
    cat val.err
    check "it goes on" false
    finish
fi
check "no run is made twice" equal "$(find val/runs -maxdepth 1 -name '*.h5' -printf '%p %i\n' | sort | comm -23 before - | wc -l)" 0
check "each latency has its runs" equal "$(runs_in)" 6
check "runs tell their latency" equal \
    "$(crosstalk show val/runs/baseline-program-later-2ms-r0.h5 --format json >show.json
    value show.json '[round(1e6 * d["attributes"][k]) for k in ("latency_added_s", "latency_delta_s")]')" '[2200, 2000]'
check "points" equal "$(value val.json '[(round(1e6 * p["delta_L_s"]), p["n_runs"]) for p in d["points"]]')" \
    '[(0, 2), (200, 2), (2000, 2)]'
check "the latency of the baseline has been measured" between "$(value val.json 'd["L_s"]')" 200e-6 2e-3
check "the program is slower with latency" \
    between "$(value val.json 'd["points"][2]["measured_s"] / d["points"][0]["measured_s"]')" 1.2 20
# On a busy machine runs are longer than predicted: a wide bound.
check "predictions are of that size" between "$(value val.json 'd["rrmse"]')" 0 0.6
check "lambda_L is messages in a row" between "$(value val.json 'd["lambda_L"]')" 20 400
check "slopes are alike" between "$(value val.json 'd["slope_predicted"] / d["lambda_L"]')" 0.8 1.5
check "an interval has ends" equal "$(value val.json 'len(d["slope_ci"])')" 2
check "thresholds" equal "$(value val.json '[t["threshold"] for t in d["tolerance"]]')" '[0.01, 0.02, 0.05]'
check "tolerances ascend" equal "$(value val.json 'sorted(t["predicted_s"] for t in d["tolerance"]) == [t["predicted_s"] for t in d["tolerance"]]')" True
if command -v gnuplot >/dev/null; then
    check "a picture" grep -q 'added latency' val/validation.svg
else
    check "why there is no picture" grep -q 'gnuplot' val.json
fi
check "the report has it, too" crosstalk report -q val -o page.html
page() { # EXPRESSION over t, what the page has of the program's tolerance
    python3 -c 'import json, sys
data = json.loads(open("page.html").read().split("id=\"data\">")[1].split("</script>")[0])
t, = data["placements"][0]["tolerance"]
d = json.load(open("val.json"))
print(eval(sys.argv[1]))' "$1"
}
check "with the error" equal "$(page 'abs(t["rrmse"] / d["rrmse"] - 1) < 1e-4')" True
check "and the points" equal "$(page '[abs(a[1] / b["measured_s"] - 1) < 1e-4 for a, b in zip(t["points"], d["points"])] == [True] * 3')" True
crosstalk campaign status val >status.out
check "it is a campaign" grep -q '9 of 9\|done' status.out
validate "${options[@]}" -- "${program[@]}" >again.json 2>again.err
check "the answer is the same from the folder alone" equal "$(value again.json 'd["points"], d["rrmse"]')" \
    "$(value val.json 'd["points"], d["rrmse"]')"
validate "${options[@]:0:${#options[@]}-2}" -- "${program[@]}" >again.out
check "on a screen" on_screen again.out
validate "${options[@]:0:${#options[@]}-2}" -q -- "${program[@]}" >again.out
check "without a header" fails_with 1 '' grep '^#\|: --all$' again.out
check "another command needs another folder" fails_with 1 'another campaign file' \
    validate "${options[@]}" -- "${program[@]}" --scale 2

# --- in a tree: L by class of paths. Ranks 0 and 1 are on one leaf, 2 and 3 on another one.
check "one rank a host in a tree" fails_with 2 'ppn 2: with --topology one rank a host' \
    validate -o none --topology tree:2x2 --ppn 2 -- workload milc --iterations 5
check "a tree" validate -o tree --topology tree:2x2 --latencies 0us,5ms --repetitions 1 --time 500ms \
    --logp-time 16s --lateness 10s --format json -- workload milc --iterations 10 --compute-time 10ms
sed -n '/^{/,$p' "$work/check.out" >tree.json
check "its classes of paths" equal "$(value tree.json '[(c["class"], c["links"]) for c in d["classes"]]')" '[(1, 1), (3, 1)]'
check "each has its latency" between "$(value tree.json 'min(c["L_s"] for c in d["classes"])')" 150e-6 5e-3
check "lambda_L is the sum of theirs" equal \
    "$(value tree.json 'abs(sum(c["lambda_L"] for c in d["classes"]) - d["lambda_L"]) < 1e-6')" True
check "L is between those of the classes" equal \
    "$(value tree.json 'min(c["L_s"] for c in d["classes"]) <= d["L_s"] <= max(c["L_s"] for c in d["classes"])')" True
check "slower by about lambda_L latencies" between \
    "$(value tree.json '(d["points"][1]["predicted_s"] - d["points"][0]["predicted_s"]) / 5e-3 / d["lambda_L"]')" 0.95 2
check "the campaign file names the tree" grep -q 'topology: "tree:2x2,1"' tree/campaign.yaml

# --- a program that is timed as a whole, beside a load: its increase is predicted
check "any program, beside a load" validate -o whole --hosts 2 --latencies 0us,5ms --repetitions 1 --time 100ms \
    --load 'P1 M2 B5ms' --probe-time 2s --logp-time 8s --lateness 10s --passes driver --format json -- \
    workload fft --iterations 5 --quiet
cp "$work/check.out" whole.out
sed -n '/^{/,$p' whole.out >whole.json
check "its run alone is what was measured" equal \
    "$(value whole.json 'd["alone_measured_s"] == d["alone_predicted_s"]')" True
check "the offset is what a trace does not contain" between "$(value whole.json 'd["offset_s"]')" 0 20
for run in runtime-program-under-p1-m2-b5ms runtime-program-under-p1-m2-b5ms-later-5ms impact-p1-m2-b5ms \
    impact-p1-m2-b5ms-later-5ms idle; do
    check "there is $run" test -e "whole/runs/$run-r0.h5"
done
check "and their points" equal "$(value whole.json '[(round(1e6 * p["delta_L_s"]), p["n_runs"]) for p in d["points"]]')" \
    '[(0, 1), (5000, 1)]'
check "the load is known" equal "$(value whole.json 'd["provenance"]["load"]')" 'P1 M2 B5ms'
check "L_B is L and what the load adds" equal \
    "$(value whole.json 'abs(d["L_beside_s"] - max(d["L_s"] + d["load_adds_s"], 0)) < 1e-9')" True
check "the probe sees the added latency beside the load" between \
    "$(value whole.json 'd["points"][1]["probe_L_s"]')" 3e-3 1
finish
