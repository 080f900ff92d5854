#!/usr/bin/env bash
# From a running program to its schedule: traces of every kind of call become schedules that the
# other commands take, what does not fit is named, and time in calls is no compute.
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"
crosstalk=$CROSSTALK_BIN/crosstalk
calls=$CROSSTALK_BUILD/tests/trace_calls

trace() { # DIR CODE WORDS...: a program of four ranks
    local directory=$1 expected=$2
    shift 2
    "${four_sleeping[@]}" timeout -k 2 "$deadline_s" "$crosstalk" trace -o "$directory" -- mpiexec -n 4 "$@" \
        >summary 2>messages </dev/null
    local code=$?
    [ "$code" -eq "$expected" ] && return
    fail "trace of $*: exit code $code, expected $expected"
    tail -n 5 messages
}

stat_of() { # KEY WORDS...: a number that crosstalk goal tells of what WORDS name
    local key=$1
    shift
    "$crosstalk" goal "$@" --stats --format csv 2>messages | awk -F, -v key="$key" '$1 == key { print $2 }'
}

refused() { # PATTERN WORDS...
    local pattern=$1
    shift
    "$crosstalk" goal "$@" >schedule 2>messages && fail "goal $*: taken"
    grep -qE "$pattern" messages || fail "goal $*: '$(cat messages)' without '$pattern'"
}

# ---- every kind of call ----
trace all 0 "$calls"
"$crosstalk" goal all -o all.goal 2>messages || fail "every kind of call: $(cat messages)"
grep -q ': 4 one-sided accesses: the rank that is accessed answers at once' messages || fail 'no warning of accesses'
grep -q 'MPI_File_open is not in the schedule (calls: 4)' messages || fail 'no warning of MPI_File_open'
[ "$(stat_of ranks all)" = 4 ] || fail 'ranks'
[ "$(stat_of messages all)" = "$(stat_of messages all.goal)" ] || fail 'messages of the file'

"$crosstalk" tolerance all.goal --L 2us --o 1us --G 0.1ns --format csv >answer 2>messages ||
    fail "tolerance: $(cat messages)"
grep -q '^lambda_L,[1-9]' answer || fail 'no latency on the critical path'
"$crosstalk" lp all.goal --L 2us --o 1us --G 0.1ns -o all.lp >answer 2>messages || fail "lp: $(cat messages)"
[ -s all.lp ] || fail 'no linear program'
"$crosstalk" goal all -o all.bin 2>messages || fail "binary form: $(cat messages)"
[ "$(stat_of dependencies all.bin)" = "$(stat_of dependencies all.goal)" ] || fail 'dependencies of the binary form'

# A receive that is seen complete by MPI_Request_get_status is waited for there, one that is too short gets its message.
trace seen 0 "$calls" seen
trace short 0 "$calls" short
"$crosstalk" goal short -o short.goal 2>messages || fail "receives that are too short: $(cat messages)"
[ "$(grep -c 'recv 40b' short.goal)" = 24 ] || fail 'receives that are too short get other messages'

# Other numbers of ranks, powers of two and not.
for ranks in 2 3 8; do
    timeout -k 2 "$deadline_s" "$crosstalk" trace -o "all-$ranks" -- mpiexec -n "$ranks" "$calls" >summary 2>messages </dev/null ||
        fail "$ranks ranks: $(tail -n 5 messages)"
    [ "$(stat_of ranks "all-$ranks")" = "$ranks" ] || fail "schedule of $ranks ranks: $(cat messages)"
done

# Same traces, same schedule; other algorithms, other messages; the compute scale scales.
"$crosstalk" goal all -o again.goal 2>messages
cmp -s all.goal again.goal || fail 'a second conversion differs'
[ "$(stat_of messages all --collectives allreduce=ring)" -gt "$(stat_of messages all --collectives allreduce=recursive-doubling)" ] ||
    fail 'an allreduce by a ring has no more messages'
# Schedules have whole nanoseconds, so that the pauses of a program that polls, as Open MPI's ranks do, do not
# become shorter than one.
# What a program computes before its first communication is not scaled.
whole=$(stat_of compute_s all) half=$(stat_of compute_s all --compute-scale 0.5) start=$(stat_of compute_s all --compute-scale 0)
is_second_mpi || awk -v a="$whole" -v b="$half" -v z="$start" 'BEGIN { half = (b - z) / (a - z); exit !(a > z && half > 0.499 && half < 0.505) }' ||
    fail "compute: $whole s, at half scale $half s, without $start s"
# A part has some of the messages; one that begins within an exchange is refused, as workload replay refuses it.
"$crosstalk" goal all --pass-from 9 --pass-to 20 -o part.goal 2>messages || fail "no part: $(cat messages)"
[ "$(stat_of operations part.goal)" -lt "$(stat_of operations all)" ] || fail 'a part is not smaller'
refused '^crosstalk goal: --pass-to 100000: .*collectives together' all --pass-from 1 --pass-to 100000
refused '^crosstalk goal: --pass-from 3: messages or requests are under way' all --pass-from 3 --pass-to 10
refused '^crosstalk goal: --pass-from 2, --pass-to 0: both' all --pass-from 2
refused '^crosstalk goal: --pass-from: is for a folder of traces; all.goal is none' all.goal --pass-from 2
refused '^crosstalk goal: --collectives: .*triangle' all --collectives allreduce=triangle
refused '^crosstalk goal: --collectives: ring@tuesday: not a condition' all --collectives allreduce=ring@tuesday
refused "^crosstalk goal: --collectives: is for a folder of traces; all.goal is none" all.goal --collectives bcast=binomial

# --help names every algorithm of a collective, in the sentence about it.
"$crosstalk" goal --help | sed -n '/^ *--collectives /,/^$/p' | tr -s ' \n' ' ' >help
for collective in allreduce bcast barrier reduce reduce-scatter allgather alltoall gather scatter scan exscan; do
    refused "^crosstalk goal: --collectives: triangle: not an algorithm for $collective" all --collectives "$collective=triangle"
    grep -oP "(?<![-a-z])$collective(?![-a-z])[^.:=]*: [^.]*" help >sentence
    sed 's/.*there are //; s/;.*//; s/, /\n/g' messages >names
    [ -s names ] || fail "$collective has no algorithms"
    while read -r algorithm; do
        grep -q -- "$algorithm" sentence || fail "--help does not name $algorithm of $collective"
    done <names
done

# ---- tests that find nothing are time in calls ----
trace poll 0 "$calls" poll
"$crosstalk" trace --dump --rank 1 poll | awk '
    $5 == "us" || 1 { start = $2; us = $4; end = start + us / 1e6
      if ($6 == "test" && NF == 6 && us > last_us) { last_us = us; gap = 1e6 * (start - before) }
      before = end }
    END { if (!(last_us > 0.3 * (last_us + gap))) { print last_us " us in tests, " gap " us between"; exit 1 } }' >poll.out ||
    fail "polling counts as compute: $(cat poll.out)"
"$crosstalk" trace --dump --rank 1 poll | awk '
    /test.* tag 62 / { found = polled }
    { polled = $6 == "test" && NF == 6 && $4 > 0.3e6 * ($2 + $4 / 1e6 - before); before = $2 + $4 / 1e6 }
    END { exit !found }' ||
    fail 'polling the status of a request counts as compute'

# ---- compute by processor time: the same with two ranks and with eight on two cores; no sleep in it ----
by_processor() { # DIR RANKS PROGRAM...
    sleeping "$2" timeout -k 2 "$deadline_s" "$crosstalk" trace --compute cpu -o "$1" -- mpiexec -n "${@:2}" \
        >summary 2>messages </dev/null || fail "by processor: $(tail -n 3 messages)"
}
for ranks in 2 8; do
    by_processor "work-$ranks" "$ranks" "$CROSSTALK_BUILD/tests/trace_work"
    grep -q '^time between calls *cpu$' summary || fail 'the summary does not say what the time between calls is'
    [ "$(stat_of compute_clock "work-$ranks")" = cpu ] || fail 'goal does not say what the time between calls is'
done
awk -v a="$(stat_of compute_s work-2)" -v b="$(stat_of compute_s work-8)" \
    'BEGIN { a /= 2; b /= 8; exit !(a > 0 && b > 0.6 * a && b < 1.6 * a) }' ||
    fail "compute: $(stat_of compute_s work-2) s of 2 ranks, $(stat_of compute_s work-8) s of 8"
by_processor asleep 2 "$CROSSTALK_BIN/workload" milc --iterations 20 --compute-time 20ms
awk -v a="$(stat_of compute_s asleep)" 'BEGIN { exit !(a > 0 && a < 0.2 * 2 * 22 * 20e-3) }' ||
    fail "sleep counts as processor time: $(stat_of compute_s asleep) s"
"$crosstalk" goal asleep -o asleep.goal 2>messages
grep -q 'asleep: compute is processor time' messages || fail 'goal -o does not say what compute is'
[ "$(stat_of compute_clock all)" = wall ] || fail 'compute of other traces'

# ---- what does not fit ----
cp -r all without && rm without/rank-000002.trace
refused 'no trace of rank 2' without
cp -r all cut && head -c 300 all/rank-000001.trace >cut/rank-000001.trace
"$crosstalk" goal cut -o cut.goal 2>messages || refused 'damaged or cut' cut
cp -r all mixed && cp poll/rank-000003.trace mixed/
refused 'rank [0-3], event [0-9]+' mixed
mkdir empty
refused 'empty: no traces there' empty

# ---- an aborted program is used as far as it goes ----
trace aborted 1 "$calls" abort
"$crosstalk" goal aborted -o aborted.goal 2>messages || fail "aborted: $(cat messages)"
grep -q '4 of 4 traces end before MPI_Finalize' messages || fail 'no word of the cut traces'
"$crosstalk" tolerance aborted.goal --L 2us --o 1us --G 0.1ns >answer 2>messages || fail 'aborted: tolerance'
finish
