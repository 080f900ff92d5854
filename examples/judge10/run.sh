#!/usr/bin/env bash
# The judge with ten programs: predictions are sealed before any co-run, and opened once.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
judge=${1-}
if [[ $judge == seal || $judge == open ]]; then
    shift
else
    set -- --help
fi
begin_campaigns judge10 "\
seal: makes all runs but the co-runs of tree.yaml and dragonfly.yaml inside SimGrid, and seals the
predictions of every pair, network and placement.  open: makes the co-runs, compares them with what is
sealed, and packs both campaigns; a judge is opened once. Install the packages of [build], [run] and
[check] in packages.txt first (apt); both commands build crosstalk. Interrupted, they go on when they
are started again. Results are kept in judge10-results/." "$@"
build simgrid
results=judge10-results
[ -d "$results/schedules" ] || tar -xJf examples/judge10/schedules.tar.xz -C "$results" || die "no schedules"
for network in tree dragonfly; do
    campaign=examples/judge10/$network.yaml
    sealed=$results/$network/predictions.sealed.json
    step "[3/4] $judge $network: $(crosstalk campaign plan --summary "$campaign")"
    if [ "$judge" == seal ]; then
        [ -e "$sealed" ] && continue
        crosstalk campaign run --before-co-runs "$campaign" -o "$results/$network" ||
            die "the campaign did not come to the co-runs; start this script again to go on with it"
        cp -r "$results/schedules" "$results/$network/" || die "no schedules"
        crosstalk predict "$results/$network" --models all --seed 1 --all --seal "$sealed" >"$results/$network.sealed.txt" ||
            die "no sealed predictions for $network"
    else
        [ -e "$sealed" ] || die "nothing is sealed for $network"
        measure_campaign judge10 "$network"
    fi
done
[ "$judge" == seal ] && exit 0
step "[4/4] judge"
for network in tree dragonfly; do
    printf '\n%s\n' "$network"
    crosstalk predict "$results/$network" --all --against "$results/$network/predictions.sealed.json" | tee "$results/$network.txt"
    [ "${PIPESTATUS[0]}" -eq 0 ] || die "no judgement of $network"
    crosstalk export "$results/$network" -o "$results/$network/campaign.h5" || die "$network is not packed"
done
