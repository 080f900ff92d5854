/**
 * Network utilization from probe latencies: the network as one M/G/1 queue (model "pk").
 *
 * With service rate mu, variance of the service time Var(S), arrival rate lambda and rho =
 * lambda/mu, the mean time in the system is (Pollaczek and Khinchine)
 *
 *     W = 1/mu + (rho + lambda mu Var(S)) / (2 (mu - lambda))
 *
 * and, solved for the arrival rate,
 *
 *     lambda = (2 W mu - 2) / (2 W - 1/mu + mu Var(S)),    utilization = lambda / mu
 *
 * Source: Casas and Bronevetsky, "Active measurement of the impact of network switch utilization on
 * application performance", IPDPS 2014, section IV-B, equations (1) to (3).
 *
 * The service is that of the probe on the idle network, not that of the traffic in the queue. So
 * the utilization is an index that grows with the load, not the share of time in which a link is
 * busy. An idle network whose mean latency exceeds its minimum has a utilization above 0.
 */
#pragma once

#include "core/stats.h"

/** Name of the model in output. */
#define CT_QUEUE_MODEL "pk"
/** What it is, for who reads it: no share of time. */
#define CT_QUEUE_WORDS "paper's index (pk)"

/** The probe's service on the idle network. */
struct ct_queue_service {
    double time_s;      /**< 1/mu = smallest latency; > 0 */
    double variance_s2; /**< Var(S) = variance of the latencies; >= 0 */
};

/**
 * Service rate and variance from an idle sample. 1/mu is the smallest latency of all, as in the
 * paper: a single latency that is too short raises mu.
 * @param idle       [in]  latencies on the idle network, seconds; finite, > 0, at least 2
 * @param service_p  [out] unchanged on error
 * @return CT_OK; CT_ENODATA (fewer than 2); CT_EINVAL (a latency is not finite or not above 0)
 */
enum ct_status ct_queue_service_of(struct ct_series idle, struct ct_queue_service *service_p,
                                   struct ct_error *err);

/**
 * rho = lambda/mu for a mean latency W: 0 for W <= 1/mu, increasing with W, below 1 for every
 * finite W (rounded to 1 for W beyond 1e15 / mu). NaN for NaN.
 */
double ct_queue_utilization(const struct ct_queue_service *service, double mean_latency_s);

/**
 * The mean latency W at a utilization: the inverse of ct_queue_utilization().
 * @param utilization_frac  [in] 0 <= rho < 1
 */
double ct_queue_mean_latency(const struct ct_queue_service *service, double utilization_frac);

/** Estimate of the utilization from latencies beside a load. */
struct ct_queue_estimate {
    struct ct_queue_service service;
    double mean_latency_s; /**< W */
    double arrival_rate_per_s;
    double utilization_frac; /**< 0 <= utilization < 1 */
    struct ct_interval utilization_interval;
};

/**
 * Utilization, with an interval from a block bootstrap of both series. The smallest idle latency of
 * a replicate is never below that of the sample, so the interval has little of the uncertainty of
 * mu.
 * @param idle        [in]  latencies on the idle network in the order of time, seconds; finite, > 0
 * @param loaded      [in]  latencies beside the load, likewise
 * @param setup       [in]  of the bootstrap
 * @param estimate_p  [out] unchanged on error; its interval is NaN if loaded has a single value
 * @return CT_OK; CT_ENODATA (fewer than 2 idle latencies, no loaded one); CT_EINVAL (a latency, or
 *         the setup); CT_ENOMEM
 */
enum ct_status ct_queue_estimate(struct ct_series idle, struct ct_series loaded,
                                 const struct ct_bootstrap *setup,
                                 struct ct_queue_estimate *estimate_p, struct ct_error *err);

/** The same for an exactly known service: only the loaded series is resampled. */
enum ct_status ct_queue_estimate_known(const struct ct_queue_service *service,
                                       struct ct_series loaded, const struct ct_bootstrap *setup,
                                       struct ct_queue_estimate *estimate_p, struct ct_error *err);
