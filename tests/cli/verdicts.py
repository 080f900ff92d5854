#!/usr/bin/env python3
"""Verdicts on the examples: what crosstalk predict prints, and that groups say the same.

--long: so does the page, and they are the same under every seed."""
import json
import os
import re
import subprocess
import sys
import tempfile

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(os.environ["CROSSTALK_SOURCE"], "examples")
LINES, COLUMNS = 25, 100


def run(*words):
    done = subprocess.run([CROSSTALK, *words], capture_output=True, text=True, timeout=300, check=False, cwd=EXAMPLES)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def answer(*words):
    return json.loads(run("predict", *words, "--models", "none", "--format", "json", "--seed", "1"))


def verdicts_of(got, placement=None):
    return {(row["app"], row["with"]): row["verdict"] for row in got["verdicts"] if row.get("placement") == placement}


def check_text():
    """As tests/cli/predict.golden has it; update: crosstalk predict lab8 >../tests/cli/predict.golden in examples/"""
    text = run("predict", "lab8")
    with open(os.path.join(HERE, "predict.golden"), encoding="utf-8") as golden:
        assert text == golden.read(), text
    for words in (["lab8", "--models", "all"], ["placement"], ["lab8", "--pair", "fft+milc", "--models", "all"], ["cab18"],
                  ["scale/fat-tree"]): # more of them: screen.py
        lines = run("predict", *words, *([] if "--models" in words else ["--models", "queue"])).splitlines()
        assert len(lines) <= LINES and max(map(len, lines)) <= COLUMNS, (words, lines)
        assert lines[-1][-1] in ".%", (words, lines)
    lines = run("predict", "placement", "--models", "none", "-q").splitlines()
    assert len(lines) == 16 and " ".join(lines[13:]) == (
        "disjoint (own hosts, same switches): 10 of 10 may run beside each other; fragments (own hosts, links in common): "
        "1 of 10 may run beside each other, 9 must not; interleaved (own hosts, links in common): 10 of 10 must not."), lines
    wide = run("predict", "lab8", "--models", "all", "--evaluate").splitlines()
    assert max(map(len, wide)) <= COLUMNS, wide


def check_agreement():
    """Of pairs and groups, and of each placement alone and among the others."""
    for campaign in ("lab8", "codes8"):
        verdicts, groups = verdicts_of(answer(campaign)), answer(campaign, "--groups", "2")
        assert verdicts == verdicts_of(groups), campaign
        assert all(row["verdict"] == verdicts[row["app"], row["with"]] for row in groups["placement"]), groups["placement"]
    together = answer("placement")
    for placement in ("disjoint", "fragments", "interleaved"):
        alone = verdicts_of(answer("placement", "--placement", placement))
        assert alone == verdicts_of(together, placement), placement
        order = ("yes", "perhaps", "unknown", "disturbed", "no")
        for row in together["co_runs"]:
            both = (alone[row["app"], row["with"]], alone[row["with"], row["app"]])
            assert row["placement"] != placement or row["verdict"] == max(both, key=order.index), row


def check_page(work):
    """The page's data have the verdict of each slowdown, for each placement."""
    for campaign in ("lab8", "codes8", "placement"):
        path = os.path.join(work, f"{campaign}.html")
        run("report", campaign, "-o", path, "--schedules", work)  # without simulations: all were measured
        with open(path, encoding="utf-8") as page:
            data = json.loads(re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page.read(), re.DOTALL).group(1))
        verdicts = verdicts_of(answer(campaign)) if campaign != "placement" else None
        for part in data["placements"]:
            expected = verdicts or verdicts_of(answer(campaign, "--placement", part["placement"]))
            names = part["apps"]
            found = {(names[i // len(names)], names[i % len(names)]): pair["verdict"] for i, pair in enumerate(part["pairs"])}
            assert found == {both: expected[both] for both in found} and len(found) == len(names) ** 2, (campaign, found, expected)


def check_seeds():
    first = None
    for seed in range(1, 21):
        got = json.loads(run("predict", "lab8", "--models", "none", "--format", "json", "--seed", str(seed)))
        first = first or got
        assert got["verdicts"] == first["verdicts"] and got["answer"] == first["answer"], seed
        # What a seed changes is the bootstrap's interval.
        assert seed == 1 or got["loads"][1]["utilization_ci"] != first["loads"][1]["utilization_ci"], seed
        assert got["pairs"] == first["pairs"], seed


def main():
    with tempfile.TemporaryDirectory() as work:
        os.environ["XDG_CACHE_HOME"] = work
        if "--long" in sys.argv:
            check_page(work)
            check_seeds()
        else:
            check_text()
            check_agreement()
    print("verdicts: ok")


if __name__ == "__main__":
    main()
