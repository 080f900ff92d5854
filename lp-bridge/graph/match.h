/* Matches sends with receives. */
#pragma once

#include "lp-bridge/goal/goal.h"

#include <stdint.h>

/**
 * First-in first-out for each source, destination and tag; a receive with any tag gets the first
 * send of its source that no earlier receive got.
 * @param partner_p  [out] one for each operation, numbered over all ranks: the send of a receive,
 *                         the receive of a send, itself for a calc; free()
 * @return CT_OK; CT_EINVAL naming an operation without a counterpart, or a send that is larger than
 *         its receive; CT_ENOMEM
 */
enum ct_status ct_match(const struct ct_goal *goal, uint32_t **partner_p, struct ct_error *err);
