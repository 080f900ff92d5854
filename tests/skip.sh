# shellcheck shell=bash
# To be sourced. A test that cannot run on this machine says why and exits with 77, which ctest shows as
# skipped. A missing program is no such reason where all are promised (CROSSTALK_TOOLS=required, as in
# .ci/run): the test fails.

skip() { # WHY
    echo "skipped: $1"
    exit 77
}

skip_for_tool() { # WHY, naming what brings the program
    [ "${CROSSTALK_TOOLS:-}" = required ] || skip "$1"
    echo "failed: $1, and CROSSTALK_TOOLS=required"
    exit 1
}

# Part of a test is left out for want of a tool; the rest goes on.
not_tried() { # WHY, naming what brings the tool
    [ "${CROSSTALK_TOOLS:-}" != required ] || skip_for_tool "$1"
    echo "not tried: $1"
}

need() { # PROGRAM PACKAGE
    command -v "$1" >/dev/null || skip_for_tool "$1 is not installed (package $2)"
}
