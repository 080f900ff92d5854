#!/usr/bin/env bash
# sealed.sh COMMAND...: run it in namespaces of its own, with empty folders /tmp, /run and /dev/shm, so
# that every process, interface, file and segment that it leaves behind can be seen, and goes away at
# last. Exit code 77 where the system does not allow that.
set -u
self=$(readlink -f "${BASH_SOURCE[0]}")

if [ "${1-}" != --inside ]; then
    user=()
    [ "$(id -u)" -eq 0 ] || user=(--user --map-root-user)
    seal=(unshare "${user[@]}" --mount --pid --net --ipc --fork --kill-child --mount-proc)
    if ! "${seal[@]}" true; then
        echo 'skipped: no namespaces of its own for this test'
        exit 77
    fi
    exec "${seal[@]}" bash "$self" --inside "$@"
fi
shift

# What is below the folders that are hidden and is needed comes back at its place.
empty() { # folder
    local kept=/mnt/${1//\//_} needed
    mkdir "$kept" && mount -n --rbind "$1" "$kept" && mount -n -t tmpfs -o mode=1777 tmpfs "$1" || exit 1
    for needed in "$CROSSTALK_SOURCE" "$CROSSTALK_BUILD" "$CROSSTALK_BIN"; do
        if [[ $needed == "$1"/* && ! -e $needed ]]; then
            mkdir -p "$needed" && mount -n --rbind "$kept/${needed#"$1"/}" "$needed" || exit 1
        fi
    done
}

mount -n -t tmpfs tmpfs /mnt || exit 1
for folder in /tmp /run /dev/shm; do
    empty "$folder"
done
cd / || exit 1
ip link set lo up
# Not exec: what loses its parent becomes a child of process 1, and is not to be taken for the command's.
"$@"
exit $?
