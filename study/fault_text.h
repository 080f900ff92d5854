/** A fault in words, as a person asks what it would cost. */
#pragma once

#include "study/fault_price.h"

struct ct_fault_words {
    uint32_t *ways; /**< owned; of `fault` */
    struct ct_fault fault;
};

/**
 * Read a fault:
 *
 *     leaf3 to spine1 at 80%                  the direction has 80 % of its rate
 *     leaf3 to spine1 and back at 80%         both directions have
 *     leaf3 to spine1 later by 20us           messages by the direction are later
 *     n5 later by 50us                        messages from and to the host are
 *     leaf3 to spine1 loses 1%                read, but it has no price
 *
 * Parallel links between the two are sick together.
 *
 * @param words_p  [out] ct_fault_words_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (what is not understood, or not there, is named); CT_ENOMEM
 */
enum ct_status ct_fault_parse(const struct ct_topology *topology, const char *text,
                              struct ct_fault_words *words_p, struct ct_error *err);

/**
 * The links of a host, in both directions: a fault of the host whose size is not known.
 * @return CT_OK; CT_EUSAGE (the topology does not have the host, or no link of it); CT_ENOMEM
 */
enum ct_status ct_fault_of_host(const struct ct_topology *topology, const char *host,
                                struct ct_fault_words *words_p, struct ct_error *err);
void ct_fault_words_free(struct ct_fault_words *words);
