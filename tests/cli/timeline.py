#!/usr/bin/env python3
"""crosstalk export --format perfetto and crosstalk trace --check --plot: the rules of the form, all kinds of traces,
memory that does not grow with the trace."""
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.environ["CROSSTALK_SOURCE"], "tests"))
from trace_bytes import varint  # noqa: E402

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
SOURCE = os.environ["CROSSTALK_SOURCE"]
EXAMPLES = [os.path.join(SOURCE, "examples", name, "traces", app)
            for name, app in (("lab8", "amg"), ("lab8-judge", "mcb"), ("lab8-judge", "fft"))]
BEGIN, END, COMM, SEND, RECEIVE, WAIT = 1, 2, 3, 4, 5, 8


def run(*words, code=0):
    done = subprocess.run([CROSSTALK, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout if code == 0 else done.stderr


# --- traces of a ring, in the tracer's form ----------------------------------------------------------

def event(kind, gap_ns, duration_ns, *numbers):
    return bytes([kind]) + b"".join(varint(number) for number in (gap_ns, duration_ns, *numbers))


def message(rank, tag, size):
    return rank << 1, tag << 1, size


def ring(folder, ranks, rounds):
    """Each rank posts a receive, sends, and waits for both: 4 events a round."""
    os.makedirs(folder)
    for rank in range(ranks):
        to, source = (rank + 1) % ranks, (rank - 1) % ranks
        out = [b"CTTRACE\0" + b"".join(n.to_bytes(4, "little") for n in (1, rank, ranks, 0))
               + (10**9).to_bytes(8, "little") + (10**18).to_bytes(8, "little")]
        out[0] += bytes(64 - len(out[0]))
        out += [event(COMM, 0, 0, 0, ranks + 1, 0, *range(ranks)), event(BEGIN, 0, 0)]
        one = [event(RECEIVE, 1000, 300, 0, 1, *message(source, 3, 64)),
               event(SEND, 500, 700, 0, 2, 0, *message(to, 3, 64)),
               event(WAIT, 2000, 4000, 4, 1 << 1 | 1, *message(source, 3, 64)),
               event(WAIT, 10, 20, 1, 2 << 1)]
        out += one * rounds + [event(END, 100, 0)]
        with open(os.path.join(folder, f"rank-{rank:06}.trace"), "wb") as file:
            file.write(b"".join(out))


# --- the rules of the form ---------------------------------------------------------------------------

def check_rules(text):
    """@return events, slices by name, arrows as pairs of (track, time in us)"""
    events = json.loads(text)["traceEvents"]
    times, slices, arrows, counts, named = {}, {}, {}, {}, set()
    for one in events:
        phase, track = one["ph"], one["tid"]
        assert phase in "XMsfi" and one["pid"] > 0 and track > 0 and one["name"], one
        assert one["ts"] >= times.get(track, 0), ("not in order", one)
        times[track] = one["ts"]
        if phase == "X":
            assert one["dur"] >= 0 and one["ts"] >= slices.get(track, (0, 0))[1] - 1e-6, ("overlaps", one)
            slices[track] = (one["ts"], one["ts"] + one["dur"])
            counts[one["name"]] = counts.get(one["name"], 0) + 1
        elif phase in "sf":
            first, last = slices[track]
            assert first - 1e-6 <= one["ts"] <= last + 1e-6, ("outside of its slice", one)
            assert phase == "s" or one["bp"] == "e", one
            ends = arrows.setdefault((one["cat"], one["name"], one["id"]), {})
            assert phase not in ends, ("twice", one)
            ends[phase] = (track, one["ts"])
        elif phase == "i":
            assert one["s"] == "t", one
        elif one["name"] == "thread_name":
            named.add(track)
    assert all(set(ends) == {"s", "f"} for ends in arrows.values()), "an arrow with one end"
    assert named >= set(slices), "a track without a name"
    return events, counts, [(ends["s"], ends["f"]) for ends in arrows.values()]


def check_ring(folder):
    ring(os.path.join(folder, "ring"), 3, 5)
    os.chdir(folder)
    _, counts, arrows = check_rules(run("export", "ring", "--format", "perfetto"))
    assert counts["MPI_Irecv"] == counts["MPI_Isend"] == len(arrows) == 15 and counts["MPI_Wait"] == 30, counts
    # A gap before each call but MPI_Init, and each of them is computed.
    assert counts["compute"] == 3 * (4 * 5 + 1), counts
    for (source, sent), (target, received) in arrows:
        assert target == source % 3 + 1 and received > sent, arrows
        # From the start of a send to the end of the first wait: 0.7 + 2 + 4 us, less the ns to be within.
        assert abs(received - sent - 6.699) < 1e-6, (sent, received)
    # The second round alone; both formats, a file and standard output.
    window = ["--from", "9us", "--to", "17us"]
    run("export", "ring", "--format", "chrome", "-o", "ring.json", *window)
    with open("ring.json", encoding="utf-8") as file:
        text = file.read()
    assert text == run("export", "ring", "--format", "perfetto", *window)
    _, counts, arrows = check_rules(text)
    assert len(arrows) == 3 and counts["MPI_Isend"] == 3, (arrows, counts)


def check_allprof(folder):
    with open(os.path.join(SOURCE, "tests", "fuzz", "corpus", "allprof", "messages.txt"), encoding="ascii") as file:
        texts = [text.split("\n", 1)[1] for text in file.read().lstrip("#").lstrip().split("\n=")]
    os.makedirs(os.path.join(folder, "allprof"))
    os.chdir(folder)
    for rank, text in enumerate(texts):
        with open(f"allprof/trace-{rank}.txt", "w", encoding="ascii") as file:
            file.write(text)
    events, counts, arrows = check_rules(run("export", "allprof", "--format", "perfetto"))
    schedule = run("goal", "allprof", "-o", "-")
    assert len(arrows) == schedule.count(" send 8b ") == 4, (len(arrows), schedule)
    assert counts["MPI_Win_fence"] == 1, counts
    assert {"rank 0", "rank 1", "rank 2"} <= {one["args"].get("name") for one in events if one["ph"] == "M"}
    assert "send " in run("trace", "--check", "allprof")
    assert "MPI_Win_fence" in run("trace", "--dump", "allprof")


def check_examples():
    for folder in EXAMPLES:
        _, counts, arrows = check_rules(run("export", folder, "--format", "perfetto"))
        calls = {call["kind"]: call["calls"]
                 for call in json.loads(run("trace", "--check", "--format", "json", folder))["calls"]}
        assert len(arrows) == calls.get("send", 0) + calls.get("sendrecv", 0), (folder, calls, len(arrows))
        assert counts.get("MPI_Allreduce", 0) + counts.get("MPI_Iallreduce", 0) == calls.get("allreduce", 0), counts
        assert all(received > sent for (_, sent), (_, received) in arrows), folder


def check_figure(folder):
    os.chdir(folder)
    path = EXAMPLES[1]
    table = run("trace", "--check", path)
    assert run("trace", "--check", "--plot", "all.svg", "--from", "0.1s", "--to", "0.2s", path) == table
    root = xml.etree.ElementTree.parse("all.svg").getroot()
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "rank 7" in texts and "time (ms)" in texts and "100" in texts and "200" in texts, texts
    _, _, arrows = check_rules(run("export", path, "--format", "perfetto", "--from", "0.1s", "--to", "0.2s"))
    lines = [line for line in root.iter("{http://www.w3.org/2000/svg}line") if line.get("marker-end")]
    assert len(lines) == len(arrows) > 0, (len(lines), len(arrows))
    for rect in root.iter("{http://www.w3.org/2000/svg}rect"):
        if rect.get("x"):
            assert float(rect.get("x")) + float(rect.get("width")) <= 981.01, rect.attrib


def peak_kib(*words):
    """Most memory of a command, of which only files that it maps grow with the trace."""
    script = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(subprocess.run([sys.executable, "-c", script, CROSSTALK, *words], capture_output=True, text=True,
                              timeout=120, check=True).stdout)


def check_memory(folder):
    os.chdir(folder)
    rounds = 50_000
    ring("short", 4, 500)
    ring("long", 4, rounds)
    more = peak_kib("export", "long", "--format", "perfetto") - peak_kib("export", "short", "--format", "perfetto")
    bytes_an_event = 1024 * more / (4 * 4 * rounds)
    # The files have 7 B an event; kept in memory, messages alone would take 40.
    assert bytes_an_event < 20, bytes_an_event


def check_refusals(folder):
    os.chdir(folder)
    for code, text, *words in (
            (2, "--to 1s: is before --from 2s", "export", "ring", "--format", "perfetto", "--from", "2s", "--to", "1s"),
            (1, "nothing happens from 500s on; the traces end after", "export", "ring", "--format", "perfetto", "--from", "500s"),
            (1, "nothing happens from 2s to 3s; the traces end after", "export", "ring", "--format", "perfetto", "--from", "2s", "--to", "3s"),
            (2, "--from and --to: are for traces", "export", "ring", "--from", "2s"),
            (2, "--dataset and --emit: are for runs", "export", "ring", "--format", "chrome", "--dataset", "samples"),
            (1, "which is not read; traces are: ", "export", ".", "--format", "perfetto"),
            (1, "nowhere/x.json: ", "export", "ring", "--format", "perfetto", "-o", "nowhere/x.json"),
            (1, "/dev/full: ", "export", "ring", "--format", "perfetto", "-o", "/dev/full"),
            (2, "--plot: is for --check", "trace", "--dump", "--plot", "x.svg", "ring"),
            (2, "--from and --to: are for --plot", "trace", "--check", "--to", "1s", "ring"),
            (1, "nowhere/x.svg: ", "trace", "--check", "--plot", "nowhere/x.svg", "ring")):
        said = run(*words, code=code)
        assert text in said, (words, said)
    # A damaged file is named, and leaves no half of an answer behind.
    with open("ring/rank-000001.trace", "r+b") as file:
        file.seek(90)
        file.write(b"\xff")
    said = run("export", "ring", "--format", "perfetto", "-o", "half.json", code=1)
    assert "rank-000001.trace: byte" in said and not os.path.exists("half.json"), said


with tempfile.TemporaryDirectory() as work:
    check_ring(work)
    check_allprof(work)
    check_examples()
    check_figure(work)
    check_refusals(work)
    check_memory(work)
print("timelines hold")
