#!/usr/bin/env bash
# What contradicts itself is refused when the build is configured, with both names and the option that
# decides; what is missing is named in one line, with how to get it. Nothing is built.
# shellcheck source=tests/parts/common.sh
. "$(dirname "$0")/common.sh"
nothing=/nonexistent

# --- one MPI ---------------------------------------------------------------------------------------
refuses mpi-spam "CROSSTALK_MPI is 'spam'; it is one of auto, mpich, openmpi, simgrid, none" -DCROSSTALK_MPI=spam
refuses part-spam "CROSSTALK_LAB is 'maybe'; it is one of AUTO, ON, OFF" -DCROSSTALK_MPI=none -DCROSSTALK_LAB=maybe
for pair in mpich:openmpi openmpi:mpich; do
    mine=${pair%:*} other=${pair#*:}
    if ! command -v "mpicc.$mine" >/dev/null || ! command -v "mpicc.$other" >/dev/null; then
        not_tried 'two MPIs are not installed (packages libmpich-dev, libopenmpi-dev)'
        continue
    fi
    refuses "compiler-$mine" "mpicc.$other is of $other, but CROSSTALK_MPI is $mine: .*-DCROSSTALK_MPI=$other" \
        -DCROSSTALK_MPI="$mine" -DMPI_C_COMPILER="$(command -v "mpicc.$other")"
    refuses "launcher-$mine" \
        "mpiexec.$other starts programs of $other, but [^ ]*mpicc[^ ]* is of $mine: .*-DCROSSTALK_MPI=$other" \
        -DCROSSTALK_MPI="$mine" -DMPIEXEC_EXECUTABLE="$(command -v "mpiexec.$other")"
    hdf5=$(h5pcc."$other" -show 2>/dev/null | tr ' ' '\n' | sed -n 's/^-L//p' | head -n 1)
    if [ -z "$hdf5" ]; then
        not_tried "a parallel HDF5 of $other is not installed (packages libhdf5-mpich-dev, libhdf5-openmpi-dev)"
    else
        refuses "hdf5-$mine" "two MPIs: [^ ]*mpicc[^ ]* is of $mine, but the parallel HDF5 .* is of $other. Set -DCROSSTALK_MPI=$other" \
            -DCROSSTALK_MPI="$mine" -DHDF5_ROOT="$hdf5"
    fi
done

# --- parts that were asked for ---------------------------------------------------------------------
refuses measure-no-mpi 'CROSSTALK_MEASURE is ON, but an MPI library is not here: CROSSTALK_MPI is none' \
    -DCROSSTALK_MPI=none -DCROSSTALK_MEASURE=ON
refuses clp-hidden 'CROSSTALK_CLP is ON, but Clp is not here: install coinor-libclp-dev' \
    "PKG_CONFIG_LIBDIR=$(hide_module clp)" -DCROSSTALK_MPI=none -DCROSSTALK_CLP=ON
refuses scotch-hidden 'CROSSTALK_SCOTCH is ON, but its header scotch.h is not here: install libscotch-dev' \
    -DCROSSTALK_MPI=none -DCROSSTALK_SCOTCH=ON -DCROSSTALK_SCOTCH_INCLUDE=
refuses ucx-hidden 'CROSSTALK_DELAY is ON, but UCX is not here: install pkg-config and libucx-dev' \
    "PKG_CONFIG_LIBDIR=$(hide_module ucx)" -DCROSSTALK_MPI=none -DCROSSTALK_DELAY=ON
refuses otf2-hidden 'CROSSTALK_OTF2 is ON, but OTF2 3.0 is not here: install libotf2-trace-dev' \
    "PKG_CONFIG_LIBDIR=$(hide_module otf2)" -DCROSSTALK_MPI=none -DCROSSTALK_OTF2=ON
refuses cjson-hidden 'CROSSTALK_ANALYSIS is ON, but cJSON is not here: install pkg-config and libcjson-dev' \
    "PKG_CONFIG_LIBDIR=$(hide_module libcjson)" -DCROSSTALK_MPI=none -DCROSSTALK_ANALYSIS=ON
refuses tests-hidden 'CROSSTALK_TESTS is ON, but cmocka is not here: install pkg-config and libcmocka-dev' \
    "PKG_CONFIG_LIBDIR=$(hide_module cmocka)" -DCROSSTALK_MPI=none -DCROSSTALK_TESTS=ON
refuses nothing-left 'nothing is left to build: .*see the lines above' \
    PKG_CONFIG_LIBDIR=$nothing -DCROSSTALK_MPI=none

hdf5=$(for kind in mpich openmpi; do h5pcc.$kind -show 2>/dev/null; done | tr ' ' '\n' | sed -n 's/^-L//p' | head -n 1)
if [ -z "$hdf5" ]; then
    not_tried 'no parallel HDF5 is installed (packages libhdf5-mpich-dev, libhdf5-openmpi-dev)'
else
    refuses parallel-hdf5-only 'a serial HDF5 is not here: .*needs an MPI; install libhdf5-dev' \
        -DCROSSTALK_MPI=none -DCROSSTALK_ANALYSIS=ON -DHDF5_ROOT="$hdf5"
fi

# --- parts that are left out, in one line each -----------------------------------------------------
takes no-clp 'Left out: clp .*--solver clp.* Clp is not here: install coinor-libclp-dev' \
    "PKG_CONFIG_LIBDIR=$work/without-clp" -DCROSSTALK_MPI=none
takes no-otf2 'Left out: otf2 .*archives of OTF2 are neither read nor written.* install libotf2-trace-dev' \
    "PKG_CONFIG_LIBDIR=$work/without-otf2" -DCROSSTALK_MPI=none
takes no-tests 'Left out: tests .*cmocka is not here: install pkg-config and libcmocka-dev' \
    "PKG_CONFIG_LIBDIR=$work/without-cmocka" -DCROSSTALK_MPI=none
finish
