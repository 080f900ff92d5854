/* Calls in time, and whether what came is what was sent. */
#include "bench/replay/player.h"

#include <stdarg.h>
#include <stdio.h>

enum { SAMPLED_CHECKS = 4 }; /* words of a message that a timed pass looks at besides its ends */

void ct_player_begin_call(struct ct_player_thread *thread)
{
    if (thread->held_until_ns > 0)
        ct_pace_hold(&thread->pace, thread->gap_ns, thread->held_until_ns);
    thread->held_until_ns = 0;
    ct_pace_wait(&thread->pace, thread->gap_ns);
    thread->gap_ns = 0;
}

void ct_player_end_call(struct ct_player_thread *thread, bool waits)
{
    struct ct_player *player = thread->player;
    uint64_t now_ns = ct_clock_now_ns();
    double took_s = 1e-9 * (double)(now_ns - thread->pace.started_ns);
    ct_player_lock(player);
    /* A rank that is in MPI with all of its threads is there for the whole time. */
    ct_profile_mpi(&player->run->profile, took_s / player->n_threads);
    ct_player_unlock(player);
    ct_pace_end(&thread->pace, waits, now_ns);
}

/* Nobody sends messages with the communicator of passes. */
void ct_player_poll(struct ct_player_thread *thread)
{
    struct ct_player *player = thread->player;
    int found;
    MPI_Iprobe(player->run->rank, 0, player->run->comm, &found, MPI_STATUS_IGNORE);
}

struct ct_payload ct_player_payload(const struct ct_player_thread *thread,
                                    const struct ct_trace_message *from)
{
    struct ct_player *player = thread->player;
    return (struct ct_payload){.has_stamp = true,
                               .stamp = ct_payload_stamp((uint32_t)from->rank, player->rank,
                                                         (uint64_t)from->tag, from->bytes,
                                                         player->run->iteration)};
}

void ct_player_fail(struct ct_player_thread *thread, const char *format, ...)
{
    struct ct_player *player = thread->player;
    char text[sizeof player->run->error.text / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ct_player_lock(player);
    if (player->run->status == CT_OK)
        player->run->status =
            ct_fail(&player->run->error, CT_EIO, "rank %u, %s %llu of pass %llu: %s", player->rank,
                    player->events.position_unit, (unsigned long long)thread->script.position,
                    (unsigned long long)player->run->iteration, text);
    ct_player_unlock(player);
}

static bool looks_at_all(const struct ct_player_thread *thread)
{
    return thread->player->run->max_checks == SIZE_MAX;
}

void ct_player_check(struct ct_player_thread *thread, uint32_t from,
                     const struct ct_payload *payload, size_t offset, const unsigned char *data,
                     size_t n)
{
    size_t at, checks = looks_at_all(thread) ? SIZE_MAX : SAMPLED_CHECKS;
    if (n == 0 || ct_payload_check(payload, offset, data, n, checks, &at))
        return;
    ct_player_fail(thread,
                   "byte %zu of %zu from rank %u is not what was sent: the network or the MPI "
                   "library changed or lost data",
                   at, n, from);
}

void ct_player_spoil(struct ct_player_thread *thread, unsigned char *data, size_t n)
{
    ct_payload_spoil(data, n, looks_at_all(thread));
}
