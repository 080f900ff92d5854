#!/usr/bin/env bash
# Time and data of the fast method and of saturation over the same sizes, in the lab. Prints both and
# their ratios; the paper found 10 in time on Myrinet and 17 over TCP.
set -u
PATH=${CROSSTALK_BIN:?}:$PATH
rate=${1:-50mbit} max_size=${2:-256KiB} gap=${3:-auto}
id=bench-$$
work=$(mktemp -d)
trap 'crosstalk lab down --id "$id" --quiet; rm -rf "$work"' EXIT
crosstalk lab up --id "$id" --hosts 2 --rate "$rate" --quiet || exit 1
echo "2 hosts at $rate, sizes to $max_size, --gap $gap"
crosstalk lab mpiexec --id "$id" --deadline 600s -- logpb --method both --gap "$gap" \
    --max-size "$max_size" --time 580s --quiet --format json >"$work/out.json" || exit 1
python3 - "$work/out.json" <<'PYTHON'
import json
import sys

answer = json.load(open(sys.argv[1]))
methods = answer["methods"]
print(f"{'method':12} {'time [s]':>10} {'messages':>10} {'data [MB]':>10}")
for name, cost in methods.items():
    print(f"{name:12} {cost['elapsed_s']:10.2f} {cost['messages']:10} {cost['bytes'] / 1e6:10.2f}")
fast, saturation = methods["fast"], methods["saturation"]
for key in ("elapsed_s", "bytes"):
    print(f"saturation / fast, {key}: {saturation[key] / fast[key]:.1f}")
print(f"G {answer['G_s_per_byte'] * 1e9:.2f} ns per byte, {len(answer['sizes'])} sizes")
for size in answer["sizes"]:
    if size["bytes"] > 1024:
        print(f"g({size['bytes']}): fast / saturation = {size['g_s'] / size['g_saturation_s']:.3f}")
PYTHON
