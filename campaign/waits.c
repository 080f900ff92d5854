#include "campaign/waits.h"

#include "campaign/schedstat.h"
#include "core/array.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/self.h"
#include "results/run.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A watcher writes its last line when its rank has ended, which is about when the launcher ends. It
   may also have been killed. */
static const double last_line_s = 0.3, look_again_s = 0.01;

static const char first_line[] = "crosstalk-waits 1\n";

double ct_waits_frac(double wall_s, double used_s, double waited_s)
{
    double busy_s = used_s + waited_s;
    return wall_s > 0 ? waited_s / (busy_s > wall_s ? busy_s : wall_s) : NAN;
}

double ct_waits_stolen(double used_s, double machine_busy_s, double machine_stolen_s)
{
    if (isnan(machine_busy_s) || isnan(machine_stolen_s))
        return NAN;
    return machine_busy_s > 0 && machine_stolen_s > 0 ? used_s * machine_stolen_s / machine_busy_s
                                                      : 0;
}

/* ---- one rank ---- */

struct sample {
    double t_s, used_s, waited_s;
    struct ct_machine_times machine; /* NaN: not known */
};

struct series {
    struct sample *samples;
    size_t n;
    double end_s; /* NaN: not written */
    bool none;
};

static const double largest = 1e18; /* nanoseconds: 30 years */

/* Numbers separated by blanks, and nothing else. */
static bool parse_numbers(const char *text, size_t n, double *values)
{
    for (size_t i = 0; i < n; i++) {
        char *end;
        values[i] = strtod(text, &end);
        if (end == text || *end != (i + 1 < n ? ' ' : '\0') || !(values[i] >= 0) ||
            values[i] > largest)
            return false;
        text = end + 1;
    }
    return true;
}

static bool parse_line(const char *line, struct series *series, bool *failed_p)
{
    double values[5] = {0, 0, 0, NAN, NAN};
    if (!strcmp(line, "none")) {
        series->none = true;
        return true;
    }
    if (!strncmp(line, "end ", 4))
        return parse_numbers(line + 4, 1, &series->end_s);
    if (!parse_numbers(line, 5, values) && !parse_numbers(line, 3, values))
        return false;
    struct sample sample = {.t_s = values[0],
                            .used_s = 1e-9 * values[1],
                            .waited_s = 1e-9 * values[2],
                            .machine = {values[3], values[4]}};
    if (series->n > 0) {
        const struct sample *last = &series->samples[series->n - 1];
        if (sample.t_s < last->t_s || sample.used_s < last->used_s ||
            sample.waited_s < last->waited_s)
            return false;
    }
    *failed_p = !CT_ARRAY_RESIZE(series->samples, series->n + 1);
    if (!*failed_p)
        series->samples[series->n++] = sample;
    return !*failed_p;
}

static enum ct_status parse_series(const char *text, struct series *series_p, struct ct_error *err)
{
    const char *at = text + strlen(first_line);
    size_t number = 2;
    bool failed = false;
    if (strncmp(text, first_line, strlen(first_line)) != 0)
        return ct_fail(err, CT_EFORMAT, "not written by crosstalk-waits of this version");
    for (const char *end; (end = strchr(at, '\n')); at = end + 1, number++) {
        char line[128];
        snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
        if (end - at >= (ptrdiff_t)sizeof line || !parse_line(line, series_p, &failed))
            return failed ? ct_no_memory(err, "waits")
                          : ct_fail(err, CT_EFORMAT, "line %zu: '%.60s'", number, line);
    }
    return CT_OK;
}

/* What it had been at a time: in between, samples are joined by lines. */
static struct sample at_time(const struct series *series, double t_s)
{
    size_t i = 1;
    if (t_s <= series->samples[0].t_s)
        return series->samples[0];
    while (i < series->n - 1 && series->samples[i].t_s < t_s)
        i++;
    struct sample a = series->samples[i - 1], b = series->samples[i];
    double part = b.t_s > a.t_s ? fmin((t_s - a.t_s) / (b.t_s - a.t_s), 1) : 1;
    return (struct sample){.t_s = a.t_s + part * (b.t_s - a.t_s),
                           .used_s = a.used_s + part * (b.used_s - a.used_s),
                           .waited_s = a.waited_s + part * (b.waited_s - a.waited_s),
                           .machine = part < 0.5 ? a.machine : b.machine};
}

static enum ct_status look_at_series(const struct series *series, double window_s,
                                     struct ct_waits *waits_p, struct ct_error *err)
{
    if (series->none)
        return ct_fail(err, CT_EUNSUPPORTED,
                       "the kernel does not count it (no /proc/PID/schedstat)");
    if (series->n < 2)
        return ct_fail(err, CT_ENODATA, "a rank was too short to be watched");
    struct sample last = series->samples[series->n - 1];
    /* A process that has run has used a processor. */
    if (last.used_s == 0)
        return ct_fail(err, CT_EUNSUPPORTED,
                       "the kernel does not count it (/proc/PID/schedstat contains zeros: boot "
                       "with 'delayacct')");
    double end_s = isnan(series->end_s) ? last.t_s : fmax(series->end_s, last.t_s);
    struct sample first = at_time(series, end_s - window_s);
    double wall_s = last.t_s - first.t_s;
    if (!(wall_s > 0))
        return ct_fail(err, CT_ENODATA, "a rank was too short to be watched");
    struct ct_waits waits = {.n_ranks = 1,
                             .wall_s = wall_s,
                             .used_s = last.used_s - first.used_s,
                             .waited_s = last.waited_s - first.waited_s};
    waits.wait_frac = ct_waits_frac(wall_s, waits.used_s, waits.waited_s);
    waits.wait_max_frac = waits.wait_frac;
    waits.stolen_s = ct_waits_stolen(waits.used_s, last.machine.busy_s - first.machine.busy_s,
                                     last.machine.stolen_s - first.machine.stolen_s);
    waits.stolen_frac = ct_waits_frac(wall_s, waits.used_s + waits.waited_s, waits.stolen_s);
    *waits_p = waits;
    return CT_OK;
}

enum ct_status ct_waits_of_rank(const char *text, double window_s, struct ct_waits *waits_p,
                                struct ct_error *err)
{
    struct series series = {.end_s = NAN};
    enum ct_status status = parse_series(text, &series, err);
    if (status == CT_OK)
        status = look_at_series(&series, window_s, waits_p, err);
    free(series.samples);
    return status;
}

void ct_waits_add(struct ct_waits *sum, const struct ct_waits *more)
{
    double wall_s = sum->wall_s + more->wall_s;
    if (wall_s > 0) {
        sum->wait_frac = (sum->wait_frac * sum->wall_s + more->wait_frac * more->wall_s) / wall_s;
        sum->stolen_frac =
            (sum->stolen_frac * sum->wall_s + more->stolen_frac * more->wall_s) / wall_s;
    }
    sum->stolen_s += more->stolen_s;
    sum->wait_max_frac = fmax(sum->wait_max_frac, more->wait_max_frac);
    sum->n_ranks += more->n_ranks;
    sum->wall_s = wall_s;
    sum->used_s += more->used_s;
    sum->waited_s += more->waited_s;
}

/* ---- command line ---- */

enum ct_status ct_waits_command(const char *folder, const char *name, struct ct_argv *argv,
                                struct ct_error *err)
{
    char path[PATH_MAX];
    if (!ct_self_find_helper("crosstalk-waits", path, sizeof path))
        return ct_fail(err, CT_ENOENT, "crosstalk-waits: neither beside this program nor at %s",
                       path);
    struct ct_argv watched = {0};
    ct_argv_add(&watched, "%s", path);
    ct_argv_add(&watched, "%s/%s", folder, name);
    ct_argv_add_all(&watched, argv->item);
    if (watched.failed) {
        ct_argv_free(&watched);
        return ct_no_memory(err, "command line");
    }
    ct_argv_free(argv);
    *argv = watched;
    return CT_OK;
}

/* ---- all ranks of a program ---- */

struct program_waits {
    struct ct_waits sum;
    size_t n_files, n_ended; /* ended: with a last line */
    struct ct_error why;     /* of the last file that said nothing */
};

static void read_rank(const char *path, double window_s, struct program_waits *waits)
{
    struct ct_text text;
    struct ct_waits rank;
    waits->n_files++;
    if (ct_file_read(path, &text, &waits->why) != CT_OK)
        return;
    const char *last = text.size > 1 ? memrchr(text.text, '\n', text.size - 1) : NULL;
    waits->n_ended += last && !strncmp(last + 1, "end ", 4);
    if (ct_waits_of_rank(text.text, window_s, &rank, &waits->why) == CT_OK)
        ct_waits_add(&waits->sum, &rank);
    free(text.text);
}

/* The names of one program's files begin with "NAME.". */
static void read_program(const char *folder, const struct ct_waits_program *program,
                         double window_s, struct program_waits *waits_p)
{
    *waits_p = (struct program_waits){0};
    size_t length = strlen(program->name);
    DIR *list = opendir(folder);
    if (!list)
        return;
    for (struct dirent *entry; (entry = readdir(list));) {
        char path[PATH_MAX];
        if (!strncmp(entry->d_name, program->name, length) && entry->d_name[length] == '.' &&
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < sizeof path)
            read_rank(path, window_s, waits_p);
    }
    closedir(list);
}

static void wait_for_program(const char *folder, const struct ct_waits_program *program,
                             double window_s, struct program_waits *waits_p)
{
    double until_s = ct_clock_now_s() + last_line_s;
    read_program(folder, program, window_s, waits_p);
    while (waits_p->n_ended < waits_p->n_files && ct_clock_now_s() < until_s) {
        ct_clock_sleep(look_again_s);
        read_program(folder, program, window_s, waits_p);
    }
}

/* Length of what a program measured. It ends with it, while to start takes processors, too. */
static double measured_s(const struct ct_run *run)
{
    double length_s = 0;
    for (size_t i = 0; i < run->n_samples; i++)
        length_s = fmax(length_s, run->samples[i].t_s);
    if (run->n_runtimes > 0) {
        const struct ct_runtime *last = &run->runtimes[run->n_runtimes - 1];
        length_s = last->start_s + last->duration_s - run->runtimes[0].start_s;
    }
    for (size_t c = 0; c < run->n_scan_cells; c++)
        length_s = fmax(length_s, run->scan_cells[c].start_s + run->scan_cells[c].duration_s);
    return length_s > 0 ? length_s : INFINITY;
}

/* ---- facts ---- */

static enum ct_status add_number(struct ct_run_info *info, const char *name, const char *what,
                                 double number)
{
    char key[80];
    snprintf(key, sizeof key, "cpu_%s_%s", name, what);
    return ct_run_add_number(info, key, number);
}

static enum ct_status add_unknown(struct ct_run_info *info, const char *name,
                                  const struct program_waits *waits)
{
    char key[80];
    snprintf(key, sizeof key, "cpu_%s_unknown", name);
    return ct_run_add_text(info, key,
                           waits->n_files == 0 ? "no rank was watched" : waits->why.text);
}

static enum ct_status add_facts(struct ct_run_info *info, const struct ct_waits_program *program,
                                const struct program_waits *waits)
{
    if (waits->sum.n_ranks == 0)
        return add_unknown(info, program->name, waits);
    const struct {
        const char *what;
        double number;
    } facts[] = {{"ranks", waits->sum.n_ranks / (double)program->n_starts},
                 {"wall_s", waits->sum.wall_s},
                 {"used_s", waits->sum.used_s},
                 {"wait_s", waits->sum.waited_s},
                 {"wait_frac", waits->sum.wait_frac},
                 {"wait_max_frac", waits->sum.wait_max_frac},
                 {"stolen_s", waits->sum.stolen_s},
                 {"stolen_frac", waits->sum.stolen_frac}};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < sizeof facts / sizeof *facts && status == CT_OK; i++)
        if (!isnan(facts[i].number))
            status = add_number(info, program->name, facts[i].what, facts[i].number);
    return status;
}

enum ct_status ct_waits_keep(const char *folder, const struct ct_waits_program *programs, size_t n,
                             const char *path, struct ct_error *err)
{
    struct ct_run run;
    CT_TRY(ct_run_read(path, &run, err));
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        struct program_waits waits;
        wait_for_program(folder, &programs[i], programs[i].is_timer ? measured_s(&run) : INFINITY,
                         &waits);
        status = add_facts(&run.info, &programs[i], &waits);
        if (status != CT_OK)
            ct_no_memory(err, "%s", path);
    }
    if (status == CT_OK)
        status = ct_run_write(path, &run, err);
    ct_run_free(&run);
    return status;
}
