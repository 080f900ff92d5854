#include "core/clock.h"
#include "core/file.h"
#include "lab/internal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char state_heading[] = "crosstalk-lab 4";
static const char no_owner[] = "-", one_switch[] = "-", no_machine[] = "-";
static const int lock_wait_ms = 30000, lock_step_ms = 10;

static enum ct_status check_id(const char *id, struct ct_error *err)
{
    size_t length = strlen(id);
    bool good = length > 0 && length < CT_LAB_ID_MAX;
    for (size_t i = 0; good && i < length; i++)
        good = isalnum((unsigned char)id[i]) || id[i] == '-' || id[i] == '_';
    if (good)
        return CT_OK;
    return ct_fail(err, CT_EINVAL, "name '%s': up to %d letters, digits, '-' and '_' are accepted",
                   id, CT_LAB_ID_MAX - 1);
}

static bool choose_base(char *base, size_t size)
{
    const char *runtime_dir = getenv("XDG_RUNTIME_DIR");
    int n;
    if (geteuid() == 0)
        n = snprintf(base, size, "/run/crosstalk");
    else if (runtime_dir && runtime_dir[0] == '/' && access(runtime_dir, W_OK) == 0)
        n = snprintf(base, size, "%s/crosstalk", runtime_dir);
    else
        n = snprintf(base, size, "/tmp/crosstalk-%u", (unsigned)geteuid());
    return n > 0 && (size_t)n < size;
}

void ct_lab_ns_path(const char *ns, const char *host, const char *kind,
                    char path[CT_LAB_NS_PATH_MAX])
{
    snprintf(path, CT_LAB_NS_PATH_MAX, "%s/%s.%s", ns, host, kind);
}

enum ct_status ct_lab_paths(const char *id, struct ct_lab_paths *paths_p, struct ct_error *err)
{
    if (!id)
        id = getenv(CT_LAB_ID_VARIABLE);
    if (!id || !id[0])
        id = CT_LAB_ID_DEFAULT;
    CT_TRY(check_id(id, err));

    struct ct_lab_paths p = {.base_is_ours = true};
    snprintf(p.id, sizeof p.id, "%s", id);
    const char *chosen = getenv(CT_LAB_DIR_VARIABLE);
    bool fits;
    if (chosen && chosen[0]) {
        if (chosen[0] != '/')
            return ct_fail(err, CT_EINVAL, CT_LAB_DIR_VARIABLE "=%s: has to start with '/'",
                           chosen);
        int n = snprintf(p.base, sizeof p.base, "%s", chosen);
        fits = n > 0 && (size_t)n < sizeof p.base;
        p.base_is_ours = false;
    } else {
        fits = choose_base(p.base, sizeof p.base);
    }
    if (!fits)
        return ct_fail(err, CT_EINVAL, "state folder: its path is too long");
    snprintf(p.dir, sizeof p.dir, "%s/%s", p.base, p.id);
    snprintf(p.state, sizeof p.state, "%s/state", p.dir);
    snprintf(p.log, sizeof p.log, "%s/log", p.dir);
    snprintf(p.end, sizeof p.end, "%s/end", p.dir);
    snprintf(p.ns, sizeof p.ns, "%s/ns", p.dir);
    *paths_p = p;
    return CT_OK;
}

/* A folder in /tmp that somebody else made first could be used to trick us. */
static enum ct_status open_base(const struct ct_lab_paths *paths, int *fd_p, struct ct_error *err)
{
    if (mkdir(paths->base, 0755) != 0 && errno != EEXIST)
        return ct_fail(err, CT_EIO, "%s: cannot be created: %s", paths->base, strerror(errno));
    int fd = open(paths->base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return ct_fail(err, CT_EIO, "%s: %s", paths->base, strerror(errno));
    struct stat info;
    if (fstat(fd, &info) != 0 || info.st_uid != geteuid() || (info.st_mode & 0002)) {
        close(fd);
        return ct_fail(err, CT_EIO, "%s: belongs to another user; set %s to a folder of your own",
                       paths->base, CT_LAB_DIR_VARIABLE);
    }
    *fd_p = fd;
    return CT_OK;
}

static bool still_named(int fd, const char *path)
{
    struct stat mine, named;
    return fstat(fd, &mine) == 0 && stat(path, &named) == 0 && mine.st_ino == named.st_ino &&
           mine.st_dev == named.st_dev;
}

enum ct_status ct_lab_lock(const struct ct_lab_paths *paths, int *fd_p, struct ct_error *err)
{
    for (int waited_ms = 0; waited_ms < lock_wait_ms;) {
        int fd = -1;
        CT_TRY(open_base(paths, &fd, err));
        while (flock(fd, LOCK_EX | LOCK_NB) != 0 && waited_ms < lock_wait_ms) {
            ct_clock_sleep(1e-3 * lock_step_ms);
            waited_ms += lock_step_ms;
        }
        /* A down that had the lock before us may have removed the folder. */
        if (waited_ms < lock_wait_ms && still_named(fd, paths->base)) {
            *fd_p = fd;
            return CT_OK;
        }
        close(fd);
    }
    return ct_fail(err, CT_ETIMEOUT, "%s: locked for %d s by another 'lab up' or 'lab down'",
                   paths->base, lock_wait_ms / 1000);
}

bool ct_lab_start_ticks(pid_t pid, uint64_t *ticks_p)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (!ct_file_head(path, text, sizeof text))
        return false;
    /* The second field, the name, may contain anything; count from its closing bracket. */
    char *at = strrchr(text, ')');
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    if (!at)
        return false;
    *ticks_p = strtoull(at, NULL, 10);
    return true;
}

enum ct_status ct_lab_state_write(const struct ct_lab_paths *paths,
                                  const struct ct_lab_state *state, struct ct_error *err)
{
    char *text = NULL;
    int n = asprintf(
        &text,
        "%s\nhosts %" PRIu64 "\nrate_bit_per_s %.17g\nqueue %s\nqueue_limit_bytes %zu\n"
        "owner %s\nown_user_ns %d\nholder %d\nholder_start_ticks %" PRIu64 "\n"
        "latency_s %.17g\njitter_s %.17g\njitter_shape %d\ndelay_by %d\n"
        "delay_is_real_time %d\ntopology %s\nuplink_bit_per_s %.17g\ncongestion_control %s\n"
        "machine %s\ndilation %.17g\nlink_latency_s %.17g\noverhead_s %.17g\n",
        state_heading, state->spec.n_hosts, state->spec.rate_bit_per_s,
        ct_lab_queue_names[state->spec.queue], state->spec.queue_limit_bytes,
        *state->spec.owner ? state->spec.owner : no_owner, state->own_user_ns, (int)state->holder,
        state->holder_start_ticks, state->spec.delay.latency_s, state->spec.delay.jitter_s,
        state->spec.delay.shape, state->delay_by, state->delay_is_real_time,
        *state->spec.topology ? state->spec.topology : one_switch, state->spec.uplink_bit_per_s,
        state->congestion_control,
        *state->spec.like.machine ? state->spec.like.machine : no_machine,
        state->spec.like.dilation, state->spec.like.link_latency_s, state->spec.like.overhead_s);
    if (n < 0)
        return ct_no_memory(err, "%s", paths->state);
    enum ct_status status = ct_file_save(paths->state, text, (size_t)n, err);
    free(text);
    return status;
}

static bool read_delay(const char *key, const char *value, struct ct_lab_state *state)
{
    if (!strcmp(key, "latency_s"))
        state->spec.delay.latency_s = strtod(value, NULL);
    else if (!strcmp(key, "jitter_s"))
        state->spec.delay.jitter_s = strtod(value, NULL);
    else if (!strcmp(key, "jitter_shape"))
        state->spec.delay.shape = value[0] == '1' ? CT_LAB_JITTER_NORMAL : CT_LAB_JITTER_UNIFORM;
    else if (!strcmp(key, "delay_by"))
        state->delay_by = value[0] == '1'   ? CT_LAB_DELAY_LINE
                          : value[0] == '2' ? CT_LAB_DELAY_NETEM
                                            : CT_LAB_DELAY_NONE;
    else if (!strcmp(key, "delay_is_real_time"))
        state->delay_is_real_time = value[0] == '1';
    else
        return false;
    return true;
}

static bool read_topology(const char *key, const char *value, struct ct_lab_state *state)
{
    if (!strcmp(key, "topology"))
        snprintf(state->spec.topology, sizeof state->spec.topology, "%.*s", CT_LAB_TOPOLOGY_MAX - 1,
                 strcmp(value, one_switch) ? value : "");
    else if (!strcmp(key, "uplink_bit_per_s"))
        state->spec.uplink_bit_per_s = strtod(value, NULL);
    else
        return false;
    return true;
}

static bool read_like(const char *key, const char *value, struct ct_lab_like *like)
{
    if (!strcmp(key, "machine"))
        snprintf(like->machine, sizeof like->machine, "%.*s", CT_LAB_MACHINE_MAX - 1,
                 strcmp(value, no_machine) ? value : "");
    else if (!strcmp(key, "dilation"))
        like->dilation = strtod(value, NULL);
    else if (!strcmp(key, "link_latency_s"))
        like->link_latency_s = strtod(value, NULL);
    else if (!strcmp(key, "overhead_s"))
        like->overhead_s = strtod(value, NULL);
    else
        return false;
    return true;
}

/* One line of the file, key and value; false for a key that is not ours. */
static bool read_line(const char *key, const char *value, struct ct_lab_state *state)
{
    if (!strcmp(key, "hosts"))
        state->spec.n_hosts = strtoull(value, NULL, 10);
    else if (!strcmp(key, "rate_bit_per_s"))
        state->spec.rate_bit_per_s = strtod(value, NULL);
    else if (!strcmp(key, "queue"))
        state->spec.queue =
            strcmp(value, ct_lab_queue_names[CT_LAB_FIFO]) ? CT_LAB_ROUND_ROBIN : CT_LAB_FIFO;
    else if (!strcmp(key, "queue_limit_bytes"))
        state->spec.queue_limit_bytes = strtoul(value, NULL, 10);
    else if (!strcmp(key, "owner"))
        snprintf(state->spec.owner, sizeof state->spec.owner, "%.*s", CT_LAB_OWNER_MAX - 1,
                 strcmp(value, no_owner) ? value : "");
    else if (!strcmp(key, "own_user_ns"))
        state->own_user_ns = value[0] == '1';
    else if (!strcmp(key, "holder"))
        state->holder = (pid_t)strtol(value, NULL, 10);
    else if (!strcmp(key, "congestion_control"))
        snprintf(state->congestion_control, sizeof state->congestion_control, "%.*s",
                 CT_LAB_CONGESTION_MAX - 1, value);
    else if (!strcmp(key, "holder_start_ticks"))
        state->holder_start_ticks = strtoull(value, NULL, 10);
    else
        return read_delay(key, value, state) || read_topology(key, value, state) ||
               read_like(key, value, &state->spec.like);
    return true;
}

enum ct_status ct_lab_state_read(const struct ct_lab_paths *paths, struct ct_lab_state *state_p,
                                 struct ct_error *err)
{
    FILE *file = fopen(paths->state, "re");
    if (!file && (errno == ENOENT || errno == ENOTDIR))
        return CT_ENOENT;
    if (!file)
        return ct_fail(err, CT_EIO, "%s: %s", paths->state, strerror(errno));
    struct ct_lab_state state = {0};
    char heading[sizeof state_heading] = "", key[32], value[64];
    int n_lines = 0;
    bool good = fgets(heading, sizeof heading, file) && !strcmp(heading, state_heading);
    for (; good && fscanf(file, "%31s %63s", key, value) == 2; n_lines++)
        good = read_line(key, value, &state);
    fclose(file);
    if (!good || n_lines != 20 || state.holder <= 1 || state.spec.n_hosts < 1 ||
        state.spec.n_hosts > CT_LAB_HOSTS_MAX)
        return ct_fail(err, CT_EFORMAT,
                       "%s: damaged or from another version; end the lab with the version that "
                       "made it, or remove %s if there is no such lab",
                       paths->state, paths->dir);
    *state_p = state;
    return CT_OK;
}

/* ---- the end ---- */

void ct_lab_end_write(const struct ct_lab_paths *paths, const char *reason)
{
    (void)ct_file_save(paths->end, reason, strlen(reason), NULL);
}

void ct_lab_end_read(const struct ct_lab_paths *paths, char reason[CT_LAB_END_MAX])
{
    if (!ct_file_head(paths->end, reason, CT_LAB_END_MAX))
        reason[0] = '\0';
}

/* What a holder that was killed was writing. */
static void remove_drafts(const struct ct_lab_paths *paths)
{
    const char *name = strrchr(paths->state, '/') + 1;
    DIR *dir = opendir(paths->dir);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (!strncmp(entry->d_name, name, strlen(name)))
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
}

enum ct_status ct_lab_state_remove(const struct ct_lab_paths *paths, struct ct_error *err)
{
    remove_drafts(paths);
    unlink(paths->log);
    unlink(paths->end);
    rmdir(paths->ns);
    if (rmdir(paths->dir) != 0 && errno != ENOENT)
        return ct_fail(err, CT_EIO, "%s: cannot be removed: %s", paths->dir, strerror(errno));
    return CT_OK;
}
