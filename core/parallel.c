#include "core/parallel.h"

#include "core/cancel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

struct pool {
    void (*run)(void *work, size_t i);
    void *work;
    size_t n;
    const volatile int *cancel; /* the flag of the caller */
    atomic_size_t next;
};

unsigned ct_parallel_processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > CT_PARALLEL_MAX ? CT_PARALLEL_MAX : (unsigned)n;
}

static void *run_thread(void *data)
{
    struct pool *pool = data;
    size_t i;
    ct_cancel_watch(pool->cancel);
    while ((i = atomic_fetch_add(&pool->next, 1)) < pool->n)
        pool->run(pool->work, i);
    return NULL;
}

void ct_parallel_run(size_t n, unsigned threads, void (*run)(void *work, size_t i), void *work)
{
    struct pool pool = {.run = run, .work = work, .n = n, .cancel = ct_cancel_watched()};
    pthread_t others[CT_PARALLEL_MAX];
    size_t wanted = threads < CT_PARALLEL_MAX ? threads : CT_PARALLEL_MAX, started = 0;
    wanted = wanted < n ? wanted : n;
    while (started + 1 < wanted && pthread_create(&others[started], NULL, run_thread, &pool) == 0)
        started++;
    run_thread(&pool);
    for (size_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}
