#!/usr/bin/python3
"""crosstalk place: run times against crosstalk tolerance, mappings, files, names of nodes, what is refused."""
import os
import subprocess
import tempfile

from measured import CROSSTALK, ask, fails, near
from pairs import HALO, alike, uneven, write

MODEL = ["--o", "500ns", "--G", "0.018ns"]
WIRES = ["--wire", "2us", "--switch", "1us"]
TREE = [*MODEL, "--topology", "tree:4x4", *WIRES]
NODES = ["--ranks-per-node", "2", "--L-node", "400ns", "--G-node", "0.1ns"]


def place(*words, seed=1):
    answer = ask("place", *words, "--seed", str(seed))
    nodes = [row["node"] for row in answer["mapping"]]
    assert [row["rank"] for row in answer["mapping"]] == list(range(len(nodes))), answer
    assert sorted(answer["order"]) == list(range(len(nodes))), answer
    in_order = [nodes[rank] for rank in answer["order"]]
    assert in_order == sorted(in_order), answer
    base = answer["baselines"]
    assert answer["before_s"] == base["block"], answer
    for key in "block", "round_robin", "random_mean", "random_best", "volume":
        assert answer["bound_s"] * (1 - 1e-12) <= answer["after_s"] <= base[key] * (1 + 1e-12), (key, answer)
    near(answer["gain"], 1 - answer["after_s"] / answer["before_s"])
    return answer


def text(*words):
    return subprocess.run([CROSSTALK, "place", *words, "--seed", "1"], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "COLUMNS": "1000"}, check=True).stdout


def check_topology():
    """Before is what crosstalk tolerance says of blocks; after is what it says of a schedule with these ranks."""
    for words in TREE, [*MODEL, "--topology", "tree:2x4", *WIRES, *NODES]:
        answer = place(HALO, *words)
        near(answer["before_s"], ask("tolerance", HALO, *words)["runtime_s"])
        assert answer["after_s"] < answer["before_s"], answer
        assert place(HALO, *words, "--threads", "1")["order"] == answer["order"]
        with open(HALO, encoding="ascii") as source, open("moved.goal", "w", encoding="ascii") as out:
            out.write(renumbered(source.read(), answer["order"]))
        near(ask("tolerance", "moved.goal", *words)["runtime_s"], answer["after_s"])
    wide = place(HALO, *MODEL, "--topology", "tree:4x8", *WIRES)
    assert len({row["node"] for row in wide["mapping"]}) == 16, wide


def check_intervals():
    """On the line of their value."""
    lab8 = os.path.join(os.environ["CROSSTALK_SOURCE"], "examples/lab8")
    words = [f"{lab8}/traces/milc", "--logp", f"{lab8}/logp.h5", "--topology", "tree:4x2", *WIRES, "--evaluations", "16"]
    answer, lines = place(*words), text(*words).splitlines()
    lo, hi = answer["before_ci_s"]
    line = next(line for line in lines if line.startswith("run time T before"))
    assert line.endswith(f"({1e6 * lo:.0f} to {1e6 * hi:.0f})"), line
    assert sum(" to " in line for line in lines if line.startswith(("run time", "T ", "to "))) == 2, lines


def check_repeatable():
    """The same seed, the same answer: Scotch's threads raced, one run in two was another."""
    words = ["halo:6x6x6", *MODEL, "--topology", "tree:6x36", *WIRES, "--evaluations", "16"]
    first = place(*words)
    assert all(place(*words) == first for _ in range(5)), first["baselines"]


def renumbered(goal, order):
    """The schedule of the same program whose rank i is rank order[i]."""
    new = {str(old): str(i) for i, old in enumerate(order)}
    blocks = goal.split("rank ")[1:]
    ranks = {}
    for block in blocks:
        number, rest = block.split(" ", 1)
        lines = []
        for line in rest.split("\n"):
            words = line.split(" ")
            for side in "to", "from":
                if side in words and ("send" in words or "recv" in words):
                    at = words.index(side) + 1
                    words[at] = new[words[at]]
            lines.append(" ".join(words))
        ranks[int(new[number])] = "\n".join(lines)
    return f"num_ranks {len(blocks)}\n" + "".join(f"rank {i} {ranks[i]}" for i in range(len(blocks)))


def check_pairs():
    """Measured pairs: nothing to gain where all are alike; where none is, less than before."""
    write("alike.h5", range(16), alike)
    same = place(HALO, "--pairs", "alike.h5")
    near(same["after_s"], same["before_s"], 1e-7)
    write("uneven.h5", range(16), uneven)
    answer = place(HALO, "--pairs", "uneven.h5")
    near(answer["before_s"], ask("tolerance", HALO, "--pairs", "uneven.h5")["runtime_s"])
    assert answer["before_s"] - answer["after_s"] > 0.5 * (answer["before_s"] - answer["bound_s"]) > 1e-6, answer
    other = place(HALO, "--pairs", "uneven.h5", seed=2)
    assert abs(other["after_s"] / answer["after_s"] - 1) < 0.02, (other, answer)
    few = place(HALO, "--pairs", "uneven.h5", "--evaluations", "500")
    assert few["evaluations"] < 600 and few["after_s"] >= answer["after_s"], few


def check_exhaustive():
    """Eight ranks or fewer: all mappings."""
    with open("ring.goal", "w", encoding="ascii") as out:
        out.write("num_ranks 6\n")
        for rank in range(6):
            out.write(f"rank {rank} {{\ns: send 1b to {(rank + 2) % 6} tag 0\nr: recv 1b from {(rank - 2) % 6} tag 0\n"
                      f"t: send 1b to {(rank + 2) % 6} tag 1\nt requires r\nu: recv 1b from {(rank - 2) % 6} tag 1\n}}\n")
    answer = place("ring.goal", *MODEL, "--topology", "torus:6", *WIRES)
    base = answer["baselines"]
    assert answer["after_s"] == base["exhaustive"] <= answer["search_s"] <= 1.01 * base["exhaustive"], answer
    # Two rings of three: two of the messages of each pass two switches, one three, in every mapping.
    near(answer["before_s"], 4 * 500e-9 + 2 * (4 * 2e-6 + 3 * 1e-6))
    assert place(HALO, *TREE)["baselines"]["exhaustive"] is None


def write_pair():
    with open("pair.goal", "w", encoding="ascii") as out:
        out.write("num_ranks 2\nrank 0 {\na: send 8b to 1 tag 0\n}\nrank 1 {\na: recv 8b from 0 tag 0\n}\n")


def check_matrix():
    """Latencies as crosstalk delay takes them, in addition to L."""
    with open("matrix", "w", encoding="ascii") as out:
        for i in range(16):
            out.write(" ".join("-" if i == k else f"{10 + 10 * (i % 4 != k % 4)}us" for k in range(16)) + "\n")
    answer = place(HALO, *MODEL, "--matrix", "matrix")
    more = place(HALO, *MODEL, "--matrix", "matrix", "--L", "3us")
    assert answer["after_s"] < answer["before_s"] < more["before_s"], answer
    assert more["bound_s"] > answer["bound_s"], more


def check_files():
    """All forms say the same; a file and the answer come at once."""
    answer = ask("place", HALO, *TREE, "--seed", "1", "-o", "map.rankfile")
    hosts = [row["host"] for row in answer["mapping"]]
    assert sorted(hosts) == sorted(f"n{i}" for i in range(16)), hosts
    with open("map.rankfile", encoding="ascii") as file:
        ranks = file.read()
    assert ranks == "".join(f"rank {rank}={host} slot=0\n" for rank, host in enumerate(hosts)), ranks
    assert text(HALO, *TREE, "--format", "rankfile") == ranks
    assert text(HALO, *TREE, "--format", "hostfile").split() == hosts
    assert text(HALO, *TREE, "--format", "order") == ",".join(map(str, answer["order"])) + "\n"
    table = text(HALO, *TREE, "--format", "order", "-o", "order")
    assert "shorter by" in table and "round_robin" in table, table
    with open("order", encoding="ascii") as file:
        assert file.read().strip() == ",".join(map(str, answer["order"]))
    rows = text(HALO, *TREE, "--format", "csv")
    assert "round_robin," in rows and "\n15," in rows, rows


def check_compare():
    """A mapping that is given: its own result, another one, and what is wrong with it."""
    best = place(HALO, *TREE)
    with open("best.hostfile", "w", encoding="ascii") as out:
        out.write("".join(row["host"] + "\n" for row in best["mapping"]))
    again = place(HALO, *TREE, "--compare", "best.hostfile", "--evaluations", "1")
    near(again["baselines"]["given"], best["after_s"])
    assert again["after_s"] <= best["after_s"] and best["baselines"]["given"] is None, again
    with open("blocks", "w", encoding="ascii") as out:
        out.write("".join(f"n{rank // 2}\n" for rank in range(16)))
    words = [HALO, *MODEL, "--topology", "tree:2x4", *WIRES, *NODES]
    blocks = place(*words, "--compare", "blocks")
    assert blocks["baselines"]["given"] == blocks["before_s"], blocks
    fails(1, "blocks: no node 'n0' with room for rank 1", "place", HALO, *TREE, "--compare", "blocks")
    fails(1, "blocks: 16 hosts for 2 ranks", "place", "pair.goal", *TREE, "--compare", "blocks")


def check_hosts():
    """Names: of a topology's nodes, which may then be used, or of nodes in their order."""
    with open("topology.conf", "w", encoding="ascii") as out:
        out.write("SwitchName=leaf0 Nodes=c[00-09]\nSwitchName=leaf1 Nodes=c[10-19]\nSwitchName=spine Switches=leaf[0-1]\n")
    names = [f"c{i:02}" for i in (*range(2, 10), *range(12, 20))]
    with open("allocated", "w", encoding="ascii") as out:
        out.write("# of the job\n" + "".join(f"{name} slots=1\n" for name in names))
    words = [HALO, *MODEL, "--topology", "topology.conf", *WIRES, "--hosts", "allocated"]
    with open("names-only", "w", encoding="ascii") as out:
        out.write("".join(f"{name}\n" for name in names))
    answer = place(*words)
    assert sorted(row["host"] for row in answer["mapping"]) == names, answer
    assert all(row["host"] == names[row["node"]] for row in answer["mapping"]), answer
    with open("names", "w", encoding="ascii") as out:
        out.write("".join(f"real{i}:4\n" for i in range(16)))
    renamed = place(HALO, *TREE, "--hosts", "names")
    assert renamed["mapping"][0]["host"] == f"real{renamed['mapping'][0]['node']}", renamed
    assert [row["node"] for row in renamed["mapping"]] == [row["node"] for row in place(HALO, *TREE)["mapping"]]
    assert text(HALO, "--pairs", "uneven.h5", "--hosts", "names", "--format", "hostfile").startswith("real")
    with open("mixed", "w", encoding="ascii") as out:
        out.write("c00\nelsewhere\n")
    fails(1, "mixed: 'elsewhere' is not a node of topology.conf, others are", "place", *words[:-1], "mixed")
    with open("lines", "w", encoding="ascii") as out:  # as resource managers have it: a line for each core
        out.write("".join(f"{name}\n{name}.cluster.example\n{name.upper()}\n" for name in names))
    assert place(*words[:-1], "lines", "--seed", "1")["mapping"] == place(*words, "--seed", "1")["mapping"]
    with open("domains", "w", encoding="ascii") as out:
        out.write("".join(f"{name}.cluster.example\n" for name in names))
    of_domains, of_names = (place(*words[:-1], "allocated", "--compare", path, "--seed", "1") for path in ("domains", "names-only"))
    assert of_domains["baselines"]["given"] == of_names["baselines"]["given"] > 0, of_domains
    fails(1, "names: 16 names, but tree:2x4 has 8 nodes", "place", HALO, *MODEL, "--topology", "tree:2x4", *WIRES,
          *NODES, "--hosts", "names")
    fails(1, "mixed: 2 names, but uneven.h5 has 16 nodes", "place", HALO, "--pairs", "uneven.h5", "--hosts", "mixed")
    with open("none", "w", encoding="ascii") as out:
        out.write("# nobody\n\n")
    fails(1, "none: names no host", "place", HALO, *TREE, "--hosts", "none")


def check_shared_links():
    """The mapping with the shortest simulated run, as crosstalk simulate says; never worse than blocks."""
    network = ["--topology", "tree:4x4", "--rate", "10gbit", "--uplink", "2gbit", *WIRES]
    words = [HALO, "--o", "500ns", "--G", "0.8ns", *network, "--shared-links", "--evaluations", "300"]
    answer = ask("place", *words, "--seed", "1")
    simulated, hosts = answer["simulated"], ",".join(row["host"] for row in answer["mapping"])
    assert simulated["after_s"] <= min(x for x in simulated["baselines"].values() if x is not None), simulated
    assert simulated["after_s"] <= simulated["search_s"] and simulated["after_s"] < simulated["before_s"], simulated
    assert simulated["before_s"] > answer["before_s"], answer
    near(simulated["gain"], 1 - simulated["after_s"] / simulated["before_s"])
    alone = ask("simulate", HALO, "--L", "0us", "--o", "500ns", "--G", "0.8ns", *network, "--hosts", hosts)
    near(alone["programs"][0]["alone_s"], simulated["after_s"], 1e-6)
    assert ask("place", *words, "--seed", "1", "--threads", "1")["mapping"] == answer["mapping"]
    assert "shared links [" in text(*words)
    inside = [HALO, *MODEL, "--topology", "tree:2x4", *WIRES, *NODES, "--shared-links", "--evaluations", "16"]
    assert ask("place", *inside)["simulated"]["before_s"] > 0
    fails(2, "--shared-links: needs --topology", "place", HALO, "--pairs", "uneven.h5", "--shared-links")
    fails(2, "--spines, --rate, --uplink: need --topology", "place", HALO, "--pairs", "uneven.h5", "--spines", "2")
    many = ["--topology", "tree:33x32", *WIRES, "--shared-links", "--evaluations", "16"]
    assert ask("place", HALO, *MODEL, *many)["simulated"]["before_s"] > 0
    fails(2, "--rate, --uplink: need --shared-links", "place", HALO, *MODEL, *TREE, "--uplink", "1gbit")
    with open("rateless.conf", "w", encoding="ascii") as out:
        out.write("SwitchName=a Nodes=n[0-7]\nSwitchName=b Nodes=n[8-15]\nSwitchName=c Switches=a,b\n")
    slurm = [HALO, *MODEL, "--topology", "rateless.conf", *WIRES, "--shared-links", "--evaluations", "16"]
    taken = "rateless.conf has no rates of links: a link between switches is taken to be as fast as that of a node"
    assert taken in text(*slurm) and taken not in text(*slurm, "--rate", "10gbit", "--uplink", "80gbit")
    fails(2, "--packet: needs --shared-links", "place", HALO, *MODEL, *TREE, "--packet", "1kB")
    fails(2, "--serialize, --serialize-nic: not with --shared-links", "place", *words, "--serialize-nic")
    coarse = ask("place", *words, "--seed", "1", "--packet", "64KiB")["simulated"]
    near(coarse["before_s"], simulated["before_s"], 0.01)


def check_refusals():
    fails(2, "--pairs, --topology, --matrix: give one", "place", HALO, *MODEL)
    fails(2, "--pairs, --topology, --matrix: give one", "place", HALO, *TREE, "--matrix", "matrix")
    fails(2, "--L: with --topology", "place", HALO, *TREE, "--L", "1us")
    fails(2, "--output: 'x.txt': give --format rankfile", "place", HALO, *TREE, "-o", "x.txt")
    fails(2, "hostfile: names of the 16 nodes are not known", "place", HALO, *MODEL, "--matrix", "matrix", "--format",
          "hostfile")
    fails(1, "no room for the schedule's 16 ranks", "place", HALO, *MODEL, "--topology", "tree:2x4", *WIRES)
    fails(1, "is not full while", "place", HALO, *MODEL, "--topology", "torus:32", *WIRES, "--seed", "2", "--format",
          "order")
    fails(1, "nowhere", "place", HALO, *MODEL, "--matrix", "nowhere")
    with open("short", "w", encoding="ascii") as out:
        out.write("- 1us\n1us -\n")
    fails(1, "short: 2 nodes with 1 ranks each have no room", "place", HALO, *MODEL, "--matrix", "short")
    write("few.h5", range(15), alike)
    fails(1, "few.h5: 15 nodes with 1 ranks each have no room", "place", HALO, "--pairs", "few.h5")
    fails(1, "uneven.h5: no parameters of messages inside a node, as in node 0", "place", HALO, "--pairs", "uneven.h5",
          "--ranks-per-node", "2")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_topology()
        check_repeatable()
        check_intervals()
        check_pairs()
        check_exhaustive()
        check_matrix()
        check_files()
        write_pair()
        check_compare()
        check_hosts()
        check_shared_links()
        check_refusals()
    print("mappings of crosstalk place have the run times of crosstalk tolerance, and its files agree")


main()
