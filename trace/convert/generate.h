/**
 * Programs that are generated from a text, PATTERN:RANKS[,KEY=VALUE]..., as a source of events:
 * what the tracer would have recorded of a mini-app. Events are computed when they are read, so
 * that a program of any size takes a few bytes a rank.
 *
 *     halo:XxYxZ       a periodic grid in up to three dimensions; a single number is the product of
 *                      three sides, as close to each other as possible. In every round a V-cycle
 *                      through the levels of a multigrid: on each level compute, then exchange
 *                      borders with two neighbours a dimension (receives posted, sends begun, wait
 *                      for all); then an allreduce. Level l has 1/2^(l d) of the compute of the
 *                      finest one and 1/2^(l (d - 1)) of its bytes, at least 8 B, in d dimensions
 *                      [as AMG, MiniFE]
 *     allreduce:N      in every round compute, then an allreduce [as the solver of Nekbone]
 *     particles:N      a ring of domains, whose members share a field: in every round compute, an
 *                      allreduce of the field in the domain, then particles go to the next domain
 *                      and to the one before (sendrecv, from half to 1.5 times `bytes`) [as GTC]
 *     alltoall:N       in every round compute, then an alltoall in each group [as the Fourier
 *                      transform of MiniDFT]
 *
 *     rounds=10        all
 *     compute=1ms      all: of a round, or of the finest level of the halo; times
 *                      (1 + imbalance u) (1 + noise v), u and v uniform in -1 to 1, u drawn once a
 *                      rank, v for each compute
 *     imbalance=0      all, a fraction up to 1
 *     noise=0          all, likewise
 *     seed=1           all: of the numbers that are drawn
 *     bytes=SIZE       a border of the finest level (8KiB); the vector (8B); particles to a side
 *                      (64KiB); from each member to each other (1KiB)
 *     levels=1         halo
 *     sum=8B           halo: bytes of the allreduce; 0B: none
 *     domains=64       particles: or as many as there are ranks. Each has N / domains members, the
 *                      last one the rest too; rank r sends to r + N / domains and r - N / domains
 *     field=32KiB      particles
 *     group=N          alltoall: members of a group, of consecutive ranks; the last may have fewer
 */
#pragma once

#include "trace/convert/events.h"

/**
 * @param events_p  [out] to be closed; unchanged on error
 * @return CT_OK; CT_EUSAGE (naming the text, what is wrong and what is accepted); CT_ENOMEM
 */
enum ct_status ct_generate_open(const char *text, struct ct_events *events_p, struct ct_error *err);
