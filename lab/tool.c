#include "lab/internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a tool says when the kernel lacks something, and what brings it. */
static const struct {
    const char *in_command, *name, *option;
} features[] = {
    {" htb", "the queueing discipline htb", "CONFIG_NET_SCH_HTB"},
    {" tbf", "the queueing discipline tbf", "CONFIG_NET_SCH_TBF"},
    {" bfifo", "the queueing discipline bfifo", "CONFIG_NET_SCH_FIFO"},
    {" netem", "the queueing discipline netem", "CONFIG_NET_SCH_NETEM"},
    {" clsact", "the queueing discipline clsact", "CONFIG_NET_SCH_INGRESS and CONFIG_NET_CLS_ACT"},
    {" mirred", "the action mirred", "CONFIG_NET_ACT_MIRRED"},
    {" u32", "the classifier u32", "CONFIG_NET_CLS_U32"},
    {" flower", "the classifier flower", "CONFIG_NET_CLS_FLOWER"},
    {"type bridge ", "bridges", "CONFIG_BRIDGE"},
    {"type veth", "veth links", "CONFIG_VETH"},
};

static bool says_missing(const char *answer)
{
    static const char *const signs[] = {"kind is unknown", "not found", "Unknown device type",
                                        "Operation not supported", "No such file or directory"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(answer, signs[i]))
            return true;
    return false;
}

/* Line `number`, from 1, of a text; its length in *length_p. */
static const char *line_of(const char *text, long number, int *length_p)
{
    for (long i = 1; i < number && text; i++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    *length_p = text ? (int)strcspn(text, "\n") : 0;
    return text ? text : "";
}

/* The tools end their messages with "Command failed -:LINE". */
static enum ct_status explain_answer(const char *tool, const char *batch, char *answer,
                                     struct ct_error *err)
{
    static const char marker[] = "Command failed -:";
    char *marked = strstr(answer, marker);
    long number = marked ? strtol(marked + sizeof marker - 1, NULL, 10) : 1;
    int length;
    const char *line = line_of(batch, number, &length);
    if (marked)
        *marked = '\0';
    for (char *c = answer; *c; c++)
        if (*c == '\n')
            *c = ' ';
    char command[200];
    snprintf(command, sizeof command, "%.*s", length, line);
    for (size_t i = 0; says_missing(answer) && i < sizeof features / sizeof *features; i++)
        if (strstr(command, features[i].in_command))
            return ct_fail(err, CT_EUNSUPPORTED,
                           "%s: this kernel does not have it; it comes with %s "
                           "('%s %s': %.100s)",
                           features[i].name, features[i].option, tool, command, answer);
    return ct_fail(err, CT_ECHILD, "'%s %s': %.200s", tool, command, answer);
}

static void become_tool(const char *tool, int input, int output)
{
    if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0)
        _exit(126);
    execlp(tool, tool, "-batch", "-", (char *)NULL);
    _exit(127);
}

enum ct_status ct_lab_tool(const char *tool, const char *batch, struct ct_error *err)
{
    /* Files, not pipes: nothing to pump, whatever the sizes. */
    int input = memfd_create("batch", MFD_CLOEXEC);
    int output = memfd_create("answer", MFD_CLOEXEC);
    enum ct_status status = CT_OK;
    size_t size = strlen(batch);
    if (input < 0 || output < 0 || write(input, batch, size) != (ssize_t)size ||
        lseek(input, 0, SEEK_SET) != 0) {
        status =
            ct_fail(err, CT_EIO, "%s: its input cannot be prepared: %s", tool, strerror(errno));
        goto close_files;
    }
    pid_t pid = fork();
    if (pid == 0)
        become_tool(tool, input, output);
    int code = pid > 0 ? ct_lab_wait(pid) : -1;
    if (code == 127) {
        status = ct_fail(err, CT_EUNSUPPORTED,
                         "%s: not found in PATH; install the package iproute2", tool);
    } else if (code != 0) {
        char answer[400] = "";
        ssize_t n = pread(output, answer, sizeof answer - 1, 0);
        answer[n > 0 ? n : 0] = '\0';
        status = explain_answer(tool, batch, answer, err);
    }
close_files:
    if (input >= 0)
        close(input);
    if (output >= 0)
        close(output);
    return status;
}

enum ct_status ct_lab_run_batch(FILE *out, const char *tool, char **batch, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    if (fclose(out) != 0)
        status = ct_no_memory(err, "%s", tool);
    else
        status = ct_lab_tool(tool, *batch, err);
    free(*batch);
    return status;
}
