# crosstalk scan as a test of ReFrame 4:
#
#     reframe -c packaging/reframe/crosstalk_scan.py -r --performance-report
#     reframe -c packaging/reframe/crosstalk_scan.py -r -S CrosstalkScan.against=/shared/before/sheet.json
#
# It loads the network of its job as much as it can: run it in a reservation. Sheets are kept in ReFrame's output folder.
# Names are those of https://reframe-hpc.readthedocs.io/en/stable/regression_test_api.html
import json
import os

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher


@rfm.simple_test
class CrosstalkScan(rfm.RunOnlyRegressionTest):
    descr = "MPI calls alone and beside loads: factors and a congestion score"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    sourcesdir = None
    executable = "crosstalk"
    num_tasks = 8  # nodes; four or more
    num_tasks_per_node = 1
    exclusive_access = True
    time_limit = "30m"
    keep_files = ["sheet"]
    tags = {"network"}

    scan_time = variable(str, value="15min")
    against = variable(str, value="")  # the sheet.json of an earlier scan of the same nodes: the test fails where they differ

    @run_before("run")
    def prepare(self):
        self.job.launcher = getlauncher("local")()  # the scan starts its ranks by srun
        self.executable_opts = ["scan", "-o", "sheet", "--yes", "--time", self.scan_time]
        if self.against:
            self.executable_opts += ["--against", self.against]

    @sanity_function
    def is_whole(self):
        expected = [sn.assert_found(r"^\d+ rounds, \d+ of them now: ", self.stdout),
                    sn.assert_found(r"^Congestion score \d", self.stdout)]
        if self.against:
            expected.append(sn.assert_found(r"^Against the other sheet: 0 of \d+ values differ", self.stdout))
        return sn.all(expected)

    def read_sheet(self):
        with open(os.path.join(self.stagedir, "sheet", "sheet.json"), encoding="utf-8") as file:
            return json.load(file)

    @performance_function("times")
    def score(self):
        return self.read_sheet()["score"]["value"]

    @performance_function("times")
    def factor(self, cell, statistic):
        rows = self.read_sheet()["rows"]
        return next(row[statistic]["value"] for row in rows if row["cell"] == cell and row["path_class"] == -1)

    # Each cell over all paths; rows without a congestor are seconds.
    @run_before("performance")
    def name_factors(self):
        cells = [row["cell"] for row in self.read_sheet()["rows"]
                 if row["path_class"] == -1 and not row["cell"].endswith(":none")]
        self.perf_variables = {"score": self.score()}
        for cell in cells:
            for statistic in ("mean", "p99"):
                self.perf_variables[f"{cell} {statistic}"] = self.factor(cell, statistic)
