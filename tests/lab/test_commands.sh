#!/usr/bin/env bash
# Commands in a lab: where they run, how they end, and that nothing outlives them.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/screen.sh
. "$CROSSTALK_SOURCE/tests/screen.sh"
up_or_skip --hosts 2

for answer in status "counters --interval 100ms"; do
    # shellcheck disable=SC2086 # a command and its options
    lab_ $answer >"$work/answer"
    check "on a screen: $answer" on_screen "$work/answer"
done

check "a command is at its host" equal "$(lab_ exec --host h2 -- hostname)" h2
check "it sees that host's devices" equal \
    "$(lab_ exec --host h2 -- sh -c 'echo /sys/class/net/*')" \
    "/sys/class/net/eth0 /sys/class/net/lo /sys/class/net/mgmt0"
check "it sees its own processes only" equal "$(lab_ exec --host h1 -- sh -c 'echo $$')" 2
check "it stays in its folder" equal "$(cd "$work" && lab_ exec -- pwd)" "$work"
check "options of the command are left alone" equal "$(lab_ exec -- echo --host h1 --id x)" "--host h1 --id x"
check "standard input passes" equal "$(echo word | lab_ exec --host h1 -- cat)" word
check "exit codes pass" fails_with 42 '' lab_ exec -- sh -c 'exit 42'
check "a deadly signal becomes 128 and its number" fails_with 137 '' lab_ exec -- sh -c 'kill -9 $$'
check "a command that is not there" fails_with 127 'no-such-command' lab_ exec -- no-such-command
check "a host that is not there" fails_with 1 "host 'h9'" lab_ exec --host h9 -- true
check "no command at all is a usage error" fails_with 2 'crosstalk lab exec: ' lab_ exec --host h1
check "the deadline ends it" fails_with 124 '' lab_ exec --deadline 300ms --grace 300ms -- sleep 60
check "the deadline ends what ignores SIGTERM" fails_with 124 '' \
    lab_ exec --deadline 300ms --grace 300ms -- sh -c 'trap "" TERM; while :; do sleep 1; done'

# --- messages pass the ports, whatever a site has set for its own network
probe=(impactb --time 300ms --interval 20ms --quiet)
for variable in UCX_TLS=rc,sm,self UCX_NET_DEVICES=mlx5_0:1; do
    check "not taken: $variable" fails_with 0 "not taken from the environment: $variable \(in the lab: " \
        env "$variable" timeout 20 crosstalk lab mpiexec -- "${probe[@]}"
done
check "a probe whose messages pass by the ports fails" fails_with 1 \
    'impactb ran on 2 hosts, and none of its messages passed the lab' \
    lab_ mpiexec -- env UCX_TLS=sm,self "${probe[@]}"
check "also one that a shell starts" fails_with 1 'workload ran on 2 hosts, and none' \
    lab_ mpiexec -- sh -c 'UCX_TLS=sm,self workload fft'
check "another program gets a note" fails_with 0 'true ran on 2 hosts, and nothing passed the lab' \
    lab_ mpiexec -- true
check "on one host nothing has to pass" equal "$(lab_ mpiexec -n 1 -- true 2>&1)" ""
check "nor for a text of help" equal "$(lab_ mpiexec -n 2 -- impactb --version 2>&1 | grep -c passed)" 0

# --- signals
start_ready "$work/signal" crosstalk lab exec --host h1 -- \
    bash -c 'trap "echo got it; exit 5" TERM; echo ready; while :; do sleep 0.02; done'
kill -TERM "$ready_pid"
wait "$ready_pid"
check "SIGTERM is passed on and the exit code comes back" equal "$?" 5
check "the command could answer it" grep -q 'got it' "$work/signal"

# --- nothing outlives a command
lab_ exec --host h1 -- sh -c 'setsid sleep 60 >/dev/null 2>&1 & echo started'
check "what was left in the background is gone" nobody_inside
crosstalk lab exec --host h1 -- sh -c 'setsid sleep 60 & sleep 60' &
outer=$!
wait_until at_least_inside 4
check "the status lists what runs" grep -q sleep <<<"$(lab_ status)"
kill -9 $outer
wait $outer 2>/dev/null
check "after kill -9 of crosstalk nothing is left" wait_until nobody_inside
crosstalk lab exec --host h1 -- sleep 60 &
outer=$!
wait_until at_least_inside 3
check "down with a command inside" lab_ down
wait $outer
check "the command was killed with its lab" equal "$?" 137
finish
