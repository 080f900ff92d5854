#include "campaign/traces.h"

#include "campaign/commands.h"
#include "trace/convert/summary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void ct_traces_command(const char *output, char *const *command, struct ct_argv *argv_p)
{
    ct_command_add_program(argv_p, "crosstalk");
    ct_argv_add(argv_p, "trace");
    ct_argv_add(argv_p, "--output");
    ct_argv_add(argv_p, "%s", output);
    ct_argv_add(argv_p, "--");
    ct_argv_add_all(argv_p, command);
}

enum ct_status ct_traces_find(const char *directory, struct ct_error *err)
{
    struct ct_trace_set set;
    struct stat facts;
    if (stat(directory, &facts) != 0)
        return ct_fail(err, CT_ENOENT, "%s: %s", directory, strerror(errno));
    enum ct_status status = ct_trace_set_open(directory, &set, err);
    if (status == CT_OK)
        ct_trace_set_close(&set);
    /* The folder is there: something is wrong with it, which is another thing than none. */
    return status == CT_ENOENT ? ct_fail(err, CT_ENODATA, "%s: no traces in it", directory)
                               : status;
}

enum ct_status ct_traces_check(const char *directory, struct ct_error *err)
{
    struct ct_events events;
    struct ct_trace_summary summary;
    CT_TRY(ct_traces_find(directory, err));
    CT_TRY(ct_trace_events_open(directory, &events, err));
    enum ct_status status = ct_events_summarize(&events, &summary, err);
    events.close(events.context);
    if (status != CT_OK)
        return status;
    if (summary.n_cut > 0)
        status = ct_fail(err, CT_ENODATA,
                         "%s: the trace of rank %u ends before MPI_Finalize: the program was "
                         "aborted",
                         directory, summary.first_cut);
    ct_trace_summary_free(&summary);
    return status;
}

void ct_traces_remove(const char *directory)
{
    DIR *dir = opendir(directory);
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    rmdir(directory);
}

enum ct_status ct_traces_keep(const char *from, const char *to, struct ct_error *err)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", to);
    *strrchr(parent, '/') = '\0';
    ct_traces_remove(to);
    if ((mkdir(parent, 0777) != 0 && errno != EEXIST) || rename(from, to) != 0)
        return ct_fail(err, CT_EIO, "%s: cannot be renamed to %s: %s", from, to, strerror(errno));
    return CT_OK;
}
