/* results/environment: what a run file says about the process that made it. */
#include "results/environment.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

static struct ct_run_info describe(const char *prefix)
{
    struct ct_run_info info = {0};
    assert_int_equal(ct_run_add_environment(&info, prefix), CT_OK);
    return info;
}

static void kernel_and_variables_are_facts(void **state)
{
    (void)state;
    struct utsname name;
    assert_int_equal(uname(&name), 0);
    setenv("UCX_TLS", "tcp,self", 1);
    setenv("I_MPI_FABRICS", "", 1);
    setenv("MY_UCX_TLS", "x", 1);
    setenv("OMPI_MCA_btl", "tcp,self", 1);
    setenv("OMPI_MCA_orte_hnp_uri", "1.0;tcp://10.0.0.1:50183", 1);
    setenv("OMPI_COMM_WORLD_RANK", "0", 1);
    struct ct_run_info info = describe("");
    assert_string_equal(ct_run_text(&info, "env_OMPI_MCA_btl"), "tcp,self");
    assert_null(ct_run_text(&info, "env_OMPI_MCA_orte_hnp_uri"));
    assert_null(ct_run_text(&info, "env_OMPI_COMM_WORLD_RANK"));
    assert_non_null(strstr(ct_run_text(&info, "kernel"), name.release));
    assert_string_equal(ct_run_text(&info, "env_UCX_TLS"), "tcp,self");
    assert_string_equal(ct_run_text(&info, "env_I_MPI_FABRICS"), "");
    for (size_t i = 0; i < info.n_facts; i++)
        assert_null(strstr(info.facts[i].key, "MY_"));
    assert_null(ct_run_text(&info, "env_PATH"));
    ct_run_info_free(&info);
    info = describe("driver_");
    assert_string_equal(ct_run_text(&info, "driver_env_UCX_TLS"), "tcp,self");
    for (size_t i = 0; i < info.n_facts; i++)
        assert_int_equal(strncmp(info.facts[i].key, "driver_", 7), 0);
    ct_run_info_free(&info);
}

/* A name to record, and whether it chooses the network. */
static const struct {
    const char *name;
    bool network;
} variables[] = {{"UCX_NET_DEVICES", true},
                 {"UCX_TLS", true},
                 {"UCX_MAX_RNDV_RAILS", true},
                 {"UCX_WARN_UNUSED_ENV_VARS", false},
                 {"UCX_LOG_LEVEL", false},
                 {"MPIR_CVAR_CH4_NETMOD", true},
                 {"MPIR_CVAR_CH4_OFI_MAX_NICS", true},
                 {"MPIR_CVAR_NOLOCAL", true},
                 {"MPIR_CVAR_CH3_INTERFACE_HOSTNAME", false},
                 {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", false},
                 {"MPICH_OFI_NIC_POLICY", true},
                 {"MPICH_OFI_NIC_VERBOSE", false},
                 {"OMPI_MCA_btl_tcp_if_include", true},
                 {"OMPI_MCA_pml", true},
                 {"OMPI_MCA_mtl_ofi_provider_include", true},
                 {"OMPI_MCA_pml_ucx_verbose", false},
                 {"PMIX_MCA_ptl", false},
                 {"PRTE_MCA_plm", false},
                 {"I_MPI_OFI_PROVIDER", true},
                 {"I_MPI_HYDRA_BOOTSTRAP", false},
                 {"I_MPI_DEBUG", false},
                 {"FI_PROVIDER", true},
                 {"FI_TCP_IFACE", true},
                 {"FI_LOG_LEVEL", false},
                 {"PSM2_CUDA", true},
                 {"PSM3_NIC", true},
                 {"HFI_UNIT", true},
                 {"MV2_IBA_HCA", true},
                 {"SLINGSHOT_DEVICES", true},
                 {"HCOLL_MAIN_IB", false},
                 {"RDMAV_HUGEPAGES_SAFE", false}};
enum { N_VARIABLES = sizeof variables / sizeof *variables };

static void variables_that_choose_a_card_are_facts(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_VARIABLES; i++) {
        if (ct_environment_is_network(variables[i].name) != variables[i].network)
            fail_msg("%s", variables[i].name);
        setenv(variables[i].name, "value", 1);
    }
    assert_false(ct_environment_is_network("PATH"));
    struct ct_run_info info = describe("");
    for (size_t i = 0; i < N_VARIABLES; i++) {
        char key[200];
        snprintf(key, sizeof key, CT_ENVIRONMENT_VARIABLE "%s", variables[i].name);
        const char *text = ct_run_text(&info, key);
        if (!text || strcmp(text, "value") != 0)
            fail_msg("%s: '%s'", key, text ? text : "missing");
        unsetenv(variables[i].name);
    }
    ct_run_info_free(&info);
}

/* Every interface that is up, once, and no loopback. */
static void network_devices_are_those_that_are_up(void **state)
{
    (void)state;
    struct ct_run_info info = describe("");
    const char *text = ct_run_text(&info, "network_devices");
    struct if_nameindex *names = if_nameindex();
    assert_non_null(names);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    assert_true(fd >= 0);
    for (size_t i = 0; names[i].if_index != 0; i++) {
        struct ifreq request = {0};
        snprintf(request.ifr_name, sizeof request.ifr_name, "%s", names[i].if_name);
        assert_int_equal(ioctl(fd, SIOCGIFFLAGS, &request), 0);
        bool expected = (request.ifr_flags & IFF_UP) && !(request.ifr_flags & IFF_LOOPBACK);
        int found = 0;
        char *copy = strdup(text ? text : ""), *rest = copy, *word;
        while ((word = strsep(&rest, " ")) != NULL)
            found += !strcmp(word, names[i].if_name);
        free(copy);
        if (found != expected)
            fail_msg("%s stands %d times in '%s'", names[i].if_name, found, text ? text : "");
    }
    close(fd);
    if_freenameindex(names);
    ct_run_info_free(&info);
}

static void affinity_is_that_of_the_process(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    size_t last = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &before))
            last = cpu;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    struct ct_run_info info = describe("");
    char expected[24];
    snprintf(expected, sizeof expected, "%zu", last);
    assert_string_equal(ct_run_text(&info, "affinity"), expected);
    ct_run_info_free(&info);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

/* A hostile environment still gives a file that can be read. */
static void any_environment_fits_into_a_file(void **state)
{
    (void)state;
    char *text = malloc(5000);
    assert_non_null(text);
    memset(text, 'x', 4999);
    text[4999] = '\0';
    setenv("FI_LONG", text, 1);
    setenv("FI_BYTES", "a\nb\xff", 1);
    for (int i = 0; i < 300; i++) {
        char name[20];
        snprintf(name, sizeof name, "OMPI_V%d", i);
        setenv(name, "1", 1);
    }
    setenv("UCX_NET_DEVICES", "mlx5_1:1", 1);
    struct ct_run run = example_run(CT_RUN_RUNTIME, 3), back;
    assert_int_equal(ct_run_add_environment(&run.info, ""), CT_OK);
    struct ct_error err = {.text = ""};
    if (ct_run_write("a.h5", &run, &err) != CT_OK || ct_run_read("a.h5", &back, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_null(example_difference(&run, &back));
    assert_int_equal(strlen(ct_run_text(&back.info, "env_FI_LONG")), 1000);
    assert_string_equal(ct_run_text(&back.info, "env_FI_BYTES"), "a?b?");
    /* Set last, behind more variables than there is room for: yet it chooses the card. */
    assert_string_equal(ct_run_text(&back.info, "env_UCX_NET_DEVICES"), "mlx5_1:1");
    assert_null(ct_run_text(&back.info, "env_OMPI_V299"));
    ct_run_free(&back);
    ct_run_free(&run);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_and_variables_are_facts),
        cmocka_unit_test(variables_that_choose_a_card_are_facts),
        cmocka_unit_test(network_devices_are_those_that_are_up),
        cmocka_unit_test(affinity_is_that_of_the_process),
        cmocka_unit_test(any_environment_fits_into_a_file),
    };
    return cmocka_run_group_tests(tests, example_folder_enter, example_folder_leave);
}
