#!/usr/bin/env bash
# crosstalk-prober on three addresses of this host: they join, probe, and end; what is refused.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
prober=crosstalk-prober

timeout 20 "$prober" --key key --listen 127.0.0.1:0 --store watch --name n0 --interval 10ms 2>n0.txt &
first=$!
for ((i = 0; i < 100; i++)); do
    port=$(sed -n 's/.* at port \([0-9]*\):.*/\1/p' n0.txt)
    [ -n "$port" ] && break
    sleep 0.05
done
check 'the key is for its owner' 600 "$(stat -c %a key)"
timeout 20 "$prober" --key key --listen 127.0.0.1:0 --join "127.0.0.1:$port" --name n1 --interval 10ms --time 7s 2>n1.txt &
second=$!
# While they settle: what is refused.
"$prober" --key key --listen 127.0.0.1:0 --store watch 2>refused.txt
check 'a second watch is refused' 1 "$(grep -c "another watch writes there (process [0-9]* on" refused.txt)"
cp key open && chmod 644 open
"$prober" --key open --join "127.0.0.1:$port" 2>refused.txt
check 'a key that others can read' 1 "$(grep -c 'others can read or change this key' refused.txt)"
echo 0123 >short && chmod 600 short
"$prober" --key short --join "127.0.0.1:$port" 2>refused.txt
check 'a key that is none' 1 "$(grep -c '64 hexadecimal digits' refused.txt)"
"$prober" --key key --join nowhere 2>refused.txt
check 'no address' 1 "$(grep -c "'nowhere' is no ADDRESS:PORT" refused.txt)"
"$prober" --summary . >refused.txt 2>&1
check 'no folder of a watch' 1 "$(grep -c 'has no hosts.ctw' refused.txt)"
"$prober" --key "$(sed 's/./0/g' key >other && chmod 600 other && echo other)" --join "127.0.0.1:$port" --time 0.1s 2>refused.txt
wait "$second"
kill -TERM "$first"
wait "$first"
check 'SIGTERM is no failure' 0 $?
check 'it joined' 1 "$(grep -c ' n1 joined' n0.txt)"
check 'it left' 1 "$(grep -c ' n1 left' n0.txt)"
check 'another key is named' 1 "$(grep -c 'not sealed with the key' n0.txt)"
"$prober" --summary watch >summary.txt
check 'both are in the table' 2 "$(grep -cE '^n[01] +(yes|no)' summary.txt)"
check 'samples are there' yes "$(awk '/ samples, / { print ($1 > 50 ? "yes" : "only " $1); exit }' summary.txt)"
check 'nothing is damaged' 0 "$(grep -c damaged summary.txt)"
finish
