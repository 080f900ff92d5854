#!/usr/bin/env bash
# NWChem, as Debian packages it, measured and predicted on an emulated switch of this machine.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
run_example nwchem NWChem 'MPICH' release-mpich 'alone, beside' 20 8 "$@"
