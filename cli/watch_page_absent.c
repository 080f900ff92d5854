/* In place of watch_page.c where the page is left out. */
#include "cli/watch_page.h"

enum ct_status ct_watch_page_open(const struct ct_watch_page_settings *settings, const char *folder,
                                  struct ct_log *log, struct ct_watch_page **page_p,
                                  struct ct_error *err)
{
    (void)settings;
    (void)folder;
    (void)log;
    (void)page_p;
    return ct_fail(err, CT_EUNSUPPORTED,
                   "--serve: crosstalk was built without the page: configure with "
                   "-DCROSSTALK_PAGE=ON, where libmicrohttpd and libsodium are");
}

void ct_watch_page_close(struct ct_watch_page *page)
{
    (void)page;
}

void ct_watch_page_note(struct ct_watch_page *page, struct ct_watch_finder *finder, int64_t unix_ns)
{
    (void)page;
    (void)finder;
    (void)unix_ns;
}

enum ct_status ct_watch_page_show(struct ct_watch_page *page, const struct ct_watch_state *now,
                                  ct_watch_answer_writer *write_answer, void *context,
                                  struct ct_error *err)
{
    (void)page;
    (void)now;
    (void)write_answer;
    (void)context;
    (void)err;
    return CT_OK;
}

void ct_watch_page_run(struct ct_watch_page *page, double until_s)
{
    (void)page;
    (void)until_s;
}
