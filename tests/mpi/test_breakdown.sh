#!/usr/bin/env bash
# Where the time of a traced program goes: waits of known length are found as synchronization, in the
# call in which they are, to 5 % of the run time.
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"
crosstalk=$CROSSTALK_BIN/crosstalk

timeout -k 2 "$deadline_s" "$crosstalk" trace -o late -- mpiexec -n 2 "$CROSSTALK_BUILD/tests/late_ranks" >known 2>messages </dev/null ||
    fail "late_ranks: $(tail -n 5 messages)"
: >defaults.yaml
for network in packet shared alpha-beta; do
    "$crosstalk" simulate late --network "$network" --parameters defaults.yaml --format json >answer 2>messages ||
        fail "$network: $(cat messages)"
    python3 - "$network" <<'END' || fail "$network"
import json
import sys

known = json.loads([line for line in open("known", encoding="ascii") if line.startswith("{")][0])
answer = json.load(open("answer", encoding="ascii"))
bound_s = 0.05 * answer["programs"][0]["runtime_s"]
calls = {row["call"]: row for row in answer["calls"]}
assert answer["breakdown"][0]["bound"] == "imbalance-bound", answer["breakdown"]
for call, wait_s in known.items():
    found_s = calls[call]["sync_s"]
    print(f"{sys.argv[1]} {call}: {wait_s:.4f} s, found {found_s:.4f} s, to {bound_s:.4f} s")
    assert abs(found_s - wait_s) <= bound_s, (call, found_s, wait_s)
    assert calls[call]["network_s"] + calls[call]["stack_s"] <= bound_s, calls[call]
assert calls["MPI_Allreduce"]["count"] == 8, calls
END
done
finish
