#!/usr/bin/python3
"""crosstalk tolerance of programs in windows: what they are in one piece, which --critical-path needs."""
import json
import os
import subprocess
import tempfile

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
MODEL = ["--L", "3us", "--o", "5us", "--G", "0.018ns", "--seed", "1", "--format", "json"]
PROGRAMS = ["halo:256,rounds=1150,imbalance=10%,noise=10%", "allreduce:1024,rounds=430,noise=10%"]
SAME = ["runtime_s", "traced_s", "lambda_L", "rho_L", "L_range_s", "lambda_G", "tolerance", "answer"]


def run(program, *options, **environment):
    return subprocess.run([CROSSTALK, "tolerance", program, *MODEL, *options], capture_output=True, text=True,
                          timeout=600, check=False, env={**os.environ, **environment})


def main():
    for program in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            done = run(program, TMPDIR=folder)
            assert done.returncode == 0, done.stderr
            assert os.listdir(folder) == [], "the file of windows has a name"
        windows, whole = json.loads(done.stdout), json.loads(run(program, "--critical-path").stdout)
        operations = int(windows["provenance"]["operations"])
        assert operations == int(whole["provenance"]["operations"]) > 8 << 20, operations
        for key in SAME:
            assert windows[key] == whole[key], (program, key, windows[key], whole[key])
        assert abs(windows["compute"] - whole["compute"]) < 1e-12, program
        print(f"{program}: {operations} operations are the same")
    failed = run(PROGRAMS[0], TMPDIR="/nonexistent")
    assert failed.returncode == 1 and "cannot make a file in /nonexistent: No such file or directory" in failed.stderr, failed
    assert "TMPDIR=FOLDER" in failed.stderr, failed.stderr


if __name__ == "__main__":
    main()
