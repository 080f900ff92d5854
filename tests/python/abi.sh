#!/usr/bin/env bash
# Programs that were built with the last release run with this library: it has what they use, unchanged. What it has
# beyond is no change. `abi.sh --write` describes the library of the build, for the next release.
set -u
source=${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=tests/skip.sh
. "$source/tests/skip.sh"
need abidiff abigail-tools
library=$(realpath "${CROSSTALK_BUILD:?}/libcrosstalk/libcrosstalk.so.0")
description=$source/packaging/libcrosstalk.so.0.abi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/public" && cp "$source/libcrosstalk/crosstalk.h" "$work/public/" || exit 1
abidw --no-corpus-path --no-comp-dir-path --no-show-locs --headers-dir "$work/public" --drop-private-types \
    --exported-interfaces-only --out-file "$work/now" "$library" || exit 1
if [ "${1-}" = --write ]; then
    exec cp "$work/now" "$description"
fi
differs() { # DESCRIPTION: that something changed, and what
    ! abidiff --no-added-syms "$1" "$work/now"
}
if differs "$description"; then
    echo 'the interface has changed: mend that, or change SOVERSION'
    exit 1
fi
# Neither a function less nor another size of a struct would pass.
sed "s/crosstalk_run_open/crosstalk_run_gone/g" "$description" >"$work/function"
sed "/name='crosstalk_point' size/s/'384'/'320'/" "$description" >"$work/size"
for changed in function size; do
    if ! differs "$work/$changed" >"$work/out"; then
        echo "another $changed is not found"
        exit 1
    fi
done
echo 'the interface is that of the last release, or more'
