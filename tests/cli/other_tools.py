#!/usr/bin/python3
"""The test for ReFrame and the application for Ramble, run with stand-ins of these tools that know the documented names only,
read what crosstalk scan wrote (FOLDER/end.txt, FOLDER/sheet/sheet.json; without FOLDER a kept scan of a lab): both find the
same numbers. The steps of the container file agree with packages.txt and CMakePresets.json."""
import contextlib
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
import types

ROOT = os.environ["CROSSTALK_SOURCE"]
HERE = os.path.dirname(os.path.abspath(__file__))


def text(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def run_with(modules, *path):
    """The names that a file defines where these modules are; imports of anything else of the tool fail."""
    for name, members in modules.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)
        if "." in name:
            setattr(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2], sys.modules[name])
    names = {}
    exec(compile(text(ROOT, *path), path[-1], "exec"), names)  # pylint: disable=exec-used
    return names


# ---- ReFrame: https://reframe-hpc.readthedocs.io/en/stable/regression_test_api.html

REFRAME_ATTRIBUTES = {"descr", "valid_systems", "valid_prog_environs", "sourcesdir", "executable", "num_tasks",
                      "num_tasks_per_node", "exclusive_access", "time_limit", "keep_files", "tags"}
REFRAME_STAGES = {"init", "setup", "compile", "run", "sanity", "performance", "cleanup"}


class ReframeMeta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **_):
        """The builtins that a class body has."""
        hooks = []

        def run_before(stage):
            assert stage in REFRAME_STAGES, stage
            return lambda function: hooks.append((stage, function)) or function

        def sanity_function(function):
            hooks.append(("sanity", function))
            return function

        def performance_function(units, perf_key=None):
            assert isinstance(units, str) and perf_key is None
            return lambda function: function

        return {"variable": lambda kind, value: ("variable", kind, value), "run_before": run_before,
                "sanity_function": sanity_function, "performance_function": performance_function, "hooks": hooks}

    def __new__(mcs, name, bases, body):
        for key, value in list(body.items()):
            if isinstance(value, tuple) and value[0] == "variable":
                assert isinstance(value[2], value[1]), key
                body[key] = value[2]
            elif not key.startswith("__") and not callable(value) and key != "hooks":
                assert key in REFRAME_ATTRIBUTES, f"{key}: ReFrame has no such attribute"
        return super().__new__(mcs, name, bases, body)


class RunOnlyRegressionTest(metaclass=ReframeMeta):
    pass


def assert_found(pattern, filename):
    assert re.search(pattern, text(filename), re.MULTILINE), f"{pattern} is not in {filename}"
    return True


def reframe_values(folder, against=""):
    """What the test logs of this folder: variable -> value; and its command."""
    names = run_with({"reframe": {"simple_test": lambda test: test, "RunOnlyRegressionTest": RunOnlyRegressionTest},
                      "reframe.utility": {}, "reframe.utility.sanity": {"assert_found": assert_found, "all": all},
                      "reframe.core": {},
                      "reframe.core.backends": {"getlauncher": {"local": lambda: "local"}.get}},
                     "packaging", "reframe", "crosstalk_scan.py")
    test = names["CrosstalkScan"]()
    test.job, test.stagedir, test.stdout = types.SimpleNamespace(), folder, os.path.join(folder, "end.txt")
    test.against = against
    for stage in ("run", "sanity", "performance"):
        for at, function in test.hooks:
            if at == stage:
                assert function(test) is not False
    assert test.job.launcher == "local"
    return test.perf_variables, [test.executable] + test.executable_opts


# ---- Ramble: application_dev_guide.rst, application_language.py and shared_language.py of
# https://github.com/GoogleCloudPlatform/ramble/tree/develop/lib/ramble


def workload(name, executables=None, executable=None, input=None, inputs=None, tags=None): ...
def executable(name, template, use_mpi=False, mpi=False, variables=None, redirect="{log_file}", output_capture=None): ...
def workload_variable(name, default, description, values=None, workload=None, workloads=None, workload_group=None): ...
def figure_of_merit(name, fom_regex=None, group_name=None, log_file="{log_file}", units="", contexts=None): ...
def figure_of_merit_context(name, regex, output_format): ...
def success_criteria(name, mode, match=None, file="{log_file}", fom_name=None, formula=None, anti_match=None): ...
def software_spec(name, pkg_spec, compiler_spec=None, compiler=None): ...
def required_package(name): ...
def tags(*values): ...


def load_ramble():
    """Directive -> name -> its parameters."""
    declared = {}

    def recorded(directive):
        signature = inspect.signature(directive)

        def record(*args, **kwargs):
            bound = signature.bind(*args, **kwargs).arguments
            declared.setdefault(directive.__name__, {})[bound.get("name")] = bound
        return record

    directives = (workload, executable, workload_variable, figure_of_merit, figure_of_merit_context, success_criteria,
                  software_spec, required_package, tags)
    names = {directive.__name__: recorded(directive) for directive in directives}
    names.update(when=lambda condition: contextlib.nullcontext(), ExecutableApplication=object)
    made = run_with({"ramble": {}, "ramble.appkit": names}, "packaging", "ramble", "applications", "crosstalk-scan",
                    "application.py")
    assert made["CrosstalkScan"].name == "crosstalk-scan"
    for work in declared["workload"].values():
        assert work["executable"] in declared["executable"], work
    for variable in declared["workload_variable"].values():
        assert set(variable["workloads"]) <= set(declared["workload"]), variable
    return declared


def ramble_values(declared, log):
    """As Ramble reads a log: every expression at the beginning of every line; (context, name) -> text."""
    values, context, met = {}, None, set()
    for line in log.splitlines(keepends=True):
        for criterion in declared["success_criteria"].values():
            assert criterion["mode"] == "string"
            if re.match(criterion["match"], line):
                met.add(criterion["name"])
        for row in declared["figure_of_merit_context"].values():
            match = re.match(row["regex"], line)
            context = row["output_format"].format(**match.groupdict()) if match else context
        for figure in declared["figure_of_merit"].values():
            match = re.match(figure["fom_regex"], line)
            if match:
                values[context if figure.get("contexts") else None, figure["name"]] = match.group(figure["group_name"])
    assert met == set(declared["success_criteria"]), f"success criteria that were met: {met}"
    return values


# ---- what both find


def is_rounded(words, value):
    digits, _, power = words.partition("e")
    half_digit = 0.5 * 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
    return abs(float(words) - value) <= 1.001 * half_digit


def check_values(declared, folder):
    """Ramble reads rounded words, ReFrame the sheet."""
    words = ramble_values(declared, text(folder, "end.txt"))
    exact, _ = reframe_values(folder)
    in_words = {"score": words.pop((None, "congestion score"))}
    half_width = words.pop((None, "congestion score, half of its interval"), None)
    rounds = int(words.pop((None, "rounds")))
    for (congestor, figure), value in words.items():
        canary, statistic = figure.split(", ")
        in_words[f"{canary}:{congestor} {statistic.replace('99 %', 'p99')}"] = value
    steady = {name for name in exact if name == "score" or name.count(":") == 1}
    assert set(in_words) == steady, f"Ramble's {sorted(in_words)}, ReFrame's {sorted(steady)}"
    for name, value in in_words.items():
        assert is_rounded(value, exact[name]), (name, value, exact[name])
    sheet = json.loads(text(folder, "sheet", "sheet.json"))
    assert rounds == sheet["n_rounds"], rounds
    if sheet["score"]["lo"] is not None:
        assert is_rounded(half_width, (sheet["score"]["hi"] - sheet["score"]["lo"]) / 2), half_width
    print(f"{len(in_words)} values of {folder}: Ramble and ReFrame find the same")


def check_against(folder):
    """The test fails where something differs from the other sheet. Words are those of the sources."""
    line = re.search(r'"(Against the other sheet: %zu of %zu values differ)', text(ROOT, "study", "scan_words.c")).group(1)
    for differ in (0, 3):
        with tempfile.TemporaryDirectory() as work:
            os.symlink(os.path.join(folder, "sheet"), os.path.join(work, "sheet"))
            with open(os.path.join(work, "end.txt"), "w", encoding="utf-8") as file:
                file.write(text(folder, "end.txt") + line.replace("%zu", "%d") % (differ, 117) + " (each at\n")
            try:
                reframe_values(work, "other.json")
                passed = True
            except AssertionError:
                passed = False
        assert passed == (differ == 0), f"{differ} values differ: passed {passed}"


def check_commands(declared, folder):
    program = os.path.join(os.environ["CROSSTALK_BIN"], "crosstalk")
    done = subprocess.run([program, "scan", "--help"], capture_output=True, text=True, timeout=20, check=True)
    known = set(re.findall(r"--[a-z-]+", done.stdout)) | {"-o"}
    for words in (declared["executable"]["scan"]["template"].split(), reframe_values(folder)[1]):
        options = {word for word in words if word.startswith("-")}
        assert words[:2] == ["crosstalk", "scan"] and options <= known, words


# ---- the container file


def check_container():
    steps = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text(ROOT, "packaging", "Containerfile"), flags=re.M)).splitlines()
    kinds = [step.split()[0] for step in steps]
    assert kinds[0] == "FROM" and set(kinds) <= {"FROM", "COPY", "WORKDIR", "RUN", "ENTRYPOINT", "CMD"}, kinds
    runs = [step[len("RUN "):] for step in steps if step.startswith("RUN ")]
    # The packages that the step names are those of the sections [build] and [run].
    select = re.search(r"sed -n '[^']*' packages.txt", runs[0]).group(0)
    chosen = subprocess.run(["sh", "-c", select], cwd=ROOT, capture_output=True, text=True, check=True, timeout=20).stdout.split()
    sections = dict(re.findall(r"^# \[(\w+)\][^\n]*\n((?:[^#\n][^\n]*\n|\n)*)", text(ROOT, "packages.txt"), re.M))
    assert chosen == sections["build"].split() + sections["run"].split(), chosen
    # Presets, options and folders are there.
    presets = {preset["name"] for kind in ("configurePresets", "buildPresets")
               for preset in json.loads(text(ROOT, "CMakePresets.json"))[kind]}
    assert set(re.findall(r"--preset (\S+)", runs[1])) == {"release"} <= presets, runs[1]
    for option in re.findall(r"-D(\w+)=", runs[1]):
        assert option in text(ROOT, "cmake", "mpi.cmake"), option
    prefix = re.search(r"--prefix (\S+)", runs[1]).group(1)
    assert json.loads(steps[kinds.index("ENTRYPOINT")].partition(" ")[2]) == [prefix + "/bin/crosstalk"]
    print(f"the container file: {len(chosen)} packages, {len(steps)} steps")


def main():
    folder = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "scan_sample"))
    declared = load_ramble()
    check_values(declared, folder)
    check_against(folder)
    check_commands(declared, folder)
    check_container()


main()
