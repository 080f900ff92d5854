#include "core/output_of.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT_MAX = 1 << 20, EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127 };

static void become_program(char *const *argv, unsigned limit_s, int output)
{
    int null = open("/dev/null", O_RDONLY);
    unsetenv("LD_PRELOAD");
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0)
        _exit(EXIT_CANNOT_RUN);
    alarm(limit_s); /* goes on through exec */
    execvp(argv[0], argv);
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

/* All of it, or its first TEXT_MAX bytes. */
static enum ct_status read_text(int output, const char *program, char **text_p,
                                struct ct_error *err)
{
    off_t end = lseek(output, 0, SEEK_END);
    size_t size = end < 0 ? 0 : end > TEXT_MAX ? TEXT_MAX : (size_t)end, used = 0;
    char *text = malloc(size + 1);
    if (!text)
        return ct_no_memory(err, "%s: its output", program);
    for (ssize_t n; used < size; used += (size_t)n)
        if ((n = pread(output, text + used, size - used, (off_t)used)) <= 0)
            break;
    text[used] = '\0';
    *text_p = text;
    return CT_OK;
}

enum ct_status ct_output_of(char *const *argv, unsigned limit_s, char **text_p, int *code_p,
                            struct ct_error *err)
{
    /* A file, not a pipe: nothing to pump, and nobody left behind can keep it open for us. */
    int output = memfd_create("output", MFD_CLOEXEC), how = 0;
    if (output < 0)
        return ct_fail(err, CT_EIO, "%s: no room for its output: %s", argv[0], strerror(errno));
    enum ct_status status = CT_OK;
    pid_t pid = fork();
    if (pid == 0)
        become_program(argv, limit_s, output);
    while (pid > 0 && waitpid(pid, &how, 0) < 0)
        if (errno != EINTR)
            pid = -1;
    if (pid < 0)
        status = ct_fail(err, CT_EIO, "%s: cannot be started: %s", argv[0], strerror(errno));
    else
        status = read_text(output, argv[0], text_p, err);
    if (status == CT_OK)
        *code_p = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    close(output);
    return status;
}
