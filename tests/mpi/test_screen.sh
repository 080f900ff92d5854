#!/usr/bin/env bash
# Answers of the programs that measure fit a screen and end in words.
set -u
PATH=${CROSSTALK_BIN:?}:$PATH
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/screen.sh
. "$CROSSTALK_SOURCE/tests/screen.sh"

# answers NODES RANKS PROGRAM...
answers() {
    check "$3" 0 "$@"
    on_screen out || fail "$3: not on a screen"
}

answers 2 2 impactb --time 500ms --interval 20ms -o impact.h5
answers 2 2 compressionb --partners 1 --messages 2 --bubble 1ms --time 500ms -o load.h5
answers 2 2 logpb --max-size 1KiB --time 1s -o logp.h5
answers 2 4 logpb --pairs all --max-size 64B --time 1s -o pairs.h5
for program in fft vpfft lulesh mcb milc amg; do
    answers 1 8 workload "$program" -i 2 --compute-time 0.1ms
done

finish
