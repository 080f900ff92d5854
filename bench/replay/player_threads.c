/* The threads of a rank: one for each of the program, which make the passes together. The first one
 * is the caller; the others sleep between passes. */
#include "bench/replay/player.h"

#include <stdlib.h>
#include <string.h>

/* All threads but the first. */
struct ct_crew {
    pthread_t *workers; /* [n] that were started */
    uint32_t n;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t pass; /* that has begun last */
    uint64_t from_ns;
    uint32_t n_ready, n_played; /* before the next pass; after this one */
    bool ends;
};

/* ---- one thread ---- */

static void read_next(struct ct_player_thread *thread)
{
    if (ct_script_next(&thread->script, &thread->event, &thread->outcome, NULL) != CT_OK)
        thread->event.kind = CT_TRACE_NONE; /* the rehearsal has read it all */
}

/* All events of the thread before this one have ended. */
static void come_to_event(const struct ct_player_thread *thread)
{
    bool has_event = thread->event.kind != CT_TRACE_NONE;
    ct_gate_move(&thread->player->gate, thread->number,
                 has_event ? thread->script.position - 1 : CT_GATE_END);
}

static void pass_gate(struct ct_player_thread *thread)
{
    if (ct_gate_pass(&thread->player->gate, thread->number, thread->event.after))
        thread->held_until_ns = ct_clock_now_ns();
}

static void play_thread(struct ct_player_thread *thread, uint64_t from_ns)
{
    ct_pace_begin(&thread->pace, from_ns);
    while (thread->event.kind != CT_TRACE_NONE && thread->event.kind != CT_TRACE_END) {
        pass_gate(thread);
        ct_player_act(thread, &thread->event, &thread->outcome);
        read_next(thread);
        come_to_event(thread);
    }
    if (thread->event.kind == CT_TRACE_END) {
        pass_gate(thread);
        ct_player_note_time(thread, &thread->event);
    }
    ct_player_compute(thread);
    ct_gate_move(&thread->player->gate, thread->number, CT_GATE_END);
}

static void rewind_thread(struct ct_player_thread *thread)
{
    const struct ct_events *events = &thread->player->events;
    struct ct_player_place start = {.events = thread->script.start};
    /* A thread that comes later computes, or waits for its start, from the begin of the program. */
    start.is_set = thread->number > 0 && events->clocks;
    start.end_ns = start.is_set ? events->clocks[thread->player->rank].start_ns : 0;
    ct_player_rewind(thread, start);
    read_next(thread);
}

/* ---- all of them ---- */

static void *run_thread(void *data)
{
    struct ct_player_thread *thread = data;
    struct ct_crew *crew = thread->player->crew;
    for (uint64_t pass = 0;; pass++) {
        rewind_thread(thread);
        pthread_mutex_lock(&crew->lock);
        crew->n_ready++;
        pthread_cond_broadcast(&crew->changed);
        while (crew->pass == pass && !crew->ends)
            pthread_cond_wait(&crew->changed, &crew->lock);
        bool ends = crew->ends;
        uint64_t from_ns = crew->from_ns;
        pthread_mutex_unlock(&crew->lock);
        if (ends)
            return NULL;
        play_thread(thread, from_ns);
        pthread_mutex_lock(&crew->lock);
        crew->n_played++;
        pthread_cond_broadcast(&crew->changed);
        pthread_mutex_unlock(&crew->lock);
    }
}

enum ct_status ct_player_start_threads(struct ct_player *player, struct ct_error *err)
{
    if (player->n_threads == 1)
        return CT_OK;
    CT_TRY(ct_gate_open(player->n_threads, &player->gate, err));
    struct ct_crew *crew = calloc(1, sizeof *crew);
    pthread_t *workers = calloc(player->n_threads, sizeof *workers);
    if (!crew || !workers) {
        free(crew);
        free(workers);
        return ct_no_memory(err, "replay");
    }
    crew->workers = workers;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->changed, NULL);
    pthread_mutex_init(&player->lock, NULL);
    player->crew = crew;
    for (uint32_t i = 1; i < player->n_threads; i++) {
        int code = pthread_create(&workers[crew->n], NULL, run_thread, &player->threads[i]);
        if (code != 0)
            return ct_fail(err, CT_ENOMEM, "%s: thread %u of rank %u cannot be started: %s",
                           player->source, i, player->rank, strerror(code));
        crew->n++;
    }
    return CT_OK;
}

void ct_player_play_threads(struct ct_player *player)
{
    struct ct_crew *crew = player->crew;
    rewind_thread(player->threads);
    pthread_mutex_lock(&crew->lock);
    while (crew->n_ready < crew->n)
        pthread_cond_wait(&crew->changed, &crew->lock);
    for (uint32_t i = 0; i < player->n_threads; i++)
        come_to_event(&player->threads[i]);
    crew->n_ready = crew->n_played = 0;
    crew->from_ns = ct_clock_now_ns();
    crew->pass++;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
    play_thread(player->threads, crew->from_ns);
    pthread_mutex_lock(&crew->lock);
    while (crew->n_played < crew->n)
        pthread_cond_wait(&crew->changed, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void ct_player_stop_threads(struct ct_player *player)
{
    struct ct_crew *crew = player->crew;
    if (crew) {
        pthread_mutex_lock(&crew->lock);
        crew->ends = true;
        pthread_cond_broadcast(&crew->changed);
        pthread_mutex_unlock(&crew->lock);
        for (uint32_t i = 0; i < crew->n; i++)
            pthread_join(crew->workers[i], NULL);
        pthread_cond_destroy(&crew->changed);
        pthread_mutex_destroy(&crew->lock);
        pthread_mutex_destroy(&player->lock);
        free(crew->workers);
        free(crew);
        player->crew = NULL;
    }
    ct_gate_close(&player->gate);
}
