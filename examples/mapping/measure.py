#!/usr/bin/python3
"""What a mapping of crosstalk place gains: predicted, and measured.

    measure.py FOLDER matrix|tree [--runs N] [--iterations N] [--factor N | --rate RATE]
               [WORKLOAD...]

matrix: eight ranks on this machine under `crosstalk delay --matrix`. The nodes are the corners of a cube that are
numbered at random; latency grows with the number of edges between two corners. A mapping is made by exchanging rows
and columns of the matrix. L, o and G of the machine are from docs/delay.md.
tree: eight hosts of the lab on four leaves, with links between switches as fast as those of hosts. L, o and G are
those of two hosts on a leaf, the latency of a switch is from that of two hosts on different leaves, both by logpb;
messages share links (--shared-links). Before, ranks r and 7 - r share a leaf: opposite corners of a cube.

Predicted and measured is a pass of N iterations; T of it is that of traces of 2 N iterations less that of N. Runs
before and after take turns. What is in FOLDER already is not measured again. WORKLOAD: milc, lulesh, amg, and
skeleton, a schedule in which ranks with the same remainder by 3 exchange messages.
"""
import argparse
import json
import os
import random
import statistics
import subprocess

# Of CROSSTALK_BIN, else of the PATH.
CROSSTALK, WORKLOAD, LOGPB = (os.path.join(os.environ.get("CROSSTALK_BIN", ""), name)
                              for name in ("crosstalk", "workload", "logpb"))
HOSTS = [f"h{i}" for i in range(1, 9)]
APART = [f"h{i}" for i in (1, 3, 5, 7, 8, 6, 4, 2)]
RANKS = 8


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def ask(*words):
    return json.loads(run(CROSSTALK, *words, "--format", "json", "-q"))


def skeleton(path, rounds):
    """Ranks that are 3 or 6 apart exchange a message of 1000 bytes each, then compute for 3 ms."""
    with open(path, "w", encoding="ascii") as out:
        out.write(f"num_ranks {RANKS}\n")
        for rank in range(RANKS):
            out.write(f"rank {rank} {{\n")
            before = None
            for i in range(rounds):
                peers = [(rank + 3) % RANKS, (rank - 3) % RANKS]
                out.write(f"c{i}: calc 3000000\n" + (f"c{i} requires {before}\n" if before else ""))
                for k, peer in enumerate(peers):
                    out.write(f"s{i}_{k}: send 1000b to {peer} tag {k}\ns{i}_{k} requires c{i}\n")
                    out.write(f"r{i}_{k}: recv 1000b from {peer} tag {1 - k}\nr{i}_{k} requires c{i}\n")
                out.write(f"e{i}: calc 0\n" + "".join(f"e{i} requires {x}{i}_{k}\n" for x in "sr" for k in (0, 1)))
                before = f"e{i}"
            out.write("}\n")


class Experiment:
    """What both have in common: schedules, the mapping, runs in turns, the table."""

    def __init__(self, iterations):
        self.iterations = iterations

    def program(self, name, times=1):
        if name == "skeleton":
            path = f"skeleton{times}.goal"
            skeleton(path, times * self.iterations)
            return [WORKLOAD, "replay", "--goal", path]
        return [WORKLOAD, name, "--iterations", str(times * self.iterations)]

    def schedule(self, name, times):
        if name == "skeleton":
            self.program(name, times)
            return f"skeleton{times}.goal"
        folder = f"trace-{name}-{times}"
        if not os.path.isdir(folder):
            run(CROSSTALK, "trace", "-o", folder, "--", *self.tracing(), *self.program(name, times))
        return folder

    def predict(self, name):
        """Seconds of a pass before and after, and the mapping."""
        both = self.schedule(name, 2)
        found = ask("place", both, *self.costs(), "--seed", "1")
        mapping = [row["host"] for row in found["mapping"]]
        with open(f"{name}.hostfile", "w", encoding="ascii") as out:
            out.write("\n".join(mapping) + "\n")
        with open("before.hostfile", "w", encoding="ascii") as out:
            out.write("\n".join(self.blocks()) + "\n")
        before, after = (self.pass_of(name, f"{which}.hostfile") for which in ("before", name))
        return before, after, mapping

    def pass_of(self, name, hostfile):
        """Seconds of a pass with a mapping."""
        def runtime(times):
            words = [*self.costs(), "--compare", hostfile, "--evaluations", "1", "--seed", "1"]
            answer = ask("place", self.schedule(name, times), *words)
            return answer.get("simulated", answer)["baselines"]["given"]
        return runtime(1) if name == "skeleton" else runtime(2) - runtime(1)

    def measure(self, name, mapping, runs):
        """Seconds of passes before and after, in turns; those of earlier calls are in the file."""
        path = f"{name}.passes.json"
        known = {"before": [], "after": [], "mapping": mapping}
        if os.path.exists(path):
            with open(path, encoding="ascii") as file:
                known = json.load(file)
        if known["mapping"] != mapping:
            raise SystemExit(f"{path}: measured with another mapping; use another folder")
        while len(known["after"]) < runs:
            before = self.one_pass(name, self.blocks())
            after = self.one_pass(name, mapping)
            known["before"].append(before)
            known["after"].append(after)
            with open(path, "w", encoding="ascii") as file:
                json.dump(known, file)
        return known["before"], known["after"]

    def one_pass(self, name, mapping):
        return json.loads(run(*self.launch(mapping), *self.program(name), "--format", "json", "-q"))["mean_s"]


class Matrix(Experiment):
    """Latencies that are injected between the ranks of this machine."""

    edges_ms = [0, 1, 8, 15]

    def __init__(self, iterations, factor):
        super().__init__(iterations)
        corners = list(range(RANKS))
        random.Random(4).shuffle(corners)
        self.latency_ms = [[factor * self.edges_ms[bin(a ^ b).count("1")] for b in corners] for a in corners]
        self.write("matrix", range(RANKS))
        with open("hosts", "w", encoding="ascii") as out:
            out.write("".join(f"node{i}\n" for i in range(RANKS)))

    def write(self, path, order):
        with open(path, "w", encoding="ascii") as out:
            for a in order:
                out.write(" ".join("-" if a == b else f"{self.latency_ms[a][b]}ms" for b in order) + "\n")

    def blocks(self):
        return [f"node{i}" for i in range(RANKS)]

    def costs(self):
        # Without added latency 8 B take 4.8 us and 64 KiB 64 us (docs/delay.md); rendezvous from 8 KiB on.
        return ["--L", "2us", "--o", "1.4us", "--G", "1ns", "--S", "8191B", "--matrix", "matrix", "--hosts", "hosts"]

    def tracing(self):
        return ["mpiexec.mpich", "-n", str(RANKS)]

    def launch(self, mapping):
        self.write("matrix.now", [int(name.removeprefix("node")) for name in mapping])
        return [CROSSTALK, "delay", "-q", "--within-nodes", "--matrix", "matrix.now", "--", "mpiexec.mpich", "-n",
                str(RANKS)]


class Tree(Experiment):
    """Hosts of the lab on several leaves."""

    def __init__(self, iterations, rate):
        super().__init__(iterations)
        self.rate = rate
        with open("hosts", "w", encoding="ascii") as out:
            out.write("\n".join(HOSTS) + "\n")
        near, far = (self.latency(path, hosts) for path, hosts in (("near.h5", "h1,h2"), ("far.h5", "h1,h3")))
        # Two links and a switch, or four and three.
        self.switch = max(0, far - 2 * near)
        self.wire = (near - self.switch) / 2

    def latency(self, path, hosts):
        if not os.path.exists(path):
            run(*self.launch(hosts.split(",")), LOGPB, "--max-size", "4KiB", "--max-sizes", "12", "--epsilon", "10%",
                "--output", path, "-q")
        return json.loads(run(CROSSTALK, "show", path, "--format", "json"))["parameters"]["L"]["value_s"]

    def blocks(self):
        return APART

    def costs(self):
        return ["--logp", "near.h5", "--topology", "tree:4x2", "--rate", self.rate, "--uplink", self.rate, "--wire",
                f"{1e9 * self.wire:.0f}ns", "--switch", f"{1e9 * self.switch:.0f}ns", "--hosts", "hosts",
                "--shared-links"]

    def tracing(self):
        return self.launch(HOSTS)

    def launch(self, mapping):
        return [CROSSTALK, "lab", "mpiexec", "--deadline", "100s", "--hosts-used", ",".join(mapping), "--"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("kind", choices=["matrix", "tree"])
    parser.add_argument("workloads", nargs="*", default=["milc", "lulesh", "amg", "skeleton"])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--factor", type=int, default=1, help="of the latencies of the matrix")
    parser.add_argument("--rate", default="20mbit", help="of the links of the tree")
    args = parser.parse_intermixed_args()
    os.makedirs(args.folder, exist_ok=True)
    os.chdir(args.folder)
    if args.kind == "tree":
        os.environ.setdefault("CROSSTALK_LAB", "placement")
        os.environ.setdefault("CROSSTALK_LAB_POLL_US", "100000")  # ranks sleep while they wait
        run(CROSSTALK, "lab", "up", "--topology", "tree:4x2", "--rate", args.rate, "-q")
    try:
        experiment = Tree(args.iterations, args.rate) if args.kind == "tree" else Matrix(args.iterations, args.factor)
        print("program   runs   before [ms]            after [ms]             gain [%]")
        print("              predicted  measured    predicted  measured    predicted  measured")
        for name in args.workloads:
            before_s, after_s, mapping = experiment.predict(name)
            measured = experiment.measure(name, mapping, args.runs)
            m_before_s, m_after_s = (statistics.median(x) for x in measured)
            print(f"{name:9} {len(measured[0]):3} {1e3 * before_s:10.1f} {1e3 * m_before_s:9.1f} {1e3 * after_s:12.1f} "
                  f"{1e3 * m_after_s:9.1f} {100 * (1 - after_s / before_s):12.1f} "
                  f"{100 * (1 - m_after_s / m_before_s):9.1f}", flush=True)
    finally:
        if args.kind == "tree":
            run(CROSSTALK, "lab", "down", "-q")


main()
