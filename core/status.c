#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *ct_status_text(enum ct_status status)
{
    switch (status) {
#define CT_STATUS_CASE(name, text)                                                                 \
    case CT_##name:                                                                                \
        return text;
        CT_STATUS_MAP(CT_STATUS_CASE)
#undef CT_STATUS_CASE
    }
    return "unknown status";
}

/* Macros for the static analyzer, which loses sight of what va_start() did in these functions. */
// NOLINTBEGIN(clang-analyzer-valist.*)
#undef ct_fail
#undef ct_fail_within
#undef ct_no_memory

enum ct_status ct_fail(struct ct_error *err, enum ct_status status, const char *format, ...)
{
    if (!err)
        return status;
    err->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return status;
}

enum ct_status ct_no_memory(struct ct_error *err, const char *format, ...)
{
    char what[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return ct_fail(err, CT_ENOMEM, "%s: out of memory", what);
}

enum ct_status ct_fail_within(struct ct_error *err, enum ct_status status, const char *format, ...)
{
    if (!err)
        return status;
    err->status = status;
    char inner[sizeof err->text];
    memcpy(inner, err->text, sizeof inner);
    va_list args;
    va_start(args, format);
    int n = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    size_t used = n < 0 ? 0 : (size_t)n;
    if (used + 2 < sizeof err->text)
        snprintf(err->text + used, sizeof err->text - used, ": %.*s",
                 (int)(sizeof err->text - used - 3), inner);
    return status;
}
// NOLINTEND(clang-analyzer-valist.*)
