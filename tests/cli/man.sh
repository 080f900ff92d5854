#!/usr/bin/env bash
# Every program has a man page that the formatter takes without a complaint.
set -u
# shellcheck source=tests/skip.sh
. "${CROSSTALK_SOURCE:?}/tests/skip.sh"
failures=0
pages=("${CROSSTALK_BUILD:?}"/docs/man/*.1)
[ -e "${pages[0]}" ] || { echo "no man page was built"; exit 1; }
command -v groff >/dev/null || not_tried 'groff is not installed (package groff-base)'
for page in "${pages[@]}"; do
    # A command of earlier versions is a pointer to its successor.
    if successor=$(sed -n 's|^\.so man1/||p' "$page") && [ -n "$successor" ]; then
        [ -e "${page%/*}/$successor" ] || { echo "$page: $successor is not there"; failures=1; }
        continue
    fi
    for section in NAME SYNOPSIS 'EXIT STATUS'; do
        grep -q "^\.SH $section" "$page" || { echo "$page: section $section is missing"; failures=1; }
    done
    if command -v groff >/dev/null; then
        complaints=$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)
        [ -z "$complaints" ] || { echo "$page: $complaints"; failures=1; }
    fi
done
while read -r command; do
    # The lab may be left out: then there is a message in its place.
    "${CROSSTALK_BIN:?}"/crosstalk "$command" --man >/dev/null 2>&1 || continue
    [ -e "$CROSSTALK_BUILD/docs/man/crosstalk-$command.1" ] || { echo "crosstalk $command: no man page"; failures=1; }
done < <("${CROSSTALK_BIN:?}"/crosstalk --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p')
echo "${#pages[@]} man pages"
exit "$failures"
