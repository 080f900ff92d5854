#include "campaign/folder.h"

#include "campaign/traces.h"
#include "study/pass_traces.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* The room is that of a small run. */
enum { RUN_ROOM_BYTES = 256000, JOURNAL_ROOM_BYTES = 16384 };

/* ---- making and opening ---- */

static enum ct_status make_folders(const char *path, struct ct_error *err)
{
    static const char *const below[] = {"", "runs/", "runs/.partial/", "logs/"};
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        char name[PATH_MAX];
        CT_TRY(ct_folder_name(path, below[i], "", "", name, err));
        if (mkdir(name, 0777) != 0 && errno != EEXIST)
            return ct_fail(err, CT_EIO, "%s: cannot be made: %s", name, strerror(errno));
    }
    return CT_OK;
}

/* What the kernel calls ENOTSUPP, which no header of the C library has. */
enum { KERNEL_ENOTSUPP = 524 };

/* Lustre without -o flock, NFS without its lock service, Cray's DVS. */
static bool has_no_locks(int cause)
{
    return cause == ENOSYS || cause == ENOLCK || cause == EOPNOTSUPP || cause == KERNEL_ENOTSUPP;
}

enum ct_status ct_folder_lock(const char *path, int *lock_p, int *cause_p, struct ct_error *err)
{
    char name[PATH_MAX];
    CT_TRY(ct_folder_name(path, ".lock", "", "", name, err));
    int lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0)
        return ct_fail(err, CT_EIO, "%s: %s", name, strerror(errno));
    *cause_p = flock(lock, LOCK_EX | LOCK_NB) != 0 ? errno : 0;
    enum ct_status status = CT_OK;
    if (*cause_p != 0 && !has_no_locks(*cause_p)) {
        errno = *cause_p;
        status = errno == EWOULDBLOCK
                     ? ct_fail(err, CT_EEXIST, "%s: another crosstalk works in it", path)
                     : ct_fail(err, CT_EIO, "%s: cannot be locked: %s", name, strerror(errno));
        close(lock);
        return status;
    }
    if (*cause_p == KERNEL_ENOTSUPP) /* which strerror() does not know */
        *cause_p = EOPNOTSUPP;
    *lock_p = lock;
    return CT_OK;
}

/* What programs that failed or were killed were writing. */
static enum ct_status clear_partial(const char *path, struct ct_error *err)
{
    char name[PATH_MAX];
    CT_TRY(ct_folder_name(path, "runs/.partial", "", "", name, err));
    DIR *dir = opendir(name);
    if (!dir)
        return ct_fail(err, CT_EIO, "%s: %s", name, strerror(errno));
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && unlinkat(dirfd(dir), entry->d_name, 0) != 0 &&
            ct_folder_name(path, "runs/.partial/", entry->d_name, "", name, NULL) == CT_OK)
            ct_traces_remove(name);
    closedir(dir);
    return CT_OK;
}

static int shown_length(const char *line)
{
    size_t n = strcspn(line, "\n");
    return n < 80 ? (int)n : 80;
}

static enum ct_status compare_files(const char *folder, const char *old, const char *new,
                                    struct ct_error *err)
{
    unsigned line = 1;
    while (*old && *new) {
        size_t n_old = strcspn(old, "\n"), n_new = strcspn(new, "\n");
        if (n_old != n_new || memcmp(old, new, n_old) != 0)
            break;
        old += n_old + (old[n_old] == '\n');
        new += n_new + (new[n_new] == '\n');
        line++;
    }
    if (!*old && !*new)
        return CT_OK;
    return ct_fail(err, CT_EEXIST,
                   "%s: was begun with another campaign file: line %u was '%.*s', is '%.*s'; give "
                   "another folder with -o, or take %s/campaign.yaml",
                   folder, line, shown_length(old), old, shown_length(new), new, folder);
}

static bool has_no_runs(const char *folder)
{
    char name[PATH_MAX];
    if (ct_folder_name(folder, "runs", "", "", name, NULL) != CT_OK)
        return false;
    DIR *dir = opendir(name);
    bool empty = dir != NULL;
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        empty &= entry->d_name[0] == '.';
    if (dir)
        closedir(dir);
    return empty;
}

/* No run was ever begun: what was asked for before may change. The journal has the old seed. */
static bool forget_unused(const char *folder)
{
    char name[PATH_MAX];
    struct ct_history history = {0};
    bool unused = ct_history_read(folder, &history, NULL) == CT_OK && history.n_attempts == 0 &&
                  has_no_runs(folder);
    ct_history_free(&history);
    return unused && ct_folder_name(folder, "journal.jsonl", "", "", name, NULL) == CT_OK &&
           unlink(name) == 0;
}

static enum ct_status record_file(const char *folder, struct ct_text file, struct ct_error *err)
{
    char name[PATH_MAX];
    struct ct_text old;
    CT_TRY(ct_folder_name(folder, "campaign.yaml", "", "", name, err));
    enum ct_status status = ct_file_read(name, &old, err);
    if (status == CT_ENOENT)
        return ct_file_save(name, file.text, file.size, err);
    if (status != CT_OK)
        return status;
    status = compare_files(folder, old.text, file.text, err);
    free(old.text);
    if (status == CT_EEXIST && forget_unused(folder))
        return ct_file_save(name, file.text, file.size, err);
    return status;
}

enum ct_status ct_folder_note(struct ct_folder *folder, const struct ct_attempt *attempt,
                              struct ct_error *err)
{
    return ct_journal_note(folder->journal, folder->path, attempt, err);
}

/* The lines of attempts that a driver before began and did not live to end. */
static enum ct_status note_cut_off(struct ct_folder *folder, const struct ct_history *history,
                                   struct ct_error *err)
{
    for (size_t i = 0; i < history->n_attempts; i++) {
        struct ct_attempt attempt = history->attempts[i];
        if (attempt.outcome != CT_OUTCOME_BEGUN)
            continue;
        attempt.outcome = CT_OUTCOME_INTERRUPTED;
        snprintf(attempt.reason, sizeof attempt.reason, "%s", ct_outcome_cut_off);
        ct_argv_add(&folder->cut_off, "%s", attempt.id);
        CT_TRY(folder->cut_off.failed ? ct_no_memory(err, "journal")
                                      : ct_folder_note(folder, &attempt, err));
    }
    return CT_OK;
}

static enum ct_status find_seed(struct ct_folder *folder, const struct ct_campaign_spec *spec,
                                struct ct_error *err)
{
    uint32_t drawn = 0;
    if (!spec->has_seed && getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        return ct_fail(err, CT_EIO, "no random number for the seed: %s", strerror(errno));
    folder->seed = spec->has_seed ? spec->seed : drawn;
    return CT_OK;
}

/* A line that a crash or a full disk cut must not swallow the next one. */
static bool end_last_line(FILE *journal)
{
    char last = '\n';
    if (fseek(journal, -1, SEEK_END) == 0 && fread(&last, 1, 1, journal) != 1)
        return false;
    return fseek(journal, 0, SEEK_END) == 0 && (last == '\n' || fputc('\n', journal) != EOF);
}

static enum ct_status open_journal(struct ct_folder *folder, const struct ct_campaign_spec *spec,
                                   struct ct_error *err)
{
    char name[PATH_MAX];
    struct ct_history history = {0};
    enum ct_status status = ct_folder_name(folder->path, "journal.jsonl", "", "", name, err);
    if (status != CT_OK)
        return status;
    bool begun = ct_history_read(folder->path, &history, NULL) == CT_OK;
    if (begun)
        folder->seed = history.seed;
    else
        status = find_seed(folder, spec, err);
    folder->journal = fopen(name, "a+e");
    if (status == CT_OK &&
        (!folder->journal || !end_last_line(folder->journal) ||
         (!begun && fprintf(folder->journal,
                            "{\"campaign\":\"%s\",\"seed\":%llu,\"" CT_JOURNAL_CHOICES "\":true}\n",
                            spec->name, (unsigned long long)folder->seed) < 0) ||
         fflush(folder->journal) != 0))
        status = ct_fail(err, CT_EIO, "%s: %s", name, strerror(errno));
    if (status == CT_OK)
        status = note_cut_off(folder, &history, err);
    ct_history_free(&history);
    return status;
}

enum ct_status ct_folder_open(const char *path, struct ct_text file,
                              const struct ct_campaign_spec *spec, struct ct_folder *folder_p,
                              struct ct_error *err)
{
    struct ct_folder folder = {.path = path, .lock = -1};
    enum ct_status status = make_folders(path, err);
    if (status == CT_OK)
        status = ct_folder_lock(path, &folder.lock, &folder.lock_failure, err);
    if (status == CT_OK)
        status = record_file(path, file, err);
    if (status == CT_OK)
        status = clear_partial(path, err);
    if (status == CT_OK)
        status = open_journal(&folder, spec, err);
    if (status == CT_OK)
        *folder_p = folder;
    else
        ct_folder_close(&folder);
    return status;
}

void ct_folder_close(struct ct_folder *folder)
{
    ct_argv_free(&folder->cut_off);
    if (folder->journal)
        fclose(folder->journal);
    if (folder->lock >= 0) {
        clear_partial(folder->path, NULL);
        close(folder->lock);
    }
}

bool ct_folder_in_use(const char *folder)
{
    char name[PATH_MAX];
    if (ct_folder_name(folder, ".lock", "", "", name, NULL) != CT_OK)
        return false;
    int lock = open(name, O_RDONLY | O_CLOEXEC);
    bool in_use = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (lock >= 0)
        close(lock);
    return in_use;
}

/* ---- room ---- */

/* File systems that cannot reserve are taken at their word. What is reserved for the journal stays
   so after the end: the next driver has to have a line for it that there is no room. */
static bool has_room(int fd, off_t from, off_t bytes)
{
    int done;
    do
        done = fallocate(fd, FALLOC_FL_KEEP_SIZE, from, bytes);
    while (done != 0 && errno == EINTR);
    return done == 0 || (errno != ENOSPC && errno != EDQUOT);
}

enum ct_status ct_folder_reserve(struct ct_folder *folder, size_t n_open, struct ct_error *err)
{
    char name[PATH_MAX];
    struct stat facts;
    CT_TRY(ct_folder_name(folder->path, "runs/.partial/", "room", "", name, err));
    int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    bool good = fd >= 0 && has_room(fd, 0, RUN_ROOM_BYTES);
    int cause = errno;
    if (fd >= 0) {
        unlink(name);
        close(fd);
    }
    int journal = fileno(folder->journal);
    if (good) {
        good = fstat(journal, &facts) == 0 &&
               has_room(journal, facts.st_size, (off_t)(1 + n_open) * JOURNAL_ROOM_BYTES);
        cause = errno;
    }
    return good ? CT_OK
                : ct_fail(err, CT_EIO, "%s: %s; %d kB are needed for a run", folder->path,
                          strerror(cause), RUN_ROOM_BYTES / 1000);
}

/* ---- runs ---- */

static bool same_config(const struct ct_run_info *info, const struct ct_campaign_spec *spec,
                        const struct ct_plan_run *run)
{
    if (run->background != CT_PLAN_COMPRESSION)
        return !info->has_config;
    const struct ct_config *wanted = &spec->configs[run->config].load;
    return info->has_config && ct_config_same(&info->config, wanted);
}

static enum ct_status check_info(const char *file, const struct ct_run_info *info,
                                 const struct ct_campaign_spec *spec, const struct ct_plan_run *run,
                                 struct ct_error *err)
{
    const enum ct_run_kind kinds[] = {[CT_PLAN_PROBE] = *spec->scan ? CT_RUN_SCAN : CT_RUN_IMPACT,
                                      [CT_PLAN_APP] = CT_RUN_RUNTIME,
                                      [CT_PLAN_LOGP] = CT_RUN_LOGP};
    bool probes = run->measure != CT_PLAN_APP;
    const char *placement = ct_plan_placement(spec, run);
    const char *other = ct_plan_others(spec, run);
    const char *app = probes ? other : spec->apps[run->app].name;
    const char *with = probes ? "" : other;
    if (info->kind != kinds[run->measure] || strcmp(info->app, app) != 0 ||
        strcmp(info->with, with) != 0 || !same_config(info, spec, run))
        return ct_fail(err, CT_EFORMAT,
                       "%s: says it is a run of kind %s, application '%s' with '%s', not what was "
                       "asked for; does the program obey --label, --with and --config?",
                       file, ct_run_kind_text(info->kind), info->app, info->with);
    if (strcmp(ct_run_placement(info), placement ? placement : "") != 0)
        return ct_fail(err, CT_EFORMAT, "%s: says its placement is '%s', not '%s'", file,
                       ct_run_placement(info), placement ? placement : "");
    return CT_OK;
}

enum ct_status ct_folder_check_run(const char *file, const struct ct_campaign_spec *spec,
                                   const struct ct_plan_run *run, struct ct_error *err)
{
    static const char *const rows[] = {
        [CT_PLAN_PROBE] = "sample", [CT_PLAN_APP] = "pass", [CT_PLAN_LOGP] = "message size"};
    struct ct_run content;
    CT_TRY(ct_run_read(file, &content, err));
    enum ct_status status = check_info(file, &content.info, spec, run, err);
    if (status == CT_OK && content.n_samples == 0 && content.n_runtimes == 0 &&
        content.n_logp == 0 && content.n_scan_samples == 0)
        status = ct_fail(err, CT_ENODATA, "%s: no %s in it", file, rows[run->measure]);
    ct_run_free(&content);
    return status;
}

enum ct_status ct_folder_find_run(const char *folder, const struct ct_campaign_spec *spec,
                                  const struct ct_plan_run *run, struct ct_error *err)
{
    char name[PATH_MAX];
    struct ct_run_info info;
    char longer[CT_PASSES_ENDING_MAX] = "";
    bool is_trace = run->measure == CT_PLAN_TRACE;
    if (run->is_longer)
        ct_passes_ending(spec->apps[run->app].longer_by, longer);
    CT_TRY(is_trace
               ? ct_folder_name(folder, "traces/", spec->apps[run->app].name, longer, name, err)
               : ct_folder_name(folder, "runs/", run->id, ".h5", name, err));
    if (is_trace)
        return ct_traces_find(name, err);
    CT_TRY(ct_run_read_info(name, &info, err));
    enum ct_status status = check_info(name, &info, spec, run, err);
    ct_run_info_free(&info);
    return status;
}
