#!/bin/sh
# A rank of NWChem in a folder of its own, as on nodes with local disks: two jobs that run in one folder
# overwrite each other's files.
#
#     nwchem.sh INPUT.nw
input=$(realpath "$1") || exit
folder=$(mktemp -d) || exit
trap 'rm -rf "$folder"' EXIT
trap 'exit 143' INT TERM
cd "$folder" && nwchem.mpich "$input"
