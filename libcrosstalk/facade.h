/** What the files of libcrosstalk share: errors as the public header has them, and being a guest in
 *  a program that knows nothing of us. */
#ifndef CT_LIBCROSSTALK_FACADE_H
#define CT_LIBCROSSTALK_FACADE_H

#include "core/status.h"
#include "libcrosstalk/crosstalk.h"
#include "results/guest.h"

/** The public status of an internal one. */
enum crosstalk_status ct_facade_status(enum ct_status status);

/**
 * Hand an error on.
 * @param status  [in]  CT_OK: error stays as it is
 * @param err     [in]  filled where status is not CT_OK
 * @param error   [out] may be NULL
 * @return the public status
 */
enum crosstalk_status ct_facade_return(enum ct_status status, const struct ct_error *err,
                                       struct crosstalk_error *error);

/** Before and after everything that reads run files: one thread at a time. */
struct ct_results_guest ct_facade_enter_results(void);
void ct_facade_leave_results(struct ct_results_guest guest);

/** Before and after everything that computes with GSL: its errors come back as values, to us and
 *  to who else computes meanwhile. */
void ct_facade_enter_gsl(void);
void ct_facade_leave_gsl(void);

#endif
