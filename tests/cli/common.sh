# shellcheck shell=bash
# To be sourced by tests that compare what commands print: a folder that goes away, checks, the end.
set -u
# shellcheck source=tests/skip.sh
. "$(dirname "${BASH_SOURCE[0]}")/../skip.sh"
PATH=${CROSSTALK_BIN:?}:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 cases=0

check() { # what, expected, got
    cases=$((cases + 1))
    [ "$2" = "$3" ] && return
    failures=$((failures + 1))
    printf 'FAILED: %s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
}

finish() {
    echo "$cases cases, $failures failed"
    exit $((failures > 0))
}
