#!/usr/bin/env bash
# LAMMPS, as Debian packages it, measured and predicted on an emulated switch of this machine.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/setup.sh
. scripts/setup.sh
# shellcheck source=scripts/example.sh
. scripts/example.sh

case ${1-} in
'' | --short) ;;
*)
    cat <<'TEXT'
Usage: examples/lammps/run.sh [--short]

Installs the packages of [build], [run] and [lammps] in packages.txt that are missing (apt, as root or
through sudo), builds crosstalk with Open MPI, the MPI of that LAMMPS, and measures the
unmodified program on an emulated switch: alone, traced, beside loads of compressionb, beside the
proxy fft, and with a probe beside it. Then it prints how much of the network each uses, and the
measured and the predicted slowdowns. Takes about 12 minutes; interrupted, it goes on when it is
started again. Results are kept in lammps-results/.

--short: two loads and short runs, about 4 minutes, in lammps-results-short/.
TEXT
    [[ $1 == --help ]] && exit 0
    exit 2
    ;;
esac
measure_example lammps release-openmpi "${1-}"
