#include "bench/impact/control.h"

enum { TAG_NOTICE = 1, TAG_STOP = 2 };

static void listen_to_ranks(struct ct_control *control)
{
    MPI_Irecv(&control->notice_urgent, 1, MPI_INT, MPI_ANY_SOURCE, TAG_NOTICE, control->comm,
              &control->notice);
}

void ct_control_start(const struct ct_bench *bench, struct ct_control *control)
{
    *control = (struct ct_control){.rank = bench->rank,
                                   .size = bench->size,
                                   .notice = MPI_REQUEST_NULL,
                                   .stop = MPI_REQUEST_NULL};
    MPI_Comm_dup(bench->comm, &control->comm);
    if (control->rank != 0)
        MPI_Irecv(&control->stop_byte, 1, MPI_CHAR, 0, TAG_STOP, control->comm, &control->stop);
    else if (control->size > 1)
        listen_to_ranks(control);
}

/* A few bytes to rank 0 go out at once, or are buffered: nobody waits here. */
static void give_notice(struct ct_control *control, bool urgent)
{
    int text = urgent;
    if (control->reported)
        return;
    control->reported = true;
    if (control->rank != 0) {
        MPI_Send(&text, 1, MPI_INT, 0, TAG_NOTICE, control->comm);
        return;
    }
    control->urgent |= urgent;
}

static void coordinate_ranks(struct ct_control *control)
{
    int arrived = 1;
    while (control->notice != MPI_REQUEST_NULL && arrived) {
        MPI_Test(&control->notice, &arrived, MPI_STATUS_IGNORE);
        if (!arrived)
            break;
        control->urgent |= control->notice_urgent != 0;
        if (++control->n_received < control->size - 1)
            listen_to_ranks(control);
    }
    bool all = control->reported && control->n_received == control->size - 1;
    if (control->stopped || !(control->urgent || all))
        return;
    char byte = 0;
    for (int rank = 1; rank < control->size; rank++)
        MPI_Send(&byte, 1, MPI_CHAR, rank, TAG_STOP, control->comm);
    control->stopped = true;
}

bool ct_control_poll(struct ct_control *control, bool urgent)
{
    if (urgent || ct_bench_signalled())
        give_notice(control, true);
    if (control->rank == 0)
        coordinate_ranks(control);
    if (control->stop != MPI_REQUEST_NULL) {
        int arrived;
        MPI_Test(&control->stop, &arrived, MPI_STATUS_IGNORE);
        control->stopped = arrived != 0;
    }
    return control->stopped;
}

void ct_control_finish(struct ct_control *control)
{
    give_notice(control, false);
}

void ct_control_end(struct ct_control *control)
{
    /* Reports of ranks that were stopped come late: they are still received. */
    ct_control_finish(control);
    while (control->rank == 0 && control->n_received < control->size - 1)
        coordinate_ranks(control);
    MPI_Comm_free(&control->comm);
}
