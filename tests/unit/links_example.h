/* Messages on links, and when they are through. */
#ifndef CT_TESTS_UNIT_LINKS_EXAMPLE_H
#define CT_TESTS_UNIT_LINKS_EXAMPLE_H

#include "simulate/links.h"

#include <stddef.h>

/* Links for two jobs; the paths are freed with them, by free_links(). One at a time. */
struct ct_links *links_on(const struct ct_simulate_paths *paths, struct ct_links_queues queues);
void free_links(struct ct_links *links);

struct sent {
    uint32_t from, to, job;
    double bytes, at_ns, through_ns;
};

/* Send all, in the order of their times. through_ns: [out] n */
void run_links(struct ct_links *links, const struct sent *messages, size_t n, double *through_ns);

/* The same, and compare when they are through; frees the links. */
void check_links(struct ct_links *links, const struct sent *messages, size_t n);

#define CHECK_LINKS(links, ...)                                                                    \
    do {                                                                                           \
        const struct sent messages_[] = {__VA_ARGS__};                                             \
        check_links(links, messages_, sizeof messages_ / sizeof *messages_);                       \
    } while (0)

#endif
