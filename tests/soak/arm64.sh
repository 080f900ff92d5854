#!/usr/bin/env bash
# Another architecture: cross-compiled for arm64 with warnings as errors, in an empty Debian 12 with the
# arm64 packages of what is linked; the unit tests then run under qemu-user. Without the programs that
# measure: an MPI's compiler wrappers run on their own architecture.
set -u
cd "$(dirname "$0")/../.." || exit 1
if [ "${1-}" != --inside ]; then
    exec bash tests/soak/debian.sh 'git' 'tests/soak/arm64.sh --inside'
fi
[ -e /inside.sh ] || { echo 'not here: it adds an architecture to the system'; exit 2; }
step() { printf '== %s\n' "$1"; }
must() { # WHAT COMMAND...
    local what=$1
    shift
    "$@" >/var/log/step.out 2>&1 && return
    tail -n 30 /var/log/step.out
    echo "FAILED: $what"
    exit 1
}

step 'packages'
dpkg --add-architecture arm64
must 'apt-get update' apt-get update
must 'apt-get install' apt-get install -y --no-install-recommends cmake ninja-build pkg-config python3 gnuplot-nox \
    gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static \
    {libgsl,libhdf5,libcjson,libyaml,libxxhash,libhwloc,coinor-libclp,libscotch,libotf2-trace,libcmocka}-dev:arm64

step 'build'
everything=(-DCROSSTALK_{ANALYSIS,LAB,CAMPAIGN,YAML,HWLOC,CLP,SCOTCH,OTF2,TESTS}"=ON")
must 'cmake' cmake -S . -B build/arm64 -G Ninja --toolchain cmake/toolchain-arm64.cmake \
    -DCROSSTALK_MPI=none -DCROSSTALK_WERROR=ON "${everything[@]}"
must 'the build' cmake --build build/arm64
must 'crosstalk is of arm64' grep -q 'aarch64\|AArch64' <(aarch64-linux-gnu-readelf -h build/arm64/bin/crosstalk)

# qemu-user runs one program; those that it starts need binfmt_misc, a setting of the whole machine, and
# posix_spawn() of a program that is not there ends well.
step 'unit tests, but for unit_mpi_kind, unit_otf2 and unit_watch_tell, which start programs'
ctest --test-dir build/arm64 -L unit -E 'unit_(mpi_kind|otf2|watch_tell)' -j "$(nproc)" --output-on-failure >/var/log/ctest.out 2>&1
code=$?
sed -n '/\*\*\*Failed/,/^ *Start /p; /\*\*\*Timeout/,/^ *Start /p' /var/log/ctest.out
sed -n '/tests passed/p; /^Total Test time/p' /var/log/ctest.out
exit "$code"
