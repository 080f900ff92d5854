#!/usr/bin/env bash
# Debian packages of what is committed.
set -eu
usage='Usage: packaging/build-deb.sh OUTDIR

Makes the source package and the binary packages of the last commit with dpkg-buildpackage, checks
them with lintian where that is installed, and leaves them in OUTDIR. Needs dpkg-dev, and the
packages of Build-Depends in packaging/debian/control; it names those that are missing. DEB_BUILD_OPTIONS=nocheck leaves the unit tests out.'
case ${1-} in
'' | -*)
    echo "$usage"
    [ "${1-}" = --help ] && exit 0
    exit 2
    ;;
esac
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

full=$(dpkg-parsechangelog -l packaging/debian/changelog -S Version)
version=${full%-*}
declared=$(sed -nE 's/^project\(crosstalk VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
if [ "$version" != "$declared" ]; then
    echo "packaging/debian/changelog is of version $version, CMakeLists.txt of $declared"
    exit 1
fi
# Without the packaging, which Debian keeps apart.
git archive --prefix="crosstalk-$version/" HEAD | tar -x -C "$work"
cp -r packaging/debian "$work/debian"
tar -C "$work" -cJf "$work/crosstalk_$version.orig.tar.xz" "crosstalk-$version"
mv "$work/debian" "$work/crosstalk-$version/debian"
cd "$work/crosstalk-$version"
export DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS-parallel=$(nproc)}
dpkg-buildpackage --unsigned-source --unsigned-changes
cd ..
cp ./*.deb ./*.dsc ./*.orig.tar.xz ./*.debian.tar.xz ./*.buildinfo ./*.changes "$out"
echo "packages are in $out"
if command -v lintian >/dev/null; then
    lintian --allow-root --display-experimental --pedantic --fail-on error,warning,pedantic,experimental ./*.changes
    echo 'lintian has nothing to say'
else
    echo 'not checked: lintian is not installed'
fi
