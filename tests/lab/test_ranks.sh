#!/usr/bin/env bash
# MPI programs in a lab: placement, signals, exit codes, and that launching leaves the measured
# network alone.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
up_or_skip --hosts 4

hosts_of() {
    sort -k 2n | awk '{ printf "%s%s", (NR > 1 ? " " : ""), $4 }'
}
check "one rank a host" equal "$(lab_ mpiexec -- lab_ranks where | hosts_of)" "h1 h2 h3 h4"
check "hosts are filled in turn" equal "$(lab_ mpiexec --ppn 2 -n 6 -- lab_ranks where | hosts_of)" \
    "h1 h1 h2 h2 h3 h3"
check "hosts can be chosen" equal "$(lab_ mpiexec --hosts-used h4,h2 -- lab_ranks where | hosts_of)" "h4 h2"
# crosstalk place: those that talk most go to hosts of one leaf, which are not next to each other.
printf 'h2\nh4\nh1\nh3\n' >"$work/leaves"
printf -- '- 9ms 1us 9ms\n9ms - 9ms 1us\n1us 9ms - 9ms\n9ms 1us 9ms -\n' >"$work/matrix"
printf 'num_ranks 4\nrank 0 {\na: send 8b to 1 tag 0\n}\nrank 1 {\na: recv 8b from 0 tag 0\n}
rank 2 {\na: send 8b to 3 tag 0\n}\nrank 3 {\na: recv 8b from 2 tag 0\n}\n' >"$work/couples.goal"
timeout -k 2 20 crosstalk place "$work/couples.goal" --o 1us --G 1ns --matrix "$work/matrix" --hosts "$work/leaves" \
    --seed 1 --format hostfile >"$work/mapping"
placed=$(lab_ mpiexec --hosts-used "$(paste -sd, "$work/mapping")" -- lab_ranks where | hosts_of)
check "ranks are where crosstalk place has them" equal "$placed" "$(paste -sd' ' "$work/mapping")"
check "couples are together" grep -Eq '^(h1 h2|h2 h1|h3 h4|h4 h3) (h1 h2|h2 h1|h3 h4|h4 h3)$' <<<"$placed"
check "a host that is not there" fails_with 1 "'h7'" lab_ mpiexec --hosts-used h1,h7 -- lab_ranks where
check "a program that is not there fails" bash -c '! timeout -k 2 20 crosstalk lab mpiexec -- no-such-program'
check "a failed rank is a failure" bash -c '! timeout -k 2 20 crosstalk lab mpiexec -- false'

timeout -k 2 10 crosstalk lab counters --interval 1s --format csv >"$work/counters" &
sleep 0.2
lab_ mpiexec -- hostname >/dev/null
wait
check "launching does not touch the measured network" equal \
    "$(awk -F, '/^h[0-9]/ { n += $2 + $7 } END { print n }' "$work/counters")" 0

# Nothing goes over memory that hosts share, nor over the management network; what stays within a host
# does not reach the switch.
check "hosts are nodes to MPI" equal "$(lab_ mpiexec -- lab_ranks nodes)" "4 nodes"
check "ranks of different hosts use the measured network" between "$(bytes_from_hosts 1 lab_ranks exchange 20)" 8.2e6 9.6e6
check "and only these do" between "$(bytes_from_hosts 2 lab_ranks exchange 10)" 4.1e6 4.8e6

for signal in TERM INT; do
    start_ready "$work/ranks" crosstalk lab mpiexec --deadline 15s -- lab_ranks until-signal
    kill -$signal "$ready_pid"
    wait "$ready_pid"
    check "SIG$signal: the exit code is that of the ranks" equal "$?" 7
    check "SIG$signal: each rank got it once and could finish" equal \
        "$(grep -c '^rank [0-3] got 1$' "$work/ranks")" 4
done
check "timeout(1), which signals twice, ends the ranks as well" fails_with 124 'rank 0 got 1' \
    timeout -k 5 3 crosstalk lab mpiexec -- lab_ranks until-signal
check "nobody is left" wait_until nobody_inside
finish
