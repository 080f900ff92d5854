#include "results/environment.h"

#include "core/file.h"

#include <dirent.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { TEXT_MAX = 1001, NAME_LENGTH_MAX = 100, KEY_MAX = 160, VARIABLES_MAX = 200 };
enum { PROCESSORS_MAX = 1 << 16 };

/* Beginnings of names, each between blanks. Of the libraries between a program and its network
 * card. */
static const char variable_prefixes[] =
    "UCX_ FI_ PSM_ PSM2_ PSM3_ HFI_ MPICH_ MPIR_ MV2_ MVP_ I_MPI_ OMPI_ "
    "PMIX_MCA_ PRTE_MCA_ HCOLL_ SLINGSHOT_ IBV_ RDMAV_";

/* What Open MPI's launcher tells each rank: no settings, and something else in every run. */
static const char launch_prefixes[] =
    "OMPI_APP_CTX_ OMPI_ARGV OMPI_COMMAND OMPI_COMM_WORLD_ OMPI_FILE_LOCATION OMPI_FIRST_RANKS "
    "OMPI_NUM_APP_CTX OMPI_UNIVERSE_SIZE OMPI_MCA_ess OMPI_MCA_initial_wdir OMPI_MCA_orte_ "
    "OMPI_MCA_shmem_RUNTIME_QUERY_hint";

/* MPIs have variables for everything: these choose the network. MPICH takes its own under two
 * names. */
static const char network_prefixes[] =
    "UCX_ FI_ PSM_ PSM2_ PSM3_ HFI_ SLINGSHOT_ MV2_ MVP_ "
    "MPIR_CVAR_CH3_ MPIR_CVAR_CH4_ MPIR_CVAR_NEMESIS_ MPIR_CVAR_NOLOCAL "
    "MPICH_CH3_ MPICH_CH4_ MPICH_NOLOCAL MPICH_OFI_ MPICH_UCX_ MPICH_GNI_ "
    "OMPI_MCA_pml OMPI_MCA_bml OMPI_MCA_btl OMPI_MCA_mtl OMPI_MCA_opal_common_ "
    "I_MPI_FABRICS I_MPI_OFI_ I_MPI_NETMASK I_MPI_MULTIRAIL I_MPI_TCP_";

/* But for what says more or less, and the host's name, which Hydra sets. */
static const char *const no_network[] = {
    "_LOG_",  "_WARN",    "_STATS",   "_PROFILE", "_ERROR",
    "_DEBUG", "_VERBOSE", "_verbose", "_DISPLAY", "INTERFACE_HOSTNAME"};

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
    return add_text(info, prefix, CT_ENVIRONMENT_KERNEL, text);
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

/* Appends a word; what does not fit is left out. */
static void add_word(char *text, size_t size, const char *word)
{
    size_t used = strlen(text);
    if (used + strlen(word) + 2 <= size)
        snprintf(text + used, size - used, "%s%s", used ? " " : "", word);
}

static enum ct_status add_devices(struct ct_run_info *info, const char *prefix)
{
    char text[TEXT_MAX] = "";
    struct ifaddrs *interfaces = NULL;
    /* Once an interface, whatever addresses it has: these are of the namespace, unlike /sys. */
    if (getifaddrs(&interfaces) != 0)
        interfaces = NULL;
    for (const struct ifaddrs *at = interfaces; at; at = at->ifa_next)
        if (at->ifa_addr && at->ifa_addr->sa_family == AF_PACKET && (at->ifa_flags & IFF_UP) &&
            !(at->ifa_flags & IFF_LOOPBACK))
            add_word(text, sizeof text, at->ifa_name);
    freeifaddrs(interfaces);
    struct dirent **devices = NULL;
    int n = scandir("/sys/class/infiniband", &devices, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (devices[i]->d_name[0] != '.')
            add_word(text, sizeof text, devices[i]->d_name);
        free(devices[i]);
    }
    free(devices);
    return *text ? add_text(info, prefix, "network_devices", text) : CT_OK;
}

static bool starts_with_any(const char *name, const char *prefixes)
{
    for (const char *at = prefixes; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (!strncmp(name, at, length))
            return true;
        at += length;
    }
    return false;
}

bool ct_environment_is_network(const char *name)
{
    for (size_t i = 0; i < sizeof no_network / sizeof *no_network; i++)
        if (strstr(name, no_network[i]))
            return false;
    return starts_with_any(name, network_prefixes);
}

/* The name of a variable that is recorded, and its value behind it; NULL: it is not recorded. */
static const char *recorded_name(const char *variable, char name[NAME_LENGTH_MAX + 1])
{
    size_t length = strcspn(variable, "=");
    if (variable[length] != '=' || length > NAME_LENGTH_MAX ||
        !starts_with_any(variable, variable_prefixes) || starts_with_any(variable, launch_prefixes))
        return NULL;
    snprintf(name, NAME_LENGTH_MAX + 1, "%.*s", (int)length, variable);
    return variable + length + 1;
}

/* What chooses the network first, so that no other variable takes its room. */
static enum ct_status add_variables(struct ct_run_info *info, const char *prefix)
{
    enum ct_status status = CT_OK;
    size_t n = 0;
    for (int network = 1; network >= 0; network--)
        for (char **variable = environ; variable && *variable && status == CT_OK; variable++) {
            char name[NAME_LENGTH_MAX + 1], key[sizeof name + sizeof CT_ENVIRONMENT_VARIABLE];
            const char *value = recorded_name(*variable, name);
            if (!value || ct_environment_is_network(name) != network || n == VARIABLES_MAX)
                continue;
            snprintf(key, sizeof key, CT_ENVIRONMENT_VARIABLE "%s", name);
            status = add_text(info, prefix, key, value);
            n++;
        }
    return status;
}

enum ct_status ct_run_add_environment(struct ct_run_info *info, const char *prefix)
{
    static enum ct_status (*const parts[])(struct ct_run_info *, const char *) = {
        add_kernel, add_governor, add_affinity, add_devices, add_variables};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        CT_TRY(parts[i](info, prefix));
    return CT_OK;
}
