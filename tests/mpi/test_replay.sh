#!/usr/bin/env bash
# workload replay: passes, steps, data, memory; its files may be of other kinds, long, cut, mixed up or damaged.
# test_replay_programs.sh replays every program.
# shellcheck source=tests/mpi/replays.sh
. "$(dirname "$0")/replays.sh"

refused() { # WHAT RANKS PATTERN OPTION...: a message, and no hang
    local what=$1 ranks=$2 pattern=$3
    shift 3
    sleeping "$ranks" launch "$ranks" "$ranks" workload replay "$@"
    wait "$launcher" && fail "$what: taken"
    launcher=''
    grep -qE "^workload: .*$pattern" err || fail "$what: '$(head -n 3 err)' without '$pattern'"
}

# ---- what others read below ----
trace all 4 trace_calls
trace steps 4 trace_calls steps
for name in lulesh fft; do
    ranks=$([ "$name" = lulesh ] && echo 8 || echo 4)
    trace "$name" "$ranks" workload "$name" --iterations 1 --compute-time 1ms
done

# ---- requests ----
replay all 4
grep -qE '^workload: warning: all: MPI_[A-Za-z_]+ is not replayed \(calls: [0-9]+\)' messages ||
    fail "calls that are left out are not named: $(grep warning messages)"
# Messages that are longer than their buffers.
if ! is_second_mpi; then
    trace freed 4 delay_program check
    replay freed 4
    [ "$(crosstalk trace --dump --rank 1 freed.again | grep -c 'receive from 0 tag 6 [0-9]* B comm 0 cut$')" -eq 6 ] ||
        fail 'cut messages are not cut again'
    trace short 4 trace_calls short
    replay short 4
    [ "$(crosstalk trace --dump --rank 1 short.again | grep -cE '(wait|test) .* from 0 tag 10[0-5] 8 B cut$')" -eq 18 ] ||
        fail 'messages that are cut in a wait are not cut again'
fi
# A persistent receive from any source stays so where nothing else can come; where it can, its request is made again
# for each source.
trace many 4 trace_calls many
trace many.again 4 workload replay --trace many
crosstalk trace --dump --rank 0 many.again | awk '/receive_init from [123] tag 97 4 B/ { n++ } END { exit !(n >= 6) }' ||
    fail 'a persistent receive from any source is not made again'
# A part repeats, whatever persistent requests were made before or within: none is lost, and none is left. This one begins
# with a request that it frees.
sleeping 4 check 'steps of persistent requests' 0 4 4 workload replay --trace steps --pass step --loop --time 0.3s
trace steps.loop 4 workload replay --trace steps --pass-from 40 --pass-to 43 --loop --time 0.3s
crosstalk trace --dump --rank 1 steps.loop | awk '{ request = $0; sub(/.* request /, "", request); sub(/ .*/, "", request) }
    $6 ~ /_init$/ { open[request] = 1; n++ }
    / start [0-9]+ of / { if (!(request in open)) { bad = 1 }; m++ }
    $6 == "free" { delete open[request]; n-- }
    { if (n > most) most = n } END { print n, m, most; exit !(n == 0 && m > 16 && most <= 3 && !bad) }' >counted ||
    fail "persistent requests in steps: $(cat counted)"

# ---- other numbers of nodes ----
check 'fft on 2 nodes' 0 2 4 workload replay --trace fft -o fft.h5

# ---- passes, a run file, time between calls ----
trace sleeping 2 workload milc --iterations 20 --compute-time 5ms
sleeping 2 check 'passes' 0 2 2 workload replay --trace sleeping --loop --time 2s --compute-scale 0.5 -o half.h5 --label skeleton
sleeping 2 check 'spinning' 0 2 2 workload replay --trace sleeping --compute spin -o full.h5
/usr/bin/python3 - <<'PYTHON' || fail 'run files of replays'
import h5py, sys
with h5py.File("half.h5") as half, h5py.File("full.h5") as full:
    text = lambda run, key: run.attrs[key].decode() if isinstance(run.attrs[key], bytes) else run.attrs[key]
    ok = text(half, "kind") == "runtime" and text(half, "app") == "skeleton" and text(half, "option_trace") == "sleeping"
    passes, whole = half["runtimes"]["duration_s"], full["runtimes"]["duration_s"]
    ok = ok and len(passes) > 2 and len(whole) == 1
    # 22 iterations of 5 ms: one of them before the program's pass, one after it.
    ok = ok and passes.min() >= 0.5 * 22 * 5e-3 and whole[0] >= 22 * 5e-3
    ok = ok and half.attrs["messages_per_iteration"] == full.attrs["messages_per_iteration"] > 0
    if not ok:
        print(dict(half.attrs), passes[:], dict(full.attrs), whole[:])
sys.exit(not ok)
PYTHON

# ---- a pass is a step: 22 iterations with two reductions each; after the last one the first follows ----
sleeping 2 check 'steps' 0 2 2 workload replay --trace sleeping --pass step --loop --time 2s --format json
python3 -c 'import json, sys; x = json.load(open("out"))
sys.exit(not (x["passes"] > 22 and x["min_s"] >= 5e-3 and x["messages_per_iteration"] == 4))' ||
    fail "steps of milc: $(grep -E 'passes|min_s|messages' out)"
sleeping 8 check 'steps with requests' 0 8 8 workload replay --trace lulesh --pass-from 6 --pass-to 8 --loop --time 0.3s

# ---- traces of liballprof, which have the size of a receive's buffer and not that of its message ----
mkdir allprof
awk '/^[#=]/ { file = "allprof/pmpi-trace-rank-" n++ ".txt"; next } { print >file }' \
    "$CROSSTALK_SOURCE/tests/fuzz/corpus/allprof/messages.txt"
replay allprof 3
for wrong in '/MPI_Ssend/d' '/MPI_Isend/{h;d};/MPI_Win_fence/G'; do # a line is missing, or comes later
    rm -rf wrong && cp -r allprof wrong && sed -i "$wrong" wrong/pmpi-trace-rank-0.txt
    refused "a text with $wrong" 3 'wrong: rank [01], line [0-9]+ .(send|wait).: the program cannot end' --trace wrong
done
: >wrong/pmpi-trace-rank-2.txt
refused 'an empty text' 3 'wrong: rank 2, after line 0: the trace ends before MPI_Finalize' --trace wrong

# ---- archives of OTF2 ----
archive='' # of 4 ranks
mkdir temporary
export TMPDIR=$PWD/temporary
if crosstalk export all --format otf2 -o archive >out 2>messages; then
    crosstalk export lulesh --format otf2 -o lulesh.archive 2>messages || fail "export: $(cat messages)"
    replay_as all archive/traces.otf2 4
    replay_as lulesh lulesh.archive/traces.otf2 8
    archive=archive/traces.otf2
    crosstalk goal "$archive" --pass step -o steps.goal >out 2>messages && fail 'steps of a schedule of an archive: taken'
    grep -q "^crosstalk goal: $archive: steps are found in traces, not in an archive" messages ||
        fail "steps of a schedule of an archive: $(head -n 3 messages)"
    check 'an archive on 2 nodes' 0 2 4 workload replay --trace archive/traces.otf2
    sleeping 8 check 'steps of an archive' 0 8 8 workload replay --trace lulesh.archive/traces.otf2 --pass-from 6 --pass-to 8
    # Another writer's, by its folder: its recording ends before MPI_Finalize, and a receive has the size of its buffer.
    printf '%s\n' 'ranks 2' 'region MPI_Finalize' '0 0 enter MPI_Send' '0 0 send 1 5 1000 0' '0 10 leave MPI_Send' \
        '0 20 off' '1 0 enter MPI_Recv' '1 10 recv 0 5 4000 0' '1 20 leave MPI_Recv' '1 30 off' >foreign.txt
    otf2_archive foreign.txt foreign || fail 'an archive of another writer'
    check "an archive of another writer" 0 2 2 workload replay --trace foreign
    grep -q 'foreign: the rest of the program is not replayed (number: 2)' err || fail "no note: $(cat err)"
else
    grep -q 'without OTF2' messages || fail "export: $(cat messages)"
    echo 'no archive' >archive.otf2
    refused 'an archive without OTF2' 4 'archive.otf2: crosstalk was built without OTF2: install libotf2-trace-dev' \
        --trace archive.otf2
fi

# ---- schedules ----
for form in goal bin; do
    crosstalk goal lulesh -o "lulesh.$form" 2>messages || fail "goal: $(cat messages)"
    sleeping 8 check "a schedule, $form" 0 8 8 workload replay --goal "lulesh.$form" --loop --time 0.2s --format json
    messages=$(crosstalk goal "lulesh.$form" --stats --format csv | awk -F, '$1 == "messages" { print $2 }')
    python3 -c 'import json, sys; sys.exit(json.load(open("out"))["messages_per_iteration"] * 8 != float(sys.argv[1]))' \
        "$messages" || fail "$form: not $messages messages"
done
cat >times.goal <<'GOAL'
num_ranks 2
rank 0 {
a: calc 100000000
b: calc 100000000 cpu 1
c: calc 100000000 cpu 2
d: calc 100000000 cpu 3
e: calc 50000000
e requires a
s: send 200000b to 1 tag 3
s requires b
s requires c
s requires d
s requires e
}
rank 1 {
r: recv 200000b from 0 tag 3
d: calc 50000000
d requires r
}
GOAL
sleeping 2 check 'calcs on four CPUs' 0 2 2 workload replay --goal times.goal --format json
# Ranks leave the barrier before a pass one after the other, on a busy machine by some ms. One CPU alone would need 0.5 s.
python3 -c 'import json, sys; sys.exit(not 0.19 <= json.load(open("out"))["mean_s"] < 0.45)' ||
    fail "a schedule of 0.2 s takes $(grep mean_s out)"
# A message may be shorter than its receive, whose buffer then sends a longer one.
printf 'num_ranks 2\nrank 0 {\na: send 4b to 1 tag 1\nb: recv 64b from 1 tag 2\nb requires a\n}\nrank 1 {\na: recv 64b from 0 tag 1\nb: send 64b to 0 tag 2\nb requires a\n}\n' >shorter.goal
sleeping 2 check 'a message shorter than its receive' 0 2 2 workload replay --goal shorter.goal --loop --time 0.1s
sed 's/tag 3$/tag 4/; t; s/from 0 tag 4/from 0 tag 3/' times.goal | sed '/^r:/s/tag 4/tag 3/' >unmatched.goal
refused 'a schedule without counterparts' 2 'unmatched.goal: rank [01], operation [0-9]' --goal unmatched.goal
printf 'num_ranks 2\nrank 0 {\nr: recv 8b from 1 tag 0\ns: send 8b to 1 tag 0\ns requires r\n}\nrank 1 {\nr: recv 8b from 0 tag 0\ns: send 8b to 0 tag 0\ns requires r\n}\n' >cycle.goal
sed 's/^d: calc 100000000/d: calc 18446744073709551615/' times.goal >endless.goal
refused 'a schedule that takes centuries' 2 'endless.goal:6:9: a time in ns 18446744073709551615: larger' --goal endless.goal
sed 's/calc 100000000/calc 333333333333333334/' times.goal >endless.goal
refused 'a schedule that takes decades' 2 'endless.goal: rank 0, operation 3 in line 5 .*: with it the rank calculates' --goal endless.goal
refused 'a schedule that cannot end' 2 'cycle.goal: .*cycle' --goal cycle.goal
awk 'BEGIN { print "num_ranks 2"; for (r = 0; r < 2; r++) { print "rank " r " {"
    for (i = 0; i < 20000; i++) print "m" i ": " (r ? "recv" : "send") " 2147483647b " (r ? "from 0" : "to 1"), "tag", i
    print "}" } }' >large.goal
refused 'a schedule of messages larger than memory' 2 \
    'large.goal: rank [01] has messages of 42949672940000 bytes under way at once.*; the node has [0-9]+' --goal large.goal

# ---- threads ----
for case in whole late sizes; do
    python3 "$sources/threads_trace.py" "threads-$case" "$case" || fail "traces of threads, $case"
done
awake=1 replay threads-whole 2
if [ -n "$archive" ]; then
    crosstalk export threads-whole --format otf2 -o threads.archive >out 2>messages || fail "export: $(cat messages)"
    awake=1 replay_as threads-whole threads.archive/traces.otf2 2
fi
refused 'threads that wait for each other' 2 \
    'threads-late: rank 0, event 4 .receive.: the program cannot end: it waits for a message from rank 1, tag 1$' --trace threads-late
refused 'threads whose order is not known' 2 \
    'threads-sizes: rank 0, event 5 .send.: it overlaps with event 4 of another thread: messages of different sizes' \
    --trace threads-sizes
refused 'steps of several threads' 2 'threads-whole: rank 0 has 2 threads.*a pass is the whole program' --trace threads-whole \
    --pass step
# Of what the library says, it gives less.
launch 2 2 env CROSSTALK_WRONG_DATA=MPI_Query_thread LD_PRELOAD="$tests/libwrong_data.so" workload replay --trace threads-whole
wait "$launcher" && fail 'an MPI that is not for threads: taken'
launcher=''
grep -qE '^workload: threads-whole: rank 0 has 2 threads .* does not provide MPI_THREAD_MULTIPLE' err ||
    fail "an MPI that is not for threads: $(head -n 3 err)"
compare_replays

# ---- a network that changes data ----
wrong_data() { # CALL PATTERN WORDS...: of workload, on 4 ranks; the call of a rank gives others something else
    local call=$1 pattern=$2
    shift 2
    sleeping 4 launch 4 4 env CROSSTALK_WRONG_DATA="$call" \
        LD_PRELOAD="$CROSSTALK_BUILD/lab/libcrosstalk-lab.so:$tests/libwrong_data.so" workload "$@" -o wrong.h5
    wait "$launcher" && fail "$call of $*: wrong data is taken"
    launcher=''
    grep -qE "^workload: .*$pattern.*: the network or the MPI library changed or lost data" err ||
        fail "$call of $*: $(head -n 3 err)"
    [ ! -e wrong.h5 ] || fail "$call of $*: a run file of wrong data"
}
for call in MPI_Send MPI_Isend MPI_Alltoall MPI_Allreduce; do
    wrong_data "$call" 'rank [0-3], event [0-9]+ of pass [0-9]+: byte [0-9]+ of [0-9]+ from rank [0-3]' replay --trace all
done
crosstalk goal fft -o fft.goal 2>messages || fail "goal: $(cat messages)"
wrong_data MPI_Isend 'rank [0-3], operation [0-9]+ of pass [0-9]+: byte [0-9]+ of [0-9]+ from rank 1' replay --goal fft.goal
wrong_data MPI_Alltoall 'message from rank 1 to rank 3' fft --iterations 2 --compute-time 1ms

# ---- wrong usage ----
for started in 1 3 5 8; do # fewer than were traced, and more: some of these have no trace
    programs=('--trace all' '--trace fft' '--goal fft.goal' ${archive:+"--trace $archive"})
    [[ $started == [35] ]] || programs=('--trace all')
    for program in "${programs[@]}"; do
        # shellcheck disable=SC2086
        sleeping "$started" check "$program on $started ranks" 2 "$started" "$started" workload replay $program
        grep -qxE "workload: $program: is of 4 ranks, but $started were started; start 4, on any number of nodes" err ||
            fail "$program on $started ranks: $(head -n 3 err)"
    done
done
refused 'nothing to replay' 2 'give --trace TRACES or --goal FILE'
refused 'a folder without traces' 2 'folders with traces: did you mean' --trace .
refused 'marks that there are not' 2 'pass-to 999999: the program.s ranks make [0-9]+ collectives' --trace sleeping --pass-from 5 --pass-to 999999
refused 'half of a part' 2 'both of them' --trace all --pass-from 1
refused 'two things to replay' 2 'one of them' --trace all --goal times.goal
sleeping 2 check 'options of replay' 2 2 2 workload fft --trace all

# ---- traces that are cut, mixed up, of several programs, damaged ----
cp -r all cut && head -c 300 all/rank-000001.trace >cut/rank-000001.trace
refused 'a trace that is cut' 4 'rank-000001.trace: byte|rank [0-3], (event|after event) [0-9]+' --trace cut
cp -r all without && rm without/rank-000002.trace
refused 'a missing trace' 4 'no trace of rank 2' --trace without
cp -r all mixed && cp steps/rank-000003.trace mixed/
refused 'traces of two runs' 4 'rank [0-3]' --trace mixed
sleeping 4 timeout -k 2 "$deadline_s" crosstalk trace -o aborted -- mpiexec -n 4 trace_calls abort >summary 2>messages </dev/null
refused 'an aborted program' 4 'rank [0-3], after event [0-9]+: the trace ends before MPI_Finalize' --trace aborted
python3 - <<'PYTHON'
import os, random, shutil
random.seed(1)
for case in range(4):
    shutil.copytree("fft", f"damaged-{case}")
    path = f"damaged-{case}/rank-{case:06d}.trace"
    data = bytearray(open(path, "rb").read())
    for _ in range(1 + 2 * case):
        data[random.randrange(64, len(data))] = random.randrange(256)
    open(path, "wb").write(data)
PYTHON
for case in 0 1 2 3; do
    sleeping 4 launch 4 4 workload replay --trace "damaged-$case" --compute-scale 0
    wait "$launcher"
    code=$?
    launcher=''
    # Damage may leave a program that can be replayed; else there is a word of where it is.
    [ "$code" -eq 0 ] || grep -qE "^workload: damaged-$case" err || fail "damaged-$case: exit code $code: $(head -n 3 err)"
done

if [ -d archive ]; then
    head -c 300 archive/traces/2.evt >damaged.evt && mv damaged.evt archive/traces/2.evt
    refused 'an archive that is cut' 4 'archive/traces.otf2: rank 2 .location 2, its file 2.evt' --trace archive/traces.otf2
    rm archive/traces/1.evt
    refused 'an archive without a file' 4 'the events of rank 1, archive/traces/1.evt: No such file' \
        --trace archive/traces.otf2
    TMPDIR=/nonexistent refused 'no folder for traces' 8 '/nonexistent: no folder can be made there: No such file.*TMPDIR' \
        --trace lulesh.archive/traces.otf2
fi
[ -z "$(ls temporary)" ] || fail "archives leave behind: $(ls temporary)"

# ---- long traces: memory is that of short ones, and their files ----
for rounds in 1000 300000; do
    python3 "$sources/long_trace.py" "long-$rounds" 1 "$rounds" || fail 'long traces'
done
cat >peak.py <<'PYTHON'
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], close_fds=False).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print("peak", used.ru_maxrss, used.ru_utime + used.ru_stime)
sys.exit(code)
PYTHON
peak() { # kB in peak_kb; of one rank, whose messages wait for nobody
    check "a replay of $1" 0 1 1 python3 peak.py "$bin/workload" replay --trace "$1" --quiet
    peak_kb=$(awk '$1 == "peak" { print $2 }' out)
}
# Computing that is slept leaves the processor to others, spun it keeps it, as far as others leave it any: 1.2 s.
used() {
    check "computing, $1" 0 1 1 python3 peak.py "$bin/workload" replay --trace 'allreduce:1,rounds=20,compute=20ms' \
        --compute "$1" --quiet
    awk '$1 == "peak" { print $3 }' out
}
slept=$(used sleep) spun=$(used spin)
awk -v slept="$slept" -v spun="$spun" 'BEGIN { exit !(slept > 0 && spun > 1.5 * slept && spun - slept < 1.5) }' ||
    fail "computing takes $slept s of processor time slept, $spun s spun"

deadline_s=120
peak long-1000
short=$peak_kb
peak long-300000
file=$(du -sk long-300000 | cut -f 1)
if [ "${short:-0}" -eq 0 ] || [ $((peak_kb - short)) -gt $((file + 8192)) ]; then
    fail "a replay of 1.2 million events a rank takes $peak_kb kB, one of 4000 $short kB; the files have $file kB"
fi
finish
