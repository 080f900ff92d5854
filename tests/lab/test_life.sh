#!/usr/bin/env bash
# Labs come whole or not at all, exist side by side, and leave nothing.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"

machine() { # what the machine itself has of interfaces, queues and named namespaces
    ip -o link | sed 's/ state .*//'
    tc qdisc show
    ip netns list
}
machine >"$work/before"

# shellcheck disable=SC2317 # called through check
no_lab() {
    fails_with 1 'does not exist.*lab up' lab_ status
}

live_holders() { # processes that hold a lab or are about to, and are no zombies
    ps -eo stat=,args= | awk -v dir="lab up --id test" '$1 !~ /^Z/ && index($0, dir) && !/awk/' | wc -l
}

# --- nothing there yet
check "status without a lab says what to do" no_lab
check "down of nothing is success and says so" fails_with 0 'there was no lab' lab_ down

# --- up, up again, another one
up_or_skip --hosts 3
check "up again is success and says so" fails_with 0 'exists already' lab_ up --hosts 3
check "up with other settings says what to do" fails_with 1 'lab down --id test' lab_ up --hosts 4
check "a second lab exists beside the first" lab_ up --id second --hosts 2 --queue fifo
check "the first is untouched" equal "$(lab_ exec --host h3 -- hostname)" h3
check "the second has its own hosts" equal "$(lab_ exec --id second --host h2 -- hostname)" h2
check "a name that could leave the folder is refused" fails_with 1 "'../x'" lab_ up --id ../x
check "nothing shows outside" equal "$(machine)" "$(cat "$work/before")"
check "down of the second" lab_ down --id second
check "the first still exists" lab_ status

# --- the holder crashes
kill -9 "$(lab_ status --format csv | awk -F, '$1 == "holder" { print $2 }')"
check "a dead lab is noticed" wait_until no_lab
check "up clears the remains away" lab_ up --hosts 3
check "down" lab_ down

# --- up is killed at any moment
for delay in 0.01 0.02 0.03 0.05 0.07 0.1 0.15; do
    crosstalk lab up --id test --hosts 4 -q &
    up=$!
    sleep "$delay"
    kill -9 "$up" 2>/dev/null
    wait "$up" 2>/dev/null
    lab_ down -q || failures=$((failures + 1))
    check "up killed after $delay s leaves no process" equal "$(live_holders)" 0
    check "up killed after $delay s leaves no file" equal "$(ls "$CROSSTALK_LAB_DIR")" ""
done

# --- several ups at once
for _ in 1 2 3; do
    lab_ up --hosts 3 >>"$work/ups" 2>&1 &
done
wait
check "of three ups one builds" equal "$(grep -c 'exists already' "$work/ups")" 2
check "down in the end" lab_ down

# --- what is missing has a name
mkdir "$work/fake"
cat >"$work/fake/tc" <<'FAKE'
#!/bin/sh
echo "Error: Specified qdisc kind is unknown."
echo "Command failed -:1"
exit 1
FAKE
chmod +x "$work/fake/tc"
PATH=$work/fake:$PATH lab_ up >"$work/fake.out" 2>&1
check "a kernel feature that is missing is named" grep -q CONFIG_NET_SCH_HTB "$work/fake.out"
check "and no lab is left" no_lab

check "nothing is left outside" equal "$(machine)" "$(cat "$work/before")"
finish
