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

REFRAME_ATTRIBUTES = {"descr", "valid_systems", "valid_prog_environs", "sourcesdir", "executable", "executable_opts", "num_tasks",
                      "num_tasks_per_node", "exclusive_access", "time_limit", "keep_files", "tags", "perf_variables", "stdout",
                      "stagedir", "job"}
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


def reframe_values(folder, against):
    """What the test logs of this folder: variable -> value; and the command."""
    names = run_with({"reframe": {"simple_test": lambda test: test, "RunOnlyRegressionTest": RunOnlyRegressionTest},
                      "reframe.utility": {}, "reframe.utility.sanity": {"assert_found": assert_found, "all": all},
                      "reframe.core": {},
                      "reframe.core.backends": {"getlauncher": {"local": lambda: "local"}.__getitem__}},
                     "packaging", "reframe", "crosstalk_scan.py")
    sys.modules["reframe.core.backends"].getlauncher = lambda name: {"local": lambda: "local"}[name]
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

    names = {directive.__name__: recorded(directive) for directive in
             (workload, executable, workload_variable, figure_of_merit, figure_of_merit_context, success_criteria, software_spec,
              required_package, tags)}
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


def check_scan(folder):
    declared = load_ramble()
    in_text = ramble_values(declared, text(folder, "end.txt"))
    exact, command = reframe_values(folder, "")
    expected = {("score" if context is None else f"{figure.split(',')[0]}:{context} {figure.split(', ')[1].replace('99 %', 'p99')}"):
                value for (context, figure), value in in_text.items()
                if context or figure == "congestion score"}
    steady = {name: value for name, value in exact.items() if name == "score" or len(name.split(":")) == 2}
    assert set(expected) == set(steady), f"Ramble's {sorted(expected)}, ReFrame's {sorted(steady)}"
    for name, value in expected.items():
        half_digit = 0.5 * 10.0 ** -len(value.partition(".")[2])
        assert "e" in value or abs(float(value) - steady[name]) <= half_digit * 1.0001, (name, value, steady[name])
    sheet = json.loads(text(folder, "sheet", "sheet.json"))
    assert int(in_text[None, "rounds"]) == sheet["n_rounds"]
    half = (sheet["score"]["hi"] - sheet["score"]["lo"]) / 2
    assert abs(float(in_text[None, "congestion score, half of its interval"]) - half) <= 0.06 * half + 0.005

    # Both commands have options of crosstalk scan only.
    template = declared["executable"]["scan"]["template"]
    known = set(re.findall(r"--[a-z-]+", subprocess.run(["crosstalk", "scan", "--help"], capture_output=True, text=True, timeout=20,
                                                        check=True).stdout))
    for words in (command, template.split(), reframe_command_against(folder)):
        assert words[:2] == ["crosstalk", "scan"] and {word for word in words if word.startswith("--")} <= known, words
    print(f"{len(expected)} values of {folder}: Ramble and ReFrame find the same")


def reframe_command_against(folder):
    """With `against` the test passes where nothing differs, and fails where something does."""
    log = os.path.join(folder, "end.txt")
    names = []

    def found(pattern, filename):
        names.append(pattern)
        return assert_found(pattern, filename) if not pattern.startswith("^Against") else True

    global assert_found  # pylint: disable=global-statement
    kept, assert_found = assert_found, found
    try:
        words = reframe_values(folder, "other.json")[1]
    finally:
        assert_found = kept
    against = next(pattern for pattern in names if pattern.startswith("^Against"))
    assert os.path.exists(log)
    assert re.search(against, "Against the other sheet: 0 of 117 values differ (each at")
    assert not re.search(against, "Against the other sheet: 3 of 117 values differ (each at")
    return words
