#include "bench/replay/archive.h"

#include "core/file.h"
#include "trace/otf2/otf2.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the first rank of a node tells the others. */
struct unpacked {
    enum ct_status status;
    bool room_possible; /* as in struct ct_events */
    struct ct_error error;
    char folder[PATH_MAX]; /* "": there is none */
};

static enum ct_status make_folder(char folder[PATH_MAX], struct ct_error *err)
{
    const char *above = getenv("TMPDIR");
    if (!above || !*above)
        above = "/tmp";
    *folder = '\0';
    if (snprintf(folder, PATH_MAX, "%s/crosstalk-replay.XXXXXX", above) < PATH_MAX &&
        mkdtemp(folder))
        return CT_OK;
    *folder = '\0';
    return ct_fail(err, CT_EIO, "%s: no folder can be made there: %s; set TMPDIR", above,
                   strerror(errno));
}

static void unpack_archive(const char *path, struct unpacked *answer)
{
    answer->status = make_folder(answer->folder, &answer->error);
    if (answer->status == CT_OK)
        answer->status =
            ct_otf2_unpack(path, answer->folder, &answer->room_possible, &answer->error);
}

enum ct_status ct_replay_open_archive(const char *path, MPI_Comm comm, struct ct_events *events_p,
                                      struct ct_error *err)
{
    struct unpacked answer = {.status = CT_OK};
    MPI_Comm node;
    int rank;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    if (rank == 0)
        unpack_archive(path, &answer);
    MPI_Bcast(&answer, (int)sizeof answer, MPI_BYTE, 0, node);
    if (answer.status == CT_OK)
        answer.status = ct_trace_events_open(answer.folder, events_p, &answer.error);
    if (answer.status == CT_OK)
        events_p->room_only = answer.room_possible;
    /* Files that are open stay until they are closed. */
    MPI_Barrier(node);
    if (rank == 0 && *answer.folder)
        ct_file_remove_folder(answer.folder);
    MPI_Comm_free(&node);
    if (answer.status != CT_OK && err)
        *err = answer.error;
    return answer.status;
}
