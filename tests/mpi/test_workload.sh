#!/usr/bin/env bash
# workload under mpiexec: numbers of ranks, reports, run files, wrong usage, signals.
set -u
PATH=${CROSSTALK_BIN:?}:$PATH
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"

# expect KEY TEST: a value of the JSON report, called x in the test
expect() {
    /usr/bin/python3 - "$1" "$2" <<'PYTHON' || fail "$1 does not fulfil $2"
import json, sys
x = json.load(open("out"))[sys.argv[1]]
sys.exit(not eval(sys.argv[2]))
PYTHON
}

# expect_file FILE TEST: of a run file, its attributes a, its passes' start_s and duration_s
expect_file() {
    /usr/bin/python3 - "$1" "$2" <<'PYTHON' || fail "$1 does not fulfil $2"
import h5py, sys
with h5py.File(sys.argv[1]) as run:
    a = {key: v.decode() if isinstance(v, bytes) else v for key, v in run.attrs.items()}
    start_s, duration_s = run["runtimes"]["start_s"], run["runtimes"]["duration_s"]
sys.exit(not eval(sys.argv[2]))
PYTHON
}

# 192 rows divide evenly; 197, a prime, and 2 do not.
check 'fft on one rank' 0 1 1 workload fft -i 2 --compute-time 0.1ms --label solver -o label.h5
expect_file label.h5 'a["app"] == "solver" and len(start_s) == 1'
check 'fft, parts of different sizes' 0 1 3 workload fft -i 2 --compute-time 0ms --scale 1.05
check 'fft, ranks without rows' 0 1 4 workload fft -i 2 --compute-time 0ms --scale 1e-4

# Sizes by hand: 192^2 elements of 16 bytes, 7/8 of a rank's share leave it, twice.
check 'fft' 0 8 8 workload fft -i 1 --compute-time 0ms --format json
expect passes 'x == 1'
expect messages_per_iteration 'x == 2 * 7'
expect bytes_per_iteration 'x == 2 * 192**2 * 16 / 8 * 7 / 8'
# 7 neighbours: 3 faces, 3 edges, 1 corner. 13^2, 13 and 1 nodes of 3 fields both ways and of 6
# fields to the lower rank, 12^2 elements of 3 fields across the 3 faces.
check 'lulesh' 0 8 8 workload lulesh -i 1 --compute-time 0ms --format json
expect messages_per_iteration 'x == 7 + 7 / 2 + 3'
expect bytes_per_iteration 'x == 8 * ((3 + 6 / 2) * (3 * 13**2 + 3 * 13 + 1) + 3 * 3 * 12**2)'
check 'lulesh on one rank' 0 1 1 workload lulesh -i 2 --compute-time 0ms --format json
expect messages_per_iteration 'x == 0'

# 16^3 complex numbers, 7/8 of a rank's share leave it, 3 components there and back.
check 'vpfft' 0 8 8 workload vpfft -i 1 --compute-time 0ms --format json
expect messages_per_iteration 'x == 6 * 7'
expect bytes_per_iteration 'x == 6 * 16**3 * 16 / 8 * 7 / 8'
# 4 x 4 x 4 x 8 sites, half of a face, 3 words; 1 x 2 x 2 x 2 ranks: both ways along three axes.
check 'milc' 0 8 8 workload milc -i 2 --compute-time 0ms --format json --profile
expect messages_per_iteration 'x == 2 * 6'
expect bytes_per_iteration 'x == 2 * 2 * 3 * 8 * (2 * 4 * 4 * 8 + 4 * 4 * 4) / 2'
expect phases '[p["phase"] for p in x] == ["dslash", "reduce", "update"]'
expect phases '[p["reductions"] for p in x] == [0, 2, 0] and [p["partners"] for p in x] == [3, 0, 0]'
expect phases '[p["bytes"] for p in x] == [15360, 0, 0] and all(p["time_s"] >= p["mpi_s"] for p in x)'
# 3 cycles, on each level 3 exchanges across 3 faces; 7 ranks fall idle, a word there and back.
check 'amg' 0 8 8 workload amg -i 1 --compute-time 0ms --format json
expect messages_per_iteration 'x == 3 * (3 * 3 * 5 + 2 * 7 / 8)'
expect bytes_per_iteration 'x == 3 * 8 * (3 * 3 * (16**2 + 8**2 + 4**2 + 2**2 + 1) + 2 * 7 / 8)'
# What flies where depends on the seed alone.
check 'mcb' 0 1 4 workload mcb -i 3 --compute-time 0ms --format json --seed 7
expect messages_per_iteration '0 < x < 4 * 2'
other_seeds_and_grids() {
    flown=$(/usr/bin/python3 -c 'import json; print(json.load(open("out"))["bytes_per_iteration"])')
    check 'mcb again' 0 1 4 workload mcb -i 3 --compute-time 1ms --format json --seed 7
    expect bytes_per_iteration "x == $flown and x * 4 * 3 % 64 == 0"
    check 'mcb, another seed' 0 1 4 workload mcb -i 3 --compute-time 0ms --format json --seed 8
    expect bytes_per_iteration "x != $flown"
    # Numbers of ranks without a regular grid, sizes that leave ranks with little.
    check 'vpfft, parts of different sizes' 0 1 3 workload vpfft -i 1 --compute-time 0ms
    check 'milc on a line of ranks' 0 1 5 workload milc -i 2 --compute-time 0ms --scale 0.01
    check 'amg, 2 x 3 ranks' 0 1 6 workload amg -i 1 --compute-time 0ms --scale 0.3
    check 'mcb on one rank' 0 1 1 workload mcb -i 2 --compute-time 0ms
}
is_second_mpi || other_seeds_and_grids

# A run file tells the phases, and they add up to the pass but for the wait for the slowest rank.
check 'phases' 0 1 2 workload amg -i 2 --compute-time 50ms -o phases.h5
expect_file phases.h5 'a["phases"] == "setup fine coarse norm" and a["phase_setup_bytes"] == 0'
expect_file phases.h5 'a["phase_setup_s"] >= 2 * 0.6 * 50e-3'
expect_file phases.h5 'a["phase_norm_reductions"] == 2 * 3 and a["phase_fine_partners"] == 1'
expect_file phases.h5 'sum(a[f"phase_{n}_bytes"] for n in a["phases"].split()) \
    == 2 * a["bytes_per_iteration"]'
expect_file phases.h5 '0.5 < sum(a[f"phase_{n}_s"] for n in a["phases"].split()) \
    / duration_s.mean() <= 1'

# Times of passes: each computes for twice 5 ms at least, and the next begins after that.
check 'a loop' 0 1 4 workload fft --loop --time 1s -i 2 --compute spin --compute-time 5ms \
    -o loop.h5 --format json
expect passes 'x >= 2'
expect communication_frac '0 < x < 1'
expect_file loop.h5 'a["kind"] == "runtime" and a["app"] == "fft" and a["with"] == ""'
expect_file loop.h5 'len(start_s) >= 2 and (duration_s >= 10e-3).all()'
expect_file loop.h5 '(start_s[1:] - start_s[:-1] >= 10e-3).all()'

launch_patient 1 4 workload fft --loop --time 1h -i 2 --compute-time 20ms -o signal.h5
sleep 3
signal_rank mpiexec TERM workload
await 'a signal to mpiexec' "$ended_launcher"
expect_file signal.h5 'len(start_s) >= 1 and (duration_s >= 39e-3).all()'

is_second_mpi && finish

# refused WHAT RANKS PATTERN ARGUMENTS...: wrong usage, one message that names what is right
refused() {
    check "$1" 2 1 "$2" workload "${@:4}"
    [ "$(grep -cE "^workload: .*$3" err)" = 1 ] || fail "$1: not one line with '$3'"
}
refused 'not a cube' 3 '3 ranks.*1 and 8' lulesh
refused 'an unknown name' 4 "'quake'.*fft.*lulesh" quake
refused 'no name' 2 'NAME is missing' --loop
refused 'two names' 2 "'lulesh'.*too many" fft lulesh

check 'no folder for the output' 1 1 2 workload fft -i 1 --compute-time 0ms -o /nonexistent/run.h5
grep -q '/nonexistent' err || fail 'the folder that is missing is not named'
mkdir taken.h5
check 'output cannot be written' 1 1 2 workload fft -i 1 --compute-time 0ms -o taken.h5
grep -q 'taken.h5' err || fail 'the path that cannot be written is not named'
grep -q '^mean pass' out && fail 'it was measured although the file cannot be written'

finish
