/*
 * Counters come over netlink sockets that were opened inside the lab: a socket stays in the network
 * namespace it was made in, so one short-lived child is enough for any number of readings.
 * Bytes and packets are the port's own; a packet that a queue dropped shows at the queue only,
 * which for the direction host to switch is in the host.
 */
#include "core/clock.h"
#include "lab/internal.h"
#include "lab/plan.h"

#include <errno.h>
#include <linux/gen_stats.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <math.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define SOCKETS_MAX (CT_LAB_HOSTS_MAX + 1)

/* ---- opening ---- */

union fd_message {
    struct cmsghdr align;
    char space[CMSG_SPACE(sizeof(int) * SOCKETS_MAX)];
};

static void open_inside(const struct ct_lab *lab, int line)
{
    size_t n = (size_t)lab->state.spec.n_hosts + 1;
    int fds[SOCKETS_MAX];
    if (ct_lab_enter(lab, NULL) != CT_OK)
        _exit(1);
    for (size_t i = 0; i < n; i++) {
        char host[16];
        if (i > 0) {
            ct_lab_host_name((unsigned)i - 1, host);
            if (ct_lab_enter_host(lab->paths.ns, host, NULL) != CT_OK)
                _exit(1);
        }
        fds[i] = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
        if (fds[i] < 0)
            _exit(1);
    }
    union fd_message control = {.space = {0}};
    char byte = 0;
    struct iovec data = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = CMSG_SPACE(sizeof(int) * n)};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int) * n);
    memcpy(CMSG_DATA(head), fds, sizeof(int) * n);
    _exit(sendmsg(line, &message, 0) == 1 ? 0 : 1);
}

static enum ct_status open_sockets(struct ct_lab *lab, struct ct_error *err)
{
    size_t n = (size_t)lab->state.spec.n_hosts + 1;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return ct_fail(err, CT_EIO, "socket pair: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        open_inside(lab, ends[1]);
    close(ends[1]);
    union fd_message control;
    char byte;
    struct iovec data = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    ssize_t got = child > 0 ? recvmsg(ends[0], &message, MSG_CMSG_CLOEXEC) : -1;
    close(ends[0]);
    if (child > 0)
        ct_lab_wait(child);
    struct cmsghdr *head = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!head || head->cmsg_len != CMSG_LEN(sizeof(int) * n))
        return ct_fail(err, CT_EIO, "lab '%s': its counters cannot be reached", lab->paths.id);
    memcpy(lab->sockets, CMSG_DATA(head), sizeof(int) * n);
    struct timeval patience = {.tv_sec = 5};
    for (size_t i = 0; i < n; i++)
        setsockopt(lab->sockets[i], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return CT_OK;
}

/* ---- asking ---- */

typedef void visit_fn(const struct nlmsghdr *head, void *data);

/* One dump: send the request, hand every answer to visit. */
static enum ct_status dump_objects(int fd, int type, visit_fn *visit, void *data,
                                   struct ct_error *err)
{
    struct {
        struct nlmsghdr head;
        union {
            struct ifinfomsg link;
            struct tcmsg queue;
        } body;
    } request = {.head = {.nlmsg_len = NLMSG_LENGTH(type == RTM_GETLINK ? sizeof(struct ifinfomsg)
                                                                        : sizeof(struct tcmsg)),
                          .nlmsg_type = (__u16)type,
                          .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP}};
    if (send(fd, &request, request.head.nlmsg_len, 0) < 0)
        return ct_fail(err, CT_EIO, "counters: %s", strerror(errno));
    union {
        struct nlmsghdr head;
        char space[32768];
    } answer;
    for (;;) {
        ssize_t n = recv(fd, &answer, sizeof answer, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return ct_fail(err, CT_EIO, "counters: %s", strerror(errno));
        size_t left = (size_t)n;
        for (const struct nlmsghdr *head = &answer.head; NLMSG_OK(head, left);
             head = NLMSG_NEXT(head, left)) {
            if (head->nlmsg_type == NLMSG_DONE)
                return CT_OK;
            if (head->nlmsg_type == NLMSG_ERROR)
                return ct_fail(err, CT_EIO, "counters: the kernel refuses");
            visit(head, data);
        }
    }
}

/* In the namespace of the switches; numbers are given in the order in which devices are made. */
enum { INDEX_MAX = CT_LAB_SWITCHES_MAX + 4 * CT_LAB_HOSTS_MAX + 2 * CT_LAB_LINKS_MAX + 16 };

struct reading {
    struct ct_lab_counters *counters;
    struct ct_lab_flow *sent[INDEX_MAX]; /* by interface index: what leaves a switch there */
    size_t host;                         /* when a host is asked */
};

/* A port, whose other direction is counted there, too; or an end of a link between switches. */
static struct ct_lab_flow *flow_of(struct ct_lab_counters *counters, const char *name,
                                   struct ct_lab_flow **received_p)
{
    size_t port = name[0] == 'p' ? strtoul(name + 1, NULL, 10) : 0, link, end;
    if (port >= 1 && port <= counters->n_ports) {
        *received_p = &counters->port[port - 1].rx;
        return &counters->port[port - 1].tx;
    }
    if (ct_lab_link_of_device(name, &link, &end) && link < counters->n_links)
        return &counters->link[link].tx[end];
    return NULL;
}

static void visit_link(const struct nlmsghdr *head, void *data)
{
    struct reading *r = data;
    const struct ifinfomsg *link = NLMSG_DATA(head);
    size_t left = IFLA_PAYLOAD(head);
    struct ct_lab_flow *sent = NULL, *received = NULL;
    struct rtnl_link_stats64 stats = {0};
    for (const struct rtattr *a = IFLA_RTA(link); RTA_OK(a, left); a = RTA_NEXT(a, left)) {
        if (a->rta_type == IFLA_IFNAME)
            sent = flow_of(r->counters, RTA_DATA(a), &received);
        if (a->rta_type == IFLA_STATS64)
            memcpy(&stats, RTA_DATA(a),
                   RTA_PAYLOAD(a) < sizeof stats ? RTA_PAYLOAD(a) : sizeof stats);
    }
    if (!sent)
        return;
    size_t index = (size_t)link->ifi_index;
    if (index < INDEX_MAX)
        r->sent[index] = sent;
    *sent = (struct ct_lab_flow){
        .bytes = stats.tx_bytes, .packets = stats.tx_packets, .drops = stats.tx_dropped};
    if (received)
        *received = (struct ct_lab_flow){
            .bytes = stats.rx_bytes, .packets = stats.rx_packets, .drops = stats.rx_dropped};
}

static bool read_queue(const struct nlmsghdr *head, struct gnet_stats_queue *queue_p)
{
    const struct tcmsg *message = NLMSG_DATA(head);
    size_t left = TCA_PAYLOAD(head);
    bool found = false;
    if (message->tcm_parent != TC_H_ROOT)
        return false;
    for (const struct rtattr *a = TCA_RTA(message); RTA_OK(a, left); a = RTA_NEXT(a, left)) {
        if (a->rta_type != TCA_STATS2)
            continue;
        size_t inner_left = RTA_PAYLOAD(a);
        for (const struct rtattr *b = RTA_DATA(a); RTA_OK(b, inner_left);
             b = RTA_NEXT(b, inner_left))
            if (b->rta_type == TCA_STATS_QUEUE && RTA_PAYLOAD(b) >= sizeof *queue_p) {
                memcpy(queue_p, RTA_DATA(b), sizeof *queue_p);
                found = true;
            }
    }
    return found;
}

static void visit_switch_queue(const struct nlmsghdr *head, void *data)
{
    struct reading *r = data;
    const struct tcmsg *message = NLMSG_DATA(head);
    size_t index = (size_t)message->tcm_ifindex;
    struct gnet_stats_queue queue;
    if (index >= INDEX_MAX || !r->sent[index] || !read_queue(head, &queue))
        return;
    r->sent[index]->drops += queue.drops;
    r->sent[index]->backlog_bytes = queue.backlog;
}

/* In a host only eth0 is shaped by us; what else has a queue has an empty one. */
static void visit_card_queue(const struct nlmsghdr *head, void *data)
{
    struct reading *r = data;
    struct gnet_stats_queue queue;
    if (!read_queue(head, &queue))
        return;
    struct ct_lab_flow *flow = &r->counters->port[r->host].rx;
    flow->drops += queue.drops;
    flow->backlog_bytes += queue.backlog;
}

enum ct_status ct_lab_counters_read(struct ct_lab *lab, struct ct_lab_counters *counters_p,
                                    struct ct_error *err)
{
    if (!ct_lab_alive(lab))
        return ct_lab_fail_ended(lab, err);
    enum ct_status status = lab->sockets[0] < 0 ? open_sockets(lab, err) : CT_OK;
    struct ct_lab_counters counters = {.n_ports = lab->plan->n_hosts,
                                       .n_links = lab->plan->n_links};
    struct reading r = {.counters = &counters};
    counters.time_s = ct_clock_now_s();
    if (status == CT_OK)
        status = dump_objects(lab->sockets[0], RTM_GETLINK, visit_link, &r, err);
    if (status == CT_OK)
        status = dump_objects(lab->sockets[0], RTM_GETQDISC, visit_switch_queue, &r, err);
    for (r.host = 0; r.host < counters.n_ports && status == CT_OK; r.host++)
        status = dump_objects(lab->sockets[r.host + 1], RTM_GETQDISC, visit_card_queue, &r, err);
    if (status == CT_OK)
        *counters_p = counters;
    return status;
}

static struct ct_lab_flow subtract_flow(const struct ct_lab_flow *before,
                                        const struct ct_lab_flow *after)
{
    return (struct ct_lab_flow){.bytes = after->bytes - before->bytes,
                                .packets = after->packets - before->packets,
                                .drops = after->drops - before->drops,
                                .backlog_bytes = after->backlog_bytes};
}

struct ct_lab_load ct_lab_load(const struct ct_lab *lab, const struct ct_lab_counters *before,
                               const struct ct_lab_counters *after, size_t port)
{
    struct ct_lab_load load = {
        .interval_s = after->time_s - before->time_s, .tx_busy_frac = NAN, .rx_busy_frac = NAN};
    load.delta.tx = subtract_flow(&before->port[port].tx, &after->port[port].tx);
    load.delta.rx = subtract_flow(&before->port[port].rx, &after->port[port].rx);
    double capacity_bytes = load.interval_s * lab->state.spec.rate_bit_per_s / 8;
    if (capacity_bytes > 0) {
        load.tx_busy_frac = (double)load.delta.tx.bytes / capacity_bytes;
        load.rx_busy_frac = (double)load.delta.rx.bytes / capacity_bytes;
    }
    return load;
}

/* In one direction of a port. */
static uint64_t most_moved_bytes(const struct ct_lab_counters *before,
                                 const struct ct_lab_counters *after)
{
    uint64_t most = 0;
    for (size_t i = 0; i < after->n_ports; i++) {
        uint64_t tx = after->port[i].tx.bytes - before->port[i].tx.bytes;
        uint64_t rx = after->port[i].rx.bytes - before->port[i].rx.bytes;
        most = tx > most ? tx : most;
        most = rx > most ? rx : most;
    }
    return most;
}

enum ct_lab_traffic ct_lab_traffic(const struct ct_lab_counters *before,
                                   const struct ct_lab_counters *after)
{
    /* UCX takes 586 B in 8 packets for another host; with one message of 4 B, 757 B in 10. */
    enum { CONNECTION_BYTES = 700 };
    size_t n_others = after->n_ports > 1 ? after->n_ports - 1 : 1;
    uint64_t most = most_moved_bytes(before, after);
    if (most == 0)
        return CT_LAB_TRAFFIC_NONE;
    return most <= CONNECTION_BYTES * n_others ? CT_LAB_TRAFFIC_CONNECTIONS
                                               : CT_LAB_TRAFFIC_MESSAGES;
}

struct ct_lab_link_load ct_lab_link_load(const struct ct_lab *lab,
                                         const struct ct_lab_counters *before,
                                         const struct ct_lab_counters *after, size_t link,
                                         size_t end)
{
    struct ct_lab_link_load load = {
        .delta = subtract_flow(&before->link[link].tx[end], &after->link[link].tx[end]),
        .interval_s = after->time_s - before->time_s,
        .busy_frac = NAN};
    double capacity_bytes = load.interval_s * lab->state.spec.uplink_bit_per_s / 8;
    if (capacity_bytes > 0)
        load.busy_frac = (double)load.delta.bytes / capacity_bytes;
    return load;
}
