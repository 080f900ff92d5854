#!/usr/bin/env bash
# A lab that imitates a machine: latencies by class of path, overheads, times of computing.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1

status() { # key
    lab_ status --format csv | awk -F, -v key="$1" '$1 == key { print $2 }'
}

up_or_skip --topology tree:2x2,1 --like hdr --dilation 5000
check "status names the machine" equal "$(status machine) $(status dilation)" "hdr 5000"
check "overheads are longer by that factor" equal "$(status overhead_s | awk '{ printf "%.0f", 1e6 * $1 }')" 1220
check "groups are the machine's" test "$(lab_ status --format csv | awk -F, '$1 == "lab" || $1 == "hdr" { printf "%.4f %.4f\n", $2, $3 }' | uniq | wc -l)" -eq 1
check "another factor is another lab" fails_with 1 'other settings' lab_ up --topology tree:2x2,1 --like hdr --dilation 6000
check "its latency stays" fails_with 1 "its latency is that of hdr" lab_ latency 1ms

# --- links between switches have a latency of their own: 180 ns each way there, and two on the way
# shellcheck disable=SC2317 # called by as_there
ways() { # us: to a host of the same leaf, and by how much longer to one of the other
    local n
    for n in 2 3; do
        start_ready echo.out timeout -k 2 60 crosstalk lab exec --host "h$n" -- lab_traffic echo
        lab_ exec --host h1 -- lab_traffic ping "10.77.0.$n" 60 0 | awk '{ print $5 }'
        kill "$ready_pid"
        wait "$ready_pid" 2>/dev/null
    done | xargs | awk '{ print $1, $2 - $1 }'
}
# shellcheck disable=SC2317 # called by in_tries
as_there() { # 5000 times 0.92 us, and twice 5000 times 180 ns
    read -r near more < <(ways)
    echo "$near us, and $more more to the other leaf"
    between "$near" 4530 4880 && between "$more" 1750 1900
}
check "latencies are those of the paths" in_tries 5 "latencies of paths" as_there

# --- programs
lab_ mpiexec -n 1 -- env >environment 2>/dev/null
check "workloads know the factor" grep -qx 'CROSSTALK_DILATION=5000' environment
check "a rendezvous begins where machines have it" grep -qx 'UCX_RNDV_THRESH=256k' environment
check "a workload computes longer" timeout -k 5 60 crosstalk lab mpiexec -q --ppn 1 -- \
    workload fft -i 1 --compute-time 10us -q --output fft.h5
crosstalk show --format json fft.h5 >fft.json
check "and says so" equal "$(value fft.json 'd["attributes"]["compute_dilation"]')" 5000
check "by 50 ms" between "$(value fft.json 'd["duration"][0]["mean_s"]')" 0.05 2
check "down" lab_ down
finish
