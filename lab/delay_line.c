/*
 * The delay line. Between a switch port and its host are two links:
 *
 *     bridge - p1 = d1 -> this process -> w1 = eth0 (host)
 *                   d1 <---- kernel ----- w1
 *
 * Between two switches, where such links have a latency, are four devices, and both directions go
 * by this process:
 *
 *     bridge - u1a = e1a -> this process -> e1b = u1b - bridge
 *
 * Packets to the host wait in the receive ring of d1 (TPACKET_V2), with the kernel's stamp of their
 * arrival, until they are due; then they are sent from there. The ring is the queue: nothing is
 * copied or sorted. One thread serves all ports. It may sleep until the first packet is due, for
 * what arrives meanwhile is due at least the shortest delay later.
 */
#include "lab/delay_line.h"

#include "core/clock.h"
#include "core/random.h"
#include "lab/internal.h"
#include "lab/plan.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    FRAME_BYTES = 2048, /* a packet of 1514 bytes and what the kernel writes before it */
    FRAMES_LEAST = 512,
    FRAMES_MIN = 4096, /* 512 of them overflowed with acknowledgements at 50 Mbit/s */
    FRAMES_MAX = 16384,
    BLOCK_BYTES = 1 << 16,
    PRIORITY = 20,
    LEAD_SLEEPS = 41
};
/* Room in a ring for what arrives while a packet is held, and while this process has to wait. */
static const double wait_max_s = 50e-3;
static const double packet_bytes = 1514, acknowledgement_bytes = 66;
static const int64_t look_ns = 20000000; /* at the page, when nothing arrives */
static const int64_t lead_sleep_ns = 500000;
static const uint64_t seed = 77;

struct port {
    char from[CT_LAB_DEVICE_MAX], to[CT_LAB_DEVICE_MAX]; /* dN and wN, or ends of a link */
    bool is_link;
    int in, out; /* their sockets */
    unsigned char *ring;
    unsigned n_frames, head; /* the frame that is due first */
    bool is_known;           /* when that is */
    int64_t due_ns;          /* CLOCK_MONOTONIC */
    struct ct_lab_delay_order order;
};

struct line {
    struct ct_lab_delay_page *page;
    struct ct_lab_delay delay, link_delay; /* to hosts; between switches */
    double byte_ns; /* added for every byte of a packet to a host, see lab/like.h; 0: nothing */
    int64_t shortest_ns;
    struct ct_lab_delay_lead lead;
    struct port port[CT_LAB_DELAY_PORTS_MAX];
    struct pollfd arrival[CT_LAB_DELAY_PORTS_MAX];
    size_t n;
};

static int64_t now_ns(void)
{
    return (int64_t)ct_clock_now_ns();
}

/* ---- setting up ---- */

static enum ct_status fail_port(const char *device, const char *what, struct ct_error *err)
{
    return ct_fail(err, errno == ENOPROTOOPT ? CT_EUNSUPPORTED : CT_EIO,
                   "delay line: %s: %s: %s; kernel option CONFIG_PACKET", device, what,
                   strerror(errno));
}

static bool bind_to(int fd, const char *device, int protocol)
{
    struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                  .sll_protocol = htons((uint16_t)protocol),
                                  .sll_ifindex = (int)if_nametoindex(device)};
    return address.sll_ifindex > 0 &&
           bind(fd, (const struct sockaddr *)&address, sizeof address) == 0;
}

static unsigned count_frames(const struct ct_lab_spec *spec)
{
    double held_bytes = spec->rate_bit_per_s / 8 * (CT_LAB_LATENCY_MAX_S + wait_max_s);
    unsigned n = FRAMES_LEAST;
    while ((n < FRAMES_MAX && n < held_bytes / packet_bytes) ||
           (n < FRAMES_MIN && n < held_bytes / acknowledgement_bytes))
        n *= 2;
    return n;
}

static enum ct_status open_in(struct port *port, struct ct_error *err)
{
    const int version = TPACKET_V2, on = 1;
    const unsigned bytes = port->n_frames * FRAME_BYTES;
    const struct tpacket_req request = {.tp_block_size = BLOCK_BYTES,
                                        .tp_block_nr = bytes / BLOCK_BYTES,
                                        .tp_frame_size = FRAME_BYTES,
                                        .tp_frame_nr = port->n_frames};
    port->in = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (port->in < 0)
        return fail_port(port->from, "no packet socket", err);
    if (setsockopt(port->in, SOL_PACKET, PACKET_VERSION, &version, sizeof version) != 0 ||
        setsockopt(port->in, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on) != 0 ||
        setsockopt(port->in, SOL_PACKET, PACKET_RX_RING, &request, sizeof request) != 0)
        return fail_port(port->from, "no receive ring", err);
    void *ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, port->in, 0);
    if (ring == MAP_FAILED)
        return fail_port(port->from, "its receive ring cannot be mapped", err);
    port->ring = ring;
    return bind_to(port->in, port->from, ETH_P_ALL) ? CT_OK
                                                    : fail_port(port->from, "not bound", err);
}

static enum ct_status open_out(struct port *port, struct ct_error *err)
{
    const int on = 1;
    port->out = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (port->out < 0 ||
        setsockopt(port->out, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on) != 0)
        return fail_port(port->to, "no packet socket", err);
    return bind_to(port->out, port->to, 0) ? CT_OK : fail_port(port->to, "not bound", err);
}

/* Older C libraries have neither the call nor its argument. */
struct fair_slice {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t slice_ns, deadline_ns, period_ns;
};

/* Ahead of ranks that compute: by a real-time priority, or by the shortest slice there is. Either
   has effect on kernels that know it, and is measured by the lateness in any case. */
static bool get_ahead(void)
{
    struct sched_param priority = {.sched_priority = PRIORITY};
    (void)prctl(PR_SET_TIMERSLACK, 1);
    (void)mlockall(MCL_CURRENT | MCL_FUTURE);
    if (sched_setscheduler(0, SCHED_FIFO, &priority) == 0)
        return true;
    struct fair_slice slice = {
        .size = sizeof slice, .policy = SCHED_OTHER, .slice_ns = 100000 /* the least allowed */};
    if (syscall(SYS_sched_setattr, 0, &slice, 0) != 0)
        fprintf(stderr, "delay line: neither real-time priority nor a short slice: %s\n",
                strerror(errno));
    return false;
}

static int64_t sleep_until(int64_t time_ns)
{
    struct timespec until = {.tv_sec = time_ns / 1000000000, .tv_nsec = time_ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        continue;
    return now_ns();
}

static void calibrate_line(struct line *line)
{
    double late_ns[LEAD_SLEEPS];
    for (size_t i = 0; i < LEAD_SLEEPS; i++) {
        int64_t wanted_ns = now_ns() + lead_sleep_ns;
        late_ns[i] = (double)(sleep_until(wanted_ns) - wanted_ns);
    }
    ct_lab_delay_lead_begin(&line->lead, late_ns, LEAD_SLEEPS);
}

/* Ports of hosts, then both directions of links between switches. */
static enum ct_status name_ports(const struct ct_lab_spec *spec, struct line *line,
                                 struct ct_error *err)
{
    struct ct_lab_plan *plan;
    CT_TRY(ct_lab_plan_new(spec, &plan, err));
    for (; line->n < plan->n_hosts; line->n++) {
        struct port *port = &line->port[line->n];
        snprintf(port->from, sizeof port->from, "d%u", (unsigned)line->n + 1);
        snprintf(port->to, sizeof port->to, "w%u", (unsigned)line->n + 1);
    }
    line->link_delay.latency_s = spec->like.link_latency_s;
    if (spec->like.dilation > 0)
        line->byte_ns = 8e9 / spec->rate_bit_per_s;
    for (unsigned i = 0; i < 2 * plan->n_links && spec->like.link_latency_s > 0; i++, line->n++) {
        struct port *port = &line->port[line->n];
        port->is_link = true;
        ct_lab_held_device(i / 2, i % 2, port->from);
        ct_lab_held_device(i / 2, !(i % 2), port->to);
    }
    free(plan);
    return CT_OK;
}

static enum ct_status open_line(const char *ns, const struct ct_lab_spec *spec, struct line *line,
                                struct ct_error *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" CT_LAB_DELAY_PAGE, ns);
    enum ct_status status = ct_lab_delay_page_map(path, &line->page, err);
    if (status == CT_OK)
        status = name_ports(spec, line, err);
    for (size_t i = 0; i < line->n && status == CT_OK; i++) {
        struct port *port = &line->port[i];
        port->n_frames = count_frames(spec);
        port->order =
            (struct ct_lab_delay_order){.last_due_ns = INT64_MIN, .random = ct_random_at(seed, i)};
        status = open_in(port, err);
        if (status == CT_OK)
            status = open_out(port, err);
        line->arrival[i] = (struct pollfd){.fd = port->in, .events = POLLIN};
    }
    if (status != CT_OK)
        return status;
    line->page->is_real_time = get_ahead();
    calibrate_line(line);
    return CT_OK;
}

/* ---- at work ---- */

static void count_ring_drops(struct line *line)
{
    for (size_t i = 0; i < line->n; i++) {
        struct tpacket_stats seen; /* since the last time */
        socklen_t size = sizeof seen;
        if (getsockopt(line->port[i].in, SOL_PACKET, PACKET_STATISTICS, &seen, &size) == 0)
            line->page->ring_drops += seen.tp_drops;
    }
}

static void serve_line(struct line *line)
{
    uint64_t request = line->page->request;
    if (request == line->page->answer && line->shortest_ns > 0)
        return;
    ct_lab_delay_page_read(line->page, &line->delay);
    line->shortest_ns = ct_lab_delay_shortest_ns(&line->delay);
    if (line->link_delay.latency_s > 0 &&
        ct_lab_delay_shortest_ns(&line->link_delay) < line->shortest_ns)
        line->shortest_ns = ct_lab_delay_shortest_ns(&line->link_delay);
    line->page->lead_s = 1e-9 * line->lead.lead_ns;
    count_ring_drops(line);
    line->page->answer = request;
}

static struct tpacket2_hdr *frame_at_head(const struct port *port)
{
    void *frame = port->ring + (size_t)port->head * FRAME_BYTES;
    struct tpacket2_hdr *head = frame;
    return __atomic_load_n(&head->tp_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER ? head : NULL;
}

/* The kernel stamps by the clock of dates. It may be set while a packet is on its way: an arrival
   is not later than now, and not so long ago that somebody would have slept for ever. */
static int64_t arrival_ns(const struct tpacket2_hdr *head, int64_t now, int64_t ahead_ns)
{
    int64_t stamp = (int64_t)head->tp_sec * 1000000000 + head->tp_nsec - ahead_ns;
    int64_t oldest = now - (int64_t)(1e9 * (CT_LAB_LATENCY_MAX_S + 20 * wait_max_s));
    return stamp > now ? now : stamp < oldest ? oldest : stamp;
}

static void release_frame(struct port *port, struct tpacket2_hdr *head)
{
    __atomic_store_n(&head->tp_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
    port->head = port->head + 1 == port->n_frames ? 0 : port->head + 1;
    port->is_known = false;
}

static void pass_on(struct line *line, struct port *port, struct tpacket2_hdr *head, int64_t now)
{
    const unsigned char *packet = (const unsigned char *)head + head->tp_mac;
    if (send(port->out, packet, head->tp_snaplen, MSG_DONTWAIT) < 0)
        line->page->send_drops++;
    else
        line->page->packets[ct_lab_late_bin(now - port->due_ns)]++;
    release_frame(port, head);
}

static int64_t due_ns(const struct line *line, struct port *port, const struct tpacket2_hdr *head,
                      int64_t arrival)
{
    arrival += line->page->later_ns[port - line->port];
    if (port->is_link)
        return ct_lab_delay_due_ns(&port->order, &line->link_delay, arrival);
    int64_t transfer_ns = (int64_t)(line->byte_ns * head->tp_snaplen);
    return ct_lab_delay_due_ns(&port->order, &line->delay, arrival + transfer_ns);
}

/* One packet of each port that is due. @return whether there was one */
static bool send_due(struct line *line, int64_t *next_ns_p)
{
    bool any = false;
    int64_t now = now_ns();
    int64_t ahead_ns = (int64_t)ct_clock_unix_ns() - now;
    int64_t next_ns = INT64_MAX;
    for (size_t i = 0; i < line->n; i++) {
        struct port *port = &line->port[i];
        struct tpacket2_hdr *head = frame_at_head(port);
        if (!head)
            continue;
        if (!port->is_known) {
            port->due_ns = due_ns(line, port, head, arrival_ns(head, now, ahead_ns));
            port->is_known = true;
        }
        if (port->due_ns <= now) {
            pass_on(line, port, head, now);
            any = true;
            now = now_ns();
        } else if (port->due_ns < next_ns) {
            next_ns = port->due_ns;
        }
    }
    *next_ns_p = next_ns;
    return any;
}

/* A socket whose device is gone would wake us for ever. */
static void clear_errors(struct line *line)
{
    for (size_t i = 0; i < line->n; i++)
        if (line->arrival[i].revents & POLLERR) {
            int cause;
            socklen_t size = sizeof cause;
            getsockopt(line->arrival[i].fd, SOL_SOCKET, SO_ERROR, &cause, &size);
        }
}

static void wait_for_arrival(struct line *line)
{
    const struct timespec look = {.tv_nsec = look_ns};
    if (ppoll(line->arrival, line->n, &look, NULL) > 0)
        clear_errors(line);
}

static void run_for_ever(struct line *line)
{
    for (;;) {
        int64_t next_ns;
        serve_line(line);
        int64_t seen_ns = now_ns();
        if (send_due(line, &next_ns))
            continue;
        if (next_ns == INT64_MAX) {
            wait_for_arrival(line);
            continue;
        }
        /* What arrived since then on a port that was empty is due no earlier than this. */
        int64_t limit_ns = seen_ns + line->shortest_ns;
        bool is_due = next_ns <= limit_ns;
        int64_t wake_ns = is_due ? next_ns : limit_ns;
        int64_t ask_ns = wake_ns - (int64_t)line->lead.lead_ns;
        if (ask_ns <= now_ns())
            continue;
        int64_t woke_ns = sleep_until(ask_ns);
        if (is_due)
            ct_lab_delay_lead_learn(&line->lead, woke_ns - wake_ns);
    }
}

/* ---- the process ---- */

struct answer {
    bool is_ready, is_real_time;
    struct ct_error error;
};

static void be_line(const char *ns, const struct ct_lab_spec *spec, int out)
{
    static struct line line; /* too large for some stacks; zeroed */
    struct answer answer = {0};
    prctl(PR_SET_NAME, CT_LAB_DELAY_NAME);
    /* Of the holder's descriptors it keeps none: others learn from them that the holder is gone. */
    if (dup2(out, STDERR_FILENO + 1) < 0)
        _exit(1);
    out = STDERR_FILENO + 1;
    close_range(STDERR_FILENO + 2, ~0U, 0);
    answer.is_ready = open_line(ns, spec, &line, &answer.error) == CT_OK;
    answer.is_real_time = answer.is_ready && line.page->is_real_time;
    if (write(out, &answer, sizeof answer) != (ssize_t)sizeof answer || !answer.is_ready)
        _exit(1);
    close(out);
    run_for_ever(&line);
}

enum ct_status ct_lab_delay_start(const char *ns, const struct ct_lab_spec *spec, pid_t *pid_p,
                                  bool *real_time_p, struct ct_error *err)
{
    int ends[2];
    struct answer answer;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ct_fail(err, CT_EIO, "pipe: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0)
        be_line(ns, spec, ends[1]);
    close(ends[1]);
    ssize_t n = pid > 0 ? read(ends[0], &answer, sizeof answer) : -1;
    close(ends[0]);
    if (n != (ssize_t)sizeof answer)
        return ct_fail(err, CT_ECHILD, "delay line: its process cannot be started");
    if (!answer.is_ready) {
        *err = answer.error;
        return answer.error.status;
    }
    *pid_p = pid;
    *real_time_p = answer.is_real_time;
    return CT_OK;
}
