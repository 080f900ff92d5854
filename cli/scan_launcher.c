#include "cli/scan_launcher.h"

#include "campaign/simgrid_platform.h"
#include "core/host_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct ct_option ct_scan_place_rows[] = {
    {CT_OPTION(STRING, "lab", struct ct_scan_place, lab), .argument = "NAME",
     .help = "on all hosts of the lab of this name, which is up (crosstalk lab up --id NAME)"},
    {CT_OPTION(STRING, "simgrid", struct ct_scan_place, simulated), .argument = "TOPOLOGY",
     .help =
         "inside the simulator SimGrid, on all nodes of a topology such as tree:4x8,2; --time is "
         "that of the machine, and cells are of simulated time"},
    {CT_OPTION(RATE, "rate", struct ct_scan_place, rate_bit_per_s),
     .given = CT_OFFSET_OF(bool, struct ct_scan_place, has_rate), .initial = "100gbit",
     CT_RANGE(1e5, 1e13), .help = "with --simgrid: rate of a link of a node"},
    {CT_OPTION(RATE, "uplink", struct ct_scan_place, uplink_bit_per_s), CT_RANGE(1e5, 1e13),
     .help = "with --simgrid: rate of a link between switches; without this option as --rate"},
    {CT_OPTION(DURATION, "wire", struct ct_scan_place, wire_s),
     .given = CT_OFFSET_OF(bool, struct ct_scan_place, has_wire), .initial = "500ns",
     CT_RANGE(0, 1), .help = "with --simgrid: latency of each link"},
    {CT_OPTION(STRING, "hostfile", struct ct_scan_place, hostfile), .argument = "FILE",
     .initial = "",
     .help =
         "start ranks by mpiexec on the hosts in FILE, one a line. Without --lab, --simgrid and "
         "this option by srun in an allocation of Slurm"},
    {CT_OPTION(U64, "hosts", struct ct_scan_place, hosts), CT_RANGE(1, 1e6),
     .help = "use so many hosts, the first ones; without this option all. Without --hostfile and "
             "Slurm mpiexec finds them, as in the allocation of another resource manager"},
    {CT_OPTION(STRING, "launcher-options", struct ct_scan_place, options), .argument = "WORDS",
     .initial = "", .help = "further words of the command line of srun or mpiexec"},
    {CT_OPTION(CHOICE, "mpi", struct ct_scan_place, mpi), .argument = "MPI", .initial = "auto",
     .choices = ct_mpi_names,
     .help = "MPI of scanb, where it cannot be found; auto: that of scanb"},
    {0}};

static void set_defaults(const struct ct_scan_place *place, struct ct_campaign_launcher *setup)
{
    *setup = (struct ct_campaign_launcher){.hosts = place->hosts,
                                           .rate_bit_per_s = place->rate_bit_per_s,
                                           .topology = "",
                                           .like = "",
                                           .lab = "",
                                           .hostfile = place->hostfile,
                                           .options = place->options,
                                           .mpi = place->mpi,
                                           .mpiexec = "",
                                           .overhead_s = 500e-9,
                                           .simgrid = "",
                                           .placement = CT_PLACEMENT_NONE};
}

/* The lab as it is. */
static enum ct_status set_lab(const struct ct_scan_place *place, struct ct_scan_launcher *launcher,
                              struct ct_error *err)
{
    struct ct_campaign_launcher *setup = &launcher->spec.launcher;
    struct ct_lab_spec spec;
    enum ct_status status = ct_scan_lab_spec(place->lab, &spec, err);
    if (status != CT_OK)
        return status;
    setup->kind = CT_LAUNCHER_LAB;
    setup->lab = place->lab;
    setup->takes_lab = true;
    setup->hosts = spec.n_hosts;
    setup->rate_bit_per_s = spec.rate_bit_per_s;
    setup->uplink_bit_per_s = spec.uplink_bit_per_s;
    launcher->topology = strdup(spec.topology);
    if (!launcher->topology)
        return ct_no_memory(err, "launcher");
    return CT_OK;
}

static enum ct_status set_simulation(const struct ct_scan_place *place,
                                     struct ct_campaign_launcher *setup, struct ct_error *err)
{
    struct ct_topology topology;
    setup->kind = CT_LAUNCHER_SIMGRID;
    setup->topology = place->simulated;
    setup->latency_s = place->wire_s;
    setup->has_uplink = !isnan(place->uplink_bit_per_s);
    setup->uplink_bit_per_s = setup->has_uplink ? place->uplink_bit_per_s : place->rate_bit_per_s;
    enum ct_status status = ct_simgrid_topology(setup, &topology, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--simgrid");
    if (setup->hosts == 0)
        setup->hosts = topology.n_nodes;
    ct_topology_free(&topology);
    return CT_OK;
}

/* The hosts of a file, or those that the user says mpiexec finds. */
static enum ct_status set_machines(const struct ct_scan_place *place,
                                   struct ct_campaign_launcher *setup, struct ct_error *err)
{
    struct ct_argv names = {0};
    setup->kind = CT_LAUNCHER_MPIEXEC;
    if (!*place->hostfile)
        return place->hosts > 0
                   ? CT_OK
                   : ct_fail(
                         err, CT_EUSAGE,
                         "on which nodes? Start it in an allocation of Slurm, or give --hostfile "
                         "FILE (of PBS $PBS_NODEFILE), --lab NAME or --simgrid TOPOLOGY");
    if (place->hosts > 0)
        return CT_OK;
    enum ct_status status = ct_host_file_read(place->hostfile, &names, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--hostfile");
    if (!ct_host_unite(&names))
        status = ct_no_memory(err, "--hostfile: %s", place->hostfile);
    setup->hosts = names.n;
    ct_argv_free(&names);
    return status;
}

enum ct_status ct_scan_launcher_make(const struct ct_scan_place *place,
                                     struct ct_scan_launcher *launcher_p, struct ct_error *err)
{
    struct ct_scan_launcher launcher = {.topology = NULL};
    struct ct_campaign_launcher *setup = &launcher.spec.launcher;
    enum ct_status status = CT_OK;
    set_defaults(place, setup);
    if ((place->lab != NULL) + (place->simulated != NULL) + (*place->hostfile != '\0') > 1)
        return ct_fail(err, CT_EUSAGE, "--lab, --simgrid, --hostfile: only one of them");
    if (!place->simulated &&
        (place->has_rate || place->has_wire || !isnan(place->uplink_bit_per_s)))
        return ct_fail(err, CT_EUSAGE, "--rate, --uplink, --wire: only with --simgrid");
    if (place->lab && place->hosts > 0)
        return ct_fail(err, CT_EUSAGE, "--hosts: not with --lab, all of whose hosts are used");
    if (place->lab)
        status = set_lab(place, &launcher, err);
    else if (place->simulated)
        status = set_simulation(place, setup, err);
    else if (!*place->hostfile && getenv("SLURM_JOB_ID"))
        setup->kind = CT_LAUNCHER_SLURM;
    else
        status = set_machines(place, setup, err);
    if (setup->kind == CT_LAUNCHER_SLURM || *place->hostfile)
        setup->placement = CT_PLACEMENT_CORES;
    if (status != CT_OK)
        return status;
    *launcher_p = launcher;
    if (launcher.topology)
        launcher_p->spec.launcher.topology = launcher_p->topology;
    return CT_OK;
}

void ct_scan_launcher_free(struct ct_scan_launcher *launcher)
{
    free(launcher->topology);
    launcher->topology = NULL;
}
