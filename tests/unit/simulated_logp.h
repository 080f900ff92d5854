/* A network with known parameters behind the control interface: of parameterized LogP, where a
 * round trip is 2 L + g(m) + g(0), or of LogGP, where every message goes through its steps. */
#pragma once

#include "bench/logp/logp_procedure.h"

/* startup + per_byte * m, and per_byte_beyond instead for every byte beyond the kink. */
struct sim_cost {
    double startup_s, per_byte_s;
    double kink_bytes, per_byte_beyond_s; /* 0: no kink */
};

struct sim_network {
    double latency_s;
    /* Message by message: o_s, not before g after the last one, latency_s and the bytes, o_r, of
     * which each side has one at a time. Receives are unexpected, whichever way they are posted. */
    bool by_steps;
    double wire_per_byte_s; /* by steps: G */
    struct sim_cost os, or_unexpected, or_expected, g;
    double eager_bytes;  /* 0: all messages are */
    double handshake_s;  /* of larger ones: added to o_s and g */
    double free_bytes;   /* pass at once where the link was idle: a token bucket */
    double noise;        /* relative standard deviation of every time */
    double outlier_frac; /* of times, which become ten times as long */
    double timer_overhead_s;
    double drift_per_train; /* growth of g with every train of more than two messages */
    bool late_transfer;     /* messages that are not eager come during their receive */
    /* state */
    double waited_s; /* for messages beyond eager_bytes */
    double now_s;
    uint64_t random;
    uint64_t n_messages, n_bytes, n_trains;
    uint64_t fail_after; /* messages; 0: never */
    enum ct_status failure;
};

double sim_os_s(const struct sim_network *network, double bytes);
double sim_or_s(const struct sim_network *network, double bytes);
double sim_or_expected_s(const struct sim_network *network, double bytes);
double sim_g_s(const struct sim_network *network, double bytes);
/* LogGP of it: what a message takes besides its overheads is L + (bytes - 1) G. */
double sim_loggp_L_s(const struct sim_network *network);
double sim_loggp_G_s_per_byte(const struct sim_network *network);

/* A fast network without noise: L 5 us, o_s 1 us, o_r 1.5 us, g 2 us, G 0.1 ns per byte. */
struct sim_network sim_network(void);

struct ct_logp_transport sim_transport(struct sim_network *network);

/* By the equation alone, sizes up to 1 MiB, 95 % intervals, from rank 3 to rank 5. */
struct ct_logp_setup sim_setup(void);

/* Fails the test where measuring fails; ct_logp_result_free(). */
struct ct_logp_result sim_measure(struct sim_network *network, struct ct_logp_setup setup);

/* The truth is in the interval, but for rounding. */
bool sim_holds(struct ct_estimate estimate, double truth);
