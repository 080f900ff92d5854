#!/usr/bin/env bash
# The same two jobs under three placements, on an emulated tree of four leaves: measured and predicted.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
begin_campaigns placement "\
Installs the packages of [build] and [run] in packages.txt that are missing (apt, as root or through
sudo), builds crosstalk, and measures two applications on an emulated tree of four leaves, alone and
beside each other: on leaves of their own, on every leaf in turn, on pairs of hosts at random. It takes
about 15 minutes; nothing else should run meanwhile. Then it prints measured and predicted slowdowns, and
where the two may run beside each other, and draws the tree with the load of its links while fft ran
beside milc. Interrupted, it goes on when it is started again. Results are kept in placement-results/." "$@"
results="placement-results/campaign"
step "[3/4] measure: $(crosstalk campaign plan --summary examples/placement/campaign.yaml)"
measure_campaign placement campaign
step "[4/4] measured and predicted"
crosstalk predict "$results" --models queue,phase,simulated --seed 1 | tee placement-results/predictions.txt
[ "${PIPESTATUS[0]}" -eq 0 ] || die "no prediction"
crosstalk advise "$results" --model simulated --seed 1 --acceptable 10% | tee placement-results/advice.txt
[ "${PIPESTATUS[0]}" -eq 0 ] || die "no advice"
for placement in disjoint interleaved fragments; do
    python3 examples/placement/busy.py "$results/runs/runtime-fft-with-milc-$placement-r0.ports.json" \
        >"placement-results/$placement.csv" || die "no load of the links"
    crosstalk topology tree:4x4 --spines 2 --utilization "placement-results/$placement.csv" \
        -o "placement-results/$placement.svg" || die "no picture"
done
printf '\nThe tables above are in placement-results/*.txt, the tree in placement-results/*.svg\n'
