#include "tests/unit/simulated_queue.h"

#include <assert.h>
#include <math.h>

double simulated_wait_s(struct simulated_server *server, double time_s)
{
    for (; server->next < server->n_arrivals && server->arrivals[server->next].time_s <= time_s;
         server->next++) {
        const struct simulated_arrival *arrival = &server->arrivals[server->next];
        server->free_s = fmax(server->free_s, arrival->time_s) + arrival->work_s;
    }
    return fmax(0, server->free_s - time_s);
}

static double now_s(void *self)
{
    struct simulated_queue *queue = self;
    return queue->now_s;
}

static enum ct_status send(void *self, uint64_t sequence, struct ct_error *err)
{
    struct simulated_queue *queue = self;
    (void)err;
    assert(queue->n_sent - queue->n_taken < SIMULATED_PROBES_MAX);
    double there_s = queue->now_s + queue->delay_s + simulated_wait_s(&queue->there, queue->now_s);
    queue->arrived_s[sequence % SIMULATED_PROBES_MAX] = there_s;
    queue->answered_s[sequence % SIMULATED_PROBES_MAX] =
        there_s + queue->delay_s + simulated_wait_s(&queue->back, there_s);
    queue->n_sent++;
    return CT_OK;
}

static enum ct_status receive(void *self, uint64_t sequence, bool *arrived_p,
                              struct ct_probe_answer *answer_p, struct ct_error *err)
{
    struct simulated_queue *queue = self;
    (void)err;
    queue->asked = sequence;
    *arrived_p = queue->answered_s[sequence % SIMULATED_PROBES_MAX] <= queue->now_s;
    *answer_p = (struct ct_probe_answer){true, queue->arrived_s[sequence % SIMULATED_PROBES_MAX] +
                                                   queue->ahead_s};
    queue->n_taken += *arrived_p;
    return CT_OK;
}

static bool wait(void *self, double until_s, bool under_way)
{
    struct simulated_queue *queue = self;
    double answer_s = under_way ? queue->answered_s[queue->asked % SIMULATED_PROBES_MAX] : INFINITY;
    queue->now_s = fmax(queue->now_s, fmin(fmin(until_s, answer_s), queue->end_s));
    return queue->now_s < queue->end_s;
}

struct ct_probe_transport simulated_queue_transport(struct simulated_queue *queue)
{
    return (struct ct_probe_transport){
        .self = queue, .now_s = now_s, .send = send, .receive = receive, .wait = wait};
}
