#!/usr/bin/python3
"""crosstalk tolerance on schedules with known results; exported programs solved by glpsol."""
import json
import os
import subprocess
import sys
import tempfile

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
SOURCE = os.environ["CROSSTALK_SOURCE"]
DATA = os.path.join(SOURCE, "tests", "data", "goal")


def crosstalk(*arguments):
    return subprocess.run([CROSSTALK, *arguments], check=True, text=True, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout


def near(actual, expected, what):
    if not abs(actual - expected) <= 1e-9 * abs(expected):
        sys.exit(f"{what}: {actual!r}, not {expected!r}")


def model(case):
    return ["--o", f"{case['o_ns']}ns", "--G", f"{case['G_ns_per_byte']}ns"]


def check_tolerance(path, case, solver):
    answer = json.loads(crosstalk("tolerance", path, *model(case), "--L", f"{case['L_ns']}ns",
                                  "--solver", solver, "--format", "json"))
    L_s = case["L_ns"] * 1e-9
    near(answer["runtime_s"], case["runtime_ns"] * 1e-9, f"{path} {solver} runtime")
    near(answer["L_s"], L_s, f"{path} {solver} L")
    near(answer["lambda_L"], case["lambda_L"], f"{path} {solver} lambda_L")
    near(answer["rho_L"], case["lambda_L"] * case["L_ns"] / case["runtime_ns"], f"{path} rho_L")
    assert answer["lambda_G"] >= 0
    lo, hi = answer["L_range_s"]
    assert lo <= L_s and (hi is None or hi >= L_s), (path, solver, lo, hi)
    assert len(answer["tolerance"]) == len(case["tolerance"])
    for row, expected in zip(answer["tolerance"], case["tolerance"]):
        near(row["threshold"], expected["threshold"], "threshold")
        near(row["L_s"], expected["L_ns"] * 1e-9, f"{path} {solver} tolerance")
        assert abs(row["delta_L_s"] - (row["L_s"] - L_s)) < 1e-15
    return answer


def check_envelope(path, case):
    answer = json.loads(crosstalk("tolerance", "--pieces", path, *model(case), "--L-min", f"{case['L_ns']}ns",
                                  "--L-max", f"{case['L_max_ns']}ns", "--format", "json"))
    assert len(answer["critical_latencies_s"]) == len(case["critical_latencies_ns"])
    for latency, expected in zip(answer["critical_latencies_s"], case["critical_latencies_ns"]):
        near(latency, expected * 1e-9, f"{path} critical latency")
    segments = answer["segments"]
    assert [s["L_lo_s"] for s in segments[1:]] == answer["critical_latencies_s"]
    near(segments[0]["runtime_lo_s"], case["runtime_ns"] * 1e-9, f"{path} first run time")
    near(segments[0]["L_lo_s"], case["L_ns"] * 1e-9, f"{path} first latency")
    near(segments[-1]["L_hi_s"], case["L_max_ns"] * 1e-9, f"{path} last latency")


def glpsol(reader, path):
    """Objective in full precision, and reduced costs by column name."""
    raw, text = path + ".raw", path + ".txt"
    subprocess.run(["glpsol", reader, path, "-w", raw, "-o", text], check=True, timeout=60,
                   stdout=subprocess.DEVNULL)
    with open(raw, encoding="ascii") as lines:
        objective = next(float(line.split()[-1]) for line in lines if line.startswith("s bas"))
    marginals = {}
    with open(text, encoding="ascii") as lines:
        for words in map(str.split, lines):
            if len(words) >= 6 and words[1] in ("l", "g"):
                marginals[words[1]] = 0.0 if words[-1] == "eps" else float(words[-1])
    return objective, marginals


def check_files(path, case, answer, folder):
    for ending, reader in (("lp", "--lp"), ("mps", "--freemps")):
        file = os.path.join(folder, "program." + ending)
        crosstalk("tolerance", path, *model(case), "--L", f"{case['L_ns']}ns", "--write-lp", file)
        objective, marginals = glpsol(reader, file)
        near(objective, case["runtime_ns"], f"{file} of {path}")
        assert abs(marginals["l"] - case["lambda_L"]) < 1e-5, (path, marginals)
        assert abs(marginals.get("g", 0) - answer["lambda_G"]) <= 1e-5 * answer["lambda_G"]
        expected = case["tolerance"][1]
        crosstalk("tolerance", path, *model(case), "--L", f"{case['L_ns']}ns", "--threshold",
                  str(expected["threshold"]), "--write-lp", file)
        objective, _ = glpsol(reader, file)
        near(abs(objective), expected["L_ns"], f"tolerance form in {file} of {path}")


def check_rendezvous_files(folder):
    """Rendezvous, a message to itself, a receive followed by its posting: the file's optimum is the graph's."""
    path = os.path.join(SOURCE, "tests", "fuzz", "corpus", "goal", "messages.goal")
    arguments = [path, "--L", "1us", "--o", "200ns", "--G", "3ns", "--S", "10B"]
    answer = json.loads(crosstalk("tolerance", *arguments, "--format", "json"))
    for ending, reader in (("lp", "--lp"), ("mps", "--freemps")):
        file = os.path.join(folder, "rendezvous." + ending)
        crosstalk("tolerance", *arguments, "--write-lp", file)
        objective, marginals = glpsol(reader, file)
        near(objective, answer["runtime_s"] * 1e9, file)
        near(marginals["l"], answer["lambda_L"], file)
        near(marginals["g"], answer["lambda_G"], file)


def check_critical_path(path, case):
    answer = json.loads(crosstalk("tolerance", path, *model(case), "--L", f"{case['L_ns']}ns",
                                  "--critical-path", "--format", "json"))
    parts = ("compute_s", "overhead_s", "latency_s", "bandwidth_s")
    T_s = case["runtime_ns"] * 1e-9
    near(sum(step[part] for step in answer["critical_path"] for part in parts), T_s, "path")
    near(sum(rank["time_s"] for rank in answer["critical_path_ranks"]), T_s, "ranks")
    near(sum(step["latency_s"] for step in answer["critical_path"]), case["lambda_L"] * case["L_ns"] * 1e-9,
         "latencies on the path")


def check_plot(path, case, folder):
    picture = os.path.join(folder, "T.svg")
    crosstalk("tolerance", path, *model(case), "--L", f"{case['L_ns']}ns", "--plot", picture)
    with open(picture, encoding="utf-8") as lines:
        text = lines.read()
    assert "latency L (us)" in text and "lambda_L" in text and "up to 5 % longer" in text


def collectives_of(*words):
    return json.loads(crosstalk("tolerance", *words, "--format", "json", "--seed", "1"))


def check_collectives():
    """A row says what the command says with that algorithm; the first what it says without the option."""
    traces = os.path.join(SOURCE, "examples", "lab8", "traces", "milc")
    network = ["--topology", "tree:4x2", "--wire", "10us", "--switch", "5us"]
    for model_, key, lambda_ in (["--L", "20us"], "L_s", "lambda_L"), (network, "wire_s", "lambda_wire"):
        words = [traces, "--o", "5us", "--G", "100ns", "--threshold", "1%,5%", *model_]
        rows = collectives_of(*words, "--compare-collectives")["collectives"]
        algorithms = {(row["collective"], row["algorithm"]): row for row in rows}
        # Every collective that milc calls, and no other; a barrier has one algorithm only.
        assert {what for what, _ in algorithms} == {"all", "bcast", "reduce", "allreduce", "allgather"}, algorithms
        assert len(rows) == len(algorithms) == 14, rows
        given = algorithms["all", "as given"]
        for (what, algorithm), row in algorithms.items():
            choice = [] if what == "all" else [f"--{what}", algorithm]
            alone = collectives_of(*words, *choice)
            assert row["runtime_s"] == alone["runtime_s"] and row[lambda_] == alone[lambda_], (row, alone)
            assert row["tolerance_" + key] == [x[key] for x in alone["tolerance"]], (row, alone)
            near(row["longer"] + 1, row["runtime_s"] / given["runtime_s"], f"{what} {algorithm} longer by")
        assert algorithms["allreduce", "ring"][lambda_] > 2 * given[lambda_], rows
    chosen = collectives_of(traces, "--o", "5us", "--G", "100ns", "--L", "20us", "--collectives", "allreduce=ring",
                            "--compare-collectives")["collectives"]
    ring = [row for row in chosen if (row["collective"], row["algorithm"]) == ("allreduce", "ring")]
    assert ring[0]["runtime_s"] == chosen[0]["runtime_s"], chosen


def check_links(folder):
    """L was measured from h1 to h2, across the tree (7 us): between neighbours (2 us) it is 5 us less."""
    network, path = os.path.join(folder, "hosts.yaml"), os.path.join(folder, "neighbours.goal")
    with open(network, "w", encoding="ascii") as out:
        out.write('switches:\n- {name: a, nodes: "h1,h3", latency: 1us}\n- {name: b, nodes: "h2,h4", latency: 1us}\n'
                  "links:\n- {from: a, to: b, latency: 5us}\n")
    with open(path, "w", encoding="ascii") as out:
        out.write("num_ranks 3\nrank 0 {\na: send 1b to 1 tag 0\nb: recv 1b from 2 tag 0\nb requires a\n}\n"
                  "rank 1 {\na: recv 1b from 0 tag 0\nb: send 1b to 2 tag 0\nb requires a\n}\n"
                  "rank 2 {\na: recv 1b from 1 tag 0\nb: send 1b to 0 tag 0\nb requires a\n}\n")
    words = ["tolerance", path, "--topology", network, "--logp", os.path.join(SOURCE, "examples", "lab8", "logp.h5"),
             "--o", "1us", "--G", "1ns", "--format", "json"]
    for solver in "envelope", "clp":
        answer = json.loads(crosstalk(*words, "--L", "10us", "--solver", solver))
        assert any("less 7 us" in note and "h1 to h2, the hosts of --logp" in note for note in answer["notes"]), answer
        near(answer["runtime_s"], (5 + 10 + 10 + 6) * 1e-6, "T with latencies of links")  # one inside, two across, 6 o
        near(answer["lambda_L"], 3, "lambda_L with latencies of links")
        near(answer["rho_L"], 25 / 31, "rho_L with latencies of links")
        near(answer["L_range_s"][0], 5e-6, "least L of neighbours")
        near(answer["tolerance"][0]["delta_L_s"], 0.31e-6 / 3, "tolerance with latencies of links")
    failed = subprocess.run([CROSSTALK, *words, "--L", "4us"], text=True, timeout=60, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert failed.returncode == 1 and "from h1 to h3 would be -1 us" in failed.stderr, failed


def check_bounds(folder):
    """Run times that were measured over latency of a program that computes while large messages are under way."""
    results = os.path.join(SOURCE, "examples", "latency", "results")
    with open(os.path.join(results, "overlap.json"), encoding="utf-8") as text:
        measured = json.load(text)
    traces = os.path.join(results, "overlap", "traces", "program")
    parameters = {name: measured["parameters"][name]["value"] for name in "GS"}
    o_s = measured["overheads"][0]["send_s"]

    def ask(path, L_s, *words):
        return json.loads(crosstalk("tolerance", path, "--L", f"{1e9 * L_s:.3f}ns", "--o", f"{1e9 * o_s:.3f}ns",
                                    "--G", f"{1e9 * parameters['G']:.6f}ns", "--S", f"{parameters['S']}B",
                                    "--progress", *words, "--format", "json"))

    assert len(measured["points"]) == 6
    for at in measured["points"]:
        L_s = measured["L_s"] + at["delta_L_s"]
        # A pass is what the second traces have more. Its bounds are those of the two, one less the other.
        longer, program = (ask(path, L_s, "both", "--protocols", "sockets") for path in (traces + ".longer", traces))
        least, most = (longer[f"runtime_{side}_s"] - program[f"runtime_{side}_s"] for side in ("at_once", "in_call"))
        assert least < at["measured_s"] < most < 1.03 * at["measured_s"], (least, at["measured_s"], most)
        assert longer["lambda_L_in_call"] - program["lambda_L_in_call"] in (80, 82), longer
    # The same from files of both forms, and each bound alone.
    for name in "overlap.goal", "overlap.bin":
        path = os.path.join(folder, name)
        crosstalk("goal", traces, "-o", path)
        both = ask(path, L_s, "both", "--protocols", "sockets")
        near(both["runtime_in_call_s"], program["runtime_in_call_s"], name)
        near(ask(path, L_s, "in-call", "--protocols", "sockets")["runtime_s"], both["runtime_in_call_s"], name)
        near(ask(path, L_s, "at-once", "--protocols", "sockets")["runtime_s"], both["runtime_at_once_s"], name)
        assert ask(path, L_s, "in-call")["runtime_s"] < both["runtime_in_call_s"]
    failed = subprocess.run([CROSSTALK, "tolerance", os.path.join(DATA, "in_turn.goal"), "--L", "1us", "--o", "1us",
                             "--G", "1ns", "--progress", "both"], text=True, timeout=60, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert failed.returncode == 1 and "in_turn.goal: this schedule has no marks of waits" in failed.stderr, failed


def check_unbounded(folder):
    path = os.path.join(folder, "alone.goal")
    with open(path, "w", encoding="ascii") as out:
        out.write("num_ranks 1\nrank 0 {\na: calc 1000\n}\n")
    for solver in "envelope", "clp":
        arguments = ["tolerance", path, "--L", "1us", "--o", "0s", "--G", "0s", "--solver", solver]
        answer = json.loads(crosstalk(*arguments, "--format", "json"))
        assert [row["L_s"] for row in answer["tolerance"]] == [None] * 3, answer
        assert [row["delta_L_s"] for row in answer["tolerance"]] == [None] * 3, answer
        assert "unbounded" in crosstalk(*arguments)


def main():
    with open(os.path.join(DATA, "expected.json"), encoding="ascii") as text:
        cases = json.load(text)
    assert len(cases) == 6
    with tempfile.TemporaryDirectory() as folder:
        for name, case in cases.items():
            path = os.path.join(DATA, name)
            check_tolerance(path, case, "clp")
            answer = check_tolerance(path, case, "envelope")
            check_envelope(path, case)
            check_files(path, case, answer, folder)
            check_critical_path(path, case)
            check_plot(path, case, folder)
        check_rendezvous_files(folder)
        check_unbounded(folder)
        check_bounds(folder)
        check_links(folder)
    check_collectives()
    print("tolerance, envelope and lp agree with", len(cases), "known results")


if __name__ == "__main__":
    main()
