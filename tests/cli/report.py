#!/usr/bin/env python3
"""crosstalk report: structure, data, what is missing, hostile names; with --browser, in Chromium; with --axe, by
axe-core there.

The page is parsed as XML, which finds more faults than HTML parsers do.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True
from axe import fetch_axe  # noqa: E402
from campaign_example import CONFIGS, campaign, impact, many_programs, runtime  # noqa: E402
from skip import skip_for_tool  # noqa: E402

CROSSTALK = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
VERDICTS = ("yes", "perhaps", "unknown", "disturbed", "no")
HOSTILE = "</script><img src=x onerror=alert(1)><!--\"'&%s%n\\ $x `id` ]]> -->;=1"  # no comma: it parts co-runners


def run(*words, **more):
    return subprocess.run([CROSSTALK, *words], capture_output=True, text=True, timeout=100,
                          check=False, **more)


def page_of(folder, out, *words):
    """A folder for the page, or its name. Of a scan the answer is printed, too."""
    done = run("report", folder, "-o", out, "--seed", "1", *words)
    assert done.returncode == 0, done.stderr
    path = out if out.endswith(".html") else os.path.join(out, "report.html")
    assert path in done.stderr and ("Congestion score" in done.stdout if folder.endswith(".json") else done.stdout == ""), done
    return path


def parse(path):
    with open(path, encoding="utf-8") as file:
        return ElementTree.fromstring(file.read())


def text_of(element):
    return re.sub(r"\s+", " ", "".join(element.itertext())).strip()


def data_of(root):
    return json.loads(next(e for e in root.iter(XHTML + "script") if e.get("id") == "data").text)


def first_of(folder, out, *words):
    """The data of the only placement."""
    part, = data_of(check_page(page_of(folder, out, *words)))["placements"]
    return part


def near(got, expected):
    """Numbers of the page have five digits."""
    assert (got is None) == (expected is None), (got, expected)
    assert got is None or abs(got - expected) <= 1e-4 * abs(expected) + 1e-12, (got, expected)


# ---- a page as such ----

def check_page(path):
    """Holds for every page: identifiers, nothing from outside, one script, data that cannot end it."""
    root = parse(path)
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names)), sorted(n for n in names if names.count(n) > 1)
    for element in root.iter():
        for key, value in element.attrib.items():
            if key.endswith("href"):
                assert value.startswith("data:"), value
            assert key not in ("src", "onclick", "onload", "onerror"), key
            for target in re.findall(r"url\(#([^)]*)\)", value):
                assert target in names, value
    scripts = list(root.iter(XHTML + "script"))
    assert [script.get("id") for script in scripts] == ["data", None], scripts
    assert not re.search("[<>&]", scripts[0].text)
    with open(path, encoding="utf-8") as file:
        page = file.read()
    assert page.count("</script") == 2 and "<img" not in page and "innerHTML" not in page
    assert "gnuplot" not in page
    return root


def status_of(root):
    return text_of(next(e for e in root.iter(XHTML + "p") if e.get("id") == "status"))


# ---- what it says ----

def check_numbers(folder, part):
    """What crosstalk predict answers."""
    done = run("predict", folder, "--models", "all", "--format", "json", "--seed", "1")
    answer = json.loads(done.stdout)
    n = len(part["apps"])
    assert part["model"] == "probe" and len(part["pairs"]) == n * n, part["model"]
    for number, pair in enumerate(answer["pairs"]):
        assert (pair["app"], pair["with"]) == (part["apps"][number // n], part["apps"][number % n])
        near(part["measured"][number], pair["measured"])
        known = pair["measured"] if part["pairs"][number]["is_measured"] else pair["predicted"]["probe"]
        near(part["pairs"][number]["slowdown"], known)
        for model in part["models"]:
            near(model["predicted"][number][0], pair["predicted"].get(model["key"]))
    for model in part["models"]:
        if model["pairs"]:
            near(model["mean"], answer["errors"][model["key"]]["mean_abs"])
    for row, load in zip(part["loads"], answer["loads"]):
        near(row["mean_us"], 1e6 * load["mean_latency_s"])
    assert [load["probes"] for load in part["loads"]] == [200] * 6
    for passes in [*part["alone"], *part["pairs"]]:
        assert len(passes["passes_s"]) <= 200 and passes["passes_s"] == sorted(passes["passes_s"])
    assert [len(probe["us"]) for probe in part["probes"]] == [200] * 3
    assert all(row[0] < row[1] and row[2] <= row[3] for row in part["probes"][1]["windows"])


def check_verdicts(folder, work):
    """fft beside milc is slowed by 55 %, milc beside fft by 5 %; the limit decides."""
    for limit, verdict, words in (("200%", "yes", "Of 3 pairs 1 may"), ("2%", "no", "1 should not")):
        out = os.path.join(work, "limit.html")
        root = check_page(page_of(folder, out, "--acceptable", limit, "--confidence", "0.8"))
        pair = data_of(root)["placements"][0]["pairs"][1]
        assert pair["verdict"] == verdict, pair
        titles = [text_of(title) for title in root.iter(SVG + "title")]
        assert f"fft beside milc: +55 %, {verdict}" in titles, titles
        section = next(s for s in root.iter(XHTML + "section") if s.get("id") == "answer")
        assert words in text_of(section), text_of(section)
        assert status_of(root) == (
            "2 of 4 slowdowns were measured, the others are predicted (marked *). Whether ranks waited for processors was not recorded.")
    done = run("report", folder, "-o", work, "--model", "oracle")
    assert done.returncode == 2 and "oracle" in done.stderr, done.stderr


def check_repeatable(folder, work):
    pages = []
    for name in ("once", "again"):
        with open(page_of(folder, os.path.join(work, name)), encoding="utf-8") as file:
            pages.append(file.read())
    assert pages[0] == pages[1]


def check_incomplete(folder, work):
    """Every piece may be missing; the rest of the page is there."""
    pieces = {
        "fft-beside*": lambda part: part["pairs"][1]["is_measured"] == 0,
        "*-beside-*": lambda part: "No two applications" in part["question"],
        "config*.json": lambda part: "counters" not in part["loads"][0],
        "*config*": lambda part: len(part["loads"]) == 3,
        "fft-config1.h5": lambda part: part["under"][0]["configs"][1][0] is None,
        "fft-alone-*": lambda part: part["pairs"][1]["slowdown"] is None and part["pairs"][1]["verdict"] == "unknown",
        "fft.h5": lambda part: part["probes"][1]["us"] == [],
        "*milc*": lambda part: part["apps"] == ["fft"] and part["groups"] == [],
        "*fft* *milc*": lambda part: part["apps"] == [],
        "idle.h5": lambda part: part["probes"][0]["us"] == [] and part["pairs"][1]["is_measured"] and part["model"] == "multiplicative",
    }
    for number, (patterns, holds) in enumerate(pieces.items()):
        lacking = os.path.join(work, f"lacking{number}")
        shutil.copytree(folder, lacking, ignore=shutil.ignore_patterns(*patterns.split()))
        part = first_of(lacking, os.path.join(work, "page"))
        assert holds(part), (patterns, part)
    done = run("report", os.path.join(work, "nowhere"), "-o", os.path.join(work, "none"))
    assert done.returncode == 1 and "nowhere" in done.stderr, done.stderr
    assert not os.path.exists(os.path.join(work, "none"))


def check_packed(folder, work, part):
    packed = os.path.join(work, "packed.h5")
    assert run("export", folder, "-o", packed).returncode == 0
    other = first_of(packed, os.path.join(work, "of-pack"))
    assert other["pairs"] == part["pairs"] and other["probes"] == part["probes"]


def check_several(folder, work):
    """fft beside milc and itself: measured 70 %, and as crosstalk predict predicts it."""
    groups = os.path.join(work, "groups")
    shutil.copytree(folder, groups)
    runtime(f"{groups}/three.h5", [2.2 * 1.7] * 3, app="fft", co_runner="milc,fft")
    part = first_of(groups, os.path.join(work, "page"))
    done = run("predict", groups, "--models", "all", "--format", "json", "--seed", "1")
    pair = json.loads(done.stdout)["pairs"][-1]
    row, = part["several"]
    assert (row["app"], row["with"]) == ("fft", "fft,milc"), row
    near(row["measured"], 0.7)
    near(row["predicted"], pair["predicted"]["probe"])


def check_times(folder, work):
    """Where the time of fft goes, which has a schedule, is what crosstalk simulate says; milc has none."""
    timed = os.path.join(work, "timed")
    model = ["--L", "5us", "--o", "1us", "--G", "10ns"]
    shutil.copytree(folder, timed)
    os.mkdir(f"{timed}/schedules")
    schedule = f"{timed}/schedules/fft.bin"
    assert run("goal", "alltoall:6,rounds=3,bytes=20kB,noise=20%", "-o", schedule).returncode == 0
    part = first_of(timed, os.path.join(work, "timed-page"), *model)
    fft, milc = part["times"]
    assert [bar["network"] for bar in fft["bars"]] == ["packet", "alpha-beta", "none", "critical path"], fft
    keys = ("compute_frac", "stack_frac", "sync_frac", "network_frac")
    path, = json.loads(run("simulate", schedule, *model, "--network", "packet", "--path", "--format", "json").stdout)["path"]
    for bar in fft["bars"]:
        told = path
        if bar["network"] != "critical path":
            done = run("simulate", schedule, *model, "--network", bar["network"], "--ranks", "--format", "json")
            answer = json.loads(done.stdout)
            near(bar["runtime_s"], answer["programs"][0]["alone_s"])
            told = answer["breakdown"][0]
        for share, key in zip(bar["parts"], keys):
            assert abs(share - told[key]) < 1e-4, (bar, told)
    assert "no schedule" in milc["why"], milc
    done = run("tolerance", schedule, *model, "--threshold", "1%", "--serialize-nic", "--format", "json", "--seed", "1")
    near(part["tolerance"][0]["tolerance_us"][0], 1e6 * json.loads(done.stdout)["tolerance"][0]["delta_L_s"])


def check_outputs(folder, work):
    """Files of the pictures; names that cannot be written are refused before anything is read."""
    out = os.path.join(work, "with-files")
    root = parse(page_of(folder, out, "--figures"))
    assert sorted(os.listdir(out)) == ["groups.svg", "matrix.svg", "report.html"]
    pictures = [e for e in root.iter(SVG + "svg")]
    for name, inside in zip(("matrix.svg", "groups.svg"), pictures):
        svg = parse(os.path.join(out, name))
        assert ElementTree.tostring(svg) == ElementTree.tostring(inside).rstrip(), name
    picture = os.path.join(work, "only.svg")
    assert run("report", folder, "-o", picture, "--seed", "1").returncode == 0
    with open(picture, "rb") as one, open(os.path.join(out, "matrix.svg"), "rb") as other:
        assert one.read() == other.read()
    if shutil.which("rsvg-convert"):
        assert run("report", folder, "-o", os.path.join(work, "only.png")).returncode == 0
        with open(os.path.join(work, "only.png"), "rb") as one:
            assert one.read(8) == b"\x89PNG\r\n\x1a\n"
    page = page_of(folder, os.path.join(work, "one.html"))
    assert os.path.isfile(page)
    for name, why in (("/proc/x", "--output"), (os.path.join(work, "no/such/page.html"), "--output"),
                      (os.path.join(work, "packed.h5"), "is a file"), (out + "/report.html/x", "--output")):
        done = run("report", "nowhere", "-o", name)
        assert done.returncode in (1, 2) and why in done.stderr and "nowhere" not in done.stderr, done
    done = run("report", folder, "-o", page, "--figures")
    assert done.returncode == 2 and "folder" in done.stderr, done


def check_warnings(folder, work):
    """From the baselines, from the journal, from files that cannot be read. A drift disturbs."""
    doubtful = os.path.join(work, "doubtful")
    shutil.copytree(folder, os.path.join(doubtful, "runs"))
    os.remove(f"{doubtful}/runs/fft-alone-2.h5")
    runtime(f"{doubtful}/runs/fft-alone-1.h5", [2.0, 2.02] * 5, app="fft")
    runtime(f"{doubtful}/runs/fft-alone-3.h5", [3.6, 3.62] * 5, app="fft")
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
    data = data_of(root)
    warnings = data["warnings"] + data["placements"][0]["warnings"]
    for words in ("baseline of fft drifts", "ranks share cores in 3 of 9 runs", "cut.h5",
                  "idle-r0 failed in attempt 1, and was made later: no <answer>",
                  "gone-r0 failed in attempt 1, and is missing: deadline"):
        assert sum(words in warning for warning in warnings) == 1, (words, warnings)
    assert text_of(next(root.iter(XHTML + "h1"))) == "doubtful-one"
    assert data["network"] == "emulated switch of 2 hosts, links of 50 Mbit/s"
    assert "campaign: doubtful-one" in data["file"]
    assert status_of(root) == (
        "1 of 2 measurements are disturbed: do not decide by the hatched cells. Whether ranks waited for processors was not recorded.")
    assert data["placements"][0]["pairs"][1]["verdict"] == "disturbed"


def check_placements(folder, work):
    """Several are side by side without an option, in the order of their names."""
    import h5py
    placed = os.path.join(work, "placed")
    os.mkdir(placed)
    for name, hosts in (("apart", "c d"), ("mixed", "a b")):
        for file in os.listdir(folder):
            shutil.copy(os.path.join(folder, file), f"{placed}/{name}-{file}")
            if file.endswith(".h5"):
                with h5py.File(f"{placed}/{name}-{file}", "a") as run_file:
                    for key, value in (("placement", name), ("placement_hosts", "a b"), ("placement_with_hosts", hosts),
                                       ("started_utc", f"2026-01-01T00:00:0{len(name)}Z")):
                        run_file.attrs[key] = value
    parts = data_of(check_page(page_of(placed, os.path.join(work, "placed.html"))))["placements"]
    assert [part["placement"] for part in parts] == ["apart", "mixed"], parts
    assert parts[0]["question"] == ("Each two applications ran on hosts of their own; the switches were not recorded "
                                    "(a b; beside it c d)."), parts[0]["question"]
    assert [part["shared"] for part in parts] == ["own hosts", "hosts"], parts
    assert parts[1]["question"] == "Each two applications ran on the same hosts (a b).", parts[1]["question"]
    one = first_of(placed, os.path.join(work, "placed.html"), "--placement", "mixed")
    assert one["placement"] == "mixed" and one["pairs"] == parts[1]["pairs"]
    done = run("report", placed, "-o", work, "--placement", "none-such")
    assert done.returncode == 2 and "none-such" in done.stderr, done.stderr


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
    with open(os.path.join(folder, "campaign.yaml"), "w", encoding="utf-8") as file:
        file.write(f"campaign: '{HOSTILE.replace(chr(39), chr(39) * 2)}'\n")


def check_hostile(work):
    folder = os.path.join(work, "hostile")
    hostile_campaign(folder)
    root = check_page(page_of(folder, os.path.join(work, "hostile-page"), "--figures"))
    part, = data_of(root)["placements"]
    assert sorted(part["apps"]) == sorted([HOSTILE, "n" * 300]), part["apps"]
    for picture in (root, parse(os.path.join(work, "hostile-page", "matrix.svg"))):
        assert any(HOSTILE in text_of(title) for title in picture.iter(SVG + "title"))
        drawn = [text_of(text) for text in picture.iter(SVG + "text")]
        assert any(text.startswith("</script><img") for text in drawn), drawn
        assert not any(len(text) > 120 for text in drawn)
        assert not [e for e in picture.iter() if e.tag in (SVG + "image", XHTML + "img")]


# ---- in a browser ----

# A cell is clicked, the limit moved; then the page is measured.
PROBE = """<script>
window.addEventListener('load', async () => {
  const all = selector => Array.from(document.querySelectorAll(selector));
  const found = {text: [], errors: [], images: document.images.length, noscript: !!document.querySelector('#pictures')};
  for (const one of all('details')) one.open = true;
  const verdicts = () => all('.matrix').map(m => m.innerText);
  found.before = verdicts();
  found.next = document.body.innerText;
  const slider = document.querySelector('input[type=range]');
  if (slider) { slider.value = slider.max; slider.dispatchEvent(new Event('input')); }
  found.after = verdicts();
  found.status = document.getElementById('status').innerText;
  const cell = document.querySelector('.cell');
  if (cell) { cell.click(); found.detail = document.getElementById('detail').innerText; found.hash = location.hash; }
  const head = document.querySelector('#applications th button');
  if (head) { head.click(); found.sorted = head.parentNode.getAttribute('aria-sort'); }
  found.charts = all('figure svg[role=img]').map(svg => [svg.getAttribute('aria-label'), svg.querySelectorAll('path').length]);
  found.nan = all('svg *').filter(e => Array.from(e.attributes).some(a => /NaN|Infinity/.test(a.value))).length;
  found.text = document.body.innerText;
  found.width = document.documentElement.scrollWidth;
  found.window = window.innerWidth;
  if (window.axe) {
    const result = await axe.run(document, {resultTypes: ['violations']});
    found.axe = result.violations.map(v => [v.id, v.impact, v.nodes.length, v.nodes[0].html.slice(0, 300), v.nodes[0].failureSummary]);
    found.passes = result.passes.length;
  }
  parent.postMessage(JSON.stringify(found), '*');
});
</script>"""
# The browser's own window is never narrower than 500 pixels.
FRAME = """<!DOCTYPE html><html><body style="margin:0"><iframe src="probed.html" style="border:0;width:%dpx;height:900px"></iframe>
<pre id="found"></pre><script>addEventListener('message', event => { document.getElementById('found').textContent = event.data; });
</script></body></html>"""


def browse(browser, work, path, width, is_dark=False, more=""):
    """What the probe finds on the page, at a width."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    with open(os.path.join(work, "probed.html"), "w", encoding="utf-8") as file:
        file.write(page.replace("</body>", more + PROBE + "</body>"))
    with open(os.path.join(work, "frame.html"), "w", encoding="utf-8") as file:
        file.write(FRAME % width)
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         f"--user-data-dir={work}/profile", "--window-size=1500,1000", "--enable-logging=stderr",
         "--allow-file-access-from-files", *(["--blink-settings=preferredColorScheme=0"] if is_dark else []),
         "--virtual-time-budget=20000", "--dump-dom", f"file://{work}/frame.html"],
        capture_output=True, text=True, timeout=200, check=False)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not console, console
    found = re.search(r'<pre id="found">(.+?)</pre>', done.stdout, re.S)
    assert found, (done.returncode, done.stderr[-2000:])
    text = found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u00a0").replace("&amp;", "&")
    return json.loads(text)


def find_browser():
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        skip_for_tool("chromium is not installed (package chromium)")
    return browser


def check_drawn(got):
    """Of every page, at every width."""
    assert got["images"] == 0 and not got["noscript"] and got["nan"] == 0, got
    assert got["width"] <= got["window"], (got["width"], got["window"])
    assert all(n_paths > 0 for _, n_paths in got["charts"]), got["charts"]
    assert "undefined" not in got["text"] and "NaN" not in got["text"], got["text"]


def check_next(path, got):
    """No run is proposed for a pair that the other slowdown has decided."""
    parts = data_of(parse(path))["placements"]
    texts = got["next"].split("What to measure next")[1:]
    assert len(texts) == len(parts), got["next"]
    for part, text in zip(parts, texts):
        names, n = part["apps"], len(part["apps"])
        for a, b in ((a, b) for a in range(n) for b in range(n) if part["pairs"][b * n + a]["verdict"] == "no"):
            name = re.escape(f"{names[a]} beside {names[b]}")
            found = re.search(f"more runs? of {name} decide|{name} is at the limit", re.split("Two at a time|Warnings", text)[0])
            assert not found, (found, names[b], names[a])


def check_browser(work):
    browser = find_browser()
    folder = os.path.join(work, "campaign")
    campaign(folder)
    path = page_of(folder, os.path.join(work, "page.html"), "--confidence", "0.8")
    for width in (390, 1400):
        got = browse(browser, work, path, width)
        check_drawn(got)
        words = [word for word in got["before"][0].split() if word in VERDICTS]
        assert words == [pair["verdict"] for pair in data_of(parse(path))["placements"][0]["pairs"]], words
        assert "no" in got["before"][0].split() and "no" not in got["after"][0].split(), got
        assert got["detail"].startswith("fft twice") and got["hash"] == "#limit=200&cell=0,0,0", got
        assert got["sorted"] == "ascending" and len(got["charts"]) >= 6, got["charts"]
        assert got["status"] == status_of(parse(path)), got["status"]
        check_next(path, got)
    hostile = os.path.join(work, "hostile")
    hostile_campaign(hostile)
    got = browse(browser, work, page_of(hostile, os.path.join(work, "hostile.html")), 390)
    check_drawn(got)
    assert HOSTILE in got["text"], got["text"]
    many = os.path.join(work, "many")
    os.mkdir(many)
    many_programs(many, [f"program-{i}-" + 50 * "x" for i in range(8)])
    check_drawn(browse(browser, work, page_of(many, os.path.join(work, "many.html")), 390))
    lacking = os.path.join(work, "lacking")
    shutil.copytree(folder, lacking, ignore=shutil.ignore_patterns("idle.h5", "*-beside-*"))
    got = browse(browser, work, page_of(lacking, os.path.join(work, "lacking.html")), 1400)
    check_drawn(got)
    for words in ("No slowdown is known", "The idle network was not probed", "No two applications were run"):
        assert words in got["text"], (words, got["text"])


# ---- files of kits ----

def check_against(work, kit):
    """Two scans that have ended: one is that of its own sheet; of a sheet with another time it is not."""
    sheet, page = os.path.join(work, "sheet.json"), os.path.join(work, "against.html")
    assert run("report", kit, "-o", sheet).returncode == 0
    with open(sheet, encoding="utf-8") as file:
        other = json.load(file)
    row = next(row for row in other["rows"] if row["cell"] == "bandwidth:none" and row["path_class"] == -1)
    for factor, words in ((1, "0 of 30 values differ"), (2, "1 of 30 values differ")):
        row["median"] = {key: value * factor for key, value in row["median"].items()}
        with open(sheet, "w", encoding="utf-8") as file:
            json.dump(other, file)
        done = run("report", kit, "-o", page, "--against", sheet, "-q")
        assert done.returncode == 0 and f"Against the other sheet: {words}" in done.stdout, done
        assert words in text_of(parse(page)), words
    done = run("report", kit, "-o", page, "--against", os.path.join(work, "absent.json"))
    assert done.returncode == 1 and "--against: " in done.stderr, done
    done = run("report", sheet, "-o", page)
    assert done.returncode == 1 and "it is the sheet of a scan: give the scan's folder" in done.stderr, done



def check_kits(work):
    """Each file in examples/sites: a page with its predictions; changed, it says so; cut short, it is refused."""
    sites = os.path.join(os.environ["CROSSTALK_SOURCE"], "examples", "sites")
    names = [name for name in os.listdir(sites) if name.endswith(".json")]
    assert "simulated.json" in names, names
    for name in names:
        with open(os.path.join(sites, name), encoding="utf-8") as file:
            text = file.read()
        kit, out = json.loads(text), os.path.join(work, "kit.html")
        page = text_of(parse(page_of(os.path.join(sites, name), out)))
        assert "The seal is broken" not in page and kit["sealed_sha256"] in page, name
        assert page.count("hit, ") + page.count("miss, ") == sum(1 for row in kit["judged"] if row["n_rounds"]) > 0, name
        alone, = (row["mean"]["value"] for row in kit["rows"] if row["cell"] == "bandwidth:none" and row["path_class"] == -1)
        rate, = re.findall(r"Rate: a canary node sends and receives ([0-9.]+) Gbit/s each way, alone", page)
        assert abs(float(rate) * 1e9 * alone / (8 * kit["window_bytes"]) - 1) < 0.01, (name, rate)
        digest = hashlib.sha256("".join(line + "\n" for line in kit["sealed"]).encode()).hexdigest()
        assert digest == kit["sealed_sha256"], name
        kit["sealed"][1] = kit["sealed"][2]
        changed = os.path.join(work, "changed.json")
        for content, answer in ((json.dumps(kit), None), (text[:len(text) // 2], "no JSON, or cut short"), (
                json.dumps({**kit, "user": HOSTILE}), "a member that no kit has"), ("{}", "not a file of crosstalk scan --kit")):
            with open(changed, "w", encoding="utf-8") as file:
                file.write(content)
            if answer is None:
                assert "The seal is broken" in text_of(parse(page_of(changed, out))), name
            else:
                done = run("report", changed, "-o", out)
                assert done.returncode == 1 and answer in done.stderr and HOSTILE not in done.stderr, done


# ---- accessibility ----

def check_axe(work):
    browser = find_browser()
    script = fetch_axe(work).replace("</script", "<\\/script")
    examples = os.path.join(os.environ["CROSSTALK_SOURCE"], "examples")
    for name in ("codes8", "placement"):
        path = page_of(os.path.join(examples, name), os.path.join(work, name + ".html"))
        for width, is_dark in ((1400, False), (1400, True), (390, False), (390, True)):
            got = browse(browser, work, path, width, is_dark, f"<script>{script}</script>")
            check_drawn(got)
            words = [word for text in got["before"] for word in text.split() if word in VERDICTS]
            assert words == [pair["verdict"] for part in data_of(parse(path))["placements"] for pair in part["pairs"]], words
            check_next(path, got)
            assert got["passes"] > 10 and got["axe"] == [], (name, width, is_dark, got["axe"])


def main():
    with tempfile.TemporaryDirectory() as work:
        if "--browser" in sys.argv[1:]:
            check_browser(work)
        elif "--axe" in sys.argv[1:]:
            check_axe(work)
        else:
            folder = os.path.join(work, "campaign")
            campaign(folder)
            part = first_of(folder, os.path.join(work, "page"))
            check_numbers(folder, part)
            check_verdicts(folder, work)
            check_repeatable(folder, work)
            check_incomplete(folder, work)
            check_packed(folder, work, part)
            check_warnings(folder, work)
            check_several(folder, work)
            check_outputs(folder, work)
            check_times(folder, work)
            check_placements(folder, work)
            check_hostile(work)
            check_kits(work)
            check_against(work, os.path.join(os.environ["CROSSTALK_SOURCE"], "examples", "sites", "simulated.json"))
    print("all pages are right")


main()
