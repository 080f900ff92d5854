#!/usr/bin/env bash
# crosstalk-waits: a program under it is as it is without, and how long it waited is written down.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
wait_for_end() { # prefix: until its watcher has written the last line
    local i
    for ((i = 0; i < 200; i++)); do
        grep -qs '^end ' "$1".* && return
        sleep 0.05
    done
}
share() { # prefix: part of its time that it waited, %
    wait_for_end "$1"
    awk '/^[0-9]/ { if (!n++) { t = $1; w = $3 } last = $1; waited = $3 }
         END { printf "%.0f", 100 * (waited - w) / 1e9 / (last - t) }' "$1".*
}

check 'an exit code' 7 "$(crosstalk-waits a sh -c 'exit 7'; echo $?)"
check 'a signal' 143 "$(crosstalk-waits a sh -c 'kill -TERM $$'; echo $?)"
check 'its words' 'a  b|c|' "$(crosstalk-waits a printf '%s|' 'a  b' c)"
check 'no such program' '127 no-such-program: No such file or directory' \
    "$(crosstalk-waits a no-such-program 2>message; echo "$? $(cat message)")"
check 'no program' 2 "$(crosstalk-waits a 2>/dev/null; echo $?)"
check 'a folder that is not there' 0 "$(crosstalk-waits missing/a true; echo $?)"
printf '#!/bin/sh\nexit 5\n' >here
chmod +x here
check 'a program in the working directory' 5 "$(crosstalk-waits a here; echo $?)"
# shellcheck disable=SC2016 # of the shell that is watched
check 'it has no children but its own' '[]' \
    "$(crosstalk-waits a sh -c 'read -r c </proc/$$/task/$$/children; echo "[$c]"')"
check 'a pipe ends with the program' 'here' "$(timeout 20 crosstalk-waits a sh -c 'echo here')"
crosstalk-waits kept sleep 30 &
sleep 0.5
kill -KILL $!
wait $! 2>/dev/null
wait_for_end kept
check 'a program that is killed leaves its times' 1 "$(grep -c '^end ' kept.*)"
check 'with a header' 'crosstalk-waits 1' "$(head -n 1 kept.*)"
if [ ! -r /proc/self/schedstat ]; then
    [ "$failures" -eq 0 ] && skip 'this kernel does not count what waits for processors'
    finish
fi

# Two that keep one processor busy, a script that starts one, and one that sleeps.
core=$(awk '/^Cpus_allowed_list/ { split($2, a, /[-,]/); print a[1] }' /proc/self/status)
# shellcheck disable=SC2016 # of the shell that is started
burn='end=$(($(date +%s) + 3)); while [ "$(date +%s)" -lt "$end" ]; do i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; done'
taskset -c "$core" crosstalk-waits one sh -c "$burn" &
taskset -c "$core" crosstalk-waits two sh -c "sh -c '$burn'; true" &
crosstalk-waits idle sleep 3
wait
for name in one two; do
    check "a program that shares a processor waits: $(share $name) %" 1 "$(($(share $name) >= 25))"
done
check "one that sleeps does not: $(share idle) %" 1 "$(($(share idle) <= 10))"

finish
