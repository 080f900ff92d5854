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

# --- several switches
check "up with several switches" fails_with 0 'tree:2x2,2: 4 switches' lab_ up --topology tree:2x2 --spines 2
start_ready "$work/echo.out" lab_ exec --host h4 -- "$helpers/lab_traffic" echo
links() { lab_ counters --interval 1ms --format json | grep -c '"from"'; }
check "hosts of two leaves see each other" lab_ exec --host h1 -- "$helpers/lab_traffic" ping 10.77.0.4 50 0
check "counters of links" equal "$(links)" 8
check "down" lab_ down
wait

# --- with a latency
check "up with a latency" fails_with 0 '2ms later, by ' lab_ up --hosts 2 --latency 2ms
start_ready "$work/echo.out" lab_ exec --host h2 -- "$helpers/lab_traffic" echo
way() {
    lab_ exec --host h1 -- "$helpers/lab_traffic" ping 10.77.0.2 100 0 | awk '{ print $5 }'
}
check "packets are later" between "$(way)" 2000 4000
check "another latency" lab_ latency 500us
check "packets are later by that" between "$(way)" 500 1900
check "none was lost" grep -qE '^lost in it +0$' <<<"$(lab_ status)"
check "down" lab_ down
wait
check "nothing is left" equal "$(ls "$CROSSTALK_LAB_DIR")" ""
finish
