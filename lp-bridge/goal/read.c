/* Files of either form. */
#include "core/foreign.h"
#include "lp-bridge/goal/goal.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static bool is_folder(FILE *in)
{
    struct stat about;
    return fstat(fileno(in), &about) == 0 && S_ISDIR(about.st_mode);
}

/* Only what can be mapped can be binary: text may come through a pipe. */
static bool map_binary(FILE *in, const unsigned char **bytes_p, size_t *size_p)
{
    struct stat about;
    if (fstat(fileno(in), &about) != 0 || !S_ISREG(about.st_mode) || about.st_size < 8)
        return false;
    void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fileno(in), 0);
    if (bytes == MAP_FAILED)
        return false;
    if (!ct_goal_is_binary(bytes, (size_t)about.st_size)) {
        munmap(bytes, (size_t)about.st_size);
        return false;
    }
    *bytes_p = bytes;
    *size_p = (size_t)about.st_size;
    return true;
}

bool ct_goal_map_binary(const char *path, const unsigned char **bytes_p, size_t *size_p)
{
    FILE *in = strcmp(path, "-") == 0 ? NULL : fopen(path, "r");
    if (!in)
        return false;
    bool is_mapped = map_binary(in, bytes_p, size_p);
    fclose(in);
    return is_mapped;
}

/* A text does not begin with the first byte of the binary form. */
static enum ct_status read_stream(FILE *in, const char *name, struct ct_goal *goal_p,
                                  struct ct_error *err)
{
    enum { FIRST_BYTE = 0x7f };
    struct stat about;
    bool is_file = fstat(fileno(in), &about) == 0 && S_ISREG(about.st_mode);
    int first = is_file ? EOF : getc(in);
    if (first == FIRST_BYTE)
        return ct_fail(err, CT_EUNSUPPORTED,
                       "%s: a schedule in LogGOPSim's binary form is read from a file, not from a "
                       "pipe: write it to one first",
                       name);
    ungetc(first, in);
    return ct_goal_read_text(in, name, goal_p, err);
}

enum ct_status ct_goal_read(const char *path, struct ct_goal *goal_p, struct ct_error *err)
{
    const unsigned char *bytes;
    size_t size;
    if (strcmp(path, "-") == 0)
        return read_stream(stdin, "standard input", goal_p, err);
    FILE *in = fopen(path, "r");
    if (!in)
        return ct_fail(err, errno == ENOENT ? CT_ENOENT : CT_EIO, "cannot read %s: %s", path,
                       strerror(errno));
    enum ct_status status;
    if (is_folder(in)) {
        status = ct_fail(err, CT_EFORMAT, "%s: a folder; give a file with a GOAL schedule", path);
    } else if (map_binary(in, &bytes, &size)) {
        status = ct_goal_read_binary(bytes, size, path, goal_p, err);
        munmap((void *)(uintptr_t)bytes, size);
    } else {
        status = read_stream(in, path, goal_p, err);
    }
    fclose(in);
    if (status == CT_EFORMAT)
        ct_foreign_explain_path(path, CT_READS_SCHEDULE, err);
    return status;
}
