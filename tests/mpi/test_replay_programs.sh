#!/usr/bin/env bash
# Every MPI program of tests/ and bench/: a trace of its replay has the calls of its own trace, one by one. A program
# that is in neither list below makes the test fail.
# shellcheck source=tests/mpi/replays.sh
. "$(dirname "$0")/replays.sh"

# Ranks, source and words of each launch. The source is that of the program's main function.
programs() {
    cat <<'PROGRAMS'
4 tests/mpi/trace_calls.c trace_calls
3 tests/mpi/trace_calls.c trace_calls plain
4 tests/mpi/trace_calls.c trace_calls poll intercommunicator any threads
4 tests/mpi/trace_calls.c trace_calls steps
5 tests/mpi/trace_between.c trace_between
4 tests/mpi/trace_f08.c trace_f08
4 tests/mpi/trace_f08.f90 trace_f08_module
4 tests/mpi/trace_fortran.f90 trace_fortran
4 tests/mpi/trace_mpif.f trace_mpif
4 tests/mpi/trace_mpi4.c trace_mpi4
4 tests/mpi/trace_windows.c trace_windows
4 tests/mpi/trace_work.c trace_work 1000
2 tests/mpi/late_ranks.c late_ranks
2 tests/mpi/delay_program.c delay_program measure 2
4 tests/mpi/delay_program.c delay_program check
2 tests/mpi/delay_program.c delay_program check-threads
3 tests/mpi/collective_messages.c collective_messages
2 tests/mpi/test_run_parallel.c test_run_parallel .
2 tests/lab/ranks.c lab_ranks nodes
4 tests/lab/ranks.c lab_ranks exchange 3
2 tests/lab/overlap.c lab_overlap 3 131072 1
1 tests/bench/bench_replay.c bench_replay 20
1 tests/bench/bench_trace.c bench_trace 1 1000
2 bench/impact/impact_main.c impactb --time 0.3s -o impact.h5
4 bench/compression/compression_main.c compressionb --partners 2 --messages 1 --bubble 5ms --time 0.3s
4 bench/scan/scan_main.c scanb --cell-time 30ms --settle 5ms --message-size 4KiB --canaries 0,2 --cells latency:incast
2 bench/logp/logp_main.c logpb --max-size 16B --epsilon 50% -o logp.h5
8 bench/workloads/workload_main.c workload lulesh --iterations 1 --compute-time 1ms
4 bench/workloads/workload_main.c workload fft --iterations 1 --compute-time 1ms
4 bench/workloads/workload_main.c workload vpfft --iterations 1 --compute-time 1ms
4 bench/workloads/workload_main.c workload mcb --iterations 1 --compute-time 1ms
4 bench/workloads/workload_main.c workload milc --iterations 1 --compute-time 1ms
4 bench/workloads/workload_main.c workload amg --iterations 1 --compute-time 1ms
PROGRAMS
}

# Sources that start MPI, and are not compared.
reasons() {
    cat <<'REASONS'
tests/mpi/test_trace_threads.c reads and removes its trace itself; its threads copy MPI_COMM_SELF at the same time, which a replay refuses
tests/bench/bench_trace.f90 makes 400,000 times a call that trace_fortran.f90 has
bench/common/bench.c defines how the programs of bench/ start, and is none itself
bench/common/world.c likewise: their start of MPI
bench/simgrid/simgrid_ranks.c runs ranks as threads of a simulator, without an MPI library that can be traced
REASONS
}

# ---- the lists are whole: no program is missing, and none is gone ----
(cd "$CROSSTALK_SOURCE" && grep -rliE '(^|[^"_a-z])(MPI_Init|MPI_Init_thread|MPI_Session_init|ct_bench_main) ?\(' tests bench \
    --include='*.c' --include='*.cpp' --include='*.f' --include='*.f90') | LC_ALL=C sort -u >found
{
    programs | cut -d ' ' -f 2
    reasons | cut -d ' ' -f 1
} | LC_ALL=C sort -u >listed
diff listed found >differences ||
    fail "MPI programs that are compared or have a reason (<), and those that are there (>): $(grep "^[<>]" differences)"

# ---- Fortran, as a user compiles it ----
PATH=$PWD:$PATH
fortran() { # PROGRAM SOURCE
    [ -z "$mpifort" ] || "$mpifort" -o "$1" "$sources/$2" 2>messages || rm -f "$1"
}
fortran trace_fortran trace_fortran.f90
fortran trace_mpif trace_mpif.f
fortran trace_f08_module trace_f08.f90

# ---- every program ----
export MPIR_CVAR_NOLOCAL=1 # each rank is on a node of its own, by which collective_messages expands MPICH's collectives
n=0
declare -A last # folder of a program's traces
while read -r ranks source words; do
    read -ra command <<<"$words"
    [ "$words" = collective_messages ] && [ "$CROSSTALK_MPI" != mpich ] && continue # it looks into MPICH
    if ! command -v "${command[0]}" >/dev/null; then
        echo "not built, so not tried: ${command[0]} ($source)"
        continue
    fi
    n=$((n + 1))
    last[${command[0]}]=$n-${command[0]}
    awake='' deadline_s=30
    [ "${words##* }" = check-threads ] && awake=1 deadline_s=100
    # What a rank does between its calls makes no difference to them.
    trace "$n-${command[0]}" "$ranks" "${command[@]}" && replay "$n-${command[0]}" "$ranks" --compute-scale 0
done < <(programs)
[ "$n" -ge 23 ] || fail "$n launches only"
compare_replays

# ---- the comparison sees other calls, and too few of them ----
for other in "3 ${last[trace_work]} ${last[trace_f08]}.again" "4 ${last[trace_f08]} ${last[trace_f08]}.again"; do
    # shellcheck disable=SC2086
    python3 "$sources/same_calls.py" "$bin/crosstalk" $other >compared 2>&1 && fail "taken for the same: $(cat compared)"
done
finish
