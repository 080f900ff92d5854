#!/usr/bin/env bash
# A lab without root, in a user namespace.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
as_user=()
if [ "$(id -u)" -eq 0 ]; then
    need setpriv util-linux
    as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all)
    "${as_user[@]}" test -x "$CROSSTALK_BIN/crosstalk" || skip "$CROSSTALK_BIN is not readable for other users"
    mkdir "$CROSSTALK_LAB_DIR"
    chown 65534:65534 "$CROSSTALK_LAB_DIR"
fi
lab_() {
    (cd / && timeout -k 2 20 "${as_user[@]}" "$CROSSTALK_BIN/crosstalk" lab "$@")
}

up_or_skip --hosts 3
check "it says how it was built" grep -q 'own user namespace' <<<"$(lab_ status)"
check "a command is at its host" equal "$(lab_ exec --host h2 -- hostname)" h2
check "the hosts see each other" lab_ exec --host h1 -- sh -c 'ip neigh show dev eth0 | grep -q 10.77.0.3'
check "the ports are shaped" grep -q 'qdisc htb' <<<"$(lab_ exec -- tc qdisc show dev p1)"
check "counters" grep -q '^h3,0,' <<<"$(lab_ counters --interval 10ms --format csv)"
if command -v mpiexec >/dev/null; then
    check "ranks" equal "$(lab_ mpiexec -- hostname | sort | tr '\n' ' ')" "h1 h2 h3 "
else
    not_tried 'mpiexec is not installed (package mpich)'
fi
check "down" lab_ down
finish
