#!/usr/bin/env bash
# The same jobs under several placements, on an emulated tree of four leaves and on one of two: measured and
# predicted.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
begin_campaigns placement "\
Installs the packages of [build] and [run] in packages.txt that are missing (apt, as root or through
sudo), builds crosstalk, and measures four applications on an emulated tree of four leaves, alone and
beside each other: on leaves of their own, on every leaf in turn, on pairs of hosts at random; then four
on two leaves, on one each and on both in turn. It takes 50 minutes. Then it prints measured and predicted
slowdowns, and where two of them may run beside each other, and draws the tree of four leaves with the
load of its links while milc ran beside fft. Interrupted, it goes on when it is started again. Results are
kept in placement-results/." "$@"
results="placement-results"
mkdir -p "$results/two-switches"
for campaign in campaign two-switches/campaign; do
    step "[3/4] measure: $(crosstalk campaign plan --summary "examples/placement/$campaign.yaml")"
    measure_campaign placement "$campaign"
done
step "[4/4] measured and predicted"
predict() { # CAMPAIGN TABLE
    crosstalk predict "$results/$1" --models queue,mutual,packets --seed 1 | tee "$results/$2.txt"
    [ "${PIPESTATUS[0]}" -eq 0 ] || die "no prediction"
}
predict campaign four-leaves
predict two-switches/campaign two-leaves
crosstalk predict "$results/campaign" --models packets --seed 1 --acceptable 10% | tee "$results/advice.txt"
[ "${PIPESTATUS[0]}" -eq 0 ] || die "no advice"
for placement in disjoint interleaved fragments; do
    python3 examples/placement/busy.py "$results/campaign/runs/runtime-milc-with-fft-$placement-r0.ports.json" \
        >"$results/$placement.csv" || die "no load of the links"
    crosstalk topology tree:4x4 --spines 2 --utilization "$results/$placement.csv" \
        --plot "$results/$placement.svg" || die "no picture"
done
printf '\nThe tables above are in %s/*.txt, the tree in %s/*.svg\n' "$results" "$results"
