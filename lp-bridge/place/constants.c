#include "lp-bridge/place/constants.h"

const struct ct_constant ct_place_constants[CT_PLACE_N_CONSTANTS] = {
    [CT_PLACE_WORK] = {"place_work", 1.2e10, "1", "place", CT_CONSTANT_CHOSEN,
                       "dependencies of all mappings that are evaluated: time", NULL},
    [CT_PLACE_PATIENCE] = {"place_patience", 2e9, "1", "place", CT_CONSTANT_CHOSEN,
                           "dependencies of mappings after which restarts that find nothing end: "
                           "time",
                           NULL},
    [CT_PLACE_PRICED_PAIRS] = {"place_priced_pairs", 4e8, "1", "place", CT_CONSTANT_CHOSEN,
                               "pairs of ranks that the search for less traffic prices: about "
                               "three seconds on a core",
                               NULL},
    [CT_PLACE_CONTENTION_WORK] = {"place_contention_work", 2e7, "1", "place --shared-links",
                                  CT_CONSTANT_CHOSEN,
                                  "operations and packets of all simulations: time", NULL},
};
