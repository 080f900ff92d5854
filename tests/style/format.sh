#!/usr/bin/env bash
# Every C file is as clang-format 14 writes it. Other versions differ in details, so they do not count.
set -u
cd "${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}" || exit 1
# shellcheck source=tests/skip.sh
. tests/skip.sh
format=$(command -v clang-format-14 || command -v clang-format)
if [ -z "$format" ] || ! "$format" --version | grep -q 'version 14\.'; then
    skip_for_tool "clang-format 14 is not installed (package clang-format-14)"
fi
mapfile -t files < <(find core model predict simulate calibrate plot report results lab bench study campaign trace lp-bridge cli libcrosstalk examples tests \
    -name "*.[ch]" -o -name "*.cpp")
"$format" --dry-run -Werror "${files[@]}" && echo "${#files[@]} files are clean"
