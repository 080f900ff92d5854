#!/usr/bin/env bash
# Parts of four real codes, replayed: campaign.yaml, and how well each model predicts their co-runs.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
begin_campaigns codes8 "\
Installs the packages of [build] and [run] in packages.txt that are missing (apt, as root or through
sudo), builds crosstalk, and measures the campaign of this folder on an emulated switch: parts of four
codes, replayed from their schedules, under 18 configurations and beside each other. It takes 50
minutes; interrupted, it goes on when it is started again. Results are kept in codes8-results/." "$@"
results=codes8-results/campaign
step "[3/4] measure: $(crosstalk campaign plan --summary examples/codes8/campaign.yaml)"
measure_campaign codes8 campaign
# What the programs replay is their schedule, too.
mkdir -p "$results/schedules"
cp examples/codes8/schedules/*.bin "$results/schedules/"
step "[4/4] measured and predicted"
crosstalk predict "$results" --seed 1 | tee codes8-results/report.txt
[ "${PIPESTATUS[0]}" -eq 0 ] || die "no prediction"
crosstalk report "$results" -o codes8-results || die "no report"
printf '\nReport: codes8-results/report.html, the tables above in codes8-results/report.txt\n'
