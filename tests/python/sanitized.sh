#!/usr/bin/env bash
# The tests of the package with the library of the preset asan.
set -u
source=${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=tests/skip.sh
. "$source/tests/skip.sh"
nm -D "${CROSSTALK_BUILD:?}/libcrosstalk/libcrosstalk.so.0" | grep -q __asan_init || { echo 'skipped: a build without sanitizers'; exit 77; }
runtime=$(clang -print-file-name="libclang_rt.asan-$(uname -m).so")
[ -e "$runtime" ] || skip_for_tool 'libclang-rt-dev is not installed'
# Python keeps what it has allocated: leaks are looked for by the test of memory, without sanitizers.
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 LD_PRELOAD=$runtime CROSSTALK_LONG=halo:4x4x4,levels=3
exec env -u PYTHONPATH /usr/bin/python3 "$source/tests/python/run.py" test_header.py test_package.py test_stop.py \
    -k 'not command_prints and not memory' -p no:faulthandler
