#!/usr/bin/python3
"""The page of crosstalk watch as a client of HTTP sees it: who gets an answer, and what is in it; in Chromium, where it is
there, what a person reads.

    watch_page.py    crosstalk and watched_fabric of CROSSTALK_BIN"""
import http.client
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

BIN = os.environ["CROSSTALK_BIN"]
COMMAND = [os.path.join(BIN, "crosstalk"), "watch", "watch", "--topology", "tree:4x4,2", "--learn", "100s", "--serve", "0"]
FAULT = "leaf0 to spine0 carries less than it did"


def start():
    """The process, and the port of its page."""
    process = subprocess.Popen(COMMAND, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        found = re.search(r"the page is at http://127\.0\.0\.1:(\d+)/", line)
        if found:
            return process, int(found[1])
    raise AssertionError(f"no page: exit code {process.wait()}")


def ask(port, method, path, body=None, host=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, body=body, headers={"Host": host or f"localhost:{port}", **headers})
    answer = connection.getresponse()
    return answer, connection


def status_of(*arguments, **headers):
    answer, connection = ask(*arguments, **headers)
    answer.read()
    connection.close()
    return answer.status


def check_access(port, token):
    right, wrong = {"Authorization": f"Bearer {token}"}, {"Authorization": f"Bearer {'0' * len(token)}"}
    for status, method, path, headers in [
            (401, "GET", "/", {}), (401, "GET", "/state", wrong), (200, "GET", "/", right), (200, "GET", "/page.js", right),
            (404, "GET", "/etc/passwd", right), (404, "GET", "/../key", right), (405, "DELETE", "/", right),
            (400, "GET", f"/?token={token}", right), (401, "POST", "/login", {}), (405, "POST", "/state", right)]:
        got = status_of(port, method, path, body="token=0" if method == "POST" else None, **headers)
        assert got == status, (status, got, method, path, headers)
    assert status_of(port, "GET", "/", host="elsewhere.example", **right) == 421
    assert status_of(port, "GET", "/", **right, **{"X-Long": "x" * 20000}) in (413, 431)
    # The form gives a cookie, which opens the page, and is not the token.
    answer, connection = ask(port, "POST", "/login", body=f"token={token}", **{"Content-Type": "application/x-www-form-urlencoded"})
    cookie = answer.getheader("Set-Cookie")
    connection.close()
    assert answer.status == 303 and "HttpOnly" in cookie and "SameSite=Strict" in cookie and token not in cookie, cookie
    assert status_of(port, "GET", "/", Cookie=cookie.split(";")[0]) == 200


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


def check_documents(port, token):
    right = {"Authorization": f"Bearer {token}"}
    for _ in range(100): # what is in the folder is read first
        answer, _ = ask(port, "GET", "/state", **right)
        state = json.load(answer)
        if state:
            break
        time.sleep(0.1)
    assert [alarm["kind"] for alarm in state["alarms"]] == ["rate"], state["alarms"]
    assert "default-src 'none'" in answer.getheader("Content-Security-Policy")
    answer, _ = ask(port, "GET", "/metrics", **right)
    assert b'crosstalk_watch_fault_since_timestamp_seconds{place="leaf0 to spine0",kind="rate"}' in answer.read()
    answer, _ = ask(port, "GET", "/metrics", Accept="application/openmetrics-text", **right)
    check_openmetrics(answer.read().decode())
    answer, connection = ask(port, "GET", "/events", **right)
    assert answer.readline() == b"event: fabric\n"
    connection.close()


class Browser:
    """Chromium, by the WebDriver protocol."""

    def __init__(self):
        self.process = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        ports = (re.search(r"started successfully on port (\d+)", line) for line in self.process.stdout)
        self.port = int(next(found[1] for found in ports if found))
        options = {"args": ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=390,844"]}
        self.session = "/session/" + self.call("POST", "/session", capabilities={
            "alwaysMatch": {"goog:chromeOptions": options}})["sessionId"]

    def call(self, method, path, **values):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body=json.dumps(values) if method == "POST" else None)
        return json.load(connection.getresponse())["value"]

    def do(self, method, path, **values):
        return self.call(method, self.session + path, **values)

    def find(self, selector):
        return "/element/" + next(iter(self.do("POST", "/element", using="css selector", value=selector).values()))

    def close(self):
        self.do("DELETE", "")
        self.process.terminate()
        self.process.wait(20)


def check_chromium(port, token):
    """As a person: the form, then the page, on a phone."""
    browser = Browser()
    try:
        browser.do("POST", "/url", url=f"http://localhost:{port}/")
        browser.do("POST", browser.find("#token") + "/value", text=token)
        browser.do("POST", browser.find("button") + "/click")
        for _ in range(100):
            page = browser.do("GET", "/source")
            if FAULT in page:
                break
            time.sleep(0.2)
        assert FAULT in page and "way suspect" in page and "What is not known" in page, page[-3000:]
        wide = browser.do("POST", "/execute/sync", script="return document.documentElement.scrollWidth > innerWidth", args=[])
        assert not wide, "the page is wider than the screen"
    finally:
        browser.close()


def main():
    os.chdir(tempfile.mkdtemp(dir="."))
    subprocess.run([os.path.join(BIN, "..", "tests", "watched_fabric"), "watch"], check=True)
    process, port = start()
    try:
        assert stat.S_IMODE(os.stat("watch/page.token").st_mode) == 0o600
        with open("watch/page.token", encoding="ascii") as file:
            token = file.read().strip()
        check_access(port, token)
        check_documents(port, token)
        if "--chromium" in sys.argv:
            if not shutil.which("chromedriver"):
                sys.exit(1 if os.environ.get("CROSSTALK_TOOLS") == "required" else 77)
            check_chromium(port, token)
    finally:
        process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0
    os.chmod("watch/page.token", 0o644)
    refused = subprocess.run(COMMAND, check=False, timeout=60, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert refused.returncode in (1, 2), refused
    assert "page.token" in refused.stderr, refused.stderr


main()
