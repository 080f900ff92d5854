#!/usr/bin/python3
"""What crosstalk watch finds in a lab of 16 hosts, under the six workloads: 60 faults and 100 healthy minutes.

    watch_lab.py DIR [SEED [MINUTES]]    what DIR/results.csv has is not made again, so that the same command goes on;
                                         MINUTES: begin nothing later than that

The lab (tree:4x4,2) imitates a QDR fabric that is 3200 times slower: 10.5 Mbit/s, 1.5 ms to a host of the same leaf and
0.6 ms for each link between switches, so that two processors are enough for its packets. Probes are not slower: 40 a
second and host, half of them trains, as 0.1 % of such a fabric allows (docs/watch.md); here that is 10 % of a link.
Probers and delay line have a real-time priority, where that is permitted, as hosts have processors of their own.

Each fault is made and mended by the lab's own means: rates by tc, delays in the delay line, losses by a filter of tc
that picks packets at random, flaps by taking the link down, wrong routes in the tables of switches; the prober of a
slow host has its processor for half of the time only. Exits with 1 if fewer than 95 % are found in time, or fewer than
95 % at the right place, or fewer than 95 % of the slow hosts as hosts, or if more than one healthy minute has an alarm,
or if anything is left to be made."""
import contextlib
import csv
import json
import mmap
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time

LAB = os.environ.setdefault("CROSSTALK_LAB", "watch-lab")
LEAVES, SPINES, HOSTS = 4, 2, 16
LEARN_S = 600
IN_TIME_S = {"rate": 60, "delay": 60, "loss": 60, "host": 60, "flap": 180, "route": 180}
N_FAULTS, N_HEALTHY = 60, 100
SETTLE_S = 60  # after a fault, or until its alarm is over
WORKLOADS = ["amg", "fft", "lulesh", "mcb", "milc", "vpfft"]
LOAD_S = 20
COMPUTE = ["10us", "40us", "160us"]  # of an iteration, on the machine that the lab imitates
FIELDS = ["number", "what", "place", "found", "right", "seconds", "alarms", "load", "stolen_frac", "reason"]
FIRST = ["chrt", "-r", "1"] if subprocess.run(["chrt", "-r", "1", "true"], check=False).returncode == 0 else []


def run(*words, limit=60):
    done = subprocess.run(["timeout", "-k", "5", str(limit), *words], check=False, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def inside(host, *words):
    return run("crosstalk", "lab", "exec", *(["--host", host] if host else []), "--", *words)


# ---- directions: "leaf0 to spine1", "leaf0 to n3", "n3 to leaf0" ----

def all_directions():
    up = [(f"n{n}", f"leaf{n // (HOSTS // LEAVES)}") for n in range(HOSTS)]
    up += [(f"leaf{leaf}", f"spine{spine}") for leaf in range(LEAVES) for spine in range(SPINES)]
    return [f"{a} to {b}" for a, b in up] + [f"{b} to {a}" for a, b in up]


def number(name):
    return int(re.sub("[a-z]*", "", name))


class Direction:
    """Where the lab shapes it: host (None: at the switches) and device; and its port of the delay line."""

    def __init__(self, text):
        self.text = text
        first, second = text.split(" to ")
        self.host, self.port = None, None
        if first[0] == "n":
            self.host, self.device, self.switch_device = f"h{number(first) + 1}", "eth0", f"p{number(first) + 1}"
        elif second[0] == "n":
            self.device, self.port = f"p{number(second) + 1}", number(second)
            self.switch_device = self.device
        else:
            end = 0 if first.startswith("leaf") else 1
            leaf, spine = (number(first), number(second))[::1 if end == 0 else -1]
            link = SPINES * leaf + spine
            self.device, self.port = link_device(leaf, spine, end), HOSTS + 2 * link + end
            self.switch_device = self.device


def link_device(leaf, spine, end):
    return f"u{SPINES * leaf + spine + 1}{'ab'[end]}"


def reverse(text):
    return " to ".join(text.split(" to ")[::-1])


# ---- the lab ----

class Lab:
    def __init__(self):
        run("crosstalk", "lab", "up", "-q", "--topology", f"tree:{LEAVES}x{HOSTS // LEAVES},{SPINES}", "--like", "qdr",
            "--dilation", "3200", "--queue", "fifo")
        facts = json.loads(run("crosstalk", "lab", "status", "--format", "json"))
        if facts["latency_by"] != "delay line":
            sys.exit("this kernel has netem: the lab has no delay line, by which one direction is made later")
        self.rate_mbit = facts["rate_bit_per_s"] / 1e6
        self.later_s = {"host": facts["latency_s"], "link": facts["link_latency_s"]}
        path = f"/proc/{facts['holder']}/root{os.environ['CROSSTALK_LAB_DIR']}/{LAB}/ns/delay"
        with open(path, "r+b") as file:  # lab/delay_line.h: later_ns is the first that it has
            self.page = mmap.mmap(file.fileno(), 0)

    def hold(self, port, later_s):
        struct.pack_into("<q", self.page, 8 * port, int(1e9 * later_s))

    def down(self):
        self.page.close()
        subprocess.run(["crosstalk", "lab", "down", "-q"], check=False, timeout=60)


# ---- faults ----

class Fault:
    """Drawn from its number. right(alarm): whether a line of the journal names it."""

    def __init__(self, kind, seed):
        draw = random.Random(seed)
        self.kind = kind
        at = [text for text in all_directions() if kind != "delay" or Direction(text).port is not None]
        self.direction = Direction(draw.choice(at))
        self.host = draw.randrange(HOSTS)
        self.place = self.direction.text
        if kind == "host":
            self.place = f"h{self.host + 1}"
        if kind == "route":  # of messages from another leaf to the host
            per_leaf = HOSTS // LEAVES
            self.leaf, self.by = draw.sample([i for i in range(LEAVES) if i != self.host // per_leaf], 2)
            self.spine = None  # known when the lab is there
        self.stop = threading.Event()
        self.thread = None

    def right(self, alarm):
        if self.kind == "host":
            return alarm["kind"] == "host" and alarm["place"] == self.place
        suspects = alarm["place"].split(" or ")
        return self.place in suspects or (self.kind == "flap" and reverse(self.place) in suspects)

    # -- rate

    def shape(self, lab, frac):
        inside(self.direction.host, "tc", "qdisc", "change", "dev", self.direction.device, "root", "handle", "1:", "tbf",
               "rate", f"{lab.rate_mbit * frac:.6f}mbit", "burst", "1600", "limit", "4mb")

    def make_rate(self, lab, _):
        self.shape(lab, 0.8)

    def mend_rate(self, lab):
        self.shape(lab, 1)

    # -- delay

    def make_delay(self, lab, _):
        lab.hold(self.direction.port, 0.2 * lab.later_s["host" if " to n" in self.place else "link"])

    def mend_delay(self, lab):
        lab.hold(self.direction.port, 0)

    # -- loss: one packet in a hundred goes to a device that is down

    def make_loss(self, _, __):
        device = self.direction.device
        load_random, above, yes, no = "32 0 0 4294963256", f"53 0 1 {int(0.99 * 2**32)}", "6 0 0 4294967295", "6 0 0 0"
        inside(self.direction.host, "sh", "-ec", f"ip link show lost >/dev/null 2>&1 || ip link add lost type bridge; "
               f"tc qdisc add dev {device} clsact; tc filter add dev {device} egress protocol all prio 1 bpf bytecode "
               f"'4,{load_random},{above},{yes},{no}' action mirred egress redirect dev lost")

    def mend_loss(self, _):
        inside(self.direction.host, "tc", "qdisc", "del", "dev", self.direction.device, "clsact")

    # -- flap: down for a second a minute

    def make_flap(self, _, __):
        self.start(self.flap)

    def flap(self):
        while not self.stop.is_set():
            inside(None, "ip", "link", "set", self.direction.switch_device, "down")
            time.sleep(1)
            inside(None, "ip", "link", "set", self.direction.switch_device, "up")
            self.stop.wait(59)

    def mend_flap(self, _):
        self.end()

    # -- a slow host: its prober waits for its processor

    def make_host(self, _, probers):
        self.start(lambda: self.starve(probers.of(self.host)))

    def starve(self, pid):
        if FIRST:
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(2))
        while not self.stop.is_set():
            os.kill(pid, signal.SIGSTOP)
            time.sleep(5e-3)
            os.kill(pid, signal.SIGCONT)
            time.sleep(5e-3)

    def mend_host(self, _):
        self.end()

    # -- a wrong route: from one leaf to the other spine, from there by a third leaf

    def table(self, what, device):
        inside(None, "bridge", "fdb", what, f"02:00:00:77:00:{self.host + 1:02x}", "dev", device, "master", "static")

    def make_route(self, _, __):
        entries = inside(None, "bridge", "fdb", "show").splitlines()
        address = f"02:00:00:77:00:{self.host + 1:02x} "
        ways = [link_device(self.leaf, spine, 0) for spine in range(SPINES)]
        self.spine, = [s for s in range(SPINES) if any(e.startswith(f"{address}dev {ways[s]} ") for e in entries)]
        self.place = f"leaf{self.leaf} to spine{self.spine}"
        self.table("replace", link_device(self.by, 1 - self.spine, 1))
        self.table("replace", ways[1 - self.spine])

    def mend_route(self, _):
        self.table("replace", link_device(self.leaf, self.spine, 0))
        self.table("del", link_device(self.by, 1 - self.spine, 1))

    # --

    def start(self, what):
        self.thread = threading.Thread(target=what, daemon=True)
        self.thread.start()

    def end(self):
        self.stop.set()
        self.thread.join()

    def make(self, lab, probers):
        getattr(self, f"make_{self.kind}")(lab, probers)

    def mend(self, lab):
        getattr(self, f"mend_{self.kind}")(lab)


# ---- what runs all the time ----

class Probers:
    def __init__(self):
        options = ["--key", "key", "--interval", "25ms", "--train-size", "4KiB", "--link-rate", "25mbit", "--link-share",
                   "10%", "--core-share", "5%", "-q"]
        self.processes = []
        for i in range(HOSTS):
            role = ["--join", "10.77.0.1:7437"] if i else ["--store", "watch", "--topology", "tree:4x4,2"]
            self.processes.append(subprocess.Popen(["crosstalk", "lab", "exec", "--host", f"h{i + 1}", "--", *FIRST,
                                                    "crosstalk-prober", "--name", f"h{i + 1}", *options, *role]))
            time.sleep(1 if i == 0 else 0)

    def of(self, host):
        """The process itself, below that of crosstalk lab exec."""
        pid = self.processes[host].pid
        while True:
            with open(f"/proc/{pid}/comm", encoding="ascii") as file:
                if file.read().startswith("crosstalk-probe"):
                    return pid
            with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
                pid = int(file.read().split()[0])

    def end(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(30)


class Loads:
    """The six workloads, on other hosts every LOAD_S."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while not self.stop.is_set():
            hosts = [f"h{i + 1}" for i in range(HOSTS)]
            self.draw.shuffle(hosts)
            groups = []
            for n in (8, 4, 4):
                name = self.draw.choice([w for w in WORKLOADS if w != "lulesh" or n == 8])
                if self.draw.random() < 0.7:
                    groups.append(subprocess.Popen(
                        ["crosstalk", "lab", "mpiexec", "-q", "--deadline", f"{LOAD_S + 20}s", "--hosts-used",
                         ",".join(hosts[:n]), "--", "workload", name, "--iterations", "1", "--compute-time",
                         self.draw.choice(COMPUTE), "--loop", "--time", f"{LOAD_S}s", "-q"],
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
                hosts = hosts[n:]
            self.stop.wait(LOAD_S)
            for group in 2 * groups:  # the second signal ends a pass that goes on
                group.terminate()
            for group in groups:
                group.wait()

    def end(self):
        self.stop.set()
        self.thread.join()


class Watch:
    def __init__(self):
        self.path = "journal.jsonl"
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path)
        self.process = subprocess.Popen(["crosstalk", "watch", "watch", "--topology", "tree:4x4,2", "--learn",
                                         f"{LEARN_S}s", "--rate", "10.455801mbit", "--follow", "--journal", self.path],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def events(self):
        if self.process.poll() is not None:
            sys.exit("crosstalk watch has ended")
        if not os.path.exists(self.path):
            return []
        with open(self.path, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.endswith("\n")]

    def alarms(self, since_s):
        return [e for e in self.events() if e["event"] == "fault" and e["unix_ns"] > 1e9 * since_s]

    def lasts(self):
        ids = {}
        for event in self.events():
            if event["event"] in ("fault", "over"):
                ids[event["id"]] = event["event"] == "fault"
        return any(ids.values())

    def end(self):
        self.process.terminate()
        self.process.wait(30)


# ---- the experiment ----

def machine():
    with open("/proc/stat", encoding="ascii") as file:
        times = [int(word) for word in file.readline().split()[1:9]]
    with open("/proc/loadavg", encoding="ascii") as file:
        return times[7], sum(times), float(file.read().split()[0])


def plan(seed):
    """Faults and healthy minutes, mixed: each is drawn from its number alone."""
    items = sorted(IN_TIME_S) * (N_FAULTS // len(IN_TIME_S)) + ["healthy"] * N_HEALTHY
    random.Random(seed).shuffle(items)
    return items


def try_fault(fault, lab, probers, watch):
    begin_s = time.time()
    fault.make(lab, probers)
    most_s = IN_TIME_S[fault.kind]
    while not watch.alarms(begin_s) and time.time() < begin_s + most_s + 5:
        time.sleep(1)
    alarms = watch.alarms(begin_s)
    fault.mend(lab)
    row = {"place": fault.place, "found": 0, "right": 0, "alarms": len(alarms)}
    if alarms and alarms[0]["unix_ns"] / 1e9 - begin_s <= most_s:
        row |= {"found": 1, "right": int(fault.right(alarms[0])), "seconds": f"{alarms[0]['unix_ns'] / 1e9 - begin_s:.1f}"}
    row["reason"] = f"{alarms[0]['kind']}: {alarms[0]['place']}: {alarms[0]['reason']}" if alarms else ""
    mended_s = time.time()
    time.sleep(SETTLE_S / 2)
    while watch.lasts() and time.time() < mended_s + 6 * SETTLE_S:  # five minutes for a link that flaps
        time.sleep(1)
    return row


def try_healthy(watch):
    begin_s = time.time()
    time.sleep(62)
    alarms = [a for a in watch.alarms(begin_s) if a["unix_ns"] <= 1e9 * (begin_s + 60)]
    return {"place": "", "alarms": len(alarms),
            "reason": "; ".join(f"{a['kind']}: {a['place']}: {a['reason']}" for a in alarms)}


def known(path):
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.DictWriter(file, FIELDS, lineterminator="\n").writeheader()
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measure(lab, seed, end_s):
    done = {int(row["number"]) for row in known("results.csv")}
    with contextlib.ExitStack() as ends:
        probers = Probers()
        ends.callback(probers.end)
        loads = Loads(seed + len(done))
        ends.callback(loads.end)
        time.sleep(5)
        watch = Watch()
        ends.callback(watch.end)
        time.sleep(LEARN_S + 15)
        for i, what in enumerate(plan(seed)):
            if i in done or time.time() > end_s:
                continue
            before = machine()
            row = try_healthy(watch) if what == "healthy" else try_fault(Fault(what, f"{seed} {i}"), lab, probers, watch)
            after = machine()
            row |= {"number": i, "what": what, "load": after[2],
                    "stolen_frac": f"{(after[0] - before[0]) / max(after[1] - before[1], 1):.4f}"}
            with open("results.csv", "a", encoding="utf-8", newline="") as file:
                csv.DictWriter(file, FIELDS, lineterminator="\n").writerow(row)
            print(*(row.get(field, "") for field in FIELDS), flush=True)


def table(rows):
    """A row a kind of fault: the numbers of all, found in time, at the right place; then healthy minutes, with alarms."""
    def count(name, chosen):
        times = sorted(float(row["seconds"]) for row in chosen if row["found"] == "1")
        numbers = len(chosen), len(times), sum(row["right"] == "1" for row in chosen)
        median = f"{times[len(times) // 2]:9.1f}" if times else " " * 9
        print(f"{name:12}{numbers[0]:8}{numbers[1]:8}{numbers[2]:8}{median}")
        return numbers

    healthy = [row for row in rows if row["what"] == "healthy"]
    alarms = sum(row["alarms"] != "0" for row in healthy)
    print(f"{'':12}{'faults':>8}{'found':>8}{'right':>8}{'median s':>9}")
    kinds = {kind: count(kind, [row for row in rows if row["what"] == kind]) for kind in sorted(IN_TIME_S)}
    total = count("all", [row for row in rows if row["what"] != "healthy"])
    print(f"{len(healthy)} healthy minutes, {alarms} with alarms")
    return total, kinds["host"], alarms


def main():
    for number in (signal.SIGINT, signal.SIGTERM):  # the lab is taken down
        signal.signal(number, lambda *_: sys.exit("interrupted: the same command goes on"))
    folder = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 450000
    end_s = time.time() + 60 * float(sys.argv[3]) if len(sys.argv) > 3 else float("inf")
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    os.environ["CROSSTALK_LAB_DIR"] = os.path.abspath("state")
    os.environ["PATH"] = os.pathsep.join(filter(None, [os.environ.get("CROSSTALK_BIN"), os.environ["PATH"]]))
    if len(known("results.csv")) < N_FAULTS + N_HEALTHY:
        shutil.rmtree("watch", ignore_errors=True)
        lab = Lab()
        try:
            measure(lab, seed, end_s)
        finally:
            lab.down()
    rows = known("results.csv")
    (faults, in_time, right), (hosts, _, hosts_right), alarms = table(rows)
    left = N_FAULTS + N_HEALTHY - len(rows)
    print(f"{left} are left to be made" if left else "all are made")
    good = in_time >= 0.95 * faults and right >= 0.95 * faults and hosts_right >= 0.95 * hosts and alarms <= 1
    return 0 if good and left == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
