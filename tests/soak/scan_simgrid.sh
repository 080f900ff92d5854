#!/usr/bin/env bash
# Builds the programs for SimGrid where crosstalk scan finds them: in a folder simgrid beside that of its own build.
set -eu
# shellcheck source=tests/skip.sh
. "${CROSSTALK_SOURCE:?}/tests/skip.sh"
need smpicc libsimgrid-dev
build=$(dirname "${CROSSTALK_BUILD:?}")/simgrid
cmake -S "$CROSSTALK_SOURCE" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCROSSTALK_MPI=simgrid -DCROSSTALK_ANALYSIS=OFF \
    -DCROSSTALK_OTF2=OFF -DCROSSTALK_TESTS=OFF
cmake --build "$build" --target crosstalk-simgrid scanb
