/* Several walks at the same time. */
#include "lp-bridge/envelope/stream.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { ALIGNMENT = 64, THREADS_MAX = 64 };

/* Points to evaluate. The next free thread takes the next walk: threads are not equally fast. */
struct work {
    const struct ct_evaluator *evaluator;
    const double *t;
    struct ct_line *lines;
    size_t n;
    atomic_size_t next; /* the first point that nobody has taken */
};

static void walk_all(struct work *work, void *slots)
{
    size_t i;
    while ((i = atomic_fetch_add(&work->next, CT_EVALUATOR_LANES)) < work->n) {
        size_t n = work->n - i < CT_EVALUATOR_LANES ? work->n - i : CT_EVALUATOR_LANES;
        ct_walk(work->evaluator, work->t + i, n, slots, work->lines + i);
    }
}

static void *new_slots(const struct ct_evaluator *evaluator)
{
    size_t bytes = ct_walk_bytes(evaluator);
    return aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

/* A thread without memory leaves everything to the others. */
static void *run_thread(void *data)
{
    struct work *work = data;
    void *slots = new_slots(work->evaluator);
    if (slots)
        walk_all(work, slots);
    free(slots);
    return NULL;
}

/* As many as could be started; the rest of the work is done without them. */
static size_t start_threads(struct work *work, size_t n, pthread_t *threads)
{
    size_t started = 0;
    while (started < n && pthread_create(&threads[started], NULL, run_thread, work) == 0)
        started++;
    return started;
}

enum ct_status ct_evaluator_lines(const struct ct_evaluator *evaluator, const double *t, size_t n,
                                  unsigned threads, struct ct_line *lines_p, struct ct_error *err)
{
    struct work work = {.evaluator = evaluator, .t = t, .lines = lines_p, .n = n};
    pthread_t others[THREADS_MAX];
    size_t walks = (n + CT_EVALUATOR_LANES - 1) / CT_EVALUATOR_LANES;
    size_t workers = threads < walks ? threads : walks;
    if (walks == 0)
        return CT_OK;
    void *slots = new_slots(evaluator);
    if (!slots)
        return ct_fail(err, CT_ENOMEM, "evaluation of the graph: out of memory");
    size_t started =
        start_threads(&work, workers > THREADS_MAX ? THREADS_MAX : workers - 1, others);
    walk_all(&work, slots);
    for (size_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    free(slots);
    return CT_OK;
}
