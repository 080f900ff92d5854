#!/usr/bin/env bash
# Parts of crosstalk by themselves: each combination is configured, built without optimisation, and asked.
# Their own tests run in the soak set (tests/soak/parts.sh).
# shellcheck source=tests/parts/common.sh
. "$(dirname "$0")/common.sh"
quick=(-DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DCROSSTALK_WERROR=ON)
kind=${CROSSTALK_MPI:?}
cd "$work" || exit 1

build() { # NAME [--target TARGET]
    local name=$1
    shift
    cases=$((cases + 1))
    nice cmake --build "$work/$name" -j 2 "$@" >"$work/$name.build" 2>&1 || { failed "$name: the build" "$work/$name.build"; return 1; }
}

answers() { # NAME EXIT_CODE PATTERN PROGRAM [WORD...]: of standard output, or standard error where it fails
    local name=$1 code=$2 pattern=$3 program=$4 got
    shift 4
    cases=$((cases + 1))
    timeout -k 2 60 "$work/$name/bin/$program" "$@" >out 2>err </dev/null
    got=$?
    [ "$code" -eq 0 ] || mv err out
    [ "$got" -eq "$code" ] || failed "$name: $program $*: exit code $got" out
    grep -qE -- "$pattern" out || failed "$name: $program $*: no '$pattern' in" out
}

# Libraries that a file asks for itself, those of the system left out.
needed() {
    objdump -p "$1" | sed -nE 's/^ +NEEDED +//p' | grep -vE '^(libc|libgcc_s|libm|libdl|libpthread|librt|ld-linux.*)\.so'
}

only_mpi_and_hdf5() { # FILE...
    local file library
    for file; do
        cases=$((cases + 1))
        while read -r library; do
            [[ $library =~ ^lib(mpi|mpich|open-|hdf5|pmpi) ]] || failed "$file needs $library"
        done < <(needed "$file")
    done
}

printf 'num_ranks 2\nrank 0 {\ns: send 8b to 1 tag 0\n}\nrank 1 {\nr: recv 8b from 0 tag 0\n}\n' >message.goal
model=(--L 3us --o 1us --G 1ns)
examples=$source_dir/examples

# --- a login node without MPI: plan and analyse ----------------------------------------------------
if takes none 'Left out: measure .*CROSSTALK_MPI is none' "${quick[@]}" -DCROSSTALK_MPI=none -DCROSSTALK_TESTS=OFF &&
    build none --target crosstalk; then
    answers none 0 '^Usage: crosstalk COMMAND' crosstalk --help
    answers none 0 'baseline-solver-r0' crosstalk campaign plan --all "$examples/cluster.yaml"
    answers none 0 '^fft +milc' crosstalk predict "$examples/lab8-judge" --pair fft+milc --models queue --no-cache --seed 1
    answers none 0 '^Datasets' crosstalk show --all "$examples/lab8/campaign.h5:0100"
    answers none 0 'run time' crosstalk tolerance message.goal "${model[@]}"
    answers none 0 'message' crosstalk simulate message.goal message.goal "${model[@]}"
    answers none 1 'built without an MPI' crosstalk trace -o traces -- true
    cases=$((cases + 1))
    ldd none/bin/crosstalk | grep -E 'lib(mpi|mpich)\.so' && failed 'crosstalk asks for an MPI'
fi

if [ "$kind" = none ]; then
    not_tried 'no MPI is installed (packages libmpich-dev, libopenmpi-dev)'
    finish
fi
mpi=(-DCROSSTALK_MPI="$kind")

# --- measuring programs and tracer where nothing but MPI and HDF5 is -------------------------------
if takes measure 'Left out: analysis .*GSL is not here' PKG_CONFIG_LIBDIR=/nonexistent "${quick[@]}" "${mpi[@]}" \
    -DCMAKE_DISABLE_FIND_PACKAGE_GSL=ON && build measure; then
    for program in impactb compressionb logpb scanb workload; do
        answers measure 0 "^Usage: $program" "$program" --help
    done
    only_mpi_and_hdf5 measure/bin/* measure/trace/libcrosstalk-trace*.so
    cases=$((cases + 1))
    [ ! -e measure/bin/crosstalk ] || failed 'crosstalk is built'
fi

# --- every optional part left out, and a serial HDF5, with CMake's default generator ---------------
generator='Unix Makefiles'
if takes least 'serial HDF5 \(rank 0 writes\).*Left out: lab .*Left out: campaign .*Left out: hwloc .*Left out: clp .*Left out: scotch .*Left out: delay .*Left out: otf2 .*Left out: figures .*Left out: tests' \
    "${quick[@]}" "${mpi[@]}" -DCROSSTALK_{PARALLEL_HDF5,LAB,CAMPAIGN,YAML,HWLOC,CLP,SCOTCH,OTF2,DELAY,FIGURES,TESTS}=OFF && build least; then
    answers least 0 '^Usage: crosstalk COMMAND' crosstalk --help
    answers least 0 '^Usage: impactb' impactb --help
    cases=$((cases + 1))
    cmake --install least --prefix "$work/installed" >install.log 2>&1 || failed 'least: the installation' install.log
    for page in crosstalk crosstalk-campaign-run impactb; do
        cases=$((cases + 1))
        grep -q '^\.TH' "installed/share/man/man1/$page.1" || failed "$page(1) is not installed"
    done
    only_mpi_and_hdf5 least/bin/impactb
    cases=$((cases + 1))
    ldd least/bin/impactb | grep -E 'libhdf5_?(mpich|openmpi)' && failed 'a parallel HDF5 is linked'
    answers least 0 'run time' crosstalk tolerance message.goal "${model[@]}"
    answers least 1 'without the lab: configure with -DCROSSTALK_LAB=ON' crosstalk lab up
    answers least 1 'without campaigns: install libyaml-dev .*-DCROSSTALK_CAMPAIGN=ON' \
        crosstalk campaign plan --all "$examples/cluster.yaml"
    answers least 1 'without hwloc.*-DCROSSTALK_HWLOC=ON.*placement: none' crosstalk campaign cores
    answers least 1 'without it: install libucx-dev .*-DCROSSTALK_DELAY=ON' crosstalk delay --latency 1us -- true
    answers least 1 'without OTF2: install libotf2-trace-dev, .*-DCROSSTALK_OTF2=ON' crosstalk goal traces.otf2
    answers least 1 'without OTF2: install libotf2-trace-dev, .*-DCROSSTALK_OTF2=ON' workload replay --trace traces.otf2
    answers least 0 'volume: ranks exchanged .* without Scotch' crosstalk place --all message.goal --o 1us --G 1ns --topology switch \
        --wire 1us --switch 1us
    answers least 1 'without Clp: .*-DCROSSTALK_CLP=ON' crosstalk tolerance message.goal "${model[@]}" --solver clp
fi
finish
