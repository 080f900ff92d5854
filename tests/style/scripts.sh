#!/usr/bin/env bash
# scripts.sh [all]: shell scripts pass ShellCheck; those that differ from the commit at which the row `style` passed, or
# every one.
set -u
cd "${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}" || exit 1
# shellcheck source=tests/skip.sh
. tests/skip.sh
# shellcheck source=tests/style/since.sh
. tests/style/since.sh
need shellcheck shellcheck
mapfile -t scripts < <(find . \( -name build -o -name .git \) -prune -o -type f \
    -exec awk 'FNR == 1 { if (/^#!.*(bash|\/sh)/) print FILENAME; nextfile }' {} +)
[ "${#scripts[@]}" -gt 0 ] || exit 1
# What many scripts source makes a difference to all of them.
[ "${1:-}" = all ] || mapfile -t scripts < <(since_row '*common.sh *mpi.sh *replays.sh *skip.sh *tries.sh' "${scripts[@]}")
[ "${#scripts[@]}" -eq 0 ] || shellcheck -x "${scripts[@]}" && echo "${#scripts[@]} scripts are clean"
