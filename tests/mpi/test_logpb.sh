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
check "$what" 0 1 2 logpb --max-size 64KiB --epsilon 5% --time 20s --format json -q -o run.h5
json 'd["P"] == 2 and d["sizes"][0]["bytes"] == 0'
json 'all(s["os_s"] > 0 and s["rtt_s"] > 0 and s["repetitions"] >= 6 for s in d["sizes"])'
json 'all(s["rtt_ci_s"][0] <= s["rtt_s"] <= s["rtt_ci_s"][1] for s in d["sizes"])'
json 'd["sizes"][-1]["bytes"] == 65536 and d["sizes"][-1]["g_s"] > d["sizes"][-1]["os_s"] / 100'
json 'd["elapsed_s"]["fast"] > 0 and d["elapsed_s"]["saturation"] is None'
json 'len(d["checks"]) > 1'
rtt_s=$(python3 -c 'import json; print(json.load(open("out"))["sizes"][0]["rtt_s"])')
crosstalk show run.h5 >shown || fail 'the run file cannot be read'
grep -q '^L_s' shown || fail 'the run file does not say L'
rows=$(crosstalk export run.h5 --dataset repetitions | grep -vc '^[#b]')
[ "$rows" -gt 500 ] || fail "only $rows repetitions in the file"
for simulator in loggopsim llamp simgrid; do
    crosstalk export run.h5 --emit "$simulator" >emitted || fail "export --emit $simulator"
done
check 'a plain ping-pong' 0 1 2 impactb --allow-one-node -i 200 --interval 1ms --wait spin -m 16B --format json -q
# Twice the probe's half round trip: of the same order, on whatever machine this is.
awk -v a="$rtt_s" -v b="$(python3 -c 'import json; print(2 * json.load(open("out"))["latencies"]["p50"]["value_s"])')" \
    'BEGIN { exit !(a > b / 20 && a < b * 20) }' || fail "round trip $rtt_s s is not like a ping-pong's"

what='both methods, both directions'
check "$what" 0 2 2 logpb --method both --max-size 4KiB --epsilon 10% --swap --format json -q -o run.h5
json 'len(d["pairs"]) == 2 and len(d["directions"]) == 6'
json 'all(s["g_saturation_s"] > 0 for s in d["sizes"])'
json 'd["methods"]["saturation"]["bytes"] > d["methods"]["fast"]["bytes"]'
crosstalk export run.h5 | cut -d, -f18-20 | sort | uniq -c >directions
[ "$(grep -c '[01],[01],[01]$' directions)" = 4 ] || fail 'the file has not both methods in both directions'

what='saturation alone'
check "$what" 0 2 2 logpb --method saturation --max-size 1KiB --epsilon 10% --format json -q
json 'd["L_s"] is None and d["g_s"] > 0 and len(d["sizes"]) == 12'
check 'nothing to emit after saturation alone' 1 2 2 logpb --method saturation --max-size 16B --epsilon 10% --emit llamp
grep -q -- '--method fast' err || fail 'no remedy for saturation alone'

what='all pairs'
check "$what" 0 4 4 logpb --pairs all --max-size 64B --epsilon 20% --format json -q -o run.h5
json 'len(d["pairs"]) == 6 and len({(p["rank_from"], p["rank_to"]) for p in d["pairs"]}) == 6'
check 'neighbours one at a time' 0 5 5 logpb --pairs adjacent --sequential --max-size 64B --epsilon 20% -q
check 'emit' 0 2 2 logpb --max-size 4KiB --epsilon 10% --emit loggopsim
grep -Eq '^-L [0-9]+ -o [0-9]+ -g [0-9]+ -G [0-9]+ -O 0 -S [0-9]+$' out || fail 'no option string'

check 'one rank is refused' 1 1 1 logpb
grep -q 'logpb: one rank' err || fail 'one rank: no remedy named'
check 'usage is printed once' 2 2 4 logpb --epsilon 0
[ "$(grep -c -- '--epsilon' err)" = 1 ] || fail 'a usage error is printed more than once'
check 'output cannot be written' 1 2 2 logpb --max-size 4B -o /nonexistent/run.h5

for rank in 0 1; do
    launch 2 2 logpb --method both --deadline 2s --epsilon 0.1% --max-size 16MiB
    sleep 1.5
    signal_rank "$rank" STOP logpb
    wait "$launcher"
    code=$?
    launcher=''
    if [ "$code" -eq 0 ] || [ "$code" -ge 124 ] && [ "$code" -ne 137 ]; then
        fail "rank $rank hangs: exit code $code"
    fi
    grep -q 'no message within --deadline' err || fail "rank $rank hangs: nothing said"
    launch 2 2 logpb --method both --epsilon 0.1% --max-size 16MiB
    sleep 1.5
    signal_rank "$rank" KILL logpb
    wait "$launcher"
    code=$?
    launcher=''
    if [ "$code" -eq 0 ] || [ "$code" -eq 124 ]; then fail "rank $rank dies: exit code $code"; fi
done

for rank in 0 1 mpiexec; do
    rm -f run.h5
    launch 2 2 logpb --method both --epsilon 0.1% -o run.h5
    sleep 1.5
    signal_rank "$rank" TERM logpb
    await "SIGTERM to $rank" 0
    grep -q 'incomplete' out || fail "SIGTERM to $rank: not called incomplete"
    crosstalk show run.h5 >shown || fail "SIGTERM to $rank: no run file"
done
finish
