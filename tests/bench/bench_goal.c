/*
 * Reading a GOAL schedule: megabytes a second, beside `wc -l` of the same file, which does nothing
 * but look for the ends of lines. Turns alternate; the median of each counts.
 */
#include "core/clock.h"
#include "lp-bridge/goal/goal.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANKS = 64, ITERATIONS = 4000, NEIGHBOURS = 4, TURNS = 5 };

/* An iteration: compute, send to four neighbours, receive from them, wait for all. */
static void add_iteration(struct ct_goal_builder *builder, uint32_t rank, bool first)
{
    static const uint32_t offsets[NEIGHBOURS] = {1, RANKS - 1, 8, RANKS - 8};
    struct ct_goal_op calc = {.kind = CT_GOAL_CALC, .amount = 123456};
    uint32_t work = ct_goal_add(builder, calc);
    for (uint32_t n = 1; !first && n <= NEIGHBOURS; n++)
        ct_goal_require(builder, work, work - n, CT_GOAL_FINISH);
    for (uint32_t n = 0; n < NEIGHBOURS; n++) {
        uint32_t send =
            ct_goal_add(builder, (struct ct_goal_op){.kind = CT_GOAL_SEND,
                                                     .amount = 8192,
                                                     .peer = (rank + offsets[n]) % RANKS,
                                                     .tag = (int32_t)n});
        ct_goal_require(builder, send, n ? send - 1 : work, n ? CT_GOAL_START : CT_GOAL_FINISH);
    }
    for (uint32_t n = 0; n < NEIGHBOURS; n++) {
        uint32_t recv =
            ct_goal_add(builder, (struct ct_goal_op){.kind = CT_GOAL_RECV,
                                                     .amount = 8192,
                                                     .peer = (rank + RANKS - offsets[n]) % RANKS,
                                                     .tag = (int32_t)n});
        ct_goal_require(builder, recv, work, CT_GOAL_FINISH);
    }
}

static void write_example(const char *path)
{
    struct ct_goal goal;
    struct ct_goal_builder *builder = ct_goal_builder_new(RANKS);
    FILE *out = fopen(path, "w");
    if (!builder || !out)
        exit(1);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        ct_goal_begin_rank(builder, rank);
        for (int i = 0; i < ITERATIONS; i++)
            add_iteration(builder, rank, i == 0);
    }
    if (ct_goal_build(builder, &goal, NULL) != CT_OK ||
        ct_goal_write_text(&goal, out, NULL) != CT_OK)
        exit(1);
    fclose(out);
    ct_goal_free(&goal);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    char path[] = "/tmp/bench_goal.XXXXXX", count[64];
    double read_s[TURNS], count_s[TURNS];
    struct ct_goal goal;
    struct ct_error err;
    struct stat about;
    close(mkstemp(path));
    write_example(path);
    snprintf(count, sizeof count, "wc -l %s >/dev/null", path);
    for (int turn = 0; turn < TURNS; turn++) {
        double start_s = ct_clock_now_s();
        if (ct_goal_read(path, &goal, &err) != CT_OK) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
        read_s[turn] = ct_clock_now_s() - start_s;
        ct_goal_free(&goal);
        start_s = ct_clock_now_s();
        if (system(count) != 0)
            return 1;
        count_s[turn] = ct_clock_now_s() - start_s;
    }
    stat(path, &about);
    unlink(path);
    qsort(read_s, TURNS, sizeof *read_s, by_value);
    qsort(count_s, TURNS, sizeof *count_s, by_value);
    double megabytes = 1e-6 * (double)about.st_size, middle_s = read_s[TURNS / 2];
    printf("GOAL text of %.0f MB: read in %.2f s, %.0f MB/s (aim: 100); wc -l %.2f s, ratio %.1f\n",
           megabytes, middle_s, megabytes / middle_s, count_s[TURNS / 2],
           middle_s / count_s[TURNS / 2]);
    return 0;
}
