#include "core/picture.h"

#include "core/output_of.h"
#include "core/text.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From a file beside the result. */
static enum ct_status convert_svg(const char *path, const char *svg, struct ct_error *err)
{
    enum { LIMIT_S = 120 };
    char source[PATH_MAX], *text = NULL;
    int code = 0, length = snprintf(source, sizeof source, "%s.tmp.%ld.svg", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof source)
        return ct_fail(err, CT_EIO, "%s: too long a name", path);
    char *argv[] = {"rsvg-convert",          "--format=png", "--output",
                    (char *)(uintptr_t)path, source,         NULL};
    enum ct_status status = ct_file_save(source, svg, strlen(svg), err);
    if (status == CT_OK)
        status = ct_output_of(argv, LIMIT_S, &text, &code, err);
    if (status == CT_OK && code != 0)
        status = ct_fail(err, CT_EIO, "%s: rsvg-convert: exit code %d: %.300s", path, code, text);
    unlink(source);
    free(text);
    return status;
}

enum ct_status ct_picture_save(const char *path, const char *svg, struct ct_error *err)
{
    return ct_text_ends_in(path, ".png") ? convert_svg(path, svg, err)
                                         : ct_file_save(path, svg, strlen(svg), err);
}

enum ct_status ct_picture_make(const char *path, ct_file_writer *write, const void *data,
                               struct ct_error *err)
{
    char *svg = NULL;
    size_t size;
    if (!ct_text_ends_in(path, ".png"))
        return ct_file_make(path, write, data, err);
    FILE *out = open_memstream(&svg, &size);
    if (!out)
        return ct_no_memory(err, "%s", path);
    enum ct_status status = write(out, data, err);
    if (fclose(out) != 0 && status == CT_OK)
        status = ct_no_memory(err, "%s", path);
    if (status == CT_OK)
        status = convert_svg(path, svg, err);
    free(svg);
    return status;
}
