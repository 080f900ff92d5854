#!/usr/bin/env bash
# Where the time of a traced program goes: waits of known length are found as synchronization, in the
# call in which they are and in its place in the program, to 5 % of the run time.
# shellcheck source=tests/mpi/common.sh
. "$(dirname "$0")/common.sh"
crosstalk=$CROSSTALK_BIN/crosstalk

timeout -k 2 "$deadline_s" "$crosstalk" trace --call-sites -o late -- mpiexec -n 2 "$CROSSTALK_BUILD/tests/late_ranks" >known 2>messages </dev/null ||
    fail "late_ranks: $(tail -n 5 messages)"
: >defaults.yaml
for network in packet shared alpha-beta; do
    "$crosstalk" simulate late --network "$network" --parameters defaults.yaml --format json >answer 2>messages ||
        fail "$network: $(cat messages)"
    python3 "$CROSSTALK_SOURCE/tests/known_waits.py" "$network" || fail "$network"
    python3 - <<'END' || fail "$network"
import json

known = json.loads([line for line in open("known", encoding="ascii") if line.startswith("{")][0])
answer = json.load(open("answer", encoding="ascii"))
bound_s = 0.05 * answer["programs"][0]["runtime_s"]
calls = {row["call"]: row for row in answer["calls"]}
# Half of the time is computing, the rest waiting for other ranks: more of one or of the other as the machine has it.
assert answer["breakdown"][0]["bound"] in ("not bound by one part", "compute-bound", "imbalance-bound"), answer["breakdown"]
for call in known:
    assert calls[call]["network_s"] + calls[call]["stack_s"] <= bound_s, calls[call]
assert calls["MPI_Allreduce"]["count"] == 8, calls
# By place: each call of a round is one, three of them are sends; all are in main of this program.
sites = answer["call_sites"]
assert all(row["site"].startswith("main (late_ranks+0x") for row in sites), sites
assert sorted(row["count"] for row in sites if row["call"] == "MPI_Send") == [4, 4, 4], sites
waits = [row["sync_s"] for row in sites if row["call"] == "MPI_Send"]
assert abs(max(waits) - known["MPI_Send"]) <= bound_s, waits  # of the large message only
for call, row in calls.items():
    for key in ("stack_s", "sync_s", "network_s", "count"):
        found = sum(site[key] for site in sites if site["call"] == call)
        assert abs(found - row[key]) <= 1e-9 * (1 + row[key]), (call, key, found, row[key])
END
done
finish
