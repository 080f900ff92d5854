#include "delay/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "ucp_"

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

/* The next name of a function of UCX: "ucp_..." between two NULs. NULL: there is none. */
static const char *next_call(const char *at, const char *end)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    static const char before[] = "\0" PREFIX;
    while ((at = memmem(at, (size_t)(end - at), before, sizeof before - 1)) != NULL) {
        const char *name = ++at;
        while (at < end && *at != '\0' && memchr(letters, *at, sizeof letters - 1))
            at++;
        if (at < end && *at == '\0')
            return name;
    }
    return NULL;
}

static bool is_known(const char *name)
{
#define NAME(name) #name,
    static const char *const known[] = {CT_DELAY_REPLACED(NAME) CT_DELAY_REPLACED_OLD(NAME)
                                            CT_DELAY_HARMLESS(NAME)};
#undef NAME
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

enum ct_status ct_delay_check_calls(const char *bytes, size_t size, const char *path,
                                    struct ct_error *err)
{
    const char *end = bytes + size, *name = bytes;
    bool sends = false;
    if (!has_name(bytes, size, "ucp_init_version"))
        return ct_fail(err, CT_EUNSUPPORTED, "%s does not send by UCX%s: %s", path,
                       has_name(bytes, size, "fi_getinfo") ? ", but by libfabric (ch4:ofi)" : "",
                       CT_DELAY_REMEDY);
    while ((name = next_call(name, end)) != NULL) {
        if (!is_known(name))
            return ct_fail(err, CT_EUNSUPPORTED,
                           "%s calls %s of UCX, which crosstalk delay does not know, so that "
                           "messages could pass it by: %s",
                           path, name, CT_DELAY_REMEDY);
        sends = sends || strncmp(name, "ucp_tag_send", strlen("ucp_tag_send")) == 0;
    }
    return sends ? CT_OK
                 : ct_fail(err, CT_EUNSUPPORTED, "%s does not send by tags of UCX: %s", path,
                           CT_DELAY_REMEDY);
}

enum ct_status ct_delay_check_file(const char *path, struct ct_error *err)
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
    enum ct_status status = ct_delay_check_calls(bytes, size, path, err);
    munmap(bytes, size);
    return status;
}
