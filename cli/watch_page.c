#include "cli/watch_page.h"

#include "watch/serve/data.h"
#include "watch/serve/server.h"
#include "watch/tell/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ct_watch_page {
    struct ct_server *server;
    struct ct_serve_history *history;
    char *state;                         /* as it was published; NULL: nothing yet */
    char *metrics[CT_WATCH_EXPOSITIONS]; /* likewise */
    bool has_fabric, history_is_new;
};

static enum ct_status make_state(void *source, const char *accept, struct ct_serve_body *body_p,
                                 struct ct_error *err)
{
    const struct ct_watch_page *page = source;
    char *text;
    (void)accept;
    int n = asprintf(&text, "%s\n", page->state ? page->state : "null");
    if (n < 0)
        return ct_no_memory(err, "the state");
    *body_p = (struct ct_serve_body){text, (size_t)n, "application/json"};
    return CT_OK;
}

/* Whether what the reader takes names OpenMetrics. */
static enum ct_status make_metrics(void *source, const char *accept, struct ct_serve_body *body_p,
                                   struct ct_error *err)
{
    static const char *const types[CT_WATCH_EXPOSITIONS] = {
        [CT_WATCH_PROMETHEUS] = "text/plain; version=0.0.4; charset=utf-8",
        [CT_WATCH_OPENMETRICS] = "application/openmetrics-text; version=1.0.0; charset=utf-8"};
    const struct ct_watch_page *page = source;
    enum ct_watch_exposition wanted =
        strstr(accept, "application/openmetrics-text") ? CT_WATCH_OPENMETRICS : CT_WATCH_PROMETHEUS;
    const char *metrics = page->metrics[wanted] ? page->metrics[wanted] : "";
    char *text = strdup(metrics);
    if (!text)
        return ct_no_memory(err, "the metrics");
    *body_p = (struct ct_serve_body){text, strlen(text), types[wanted]};
    return CT_OK;
}

/* What is on a path, beside the page. */
static const struct ct_serve_route routes[] = {{"/state", make_state}, {"/metrics", make_metrics}};

enum ct_status ct_watch_page_open(const struct ct_watch_page_settings *settings, const char *folder,
                                  struct ct_log *log, struct ct_watch_page **page_p,
                                  struct ct_error *err)
{
    char token_file[4096];
    struct ct_watch_page *page = calloc(1, sizeof *page);
    if (!page)
        return ct_no_memory(err, "the page");
    snprintf(token_file, sizeof token_file, "%s/page.token", folder);
    const struct ct_serve_settings serve = {
        .address = settings->address,
        .token_file = settings->token_file ? settings->token_file : token_file,
        .routes = routes,
        .n_routes = sizeof routes / sizeof *routes,
        .source = page};
    enum ct_status status = ct_serve_history_new(&page->history, err);
    if (status == CT_OK)
        status = ct_serve_open(&serve, &page->server, err);
    if (status != CT_OK) {
        ct_watch_page_close(page);
        return status;
    }
    ct_log_info(log, "the page is at %s, its token in %s", ct_serve_url(page->server),
                serve.token_file);
    if (ct_serve_is_open(page->server))
        ct_log_warn(log, "others can reach the page, and read its token on the way: ssh -L, or a "
                         "server with TLS before it, keeps it from them");
    *page_p = page;
    return CT_OK;
}

void ct_watch_page_close(struct ct_watch_page *page)
{
    if (!page)
        return;
    ct_serve_close(page->server);
    ct_serve_history_free(page->history);
    free(page->state);
    for (int i = 0; i < CT_WATCH_EXPOSITIONS; i++)
        free(page->metrics[i]);
    free(page);
}

void ct_watch_page_note(struct ct_watch_page *page, struct ct_watch_finder *finder, int64_t unix_ns)
{
    if (ct_serve_history_is_due(page->history, unix_ns)) {
        ct_serve_history_add(page->history, ct_watch_finder_state(finder));
        page->history_is_new = true;
    }
    ct_serve_run(page->server, 0);
}

static enum ct_status publish_text(struct ct_watch_page *page, enum ct_serve_event event,
                                   enum ct_status status, char *text, struct ct_error *err)
{
    if (status == CT_OK)
        status = ct_serve_publish(page->server, event, text, err);
    free(text);
    return status;
}

static enum ct_status keep_metrics(struct ct_watch_page *page, const struct ct_watch_state *now,
                                   struct ct_error *err)
{
    for (int i = 0; i < CT_WATCH_EXPOSITIONS; i++) {
        size_t size;
        free(page->metrics[i]);
        page->metrics[i] = NULL;
        FILE *memory = open_memstream(&page->metrics[i], &size);
        if (!memory)
            return ct_no_memory(err, "the metrics");
        ct_watch_metrics_write(now, (enum ct_watch_exposition)i, memory);
        if (fclose(memory) != 0)
            return ct_no_memory(err, "the metrics");
    }
    return CT_OK;
}

static enum ct_status keep_state(struct ct_watch_page *page, ct_watch_answer_writer *write_answer,
                                 void *context, struct ct_error *err)
{
    size_t size;
    free(page->state);
    page->state = NULL;
    FILE *memory = open_memstream(&page->state, &size);
    if (!memory)
        return ct_no_memory(err, "the state");
    enum ct_status status = write_answer(context, memory, err);
    if (fclose(memory) != 0)
        return ct_no_memory(err, "the state");
    ct_serve_make_line(page->state);
    return status;
}

enum ct_status ct_watch_page_show(struct ct_watch_page *page, const struct ct_watch_state *now,
                                  ct_watch_answer_writer *write_answer, void *context,
                                  struct ct_error *err)
{
    char *text = NULL;
    enum ct_status status = CT_OK;
    if (!page->has_fabric) {
        status = ct_serve_write_fabric(now, &text, err);
        status = publish_text(page, CT_SERVE_FABRIC, status, text, err);
        page->has_fabric = page->history_is_new = true;
    }
    if (status == CT_OK && page->history_is_new) {
        text = NULL;
        status = ct_serve_write_history(page->history, &text, err);
        status = publish_text(page, CT_SERVE_HISTORY, status, text, err);
        page->history_is_new = false;
    }
    if (status == CT_OK)
        status = keep_state(page, write_answer, context, err);
    if (status == CT_OK)
        status = ct_serve_publish(page->server, CT_SERVE_STATE, page->state, err);
    if (status == CT_OK)
        status = keep_metrics(page, now, err);
    return status;
}

void ct_watch_page_run(struct ct_watch_page *page, double until_s)
{
    ct_serve_run(page->server, until_s);
}
