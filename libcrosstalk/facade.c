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

/* The text of a public status is that of the first internal one. */
static const struct {
    enum crosstalk_status outside;
    enum ct_status inside;
} statuses[] = {{CROSSTALK_OK, CT_OK},           {CROSSTALK_EINVAL, CT_EINVAL},
                {CROSSTALK_EINVAL, CT_EUSAGE},   {CROSSTALK_ENOMEM, CT_ENOMEM},
                {CROSSTALK_EIO, CT_EIO},         {CROSSTALK_EIO, CT_EEXIST},
                {CROSSTALK_EIO, CT_ETIMEOUT},    {CROSSTALK_EIO, CT_ECHILD},
                {CROSSTALK_EFORMAT, CT_EFORMAT}, {CROSSTALK_ENOENT, CT_ENOENT},
                {CROSSTALK_ENODATA, CT_ENODATA}, {CROSSTALK_EUNSUPPORTED, CT_EUNSUPPORTED},
                {CROSSTALK_ECANCELED, CT_EINTR}};

const char *crosstalk_status_text(enum crosstalk_status status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].outside == status)
            return ct_status_text(statuses[i].inside);
    return "unknown status";
}

static enum crosstalk_status public_status(enum ct_status status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].inside == status)
            return statuses[i].outside;
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
