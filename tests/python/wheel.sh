#!/usr/bin/env bash
# The wheel, from sources to another Debian where nothing of the library is installed.
#
#     wheel.sh        builds it here, then:    wheel.sh --inside    in an empty Debian, with numpy and pip
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=tests/skip.sh
. tests/skip.sh
if [ "${1-}" != --inside ]; then
    need patchelf patchelf
    /usr/bin/python3 -c 'import build, wheel' 2>/dev/null || skip_for_tool 'python3-build or python3-wheel is not installed'
    wheels=$(mktemp -d)
    trap 'rm -rf "$wheels"' EXIT
    unshare -n packaging/build-wheel.sh "$wheels" # no network
    CROSSTALK_SOAK_FILES=$wheels bash tests/soak/debian.sh 'python3-numpy python3-pip' 'tests/python/wheel.sh --inside'
    exit
fi
[ -e /inside.sh ] || { echo 'not here: it installs packages'; exit 2; }
[ ! -e /usr/lib/x86_64-linux-gnu/libhdf5_serial.so.103 ] || { echo 'HDF5 is here: nothing would be shown'; exit 1; }
pip install --no-index --break-system-packages /files/*.whl >/var/log/pip.out 2>&1 || { cat /var/log/pip.out; exit 1; }
cd /
python3 - <<'PYTHON'
import pathlib
import shutil
import crosstalk
lab8 = "/crosstalk/examples/lab8"
campaign = crosstalk.Campaign(lab8)
print(len(campaign.apps), "applications;", campaign.predict("milc", "fft", model="queue"))
run = next(run for run in crosstalk.RunList(lab8) if run.kind == "impact")
print(len(crosstalk.Run(run.path).samples), "samples")
milc = crosstalk.Schedule(lab8 + "/traces/milc")
print(crosstalk.simulate(milc, logp=lab8 + "/logp.h5")[0])
print(crosstalk.place(milc, crosstalk.Topology("tree:2x4"), wire_s=1e-6, switch_s=1e-6, logp=lab8 + "/logp.h5"))
inside = pathlib.Path(crosstalk.__file__).parent
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "/lib" in line and ".so" in line}
assert str(inside / "libcrosstalk.so.0") in loaded
assert any("hdf5" in one and str(inside) in one for one in loaded), loaded
assert not any("mpi" in pathlib.Path(one).name for one in loaded), loaded
licences = {one.name for one in (inside / "licenses").iterdir()}
assert {"crosstalk.txt", "libgsl27.txt", "libhdf5-103-1.txt", "GPL-3"} <= licences, licences
# A file without a checksum is tried by a program of the wheel.
assert (inside / "libexec/crosstalk/crosstalk-try").stat().st_mode & 0o111
shutil.copy(lab8 + "/logp.h5", "/tmp/cut.h5")
with open("/tmp/cut.h5", "r+b") as file:
    file.truncate(5000)
try:
    crosstalk.Run("/tmp/cut.h5")
    raise SystemExit("a file that was cut is read")
except crosstalk.Error as error:
    print(error)
PYTHON
echo 'the wheel works'
