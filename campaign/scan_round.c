#include "campaign/scan_round.h"

#include "campaign/commands.h"
#include "campaign/folder_name.h"
#include "campaign/process.h"
#include "campaign/traces.h"
#include "campaign/waits.h"
#include "core/units.h"
#include "results/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ranks that are asked to end stop congestors at once, and write what they have; after this time
 * they are killed, and the checkpoint beside the run file is what there is. */
static const double grace_s = 2;

/* A congestor is under way for this share of a cell's time before the canary measures, but not for
 * longer than that: its first round has ended by then, and in a simulation each message costs. */
static const double settle_frac = 1.0 / 3, settle_most_s = 50e-3;

static const char partial[] = "runs/.partial", prefix[] = "round-";

struct round {
    char id[32];
    char file[PATH_MAX], log[PATH_MAX], waits[PATH_MAX], load[PATH_MAX];
};

/* ---- files ---- */

static enum ct_status make_folder(const char *folder, const char *below, struct ct_error *err)
{
    char name[PATH_MAX];
    enum ct_status status = ct_folder_name(folder, below, "", "", name, err);
    if (status == CT_OK && mkdir(name, 0777) != 0 && errno != EEXIST)
        return ct_fail(err, CT_EIO, "%s: cannot be made: %s", name, strerror(errno));
    return status;
}

static enum ct_status move_file(const char *from, const char *to, struct ct_error *err)
{
    return rename(from, to) == 0 || errno == ENOENT
               ? CT_OK
               : ct_fail(err, CT_EIO, "%s: cannot be moved to %s: %s", from, to, strerror(errno));
}

static bool is_round(const char *name)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Run files and checkpoints; the rest is of no use without its round. */
static enum ct_status take_leftover(const char *folder, const char *name, struct ct_error *err)
{
    char from[PATH_MAX], to[PATH_MAX];
    size_t length = strlen(name);
    bool is_kept = is_round(name) && length > 3 &&
                   (!strcmp(name + length - 3, ".h5") ||
                    (length > strlen(CT_CHECKPOINT_SUFFIX) &&
                     !strcmp(name + length - strlen(CT_CHECKPOINT_SUFFIX), CT_CHECKPOINT_SUFFIX)));
    enum ct_status status = ct_folder_name(folder, "runs/.partial/", name, "", from, err);
    if (status == CT_OK)
        status = ct_folder_name(folder, "runs/", name, "", to, err);
    if (status != CT_OK)
        return status;
    if (is_kept)
        return move_file(from, to, err);
    ct_traces_remove(from);
    unlink(from);
    return CT_OK;
}

enum ct_status ct_scan_round_recover(const char *folder, struct ct_error *err)
{
    char name[PATH_MAX];
    enum ct_status status = ct_folder_name(folder, partial, "", "", name, err);
    DIR *dir = status == CT_OK ? opendir(name) : NULL;
    if (status == CT_OK && !dir)
        status = ct_fail(err, CT_EIO, "%s: %s", name, strerror(errno));
    for (struct dirent *entry; status == CT_OK && (entry = readdir(dir));)
        if (*entry->d_name != '.')
            status = take_leftover(folder, entry->d_name, err);
    if (dir)
        closedir(dir);
    return status;
}

enum ct_status ct_scan_round_prepare(const char *folder, struct ct_error *err)
{
    static const char *const below[] = {"", "runs", "logs", partial};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < sizeof below / sizeof *below && status == CT_OK; i++)
        status = make_folder(folder, below[i], err);
    return status;
}

enum ct_status ct_scan_round_next(const char *folder, size_t *next_p, struct ct_error *err)
{
    char name[PATH_MAX];
    enum ct_status status = ct_folder_name(folder, "runs", "", "", name, err);
    DIR *dir = status == CT_OK ? opendir(name) : NULL;
    if (status == CT_OK && !dir)
        return ct_fail(err, CT_EIO, "%s: %s", name, strerror(errno));
    size_t next = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t number = is_round(entry->d_name)
                            ? (size_t)strtoul(entry->d_name + strlen(prefix), NULL, 10) + 1
                            : 0;
        next = number > next ? number : next;
    }
    if (dir)
        closedir(dir);
    *next_p = next;
    return status;
}

static enum ct_status name_round(const struct ct_scan_order *order, struct round *round,
                                 struct ct_error *err)
{
    snprintf(round->id, sizeof round->id, "%s%04zu", prefix, order->number);
    const struct {
        char *name;
        const char *below, *ending;
    } names[] = {{round->file, "runs/.partial/", ".h5"},
                 {round->log, "logs/", ".log"},
                 {round->load, "runs/.partial/", ".ports.json"},
                 {round->waits, "runs/.partial/", ".waits"}};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == CT_OK; i++)
        status = ct_folder_name(order->folder, names[i].below, round->id, names[i].ending,
                                names[i].name, err);
    return status;
}

/* ---- command lines ---- */

/* Names of nodes, or their numbers where names do not tell them apart. */
static bool has_distinct_names(const struct ct_scan_order *order)
{
    for (size_t i = 0; i < order->n_nodes; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(order->nodes[i].name, order->nodes[k].name))
                return false;
    return true;
}

static void print_node(const struct ct_scan_order *order, size_t node, bool by_name, FILE *out)
{
    const char *comma = ftell(out) > 0 ? "," : "";
    if (by_name)
        fprintf(out, "%s%s", comma, order->nodes[node].name);
    else
        fprintf(out, "%s%zu", comma, node);
}

/* @param nodes  [in] [n], in their order; NULL: the canaries among the first n */
static char *list_nodes(const struct ct_scan_order *order, const size_t *nodes, size_t n)
{
    char *text = NULL;
    size_t size;
    bool by_name = has_distinct_names(order);
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < n; i++)
        if (nodes || (order->is_canary && order->is_canary[i]))
            print_node(order, nodes ? nodes[i] : i, by_name, out);
    if (out && fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static char *list_cells(const struct ct_scan_order *order)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < order->n_cells; i++) {
        char cell[CT_SCAN_TEXT_MAX];
        ct_scan_case_format(&order->cells[i], cell);
        fprintf(out, "%s%s", i ? " " : "", cell);
    }
    if (out && fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static enum ct_status make_program(const struct ct_scan_order *order, const struct round *round,
                                   struct ct_argv *argv_p, struct ct_error *err)
{
    char cell[CT_UNITS_TEXT_MAX], settle[CT_UNITS_TEXT_MAX], size[CT_UNITS_TEXT_MAX];
    char *cells = list_cells(order), *canaries = list_nodes(order, NULL, order->n_nodes),
         *roots = list_nodes(order, order->roots, order->n_roots);
    enum ct_status status = cells && canaries && roots ? CT_OK : ct_no_memory(err, "command line");
    if (status == CT_OK) {
        ct_format_duration(order->cell_s, cell);
        ct_format_duration(fmin(settle_frac * order->cell_s, settle_most_s), settle);
        ct_format_size(order->message_bytes, size);
        ct_command_add_program(argv_p, "scanb");
        ct_argv_add(argv_p, "--cells=%s", cells);
        if (*canaries)
            ct_argv_add(argv_p, "--canaries=%s", canaries);
        if (*roots)
            ct_argv_add(argv_p, "--roots=%s", roots);
        ct_argv_add(argv_p, "--cell-time=%s", cell);
        ct_argv_add(argv_p, "--settle=%s", settle);
        ct_argv_add(argv_p, "--message-size=%s", size);
        ct_argv_add(argv_p, "--seed=%" PRIu64, order->seed);
        ct_argv_add(argv_p, "--output=%s", round->file);
        status = argv_p->failed ? ct_no_memory(err, "command line") : CT_OK;
    }
    free(cells);
    free(canaries);
    free(roots);
    return status;
}

/* The launcher's command line. Each rank is watched, where that is possible. */
static enum ct_status make_command(struct ct_launcher *launcher, const struct ct_scan_order *order,
                                   const struct round *round, struct ct_argv *argv_p,
                                   struct ct_error *err)
{
    const struct ct_part part = {.role = CT_ROLE_MEASURED, .slots = order->slots};
    struct ct_argv program = {0};
    enum ct_status status = make_program(order, round, &program, err);
    if (status == CT_OK && launcher->row->together) {
        const struct ct_program all = {.part = part, .argv = program.item};
        status = launcher->row->together(launcher, &all, 1, round->load, argv_p, err);
    } else if (status == CT_OK) {
        if (mkdir(round->waits, 0777) != 0 && errno != EEXIST)
            status = ct_fail(err, CT_EIO, "%s: %s", round->waits, strerror(errno));
        if (status == CT_OK)
            status = ct_waits_command(round->waits, "measured", &program, err);
        if (status == CT_ENOENT)
            status = CT_OK; /* the run says that nothing was watched */
        if (status == CT_OK)
            status = launcher->row->command(launcher, &part, program.item, argv_p, err);
    }
    ct_argv_free(&program);
    return status;
}

/* ---- the round ---- */

static enum ct_status fail_with_log(const struct round *round, enum ct_status status,
                                    const char *what, struct ct_error *err)
{
    char tail[400];
    ct_process_tail(round->log, tail, sizeof tail);
    return ct_fail(err, status, "%s: %s; %s%s%s", round->id, what, round->log, *tail ? ": " : "",
                   tail);
}

static enum ct_status run_command(struct ct_launcher *launcher, const struct ct_scan_order *order,
                                  const struct round *round, char *const *argv,
                                  struct ct_error *err)
{
    struct ct_process process, *const all[] = {&process};
    char text[80];
    enum ct_status status = ct_process_start(argv, round->log, &process, err);
    if (status != CT_OK)
        return status;
    status = ct_process_wait(all, 1, ct_clock_now_s() + order->limit_s);
    if (status != CT_OK)
        ct_process_end(&process, launcher->row->end_signal, grace_s);
    if (status == CT_EINTR)
        return ct_fail(err, status, "interrupted");
    if (status == CT_ETIMEOUT) {
        snprintf(text, sizeof text, "not done after %.0f s, the deadline", order->limit_s);
        return fail_with_log(round, status, text, err);
    }
    if (process.code == 0)
        return CT_OK;
    snprintf(text, sizeof text, "scanb ended with exit code %d", process.code);
    return fail_with_log(round, CT_ECHILD, text, err);
}

/* What it measured, however it ended. */
static enum ct_status keep_round(struct ct_launcher *launcher, const struct ct_scan_order *order,
                                 const struct round *round, struct ct_error *err)
{
    const struct ct_waits_program program = {"measured", 1, true};
    enum ct_status status = CT_OK;
    if (access(round->file, F_OK) == 0 && !launcher->row->together)
        status = ct_waits_keep(round->waits, &program, 1, round->file, err);
    return status == CT_OK ? ct_scan_round_recover(order->folder, err) : status;
}

enum ct_status ct_scan_round_make(struct ct_launcher *launcher, const struct ct_scan_order *order,
                                  struct ct_error *err)
{
    struct round round;
    struct ct_argv argv = {0};
    enum ct_status status = name_round(order, &round, err);
    if (status == CT_OK && launcher->row->settle)
        status = launcher->row->settle(launcher, err);
    if (status == CT_OK)
        status = make_command(launcher, order, &round, &argv, err);
    if (status == CT_OK) {
        status = run_command(launcher, order, &round, argv.item, err);
        enum ct_status kept = keep_round(launcher, order, &round, status == CT_OK ? err : NULL);
        status = status == CT_OK ? kept : status;
    }
    ct_argv_free(&argv);
    return status;
}
