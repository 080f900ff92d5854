#include "libcrosstalk/facade.h"

#include "core/cancel.h"
#include "core/version.h"

#include <gsl/gsl_errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

const char *crosstalk_version(void)
{
    return CT_VERSION;
}

void crosstalk_free(void *array)
{
    free(array);
}

void crosstalk_cancel_when(const volatile int *flag)
{
    ct_cancel_watch(flag);
}

/* ---- errors ---- */

const char *crosstalk_status_text(enum crosstalk_status status)
{
    switch (status) {
    case CROSSTALK_OK:
        return ct_status_text(CT_OK);
    case CROSSTALK_EINVAL:
        return ct_status_text(CT_EINVAL);
    case CROSSTALK_ENOMEM:
        return ct_status_text(CT_ENOMEM);
    case CROSSTALK_EIO:
        return ct_status_text(CT_EIO);
    case CROSSTALK_EFORMAT:
        return ct_status_text(CT_EFORMAT);
    case CROSSTALK_ENOENT:
        return ct_status_text(CT_ENOENT);
    case CROSSTALK_ENODATA:
        return ct_status_text(CT_ENODATA);
    case CROSSTALK_EUNSUPPORTED:
        return ct_status_text(CT_EUNSUPPORTED);
    case CROSSTALK_ECANCELED:
        return ct_status_text(CT_EINTR);
    }
    return "unknown status";
}

/* The public status of an internal one. */
static enum crosstalk_status public_status(enum ct_status status)
{
    switch (status) {
    case CT_OK:
        return CROSSTALK_OK;
    case CT_EINVAL:
    case CT_EUSAGE:
        return CROSSTALK_EINVAL;
    case CT_ENOMEM:
        return CROSSTALK_ENOMEM;
    case CT_EFORMAT:
        return CROSSTALK_EFORMAT;
    case CT_ENOENT:
        return CROSSTALK_ENOENT;
    case CT_ENODATA:
        return CROSSTALK_ENODATA;
    case CT_EUNSUPPORTED:
        return CROSSTALK_EUNSUPPORTED;
    case CT_EINTR:
        return CROSSTALK_ECANCELED;
    case CT_EIO:
    case CT_EEXIST:
    case CT_ETIMEOUT:
    case CT_ECHILD:
        break;
    }
    return CROSSTALK_EIO;
}

enum crosstalk_status ct_facade_return(enum ct_status status, const struct ct_error *err,
                                       struct crosstalk_error *error)
{
    if (status != CT_OK && error) {
        error->status = public_status(status);
        snprintf(error->text, sizeof error->text, "%s", err->text);
    }
    return public_status(status);
}

/* ---- a guest ---- */

/* State of the process, as what it guards is: HDF5 has one library for all, and a child that tries
 * a file out is a copy of the thread that reads only. */
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

struct ct_results_guest ct_facade_enter_results(void)
{
    pthread_mutex_lock(&reading);
    return ct_results_enter();
}

void ct_facade_leave_results(struct ct_results_guest guest)
{
    ct_results_leave(guest);
    pthread_mutex_unlock(&reading);
}

/* GSL's handler of errors, which ends the program by default, belongs to the process as well: the
 * first of us takes it away, the last one puts it back. */
static struct {
    pthread_mutex_t mutex;
    size_t inside;
    gsl_error_handler_t *program;
} computing = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void ct_facade_enter_gsl(void)
{
    pthread_mutex_lock(&computing.mutex);
    if (computing.inside++ == 0)
        computing.program = gsl_set_error_handler_off();
    pthread_mutex_unlock(&computing.mutex);
}

void ct_facade_leave_gsl(void)
{
    pthread_mutex_lock(&computing.mutex);
    if (--computing.inside == 0)
        gsl_set_error_handler(computing.program);
    pthread_mutex_unlock(&computing.mutex);
}
