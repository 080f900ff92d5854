#!/usr/bin/python3
"""crosstalk tolerance of programs in windows: what they are in one piece, which --critical-path needs.

windows.py WRITE_TRACES TRACES: the program that repeats traces (tests/bench/write_traces.c), and traces of 8 ranks."""
import json
import os
import subprocess
import sys
import tempfile

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
MODEL = ["--L", "3us", "--o", "5us", "--G", "0.018ns", "--seed", "1", "--format", "json"]
PROGRAMS = ["halo:256,rounds=1150,imbalance=10%,noise=10%", "allreduce:1024,rounds=430,noise=10%"]
SAME = ["runtime_s", "traced_s", "lambda_L", "rho_L", "L_range_s", "lambda_G", "tolerance", "answer"]
NO_FILE = "cannot make a file in /nonexistent: No such file or directory"
OF_TRACES = ["traced_s", "answer"]  # a schedule was not traced


def run(program, *options, **environment):
    return subprocess.run([CROSSTALK, "tolerance", program, *MODEL, *options], capture_output=True, text=True,
                          timeout=600, check=False, env={**os.environ, **environment})


def compare(program):
    """Of the program, and of its schedule in the binary form: in windows and in one piece."""
    with tempfile.TemporaryDirectory() as folder:
        done = run(program, TMPDIR=folder)
        assert done.returncode == 0, done.stderr
        assert os.listdir(folder) == [], "the file of windows has a name"
        schedule = os.path.join(folder, "schedule.bin")
        subprocess.run([CROSSTALK, "goal", program, "-o", schedule], timeout=600, check=True)
        done_binary = run(schedule)
        assert done_binary.returncode == 0, done_binary.stderr
        for operand in program, schedule:
            failed = run(operand, TMPDIR="/nonexistent")
            assert failed.returncode == 1 and NO_FILE in failed.stderr and "TMPDIR=FOLDER" in failed.stderr, failed
    windows, binary, whole = (json.loads(text) for text in (
        done.stdout, done_binary.stdout, run(program, "--critical-path").stdout))
    operations = int(whole["provenance"]["operations"])
    assert operations > 8 << 20, operations
    for what, answer in [("program", windows), ("schedule", binary)]:
        assert int(answer["provenance"]["operations"]) == operations, what
        for key in SAME:
            if what == "program" or key not in OF_TRACES:
                assert answer[key] == whole[key], (program, what, key, answer[key], whole[key])
        assert abs(answer["compute"] - whole["compute"]) < 1e-12, program
    print(f"{program}: {operations} operations are the same")


def main():
    write_traces, traces = sys.argv[1:]
    for program in PROGRAMS:
        compare(program)
    with tempfile.TemporaryDirectory() as folder:
        repeated = os.path.join(folder, "repeated")
        subprocess.run([write_traces, repeated, traces, "1200"], timeout=600, check=True)
        compare(repeated)


if __name__ == "__main__":
    main()
