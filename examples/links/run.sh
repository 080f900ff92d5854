#!/usr/bin/env bash
# Which links are busy, by probes from end to end, beside what the switches count.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
# NAME HOSTS PROGRAM...: the first half of the hosts, or the first two of each leaf
half=h1,h2,h3,h4,h5,h6,h7,h8
spread=h1,h2,h5,h6,h9,h10,h13,h14
loads=(
    "fft $half workload --loop --time 600s fft"
    "milc $half workload --loop --time 600s milc"
    "compressionb $half compressionb -P 4 -M 1 -B 100ms --time 600s"
    "lulesh $half workload --loop --time 600s lulesh"
    "vpfft-spread $spread workload --loop --time 600s vpfft"
    "fft-spread $spread workload --loop --time 600s fft"
    "compressionb-spread $spread compressionb -P 2 -M 2 -B 150ms --time 600s"
)
chosen=()
for name in "$@"; do
    [[ $name == --help ]] && break
    for load in "${loads[@]}"; do
        [[ ${load%% *} == "$name" ]] && chosen+=("$load")
    done
done
if [ ${#chosen[@]} -eq $# ] && [ $# -gt 0 ]; then
    loads=("${chosen[@]}")
    set --
fi
begin_campaigns links "\
Installs the packages of [build] and [run] in packages.txt that are missing (apt, as root or through
sudo), builds crosstalk, and probes an emulated tree (tree:4x4, two spines, 10 Mbit/s, one queue a port)
while it is idle and beside seven loads (or those whose NAME is given:
$(printf '%s ' "${loads[@]%% *}" | fold -s -w 96)
), twice each, 40 s. It takes 15 minutes; nothing else should run meanwhile. Then it prints how far
'crosstalk utilization --links' is off the counters of the switches. Interrupted, it goes on when it is
started again. Results are kept in links-results/." "$@"
results=$PWD/links-results
export CROSSTALK_LAB=links
# On a busy machine: a probe that waits for a processor looks like one that waits for the network.
first=()
chrt -r 1 true 2>/dev/null && first=(chrt -r 1)

# shellcheck disable=SC2317 # by the trap
end() {
    [ -n "${load_pid-}" ] && kill "$load_pid" 2>/dev/null
    crosstalk lab down -q
}

probe() { # NAME SECONDS SEED: into NAME.h5, and what the switches count into NAME.json
    local counting
    crosstalk lab counters --interval "$(($2 - 1))s" --format json >"$results/part.json" &
    counting=$!
    timeout $(($2 + 60)) "${first[@]}" crosstalk lab mpiexec -- impactb --time "$2s" --interval 40ms --message-size 1400B \
        --pairing rotate --seed "$3" -q --output "$results/part.h5" >"$results/probe.log" 2>&1
    local status=$?
    wait "$counting" || status=1
    [ "$status" -eq 0 ] || die "no probe ($results/probe.log)"
    mv "$results/part.json" "$results/$1.json"
    mv "$results/part.h5" "$results/$1.h5"
}

measure() { # NAME SEED HOSTS PROGRAM...
    local name=$1-$2 seed=$2 hosts=$3
    shift 3
    [ -e "$results/$name.h5" ] && return
    "${first[@]}" crosstalk lab mpiexec --hosts-used "$hosts" -- "$@" >"$results/load.log" 2>&1 &
    load_pid=$!
    sleep 4
    probe "$name" 40 "$seed"
    kill "$load_pid"
    wait "$load_pid" 2>/dev/null
    load_pid=
    sleep 2
}

step "[3/4] measure"
crosstalk lab up -q --topology tree:4x4 --spines 2 --rate 10mbit --queue fifo || die "no lab"
trap end EXIT
trap 'exit 1' INT TERM
for seed in 1 2; do
    [ -e "$results/idle-$seed.h5" ] || probe "idle-$seed" 24 "$seed"
    for load in "${loads[@]}"; do
        read -r -a words <<<"$load"
        echo "${words[0]}, run $seed"
        measure "${words[0]}" "$seed" "${words[@]:1}"
    done
done

step "[4/4] estimated and counted"
python3 examples/links/compare.py "$results" "${loads[@]%% *}" | tee "$results/report.txt"
[ "${PIPESTATUS[0]}" -eq 0 ] || die "no comparison"
