#include "links_example.h"

#include "unit.h"

#include <math.h>

static struct ct_simulate_paths paths_in_use;

struct ct_links *links_on(const struct ct_simulate_paths *paths, struct ct_links_queues queues)
{
    struct ct_links *links;
    paths_in_use = *paths;
    const struct ct_links_setup setup = {.paths = &paths_in_use, .n_jobs = 2, .queues = queues};
    assert_int_equal(ct_links_new(&setup, &links, NULL), CT_OK);
    return links;
}

void free_links(struct ct_links *links)
{
    ct_links_free(links);
    ct_simulate_paths_free(&paths_in_use);
}

void run_links(struct ct_links *links, const struct sent *messages, size_t n, double *through_ns)
{
    size_t n_sent = 0, n_through = 0;
    while (n_through < n) {
        if (n_sent < n && messages[n_sent].at_ns <= ct_links_next_ns(links)) {
            const struct sent *next = &messages[n_sent];
            const struct ct_links_message message = {next->from, next->to, next->job, next->bytes,
                                                     (uint32_t)n_sent++};
            assert_int_equal(ct_links_send(links, next->at_ns, &message, NULL), CT_OK);
        } else {
            double at_ns = ct_links_next_ns(links);
            uint32_t number;
            assert_true(isfinite(at_ns));
            if (ct_links_step(links, &number)) {
                through_ns[number] = at_ns;
                n_through++;
            }
        }
    }
    assert_true(isinf(ct_links_next_ns(links)));
}

void check_links(struct ct_links *links, const struct sent *messages, size_t n)
{
    double through_ns[16];
    assert_true(n <= sizeof through_ns / sizeof *through_ns);
    run_links(links, messages, n, through_ns);
    for (size_t i = 0; i < n; i++)
        assert_near(through_ns[i], messages[i].through_ns, 1e-6);
    free_links(links);
}
