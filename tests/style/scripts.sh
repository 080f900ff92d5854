#!/usr/bin/env bash
# Every shell script of the tree passes ShellCheck.
set -u
cd "${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}" || exit 1
# shellcheck source=tests/skip.sh
. tests/skip.sh
need shellcheck shellcheck
mapfile -t scripts < <(find . \( -name build -o -name .git \) -prune -o -type f \
    -exec awk 'FNR == 1 { if (/^#!.*(bash|\/sh)/) print FILENAME; nextfile }' {} +)
[ "${#scripts[@]}" -gt 0 ] || exit 1
shellcheck -x "${scripts[@]}" && echo "${#scripts[@]} scripts are clean"
