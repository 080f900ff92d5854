#!/usr/bin/env bash
# logpb under mpiexec on this machine: figures beside a plain ping-pong, outputs, bad input, a partner
# that hangs or dies, signals. Virtual nodes are MPICH's.
set -u
PATH=${CROSSTALK_BIN:?}:$PATH
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"

json() { # EXPRESSION of the document d in the last output: true, or a failure
    python3 -c 'import json, sys; d = json.load(open("out")); sys.exit(not eval(sys.argv[1]))' "$1" ||
        fail "$what: $1"
}

what='shared memory'
check "$what" 0 1 2 logpb --max-size 64KiB --epsilon 20% --max-sizes 24 --time 20s --format json -q -o run.h5
cp out first.json
json 'd["P"] == 2 and d["sizes"][0]["bytes"] == 0'
json 'all(s["os_s"] > 0 and s["rtt_s"] > 0 and s["repetitions"] >= 6 for s in d["sizes"])'
json 'all(s["rtt_ci_s"][0] <= s["rtt_s"] <= s["rtt_ci_s"][1] for s in d["sizes"])'
json 'd["sizes"][-1]["bytes"] == 65536'
json 'd["elapsed_s"]["fast"] > 0 and d["elapsed_s"]["saturation"] is None'
json 'len(d["checks"]) > 1'
# Half a round trip by a plain ping-pong of the same size, both ways: RTT(m) - RTT(0) / 2. The same within a
# factor that no machine's noise explains, as either may be another way through it; in one of five
# tries, and by the shortest ping-pong, for two busy ranks that do not have two cores to themselves take
# turns of milliseconds.
delay_s() { python3 -c 'import json, sys; d = json.load(open("logp.json")); print(next(
    s["rtt_s"] for s in d["sizes"] if s["bytes"] == int(sys.argv[1])) - d["sizes"][0]["rtt_s"] / 2)' "$1"; }
is_near_ping_pong() { # BYTES
    check "a plain ping-pong of $1 B" 0 1 2 impactb --allow-one-node -i 200 --interval 1ms --wait spin \
        -m "${1}B" --format json -q
    awk -v a="$(delay_s "$1")" -v b="$(python3 -c \
        'import json; print(json.load(open("out"))["latencies"]["min"]["value_s"])')" \
        'BEGIN { print a, b; exit !(a > b / 8 && a < b * 8) }' >beside
}
cp out logp.json
# Open MPI takes 8 to 16 times as long for 64 KiB after a pause of 1 ms as in a row (57 to 131 us, 7 to 8 us).
sizes=(16 65536)
is_second_mpi && sizes=(16)
for bytes in "${sizes[@]}"; do
    for ((try = 1; ; try++)); do
        is_near_ping_pong "$bytes" && break
        [ "$try" -lt 5 ] || { fail "$bytes B: time of a message and ping-pong: $(cat beside) s"; break; }
        check 'shared memory, again' 0 1 2 logpb --max-size 64KiB --epsilon 20% --max-sizes 24 --time 20s --format json -q
        cp out logp.json
    done
done
crosstalk show --all run.h5 >shown || fail 'the run file cannot be read'
grep -q '^L  ' shown || fail 'the run file does not say L'
is_same_set() { # logpb's answer, from the file again
    crosstalk show --all run.h5 --format json >again.json
    python3 -c 'import json
a, b = (json.load(open(name))["parameters"] for name in ("first.json", "again.json"))
for name in ("L", "o", "g", "G per byte"):
    for x, y in zip([a[name]["value_s"], *a[name]["ci_s"]], [b[name]["value_s"], *b[name]["ci_s"]]):
        assert x == y or abs(x - y) <= 1e-9 * abs(y), (name, a[name], b[name])'
}
is_same_set || fail 'L, o, g and G of the file are not those that were printed'
rows=$(crosstalk export run.h5 --dataset repetitions | grep -vc '^[#b]')
[ "$rows" -gt 500 ] || fail "only $rows repetitions in the file"
# A measurement beside other work can have overheads longer than its messages, says so, and is made again.
says_disturbed() { grep -q 'overheads alone are longer.*measure again' "$1"; }
for ((try = 1; try < 5; try++)); do
    crosstalk export run.h5 --emit loggopsim >emitted 2>refused && break
    says_disturbed refused || break
    check 'shared memory, undisturbed' 0 1 2 logpb --max-size 64KiB --epsilon 20% --max-sizes 24 --time 20s -q -o run.h5
done
# cli_measured tests what is written; of a measurement, that it is written or refused with its reason:
# 64 KiB in memory beside other work need not determine G.
for simulator in loggopsim llamp simgrid; do
    crosstalk export run.h5 --emit "$simulator" >emitted 2>refused ||
        grep -q "$simulator: G is not determined by these sizes (up to 64KiB): " refused ||
        fail "export --emit $simulator: $(cat refused)"
done
what='both methods, both directions'
check "$what" 0 2 2 logpb --method both --max-size 256B --epsilon 50% --swap --format json -q -o run.h5
json 'len(d["pairs"]) == 2 and len(d["directions"]) == 6'
json 'all(s["g_saturation_s"] > 0 for s in d["sizes"])'
json 'all(method["bytes"] > 0 and method["messages"] > 0 for method in d["methods"].values())'
crosstalk export run.h5 | cut -d, -f18-20 | sort | uniq -c >directions
[ "$(grep -c '[01],[01],[01]$' directions)" = 4 ] || fail 'the file has not both methods in both directions'

saturation_alone() {
    what='saturation alone'
    check "$what" 0 2 2 logpb --method saturation --max-size 1KiB --epsilon 50% --format json -q
    json 'd["L_s"] is None and d["g_s"] > 0 and len(d["sizes"]) == 12'
    check 'nothing to emit after saturation alone' 1 2 2 logpb --method saturation --max-size 16B --epsilon 10% --emit llamp
    grep -q -- '--method fast' err || fail 'no remedy for saturation alone'
}
is_second_mpi || saturation_alone

what='all pairs'
check "$what" 0 4 4 logpb --pairs all --sequential --max-size 64B --epsilon 50% --format json -q -o run.h5
json 'len(d["pairs"]) == 6 and len({(p["rank_from"], p["rank_to"]) for p in d["pairs"]}) == 6'
what='neighbours at the same time'
check "$what" 0 5 5 logpb --pairs adjacent --max-size 4B --epsilon 50% --time 10s --format json -q
json '[(p["rank_from"], p["rank_to"]) for p in d["pairs"]] == [(0, 1), (2, 3)]'
classes_of_paths() {
    what='classes of paths'
    check "$what" 0 4 8 logpb --pairs classes --topology tree:2x2 --pairs-per-class 1 --sequential --max-size 64B \
        --epsilon 50% --time 20s --format json -q -o classes.h5
    json 'len(d["pairs"]) == 3'
    # Every two nodes, and the inside of each.
    crosstalk export classes.h5 --dataset paths | grep -c '^[0-9]*,[0-9]*,[013]$' >n_paths
    [ "$(cat n_paths)" = 10 ] || fail "$what: the file has $(cat n_paths) paths, not 10"
    crosstalk export classes.h5 --dataset paths | cut -d, -f3 | grep '^[0-9]' | sort -n | uniq -c | tr -s ' ' '\n' >counts
    [ "$(tr '\n' ' ' <counts)" = ' 4 0 2 1 4 3 ' ] || fail "$what: classes are $(tr '\n' ' ' <counts)"
    check 'a network with too few nodes' 1 4 4 logpb --pairs classes --topology switch:3
    grep -q 'switch:3: 3 nodes; the run is on 4' err || fail 'too few nodes: no cause named'
    printf 'SwitchName=s Nodes=nowhere[0-7]\n' >foreign.conf
    check 'hosts that are not in the file' 1 4 4 logpb --pairs classes --topology foreign.conf
    grep -q 'foreign.conf: no node is called' err || fail 'unknown hosts: no cause named'
}
is_second_mpi || classes_of_paths

emit_and_refusals() {
    for ((try = 1; try < 5; try++)); do
        launch 2 2 logpb --max-size 1KiB --epsilon 20% --emit loggopsim
        wait "$launcher" && break
        says_disturbed err || break
    done
    launcher=''
    grep -Eq '^-L [0-9]+ -o [0-9]+ -g [0-9]+ -G [0-9]+ -O 0 -S [0-9]+$' out ||
        grep -q 'loggopsim: G is not determined by these sizes (up to 1KiB): ' err || fail 'neither an option string nor why there is none'

    check 'one rank is refused' 1 1 1 logpb
    grep -q 'logpb: one rank' err || fail 'one rank: no remedy named'
    check 'usage is printed once' 2 2 4 logpb --epsilon 0
    [ "$(grep -c -- '--epsilon' err)" = 1 ] || fail 'a usage error is printed more than once'
    check 'output cannot be written' 1 2 2 logpb --max-size 4B -o /nonexistent/run.h5
}
is_second_mpi || emit_and_refusals

# A run that goes on until it is ended, as soon as it has kept something.
launch_endless() { # FILE.h5 OPTION...
    local output=$1
    shift
    rm -rf "$output" "$output.checkpoint"
    "${launch:-launch}" 2 2 logpb --method both --epsilon 0.01% --max-size 64MiB --max-sizes 10000 --checkpoint 100ms \
        -o "$output" "$@"
    for ((i = 0; i < 1000; i++)); do
        compgen -G "$output.checkpoint/rows-*.h5" >/dev/null && break
        sleep 0.02
    done
    sleep 0.3
}

# A partner that hangs ends the run by --deadline, one that dies at once; what was measured is kept.
bad_partner() { # WHAT RANK SIGNAL
    launch_endless run.h5 --deadline 2s
    signal_rank "$2" "$3" logpb
    wait "$launcher"
    local code=$?
    launcher=''
    [ "$code" -eq 0 ] || [ "$code" -eq 124 ] && fail "rank $2 $1: exit code $code"
    crosstalk export run.h5.checkpoint -o run.h5 2>messages || fail "rank $2 $1: $(cat messages)"
    rm -r run.h5.checkpoint
    crosstalk show --all run.h5 >shown
    grep -Eq '^complete +0' shown || fail "rank $2 $1: the run does not say that it is incomplete"
    [ "$(crosstalk export run.h5 --dataset repetitions | grep -vc '^[#b]')" -gt 30 ] ||
        fail "rank $2 $1: no repetitions were kept"
}
ranks=(0 1) enders=(0 1 mpiexec)
is_second_mpi && ranks=(1) enders=(0 mpiexec)
for rank in "${ranks[@]}"; do
    bad_partner hangs "$rank" STOP
    grep -q 'no message within --deadline' err || fail "rank $rank hangs: nothing said"
    bad_partner dies "$rank" KILL
done
launch_endless left.h5
signal_rank 0 KILL logpb
wait "$launcher"
launcher=''
check 'a checkpoint is there' 1 2 2 logpb --max-size 4B -o left.h5
grep -q 'crosstalk export left.h5.checkpoint -o FILE.h5' err || fail 'no remedy for a checkpoint that is there'

for rank in "${enders[@]}"; do
    [ "$rank" = mpiexec ] && launch=launch_patient || launch=launch
    launch_endless run.h5
    signal_rank "$rank" TERM logpb
    [ "$rank" = mpiexec ] && code=$ended_launcher || code=0
    await "SIGTERM to $rank" "$code"
    crosstalk show --all run.h5 >shown || fail "SIGTERM to $rank: no run file"
    grep -Eq '^complete +0' shown || fail "SIGTERM to $rank: the run does not say that it is incomplete"
    # Open MPI's mpiexec, told to end, does not always pass on what its ranks still print.
    [ "$rank" = mpiexec ] && is_second_mpi || grep -q 'incomplete' out ||
        fail "SIGTERM to $rank: not called incomplete"
    [ -e run.h5.checkpoint ] && fail "SIGTERM to $rank: the checkpoint is still there"
done
finish
