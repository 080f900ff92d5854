/* study/dilation: runs of labs that imitate a machine. */
#include "study/dilation.h"
#include "study/parameters.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 6 };

/* Runs r0.h5 to r5.h5. */
struct folder {
    struct ct_run_entry entries[RUNS];
    struct ct_run_list list;
};

static void make_runs(struct folder *folder)
{
    static char *paths[RUNS] = {"a/r0.h5", "a/r1.h5", "a/r2.h5", "a/r3.h5", "a/r4.h5", "r5.h5"};
    *folder = (struct folder){.list = {.entries = folder->entries, .n_entries = RUNS}};
    for (size_t i = 0; i < RUNS; i++) {
        folder->entries[i] = (struct ct_run_entry){
            .path = paths[i], .info = {.kind = CT_RUN_IMPACT, .mpi_library = strdup("MPI 1")}};
        ct_run_add_text(&folder->entries[i].info, "kernel", "Linux");
    }
}

/* Runs in a lab like qdr; the last one may have another factor, and the third is no workload. */
static void make_dilated(struct folder *folder, double last)
{
    make_runs(folder);
    for (size_t i = 0; i < RUNS; i++) {
        struct ct_run_info *info = &folder->entries[i].info;
        double factor = i == RUNS - 1 ? last : 20000;
        info->kind = CT_RUN_RUNTIME;
        info->app = strdup(i == 2 ? "hpl" : "fft");
        if (factor > 0) {
            ct_run_add_text(info, CT_RUN_MACHINE, "qdr");
            ct_run_add_number(info, CT_RUN_DILATION, factor);
        }
        if (i != 2)
            ct_run_add_number(info, CT_RUN_COMPUTE_DILATION, factor);
    }
}

static void a_folder_has_one_dilation(void **state)
{
    (void)state;
    static const struct {
        double last;
        const char *text;
    } rows[] = {
        {20000, NULL},
        {5000,
         "a/r0.h5 is of a lab like qdr, 20000 times slower, r5.h5 of one like qdr, 5000 times"},
        {0, "r5.h5 of one like no machine, 1 times slower"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct folder folder;
        struct ct_dilation dilation;
        struct ct_argv notes = {0};
        struct ct_error err = {.text = ""};
        make_dilated(&folder, rows[i].last);
        enum ct_status status = ct_dilation_find(&folder.list, &dilation, &notes, &err);
        assert_int_equal(status, rows[i].text ? CT_EINVAL : CT_OK);
        if (rows[i].text && !strstr(err.text, rows[i].text))
            fail_msg("no '%s' in: %s", rows[i].text, err.text);
        if (!rows[i].text) {
            assert_string_equal(dilation.machine->name, "qdr");
            assert_near(dilation.factor, 20000, 0);
            assert_int_equal(notes.n, 1);
            assert_non_null(strstr(notes.item[0], "hpl: not replays or workloads"));
        }
        ct_argv_free(&notes);
        for (size_t r = 0; r < RUNS; r++)
            ct_run_info_free(&folder.entries[r].info);
    }
}

/* By what logpb measured, L and o as they should be; then with five times the time of a byte. */
static void groups_that_differ_are_noted(void **state)
{
    (void)state;
    for (int wrong = 0; wrong <= 1; wrong++) {
        const struct ct_dilation dilation = {&ct_machines[0], 20000};
        const struct ct_parameters measured = {.L_s = 9.37e-3,
                                               .o_s = NAN,
                                               .measured = {.o_s = 5.35e-3},
                                               .G_s_per_byte = wrong ? 25e-6 : 5e-6};
        struct ct_argv notes = {0};
        char text[CT_DILATION_TEXT_MAX];
        ct_dilation_compare(&dilation, &measured, text, &notes);
        assert_string_equal(
            text, wrong ? "like qdr, 20000 times slower: 1 KiB G / L 2.7 (0.56 there), o / L 0.57 "
                          "(0.58), packets under way 0.26 (0.9)"
                        : "like qdr, 20000 times slower: 1 KiB G / L 0.55 (0.56 there), o / L 0.57 "
                          "(0.58), packets under way 1.3 (0.9)");
        assert_int_equal(notes.n, wrong);
        if (wrong)
            assert_non_null(strstr(notes.item[0], "not like qdr: by what logpb measured, a group "
                                                  "differs by a factor of 4.9"));
        ct_argv_free(&notes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_folder_has_one_dilation),
                                       cmocka_unit_test(groups_that_differ_are_noted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
