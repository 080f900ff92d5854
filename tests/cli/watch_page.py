#!/usr/bin/env python3
"""crosstalk watch --serve: its page by a plain client; with --browser, in Chromium, at two widths, in light and dark,
with a fault that begins while it is looked at. --pictures DIR keeps what is seen.
"""
import base64
import http.client
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(os.environ["CROSSTALK_SOURCE"], "tests"))
from axe import fetch_axe  # noqa: E402
from skip import skip_for_tool  # noqa: E402

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
FABRIC = os.path.join(os.environ["CROSSTALK_BIN"], "..", "tests", "watched_fabric")


class Watch:
    """A fabric that is simulated, and its watch with a page."""

    def __init__(self, work):
        self.folder = os.path.join(work, "watch")
        self.fabric = subprocess.Popen([FABRIC, self.folder, "live"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.fabric.stdout.readline() == "healthy\n"
        self.token_file = os.path.join(work, "page.token")
        self.status_file = os.path.join(work, "status.json")
        self.watch = subprocess.Popen([CROSSTALK, "watch", self.folder, "--status", self.status_file, "--topology", "tree:4x4,2", "--rate", "8gbit", "--uplink", "8gbit",
                                       "--learn", "60s", "--serve", "0",
                                       "--token", self.token_file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.watch.stderr.readline()
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)/, its token in " + re.escape(self.token_file), line).group(1))
        assert stat.S_IMODE(os.stat(self.token_file).st_mode) == 0o600
        with open(self.token_file, encoding="ascii") as file:
            self.token = file.read().strip()

    def break_link(self):
        self.fabric.stdin.write("\n")
        self.fabric.stdin.flush()

    def close(self):
        for process in (self.fabric, self.watch):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        out, err = self.watch.communicate(timeout=30)
        self.fabric.stdin.close()
        self.fabric.wait(30)
        assert self.watch.returncode == 0, (self.watch.returncode, err)
        return out

    def ask(self, path, method="GET", body=None, **headers):
        """Status, headers and text of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, body, {key.replace("_", "-"): value for key, value in headers.items()})
        answer = connection.getresponse()
        got = answer.status, answer.headers, answer.read().decode()
        connection.close()
        return got

    def state(self):
        return json.loads(self.ask("/state", Authorization="Bearer " + self.token)[2])

    def raw(self, data):
        """All that comes back, until the end of the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as line:
            line.sendall(data)
            got = b""
            while piece := line.recv(65536):
                got += piece
        return got.decode()


def check_rules(watch):
    bearer = "Bearer " + watch.token
    status, headers, text = watch.ask("/")
    assert status == 401 and '<form method="post" action="/login">' in text and watch.token not in text, text
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and headers["Cache-Control"] == "no-store", policy
    for path in ("/page.js", "/events", "/state"):
        assert watch.ask(path)[0] == 401, path
        assert watch.ask(path, Authorization="Bearer " + watch.token[:-1] + ("0" if watch.token[-1] != "0" else "1"))[0] == 401
    status, _, text = watch.ask("/", Authorization=bearer)
    assert status == 200 and "/page.js" in text
    assert watch.ask("/", Authorization=bearer, Host="evil.example")[0] == 421
    assert watch.ask("/?token=" + watch.token)[0] == 400
    assert watch.ask("/nothing", Authorization=bearer)[0] == 404
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert watch.ask("/state", method, Authorization=bearer)[0] == 405, method
    assert watch.ask("/page.js", "HEAD", Authorization=bearer)[2] == ""
    assert watch.ask("/login", "POST", "token=" + 64 * "0")[0] == 401
    assert watch.ask("/login", "POST", 600 * "x")[0] == 413
    status, headers, _ = watch.ask("/login", "POST", f"token={watch.token}%0D%0A")
    cookie = headers["Set-Cookie"]
    assert status == 303 and headers["Location"] == "/" and "HttpOnly; SameSite=Strict" in cookie, headers
    assert watch.token not in cookie
    assert watch.ask("/page.js", Cookie=cookie.split(";")[0])[0] == 200


def check_limits(watch):
    """Headers, bodies without a length, two hosts."""
    host = b"Host: localhost\r\n"
    assert watch.raw(b"GET / HTTP/1.1\r\n" + host + b"Host: localhost\r\n\r\n").startswith("HTTP/1.1 400 ")
    assert watch.raw(b"GET / HTTP/1.1\r\n" + host + b"X: " + 40000 * b"x" + b"\r\n\r\n").startswith("HTTP/1.1 431 ")
    chunk = b"200\r\n" + 512 * b"x" + b"\r\n"
    got = watch.raw(b"POST /login HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n" + 4 * chunk)
    assert "303" not in got and "Set-Cookie" not in got, got
    check_slow(watch)
    check_many(watch)


def check_slow(watch):
    """Who sends a byte at a time is heard for 10 s, and never idle for 20."""
    with socket.create_connection(("127.0.0.1", watch.port), timeout=20) as line:
        end = time.monotonic() + 60
        try:
            for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + 400 * b"x":
                line.sendall(bytes([byte]))
                line.settimeout(0.2)
                try:
                    if line.recv(4096) == b"":
                        return
                except socket.timeout:
                    pass
                assert time.monotonic() < end, "a slow sender is still heard"
        except (BrokenPipeError, ConnectionResetError):
            return
    raise AssertionError("a slow sender was heard to its end")


def check_many(watch):
    """More than 64 connections: the rest wait until one of them ends."""
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    lines = [socket.create_connection(("127.0.0.1", watch.port), timeout=20) for _ in range(65)]
    try:
        lines[64].sendall(request)
        lines[64].settimeout(0.5)
        try:
            raise AssertionError(f"connection 65 got {lines[64].recv(4096)}")
        except socket.timeout:
            lines[64].settimeout(20)
        lines[0].sendall(request)
        assert lines[0].recv(4096).startswith(b"HTTP/1.1 401 ")
        assert lines[64].recv(4096).startswith(b"HTTP/1.1 401 ")
    finally:
        for line in lines:
            line.close()


def read_events(watch, seconds):
    """Events as a script gets them."""
    request = urllib.request.Request(f"http://127.0.0.1:{watch.port}/events", headers={"Authorization": "Bearer " + watch.token})
    found, end = [], time.monotonic() + seconds
    with urllib.request.urlopen(request, timeout=10) as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        while time.monotonic() < end and [name for name, _ in found].count("state") < 2:
            line = stream.readline().decode().rstrip("\n")
            if line.startswith("event: "):
                found.append((line[7:], json.loads(stream.readline().decode()[6:])))
    return found


def check_openmetrics(text):
    """By the parser of the Python client of Prometheus, which refuses names, units and orders that are not of the standard."""
    assert text.endswith("# EOF\n")
    try:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
    except ImportError:
        assert os.environ.get("CROSSTALK_TOOLS") != "required", "python3-prometheus-client is not installed"
        print("not tried: OpenMetrics, for want of python3-prometheus-client")
        return
    families = {family.name: family for family in text_string_to_metric_families(text)}
    fault = families["crosstalk_watch_fault_since_timestamp_seconds"]
    assert [sample.labels for sample in fault.samples] == [{"place": "leaf0 to spine0", "kind": "rate"}], fault.samples
    assert families["crosstalk_watch_probes"].type == "counter" and fault.unit == "seconds", fault


def wait_for(what, seconds=60):
    """Of a program that works beside this one: the time is a deadline, not a measure."""
    end = time.monotonic() + seconds
    while True:
        got = what()
        if got or time.monotonic() > end:
            return got
        time.sleep(0.2)


def check_status(watch):
    """The file of --status and the page have one document."""
    page = watch.state()
    with open(watch.status_file, encoding="utf-8") as file:
        status = json.load(file)
    assert list(page) == list(status) and list(page["hosts_seen"][0]) == list(status["hosts_seen"][0]), (list(page), list(status))


def check_plain(work):
    watch = Watch(work)
    try:
        assert wait_for(lambda: watch.state() and watch.state()["classes"])
        check_rules(watch)
        check_limits(watch)
        events = read_events(watch, 20)
        assert [name for name, _ in events] == ["fabric", "history", "state", "state"], [name for name, _ in events]
        fabric, points, state = (value for _, value in events[:3])
        assert len(fabric["vertices"]) == 22 and len(fabric["links"]) == 24 and fabric["has_hosts"] == 1
        assert len(points) >= 1 and all(0 < point[4] <= point[5] < 1e-3 for point in points), points
        assert len(state["hosts_seen"]) == 16 and state["alarms"] == [] and state["prices"] == []
        assert len(state["loads"]) == 48 and all(0 <= load["busy"] < 0.05 for load in state["loads"]), state["loads"]
        watch.break_link()
        alarm, = wait_for(lambda: watch.state()["alarms"])
        assert alarm["kind"] == "rate" and alarm["ended"] == "lasts" and alarm["sentence"].startswith("leaf0 to spine0 carries"), alarm
        direction = int(alarm["suspects"][0])
        load, link = state["loads"][direction], fabric["links"][direction // 2]
        assert (load["from"], load["to"]) == ("leaf0", "spine0") and len(alarm["suspects"]) == 1 and direction % 2 == 0, alarm
        assert [fabric["vertices"][v]["name"] for v in link] == ["leaf0", "spine0"], link
        check_status(watch)
        bearer = "Bearer " + watch.token
        assert 'place="leaf0 to spine0"' in watch.ask("/metrics", Authorization=bearer)[2]
        check_openmetrics(watch.ask("/metrics", Authorization=bearer, Accept="application/openmetrics-text")[2])
        assert watch.raw(b"GET /state HTTP/1.1\r\nHost: localhost\r\n\r\n").startswith("HTTP/1.1 401")
    finally:
        out = watch.close()
    assert "leaf0 to spine0 carries less" in out, out


# ---- in a browser ----

class Browser:
    """Chromium by the protocol of WebDriver."""

    def __init__(self, width, is_dark, work):
        for tool in ("chromedriver", "chromium"):
            if not shutil.which(tool):
                skip_for_tool(f"{tool} is not installed (packages chromium, chromium-driver)")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert wait_for(self.is_ready), "chromedriver does not answer"
        options = {"binary": shutil.which("chromium"), "args": ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   f"--user-data-dir={work}/profile-{width}-{is_dark}", *(["--blink-settings=preferredColorScheme=0"] if is_dark else [])],
                   "mobileEmulation": {"deviceMetrics": {"width": width, "height": 1100, "pixelRatio": 1, "mobile": width < 500}}}
        made = self.send("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = "/session/" + made["sessionId"]

    def is_ready(self):
        try:
            return self.send("GET", "/status")["ready"]
        except OSError:
            return False

    def send(self, method, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", None if body is None else json.dumps(body).encode(),
                                         {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script):
        return self.send("POST", self.session + "/execute/sync", {"script": script, "args": []})

    def close(self):
        try:
            self.send("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait(20)


FACTS = """return {text: document.body.innerText, status: document.getElementById('status').innerText,
  fabric: Array.from(document.querySelectorAll('#fabric .way.suspect title')).map(one => one.textContent),
  away: document.querySelectorAll('#fabric .host.away').length, ways: document.querySelectorAll('#fabric .way').length,
  blue: document.querySelectorAll('#fabric .way.l0').length, lines: document.querySelectorAll('#latency .line').length, width: document.documentElement.scrollWidth, window: innerWidth,
  bad: Array.from(document.querySelectorAll('svg *')).filter(e => Array.from(e.attributes).some(a => /NaN|Infinity|undefined/.test(a.value))).length}"""


def check_access(browser, axe):
    browser.run(axe + "; window.axeDone = null; axe.run(document, {resultTypes: ['violations']}).then(r => window.axeDone = "
                "[r.passes.length, r.violations.map(v => [v.id, v.impact, v.nodes.length, v.nodes[0].html.slice(0, 300), v.nodes[0].failureSummary])])")
    passes, violations = wait_for(lambda: browser.run("return window.axeDone"))
    assert passes > 10 and violations == [], violations


def check_page(browser, watch, axe, pictures, name):
    browser.send("POST", browser.session + "/url", {"url": f"http://localhost:{watch.port}/"})
    browser.run(f"document.getElementById('token').value = '{watch.token}'; document.forms[0].submit()")
    got = wait_for(lambda: "Nothing is sick" in browser.run("return document.body.innerText") and browser.run(FACTS))
    assert got, browser.run("return document.body.innerText")
    assert got["fabric"] == [] and got["ways"] == 48 and got["lines"] >= 2 and got["away"] == 0, got
    assert "Blue: less than a quarter busy" in got["text"] and got["blue"] == 48, (got["blue"], got["text"])
    assert browser.run("return location.href") == f"http://localhost:{watch.port}/"
    watch.break_link()
    got = wait_for(lambda: browser.run(FACTS)["fabric"] and browser.run(FACTS))
    assert got, browser.run("return document.body.innerText")
    assert len(got["fabric"]) == 1 and got["fabric"][0].startswith("leaf0 to spine0 carries less than it did, by "), got["fabric"]
    assert got["status"].startswith("leaf0 to spine0 carries less") and got["away"] == 1, got
    assert "15 here, 1 away" in got["text"] and "Why: leaf0 to spine0: large messages are slower" in got["text"], got["text"]
    assert got["width"] <= got["window"] and got["bad"] == 0 and "undefined" not in got["text"] and "NaN" not in got["text"], got
    check_access(browser, axe)
    if pictures:
        browser.run("document.documentElement.style.scrollBehavior = 'auto'; scrollTo(0, 0)")
        with open(os.path.join(pictures, name + ".png"), "wb") as file:
            file.write(base64.b64decode(browser.send("GET", browser.session + "/screenshot")))
        browser.run("document.getElementById('h-latency').scrollIntoView()")
        with open(os.path.join(pictures, name + "-below.png"), "wb") as file:
            file.write(base64.b64decode(browser.send("GET", browser.session + "/screenshot")))


def check_lost(browser):
    """The watch has ended: the page says so."""
    words = "The watch does not answer"
    assert wait_for(lambda: words in browser.run("return document.getElementById('fresh').innerText"))


def check_browser(work, pictures):
    axe = fetch_axe(work)
    for width, is_dark in ((1400, False), (390, True), (390, False), (1400, True)):
        name = f"{width}-{'dark' if is_dark else 'light'}"
        folder = os.path.join(work, name)
        os.mkdir(folder)
        watch, browser = Watch(folder), None
        try:
            browser = Browser(width, is_dark, folder)
            check_page(browser, watch, axe, pictures, name)
            watch.close()
            check_lost(browser)
            logged = browser.send("POST", browser.session + "/se/log", {"type": "browser"})
            policy = [one for one in logged if "Content Security Policy" in one["message"] or "Uncaught" in one["message"]]
            assert not policy, policy
        finally:
            if watch.watch.poll() is None:
                watch.close()
            if browser:
                browser.close()


def main():
    pictures = sys.argv[sys.argv.index("--pictures") + 1] if "--pictures" in sys.argv else None
    with tempfile.TemporaryDirectory() as work:
        if "--browser" in sys.argv:
            check_browser(work, pictures)
        else:
            check_plain(work)


main()
