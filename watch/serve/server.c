#include "watch/serve/server.h"

#include "core/clock.h"
#include "watch/probe/key.h"
#include "watch/serve/address.h"
#include "watch/serve/login_html.h"
#include "watch/serve/page_css.h"
#include "watch/serve/page_html.h"
#include "watch/serve/page_js.h"
#include "watch/serve/rules.h"

#include <errno.h>
#include <microhttpd.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECTIONS_MAX = 64,
    LOOKING_MAX = 32,
    HEADERS_MAX = 16384,
    IDLE_S = 20,      /* without a byte */
    REQUEST_S = 10,   /* until its headers and body are here */
    ANSWER_S = 60,    /* until it is sent */
    LOOK_S = 6 * 3600 /* then a browser comes again by itself */
};

/* Text that is sent to many. */
struct document {
    char *text;
    size_t size, n_users;
    uint64_t number;
};

/* A browser that looks. */
struct looking {
    struct ct_server *server;
    struct MHD_Connection *connection;
    struct document *document; /* is being sent; NULL: waits for a newer one */
    size_t sent;
    uint64_t number; /* of the last one */
    bool is_suspended;
    struct looking *next;
};

/* A connection from its beginning on; MHD has no deadline for slow senders. */
struct line {
    int fd; /* -1: free */
    double end_s;
};

struct ct_server {
    struct MHD_Daemon *daemon;
    struct ct_serve_access access;
    struct ct_serve_place place;
    char own_name[256];
    char *events[CT_SERVE_EVENTS]; /* as published */
    struct document *hello, *state;
    struct looking *looking;
    size_t n_looking;
    struct line lines[CONNECTIONS_MAX];
    const struct ct_serve_route *routes;
    size_t n_routes;
    void *source;
};

/* The body of a login as far as it is here. */
struct request {
    char body[CT_SERVE_LOGIN_MAX];
    size_t n;
};

/* ---- documents ---- */

static void drop_document(struct document *document)
{
    if (!document || --document->n_users > 0)
        return;
    free(document->text);
    free(document);
}

static const char *const event_names[] = {"fabric", "history", "state"};

/* Events from the first to the last, each in its frame. */
static struct document *make_document(const struct ct_server *server, enum ct_serve_event first)
{
    struct document *document = calloc(1, sizeof *document);
    FILE *memory = document ? open_memstream(&document->text, &document->size) : NULL;
    bool good = memory != NULL;
    for (int i = (int)first; i < CT_SERVE_EVENTS && memory; i++)
        if (server->events[i])
            fprintf(memory, "event: %s\ndata: %s\n\n", event_names[i], server->events[i]);
    if (memory && (ferror(memory) || fclose(memory) != 0))
        good = false;
    if (!good) {
        if (document)
            free(document->text);
        free(document);
        return NULL;
    }
    document->n_users = 1;
    return document;
}

static void wake_looking(struct ct_server *server)
{
    for (struct looking *one = server->looking; one; one = one->next)
        if (one->is_suspended) {
            one->is_suspended = false;
            MHD_resume_connection(one->connection);
        }
}

enum ct_status ct_serve_publish(struct ct_server *server, enum ct_serve_event event,
                                const char *json, struct ct_error *err)
{
    char *copy = strdup(json);
    if (!copy)
        return ct_no_memory(err, "what the page shows");
    free(server->events[event]);
    server->events[event] = copy;
    drop_document(server->hello); /* made when somebody comes */
    server->hello = NULL;
    if (event != CT_SERVE_STATE)
        return CT_OK;
    struct document *state = make_document(server, CT_SERVE_STATE);
    if (!state)
        return ct_no_memory(err, "what the page shows");
    state->number = server->state ? server->state->number + 1 : 1;
    drop_document(server->state);
    server->state = state;
    wake_looking(server);
    return CT_OK;
}

/* ---- those who look ---- */

static bool next_document(struct looking *one)
{
    struct ct_server *server = one->server;
    drop_document(one->document);
    one->document = NULL;
    one->sent = 0;
    if (!server->state)
        return false; /* the folder is being read for the first time */
    if (one->number == 0) {
        if (!server->hello)
            server->hello = make_document(server, CT_SERVE_FABRIC);
        one->document = server->hello;
    } else if (server->state->number > one->number) {
        one->document = server->state;
    }
    if (!one->document)
        return false;
    one->document->n_users++;
    one->number = server->state->number;
    return true;
}

static ssize_t send_events(void *cls, uint64_t at, char *bytes, size_t room)
{
    struct looking *one = cls;
    (void)at;
    if ((!one->document || one->sent == one->document->size) && !next_document(one)) {
        one->is_suspended = true;
        MHD_suspend_connection(one->connection);
        return 0;
    }
    size_t left = one->document->size - one->sent, n = left < room ? left : room;
    memcpy(bytes, one->document->text + one->sent, n);
    one->sent += n;
    return (ssize_t)n;
}

static void end_looking(void *cls)
{
    struct looking *one = cls, **at = &one->server->looking;
    while (*at && *at != one)
        at = &(*at)->next;
    if (*at)
        *at = one->next;
    one->server->n_looking--;
    drop_document(one->document);
    free(one);
}

static struct MHD_Response *begin_looking(struct ct_server *server,
                                          struct MHD_Connection *connection)
{
    struct looking *one = calloc(1, sizeof *one);
    if (!one)
        return NULL;
    *one = (struct looking){.server = server, .connection = connection, .next = server->looking};
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, HEADERS_MAX / 4, send_events, one, end_looking);
    if (!response) {
        free(one);
        return NULL;
    }
    server->looking = one;
    server->n_looking++;
    return response;
}

/* ---- answers ---- */

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status,
                                     const char *type, struct MHD_Response *response)
{
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
         "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"},
        {"Cache-Control", "no-store"},
        {"Connection", "close"}};
    if (!response)
        return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, "Content-Type", type);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status,
                                 const char *type, const char *text)
{
    return send_response(connection, status, type,
                         MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text,
                                                         MHD_RESPMEM_MUST_COPY));
}

static const char plain[] = "text/plain; charset=utf-8", html[] = "text/html; charset=utf-8";

/* The page and its parts. */
static const struct file {
    const char *path, *type, *text;
    enum ct_serve_need need;
} files[] = {{"/", html, page_html, CT_SERVE_READ},
             {"/page.js", "text/javascript; charset=utf-8", page_js, CT_SERVE_READ},
             {"/page.css", "text/css; charset=utf-8", page_css, CT_SERVE_OPEN}};

static const char events_path[] = "/events", login_path[] = "/login";

static const struct file *find_file(const char *path)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(path, files[i].path) == 0)
            return &files[i];
    return NULL;
}

static const struct ct_serve_route *find_route(const struct ct_server *server, const char *path)
{
    for (size_t i = 0; i < server->n_routes; i++)
        if (strcmp(path, server->routes[i].path) == 0)
            return &server->routes[i];
    return NULL;
}

static enum ct_serve_need need_of(const struct ct_server *server, const char *path)
{
    const struct file *file = find_file(path);
    if (file)
        return file->need;
    if (strcmp(path, login_path) == 0)
        return CT_SERVE_LOGIN;
    return strcmp(path, events_path) == 0 || find_route(server, path) ? CT_SERVE_READ
                                                                      : CT_SERVE_NOTHING;
}

static enum MHD_Result refuse_request(const struct ct_server *server,
                                      struct MHD_Connection *connection, unsigned status,
                                      const char *path)
{
    char text[400];
    switch (status) {
    case 401:
        if (strcmp(path, "/") == 0)
            return send_text(connection, status, html, login_html);
        snprintf(text, sizeof text,
                 "The token is missing or wrong: send it as 'Authorization: Bearer TOKEN'.\n");
        break;
    case 404:
        snprintf(text, sizeof text, "There is nothing here.\n");
        break;
    case 405:
        snprintf(text, sizeof text, "This is read only: GET, and POST of the login alone.\n");
        break;
    case 421:
        snprintf(text, sizeof text,
                 "The Host header is no name of this machine: use %s, localhost or an address.\n",
                 server->place.url);
        break;
    default:
        snprintf(text, sizeof text,
                 "The request needs one Host header, and an address without '?'.\n");
    }
    return send_text(connection, status, plain, text);
}

static enum MHD_Result send_route(struct ct_server *server, const struct ct_serve_route *route,
                                  struct MHD_Connection *connection)
{
    struct ct_serve_body body = {.text = NULL};
    struct ct_error err = {.text = ""};
    const char *accept =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
    if (route->make(server->source, accept ? accept : "", &body, &err) != CT_OK)
        return send_text(connection, 500, plain, err.text);
    return send_response(
        connection, 200, body.type,
        MHD_create_response_from_buffer(body.size, body.text, MHD_RESPMEM_MUST_FREE));
}

static struct line *line_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static enum MHD_Result answer_reader(struct ct_server *server, struct MHD_Connection *connection,
                                     const char *path, bool is_head)
{
    const struct file *file = find_file(path);
    if (file)
        return send_text(connection, 200, file->type, file->text);
    const struct ct_serve_route *route = find_route(server, path);
    if (route)
        return send_route(server, route, connection);
    if (is_head)
        return send_text(connection, 200, "text/event-stream", "");
    if (server->n_looking >= LOOKING_MAX)
        return send_text(connection, 503, plain, "Too many look at this page.\n");
    struct line *line = line_of(connection);
    if (line)
        line->end_s = ct_clock_now_s() + LOOK_S;
    return send_response(connection, 200, "text/event-stream", begin_looking(server, connection));
}

static enum MHD_Result answer_login(struct ct_server *server, struct MHD_Connection *connection,
                                    const struct request *request)
{
    if (!ct_serve_login_is_right(&server->access, request->body, request->n))
        return send_text(connection, 401, html, login_html);
    char secret[CT_SERVE_SECRET_MAX], cookie[CT_SERVE_SECRET_MAX + 100];
    ct_serve_session_begin(&server->access, secret);
    snprintf(cookie, sizeof cookie,
             "crosstalk=%s; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict", secret);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, (void *)(uintptr_t) "", MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, "Set-Cookie", cookie);
    MHD_add_response_header(response, "Location", "/");
    return send_response(connection, 303, plain, response);
}

/* ---- requests ---- */

struct header_search {
    const char *name, *value;
    size_t n;
};

static enum MHD_Result count_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    struct header_search *search = cls;
    (void)kind;
    if (strcasecmp(name, search->name) == 0) {
        search->value = value;
        search->n++;
    }
    return MHD_YES;
}

/* The value of a header that is there once. */
static const char *find_header(struct MHD_Connection *connection, const char *name)
{
    struct header_search search = {.name = name};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &search);
    return search.n == 1 ? search.value : NULL;
}

static unsigned judge_request(const struct ct_server *server, struct MHD_Connection *connection,
                              const char *path, const char *method)
{
    const struct ct_serve_request request = {
        .method = method,
        .path = path,
        .host = find_header(connection, "Host"),
        .authorization = find_header(connection, "Authorization"),
        .cookie = find_header(connection, "Cookie"),
        .has_arguments =
            MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, NULL, NULL) > 0};
    return ct_serve_judge(&request, &server->access, server->own_name, need_of(server, path));
}

/* Called for the headers, then for each piece of a body, then once without one. */
static enum MHD_Result take_request(void *cls, struct MHD_Connection *connection, const char *path,
                                    const char *method, const char *version, const char *piece,
                                    size_t *piece_size, void **state)
{
    struct ct_server *server = cls;
    struct request *request = *state;
    (void)version;
    if (!request) {
        unsigned status = judge_request(server, connection, path, method);
        const char *length = find_header(connection, "Content-Length");
        if (status == 200 && length && strtoull(length, NULL, 10) > CT_SERVE_LOGIN_MAX)
            return send_text(connection, 413, plain, "This is more than a token.\n");
        if (status != 200)
            return refuse_request(server, connection, status, path);
        *state = request = calloc(1, sizeof *request);
        return request ? MHD_YES : MHD_NO;
    }
    if (*piece_size > sizeof request->body - request->n)
        return MHD_NO; /* one without a length: the connection ends */
    if (*piece_size > 0) {
        memcpy(request->body + request->n, piece, *piece_size);
        request->n += *piece_size;
        *piece_size = 0;
        return MHD_YES;
    }
    struct line *line = line_of(connection);
    if (line)
        line->end_s = ct_clock_now_s() + ANSWER_S;
    if (strcmp(path, login_path) == 0)
        return answer_login(server, connection, request);
    return answer_reader(server, connection, path, strcmp(method, "HEAD") == 0);
}

static void end_request(void *cls, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode code)
{
    (void)cls;
    (void)connection;
    (void)code;
    if (*state)
        sodium_memzero(*state, sizeof(struct request));
    free(*state);
    *state = NULL;
}

static void note_connection(void *cls, struct MHD_Connection *connection, void **context,
                            enum MHD_ConnectionNotificationCode code)
{
    struct ct_server *server = cls;
    struct line *line = *context;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (line)
            line->fd = -1;
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    for (size_t i = 0; i < CONNECTIONS_MAX && info; i++)
        if (server->lines[i].fd < 0) {
            server->lines[i] = (struct line){info->connect_fd, ct_clock_now_s() + REQUEST_S};
            *context = &server->lines[i];
            return;
        }
}

static void end_late_connections(struct ct_server *server)
{
    double now_s = ct_clock_now_s();
    for (size_t i = 0; i < CONNECTIONS_MAX; i++)
        if (server->lines[i].fd >= 0 && server->lines[i].end_s < now_s)
            shutdown(server->lines[i].fd, SHUT_RDWR);
}

/* ---- the server ---- */

static enum ct_status read_token(const char *path, struct ct_serve_access *access,
                                 struct ct_error *err)
{
    unsigned char key[CT_PROBE_KEY_BYTES];
    enum ct_status status = ct_probe_key_read(path, true, key, err);
    if (status == CT_OK)
        sodium_bin2hex(access->token, sizeof access->token, key, sizeof key);
    sodium_memzero(key, sizeof key);
    return status;
}

static enum ct_status start_daemon(struct ct_server *server, struct ct_error *err)
{
    int fd = -1;
    CT_TRY(ct_serve_listen(&server->place, &fd, err));
    server->daemon = MHD_start_daemon(
        MHD_USE_AUTO | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, take_request, server,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_S, MHD_OPTION_NOTIFY_COMPLETED, end_request, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, note_connection, server, MHD_OPTION_END);
    if (!server->daemon) {
        close(fd);
        return ct_fail(err, CT_EIO, "%s: libmicrohttpd cannot serve it", server->place.url);
    }
    return CT_OK;
}

enum ct_status ct_serve_open(const struct ct_serve_settings *settings, struct ct_server **server_p,
                             struct ct_error *err)
{
    struct ct_server *server = calloc(1, sizeof *server);
    if (!server)
        return ct_no_memory(err, "the page");
    server->routes = settings->routes;
    server->n_routes = settings->n_routes;
    server->source = settings->source;
    for (size_t i = 0; i < CONNECTIONS_MAX; i++)
        server->lines[i].fd = -1;
    if (gethostname(server->own_name, sizeof server->own_name - 1) != 0)
        server->own_name[0] = '\0';
    enum ct_status status = ct_serve_parse_place(settings->address, &server->place, err);
    if (status == CT_OK)
        status = read_token(settings->token_file, &server->access, err);
    if (status == CT_OK)
        status = start_daemon(server, err);
    if (status == CT_OK)
        *server_p = server;
    else
        ct_serve_close(server);
    return status;
}

void ct_serve_close(struct ct_server *server)
{
    if (!server)
        return;
    wake_looking(server); /* libmicrohttpd ends none that sleeps */
    if (server->daemon) {
        MHD_run(server->daemon);
        wake_looking(server);
        MHD_stop_daemon(server->daemon);
    }
    for (size_t i = 0; i < CT_SERVE_EVENTS; i++)
        free(server->events[i]);
    drop_document(server->hello);
    drop_document(server->state);
    sodium_memzero(&server->access, sizeof server->access);
    free(server);
}

const char *ct_serve_url(const struct ct_server *server)
{
    return server->place.url;
}

bool ct_serve_is_open(const struct ct_server *server)
{
    return !server->place.is_loopback;
}

void ct_serve_run(struct ct_server *server, double until_s)
{
    static const int32_t wait_ms = 200;
    double left_s = until_s - ct_clock_now_s();
    do {
        int32_t turn_ms = left_s > 0 ? (int32_t)(1e3 * left_s) + 1 : 0;
        errno = 0;
        MHD_run_wait(server->daemon, turn_ms < wait_ms ? turn_ms : wait_ms);
        end_late_connections(server);
        left_s = until_s - ct_clock_now_s();
    } while (left_s > 0 && errno != EINTR);
}
