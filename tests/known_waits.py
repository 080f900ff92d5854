"""Waits of late_ranks, which prints how long they are, are found as synchronization to 5 % of the run time: NETWORK."""
import json
import sys

with open("known", encoding="ascii") as lines:
    known = json.loads([line for line in lines if line.startswith("{")][0])
with open("answer", encoding="ascii") as text:
    answer = json.load(text)
bound_s = 0.05 * answer["programs"][0]["runtime_s"]
found = {row["call"]: row["sync_s"] for row in answer["calls"]}
for call, wait_s in known.items():
    print(f"{sys.argv[1]} {call}: {wait_s:.4f} s, found {found[call]:.4f} s, to {bound_s:.4f} s")
    assert abs(found[call] - wait_s) <= bound_s, (call, found[call], wait_s)
