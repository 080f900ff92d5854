#!/usr/bin/env bash
# A new user's machine: an empty Debian 12, made with debootstrap, with packages that stand for what users
# have before they come. In it commands run in a fresh clone of this tree's HEAD.
#
#     debian.sh "PACKAGE..." COMMAND...        debian.sh "openmpi-bin libopenmpi-dev" ./demo ./check
#
# The mirror and apt's settings are this machine's. CROSSTALK_SOAK_DIR keeps the base system for next time. A folder CROSSTALK_SOAK_FILES is there as /files.
set -u
packages=$1
shift
source_dir=${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
skip() {
    echo "skipped: $1"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "debootstrap needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
mirror=$(sed -nE 's/^(URIs:|deb( \[[^]]*\])?) +([^ ]*\/debian\/?)( .*)?$/\3/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
[ -n "$mirror" ] || skip "no mirror of Debian in apt's sources"

kept=${CROSSTALK_SOAK_DIR:-}
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
base=${kept:-$work}/debian12.tar
if [ ! -e "$base" ]; then
    mkdir -p "${kept:-$work}"
    debootstrap --variant=minbase bookworm "$work/base" "$mirror" >"$work/log" 2>&1 ||
        { tail -n 5 "$work/log"; exit 1; }
    tar -C "$work/base" -cf "$base.tmp" . && mv "$base.tmp" "$base"
    rm -rf "$work/base"
fi
root=$work/root
mkdir "$root" && tar -C "$root" -xf "$base" || exit 1
# As apt is set up here; nothing else of this machine.
rm -rf "$root"/etc/apt/sources.list*
cp -r /etc/apt/sources.list.d "$root/etc/apt/"
[ -e /etc/apt/sources.list ] && cp /etc/apt/sources.list "$root/etc/apt/"
find "$root/etc/apt/sources.list.d" -type f ! -name 'debian*' -delete
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2>/dev/null
cp /etc/resolv.conf /etc/hosts "$root/etc/"
git clone -q "$source_dir" "$root/crosstalk" || exit 1
[ -z "${CROSSTALK_SOAK_FILES:-}" ] || cp -r "$CROSSTALK_SOAK_FILES" "$root/files" || exit 1

cat >"$root/inside.sh" <<'INSIDE'
#!/usr/bin/env bash
set -u
cd /crosstalk || exit 1
export HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive
packages=$1
shift
if [ -n "$packages" ]; then
    # shellcheck disable=SC2086
    { apt-get update && apt-get install -y --no-install-recommends $packages; } >/var/log/before 2>&1 ||
        { tail -n 5 /var/log/before; exit 1; }
fi
for command; do
    echo "== $command in an empty Debian 12${packages:+ with $packages}"
    $command </dev/null || { echo "FAILED: $command, exit code $?"; exit 1; }
done
INSIDE
# pivot_root, not chroot: the lab enters mount namespaces, which takes a process out of a chroot. Without what the
# environment says of this machine, such as its launcher of MPI programs.
# shellcheck disable=SC2016 # the inner shell expands what is in quotes
unshare --mount --pid --fork --propagation private bash -c '
    root=$1 && shift
    mount --bind "$root" "$root" && cd "$root" && mkdir -p old &&
        mount -t proc proc proc && mount --rbind /sys sys && mount --rbind /dev dev &&
        mount -t tmpfs tmpfs run && mount -t tmpfs tmpfs tmp &&
        pivot_root . old && umount -l /old && exec env -i /bin/bash /inside.sh "$@"' bash "$root" "$packages" "$@"
