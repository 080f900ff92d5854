#!/usr/bin/env bash
# A wheel of the package of Python, with the library and what it needs in it.
# shellcheck disable=SC2016 # the loader expands $ORIGIN
set -eu
usage='Usage: packaging/build-wheel.sh OUTDIR

Builds libcrosstalk without MPI, puts it and the libraries that it is linked with beside the package of Python,
with the licence of each, and leaves a wheel in OUTDIR. Uses no network. Needs what the library is built with,
python3-build, python3-wheel and patchelf. The wheel runs where glibc is at least as new as here.'
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
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=${CROSSTALK_WHEEL_BUILD:-$work/build}

# Programs that the library starts are in libexec beside it.
cmake -S . -B "$build" -G Ninja --log-level=WARNING -DCMAKE_BUILD_TYPE=Release -DCROSSTALK_MPI=none -DCROSSTALK_ANALYSIS=ON \
    -DCROSSTALK_MEASURE=OFF -DCROSSTALK_TESTS=OFF -DCROSSTALK_LAB=OFF -DCROSSTALK_CAMPAIGN=OFF -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_INSTALL_LIBEXECDIR=lib/libexec -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_INSTALL_RPATH_USE_LINK_PATH=OFF
cmake --build "$build" -j"$(nproc)" --target crosstalk-library crosstalk-try

package=$work/python/crosstalk
cp -r python "$work/python"
rm -rf "$work/python/notebooks"
mkdir -p "$package/libs" "$package/licenses" "$package/libexec/crosstalk"
cp "$build"/libcrosstalk/libcrosstalk.so.0 "$package/"
cp "$build"/bin/crosstalk-try "$package/libexec/crosstalk/"
strip "$package/libcrosstalk.so.0" "$package/libexec/crosstalk/crosstalk-try"
echo 'LIBRARY = "libcrosstalk.so.0"' >"$package/_where.py"
cp LICENSE "$package/licenses/crosstalk.txt"
cp docs/python.md "$work/python/README.md"

# ---- what they are linked with; those of the C library are everybody's own ----
ldd "$package/libcrosstalk.so.0" "$package/libexec/crosstalk/crosstalk-try" | awk '$2 == "=>" { print $1, $3 }' | sort -u |
    grep -vE '^(libc|libm|libdl|libpthread|librt|libresolv)\.so' >"$work/needed"
while read -r name path; do
    [ -e "$path" ] || { echo "$name: not found"; exit 1; }
    cp -L "$path" "$package/libs/$name"
    patchelf --set-rpath '$ORIGIN' "$package/libs/$name"
    owner=$(dpkg -S "$path" 2>/dev/null || dpkg -S "$(realpath "$path")" || dpkg -S "/usr$path") || exit 1
    owner=${owner%%:*}
    cp -L "/usr/share/doc/$owner/copyright" "$package/licenses/$owner.txt"
done <"$work/needed"
patchelf --set-rpath '$ORIGIN/libs' "$package/libcrosstalk.so.0"
patchelf --set-rpath '$ORIGIN/../../libs' "$package/libexec/crosstalk/crosstalk-try"
# Licences that these refer to.
cp /usr/share/common-licenses/{GPL-3,LGPL-2.1,LGPL-3,Apache-2.0} "$package/licenses/"
if compgen -G "$package/libs/libmpi*" >/dev/null; then
    echo 'an MPI is among the libraries'
    exit 1
fi

version=$(sed -nE 's/^project\(crosstalk VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
echo "VERSION = \"$version\"" >"$work/python/_version.py"
glibc=$(getconf GNU_LIBC_VERSION | sed 's/.* //; s/\./_/')
printf '[bdist_wheel]\nplat_name = manylinux_%s_%s\n' "$glibc" "$(uname -m)" >"$work/python/setup.cfg"
cd "$work/python"
PATH=/usr/bin:$PATH python3 -m build --wheel --no-isolation --outdir "$out" . >"$work/log" 2>&1 || { tail -n 30 "$work/log"; exit 1; }
cd "$source"
ls -l "$out"/*.whl
