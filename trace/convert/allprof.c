#include "trace/convert/allprof.h"

#include "core/array.h"
#include "trace/convert/allprof_rank.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct allprof {
    struct ct_allprof_rank *ranks;
    uint32_t n_ranks;
    struct ct_allprof_comms comms;
};

/* Both ways through the texts: all ranks' communicators are known before there are events. */
enum pass { PASS_SCAN, PASS_READ };

static void close_allprof(void *context)
{
    struct allprof *allprof = context;
    for (uint32_t rank = 0; allprof->ranks && rank < allprof->n_ranks; rank++)
        ct_allprof_rank_free(&allprof->ranks[rank]);
    ct_allprof_comms_free(&allprof->comms);
    free(allprof->ranks);
    free(allprof);
}

static enum ct_status read_event(void *context, uint32_t rank, struct ct_trace_event *event_p,
                                 uint64_t *position_p, struct ct_error *err)
{
    struct allprof *allprof = context;
    return ct_allprof_rank_next(&allprof->ranks[rank], event_p, position_p, err);
}

static struct ct_events_place tell_place(const void *context, uint32_t rank)
{
    const struct ct_allprof_rank *of = &((const struct allprof *)context)->ranks[rank];
    return (struct ct_events_place){.at = of->next_event, .before = of->next_completion};
}

static void seek_place(void *context, uint32_t rank, struct ct_events_place place)
{
    struct ct_allprof_rank *of = &((struct allprof *)context)->ranks[rank];
    of->next_event = (size_t)place.at;
    of->next_completion = (size_t)place.before;
}

static void rewind_rank(void *context, uint32_t rank)
{
    struct allprof *allprof = context;
    ct_allprof_rank_rewind(&allprof->ranks[rank]);
}

static enum ct_status new_allprof(uint32_t n_ranks, struct allprof **allprof_p,
                                  struct ct_error *err)
{
    struct allprof *allprof = calloc(1, sizeof *allprof);
    if (!allprof)
        return ct_no_memory(err, "traces");
    *allprof =
        (struct allprof){.ranks = calloc(n_ranks, sizeof *allprof->ranks), .n_ranks = n_ranks};
    if (!allprof->ranks) {
        free(allprof);
        return ct_no_memory(err, "traces");
    }
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        allprof->ranks[rank] = (struct ct_allprof_rank){.rank = rank, .n_ranks = n_ranks};
    *allprof_p = allprof;
    return CT_OK;
}

static enum ct_status finish_opening(struct allprof *allprof, enum ct_status status,
                                     struct ct_events *events_p, struct ct_error *err)
{
    if (status == CT_OK)
        status = ct_allprof_resolve(allprof->ranks, allprof->n_ranks, err);
    if (status != CT_OK) {
        close_allprof(allprof);
        return status;
    }
    *events_p = (struct ct_events){.n_ranks = allprof->n_ranks,
                                   .position_unit = "line",
                                   .room_only = true,
                                   .context = allprof,
                                   .next = read_event,
                                   .tell = tell_place,
                                   .seek = seek_place,
                                   .rewind = rewind_rank,
                                   .close = close_allprof};
    return CT_OK;
}

static enum ct_status read_rank(struct allprof *allprof, uint32_t rank, enum pass pass,
                                struct ct_allprof_text text, struct ct_error *err)
{
    return pass == PASS_SCAN
               ? ct_allprof_rank_scan(&allprof->ranks[rank], text, err)
               : ct_allprof_rank_read(&allprof->ranks[rank], &allprof->comms, text, err);
}

static enum ct_status read_texts(struct allprof *allprof, const struct ct_allprof_text *texts,
                                 enum pass pass, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (uint32_t rank = 0; rank < allprof->n_ranks && status == CT_OK; rank++) {
        status = read_rank(allprof, rank, pass, texts[rank], err);
        if (status != CT_OK && status != CT_ENOMEM)
            ct_fail_within(err, status, "rank %u", rank);
    }
    return status;
}

static enum ct_status bind_requests(struct allprof *allprof, struct ct_error *err)
{
    return ct_allprof_bind(&allprof->comms, allprof->ranks, allprof->n_ranks, err);
}

enum ct_status ct_allprof_read(const struct ct_allprof_text *texts, uint32_t n_ranks,
                               struct ct_events *events_p, struct ct_error *err)
{
    struct allprof *allprof;
    CT_TRY(new_allprof(n_ranks, &allprof, err));
    enum ct_status status = read_texts(allprof, texts, PASS_SCAN, err);
    if (status == CT_OK)
        status = bind_requests(allprof, err);
    if (status == CT_OK)
        status = read_texts(allprof, texts, PASS_READ, err);
    return finish_opening(allprof, status, events_p, err);
}

/* ---- folders ---- */

/* A file's name is a beginning that all have in common, the rank with zeros before it or without,
 * and the end. */
static const char suffix[] = ".txt";
enum { RANK_DIGITS_MAX = 7 };

struct names {
    char **names; /* [rank] */
    size_t n;     /* one more than the highest rank */
    size_t prefix;
};

static void free_names(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->names[i]);
    free(names->names);
    *names = (struct names){0};
}

/* Where the digits of a rank begin; false: none of liballprof's names. */
static bool split_name(const char *name, size_t *prefix_p, size_t *rank_p)
{
    size_t n = strlen(name), n_suffix = sizeof suffix - 1;
    if (n <= n_suffix || strcmp(name + n - n_suffix, suffix) != 0)
        return false;
    size_t end = n - n_suffix, at = end;
    while (at > 0 && end - at <= RANK_DIGITS_MAX && name[at - 1] >= '0' && name[at - 1] <= '9')
        at--;
    if (at == end || at == 0 || end - at > RANK_DIGITS_MAX)
        return false;
    *prefix_p = at;
    *rank_p = (size_t)strtoul(name + at, NULL, 10);
    return true;
}

static enum ct_status add_name(struct names *names, const char *name, struct ct_error *err)
{
    size_t prefix, rank;
    const char *other = NULL;
    if (!split_name(name, &prefix, &rank))
        return CT_OK;
    if (rank >= names->n) {
        if (!CT_ARRAY_RESIZE(names->names, rank + 1))
            return ct_no_memory(err, "traces");
        for (size_t i = names->n; i <= rank; i++)
            names->names[i] = NULL;
    }
    for (size_t i = 0; i < names->n && !other; i++)
        other = names->names[i];
    names->n = rank >= names->n ? rank + 1 : names->n;
    if (other && (prefix != names->prefix || memcmp(other, name, prefix) != 0))
        return ct_fail(err, CT_EFORMAT,
                       "%s and %s: traces of several programs; use a folder for each", other, name);
    if (names->names[rank])
        return ct_fail(err, CT_EFORMAT, "%s and %s: both of rank %zu", names->names[rank], name,
                       rank);
    names->prefix = prefix;
    names->names[rank] = strdup(name);
    return names->names[rank] ? CT_OK : ct_no_memory(err, "traces");
}

static enum ct_status list_names(const char *directory, struct names *names, struct ct_error *err)
{
    DIR *folder = opendir(directory);
    enum ct_status status = CT_OK;
    if (!folder)
        return ct_fail(err, errno == ENOENT ? CT_ENOENT : CT_EIO, "cannot read %s: %s", directory,
                       strerror(errno));
    for (struct dirent *entry; status == CT_OK && (entry = readdir(folder));)
        status = add_name(names, entry->d_name, err);
    closedir(folder);
    if (status == CT_OK && names->n == 0)
        return ct_fail(err, CT_ENOENT, "no traces there");
    for (size_t rank = 0; rank < names->n && status == CT_OK; rank++)
        if (!names->names[rank])
            status = ct_fail(err, CT_ENODATA, "no trace of rank %zu, of %zu ranks", rank, names->n);
    return status;
}

static enum ct_status read_file(const char *path, struct allprof *allprof, uint32_t rank,
                                enum pass pass, struct ct_error *err)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) != 0) {
        enum ct_status status = ct_fail(err, CT_EIO, "cannot read: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return status;
    }
    size_t size = S_ISREG(about.st_mode) && about.st_size > 0 ? (size_t)about.st_size : 0;
    void *text = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    enum ct_status status = CT_OK;
    if (text == MAP_FAILED) {
        status = ct_fail(err, CT_EIO, "cannot map: %s", strerror(errno));
    } else {
        status = read_rank(allprof, rank, pass, (struct ct_allprof_text){text, size}, err);
        if (text)
            munmap(text, size);
    }
    close(fd);
    return status;
}

static enum ct_status read_named(const char *directory, const struct names *names,
                                 struct allprof *allprof, enum pass pass, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (uint32_t rank = 0; rank < allprof->n_ranks && status == CT_OK; rank++) {
        char *path;
        if (asprintf(&path, "%s/%s", directory, names->names[rank]) < 0)
            return ct_no_memory(err, "traces");
        status = read_file(path, allprof, rank, pass, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "%s", path);
        free(path);
    }
    return status;
}

enum ct_status ct_allprof_open(const char *directory, struct ct_events *events_p,
                               struct ct_error *err)
{
    struct names names = {0};
    struct allprof *allprof = NULL;
    enum ct_status status = list_names(directory, &names, err);
    if (status != CT_OK)
        ct_fail_within(err, status, "%s", directory);
    else
        status = new_allprof((uint32_t)names.n, &allprof, err);
    if (status == CT_OK) {
        status = read_named(directory, &names, allprof, PASS_SCAN, err);
        if (status == CT_OK)
            status = bind_requests(allprof, err);
        if (status == CT_OK)
            status = read_named(directory, &names, allprof, PASS_READ, err);
        status = finish_opening(allprof, status, events_p, err);
    }
    free_names(&names);
    return status;
}
