#!/usr/bin/env bash
# crosstalk campaign with small programs under mpiexec: all runs made, resumed after SIGKILL and
# SIGINT without repeating finished ones, programs that hang, fail or end too soon.
set -u
# shellcheck source=tests/mpi/mpi.sh
. "$(dirname "$0")/mpi.sh"
PATH=${CROSSTALK_BIN:?}:$PATH
work=$(mktemp -d)
mpi_files_in "$work"
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

failures=0
fail() {
    printf 'FAILED: %s\n' "$*"
    sed 's/^/  err: /' err 2>/dev/null | head -n 20
    failures=$((failures + 1))
}

campaign() { # exit code expected, further arguments
    local expected=$1 code
    shift
    timeout -k 2 150 crosstalk campaign "$@" >out 2>err </dev/null
    code=$?
    [ "$code" -eq "$expected" ] || fail "crosstalk campaign $*: exit code $code, not $expected"
}

expect() { # extended regular expression, file
    grep -Eq -- "$1" "$2" || fail "no '$1' in $2"
}

count() { # pattern, file
    grep -Ec -- "$1" "$2"
}

# Sleeps of a length of their own can be found among all processes.
none_left() { # command line
    for _ in $(seq 100); do
        pgrep -fx -- "$1" >/dev/null || return 0
        sleep 0.1
    done
    fail "'$1' is still alive"
}

wait_for_files() { # folder, number
    for _ in $(seq 200); do
        [ "$(find "$1/runs" -maxdepth 1 -name '*.h5' 2>/dev/null | wc -l)" -ge "$2" ] && return 0
        sleep 0.05
    done
    fail "$1 has not got $2 runs"
}

file() { # runtime, what to append
    cat <<YAML
campaign: small
launcher: {kind: mpiexec}
durations: {runtime: $1, settle: 50ms, start: 5s}
repetitions: {idle: 0, baseline: 2, impact: 0, compression: 0, corun: 1}
applications:
  - {name: nap, command: "sleep 0.1", passes: driver}
  - {name: doze, command: "sleep 0.15$2", passes: driver}
YAML
}

# --- a whole campaign -----------------------------------------------------------------------------
file 0.3s "" >small.yaml
campaign 0 plan --summary small.yaml
expect '^8 runs, about ' out
campaign 0 run small.yaml -o small
[ "$(find small/runs -name '*.h5' | wc -l)" -eq 8 ] || fail "not 8 runs"
expect '8 of 8 runs done \(8 now\)' err
[ "$(count '"outcome":"done"' small/journal.jsonl)" -eq 8 ] || fail "not 8 lines in the journal"
campaign 0 status small --format json
expect '"n_done":[[:space:]]*8' out
/usr/bin/python3 - <<'PYTHON' || fail "content of a run"
import os
import h5py
with h5py.File("small/runs/runtime-doze-with-nap-r0.h5") as run:
    rows = run["runtimes"][:]
    text = lambda key: run.attrs[key].decode() if isinstance(run.attrs[key], bytes) else run.attrs[key]
    assert (text("kind"), text("app"), text("with")) == ("runtime", "doze", "nap"), dict(run.attrs)
    assert (rows["duration_s"] >= 0.15).all(), rows
    assert rows["start_s"][-1] + rows["duration_s"][-1] >= 0.3, rows
    assert (rows["start_s"][1:] >= (rows["start_s"] + rows["duration_s"])[:-1]).all(), rows
    # How long they waited for processors.
    for name, ranks in ("measured", 1), ("background", 1):
        if f"cpu_{name}_unknown" in run.attrs:
            assert not os.access("/proc/self/schedstat", os.R_OK), text(f"cpu_{name}_unknown")
            continue
        fact = {key: float(run.attrs[f"cpu_{name}_{key}"]) for key in
                ("ranks", "wall_s", "used_s", "wait_s", "wait_frac", "wait_max_frac")}
        assert 0 < fact["ranks"] <= ranks and 0 < fact["wall_s"], fact
        assert 0 <= fact["wait_frac"] <= fact["wait_max_frac"] <= 1, fact
        assert 0 <= fact["used_s"] < fact["wall_s"], fact # they sleep
assert not os.listdir("small/runs/.partial"), os.listdir("small/runs/.partial")
PYTHON

# The same again finds all done; another file is refused, as is a folder without a campaign.
stat -c '%n %Y %i' small/runs/*.h5 >before
campaign 0 run small.yaml -o small
expect '8 of 8 runs are there already' err
stat -c '%n %Y %i' small/runs/*.h5 | cmp -s - before || fail "finished runs were made again"
sed 's/0.3s/0.4s/' small.yaml >other.yaml
campaign 1 run other.yaml -o small
expect "another campaign file: line 3 was 'durations: .runtime: 0.3s.*is .*0.4s.*-o" err
campaign 1 status nowhere
expect 'nowhere: no such folder' err

# A run whose file is lost or spoilt is made again, and no other.
printf 'no run' >small/runs/baseline-nap-r1.h5
campaign 0 run small.yaml -o small
expect '8 of 8 runs done \(1 now\)' err

# --- killed -------------------------------------------------------------------------------------
file 0.3s 71 >killed.yaml
crosstalk campaign run killed.yaml -o killed >out 2>err </dev/null &
driver=$!
wait_for_files killed 2
campaign 1 run killed.yaml -o killed
expect "another crosstalk works in it" err
kill -KILL "$driver"
wait "$driver" 2>/dev/null # and the shell's word that it was killed
none_left 'sleep 0\.1571'
find killed/runs -maxdepth 1 -name '*.h5' -printf '%p %T@ %i\n' | sort >before
campaign 0 run killed.yaml -o killed
expect '8 of 8 runs done' err
find killed/runs -maxdepth 1 -name '*.h5' -printf '%p %T@ %i\n' | sort >after
[ -z "$(comm -23 before after)" ] || fail "finished runs were made again after SIGKILL"

# --- programs that do not behave ------------------------------------------------------------------
# A program that fails at once has done so by the end of a measurement: Open MPI's launcher takes its time.
long=100ms
[ "$CROSSTALK_MPI" = openmpi ] && long=5s
cat >faults.yaml <<YAML
campaign: faults
retries: 0
launcher: {kind: mpiexec}
durations: {runtime: $long, settle: 200ms, start: 5s}
repetitions: {idle: 0, impact: 0, baseline: 1, corun: 1}
applications:
  - {name: brief, command: "true", passes: self}
  - {name: broken, command: "sh -c 'echo out of cheese; exit 3'", passes: driver}
  - {name: good, command: "sleep 0.1", passes: driver}
YAML
campaign 1 run faults.yaml -o faults
campaign 0 status --all faults
expect '^baseline-good-r0 +done +1' out
expect '^runtime-good-with-good-r0 +done +1' out
expect '^baseline-brief-r0 +failed +1 .*baseline-brief-r0.h5' out
expect '^runtime-good-with-brief-r0 +failed .*background program ended with exit code 0 before' out
expect '^baseline-broken-r0 +failed .*exit code 3: out of cheese' out
expect '^runtime-good-with-broken-r0 +failed .*background program ended with exit code 3' out
expect '^failed +[0-9]+' out

cat >absent.yaml <<'YAML'
campaign: absent
retries: 0
launcher: {kind: mpiexec}
durations: {runtime: 100ms, settle: 200ms, start: 5s}
repetitions: {idle: 0, impact: 0, baseline: 1, corun: 0}
applications:
  - {name: absent, command: "no-such-program-here", passes: driver}
YAML
campaign 1 run absent.yaml -o absent
campaign 0 status --all absent
expect '^baseline-absent-r0 +failed .*no-such-program-here' out

# --- programs of ours -----------------------------------------------------------------------------
cat >own.yaml <<'YAML'
campaign: own
launcher: {kind: mpiexec}
durations: {impact: 300ms, runtime: 200ms, settle: 200ms, start: 10s}
probe: {interval: 5ms, slots: 2, options: --allow-one-node}
repetitions: {idle: 1, baseline: 1, impact: 1, compression: 1, corun: 1}
applications:
  - {name: fft, command: "workload fft --iterations 2 --compute-time 5ms", slots: 2}
YAML
campaign 0 run own.yaml -o own
expect '4 of 4 runs done' err
/usr/bin/python3 - <<'PYTHON' || fail "runs of our programs"
import h5py
for name, kind, app, partner in [("idle", "impact", "", ""), ("impact-fft", "impact", "fft", ""),
                                 ("baseline-fft", "runtime", "fft", ""),
                                 ("runtime-fft-with-fft", "runtime", "fft", "fft")]:
    with h5py.File(f"own/runs/{name}-r0.h5") as run:
        found = [run.attrs[key] for key in ("kind", "app", "with")]
        found = [value.decode() if isinstance(value, bytes) else value for value in found]
        assert found == [kind, app, partner], found
PYTHON

# --- traces ---------------------------------------------------------------------------------------
cat >traced.yaml <<'YAML'
campaign: traced
retries: 0
launcher: {kind: mpiexec}
durations: {impact: 300ms, runtime: 200ms, settle: 200ms, start: 10s}
repetitions: {idle: 0, baseline: 1, impact: 0, compression: 0, corun: 0}
trace: true
applications:
  - {name: fft, command: "workload fft --iterations 2 --compute-time 5ms", slots: 2}
  - {name: nap, command: "sleep 0.1", passes: driver}
YAML
campaign 0 plan traced.yaml --format json
/usr/bin/python3 - out <<'PYTHON' || fail "traces are not the last in the plan"
import json
import sys
runs = [row["id"] for row in json.load(open(sys.argv[1]))["runs"]]
assert runs[2:] == ["trace-fft-r0", "trace-nap-r0"] and runs[0].startswith("baseline"), runs
PYTHON
campaign 1 run traced.yaml -o traced
campaign 0 status --all traced
expect '^trace-fft-r0 +done +1' out
expect '^trace-nap-r0 +failed +1 .*wrote no trace' out
[ ! -e traced/traces/nap ] || fail "a folder without traces is kept"
[ -z "$(ls traced/runs/.partial)" ] || fail "something is left of a traced run"
crosstalk trace --check traced/traces/fft >out 2>err || fail "traces of fft"
expect '^ranks +2' out
# Made once; made again where a rank's trace is lost, or the folder.
stat -c '%i %Y' traced/traces/fft/rank-000000.trace >before
campaign 1 run traced.yaml -o traced
stat -c '%i %Y' traced/traces/fft/rank-000000.trace | cmp -s - before || fail "traces were made again"
rm traced/traces/fft/rank-000001.trace
campaign 0 status --all traced
expect '^trace-fft-r0 +missing +1 .*rank' out
campaign 1 run traced.yaml -o traced
expect 'trace-fft-r0|traces/fft' err
[ -e traced/traces/fft/rank-000001.trace ] || fail "lost traces were not made again"

finish() {
    [ "$failures" -eq 0 ] && echo "all passed"
    exit "$((failures > 0))"
}
is_second_mpi && finish

# --- co-runs after their predictions ---------------------------------------------------------------
campaign 0 run small.yaml -o sealed --before-co-runs
expect '4 of 4 runs done \(4 now\)' err
[ -z "$(find sealed/runs -name '*-with-*')" ] || fail "co-runs before their predictions"
echo '{}' >sealed/first.sealed.json
cp sealed/runs/baseline-nap-r1.h5 kept.h5
printf 'no run' >sealed/runs/baseline-nap-r1.h5
campaign 1 run small.yaml -o sealed
expect 'baseline-nap-r1.h5: .*the predictions in sealed/first.sealed.json were made from it' err
[ "$(cat sealed/runs/baseline-nap-r1.h5)" = 'no run' ] || fail "a run was overwritten that predictions rest on"
cp kept.h5 sealed/runs/baseline-nap-r1.h5
campaign 0 run small.yaml -o sealed
expect '8 of 8 runs done \(4 now\)' err

# --- repetitions until the mean is known ----------------------------------------------------------
# calm takes the same time again and again, restless 20 ms and 400 ms by turns.
cat >restless.sh <<'SH'
if [ -e turn ]; then rm turn; sleep 0.4; else : >turn; sleep 0.02; fi
SH
cat >target.yaml <<YAML
campaign: target
launcher: {kind: mpiexec}
durations: {runtime: 1s, settle: 50ms, start: 5s}
repetitions: {idle: 0, baseline: 2, impact: 0, corun: 0, target: 30%, max: 4}
applications:
  - {name: calm, command: "sleep 0.3", passes: driver}
  - {name: restless, command: "sh $work/restless.sh", passes: driver}
YAML
campaign 0 plan --all target.yaml
expect 'until their means are known to 30 %, up to 4 times' out
campaign 0 run target.yaml -o target
[ -e target/runs/baseline-restless-r2.h5 ] || fail "restless was not repeated"
[ -e target/runs/baseline-restless-r4.h5 ] && fail "restless was repeated more than 4 times"
[ -e target/runs/baseline-calm-r2.h5 ] && fail "calm was repeated"
made=$(find target/runs -name '*.h5' | wc -l)
campaign 0 status target --format json
expect "\"n_done\":[[:space:]]*$made" out
campaign 0 run target.yaml -o target
expect "$made of $made runs done \(0 now\)" err
# A further repetition that is lost is made again.
rm -f target/runs/baseline-restless-r2.h5 target/runs/baseline-restless-r3.h5
campaign 0 run target.yaml -o target
[ -e target/runs/baseline-restless-r2.h5 ] || fail "a lost repetition was not made again"

# --- interrupted ----------------------------------------------------------------------------------
file 0.3s 72 >interrupted.yaml
# A shell without job control starts its jobs with SIGINT ignored; that must not matter.
crosstalk campaign run interrupted.yaml -o interrupted >out 2>err </dev/null &
driver=$!
wait_for_files interrupted 2
kill -INT "$driver"
wait "$driver"
code=$?
[ "$code" -eq 1 ] || fail "exit code $code after SIGINT, not 1"
expect 'interrupted: [2-7] of 8 runs done; go on with crosstalk campaign run interrupted.yaml -o inter' err
none_left 'sleep 0\.1572'
campaign 0 run interrupted.yaml -o interrupted
expect '8 of 8 runs done \([1-6] now\)' err

# --- a program that hangs -------------------------------------------------------------------------
cat >hang.yaml <<'YAML'
campaign: hang
retries: 1
launcher: {kind: mpiexec}
durations: {runtime: 100ms, start: 500ms, deadline_factor: 1}
repetitions: {idle: 0, impact: 0, baseline: 1, corun: 0}
applications:
  - {name: hang, command: "sleep 873", passes: driver}
  - {name: good, command: "sleep 0.1", passes: driver}
YAML
campaign 1 run hang.yaml -o hang
expect 'warning: baseline-hang-r0: not done after .* s, the deadline; trying again' err
expect 'warning: baseline-hang-r0: failed 2 times, given up' err
expect '1 of 2 runs done \(1 now\); attempts repeated: 1' err
expect '1 of 2 runs failed; see crosstalk campaign status hang' err
[ "$(count '"id":"baseline-hang-r0".*"failed"' hang/journal.jsonl)" -eq 2 ] ||
    fail "not two attempts at baseline-hang-r0"
none_left 'sleep 873'
campaign 0 status --all hang
expect '^baseline-good-r0 +done +1' out
expect '^baseline-hang-r0 +failed +2 +not done after' out

# --- several in the background --------------------------------------------------------------------
cat >groups.yaml <<YAML
campaign: groups
retries: 0
launcher: {kind: mpiexec}
durations: {runtime: $long, settle: 200ms, start: 5s}
repetitions: {idle: 0, impact: 0, baseline: 1, corun: 1}
applications:
  - {name: a, command: "sleep 0.11", passes: driver}
  - {name: b, command: "sleep 0.12", passes: driver}
  - {name: broken, command: "sh -c 'echo out of bread; exit 4'", passes: driver}
groups:
  - {app: a, with: b a}
  - {app: a, with: b broken}
YAML
campaign 0 plan --all groups.yaml
expect '^runtime-a-with-a\+b-r0 +group ' out
campaign 1 run groups.yaml -o groups
campaign 0 status --all groups
expect '^runtime-a-with-a\+b-r0 +done +1' out
expect '^runtime-a-with-b\+broken-r0 +failed .*second background program ended with exit code 4.*bread' out
for log in background background2; do
    [ -e "groups/logs/runtime-a-with-a+b-r0.$log.log" ] || fail "no log of the $log program"
done
crosstalk export groups --format json >runs.json || fail "crosstalk export groups"
expect '"with":[[:space:]]*"a,b"' runs.json
none_left 'sleep 0\.1[12]'

finish
