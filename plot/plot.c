/* Running gnuplot: script, messages and picture in memory files. */
#include "plot/plot.h"

#include "core/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { DEADLINE_MS = 60000, MESSAGE_MAX = 300 };

/* POSIX lets posix_spawn() say by this exit code that a program could not be started, where it does
 * not return the error: so under qemu-user. */
enum { EXIT_NOT_STARTED = 127 };

/* Files in memory. */
struct drawing {
    int script, messages, picture;
};

static enum ct_status open_drawing(struct drawing *drawing, struct ct_error *err)
{
    drawing->script = memfd_create("figure", MFD_CLOEXEC);
    drawing->messages = memfd_create("messages", MFD_CLOEXEC);
    drawing->picture = memfd_create("picture", MFD_CLOEXEC);
    if (drawing->script < 0 || drawing->messages < 0 || drawing->picture < 0)
        return ct_fail(err, CT_EIO, "figure: memory file: %s", strerror(errno));
    return CT_OK;
}

static void close_drawing(struct drawing *drawing)
{
    const int fds[] = {drawing->script, drawing->messages, drawing->picture};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static enum ct_status not_installed(struct ct_error *err)
{
    return ct_fail(err, CT_EUNSUPPORTED,
                   "gnuplot is not installed; figures need it: apt-get install gnuplot-nox");
}

static enum ct_status start_gnuplot(const struct drawing *drawing, pid_t *pid_p,
                                    struct ct_error *err)
{
    /* -d: not what the user's own settings say. By its name, since gnuplot reads what comes from a
     * standard input without a name byte by byte. */
    char *argv[] = {"gnuplot", "-d", "/dev/stdin", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, drawing->script, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, drawing->picture, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, drawing->messages, STDERR_FILENO);
    int error = posix_spawnp(pid_p, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT)
        return not_installed(err);
    return error == 0 ? CT_OK : ct_fail(err, CT_ECHILD, "gnuplot: %s", strerror(error));
}

/* True when it ended by itself; otherwise it is killed. Reaped in both cases. */
static bool wait_for(pid_t pid, int *status_p)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    int ready = 1;
    do
        ready = fd >= 0 ? poll(&poll_fd, 1, DEADLINE_MS) : 1;
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        kill(pid, SIGKILL);
    while (waitpid(pid, status_p, 0) < 0 && errno == EINTR)
        ;
    if (fd >= 0)
        close(fd);
    return ready != 0;
}

static enum ct_status gnuplot_failed(int messages, struct ct_error *err)
{
    char text[MESSAGE_MAX];
    ssize_t n = pread(messages, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return ct_fail(err, CT_ECHILD, "gnuplot could not draw: %s", text);
}

static enum ct_status draw_picture(const struct drawing *drawing, struct ct_error *err)
{
    pid_t pid;
    int ended;
    struct stat picture;
    if (lseek(drawing->script, 0, SEEK_SET) < 0)
        return ct_fail(err, CT_EIO, "figure: memory file: %s", strerror(errno));
    CT_TRY(start_gnuplot(drawing, &pid, err));
    if (!wait_for(pid, &ended))
        return ct_fail(err, CT_ETIMEOUT, "gnuplot: not done after %d s", DEADLINE_MS / 1000);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == EXIT_NOT_STARTED)
        return not_installed(err);
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0 || fstat(drawing->picture, &picture) != 0 ||
        picture.st_size == 0)
        return gnuplot_failed(drawing->messages, err);
    return CT_OK;
}

static enum ct_status read_picture(int fd, char **svg_p, struct ct_error *err)
{
    struct stat picture;
    if (fstat(fd, &picture) != 0)
        return ct_fail(err, CT_EIO, "figure: memory file: %s", strerror(errno));
    size_t size = (size_t)picture.st_size;
    char *svg = malloc(size + 1);
    if (!svg)
        return ct_no_memory(err, "figure of %zu bytes", size);
    if (pread(fd, svg, size, 0) != picture.st_size) {
        free(svg);
        return ct_fail(err, CT_EIO, "figure: memory file cannot be read");
    }
    svg[size] = '\0';
    *svg_p = svg;
    return CT_OK;
}

enum ct_status ct_plot_draw(const struct ct_plot *plot, char **svg_p, struct ct_error *err)
{
    struct drawing drawing;
    enum ct_status status = open_drawing(&drawing, err);
    if (status == CT_OK)
        status = ct_plot_script(plot, drawing.script, err);
    if (status == CT_OK)
        status = draw_picture(&drawing, err);
    if (status == CT_OK)
        status = read_picture(drawing.picture, svg_p, err);
    close_drawing(&drawing);
    return status;
}

enum ct_status ct_plot_write(const struct ct_plot *plot, const char *path, struct ct_error *err)
{
    char *svg;
    CT_TRY(ct_plot_draw(plot, &svg, err));
    enum ct_status status = ct_picture_save(path, svg, err);
    free(svg);
    return status;
}
