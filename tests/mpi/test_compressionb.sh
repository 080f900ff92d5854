#!/usr/bin/env bash
# compressionb under mpiexec: patterns over virtual nodes, bursts, bytes, run files, errors, signals.
# MPICH, or cliques.c, splits the machine into MPIR_CVAR_NUM_CLIQUES nodes, rank r on node r modulo their number.
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
    sed 's/^/  out: /' out 2>/dev/null | head -n 20
    sed 's/^/  err: /' err 2>/dev/null | head -n 10
    failures=$((failures + 1))
}

launch() { # nodes, ranks, arguments of compressionb; exit code is mpiexec's
    on_nodes "$1" "$2" timeout -k 2 20 mpiexec -n "$2" compressionb "${@:3}" >out 2>err </dev/null
}

# Answer, rows and attributes agree with one another: all bytes of all rounds are in the rows, which
# follow one another without a gap.
check_run() { # ranks, P, M, size in bytes, run file[, sends in a round, pattern]; JSON report in out
    /usr/bin/python3 - "$@" <<'PYTHON'
import json
import sys
import h5py
ranks, partners, messages, size = map(int, sys.argv[1:5])
sends, pattern = sys.argv[6:] or (ranks * partners, "ring")
answer = json.load(open("out"))
with h5py.File(sys.argv[5]) as run:
    rows, attrs = run["rounds"][:], dict(run.attrs)
text = lambda value: value.decode() if isinstance(value, bytes) else value
assert answer["rounds"] >= 1, answer
assert answer["bytes"] == answer["rounds"] * int(sends) * messages * size, answer
assert int(rows["bytes"].sum()) == answer["bytes"], (rows, answer)
assert abs(rows["duration_s"].sum() - answer["elapsed_s"]) < 1e-9, (rows, answer)
assert (abs(rows["start_s"][1:] - rows["start_s"][:-1] - rows["duration_s"][:-1]) < 1e-9).all(), rows
assert sum(node["bytes"] for node in answer["nodes"]) == answer["bytes"], answer
assert sum(node["ranks"] for node in answer["nodes"]) == ranks, answer
assert all(0 <= node["waiting_frac"] <= 1 for node in answer["nodes"]), answer
assert text(attrs["kind"]) == "compression" and text(attrs["app"]) == "", attrs
assert attrs["config_P"] == partners and attrs["config_M"] == messages, attrs
assert abs(attrs["config_B_s"] - answer["bubble_s"]) < 1e-15, attrs
assert text(attrs["groups"]) == answer["provenance"]["groups"], attrs
assert text(attrs["config_pattern"]) == pattern, attrs
bursts = {"config_burst_on_s", "config_burst_off_s", "burst_on_frac"} & set(attrs)
assert len(bursts) == (3 if "burst" in answer["provenance"] else 0), attrs
PYTHON
}

# Two ranks a node, every partner, several messages, pauses spent spinning.
launch 4 8 -P 3 -M 2 -B 25000cycles -m 4kB --time 500ms --format json -o spin.h5 || fail "4 nodes"
check_run 8 3 2 4000 spin.h5 || fail "run file of 4 nodes"

# One rank a node, an odd number of nodes, the smallest message, pauses spent sleeping: a round takes
# at least its pauses.
launch 3 3 -P 2 -M 1 -B 5ms -m 16B --time 500ms --format json -o sleep.h5 || fail "3 nodes"
check_run 3 2 1 16 sleep.h5 || fail "run file of 3 nodes"
/usr/bin/python3 -c 'import json; answer = json.load(open("out"))
assert answer["bubble_s"] == 5e-3 and answer["bubble_mean_s"] >= 5e-3, answer
assert answer["round_max_s"] >= answer["round_mean_s"] >= 2 * 5e-3, answer
assert answer["elapsed_s"] >= 0.25, answer' || fail "pauses"

# No pause at all, messages beyond what goes out eagerly.
launch 2 2 -P 1 -M 3 -B 0us -m 1MiB --time 300ms --format json -o large.h5 || fail "no pause"
check_run 2 1 3 1048576 large.h5 || fail "run file without pause"

# Nodes with 2, 2 and 1 ranks: the second ring has two nodes, and the answer says so.
launch 3 5 -P 1 -M 1 -B 1ms --time 300ms --format json -o unequal.h5 || fail "unequal nodes"
check_run 5 1 1 40000 unequal.h5 || fail "run file of unequal nodes"
grep -q '"groups":.*3 nodes down to 2.*same number' out || fail "unequal nodes are not mentioned"

# The other patterns: who sends how much. Incast and bcast have ranks that only send.
sends_of_nodes() { # messages of each node in a round, M times the size in bytes
    /usr/bin/python3 - "$@" <<'PYTHON'
import json
import sys
sends, unit = [int(word) for word in sys.argv[1].split()], int(sys.argv[2])
answer = json.load(open("out"))
assert [node["bytes"] for node in answer["nodes"]] == [
    answer["rounds"] * n * unit for n in sends], answer
PYTHON
}
pattern() { # pattern, nodes, ranks, P, size in bytes, messages of each node in a round
    local name=$1 nodes=$2 ranks=$3 partners=$4 size=$5 sends=$6
    launch "$nodes" "$ranks" --pattern "$name" -M 2 -B 200us -m "${size}B" --time 300ms \
        --format json -o "$name.h5" || fail "$name"
    check_run "$ranks" "$partners" 2 "$size" "$name.h5" $((${sends// /+})) "$name" ||
        fail "run file of $name"
    sends_of_nodes "$sends" $((2 * size)) || fail "nodes of $name"
}
pattern alltoall 3 5 2 4000 '3 3 2' # groups of three and two
pattern incast 4 4 1 300000 '0 1 1 1'
pattern incast 3 5 1 16 '0 2 1'
pattern bisection 5 5 1 40000 '1 1 1 1 1'
pattern bcast 4 4 3 300000 '3 0 0 0'
pattern bcast 2 4 1 16 '2 0'

# Busy windows take the share of time that the phases have, and hold nearly all bytes.
bursts() {
    launch 3 3 -P 2 -M 2 -B 1ms --burst 400ms/600ms --seed 1 --time 4s --format json -o burst.h5 ||
        fail "bursts"
    check_run 3 2 2 40000 burst.h5 || fail "run file of bursts"
    /usr/bin/python3 - <<'PYTHON' || fail "share of the time with load"
import json
import h5py
answer = json.load(open("out"))
with h5py.File("burst.h5") as run:
    rows, attrs = run["rounds"][:], dict(run.attrs)
share = attrs["burst_on_frac"]
assert (attrs["config_burst_on_s"], attrs["config_burst_off_s"]) == (0.4, 0.6), attrs
assert abs(share - 0.4) < 0.15 and abs(share - answer["burst_on_frac"]) < 1e-12, attrs
assert answer["elapsed_s"] >= 4, answer
usual = answer["bytes_per_s"] / share * attrs["window_s"]
busy = rows["bytes"] > 0.25 * usual
seen = rows["duration_s"][busy].sum() / answer["elapsed_s"]
assert abs(seen - share) < 0.25, (seen, share, rows)
assert rows["bytes"][busy].sum() > 0.75 * answer["bytes"], (share, rows)
PYTHON
}
is_second_mpi || bursts

# Errors: the exit code, and one line that names cause and remedy, whatever the number of ranks.
expect_error() { # exit code, pattern, nodes, ranks, arguments
    local expected=$1 pattern=$2
    shift 2
    launch "$@"
    local code=$?
    [ "$code" -eq "$expected" ] || fail "$*: exit code $code, not $expected"
    [ "$(own_words err | grep -c .)" -eq 1 ] || fail "$*: not one line of error"
    grep -qE "^compressionb: .*$pattern" err || fail "$*: no '$pattern'"
    [ ! -s out ] || fail "$*: an answer in spite of the error"
}
load=(-M 1 -B 1ms --time 200ms --quiet)
expect_error 1 'partners 3.*number of nodes, 3' 3 3 -P 3 "${load[@]}"
expect_error 1 'partners 2.*only 2 of 3 nodes have 2 ranks' 3 5 -P 2 "${load[@]}"
expect_error 1 'only one of 2 nodes has 2 ranks.*same number' 2 3 -P 1 "${load[@]}"
expect_error 1 'one node only.*two or more' 1 1 -P 1 "${load[@]}"
expect_error 1 'nowhere/run.h5' 2 2 -P 1 "${load[@]}" -o nowhere/run.h5
wrong_usage() {
    expect_error 2 'bubble.*unit' 2 3 -P 1 -M 1 -B 5
    expect_error 2 'message-size.*16' 2 2 -P 1 "${load[@]}" -m 15B
    expect_error 2 'config.*--partners' 2 2 -P 1 "${load[@]}" --config 1:1:1ms
    expect_error 2 'partners P is missing' 2 2 "${load[@]}"
    expect_error 2 'partners.*--pattern alltoall' 2 2 -P 1 "${load[@]}" --pattern alltoall
    expect_error 2 'pattern.*alltoall, incast' 2 2 "${load[@]}" --pattern star
    expect_error 1 'one node only.*--pattern incast' 1 2 "${load[@]}" --pattern incast
    expect_error 2 'burst.*ON/OFF' 2 2 -P 1 "${load[@]}" --burst 20ms
}
is_second_mpi || wrong_usage

# Signals. Everything below ends because it is told to: its time is an hour.
start_ranks() { # ranks, arguments
    timeout -k 2 20 mpiexec -n "$1" compressionb "${@:2}" --time 1h --format json >out 2>err </dev/null &
    launcher=$!
}
start() { # nodes, ranks, arguments; sets launcher, mpiexec_pid and processes, by rank
    local ranks=$2 tries pid rank
    on_nodes "$1" "$2" start_ranks "${@:2}"
    processes=()
    for ((tries = 0; tries < 50 && ${#processes[@]} < ranks; tries++)); do
        sleep 0.1
        mpiexec_pid=$(pgrep -P "$launcher")
        for pid in $(descendants "$launcher"); do
            [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = compressionb ] || continue
            for ((rank = 0; rank < ranks; rank++)); do
                is_rank "$pid" "$rank" && processes[rank]=$pid
            done
        done
    done
    [ "${#processes[@]}" -eq "$ranks" ] || fail "${#processes[@]} processes, not $ranks"
    sleep 0.7 # into the rounds
}

for case in 'INT 0' 'TERM 2'; do
    read -r signal rank <<<"$case"
    start 3 3 -P 1 -M 2 -B 1ms -m 1kB -o signal.h5
    kill "-$signal" "${processes[rank]}"
    kill "-$signal" "${processes[rank]}" 2>/dev/null # again: nothing is lost
    wait "$launcher" || fail "exit code $? after SIG$signal to rank $rank"
    check_run 3 1 2 1000 signal.h5 || fail "run file after SIG$signal to rank $rank"
    rm -f signal.h5
done

# In the midst of a long pause: every rank is told, and none sleeps on.
start 2 2 -P 1 -M 1 -B 1000s -m 1kB -o pause.h5
kill -TERM "${processes[@]}"
wait "$launcher" || fail "exit code $? after SIGTERM in a pause"
check_run 2 1 1 1000 pause.h5 || fail "run file after SIGTERM in a pause"

# In the rest after a burst.
start 2 2 -P 1 -M 1 -B 1ms -m 1kB --burst 1ms/1000s -o rest.h5
kill -TERM "${processes[@]}"
wait "$launcher" || fail "exit code $? after SIGTERM in a rest"
check_run 2 1 1 1000 rest.h5 || fail "run file after SIGTERM in a rest"

# To the launcher, which passes it on.
start 2 2 -P 1 -M 2 -B 1ms -m 1kB -o launcher.h5
kill -INT "$mpiexec_pid"
wait "$launcher"
sed -i '/^\[mpiexec@/d' out # its own words
check_run 2 1 2 1000 launcher.h5 || fail "run file after SIGINT to mpiexec"

echo "$failures failures"
[ "$failures" -eq 0 ]
