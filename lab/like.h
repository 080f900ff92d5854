/**
 * A lab that imitates a machine: its rate is that of the machine divided by a factor, the dilation,
 * and latencies and overheads are those of the machine times that factor, so that its groups
 * without dimension (topology/machine.h) are the machine's. Programs multiply their times of
 * computing by it too, if they are replays or workloads. Noise of this machine, which is not
 * multiplied, counts the less the larger the factor is.
 *
 * A shaped link that is not in use lets a packet pass at once (ct_lab_burst_bytes()); so packets
 * are also held back by the time of their own bytes, once on their way to a host. A message of m
 * bytes thus takes G m on a network that is idle, whatever the number of switches, as where
 * switches pass on the head of a packet before they have its tail. The rate is such that a byte of
 * a large message takes G times the dilation, headers of Ethernet, IP and TCP counted. Ranks
 * wait for their overheads where they send, and where a receive ends (lab/preload.c).
 */
#pragma once

#include "lab/lab.h"
#include "topology/machine.h"

/**
 * Set rates, latencies and overhead of a specification.
 * @param machine   [in] name of a machine
 * @param dilation  [in] 0: the largest possible, to two digits
 * @param spec      [in,out] with its hosts and topology; unchanged on error
 * @return CT_OK; CT_EINVAL (no such machine; no such factor, and the message has the nearest);
 *         CT_ENOMEM
 */
enum ct_status ct_lab_spec_like(const char *machine, double dilation, struct ct_lab_spec *spec,
                                struct ct_error *err);

/**
 * Expected scatter of times, a share: by how much the later ones of some sleeps end late on this
 * machine at this moment, against the time of a small message.
 */
double ct_lab_like_scatter_frac(const struct ct_lab_spec *spec);

/** Groups of the lab's network as it is shaped, between two hosts of one switch. */
struct ct_machine_groups ct_lab_like_groups(const struct ct_lab_spec *spec);
