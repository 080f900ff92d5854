/* Several walks at the same time. */
#include "lp-bridge/envelope/stream.h"

#include <pthread.h>
#include <stdlib.h>

enum { ALIGNMENT = 64, THREADS_MAX = 64 };

struct work {
    const struct ct_program *program;
    const double *t;
    struct ct_line *lines;
    size_t n, first, stride; /* points; where this worker begins and how far it steps */
    void *slots;
};

static void *walk_some(void *data)
{
    struct work *work = data;
    for (size_t i = work->first; i < work->n; i += work->stride) {
        size_t n = work->n - i < CT_PROGRAM_LANES ? work->n - i : CT_PROGRAM_LANES;
        ct_walk(work->program, work->t + i, n, work->slots, work->lines + i);
    }
    return NULL;
}

static bool allocate_slots(struct work *work)
{
    size_t bytes = ct_walk_bytes(work->program);
    work->slots = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    return work->slots != NULL;
}

/* A thread that cannot be started, or has no memory, leaves its part to the caller. */
enum ct_status ct_program_lines(const struct ct_program *program, const double *t, size_t n,
                                unsigned threads, struct ct_line *lines_p, struct ct_error *err)
{
    struct work work[THREADS_MAX];
    pthread_t thread[THREADS_MAX];
    size_t walks = (n + CT_PROGRAM_LANES - 1) / CT_PROGRAM_LANES, workers = threads;
    workers = workers > THREADS_MAX ? THREADS_MAX : workers;
    workers = workers > walks ? walks : workers;
    bool started[THREADS_MAX] = {false};
    for (size_t w = 0; w < workers; w++)
        work[w] = (struct work){.program = program,
                                .t = t,
                                .lines = lines_p,
                                .n = n,
                                .first = w * CT_PROGRAM_LANES,
                                .stride = workers * CT_PROGRAM_LANES};
    if (workers > 0 && !allocate_slots(&work[0]))
        return ct_fail(err, CT_ENOMEM, "evaluation of the graph: out of memory");
    for (size_t w = 1; w < workers; w++)
        started[w] =
            allocate_slots(&work[w]) && pthread_create(&thread[w], NULL, walk_some, &work[w]) == 0;
    for (size_t w = 0; w < workers; w++)
        if (!started[w]) {
            void *own = work[w].slots;
            work[w].slots = work[0].slots;
            walk_some(&work[w]);
            work[w].slots = own;
        }
    for (size_t w = 1; w < workers; w++)
        if (started[w])
            pthread_join(thread[w], NULL);
    for (size_t w = 0; w < workers; w++)
        free(work[w].slots);
    return CT_OK;
}
