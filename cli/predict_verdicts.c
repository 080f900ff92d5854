#include "cli/predict_answer.h"

#include <stdlib.h>

static bool is_about(const struct ct_questions *questions, size_t q, size_t app, size_t with)
{
    return q < questions->n && questions->items[q].n_with == 1 && questions->items[q].app == app &&
           questions->items[q].with[0] == with;
}

/* Number of the question about B beside A, for that about A beside B; n: it is not asked. */
static size_t find_reverse(const struct ct_questions *questions, size_t n_apps, size_t q)
{
    size_t app = questions->items[q].with[0], with = questions->items[q].app;
    size_t found = app * n_apps + with; /* where all pairs are asked */
    if (is_about(questions, found, app, with))
        return found;
    for (found = 0; found < questions->n && !is_about(questions, found, app, with);)
        found++;
    return found;
}

enum ct_status ct_predict_answers_judge(struct ct_predict_answers *answers, struct ct_error *err)
{
    const struct ct_questions *questions = answers->questions;
    struct ct_judged *judged = calloc(questions->n + 1, sizeof *judged);
    struct ct_pair_verdict *pairs = calloc(questions->n + 1, sizeof *pairs);
    answers->judged = judged;
    answers->pairs = pairs;
    if (!judged || !pairs)
        return ct_no_memory(err, "verdicts");
    long n_alone = 0; /* of questions about one co-runner, those that are in no pair */
    for (size_t q = 0; q < questions->n; q++)
        judged[q] = ct_question_judge(&questions->items[q],
                                      &answers->cases[answers->model * questions->n + q].prediction,
                                      answers->limit_frac);
    for (size_t q = 0; q < questions->n; q++) {
        const struct ct_question *question = &questions->items[q];
        n_alone += question->n_with == 1;
        if (question->n_with != 1 || question->app > question->with[0])
            continue;
        size_t reverse = find_reverse(questions, answers->analysis->n_apps, q);
        if (reverse == questions->n)
            continue;
        pairs[answers->n_pairs++] =
            ct_pair_judge(question->app, question->with[0], &judged[q], &judged[reverse]);
        n_alone -= reverse == q ? 1 : 2;
    }
    if (n_alone > 0) /* A beside B is asked, and not B beside A */
        answers->n_pairs = 0;
    return CT_OK;
}

void ct_predict_answers_free(struct ct_predict_answers *answers)
{
    free((void *)answers->judged);
    free((void *)answers->pairs);
}
