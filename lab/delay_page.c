/* The page of memory through which the delay line gets settings and answers. */
#include "core/clock.h"
#include "lab/delay_line.h"
#include "lab/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* It looks at the page at least every 20 ms. */
static const double answer_max_s = 2, answer_step_s = 500e-6;

static void write_page(struct ct_lab_delay_page *page, const struct ct_lab_delay *delay)
{
    page->latency_ns = llround(1e9 * delay->latency_s);
    page->jitter_ns = llround(1e9 * delay->jitter_s);
    page->shape = delay->shape;
}

void ct_lab_delay_page_read(const struct ct_lab_delay_page *page, struct ct_lab_delay *delay_p)
{
    delay_p->latency_s = 1e-9 * (double)page->latency_ns;
    delay_p->jitter_s = 1e-9 * (double)page->jitter_ns;
    delay_p->shape = (enum ct_lab_jitter)page->shape;
}

enum ct_status ct_lab_delay_page_map(const char *path, struct ct_lab_delay_page **page_p,
                                     struct ct_error *err)
{
    struct stat facts;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return ct_fail(err, CT_EIO, "delay line: %s: %s", path, strerror(errno));
    void *page = MAP_FAILED;
    bool fits = fstat(fd, &facts) == 0 && facts.st_size == (off_t)sizeof **page_p;
    if (fits)
        page =
            mmap(NULL, sizeof **page_p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    int cause = errno;
    close(fd);
    if (!fits)
        return ct_fail(err, CT_EFORMAT, "delay line: %s: is of another version", path);
    if (page == MAP_FAILED)
        return ct_fail(err, CT_EIO, "delay line: %s: %s", path, strerror(cause));
    *page_p = page;
    return CT_OK;
}

enum ct_status ct_lab_delay_page_create(const char *ns, const struct ct_lab_delay *delay,
                                        struct ct_error *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" CT_LAB_DELAY_PAGE, ns);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof(struct ct_lab_delay_page)) != 0) {
        enum ct_status status = ct_fail(err, CT_EIO, "delay line: %s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return status;
    }
    close(fd);
    struct ct_lab_delay_page *page;
    CT_TRY(ct_lab_delay_page_map(path, &page, err));
    write_page(page, delay);
    munmap(page, sizeof *page);
    return CT_OK;
}

/* ---- from outside ---- */

static enum ct_status find_page(struct ct_lab *lab, struct ct_error *err)
{
    char path[PATH_MAX + 40];
    if (lab->state.delay_by != CT_LAB_DELAY_LINE)
        return ct_fail(err, CT_EUNSUPPORTED, "lab '%s': %s", lab->paths.id,
                       lab->state.delay_by == CT_LAB_DELAY_NETEM
                           ? "netem counts no lateness"
                           : "was built without a latency; build it with 'lab up --latency'");
    if (lab->page)
        return CT_OK;
    /* The holder sees the folder of the lab's own; a page that is mapped while the holder lives
       is its. */
    snprintf(path, sizeof path, "/proc/%d/root%s/" CT_LAB_DELAY_PAGE, (int)lab->state.holder,
             lab->paths.ns);
    enum ct_status status = ct_lab_delay_page_map(path, &lab->page, err);
    if (!ct_lab_alive(lab))
        return ct_lab_fail_ended(lab, err);
    return status;
}

/* Until the delay line has taken the settings and brought its counters up to date. */
static enum ct_status await_answer(const struct ct_lab *lab, struct ct_error *err)
{
    uint64_t request = atomic_fetch_add(&lab->page->request, 1) + 1;
    double until_s = ct_clock_now_s() + answer_max_s;
    while (lab->page->answer < request) {
        if (!ct_lab_alive(lab))
            return ct_lab_fail_ended(lab, err);
        if (ct_clock_now_s() > until_s)
            return ct_fail(err, CT_ETIMEOUT, "lab '%s': its delay line does not answer for %g s",
                           lab->paths.id, answer_max_s);
        ct_clock_sleep(answer_step_s);
    }
    return CT_OK;
}

enum ct_status ct_lab_late_read(struct ct_lab *lab, struct ct_lab_late *late_p,
                                struct ct_error *err)
{
    CT_TRY(find_page(lab, err));
    CT_TRY(await_answer(lab, err));
    for (size_t i = 0; i < CT_LAB_LATE_BINS; i++)
        late_p->packets[i] = lab->page->packets[i];
    late_p->ring_drops = lab->page->ring_drops;
    late_p->send_drops = lab->page->send_drops;
    return CT_OK;
}

double ct_lab_delay_lead_s(struct ct_lab *lab)
{
    return find_page(lab, NULL) == CT_OK ? lab->page->lead_s : NAN;
}

/* Pass settings to the delay line; returns when it has taken them. */
static enum ct_status pass_settings(struct ct_lab *lab, const struct ct_lab_delay *delay,
                                    struct ct_error *err)
{
    CT_TRY(find_page(lab, err));
    write_page(lab->page, delay);
    return await_answer(lab, err);
}

/* ---- another delay ---- */

static enum ct_status change_netem(const struct ct_lab *lab, const void *delay,
                                   struct ct_error *err)
{
    return ct_lab_netem(&lab->state.spec, delay, true, err);
}

enum ct_status ct_lab_delay_change(struct ct_lab *lab, const struct ct_lab_delay *delay,
                                   struct ct_error *err)
{
    CT_TRY(lab->state.delay_by == CT_LAB_DELAY_NETEM ? ct_lab_inside(lab, change_netem, delay, err)
                                                     : pass_settings(lab, delay, err));
    lab->state.spec.delay = *delay;
    return ct_lab_state_write(&lab->paths, &lab->state, err);
}

enum ct_status ct_lab_delay_set(struct ct_lab *lab, const struct ct_lab_delay *delay,
                                struct ct_error *err)
{
    int lock_fd;
    if (delay->latency_s == 0)
        return ct_fail(err, CT_EINVAL, "latency 0s: 200us to 20ms can be added");
    CT_TRY(ct_lab_delay_check(delay, err));
    CT_TRY(ct_lab_lock(&lab->paths, &lock_fd, err));
    /* A down that had the lock before us has removed the folder. */
    enum ct_status status =
        ct_lab_alive(lab) ? ct_lab_delay_change(lab, delay, err) : ct_lab_fail_ended(lab, err);
    close(lock_fd);
    return status;
}
