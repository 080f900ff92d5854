#!/usr/bin/env bash
# A campaign in a lab, and faults during it: sealed.sh test_faults.sh HELPERS REPETITIONS N [FAULT...].
# The faults that are named, or else all of the table, strike at random moments of a campaign of 15
# runs a repetition, and after them random ones of the table until N have. A campaign that is nearly
# done makes room for another one. After each fault: no finished run has changed, the reason is named,
# the same command goes on with the rest, and nothing is left behind. CROSSTALK_TEST_SEED=N takes
# other moments.
# shellcheck disable=SC2317 # functions are called by name
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1

# fault | how its reason reads, in the journal, in `campaign status` and on standard error
table='
driver_killed      | its driver was killed
rank_killed        | (measured|background) program ended with exit code
mpiexec_killed     | (measured|background) program ended with exit code 137, 128 [+] SIGKILL
entry_killed       | (measured|background) program ended with exit code 137, 128 [+] SIGKILL
proxy_killed       | (measured|background) program ended with exit code|not done after
disk_full          | No space left on device
run_truncated      | not an HDF5 file, or damaged
holder_killed      | lab .test.: has ended
link_deleted       | lab .test. is damaged; .* host .h[1-3].: its link eth0 is gone
host_deleted       | lab .test. is damaged; .* host .h[1-3].
rank_stopped       | not done after .* s, the deadline|background program does not end within
never_ending       | not done after .* s, the deadline
'
repetitions=${2:-1} n_faults=${3:-0} chosen=" ${*:4} "
seed=${CROSSTALK_TEST_SEED:-1}
RANDOM=$seed
echo "seed $seed"

# ---- the campaign, on a disk of its own ----

disk=$work/disk dir=$work/disk/results
mkdir "$disk" && mount -n -t tmpfs -o size=16m tmpfs "$disk" || exit 1
# shellcheck disable=SC2016 # expanded on the host
printf '%s\n' 'while [ -e "$1" ]; do sleep 0.1; done; sleep 0.1' >nap.sh
cat >campaign.yaml <<YAML
campaign: faults
retries: 1
launcher: {kind: lab, hosts: 3, rate: 50mbit}
durations: {impact: 300ms, runtime: 300ms, settle: 100ms, start: 5s, deadline_factor: 1}
probe: {interval: 10ms}
repetitions: {idle: $repetitions, baseline: $repetitions, impact: $repetitions, compression: $repetitions, corun: $repetitions}
applications:
  - {name: fft, command: "workload fft --iterations 2 --compute-time 5ms"}
  - {name: nap, command: "sh $work/nap.sh $work/hang", passes: driver, pass: 200ms}
configurations:
  - {partners: 2, messages: 2, bubble: 10ms}
  - {partners: 1, messages: 1, bubble: 20ms}
YAML
n_runs=$((15 * repetitions))

# ---- the driver ----

driver=''
start_driver() {
    crosstalk campaign run campaign.yaml -o "$dir" >>out 2>>err </dev/null &
    driver=$!
}

driver_ended() { ! kill -0 "$driver" 2>/dev/null; }

wait_at_most() { # seconds, command...
    local until=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -ge "$until" ] && return 1
        sleep 0.02
    done
}

stop_driver() { # it ends by itself, or as after Ctrl-C
    kill -INT "$driver" 2>/dev/null
    check "$1: the driver ends when asked" wait_at_most 15 driver_ended
    kill -KILL "$driver" 2>/dev/null
    wait "$driver" 2>/dev/null
}

finished() { find "$dir/runs" -maxdepth 1 -name '*.h5' ! -name '*.sent.h5' 2>/dev/null | wc -l; }

has_runs_or_ended() { [ "$(finished)" -ge "$1" ] || driver_ended; }

bytes_of() { stat -c %s "$1" 2>/dev/null || echo 0; }

named_or_ended() { tail -c +"$((err_bytes + 1))" err | grep -qE -- "$1" || driver_ended; }

settled() { # reason, number of runs: the fault shows, or if there are so many runs, it missed
    named_or_ended "$1" || [ "$(finished)" -ge "$2" ]
}

# ---- what must be true after every fault ----

keep_sums() { # of the runs that have finished since
    local file
    while IFS= read -r file; do
        grep -qF "  $file" sums || sha256sum "$file" >>sums
    done < <(find "$dir/runs" -maxdepth 1 -name '*.h5')
}

unchanged() { [ ! -s sums ] || sha256sum --quiet -c sums; }

strangers() { # processes that are not this script's own
    ps -e -o pid=,ppid=,stat=,args= | awk -v self="$$" '$1 != 1 && $1 != self && $2 != self'
}

left_behind() { # anything but the campaign and this script's files
    strangers
    ip -o link | grep -v ' lo:'
    grep nsfs /proc/self/mountinfo
    find /dev/shm /run -mindepth 1
    find /tmp -xdev -path "$work" -prune -o -type f -print
    ipcs | awk '$1 ~ /^0x/'
    find "$CROSSTALK_LAB_DIR" -mindepth 1
    find "$dir" -name '*.tmp*' -o -path '*/.partial/*'
}

nothing_left() {
    left_behind >left
    cat left
    [ ! -s left ]
}

# ---- finding what to strike ----

pids_of() { # name of the program...
    local name
    for name in "$@"; do pgrep -x -- "$name"; done
}

entries() { pgrep -f '^[^ ]*crosstalk lab mpiexec'; }

one_of() { # command that lists pids...: a random one of them into $victim, waiting for one to be there
    local pids i
    for ((i = 0; i < 500; i++)); do
        mapfile -t pids < <("$@")
        victim=${pids[RANDOM % (${#pids[@]} + (${#pids[@]} == 0))]-}
        [ -n "$victim" ] && return 0
        sleep 0.02
    done
    check "$1 ${2-} to strike" false
}

strike() { # signal, command that lists pids...
    local number=$1
    shift
    one_of "$@" && kill -"$number" "$victim" 2>/dev/null
}

holder() { lab_ status --format csv 2>/dev/null | awk -F, '$1 == "holder" { print $2 }'; }

in_switch() { one_of holder && nsenter -t "$victim" --net --mount --pid -- "$@"; }

# ---- the faults; mend_FAULT, where there is one, makes good again ----
{
    driver_killed() {
        kill -KILL "$driver"
        wait "$driver" 2>/dev/null
    }
    rank_killed() { strike KILL pids_of workload impactb compressionb; }
    mpiexec_killed() { strike KILL pids_of mpiexec.hydra mpiexec; }
    entry_killed() { strike KILL entries; }
    proxy_killed() { strike KILL pids_of hydra_pmi_proxy; }
    rank_stopped() { strike STOP pids_of workload impactb compressionb; }
    never_ending() { touch hang; }
    mend_never_ending() { rm -f hang; }
    disk_full() { dd if=/dev/zero of="$disk/ballast" bs=4k 2>/dev/null; }
    mend_disk_full() { rm -f "$disk/ballast"; }
    holder_killed() { strike KILL holder; }
    link_deleted() { in_switch ip link delete "p$((RANDOM % 3 + 1))"; }
    host_deleted() { in_switch umount -n "$CROSSTALK_LAB_DIR/test/ns/h$((RANDOM % 3 + 1)).net"; }
    run_truncated() {
        stop_driver run_truncated
        local files file
        mapfile -t files < <(find "$dir/runs" -maxdepth 1 -name '*.h5' ! -name '*.sent.h5' | sort)
        file=${files[RANDOM % ${#files[@]}]}
        truncate -s $((RANDOM % $(stat -c %s "$file"))) "$file"
        # It is made again, and with it what its load sent.
        grep -vF -e "  $file" -e "  ${file%.h5}.sent.h5" sums >sums.new
        mv sums.new sums
    }
}

# ---- one fault ----

# A program that is struck may be one that has done its work, and nobody minds.
strike_until_named() { # fault, pattern of its reason
    local i
    for ((i = 0; i < 8; i++)); do
        sleep "0.$(printf '%03d' $((RANDOM % 600)))"
        keep_sums
        "$1"
        wait_at_most 30 settled "$2" $(($(finished) + 2))
        named_or_ended "$2" && return
    done
}

inject() { # fault, pattern of its reason
    local fault=$1 reason=$2 before
    before=$(finished)
    echo "--- $fault, with $before of $n_runs runs done"
    err_bytes=$(bytes_of err)
    journal_bytes=$(bytes_of "$dir/journal.jsonl")
    start_driver
    wait_at_most 30 has_runs_or_ended $((before + RANDOM % 2 + (before == 0)))
    strike_until_named "$fault" "$reason"
    stop_driver "$fault"
    check "$fault: status names the reason" names_reason "$reason" crosstalk campaign status --all "$dir"
    [ "$(type -t "mend_$fault")" = function ] && "mend_$fault"
    go_on "$fault"
    check "$fault: standard error names the reason" names_reason "$reason" tail -c +$((err_bytes + 1)) err
    check "$fault: the journal names the reason" names_reason "$reason" \
        tail -c +$((journal_bytes + 1)) "$dir/journal.jsonl"
    check "$fault: no finished run has changed" unchanged
    check "$fault: nothing is left behind" wait_until nothing_left
}

names_reason() { # pattern, command...
    local pattern=$1
    shift
    "$@" >named 2>&1
    tail -n 5 named
    grep -qE -- "$pattern" named
}

go_on() { # the same command makes one more run at least
    local before
    before=$(finished)
    start_driver
    wait_at_most 30 has_runs_or_ended $((before + 1))
    check "$1: the same command goes on" [ "$(finished)" -gt "$before" ]
    stop_driver "$1"
}

make_room() { # for a fault, which may strike some programs that have done their work, and what follows
    [ "$(finished)" -le $((n_runs - 8)) ] && return
    echo "--- another campaign"
    rm -rf "$dir"
    : >sums
}

inject_all() {
    local table_lines lines line fault reason n
    mapfile -t table_lines < <(grep '|' <<<"$table")
    lines=("${table_lines[@]}")
    if [ -n "${chosen// /}" ]; then
        lines=()
        for fault in $chosen; do
            mapfile -t -O ${#lines[@]} lines < <(grep "^$fault " <<<"$table")
        done
    fi
    for ((n = 0; n < ${#lines[@]} || n < n_faults; n++)); do
        make_room
        line=${lines[n]-${table_lines[RANDOM % ${#table_lines[@]}]}}
        IFS='|' read -r fault reason <<<"$line"
        inject "${fault// /}" "${reason# }" # further bars stay in the reason
    done
}

all_there() {
    crosstalk campaign status "$dir" --format csv >status.csv || return 1
    [ "$(grep -c ',done,' status.csv)" -eq "$n_runs" ] &&
        find "$dir/runs" -maxdepth 1 -name '*.h5' -print0 | xargs -0 -n 1 crosstalk show --all >shown
}

up_or_skip --hosts 3
check 'a lab that is up is seen' fails_with 1 "$CROSSTALK_LAB_DIR/test" nothing_left
lab_ down -q
check 'and when it is taken down, nothing' nothing_left
: >err
: >sums
inject_all
keep_sums
check 'the rest is made' timeout 300 crosstalk campaign run campaign.yaml -o "$dir"
check 'every run is there and can be read' all_there
check 'no finished run has changed' unchanged
check 'nothing is left behind' wait_until nothing_left
umount -n "$disk"
finish
