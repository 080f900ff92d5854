#!/usr/bin/env bash
# T(L) against added latency: four workloads and parts of three real codes, each at ten latencies.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
begin_campaigns latency "\
Installs the packages of [build] and [run] in packages.txt that are missing (apt, as root or through
sudo), builds crosstalk, and runs crosstalk validate for seven programs: each at ten latencies that an
emulated switch adds, up to run times about 25 % longer, three times, in random order. It takes 25 minutes;
nothing else should run meanwhile. Then it prints a row for each program. Interrupted, it goes on when it
is started again. Results are kept in latency-results/." "$@"
# Ranks sleep until a packet comes, and the network is fast: latency decides, not processors or links.
export CROSSTALK_LAB_POLL_US=100000
schedules=examples/codes8/schedules
programs=(
    'milc 1700 workload milc --compute-time 50ms --iterations 8'
    'lulesh 4200 workload lulesh --compute-time 100ms --iterations 4'
    'amg 900 workload amg --compute-time 200ms --iterations 2'
    'mcb 2600 workload mcb --compute-time 50ms --iterations 6'
    "code-lulesh 5900 workload replay --goal $schedules/lulesh.bin --iterations 1"
    "code-amg 2000 workload replay --goal $schedules/amg.bin --iterations 1"
    "code-hpcg 2900 workload replay --goal $schedules/hpcg.bin --iterations 1"
)
validate() { # NAME LARGEST_US PROGRAM...: the answer as JSON
    local name=$1 latencies=0us i
    for i in {1..9}; do
        latencies+=,$(((2 * $2 * i + 9) / 18))us
    done
    crosstalk validate -o "latency-results/$name" --id latency --rate 200mbit --latencies "$latencies" --base 500us \
        --lateness 400us --time 2500ms --logp-time 20s --passes self --serialize-nic --seed 16 \
        --format json -- "${@:3}" >"latency-results/$name.json"
}
number=0
for program in "${programs[@]}"; do
    number=$((number + 1))
    read -ra words <<<"$program"
    step "[3/4] ${words[0]}, $number of ${#programs[@]}"
    validate "${words[@]}" || die "the runs did not end; start this script again to go on with them"
done
step "[4/4] measured and predicted"
python3 examples/latency/table.py latency-results | tee latency-results/table.txt
[ "${PIPESTATUS[0]}" -eq 0 ] || die "no table"
printf '\nThe table above is in latency-results/table.txt, a picture of each in latency-results/*/validation.svg\n'
