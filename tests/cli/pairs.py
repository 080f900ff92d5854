#!/usr/bin/python3
"""crosstalk tolerance --pairs: o, L and G of every pair of nodes, against one L for all, formulas,
differences and glpsol."""
import csv
import os
import re
import subprocess
import tempfile

import campaign_example as example
import numpy as np
from latency import glpsol
from measured import CROSSTALK, EXPECTED, INTERVALS, REPETITION, ROW, add_repetitions, ask, fails, near

HALO = os.path.join(os.environ["CROSSTALK_SOURCE"], "tests", "data", "goal", "halo_nonblocking.goal")
SIZES = [0, 1, 2, 4, 8, 16, 32, 64, 1000, 10000, 300000]
MODEL = {"L": 3e-6, "o": 5e-6, "G": 0.018e-9}
ONE_FOR_ALL = ["--L", "3us", "--o", "5us", "--G", "0.018ns", "--S", "300000B"]
PATH = np.dtype([("rank_a", "u4"), ("rank_b", "u4"), ("path_class", "u4")])
# A message from 0 to 2, and one from there to 1.
CHAIN = """num_ranks 3
rank 0 {
s: send 101b to 2 tag 0
}
rank 1 {
r: recv 11b from 2 tag 0
}
rank 2 {
r: recv 101b from 0 tag 0
s: send 11b to 1 tag 0
s requires r
}
"""


def rows_of(rank_from, rank_to, of):
    """A curve that the model meets exactly."""
    rows = np.zeros(len(SIZES), ROW)
    for name in INTERVALS + EXPECTED:
        rows[name] = np.nan
    sizes = np.array(SIZES)
    rows["bytes"], rows["os_s"], rows["or_s"] = sizes, of["o"], of["o"]
    rows["g_s"] = 2 * of["o"] + of["L"] + np.maximum(sizes - 1, 0) * of["G"]
    rows["rtt_s"] = rows["g_s"] + 2 * of["o"] + of["L"]
    rows["repetitions"], rows["rank_from"], rows["rank_to"] = 10, rank_from, rank_to
    return rows


def write(path, ranks, parameters, both=True):
    """A run of logpb between all ranks; parameters: of a pair."""
    links = [rows_of(a, b, parameters(a, b)) for a in ranks for b in ranks if a < b or (both and a > b)]
    with example.write(path, "logp") as file:
        file["logp"] = np.concatenate(links)
        file["repetitions"] = np.zeros(0, REPETITION)
    return path


def alike(_from, _to):
    return MODEL


def uneven(rank_from, rank_to):
    """Every direction is another."""
    n = 16 * rank_from + rank_to
    return {"L": (2000 + 37 * (n % 29)) * 1e-9, "o": (900 + 10 * (n % 7)) * 1e-9, "G": (1 + n % 5) * 1e-12}


def pairs_of(answer):
    return {(row["from"], row["to"]): row for row in answer["pairs"]}


def check_alike():
    """If all pairs are alike, the answer is that of one L for all; nodes are ranks in ascending order."""
    one = ask("tolerance", HALO, *ONE_FOR_ALL)
    for ranks, both in (range(16), True), (range(0, 64, 4), False):
        answer = ask("tolerance", HALO, "--pairs", write("alike.h5", ranks, alike, both))
        for key in "runtime_s", "lambda_L", "lambda_G", "rho_L":
            near(answer[key], one[key], 1e-7)
        for row, expected in zip(answer["tolerance"], one["tolerance"]):
            near(row["delta_L_s"], expected["delta_L_s"], 1e-6)
        assert sum(row["lambda_L"] for row in answer["pairs"]) == answer["lambda_L"] == 14, answer
        assert sum(row["lambda_G"] for row in answer["pairs"]) == answer["lambda_G"], answer
        assert answer["lambda_inside"] == 0 and len(answer["pairs"]) == 96, answer
    lambdas = [row["lambda_L"] for row in answer["pairs"]]
    assert lambdas == sorted(lambdas, reverse=True), lambdas


def check_nodes():
    """Two ranks on a node: as with --ranks-per-node, with the same o inside a node."""
    node = ["--ranks-per-node", "2", "--L-node", "400ns", "--G-node", "0.1ns"]
    one = ask("tolerance", HALO, *ONE_FOR_ALL, *node)
    answer = ask("tolerance", HALO, "--pairs", write("nodes.h5", range(8), alike), *node)
    near(answer["runtime_s"], one["runtime_s"], 1e-7)
    near(answer["lambda_L"], one["lambda_L"])
    inside = sum(row["lambda_L"] for row in answer["pairs"] if row["from"] == row["to"])
    assert inside == answer["lambda_inside"] > 0, answer
    assert sum(row["lambda_L"] for row in answer["pairs"]) == answer["lambda_L"] + inside, answer
    for row, expected in zip(answer["tolerance"], one["tolerance"]):
        near(row["delta_L_s"], expected["delta_L_s"], 1e-6)


def check_chain():
    """T = 4 o + L + 100 G + L + 10 G, of two pairs; by one direction where the other was not measured."""
    with open("chain.goal", "w", encoding="ascii") as out:
        out.write(CHAIN)
    answer = ask("tolerance", "chain.goal", "--pairs", write("uneven.h5", range(3), uneven))
    first, second = uneven(0, 2), uneven(2, 1)
    expected = 2 * first["o"] + first["L"] + 100 * first["G"] + 2 * second["o"] + second["L"] + 10 * second["G"]
    near(answer["runtime_s"], expected, 1e-7)
    rows = pairs_of(answer)
    assert set(rows) == {(0, 2), (2, 1)} and all(row["lambda_L"] == 1 for row in rows.values()), rows
    for (a, b), row in rows.items():
        for key, name in ("L_s", "L"), ("o_s", "o"), ("G_s_per_byte", "G"):
            near(row[key], uneven(a, b)[name], 1e-5)
        near(row["rho_L"], row["L_s"] / answer["runtime_s"])
    near(answer["rho_L"], sum(row["rho_L"] for row in rows.values()))
    assert answer["tolerance"][0]["delta_L_s"] * 2 - 0.01 * answer["runtime_s"] < 1e-15, answer
    back = ask("tolerance", "chain.goal", "--pairs", write("one.h5", range(3), uneven, both=False))
    near(pairs_of(back)[2, 1]["L_s"], uneven(1, 2)["L"], 1e-5)
    given = ask("tolerance", "chain.goal", "--pairs", "uneven.h5", "--o", "1us", "--G", "2ns")
    near(given["runtime_s"], 4e-6 + first["L"] + second["L"] + 110 * 2e-9, 1e-7)


def check_classes():
    """Classes of paths: nodes are the ranks of paths between nodes, parameters the medians of the links of a class."""
    links = [(0, 1, 1.0), (2, 3, 1.2), (4, 5, 1.4), (0, 4, 3.0), (2, 6, 3.2), (0, 8, 0.2)]
    between = [(a, b, 1 if a // 2 == b // 2 else 3) for a in range(8) for b in range(a + 1, 8)]
    with example.write("classes.h5", "logp") as file:
        file["logp"] = np.concatenate([rows_of(a, b, dict(MODEL, L=us * 1e-6)) for a, b, us in links])
        file["repetitions"] = np.zeros(0, REPETITION)
        file["paths"] = np.array(between + [(0, 8, 0), (1, 9, 0)], PATH)
    node = ["--ranks-per-node", "2"]
    got = ask("tolerance", HALO, "--pairs", "classes.h5", *node)
    classes = {row["class"]: row for row in got["classes"]}
    assert {c: row["links"] for c, row in classes.items()} == {0: 1, 1: 3, 3: 2}, classes
    for c, L_us in (0, 0.2), (1, 1.2), (3, 3.1):
        near(classes[c]["L_s"], L_us * 1e-6, 1e-5)
        of_pairs = [row for row in got["pairs"] if row["class"] == c]
        assert sum(row["lambda_L"] for row in of_pairs) == classes[c]["lambda_L"], got
        assert all(row["L_s"] == classes[c]["L_s"] for row in of_pairs), got
        assert all((row["from"] == row["to"]) == (c == 0) for row in of_pairs), got
    assert got["lambda_L"] == classes[1]["lambda_L"] + classes[3]["lambda_L"] > 0, got
    assert got["lambda_inside"] == classes[0]["lambda_L"], got
    # What is given counts before what was measured inside a node.
    given = ask("tolerance", HALO, "--pairs", "classes.h5", *node, "--L-node", "9us", "--G-node", "0.018ns")
    assert given["runtime_s"] > got["runtime_s"], given
    with example.write("half.h5", "logp") as file:
        file["logp"] = np.concatenate([rows_of(0, 1, MODEL)])
        file["repetitions"] = np.zeros(0, REPETITION)
        file["paths"] = np.array(between, PATH)
    fails(1, "half.h5: no parameters of messages from node", "tolerance", HALO, "--pairs", "half.h5", *node,
          "--L-node", "1us", "--G-node", "1ns")
    with example.write("order.h5", "logp") as file:
        file["logp"] = rows_of(0, 1, MODEL)
        file["repetitions"] = np.zeros(0, REPETITION)
        file["paths"] = np.array([(1, 0, 1)], PATH)
    fails(1, "order.h5: paths: row 1: rank 1 is not below rank 0", "tolerance", HALO, "--pairs", "order.h5")
    shown = ask("show", "classes.h5")
    assert [(row["rank_from"], row["rank_to"]) for row in shown["pairs"]] == sorted((a, b) for a, b, _ in links), shown
    many = ask("show", write("many.h5", range(20), alike))
    assert len(many["pairs"]) == 380 and any("No intervals of more than 300" in note for note in many["notes"]), many
    for row, (_, _, us) in zip(shown["pairs"], sorted(links)):
        near(row["L_s"], us * 1e-6, 1e-5)


def check_topology():
    """L and G by the switches on a path of another network: of two hosts on a leaf, and of two on different ones."""
    near_by, far = dict(MODEL, L=1e-6, G=0.1e-9), dict(MODEL, L=3e-6, G=0.3e-9)
    with example.write("tree.h5", "logp") as file:
        file["logp"] = np.concatenate([rows_of(0, 1, near_by), rows_of(0, 4, far)])
        file["repetitions"] = np.zeros(0, REPETITION)
        file["paths"] = np.array([(0, 1, 1), (0, 4, 3)], PATH)
    logp = ["--logp", "tree.h5", "--topology"]
    both_far, one_near = 26e-6 + 110 * 0.3e-9, 24e-6 + 100 * 0.1e-9 + 10 * 0.3e-9
    got = ask("tolerance", "chain.goal", *logp, "tree:2x2")  # 0 -> 2 and 2 -> 1: three switches each
    near(got["runtime_s"], both_far, 1e-7)
    near(got["L_s"], 1e-6, 1e-5)
    near(got["rho_L"], 6e-6 / both_far, 1e-5)
    assert (got["lambda_L"], got["lambda_G"]) == (2, 110), got
    near(got["tolerance"][0]["delta_L_s"], 0.01 * both_far / 2, 1e-6)
    near(ask("tolerance", "chain.goal", *logp, "tree:2x2", "--solver", "clp")["runtime_s"], both_far, 1e-7)
    given = ask("tolerance", "chain.goal", *logp, "tree:2x2", "--G", "1ns")  # of all paths
    near(given["runtime_s"], 26e-6 + 110e-9, 1e-7)
    placed = ask("place", "chain.goal", *logp, "tree:2x2", "--seed", "1")
    near(placed["before_s"], both_far, 1e-7)
    near(placed["after_s"], one_near, 1e-7)
    shared = ask("place", "chain.goal", *logp, "tree:2x2", "--seed", "1", "--shared-links")
    near(shared["after_s"], one_near, 1e-7)
    near(shared["simulated"]["before_s"], ask("simulate", "chain.goal", *logp, "tree:2x2")["programs"][0]["alone_s"], 1e-9)
    for command in "tolerance", "place":
        fails(2, "uneven.h5 has one L for all paths", command, "chain.goal", "--logp", "uneven.h5", "--topology", "tree:2x2")
    # Latencies of a file's links are in what was measured.
    with open("tree.yaml", "w", encoding="utf-8") as file:
        file.write("switches:\n" + "".join(f"  - {{name: leaf{i}, nodes: 'n[{2 * i}-{2 * i + 1}]', latency: 300ns}}\n"
                                           for i in range(2)) + "  - {name: top}\nlinks:\n  - {from: 'leaf[0-1]', to: top, latency: 900ns}\n")
    for command, key in ("tolerance", "runtime_s"), ("simulate", "programs"):
        spec, of_file = (ask(command, "chain.goal", *logp, of) for of in ("tree:2x2", "tree.yaml"))
        assert spec[key] == of_file[key], (spec, of_file)
        assert any("are not used: L was measured by the switches" in note for note in of_file["notes"]), of_file


def vary_tree(*pairs):
    """tree.h5, in which the largest messages of these pairs differ by 2 % at most."""
    fracs = [-0.02, 0.01, 0.015, 0, -0.01, 0.02, -0.015]
    add_repetitions("tree.h5", lambda size, pair: fracs if pair in pairs and size == SIZES[-1] else [0] * 7)


def check_views_of_topology():
    """Pieces, the linear program and intervals of the tree of check_topology(): 0 to 2 and 2 to 1, three switches each;
    what is drawn is the class that the messages pass."""
    logp = ["--logp", "tree.h5", "--topology", "tree:2x2"]
    both_far = 26e-6 + 110 * 0.3e-9
    over = ["--L-min", "1us", "--L-max", "9us"]
    piece, = ask("tolerance", "--pieces", "chain.goal", *logp, *over)["segments"]
    near(piece["runtime_lo_s"], both_far, 1e-7)
    assert piece["lambda_L"] == 2 and piece["L_hi_s"] == 9e-6, piece
    for ending, reader in (("lp", "--lp"), ("mps", "--freemps")):
        words = [CROSSTALK, "tolerance", "chain.goal", *logp, "--quiet", "--write-lp", f"tree.{ending}"]
        subprocess.run(words, check=True, timeout=60)
        objective, marginals = glpsol(reader, f"tree.{ending}")
        near(objective, both_far * 1e9, 1e-7)
        assert abs(marginals["l"] - 2) < 1e-5 and abs(marginals["g"] - 110) < 1e-3, marginals
        subprocess.run([*words, "--threshold", "2%"], check=True, timeout=60)
        near(abs(glpsol(reader, f"tree.{ending}")[0]), (1e-6 + 0.02 * both_far / 2) * 1e9, 1e-6)
    widths, simulated = [], []
    for pairs in ((), ((0, 1),), ((0, 4),)):
        vary_tree(*pairs)
        answer = ask("tolerance", "large.goal", *logp)
        widths.append(width(answer) / answer["runtime_s"])
        assert all(row["delta_L_ci_s"][0] is not None for row in answer["tolerance"]), answer
        piece, = ask("tolerance", "--pieces", "large.goal", *logp, *over)["segments"]
        assert piece["lambda_L_ci"] == [2, 2] and piece["runtime_lo_ci_s"][0] is not None, piece
        low, high = ask("simulate", "large.goal", *logp)["uncertainty"][0]["alone_ci"]
        simulated.append((high - low) / answer["runtime_s"])
    assert widths[0] < 1e-9 and widths[1] < 1e-9 and widths[2] > 0.002, widths
    assert simulated[0] < 1e-9, simulated
    fails(2, "--L-min is missing", "tolerance", "--pieces", "chain.goal", *logp)
    fails(2, "one L for all paths", "tolerance", "--pieces", "chain.goal", "--logp", "uneven.h5", "--topology", "tree:2x2", *over)
    fails(2, "one L for all paths", "tolerance", "chain.goal", "--logp", "uneven.h5", "--topology", "tree:2x2", "--write-lp", "x.lp")


def check_picture():
    """The matrices of a run, and what has none."""
    done = subprocess.run([CROSSTALK, "show", "uneven.h5", "--plot", "pairs.svg"], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    with open("pairs.svg", encoding="utf-8") as lines:
        text = lines.read()
    assert all(label in text for label in ("to (L, 2 to 3.04 us)", "to (o, 0.9 to 0.96 us)", "ns a byte)", "from", "rank 15")), text[:2000]
    with example.write("probe.h5", "impact") as file:
        file["samples"] = np.zeros(3, example.SAMPLE)
        example.write_pairs(file)
    fails(2, "--plot: probe.h5: no run of logpb", "show", "probe.h5", "--plot", "x.svg")
    fails(2, "--plot: .: no run of logpb", "show", ".", "--plot", "x.svg")


def check_differences():
    """One pair 1 ns slower: T rises by lambda of that pair, for every pair on the path and some that are not."""
    before = ask("tolerance", HALO, "--pairs", write("uneven.h5", range(16), uneven))
    rows = pairs_of(before)
    on_path = [pair for pair, row in rows.items() if row["lambda_L"] > 0]
    assert len(on_path) >= 4, rows
    for pair in on_path[:6] + list(rows)[-2:]:
        def slower(a, b, of=pair):
            return dict(uneven(a, b), L=uneven(a, b)["L"] + (1e-9 if (a, b) == of else 0))
        after = ask("tolerance", HALO, "--pairs", write("slower.h5", range(16), slower))
        rise = (after["runtime_s"] - before["runtime_s"]) / 1e-9
        assert abs(rise - rows[pair]["lambda_L"]) < 1e-3, (pair, rise, rows[pair])
    return before


def check_forms(before):
    """The table has what fits; CSV all."""
    words = [CROSSTALK, "tolerance", HALO, "--pairs", "uneven.h5"]
    table = subprocess.run(words, check=True, capture_output=True, text=True, timeout=60).stdout
    assert re.search(r"^[0-9]+ more lines(, [0-9]+ remarks?)?: --all$", table, re.M), table
    assert len(table[table.index("Pairs of nodes"):].splitlines()) < 16, table
    rows = subprocess.run([*words, "--format", "csv"], check=True, capture_output=True, text=True, timeout=60).stdout
    heading = "from,to,class,L_s,"
    lines = rows[rows.index(heading):].splitlines()
    listed = list(csv.DictReader(lines[:97]))
    assert len(listed) == 96, rows
    assert [float(row["lambda_L"]) for row in listed] == [row["lambda_L"] for row in before["pairs"]]


def vary(path, *pairs):
    """The largest messages of these pairs differ by 2 % at most, those of others not at all."""
    fracs = [-0.02, 0.01, 0.015, 0, -0.01, 0.02, -0.015]
    write(path, range(3), uneven)
    add_repetitions(path, lambda size, pair: fracs if pair in pairs and size == SIZES[-1] else [0] * 7)
    return ask("tolerance", "large.goal", "--pairs", path)


def width(answer):
    low, high = answer["runtime_ci_s"]
    assert low <= answer["runtime_s"] <= high, answer
    return high - low


def check_intervals():
    """T varies with the pairs that it passes, each independent of the other; two latencies are on the path whatever
    was drawn."""
    with open("large.goal", "w", encoding="ascii") as out:
        out.write(CHAIN.replace("101b", "200001b").replace("11b", "100001b"))
    without = ask("tolerance", "large.goal", "--pairs", "uneven.h5")
    assert without["runtime_ci_s"] == without["tolerance"][0]["delta_L_ci_s"] == [None, None], without
    assert any("the repetitions that they come from are not in uneven.h5" in note for note in without["notes"]), without
    exact, other, first = vary("exact.h5"), vary("other.h5", (0, 1)), vary("first.h5", (0, 2))
    second, both = vary("second.h5", (2, 1)), vary("both.h5", (0, 2), (2, 1))
    assert "200 replicates of its repetitions" in exact["provenance"]["intervals"], exact
    for answer in exact, other, first, second, both:
        near(answer["runtime_s"], without["runtime_s"])
        for row in answer["tolerance"]:
            for end in (0, 1):
                near(row["delta_L_ci_s"][end], row["threshold"] * answer["runtime_ci_s"][end] / 2)
    assert width(exact) < 1e-9 * exact["runtime_s"] and width(other) < 1e-9 * other["runtime_s"], (exact, other)
    widths = [width(first), width(second)]
    assert min(widths) > 0.002 * first["runtime_s"], widths
    assert max(widths) < width(both) < 0.95 * sum(widths), (widths, width(both))
    again = ask("tolerance", "large.goal", "--pairs", "both.h5", "--seed", "9")
    assert again["runtime_ci_s"] == both["runtime_ci_s"], "the seed is the file's"
    piece, = ask("tolerance", "--pieces", "large.goal", "--pairs", "both.h5", "--added-min", "0us", "--added-max", "9us")["segments"]
    assert piece["lambda_L_ci"] == [2, 2], piece
    for end in (0, 1):
        near(piece["runtime_lo_ci_s"][end], both["runtime_ci_s"][end])
    given = ask("tolerance", "large.goal", "--pairs", "both.h5", "--G", "2ns")
    assert width(given) < 1e-9 * given["runtime_s"], "only G varied"
    table = subprocess.run([CROSSTALK, "tolerance", "large.goal", "--pairs", "both.h5"], check=True, text=True,
                           capture_output=True, timeout=60).stdout
    assert "8.96 (8.84 to 9.08)" in table and "latency added to every pair [us]  from [us]  to [us]" in table, table
    many = ask("tolerance", "large.goal", "--pairs", write("many.h5", range(11), alike))
    assert any("No intervals of T: 110 measured links, more than 100" in note for note in many["notes"]), many


def check_envelope(of_uneven):
    """If all pairs are alike, the pieces are those of one L, which begins at 3 us; else T and tolerances are on them."""
    added = ["--added-min", "0us", "--added-max", "20us"]
    one = ask("tolerance", "--pieces", HALO, "--o", "5us", "--G", "0.018ns", "--S", "300000B", "--L-min", "3us", "--L-max", "23us")
    answer = ask("tolerance", "--pieces", HALO, "--pairs", "alike.h5", *added)
    pieces = answer["segments"]
    assert [piece["lambda_L"] for piece in pieces] == [piece["lambda_L"] for piece in one["segments"]], answer
    assert [piece["added_lo_s"] for piece in pieces[1:]] == answer["critical_latencies_s"] and len(pieces) > 3, answer
    for piece, expected in zip(pieces, one["segments"]):
        assert abs(piece["added_lo_s"] - (expected["L_lo_s"] - 3e-6)) < 1e-12, (piece, expected)
        near(piece["runtime_lo_s"], expected["runtime_lo_s"], 1e-7)
    pieces = ask("tolerance", "--pieces", HALO, "--pairs", "uneven.h5", *added)["segments"]
    near(pieces[0]["runtime_lo_s"], of_uneven["runtime_s"])
    assert pieces[0]["lambda_L"] == of_uneven["lambda_L"], pieces
    for row in of_uneven["tolerance"]:
        piece = [one for one in pieces if one["added_lo_s"] <= row["delta_L_s"]][-1]
        runtime_s = piece["runtime_lo_s"] + piece["lambda_L"] * (row["delta_L_s"] - piece["added_lo_s"])
        near(runtime_s, (1 + row["threshold"]) * of_uneven["runtime_s"])
    done = subprocess.run([CROSSTALK, "tolerance", "--pieces", HALO, "--pairs", "uneven.h5", *added, "--plot", "added.svg"],
                          check=True, capture_output=True, text=True, timeout=60)
    assert "Pieces of T, by the latency added to every pair" in done.stdout, done.stdout
    with open("added.svg", encoding="utf-8") as lines:
        assert "latency added to every pair (us)" in lines.read()
    fails(2, "--added-min is missing", "tolerance", "--pieces", HALO, "--pairs", "uneven.h5")
    fails(2, "--added-max is missing", "tolerance", "--pieces", HALO, "--pairs", "uneven.h5", *added[:2])
    fails(2, "--pairs: give --added-min", "tolerance", "--pieces", HALO, "--pairs", "uneven.h5", "--L-min", "1us", "--L-max", "2us")
    fails(2, "--added-min: of which --pairs?", "tolerance", "--pieces", HALO, "--o", "1us", "--G", "1ns", *added)
    for words in (["--logp", "uneven.h5"], ["--topology", "switch"], ["--L-node", "2us"]):
        fails(2, words[0], "tolerance", "--pieces", HALO, "--pairs", "uneven.h5", *added, *words)
    fails(1, "few.h5: pairs of 15 nodes", "tolerance", "--pieces", HALO, "--pairs", write("few.h5", range(15), alike), *added)


def check_programs(of_uneven):
    """The optimum of the exported program is T, its reduced costs lambda_L and lambda_G; and the tolerance."""
    for ending, reader in (("lp", "--lp"), ("mps", "--freemps")):
        words = [CROSSTALK, "tolerance", HALO, "--pairs", "uneven.h5", "--quiet", "--write-lp", f"program.{ending}"]
        subprocess.run(words, check=True, timeout=60)
        objective, marginals = glpsol(reader, f"program.{ending}")
        near(objective, of_uneven["runtime_s"] * 1e9)
        assert abs(marginals["l"] - of_uneven["lambda_L"]) < 1e-5, marginals
        assert abs(marginals["g"] - of_uneven["lambda_G"]) <= 1e-5 * of_uneven["lambda_G"], marginals
        subprocess.run([*words, "--threshold", "2%"], check=True, timeout=60)
        objective, _ = glpsol(reader, f"program.{ending}")
        near(abs(objective), of_uneven["tolerance"][1]["delta_L_s"] * 1e9)
    for words in (["--L", "3us"], ["--logp", "uneven.h5"], ["--topology", "switch", "--wire", "1ns", "--switch", "1ns"]):
        fails(2, words[0], "tolerance", HALO, "--pairs", "uneven.h5", "--write-lp", "program.lp", *words)
    fails(1, "few.h5: pairs of 15 nodes", "tolerance", HALO, "--pairs", "few.h5", "--write-lp", "program.lp")


def check_refusals():
    write("few.h5", range(15), alike)
    fails(1, "few.h5: pairs of 15 nodes with 1 ranks each have no room for the schedule's 16", "tolerance", HALO,
          "--pairs", "few.h5")
    with example.write("gap.h5", "logp") as file:
        file["logp"] = np.concatenate([rows_of(0, 1, MODEL), rows_of(0, 2, MODEL)])
        file["repetitions"] = np.zeros(0, REPETITION)
    fails(1, "gap.h5: no parameters of messages from node 2 to node 1", "tolerance", "chain.goal", "--pairs", "gap.h5")
    write("fast.h5", range(3), lambda a, b: dict(MODEL, L=-1e-6 if (a, b) == (1, 2) else 3e-6))
    fails(1, "fast.h5: rank 1 to rank 2: L comes out as -1 us", "tolerance", "chain.goal", "--pairs", "fast.h5")
    write("slow.h5", range(3), lambda a, b: dict(MODEL, L=1e9))
    fails(1, "slow.h5: rank 0 to rank 1: L of 1000000000s: more than 1000s", "tolerance", "chain.goal", "--pairs",
          "slow.h5")
    with example.write("none.h5", "logp") as file:
        file["logp"] = np.zeros(0, ROW)
        file["repetitions"] = np.zeros(0, REPETITION)
    fails(1, "none.h5: no round trips", "tolerance", "chain.goal", "--pairs", "none.h5")
    fails(1, "uneven.h5: no parameters of messages inside a node, as in node 0", "tolerance", HALO, "--pairs",
          "uneven.h5", "--ranks-per-node", "2")
    fails(1, "nowhere.h5", "tolerance", "chain.goal", "--pairs", "nowhere.h5")
    for words in (["--L", "3us"], ["--logp", "uneven.h5"], ["--topology", "switch", "--wire", "1ns", "--switch", "1ns"],
                  ["--critical-path"], ["--plot", "x.svg"], ["--compare-collectives"], ["--solver", "clp"],
                  ["--impact", "a.h5", "--idle", "b.h5"], ["--L-node", "2us"]):
        fails(2, words[0], "tolerance", HALO, "--pairs", "uneven.h5", *words)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_alike()
        check_nodes()
        check_chain()
        check_intervals()
        of_uneven = check_differences()
        check_forms(of_uneven)
        check_envelope(of_uneven)
        check_programs(of_uneven)
        check_classes()
        check_topology()
        check_views_of_topology()
        check_picture()
        check_refusals()
    print("tolerances by pairs of nodes agree with one L for all, with formulas, differences and glpsol")


if __name__ == "__main__":
    main()
