#include "lp-bridge/goal/tags.h"

#include <stdlib.h>

enum { FIRST = CT_GOAL_ANY_TAG - 1 };

bool ct_goal_tags_add(struct ct_goal_tags *tags, uint64_t tag, int32_t *tag_p)
{
    uint32_t number;
    if (tag <= CT_GOAL_TAG_MAX) {
        *tag_p = (int32_t)tag;
        return true;
    }
    if (!ct_map_number(&tags->seen, tag, &number))
        return false;
    *tag_p = FIRST - (int32_t)number;
    return true;
}

/* Among as many numbers as there are operations each tag finds one: bits of those that are used. */
bool ct_goal_tags_resolve(const struct ct_goal_tags *tags, struct ct_goal_op *ops, uint64_t n_ops)
{
    uint32_t n = (uint32_t)tags->seen.n;
    if (n == 0)
        return true;
    unsigned char *used = calloc(n_ops / 8 + 1, 1);
    int32_t *numbers = malloc(n * sizeof *numbers), next = 0;
    if (!used || !numbers) {
        free(used);
        free(numbers);
        return false;
    }
    for (uint64_t op = 0; op < n_ops; op++)
        if (ops[op].kind != CT_GOAL_CALC && ops[op].tag >= 0 && (uint64_t)ops[op].tag < n_ops)
            used[ops[op].tag / 8] |= (unsigned char)(1U << ops[op].tag % 8);
    for (uint32_t i = 0; i < n; i++, next++) {
        while ((uint64_t)next < n_ops && used[next / 8] >> next % 8 & 1)
            next++;
        numbers[i] = next;
    }
    for (uint64_t op = 0; op < n_ops; op++)
        if (ops[op].kind != CT_GOAL_CALC && ops[op].tag <= FIRST &&
            (uint32_t)(FIRST - ops[op].tag) < n)
            ops[op].tag = numbers[FIRST - ops[op].tag];
    free(used);
    free(numbers);
    return true;
}

void ct_goal_tags_free(struct ct_goal_tags *tags)
{
    ct_map_free(&tags->seen);
}
