#!/usr/bin/env bash
# scanb under mpiexec: canaries alone and beside congestors, run files, bad input, signals.
set -u
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"
PATH=${CROSSTALK_BIN:?}:$PATH

# What a round has: cells in the order asked for, times of each canary between canary nodes, and what
# congestors moved.
check_round() { # RUN.h5 NODES CANARIES PLANNED CELL...
    /usr/bin/python3 - "$@" <<'PYTHON' || fail "$1"
import sys
import h5py
nodes, canaries, planned = int(sys.argv[2]), list(map(int, sys.argv[3].split(","))), int(sys.argv[4])
canary_names = ["latency", "bandwidth", "allreduce", "fft", "vpfft", "lulesh", "mcb", "milc", "amg"]
congestor_names = ["none", "incast", "alltoall", "broadcast", "bisection", "allreduce", "gpcnet", "compression"]
text = lambda value: value.decode() if isinstance(value, bytes) else value
with h5py.File(sys.argv[1]) as run:
    cells, samples, attrs = run["scan_cells"][:], run["scan_samples"][:], dict(run.attrs)
assert text(attrs["kind"]) == "scan" and attrs["scan_planned_cells"] == planned, attrs
assert list(map(int, text(attrs["scan_canaries"]).split())) == canaries, attrs
assert len(text(attrs["hosts"]).split()) == nodes, attrs
got = [f"{canary_names[c['canary']]}:{congestor_names[c['congestor']]}" for c in cells]
assert got == [cell.split(":", 2)[0] + ":" + cell.split(":")[1] for cell in sys.argv[5:]], got
for i, cell in enumerate(cells):
    own = samples[samples["cell"] == i]
    assert len(own) >= 1 and (own["value_s"] > 0).all() and (own["t_s"] >= 0).all(), (got[i], own)
    loaded = got[i].split(":")[1] != "none"
    assert (cell["congestor_bytes"] > 0) == loaded == (cell["congestor_s"] > 0), (got[i], cell)
    if not got[i].startswith(("latency", "bandwidth")): # all take part
        assert (own["node_a"] == 0).all() and (own["node_b"] == 0).all(), own
    else: # each pair of canaries, the lower one first
        pairs = {(a, b) for a, b in zip(own["node_a"], own["node_b"])}
        assert pairs == {(a, b) for a in canaries for b in canaries if a < b}, (got[i], pairs)
    bytes_of = {"latency": 8, "bandwidth": 8 * 4096, "allreduce": 8}
    assert cell["bytes"] == bytes_of.get(got[i].split(":")[0], 0), cell # messages of workloads are of several sizes
starts = cells["start_s"]
assert (starts[1:] >= starts[:-1] + cells["duration_s"][:-1]).all(), starts
PYTHON
}

quick=(--cell-time 30ms --settle 5ms --message-size 4KiB -q)

# Every canary, every congestor; bursts, intensity; three canaries, an odd number.
cells=(latency:none latency:incast bandwidth:alltoall allreduce:broadcast latency:bisection bandwidth:allreduce
    bandwidth:none allreduce:none latency:incast:5ms/5ms latency:alltoall:0.5 'latency:compression:P=1,M=3,B=20us')
check 'all canaries and congestors' 0 5 5 scanb "${quick[@]}" --canaries 0,2,4 --cells "${cells[*]}" -o all.h5
check_round all.h5 5 0,2,4 11 "${cells[@]}"
[ -e all.h5.checkpoint ] && fail 'the checkpoint is left'

# GPCNeT's four congestors, two nodes each, of which two open windows.
check "GPCNeT's congestors" 0 10 10 scanb "${quick[@]}" --canaries 2,7 --cells 'latency:gpcnet bandwidth:gpcnet:0.5' -o gpcnet.h5
check_round gpcnet.h5 10 2,7 2 latency:gpcnet bandwidth:gpcnet

# Workloads as canaries: an iteration takes at least as long as it computes.
cells=(milc:none milc:incast "mcb:compression:P=1,M=2,B=1ms")
check 'workloads' 0 4 4 scanb "${quick[@]}" --canaries 0,2 --cells "${cells[*]}" -o workloads.h5
check_round workloads.h5 4 0,2 3 "${cells[@]}"
/usr/bin/python3 - <<'PYTHON' || fail 'times of iterations'
import h5py
with h5py.File("workloads.h5") as run:
    samples = run["scan_samples"][:]
assert (samples["value_s"][samples["cell"] <= 1] >= 16e-3).all() and (samples["value_s"][samples["cell"] == 2] >= 80e-3).all(), samples
PYTHON

# Two ranks on each of four nodes; the survey.
check 'two ranks a node' 0 4 8 scanb "${quick[@]}" --canaries 1,3 --cells 'latency:none bandwidth:incast' -o slots.h5
check_round slots.h5 4 1,3 2 latency:none bandwidth:incast
check 'all nodes measure' 0 4 4 scanb "${quick[@]}" -o survey.h5
check_round survey.h5 4 0,1,2,3 3 latency:none bandwidth:none allreduce:none

# Bad input.
refuse() { # WHAT TEXT NODES RANKS ARGUMENT...
    check "$1" "$3" "${@:4:2}" scanb "${@:6}"
    grep -qE "$2" err || { fail "$1: no '$2'" && head -n 3 err; }
}
refuse 'one node' 'all 2 ranks are on one node' 1 1 2 --cells latency:none
refuse 'ranks that are not alike' 'not alike: 1 on .*, but 2 on' 1 2 3 --cells latency:none
refuse 'no congestor nodes' 'all nodes are canaries' 1 4 4 --cells latency:incast
refuse 'one congestor node' 'leave one node' 1 4 4 --canaries 0,1,2 --cells latency:incast
refuse 'a host that is not there' "'nohost'" 1 4 4 --canaries 0,nohost --cells latency:incast
refuse "too few nodes for GPCNeT's congestors" '2 congestor nodes; .* need 8' 1 4 4 --canaries 0,1 --cells latency:gpcnet
refuse 'more partners than congestor nodes' "latency:compression:P=2,M=1,B=1ms: .*less than the number of nodes, 2" 1 5 5 --canaries 0,2,4 \
    --cells latency:compression:P=2,M=1,B=1ms
refuse 'a workload that two ranks cannot run' 'cells: lulesh: 2 ranks: .*must be a cube' 2 4 4 --canaries 0,1 --cells lulesh:none
refuse 'no such congestor' "'latency:storm'" 2 4 4 --canaries 0,1 --cells latency:storm

# Congestors that never start: the run ends, says so, and leaves the cells before.
# shellcheck disable=SC2317 # called by on_nodes
stuck() { # RANKS PROGRAM...
    LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}${CROSSTALK_BUILD:?}/tests/libstuck_waits.so launch_ranks "$@"
}
on_nodes 4 4 stuck 4 scanb "${quick[@]}" --start-limit 1s --canaries 0,1 --cells 'latency:none latency:incast allreduce:none' -o stuck.h5
wait "$launcher" && fail 'congestors that do not start: exit code 0'
launcher=''
grep -q 'latency:incast: the congestors have not started: .* within 1 s' err || { fail 'congestors that do not start' && head -n 3 err; }
[ -e stuck.h5.checkpoint ] || fail 'congestors that do not start: the cells before are lost'

# A signal ends canaries and congestors that would go on for longer than the launch may; what was measured before stays.
launch_patient 4 4 scanb -q --cell-time 10min --settle 5ms --message-size 4KiB --canaries 0,2 --cells latency:incast -o ended.h5
sleep 1
signal_rank mpiexec TERM scanb
await 'a signal' "$ended_launcher"
[ -e ended.h5 ] || fail 'no run file after a signal'

# A round that is killed leaves its checkpoint, which is a run.
launch 4 4 scanb -q --cell-time 300ms --settle 5ms --message-size 4KiB --canaries 0,2 \
    --cells "$(printf 'latency:none latency:incast %.0s' {1..100})" -o killed.h5
await_checkpoint killed.h5
sleep 0.5
signal_rank mpiexec KILL scanb
wait "$launcher" && fail 'killed: exit code 0'
launcher=''
kill_ranks scanb
[ -e killed.h5 ] && fail 'killed: there is a run file'
if [ -x "$CROSSTALK_BIN/crosstalk" ]; then
    crosstalk export killed.h5.checkpoint -o recovered.h5 >out 2>err || fail 'the checkpoint of a killed round'
    /usr/bin/python3 -c 'import h5py; f = h5py.File("recovered.h5"); assert len(f["scan_cells"]) >= 1 and f.attrs["recovered_from_checkpoint"] == 1' ||
        fail 'what a killed round had measured'
fi

finish
