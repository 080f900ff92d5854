/* Whether an existing lab is whole. */
#include "lab/internal.h"
#include "lab/plan.h"

#include <net/if.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* In the host's network namespace. Without its other end at the switch a device is not running. */
static bool is_running(const char *device)
{
    struct ifreq request = {0};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", device);
    bool running = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0 &&
                   (request.ifr_flags & IFF_UP) && (request.ifr_flags & IFF_RUNNING);
    if (fd >= 0)
        close(fd);
    return running;
}

static enum ct_status check_host(const struct ct_lab *lab, unsigned host, struct ct_error *err)
{
    static const char *const devices[] = {"eth0", "mgmt0"};
    char name[16];
    ct_lab_host_name(host, name);
    CT_TRY(ct_lab_enter_host(lab->paths.ns, name, err));
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (!is_running(devices[i]))
            return ct_fail(err, CT_EIO, "host '%s': its link %s is gone", name, devices[i]);
    return CT_OK;
}

static enum ct_status check_links(const struct ct_lab *lab, struct ct_error *err)
{
    const struct ct_lab_plan *plan = lab->plan;
    for (unsigned i = 0; i < plan->n_links; i++) {
        char device[CT_LAB_DEVICE_MAX];
        ct_lab_link_device(i, 0, device); /* if either end is down, neither runs */
        if (!is_running(device))
            return ct_fail(err, CT_EIO, "the link from %s to %s is gone",
                           plan->switch_name[plan->link[i].at[0]],
                           plan->switch_name[plan->link[i].at[1]]);
    }
    return CT_OK;
}

static enum ct_status check_hosts(const struct ct_lab *lab, struct ct_error *err)
{
    for (unsigned host = 0; host < lab->state.spec.n_hosts; host++)
        CT_TRY(check_host(lab, host, err));
    return CT_OK;
}

static enum ct_status check_all(const struct ct_lab *lab, const void *data, struct ct_error *err)
{
    (void)data;
    enum ct_status status = check_links(lab, err);
    if (status == CT_OK)
        status = check_hosts(lab, err);
    if (status != CT_OK)
        ct_fail_within(err, status, "lab '%s' is damaged; end it by crosstalk lab down --id %s",
                       lab->paths.id, lab->paths.id);
    return status;
}

enum ct_status ct_lab_check(const struct ct_lab *lab, struct ct_error *err)
{
    if (!ct_lab_alive(lab))
        return ct_lab_fail_ended(lab, err);
    return ct_lab_inside(lab, check_all, NULL, err);
}
