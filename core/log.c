#include "core/log.h"

#include "core/clock.h"
#include "core/units.h"

#include <math.h>
#include <stdarg.h>
#include <unistd.h>

static const double plain_line_interval_s = 10, terminal_interval_s = 0.1;

struct ct_log ct_log_open(const char *program, bool quiet)
{
    return (struct ct_log){.program = program,
                           .stream = stderr,
                           .quiet = quiet,
                           .terminal = isatty(STDERR_FILENO),
                           .last_print_s = ct_clock_now_s()};
}

__attribute__((format(printf, 3, 0))) static void print_line(struct ct_log *log, const char *level,
                                                             const char *format, va_list args)
{
    ct_log_progress_end(log);
    fprintf(log->stream, "%s: %s", log->program, level);
    vfprintf(log->stream, format, args);
    fputc('\n', log->stream);
}

void ct_log_info(struct ct_log *log, const char *format, ...)
{
    if (log->quiet)
        return;
    va_list args;
    va_start(args, format);
    print_line(log, "", format, args);
    va_end(args);
}

void ct_log_warn(struct ct_log *log, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_line(log, "warning: ", format, args);
    va_end(args);
}

void ct_log_error(struct ct_log *log, const struct ct_error *err)
{
    ct_log_progress_end(log);
    fprintf(log->stream, "%s: %s\n", log->program, err->text);
}

void ct_log_progress(struct ct_log *log, double done, double total, double left_s, const char *what)
{
    double now_s = ct_clock_now_s();
    if (log->quiet ||
        now_s - log->last_print_s < (log->terminal ? terminal_interval_s : plain_line_interval_s))
        return;
    log->last_print_s = now_s;
    fprintf(log->stream, "%s%s: ", log->terminal ? "\r\033[K" : "", log->program);
    if (total > 0)
        fprintf(log->stream, "%3.0f%% ", 100 * done / total);
    fputs(what, log->stream);
    if (isfinite(left_s)) {
        char left[CT_UNITS_TEXT_MAX];
        ct_format_elapsed(left_s, left);
        fprintf(log->stream, ", %s left", left);
    }
    if (!log->terminal)
        fputc('\n', log->stream);
    log->line_open = log->terminal;
    fflush(log->stream);
}

void ct_log_progress_end(struct ct_log *log)
{
    if (log->line_open)
        fputc('\n', log->stream);
    log->line_open = false;
}
