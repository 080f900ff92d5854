#!/usr/bin/env python3
"""crosstalk report: structure, data, what is missing, hostile names; with --browser, in Chromium.

The page is parsed as XML, which finds more faults than HTML parsers do.
"""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
from campaign_example import CONFIGS, campaign, impact, runtime  # noqa: E402
from skip import skip_for_tool  # noqa: E402

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "report.golden")
XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script>\"'&%s%n\\ $x `id` ]]> -->;=1"  # no comma: it parts co-runners


def run(*words, **more):
    return subprocess.run([CROSSTALK, *words], capture_output=True, text=True, timeout=100,
                          check=False, **more)


def page_of(folder, out, *words):
    done = run("report", folder, "-o", out, "--seed", "1", *words)
    assert done.returncode == 0, done.stderr
    path = os.path.join(out, "report.html")
    assert path in done.stderr and done.stdout == "", done
    return path


def parse(path):
    with open(path, encoding="utf-8") as file:
        return ElementTree.fromstring(file.read())


def text_of(element):
    return re.sub(r"\s+", " ", "".join(element.itertext())).strip()


def figures(root):
    return list(root.iter(XHTML + "figure"))


def downloads(root):
    """File name -> content."""
    found = {}
    for link in root.iter(XHTML + "a"):
        if link.get("download"):
            kind, _, data = link.get("href").partition(",")
            assert kind == "data:text/csv;charset=utf-8", kind
            found[link.get("download")] = urllib.parse.unquote(data, errors="strict")
    return found


def table_of(text):
    rows = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    head = next(rows)
    return [dict(zip(head, row, strict=True)) for row in rows]


# ---- a page as such ----

def check_page(path):
    """Holds for every page: identifiers, links, nothing from outside, figures with words."""
    root = parse(path)
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names)), sorted(n for n in names if names.count(n) > 1)
    for element in root.iter():
        assert element.tag not in (XHTML + "script", SVG + "script"), element.attrib
        for key, value in element.attrib.items():
            if key.endswith("href"):
                assert value.startswith(("#", "data:")), value
                assert not value.startswith("#") or value[1:] in names, value
            assert key not in ("src", "onclick", "onload"), key
            for target in re.findall(r"url\(#([^)]*)\)", value):
                assert target in names, value
    for figure in figures(root):
        drawing = figure.find(f"{XHTML}div/{SVG}svg")
        box = [float(number) for number in drawing.get("viewBox").split()]
        assert box[2] > 100 and box[3] > 100, box
        assert text_of(drawing.find(SVG + "title")) and drawing.get("role") == "img"
        shapes = [e for e in drawing.iter() if e.tag in (SVG + "path", SVG + "use", SVG + "rect")]
        assert len(shapes) > 10, (figure.get("id"), len(shapes))
        assert text_of(figure.find(XHTML + "figcaption")).startswith("Figure ")
    return root


def caption_of(figure):
    return text_of(figure.find(XHTML + "figcaption").find(XHTML + "b"))


def structure(root):
    """Headings, figures, tables and downloads in their order: what the golden file holds."""
    lines = []
    for element in root.iter():
        if element.tag == XHTML + "section":
            lines.append(f"section {element.get('id')}: {text_of(element.find(XHTML + 'h2'))}")
        elif element.tag == XHTML + "figure":
            name = re.sub(r"Figure \d+\. ", "", caption_of(element))
            if name.startswith("Predicted by "):
                continue  # one for each model there is
            lines.append(f"  figure {element.get('id')}: {name}")
            lines += [f"    axis: {text}" for text in labels(element)]
        elif element.tag == XHTML + "summary":
            lines.append(f"  fold: {text_of(element)}")
        elif element.tag == XHTML + "th" and element.get("scope") == "col":
            lines.append(f"  column: {text_of(element)}")
        elif element.tag == XHTML + "a" and element.get("download"):
            lines.append(f"  download {element.get('download')}")
        elif element.tag == XHTML + "p" and element.get("class") == "missing":
            lines.append(f"  missing: {text_of(element)}")
    return "\n".join(lines) + "\n"


def labels(figure):
    """Labels of axes: texts with a unit in parentheses."""
    texts = [text_of(text) for text in figure.iter(SVG + "text")]
    return sorted({text for text in texts if re.search(r" \([^)]+\)($| of)", text)})


# ---- what it says ----

def check_structure(root):
    got = structure(root)
    if os.environ.get("CROSSTALK_GOLDEN") == "write":
        with open(GOLDEN, "w", encoding="utf-8") as file:
            file.write(got)
    with open(GOLDEN, encoding="utf-8") as file:
        expected = file.read()
    assert got == expected, f"structure is\n{got}\n(CROSSTALK_GOLDEN=write replaces {GOLDEN})"


def check_numbers(folder, root):
    """What can be downloaded is what crosstalk predict answers."""
    done = run("predict", folder, "--models", "all", "--format", "json", "--seed", "1")
    answer = json.loads(done.stdout)
    files = downloads(root)
    maps = [figure for figure in figures(root) if "Predicted by " in caption_of(figure)]
    assert len(maps) == len(answer["errors"]), answer["errors"]
    # Null models, the default and the two others that do best are open, the rest folded.
    section, = [element for element in root.iter(XHTML + "section") if element.get("id") == "matrix"]
    folded = {figure.get("id") for fold in section.iter(XHTML + "details") for figure in figures(fold)}
    is_open = [re.sub(".*Predicted by (.*)[.]", r"\1", caption_of(figure)) for figure in maps
            if figure.get("id") not in folded]
    errors = {model: row["mean_abs"] for model, row in answer["errors"].items()}
    assert is_open[:2] == ["none", "additive"] and len(is_open) == 5, is_open
    best = sorted(value for model, value in errors.items() if model not in is_open[:3])[:2]
    assert is_open[2] == "mutual" and [errors[model] for model in is_open[3:]] == best, (is_open, errors)
    pairs = table_of(next(text for name, text in files.items() if "figure-matrix-1" in name))
    assert len(pairs) == len(answer["pairs"])
    for row, pair in zip(pairs, answer["pairs"]):
        assert (row["app"], row["beside"]) == (pair["app"], pair["with"])
        for key, value in [("measured", pair["measured"]), *pair["predicted"].items()]:
            assert (row[key] == "") == (value is None), (row, pair)
            assert value is None or abs(float(row[key]) - value) < 1e-12, (key, row, pair)
    loads = table_of(next(text for name, text in files.items() if "utilizations" in name))
    assert [row["latencies"] for row in loads] == ["200"] * 6
    for row, load in zip(loads, answer["loads"]):
        assert abs(float(row["mean_latency_s"]) - load["mean_latency_s"]) < 1e-15
    for name, text in files.items():
        assert table_of(text), name


def check_verdicts(folder, work):
    """fft beside milc is slowed by 55 %, milc beside fft by 5 %; the limit decides."""
    for limit, verdict in (("200%", "yes"), ("2%", "no")):
        root = check_page(page_of(folder, os.path.join(work, "limit"), "--acceptable", limit))
        table = next(t for t in root.iter(XHTML + "table") if t.get("class") == "verdicts")
        rows = [[text_of(cell).replace("\u00a0", " ") for cell in row.iter(XHTML + "td")]
                for row in table.find(XHTML + "tbody")]
        assert rows[0][1] == rows[1][0] == f"{verdict}+55 %", rows
    done = run("report", folder, "-o", work, "--model", "oracle")
    assert done.returncode == 2 and "oracle" in done.stderr, done.stderr


def check_repeatable(folder, work):
    pages = []
    for name in ("once", "again"):
        with open(page_of(folder, os.path.join(work, name)), encoding="utf-8") as file:
            pages.append(file.read())
    assert pages[0] == pages[1]


def check_incomplete(folder, work):
    """Every piece may be missing; the page says so."""
    pieces = {
        "fft-beside*": ["1 of 4 slowdowns were measured"],
        "*-beside-*": ["No pair of applications was run", "0 of 4 slowdowns", "No co-run"],
        "config*.json": ["no counters of the switch", "no queue model is calibrated"],
        "*config*": ["No configuration of CompressionB", "under a configuration of CompressionB"],
        "config1.h5": ["2 of 3 configurations"],
        "fft-config1.h5": ["fft was timed under 2 of 3 configurations"],
        "fft-alone-*": ["fft was not timed alone"],
        "fft.h5": ["beside 1 of 2 applications"],
        "*milc*": ["0 of 1 slowdowns"],
        "*fft* *milc*": ["No application was measured"],
        "idle.h5": ["The idle network was not probed", "This needs what was not measured"],
    }
    for number, (patterns, words) in enumerate(pieces.items()):
        lacking = os.path.join(work, f"lacking{number}")
        ignore = shutil.ignore_patterns(*patterns.split())
        shutil.copytree(folder, lacking, ignore=ignore)
        root = check_page(page_of(lacking, os.path.join(work, "page")))
        missing = " ".join(text_of(p) for p in root.iter(XHTML + "p") if p.get("class"))
        for word in words:
            assert word in missing, (patterns, word, missing)
    done = run("report", os.path.join(work, "nowhere"), "-o", work)
    assert done.returncode == 1 and "nowhere" in done.stderr, done.stderr


def check_packed(folder, work, root):
    packed = os.path.join(work, "packed.h5")
    assert run("export", folder, "-o", packed).returncode == 0
    other = check_page(page_of(packed, os.path.join(work, "of-pack")))
    ids = [[figure.get("id") for figure in figures(page)] for page in (root, other)]
    assert ids[0] == ids[1], ids


def check_groups(folder, work):
    """fft beside milc and itself: measured 70 %, and as crosstalk predict predicts it."""
    groups = os.path.join(work, "groups")
    shutil.copytree(folder, groups)
    runtime(f"{groups}/three.h5", [2.2 * 1.7] * 3, app="fft", co_runner="milc,fft")
    files = downloads(check_page(page_of(groups, os.path.join(work, "page"))))
    rows = table_of(next(text for name, text in files.items() if name.endswith("-groups.csv")))
    done = run("predict", groups, "--models", "all", "--format", "json", "--seed", "1")
    pair = json.loads(done.stdout)["pairs"][-1]
    assert [(row["app"], row["beside"]) for row in rows] == [("fft", "fft,milc")], rows
    assert abs(float(rows[0]["measured"]) - 0.7) < 1e-9, rows
    for model in ("queue", "mutual"):
        assert abs(float(rows[0][model]) - pair["predicted"][model]) < 1e-12, (rows, pair)


def check_parts(folder, work):
    """Where the time of fft goes, which has a schedule, is what crosstalk simulate says; milc has none."""
    timed = os.path.join(work, "timed")
    model = ["--L", "5us", "--o", "1us", "--G", "10ns"]
    shutil.copytree(folder, timed)
    os.mkdir(f"{timed}/schedules")
    schedule = f"{timed}/schedules/fft.bin"
    assert run("goal", "alltoall:6,rounds=3,bytes=20kB,noise=20%", "-o", schedule).returncode == 0
    root = check_page(page_of(timed, os.path.join(work, "timed-page"), *model))
    rows = table_of(next(text for name, text in downloads(root).items() if name.endswith("-parts-table.csv")))
    assert [row["network"] for row in rows] == ["packet", "alpha-beta", "none", "critical path"], rows
    verdict, path = None, rows.pop()
    told, = json.loads(run("simulate", schedule, *model, "--network", "packet", "--path", "--format", "json").stdout)["path"]
    for part in ("runtime_s", "compute_frac", "stack_frac", "sync_frac", "network_frac"):
        assert abs(float(path[part]) - told[part]) < 1e-9, (path, told)
    for row in rows:
        assert row["app"] == "fft", rows
        done = run("simulate", schedule, *model, "--network", row["network"], "--ranks", "--format", "json")
        answer = json.loads(done.stdout)
        assert abs(float(row["runtime_s"]) - answer["programs"][0]["alone_s"]) < 1e-12, (row, answer)
        for part in ("compute_frac", "stack_frac", "sync_frac", "network_frac"):
            assert abs(float(row[part]) - answer["breakdown"][0][part]) < 1e-9, (row, answer)
        verdict = verdict or answer["breakdown"][0]
    section = next(s for s in root.iter(XHTML + "section") if s.get("id") == "parts")
    said = text_of(section)
    assert f"fft is {verdict['bound']}: the network takes {100 * verdict['network_frac']:.1f} %" in said, said
    assert f"it would be {100 * verdict['no_network_gain']:.1f} % faster" in said, said
    assert "milc: no schedule" in said, said
    assert len(figures(section)) == 1


def check_figures(folder, work):
    """Files of figures are those of the page."""
    out = os.path.join(work, "with-files")
    root = parse(page_of(folder, out, "--figures"))
    files = sorted(name for name in os.listdir(out) if name.endswith(".svg"))
    assert files == sorted(figure.get("id") + ".svg" for figure in figures(root)), files
    for name in files:
        svg = parse(os.path.join(out, name))
        assert svg.tag == SVG + "svg" and list(svg.iter(SVG + "path")), name


def check_warnings(folder, work):
    """From the baselines, from the journal, from files that cannot be read."""
    doubtful = os.path.join(work, "doubtful")
    shutil.copytree(folder, os.path.join(doubtful, "runs"))
    os.remove(f"{doubtful}/runs/fft-alone-2.h5")
    runtime(f"{doubtful}/runs/fft-alone-1.h5", [2.0, 2.02] * 5, app="fft")
    runtime(f"{doubtful}/runs/fft-alone-3.h5", [2.6, 2.62] * 5, app="fft")
    with open(f"{doubtful}/runs/cut.h5", "w", encoding="utf-8") as file:
        file.write("damaged")
    with open(f"{doubtful}/journal.jsonl", "w", encoding="utf-8") as file:
        for line in ({"seed": 1}, {"warning": "ranks share cores in 3 of 9 runs"},
                     {"warning": "ranks share cores in 3 of 9 runs"},
                     {"id": "idle-r0", "attempt": 1, "outcome": "failed", "reason": "no <answer>"},
                     {"id": "idle-r0", "attempt": 2, "outcome": "done"},
                     {"id": "gone-r0", "attempt": 1, "outcome": "failed", "reason": "deadline"}):
            file.write(json.dumps(line) + "\n")
    with open(f"{doubtful}/campaign.yaml", "w", encoding="utf-8") as file:
        file.write("campaign: doubtful-one\nlauncher: {kind: lab, hosts: 2, rate: 50mbit}\n"
                   "applications: [{name: fft, command: \"x\"}]\n")
    root = check_page(page_of(doubtful, os.path.join(work, "page")))
    section = next(s for s in root.iter(XHTML + "section") if s.get("id") == "warnings")
    warnings = [text_of(item) for item in section.iter(XHTML + "li")]
    for words in ("baseline of fft drifts", "ranks share cores in 3 of 9 runs", "cut.h5",
                  "idle-r0 failed in attempt 1, and was made later: no <answer>",
                  "gone-r0 failed in attempt 1, and is missing: deadline"):
        assert sum(words in warning for warning in warnings) == 1, (words, warnings)
    assert text_of(next(root.iter(XHTML + "h1"))) == "doubtful-one"
    facts = next(t for t in root.iter(XHTML + "table") if t.get("class") == "facts")
    assert "emulated switch of 2 hosts, links of 50mbit" in text_of(facts)


def hostile_campaign(folder):
    def name(text):
        return os.path.join(folder, text + ".h5")

    os.makedirs(folder)
    impact(name("idle"), 10)
    impact(name("config"), 20, config=CONFIGS[0])
    for number, app in enumerate((HOSTILE, "n" * 300)):
        impact(name(f"app{number}"), 15 + number, app=app)
        runtime(name(f"alone{number}"), [1.0, 1.01], app=app)
        runtime(name(f"under{number}"), [1.2, 1.21], app=app, config=CONFIGS[0])
        runtime(name(f"beside{number}"), [1.1, 1.11], app=app, co_runner=HOSTILE)


def check_hostile(work):
    folder = os.path.join(work, "hostile")
    hostile_campaign(folder)
    root = check_page(page_of(folder, os.path.join(work, "hostile-page")))
    pairs = table_of(next(text for name, text in downloads(root).items() if "matrix-1" in name))
    assert pairs[0]["app"] == HOSTILE and pairs[0]["beside"] == HOSTILE, pairs[0]
    heads = [text_of(head) for head in root.iter(XHTML + "th")]
    assert HOSTILE in heads and "n" * 300 in heads, heads
    drawn = [text_of(text) for text in root.iter(SVG + "text")]
    assert any(text.startswith("<script>alert(1)</script>") for text in drawn), drawn
    assert not any(len(text) > 120 and "n" * 40 in text for text in drawn)


# ---- in a browser ----

PROBE = """<script>
window.addEventListener('load', function () {
  var found = Array.from(document.querySelectorAll('figure')).map(function (figure) {
    var svg = figure.querySelector('svg'), box = svg.getBoundingClientRect();
    var right = figure.querySelector('.drawing').getBoundingClientRect().right; // wide ones scroll in it
    var drawn = svg.querySelector('g').getBBox();
    return [figure.id, box.width, box.height, right, drawn.width, drawn.height];
  });
  document.body.setAttribute('data-probe', JSON.stringify({
    figures: found, width: document.documentElement.scrollWidth, window: window.innerWidth}));
});
</script>"""


def browse(browser, work, path, width):
    """The page with a script that measures it: what is drawn, and what the console says."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    probed = os.path.join(work, "probed.html")
    with open(probed, "w", encoding="utf-8") as file:
        file.write(page.replace("</body>", PROBE + "</body>"))
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         f"--user-data-dir={work}/profile", f"--window-size={width},900", "--enable-logging=stderr",
         "--virtual-time-budget=5000", "--dump-dom", "file://" + probed],
        capture_output=True, text=True, timeout=90, check=False)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not console, console
    found = re.search(r'data-probe="([^"]*)"', done.stdout)
    assert found, (done.returncode, done.stderr[-2000:])
    return json.loads(found.group(1).replace("&quot;", '"'))


def check_browser(work):
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        skip_for_tool("chromium is not installed (package chromium)")
    for make in (campaign, hostile_campaign):
        folder = os.path.join(work, make.__name__)
        make(folder)
        path = page_of(folder, folder + "-page")
        ids = [figure.get("id") for figure in figures(parse(path))]
        for width in (500, 1400):
            got = browse(browser, work, path, width)
            assert [figure[0] for figure in got["figures"]] == ids, got
            assert got["width"] <= got["window"], got
            for name, *sizes, drawn_width, drawn_height in got["figures"]:
                assert sizes[0] > 250 and sizes[1] > 100, (name, sizes)
                assert sizes[2] <= got["window"] + 1, (name, sizes)
                assert drawn_width > 300 and drawn_height > 100, (name, drawn_width, drawn_height)


def main():
    if not shutil.which("gnuplot"):
        skip_for_tool("gnuplot is not installed (package gnuplot-nox)")
    with tempfile.TemporaryDirectory() as work:
        if "--browser" in sys.argv[1:]:
            check_browser(work)
        else:
            folder = os.path.join(work, "campaign")
            campaign(folder)
            root = check_page(page_of(folder, os.path.join(work, "page")))
            check_structure(root)
            check_numbers(folder, root)
            check_verdicts(folder, work)
            check_repeatable(folder, work)
            check_incomplete(folder, work)
            check_packed(folder, work, root)
            check_warnings(folder, work)
            check_groups(folder, work)
            check_figures(folder, work)
            check_parts(folder, work)
            check_hostile(work)
    print("all pages are right")


main()
