/** Internal to lab: functions and types that its files share. */
#pragma once

#include "lab/lab.h"

#include <limits.h>
#include <stdio.h>

/* ---- state.c: where a lab is recorded ---- */

struct ct_lab_paths {
    char id[CT_LAB_ID_MAX];
    char base[PATH_MAX / 2];
    bool base_is_ours; /**< not chosen by the user: removed when empty */
    char dir[PATH_MAX / 2 + 40];
    char state[PATH_MAX / 2 + 60];
    char log[PATH_MAX / 2 + 60];
    char end[PATH_MAX / 2 + 60]; /**< file with the reason for which the holder has ended */
    char ns[PATH_MAX / 2 + 60];  /**< empty outside; inside the lab a tmpfs with the namespaces */
};

/** Room for the name of TCP's congestion control, TCP_CA_NAME_MAX of Linux. */
enum { CT_LAB_CONGESTION_MAX = 16 };

struct ct_lab_state {
    struct ct_lab_spec spec;
    pid_t holder;
    uint64_t holder_start_ticks; /**< so that a reused pid is never taken for the holder */
    bool own_user_ns;
    enum ct_lab_delay_by delay_by;
    bool delay_is_real_time;
    char congestion_control[CT_LAB_CONGESTION_MAX]; /**< as the kernel has it */
};

#define CT_LAB_NS_PATH_MAX (PATH_MAX / 2 + 100)
/** A namespace of a host, in a file. @param kind  [in] "net" or "uts" */
void ct_lab_ns_path(const char *ns, const char *host, const char *kind,
                    char path[CT_LAB_NS_PATH_MAX]);

enum ct_status ct_lab_paths(const char *id, struct ct_lab_paths *paths_p, struct ct_error *err);

/** Create the base folder and lock it; labs of one user are built and removed one at a time. */
enum ct_status ct_lab_lock(const struct ct_lab_paths *paths, int *fd_p, struct ct_error *err);

enum ct_status ct_lab_state_write(const struct ct_lab_paths *paths,
                                  const struct ct_lab_state *state, struct ct_error *err);
/** CT_ENOENT without a message if there is no state file. */
enum ct_status ct_lab_state_read(const struct ct_lab_paths *paths, struct ct_lab_state *state_p,
                                 struct ct_error *err);
/** Remove the lab's folder. */
enum ct_status ct_lab_state_remove(const struct ct_lab_paths *paths, struct ct_error *err);

enum { CT_LAB_END_MAX = 160 };
/** Store the reason for which a lab ends. */
void ct_lab_end_write(const struct ct_lab_paths *paths, const char *reason);
/** Read the reason; "": none was stored. */
void ct_lab_end_read(const struct ct_lab_paths *paths, char reason[CT_LAB_END_MAX]);

/** Field 22 of /proc/PID/stat; false if there is no such process. */
bool ct_lab_start_ticks(pid_t pid, uint64_t *ticks_p);

/* ---- handle.c ---- */

struct ct_lab {
    struct ct_lab_paths paths;
    struct ct_lab_state state;
    int pidfd; /**< of the holder */
    struct ct_lab_plan *plan;
    int sockets[CT_LAB_HOSTS_MAX + 1]; /**< netlink: switch, then hosts; -1 until first used */
    struct ct_lab_delay_page *page;    /**< of its delay line; NULL until first used */
};

/**
 * The holder of a lab.
 * @return a pidfd, to be closed by the caller; -1: it has ended
 */
int ct_lab_find_holder(const struct ct_lab_state *state);

/** CT_ENOENT: the lab has ended; with the reason if the holder has stored one. */
enum ct_status ct_lab_fail_ended(const struct ct_lab *lab, struct ct_error *err);

/** Whether a process ends within a time. @param timeout_ms [in] 0: whether it has ended */
bool ct_lab_ended(int pidfd, int timeout_ms);

/* ---- holder.c ---- */

/**
 * Start the holder and wait until its network is complete and its state file is written.
 * @param lock_fd  [in] the holder keeps it open until then, so that no other lab is built while
 *                      this one may fail
 */
enum ct_status ct_lab_hold(const struct ct_lab_paths *paths, const struct ct_lab_spec *spec,
                           int lock_fd, struct ct_error *err);

/* ---- sysctl.c ---- */

/** Set what a lab needs in the current network namespace; what cannot be set stays, with a message.
 */
void ct_lab_set_sysctls(void);
/** TCP's congestion control in the current network namespace; "unknown". */
void ct_lab_read_congestion_control(char name[CT_LAB_CONGESTION_MAX]);

/* ---- network.c ---- */

/**
 * Build namespaces, links and queues; runs in the holder, whose namespaces become the switch's.
 * @param delay_by_p  [out] how the latency is added; a delay line is not started here
 */
enum ct_status ct_lab_network(const struct ct_lab_paths *paths, const struct ct_lab_spec *spec,
                              enum ct_lab_delay_by *delay_by_p, struct ct_error *err);

/* ---- switches.c ---- */

struct ct_lab_plan;
/**
 * Build the switches with their ports, links, tables and queues, in the current network namespace.
 * @param ns  [in] ct_lab_paths.ns, where the hosts' namespaces are
 */
enum ct_status ct_lab_switches(const char *ns, const struct ct_lab_spec *spec,
                               const struct ct_lab_plan *plan, enum ct_lab_delay_by *delay_by_p,
                               struct ct_error *err);

/** Every packet by itself, as a network card would send it. @param checksum [in] computed, too */
enum ct_status ct_lab_offloads_off(const char *device, bool checksum, struct ct_error *err);

/* ---- shaping.c ---- */

/** Shape eth0, in the network namespace of a host: a queue for each destination. */
enum ct_status ct_lab_shape_card(const struct ct_lab_spec *spec, unsigned host,
                                 struct ct_error *err);

/** Shape what leaves switches, by ports and by links: a queue for each source. */
enum ct_status ct_lab_shape_switches(const struct ct_lab_spec *spec, const struct ct_lab_plan *plan,
                                     struct ct_error *err);

/* ---- redirect.c: the links between port and host, where there is a latency ---- */

/** Print the links of a host for ip: p and d, the port and its other end; w, whose other end is the
 * host's. @param net [in] path of the host's network namespace */
void ct_lab_redirect_print(FILE *ip, unsigned n, const char *net);

/** Print those of a link between switches: each end of it and a device at the delay line. */
void ct_lab_redirect_link_print(FILE *ip, unsigned link);

/** Let packets pass between d and w, and between ends of links; @param delay_by_p [out] whether the
 * kernel delays them. */
enum ct_status ct_lab_redirect(const struct ct_lab_spec *spec, const struct ct_lab_plan *plan,
                               enum ct_lab_delay_by *delay_by_p, struct ct_error *err);

/** Set another delay of hosts by netem; in the namespace of the switch. */
enum ct_status ct_lab_netem(const struct ct_lab_spec *spec, const struct ct_lab_delay *delay,
                            bool replace, struct ct_error *err);

/* ---- delay_page.c ---- */

/** ct_lab_delay_set() for a caller that has the lock and has checked the delay. */
enum ct_status ct_lab_delay_change(struct ct_lab *lab, const struct ct_lab_delay *delay,
                                   struct ct_error *err);

/* ---- tool.c ---- */

/**
 * Run `TOOL -batch -` in the current namespaces.
 * @param tool   [in] "ip", "bridge" or "tc"
 * @param batch  [in] its input
 * @return CT_OK; CT_EUNSUPPORTED (tool or kernel feature missing); CT_ECHILD
 */
enum ct_status ct_lab_tool(const char *tool, const char *batch, struct ct_error *err);

/** The same for what was written to a stream of open_memstream(), which is closed.
 * @param batch  [in,out] its text, which is freed */
enum ct_status ct_lab_run_batch(FILE *out, const char *tool, char **batch, struct ct_error *err);

/* ---- enter.c ---- */

/** Put this process into the lab's namespaces, at the switch; the PID namespace counts for
 * children. */
enum ct_status ct_lab_enter(const struct ct_lab *lab, struct ct_error *err);

/** From inside the lab into a host: its network and host name. @param ns [in] ct_lab_paths.ns */
enum ct_status ct_lab_enter_host(const char *ns, const char *host, struct ct_error *err);

/** Own mount namespace whose /sys shows this network, with a /dev/shm that goes with it. */
enum ct_status ct_lab_private_mounts(bool with_proc, struct ct_error *err);

/* ---- inside.c ---- */

typedef enum ct_status ct_lab_act(const struct ct_lab *lab, const void *data, struct ct_error *err);
/**
 * Call act inside the lab, at the switch, in a child process, since a process cannot leave a
 * namespace.
 * @return what act returned; CT_EIO; CT_ECHILD
 */
enum ct_status ct_lab_inside(const struct ct_lab *lab, ct_lab_act *act, const void *data,
                             struct ct_error *err);

/* ---- execute.c ---- */

/**
 * Wait for a child; signals do not end the wait.
 * @return exit code, or 128 + signal
 */
int ct_lab_wait(pid_t pid);
