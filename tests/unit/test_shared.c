/* Which question a run answers: what its two programs shared. */
#include "study/shared.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *said, *hosts, *with, *queue, *topology;
    enum ct_shared shared;
} cases[] = {
    /* Runs of earlier versions. */
    {NULL, NULL, NULL, "fifo", NULL, CT_SHARED_UNKNOWN},
    {NULL, NULL, NULL, NULL, "tree:2x2,2", CT_SHARED_UNKNOWN},
    {"hosts", NULL, NULL, NULL, NULL, CT_SHARED_HOSTS},
    {NULL, "h1 h2", "h1 h2", "fifo", NULL, CT_SHARED_HOSTS},
    /* One of them is enough. */
    {NULL, "h1 h2", "h2 h3", "fifo", NULL, CT_SHARED_HOSTS},
    {NULL, "h1 h2", "h3 h4", "fifo", NULL, CT_SHARED_SWITCH},
    {NULL, "a b", "c d", NULL, NULL, CT_SHARED_OWN_HOSTS},
    {NULL, "h1 h2", "h3 h4", NULL, "switch:4", CT_SHARED_SWITCH},
    /* Two hosts on each leaf. */
    {NULL, "h1 h2", "h3 h4", "fifo", "tree:2x2,1", CT_SHARED_NOTHING},
    {NULL, "h1 h3", "h2 h4", "fifo", "tree:2x2,1", CT_SHARED_LINKS},
    {NULL, "h1 h2 h3 h4", "h5 h6 h7 h8", "fifo", "tree:4x2,1", CT_SHARED_SWITCH},
    /* A name that is no node, a topology that cannot be built again. */
    {NULL, "h1 h2", "h3 elsewhere", "fifo", "tree:2x2,1", CT_SHARED_OWN_HOSTS},
    {NULL, "h1 h2", "h3 h4", NULL, "topology.conf", CT_SHARED_OWN_HOSTS}};

static void the_hosts_and_routes_of_a_run_decide(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_run_info info = {.kind = CT_RUN_RUNTIME, .with = (char *)"b"};
        const char *facts[][2] = {{CT_RUN_SHARED, cases[i].said},
                                  {CT_RUN_PLACEMENT_HOSTS, cases[i].hosts},
                                  {CT_RUN_PLACEMENT_WITH, cases[i].with},
                                  {CT_RUN_QUEUE, cases[i].queue},
                                  {CT_RUN_TOPOLOGY, cases[i].topology}};
        info.hosts = strdup("h1 h2 h3 h4 h5 h6 h7 h8");
        info.with = strdup("b");
        for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
            if (facts[k][1])
                assert_int_equal(ct_run_add_text(&info, facts[k][0], facts[k][1]), CT_OK);
        struct ct_run_entry entry = {.info = info};
        const struct ct_run_list list = {.entries = &entry, .n_entries = 1};
        if (ct_shared_find(&list) != cases[i].shared)
            fail_msg("case %zu: %s", i, ct_shared_key(ct_shared_find(&list)));
        ct_run_info_free(&info);
    }
    const struct ct_run_list none = {.entries = NULL};
    assert_null(ct_shared_find_run(&none));
    assert_string_equal(ct_shared_key(ct_shared_find(&none)), "not recorded");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_hosts_and_routes_of_a_run_decide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
