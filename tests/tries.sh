# shellcheck shell=bash
# To be sourced. What the network, the launcher or other programs of the machine may spoil is tried again, and counted:
# ./check prints the counts, and fails where more than one in fifty was tried again.

# in_tries N WHAT COMMAND...: until it succeeds, at most N times. $CROSSTALK_TRIES gets a line: tries, WHAT.
in_tries() {
    local most=$1 what=$2 try
    shift 2
    for ((try = 1; try <= most; try++)); do
        "$@" && break
        echo "try $try of $most: $what"
    done
    [ -z "${CROSSTALK_TRIES:-}" ] || echo "$((try <= most ? try : most)) $what" >>"$CROSSTALK_TRIES"
    [ "$try" -le "$most" ]
}

# tries_are_few FILE: prints the sums of such a file; one more try is no share yet.
tries_are_few() {
    [ -s "$1" ] || return 0
    awk '{ n++; again += $1 - 1; if ($1 > 1) print "tried " $1 " times:" substr($0, length($1) + 1) }
        END { printf "%d measurements, %d tried again\n", n, again; exit again > (n > 50 ? n / 50 : 1) }' "$1"
}
