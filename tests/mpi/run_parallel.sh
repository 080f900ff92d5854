#!/usr/bin/env bash
# run_parallel.sh [RANKS]: run files written by 1 to 16 ranks, or by so many, on the disk of this machine and, where small file systems can be
# mounted, on one that cannot reserve room (ext2), and on full ones with and without that ability.
set -u
# shellcheck source=tests/mpi/mpi.sh
. "$(dirname "$0")/mpi.sh"
program=${CROSSTALK_BUILD:?}/tests/test_run_parallel
work=$(mktemp -d)
mpi_files_in "$work"
cleanup() {
    for folder in tmpfs ext2 ext2_full; do
        mountpoint -q "$work/$folder" && umount "$work/$folder"
    done
    rm -rf "$work"
}
trap cleanup EXIT

mount_ext2() { # folder, KiB
    dd if=/dev/zero of="$work/$1.image" bs=1k count="$2" status=none &&
        mkfs.ext2 -q -F "$work/$1.image" && mount -o loop "$work/$1.image" "$work/$1"
}

run() { # ranks, arguments
    local ranks=$1
    shift
    sleeping "$ranks" timeout -k 2 180 mpiexec -n "$ranks" "$program" "$@" || {
        echo "FAILED with $ranks ranks in $1: exit code $?"
        exit 1
    }
    rm -f "$1"/*.h5
}

mkdir "$work"/{disk,tmpfs,ext2,ext2_full}
run_all() {
    local full=() many=(4 16) ranks
    if mount -t tmpfs -o size=300k tmpfs "$work/tmpfs" 2>/dev/null; then
        full+=("$work/tmpfs")
    fi
    if mount_ext2 ext2_full 700 2>/dev/null && mount_ext2 ext2 16000 2>/dev/null; then
        full+=("$work/ext2_full")
        run 2 "$work/ext2"
    fi
    echo "full file systems to test with: ${#full[@]} of 2"
    run 1 "$work/disk"
    for ranks in 2 3; do
        run "$ranks" "$work/disk" "${full[@]}"
    done
    [ -e "$CROSSTALK_BUILD/lab/libcrosstalk-lab.so" ] || many=(4) # they spin
    for ranks in "${many[@]}"; do
        run "$ranks" "$work/disk"
    done
}
if [ $# -gt 0 ]; then
    run "$1" "$work/disk"
else
    run_all
fi
left=$(find "$work" -name '*.tmp.*')
[ -z "$left" ] || { echo "temporary files were left: $left"; exit 1; }
