#include "topology/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is not the processor's of a small message between two hosts without a switch, by R. Zambre
   et al., "Breaking Band", ICPP Workshops 2019, MPICH over UCX with ConnectX-4: twice PCIe 137.49,
   wire 274.81, memory 240.96 ns. */
#define HOSTS_S 790.75e-9
/* The processor's part there: to send it 201.98, to receive it 286.29 ns. */
#define PROCESSOR_S 244e-9
#define INJECTION_S 264e-9
#define ZAMBRE "Zambre et al. 2019 (MPICH, UCX, ConnectX-4)"
/* 10 m of cable. */
#define CABLE_S 50e-9
#define CABLE " and 10 m of cable"

const struct ct_machine ct_machines[CT_MACHINES_N] = {
    {.name = "qdr",
     .leaf_s = 0.46e-6,
     .link_s = 140e-9 + CABLE_S,
     .o_s = 267e-9,
     .gap_s = 267e-9,
     .G_s = 0.25e-9,
     .packet_bytes = 2048,
     .from = {"1 KiB takes 1.25 us (Casas and Bronevetsky, IPDPS 2014, IV), less 2 o and 1023 G",
              "data sheet of QLogic 12300: 140 ns" CABLE,
              "30 million messages a second (QLogic, 2010), shared by 8 ranks", "as o",
              "QDR: 40 Gbit/s with 8b/10b encoding", "usual MTU of InfiniBand QDR"}},
    {.name = "hdr",
     .leaf_s = HOSTS_S + 130e-9,
     .link_s = 130e-9 + CABLE_S,
     .o_s = PROCESSOR_S,
     .gap_s = INJECTION_S,
     .G_s = 0.04e-9,
     .packet_bytes = 4096,
     .from = {ZAMBRE ", and a switch of 130 ns: data sheet of NVIDIA QM8700",
              "data sheet of NVIDIA QM8700: 130 ns" CABLE, ZAMBRE ", mean of sending and receiving",
              ZAMBRE ", injection", "HDR: 200 Gbit/s", "largest MTU of InfiniBand"}},
    {.name = "ndr",
     .leaf_s = HOSTS_S + 130e-9,
     .link_s = 130e-9 + CABLE_S,
     .o_s = PROCESSOR_S,
     .gap_s = INJECTION_S,
     .G_s = 0.02e-9,
     .packet_bytes = 4096,
     .from = {"as hdr: no measurement of hosts and switches was found", "as hdr",
              ZAMBRE ", mean of sending and receiving", ZAMBRE ", injection", "NDR: 400 Gbit/s",
              "largest MTU of InfiniBand"}},
    {.name = "slingshot11",
     .leaf_s = HOSTS_S + 350e-9,
     .link_s = 350e-9 + CABLE_S,
     .o_s = PROCESSOR_S,
     .gap_s = INJECTION_S,
     .G_s = 0.04e-9,
     .packet_bytes = 4096,
     .from = {"hosts: " ZAMBRE "; a switch of 350 ns: De Sensi et al., SC 2020",
              "De Sensi et al., SC 2020: 350 ns" CABLE, ZAMBRE ", mean of sending and receiving",
              ZAMBRE ", injection", "200 Gbit/s: De Sensi et al., SC 2020", "as InfiniBand"}},
    {.name = "100gbe",
     .leaf_s = HOSTS_S + 300e-9,
     .link_s = 300e-9 + CABLE_S,
     .o_s = PROCESSOR_S,
     .gap_s = INJECTION_S,
     .G_s = 0.08e-9,
     .packet_bytes = 4096,
     .from = {"RoCE; hosts: " ZAMBRE "; a switch of 300 ns: data sheet of NVIDIA SN2700",
              "data sheet of NVIDIA SN2700: 300 ns" CABLE, ZAMBRE ", mean of sending and receiving",
              ZAMBRE ", injection", "100 Gbit/s", "largest MTU of RoCE"}},
};

const char *const ct_machine_names[] = {"qdr", "hdr", "ndr", "slingshot11", "100gbe", NULL};

enum ct_status ct_machine_find(const char *name, const struct ct_machine **machine_p,
                               struct ct_error *err)
{
    char known[CT_MACHINES_N * (CT_MACHINE_NAME_MAX + 2)] = "";
    for (size_t i = 0; i < CT_MACHINES_N; i++) {
        size_t used = strlen(known);
        if (!strcmp(ct_machines[i].name, name)) {
            *machine_p = &ct_machines[i];
            return CT_OK;
        }
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", ct_machines[i].name);
    }
    return ct_fail(err, CT_EINVAL, "'%.40s': no such machine; there are %s", name, known);
}

struct ct_machine_groups ct_machine_groups(double L_s, double o_s, double G_s, double packet_bytes)
{
    if (!(L_s > 0))
        L_s = NAN; /* overheads took all of the delay */
    return (struct ct_machine_groups){.transfer = G_s * CT_MACHINE_GROUP_BYTES / L_s,
                                      .overhead = o_s / L_s,
                                      .packets = L_s / (G_s * packet_bytes)};
}

static double ratio_of(double a, double b)
{
    return a > b ? a / b : b / a;
}

double ct_machine_distance(const struct ct_machine_groups *a, const struct ct_machine_groups *b)
{
    return fmax(ratio_of(a->transfer, b->transfer),
                fmax(ratio_of(a->overhead, b->overhead), ratio_of(a->packets, b->packets)));
}
