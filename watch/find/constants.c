#include "watch/find/constants.h"

const struct ct_constant ct_watch_constants[CT_WATCH_N_CONSTANTS] = {
    [CT_WATCH_FLOOR_LEAST] = {"watch_floor_least", 100, "1", "watch", CT_CONSTANT_CHOSEN,
                              "the quantile of the floor then rests on five values", NULL},
    [CT_WATCH_FLOOR_QUANTILE] = {"watch_floor_quantile", 0.05, "1", "watch", CT_CONSTANT_CHOSEN,
                                 "messages that waited nowhere, also where links are busy for half "
                                 "of the time; the least value would be one chance",
                                 NULL},
    [CT_WATCH_FLOOR_MARGIN] = {"watch_floor_margin", 0.02, "1", "watch", CT_CONSTANT_CHOSEN,
                               "a direction that is slower by a fifth, as one link of four, adds 5 "
                               "% to the path",
                               NULL},
    [CT_WATCH_WAIT_MARGIN] = {"watch_wait_margin", 90, "1", "watch", CT_CONSTANT_CHOSEN,
                              "of the distance of the quantiles 5 and 10 %: where delays of hosts "
                              "are exponential, less than 1 % of messages that did not wait take "
                              "so long",
                              NULL},
    [CT_WATCH_SHARE_LEFT] = {"watch_share_left", 1. / 3, "1", "watch", CT_CONSTANT_CHOSEN,
                             "a load may leave this part of the least share of fast messages that "
                             "was learned, and is no fault",
                             NULL},
    [CT_WATCH_SHARE_WINDOW] = {"watch_share_window", 200, "1", "watch", CT_CONSTANT_CHOSEN,
                               "shares below are known to a few hundredths", NULL},
    [CT_WATCH_SLOW_MAX] = {"watch_slow_max", 0.97, "1", "watch", CT_CONSTANT_CHOSEN,
                           "a link that is busier is full", NULL},
    [CT_WATCH_LOSS_LEAST] = {"watch_loss_least", 1e-4, "1", "watch", CT_CONSTANT_CHOSEN,
                             "a tenth of the least loss that is to be found", NULL},
    [CT_WATCH_APART] =
        {"watch_apart", 3, "ln", "watch", CT_CONSTANT_CHOSEN,
         "links that explain what was seen nearly as well (1 : 20) are suspects, too", NULL},
    [CT_WATCH_BYTES_SHARE] = {"watch_bytes_share", 0.5, "1", "watch", CT_CONSTANT_CHOSEN,
                              "headers make small messages larger, by less than a factor of two; "
                              "of a delay the ratio is that of a small message to a large one",
                              NULL},
};
