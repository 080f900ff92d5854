#!/usr/bin/env bash
# crosstalk-prober on three addresses of this host: they join, probe, and end; what is refused.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
prober=crosstalk-prober

(
    trap '' XFSZ # a limit on files is as good as a full disk; what it says goes through a pipe
    exec timeout 50 "$prober" --key key --listen 127.0.0.1:0 --store watch --name n0 --interval 10ms 2> >(cat >n0.txt)
) &
first=$!
for ((i = 0; i < 100; i++)); do
    port=$(sed -n 's/.* at port \([0-9]*\):.*/\1/p' n0.txt)
    [ -n "$port" ] && break
    sleep 0.05
done
check 'the key is for its owner' 600 "$(stat -c %a key)"
timeout 50 "$prober" --key key --listen 127.0.0.1:0 --join "127.0.0.1:$port" --name n1 --interval 10ms --time 9s 2>n1.txt &
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
# What anybody can send: bytes of all sizes, recorded messages, changed ones, and a host that never joined; with the key one
# answer to the first question alone.
python3 - "$port" <<'PY' >garbage.txt
import hashlib, random, socket, struct, sys, time

key = bytes.fromhex(open("key").read())
draw = random.Random(1)
here = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
there = ("127.0.0.1", int(sys.argv[1]))


def seal(kind, to, number, content):
    head = struct.pack("<4sIQQQ", b"CWP1", kind, to, 77, number) + content
    return head + hashlib.blake2b(head, key=key, digest_size=16).digest()


def answers(messages):
    got = []
    for message in messages:
        here.sendto(message, there)
        time.sleep(0.0005)
    here.settimeout(0.5)
    end = time.monotonic() + 0.5
    try:
        while time.monotonic() < end:
            got.append(here.recv(65536))
    except socket.timeout:
        pass
    return [answer for answer in got if answer[4] != 5]  # the host that joined is probed, too


join = seal(1, 0, 1, b"")
welcome = answers([join])
session = struct.unpack_from("<Q", welcome[0], 16)[0]
pull = seal(3, session, 2, b"ghost".ljust(64, b"\0") + bytes(16 + 1000))
members = answers([pull])
print(len(welcome), len(welcome[0]) <= len(join), len(members), len(members[0]) <= len(pull))
changed = [bytearray(pull) for _ in range(200)]
for message in changed:
    at = draw.randrange(8 * len(message))
    message[at // 8] ^= 1 << at % 8
cut = [pull[: draw.randrange(len(pull))] for _ in range(200)]
longer = [pull + draw.randbytes(draw.randrange(1, 400)) for _ in range(200)]
sizes = [0, 1, 47, 48, 49, 1471, 1472, 1473, 9000, 65507]
noise = [draw.randbytes(size) for size in sizes + [draw.randrange(1600) for _ in range(200)]]
print(len(answers([pull] * 100 + changed + cut + longer + noise + [b""] * 300)))
PY
check 'answers: one to each question, none longer' '1 True 1 True' "$(head -n 1 garbage.txt)"
check 'no answer to what is recorded, changed or garbage' 0 "$(tail -n +2 garbage.txt)"
prober_of() { # the process below timeout
    pgrep -P "$1" -x crosstalk-probe # 15 characters
}
wait_for() { # a command that succeeds at last
    for _ in $(seq 100); do
        "$@" && break
        sleep 0.1
    done
}
wait_for grep -qr CWB1 watch --include='samples-*'
prlimit --pid "$(prober_of "$first")" --fsize=1:
wait_for grep -q 'cannot be written' n0.txt
prlimit --pid "$(prober_of "$first")" --fsize=unlimited:
wait_for grep -q 'written again' n0.txt
wait "$second"
kill -TERM "$first"
wait "$first"
check 'SIGTERM is no failure' 0 $?
check 'it joined' 1 "$(grep -c ' n1 joined' n0.txt)"
check 'it left' 1 "$(grep -c ' n1 left' n0.txt)"
check 'another key is named' 1 "$(grep -c 'not sealed with the key' n0.txt)"
check 'a full disk is said once' 1 "$(grep -c 'cannot be written: .* samples wait, 0 were dropped' n0.txt)"
check 'and its end' 1 "$(grep -c 'samples are written again: 0 were dropped' n0.txt)"
"$prober" --summary watch >summary.txt
check 'both are in the table' 2 "$(grep -cE '^n[01] +(yes|no)' summary.txt)"
check 'samples are there' yes "$(awk '/ samples, / { print ($1 > 50 ? "yes" : "only " $1); exit }' summary.txt)"
check 'nothing is damaged' 0 "$(grep -c damaged summary.txt)"
finish
