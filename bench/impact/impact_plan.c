#include "bench/impact/impact_plan.h"

#include "core/random.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

const char *const ct_pairing_names[] = {"adjacent", "rotate", "random", "links", NULL};
const char *const ct_arrivals_names[] = {"poisson", "fixed", NULL};

/* An epoch costs an exchange with a new partner, which may mean a new connection. */
static const double wanted_epoch_s = 1, shortest_epoch_s = 50e-3;
static const double wanted_probes = 10, fewest_probes = 2;

int ct_impact_epochs(enum ct_pairing pairing, int n_nodes)
{
    if (pairing == CT_PAIRING_ADJACENT)
        return 1;
    return n_nodes % 2 ? n_nodes : n_nodes - 1;
}

/* One number from two, every bit of either changing about half of its bits (the finalizer of
 * MurmurHash3): neighbouring seeds and streams give unrelated sequences. */
static uint32_t mix_seed(uint64_t seed, uint64_t stream)
{
    uint64_t x = seed + UINT64_C(0x9e3779b97f4a7c15) * (stream + 1);
    x = (x ^ (x >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ (x >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(x ^ (x >> 33));
}

static void pair_adjacent(int n, int *partner)
{
    for (int i = 0; i < n; i++)
        partner[i] = (i ^ 1) < n ? i ^ 1 : i;
}

/* Circle method: one seat is fixed, the others move on by one each epoch, and those opposite each
 * other meet. An odd number plays with an empty seat; who meets it sits out. */
static void pair_rotating(int n, int epoch, int *partner)
{
    int seats = n + n % 2, moving = seats - 1, shift = epoch % moving;
    for (int i = 0; i < n; i++)
        partner[i] = i;
    for (int seat = 0; seat < seats / 2; seat++) {
        int a = seat == 0 ? moving : (shift + seat) % moving;
        int b = (shift + moving - seat) % moving;
        if (a < n && b < n) {
            partner[a] = b;
            partner[b] = a;
        }
    }
}

static enum ct_status pair_randomly(int n, int epoch, uint64_t seed, int *partner)
{
    int *order = malloc((size_t)n * sizeof *order);
    if (!order)
        return CT_ENOMEM;
    struct ct_twister random;
    ct_twister_seed(&random, mix_seed(seed, (uint64_t)epoch));
    for (int i = 0; i < n; i++)
        order[i] = partner[i] = i;
    ct_twister_shuffle(&random, order, (size_t)n);
    for (int i = 0; i + 1 < n; i += 2) {
        partner[order[i]] = order[i + 1];
        partner[order[i + 1]] = order[i];
    }
    free(order);
    return CT_OK;
}

enum ct_status ct_impact_partners(enum ct_pairing pairing, int n_nodes, int epoch, uint64_t seed,
                                  int *partner_p)
{
    switch (pairing) {
    case CT_PAIRING_ADJACENT:
        pair_adjacent(n_nodes, partner_p);
        return CT_OK;
    case CT_PAIRING_ROTATE:
        pair_rotating(n_nodes, epoch, partner_p);
        return CT_OK;
    case CT_PAIRING_RANDOM:
    case CT_PAIRING_LINKS:
        break;
    }
    assert(pairing == CT_PAIRING_RANDOM);
    return pair_randomly(n_nodes, epoch, seed, partner_p);
}

struct ct_impact_epoch_plan ct_impact_plan_epochs(int once, double time_s, double interval_s,
                                                  bool is_free)
{
    if (once == 1)
        return (struct ct_impact_epoch_plan){.n_epochs = 1, .epoch_s = time_s};
    double wanted_s = fmax(is_free ? 0 : wanted_epoch_s, wanted_probes * interval_s);
    double shortest_s = fmax(is_free ? 0 : shortest_epoch_s, fewest_probes * interval_s);
    double cycles = fmin(floor(time_s / (once * wanted_s)), 1e6 / once);
    double n = cycles >= 1 ? floor(cycles) * once : fmin(once, floor(time_s / shortest_s));
    int n_epochs = (int)fmax(n, 1);
    return (struct ct_impact_epoch_plan){.n_epochs = n_epochs, .epoch_s = time_s / n_epochs};
}

struct ct_impact_schedule {
    enum ct_arrivals arrivals;
    double interval_s, next_s;
    struct ct_twister random;
};

struct ct_impact_schedule *ct_impact_schedule_new(enum ct_arrivals arrivals, double interval_s,
                                                  double start_s, uint64_t seed, uint64_t stream)
{
    struct ct_impact_schedule *schedule = malloc(sizeof *schedule);
    if (!schedule)
        return NULL;
    schedule->arrivals = arrivals;
    schedule->interval_s = interval_s;
    ct_twister_seed(&schedule->random, mix_seed(seed, stream));
    schedule->next_s = start_s + (arrivals == CT_ARRIVALS_POISSON
                                      ? ct_twister_exponential(&schedule->random, interval_s)
                                      : interval_s * ct_twister_unit(&schedule->random));
    return schedule;
}

void ct_impact_schedule_free(struct ct_impact_schedule *schedule)
{
    free(schedule);
}

double ct_impact_schedule_next(struct ct_impact_schedule *schedule)
{
    double due_s = schedule->next_s;
    double distance_s = schedule->arrivals == CT_ARRIVALS_POISSON
                            ? ct_twister_exponential(&schedule->random, schedule->interval_s)
                            : schedule->interval_s;
    /* An exponential variate may round to 0; due times must differ. */
    schedule->next_s = fmax(due_s + distance_s, nextafter(due_s, INFINITY));
    return due_s;
}
