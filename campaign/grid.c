#include "campaign/grid.h"

#include "campaign/constants.h"
#include "core/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const ct_grid_names[] = {[CT_GRID_NONE] = "none",
                                     [CT_GRID_PAPER] = "paper",
                                     [CT_GRID_ADAPTIVE] = "adaptive",
                                     [CT_GRID_ADAPTIVE + 1] = NULL};

static const uint32_t paper_partners[] = {1, 4, 7, 14, 17};
static const uint32_t paper_messages[] = {1, 10};

enum {
    N_PARTNERS = sizeof paper_partners / sizeof *paper_partners,
    N_MESSAGES = sizeof paper_messages / sizeof *paper_messages
};

/* The names of the runs show pauses, so they are to be short. */
static double round_two_digits(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.1e", value);
    return strtod(text, NULL);
}

static void fill_pauses(struct ct_grid *grid, double rate_bit_per_s)
{
    double shortest_s = ct_campaign_constant(CT_CAMPAIGN_PAUSE_RATIO) * 8 *
                        CT_CONFIG_MESSAGE_BYTES / rate_bit_per_s;
    double wanted = cbrt(ct_campaign_constant(CT_CAMPAIGN_PAUSE_LONGEST) / shortest_s);
    grid->step = fmax(ct_campaign_constant(CT_CAMPAIGN_STEP_LEAST),
                      fmin(ct_campaign_constant(CT_CAMPAIGN_STEP_MOST), wanted));
    for (int k = 0; k < CT_GRID_PAUSES; k++)
        grid->pauses_s[k] = round_two_digits(shortest_s * pow(grid->step, k));
}

struct ct_grid ct_grid_paper(uint64_t hosts, double rate_bit_per_s)
{
    uint32_t most = paper_partners[N_PARTNERS - 1];
    struct ct_grid grid = {.partners_max = hosts - 1 < most ? (uint32_t)(hosts - 1) : most,
                           .partners_cut = hosts - 1 < most};
    fill_pauses(&grid, rate_bit_per_s);
    uint32_t before = 0;
    for (size_t p = 0; p < N_PARTNERS && before < grid.partners_max; p++) {
        before = paper_partners[p] < grid.partners_max ? paper_partners[p] : grid.partners_max;
        for (size_t m = 0; m < N_MESSAGES; m++)
            for (size_t k = 0; k < CT_GRID_PAUSES; k++)
                grid.loads[grid.n++] = (struct ct_config){.partners = before,
                                                          .messages = paper_messages[m],
                                                          .bubble_s = grid.pauses_s[k]};
    }
    grid.n_steady = grid.n;
    return grid;
}

bool ct_grid_add_burst(struct ct_grid *grid, struct ct_burst burst)
{
    struct ct_config first = grid->loads[0];
    first.burst = burst;
    for (size_t i = grid->n_steady; i < grid->n; i++)
        if (ct_config_same(&grid->loads[i], &first))
            return true;
    if (grid->n_bursts == CT_GRID_BURSTS_MAX)
        return false;
    for (size_t i = 0; i < grid->n_steady; i += CT_GRID_PAUSES) {
        struct ct_config load = grid->loads[i];
        load.burst = burst;
        grid->loads[grid->n++] = load;
    }
    grid->n_bursts++;
    return true;
}

void ct_grid_describe(const struct ct_grid *grid, char *text, size_t size)
{
    char pauses[CT_GRID_PAUSES * CT_UNITS_TEXT_MAX] = "", partners[80] = "", steps[80] = "",
                                 bursts[80] = "";
    for (size_t k = 0, used = 0; k < CT_GRID_PAUSES; k++) {
        char pause[CT_UNITS_TEXT_MAX];
        ct_format_duration(grid->pauses_s[k], pause);
        used += (size_t)snprintf(pauses + used, sizeof pauses - used, "%s%s", k ? " " : "", pause);
    }
    if (grid->partners_cut)
        snprintf(partners, sizeof partners,
                 "; more than %u partners became %u, one less than hosts", grid->partners_max,
                 grid->partners_max);
    if (grid->step < ct_campaign_constant(CT_CAMPAIGN_STEP_MOST))
        snprintf(steps, sizeof steps, " in steps of %.2g instead of 10, so that they stay short",
                 grid->step);
    if (grid->n_bursts > 0)
        snprintf(bursts, sizeof bursts, "; %zu more in bursts, with the shortest pause",
                 grid->n - grid->n_steady);
    snprintf(text, size, "Grid of the paper: %zu configurations, pauses %s%s%s%s.", grid->n_steady,
             pauses, steps, partners, bursts);
}
