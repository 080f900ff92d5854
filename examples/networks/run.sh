#!/usr/bin/env bash
# Eight small campaigns on emulated switches of 2, 10, 50 and 200 Mbit/s, whose ports serve in turn or have
# one queue, and the errors of models on each.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
begin_campaigns networks "\
Installs the packages of [build] and [run] in packages.txt that are missing (apt, as root or through
sudo), builds crosstalk, and measures the campaigns of this folder one after the other, about an hour
in all; nothing else should run meanwhile. Then it prints the errors of the models. Interrupted, it
goes on when it is started again. Results are kept in networks-results/." "$@"
networks=({2,10,50,200}mbit-{round-robin,fifo})
number=0
for network in "${networks[@]}"; do
    number=$((number + 1))
    step "[3/4] measure $network, $number of ${#networks[@]}: $(crosstalk campaign plan --summary "examples/networks/$network.yaml")"
    measure_campaign networks "$network"
done
step "[4/4] judge"
for network in "${networks[@]}"; do
    printf '\n%s\n' "$network"
    crosstalk predict "networks-results/$network" --models packets,queue --evaluate --confidence 80% --seed 1 ||
        die "no judgement of $network"
done
