#!/usr/bin/env bash
# format.sh [all]: C files are as clang-format 14 writes them; those that differ from the commit at which the row `style`
# passed, or every one. Other versions differ in details, so they do not count.
set -u
cd "${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}" || exit 1
# shellcheck source=tests/skip.sh
. tests/skip.sh
# shellcheck source=tests/style/since.sh
. tests/style/since.sh
format=$(command -v clang-format-14 || command -v clang-format)
if [ -z "$format" ] || ! "$format" --version | grep -q 'version 14\.'; then
    skip_for_tool "clang-format 14 is not installed (package clang-format-14)"
fi
mapfile -t files < <(find core model predict simulate calibrate plot report results lab bench study campaign trace lp-bridge cli libcrosstalk examples tests \
    -name "*.[ch]" -o -name "*.cpp")
[ "${#files[@]}" -gt 0 ] || exit 1
[ "${1:-}" = all ] || mapfile -t files < <(since_row .clang-format "${files[@]}")
[ "${#files[@]}" -eq 0 ] || "$format" --dry-run -Werror "${files[@]}" && echo "${#files[@]} files are clean"
