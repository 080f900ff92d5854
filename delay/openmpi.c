#include "delay/openmpi.h"

#include "core/self.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a list such as "ucx,ob1", or "^ob1" for all but these, has pml/ucx. */
static bool allows_ucx(const char *list)
{
    bool negated = *list == '^', found = false;
    for (const char *at = list + negated; *at != '\0';) {
        size_t length = strcspn(at, ",");
        found = found || (length == 3 && strncmp(at, "ucx", length) == 0);
        at += length + (at[length] == ',');
    }
    return found != negated;
}

static enum ct_status check_list(const char *where, const char *list, struct ct_error *err)
{
    if (!list || allows_ucx(list))
        return CT_OK;
    return ct_fail(err, CT_EUNSUPPORTED,
                   "%s %s: messages of Open MPI by its component %s cannot be delayed; by pml/ucx "
                   "they can: leave it out, or give " CT_DELAY_OPENMPI_CHOICE,
                   where, list, list);
}

/* "--mca NAME VALUE", and other spellings of it. */
static bool is_mca(const char *word)
{
    static const char *const words[] = {"--mca", "-mca", "--gmca", "-gmca"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

enum ct_status ct_delay_openmpi_check_choice(char *const *argv, const char *pml,
                                             struct ct_error *err)
{
    for (; *argv; argv++)
        if (is_mca(argv[0]) && argv[1] && argv[2] && strcmp(argv[1], "pml") == 0)
            return check_list("--mca pml", argv[2], err); /* counts before the environment */
    return check_list("OMPI_MCA_pml", pml, err);
}

bool ct_delay_openmpi_component(const char *library, char *path, size_t size)
{
    static const char *const places[] = {"openmpi/mca_pml_ucx.so", /* as Open MPI installs it */
                                         "openmpi/lib/openmpi3/mca_pml_ucx.so", /* Debian */
                                         "openmpi/lib/openmpi/mca_pml_ucx.so",
                                         "openmpi3/mca_pml_ucx.so", NULL};
    char folder[PATH_MAX];
    if (!realpath(library, folder))
        return false;
    char *slash = strrchr(folder, '/');
    *slash = '\0';
    return ct_self_find(folder, places, path, size);
}

enum ct_status ct_delay_openmpi_choose(struct ct_error *err)
{
    static const char *const variables[][2] = {{"OMPI_MCA_pml", "ucx"},
                                               {"OMPI_MCA_osc", "ucx,sm"},
                                               {"OMPI_MCA_opal_common_ucx_tls", "any"},
                                               {"OMPI_MCA_opal_common_ucx_devices", "any"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (setenv(variables[i][0], variables[i][1], 0) != 0)
            return ct_no_memory(err, "environment");
    return CT_OK;
}

enum ct_status ct_delay_openmpi_pass_on(char *const *argv, const char *const *names,
                                        struct ct_error *err)
{
    static const char variable[] = "OMPI_MCA_mca_base_env_list";
    char *list = NULL;
    bool has_memory = true;
    if (getenv(variable))
        return CT_OK;
    for (; *argv; argv++)
        if (strcmp(*argv, "-x") == 0)
            return CT_OK;
    for (; has_memory && *names; names++) {
        char *shorter = list;
        if (!getenv(*names))
            continue;
        has_memory = asprintf(&list, "%s%s%s", list ? list : "", list ? ";" : "", *names) >= 0;
        list = has_memory ? list : NULL;
        free(shorter);
    }
    has_memory = has_memory && (!list || setenv(variable, list, 0) == 0);
    free(list);
    return has_memory ? CT_OK : ct_no_memory(err, "environment");
}
