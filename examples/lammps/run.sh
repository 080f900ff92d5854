#!/usr/bin/env bash
# LAMMPS, as Debian packages it, measured and predicted on an emulated switch of this machine.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
run_example lammps LAMMPS 'Open MPI' release-openmpi 'alone, traced, beside' 12 4 "$@"
