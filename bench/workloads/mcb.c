/* Monte Carlo transport of particles, after MCB (LLNL): each rank tracks the particles in its part
 * of space, which is computing, and now and then some fly on into a neighbour's. Nobody knows when
 * and how many: the receiver probes, and the step ends when a reduction of the number of messages
 * on their way counts none. */
#include "bench/workloads/flight.h"
#include "bench/workloads/workload.h"

#include <stdlib.h>

enum { MAX_PARTICLES_AT_SCALE_1 = 8, N_SLICES = 4 };
enum { N_BUFFERS = N_SLICES * CT_FLIGHT_DIRECTIONS };

enum { TRACK, COUNT };
static const char *const phases[] = {[TRACK] = "track", [COUNT] = "count", NULL};

struct mcb {
    struct ct_flight flight;
    size_t buffer_words; /* room for the largest message */
    uint64_t *sent;      /* N_BUFFERS: nothing waits for a message of the same step to leave */
    uint64_t *received;  /* one */
    uint64_t n_sent, n_received;
    MPI_Request requests[N_BUFFERS];
    MPI_Status statuses[N_BUFFERS];
};

static void mcb_destroy(void *state)
{
    struct mcb *mcb = state;
    if (!mcb)
        return;
    free(mcb->sent);
    free(mcb->received);
    free(mcb);
}

static enum ct_status mcb_create(const struct ct_workload_run *run, void **state_p,
                                 struct ct_error *err)
{
    /* What leaves goes with the surface, what is computed with the volume. The greatest scale keeps
     * all counts within an int. */
    size_t max_particles = ct_workload_scaled(MAX_PARTICLES_AT_SCALE_1, run->scale, 2.0 / 3);
    struct mcb *mcb = calloc(1, sizeof *mcb);
    if (!mcb)
        return ct_fail(err, CT_ENOMEM, "no memory for the state of mcb");
    mcb->flight = (struct ct_flight){.grid = ct_grid_make(run->size, CT_FLIGHT_AXES, false),
                                     .seed = run->seed,
                                     .max_particles = max_particles};
    mcb->buffer_words = max_particles * CT_FLIGHT_PARTICLE_WORDS;
    size_t bytes = mcb->buffer_words * CT_REGION_WORD_BYTES;
    mcb->sent = malloc(N_BUFFERS * bytes);
    mcb->received = malloc(bytes);
    if (!mcb->sent || !mcb->received) {
        mcb_destroy(mcb);
        return ct_fail(err, CT_ENOMEM, "no memory for %d times %zu bytes of particles",
                       N_BUFFERS + 1, bytes);
    }
    *state_p = mcb;
    return CT_OK;
}

/* Numbered on through all steps. */
static uint64_t slice_of(const struct ct_workload_run *run, int slice)
{
    return run->iteration * N_SLICES + (uint64_t)slice;
}

/* The tag tells slice and direction, as the head of a real message would. */
static void send_particles(struct mcb *mcb, struct ct_workload_run *run, int slice)
{
    for (int d = 0; d < CT_FLIGHT_DIRECTIONS; d++) {
        const struct ct_flight_way way = {slice_of(run, slice), run->rank, d};
        struct ct_region region;
        int peer, tag = slice * CT_FLIGHT_DIRECTIONS + d;
        if (!ct_flight_leaves(&mcb->flight, &way, &peer, &region))
            continue;
        uint64_t *words = mcb->sent + mcb->n_sent * mcb->buffer_words;
        ct_region_fill(&region, way.slice, words);
        ct_workload_sent(run, peer, ct_region_words(&region) * CT_REGION_WORD_BYTES);
        ct_workload_mpi_begin(run);
        MPI_Isend(words, (int)ct_region_words(&region), MPI_UINT64_T, peer, tag, run->comm,
                  &mcb->requests[mcb->n_sent++]);
        ct_workload_mpi_end(run);
    }
}

static void check_particles(const struct mcb *mcb, struct ct_workload_run *run,
                            const MPI_Status *message)
{
    const struct ct_flight_way way = {slice_of(run, message->MPI_TAG / CT_FLIGHT_DIRECTIONS),
                                      message->MPI_SOURCE, message->MPI_TAG % CT_FLIGHT_DIRECTIONS};
    struct ct_region region;
    int words, peer;
    MPI_Get_count(message, MPI_UINT64_T, &words);
    bool expected = ct_flight_leaves(&mcb->flight, &way, &peer, &region) && peer == run->rank;
    if (expected && (size_t)words == ct_region_words(&region))
        ct_workload_check(run, way.rank, &region, way.slice, mcb->received);
    else if (run->status == CT_OK)
        run->status =
            ct_fail(&run->error, CT_EIO,
                    "iteration %llu: rank %d sent no message of %d words in direction %d "
                    "to rank %d, but one came",
                    (unsigned long long)run->iteration, way.rank, words, way.direction, run->rank);
}

static void receive_particles(struct mcb *mcb, struct ct_workload_run *run)
{
    for (;;) {
        MPI_Status message;
        int there;
        ct_workload_mpi_begin(run);
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, run->comm, &there, &message);
        if (there)
            MPI_Recv(mcb->received, (int)mcb->buffer_words, MPI_UINT64_T, message.MPI_SOURCE,
                     message.MPI_TAG, run->comm, &message);
        ct_workload_mpi_end(run);
        if (!there)
            return;
        mcb->n_received++;
        check_particles(mcb, run, &message);
    }
}

/* All that a step sends has been sent on every rank when its first reduction ends, so the number on
 * the way only falls, and none is left where it reaches 0. */
static void finish_step(struct mcb *mcb, struct ct_workload_run *run)
{
    double on_the_way;
    do {
        receive_particles(mcb, run);
        on_the_way =
            ct_workload_reduce(run, (double)mcb->n_sent - (double)mcb->n_received, MPI_SUM);
    } while (on_the_way > 0);
    ct_workload_mpi_begin(run);
    MPI_Waitall((int)mcb->n_sent, mcb->requests, mcb->statuses);
    ct_workload_mpi_end(run);
    uint64_t expected = ct_flight_arrivals(&mcb->flight, run->rank, slice_of(run, 0), N_SLICES);
    if (mcb->n_received != expected && run->status == CT_OK)
        run->status =
            ct_fail(&run->error, CT_EIO, "iteration %llu: %llu messages came to rank %d, not %llu",
                    (unsigned long long)run->iteration, (unsigned long long)mcb->n_received,
                    run->rank, (unsigned long long)expected);
}

static void mcb_iterate(void *state, struct ct_workload_run *run)
{
    struct mcb *mcb = state;
    mcb->n_sent = mcb->n_received = 0;
    ct_workload_phase(run, TRACK);
    for (int slice = 0; slice < N_SLICES; slice++) {
        ct_workload_compute(run, 1.0 / N_SLICES);
        send_particles(mcb, run, slice);
        receive_particles(mcb, run);
    }
    ct_workload_phase(run, COUNT);
    finish_step(mcb, run);
}

const struct ct_workload ct_workload_mcb = {
    .name = "mcb",
    .iterations = 5,
    .compute_s = 80e-3,
    .phases = phases,
    .create = mcb_create,
    .iterate = mcb_iterate,
    .destroy = mcb_destroy,
};
