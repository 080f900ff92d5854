#include "core/units.h"
#include "lp-bridge/collective/collective.h"
#include "lp-bridge/collective/steps.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/*
 * The defaults are what MPICH 4.0.2 chooses where no two ranks share a node: the tuning file that
 * is built into it, maint/tuning/coll/mpir/generic.json. Its condition that there is an element for
 * each rank left after folding is taken as 8 bytes for each; its comm_size<8 for alltoall is
 * decided by MPIR_Csel_search(), which takes 8 for less than 8.
 *
 * Those of SMPI are what SimGrid 3.32 does with smpi/coll-selector:mpich, likewise: the choices of
 * an older MPICH for alltoall, in turns of MVAPICH2, and trees between nodes for all sizes of bcast
 * and allreduce. alltoallv, which counts as 0 bytes, has all messages at once. NULL: as MPICH.
 */
static const struct {
    const char *name;
    const char *rules[CT_COLLECTIVE_LIBRARIES];
} collectives[CT_COLLECTIVE_N_COLLECTIVES] = {
    [CT_COLLECTIVE_BARRIER] = {"barrier", {"dissemination", NULL}},
    [CT_COLLECTIVE_BCAST] = {"bcast",
                             {"binomial,scatter-ring@12289B@8ranks,"
                              "scatter-allgather@12289B@8ranks@power-of-two,"
                              "scatter-ring@524289B@8ranks",
                              "binomial"}},
    [CT_COLLECTIVE_REDUCE] = {"reduce",
                              {"binomial,reduce-scatter-gather@2049B@8B/rank",
                               "binomial,reduce-scatter-gather@2KiB@8B/rank"}},
    [CT_COLLECTIVE_ALLREDUCE] = {"allreduce",
                                 {"recursive-doubling,rabenseifner@9B@8B/rank",
                                  "recursive-doubling"}},
    [CT_COLLECTIVE_REDUCE_SCATTER] = {"reduce-scatter",
                                      {"recursive-halving,pairwise@512KiB", NULL}},
    [CT_COLLECTIVE_ALLGATHER] = {"allgather",
                                 {"bruck,ring@80KiB,recursive-doubling@power-of-two,ring@512KiB",
                                  "bruck,ring@81921B,recursive-doubling@power-of-two,"
                                  "ring@512KiB"}},
    [CT_COLLECTIVE_ALLTOALL] = {"alltoall",
                                {"linear,bruck@9ranks,linear@257B,pairwise@32769B",
                                 "linear,fours@1B,bruck@1B@8ranks,fours@256B,ring@32KiB"}},
    [CT_COLLECTIVE_GATHER] = {"gather", {"binomial", NULL}},
    [CT_COLLECTIVE_SCATTER] = {"scatter", {"binomial", NULL}},
    [CT_COLLECTIVE_SCAN] = {"scan", {"recursive-doubling", NULL}},
    [CT_COLLECTIVE_EXSCAN] = {"exscan", {"recursive-doubling", NULL}},
};

const char *ct_collective_name(enum ct_collective what)
{
    return collectives[what].name;
}

/* Add a name to a list for a message. */
static void add_name(const char *name, char list[256])
{
    size_t length = strlen(list);
    snprintf(list + length, 256 - length, "%s%s", length ? ", " : "", name);
}

static enum ct_status find_collective(const char *name, enum ct_collective *what_p,
                                      struct ct_error *err)
{
    char names[256] = "";
    for (size_t i = 0; i < CT_COLLECTIVE_N_COLLECTIVES; i++) {
        if (strcmp(collectives[i].name, name) == 0) {
            *what_p = (enum ct_collective)i;
            return CT_OK;
        }
        add_name(collectives[i].name, names);
    }
    return ct_fail(err, CT_EINVAL, "%s: not a collective; there are %s", name, names);
}

static enum ct_status find_algorithm(enum ct_collective what, const char *name,
                                     const struct ct_collective_algorithm **algorithm_p,
                                     struct ct_error *err)
{
    size_t n;
    const struct ct_collective_algorithm *row = ct_collective_algorithms(&n);
    char names[256] = "";
    for (const struct ct_collective_algorithm *end = row + n; row < end; row++) {
        if (row->what != what)
            continue;
        if (strcmp(row->name, name) == 0) {
            *algorithm_p = row;
            return CT_OK;
        }
        add_name(row->name, names);
    }
    return ct_fail(err, CT_EINVAL, "%s: not an algorithm for %s; there are %s", name,
                   collectives[what].name, names);
}

/* Cut the suffix off the text, if it has it. */
static bool cut_suffix(char *text, const char *suffix)
{
    size_t length = strlen(text), cut = strlen(suffix);
    if (length < cut || strcmp(text + length - cut, suffix) != 0)
        return false;
    text[length - cut] = '\0';
    return true;
}

static enum ct_status parse_condition(char *text, struct ct_collective_rule *rule)
{
    uint64_t ranks;
    size_t bytes;
    if (strcmp(text, "power-of-two") == 0) {
        rule->power_of_two = true;
        return CT_OK;
    }
    if (cut_suffix(text, "ranks")) {
        if (ct_parse_u64(text, &ranks, NULL) || ranks > UINT32_MAX)
            return CT_EINVAL;
        rule->from_ranks = (uint32_t)ranks;
        return CT_OK;
    }
    bool a_rank = cut_suffix(text, "/rank");
    if (ct_parse_size(text, &bytes, NULL))
        return CT_EINVAL;
    *(a_rank ? &rule->from_bytes_a_rank : &rule->from_bytes) = bytes;
    return CT_OK;
}

/* NAME[@CONDITION]...; text is written to. */
static enum ct_status parse_rule(enum ct_collective what, char *text,
                                 struct ct_collective_rule *rule_p, struct ct_error *err)
{
    char *rest = text;
    const char *name = strsep(&rest, "@");
    if (find_algorithm(what, name, &rule_p->algorithm, err))
        return CT_EINVAL;
    while (rest) {
        char *condition = strsep(&rest, "@");
        char shown[64];
        snprintf(shown, sizeof shown, "%s", condition);
        if (parse_condition(condition, rule_p))
            return ct_fail(err, CT_EINVAL,
                           "%s@%s: not a condition for %s; give a size (64KiB), a size for each "
                           "rank (8B/rank), a number of ranks (8ranks) or power-of-two",
                           name, shown, collectives[what].name);
    }
    return CT_OK;
}

enum ct_status ct_collective_rules_set(struct ct_collective_rules *rules_p, enum ct_collective what,
                                       const char *text, struct ct_error *err)
{
    struct ct_collective_rule parsed[CT_COLLECTIVE_RULES_MAX] = {{0}};
    size_t n = 0;
    char copy[512];
    if (strlen(text) >= sizeof copy)
        return ct_fail(err, CT_EINVAL, "rules for %s: more than %zu characters",
                       collectives[what].name, sizeof copy - 1);
    memcpy(copy, text, strlen(text) + 1);
    for (char *rest = copy; rest; n++) {
        if (n == CT_COLLECTIVE_RULES_MAX)
            return ct_fail(err, CT_EINVAL, "rules for %s: %s: more than %d algorithms",
                           collectives[what].name, text, CT_COLLECTIVE_RULES_MAX);
        if (parse_rule(what, strsep(&rest, ","), &parsed[n], err))
            return CT_EINVAL;
    }
    memcpy(rules_p->of[what], parsed, sizeof parsed);
    rules_p->n[what] = n;
    return CT_OK;
}

/* COLLECTIVE=RULES; rest_p: behind it, after a comma, or NULL. */
static enum ct_status parse_collective(struct ct_collective_rules *rules, const char *text,
                                       const char **rest_p, struct ct_error *err)
{
    char name[32], of_it[512];
    enum ct_collective what = CT_COLLECTIVE_ALLREDUCE;
    const char *equals = strchr(text, '=');
    const char *next = equals ? strchr(equals + 1, '=') : NULL;
    const char *end = next ? memrchr(equals, ',', (size_t)(next - equals)) : strchr(text, '\0');
    if (!equals || !end || end - equals > (ptrdiff_t)sizeof of_it)
        return ct_fail(err, CT_EINVAL, "%.80s: not COLLECTIVE=ALGORITHMS, such as allreduce=ring",
                       text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    snprintf(of_it, sizeof of_it, "%.*s", (int)(end - equals - 1), equals + 1);
    *rest_p = next ? end + 1 : NULL;
    CT_TRY(find_collective(name, &what, err));
    return ct_collective_rules_set(rules, what, of_it, err);
}

void ct_collective_rules_default(enum ct_collective_library library,
                                 struct ct_collective_rules *rules_p)
{
    *rules_p = (struct ct_collective_rules){0};
    for (size_t i = 0; i < CT_COLLECTIVE_N_COLLECTIVES; i++) {
        const char *own = collectives[i].rules[library];
        const char *rules = own ? own : collectives[i].rules[CT_COLLECTIVE_OF_MPICH];
        /* Tests see that the table's texts are valid. */
        (void)ct_collective_rules_set(rules_p, (enum ct_collective)i, rules, NULL);
    }
}

enum ct_status ct_collective_rules_parse(struct ct_collective_rules *rules_p, const char *text,
                                         struct ct_error *err)
{
    static const char *const libraries[] = {
        [CT_COLLECTIVE_OF_MPICH] = "mpich", [CT_COLLECTIVE_OF_SMPI] = "smpi"};
    struct ct_collective_rules rules = *rules_p;
    for (int i = 0; i < CT_COLLECTIVE_LIBRARIES; i++)
        if (!strcmp(text, libraries[i])) {
            ct_collective_rules_default((enum ct_collective_library)i, rules_p);
            return CT_OK;
        }
    while (text)
        CT_TRY(parse_collective(&rules, text, &text, err));
    *rules_p = rules;
    return CT_OK;
}

uint64_t ct_call_size(const struct ct_collective_call *call)
{
    uint64_t sum = 0;
    bool has_sum =
        call->what == CT_COLLECTIVE_ALLGATHER || call->what == CT_COLLECTIVE_REDUCE_SCATTER;
    if (!call->recv_bytes)
        return call->what == CT_COLLECTIVE_ALLGATHER ? call->n_ranks * call->bytes : call->bytes;
    for (uint32_t i = 0; has_sum && i < call->n_ranks; i++)
        sum += call->recv_bytes[i];
    return sum;
}

const struct ct_collective_algorithm *ct_collective_choose(const struct ct_collective_rules *rules,
                                                           const struct ct_collective_call *call)
{
    uint64_t bytes = ct_call_size(call);
    uint32_t folded_ranks = ct_power_of_two_below(call->n_ranks);
    for (size_t i = rules->n[call->what]; i-- > 0;) {
        const struct ct_collective_rule *rule = &rules->of[call->what][i];
        if (bytes >= rule->from_bytes && bytes / folded_ranks >= rule->from_bytes_a_rank &&
            call->n_ranks >= rule->from_ranks &&
            (!rule->power_of_two || folded_ranks == call->n_ranks) &&
            !(rule->algorithm->equal_blocks && call->recv_bytes))
            return rule->algorithm;
    }
    size_t n;
    const struct ct_collective_algorithm *row = ct_collective_algorithms(&n);
    while (row->what != call->what)
        row++;
    return row;
}
