/* results/network_settings: runs that used the network differently, named. */
#include "results/network_settings.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 6 };

/* Probe runs r0.h5 to r5.h5 that recorded their environment and set nothing. */
struct folder {
    struct ct_run_entry entries[RUNS];
    struct ct_run_list list;
};

static void make(struct folder *folder)
{
    static char *paths[RUNS] = {"a/r0.h5", "a/r1.h5", "a/r2.h5", "a/r3.h5", "a/r4.h5", "r5.h5"};
    *folder = (struct folder){.list = {.entries = folder->entries, .n_entries = RUNS}};
    for (size_t i = 0; i < RUNS; i++) {
        folder->entries[i] = (struct ct_run_entry){
            .path = paths[i], .info = {.kind = CT_RUN_IMPACT, .mpi_library = strdup("MPI 1")}};
        ct_run_add_text(&folder->entries[i].info, "kernel", "Linux");
    }
}

static void set(struct folder *folder, size_t run, const char *key, const char *value)
{
    assert_int_equal(ct_run_add_text(&folder->entries[run].info, key, value), CT_OK);
}

/* The only note; "" where there is none. Ends the folder. */
static void expect(struct folder *folder, const char *text)
{
    struct ct_argv notes = {0};
    assert_int_equal(ct_network_settings_compare(&folder->list, &notes), CT_OK);
    if (notes.n != (*text != '\0'))
        fail_msg("%zu notes, the first: %s", notes.n, notes.n ? notes.item[0] : "");
    if (*text && !strstr(notes.item[0], text))
        fail_msg("no '%s' in: %s", text, notes.item[0]);
    ct_argv_free(&notes);
    for (size_t i = 0; i < RUNS; i++)
        ct_run_info_free(&folder->entries[i].info);
}

static void alike_is_silent(void **state)
{
    (void)state;
    struct folder folder;
    make(&folder);
    expect(&folder, "");
    make(&folder);
    for (size_t i = 0; i < RUNS; i++)
        set(&folder, i, "env_UCX_NET_DEVICES", "mlx5_0:1");
    expect(&folder, "");
}

static void another_card_is_named(void **state)
{
    (void)state;
    struct folder folder;
    make(&folder);
    for (size_t i = 0; i < RUNS; i++)
        set(&folder, i, "env_UCX_NET_DEVICES", i == 4 ? "mlx5_1:1" : "mlx5_0:1");
    expect(&folder, "UCX_NET_DEVICES is 'mlx5_0:1' in r0.h5 and 4 more, 'mlx5_1:1' in r4.h5. ");
}

static void set_in_some_runs_only(void **state)
{
    (void)state;
    struct folder folder;
    make(&folder);
    set(&folder, 5, "env_OMPI_MCA_pml", "ob1");
    expect(&folder, "OMPI_MCA_pml is not set in r0.h5 and 4 more, 'ob1' in r5.h5. ");
    make(&folder);
    set(&folder, 0, "env_FI_PROVIDER", "");
    expect(&folder, "FI_PROVIDER is '' in r0.h5, not set in r1.h5 and 4 more. ");
}

static void many_values_are_counted(void **state)
{
    (void)state;
    struct folder folder;
    make(&folder);
    for (size_t i = 0; i < RUNS; i++)
        set(&folder, i, "env_UCX_TLS", (const char *[]){"a", "b", "c", "d", "e", "f"}[i]);
    expect(&folder, "'d' in r3.h5, and 2 other values. ");
}

/* Logging, ranks and other programs' variables are no settings of the network. */
static void other_variables_may_differ(void **state)
{
    (void)state;
    struct folder folder;
    make(&folder);
    set(&folder, 0, "env_UCX_LOG_LEVEL", "info");
    set(&folder, 1, "env_OMPI_COMMAND", "impactb");
    set(&folder, 2, "cpu_governor", "performance");
    expect(&folder, "");
}

/* A run without an environment says nothing: it is not one that set nothing. */
static void unrecorded_runs_are_passed_over(void **state)
{
    (void)state;
    struct folder folder;
    make(&folder);
    ct_run_info_free(&folder.entries[0].info);
    folder.entries[0].info = (struct ct_run_info){.kind = CT_RUN_IMPACT, .mpi_library = strdup("")};
    for (size_t i = 1; i < RUNS; i++)
        set(&folder, i, "env_UCX_TLS", "rc");
    expect(&folder, "");
}

/* What the driver of a campaign saw is another thing than what ranks saw. */
static void driver_is_compared_with_itself(void **state)
{
    (void)state;
    struct folder folder;
    for (int differs = 0; differs < 2; differs++) {
        make(&folder);
        for (size_t i = 0; i < 3; i++) {
            struct ct_run_info *info = &folder.entries[i].info;
            ct_run_info_free(info);
            *info = (struct ct_run_info){.kind = CT_RUN_RUNTIME, .mpi_library = strdup("")};
            set(&folder, i, "driver_kernel", "Linux");
        }
        for (size_t i = 3; i < RUNS; i++)
            set(&folder, i, "env_UCX_TLS", "rc");
        if (differs)
            set(&folder, 1, "driver_env_UCX_TLS", "tcp");
        expect(&folder, differs ? "UCX_TLS is not set in r0.h5 and 1 more, 'tcp' in r1.h5. " : "");
    }
}

/* An application may have an MPI of its own; probes may not. */
static void probes_have_one_library(void **state)
{
    (void)state;
    struct folder folder;
    for (int probe = 0; probe < 2; probe++) {
        make(&folder);
        struct ct_run_info *info = &folder.entries[2].info;
        free(info->mpi_library);
        info->mpi_library = strdup("MPI 2");
        info->kind = probe ? CT_RUN_IMPACT : CT_RUN_RUNTIME;
        expect(&folder,
               probe ? "the MPI library is 'MPI 1' in r0.h5 and 4 more, 'MPI 2' in r2.h5" : "");
    }
}

/* Runs that record none may be from any. */
static void topologies_are_compared_where_they_are_recorded(void **state)
{
    (void)state;
    struct folder folder;
    make(&folder);
    for (size_t i = 2; i < RUNS; i++)
        set(&folder, i, CT_RUN_TOPOLOGY, "tree:4x4,2");
    expect(&folder, "");
    make(&folder);
    for (size_t i = 2; i < RUNS; i++)
        set(&folder, i, CT_RUN_TOPOLOGY, i == 3 ? "tree:4x4,1" : "tree:4x4,2");
    expect(&folder, "the topology is 'tree:4x4,2' in r2.h5 and 2 more, 'tree:4x4,1' in r3.h5. ");
}

static void several_switches_are_noted_once(void **state)
{
    (void)state;
    struct folder folder;
    for (int several = -1; several < 2; several++) { /* -1: a topology of one switch */
        struct ct_argv notes = {0};
        make(&folder);
        for (size_t i = 1; several != 0 && i < RUNS; i++) {
            set(&folder, i, CT_RUN_TOPOLOGY, several > 0 ? "tree:2x2,2" : "switch:4");
            if (several < 0)
                ct_run_add_number(&folder.entries[i].info, CT_RUN_TOPOLOGY_SWITCHES, 1);
        }
        ct_network_settings_note_switches(&folder.list, &notes);
        assert_int_equal(notes.n, several > 0);
        if (several > 0)
            assert_non_null(strstr(notes.item[0], "several switches ('tree:2x2,2')"));
        ct_argv_free(&notes);
        for (size_t i = 0; i < RUNS; i++)
            ct_run_info_free(&folder.entries[i].info);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alike_is_silent),
        cmocka_unit_test(another_card_is_named),
        cmocka_unit_test(set_in_some_runs_only),
        cmocka_unit_test(many_values_are_counted),
        cmocka_unit_test(other_variables_may_differ),
        cmocka_unit_test(unrecorded_runs_are_passed_over),
        cmocka_unit_test(driver_is_compared_with_itself),
        cmocka_unit_test(probes_have_one_library),
        cmocka_unit_test(topologies_are_compared_where_they_are_recorded),
        cmocka_unit_test(several_switches_are_noted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
