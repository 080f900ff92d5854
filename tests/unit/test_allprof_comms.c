/* trace/convert: communicators in liballprof's form, by the calls that make them. */
#include "trace/convert/allprof.h"
#include "traced_program.h"
#include "unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 9, TEXT_MAX = 4000, WORLD = 5641280 };

/* A program of which every call takes no time. */
struct texts {
    uint32_t n_ranks;
    char text[RANKS_MAX][TEXT_MAX];
};

__attribute__((format(printf, 3, 4))) static void add(struct texts *texts, uint32_t rank,
                                                      const char *format, ...)
{
    size_t used = strlen(texts->text[rank]);
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(texts->text[rank] + used, TEXT_MAX - used, format, arguments);
    va_end(arguments);
    assert_in_range(n, 0, TEXT_MAX - used - 1);
}

static struct texts texts_of(uint32_t n_ranks)
{
    struct texts texts = {.n_ranks = n_ranks};
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        add(&texts, rank, "MPI_Init:-:1:2:0\n");
        add(&texts, rank, "MPI_Comm_rank:0:%d,%u,%u:1:0\n", WORLD, rank, n_ranks);
    }
    return texts;
}

/* A handle as lines have it: the handle, this rank in it, its size. */
struct comm {
    uint64_t handle;
    uint32_t rank, size;
};

static struct comm world(const struct texts *texts, uint32_t rank)
{
    return (struct comm){WORLD, rank, texts->n_ranks};
}

#define COMM "%lu,%u,%u"
#define OF(comm) (comm).handle, (comm).rank, (comm).size

static void split(struct texts *texts, uint32_t rank, struct comm comm, int color, int key,
                  unsigned address)
{
    add(texts, rank, "MPI_Comm_split:0:" COMM ":%d:%d:%u:0\n", OF(comm), color, key, address);
}

static void allreduce(struct texts *texts, uint32_t rank, struct comm comm, unsigned bytes)
{
    add(texts, rank, "MPI_Allreduce:0:8:9:%u:1,1,1:3:" COMM ":0\n", bytes, OF(comm));
}

static void free_at(struct texts *texts, uint32_t rank, unsigned address)
{
    add(texts, rank, "MPI_Comm_free:0:%u:0\n", address);
}

static enum ct_status convert(struct texts *texts, struct ct_goal *goal_p, struct ct_error *err)
{
    struct ct_allprof_text all[RANKS_MAX];
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_events events;
    for (uint32_t rank = 0; rank < texts->n_ranks; rank++) {
        add(texts, rank, "MPI_Finalize:0:-\n");
        all[rank] = (struct ct_allprof_text){texts->text[rank], strlen(texts->text[rank])};
    }
    enum ct_status status = ct_allprof_read(all, texts->n_ranks, &events, err);
    if (status != CT_OK)
        return status;
    status = ct_convert_events(&events, &options, goal_p, &notes, err);
    events.close(events.context);
    if (status == CT_OK)
        ct_convert_notes_free(&notes);
    return status;
}

/* The texts become the schedule of the program, which ends here. */
static void assert_same(struct texts *texts, struct traced_program *program)
{
    struct ct_goal goal;
    struct ct_error err;
    for (uint32_t rank = 0; rank < program->n_ranks; rank++)
        end(program, rank, 0);
    if (convert(texts, &goal, &err) != CT_OK)
        fail_msg("%s", err.text);
    struct ct_goal expected = goal_of_program(program, NULL);
    char *a = text_of(&goal), *b = text_of(&expected);
    assert_true(expected.n_ops > 0);
    assert_string_equal(a, b);
    free(a);
    free(b);
    ct_goal_free(&goal);
    ct_goal_free(&expected);
    program_free(program);
}

static void assert_text_refused(struct texts *texts, enum ct_status expected, const char *words)
{
    struct ct_goal goal;
    struct ct_error err;
    enum ct_status status = convert(texts, &goal, &err);
    if (status != expected || !strstr(err.text, words))
        fail_msg("%d, '%s' without '%s'", status, status == CT_OK ? "" : err.text, words);
}

/* ---- the same programs as the tracer sees them ---- */

static void new_comm(struct traced_program *program, uint32_t number, const uint64_t *values,
                     size_t n)
{
    for (size_t i = 1; i < n; i++)
        communicator(program, (uint32_t)values[i], 0, number, values, n);
}

static void traced(struct traced_program *program, uint32_t rank, uint32_t comm,
                   struct ct_trace_event event)
{
    call(program, rank, 0, 0, in_comm(comm, event));
}

static void traced_allreduce(struct traced_program *program, const uint64_t *values, size_t n,
                             uint32_t comm, uint64_t bytes)
{
    for (size_t i = 1; i < n; i++)
        traced(program, (uint32_t)values[i], comm, collective(CT_TRACE_ALLREDUCE, 0, bytes, 0));
}

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- splits ---- */

/* Messages around each row, a gather with unequal blocks to the last row, all in each column. */
static void a_grid_has_rows_and_columns(void **state)
{
    (void)state;
    enum { ROWS = 2, COLUMNS = 3 };
    struct texts texts = texts_of(ROWS * COLUMNS);
    struct traced_program program = program_of(ROWS * COLUMNS);
    const uint64_t members[][4] = {{0, 0, 1, 2}, {0, 3, 4, 5}, {0, 0, 3}, {0, 1, 4}, {0, 2, 5}};
    for (uint32_t i = 0; i < 2; i++)
        new_comm(&program, 1, members[i], 4);
    for (uint32_t i = 2; i < 5; i++)
        new_comm(&program, 2, members[i], 3);
    for (uint32_t rank = 0; rank < texts.n_ranks; rank++) {
        uint32_t y = rank / COLUMNS, x = rank % COLUMNS;
        uint32_t next = (x + 1) % COLUMNS, before = (x + COLUMNS - 1) % COLUMNS;
        struct comm row = {1000 + 8 * (uint64_t)rank, x, COLUMNS};
        struct comm column = {2000 - 8 * (uint64_t)rank, y, ROWS};
        split(&texts, rank, world(&texts, rank), (int)y, (int)x, 64);
        split(&texts, rank, world(&texts, rank), (int)x, (int)y, 72);
        add(&texts, rank, "MPI_Sendrecv:0:8:%u:1,1,1:%u:7:9:64:1,1,1:%u:7:" COMM ":1:0\n",
            10 + rank, next, before, OF(row));
        add(&texts, rank, "MPI_Gather:0:8:%u:1,1,1:9:0:1,1,1:1:" COMM ":0\n", 20 + rank,
            OF(column));
        add(&texts, rank,
            "MPI_Alltoallv:0:8:300:1,%u,3:0:0,0,0:1,1,1:9:300:0,0,0:0:0,0,0:1,1,1:" COMM ":0\n",
            30 + rank, OF(row));
        allreduce(&texts, rank, world(&texts, rank), 5);
        struct ct_trace_event both = {.kind = CT_TRACE_SENDRECV,
                                      .to = {(int32_t)(3 * y + next), 7, 10 + rank},
                                      .from = {(int32_t)(3 * y + before), 7, 10 + 3 * y + before}};
        struct ct_trace_event all = collective(CT_TRACE_ALLTOALLV, 0, 0, 0);
        const uint64_t blocks[] = {1, 30 + rank, 3};
        all.values = blocks;
        all.n_values = 3;
        traced(&program, rank, 1, both);
        traced(&program, rank, 2, collective(CT_TRACE_GATHER, COLUMNS + x, 20 + rank, 0));
        traced(&program, rank, 1, all);
        traced(&program, rank, 0, collective(CT_TRACE_ALLREDUCE, 0, 5, 0));
    }
    assert_same(&texts, &program);
}

/* Ranks on the diagonal of a square grid have the same rank and size in both; others do not. */
static void the_first_in_use_is_told_by_other_ranks(void **state)
{
    (void)state;
    enum { SIDE = 3 };
    struct texts texts = texts_of(SIDE * SIDE);
    struct traced_program program = program_of(SIDE * SIDE);
    for (uint64_t i = 0; i < SIDE; i++) {
        const uint64_t row[] = {0, 3 * i, 3 * i + 1, 3 * i + 2}, column[] = {0, i, i + 3, i + 6};
        new_comm(&program, 1, row, LENGTH(row));
        new_comm(&program, 2, column, LENGTH(column));
    }
    for (uint32_t rank = 0; rank < texts.n_ranks; rank++) {
        uint32_t y = rank / SIDE, x = rank % SIDE;
        split(&texts, rank, world(&texts, rank), (int)y, 0, 64);
        split(&texts, rank, world(&texts, rank), (int)x, 0, 72);
        allreduce(&texts, rank, (struct comm){2000, y, SIDE}, 100);
        allreduce(&texts, rank, (struct comm){1000, x, SIDE}, 200);
        traced(&program, rank, 2, collective(CT_TRACE_ALLREDUCE, 0, 100, 0));
        traced(&program, rank, 1, collective(CT_TRACE_ALLREDUCE, 0, 200, 0));
    }
    assert_same(&texts, &program);
}

/* The key reverses the order; half of the first half is split off once more; rank 3 is in none. */
static void splits_of_splits_follow_keys_and_colors(void **state)
{
    (void)state;
    struct texts texts = texts_of(6);
    struct traced_program program = program_of(6);
    const uint64_t large[] = {0, 5, 4, 2, 1, 0}, small[] = {0, 0, 1, 2};
    new_comm(&program, 1, large, LENGTH(large));
    new_comm(&program, 2, small, LENGTH(small));
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t rank = (uint32_t)large[i + 1];
        struct comm first = {1000, i, 5}, second = {1008, 4 - i, 3};
        split(&texts, rank, world(&texts, rank), 0, -(int)rank, 64);
        split(&texts, rank, first, rank <= 2 ? 9 : -32766, (int)rank, 72);
        traced(&program, rank, 1, collective(CT_TRACE_BCAST, 4, 300, 0));
        add(&texts, rank, "MPI_Bcast:0:8:300:1,1,1:1:" COMM ":0\n", OF(first));
        if (rank > 2)
            continue;
        traced(&program, rank, 2, collective(CT_TRACE_BCAST, 2, 400, 0));
        add(&texts, rank, "MPI_Bcast:0:8:400:1,1,1:2:" COMM ":0\n", OF(second));
    }
    split(&texts, 3, world(&texts, 3), -32766, 0, 64);
    assert_same(&texts, &program);
}

/* A copy of a split is used before it, on ranks that have it elsewhere; then both are freed, and
 * the handle stands for the other pairs. */
static void handles_are_used_again(void **state)
{
    (void)state;
    struct texts texts = texts_of(4);
    struct traced_program program = program_of(4);
    const uint64_t pairs[][3] = {{0, 0, 1}, {0, 2, 3}, {1, 0, 1}, {1, 2, 3}, {0, 0, 2}, {0, 1, 3}};
    for (uint32_t i = 0; i < 6; i++)
        new_comm(&program, 1 + i / 2, pairs[i], 3);
    for (uint32_t rank = 0; rank < 4; rank++) {
        struct comm pair = {1000 + rank, rank % 2, 2}, copy = {3000, rank % 2, 2};
        split(&texts, rank, world(&texts, rank), (int)rank / 2, 0, 64);
        allreduce(&texts, rank, pair, 1);
        add(&texts, rank, "MPI_Comm_dup:0:" COMM ":72:0\n", OF(pair));
        allreduce(&texts, rank, copy, 2);
        allreduce(&texts, rank, pair, 3);
        free_at(&texts, rank, 64);
        free_at(&texts, rank, 72);
        split(&texts, rank, world(&texts, rank), (int)rank % 2, 0, 64);
        struct comm again = {1000 + rank, rank / 2, 2};
        allreduce(&texts, rank, again, 4);
        const uint32_t comms[] = {1, 2, 1, 3};
        for (uint32_t i = 0; i < 4; i++)
            traced(&program, rank, comms[i], collective(CT_TRACE_ALLREDUCE, 0, i + 1, 0));
    }
    assert_same(&texts, &program);
}

/* Without reordering a cartesian communicator has the first ranks of its parent. */
static void cartesian_ones_have_the_first_ranks(void **state)
{
    (void)state;
    struct texts texts = texts_of(5);
    struct traced_program program = program_of(5);
    const uint64_t grid[] = {0, 0, 1, 2, 3};
    new_comm(&program, 1, grid, LENGTH(grid));
    traced_allreduce(&program, grid, LENGTH(grid), 1, 77);
    for (uint32_t rank = 0; rank < 5; rank++) {
        add(&texts, rank, "MPI_Cart_create:0:" COMM ":2:500:508:0:64:0\n", OF(world(&texts, rank)));
        if (rank < 4)
            allreduce(&texts, rank, (struct comm){1000, rank, 4}, 77);
    }
    assert_same(&texts, &program);
}

/* A wildcard receive in a row takes what was sent in it, not what was sent in the column before. */
static void wildcards_stay_in_their_communicator(void **state)
{
    (void)state;
    struct texts texts = texts_of(4);
    struct ct_goal goal;
    struct ct_error err;
    for (uint32_t rank = 0; rank < 4; rank++) {
        split(&texts, rank, world(&texts, rank), (int)rank / 2, 0, 64);
        split(&texts, rank, world(&texts, rank), (int)rank % 2, 0, 72);
        add(&texts, rank, "MPI_Comm_rank:0:1000,%u,2:1:0\n", rank % 2);
        add(&texts, rank, "MPI_Comm_rank:0:2000,%u,2:1:0\n", rank / 2);
    }
    add(&texts, 0, "MPI_Recv:0:8:100:1,1,1:-1:-1:1000,0,2:1:0\n");
    add(&texts, 0, "MPI_Recv:0:8:100:1,1,1:-1:-1:2000,0,2:1:0\n");
    add(&texts, 2, "MPI_Send:1:8:22:1,1,1:0:5:2000,1,2:1\n");
    add(&texts, 1, "MPI_Send:2:8:11:1,1,1:0:5:1000,1,2:2\n");
    for (uint32_t rank = 1; rank < 3; rank++)
        add(&texts, rank, "MPI_Comm_rank:9:%d,%u,4:1:9\n", WORLD, rank);
    if (convert(&texts, &goal, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(goal.ops[0].peer, 1);
    assert_int_equal(goal.ops[0].amount, 11);
    assert_int_equal(goal.ops[1].peer, 2);
    assert_int_equal(goal.ops[1].amount, 22);
    ct_goal_free(&goal);
}

/* ---- what cannot be told ---- */

static void contradictions_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *lines; /* of rank 0, of 4 */
        enum { IDLE, SPLIT, DUP, SPLIT_TWICE } others;
        enum ct_status status;
        const char *words;
    } cases[] = {
        {"MPI_Comm_create:0:5641280,0,4:77:64:0\nMPI_Barrier:0:1000,0,2:0\n", IDLE, CT_EUNSUPPORTED,
         "rank 0: line 4: MPI_Barrier on a communicator in which this is rank 0 of 2: "
         "MPI_Comm_create in line 3 does not tell its members; trace the program"},
        {"MPI_Cart_sub:0:5641280,0,4:77:64:0\nMPI_Comm_dup:0:1000,0,2:72:0\n"
         "MPI_Barrier:0:1008,0,2:0\n",
         IDLE, CT_EUNSUPPORTED, "MPI_Cart_sub in line 3 does not tell"},
        {"MPI_Intercomm_create:0:5641280,0,4:0:5641280,0,4:0:0:64:0\nMPI_Barrier:0:8,0,4:0\n", IDLE,
         CT_EUNSUPPORTED, "MPI_Intercomm_create in line 3 does not tell"},
        {"MPI_Comm_split:0:5641280,0,4:0:0:64:0\nMPI_Barrier:0:1000,0,2:0\n", SPLIT,
         CT_EUNSUPPORTED, "MPI_Comm_split in line 3 makes one of another rank or size"},
        {"MPI_Comm_split:0:5641280,0,4:0:0:64:0\nMPI_Barrier:0:1000,0,3:0\n", IDLE, CT_EUNSUPPORTED,
         "MPI_Comm_split in line 3 is not called by all ranks"},
        {"MPI_Comm_split:0:5641280,0,4:0:0:64:0\n", DUP, CT_EFORMAT,
         "rank 1: line 3: MPI_Comm_dup, where rank 0 calls MPI_Comm_split in its line 3"},
        {"MPI_Comm_split:0:5641280,0,4:0:0:64:0\nMPI_Barrier:0:1000,0,3:0\n"
         "MPI_Comm_free:0:80:0\nMPI_Comm_split:0:5641280,0,4:0:0:64:0\n"
         "MPI_Barrier:0:1000,0,3:0\n",
         SPLIT_TWICE, CT_EUNSUPPORTED, "MPI_Comm_free in line 5 may have freed it"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct texts texts = texts_of(4);
        add(&texts, 0, "%s", cases[i].lines);
        for (uint32_t rank = 1; rank < 4; rank++) {
            bool twice = cases[i].others == SPLIT_TWICE; /* ranks 0 1 2, then 0 2 3 */
            if (cases[i].others == DUP)
                add(&texts, rank, "MPI_Comm_dup:0:" COMM ":64:0\n", OF(world(&texts, rank)));
            if (cases[i].others == SPLIT || twice)
                split(&texts, rank, world(&texts, rank), twice && rank == 3, 0, 64);
            if (twice)
                split(&texts, rank, world(&texts, rank), rank == 1, 0, 64);
        }
        assert_text_refused(&texts, cases[i].status, cases[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_rows_and_columns),
        cmocka_unit_test(the_first_in_use_is_told_by_other_ranks),
        cmocka_unit_test(splits_of_splits_follow_keys_and_colors),
        cmocka_unit_test(handles_are_used_again),
        cmocka_unit_test(cartesian_ones_have_the_first_ranks),
        cmocka_unit_test(wildcards_stay_in_their_communicator),
        cmocka_unit_test(contradictions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
