#!/usr/bin/env bash
# The judge: campaigns on three networks that no constant was fitted to. Predictions are sealed before any
# co-run is measured.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
begin_campaigns judge "\
Installs the packages of [build] and [run] in packages.txt that are missing (apt, as root or through
sudo), builds crosstalk, and measures the campaigns of this folder one after the other on an emulated
switch, 12 minutes each: first everything but the co-runs, then the predictions are sealed, then the
co-runs, then the predictions are judged. Interrupted, it goes on when it is started again; what is
sealed stays. Results are kept in judge-results/." "$@"
networks=(six-hosts-fifo twelve-hosts four-hosts-fifo)
number=0
for network in "${networks[@]}"; do
    number=$((number + 1))
    campaign=examples/judge/$network.yaml
    results=judge-results/$network
    sealed=$results/predictions.sealed.json
    step "[3/4] measure $network, $number of ${#networks[@]}: $(crosstalk campaign plan --summary "$campaign")"
    if [ ! -e "$sealed" ]; then
        crosstalk campaign run --before-co-runs "$campaign" -o "$results" ||
            die "the campaign did not come to the co-runs; start this script again to go on with it"
        crosstalk predict "$results" --seed 1 --seal "$sealed" >"$results/predictions.txt" ||
            die "no sealed predictions for $network"
    fi
    measure_campaign judge "$network"
done
step "[4/4] judge"
for network in "${networks[@]}"; do
    printf '\n%s\n' "$network"
    crosstalk predict "judge-results/$network" --against "judge-results/$network/predictions.sealed.json" |
        tee "judge-results/$network.txt"
    [ "${PIPESTATUS[0]}" -eq 0 ] || die "no judgement of $network"
done
printf '\nThe tables above are in judge-results/*.txt\n'
