#!/usr/bin/env bash
# T(L) against added latency: six workloads and parts of three real codes, each at ten latencies; one of
# them beside a load; and a program that the model is wrong about.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=scripts/example.sh
. scripts/example.sh
schedules=examples/codes8/schedules
# NAME RATE BASE_US LARGEST_US PROGRAM... Where eight ranks that share two processors send and receive at once, a
# larger base latency keeps these apart: at 500 us passes of milc, fft and lulesh wait for processors, at 2 ms they do not.
programs=(
    'milc 200mbit 2000 6000 workload milc --compute-time 150ms --iterations 8'
    'lulesh 200mbit 2000 13000 workload lulesh --compute-time 300ms --iterations 4'
    'amg 200mbit 2000 2700 workload amg --compute-time 600ms --iterations 2'
    'mcb 200mbit 2000 7000 workload mcb --compute-time 150ms --iterations 6'
    'fft 10mbit 2000 18000 workload fft --compute-time 150ms --iterations 6'
    'vpfft 50mbit 500 9000 workload vpfft --compute-time 400ms --iterations 3'
    "code-lulesh 200mbit 2000 5900 workload replay --goal $schedules/lulesh.bin --iterations 1"
    "code-amg 200mbit 2000 2000 workload replay --goal $schedules/amg.bin --iterations 1"
    "code-hpcg 200mbit 500 9000 workload replay --goal $schedules/hpcg.bin --compute-scale 3 --iterations 1"
    'lulesh-beside 20mbit 500 6000 workload lulesh --compute-time 100ms --iterations 4'
    'overlap 20mbit 500 6000 workload replay --trace latency-results/overlap-traces --iterations 1'
)
chosen=()
for name in "$@"; do
    [[ $name == --help ]] && break
    for program in "${programs[@]}"; do
        [[ ${program%% *} == "$name" ]] && chosen+=("$program")
    done
done
[ ${#chosen[@]} -eq $# ] && [ $# -gt 0 ] && programs=("${chosen[@]}") && set --
begin_campaigns latency "\
Installs the packages of [build] and [run] in packages.txt that are missing (apt, as root or through
sudo), builds crosstalk, and runs crosstalk validate for eleven programs (or those whose NAME is given:
$(printf '%s ' "${programs[@]%% *}" | fold -s -w 96)
): each at five to ten latencies that an emulated switch adds, up to run times about 25 % longer, three times, in
random order. It takes an hour; nothing else should run meanwhile. Then it prints a row for each program.
Interrupted, it goes on when it is started again. Results are kept in latency-results/." "$@"
# Ranks sleep until a packet comes: what is measured is latency, not waiting for processors.
export CROSSTALK_LAB_POLL_US=100000

# What is special about single programs: options of crosstalk validate.
options_of() { # NAME LARGEST_US: into options
    local latencies=0us i n=9
    options=(--hosts 8 --lateness 400us)
    case $1 in
        fft | vpfft) # all-to-alls keep the delay line busy
            options=(--hosts 8 --lateness 1ms)
            ;;
        lulesh-beside)
            n=4
            options=(--hosts 8 --lateness 1ms --load 'P2 M1 B50ms' --probe-time 10s)
            ;;
        overlap)
            n=5
            options=(--hosts 2 --lateness 1ms)
            ;;
    esac
    for ((i = 1; i <= n; i++)); do
        latencies+=,$(((2 * $2 * i + n) / (2 * n)))us
    done
    options+=(--latencies "$latencies")
}

# The calls of a program that receives large messages while it computes.
trace_overlap() {
    [ -d latency-results/overlap-traces ] && return
    local status
    crosstalk lab up -q --id latency --hosts 2 || return
    crosstalk trace -q -o latency-results/overlap-traces -- \
        crosstalk lab mpiexec --id latency -- build/release/tests/lab/lab_overlap 20 32768 30
    status=$?
    crosstalk lab down -q --id latency
    return "$status"
}

validate() { # NAME RATE BASE_US LARGEST_US PROGRAM...: the answer as JSON
    local name=$1 rate=$2 base=$3 options
    options_of "$name" "$4"
    [[ $name != overlap ]] || trace_overlap || return
    crosstalk validate -o "latency-results/$name" --id latency --rate "$rate" "${options[@]}" --base "${base}us" \
        --time 3500ms --logp-time 60s --passes self --serialize-nic --seed 16 \
        --format json -- "${@:5}" >"latency-results/$name.json.part" &&
        mv "latency-results/$name.json.part" "latency-results/$name.json"
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
