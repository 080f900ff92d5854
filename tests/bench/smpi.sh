#!/usr/bin/env bash
# crosstalk simulate beside SimGrid's replay of the same schedules: run times, and messages a second of the
# simulators themselves. Both have the rates and latencies of the topology as they are; no overheads.
# An argument is another program, as crosstalk goal takes it, with its ranks and its topology after @.
set -u
export LC_ALL=C
PATH=${CROSSTALK_BIN:?}:$PATH
command -v smpirun >/dev/null || {
    echo "smpi: smpirun is not installed (package libsimgrid-dev)" >&2
    exit 1
}
programs=("$@")
[ $# -gt 0 ] || programs=('halo:4x4x4,levels=3,rounds=4@64@tree:8x8,4'
    'halo:4x4x4,levels=3,rounds=4,imbalance=20%@64@tree:8x8,4' 'halo:4x4x4,rounds=4,bytes=256KiB,compute=10us@64@tree:8x8,2'
    'allreduce:64,rounds=20,bytes=64KiB@64@tree:8x8,4' 'allreduce:64,rounds=20@64@dragonfly:4,4,4'
    'alltoall:32,rounds=2,bytes=4KiB@32@tree:4x8,2'
    'alltoall:144,rounds=1,bytes=4KiB@144@switch:144' 'alltoall:96,rounds=1,bytes=4KiB@96@tree:12x8,4'
    'alltoall:144,rounds=1,bytes=4KiB@144@tree:18x8,4' 'allreduce:64,rounds=400@64@dragonfly:4,4,4'
    'halo:4x4x4,levels=3,rounds=80@64@tree:8x8,4')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
    echo "smpi: $1" >&2
    exit 1
}
rate=(--rate 10gbit --wire 500ns)

# timed FILE COMMAND...: output to FILE; its seconds of processor time in cost_s.
timed() {
    local out=$1 user_s system_s
    shift
    /usr/bin/time -f '%U %S' -o cost timeout -k 5 600 "$@" >"$out" 2>&1 || fail "$*: $(tail -3 "$out")"
    read -r user_s system_s <cost
    cost_s=$(awk "BEGIN {s = $user_s + $system_s; print (s > 0.01 ? s : 0.01)}")
}
field() { grep -o "\"$2\":[[:space:]]*[-+0-9.e]*" "$1" | head -1 | sed 's/.*:[[:space:]]*//'; }

# A program alone is simulated for so many passes, each with all its messages; SMPI replays it once.
passes=$(crosstalk show --constants --format csv | awk -F, '$1 == "simulated_passes" {print $2}')
networks=(alpha-beta shared packet)

printf '%-50s %9s %10s %9s' program messages 'SMPI [ms]' 'SMPI /s'
for network in "${networks[@]}"; do
    printf ' | %9s %% %10s %6s' "$network" /s ratio
done
printf '\n'
for row in "${programs[@]}"; do
    IFS=@ read -r program ranks topology <<<"$row"
    crosstalk topology "$topology" "${rate[@]}" --format simgrid -o net.xml || exit 1
    seq 0 $((ranks - 1)) | sed 's/^/n/' >hosts
    rm -rf traces
    crosstalk goal "$program" -o program.bin || exit 1
    crosstalk goal program.bin --format json >stats || exit 1
    crosstalk export program.bin --format smpi -o traces || exit 1
    messages=$(field stats messages)
    timed smpi smpirun -np "$ranks" -platform net.xml -hostfile hosts -replay traces/traces.txt --cfg=network/model:CM02 \
        --cfg=network/bandwidth-factor:1 --cfg=network/latency-factor:1 --cfg=network/crosstraffic:no --cfg=network/weight-S:0 \
        --cfg=network/TCP-gamma:1e18 --cfg=smpi/async-small-thresh:1000000000 --cfg=smpi/send-is-detached-thresh:1000000000 \
        --cfg=smpi/os:0:0:0 --cfg=smpi/ois:0:0:0 --cfg=smpi/or:0:0:0 --cfg=surf/precision:1e-9
    smpi_s=$(grep -o 'Simulation time [0-9.e+-]*' smpi | sed 's/.* //') smpi_cost_s=$cost_s
    awk -v p="$program, $topology" -v m="$messages" -v t="$smpi_s" -v c="$smpi_cost_s" \
        'BEGIN {printf "%-50s %9d %10.4f %9.0f", p, m, 1e3 * t, m / c}'
    for network in "${networks[@]}"; do
        timed "$network" crosstalk simulate program.bin --network "$network" --topology "$topology" "${rate[@]}" --switch 0s \
            --L 1us --o 0s --G 0.8ns --S 1GB --format json
        awk -v m="$messages" -v n="$passes" -v t="$smpi_s" -v a="$(field "$network" alone_s)" -v ct="$smpi_cost_s" -v c="$cost_s" \
            'BEGIN {printf " | %+11.2f %10.0f %6.1f", 100 * (a / t - 1), n * m / c, n * ct / c}'
    done
    printf '\n'
done
