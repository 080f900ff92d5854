/**
 * Internal to libcrosstalk: conversion of errors, and settings of libraries that are restored for
 * the calling program.
 */
#pragma once

#include "core/status.h"
#include "libcrosstalk/crosstalk.h"
#include "results/guest.h"

/**
 * Convert an error for the caller.
 * @param status  [in]  CT_OK: error stays as it is
 * @param err     [in]  filled if status is not CT_OK
 * @param error   [out] may be NULL
 * @return the public status
 */
enum crosstalk_status ct_facade_return(enum ct_status status, const struct ct_error *err,
                                       struct crosstalk_error *error);

/** Call these before and after reading run files: one thread at a time. */
struct ct_results_guest ct_facade_enter_results(void);
void ct_facade_leave_results(struct ct_results_guest guest);

/**
 * Call these before and after computing with GSL: its errors are then returned as status values, in
 * all threads.
 */
void ct_facade_enter_gsl(void);
void ct_facade_leave_gsl(void);
