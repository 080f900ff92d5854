#!/usr/bin/env bash
# trace.sh TRACES: the ten programs of this folder under crosstalk trace, 8 ranks each, at most DEADLINE (300 s), into
# TRACES/NAME. They are those of Debian 12, with Open MPI; one whose traces are there is left out. CROSSTALK_TRACE_LIBRARY
# may name the tracer of a build with Open MPI.
set -u
inputs=$(realpath "$(dirname "$0")")/inputs
if [ $# -ne 1 ]; then
    sed -n '2,4s/^# //p' "$0" >&2
    exit 2
fi
traces=$(realpath -m "$1")
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 WM_PROJECT_DIR=/usr/share/openfoam
mpi=(mpiexec.openmpi --allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 --mca btl_vader_single_copy_mechanism none
    -x LD_PRELOAD -x CROSSTALK_TRACE_DIR -n 8)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# trace_program NAME COMMAND...: in a folder of its own. Traces of a program that is ended by the deadline count.
trace_program() {
    local name=$1
    shift
    [ -e "$traces/$name" ] && return
    mkdir -p "$traces" "$work/$name"
    (cd "$work/$name" && crosstalk trace --compute cpu -o "$traces/$name" -- timeout "${DEADLINE:-300}" "${mpi[@]}" "$@") \
        >"$work/$name.log" 2>&1 && return
    tail -n 20 "$work/$name.log" >&2
    echo "trace.sh: $name did not end by itself" >&2
}

# make_cavity: the lid-driven cavity of OpenFOAM's tutorials, 20 x 20 cells, divided among eight ranks
make_cavity() {
    cp -r /usr/share/doc/openfoam-examples/examples/incompressible/icoFoam/cavity/cavity "$work/openfoam" || return
    cd "$work/openfoam" || return
    find . -name '*.gz' -exec gunzip {} +
    sed -i 's/^endTime.*/endTime 0.1;/' system/controlDict
    cat >system/decomposeParDict <<'DICT'
FoamFile { version 2.0; format ascii; class dictionary; object decomposeParDict; }
numberOfSubdomains 8;
method simple;
simpleCoeffs { n (4 2 1); delta 0.001; }
DICT
    blockMesh && decomposePar
}

trace_program abinit abinit "$inputs/abinit.abi"
trace_program cp cp.x -in "$inputs/cp.in"
trace_program cp2k cp2k.psmp -i "$inputs/cp2k.inp"
mkdir "$work/elk" && cp "$inputs/elk.in" "$work/elk/"
trace_program elk elk-lapw
mkdir "$work/hpcc" && cp "$inputs/hpccinf.txt" "$work/hpcc/"
trace_program hpcc hpcc
trace_program lammps lmp -in "$inputs/lammps.in" -log none -screen none
trace_program meep meep "$inputs/meep.ctl"
trace_program mpb mpb-mpi "$inputs/mpb.ctl"
(make_cavity) >"$work/mesh.log" 2>&1 || tail -n 20 "$work/mesh.log" >&2
trace_program openfoam icoFoam -parallel
trace_program pwscf pw.x -in "$inputs/pwscf.in"
