#!/usr/bin/env bash
# A campaign with two placements in a small tree: which hosts programs get, what they load, what run
# files and the journal tell, one answer for each placement.
# Functions are called through check.
# shellcheck disable=SC2317
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1
up_or_skip --topology tree:2x2 --rate 20mbit
lab_ down -q

cat >campaign.yaml <<'YAML'
campaign: places
seed: 1
launcher: {kind: lab, topology: "tree:2x2", rate: 20mbit}
placement: disjoint interleaved
logp: false
durations: {impact: 1s, runtime: 500ms, settle: 300ms}
probe: {interval: 20ms}
repetitions: {idle: 1, baseline: 1, impact: 1, compression: 1, corun: 1}
applications:
  - {name: fft, command: "workload fft --scale 0.1 --iterations 2 --compute-time 5ms"}
configurations:
  - {partners: 1, messages: 2, bubble: 10ms}
YAML
campaign() { timeout -k 2 100 crosstalk campaign "$@"; }

# --- what is planned
check "a plan" campaign plan campaign.yaml --format json
cp check.out plan.json
check "runs of both" equal "$(value plan.json 'd["n_runs"]')" 12
check "leaves apart" equal "$(value plan.json 'list(d["placements"][0].values())')" "['disjoint', '1-2', '3-4', 0, 4]"
check "hosts in turn" equal "$(value plan.json 'list(d["placements"][1].values())')" "['interleaved', '1,3', '2,4', 4, 4]"
sed 's/^placement:.*/placement: disjoint apart/' campaign.yaml >wrong.yaml
check "another word is refused" fails_with 1 "placement: 'apart': not one of shared, disjoint, interleaved, fragments" \
    campaign plan wrong.yaml
sed 's/partners: 1/partners: 2/' campaign.yaml >wrong.yaml
check "so is a ring with too few hosts" fails_with 1 'with 2 hosts for each program there are at most 1' \
    campaign plan wrong.yaml

# --- what is made
check "it runs" campaign run campaign.yaml -o results
check "every run is there" equal "$(find results/runs -name '*.h5' ! -name '*.sent.h5' | wc -l)" 12
fact() { # run, key
    crosstalk show "results/runs/$1.h5" --format json >facts.json
    value facts.json "d['attributes']['$2']"
}
check "a run knows its placement" equal "$(fact runtime-fft-with-fft-disjoint-r0 placement)" disjoint
check "and the hosts of both programs" equal \
    "$(fact runtime-fft-with-fft-disjoint-r0 placement_hosts)/$(fact runtime-fft-with-fft-disjoint-r0 placement_with_hosts)" \
    "h1 h2/h3 h4"
check "where the program was" equal "$(fact runtime-fft-with-fft-disjoint-r0 hosts)" "h1 h2"
check "and with the other placement" equal \
    "$(fact impact-fft-interleaved-r0 hosts)/$(fact impact-fft-interleaved-r0 placement_with_hosts)" "h1 h3/h2 h4"
for placement in disjoint interleaved; do
    check "at which phase it met the other one, $placement" between "$(fact "runtime-fft-with-fft-$placement-r0" start_pass_frac)" 1e-6 1
done
check "one alone meets nobody" fails_with 1 KeyError fact baseline-fft-disjoint-r0 start_pass_frac
check "one alone has no others" fails_with 1 KeyError fact idle-disjoint-r0 placement_with_hosts
check "what was sent knows it, too" equal \
    "$(fact impact-p1-m2-b10ms-interleaved-r0.sent placement)/$(fact impact-p1-m2-b10ms-interleaved-r0.sent hosts)" \
    "interleaved/h2 h4"
check "the journal names hosts" grep -q '"placement":"interleaved","hosts":"h1 h3","with_hosts":"h2 h4"' results/journal.jsonl
check "again: nothing is made" fails_with 0 '12 of 12 runs done \(0 now\)' campaign run campaign.yaml -o results
check "its state" fails_with 0 'done *12' campaign status results

# --- where they met: compressionb on leaf1 alone, or over the uplinks
ports() { # placement, expression of its load beside the probe
    value "results/runs/impact-p1-m2-b10ms-$1-r0.ports.json" "$2"
}
check "apart: its hosts are busy" between "$(ports disjoint 'min(p["tx_busy_fraction"] for p in d["ports"][2:])')" 0.1 1
check "apart: no link between switches is" between "$(ports disjoint 'max(l["busy_fraction"] for l in d["links"])')" 0 0.05
check "in turn: every link between switches is" \
    between "$(ports interleaved 'min(l["busy_fraction"] for l in d["links"])')" 0.1 1

# --- answers
predict() { timeout -k 2 50 crosstalk predict "$@" --format json; }
check "predictions" predict results
cp check.out both.json
check "a row for each placement" equal "$(value both.json '[p["placement"] for p in d["pairs"]]')" "['disjoint', 'interleaved']"
check "loads of each" equal "$(value both.json 'len(d["loads"])')" 6
check "predictions of one" predict results --placement interleaved
cp check.out one.json
check "no column for it" equal "$(value one.json '"placement" in d["pairs"][0]')" False
check "are those of both" equal "$(value one.json 'd["pairs"][0]["predicted"]')" "$(value both.json 'd["pairs"][1]["predicted"]')"
check "its measured slowdown, too" equal "$(value one.json 'd["pairs"][0]["measured"]')" "$(value both.json 'd["pairs"][1]["measured"]')"
check "a placement that is not there" fails_with 2 'the placements of results are: disjoint, interleaved' \
    predict results --placement shared
check "an evaluation is of one" fails_with 2 'runs of 2 placements \(disjoint, interleaved\)' predict results --evaluate
check "which can be packed" crosstalk export results --placement disjoint -o disjoint.h5
check "for other commands" predict disjoint.h5
cp check.out packed.json
check "alike" equal "$(value packed.json 'd["pairs"][0]["measured"]')" "$(value both.json 'd["pairs"][0]["measured"]')"
check "these refuse a mixture" fails_with 2 'crosstalk export results --placement NAME' \
    crosstalk utilization --loaded results/runs/impact-fft-disjoint-r0.h5 --idle results/runs/idle-disjoint-r0.h5 --calibration results
check "a page of one" timeout -k 2 60 crosstalk report results --placement interleaved -o page
check "tells which" grep -q '<b>interleaved:</b>' page/report.html
check "without the other" fails_with 1 '' grep -q '<b>disjoint:</b>' page/report.html
check "a page of both" timeout -k 2 60 crosstalk report results -o both.html
check "tells both" equal "$(grep -c '<b>disjoint:</b> Each two applications ran on hosts of their own\|<b>interleaved:</b> Each' both.html)" 2
check "the answer of both" predict results --acceptable 1000% --models none
cp check.out both.json
check "for each placement" equal "$(value both.json '[p["placement"] for p in d["co_runs"]]')" "['disjoint', 'interleaved']"
check "every one has a verdict" equal "$(value both.json 'set(p["verdict"] for p in d["co_runs"])')" "{'yes'}"
check "all are fine then" equal "$(value both.json '[d["answers"][0][k] for k in ("app", "with", "fine", "not")]')" \
    "['fft', 'fft', 'disjoint, interleaved', '-']"
check "in words" equal "$(value both.json 'd["answer"][-1:]')" \
    "['disjoint (own hosts, nothing in common): 1 of 1 may run beside each other; interleaved (own hosts, links in common): 1 of 1 may run beside each other.']"
check "and what they shared" equal "$(value both.json '[v["shared"] for v in d["verdicts"]]')" "['nothing', 'links']"
check "groups for one" fails_with 0 'Which applications run together on hosts of their own' \
    timeout -k 2 50 crosstalk predict results --placement disjoint --models none --groups 2
check "former name" fails_with 0 'give crosstalk predict --groups N in its place' \
    timeout -k 2 50 crosstalk advise results --placement disjoint --model none
finish
