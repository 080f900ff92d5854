#!/usr/bin/env bash
# crosstalk show, export and pack on example runs: forms, digits, exit codes.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
mkdir runs
"${CROSSTALK_BUILD:?}/tests/run_for_h5py" runs 3 || exit 1
rm runs/campaign.h5

check 'rows of a run as CSV' 't_s,latency_s,pair,late,sent_s,forward_s,from_b
0,1,0,1,0.0001,0.25,0
0.10000000000000001,0.5,1,0,0.10010000000000001,0.125,1
0.20000000000000001,0.33333333333333331,2,0,0.2001,0.083333333333333329,0' "$(crosstalk export runs/impact.h5 | grep -v '^#')"
check 'unsigned 64 bits keep all digits' '0.5,1,18446744073709551614' \
    "$(crosstalk export runs/compression.h5 | sed -n 5p)"
check 'rows of all runs' 'runs/runtime.h5,-1,1' \
    "$(crosstalk export runs --dataset runtimes | sed -n 4p)"
check 'a row per run' 'runs/runtime.h5,runtime,fft,,4,10,' \
    "$(crosstalk export . | grep -o 'runs/runtime.h5,runtime,fft,,4,10,')"
check 'means of the latencies and of the run times' 2 \
    "$(crosstalk export runs --format json | grep -c '"mean_s":.*0\.6111111111111')"
check 'a run without the dataset' 1 "$(crosstalk export runs/logp.h5 --dataset samples 2>/dev/null >&2; echo $?)"
check 'an unknown dataset' 2 "$(crosstalk export runs/logp.h5 --dataset spam 2>/dev/null >&2; echo $?)"
check 'what was not measured is empty' '1,0.5,-0.5,1.5,,1,0.25,' \
    "$(crosstalk export runs/logp.h5 | sed -n 5p | cut -c 1-23)"
check 'and null in JSON' 1 "$(crosstalk export runs/logp.h5 --format json | grep -c '"rtt_s": null')"
check 'rows of repetitions' 'bytes,messages,rank_from,rank_to,quantity,value_s' \
    "$(crosstalk export runs/logp.h5 --dataset repetitions | sed -n 3p)"
check 'a simulator is given what was measured only' 1 \
    "$(crosstalk export runs/logp.h5 --emit llamp 2>/dev/null >&2; echo $?)"
check 'a probe has no parameters' 1 "$(crosstalk export runs/impact.h5 --emit llamp 2>/dev/null >&2; echo $?)"
check 'parameters of a folder' 2 "$(crosstalk export runs --emit llamp 2>/dev/null >&2; echo $?)"
check 'standard output is full' 1 "$(crosstalk export runs/logp.h5 2>/dev/null >/dev/full; echo $?)"
check 'standard output is full, for help' 1 "$(crosstalk --help 2>/dev/null >/dev/full; echo $?)"

check 'pack' 'crosstalk export: packed.h5: 4 runs' "$(crosstalk export runs -o packed.h5 2>&1)"
check 'a packed run is the same' "$(crosstalk export runs/impact.h5 | tail -n 3)" \
    "$(crosstalk export packed.h5:0001 | tail -n 3)"
check 'latencies in the table' '  333333     611111    500000    990000   1000000' \
    "$(crosstalk show --all packed.h5:0001 | grep '^ *333333 ')"
check 'the list of a packed campaign' '4' "$(crosstalk show --all packed.h5 | grep -c '^packed.h5:')"
echo '{"busy_fraction_mean": 0.25}' >runs/impact.ports.json
crosstalk export runs -o truth.h5 2>/dev/null
check 'what the switch counted is packed' 1 "$(crosstalk show --format json truth.h5:0001 | grep -c '"packed_switch_busy_mean_frac":.*0.25')"
echo '{' >runs/impact.ports.json
check 'counters that cannot be read' 'crosstalk export: runs/impact.ports.json: no number busy_fraction_mean >= 0 in it' \
    "$(crosstalk export runs -o again.h5 2>&1)"
rm runs/impact.ports.json
check 'a run to be thinned to too few samples' 2 "$(crosstalk export runs --thin 63 -o thin.h5 2>/dev/null; echo $?)"
check 'a run with no more samples stays whole' "$(crosstalk export runs/impact.h5 | tail -n 3)" \
    "$(crosstalk export runs --thin 64 -o thin.h5 -q && crosstalk export thin.h5:0001 | tail -n 3)"
rm -f thin.h5
check 'pack without --output' 2 "$(crosstalk pack runs 2>/dev/null >&2; echo $?)"
cp runs/impact.h5 'runs/impact (1).h5'
check 'a copy counts once' 'crosstalk show: warning: counted once: runs/impact (1).h5: the same run as runs/impact.h5' \
    "$(crosstalk show --all runs 2>&1 >/dev/null)"
check 'and is packed once' 'crosstalk export: packed.h5: 4 runs' "$(crosstalk export runs -o packed.h5 2>&1 | tail -n 1)"
rm 'runs/impact (1).h5'
echo damaged >runs/damaged.h5
check 'nothing is packed beside a damaged file' 1 "$(crosstalk export runs -o again.h5 2>/dev/null; echo $?)"
check 'and nothing is left' '' "$(ls again.h5* 2>/dev/null)"
check 'show warns' 'crosstalk show: warning: left out: runs/damaged.h5' \
    "$(crosstalk show --all runs 2>&1 >/dev/null | cut -d: -f1-4)"

finish
