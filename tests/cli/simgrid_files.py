#!/usr/bin/env python3
"""Files for SimGrid: platforms have the topology's links and routes; SMPI's replay of a schedule takes as long as its simulation."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.environ["CROSSTALK_SOURCE"], "tests"))
from skip import skip_for_tool

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
LINKS = ["--rate", "10gbit", "--wire", "1us"]
# Rates and latencies of the platform as they are; no share for acknowledgements; all messages are eager.
PLAIN = ["network/model:CM02", "network/bandwidth-factor:1", "network/latency-factor:1", "network/crosstraffic:no", "network/weight-S:0",
         "network/TCP-gamma:1e18", "smpi/async-small-thresh:1000000000", "smpi/send-is-detached-thresh:1000000000",
         "smpi/os:0:0:0", "smpi/ois:0:0:0", "smpi/or:0:0:0", "surf/precision:1e-9"]


def run(*words, code=0):
    done = subprocess.run([CROSSTALK, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout if code == 0 else done.stderr


def check_platform(spec):
    root = xml.etree.ElementTree.fromstring(run("topology", spec, *LINKS, "--format", "simgrid"))
    assert root.attrib == xml.etree.ElementTree.fromstring(run("topology", spec, *LINKS, "--format", "simgrid", "--output", "-")).attrib
    topology = json.loads(run("topology", spec, *LINKS, "--links", "--format", "json"))
    zone = root.find("zone")
    assert root.get("version") == "4.1" and zone.get("routing") == "Full", root.attrib
    hosts = [host.get("id") for host in zone.findall("host")]
    links = {link.get("id"): link for link in zone.findall("link")}
    names = [[f"{a}-{b}-{i}" for a, b in ((link["from"], link["to"]), (link["to"], link["from"]))]
             for i, link in enumerate(topology["links"])]
    assert sorted(links) == sorted(name for both in names for name in both), sorted(links)
    for link in links.values():
        assert float(link.get("bandwidth").removesuffix("Bps")) == 1.25e9, link.attrib
        assert float(link.get("latency").removesuffix("s")) == 1e-6, link.attrib
    routes = {(route.get("src"), route.get("dst")): [ctn.get("id") for ctn in route] for route in zone.findall("route")}
    assert set(routes) == {(a, b) for a in hosts for b in hosts if a != b}, len(routes)
    for pair in list(routes)[:: len(routes) // 8]:
        expected = json.loads(run("topology", spec, *LINKS, "--route", ",".join(pair), "--format", "json"))["route"]
        found = [re.fullmatch(r"(.*)-(\d+)", name).group(1) for name in routes[pair]]
        assert found == [f"{hop['from']}-{hop['to']}" for hop in expected], (pair, found, expected)


def check_refusals():
    for code, text, *words in (
            (1, "has no rate, which SimGrid needs: give --rate", "topology", "switch:4", "--wire", "1us", "--format", "simgrid"),
            (1, "has no latency", "topology", "switch:4", "--rate", "1gbit", "--format", "simgrid"),
            (1, "at most 2048", "topology", "switch:4000", *LINKS, "--format", "simgrid"),
            (2, "not --format simgrid", "topology", "switch:4", *LINKS, "--format", "simgrid", "--route", "n0,n1"),
            (2, "--output is missing", "export", "halo:2x2", "--format", "smpi"),
            (1, "is there already", "export", "halo:2x2", "--format", "smpi", "-o", ".")):
        found = run(*words, code=code)
        assert text in found, (words, found)


def seconds_of_replay(name, n_ranks):
    with open("hosts", "w", encoding="utf-8") as out:
        out.writelines(f"n{rank}\n" for rank in range(n_ranks))
    done = subprocess.run(["smpirun", "-np", str(n_ranks), "-platform", "net.xml", "-hostfile", "hosts", "-replay", f"{name}/traces.txt",
                           *(f"--cfg={word}" for word in PLAIN)], capture_output=True, text=True, timeout=60, check=False)
    found = re.search(r"Simulation time ([0-9.e+-]+)", done.stdout + done.stderr)
    assert done.returncode == 0 and found, (done.returncode, done.stdout[-500:], done.stderr[-2000:])
    return float(found.group(1))


def check_replay():
    """Alone on its links, a program takes the same time in both simulators."""
    topology = ["--topology", "tree:2x4,2", *LINKS]
    with open("net.xml", "w", encoding="utf-8") as out:
        out.write(run("topology", "tree:2x4,2", *LINKS, "--format", "simgrid"))
    for name, program in (("ring", "allreduce:8"), ("halo", "halo:2x2x2,rounds=2"), ("all", "alltoall:8")):
        run("export", program, "--format", "smpi", "-o", name)
        answer = json.loads(run("simulate", program, "--network", "packet", *topology, "--switch", "0s", "--L", "2us",
                                "--o", "0s", "--G", "0.8ns", "--S", "1GB", "--format", "json"))
        ours, theirs = answer["programs"][0]["alone_s"], seconds_of_replay(name, 8)
        print(f"{program}: crosstalk {ours:.6f} s, SMPI {theirs:.6f} s")
        assert abs(theirs / ours - 1) < 0.05, (program, ours, theirs)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for network in ("switch:5", "tree:2x3,2", "fat-tree:4", "dragonfly:4,2,2", "torus:3x3"):
        check_platform(network)
    check_refusals()
    if not shutil.which("smpirun"):
        skip_for_tool("smpirun is not installed (package libsimgrid-dev)")
    check_replay()
