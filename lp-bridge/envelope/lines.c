/* Several walks at the same time. */
#include "core/cancel.h"
#include "core/parallel.h"
#include "lp-bridge/envelope/stream.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* Points to evaluate. The next free thread takes the next walk: threads are not equally fast. */
struct work {
    const struct ct_evaluator *evaluator;
    const double *t;
    struct ct_line *lines;
    size_t n;
    atomic_size_t next; /* the first point that nobody has taken */
    atomic_int failed;  /* errno of a walk; 0: none */
};

/* A thread without memory leaves everything to the others. */
static void walk_some(void *data, size_t thread)
{
    struct work *work = data;
    size_t bytes = ct_walk_bytes(work->evaluator), i;
    void *slots = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    (void)thread;
    while (slots && !ct_is_cancelled() &&
           (i = atomic_fetch_add(&work->next, CT_EVALUATOR_LANES)) < work->n) {
        size_t n = work->n - i < CT_EVALUATOR_LANES ? work->n - i : CT_EVALUATOR_LANES;
        if (!ct_walk(work->evaluator, work->t + i, n, slots, work->lines + i))
            atomic_store(&work->failed, errno);
    }
    free(slots);
}

enum ct_status ct_evaluator_lines(const struct ct_evaluator *evaluator, const double *t, size_t n,
                                  unsigned threads, struct ct_line *lines_p, struct ct_error *err)
{
    struct work work = {.evaluator = evaluator, .t = t, .lines = lines_p, .n = n};
    size_t walks = (n + CT_EVALUATOR_LANES - 1) / CT_EVALUATOR_LANES;
    size_t workers = threads < walks ? threads : walks;
    ct_parallel_run(workers, threads, walk_some, &work);
    CT_TRY(ct_cancel_check(err));
    if (atomic_load(&work.failed))
        return ct_fail(err, CT_EIO, "evaluation of the graph: its file cannot be read: %s",
                       strerror(atomic_load(&work.failed)));
    return atomic_load(&work.next) >= n ? CT_OK : ct_no_memory(err, "evaluation of the graph");
}
