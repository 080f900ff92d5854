#!/usr/bin/env bash
# logpb in the lab, where the rate of a port is known: G is the rate's inverse plus headers, and both
# methods agree on gaps.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1
up_or_skip --hosts 2 --rate 50mbit

run() { timeout -k 2 50 crosstalk lab mpiexec --deadline 45s -- "$@"; }
answer() { # FILE.json EXPRESSION of the document d
    python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

run logpb --method both --gap back-to-back --max-size 64KiB --max-sizes 18 --format json -q -o logp.h5 >logp.json
check 'both methods' test $? -eq 0
# 50 Mbit/s are 160 ns a byte; 1448 bytes of data travel in 1514.
check 'G is the inverse of the rate and the headers' between "$(answer logp.json 'd["G_s_per_byte"]')" 150e-9 210e-9
check 'gaps agree from 2 KiB on' between "$(answer logp.json \
    'max(abs(s["g_s"] / s["g_saturation_s"] - 1) for s in d["sizes"] if s["bytes"] >= 2048)')" 0 0.35
check 'saturation moves more data' between \
    "$(answer logp.json 'd["methods"]["saturation"]["bytes"] / d["methods"]["fast"]["bytes"]')" 3 1000
check 'export for a simulator' crosstalk export logp.h5 --emit loggopsim
finish
