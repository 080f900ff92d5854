#!/usr/bin/env bash
# Combinations of parts, built as users do, each with the tests that it has: a login node without MPI, and
# measuring programs with a serial HDF5 beside an analysis without any optional part.
# shellcheck source=tests/parts/common.sh
. "${CROSSTALK_SOURCE:?}/tests/parts/common.sh"

build_and_test() { # NAME LABELS [-DOPTION...]
    local name=$1 labels=$2
    shift 2
    takes "$name" 'Left out: ' -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCROSSTALK_WERROR=ON -DCROSSTALK_TESTS=ON "$@" || return
    cases=$((cases + 1))
    nice ninja -C "$work/$name" -j 2 >"$work/$name.build" 2>&1 || { failed "$name: the build" "$work/$name.build"; return; }
    cases=$((cases + 1))
    (cd "$work/$name" && ctest -L "$labels" --output-on-failure) >"$work/$name.test" 2>&1 ||
        failed "$name: its tests" "$work/$name.test"
    grep -E '^[0-9]+% tests passed' "$work/$name.test"
    ! grep -qE 'No tests were found' "$work/$name.test" || failed "$name: no tests"
}

build_and_test none 'unit|cli|fuzz' -DCROSSTALK_MPI=none
kind=${CROSSTALK_MPI:?}
if [ "$kind" = none ]; then
    not_tried 'no MPI is installed (packages libmpich-dev, libopenmpi-dev)'
else
    build_and_test least 'unit|cli|fuzz|mpi' -DCROSSTALK_MPI="$kind" \
        -DCROSSTALK_{PARALLEL_HDF5,LAB,CAMPAIGN,YAML,HWLOC,CLP,SCOTCH,OTF2,DELAY,FIGURES}=OFF
fi
finish
