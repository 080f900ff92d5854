#!/usr/bin/env bash
# The tracer in unmodified programs: every call is recorded as what it was, the program gets what MPI
# promises, and what ends early leaves traces that can be read.
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"
bin=$CROSSTALK_BIN
calls=$CROSSTALK_BUILD/tests/trace_calls

# trace DIR WORDS...: a program of four ranks under the tracer
trace() {
    local directory=$1
    shift
    timeout -k 2 "$deadline_s" "$bin/crosstalk" trace -o "$directory" --format csv -- \
        mpiexec -n 4 "$@" >summary 2>messages </dev/null
    local code=$?
    [ "$code" -eq "$result" ] && return
    fail "trace of $*: exit code $code, expected $result"
    tail -n 5 messages
}
result=0

dump() { # DIR RANK: without times and numbers of requests
    "$bin/crosstalk" trace --dump --rank "$2" "$1" | sed -E 's/^[0-9]+ [0-9.]+ s [0-9.]+ us //; s/ request [0-9]+//g'
}

has() { # DIR RANK LINE TIMES
    local n
    n=$(dump "$1" "$2" | grep -cxF -- "$3")
    [ "$n" -eq "$4" ] || fail "$1: rank $2 has '$3' $n times, expected $4"
}

# ---- every kind of call ----
trace all "$calls"
has all 0 'send to 1 tag 1 4 B comm 0' 1
has all 0 'receive from 3 tag 1 4 B comm 0' 1 # was from any source, with any tag
has all 1 'send to 2 tag 2 4 B buffered comm 0' 1
has all 2 'sendrecv to 3 tag 3 4 B from 1 tag 3 4 B comm 0' 1
has all 2 'sendrecv to 3 tag 4 4 B from 1 tag 4 4 B comm 0' 1
has all 0 'receive from -1 tag 10 8 B comm 0' 1
has all 0 'wait from 3 tag 10 8 B' 1 # and here is where it came from
has all 0 'test from 3 tag 11 8 B' 1
has all 1 'receive from 0 tag 20 4 B comm 0' 3 # persistent
has all 1 'wait from 0 tag 20 4 B' 3
for mode in synchronous ready buffered; do
    dump all 1 | grep -E "^send to 2 tag 7[0-9] .* $mode " >sends
    [ "$(wc -l <sends)" -ge 2 ] || fail "rank 1 has too few $mode sends"
done
for tag in 80 81 82; do
    has all 2 "test from 1 tag $tag 4 B" 1
done
has all 3 'probe from 2 tag 30 12 B comm 0' 1
has all 3 'probe from 2 tag 31 8 B comm 0' 1
has all 3 'receive from 2 tag 31 8 B comm 0' 1
has all 3 'probe from 2 tag 33 4 B comm 0' 1
has all 3 'wait from 2 tag 33 4 B' 1
has all 1 'cancel' 1
has all 1 'bcast root 3 8 B comm 0' 1
has all 1 'reduce root 3 12 B comm 0' 1
has all 1 'allreduce 4 B comm 0' 1 # in place
has all 1 'allreduce 8 B comm 0' 1 # nonblocking
has all 1 'gather root 3 4 B comm 0' 2
has all 1 'scatter root 3 4 B comm 0' 2
has all 1 'allgather 4 B comm 0' 4
has all 1 'alltoall 4 B comm 0' 2
has all 1 'alltoallv comm 0: 4 4 4 4' 3
has all 1 'reduce_scatter 16 B comm 0: 4 4 4 4' 4
has all 3 'comm comm 2: 0 3 2 1 0' 1 # ranks reversed
has all 3 'send to 2 tag 40 4 B comm 2' 1
has all 2 'receive from 3 tag 40 4 B comm 2' 1
has all 3 'bcast root 3 4 B comm 3' 1 # of 1 and 3
has all 2 'neighbor comm 4: 2 1 4 3 4 1 4 3 4' 1
has all 0 'neighbor comm 4: 1 1 4 1 4' 1 # at the edge of the grid
has all 2 'comm comm 5: 1 3 2 1 0' 1 # a copy of the reversed one: number 1 of its kind
has all 2 'neighbor comm 6: 1 3 4 1 4' 6
for name in Win_create Put Win_free File_open File_iwrite_at File_write_at_all_begin File_write_at_all_end File_close; do
    has all 2 "unmodelled MPI_$name" 1
done
has all 2 'end' 1
grep -q 'MPI_Put is not modelled (calls: 4)' messages || fail 'no warning of MPI_Put'
grep -q '^allreduce,8,48,' summary || fail 'summary has no 8 allreduces'

# What was sent is what was received, over all ranks.
for rank in 0 1 2 3; do
    "$bin/crosstalk" trace --dump --rank "$rank" all
done | awk '
    { for (i = 5; i <= NF; i++) {
        if ($i == "to") sent[$1 " " $(i+1) " " $(i+3) " " $(i+4)]++
        if ($i == "from" && $(i+1) >= 0 && $6 != "probe" && ($0 !~ /receive.* request/))
            received[$(i+1) " " $1 " " $(i+3) " " $(i+4)]++ } }
    END { for (m in sent) { n++; if (sent[m] != received[m]) { print m, sent[m], received[m]; bad = 1 } }
          if (n < 40) { print n " messages"; bad = 1 }; exit bad }' >unmatched ||
    fail "messages do not match: $(tr '\n' ';' <unmatched)"

# ---- other folders, other ends ----
timeout -k 2 "$deadline_s" "$bin/crosstalk" trace -o all -- true 2>messages && fail 'traces were overwritten'
grep -q 'holds traces already' messages || fail 'no word of the traces that are there'
timeout -k 2 "$deadline_s" "$bin/crosstalk" trace -o nothing -- true >summary 2>messages
[ $? -eq 1 ] || fail 'a program without MPI was traced'
grep -q 'rank 0 wrote no trace' messages || fail 'no word of what a program without traces lacks'
"$bin/crosstalk" trace --dump --rank 4 all >summary 2>messages
[ $? -eq 2 ] || fail 'rank 4 of 4'

trace between "$calls" intercommunicator
grep -q 'intercommunicator' messages || fail 'intercommunicators are not refused'
"$bin/crosstalk" trace --dump --rank 1 between | awk '
    { start = $2; if (/intercommunicator/) { in_call = $4; between = 1e6 * (start - before) }
      before = start + $4 / 1e6 }
    END { exit !(in_call > between) }' || fail 'time in refused calls counts as compute'

trace threads "$calls" threads
grep -q 'several threads at once is not modelled (calls: 4)' messages || fail 'no word of threads'

result=1
trace aborted "$calls" abort
grep -q 'exit code' messages || fail 'no word of the exit code'
grep -q 'end before MPI_Finalize' messages || fail 'no word of the cut traces'
has aborted 1 'neighbor comm 4: 2 0 4 2 4 0 4 2 4' 1
result=0

# ---- a full disk: the program goes on, the trace ends ----
if unshare -rm true 2>/dev/null; then
    mkdir small
    unshare -rm bash -c "mount -t tmpfs -o size=512k none small &&
        timeout -k 2 $deadline_s '$bin/crosstalk' trace -o small/traces -- mpiexec -n 4 '$calls'" >summary 2>messages
    [ $? -eq 1 ] || fail 'full disk: exit code'
    grep -q 'cannot extend.*No space left' messages || fail 'full disk: no reason'
else
    echo 'no mount namespaces: full disk not tried'
fi

# ---- Fortran ----
if command -v mpifort >/dev/null && mpifort -o ring "$CROSSTALK_SOURCE/tests/mpi/trace_fortran.f90" 2>messages; then
    trace fortran ./ring
    has fortran 1 'send to 2 tag 5 4 B comm 0' 1
    has fortran 1 'wait from 0 tag 5 4 B' 1
    has fortran 1 'allreduce 4 B comm 0' 1
else
    echo 'no Fortran compiler: not tried'
fi
finish
