#!/usr/bin/env bash
# A program and its replay in a lab: they take about the same time, and make the same calls on fewer hosts or more.
# shellcheck disable=SC2317 # called by check
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "${work:?}" || exit 1
up_or_skip --hosts 4 --rate 50mbit

# Seconds from MPI_Init to MPI_Finalize of the rank that took longest.
span() {
    crosstalk trace --dump "$1" | awk '
        $6 == "begin" { begun[$1] = $2 + 1e-6 * $4 }
        $6 == "end" && $2 - begun[$1] > most { most = $2 - begun[$1] }
        END { print most }'
}

at_least() { # 30 iterations of 16 ms or more
    echo "$1 should be at least $2"
    awk -v x="$1" -v least="$2" 'BEGIN { exit !(x >= least) }'
}

middle() { # of three
    sort -g | sed -n 2p
}

trace() { # DIR WORDS...
    timeout -k 2 60 crosstalk trace -o "$1" -- crosstalk lab mpiexec -- "${@:2}" >/dev/null 2>&1
}

replay() { # DIR: how long its passes take
    timeout -k 2 60 crosstalk lab mpiexec -- workload replay --trace "$work/$1" --loop --time 5s --format json -q >again.json
}

for name in fft milc; do
    for i in 1 2 3; do
        check "traces of $name" trace "$name-$i" workload "$name" --iterations 30
    done
    original=$(for i in 1 2 3; do span "$name-$i"; done | middle)
    check "a replay of $name" replay "$name-2"
    again=$(value again.json 'd["mean_s"]')
    echo "$name: $original s, replayed $again s"
    # The aim is 3 % on a machine with nothing else to do; this one may have.
    check "$name takes as long as it did" between "$again" "$(awk -v x="$original" 'BEGIN { print 0.7 * x }')" \
        "$(awk -v x="$original" 'BEGIN { print 1.4 * x }')"
    check "$name computes as long as it did" at_least "$again" 0.48
done

# ---- other numbers of hosts: the number of ranks is the trace's, the launcher says where they are ----
made_on() { # HOSTS RANKS_PER_HOST: traces in lulesh-HOSTS
    check "traces of 8 ranks, $2 a host" timeout -k 2 60 crosstalk trace -o "lulesh-$1" -- \
        crosstalk lab mpiexec --ppn "$2" -- workload lulesh --iterations 2 --compute-time 1ms
}
repeated_on() { # TRACES HOSTS RANKS_PER_HOST: they are repeated there, call by call
    check "$1 on $2 hosts" timeout -k 2 60 crosstalk trace -o "$1.on-$2" -- crosstalk lab mpiexec --ppn "$3" -- \
        sh -c 'hostname; exec "$@"' sh workload replay --trace "$work/$1" --compute-scale 0
    check "its ranks are on $2 hosts, $3 each" equal \
        "$(grep -xE 'h[0-9]+' "$work/check.out" | sort | uniq -c | awk '{ print $1 }' | sort | uniq -c | xargs)" "$2 $3"
    check "$1 on $2 hosts: the same calls" python3 "$CROSSTALK_SOURCE/tests/mpi/same_calls.py" "$(command -v crosstalk)" 3 \
        "$1" "$1.on-$2"
}
made_on 4 2
check 'the first lab ends' lab_ down -q
check 'a lab of 8 hosts' lab_ up --hosts 8 --rate 50mbit
made_on 8 1
repeated_on lulesh-4 8 1
check 'more ranks than were traced' fails_with 2 'is of 8 ranks, but 16 were started; start 8' \
    timeout -k 2 60 crosstalk lab mpiexec --ppn 2 -- workload replay --trace "$work/lulesh-4"
check 'the second lab ends' lab_ down -q
check 'a lab of 4 hosts' lab_ up --hosts 4 --rate 50mbit
repeated_on lulesh-8 4 2
finish
