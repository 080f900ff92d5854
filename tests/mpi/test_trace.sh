#!/usr/bin/env bash
# The tracer in unmodified programs: every call is recorded as what it was, the program gets what MPI
# promises, and what ends early leaves traces that can be read.
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"
bin=$CROSSTALK_BIN
calls=$CROSSTALK_BUILD/tests/trace_calls
same_calls=$CROSSTALK_BUILD/tests/trace_f08 # as trace_f08.f90
mpi4=$CROSSTALK_BUILD/tests/trace_mpi4
sources=$CROSSTALK_SOURCE/tests/mpi

# trace DIR [--call-sites] WORDS...: a program of four ranks under the tracer
trace() {
    local directory=$1 options=()
    shift
    [[ $1 == --call-sites ]] && options=("$1") && shift
    "${four_sleeping[@]}" timeout -k 2 "$deadline_s" "$bin/crosstalk" trace -o "$directory" "${options[@]}" --format csv -- \
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
has all 1 'receive_init from 0 tag 20 4 B comm 0' 1
has all 1 'receive from 0 tag 20 4 B comm 0 start 1 of 2' 3 # one with MPI_PROC_NULL is none
has all 1 'send to 2 tag 20 4 B comm 0 start 2 of 2' 3
has all 1 'send_init to 2 tag 75 4 B synchronous comm 0' 1
has all 1 'send to 2 tag 75 4 B synchronous comm 0 start 1 of 1' 1
has all 1 free 5
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
for form in '' ' vector'; do
    has all 1 "gather root 3 4 B comm 0$form" 1
    has all 1 "scatter root 3 4 B comm 0$form" 1
    has all 1 "allgather 4 B comm 0$form" 2
    has all 1 "reduce_scatter 16 B comm 0$form: 4 4 4 4" 2
done
has all 1 'alltoall 4 B comm 0' 2
has all 1 'alltoallv comm 0: 4 4 4 4' 3
has all 3 'comm comm 2: 0 3 to 0 by -1' 1 # ranks reversed
has all 3 'send to 2 tag 40 4 B comm 2' 1
has all 2 'receive from 3 tag 40 4 B comm 2' 1
has all 3 'bcast root 3 4 B comm 3' 1 # of 1 and 3
has all 2 'neighbor comm 4: 2 1 4 3 4 1 4 3 4' 1
has all 0 'neighbor comm 4: 1 1 4 1 4' 1 # at the edge of the grid
has all 2 'comm comm 5: 1 3 to 0 by -1' 1 # a copy of the reversed one: number 1 of its kind
has all 2 'neighbor comm 6: 1 3 4 1 4' 6
has all 0 'comm comm 7: 0 0 to 3 by 3' 1 # of a group
has all 0 'comm comm 8: 1 0 to 3 by 3' 1 # made by that group alone
has all 0 'barrier comm 8' 1
has all 0 'comm comm 13: 0 0 to 1' 1 # a row of a grid
has all 0 'barrier comm 13' 1
has all 0 'comm comm 16: 1 0 to 2 by 2 1 to 3 by 2' 1 # two halves, merged
has all 0 'barrier comm 16' 1
has all 0 'neighbor comm 17: 2 3 4 1 4 3 4 1 4' 1 # a graph
has all 0 'neighbor comm 18: 1 1 4 3 4' 1
for name in File_open File_iwrite_at File_write_at_all_begin File_write_at_all_end File_close; do
    has all 2 "unmodelled MPI_$name" 1
done
has all 2 'end' 1
[ "$(dump all 2 | grep -c '^access to 3 tag 0 4 B 0 B put comm')" -eq 1 ] || fail 'a put is not recorded'
grep -q 'MPI_File_open is not modelled (calls: 4)' messages || fail 'no warning of MPI_File_open'
grep -q '^allreduce,8,48,' summary || fail 'summary has no 8 allreduces'

# What was sent is what was received, over all ranks.
for rank in 0 1 2 3; do
    "$bin/crosstalk" trace --dump --rank "$rank" all
done | awk '
    $6 ~ /_init$/ || $6 == "comm" || $6 == "access" { next }
    { for (i = 5; i <= NF; i++) {
        if ($i == "to") sent[$1 " " $(i+1) " " $(i+3) " " $(i+4)]++
        if ($i == "from" && $(i+1) >= 0 && $6 != "probe" && ($0 !~ /receive.* request/))
            received[$(i+1) " " $1 " " $(i+3) " " $(i+4)]++ } }
    END { for (m in sent) { n++; if (sent[m] != received[m]) { print m, sent[m], received[m]; bad = 1 } }
          if (n < 40) { print n " messages"; bad = 1 }; exit bad }' >unmatched ||
    fail "messages do not match: $(tr '\n' ';' <unmatched)"

# ---- requests that are seen complete, receives that are too short ----
trace seen "$calls" seen
has seen 1 'test from 0 tag 98 4 B' 2
[ "$(dump seen 1 | grep -A3 '^receive from 0 tag 98' | grep -cE '^(wait|free)')" -eq 0 ] ||
    fail 'what was seen complete completes once more'
if ! is_second_mpi; then
    trace short "$calls" short
    for tag in 100 101 102 103; do
        has short 1 "wait from 0 tag $tag 8 B cut" 1
    done
    has short 1 'test from 0 tag 104 8 B cut' 1
    has short 1 'test from 0 tag 105 8 B cut' 1
fi

# ---- other folders, other ends ----
timeout -k 2 "$deadline_s" "$bin/crosstalk" trace -o all -- true 2>messages && fail 'traces were overwritten'
grep -q 'holds traces already' messages || fail 'no word of the traces that are there'
timeout -k 2 "$deadline_s" "$bin/crosstalk" trace -o nothing -- true >summary 2>messages
[ $? -eq 1 ] || fail 'a program without MPI was traced'
grep -q 'rank 0 wrote no trace' messages || fail 'no word of what a program without traces lacks'
"$bin/crosstalk" trace --dump --rank 4 all >summary 2>messages
[ $? -eq 2 ] || fail 'rank 4 of 4'

trace between "$calls" intercommunicator
grep 'not modelled' messages && fail 'calls of intercommunicators have no model'
has between 0 'receive from -1 tag 51 8 B comm 20' 1 # of the two halves together
has between 0 'wait from 1 tag 51 4 B' 1
has between 1 'send to 0 tag 51 4 B comm 18' 1
"$bin/crosstalk" trace --dump --rank 1 between | awk '
    { start = $2; if (/ barrier comm 20$/) { in_call = $4; between = 1e6 * (start - before) }
      before = start + $4 / 1e6 }
    END { exit !(in_call > between) }' || fail 'time in collectives of intercommunicators counts as compute'
# Rank 2 is the root, in the group of ranks 0 and 2.
has between 1 'bcast root 1 1 B comm 20' 2 # of the barriers
has between 2 'send to 1 tag 0 12 B comm 19' 1
has between 1 'receive from 2 tag 0 12 B comm 19' 1
has between 3 'bcast root 1 12 B comm 22' 1
has between 1 'sendrecv to 0 tag 0 4 B from 0 tag 0 4 B comm 19' 2 # allreduce, alltoall
has between 0 'bcast root 0 16 B comm 22' 1 # allgather
has between 2 'receive from 1 tag 0 8 B comm 19' 1 # gather: by the first rank
has between 2 'receive from 3 tag 0 8000 B comm 19' 1 # from each
has between 0 'stages: 1 1 1 1' 1 # of the nonblocking barrier: in the group, there, back, in the group
"$bin/crosstalk" goal between >summary 2>messages || fail 'collectives of intercommunicators are not consistent'

# In all forms, of groups of two and three: the schedule has the messages that MPICH hands to UCX.
if [ "$CROSSTALK_MPI" = mpich ]; then
    export MPIR_CVAR_NOLOCAL=1
    timeout -k 2 "$deadline_s" "$bin/crosstalk" trace -o forms -- mpiexec -n 5 "$CROSSTALK_BUILD/tests/trace_between" sent \
        >summary 2>messages </dev/null || fail "trace_between: $(tail -n 3 messages)"
    unset MPIR_CVAR_NOLOCAL
    grep 'not modelled' messages && fail 'calls between two groups have no model'
    "$bin/crosstalk" goal forms -o forms.goal >summary 2>messages || fail 'all forms are not consistent'
    for rank in 0 1 2 3 4; do
        awk -v rank="$rank" '$1 == "rank" { on = $2 == rank } on && $2 == "send" { sub("b", "", $3); print $5, $3 }' \
            forms.goal | sort >expected
        if [ ! -e "sent-$rank" ]; then
            echo 'not tried: messages of intercommunicators: this MPICH does not use UCX'
            break
        fi
        [ "$(wc -l <expected)" -ge 50 ] || fail "rank $rank sends too little between the groups"
        sort "sent-$rank" | diff expected - >difference || fail "rank $rank, schedule (<) and MPICH (>): $(cat difference)"
    done
fi

# ---- threads that communicate ----
trace threads "$calls" threads
grep -q '^threads,2$' summary || fail 'a rank does not have two threads'
grep 'several threads' messages && fail 'threads are no warning for a trace'
"$bin/crosstalk" goal threads >summary 2>messages
grep -q '4 of 4 ranks call MPI by several threads at once: all their messages are in' messages ||
    fail 'no word of threads'

# Calls of a thread follow one another, those of several threads overlap; a new request gets a number
# that was not in use any more when the call began.
check_threads() { # DIR RANK
    "$bin/crosstalk" trace --dump --rank "$2" "$1" | awk '
    function wrong(what) { print what ": " $0; bad = 1 }
    {
        start = $2 * 1e6; end = start + $4; begins = $6 != "wait" && $6 != "test" && $6 != "free" && $6 != "cancel"
        for (i = 7; i <= NF; i++) {
            if ($i == "thread") thread = $(i + 1)
            if ($i == "after") after = $(i + 1)
        }
        if (after > NR - 1) wrong("after itself")
        if (thread in ends && start < ends[thread] - 0.01) wrong("before the last call of its thread ended")
        ends[thread] = end
        overlapping += after < NR - 1
        for (i = 7; i < NF; i++) {
            if ($i != "request") continue
            request = $(i + 1)
            persistent[request] = persistent[request] || $6 ~ /_init$/
            if (begins && request in free && by[request] != thread && free[request] >= after)
                wrong("its request is still in use")
            if ($6 == "free" || ($6 ~ /^(wait|test)$/ && !persistent[request])) {
                free[request] = NR - 1; by[request] = thread; persistent[request] = 0
            }
        }
        calls[thread]++
    }
    END {
        if (length(calls) != 3 || calls[1] < 1000 || calls[1] != calls[2]) { print "calls: " calls[1], calls[2]; bad = 1 }
        if (overlapping == 0) { print "no call overlaps with another"; bad = 1 }
        exit bad
    }' >wrong || fail "$1, rank $2: $(head -n 3 wrong)"
}
# Open MPI 4 has no one-sided calls over TCP for programs of several threads, and this program makes some.
if [ "$CROSSTALK_MPI" != openmpi ]; then
    trace at-once "$CROSSTALK_BUILD/tests/delay_program" check-threads
    for rank in 0 1 2 3; do
        check_threads at-once "$rank"
    done
    # An archive has all of it, with other numbers of communicators.
    if "$bin/crosstalk" export at-once --format otf2 -o archive 2>messages; then
        for rank in 0 1 2 3; do
            dump at-once "$rank" | sed -E 's/ comm [0-9]+//' >calls
            dump archive/traces.otf2 "$rank" | sed -E 's/ comm [0-9]+//' | cmp -s - calls ||
                fail "rank $rank of the archive has other calls"
        done
    else
        grep -q 'built without OTF2' messages || fail "no archive: $(cat messages)"
    fi
fi

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

# ---- two programs in one command: the first one's traces are kept ----
for ranks in '4 2' '2 4'; do
    rm -rf two
    # shellcheck disable=SC2086
    set -- $ranks
    timeout -k 2 "$deadline_s" "$bin/crosstalk" trace -o two --format csv -- \
        sh -c "mpiexec -n $1 '$calls' plain; mpiexec -n $2 '$calls' plain" >summary 2>messages </dev/null ||
        fail "two programs: exit code $?"
    grep -q "^ranks,$1\$" summary || fail "two programs: not the traces of the first, of $1 ranks"
    [ "$(find two -type f | wc -l)" -eq "$1" ] || fail "two programs: $(ls two)"
    [ "$(grep -c 'traces of an earlier program; this one is not traced' messages)" -eq 1 ] ||
        fail "two programs: not said once: $(cat messages)"
done

# ---- below a lab's library, whose barrier before MPI_Finalize is not the program's ----
timeout -k 2 "$deadline_s" mpiexec -n 4 env CROSSTALK_TRACE_DIR=below \
    LD_PRELOAD="$CROSSTALK_BUILD/lab/libcrosstalk-lab.so:$CROSSTALK_BUILD/trace/libcrosstalk-trace.so" \
    "$same_calls" </dev/null || fail "below a lab's library: exit code $?"
has below 0 'barrier comm 0' 2
[ "$(dump below 0 | tail -n 2 | tr '\n' ';')" = 'receive from 3 tag 6 4 B comm 0;end;' ] ||
    fail "below a lab's library: $(dump below 0 | tail -n 2)"

# ---- one-sided calls: messages there and back, and what synchronizes them ----
trace windows "$CROSSTALK_BUILD/tests/trace_windows"
has windows 1 'access to 2 tag 0 4 B 0 B put comm 2' 1 # neither to itself nor to MPI_PROC_NULL
has windows 1 'access to 0 tag 0 0 B 4 B get comm 2' 1
has windows 1 'barrier comm 2' 4 # two fences, and both ends of the window
has windows 1 'send to 0 tag 0 0 B comm 3' 3
has windows 1 'receive from 2 tag 0 0 B comm 3' 3
has windows 1 'access to 2 tag 0 800 B 0 B put comm 3' 3
has windows 1 'send to 2 tag 1 0 B comm 3' 3
has windows 1 'receive from 0 tag 1 0 B comm 3' 3
has windows 1 'access to 0 tag 0 0 B 0 B lock comm 4' 1 # not the one with MPI_MODE_NOCHECK
has windows 1 'access to 0 tag 0 16 B 8 B compare_and_swap comm 4' 1
has windows 1 'access to 3 tag 0 4000 B 0 B put comm 6' 2 # one with a request
has windows 1 'access to 3 tag 0 0 B 4000 B get_accumulate comm 6' 1
! grep -q 'not modelled' messages || fail 'a one-sided call is not modelled'

# ---- MPI 4 ----
if [ -x "$mpi4" ]; then
    trace new "$mpi4"
    has new 0 'receive from -1 tag 1 8 B comm 0' 1
    has new 0 'wait from 3 tag 1 8 B' 1
    has new 0 'send to 1 tag 1 8 B comm 0' 1
    has new 0 'sendrecv to 1 tag 2 4 B from 3 tag 2 4 B comm 0' 1
    has new 0 'bcast root 1 8 B comm 0' 1
    has new 0 'alltoallv comm 0: 12 12 12 12' 1
    has new 0 'allgather 12 B comm 0 vector' 1
    has new 0 'reduce_scatter 48 B comm 0 vector: 12 12 12 12' 1
    # A nonblocking sendrecv: a send and a receive that one wait completes.
    has new 0 'send to 1 tag 3 8 B comm 0' 1
    has new 0 'receive from 3 tag 3 8 B comm 0' 1
    has new 0 'wait from 3 tag 3 8 B' 1
    has new 0 'receive from 3 tag 6 4 B comm 0' 1
    has new 0 'send to 1 tag 7 4 B comm 0' 1
    has new 0 'receive from 3 tag 8 4 B comm 0' 40
    # Persistent collectives: a nonblocking one each time they are started. Parts: one message.
    has new 0 'allreduce 16 B comm 0' 2
    has new 0 'barrier comm 0' 3 # and one by PMPI_Barrier
    has new 0 'reduce_scatter 16 B comm 0 vector: 4 4 4 4' 2
    has new 0 'bcast root 0 4 B comm 0' 0
    has new 0 'send to 1 tag 4 24 B synchronous comm 0' 2
    # By MPI_Pready, MPI_Pready_range and MPI_Pready_list, before anything waits for it.
    [ "$(dump new 0 | grep -A1 '^send to 1 tag 4' | grep -cxF 'barrier comm 1')" -eq 2 ] ||
        fail 'a message of parts does not begin with the last one'
    has new 0 'receive from 3 tag 4 24 B comm 0' 2
    has new 0 'test from 3 tag 4 24 B' 1
    has new 0 'wait from 3 tag 4 24 B' 1
    grep -E 'MPI_(Isendrecv|Start|[A-Za-z_]*_init|P[rs][a-z_]*) is not modelled' messages && fail 'calls of MPI 4 are named only'
    # The schedule has the messages of the ring, by hand: bytes and tag of those that each rank sends on.
    "$bin/crosstalk" goal new -o new.goal >summary 2>messages || fail "no schedule of calls of MPI 4: $(cat messages)"
    sent=$(grep -oE 'send [0-9]+b to 2 tag [1-8]$' new.goal | sort | uniq -c | awk '{ printf "%s*%s:%s ", $1, $3, $7 }')
    [ "$sent" = '2*24b:4 1*4b:2 1*4b:5 1*4b:6 1*4b:7 40*4b:8 1*8b:1 1*8b:3 ' ] || fail "messages of MPI 4: $sent"
    # Called as PMPI_X: once; what the library calls itself for files: not at all.
    has new 0 'sendrecv to 1 tag 5 4 B from 3 tag 5 4 B comm 0' 1
    [ "$(dump new 0 | sed '1,/tag 5 /d' | grep -v '^test$' | tr '\n' ';')" = \
        'unmodelled MPI_File_open;unmodelled MPI_File_write_ordered;unmodelled MPI_File_close;barrier comm 0;unmodelled MPI_File_delete;end;' ] ||
        fail "calls of files: $(dump new 0 | tail -n 8)"
else
    echo 'the MPI library is not of MPI 4: not tried'
fi

# Each call is caught by both of its names.
nm -D --defined-only "$CROSSTALK_BUILD/trace/libcrosstalk-trace.so" | sed 's/.* //' >names
[ "$(grep -c '^MPI_' names)" -gt 170 ] || fail 'too few calls are caught'
diff <(grep '^MPI_' names | sort) <(sed -n 's/^PMPI_/MPI_/p' names | sort) >unpaired ||
    fail "calls caught by one name only: $(tr '\n' ' ' <unpaired)"

# ---- Fortran ----
if [ -n "$mpifort" ] && "$mpifort" -o ring "$sources/trace_fortran.f90" 2>messages; then
    trace fortran ./ring
    has fortran 1 'send to 2 tag 5 4 B comm 0' 1
    has fortran 1 'wait from 0 tag 5 4 B' 1
    has fortran 1 'allreduce 4 B comm 0' 1
    # Its places are in the program, each call at one of its own, and not in the library that it calls.
    trace placed --call-sites ./ring
    for rank in 0 1 2 3; do
        dump placed "$rank" | sed -n 's/.* at [A-Za-z0-9_]* (\(ring+0x[0-9a-f]*\))$/\1/p' | sort -u >"places.$rank"
        [ "$(wc -l <"places.$rank")" -eq 4 ] || fail "rank $rank: places of four calls from Fortran are $(tr '\n' ' ' <"places.$rank")"
    done
    "$mpifort" -o header "$sources/trace_mpif.f" 2>messages || fail 'mpif.h: does not compile'
    trace mpif ./header
    has mpif 1 'bcast root 2 4 B comm 0' 1
    has mpif 1 'barrier comm 0' 1
else
    not_tried 'no Fortran compiler (package gfortran)'
fi
printf 'program p\n use mpi_f08\nend program\n' >has_module.f90
if [ -n "$mpifort" ] && "$mpifort" -o has_module has_module.f90 2>messages; then
    "$mpifort" -o by_module "$sources/trace_f08.f90" 2>messages || fail 'mpi_f08: does not compile'
    trace f08 ./by_module
    trace c "$same_calls"
    has c 0 test 1 # the time in MPI_Comm_free
    for rank in 0 1 2 3; do
        dump f08 "$rank" | grep -v '^test$' >"f08.$rank"
        dump c "$rank" | grep -v '^test$' >"c.$rank"
        [ "$(wc -l <"c.$rank")" -ge 28 ] || fail "rank $rank has too few events"
        diff "c.$rank" "f08.$rank" || fail "rank $rank: mpi_f08 is traced differently than C"
    done
else
    not_tried 'no compiler with the module mpi_f08 (package gfortran)'
fi
finish
