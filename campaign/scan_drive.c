#include "campaign/scan_drive.h"

#include "campaign/folder.h"
#include "campaign/process.h"
#include "campaign/scan_round.h"
#include "campaign/scan_survey.h"
#include "core/random.h"
#include "core/stats.h"
#include "core/units.h"
#include "study/scan_file.h"
#include "study/scan_width.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Until rounds have shown how long they take. */
static const double extra_s = 0.25, start_s = 3;
/* A round that takes so many times as long as expected, and so much longer, hangs. */
static const double deadline_factor = 4, deadline_s = 60;

/* ---- rounds ---- */

/* Which nodes do what in a round. {0}: all are canaries. */
struct roles {
    bool *is_canary;
    size_t *roots;
    size_t n_roots;
};

static enum ct_status make_round(struct ct_scan_drive *drive, const struct ct_scan_case *cells,
                                 size_t n_cells, const struct roles *roles, uint64_t seed,
                                 struct ct_error *err)
{
    const struct ct_scan_setup *setup = &drive->setup;
    struct ct_scan_order order = {.folder = setup->dir,
                                  .cells = cells,
                                  .n_cells = n_cells,
                                  .is_canary = roles->is_canary,
                                  .roots = roles->roots,
                                  .n_roots = roles->n_roots,
                                  .nodes = drive->scan.nodes,
                                  .n_nodes = drive->scan.n_nodes,
                                  .slots = setup->slots,
                                  .seed = seed,
                                  .cell_s = setup->cell_s,
                                  .message_bytes = setup->message_bytes};
    double expected_s = ct_scan_plan_round_s(&drive->pace, n_cells);
    order.limit_s = deadline_factor * expected_s + deadline_s;
    if (drive->launcher.row->is_simulated) /* the survey does not say how long loads take there */
        order.limit_s = fmax(order.limit_s, setup->time_s - drive->used_s);
    enum ct_status status = ct_scan_round_next(setup->dir, &order.number, err);
    double begin_s = ct_clock_now_s();
    if (status == CT_OK)
        status = ct_scan_round_make(&drive->launcher, &order, err);
    double took_s = ct_clock_now_s() - begin_s;
    drive->used_s += took_s;
    if (status == CT_OK) {
        drive->n_rounds++;
        /* The next one is expected to take as long for each cell. */
        double cells_s = took_s - drive->pace.start_s;
        drive->pace.extra_s = fmax(0, cells_s / (double)n_cells - setup->cell_s);
    }
    return status;
}

/* All nodes are canaries: their latencies, and how soon they agree. */
static enum ct_status make_survey(struct ct_scan_drive *drive, struct ct_error *err)
{
    static const struct ct_scan_case cells[] = {
        {CT_SCAN_LATENCY, {.congestor = CT_SCAN_WITH_NONE, .intensity = 1}},
        {CT_SCAN_ALLREDUCE, {.congestor = CT_SCAN_WITH_NONE, .intensity = 1}}};
    ct_log_info(drive->log, "survey: messages of 8 bytes between all nodes");
    return make_round(drive, cells, sizeof cells / sizeof *cells, &(struct roles){0},
                      drive->setup.seed, err);
}

/* What is in the folder now, in the place of what was known. */
static enum ct_status load_rounds(struct ct_scan_drive *drive, struct ct_error *err)
{
    struct ct_scan scan;
    enum ct_status status = ct_scan_load(drive->setup.dir, &scan, err);
    if (status != CT_OK)
        return status;
    scan.asked.time_s = drive->setup.time_s;
    scan.asked.half_width_frac = drive->setup.half_width_frac;
    ct_scan_free(&drive->scan);
    drive->scan = scan;
    drive->n_rounds = scan.n_rounds;
    return CT_OK;
}

/* ---- begin ---- */

static enum ct_status parse_cases(const char *text, struct ct_scan *scan, struct ct_error *err)
{
    struct ct_argv words = {0};
    enum ct_status status = ct_argv_split(&words, text, err);
    scan->cases = calloc(words.n + 1, sizeof *scan->cases);
    if (status == CT_OK && (!scan->cases || words.failed))
        status = ct_no_memory(err, "--cells");
    for (size_t i = 0; i < words.n && status == CT_OK; i++) {
        struct ct_scan_case parsed;
        status = ct_scan_case_parse(words.item[i], &parsed, err);
        if (status == CT_OK && parsed.setting.congestor != CT_SCAN_WITH_NONE)
            scan->cases[scan->n_cases++] = parsed; /* baselines are measured in any case */
    }
    if (status == CT_OK && scan->n_cases == 0)
        status = ct_fail(err, CT_EINVAL,
                         "--cells: no canary beside a congestor, such as "
                         "latency:incast");
    ct_argv_free(&words);
    return status;
}

static enum ct_status check_nodes(size_t n_nodes, struct ct_error *err)
{
    if (n_nodes >= CT_SCAN_NODES_MIN)
        return CT_OK;
    return ct_fail(err, CT_EINVAL,
                   "%zu node%s: a scan needs at least %d, two that measure and two that load the "
                   "network; give --hostfile, --lab or --simgrid, or call it in an allocation",
                   n_nodes, n_nodes == 1 ? "" : "s", CT_SCAN_NODES_MIN);
}

/* Where their number is known before the survey. */
static enum ct_status check_hosts(const struct ct_campaign_launcher *launcher, struct ct_error *err)
{
    if (launcher->hosts > 0)
        return check_nodes(launcher->hosts, err);
    return launcher->kind == CT_LAUNCHER_MPIEXEC && !*launcher->hostfile ? check_nodes(1, err)
                                                                         : CT_OK;
}

/* A ring has fewer partners than nodes. */
static enum ct_status check_partners(const struct ct_scan *scan, struct ct_error *err)
{
    size_t n_loading = scan->n_nodes - ct_scan_plan_canaries(scan->n_nodes);
    for (size_t i = 0; i < scan->n_cases; i++) {
        char text[CT_SCAN_TEXT_MAX];
        if (scan->cases[i].setting.partners < n_loading)
            continue;
        ct_scan_case_format(&scan->cases[i], text);
        return ct_fail(err, CT_EINVAL,
                       "--cells: %s: %zu of %zu nodes load the network: P is at most %zu", text,
                       n_loading, scan->n_nodes, n_loading - 1);
    }
    return CT_OK;
}

static enum ct_status copy_asked(const struct ct_scan_drive *drive, struct ct_scan *scan,
                                 struct ct_error *err)
{
    static const char *const launchers[] = {
#define LAUNCHER_TEXT(name, text, row) [CT_LAUNCHER_##name] = (text),
        CT_LAUNCHER_MAP(LAUNCHER_TEXT)
#undef LAUNCHER_TEXT
    };
    char network[CT_SCAN_NETWORK_MAX];
    ct_scan_survey_network(&drive->launcher.spec->launcher, network);
    scan->asked.network = strdup(network);
    scan->asked.time_s = drive->setup.time_s;
    scan->asked.half_width_frac = drive->setup.half_width_frac;
    scan->asked.seed = drive->setup.seed;
    scan->asked.slots = drive->setup.slots;
    scan->asked.message_bytes = drive->setup.message_bytes;
    scan->asked.launcher = strdup(launchers[drive->launcher.spec->launcher.kind]);
    scan->reason_ended = strdup("");
    return scan->asked.network && scan->asked.launcher && scan->reason_ended
               ? CT_OK
               : ct_no_memory(err, "scan");
}

/* GPCNeT's congestors need nodes for each of them: cells that --cells names are refused without
 * these, others are left out. */
static enum ct_status fit_cases(const struct ct_scan_setup *setup, struct ct_scan *scan,
                                struct ct_error *err)
{
    size_t n_congestors = scan->n_nodes - ct_scan_plan_canaries(scan->n_nodes), n = 0;
    for (size_t i = 0; i < scan->n_cases; i++) {
        bool is_fitting = scan->cases[i].setting.congestor != CT_SCAN_WITH_GPCNET ||
                          n_congestors >= CT_SCAN_GPCNET_NODES;
        if (!is_fitting && *setup->cells)
            return ct_fail(err, CT_EINVAL,
                           "--cells: gpcnet: %zu congestor nodes of %zu; GPCNeT's four congestors "
                           "need %d, which 12 nodes have",
                           n_congestors, scan->n_nodes, CT_SCAN_GPCNET_NODES);
        if (is_fitting)
            scan->cases[n++] = scan->cases[i];
    }
    scan->n_cases = n;
    return CT_OK;
}

/* Survey and plan of a new scan. */
static enum ct_status plan_scan(struct ct_scan_drive *drive, struct ct_error *err)
{
    const struct ct_scan_setup *setup = &drive->setup;
    struct ct_scan *scan = &drive->scan;
    enum ct_status status = copy_asked(drive, scan, err);
    if (status == CT_OK && *setup->cells)
        status = parse_cases(setup->cells, scan, err);
    else if (status == CT_OK)
        status = ct_scan_plan_cases(setup->time_s, setup->has_workloads, &drive->pace, &scan->cases,
                                    &scan->n_cases, err);
    if (status != CT_OK)
        return status;
    status = ct_scan_survey_take(&drive->launcher, setup->topology, scan, err);
    if (status == CT_ENODATA) {
        status = make_survey(drive, err);
        if (status == CT_OK)
            status = ct_scan_survey_take(&drive->launcher, setup->topology, scan, err);
    }
    if (status == CT_OK)
        status = check_nodes(scan->n_nodes, err);
    if (status == CT_OK)
        status = fit_cases(setup, scan, err);
    if (status == CT_OK)
        status = check_partners(scan, err);
    drive->is_new = true;
    return status == CT_OK ? ct_scan_file_write(setup->dir, scan, err) : status;
}

static bool has_case(const struct ct_scan *scan, const struct ct_scan_case *one)
{
    for (size_t i = 0; i < scan->n_cases; i++)
        if (scan->cases[i].canary == one->canary &&
            ct_scan_setting_same(&scan->cases[i].setting, &one->setting))
            return true;
    return false;
}

/* The cells that --cells names, if it names any, are those of the scan. */
static enum ct_status check_cases(const struct ct_scan_drive *drive, struct ct_error *err)
{
    struct ct_scan named = {.cases = NULL};
    bool is_same = true;
    if (!*drive->setup.cells)
        return CT_OK;
    enum ct_status status = parse_cases(drive->setup.cells, &named, err);
    for (size_t i = 0; i < named.n_cases; i++)
        is_same &= has_case(&drive->scan, &named.cases[i]);
    for (size_t i = 0; i < drive->scan.n_cases; i++)
        is_same &= has_case(&named, &drive->scan.cases[i]);
    free(named.cases);
    if (status == CT_OK && !is_same)
        return ct_fail(err, CT_EEXIST,
                       "%s: has a scan of other cells than --cells names; continue it without "
                       "--cells, or give another folder",
                       drive->setup.dir);
    return status;
}

/* What a scan was begun with. */
static enum ct_status check_same(const struct ct_scan_drive *drive, struct ct_error *err)
{
    const struct ct_scan_setup *setup = &drive->setup;
    const struct ct_scan_asked *asked = &drive->scan.asked;
    if (asked->slots != setup->slots)
        return ct_fail(err, CT_EEXIST,
                       "%s: has a scan with %llu ranks on a node; give it with "
                       "--slots, or another folder",
                       setup->dir, (unsigned long long)asked->slots);
    if (asked->message_bytes != setup->message_bytes) {
        char size[CT_UNITS_TEXT_MAX];
        ct_format_size((size_t)asked->message_bytes, size);
        return ct_fail(err, CT_EEXIST,
                       "%s: has a scan with messages of %s; give --message-size %s, or another "
                       "folder",
                       setup->dir, size, size);
    }
    enum ct_status status =
        ct_scan_survey_check(&drive->launcher, setup->topology, &drive->scan, err);
    return status == CT_OK ? check_cases(drive, err) : status;
}

/* That of an earlier call, or a new one. */
static enum ct_status take_scan(struct ct_scan_drive *drive, struct ct_error *err)
{
    enum ct_status status = ct_scan_file_read(drive->setup.dir, &drive->scan, err);
    if (status == CT_ENOENT)
        status = plan_scan(drive, err);
    else if (status == CT_OK)
        status = check_same(drive, err);
    return status == CT_OK ? load_rounds(drive, err) : status;
}

/* The time that rounds of earlier calls took, as far as their cells tell. */
static double count_used(const struct ct_scan_drive *drive)
{
    const struct ct_scan *scan = &drive->scan;
    double used_s = (double)scan->n_rounds * drive->pace.start_s, end_s = 0;
    for (size_t c = 0; c < scan->n_cells; c++) {
        const struct ct_scan_cell *cell = &scan->cells[c];
        bool is_last = c + 1 == scan->n_cells || scan->cells[c + 1].round != cell->round;
        end_s = fmax(end_s, cell->start_s + cell->duration_s);
        if (is_last) {
            used_s += end_s;
            end_s = 0;
        }
    }
    return used_s;
}

enum ct_status ct_scan_begin(const struct ct_scan_setup *setup, const struct ct_campaign_spec *spec,
                             struct ct_log *log, struct ct_scan_drive *drive_p,
                             struct ct_error *err)
{
    struct ct_scan_drive drive = {
        .setup = *setup, .log = log, .lock = -1, .pace = {setup->cell_s, extra_s, start_s}};
    int lock_failure;
    CT_TRY(check_hosts(&spec->launcher, err));
    ct_process_catch_signals();
    enum ct_status status = ct_scan_round_prepare(setup->dir, err);
    if (status == CT_OK)
        status = ct_folder_lock(setup->dir, &drive.lock, &lock_failure, err);
    if (status == CT_OK)
        status = ct_scan_round_recover(setup->dir, err);
    if (status == CT_OK)
        status = ct_launcher_open(spec, setup->dir, log, &drive.launcher, err);
    drive.is_open = status == CT_OK;
    if (status == CT_OK)
        status = take_scan(&drive, err);
    if (status == CT_OK && !drive.is_new)
        drive.used_s = count_used(&drive);
    if (status == CT_OK)
        *drive_p = drive;
    else
        ct_scan_close(&drive);
    return status;
}

/* ---- the rounds ---- */

/* Cases whose intervals are not narrow enough yet, the widest first: these are measured if there is
 * no time for all. @param cases_p  [out] free() */
static enum ct_status find_needed(const struct ct_scan_drive *drive, struct ct_scan_case **cases_p,
                                  size_t *n_p, struct ct_error *err)
{
    const struct ct_scan *scan = &drive->scan;
    struct ct_scan_case *cases = calloc(scan->n_cases + 1, sizeof *cases);
    struct ct_ranked *ranked = calloc(scan->n_cases + 1, sizeof *ranked);
    enum ct_status status = cases && ranked ? CT_OK : ct_no_memory(err, "plan");
    size_t n = 0;
    for (size_t i = 0; i < scan->n_cases && status == CT_OK; i++) {
        double width;
        status = ct_scan_width(scan, &scan->cases[i], &width, err);
        if (status == CT_OK && !(width <= drive->setup.half_width_frac))
            ranked[n++] = (struct ct_ranked){i, width};
    }
    if (status == CT_OK) {
        ct_stats_rank(ranked, n);
        for (size_t i = 0; i < n; i++)
            cases[i] = scan->cases[ranked[i].index];
        *cases_p = cases;
        *n_p = n;
    } else {
        free(cases);
    }
    free(ranked);
    return status;
}

/* How many of the cases fit into the time that is left. */
static size_t count_fitting(const struct ct_scan_drive *drive, const struct ct_scan_case *cases,
                            size_t n)
{
    double left_s = drive->setup.time_s - drive->used_s;
    while (n > 0 && ct_scan_plan_round_s(&drive->pace, ct_scan_plan_count(cases, n)) > left_s)
        n--;
    return n;
}

/* @param roles_p  [out] free() its arrays, also on error */
static enum ct_status draw_roles(const struct ct_scan *scan, uint64_t seed, struct roles *roles_p,
                                 struct ct_error *err)
{
    *roles_p = (struct roles){.is_canary = calloc(scan->n_nodes, sizeof *roles_p->is_canary),
                              .roots = calloc(scan->n_nodes, sizeof *roles_p->roots)};
    if (!roles_p->is_canary || !roles_p->roots)
        return ct_no_memory(err, "nodes");
    enum ct_status status = ct_scan_plan_divide(scan, seed, roles_p->is_canary, err);
    if (status == CT_OK)
        status = ct_scan_plan_roots(scan, ct_random_at(seed, 1), roles_p->is_canary,
                                    ct_scan_plan_canaries(scan->n_nodes), roles_p->roots,
                                    &roles_p->n_roots, err);
    return status;
}

static enum ct_status load_network(struct ct_scan_drive *drive, const struct ct_scan_case *cases,
                                   size_t n, struct ct_error *err)
{
    uint64_t seed = ct_random_at(drive->scan.asked.seed, drive->n_rounds);
    struct ct_scan_case *cells = NULL;
    size_t n_cells = 0;
    struct roles roles;
    enum ct_status status = draw_roles(&drive->scan, seed, &roles, err);
    if (status == CT_OK)
        status = ct_scan_plan_order(cases, n, seed, &cells, &n_cells, err);
    if (status == CT_OK) {
        char about[32] = ""; /* not known before the first round of a simulation */
        if (!drive->launcher.row->is_simulated || drive->n_rounds > 1)
            snprintf(about, sizeof about, ", about %.0f s",
                     ct_scan_plan_round_s(&drive->pace, n_cells));
        ct_log_info(drive->log, "round %zu: %zu cells%s; %.0f of %.0f s used", drive->n_rounds,
                    n_cells, about, drive->used_s, drive->setup.time_s);
        status = make_round(drive, cells, n_cells, &roles, seed, err);
    }
    free(roles.is_canary);
    free(roles.roots);
    free(cells);
    return status;
}

/* Rounds whose hosts are other ones would be left out again and again. */
static enum ct_status check_taken(const struct ct_scan_drive *drive, size_t n_before,
                                  struct ct_error *err)
{
    const struct ct_argv *notes = &drive->scan.notes;
    if (drive->scan.n_rounds > n_before)
        return CT_OK;
    return ct_fail(err, CT_EEXIST,
                   "%s: the round cannot be used; begin a scan of other nodes in a "
                   "folder of its own: %s",
                   drive->setup.dir, notes->n > 0 ? notes->item[notes->n - 1] : "it has no cells");
}

static enum ct_status set_reason(struct ct_scan *scan, const char *reason, struct ct_error *err)
{
    free(scan->reason_ended);
    scan->reason_ended = strdup(reason);
    scan->is_complete = *reason != '\0';
    return scan->reason_ended ? CT_OK : ct_no_memory(err, "scan");
}

enum ct_status ct_scan_continue(struct ct_scan_drive *drive, size_t n_most,
                                struct ct_scan_end *end_p, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    *end_p = (struct ct_scan_end){.reason = ""};
    while (status == CT_OK && !*end_p->reason && drive->n_rounds < n_most) {
        struct ct_scan_case *cases = NULL;
        size_t n = 0, n_before = drive->scan.n_rounds;
        status = find_needed(drive, &cases, &n, err);
        size_t n_fitting = status == CT_OK ? count_fitting(drive, cases, n) : 0;
        if (status == CT_OK && n == 0)
            end_p->reason = "every interval is as narrow as asked";
        else if (status == CT_OK && n_fitting == 0)
            end_p->reason = "the time is up";
        else if (status == CT_OK)
            status = load_network(drive, cases, n_fitting, err);
        free(cases);
        if (status == CT_OK && !*end_p->reason) {
            end_p->n_made++;
            status = load_rounds(drive, err);
            if (status == CT_OK)
                status = check_taken(drive, n_before, err);
        }
    }
    end_p->n_rounds = drive->n_rounds;
    if (status == CT_OK)
        status = set_reason(&drive->scan, end_p->reason, err);
    return status == CT_OK ? ct_scan_file_write(drive->setup.dir, &drive->scan, err) : status;
}

void ct_scan_close(struct ct_scan_drive *drive)
{
    if (drive->is_open)
        ct_launcher_close(&drive->launcher);
    if (drive->lock >= 0)
        close(drive->lock);
    ct_scan_free(&drive->scan);
    *drive = (struct ct_scan_drive){.lock = -1};
}
