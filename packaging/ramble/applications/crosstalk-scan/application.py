# crosstalk scan as an application of Ramble:
#
#     ramble repo add packaging/ramble
#     ramble workspace create -d scan
#     ramble -D scan workspace manage experiments crosstalk-scan -v n_nodes=8 -v n_ranks=8
#
# It loads the network of its job as much as it can: run it in a reservation.
# Directives: https://github.com/GoogleCloudPlatform/ramble/blob/develop/lib/ramble/docs/dev_guides/application_dev_guide.rst
# and application_language.py, shared_language.py in .../lib/ramble/ramble/language. Expressions are matched at the beginning
# of each line.
from ramble.appkit import *

NUMBER = r"[0-9.]+(?:e[+-][0-9]+)?"
# A row of the table: a congestor, and for each canary the factor at the mean with its interval, and (99 %).
FACTOR = rf"{NUMBER}(?:±{NUMBER}|, no interval)"
CELL = rf"(?:-|{FACTOR} \({NUMBER}\)) +"
CONGESTOR = r"(?P<congestor>incast|alltoall|broadcast|bisection|allreduce) +"

class CrosstalkScan(ExecutableApplication):
    """MPI calls alone and beside loads: factors and a congestion score."""

    name = "crosstalk-scan"

    tags("network", "synthetic-benchmarks")

    with when("package_manager_family=spack"):
        software_spec("crosstalk", pkg_spec="crosstalk@0.3.0 +measure+analysis+campaign")
        required_package("crosstalk")

    # The scan starts its ranks by srun.
    executable("scan", "crosstalk scan -o {experiment_run_dir}/sheet --yes --time {scan_time} {scan_options}", use_mpi=False)
    workload("fabric", executable="scan")
    workload_variable("scan_time", default="15min", description="Time of the scan; not more than the job has",
                      workloads=["fabric"])
    workload_variable("scan_options", default="", description="Further options of crosstalk scan", workloads=["fabric"])

    figure_of_merit("rounds", fom_regex=r"(?P<rounds>[0-9]+) rounds, [0-9]+ of them now: ", group_name="rounds")
    figure_of_merit("congestion score", fom_regex=rf"Congestion score (?P<score>{NUMBER})", group_name="score")
    figure_of_merit("congestion score, half of its interval", fom_regex=rf"Congestion score {NUMBER}±(?P<half>{NUMBER}):",
                    group_name="half")

    figure_of_merit_context("congestor", regex=CONGESTOR, output_format="{congestor}")
    for column, canary in enumerate(("latency", "bandwidth", "allreduce")):
        before = CONGESTOR + column * CELL
        figure_of_merit(f"{canary}, mean", fom_regex=rf"{before}(?P<mean>{NUMBER})(?:±|, no)", group_name="mean",
                        units="times", contexts=["congestor"])
        figure_of_merit(f"{canary}, 99 %", fom_regex=rf"{before}{FACTOR} \((?P<p99>{NUMBER})\)", group_name="p99",
                        units="times", contexts=["congestor"])

    success_criteria("rounds were made", mode="string", match=r"[0-9]+ rounds, [0-9]+ of them now: ")
    success_criteria("there is a sheet", mode="string", match=r"Congestion score [0-9]")
