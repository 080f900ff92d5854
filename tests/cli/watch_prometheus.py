#!/usr/bin/env python3
"""A real Prometheus scrapes the metrics of a watch, from its textfile and behind its token, and each query of the Grafana dashboard
gives data."""
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ["CROSSTALK_BIN"])
DASHBOARD = ROOT / "packaging/grafana/crosstalk-watch.json"
DEADLINE_S = 60

if not shutil.which("prometheus"):
    print("skipped: prometheus is not installed (package prometheus)")
    sys.exit(1 if os.environ.get("CROSSTALK_TOOLS") == "required" else 77)


class Files(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".prom": "text/plain; version=0.0.4"}

    def log_message(self, *words):
        pass


def ask(port, query):
    address = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": query})
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return json.load(answer)["data"]["result"]
    except OSError:  # it has not begun to listen, or the query is wrong: both end at the deadline
        return []


def wait_for(port, query, deadline_s):
    """Asks once at least."""
    while True:
        result = ask(port, query)
        if result or time.monotonic() > deadline_s:
            return result
        time.sleep(0.5)


def main(folder):
    subprocess.run([BIN / "../tests/watched_fabric", "watch"], cwd=folder, check=True, timeout=60)
    (folder / "apps").mkdir()
    (folder / "apps/far.goal").write_text("num_ranks 2\nrank 0 {\nsend 8000000b to 1\n}\nrank 1 {\nrecv 8000000b from 0\n}\n")
    watching = [BIN / "crosstalk", "watch", "watch", "--topology", "tree:4x4,2", "--learn", "100s", "--rate", "8gbit", "--uplink", "8gbit",
                "--applications", "apps", "--hosts", "n0,n8", "--L", "3us", "--o", "1us", "--G", "1ns"]
    subprocess.run([*watching, "--textfile", "metrics.prom"], cwd=folder, check=True, timeout=60, stdout=subprocess.DEVNULL)
    watch = subprocess.Popen([*watching, "--serve", "0", "--token", "page.token"], cwd=folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    try:
        return scrape(folder, int(re.search(r"http://127\.0\.0\.1:(\d+)/", watch.stderr.readline()).group(1)))
    finally:
        watch.send_signal(signal.SIGTERM)
        watch.communicate(timeout=30)


def scrape(folder, watch_port):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (folder / "prometheus.yml").write_text(json.dumps({
        "global": {"scrape_interval": "1s"},
        "scrape_configs": [{"job_name": "textfile", "metrics_path": "/metrics.prom",
                            "static_configs": [{"targets": [f"127.0.0.1:{server.server_port}"]}]},
                           {"job_name": "token", "authorization": {"credentials_file": "page.token"},
                            "static_configs": [{"targets": [f"127.0.0.1:{watch_port}"]}]}]}))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open(folder / "log", "w") as log:
        prometheus = subprocess.Popen(["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data",
                                       f"--web.listen-address=127.0.0.1:{port}"], cwd=folder, stdout=log, stderr=log)
    failed = []
    try:
        deadline_s = time.monotonic() + DEADLINE_S
        price, = wait_for(port, 'crosstalk_watch_slowdown_ratio{job="token"}', deadline_s) or [None]
        if not price or not 0.1 < float(price["value"][1]) < 0.4:
            failed.append(f"the price is {price}")
        for job in ("textfile", "token"):
            fault = wait_for(port, f'crosstalk_watch_fault_since_timestamp_seconds{{job="{job}"}}', deadline_s)
            if [f["metric"]["place"] for f in fault] != ["leaf0 to spine0"]:
                failed.append(f"{job}: the fault is {fault}")
        queries = [t["expr"] for p in json.loads(DASHBOARD.read_text())["panels"] for t in p["targets"]]
        failed += [f"no data: {query}" for query in queries if not wait_for(port, query, deadline_s)]
        if not queries:
            failed.append("the dashboard has no queries")
        if ask(port, "crosstalk_watch_no_such_name"):
            failed.append("a name that is not there gave data")
    finally:
        prometheus.terminate()
        prometheus.wait(30)
    if failed:
        print("\n".join(failed), (folder / "log").read_text()[-2000:], sep="\n")
        return 1
    print(f"{len(queries)} queries gave data")
    return 0


with tempfile.TemporaryDirectory() as name:
    sys.exit(main(pathlib.Path(name)))
