#!/usr/bin/env bash
# The Debian packages, from an empty Debian 12 to the demo: built with no more than they ask for, installed
# with no more than they ask for, tried, replaced by those of the other MPI, and removed without a trace.
# Takes half an hour on two cores; needs root and debootstrap.
set -u
cd "$(dirname "$0")/.." || exit 1
if [ "${1-}" != --inside ]; then
    exec bash tests/soak/debian.sh 'git dpkg-dev' 'packaging/test-deb.sh --inside'
fi
[ -e /inside.sh ] || { echo 'not here: it installs and removes packages'; exit 2; }
step() { printf '== %s\n' "$1"; }
die() {
    echo "FAILED: $1"
    exit 1
}
apt() {
    apt-get -y --no-install-recommends -o APT::Get::Build-Dep-Automatic=true "$@" >/var/log/apt.out 2>&1 ||
        { tail -n 20 /var/log/apt.out; die "apt-get $*"; }
}
is_installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }
tests=$PWD/packaging/debian/tests
debs=/var/cache/crosstalk

step 'build, with what Build-Depends names'
apt build-dep ./packaging
apt install lintian
packaging/build-deb.sh "$debs" >/var/log/build.out 2>&1 || { tail -n 30 /var/log/build.out; die 'the build'; }
sed -n '/^\[.*tests passed/p; /tests passed/p; /^lintian has/p' /var/log/build.out
apt purge lintian
apt autoremove --purge
for package in mpich openmpi-bin libhdf5-103-1 libgsl27; do
    is_installed "$package" && die "$package is still there: what follows would not show a missing dependency"
done

step 'install, with what Depends names, and measure with MPICH'
apt install "$debs"/crosstalk_*.deb "$debs"/crosstalk-mpich_*.deb
apt install python3
is_installed openmpi-bin && die 'an MPI that nobody asked for'
"$tests/demo" || die 'the demo with MPICH'
man_pages=$(dpkg -L crosstalk crosstalk-mpich | grep -c '/man1/.*\.gz$')
echo "$man_pages man pages"

step 'the library'
apt install "$debs"/libcrosstalk0_*.deb "$debs"/libcrosstalk-dev_*.deb gcc libc6-dev pkg-config
"$tests/library" || die 'the library'

step 'the package of Python'
apt install "$debs"/python3-crosstalk_*.deb
"$tests/python" || die 'the package of Python'

step 'the programs of the other MPI instead'
apt install "$debs"/crosstalk-openmpi_*.deb
is_installed crosstalk-mpich && die 'programs of two MPIs at once'
apt autoremove --purge
"$tests/demo" || die 'the demo with Open MPI'

step 'remove'
mapfile -t files < <(dpkg -L crosstalk crosstalk-openmpi libcrosstalk0 libcrosstalk-dev python3-crosstalk | sort -u | grep -vx '/\.')
apt purge crosstalk crosstalk-openmpi libcrosstalk0 libcrosstalk-dev python3-crosstalk
for file in "${files[@]}"; do
    [[ ! -e $file || $(dpkg -S "$file" 2>/dev/null) ]] || die "$file is still there"
done
echo 'the packages are as they should be'
