#!/usr/bin/env bash
# The counters tell the truth, and the ports give the rate and the turns they promise.
# shellcheck source=tests/lab/common.sh
. "$(dirname "$0")/common.sh"
up_or_skip --hosts 4 --rate 50mbit

start_sink() { # number of connections; its answer goes to $work/sink
    start_ready "$work/sink" lab_ exec --host h1 -- lab_traffic sink "$1"
    sink=$ready_pid
}

column() { # host, heading
    awk -F, -v host="$1" -v name="$2" '/^host,/ { for (i = 1; i <= NF; i++) if ($i == name) c = i } $1 == host { print $c }' "$work/counters"
}

# --- a known transfer: every byte of it, and nothing else
bytes=1000000
start_sink 1
lab_ counters --interval 1500ms --format csv >"$work/counters" &
counters=$!
sleep 0.2
lab_ exec --host h2 -- lab_traffic source 10.77.0.1 $bytes
wait $sink $counters
# 66 bytes of Ethernet, IP and TCP before the data of each packet, 8 more on the first one.
data=$(($(column h1 tx_bytes) - 66 * $(column h1 tx_packets) - 8))
check "the sink got it all" equal "$(awk '/^10/ { print $1, $2 }' "$work/sink")" "10.77.0.2 $bytes"
check "the port of the receiver counted it, byte by byte" equal "$data" "$bytes"
check "the port of the sender counted the same" equal "$(column h2 rx_bytes)" "$(column h1 tx_bytes)"
check "the others counted nothing" equal "$(column h3 tx_bytes) $(column h3 rx_bytes) $(column h4 tx_bytes)" "0 0 0"
check "nothing was dropped" equal "$(column h1 tx_drops) $(column h2 rx_drops)" "0 0"
check "nothing is left waiting" equal "$(column h1 tx_backlog_bytes)" 0
busy=$(awk -v b="$(column h1 tx_bytes)" -v i="$(awk -F, '$1 == "interval_s" { print $2 }' "$work/counters")" \
    'BEGIN { print b * 8 / 50e6 / i }')
check "the busy fraction is bytes by capacity" between "$(column h1 tx_busy_frac)" \
    "$(awk -v b="$busy" 'BEGIN { print b - 1e-4 }')" "$(awk -v b="$busy" 'BEGIN { print b + 1e-4 }')"

# --- rate: of 1514 bytes 1448 are data; wide margins, for a busy machine
rates() { # data rate of each connection as a fraction of the port's rate
    awk '/^10/ { printf "%.3f\n", $4 * 8 / $3 / 50e6 * 1514 / 1448 }' "$work/sink"
}
check "one flow gets the rate, and no more" between "$(rates)" 0.6 1.05

start_sink 3
for host in h2 h3 h4; do
    lab_ exec --host $host -- lab_traffic source 10.77.0.1 1500000 &
done
wait
check "three flows share the port: smallest part" between "$(rates | sort -n | head -n 1)" 0.2 0.4
check "three flows share the port: largest part" between "$(rates | sort -n | tail -n 1)" 0.2 0.5

# --- one queue per port
check "down" lab_ down
check "up with one queue per port" lab_ up --hosts 2 --rate 50mbit --queue fifo
start_sink 1
lab_ exec --host h2 -- lab_traffic source 10.77.0.1 1500000
wait $sink
check "fifo: one flow gets the rate, and no more" between "$(rates)" 0.6 1.05

# --- TCP is no queue of its own: what is sent first arrives first, connections do not take turns
ipv4() { # setting
    lab_ exec --host h2 -- cat "/proc/sys/net/ipv4/$1"
}
check "TCP's settings are the lab's" equal \
    "$(ipv4 tcp_congestion_control) $(ipv4 tcp_autocorking) $(ipv4 tcp_pacing_ss_ratio)" "reno 0 1000"
# Flows that took turns would have half of it each; so have flows whose sender waits for a processor in between.
# shellcheck disable=SC2317 # called by in_tries
turn() {
    start_sink 2
    lab_ exec --host h2 -- lab_traffic turns 10.77.0.1 60000
    wait "$sink"
    between "$(rates | sort -n | head -n 1)" 0.6 1.1
}
check "fifo: each of two flows has the rate in its turn" in_tries 5 "two flows in turn" turn

# --- what waits in a queue for a second is not sent again: a message that comes behind those of two other hosts
sent_again() { # segments of TCP
    lab_ exec --host h4 -- cat /proc/net/snmp | awk '$1 == "Tcp:" && $13 ~ /^[0-9]+$/ { print $13 }'
}
check "down" lab_ down
check "up with slow ports" lab_ up --hosts 4 --rate 500kbit --queue fifo
if lab_ exec --host h4 -- test -e /proc/sys/net/ipv4/tcp_rto_min_us; then
    start_sink 3
    lab_ exec --host h4 -- bash -c 'exec 3>/dev/tcp/10.77.0.1/7777; sleep 1; head -c 1000 /dev/zero >&3; sleep 2' &
    sleep 0.2
    for host in h2 h3; do
        lab_ exec --host $host -- lab_traffic source 10.77.0.1 60000 &
    done
    wait
    check "segments that are sent again" equal "$(sent_again)" 0
else
    echo "skipped: segments that are sent again: Linux before 6.11 has no tcp_rto_min_us"
fi
finish
