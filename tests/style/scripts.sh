#!/usr/bin/env bash
# Every shell script of the tree passes ShellCheck.
set -u
cd "${CROSSTALK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}" || exit 1
if ! command -v shellcheck >/dev/null; then
    echo "skipped: shellcheck is not installed (package shellcheck)"
    exit 77
fi
mapfile -t scripts < <(find . \( -name build -o -name .git \) -prune -o -type f -print | while IFS= read -r file; do
    head -c 64 "$file" | grep -qaE '^#!.*(bash|/sh)' && printf '%s\n' "$file"
done)
[ "${#scripts[@]}" -gt 0 ] || exit 1
shellcheck -x "${scripts[@]}" && echo "${#scripts[@]} scripts are clean"
