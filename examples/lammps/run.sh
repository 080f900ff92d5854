#!/usr/bin/env bash
# LAMMPS, as Debian packages it, measured and predicted on an emulated switch of this machine.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/setup.sh
. scripts/setup.sh
results=lammps-results
campaign=examples/lammps/campaign.yaml

case ${1-} in
'') ;;
--short) # for a test: fewer runs, shorter ones
    campaign=$(mktemp --suffix=.yaml)
    trap 'rm -f "$campaign"' EXIT
    sed -e '/bubble: \(100\|50\|25\)ms/d' -e 's/baseline: 2, impact: 2/baseline: 1, impact: 1/; s/idle: 2/idle: 1/' \
        -e 's/impact: 8s, runtime: 16s/impact: 4s, runtime: 8s/' examples/lammps/campaign.yaml >"$campaign"
    results=lammps-results-short
    ;;
*)
    cat <<TEXT
Usage: examples/lammps/run.sh [--short]

Installs Debian's packages lammps and lammps-examples and what crosstalk needs (apt, as root or through
sudo), builds crosstalk with Open MPI, the MPI of that LAMMPS, and measures the unmodified program on an
emulated switch with 8 hosts: alone, traced, beside six loads of compressionb, and beside the proxy fft,
with a probe beside it. Then it prints how much of the network each uses, and the measured and the
predicted slowdowns. Takes about a quarter of an hour; interrupted, it goes on when started again.
Results are kept in $results/.

--short: two loads and short runs, four minutes, in $results-short/.
TEXT
    [[ $1 == --help ]] && exit 0
    exit 2
    ;;
esac

step "[1/4] packages"
install_packages build run lammps
step "[2/4] build"
build release-openmpi
PATH=$PWD/build/release-openmpi/bin:$PATH
step "[3/4] measure: $(crosstalk campaign plan --summary "$campaign")"
crosstalk campaign run "$campaign" -o "$results" ||
    die "the campaign did not end; start this script again to go on with it"
step "[4/4] measured and predicted"
crosstalk predict "$results" --models average_lt,queue,phase,simulated || die "no prediction"
crosstalk report "$results" -o "$results" || die "no report"
echo
echo "Report: $results/report.html"
