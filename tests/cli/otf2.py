#!/usr/bin/env python3
"""Archives of OTF2 through the commands: written, shown by otf2-print, read again; the same answers as of the traces."""
import json
import os
import shutil
import subprocess
import tempfile

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
EXAMPLES = [os.path.join(os.environ["CROSSTALK_SOURCE"], "examples", name, "traces", app)
            for name, app in (("lab8", "amg"), ("lab8-judge", "mcb"), ("lab8-judge", "fft"), ("lab8-judge", "lulesh"))]


def run(*words, code=0):
    done = subprocess.run([CROSSTALK, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout if code == 0 else done.stderr


def counts(path):
    answer = json.loads(run("trace", "--check", "--format", "json", path))
    return {call["kind"]: (call["calls"], call["bytes"]) for call in answer["calls"]}


def check_there_and_back(folder):
    os.chdir(folder)
    for n, traces in enumerate(EXAMPLES):
        run("export", traces, "--format", "otf2", "-o", f"archive{n}")
        archive = f"archive{n}/traces.otf2"
        assert run("goal", archive, "-o", "-") == run("goal", traces, "-o", "-"), traces
        assert counts(archive) == counts(traces), traces
        times = [[line for line in run("tolerance", "-q", path, "--L", "10us", "--o", "1us", "--G", "1ns").splitlines()
                  if "raced " not in line] for path in (archive, traces)] # but for the time of the trace
        assert len(times[0]) > 9 and times[0] == times[1], times
        arrows = [run("export", path, "--format", "perfetto").count('"ph":"f"') for path in (archive, traces)]
        assert arrows[0] == arrows[1] == counts(traces).get("send", (0, 0))[0], arrows


def check_print(folder):
    """What the library's own tool shows."""
    if not shutil.which("otf2-print"):
        print("not tried: otf2-print is not installed (package otf2-tools)")
        return
    os.chdir(folder)
    done = subprocess.run(["otf2-print", "archive1/traces.otf2"], capture_output=True, text=True, timeout=60, check=True)
    assert "warning" not in done.stdout + done.stderr, done.stderr
    found = counts(EXAMPLES[1])
    events = [line.split()[0] for line in done.stdout.splitlines() if line[:1].isupper()]
    assert events.count("MPI_IRECV_REQUEST") + events.count("MPI_RECV") == found["receive"][0], found
    assert events.count("MPI_ISEND") + events.count("MPI_SEND") == found["send"][0], found
    assert events.count("ENTER") == events.count("LEAVE") > 0, events.count("ENTER")
    collectives = sum(found[kind][0] for kind in ("barrier", "bcast", "reduce", "allreduce", "allgather"))
    assert events.count("MPI_COLLECTIVE_END") == collectives, found
    assert "Collective: ALLREDUCE" in done.stdout or "Operation: ALLREDUCE" in done.stdout, done.stdout[:2000]


def check_print_again(folder):
    """Of an archive that is made of an archive it shows the same, to the nanosecond and with the time of day."""
    if not shutil.which("otf2-print"):
        return
    os.chdir(folder)
    for n, _ in enumerate(EXAMPLES):
        run("export", f"archive{n}/traces.otf2", "--format", "otf2", "-o", f"again{n}")
        for what in ([], ["--show-global-defs"]):
            shown = [subprocess.run(["otf2-print", *what, f"{name}{n}/traces.otf2"], capture_output=True, text=True,
                                    timeout=60, check=True).stdout.replace(f"{name}{n}", "") for name in ("archive", "again")]
            assert shown[0] == shown[1] and len(shown[0]) > 500, (n, what, shown[0][:500], shown[1][:500])


def check_refusals(folder):
    os.chdir(folder)
    os.mkdir("full")
    with open("full/file", "w", encoding="ascii"):
        pass
    with open("text.otf2", "w", encoding="ascii") as file:
        file.write("no archive\n")
    for code, text, *words in (
            (1, "nowhere.otf2", "goal", "nowhere.otf2"),
            (1, "text.otf2: not an archive of OTF2", "goal", "text.otf2"),
            (1, "text.otf2: not an archive of OTF2", "trace", "--check", "text.otf2"),
            (2, "--output is missing", "export", EXAMPLES[0], "--format", "otf2"),
            (1, "full: is there already", "export", EXAMPLES[0], "--format", "otf2", "-o", "full"),
            (1, "none/archive: cannot be created", "export", EXAMPLES[0], "--format", "otf2", "-o", "none/archive"),
            (2, "--format otf2 has all of the traces", "export", EXAMPLES[0], "--format", "otf2", "-o", "x", "--to", "1s")):
        said = run(*words, code=code)
        assert text in said, (words, said)
    os.truncate("archive0/traces/3.evt", 1000)
    said = run("goal", "archive0/traces.otf2", code=1)
    assert "archive0/traces.otf2: rank 3 (location 3, its file 3.evt)" in said, said
    os.remove("archive0/traces/3.evt")
    said = run("goal", "archive0/traces.otf2", code=1)
    assert "the events of rank 3, archive0/traces/3.evt: No such file" in said, said


with tempfile.TemporaryDirectory() as work:
    check_there_and_back(work)
    check_print(work)
    check_print_again(work)
    check_refusals(work)
print("archives hold")
