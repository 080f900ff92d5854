/**
 * The emulated switch: one network namespace per host, joined by a bridge whose ports and network
 * cards are shaped to the same rate. Or several switches: a bridge each, with shaped links between
 * them, and static forwarding by destination (lab/plan.h).
 *
 * A lab is one holder process, pid 1 of a PID namespace that has its own network, mount, UTS and
 * IPC namespaces (and, without root, its own user namespace). Everything of the lab, processes as
 * well as interfaces, is in there; when the holder ends, the kernel removes all of it. Nothing
 * appears in the machine's own namespaces, so labs with different names exist side by side with the
 * same addresses.
 *
 *     struct ct_error err;
 *     struct ct_lab_spec spec = CT_LAB_SPEC_DEFAULT;
 *     struct ct_lab *lab;
 *     if (ct_lab_up("default", &spec, NULL, &err) == CT_OK &&
 *         ct_lab_open("default", &lab, &err) == CT_OK) {
 *         struct ct_lab_counters before, after;
 *         ct_lab_counters_read(lab, &before, &err);
 *         ... a run ...
 *         ct_lab_counters_read(lab, &after, &err);
 *         struct ct_lab_load load = ct_lab_load(lab, &before, &after, 0);
 *         ct_lab_close(lab);
 *     }
 *
 * Functions fork, and so belong into single-threaded programs. A lab handle is used by one thread.
 */
#pragma once

#include "core/mpi_kind.h"
#include "core/status.h"
#include "lab/delay.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CT_LAB_ID_MAX 32 /**< longest name with its NUL */
#define CT_LAB_HOSTS_MAX 64
#define CT_LAB_OWNER_MAX 40
#define CT_LAB_MACHINE_MAX 16
#define CT_LAB_TOPOLOGY_MAX 48 /**< longest text of a topology with its NUL */
#define CT_LAB_LINKS_MAX 256   /**< between switches */
#define CT_LAB_ID_DEFAULT "default"
#define CT_LAB_ID_VARIABLE "CROSSTALK_LAB"      /**< environment: name of the lab */
#define CT_LAB_DIR_VARIABLE "CROSSTALK_LAB_DIR" /**< environment: where the state files are */

/** The order in which a port, or a network card, serves waiting packets. */
enum ct_lab_queue {
    CT_LAB_ROUND_ROBIN, /**< one queue per source (switch) or destination (card), served in turn */
    CT_LAB_FIFO         /**< one queue per port */
};

/** Of a lab that imitates a machine; a dilation of 0: it imitates none. See lab/like.h. */
struct ct_lab_like {
    char machine[CT_LAB_MACHINE_MAX]; /**< name in topology/machine.h */
    double dilation;                  /**< factor of all times */
    double link_latency_s; /**< added by every link between switches, each direction; 0: none */
    double overhead_s;     /**< of a message, of its sender and of its receiver */
};

struct ct_lab_spec {
    uint64_t n_hosts;      /**< 2..CT_LAB_HOSTS_MAX; named h1, h2, ... */
    double rate_bit_per_s; /**< of every port and card, each direction, Ethernet headers counted */
    char topology[CT_LAB_TOPOLOGY_MAX]; /**< of several switches, as ct_lab_spec_topology() leaves
                                           it: "tree:4x4,2"; "": one switch */
    double uplink_bit_per_s; /**< of every link between switches; 0 and of no meaning with one */
    enum ct_lab_queue queue;
    size_t queue_limit_bytes;  /**< per queue; beyond it packets are dropped */
    struct ct_lab_delay delay; /**< added between every port and its host */
    struct ct_lab_like like;
    char
        owner[CT_LAB_OWNER_MAX]; /**< mark of the builder, to recognize the lab; no white space; may
                                    be "". It does not count in comparisons of specifications. */
};
#define CT_LAB_SPEC_DEFAULT                                                                        \
    ((struct ct_lab_spec){.n_hosts = 8,                                                            \
                          .rate_bit_per_s = 50e6,                                                  \
                          .queue = CT_LAB_ROUND_ROBIN,                                             \
                          .queue_limit_bytes = (size_t)4 << 20})

/** "round-robin", "fifo", NULL; indexed by enum ct_lab_queue. */
extern const char *const ct_lab_queue_names[];

/** Bytes that an unused port of this rate lets pass at once: the bucket of its shaper. */
double ct_lab_burst_bytes(double rate_bit_per_s);

/**
 * Set the switches of a specification: number of hosts, topology, rate of the links between
 * switches.
 * @param text              [in] see topology/spec.h; "switch:N": one switch
 * @param spines            [in] of a tree; 0: as in the text, or 1
 * @param uplink_bit_per_s  [in] NaN: spec->rate_bit_per_s
 * @param spec              [in,out] with its rate; n_hosts: 0, or as many as the text must have;
 *                          unchanged on error
 * @return CT_OK; CT_EUSAGE (no such topology, or one that does not go with the other values);
 *         CT_EINVAL (not possible in a lab; the message names the limit); CT_ENOMEM
 */
enum ct_status ct_lab_spec_topology(const char *text, uint64_t spines, double uplink_bit_per_s,
                                    struct ct_lab_spec *spec, struct ct_error *err);

/** What adds the latency. */
enum ct_lab_delay_by {
    CT_LAB_DELAY_NONE,
    CT_LAB_DELAY_LINE, /**< a process of the lab; the lab ends with it */
    CT_LAB_DELAY_NETEM /**< the kernel, where it has netem; counts no lateness */
};

/** "none", "delay line", "netem", NULL; indexed by enum ct_lab_delay_by. */
extern const char *const ct_lab_delay_names[];

struct ct_lab; /**< handle of a lab that exists */

/**
 * Build a lab: all or nothing, also when this process is killed in the middle. An existing lab of
 * the same owner that differs only in its delay gets the new delay.
 * @param id       [in]  letters, digits, '-' and '_'; NULL: $CROSSTALK_LAB or "default"
 * @param existed_p  [out] may be NULL; true: a lab with this name and specification existed already
 * @return CT_OK; CT_EINVAL; CT_EEXIST (exists with another specification); CT_EUNSUPPORTED (a tool,
 *         a kernel feature or a permission is missing; the message names the remedy); CT_ETIMEOUT
 *         (another up or down of the same user does not end); CT_EIO; CT_ECHILD
 */
enum ct_status ct_lab_up(const char *id, const struct ct_lab_spec *spec, bool *existed_p,
                         struct ct_error *err);

/**
 * End every process of a lab and remove it; returns when the last process is gone.
 * @param existed_p  [out] may be NULL; false: there was no lab (files that a dead lab has left are
 *                         removed)
 * @return CT_OK; CT_EINVAL (id); CT_ETIMEOUT (a process does not end); CT_EIO
 */
enum ct_status ct_lab_down(const char *id, bool *existed_p, struct ct_error *err);

/**
 * Handle of a lab that exists; free with ct_lab_close(), which does not end the lab.
 * @return CT_OK; CT_ENOENT (there is none of this name); CT_EINVAL; CT_ENOMEM; CT_EIO
 */
enum ct_status ct_lab_open(const char *id, struct ct_lab **lab_p, struct ct_error *err);
void ct_lab_close(struct ct_lab *lab);

const char *ct_lab_id(const struct ct_lab *lab);
struct ct_lab_spec ct_lab_spec_of(const struct ct_lab *lab);
struct ct_lab_plan;
/** Switches and links, see lab/plan.h; borrowed. */
const struct ct_lab_plan *ct_lab_plan_of(const struct ct_lab *lab);
/** Owner, see struct ct_lab_spec. */
const char *ct_lab_owner(const struct ct_lab *lab);
pid_t ct_lab_holder(const struct ct_lab *lab);
/** False once the holder has ended. */
bool ct_lab_alive(const struct ct_lab *lab);
/**
 * Check that a lab works: its holder runs, every host can be entered and is linked to its switch,
 * and switches are linked to each other.
 * @return CT_OK; CT_ENOENT (it has ended, or a host has); CT_EIO (the message names the host or the
 *         link); CT_ECHILD
 */
enum ct_status ct_lab_check(const struct ct_lab *lab, struct ct_error *err);
/**
 * Congestion control of TCP in the lab: "reno", or what the host has where that cannot be set;
 * "unknown": /proc does not say.
 */
const char *ct_lab_congestion_control(const struct ct_lab *lab);
/** Packets that a connection on the measured network may have under way from its start, if the
 * receiver takes as many. */
enum { CT_LAB_TCP_WINDOW_PACKETS = 400 };
/** True if the lab has its own user namespace (was started without root). */
bool ct_lab_unprivileged(const struct ct_lab *lab);

/** "h3" for index 2, and its address on the measured or the management network. */
void ct_lab_host_name(unsigned host, char text[16]);
void ct_lab_host_address(unsigned host, char text[16]);
void ct_lab_management_address(unsigned host, char text[16]);

/* ---- latency ---- */

enum ct_lab_delay_by ct_lab_delay_by(const struct ct_lab *lab);
/** Whether the delay line has a real-time priority. Without it other programs delay it. */
bool ct_lab_delay_is_real_time(const struct ct_lab *lab);
/**
 * How much earlier than a packet is due the delay line's sleep is set to end, seconds; NaN: there
 * is no delay line.
 */
double ct_lab_delay_lead_s(struct ct_lab *lab);

/**
 * Change the latency of a lab that has one, for packets that arrive from now on; returns when the
 * change is made.
 * @return CT_OK; CT_EINVAL; CT_EUNSUPPORTED (it was built without a latency); CT_ENOENT (the lab is
 *         gone); CT_ETIMEOUT; CT_EIO
 */
enum ct_status ct_lab_delay_set(struct ct_lab *lab, const struct ct_lab_delay *delay,
                                struct ct_error *err);

/**
 * How late packets left the delay line, since the lab was built.
 * @return CT_OK; CT_EUNSUPPORTED (there is no delay line); CT_ENOENT (the lab is gone);
 * CT_ETIMEOUT; CT_EIO
 */
enum ct_status ct_lab_late_read(struct ct_lab *lab, struct ct_lab_late *late_p,
                                struct ct_error *err);

/* ---- counters ---- */

/** One direction of a link, since the lab was built. */
struct ct_lab_flow {
    uint64_t bytes; /**< passed on, Ethernet header (14 bytes) included */
    uint64_t packets;
    uint64_t drops;         /**< lost because a queue was full */
    uint64_t backlog_bytes; /**< waiting at this moment */
};

/** A switch port with the host at its other end. */
struct ct_lab_port {
    struct ct_lab_flow tx; /**< switch to host; queues at the switch port */
    struct ct_lab_flow rx; /**< host to switch; queues in the host's network card */
};

/** A link between two switches. */
struct ct_lab_link {
    struct ct_lab_flow tx[2]; /**< what leaves each of its ends, where it also queues */
};

struct ct_lab_counters {
    double time_s; /**< CLOCK_MONOTONIC */
    size_t n_ports;
    struct ct_lab_port port[CT_LAB_HOSTS_MAX];
    size_t n_links; /**< between switches, as in the plan of the lab */
    struct ct_lab_link link[CT_LAB_LINKS_MAX];
};

/**
 * Read all counters; no process is started after the first call. Takes 1 ms with 8 hosts, and up to
 * some 20 ms with 64 whose ports serve queues in turn.
 * @return CT_OK; CT_ENOENT (the lab is gone); CT_EIO
 */
enum ct_status ct_lab_counters_read(struct ct_lab *lab, struct ct_lab_counters *counters_p,
                                    struct ct_error *err);

/** Difference of two readings at one port. */
struct ct_lab_load {
    struct ct_lab_port delta; /**< backlog: as in the second reading */
    double interval_s;
    double tx_busy_frac, rx_busy_frac; /**< bytes * 8 / (rate * interval); NaN if no time passed */
};

/** @param port  [in] index, 0..n_hosts-1 */
struct ct_lab_load ct_lab_load(const struct ct_lab *lab, const struct ct_lab_counters *before,
                               const struct ct_lab_counters *after, size_t port);

enum ct_lab_traffic {
    CT_LAB_TRAFFIC_NONE,
    CT_LAB_TRAFFIC_CONNECTIONS, /**< few bytes, which may be those of opening connections only, and
                                   messages went another way. Programs that send a few small
                                   messages look alike */
    CT_LAB_TRAFFIC_MESSAGES
};

/** What has passed the ports between two readings. */
enum ct_lab_traffic ct_lab_traffic(const struct ct_lab_counters *before,
                                   const struct ct_lab_counters *after);

/** Difference of two readings at one end of a link between switches. */
struct ct_lab_link_load {
    struct ct_lab_flow delta;
    double interval_s;
    double busy_frac; /**< bytes * 8 / (rate of such links * interval); NaN if no time passed */
};

/**
 * @param link  [in] index, 0..n_links-1
 * @param end   [in] 0 or 1: that at which packets leave
 */
struct ct_lab_link_load ct_lab_link_load(const struct ct_lab *lab,
                                         const struct ct_lab_counters *before,
                                         const struct ct_lab_counters *after, size_t link,
                                         size_t end);

/* ---- processes ---- */

struct ct_lab_process {
    pid_t pid; /**< as the caller's PID namespace sees it */
    char name[32];
};

/**
 * Live processes of the lab besides its holder and its delay line; zombies are not alive.
 * @param list_p  [out] to be freed by the caller; NULL if there are none
 * @return CT_OK; CT_ENOENT (the lab has ended); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_lab_processes(const struct ct_lab *lab, struct ct_lab_process **list_p,
                                size_t *n_p, struct ct_error *err);

/**
 * Send SIGKILL to every process of the lab but its holder and its delay line; returns when they
 * have ended.
 * @return CT_OK; CT_ETIMEOUT (one did not go within 10 s, the message names it); CT_EIO; CT_ENOENT
 */
enum ct_status ct_lab_kill_all(const struct ct_lab *lab, struct ct_error *err);

/* ---- running programs ---- */

struct ct_lab_exec {
    const char *host;  /**< "h3"; NULL: at the switch */
    char *const *argv; /**< NULL-terminated */
    double deadline_s; /**< 0: none; then SIGTERM, after grace_s SIGKILL, exit code 124 */
    double grace_s;
    bool mpiexec; /**< argv is a process manager: signals reach its ranks, once */
};

/**
 * Run a program inside a lab and wait. It gets its own PID namespace in the lab: when it ends, or
 * when this process is killed, everything it started ends too. SIGINT, SIGTERM, SIGHUP, SIGQUIT,
 * SIGUSR1 and SIGUSR2 are passed on; this process does not end by them meanwhile.
 * @param exit_code_p  [out] of the program, or 128 + number of the signal that ended it
 */
enum ct_status ct_lab_exec(const struct ct_lab *lab, const struct ct_lab_exec *exec,
                           int *exit_code_p, struct ct_error *err);

/** An MPI program on the hosts of a lab. */
struct ct_lab_launch {
    uint64_t n_ranks;        /**< 0: all slots */
    uint64_t ranks_per_host; /**< slots per host; ranks fill a host before the next; 0 means 1 */
    const char *hosts;       /**< "h1,h2"; NULL: all */
    enum ct_mpi mpi;         /**< of a program whose MPI is unknown, see core/mpi_kind.h */
    const char *mpiexec;     /**< launcher for programs of its MPI; NULL: see core/mpi_kind.h */
    double deadline_s;       /**< see struct ct_lab_exec */
    double grace_s;
    char *const *program; /**< NULL-terminated */
};

/**
 * Command line of `crosstalk lab mpiexec`, without a shell, for a caller that starts it (with
 * posix_spawn), signals it and waits for it.
 * Notes are not printed.
 * @param crosstalk  [in]  path of the crosstalk program; NULL: /proc/self/exe
 * @param argv_p     [out] NULL-terminated, one allocation, to be freed by the caller
 */
enum ct_status ct_lab_command(const struct ct_lab *lab, const struct ct_lab_launch *launch,
                              const char *crosstalk, char ***argv_p, struct ct_error *err);

/**
 * Command line of the process manager inside the lab, that of the program's MPI, and the
 * environment it needs, which is set in this process. For ct_lab_exec().
 * @param preload  [in]  path of libcrosstalk-lab.so; NULL: found beside this program
 * @param argv_p   [out] as above
 */
enum ct_status ct_lab_mpiexec(const struct ct_lab *lab, const struct ct_lab_launch *launch,
                              const char *preload, char ***argv_p, struct ct_error *err);

/** Number of hosts that a launch has ranks on. */
size_t ct_lab_launch_hosts(const struct ct_lab *lab, const struct ct_lab_launch *launch);

/**
 * Variables of the environment that have other values in programs of a lab, since messages would
 * pass by its switch: "UCX_TLS=all (in the lab: tcp,self)", separated by commas. Before
 * ct_lab_mpiexec(), which sets them.
 * @param mpi  [in] of the programs; CT_MPI_UNKNOWN: any
 * @return to be freed by the caller; NULL: none, or out of memory
 */
char *ct_lab_replaced(enum ct_mpi mpi);

/**
 * The command that the process manager starts for each host instead of rsh: enter the host, and
 * execute the command line.
 * @param argv  [in] host, then words of a command line for a shell; NULL-terminated
 * @return only on error
 */
enum ct_status ct_lab_rsh(char *const *argv, struct ct_error *err);
