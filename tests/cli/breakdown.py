#!/usr/bin/env python3
"""crosstalk simulate: where the time goes by call, over time, as a picture and as a timeline, all of which tell
the same; and on generated programs what is known of them."""
import json
import os
import subprocess
import tempfile
import xml.etree.ElementTree

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
PARTS = ("compute", "stack", "sync", "network")
HALO = "halo:4x2x2,rounds=3,levels=2,imbalance=20%,noise=10%"
CHAIN = "allreduce:12,rounds=20,compute=50us,noise=30%"


def run(*words, code=0):
    done = subprocess.run([CROSSTALK, "simulate", *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return json.loads(done.stdout) if code == 0 else done.stderr


def near(found, expected, tolerance):
    assert abs(found - expected) <= tolerance, f"{found}, not {expected} to {tolerance}"


def check_sums(answer):
    """Parts of ranks are their run times; those of calls are those of all ranks."""
    for rank in answer["ranks"]:
        near(sum(rank[f"{part}_s"] for part in PARTS), rank["runtime_s"], 1e-12)
    for program in answer["programs"]:
        ranks = [rank for rank in answer["ranks"] if rank["name"] == program["name"]]
        calls = [call for call in answer["calls"] if call["name"] == program["name"]]
        for part in PARTS[1:]:
            near(sum(call[f"{part}_s"] for call in calls), sum(rank[f"{part}_s"] for rank in ranks), 1e-12)
        for step in (step for step in answer["course"] if step["name"] == program["name"]):
            near(sum(step[f"{part}_frac"] for part in PARTS), 1, 1e-9)


def one_program_and_two():
    for network in ("packet", "alpha-beta", "none"):
        for programs in ([HALO], [HALO, CHAIN]):
            answer = run(*programs, "--network", network, "--parameters", "defaults.yaml", "--ranks", "--course",
                         "--format", "json")
            check_sums(answer)
            counts = {call["call"]: call["count"] for call in answer["calls"] if call["name"] == HALO}
            # 16 ranks, 3 rounds of 3 visits, 6 messages a visit
            assert counts == {"MPI_Isend": 864, "MPI_Irecv": 864, "MPI_Wait": 144, "MPI_Allreduce": 48}, counts
            if network == "none":
                assert all(call["stack_s"] == call["network_s"] == 0 for call in answer["calls"])
                assert sum(call["sync_s"] for call in answer["calls"]) > 0


def without_imbalance_nobody_waits():
    answer = run("allreduce:16,rounds=5", "--network", "none", "--course", "--format", "json")
    assert all(call["sync_s"] == 0 for call in answer["calls"]), answer["calls"]
    assert all(step["compute_frac"] == 1 for step in answer["course"]), answer["course"]


def check_chain(path, runtime_s):
    """The track of the critical path, from the begin of the pass to its end, to the nanosecond."""
    end = 0
    for event in path:
        near(event["ts"], end, 1e-6)
        end = event["ts"] + event["dur"]
        assert ("to" in event["args"]) <= (event["name"] == "network"), event
    near(end * 1e-6, runtime_s, 1e-9)


def the_path_is_the_run():
    for network in ("packet", "alpha-beta", "none"):
        answer = run(HALO, CHAIN, "--network", network, "--parameters", "defaults.yaml", "--path", "--format", "json")
        for path in answer["path"]:
            near(sum(path[f"{part}_s"] for part in PARTS), path["runtime_s"], 1e-12)
            near(sum(path[f"{part}_frac"] for part in PARTS), 1, 1e-9)
            calls = [call for call in answer["path_calls"] if call["name"] == path["name"]]
            for part in PARTS[1:]:
                near(sum(call[f"{part}_s"] for call in calls), path[f"{part}_s"], 1e-12)
            if network == "none":
                near(path["compute_frac"], 1, 1e-12)
    alone = run(HALO, "--network", "packet", "--parameters", "defaults.yaml", "--path", "--format", "json")
    near(alone["path"][0]["runtime_s"], alone["programs"][0]["alone_s"], 1e-12)


def the_path_is_drawn():
    answer = run(HALO, CHAIN, "--network", "packet", "--parameters", "defaults.yaml", "--path", "--plot", "p.svg",
                 "--format", "json")
    texts = ["".join(node.itertext()).strip() for node in xml.etree.ElementTree.parse("p.svg").iter()
             if node.tag.endswith("text")]
    for path in answer["path"]:
        assert f"Critical path of {path['name']}" in texts, texts
        assert f"compute {100 * path['compute_frac']:.1f} %" in texts, texts


def the_timeline_has_the_times():
    answer = run(HALO, "--network", "packet", "--parameters", "defaults.yaml", "--ranks", "--timeline", "t.json",
                 "--format", "json")
    with open("t.json", encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    path = [event for event in slices if event["tid"] == 17]
    slices = [event for event in slices if event["tid"] < 17]
    check_chain(path, max(rank["runtime_s"] for rank in answer["ranks"]))
    ends = {rank: 0 for rank in range(16)}
    for event in slices:  # in time, without gaps, to the nanosecond
        rank = event["tid"] - 1
        near(event["ts"], ends[rank], 1e-6)
        ends[rank] = event["ts"] + event["dur"]
    for rank in answer["ranks"]:
        near(ends[rank["rank"]] * 1e-6, rank["runtime_s"], 1e-9)
    for part in PARTS:
        found = sum(event["dur"] for event in slices if event["name"] == part) * 1e-6
        near(found, sum(rank[f"{part}_s"] for rank in answer["ranks"]), 1e-9 * len(slices))
    sent, received = ([event["id"] for event in events if event["ph"] == phase] for phase in "sf")
    assert sorted(sent) == sorted(received) and len(set(sent)) == 864 + 16 * 4 * 3, len(sent)
    assert {event["args"]["call"] for event in slices if event["name"] == "sync"} <= {"MPI_Wait", "MPI_Allreduce"}


def the_picture_has_programs_and_networks():
    run(HALO, CHAIN, "--network", "packet", "--parameters", "defaults.yaml", "--plot", "b.svg", "--format", "json")
    texts = {"".join(node.itertext()).strip() for node in xml.etree.ElementTree.parse("b.svg").iter()
             if node.tag.endswith("text")}
    for name in ("halo:4x2x2", "allreduce:12"):
        for network in ("packet", "alpha-beta", "none"):
            assert f"{name} {network}" in texts, texts
    assert {"compute", "stack", "synchronization", "network", "time (ms)"} <= texts, texts


def links_are_busy_by_their_bytes():
    """One message from node 0 to node 2, which are under two switches: three links, G N of the time each."""
    with open("one.goal", "w", encoding="ascii") as file:
        file.write("num_ranks 3\nrank 0 {\ns: send 100001b to 2\n}\nrank 1 {\nc: calc 10\n}\n"
                   "rank 2 {\nr: recv 100001b from 0\n}\n")
    words = ["--L", "5us", "--o", "1us", "--G", "10ns", "--S", "1MB", "--topology", "tree:2x2"]
    answer = run("one.goal", *words, "--format", "json")
    links = {(link["from"], link["to"]): link["busy_frac"] for link in answer["links"]}
    assert len(links) == 4 and all("leaf" in " ".join(ends) for ends in links), links
    for busy in links.values():
        near(busy, 100000 * 10e-9 / answer["programs"][0]["alone_s"], 1e-9)
    assert "links" not in run("one.goal", *words[:-2], "--network", "packet", "--format", "json")


def threads_change_no_answer():
    """One thread and several: the same bytes of tables, of pictures and of the timeline."""
    tree = ("--topology", "tree:4x4,2")
    files = ("b.svg", "p.svg", "t.json")
    drawn = ("--breakdown", files[0], "--draw-path", files[1], "--timeline", files[2])
    loggps = ("--L", "5us", "--o", "1us", "--G", "1ns")
    for words in ((HALO, CHAIN, "--parameters", "defaults.yaml", "--network", "packet", *tree, "--course", *drawn),
                  (HALO, "--parameters", "defaults.yaml", "--network", "alpha-beta", "--ranks", "--course", *drawn),
                  (HALO, CHAIN, *loggps, *tree), (HALO, CHAIN, *loggps)):
        found = []
        for threads in ("1", "2", "7"):
            answer = run(*words, "--format", "json", "--threads", threads)
            assert answer["provenance"].pop("threads") == threads, answer["provenance"]
            contents = []
            for path in files if "--breakdown" in words else ():
                with open(path, "rb") as file:
                    contents.append(file.read())
            found.append((json.dumps(answer), contents))
        assert found[0] == found[1] == found[2], words
    assert "--threads" in run(CHAIN, "--network", "none", "--threads", "0", code=2)


def a_parameter_is_told_once():
    """A file's queue is that of the simulation, and takes the place of --queue in what is told."""
    with open("fifo.yaml", "w", encoding="ascii") as file:
        file.write("queue: fifo\nburst: 3kB\n")
    text = subprocess.run([CROSSTALK, "simulate", CHAIN, "--network", "packet", "--parameters", "fifo.yaml", "--verbose"],
                          capture_output=True, text=True, timeout=60, check=True).stdout
    assert text.count("# queue: ") == 1 and "# queue: fifo\n" in text, text
    assert text.count("# burst: ") == 1 and "# burst: 0B\n" not in text, text


def bad_files_are_refused():
    assert "nowhere/t.json" in run(CHAIN, "--network", "none", "--timeline", "nowhere/t.json", code=1)
    assert "nowhere/p.svg" in run(CHAIN, "--network", "none", "--draw-path", "nowhere/p.svg", code=1)
    assert "nowhere/b.svg" in run(CHAIN, "--network", "none", "--breakdown", "nowhere/b.svg", code=1)
    assert not os.path.exists("nowhere")


def steps_are_found():
    """Rounds alike, but for the first one, which no collective is before."""
    whole, steps = (run("allreduce:8,rounds=5", "--network", "none", "--pass", part, "--format", "json")["programs"][0]
                    for part in ("whole", "step"))
    near(steps["alone_s"], whole["alone_s"] * 4 / 5, 1e-12)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("defaults.yaml", "w", encoding="ascii"):
            pass
        one_program_and_two()
        without_imbalance_nobody_waits()
        steps_are_found()
        the_path_is_the_run()
        the_path_is_drawn()
        the_timeline_has_the_times()
        the_picture_has_programs_and_networks()
        links_are_busy_by_their_bytes()
        threads_change_no_answer()
        a_parameter_is_told_once()
        bad_files_are_refused()
        os.chdir("/")


main()
