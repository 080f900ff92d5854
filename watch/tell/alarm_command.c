#include "watch/tell/alarm_command.h"

#include "core/argv.h"
#include "core/clock.h"
#include "watch/tell/words.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAITING_MAX = 64, TEXT_MAX = 512 };

static const double grace_s = 2; /* between SIGTERM and SIGKILL */

struct happened {
    enum ct_watch_event event;
    uint64_t id;
    enum ct_watch_kind kind;
    int64_t since_unix_ns;
    char place[CT_WATCH_PLACE_MAX], text[TEXT_MAX], reason[TEXT_MAX];
};

struct ct_watch_command {
    const char *program;
    double limit_s;
    struct ct_log *log;
    struct happened waiting[WAITING_MAX];
    size_t first, n;
    pid_t pid; /* 0: none runs */
    double started_s;
    bool was_told; /* to end */
};

/* As posix_spawnp() looks for it: an error now, not with the first alarm. */
static bool can_start(const char *program)
{
    const char *path = getenv("PATH");
    char at[PATH_MAX];
    if (strchr(program, '/') || !path)
        return access(program, X_OK) == 0;
    for (size_t n; *path; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        int length = snprintf(at, sizeof at, "%.*s%s%s", (int)n, path, n > 0 ? "/" : "", program);
        if (length > 0 && (size_t)length < sizeof at && access(at, X_OK) == 0)
            return true;
    }
    return false;
}

enum ct_status ct_watch_command_new(const char *program, double limit_s, struct ct_log *log,
                                    struct ct_watch_command **command_p, struct ct_error *err)
{
    if (!can_start(program))
        return ct_fail(err, CT_ENOENT, "--on-alarm: %s: is no program that can be started here",
                       program);
    struct ct_watch_command *command = calloc(1, sizeof *command);
    if (!command)
        return ct_no_memory(err, "%s", program);
    command->program = program;
    command->limit_s = limit_s;
    command->log = log;
    *command_p = command;
    return CT_OK;
}

void ct_watch_command_alarm(struct ct_watch_command *command, const struct ct_watch_state *state,
                            const struct ct_watch_alarm *alarm, enum ct_watch_event event)
{
    if (command->n == WAITING_MAX) {
        ct_log_warn(command->log, "%s: %d alarms wait for it; alarm %" PRIu64 " is left out",
                    command->program, WAITING_MAX, alarm->id);
        return;
    }
    struct happened *new = &command->waiting[(command->first + command->n++) % WAITING_MAX];
    *new = (struct happened){.event = event,
                             .id = alarm->id,
                             .kind = alarm->kind,
                             .since_unix_ns = alarm->since_unix_ns};
    ct_watch_place(state, alarm, new->place);
    ct_watch_sentence(state, alarm, new->text, sizeof new->text);
    snprintf(new->reason, sizeof new->reason, "%s", alarm->reason);
}

/* ---- one run ---- */

extern char **environ;

static void add_facts(struct ct_argv *words, const struct happened *facts)
{
    ct_argv_add(words, "CROSSTALK_WATCH_EVENT=%s", ct_watch_event_names[facts->event]);
    ct_argv_add(words, "CROSSTALK_WATCH_ID=%" PRIu64, facts->id);
    ct_argv_add(words, "CROSSTALK_WATCH_KIND=%s", ct_watch_kind_names[facts->kind]);
    ct_argv_add(words, "CROSSTALK_WATCH_PLACE=%s", facts->place);
    ct_argv_add(words, "CROSSTALK_WATCH_SINCE=%" PRId64, facts->since_unix_ns / 1000000000);
    ct_argv_add(words, "CROSSTALK_WATCH_TEXT=%s", facts->text);
    ct_argv_add(words, "CROSSTALK_WATCH_REASON=%s", facts->reason);
    ct_argv_add_all(words, environ);
}

/* With signals as they are by default, no input, and standard error for what it prints. */
static int spawn_program(const char *program, char *const *environment, pid_t *pid_p)
{
    char *const argv[] = {(char *)(uintptr_t)program, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    if (posix_spawn_file_actions_init(&files) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return ENOMEM;
    }
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    int code = posix_spawnp(pid_p, program, &files, &attributes, argv, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return code;
}

static void start_next(struct ct_watch_command *command)
{
    struct ct_argv words = {0};
    const struct happened *facts = &command->waiting[command->first];
    add_facts(&words, facts);
    command->first = (command->first + 1) % WAITING_MAX;
    command->n--;
    int code = words.failed ? ENOMEM : spawn_program(command->program, words.item, &command->pid);
    if (code != 0) {
        command->pid = 0;
        ct_log_warn(command->log, "%s: cannot be started for alarm %" PRIu64 ": %s",
                    command->program, facts->id, strerror(code));
    }
    command->started_s = ct_clock_now_s();
    command->was_told = false;
    ct_argv_free(&words);
}

static void reap_program(struct ct_watch_command *command)
{
    int how;
    pid_t pid = waitpid(command->pid, &how, WNOHANG);
    if (pid == 0 || (pid < 0 && errno == EINTR))
        return;
    command->pid = 0;
    if (pid > 0 && WIFEXITED(how) && WEXITSTATUS(how) != 0)
        ct_log_warn(command->log, "%s: it ended with exit code %d", command->program,
                    WEXITSTATUS(how));
    else if (pid > 0 && WIFSIGNALED(how))
        ct_log_warn(command->log, "%s: ended by signal %d (%s)%s", command->program, WTERMSIG(how),
                    strsignal(WTERMSIG(how)), command->was_told ? ", since it took too long" : "");
}

void ct_watch_command_step(struct ct_watch_command *command)
{
    if (command->pid > 0)
        reap_program(command);
    double past_s = ct_clock_now_s() - command->started_s;
    if (command->pid > 0 && past_s > command->limit_s + grace_s) {
        kill(-command->pid, SIGKILL);
    } else if (command->pid > 0 && past_s > command->limit_s && !command->was_told) {
        kill(-command->pid, SIGTERM);
        command->was_told = true;
    }
    if (command->pid == 0 && command->n > 0)
        start_next(command);
}

void ct_watch_command_free(struct ct_watch_command *command)
{
    if (!command)
        return;
    double until_s = ct_clock_now_s() + command->limit_s + 2 * grace_s;
    while ((command->pid > 0 || command->n > 0) && ct_clock_now_s() < until_s) {
        ct_watch_command_step(command);
        ct_clock_sleep(0.02);
    }
    if (command->pid > 0) {
        kill(-command->pid, SIGKILL);
        waitpid(command->pid, NULL, 0);
    }
    if (command->n > 0)
        ct_log_warn(command->log, "%s: %zu alarms are left out", command->program, command->n);
    free(command);
}
