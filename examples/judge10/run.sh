#!/usr/bin/env bash
# The judge with ten programs: predictions are sealed before any co-run, and opened once.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
judge=${1-}
case $judge in
    seal | open) shift ;;
    '') set -- --help ;;
esac
begin_campaigns judge10 "\
seal: makes all runs but the co-runs of tree.yaml and dragonfly.yaml inside SimGrid, and seals the
predictions of every pair, network and placement.  open: makes the co-runs, compares them with what is
sealed, and packs both campaigns; a judge is opened once. Install the packages of [build], [run] and
[check] in packages.txt first (apt); both commands build crosstalk. Interrupted, they go on when they
are started again. Results are kept in judge10-results/." "$@"
build simgrid
results=judge10-results
[ -d "$results/schedules" ] || tar -xJf examples/judge10/schedules.tar.xz -C "$results" || die "no schedules"

# pack_placement [PREFIX]: the runs of one placement, which is what is sealed and judged
pack_placement() {
    rm -f "$folder/${1-}$placement.h5"
    crosstalk export "$folder" --placement "$placement" -o "$folder/${1-}$placement.h5" || die "$network, $placement: not packed"
}

for network in tree dragonfly; do
    campaign=examples/judge10/$network.yaml
    folder=$results/$network
    step "[3/4] $judge $network: $(crosstalk campaign plan --summary "$campaign")"
    if [ "$judge" == open ]; then
        for placement in interleaved shared; do
            [ -e "$folder/$placement.sealed.json" ] || die "nothing is sealed for $network, $placement"
        done
        measure_campaign judge10 "$network"
        continue
    fi
    if [ ! -e "$folder/interleaved.sealed.json" ]; then # a sealed file forbids what it was made from to change
        crosstalk campaign run --before-co-runs "$campaign" -o "$folder" ||
            die "the campaign did not come to the co-runs; start this script again to go on with it"
    fi
    mkdir -p "$folder/schedules"
    cp "$results"/schedules/*.bin "$folder/schedules/" || die "no schedules"
    for placement in interleaved shared; do
        [ -e "$folder/$placement.sealed.json" ] && continue
        pack_placement before-
        crosstalk predict "$folder/before-$placement.h5" --schedules "$folder/schedules" --models all --link-rate 200gbit --seed 1 --all \
            --seal "$folder/$placement.sealed.json" >"$folder/$placement.sealed.txt" || die "no sealed predictions for $network, $placement"
    done
done
[ "$judge" == seal ] && exit 0
step "[4/4] judge"
tables=()
for network in tree dragonfly; do
    folder=$results/$network
    for placement in interleaved shared; do
        pack_placement
        crosstalk predict "$folder/$placement.h5" --schedules "$folder/schedules" --against "$folder/$placement.sealed.json" --format json \
            >"$folder/$placement.judged.json" || die "no judgement of $network, $placement"
        tables+=("$network, $placement=$folder/$placement.judged.json")
    done
    crosstalk export "$folder" -o "$folder/campaign.h5" || die "$network is not packed"
done
examples/judge10/table.py "${tables[@]}"
