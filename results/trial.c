#include "results/trial.h"

#include "core/self.h"
#include "results/run_path.h"
#include "results/sum.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SURVIVES = 'y', DIES = 'n', NOT_TRIED = '?' };

/* ---- the program ---- */

/* Lets it begin behind the paths that have been tried. */
static bool start_program(struct ct_trial *trial)
{
    static const char *const kinds[] = CT_TRIAL_KIND_NAMES;
    char n_done[32];
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (lseek(trial->paths, 0, SEEK_SET) != 0 || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    snprintf(n_done, sizeof n_done, "%zu", trial->n_done);
    char *const argv[] = {trial->program, (char *)kinds[trial->kind], n_done, NULL};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, trial->paths, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int error = posix_spawn(&trial->process, trial->program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    trial->is_ready = false;
    trial->answers = ends[0];
    if (error == 0)
        return true;
    close(ends[0]);
    trial->answers = -1;
    return false;
}

static void stop_program(struct ct_trial *trial)
{
    if (trial->answers < 0)
        return;
    close(trial->answers); /* it ends when it writes the next answer */
    while (waitpid(trial->process, NULL, 0) < 0 && errno == EINTR)
        ;
    trial->answers = -1;
}

/* @return false: the program has gone */
static bool read_answer(const struct ct_trial *trial, char *answer_p)
{
    ssize_t n;
    do
        n = read(trial->answers, answer_p, 1);
    while (n < 0 && errno == EINTR);
    return n == 1;
}

/* ---- verdicts ---- */

static void give_up(struct ct_trial *trial)
{
    stop_program(trial);
    for (size_t i = 0; i < trial->n; i++)
        if (trial->verdicts[i] == NOT_TRIED)
            trial->verdicts[i] = SURVIVES;
}

/* Of the file that is tried now: of index i. */
static void take_verdict(struct ct_trial *trial, size_t i)
{
    char answer;
    while (trial->answers >= 0 || start_program(trial)) {
        bool answered = read_answer(trial, &answer);
        if (answered && answer == CT_TRIAL_READY) {
            trial->is_ready = true;
            continue;
        }
        if (!trial->is_ready)
            break;
        trial->verdicts[i] = answered ? SURVIVES : DIES;
        trial->n_done++;
        if (!answered)
            stop_program(trial);
        return;
    }
    give_up(trial);
}

/* Whether a file needs a trial. Runs of one packed campaign come one after the other: *last is the
 * file before, whose answer holds for them all. */
static bool is_doubtful(const char *path, char **last, bool *last_is_doubtful)
{
    char *file = ct_run_path_file(path, NULL);
    if (!file)
        return true;
    if (!*last || strcmp(*last, file) != 0)
        *last_is_doubtful = ct_sum_is_doubtful(file);
    free(*last);
    *last = file;
    return *last_is_doubtful;
}

/* @return how many are to be tried */
static size_t list_paths(struct ct_trial *trial, const char *const *paths)
{
    char *last = NULL;
    bool last_is_doubtful = false, written = true;
    size_t n = 0;
    for (size_t i = 0; i < trial->n; i++) {
        size_t length = strlen(paths[i]) + 1;
        trial->verdicts[i] = SURVIVES;
        if (!is_doubtful(paths[i], &last, &last_is_doubtful))
            continue;
        trial->verdicts[i] = NOT_TRIED;
        n++;
        written = written && write(trial->paths, paths[i], length) == (ssize_t)length;
    }
    free(last);
    return written ? n : 0;
}

void ct_trial_begin(struct ct_trial *trial_p, const char *program, enum ct_trial_kind kind,
                    const char *const *paths, size_t n)
{
    *trial_p = (struct ct_trial){.kind = kind, .n = n, .paths = -1, .answers = -1};
    if (program)
        snprintf(trial_p->program, sizeof trial_p->program, "%s", program);
    else if (!ct_self_find_helper("crosstalk-try", trial_p->program, sizeof trial_p->program))
        return;
    trial_p->verdicts = calloc(n + 1, 1);
    if (!trial_p->verdicts)
        return;
    trial_p->paths = memfd_create("paths", MFD_CLOEXEC);
    if (list_paths(trial_p, paths) == 0 || !start_program(trial_p))
        give_up(trial_p);
}

bool ct_trial_survives(struct ct_trial *trial, size_t i)
{
    for (; trial->verdicts && trial->next <= i; trial->next++)
        if (trial->verdicts[trial->next] == NOT_TRIED)
            take_verdict(trial, trial->next);
    return !trial->verdicts || trial->verdicts[i] == SURVIVES;
}

void ct_trial_end(struct ct_trial *trial)
{
    if (trial->answers >= 0 && trial->next < trial->n)
        kill(trial->process, SIGKILL); /* nobody waits for its answers */
    stop_program(trial);
    if (trial->paths >= 0)
        close(trial->paths);
    free(trial->verdicts);
    trial->verdicts = NULL;
    trial->paths = -1;
}

bool ct_trial_survives_alone(enum ct_trial_kind kind, const char *path)
{
    struct ct_trial trial;
    ct_trial_begin(&trial, NULL, kind, &path, 1);
    bool survives = ct_trial_survives(&trial, 0);
    ct_trial_end(&trial);
    return survives;
}
