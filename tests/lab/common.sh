# shellcheck shell=bash
# For the tests of the lab: own state folder, checks, clean-up. $1 of a test: where its helpers are.
set -u
# shellcheck source=tests/skip.sh
. "${CROSSTALK_SOURCE:?}/tests/skip.sh"
# shellcheck source=tests/tries.sh
. "$CROSSTALK_SOURCE/tests/tries.sh"
helpers=${1:?folder of lab_traffic and lab_ranks}
PATH=${CROSSTALK_BIN:?}:$helpers:$PATH
work=$(mktemp -d)
chmod 755 "$work"
export CROSSTALK_LAB_DIR=$work/state CROSSTALK_LAB=test
unset UCX_TLS UCX_NET_DEVICES MPIR_CVAR_NOLOCAL CROSSTALK_LAB_POLL_US
failures=0

cleanup() {
    local lab
    for lab in "$CROSSTALK_LAB_DIR"/*/; do
        [ -d "$lab" ] && lab_ down --id "$(basename "$lab")" -q
    done
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM

# Every call of crosstalk has a deadline.
lab_() {
    timeout -k 2 20 crosstalk lab "$@"
}

check() { # what, command...: the command succeeds
    local what=$1
    shift
    if "$@" >"$work/check.out" 2>&1; then
        echo "ok: $what"
    else
        failures=$((failures + 1))
        echo "FAILED: $what: $*"
        sed 's/^/    /' "$work/check.out" | head -n 12
        return 1
    fi
}

fails_with() { # exit code, pattern, command...: it fails so, and its message matches
    local code=$1 pattern=$2 got
    shift 2
    "$@" >"$work/fails.out" 2>&1
    got=$?
    cat "$work/fails.out"
    [ "$got" -eq "$code" ] && { [ -z "$pattern" ] || grep -qE -- "$pattern" "$work/fails.out"; }
}

equal() {
    echo "'$1' should be '$2'"
    [ "$1" = "$2" ]
}

between() { # value, low, high
    echo "$1 should be in $2 .. $3"
    awk -v x="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(x >= low && x <= high) }'
}

wait_until() { # command...: becomes true within 5 s
    local i
    for ((i = 0; i < 250; i++)); do
        "$@" && return 0
        sleep 0.02
    done
    return 1
}

# In the background, until it has written "ready"; $ready_pid is its number.
start_ready() { # output file, command...
    rm -f "$1" # what the one before wrote there is no answer of this one
    "${@:2}" >"$1" &
    ready_pid=$!
    wait_until grep -qs ready "$1"
}

processes_inside() { # number of live processes
    lab_ status --format csv | awk -F, '/^pid,/ { inside = 1; next } inside && NF == 2 { n++ } END { print n + 0 }'
}

nobody_inside() {
    [ "$(processes_inside)" = 0 ]
}

at_least_inside() { # number of processes
    [ "$(processes_inside)" -ge "$1" ]
}

# ranks per host, program...: bytes that it makes the hosts send within 4 s. A frame carries 1448 bytes
# of data in 1514.
bytes_from_hosts() {
    local per_host=$1
    shift
    timeout -k 2 20 crosstalk lab counters --interval 4s --format csv >"$work/counters" &
    sleep 0.2
    lab_ mpiexec --ppn "$per_host" -- "$@" >/dev/null
    wait
    awk -F, '/^h[0-9]/ { n += $7 } END { print n }' "$work/counters"
}

# FILE EXPRESSION of the JSON document d in it
value() {
    python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

# Build the first lab, or say why nothing can be tested here.
up_or_skip() {
    if ! lab_ up "$@" >"$work/up.out" 2>&1; then
        cat "$work/up.out"
        if grep -q 'not found in PATH' "$work/up.out"; then
            skip_for_tool "no lab is possible here"
        elif grep -qE 'Needed: root|CONFIG_|cannot show this host' "$work/up.out"; then
            skip "no lab is possible here"
        fi
        exit 1
    fi
}

finish() {
    [ "$failures" -eq 0 ] || echo "$failures checks failed"
    exit $((failures > 0))
}
