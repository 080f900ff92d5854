/** What the files of this room share. */
#ifndef CT_LAB_INTERNAL_H
#define CT_LAB_INTERNAL_H

#include "lab/lab.h"

#include <limits.h>

/* ---- state.c: where a lab is recorded ---- */

struct ct_lab_paths {
    char id[CT_LAB_ID_MAX];
    char base[PATH_MAX / 2];
    bool base_is_ours; /**< not chosen by the user: removed when empty */
    char dir[PATH_MAX / 2 + 40];
    char state[PATH_MAX / 2 + 60];
    char log[PATH_MAX / 2 + 60];
    char ns[PATH_MAX / 2 + 60]; /**< empty outside; inside the lab a tmpfs with the namespaces */
};

struct ct_lab_state {
    struct ct_lab_spec spec;
    pid_t holder;
    uint64_t holder_start_ticks; /**< so that a reused pid is never taken for the holder */
    bool own_user_ns;
};

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

/** Field 22 of /proc/PID/stat; false if there is no such process. */
bool ct_lab_start_ticks(pid_t pid, uint64_t *ticks_p);

/* ---- handle.c ---- */

struct ct_lab {
    struct ct_lab_paths paths;
    struct ct_lab_state state;
    int pidfd;                         /**< of the holder */
    int sockets[CT_LAB_HOSTS_MAX + 1]; /**< netlink: switch, then hosts; -1 until first used */
};

/**
 * The holder of a lab.
 * @return a pidfd, to be closed by the caller; -1: it has ended
 */
int ct_lab_find_holder(const struct ct_lab_state *state);

/** Whether a process ends within a time. @param timeout_ms [in] 0: whether it has ended */
bool ct_lab_ended(int pidfd, int timeout_ms);

/* ---- holder.c ---- */

/**
 * Start the holder and wait until its network is complete and its state file is written.
 * @param lock_fd  [in] kept open by the holder until then, so that nobody builds beside a dying one
 */
enum ct_status ct_lab_hold(const struct ct_lab_paths *paths, const struct ct_lab_spec *spec,
                           int lock_fd, struct ct_error *err);

/* ---- network.c ---- */

/** Build namespaces, links and queues; runs in the holder, whose namespaces become the switch's. */
enum ct_status ct_lab_network(const struct ct_lab_paths *paths, const struct ct_lab_spec *spec,
                              struct ct_error *err);

/* ---- shaping.c ---- */

/** The side of a link that queues packets: distinguished by the address that names the other host.
 */
enum ct_lab_side { CT_LAB_PORT /**< by source */, CT_LAB_CARD /**< by destination */ };

/** Shape a device of the current network namespace. @param host [in] the one at the link's end */
enum ct_status ct_lab_shape(const struct ct_lab_spec *spec, const char *device,
                            enum ct_lab_side side, unsigned host, struct ct_error *err);

/* ---- tool.c ---- */

/**
 * Run `TOOL -batch -` in the current namespaces.
 * @param tool   [in] "ip", "bridge" or "tc"
 * @param batch  [in] its input
 * @return CT_OK; CT_EUNSUPPORTED (tool or kernel feature missing); CT_ECHILD
 */
enum ct_status ct_lab_tool(const char *tool, const char *batch, struct ct_error *err);

/* ---- enter.c ---- */

/** Put this process into the lab's namespaces, at the switch; the PID namespace counts for
 * children. */
enum ct_status ct_lab_enter(const struct ct_lab *lab, struct ct_error *err);

/** From inside the lab into a host: its network and host name. @param ns [in] ct_lab_paths.ns */
enum ct_status ct_lab_enter_host(const char *ns, const char *host, struct ct_error *err);

/** Own mount namespace whose /sys shows this network, with a /dev/shm that goes with it. */
enum ct_status ct_lab_private_mounts(bool with_proc, struct ct_error *err);

/* ---- execute.c ---- */

/** Wait for a child, past interruptions. @return exit code, or 128 + signal */
int ct_lab_wait(pid_t pid);

#endif
