#!/usr/bin/env bash
# crosstalk predict for every pair of a large campaign that is made up (make_campaign.c): the first
# time, when probe samples are summarised, and once more, when their summaries are there.
set -u
export LC_ALL=C
PATH=${CROSSTALK_BIN:?}:$PATH
make_campaign=$1 apps=${2:-100} configs=${3:-40} samples=${4:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$make_campaign" "$work" "$apps" "$configs" "$samples" || exit 1
echo "$apps applications, $configs configurations, $samples samples a probe run: $(du -sm "$work" | cut -f 1) MB"
for turn in first second third; do
    /usr/bin/time -f '%e %U %S %M' -o "$work/cost" crosstalk predict "$work" --models all --seed 1 --format csv \
        >"$work/$turn.csv" || exit 1
    read -r time_s user_s system_s memory_kib <"$work/cost"
    echo "$turn time: $time_s s (processor $user_s + $system_s s), $((memory_kib / 1024)) MiB, $(grep -c '^app' "$work/$turn.csv") rows"
done
sed -n '/^app/p' "$work/first.csv" >"$work/a"
sed -n '/^app/p' "$work/third.csv" | cmp -s - "$work/a" || { echo "the answers differ" >&2; exit 1; }
