#!/usr/bin/env bash
# impactb under mpiexec: layouts, ends, signals to any rank, bad output. Virtual nodes are MPICH's.
set -u
PATH=${CROSSTALK_BIN:?}:$PATH
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"

# summary key of the last output
value() { sed -nE "s/^$1 +([^ ].*)\$/\1/p" out | head -n 1; }

all_nodes=(2 3 4) signals=(TERM INT)
is_second_mpi && all_nodes=(3) signals=(TERM)
for nodes in "${all_nodes[@]}"; do
    for pairing in adjacent rotate random; do
        check "5 ranks on $nodes nodes, $pairing" 0 "$nodes" 5 impactb --time 500ms --interval 5ms --pairing "$pairing" -o run.h5
        [ "$(value samples)" -gt 20 ] || fail "$nodes nodes, $pairing: only $(value samples) samples"
        crosstalk show --all run.h5 >shown || fail "the run file of $nodes nodes, $pairing cannot be read"
    done
done
check 'pairs that pass every link' 0 3 3 impactb --time 1500ms --interval 5ms --topology switch:3 --verbose -o links.h5
grep -q '^# pairing: links' out || fail 'with a topology the pairing is not links'
grep -q '^# network: switch:3' out || fail 'the topology is not named'
crosstalk show --all links.h5 >shown || fail 'the run file with a topology cannot be read'
grep -q '^same switch  *3 ' shown || fail 'three pairs of three nodes tell their links apart'
check 'a pairing of its own beside a topology' 0 3 3 impactb --time 200ms --interval 5ms --topology switch:3 --pairing adjacent --verbose
grep -q '^# pairing: adjacent' out || fail 'the pairing that was given is not used'
check 'links without a topology' 2 3 3 impactb --pairing links
grep -q 'give --topology' err || fail 'a missing topology: no remedy named'
check 'a topology with too few nodes' 1 3 3 impactb --topology switch:2
grep -q 'switch:2: 2 nodes; the run is on 3' err || fail 'too few nodes are not named'
echo 'SwitchName=s0 Nodes=elsewhere[1-4]' >topology.conf
check 'a topology without the hosts' 1 3 3 impactb --topology topology.conf
grep -q 'no node is called' err || fail 'a host that is not in the topology is not named'
export SLURM_JOB_ID=1 SLURM_CONF=$PWD/slurm.conf
check 'that of Slurm is left out without them' 0 3 3 impactb --time 200ms --interval 5ms --verbose
grep -q '^# network' out && fail 'a topology of other hosts is taken'
unset SLURM_JOB_ID SLURM_CONF
check 'every node is named when one sits out' 0 3 3 impactb --time 200ms --interval 5ms --pairing adjacent --verbose
grep -q '^# not-probed: ' out || fail 'adjacent pairs of 3 nodes do not say who is left out'

check 'iterations' 0 2 2 impactb -i 40 --interval 1ms
[ "$(value samples)" = 40 ] || fail "40 iterations gave $(value samples) samples"
check 'iterations while rotating' 0 4 4 impactb -i 10 --interval 1ms
[ "$(value samples)" = 60 ] || fail "10 iterations of 6 pairs gave $(value samples) samples"
check 'large probes' 0 2 2 impactb -i 20 --interval 1ms --message-size 1MiB
check 'a schedule that no network keeps up with ends in time' 0 2 2 impactb --time 1s --interval 1us --message-size 64KiB
[ "$(value 'missed probes')" -gt 0 ] || fail 'more probes than can be sent, and none is missed'
grep -q 'interval short' out || fail 'an interval that is too short is not mentioned'
# Ranks of one machine have one clock: no answer comes before its probe.
check 'one-way times' 0 2 2 impactb -i 40 --interval 1ms --message-size 24B -o ways.h5
[ "$(crosstalk export ways.h5 | awk -F, '/^[0-9]/ && $6 != "" && $6 > 0 && $6 < 1' | wc -l)" = 40 ] || fail 'no one-way times'
crosstalk show ways.h5 --all | grep -q 'clocks.*machine' || fail 'the run does not say that its ranks have one clock'
check 'small probes' 0 2 2 impactb -i 40 --interval 1ms --message-size 16B -o small.h5
[ "$(crosstalk export small.h5 | awk -F, '/^[0-9]/ && $6 == ""' | wc -l)" = 40 ] || fail 'a message without room has a one-way time'
check 'block' 0 2 2 impactb -i 20 --interval 1ms --wait block
check 'spin' 0 2 2 impactb -i 20 --interval 1ms --wait spin

check 'one node is refused' 1 1 3 impactb --time 1s
grep -q 'impactb: all 3 ranks are on one node.*--allow-one-node' err || fail 'one node: no remedy named'
check 'one node on request' 0 1 2 impactb -i 5 --interval 1ms --allow-one-node
check 'one rank is refused' 1 1 1 impactb
check 'usage is printed once' 2 2 4 impactb --pairing both
[ "$(grep -c 'not one of' err)" = 1 ] || fail 'a usage error is printed more than once'

check 'output cannot be written' 1 2 2 impactb -i 5 --interval 1ms -o /nonexistent/run.h5
grep -q '/nonexistent' err || fail 'the path that cannot be written is not named'
mkdir taken.h5
check 'an output that is a folder' 1 2 2 impactb -i 5 --interval 1ms -o taken.h5
grep -q '^samples' out && fail 'it was measured although the file cannot be written'

for signal in "${signals[@]}"; do
    for rank in 0 1 4 mpiexec; do
        rm -f run.h5
        [ "$rank" = mpiexec ] && launch=launch_patient || launch=launch
        "$launch" 3 5 impactb --time 60s --interval 10ms --checkpoint 200ms -o run.h5
        await_checkpoint run.h5
        signal_rank "$rank" "$signal" impactb
        [ "$rank" = mpiexec ] && code=$ended_launcher || code=0
        await "SIG$signal to $rank" "$code"
        crosstalk show --all run.h5 >shown || fail "SIG$signal to $rank: no run file"
    done
done
finish
