/*
 * What the files of a simulation share. simulation_run.c makes simulations, several at a time;
 * simulation_fit.c fits queues with these; simulation.c answers.
 */
#pragma once

#include "simulate/joint/simulation.h"
#include "simulate/joint/simulation_memo.h"

#include <stdbool.h>

/* A group of three and more, and what was found. */
struct group {
    size_t
        members[CT_SIMULATE_JOBS_MAX]; /* n; the one that is asked about first, others ascending */
    size_t n;
    struct ct_joint_slowdown slowdown;
};

/* An application, or a configuration. */
struct row {
    const struct ct_config *config;              /* NULL: an application */
    const struct ct_simulation_program *program; /* NULL: none */
    struct ct_simulation_program *own; /* of a configuration, which is made when it is needed */
    double alone_ns;                   /* 0: not asked for yet; NaN: not known */
    struct ct_simulation_memo memo;    /* times alone, with the queues that were tried */
};

/* How the queues are found. */
struct fit {
    struct ct_queues_cell *cells; /* n_cells, what they are fitted to; NULL: they are known */
    size_t n_cells;
    struct ct_simulation_memo *memos; /* [cell], during a fit: slowdowns, and times alone */
    bool is_running, is_made;
    struct ct_queues_fit result;
};

struct progress {
    struct ct_log *log; /* NULL: it is not shown */
    double start_s;     /* of the first simulation that counts */
    size_t n_simulated;
};

struct ct_simulation {
    struct ct_simulation_setup setup; /* without its arrays; queues and work_max: of what is
                                         simulated now */
    size_t n_loads;                   /* applications, then configurations */
    struct row *rows;                 /* loads, then the same beside another */
    struct ct_joint_slowdown *pairs;  /* [app * n_loads + load]; INFINITY: not asked for yet; NaN:
                                         not known */
    struct group *groups;
    size_t n_groups, room;
    unsigned threads;
    struct fit fit;
    struct progress progress;
};

/* Of member i of a group: the first one is slowed, the others are beside it. */
size_t ct_simulation_row(const struct ct_simulation *simulation, const size_t *members, size_t i);

/* The program of a row; those of configurations are made when they are needed. */
enum ct_status ct_simulation_make_program(struct ct_simulation *simulation, size_t row,
                                          struct ct_error *err);

/* Its time alone, unless it is known; NaN: it has no schedule, or, with an error, none that can be
 * simulated. */
enum ct_status ct_simulation_know_alone(struct ct_simulation *simulation, size_t row,
                                        struct ct_error *err);

/* Slowdowns of n members together, simulated, where there are programs, and the times alone of
 * those that are slowed are known; NaN: not known, or not asked for. Changes nothing of the
 * simulation. use_p: of the first of the runs; NULL: not asked for */
enum ct_status ct_simulation_run_together(const struct ct_simulation *simulation,
                                          const size_t *members, size_t n,
                                          struct ct_joint_slowdown *slowdown,
                                          struct ct_network_use *use_p, struct ct_error *err);

/* Slowdowns of n members together, from the store if they are there; NaN: not known, or not asked
 * for. Only memory ends the analysis: what cannot be simulated is not known. */
enum ct_status ct_simulation_find(struct ct_simulation *simulation, const size_t *members, size_t n,
                                  struct ct_joint_slowdown *slowdown, struct ct_error *err);

/* All that a simulation depends on. The times alone are a matter of the programs and the setup.
 * false: the program of a member is not known, or there is no store. */
bool ct_simulation_key(struct ct_simulation *simulation, const size_t *members, size_t n,
                       uint64_t key[2]);

/* One simulation more. */
void ct_simulation_show_one(struct ct_simulation *simulation);

/* What the queues are to be fitted to, if they are. */
enum ct_status ct_simulation_plan_fit(struct ct_simulation *simulation, struct ct_error *err);

/* Fit the queues, unless they are known. Only memory ends the analysis. */
enum ct_status ct_simulation_fit_once(struct ct_simulation *simulation, struct ct_error *err);
