/* lp-bridge/goal: both forms of a schedule, and what is wrong with bad ones. */
#include "core/cancel.h"
#include "lp-bridge/goal/goal.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

static enum ct_status read_text(const char *text, struct ct_goal *goal_p, struct ct_error *err)
{
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(in);
    enum ct_status status = ct_goal_read_text(in, "s.goal", goal_p, err);
    fclose(in);
    return status;
}

static struct ct_goal goal_of(const char *text)
{
    struct ct_goal goal;
    struct ct_error err;
    if (read_text(text, &goal, &err) != CT_OK)
        fail_msg("%s", err.text);
    return goal;
}

static void reading_a_text_can_be_stopped(void **state)
{
    (void)state;
    const volatile int stop = 1;
    struct ct_goal goal;
    struct ct_error err;
    ct_cancel_watch(&stop);
    enum ct_status status = read_text("num_ranks 1\nrank 0 {\nl1: calc 1\n}\n", &goal, &err);
    ct_cancel_watch(NULL);
    assert_int_equal(status, CT_EINTR);
}

typedef enum ct_status writer(const struct ct_goal *goal, FILE *out, struct ct_error *err);

/* What a writer writes; free(). */
static char *written(const struct ct_goal *goal, writer *write, size_t *size_p)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, size_p);
    assert_non_null(out);
    assert_int_equal(write(goal, out, NULL), CT_OK);
    fclose(out);
    return bytes;
}

static void every_form_of_a_line_is_read(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of("// a comment\n"
                                  "num_ranks 2 rank 1 { /* over\r\n"
                                  " * lines **/ recv 12b from 0\n"
                                  "}\n"
                                  "rank 0 {\r\n"
                                  "\n"
                                  "calc 100\n"
                                  "a_1: send 18446744073709551615b to 1 tag 7 cpu 3 nic 2 // end\n"
                                  "b:calc 0 cpu 255\n"
                                  "  b requires a_1\n"
                                  "\tb irequires a_1\n"
                                  "c: recv 1 b from 1 tag -1 nic 1 }");
    assert_int_equal(goal.n_ranks, 2);
    assert_int_equal(goal.n_ops, 5);
    assert_int_equal(goal.first_op[1], 4);
    assert_int_equal(goal.first_op[2], 5);
    const struct ct_goal_op expected[] = {
        {100, 0, 0, CT_GOAL_CALC, 0, 0, 7}, {UINT64_MAX, 1, 7, CT_GOAL_SEND, 3, 2, 8},
        {0, 0, 0, CT_GOAL_CALC, 255, 0, 9}, {1, 1, CT_GOAL_ANY_TAG, CT_GOAL_RECV, 0, 1, 12},
        {12, 0, 0, CT_GOAL_RECV, 0, 0, 3},
    };
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(goal.ops[i].kind, expected[i].kind);
        assert_int_equal(goal.ops[i].amount, expected[i].amount);
        assert_int_equal(goal.ops[i].peer, expected[i].peer);
        assert_int_equal(goal.ops[i].tag, expected[i].tag);
        assert_int_equal(goal.ops[i].cpu, expected[i].cpu);
        assert_int_equal(goal.ops[i].nic, expected[i].nic);
        assert_int_equal(goal.ops[i].line, expected[i].line);
    }
    assert_int_equal(goal.n_deps, 2);
    assert_int_equal(goal.deps[0].op, 2);
    assert_int_equal(goal.deps[0].on, 1);
    assert_false(goal.deps[0].irequires);
    assert_true(goal.deps[1].irequires);
    assert_int_equal(ct_goal_rank_of(&goal, 3), 0);
    assert_int_equal(ct_goal_rank_of(&goal, 4), 1);
    char text[CT_GOAL_TEXT_MAX];
    ct_goal_describe(&goal, 4, text);
    assert_string_equal(text, "rank 1, operation 1 in line 3 (recv 12b from 0 tag 0)");
    ct_goal_free(&goal);
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
    (void)state;
#define R "num_ranks 2\nrank 0 {\n"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "s.goal: ends without 'num_ranks'"},
        {"\xff\xfe bin\033ary",
         "s.goal:1:1: expected 'num_ranks', with which a GOAL schedule begins, not '?? bin?ary'"},
        {"rank 0 {\n}\n", "s.goal:1:1: 'rank' before 'num_ranks'"},
        {"num_ranks 0\n", "s.goal:1:11: num_ranks 0"},
        {"num_ranks 9999999\n", "s.goal:1:11: a number of ranks 9999999: larger than 1048576"},
        {"num_ranks 2\nnum_ranks 2\n", "s.goal:2:1: 'num_ranks' is there twice"},
        {"num_ranks 2\nrank 2 {\n}\n", "s.goal:2:6: rank 2: there are ranks 0 to 1"},
        {R "}\nrank 0 {\n}\n", "s.goal:4:6: rank 0 is there twice"},
        {R, "s.goal: ends within a rank: '}' is missing"},
        {R "/* calc 3\n}\n", "s.goal: ends within a comment"},
        {R "calk 3\n}\n", "s.goal:3:6: expected ':', 'requires' or 'irequires', not '3'"},
        {R "calc\n}\n", "s.goal:3:5: expected a time in ns, not the end of the line"},
        {R "calc -3\n}\n", "s.goal:3:6: expected a time in ns, not '-3'"},
        {R "calc 18446744073709551616\n}\n", "s.goal:3:6: a time in ns: larger than"},
        {R "calc 1000000000000000001\n}\n",
         "s.goal:3:6: a time in ns 1000000000000000001: larger than 1000000000000000000"},
        {R "calc 1000000000000000000\nsend 1000000000000000001b to 1\ncalc 1\n}\n",
         "s.goal: rank 0, operation 3 in line 5 (calc 1): with it the rank calculates for more "
         "than "
         "1000000000000000000 ns"},
        {R "calc 3 tag 4\n}\n", "s.goal:3:8: expected 'cpu' or the end of the line, not 'tag 4'"},
        {R "send 3 to 1\n}\n", "s.goal:3:8: expected 'b' (bytes), not 'to 1'"},
        {R "send 3b from 1\n}\n", "s.goal:3:9: expected 'to', not 'from 1'"},
        {R "send 3b to 2\n}\n", "s.goal:3:12: rank 2: there are ranks 0 to 1"},
        {R "send 3b to 1 tag -1\n}\n", "s.goal:3:18: expected a tag, not '-1'"},
        {R "send 3b to 1 cpu 256\n}\n", "s.goal:3:18: a cpu 256: larger than 255"},
        {R "recv 3b from -1\n}\n", "s.goal:3:14: a receive from any source"},
        {R "a: calc 1\na: calc 1\n}\n", "s.goal:4:1: label 'a' is there already"},
        {R "a: calc 1\na requires b\n}\n", "s.goal:4:12: label 'b' is not there before"},
        {R "a: calc 1\na requires a\n}\n", "s.goal:4:1: an operation that waits for itself"},
        {R "a: calc 1\n}\nrank 1 {\nb: calc 1\nb requires a\n}\n",
         "s.goal:7:12: label 'a' is not there before"},
        {R "a: b\n}\n", "s.goal:3:4: expected 'calc', 'send' or 'recv', not 'b'"},
        {R "a requires\n}\n", "s.goal:3:11: expected a label, not the end of the line"},
    };
#undef R
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_goal goal;
        struct ct_error err = {.text = ""};
        if (*cases[i].text == '\0')
            continue; /* fmemopen() takes no empty buffer: see fuzz */
        if (read_text(cases[i].text, &goal, &err) == CT_OK)
            fail_msg("taken: %s", cases[i].text);
        if (!strstr(err.text, cases[i].message))
            fail_msg("'%s' instead of '%s' for:\n%s", err.text, cases[i].message, cases[i].text);
    }
}

static void long_lines_and_many_labels_are_read(void **state)
{
    (void)state;
    enum { OPS = 50000 };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "num_ranks 1\nrank 0 {\n%*s l0: calc 1\n", 3000000, "");
    for (int i = 1; i < OPS; i++)
        fprintf(out, "l%d: calc %d\nl%d requires l%d\n", i, i, i, i / 2);
    fputs("}\n", out);
    fclose(out);
    struct ct_goal goal = goal_of(text);
    assert_int_equal(goal.n_ops, OPS);
    assert_int_equal(goal.n_deps, OPS - 1);
    for (uint32_t i = 1; i < OPS; i++) {
        assert_int_equal(goal.deps[i - 1].op, i);
        assert_int_equal(goal.deps[i - 1].on, i / 2);
    }
    ct_goal_free(&goal);
    free(text);
}

/* ---- both forms ---- */

static struct ct_goal random_goal(gsl_rng *rng)
{
    uint32_t n_ranks = 2 + (uint32_t)gsl_rng_uniform_int(rng, 5);
    struct ct_goal_builder *builder = ct_goal_builder_new(n_ranks);
    assert_non_null(builder);
    for (uint32_t r = 0; r < n_ranks; r++) {
        uint32_t rank = n_ranks - 1 - r, n = (uint32_t)gsl_rng_uniform_int(rng, 30);
        ct_goal_begin_rank(builder, rank);
        for (uint32_t i = 0; i < n; i++) {
            struct ct_goal_op op = {.kind = (uint8_t)gsl_rng_uniform_int(rng, CT_GOAL_N_KINDS),
                                    .amount = gsl_rng_get(rng),
                                    .cpu = (uint8_t)gsl_rng_uniform_int(rng, 3)};
            if (op.kind != CT_GOAL_CALC) {
                op.peer = (rank + 1 + (uint32_t)gsl_rng_uniform_int(rng, n_ranks - 1)) % n_ranks;
                op.nic = (uint8_t)gsl_rng_uniform_int(rng, 2);
                op.tag = op.kind == CT_GOAL_RECV ? (int32_t)gsl_rng_uniform_int(rng, 4) - 1
                                                 : (int32_t)gsl_rng_uniform_int(rng, 4);
            }
            assert_int_equal(ct_goal_add(builder, op), i);
            for (uint32_t d = 0; i > 0 && d < gsl_rng_uniform_int(rng, 3); d++)
                ct_goal_require(builder, i, (uint32_t)gsl_rng_uniform_int(rng, i),
                                gsl_rng_uniform_int(rng, 2) ? CT_GOAL_START : CT_GOAL_FINISH);
        }
    }
    struct ct_goal goal;
    struct ct_error err;
    if (ct_goal_build(builder, &goal, &err) != CT_OK)
        fail_msg("%s", err.text);
    return goal;
}

static int compare_deps(const void *a, const void *b)
{
    const struct ct_goal_dep *x = a, *y = b;
    if (x->op != y->op)
        return x->op > y->op ? 1 : -1;
    if (x->on != y->on)
        return x->on > y->on ? 1 : -1;
    return x->irequires - y->irequires;
}

/* The binary form sorts dependencies by what is waited for, so their order does not count. */
static void assert_same(struct ct_goal *a, struct ct_goal *b)
{
    assert_int_equal(a->n_ranks, b->n_ranks);
    assert_int_equal(a->n_ops, b->n_ops);
    assert_int_equal(a->n_deps, b->n_deps);
    assert_memory_equal(a->first_op, b->first_op, (a->n_ranks + 1) * sizeof *a->first_op);
    for (uint64_t i = 0; i < a->n_ops; i++) {
        const struct ct_goal_op *x = &a->ops[i], *y = &b->ops[i];
        assert_true(x->kind == y->kind && x->amount == y->amount && x->peer == y->peer &&
                    x->tag == y->tag && x->cpu == y->cpu && x->nic == y->nic);
    }
    if (a->n_deps == 0)
        return;
    qsort(a->deps, a->n_deps, sizeof *a->deps, compare_deps);
    qsort(b->deps, b->n_deps, sizeof *b->deps, compare_deps);
    for (uint64_t d = 0; d < a->n_deps; d++)
        assert_int_equal(compare_deps(&a->deps[d], &b->deps[d]), 0);
}

static void schedules_come_back_from_both_forms(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < 300; i++) {
        struct ct_goal goal = random_goal(rng), from_text, from_binary;
        size_t size;
        char *text = written(&goal, ct_goal_write_text, &size);
        from_text = goal_of(text);
        assert_same(&goal, &from_text);
        free(text);
        char *binary = written(&goal, ct_goal_write_binary, &size);
        assert_true(ct_goal_is_binary((unsigned char *)binary, size));
        assert_int_equal(
            ct_goal_read_binary((unsigned char *)binary, size, "s.bin", &from_binary, NULL), CT_OK);
        assert_same(&goal, &from_binary);
        free(binary);
        ct_goal_free(&goal);
        ct_goal_free(&from_text);
        ct_goal_free(&from_binary);
    }
    gsl_rng_free(rng);
}

/* Byte for byte what LogGOPSim's txt2bin writes for this schedule, by its source code. */
static void the_binary_form_is_that_of_loggopsim(void **state)
{
    (void)state;
    static const unsigned char expected[] = {0x7f, 0x10, 0, 0, 0, 0, 0, 0, /* 4223 */
                                             2,    0,    0, 0, 1, 0,       /* ranks, cpu, nic */
                                             38,   0,    0, 0, 0, 0, 0, 0,   136, 0,   0,
                                             0,    0,    0, 0, 0, /* rank 0 */
                                             136,  0,    0, 0, 0, 0, 0, 0,   187, 0,   0,
                                             0,    0,    0, 0, 0, /* rank 1 */
                                             2,    0,    0, 0, 1, 0, 0, 0,   0,   0,   0,
                                             0, /* operations */
                                             0,    0,    0, 0, 3, 0, 0, 0,   0,   44,  1,
                                             0,    0,    0, 0, 0, 0, 0, 0,   0,   0,   1,
                                             0,    1,    0, 0, 0, 0, 0, 0,   0,   1,   0,
                                             0,    0,    1, 0, 0, 0, /* calc 300 cpu 1 */
                                             2,    0,    0, 0, 1, 1, 0, 0,   0,   8,   0,
                                             0,    0,    0, 0, 0, 0, 5, 0,   0,   0,   0,
                                             0,    0,    0, 0, 0, 2, 0, 0,   0,   0,   0,
                                             0,    0,    2, 0, 0, 0,       /* send 8b to 1 tag 5 */
                                             1,    0,    0, 0, 1, 0, 0, 0, /* waiting */
                                             1,    0,    0, 0, 1, 0, 0, 0,   0,   0,   0,
                                             0,    0,    0, 0, 0, 2, 0, 0,   0,   0,   8,
                                             0,    0,    0, 0, 0, 0, 0, 255, 255, 255, 255,
                                             0,    0,    0, 0, 0, 0, 0, 0,   0,   0,   0,
                                             0,    0,    0, 0, 0, 0, 0}; /* recv 8b from 0 */
    struct ct_goal goal = goal_of("num_ranks 2\n"
                                  "rank 0 {\nc: calc 300 cpu 1\ns: send 8b to 1 tag 5\n"
                                  "s requires c\ns irequires c\n}\n"
                                  "rank 1 {\nrecv 8b from 0 tag -1\n}\n");
    size_t size;
    char *bytes = written(&goal, ct_goal_write_binary, &size);
    assert_int_equal(size, sizeof expected);
    assert_memory_equal(bytes, expected, size);
    free(bytes);
    ct_goal_free(&goal);
}

/* A binary schedule of a text with the bytes at an offset replaced, read; the status. */
static enum ct_status read_patched(const char *text, size_t at, const void *patch, size_t n_bytes,
                                   struct ct_goal *goal_p, struct ct_error *err)
{
    struct ct_goal goal = goal_of(text);
    size_t size;
    unsigned char *bytes = (unsigned char *)written(&goal, ct_goal_write_binary, &size);
    assert_in_range(at, 0, size - n_bytes);
    memcpy(bytes + at, patch, n_bytes);
    enum ct_status status = ct_goal_read_binary(bytes, size, "s.bin", goal_p, err);
    free(bytes);
    ct_goal_free(&goal);
    return status;
}

static void binaries_that_contradict_themselves_are_refused(void **state)
{
    (void)state;
    enum { PARTS = 14, FIRST_OP = PARTS + 2 * 16 + 8 + 4, NIC = 22 };
    const char *text = "num_ranks 2\nrank 0 {\na: calc 5\nb: calc 6\nb requires a\n}\n"
                       "rank 1 {\n}\n";
    const unsigned char first_part[] = {38, 0, 0, 0, 0, 0, 0, 0, 132, 0, 0, 0, 0, 0, 0, 0};
    struct ct_goal goal, again;
    struct ct_error err;
    /* Rank 1 has the part of rank 0: few bytes could be a schedule of any size. */
    assert_int_equal(read_patched(text, PARTS + 16, first_part, 16, &goal, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "s.bin: rank 1: its part overlaps others"));
    assert_int_equal(read_patched(text, FIRST_OP, "\2", 1, &goal, &err), CT_EFORMAT);
    assert_non_null(
        strstr(err.text, "s.bin: rank 0, operation 1: 2 dependencies counted, 0 listed"));
    /* A calc has no nic; the text form cannot say that it had one. */
    assert_int_equal(read_patched(text, FIRST_OP + NIC, "\3", 1, &goal, &err), CT_OK);
    size_t size;
    char *back = written(&goal, ct_goal_write_text, &size);
    again = goal_of(back);
    assert_int_equal(again.ops[0].nic, 0);
    free(back);
    ct_goal_free(&goal);
    ct_goal_free(&again);
}

static void damaged_binaries_are_refused(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ct_goal goal = random_goal(rng), back;
    size_t size;
    unsigned char *bytes = (unsigned char *)written(&goal, ct_goal_write_binary, &size);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_not_equal(ct_goal_read_binary(bytes, cut, "s.bin", &back, NULL), CT_OK);
    /* Changed bytes are refused or give another schedule; nothing else happens. */
    for (int i = 0; i < 5000; i++) {
        size_t at = gsl_rng_uniform_int(rng, size);
        unsigned char before = bytes[at];
        bytes[at] = (unsigned char)gsl_rng_uniform_int(rng, 256);
        if (ct_goal_read_binary(bytes, size, "s.bin", &back, NULL) == CT_OK)
            ct_goal_free(&back);
        bytes[at] = before;
    }
    assert_int_equal(ct_goal_read_binary(bytes, size, "s.bin", &back, NULL), CT_OK);
    ct_goal_free(&back);
    ct_goal_free(&goal);
    free(bytes);
    gsl_rng_free(rng);
}

/* Builds two ranks with one operation of rank 0. */
static enum ct_status build_op(struct ct_goal_op op, struct ct_error *err)
{
    struct ct_goal goal;
    struct ct_goal_builder *builder = ct_goal_builder_new(2);
    ct_goal_begin_rank(builder, 0);
    ct_goal_add(builder, op);
    enum ct_status status = ct_goal_build(builder, &goal, err);
    if (status == CT_OK)
        ct_goal_free(&goal);
    return status;
}

static enum ct_status build_ranks(uint32_t first, uint32_t second, struct ct_error *err)
{
    struct ct_goal goal;
    struct ct_goal_builder *builder = ct_goal_builder_new(2);
    ct_goal_begin_rank(builder, first);
    ct_goal_begin_rank(builder, second);
    enum ct_status status = ct_goal_build(builder, &goal, err);
    if (status == CT_OK)
        ct_goal_free(&goal);
    return status;
}

static void builders_refuse_bad_operations_and_ranks(void **state)
{
    (void)state;
    struct ct_error err;
    struct ct_goal_op op = {.kind = CT_GOAL_SEND, .amount = 3, .peer = 1};
    assert_int_equal(build_op(op, &err), CT_OK);
    op.tag = CT_GOAL_ANY_TAG;
    assert_int_equal(build_op(op, &err), CT_EINVAL);
    assert_string_equal(err.text, "rank 0, operation 1 (send 3b to 1 tag -1): the tag is below 0");
    op.kind = CT_GOAL_RECV;
    assert_int_equal(build_op(op, &err), CT_OK);
    op.peer = 2;
    assert_int_equal(build_op(op, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "there are ranks 0 to 1"));
    assert_int_equal(build_ranks(1, 0, &err), CT_OK);
    assert_int_equal(build_ranks(1, 1, &err), CT_EINVAL);
    assert_string_equal(err.text, "rank 1 is there twice");
    assert_int_equal(build_ranks(0, 2, &err), CT_EINVAL);
    assert_string_equal(err.text, "rank 2: there are ranks 0 to 1");
}

/* Of each rank by itself; its sum does not overflow before it is compared. */
static void ranks_that_calculate_for_too_long_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint64_t calcs[3];
        enum ct_status status;
    } cases[] = {{{CT_GOAL_CALC_MAX_NS, 0, 0}, CT_OK},
                 {{CT_GOAL_CALC_MAX_NS - 2, 1, 1}, CT_OK},
                 {{CT_GOAL_CALC_MAX_NS - 2, 1, 2}, CT_EINVAL},
                 {{0, 0, UINT64_MAX}, CT_EINVAL},
                 {{CT_GOAL_CALC_MAX_NS / 2, 1, UINT64_MAX}, CT_EINVAL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_goal_builder *builder = ct_goal_builder_new(2);
        struct ct_goal goal;
        struct ct_error err;
        for (uint32_t rank = 0; rank < 2; rank++) {
            ct_goal_begin_rank(builder, rank);
            for (size_t k = 0; k < 3; k++)
                ct_goal_add(builder,
                            (struct ct_goal_op){.kind = CT_GOAL_CALC, .amount = cases[i].calcs[k]});
        }
        assert_int_equal(ct_goal_build(builder, &goal, &err), cases[i].status);
        if (cases[i].status == CT_OK)
            ct_goal_free(&goal);
        else
            assert_non_null(strstr(err.text, "rank 0, operation 3 (calc "));
    }
}

/* The binary form has no lines. */
static void too_long_a_time_is_refused_in_binary(void **state)
{
    (void)state;
    struct ct_goal goal, back;
    struct ct_error err;
    if (read_text("num_ranks 1\nrank 0 {\ncalc 3\ncalc 4660\n}\n", &goal, &err) != CT_OK)
        fail_msg("%s", err.text);
    size_t size, at = 0;
    unsigned char *bytes = (unsigned char *)written(&goal, ct_goal_write_binary, &size);
    while (at + 8 < size && !(bytes[at] == 0x34 && bytes[at + 1] == 0x12))
        at++;
    assert_true(at + 8 < size);
    memset(bytes + at, 0xff, 8);
    assert_int_equal(ct_goal_read_binary(bytes, size, "s.bin", &back, &err), CT_EINVAL);
    assert_string_equal(err.text,
                        "s.bin: rank 0, operation 2 (calc 18446744073709551615): with it the "
                        "rank calculates for more than 1000000000000000000 ns (30 years)");
    ct_goal_free(&goal);
    free(bytes);
}

static void builders_refuse_what_cannot_be(void **state)
{
    (void)state;
    struct ct_goal goal;
    struct ct_error err;
    struct ct_goal_builder *builder = ct_goal_builder_new(1);
    ct_goal_begin_rank(builder, 0);
    ct_goal_add(builder, (struct ct_goal_op){.kind = CT_GOAL_CALC});
    ct_goal_require(builder, 0, 1, CT_GOAL_FINISH);
    assert_int_equal(ct_goal_build(builder, &goal, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "operation 1 on operation 2, of 1"));
    assert_int_equal(ct_goal_build(ct_goal_builder_new(0), &goal, &err), CT_EINVAL);
    assert_int_equal(ct_goal_read("/nonexistent/s.goal", &goal, &err), CT_ENOENT);
    assert_int_equal(ct_goal_build(ct_goal_builder_new(3), &goal, &err), CT_OK);
    assert_int_equal(goal.n_ops, 0);
    ct_goal_free(&goal);
}

/* Places in an array are pointers into it, of an empty one too: C knows no NULL + 0. */
static void arrays_without_elements_are_not_null(void **state)
{
    (void)state;
    struct ct_goal goal;
    struct ct_error err;
    for (size_t n_ops = 0; n_ops < 2; n_ops++) {
        struct ct_goal_builder *builder = ct_goal_builder_new(1);
        ct_goal_begin_rank(builder, 0);
        for (size_t i = 0; i < n_ops; i++)
            ct_goal_add(builder, (struct ct_goal_op){.kind = CT_GOAL_CALC});
        assert_int_equal(ct_goal_build(builder, &goal, &err), CT_OK);
        assert_non_null(goal.ops);
        assert_non_null(goal.deps);
        size_t size;
        free(written(&goal, ct_goal_write_binary, &size));
        ct_goal_free(&goal);
    }
}

/* Calls from more places than there are numbers for have none, and nothing is lost. */
static void test_places_of_calls(void **state)
{
    (void)state;
    enum { PLACES = 300 };
    char places[PLACES][16];
    struct ct_goal_builder *builder = ct_goal_builder_new(1);
    struct ct_goal goal;
    uint64_t n_placed = 0, n_anywhere = 0;
    ct_goal_begin_rank(builder, 0);
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < PLACES; i++) {
            snprintf(places[i], sizeof places[i], "f (a+0x%x)", i);
            uint8_t call =
                ct_goal_begin_call_at(builder, i % 2 ? "MPI_Wait" : "MPI_Send", places[i]);
            assert_int_not_equal(call, CT_GOAL_NO_CALL);
            ct_goal_add(builder, (struct ct_goal_op){.kind = CT_GOAL_CALC});
        }
    assert_int_equal(ct_goal_build(builder, &goal, NULL), CT_OK);
    for (uint32_t i = 1; i < goal.calls->n_calls; i++) {
        const struct ct_goal_call *call = &goal.calls->calls[i];
        assert_true(!call->site || call->count == 2);
        *(call->site ? &n_placed : &n_anywhere) += call->count;
    }
    assert_int_equal(n_placed, 2 * (CT_GOAL_CALLS_MAX - CT_GOAL_CALLS_ANYWHERE - 1));
    assert_int_equal(n_placed + n_anywhere, 2 * PLACES);
    const struct ct_goal_op_calls *of = goal.calls->of;
    assert_string_equal(goal.calls->calls[of[7].made].site, "f (a+0x7)");
    assert_string_equal(goal.calls->calls[of[7].made].name, "MPI_Wait");
    assert_int_equal(of[PLACES + 7].made, of[7].made);
    assert_null(goal.calls->calls[of[PLACES - 1].made].site);
    ct_goal_free(&goal);
}

/* Equal tags stay equal, different ones different, and small ones what they were. */
static void large_tags_get_numbers_that_no_other_tag_has(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of("num_ranks 2\n"
                                  "rank 0 {\n"
                                  "send 1b to 1 tag 3000001203\n"
                                  "send 1b to 1 tag 0\n"
                                  "send 1b to 1 tag 18446744073709551614\n"
                                  "send 1b to 1 tag 2147483647\n"
                                  "send 1b to 1 tag 2147483648\n"
                                  "}\n"
                                  "rank 1 {\n"
                                  "recv 1b from 0 tag 18446744073709551614\n"
                                  "recv 1b from 0 tag 3000001203\n"
                                  "recv 1b from 0 tag 2\n"
                                  "recv 1b from 0 tag 2147483648\n"
                                  "recv 1b from 0 tag -1\n"
                                  "}\n");
    const int32_t expected[] = {1, 0, 3, INT32_MAX, 4, 3, 1, 2, 4, CT_GOAL_ANY_TAG};
    assert_int_equal(goal.n_ops, 10);
    for (size_t i = 0; i < 10; i++)
        assert_int_equal(goal.ops[i].tag, expected[i]);
    ct_goal_free(&goal);
}

/* A send and its receive with the tag 3000001203, of 32 bits. */
static void large_tags_of_binaries_get_numbers(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of("num_ranks 2\n"
                                  "rank 0 {\nsend 8b to 1 tag 1734436454\n}\n"
                                  "rank 1 {\nrecv 8b from 0 tag 1734436454\n}\n");
    size_t size;
    struct ct_error err;
    char *bytes = written(&goal, ct_goal_write_binary, &size);
    ct_goal_free(&goal);
    const unsigned char large[] = {0xb3, 0x62, 0xd0, 0xb2};
    for (size_t i = 0; i + 4 <= size; i++)
        if (memcmp(bytes + i, "ffag", 4) == 0)
            memcpy(bytes + i, large, 4);
    assert_int_equal(ct_goal_read_binary((unsigned char *)bytes, size, "s.bin", &goal, &err),
                     CT_OK);
    assert_int_equal(goal.ops[0].tag, 0);
    assert_int_equal(goal.ops[1].tag, 0);
    ct_goal_free(&goal);
    for (size_t i = 0; i + 4 <= size; i++)
        if (memcmp(bytes + i, large, 4) == 0)
            memset(bytes + i, 0xff, 4);
    assert_int_equal(ct_goal_read_binary((unsigned char *)bytes, size, "s.bin", &goal, &err),
                     CT_EFORMAT);
    assert_non_null(strstr(err.text, "a send with the tag 4294967295"));
    free(bytes);
}

/* Marks are comments to others, and are behind what LogGOPSim reads. */
static void marks_of_waits_come_back_from_both_forms(void **state)
{
    (void)state;
    static const char text[] = "num_ranks 2\n"
                               "//crosstalk-wait known\n"
                               "\n"
                               "rank 0 {\n"
                               "l1: calc 5\n"
                               "l2: send 8b to 1 tag 0\n"
                               "l2 requires l1\n"
                               "//crosstalk-wait l2 first irequires l1 away 17\n"
                               "//crosstalk-wait l2 last begins requires l2 away 0\n"
                               "}\n"
                               "\n"
                               "rank 1 {\n"
                               "l1: recv 8b from 0 tag 0\n"
                               "//crosstalk-wait l1 both requires l1 away 3\n"
                               "}\n";
    struct ct_goal goal = goal_of(text), from_binary;
    assert_int_equal(goal.n_marks, 3);
    assert_int_equal(goal.marks[0].op, 1);
    assert_int_equal(goal.marks[0].on, 0);
    assert_int_equal(goal.marks[0].away_ns, 17);
    assert_int_equal(goal.marks[0].flags, CT_GOAL_MARK_FIRST | CT_GOAL_MARK_START);
    assert_int_equal(goal.marks[1].flags, CT_GOAL_MARK_LAST | CT_GOAL_MARK_BEGINS);
    assert_int_equal(goal.marks[2].op, 2);
    assert_int_equal(goal.marks[2].flags, CT_GOAL_MARK_FIRST | CT_GOAL_MARK_LAST);
    size_t size;
    struct ct_error err;
    char *binary = written(&goal, ct_goal_write_binary, &size);
    ct_goal_free(&goal);
    unsigned char *bytes = (unsigned char *)binary;
    assert_int_equal(ct_goal_read_binary(bytes, size, "s.bin", &from_binary, NULL), CT_OK);
    char *back = written(&from_binary, ct_goal_write_text, &(size_t){0});
    assert_string_equal(back, text);
    free(back);
    ct_goal_free(&from_binary);
    assert_int_equal(ct_goal_read_binary(bytes, size - 1, "s.bin", &from_binary, &err), CT_EFORMAT);
    assert_string_equal(err.text, "s.bin: its marks of waits are cut");
    bytes[size - 21 + 4] = 9; /* op of the last one */
    assert_int_equal(ct_goal_read_binary(bytes, size, "s.bin", &from_binary, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "rank 1: a mark of operation 10 from operation 1 on"));
    free(binary);
}

static void schedules_without_marks_have_none(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of("num_ranks 1\nrank 0 {\na: calc 5 //crosstalk-wait a\n}\n"),
                   known = goal_of("num_ranks 1\n//crosstalk-wait known\nrank 0 {\na: calc 5\n}\n");
    assert_null(goal.marks);
    assert_non_null(known.marks);
    assert_int_equal(known.n_marks, 0);
    size_t size, size_known;
    char *binary = written(&goal, ct_goal_write_binary, &size),
         *binary_known = written(&known, ct_goal_write_binary, &size_known);
    assert_int_equal(size_known, size + 16);
    assert_memory_equal(binary, binary_known, size);
    free(binary);
    free(binary_known);
    ct_goal_free(&goal);
    ct_goal_free(&known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_of_calls),
        cmocka_unit_test(marks_of_waits_come_back_from_both_forms),
        cmocka_unit_test(schedules_without_marks_have_none),
        cmocka_unit_test(large_tags_get_numbers_that_no_other_tag_has),
        cmocka_unit_test(large_tags_of_binaries_get_numbers),
        cmocka_unit_test(every_form_of_a_line_is_read),
        cmocka_unit_test(arrays_without_elements_are_not_null),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(long_lines_and_many_labels_are_read),
        cmocka_unit_test(schedules_come_back_from_both_forms),
        cmocka_unit_test(the_binary_form_is_that_of_loggopsim),
        cmocka_unit_test(binaries_that_contradict_themselves_are_refused),
        cmocka_unit_test(damaged_binaries_are_refused),
        cmocka_unit_test(builders_refuse_bad_operations_and_ranks),
        cmocka_unit_test(builders_refuse_what_cannot_be),
        cmocka_unit_test(reading_a_text_can_be_stopped),
        cmocka_unit_test(ranks_that_calculate_for_too_long_are_refused),
        cmocka_unit_test(too_long_a_time_is_refused_in_binary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
