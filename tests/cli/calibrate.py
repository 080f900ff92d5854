#!/usr/bin/env python3
"""crosstalk calibrate: parameters recovered from round trips by hand and from a table, its file, simulations with it, a
run that is ended and repeated, what is refused."""
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.environ["CROSSTALK_SOURCE"], "tests"))
from skip import skip_for_tool  # noqa: E402

try:
    import h5py
except ImportError as missing:
    skip_for_tool(f"{missing} (package python3-h5py)")

LAB8 = os.path.join(os.environ["CROSSTALK_SOURCE"], "examples", "lab8")
CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
TRUTH = {"injection-bandwidth": 13.04e9, "memory-bandwidth": 11.2e9, "post-header": 360e-9, "post-rdma": 880e-9}
PARAMETERS = """\
post-rdma: uniform 0.5us 2us
post-header: log-uniform 100ns 1.5us
memory-bandwidth: uniform 8GB/s 15GB/s
injection-bandwidth: normal 12GB/s 1GB/s
link-bandwidth: uniform 10GB/s 15GB/s   # one switch has no such link
hop: 100ns
"""
FEW = ["--points", "300", "--refine", "1", "--samples", "1000", "--seed", "3", "--quiet"]


def round_trip(size):
    """The steps of a message up to 64 KiB and of its empty answer, one after the other."""
    link, copy = size / TRUTH["injection-bandwidth"], size / TRUTH["memory-bandwidth"]
    if size <= 4096:
        return 2 * TRUTH["post-header"] + 200e-9 + link + copy
    return 2 * TRUTH["post-header"] + TRUTH["post-rdma"] + 400e-9 + link + 2 * copy


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def table(values, repetitions=50):
    """Values with one percent of noise, round after round."""
    noise = random.Random(7)
    rows = ["kind,size,value"]
    for _ in range(repetitions):
        rows += [f"{kind},{size},{value * math.exp(noise.gauss(0, 0.01)):.9g}" for kind, size, value in values]
    return "\n".join(rows) + "\n"


def calibrate(*words, code=0):
    done = subprocess.run([CROSSTALK, "calibrate", *words], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done


def ask(*words):
    answer = json.loads(calibrate(*words, "--format", "json").stdout)
    del answer["provenance"]
    return answer


def check_recovered():
    write("rtt.csv", table([("round-trip", size, round_trip(size)) for size in (0, 1000, 4000, 8000, 30000, 65536)]))
    answer = ask("--data", "rtt.csv", "--parameters", "stack.yaml", "-o", "p.h5", *FEW)
    rows = {row["name"]: row for row in answer["parameters"]}
    assert list(rows) == ["injection-bandwidth", "link-bandwidth", "memory-bandwidth", "post-header", "post-rdma"], rows
    for name, truth in TRUTH.items():
        assert rows[name]["ci"][0] <= truth <= rows[name]["ci"][1], (name, rows[name])
        assert rows[name]["ci"][0] <= rows[name]["most_likely"] <= rows[name]["ci"][1], rows[name]
    # As wide as its prior is what nothing depends on.
    assert rows["link-bandwidth"]["width"] > 0.99 and rows["link-bandwidth"]["sobol_total"] < 1e-3, rows
    assert rows["post-header"]["width"] < 0.2 and rows["post-header"]["sobol_total"] > 0.9, rows
    assert answer["r_hat"] < 1.05 and answer["effective_samples"] > 100 and answer["loo_error"] < 0.01, answer
    for row in answer["round_trips"]:
        assert abs(row["misfit"]) < 5 and row["run_ci"][0] < row["measured"] < row["run_ci"][1], row
    assert "throughput" not in answer
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    screen = subprocess.run([CROSSTALK, "calibrate", "--data", "rtt.csv", "--parameters", "stack.yaml", "-o", "p.h5", *FEW[:-1]],
                            capture_output=True, text=True, timeout=100, check=True, env=environment).stdout.splitlines()
    assert len(screen) <= 25 and max(map(len, screen)) <= 100, screen
    assert " ".join(screen[-3:]) == ("The data determine injection-bandwidth, memory-bandwidth, post-header, post-rdma; they say "
                                     "next to nothing of link-bandwidth. The chains agree: --parameters uses the file that was written."), screen
    return answer


def check_file():
    with h5py.File("p.h5", "r") as file:
        assert file.attrs["kind"] == "posterior" and file.attrs["option_points"] == "300", dict(file.attrs)
        names = [name.decode() for name in file["parameters/names"]]
        assert names[3] == "post-header" and list(file["parameters/priors"][3]) == [1e-7, 1.5e-6], names
        assert file["parameters/prior_kinds"][0] == b"normal"
        assert file["design/points"].shape == (300, 5) and file["refined/outputs"].shape == (300, 6)
        assert file["chains/draws"].shape == (4, 1000, 5) and file["sobol/total"].shape == (6, 5)
        assert file["data/values"].shape == (300, 2) and list(file["outputs/bytes"][:2]) == [0, 1000]
        draws = file["chains/draws"][:].reshape(-1, 5)
        ends = file["posterior/interval"][3]
        inside = ((draws[:, 3] >= ends[0]) & (draws[:, 3] <= ends[1])).mean()
        assert abs(inside - 0.95) < 0.01, inside
        file.visititems(lambda name, item: about(name, item))


def about(name, item):
    if isinstance(item, h5py.Dataset):
        assert item.attrs["about"], name


def simulate(*words, code=0):
    done = subprocess.run([CROSSTALK, "simulate", "halo:2x2x1", "--network", "packet", "--format", "json", *words],
                          capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return json.loads(done.stdout) if code == 0 else done.stderr


def check_simulated(found):
    """The most likely values, as from a file of lines; intervals are those of the parameters."""
    lines = [f"{row['name']}: {row['most_likely'] * 1e9:.9f}ns" if row["unit"] == "s" else
             f"{row['name']}: {row['most_likely']:.0f}B/s" for row in found["parameters"]]
    write("likely.yaml", "\n".join([*lines, "hop: 100ns", ""]))
    plain, answer = simulate("--parameters", "likely.yaml"), simulate("--parameters", "p.h5", "--draws", "20")
    assert "uncertainty" not in plain
    alone, row = plain["programs"][0]["alone_s"], answer["uncertainty"][0]
    assert abs(answer["programs"][0]["alone_s"] - alone) < 1e-6 * alone and row["alone_s"] == answer["programs"][0]["alone_s"]
    lo, hi = row["alone_ci"]
    assert lo < row["alone_mean_s"] < hi and 0 < hi - lo < 0.1 * alone, row
    assert row["alone_ci"] == row["runtime_ci"] and row["slowdown_ci"] == [0, 0], row
    with open("p.h5", "rb") as file:
        whole = file.read()
    for length in (9, 600, len(whole) // 2, len(whole) - 100):  # the last 24 bytes are the checksum of the others
        with open("cut.h5", "wb") as file:
            file.write(whole[:length])
        assert "cut.h5" in simulate("--parameters", "cut.h5", code=1), length
    damaged = random.Random(5)
    for _ in range(6):  # any answer but a crash
        at = damaged.randrange(8, 4000)
        with open("cut.h5", "wb") as file:
            file.write(whole[:at] + bytes([damaged.randrange(256)]) + whole[at + 1:])
        done = subprocess.run([CROSSTALK, "simulate", "halo:2x2x1", "--network", "packet", "--parameters", "cut.h5",
                               "--draws", "2"], capture_output=True, timeout=100, check=False)
        assert done.returncode in (0, 1), (at, done.stderr)


def check_table1():
    """Parameters of a table that was made with known ones; what throughput does not constrain is as wide as before."""
    folder = os.path.join(os.environ["CROSSTALK_SOURCE"], "examples", "calibration")
    answer = ask("--data", os.path.join(folder, "throughput.csv"), "--parameters", os.path.join(folder, "parameters.txt"),
                 "--topology", "tree:2x1", "--window", "16", "--train", "16", "--points", "700", "--refine", "1",
                 "--samples", "1000", "--seed", "1", "--quiet", "-o", "table1.h5")
    truth = {**TRUTH, "link-bandwidth": 12.47e9, "pin": 5.43e-6, "pin-page": 50.5e-9}
    rows = {row["name"]: row for row in answer["parameters"]}
    assert set(rows) == set(truth), rows
    for name, value in truth.items():
        assert rows[name]["ci"][0] <= value <= rows[name]["ci"][1], (name, rows[name])
    assert rows["pin-page"]["width"] > 0.9 and rows["post-header"]["width"] < 0.01, rows


LOGGPS = {"L": 40e-6, "o": 6e-6, "G": 0.2e-6}
STENCIL = """\
num_ranks 2
rank 0 {
s: send 4000b to 1
r: recv 4000b from 1
r requires s
c: calc 1000000
c requires r
}
rank 1 {
r: recv 4000b from 0
s: send 4000b to 0
s requires r
}
"""


def of_stencil(*words, command="tolerance", code=0):
    done = subprocess.run([CROSSTALK, command, "stencil.goal", "--format", "json", *words], capture_output=True, text=True,
                          timeout=100, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return json.loads(done.stdout) if code == 0 else done.stderr


def check_loggps():
    """L, o and G from what LogGPS says of round trips and trains; T, tolerances and a mapping with their intervals."""
    write("loggps.yaml", "protocols: loggps\nL: uniform 1us 200us\no: uniform 1us 50us\nG: uniform 50ns 1us\n")
    write("stencil.goal", STENCIL)
    trips = [("round-trip", size, 4 * LOGGPS["o"] + 2 * LOGGPS["L"] + max(size - 1, 0) * LOGGPS["G"])
             for size in (0, 8, 1000, 8000)]
    rates = [("throughput", size, size / max(LOGGPS["o"], (size - 1) * LOGGPS["G"])) for size in (4, 8, 1000, 8000)]
    write("loggps.csv", table(rates + trips))
    answer = ask("--data", "loggps.csv", "--parameters", "loggps.yaml", "--network", "packet", "-o", "loggps.h5", *FEW)
    rows = {row["name"]: row for row in answer["parameters"]}
    for name, truth in LOGGPS.items():
        assert rows[name]["ci"][0] <= truth <= rows[name]["ci"][1] and rows[name]["width"] < 0.1, (name, rows[name])
    # T of two messages and a computation; all its terms are certain but the three.
    truth_s = 2 * (2 * LOGGPS["o"] + LOGGPS["L"] + 3999 * LOGGPS["G"]) + 1e-3
    found = of_stencil("--parameters", "loggps.h5")
    lo, hi = found["runtime_ci_s"]
    assert lo < truth_s < hi and lo < found["runtime_s"] < hi and hi - lo < 0.05 * truth_s, (truth_s, found)
    row = found["tolerance"][0]
    assert row["delta_L_ci_s"][0] < 0.01 * truth_s / 2 < row["delta_L_ci_s"][1], row
    assert found["parameters"]["L"]["ci"][0] < LOGGPS["L"] < found["parameters"]["L"]["ci"][1], found["parameters"]
    # What is given does not vary.
    given = of_stencil("--parameters", "loggps.h5", "--G", "0.2us", "--o", "6us", "--L", "40us")
    assert abs(given["runtime_ci_s"][0] - truth_s) < 1e-9 and abs(given["runtime_ci_s"][1] - truth_s) < 1e-9, given
    near = of_stencil("--parameters", "loggps.h5", "--topology", "tree:2x2", "--wire", "10us", "--switch", "5us",
                      command="place")
    assert near["before_ci_s"][0] < near["before_s"] < near["before_ci_s"][1], near
    assert "protocols rdma" in of_stencil("--parameters", "p.h5", code=1)
    write("lonely.yaml", "protocols: loggps\nL: uniform 1us 200us\nG: 0.2us\n")
    done = calibrate("--data", "loggps.csv", "--parameters", "lonely.yaml", "-o", "refused.h5", *FEW, code=2)
    assert "'o' of LogGPS is missing" in done.stderr, done.stderr


def report(folder):
    """The page of a campaign."""
    done = subprocess.run([CROSSTALK, "report", folder, "-o", "page"], capture_output=True, text=True, timeout=100,
                          check=False)
    assert done.returncode == 0 and "posterior.h5" not in done.stderr, done.stderr
    with open("page/report.html", encoding="utf-8") as file:
        return file.read()


def check_loads():
    """Probes beside compressionb tell of queues, and of the rate as logpb does: 50 Mbit/s, of which 1448 of 1514 bytes are
    those of programs."""
    write("switch.yaml", "protocols: loggps\nL: 10us\no: uniform 1us 60us\nS: 64KiB\nqueue: round-robin\nburst: 1kB\n"
                         "G: uniform 140ns 200ns\nahead: log-uniform 3kB 1MB\n")
    words = ["--data", os.path.join(LAB8, "logp.h5"), "--loads", LAB8, "--parameters", "switch.yaml", "-o", "switch.h5",
             "--points", "12", "--refine", "0", "--order", "1", "--samples", "500", "--seed", "1", "--quiet"]
    # A polynomial of order 1 over all of the priors is not good enough for what is measured.
    done = calibrate(*words, "--format", "json", code=1)
    assert "switch.h5 is written" in done.stderr, done.stderr
    answer = json.loads(done.stdout)
    rows = {row["name"]: row for row in answer["parameters"]}
    assert abs(rows["G"]["mean"] / (0.16e-6 * 1514 / 1448) - 1) < 0.05, rows["G"]
    assert rows["ahead"]["sobol_total_of"].startswith("latency beside"), rows["ahead"]
    assert len(answer["latencies"]) == 12 and answer["latencies"][0]["config"] == "P1 M1 B7.7ms", answer["latencies"]
    with h5py.File("switch.h5") as file:
        assert file["outputs/names"][-1].decode().startswith("latency beside P7 M10"), file["outputs/names"][-1]
    assert "# simulations: 12, 12 of them stored before" in calibrate(*words, "--format", "csv", code=1).stdout
    # What it has of queues no option gives, too.
    write("pair.goal", "num_ranks 2\nrank 0 {\na: send 1b to 1 tag 0\n}\nrank 1 {\nb: recv 1b from 0 tag 0\n}\n")
    for command in (["predict", LAB8, "--models", "packets"], ["simulate", "pair.goal", "--network", "packet"]):
        for key, value in (("queue", "fifo"), ("queue", "round-robin"), ("burst", "0B")):
            done = subprocess.run([CROSSTALK, *command, "--parameters", "switch.h5", f"--{key}", value], capture_output=True,
                                  text=True, timeout=100, check=False)
            assert (done.returncode, done.stderr) == (2, f"crosstalk {command[0]}: --{key}: --parameters switch.h5 has "
                                                         f"'{key}', too; leave out one of the two\n"), done
    # Queues that were found with messages as flows mean something else for packets.
    shutil.copy("switch.h5", "flows.h5")
    with h5py.File("flows.h5", "r+") as file:
        file.attrs["option_network"] = "shared"
    done = subprocess.run([CROSSTALK, "predict", LAB8, "--models", "packets", "--parameters", "flows.h5"], capture_output=True,
                          text=True, timeout=100, check=False)
    assert done.returncode == 1 and "calibrate again with --network packet" in done.stderr, done
    # Beside a campaign's runs it is on the page of the report.
    os.mkdir("judge")
    shutil.copy(os.path.join(LAB8 + "-judge", "campaign.h5"), "judge")
    shutil.copy("switch.h5", "judge/posterior.h5")
    page = report("judge")
    assert '"posterior":' in page, "no parameters"
    os.truncate("judge/posterior.h5", 1000)
    page = report("judge")
    assert '"posterior":' not in page and "judge/posterior.h5" in page, "no warning of a file that cannot be read"
    for more, code, message in ((["--parameters", "stack.yaml"], 2, "protocols: loggps"),
                                (["--network", "alpha-beta"], 2, "--loads: --network packet, not alpha-beta"),
                                (["--topology", "tree:2x1"], 2, "leave --topology out"),
                                (["--loads", "nowhere"], 1, "nowhere")):
        done = calibrate(*words, *more, code=code)
        assert message in done.stderr, (more, done.stderr)


def check_figures():
    calibrate("--data", "rtt.csv", "--parameters", "stack.yaml", "-o", "one.h5", *FEW, "--figures", "figures")
    assert sorted(os.listdir("figures")) == ["parameters.svg", "round-trip.svg", "sensitivities.svg"]
    for name in os.listdir("figures"):
        with open(os.path.join("figures", name), encoding="utf-8") as file:
            assert "<svg" in file.read(1000), name


def check_other_ways():
    """A sparse grid, a hypercube and the printed likelihood; more threads change nothing."""
    words = ["--data", "rtt.csv", "--parameters", "stack.yaml"]
    base = ask(*words, "-o", "one.h5", *FEW, "--threads", "1")
    assert base == ask(*words, "-o", "two.h5", *FEW, "--threads", "2")
    for more in (["--design", "sparse", "--points", "250", "--order", "2"], ["--design", "lhs", "--points", "400"],
                 ["--likelihood", "printed"]):
        answer = ask(*words, "-o", "other.h5", *FEW, *more)
        for row, other in zip(base["parameters"], answer["parameters"]):
            middle = (row["ci"][0] + row["ci"][1]) / 2
            assert other["ci"][0] < middle < other["ci"][1], (more, row, other)
    text = calibrate(*words, "-o", "one.h5", *FEW, "--threads", "1", "--format", "csv").stdout
    assert "# simulations: 600, 600 of them stored before" in text, text


def check_repeated():
    """Ended in the middle by a signal, a calibration continues with the simulations that it had made."""
    write("train.csv", table([("throughput", size, 5e9) for size in (16384, 30000, 65536)]))
    words = ["--data", "train.csv", "--parameters", "train.yaml", "--train", "400", "--threads", "1", "--samples",
             "200", "--refine", "0", "--points", "200", "--seed", "1"]
    for number, what in enumerate((signal.SIGTERM, signal.SIGKILL)):
        name = f"ended{number}.h5"
        with subprocess.Popen([CROSSTALK, "calibrate", *words, "-o", name], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            until = time.monotonic() + 60
            while not (os.path.exists(name + ".simulations") and os.path.getsize(name + ".simulations") > 600):
                assert process.poll() is None and time.monotonic() < until, "it should have made simulations"
                time.sleep(0.002)
            process.send_signal(what)
            assert process.wait(60) == -what, "it ended before it was told to"
        assert not os.path.exists(name)
        if number == 0:
            whole = ask(*words, "-o", "whole.h5")
        else:  # the last entry was cut
            os.truncate(name + ".simulations", os.path.getsize(name + ".simulations") - 3)
        done = calibrate(*words, "-o", name, "--format", "json")
        again = json.loads(done.stdout)
        found = int(again.pop("provenance")["simulations"].split()[1])
        assert 5 < found < 200, found
        assert again == whole


def check_refused():
    few = "kind,size,value\nround-trip,8,1e-6\n"
    with tempfile.TemporaryDirectory() as folder:  # a pipe has its text once
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe)
        with subprocess.Popen(["sh", "-c", f"echo 'SwitchName=s Nodes=h0,h1 LinkSpeed=1' >{pipe}"]) as writer:
            done = calibrate("--data", "rtt.csv", "--parameters", "stack.yaml", "-o", "refused.h5", *FEW, "--topology", pipe,
                             "--rate", "1gbit", "--points", "10", code=1)
            assert writer.wait() == 0 and "too few" in done.stderr, done.stderr
    write("single.csv", few)
    write("equal.csv", few + "round-trip,8,1e-6\n")
    write("twice.csv", "kind,size,value\n" + "round-trip,8,1e-6\nround-trip,9,1e-6\n" * 2 + "round-trip,8,2e-6\n" * 2)
    write("fixed.yaml", "pin: 1us\n")
    write("far.yaml", "post-header: uniform 10us 20us\n")
    write("none.csv", "")
    for words, code, message in (
            (["--data", "nowhere.csv"], 1, "nowhere.csv: No such file"),
            (["--data", "single.csv"], 1, "round-trip at 8B"),
            (["--data", "equal.csv"], 1, "round-trip at 8B"),
            (["--data", "twice.csv"], 1, "twice.csv:7: a kind and size that is there twice"),
            (["--data", "none.csv"], 1, "none.csv: empty"),
            (["--parameters", "fixed.yaml"], 1, "fixed.yaml: no parameter has a prior"),
            (["--points", "10"], 1, "too few"),
            (["--order", "0"], 2, "--order"),
            (["--design", "grid"], 2, "--design"),
            (["--window", "17"], 2, "--window"),
            (["--topology", "tree:2x2", "--hosts", "h0"], 1, "h0"),
            (["--wire", "1us", "--switch", "1us", "--topology", "tree:2x1"], 2, "'hop'"),
            (["-o", "nowhere/p.h5"], 1, "nowhere/p.h5"),
    ):
        done = calibrate("--data", "rtt.csv", "--parameters", "stack.yaml", "-o", "refused.h5", *FEW, *words, code=code)
        assert message in done.stderr and not os.path.exists("refused.h5"), (words, done.stderr)
    # A prior that excludes the data: named, and written.
    done = calibrate("--data", "rtt.csv", "--parameters", "far.yaml", "-o", "far.h5", *FEW, code=1)
    assert "round-trip at 0B" in done.stderr and os.path.exists("far.h5"), done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write("stack.yaml", PARAMETERS)
        write("train.yaml", "memory-bandwidth: uniform 8GB/s 15GB/s\npost-rdma: uniform 0.5us 2us\n")
        found = check_recovered()
        check_file()
        check_simulated(found)
        check_loggps()
        check_table1()
        check_other_ways()
        check_loads()
        check_figures()
        check_repeated()
        check_refused()


main()
