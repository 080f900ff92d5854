#include "trace/unmodelled.h"

#include "core/array.h"
#include "core/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool ct_trace_is_unmodelled(const struct ct_trace_event *event, const char *text)
{
    return event->kind == CT_TRACE_UNMODELLED && event->n_text == strlen(text) &&
           memcmp(event->text, text, event->n_text) == 0;
}

/* There are few texts, so they are searched from the front. */
enum ct_status ct_trace_unmodelled_add(struct ct_trace_unmodelled **list_p, size_t *n_p,
                                       const struct ct_trace_event *event, struct ct_error *err)
{
    struct ct_trace_unmodelled *list = *list_p;
    char name[CT_TRACE_TEXT_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)event->n_text, event->text ? event->text : "");
    size_t i = 0;
    while (i < *n_p && strcmp(list[i].name, name) != 0)
        i++;
    if (i == *n_p) {
        if (!CT_ARRAY_RESIZE(list, i + 1))
            return ct_no_memory(err, "traces");
        *list_p = list;
        list[i] = (struct ct_trace_unmodelled){.calls = 0};
        memcpy(list[i].name, name, sizeof name);
        ++*n_p;
    }
    list[i].calls++;
    list[i].time_ns += event->end_ns - event->start_ns;
    return CT_OK;
}

/* ---- what is lost ---- */

struct loss {
    const char *name, *lost;
};

static const struct {
    const char *name, *lost;
    bool has_length;
} parts[] = {
    {CT_TRACE_NOT_RECORDED, "its calls are missing, and its time is not counted as compute", true},
    {CT_TRACE_FLUSH, "its time is not counted as compute", true},
    {CT_TRACE_END_NOT_RECORDED, "a rank ends where its recording was turned off", false},
    {CT_TRACE_BEGUN_BEFORE, "its message or collective call is missing", false},
    {CT_TRACE_SIZES,
     "they are read as sums over its ranks, which Score-P writes; who wrote this archive is not "
     "known",
     false},
};

static const char a_message[] = "its messages are missing, unless they were of MPI_PROC_NULL";
static const char messages[] = "its messages are missing";
static const char an_access[] = "its message is missing, and that ranks wait until it is complete";
static const char a_window[] = "that ranks wait for each other in it is missing";

/* Names without MPI_, in lower case. */
static const struct loss messages_of[] = {
    {"send", a_message},
    {"bsend", a_message},
    {"ssend", a_message},
    {"rsend", a_message},
    {"isend", a_message},
    {"ibsend", a_message},
    {"issend", a_message},
    {"irsend", a_message},
    {"recv", a_message},
    {"irecv", a_message},
    {"mrecv", a_message},
    {"imrecv", a_message},
    {"sendrecv", a_message},
    {"sendrecv_replace", a_message},
    {"isendrecv", messages},
    {"isendrecv_replace", messages},
    {"psend_init", messages},
    {"precv_init", messages},
    {"pready", messages},
    {"pready_range", messages},
    {"pready_list", messages},
    {"put", an_access},
    {"get", an_access},
    {"accumulate", an_access},
    {"get_accumulate", an_access},
    {"fetch_and_op", an_access},
    {"compare_and_swap", an_access},
    {"rput", an_access},
    {"rget", an_access},
    {"raccumulate", an_access},
    {"rget_accumulate", an_access},
    {"win_fence", a_window},
    {"win_start", a_window},
    {"win_wait", a_window},
    {"win_lock", a_window},
    {"win_lock_all", a_window},
    {"start",
     "what it started is missing: a collective, a partitioned message, or one of MPI_PROC_NULL"},
    {"startall",
     "what it started is missing: collectives, partitioned messages, or those of MPI_PROC_NULL"},
};

static const char *const collectives[] = {
    "barrier",   "bcast",     "gather",        "gatherv",  "scatter",
    "scatterv",  "allgather", "allgatherv",    "alltoall", "alltoallv",
    "alltoallw", "reduce",    "allreduce",     "scan",     "reduce_scatter_block",
    "exscan",    "neighbor_", "reduce_scatter"};

static bool is_collective(const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++) {
        size_t length = strlen(collectives[i]);
        bool begins = collectives[i][length - 1] == '_';
        if ((begins ? n > length : n == length) && strncmp(word, collectives[i], length) == 0)
            return true;
    }
    return false;
}

/* Without an ending, if it has it. */
static void cut_ending(char *word, const char *ending)
{
    size_t n = strlen(word), n_ending = strlen(ending);
    if (n > n_ending && strcmp(word + n - n_ending, ending) == 0)
        word[n - n_ending] = '\0';
}

/* "MPI_Send_c()" is "send". */
static void take_word(const char *name, char word[CT_TRACE_TEXT_MAX + 1])
{
    size_t n = 0;
    for (const char *c = name + strlen("MPI_");
         n < CT_TRACE_TEXT_MAX && (isalnum((unsigned char)*c) || *c == '_'); c++)
        word[n++] = (char)tolower((unsigned char)*c);
    while (n > 0 && word[n - 1] == '_') /* of Fortran's linker */
        n--;
    word[n] = '\0';
    cut_ending(word, "_f08ts");
    cut_ending(word, "_f08");
    cut_ending(word, "_c");
}

const char *ct_trace_lost_with(const char *name)
{
    char word[CT_TRACE_TEXT_MAX + 1];
    if (strncasecmp(name, "MPI_", strlen("MPI_")) != 0)
        return "";
    take_word(name, word);
    for (size_t i = 0; i < sizeof messages_of / sizeof *messages_of; i++)
        if (strcmp(word, messages_of[i].name) == 0)
            return messages_of[i].lost;
    if (is_collective(word, strlen(word)))
        return "its messages are missing, and that ranks wait for each other in it";
    if (*word == 'i' && is_collective(word + 1, strlen(word + 1)))
        return "its messages are missing, and that ranks wait for it";
    cut_ending(word, "_init");
    return is_collective(word, strlen(word)) ? "the collective calls that it prepares are missing"
                                             : "";
}

void ct_trace_unmodelled_describe(const struct ct_trace_unmodelled *unmodelled,
                                  char text[CT_TRACE_COUNT_TEXT_MAX])
{
    const char *lost = ct_trace_lost_with(unmodelled->name), *what = "calls";
    char time[CT_UNITS_TEXT_MAX + 16] = "", length[CT_UNITS_TEXT_MAX];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(unmodelled->name, parts[i].name) != 0)
            continue;
        lost = parts[i].lost;
        what = "number";
        if (parts[i].has_length) {
            ct_format_duration(1e-9 * (double)unmodelled->time_ns, length);
            snprintf(time, sizeof time, ", %s%s", length, unmodelled->calls > 1 ? " together" : "");
        }
    }
    snprintf(text, CT_TRACE_COUNT_TEXT_MAX, "(%s: %" PRIu64 "%s)%s%s", what, unmodelled->calls,
             time, *lost ? ": " : "", lost);
}
