#include "results/environment.h"

#include "core/file.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { TEXT_MAX = 1001, NAME_LENGTH_MAX = 100, KEY_MAX = 160, VARIABLES_MAX = 200 };
enum { PROCESSORS_MAX = 1 << 16 };

static const char *const variable_prefixes[] = {"UCX_",  "MPICH_", "MPIR_",
                                                "OMPI_", "I_MPI_", "FI_"};

static enum ct_status add_text(struct ct_run_info *info, const char *prefix, const char *key,
                               const char *text)
{
    char whole_key[KEY_MAX], clean[TEXT_MAX];
    snprintf(whole_key, sizeof whole_key, "%s%s", prefix, key);
    snprintf(clean, sizeof clean, "%s", text);
    for (char *p = clean; *p; p++)
        if (*p < ' ' || *p > '~')
            *p = '?';
    return ct_run_add_text(info, whole_key, clean);
}

static enum ct_status add_kernel(struct ct_run_info *info, const char *prefix)
{
    struct utsname name;
    char text[sizeof name.sysname + sizeof name.release + sizeof name.machine];
    if (uname(&name) != 0)
        return CT_OK;
    snprintf(text, sizeof text, "%s %s %s", name.sysname, name.release, name.machine);
    return add_text(info, prefix, "kernel", text);
}

static enum ct_status add_governor(struct ct_run_info *info, const char *prefix)
{
    char text[64];
    bool found =
        ct_file_head("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", text, sizeof text);
    text[strcspn(text, "\n")] = '\0';
    return found ? add_text(info, prefix, "cpu_governor", text) : CT_OK;
}

/* "0-3,8"; what does not fit is left out. */
static void format_processors(const cpu_set_t *set, size_t set_size, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t first = 0; first < PROCESSORS_MAX && used < size; first++) {
        if (!CPU_ISSET_S(first, set_size, set))
            continue;
        size_t last = first;
        while (last + 1 < PROCESSORS_MAX && CPU_ISSET_S(last + 1, set_size, set))
            last++;
        used += (size_t)snprintf(text + used, size - used, "%s%zu", used ? "," : "", first);
        if (last > first && used < size)
            used += (size_t)snprintf(text + used, size - used, "-%zu", last);
        first = last;
    }
}

static enum ct_status add_affinity(struct ct_run_info *info, const char *prefix)
{
    /* The kernel refuses sets smaller than its own, which cpu_set_t is on large machines. */
    cpu_set_t *set = CPU_ALLOC(PROCESSORS_MAX);
    size_t set_size = CPU_ALLOC_SIZE(PROCESSORS_MAX);
    if (!set)
        return CT_ENOMEM;
    enum ct_status status = CT_OK;
    char text[TEXT_MAX];
    CPU_ZERO_S(set_size, set);
    if (sched_getaffinity(0, set_size, set) == 0) {
        format_processors(set, set_size, text, sizeof text);
        status = add_text(info, prefix, "affinity", text);
    }
    CPU_FREE(set);
    return status;
}

/* Length of the name of a variable that is recorded; 0: it is not. */
static size_t recorded_length(const char *variable)
{
    size_t length = strcspn(variable, "=");
    if (variable[length] != '=' || length > NAME_LENGTH_MAX)
        return 0;
    for (size_t i = 0; i < sizeof variable_prefixes / sizeof *variable_prefixes; i++)
        if (!strncmp(variable, variable_prefixes[i], strlen(variable_prefixes[i])))
            return length;
    return 0;
}

static enum ct_status add_variables(struct ct_run_info *info, const char *prefix)
{
    enum ct_status status = CT_OK;
    size_t n = 0;
    for (char **variable = environ; variable && *variable && status == CT_OK; variable++) {
        size_t length = recorded_length(*variable);
        if (length == 0 || n == VARIABLES_MAX)
            continue;
        char key[NAME_LENGTH_MAX + sizeof "env_"];
        snprintf(key, sizeof key, "env_%.*s", (int)length, *variable);
        status = add_text(info, prefix, key, *variable + length + 1);
        n++;
    }
    return status;
}

enum ct_status ct_run_add_environment(struct ct_run_info *info, const char *prefix)
{
    static enum ct_status (*const parts[])(struct ct_run_info *, const char *) = {
        add_kernel, add_governor, add_affinity, add_variables};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == CT_OK; i++)
        status = parts[i](info, prefix);
    return status;
}
