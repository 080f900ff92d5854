#!/usr/bin/env bash
# impactb --checkpoint: killed at any moment, at most the time since the last checkpoint is lost, and
# what was kept can be read.
set -u
PATH=${CROSSTALK_BIN:?}:$PATH
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"

rows() { crosstalk export "$1" --dataset samples --format csv | grep -vc '^#\|^t_s'; }

# A run that ends leaves no checkpoint, and none is made for a short one.
check 'a run with checkpoints' 0 3 3 impactb --time 1s --checkpoint 200ms --interval 5ms -o whole.h5
[ -e whole.h5.checkpoint ] && fail 'the checkpoint of a run that ended is still there'
check 'a run shorter than a checkpoint' 0 2 2 impactb --time 300ms --interval 5ms -o short.h5
launch 2 2 impactb --time 60s --interval 5ms --checkpoint 0s -o none.h5
sleep 1
[ -e none.h5.checkpoint ] && fail '--checkpoint 0s keeps something'
signal_rank 0 TERM impactb
await 'no checkpoints' 0

# Killed: mpiexec, one rank, again and again at other moments. Checkpoints every 0.1 s, probes every
# 5 ms: what is kept reaches to 0.1 s before the kill, and a little for a busy machine.
victims=(mpiexec 0 1 2 mpiexec 1)
is_second_mpi && victims=(mpiexec 0 1)
for victim in "${victims[@]}"; do
    turn=$((${turn:-0} + 1))
    rm -rf run.h5 run.h5.checkpoint
    launch 3 3 impactb --time 60s --interval 5ms --checkpoint 100ms -o run.h5
    await_checkpoint run.h5
    sleep "1.$((turn * 13))"
    signal_rank "$victim" KILL impactb
    wait "$launcher" && fail "killed $victim: exit code 0"
    launcher=''
    kill_ranks impactb
    [ -e run.h5 ] && fail "killed $victim: there is a run file"
    left=run.h5$([ "$victim" = mpiexec ] || echo .checkpoint)
    crosstalk show --all "$left" 2>messages | grep -q 'recovered_from_checkpoint *1' || fail "killed $victim: $left is not shown"
    grep -q 'until the last checkpoint' messages || fail "killed $victim: show does not say that $left is a checkpoint"
    crosstalk export "$left" -o run.h5 >messages 2>&1 || fail "killed $victim: $(cat messages)"
    [ -e run.h5.checkpoint ] || fail "killed $victim: the checkpoint was moved"
    crosstalk show --all run.h5 | grep -q 'recovered_from_checkpoint *1' || fail "killed $victim: the run does not say so"
    last=$(crosstalk export run.h5 --dataset samples | awk -F, '$1 + 0 > t { t = $1 + 0 } END { printf "%.3f\n", t }')
    awk -v last="$last" 'BEGIN { exit !(last > 0.5) }' || fail "killed $victim after a second: samples until $last s only"
    [ "$(rows run.h5)" -gt 50 ] || fail "killed $victim: $(rows run.h5) samples"
done

is_second_mpi && finish
# What is there is not overwritten.
launch 2 2 impactb --time 60s --interval 5ms --checkpoint 100ms -o run2.h5
await_checkpoint run2.h5
sleep 1 # until one that has samples
signal_rank mpiexec KILL impactb
wait "$launcher"
launcher=''
kill_ranks impactb
check 'a checkpoint is there' 1 2 2 impactb --time 1s --checkpoint 100ms -o run2.h5
grep -q 'crosstalk export run2.h5.checkpoint -o FILE.h5' err || fail 'no remedy for a checkpoint that is there'
touch run2.h5
crosstalk export run2.h5.checkpoint -o run2.h5 2>/dev/null && fail 'export overwrites a file'
crosstalk recover run2.h5.checkpoint 2>/dev/null && fail 'recover overwrites a file'
crosstalk recover run2.h5.checkpoint -o other.h5 2>messages || fail "recover -o: $(cat messages)"
crosstalk recover other.h5 2>/dev/null
[ $? -eq 2 ] || fail 'recover of a run file'
finish
