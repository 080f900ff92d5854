#include "delay/run.h"

#include "core/parts.h"
#include "core/preload.h"
#include "core/units.h"
#include "delay/latency.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY "libcrosstalk-delay.so"
#define REMEDY                                                                                     \
    "only MPICH on UCX (device ch4:ucx) is supported; elsewhere crosstalk lab up --latency "       \
    "delays packets instead"

static enum ct_status find_library(char *path, size_t size, struct ct_error *err)
{
    static const char *const relatives[] = {CT_DELAY_LIBRARY_FROM_PROGRAM, LIBRARY,
                                            "../delay/" LIBRARY, NULL};
    const struct ct_preload_library library = {
        .name = LIBRARY,
        .variable = CT_DELAY_LIBRARY_VARIABLE,
        .relatives = relatives,
        .absent = CT_HAVE_DELAY ? ""
                                : " (this crosstalk was built without it: install libucx-dev and "
                                  "configure with -DCROSSTALK_DELAY=ON)"};
    return ct_preload_find(&library, path, size, err);
}

/* ---- the MPI of the program ---- */

/* Whether the file's table of names has this one. */
static bool has_name(const char *bytes, size_t size, const char *name)
{
    size_t length = strlen(name) + 1;
    const char *end = bytes + size;
    for (const char *at = bytes; at < end; at++) {
        at = memmem(at, (size_t)(end - at), name, length);
        if (!at)
            return false;
        if (at > bytes && at[-1] == '\0')
            return true;
    }
    return false;
}

enum ct_status ct_delay_check_library(const char *bytes, size_t size, const char *path,
                                      struct ct_error *err)
{
    static const char *const needed[] = {"ucp_worker_progress", "ucp_tag_probe_nb",
                                         "ucp_tag_send_nbx",    "ucp_tag_send_sync_nbx",
                                         "ucp_tag_recv_nbx",    "ucp_tag_msg_recv_nbx"};
    /* These would take messages past the library. */
    static const char *const foreign[] = {"ucp_tag_recv_nb",     "ucp_tag_recv_nbr",
                                          "ucp_tag_msg_recv_nb", "ucp_tag_send_nb",
                                          "ucp_tag_send_nbr",    "ucp_tag_send_sync_nb"};
    if (!has_name(bytes, size, needed[0]))
        return ct_fail(err, CT_EUNSUPPORTED, "%s does not send by UCX%s: %s", path,
                       has_name(bytes, size, "fi_getinfo") ? ", but by libfabric (ch4:ofi)" : "",
                       REMEDY);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!has_name(bytes, size, needed[i]))
            return ct_fail(err, CT_EUNSUPPORTED, "%s does not call %s of UCX, as MPICH 4.0 does",
                           path, needed[i]);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (has_name(bytes, size, foreign[i]))
            return ct_fail(err, CT_EUNSUPPORTED,
                           "%s calls %s of UCX, which cannot be delayed; use MPICH 4.0 or later",
                           path, foreign[i]);
    return CT_OK;
}

static enum ct_status check_file(const char *path, struct ct_error *err)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0 || info.st_size <= 0) {
        if (fd >= 0)
            close(fd);
        return ct_fail(err, CT_EIO, "cannot read %s: %s", path, strerror(errno));
    }
    size_t size = (size_t)info.st_size;
    char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED)
        return ct_fail(err, CT_EIO, "cannot read %s: %s", path, strerror(errno));
    enum ct_status status = ct_delay_check_library(bytes, size, path, err);
    munmap(bytes, size);
    return status;
}

static enum ct_status check_program(char *const *argv, bool *known_p, struct ct_error *err)
{
    struct ct_mpi_program program;
    ct_preload_program(argv, &program);
    *known_p = program.library[0] != '\0';
    if (program.mpi == CT_MPI_OPENMPI)
        return ct_fail(err, CT_EUNSUPPORTED, "%s is linked to %s, be it over UCX or not: %s",
                       program.path, ct_mpi_title(program.mpi), REMEDY);
    enum ct_status status = ct_preload_check_launcher(&program, argv, err);
    return status == CT_OK && *known_p ? check_file(program.library, err) : status;
}

enum ct_status ct_delay_check(const struct ct_delay_run *run, bool *known_p, struct ct_error *err)
{
    struct ct_delay_latency latency = {0};
    const char *slash = strrchr(run->argv[0], '/');
    if (strcmp(slash ? slash + 1 : run->argv[0], "crosstalk") == 0 && run->argv[1] &&
        strcmp(run->argv[1], "lab") == 0)
        return ct_fail(
            err, CT_EUSAGE,
            "in the lab ranks sleep until a packet arrives, so messages that are held "
            "back would come late; use crosstalk lab up --latency, which delays packets");
    enum ct_status status = run->matrix ? ct_delay_matrix_read(run->matrix, &latency, err)
                                        : ct_delay_latency_check(run->latency_s, err);
    free(latency.matrix_ns);
    return status == CT_OK ? check_program(run->argv, known_p, err) : status;
}

/* ---- running it ---- */

static bool set(const char *name, const char *value)
{
    return (value ? setenv(name, value, 1) : unsetenv(name)) == 0;
}

static enum ct_status set_environment(const struct ct_delay_run *run, const char *library,
                                      struct ct_error *err)
{
    char bytes[32], latency[CT_UNITS_TEXT_MAX], matrix[PATH_MAX];
    if (run->matrix && !realpath(run->matrix, matrix)) /* ranks may start in other folders */
        return ct_fail(err, CT_EIO, "%s: %s", run->matrix, strerror(errno));
    snprintf(bytes, sizeof bytes, "%zu", run->rendezvous_bytes);
    ct_format_duration(run->latency_s, latency);
    if (!set(CT_DELAY_LATENCY_VARIABLE, run->matrix ? NULL : latency) ||
        !set(CT_DELAY_MATRIX_VARIABLE, run->matrix ? matrix : NULL) ||
        !set(CT_DELAY_QUIET_VARIABLE, run->quiet ? "1" : NULL) ||
        !set(CT_DELAY_RENDEZVOUS_VARIABLE, bytes) ||
        (run->within_nodes && !set("MPIR_CVAR_NOLOCAL", "1")))
        return ct_fail(err, CT_ENOMEM, "out of memory");
    return ct_preload_add(library, err);
}

enum ct_status ct_delay_run(const struct ct_delay_run *run, struct ct_error *err)
{
    char library[PATH_MAX];
    enum ct_status status = find_library(library, sizeof library, err);
    if (status == CT_OK)
        status = set_environment(run, library, err);
    return status == CT_OK ? ct_preload_run(run->argv, run->name, err) : status;
}
