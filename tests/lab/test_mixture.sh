#!/usr/bin/env bash
# Programs of two MPIs in one lab: the launcher is that of each program, impactb probes beside an
# application of the other MPI, and a campaign measures it.
# shellcheck disable=SC2317 # called by check
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1
other=openmpi
[ "${CROSSTALK_MPI:?}" = openmpi ] && other=mpich
need "mpicc.$other" "libmpich-dev or libopenmpi-dev, the other MPI"
"mpicc.$other" -o other "${CROSSTALK_SOURCE:?}/tests/lab/ranks.c" || exit 1
printf '#!/bin/sh\nexec %s/other "$@"\n' "$work" >script
chmod +x script
up_or_skip --hosts 4 --rate 50mbit

check 'its ranks find each other' equal "$(lab_ mpiexec -- ./other nodes)" '4 nodes'
check 'those of this MPI do, too' equal "$(lab_ mpiexec -- lab_ranks nodes)" '4 nodes'
check 'through a wrapper' equal "$(lab_ mpiexec -- env A=b ./other nodes)" '4 nodes'
check 'within the words of a shell' equal "$(lab_ mpiexec -- sh -c 'cd / && exec '"$work"'/other nodes')" '4 nodes'
check 'a launcher of the other MPI is not for it' equal \
    "$(lab_ mpiexec --mpiexec "${CROSSTALK_MPIEXEC:?}" -- ./other nodes)" '4 nodes'
check 'a script tells nothing: each rank is alone' equal "$(lab_ mpiexec -- ./script nodes | sort -u)" '1 nodes'
check 'unless its MPI is named' equal "$(lab_ mpiexec --mpi "$other" -- ./script nodes)" '4 nodes'
check 'it uses the measured network' between "$(bytes_from_hosts 1 ./other exchange 20)" 8.2e6 9.6e6
check 'a tracer of this MPI is not for it' fails_with 1 'other is linked to .* but .*libcrosstalk-trace.so to' \
    timeout -k 2 20 crosstalk trace -o traces -- crosstalk lab mpiexec -- ./other nodes

rises() {
    echo "p90 of latency $1 s idle, $2 s beside the other MPI; expected more than twice"
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && b > 2 * a) }'
}
probe() { timeout -k 2 40 crosstalk lab mpiexec --deadline 30s -- impactb --time 3s --interval 20ms -q --format json; }
check 'impactb on the idle network' probe
cp check.out idle.json
timeout -k 2 60 crosstalk lab mpiexec --deadline 40s -- ./other exchange 100000 >/dev/null 2>&1 &
load=$!
sleep 2
check 'impactb beside the other MPI' probe
cp check.out loaded.json
kill -INT "$load"
wait "$load"
check 'latency rises' rises "$(value idle.json 'd["latencies"]["p90"]["value_s"]')" \
    "$(value loaded.json 'd["latencies"]["p90"]["value_s"]')"
check 'nobody is left' wait_until nobody_inside
lab_ down -q

cat >campaign.yaml <<YAML
campaign: mixture
seed: 1
launcher: {kind: lab, hosts: 4, rate: 50mbit}
durations: {impact: 1s, runtime: 3s, settle: 500ms}
probe: {interval: 10ms}
repetitions: {idle: 1, baseline: 1, impact: 1, compression: 1, corun: 1}
applications:
  - {name: other, command: "$work/other exchange 100", passes: driver, pass: 3s}
  - {name: fft, command: "workload fft --iterations 5 --scale 0.3"}
configurations: # models want one
  - {partners: 1, messages: 1, bubble: 25ms}
YAML
check 'a campaign with applications of both' timeout -k 2 120 crosstalk campaign run campaign.yaml -o results
crosstalk predict results --models average_lt --format json >predicted.json
check 'each is slowed by the other' between \
    "$(value predicted.json 'min(p["measured"] for p in d["pairs"] if p["app"] != p["with"])')" 0.1 20
finish
