#include "cli/lab_traffic.h"

#include <stdlib.h>
#include <string.h>

void ct_lab_note_replaced(const struct ct_lab_launch *launch, struct ct_log *log)
{
    struct ct_mpi_program program;
    ct_mpi_of_command(launch->program, &program);
    char *replaced = ct_lab_replaced(program.mpi != CT_MPI_UNKNOWN ? program.mpi : launch->mpi);
    if (replaced)
        ct_log_info(log, "not taken from the environment: %s", replaced);
    free(replaced);
}

/* One of crosstalk's MPI programs, which begin and end with messages between all ranks. NULL: the
   word is none. */
static const char *name_of_sender(const char *word, size_t length)
{
    static const char *const names[] = {"impactb", "compressionb", "logpb", "workload"};
    const char *slash = memrchr(word, '/', length);
    size_t n = slash ? length - (size_t)(slash + 1 - word) : length;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && strncmp(word + length - n, names[i], n) == 0)
            return names[i];
    return NULL;
}

/* Also within the command line of a shell. */
static const char *find_sender(char *const *argv)
{
    static const char *const between = " \t\n;&|()'\"";
    const char *found = NULL;
    for (; *argv && !found; argv++)
        for (const char *at = *argv; *at && !found;) {
            size_t length = strcspn(at, between);
            found = name_of_sender(at, length);
            at += length + strspn(at + length, between);
        }
    return found;
}

static bool asks_for_help(char *const *argv)
{
    static const char *const words[] = {"--help", "-h", "--version"};
    for (; *argv; argv++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strcmp(*argv, words[i]) == 0)
                return true;
    return false;
}

enum ct_status ct_lab_check_traffic(struct ct_lab *lab, const struct ct_lab_launch *launch,
                                    const struct ct_lab_counters *before, struct ct_log *log,
                                    struct ct_error *err)
{
    struct ct_lab_counters after;
    size_t n_hosts = ct_lab_launch_hosts(lab, launch);
    if (n_hosts < 2 || ct_lab_counters_read(lab, &after, NULL) != CT_OK)
        return CT_OK;
    enum ct_lab_traffic traffic = ct_lab_traffic(before, &after);
    if (traffic == CT_LAB_TRAFFIC_CONNECTIONS)
        ct_log_warn(log,
                    "hardly more than connections take passed the lab: if %s sends messages "
                    "between hosts, they went another way; see that nothing in its command sets "
                    "UCX_NET_DEVICES or the like",
                    launch->program[0]);
    if (traffic != CT_LAB_TRAFFIC_NONE)
        return CT_OK;
    const char *sender = find_sender(launch->program);
    if (sender && asks_for_help(launch->program))
        return CT_OK;
    if (sender)
        return ct_fail(err, CT_EINVAL,
                       "%s ran on %zu hosts, and none of its messages passed the lab: every port "
                       "counted 0 bytes. It measured another way, such as shared memory; see that "
                       "nothing in its command sets UCX_TLS, UCX_NET_DEVICES or the like",
                       sender, n_hosts);
    ct_log_info(log, "%s ran on %zu hosts, and nothing passed the lab: every port counted 0 bytes",
                launch->program[0], n_hosts);
    return CT_OK;
}
