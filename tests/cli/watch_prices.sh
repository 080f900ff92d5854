#!/usr/bin/env bash
# A watched fabric with a slow link: what that costs the applications of a folder, in words and as JSON.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

# An application on all leaves, one on one leaf, and what is none.
mkdir apps
printf 'num_ranks 2\nrank 0 {\na: calc 1000000\nb: send 8000000b to 1 tag 0\nb requires a\n}\nrank 1 {\nrecv 8000000b from 0 tag 0\n}\n' >apps/far.goal
cp apps/far.goal apps/near.goal
printf 'num_ranks 2\nrank 0 {\nsend 8b to 7\n}\n' >apps/wrong.goal
: >apps/README
network=(--topology 'tree:4x4,2' --rate 8gbit --uplink 8gbit)
priced=("${network[@]}" --applications apps --hosts 'n0,n8 n0,n1 n0' --L 3us --o 1us --G 1ns)

# n0 sends to n8 over leaf0 and spine0: 1 ms of calculation, 8 ms of bytes, of which the fault adds a quarter.
crosstalk watch --fault 'leaf0 to spine0 at 80%' "${priced[@]}" >words 2>warnings
check 'what if, in words' "leaf0 to spine0 at 80%: far +22 %, near 0 %, wrong not known, since its schedule cannot be read." \
    "$(tail -1 words)"
check 'what is no application is named' 1 "$(grep -c 'apps/README: is no application' warnings)"
check 'why a schedule cannot be read' 1 "$(grep -c 'wrong.goal' warnings)"
mkdir wrong && cp apps/wrong.goal wrong
check 'none that can be read is an error' '1 crosstalk watch: --applications: wrong: no schedule in it can be read, as said above' \
    "$(crosstalk watch --fault 'leaf0 to spine0 at 80%' "${network[@]}" --applications wrong --L 3us --o 1us --G 1ns >out 2>warnings
    echo "$? $(tail -1 warnings)$(cat out)")"
crosstalk watch --fault 'leaf0 to spine0 loses 1%' "${priced[@]}" >words 2>/dev/null
check 'losses have no price' 1 "$(grep -c 'far not known, since lost messages have a price with --retransmit only' words)"
crosstalk watch --fault 'leaf0 to spine0 loses 0.1%' "${priced[@]}" --retransmit 200ms >words 2>/dev/null
check 'but with the time of another try' 1 "$(grep -c ': far +22[0-9][0-9] %, near 0 %, wrong not known' words)"

# The runs in the repository.
check 'prices are within 3 points of measured ones' 0 \
    "$(PYTHONDONTWRITEBYTECODE=1 python3 "$CROSSTALK_SOURCE/examples/prices/compare.py" "$CROSSTALK_SOURCE/examples/prices" >table; echo $?)"

"${CROSSTALK_BIN}/../tests/watched_fabric" watch || exit 1
crosstalk watch watch --learn 100s "${priced[@]}" >words 2>/dev/null
check 'the link is found' 1 "$(grep -c '^leaf0 to spine0 carries less than it did' words)"
check 'what it costs' 1 "$(grep -c '^It costs far +2[0-9] % \[[0-9.]*, [0-9.]*\], near 0 %, wrong not known' words)"
crosstalk watch watch --learn 100s "${priced[@]}" --format json >answer.json 2>/dev/null
check 'the same as JSON' 'far True packets near True packets wrong True its schedule cannot be read ' "$(python3 - <<'PY'
import json
answer = json.load(open("answer.json"))
alarm = answer["alarms"][0]["id"]
for price in answer["prices"]:
    ends = price["slowdown_ci"]
    right = {"far": lambda: 0.15 < ends[0] <= price["slowdown"] <= ends[1] < 0.3,
             "near": lambda: price["slowdown"] == 0 and ends == [0, 0],
             "wrong": lambda: price["slowdown"] is None and ends == [None, None]}[price["application"]]()
    print(price["application"], right and price["alarm"] == alarm, price["how"], end=" ")
PY
)"
crosstalk watch watch --learn 100s "${network[@]}" >words
check 'without applications there is no price' 0 "$(grep -c 'costs' words)"

# Alarms first: a price that takes long is not waited for (20,000 messages of 1 MB, by packets); a signal ends it.
mkdir long
for ((i = 0; i < 20000; i++)); do
    echo "a$i: send 1000000b to 1 tag 0"
done >sends
{
    printf 'num_ranks 2\nrank 0 {\n'
    cat sends
    printf '}\nrank 1 {\n'
    sed 's/send \([0-9b]*\) to 1/recv \1 from 0/' sends
    echo '}'
} >long/long.goal
crosstalk watch watch --learn 100s "${network[@]}" --applications long --hosts n0,n8 --L 3us --o 1us --G 1ns \
    --follow --journal journal >words 2>told &
watch=$!
for _ in $(seq 300); do
    grep -qs '"event": "fault"' journal && break
    sleep 0.1
done
kill -TERM $watch
wait $watch
check 'an alarm is told' 1 "$(grep -c '"event": "fault"' journal)"
check 'before its price is known' 0 "$(grep -c 'costs' words told | grep -vc ':0$')"
finish
