#include "trace/convert/allprof_line.h"

#include <string.h>

/*
 * Arguments, one letter a field:
 *   b buffer    c count      d datatype         l array of counts   m array of displacements
 *   t peer      g tag        s source           h tag of a receive  r root
 *   C comm      R request    N number of requests, A array of them  . anything
 *   o color     k key        n address of a communicator's handle
 */
#define MESSAGE(name, mode)                                                                        \
    {                                                                                              \
        name, "bcdtgC", CT_TRACE_SEND, mode, CT_ALLPROF_EVENT                                      \
    }
#define NONBLOCKING_MESSAGE(name, mode)                                                            \
    {                                                                                              \
        name, "bcdtgCR", CT_TRACE_SEND, mode, CT_ALLPROF_EVENT                                     \
    }
#define PERSISTENT_MESSAGE(name, mode)                                                             \
    {                                                                                              \
        name, "bcdtgCR", CT_TRACE_SEND, mode, CT_ALLPROF_INIT                                      \
    }
#define COLLECTIVE(blocking, nonblocking, arguments, kind)                                         \
    {blocking, arguments, kind, CT_TRACE_STANDARD, CT_ALLPROF_EVENT},                              \
    {                                                                                              \
        nonblocking, arguments "R", kind, CT_TRACE_STANDARD, CT_ALLPROF_EVENT                      \
    }
#define ROW_OF_NO_EVENT(name, arguments, does)                                                     \
    {                                                                                              \
        name, arguments, CT_TRACE_NONE, CT_TRACE_STANDARD, does                                    \
    }

static const struct ct_allprof_row rows[] = {
    {"Init", NULL, CT_TRACE_BEGIN, CT_TRACE_STANDARD, CT_ALLPROF_EVENT},
    {"Init_thread", NULL, CT_TRACE_BEGIN, CT_TRACE_STANDARD, CT_ALLPROF_EVENT},
    {"Finalize", NULL, CT_TRACE_END, CT_TRACE_STANDARD, CT_ALLPROF_EVENT},

    ROW_OF_NO_EVENT("Comm_rank", "C.", CT_ALLPROF_NOTHING),
    ROW_OF_NO_EVENT("Comm_size", "C.", CT_ALLPROF_NOTHING),

    ROW_OF_NO_EVENT("Comm_dup", "Cn", CT_ALLPROF_DUP),
    ROW_OF_NO_EVENT("Comm_dup_with_info", "C.n", CT_ALLPROF_DUP),
    ROW_OF_NO_EVENT("Comm_idup", "Cn.", CT_ALLPROF_DUP),
    ROW_OF_NO_EVENT("Comm_split", "Cokn", CT_ALLPROF_SPLIT),
    ROW_OF_NO_EVENT("Cart_create", "C....n", CT_ALLPROF_CART),
    ROW_OF_NO_EVENT("Intercomm_create", "C....n", CT_ALLPROF_INTER),
    ROW_OF_NO_EVENT("Cart_sub", "C.n", CT_ALLPROF_MAKE),
    ROW_OF_NO_EVENT("Comm_create", "C.n", CT_ALLPROF_MAKE),
    ROW_OF_NO_EVENT("Comm_create_group", "C..n", CT_ALLPROF_MAKE_APART),
    ROW_OF_NO_EVENT("Comm_split_type", "C...n", CT_ALLPROF_MAKE),
    ROW_OF_NO_EVENT("Dist_graph_create", "C.......n", CT_ALLPROF_MAKE),
    ROW_OF_NO_EVENT("Dist_graph_create_adjacent", "C........n", CT_ALLPROF_MAKE),
    ROW_OF_NO_EVENT("Graph_create", "C....n", CT_ALLPROF_MAKE),
    ROW_OF_NO_EVENT("Intercomm_merge", "C.n", CT_ALLPROF_MAKE),
    ROW_OF_NO_EVENT("Comm_free", "n", CT_ALLPROF_COMM_FREE),
    ROW_OF_NO_EVENT("Comm_disconnect", "n", CT_ALLPROF_COMM_FREE),

    MESSAGE("Send", CT_TRACE_STANDARD),
    MESSAGE("Ssend", CT_TRACE_SYNCHRONOUS),
    MESSAGE("Bsend", CT_TRACE_BUFFERED),
    MESSAGE("Rsend", CT_TRACE_READY),
    NONBLOCKING_MESSAGE("Isend", CT_TRACE_STANDARD),
    NONBLOCKING_MESSAGE("Issend", CT_TRACE_SYNCHRONOUS),
    NONBLOCKING_MESSAGE("Ibsend", CT_TRACE_BUFFERED),
    NONBLOCKING_MESSAGE("Irsend", CT_TRACE_READY),
    PERSISTENT_MESSAGE("Send_init", CT_TRACE_STANDARD),
    PERSISTENT_MESSAGE("Ssend_init", CT_TRACE_SYNCHRONOUS),
    PERSISTENT_MESSAGE("Bsend_init", CT_TRACE_BUFFERED),
    PERSISTENT_MESSAGE("Rsend_init", CT_TRACE_READY),
    {"Recv", "bcdshC.", CT_TRACE_RECEIVE, CT_TRACE_STANDARD, CT_ALLPROF_EVENT},
    {"Irecv", "bcdshCR", CT_TRACE_RECEIVE, CT_TRACE_STANDARD, CT_ALLPROF_EVENT},
    {"Recv_init", "bcdshCR", CT_TRACE_RECEIVE, CT_TRACE_STANDARD, CT_ALLPROF_INIT},
    {"Sendrecv", "bcdtgbcdshC.", CT_TRACE_SENDRECV, CT_TRACE_STANDARD, CT_ALLPROF_EVENT},
    {"Sendrecv_replace", "bcdtgshC.", CT_TRACE_SENDRECV, CT_TRACE_STANDARD, CT_ALLPROF_EVENT},

    ROW_OF_NO_EVENT("Start", "R", CT_ALLPROF_START),
    ROW_OF_NO_EVENT("Startall", "NA", CT_ALLPROF_START),
    ROW_OF_NO_EVENT("Wait", "R.", CT_ALLPROF_WAIT),
    ROW_OF_NO_EVENT("Waitall", "NA.", CT_ALLPROF_WAIT),
    ROW_OF_NO_EVENT("Waitany", "NA..", CT_ALLPROF_TEST),
    ROW_OF_NO_EVENT("Waitsome", "NA...", CT_ALLPROF_TEST),
    ROW_OF_NO_EVENT("Test", "R..", CT_ALLPROF_TEST),
    ROW_OF_NO_EVENT("Testall", "NA..", CT_ALLPROF_TEST),
    ROW_OF_NO_EVENT("Testany", "NA...", CT_ALLPROF_TEST),
    ROW_OF_NO_EVENT("Testsome", "NA...", CT_ALLPROF_TEST),
    ROW_OF_NO_EVENT("Cancel", "R", CT_ALLPROF_CANCEL),
    ROW_OF_NO_EVENT("Request_free", "R", CT_ALLPROF_FREE),

    COLLECTIVE("Barrier", "Ibarrier", "C", CT_TRACE_BARRIER),
    COLLECTIVE("Bcast", "Ibcast", "bcdrC", CT_TRACE_BCAST),
    COLLECTIVE("Reduce", "Ireduce", "bbcd.rC", CT_TRACE_REDUCE),
    COLLECTIVE("Allreduce", "Iallreduce", "bbcd.C", CT_TRACE_ALLREDUCE),
    COLLECTIVE("Scan", "Iscan", "bbcd.C", CT_TRACE_SCAN),
    COLLECTIVE("Exscan", "Iexscan", "bbcd.C", CT_TRACE_EXSCAN),
    COLLECTIVE("Gather", "Igather", "bcdbcdrC", CT_TRACE_GATHER),
    COLLECTIVE("Gatherv", "Igatherv", "bcdblmdrC", CT_TRACE_GATHER),
    COLLECTIVE("Scatter", "Iscatter", "bcdbcdrC", CT_TRACE_SCATTER),
    COLLECTIVE("Scatterv", "Iscatterv", "blmdbcdrC", CT_TRACE_SCATTER),
    COLLECTIVE("Allgather", "Iallgather", "bcdbcdC", CT_TRACE_ALLGATHER),
    COLLECTIVE("Allgatherv", "Iallgatherv", "bcdblmdC", CT_TRACE_ALLGATHER),
    COLLECTIVE("Alltoall", "Ialltoall", "bcdbcdC", CT_TRACE_ALLTOALL),
    COLLECTIVE("Alltoallv", "Ialltoallv", "blmdblmdC", CT_TRACE_ALLTOALLV),
    COLLECTIVE("Reduce_scatter", "Ireduce_scatter", "bbld.C", CT_TRACE_REDUCE_SCATTER),
    COLLECTIVE("Reduce_scatter_block", "Ireduce_scatter_block", "bbcd.C", CT_TRACE_REDUCE_SCATTER),
};

/* Calls that send nothing, by how their names begin. Those that make communicators do, but their
 * messages are in no trace. Probes are followed by the receive. */
static const char *const local[] = {"Abort",
                                    "Address",
                                    "Aint_",
                                    "Alloc_mem",
                                    "Attr_",
                                    "Buffer_",
                                    "Cart",
                                    "Comm_",
                                    "Dims_create",
                                    "Error_",
                                    "Errhandler",
                                    "Finalized",
                                    "Free_mem",
                                    "Get_address",
                                    "Get_count",
                                    "Get_elements",
                                    "Get_lib",
                                    "Get_proc",
                                    "Get_version",
                                    "Graph",
                                    "Group_",
                                    "Info_",
                                    "Initialized",
                                    "Intercomm_",
                                    "Iprobe",
                                    "Is_thread",
                                    "Keyval_",
                                    "Op_",
                                    "Pack",
                                    "Pcontrol",
                                    "Probe",
                                    "Query_thread",
                                    "Register_datarep",
                                    "Request_get_status",
                                    "Status_",
                                    "Topo_test",
                                    "Type_",
                                    "Unpack",
                                    "Wtick",
                                    "Wtime",
                                    "Dist_graph"};

static struct ct_allprof_row row_of(struct ct_allprof_text name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == name.n && memcmp(rows[i].name, name.at, name.n) == 0)
            return rows[i];
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        if (strlen(local[i]) <= name.n && memcmp(local[i], name.at, strlen(local[i])) == 0)
            return (struct ct_allprof_row){.name = local[i], .does = CT_ALLPROF_NOTHING};
    return (struct ct_allprof_row){
        .name = "", .kind = CT_TRACE_UNMODELLED, .does = CT_ALLPROF_UNMODELLED};
}

/* ---- fields ---- */

/* Up to a separator or the end, which is taken too. */
static struct ct_allprof_text take_until(struct ct_allprof_text *text, char separator)
{
    const char *end = memchr(text->at, separator, text->n);
    struct ct_allprof_text taken = {text->at, end ? (size_t)(end - text->at) : text->n};
    size_t used = taken.n + (end != NULL);
    text->at += used;
    text->n -= used;
    return taken;
}

static bool parse_number(struct ct_allprof_text text, uint64_t *number_p)
{
    uint64_t value = 0;
    if (text.n == 0)
        return false;
    for (size_t i = 0; i < text.n; i++) {
        unsigned digit = (unsigned)text.at[i] - '0';
        if (digit > 9 || value > (UINT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *number_p = value;
    return true;
}

/* Also below 0; some versions print handles and addresses as signed numbers. */
static bool parse_whole(struct ct_allprof_text text, int64_t *number_p)
{
    uint64_t value;
    bool negative = text.n > 0 && *text.at == '-';
    if (negative)
        text = (struct ct_allprof_text){text.at + 1, text.n - 1};
    if (!parse_number(text, &value) || value > INT64_MAX)
        return false;
    *number_p = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

static bool parse_address(struct ct_allprof_text text, uint64_t *number_p)
{
    int64_t value;
    if (parse_number(text, number_p))
        return true;
    if (!parse_whole(text, &value))
        return false;
    *number_p = (uint64_t)value;
    return true;
}

/* Microseconds, with decimals in some versions. */
static bool time_ns(struct ct_allprof_text text, uint64_t *ns_p)
{
    enum { DECIMALS = 3, NS_A_US = 1000 };
    struct ct_allprof_text us = take_until(&text, '.');
    uint64_t value, scale = NS_A_US / 10, decimals = 0;
    if (!parse_number(us, &value) || value > UINT64_MAX / NS_A_US - 1)
        return false;
    for (size_t i = 0; i < text.n; i++) {
        unsigned digit = (unsigned)text.at[i] - '0';
        if (digit > 9)
            return false;
        if (i < DECIMALS)
            decimals += digit * scale;
        scale /= 10;
    }
    *ns_p = value * NS_A_US + decimals;
    return true;
}

bool ct_allprof_next(struct ct_allprof_text *list, uint64_t *number_p)
{
    return parse_number(take_until(list, ','), number_p);
}

/* Number, size and extent, or the size alone. */
static bool parse_datatype(struct ct_allprof_text text, uint64_t *size_p)
{
    struct ct_allprof_text first = take_until(&text, ',');
    return text.n == 0 ? parse_number(first, size_p) : parse_number(take_until(&text, ','), size_p);
}

static bool parse_communicator(struct ct_allprof_text text, struct ct_allprof_call *call)
{
    return parse_address(take_until(&text, ','), &call->comm) &&
           parse_number(take_until(&text, ','), &call->comm_rank) &&
           parse_number(text, &call->comm_size) && call->comm_rank < call->comm_size;
}

static bool take_field(struct ct_allprof_call *call, char what, struct ct_allprof_text text)
{
    int64_t ignored;
    switch (what) {
    case 'b':
        return parse_address(text, &call->buffer[call->n_buffers++]);
    case 'c': /* a count below 0 is an error that the program has seen */
        return parse_whole(text, &ignored) &&
               (ignored < 0 || parse_number(text, &call->count[call->n_counts])) &&
               (call->n_counts++, true);
    case 'd':
        return parse_datatype(text, &call->size[call->n_sizes++]);
    case 't':
        return parse_whole(text, &call->peer);
    case 'g':
        return parse_whole(text, &call->tag);
    case 's':
        return parse_whole(text, &call->source);
    case 'h':
        return parse_whole(text, &call->source_tag);
    case 'r':
        return parse_whole(text, &call->root);
    case 'C':
        return parse_communicator(text, call);
    case 'o':
        return parse_whole(text, &call->color);
    case 'k':
        return parse_whole(text, &call->key);
    case 'n':
        return parse_address(text, &call->new_comm);
    case 'N':
        return parse_number(text, &call->n_requests);
    case 'R':
        call->n_requests = 1;
        return parse_address(text, &call->request);
    case 'A':
        return parse_address(text, &call->request);
    default:
        return true;
    }
}

/* ---- lines ---- */

static size_t count_fields(struct ct_allprof_text text)
{
    size_t n = 1;
    for (size_t i = 0; i < text.n; i++)
        n += text.at[i] == ':';
    return n;
}

/* How many fields the arguments are, with the lists of arrays or without. */
static size_t fields_of(const char *arguments, bool with_lists)
{
    size_t n = 0;
    for (; *arguments; arguments++)
        n += *arguments == 'l' || *arguments == 'm' ? 1 + with_lists : 1;
    return n;
}

static enum ct_status take_arguments(struct ct_allprof_text text, struct ct_allprof_call *call,
                                     struct ct_error *err)
{
    const char *arguments = call->row.arguments;
    size_t n = text.n > 0 ? count_fields(text) : 0;
    bool with_lists = n != fields_of(arguments, false);
    if (with_lists && n != fields_of(arguments, true))
        return ct_fail(err, CT_EFORMAT, "%.*s has %zu arguments, not %zu", (int)call->name.n,
                       call->name.at, n, fields_of(arguments, false));
    for (const char *what = arguments; *what; what++) {
        struct ct_allprof_text field = take_until(&text, ':');
        bool is_array = *what == 'l' || *what == 'm';
        struct ct_allprof_text list = {0};
        if (is_array && with_lists)
            list = take_until(&text, ':');
        if (*what == 'l')
            call->list[call->n_lists++] = list;
        if (!take_field(call, *what, field))
            return ct_fail(err, CT_EFORMAT, "%.*s: argument %td: \"%.*s\"", (int)call->name.n,
                           call->name.at, what - arguments + 1, (int)field.n, field.at);
    }
    return CT_OK;
}

/* Take the last field off. */
static struct ct_allprof_text take_last(struct ct_allprof_text *text)
{
    size_t n = text->n;
    while (n > 0 && text->at[n - 1] != ':')
        n--;
    struct ct_allprof_text taken = {text->at + n, text->n - n};
    text->n = n > 0 ? n - 1 : 0;
    return taken;
}

static bool is_dash(struct ct_allprof_text text)
{
    return text.n == 1 && *text.at == '-';
}

enum ct_status ct_allprof_parse(struct ct_allprof_text text, struct ct_allprof_call *call_p,
                                struct ct_error *err)
{
    static const char prefix[] = "MPI_";
    const size_t n_prefix = sizeof prefix - 1;
    struct ct_allprof_call call = {0};
    while (text.n > 0 && strchr(" \t\r", text.at[text.n - 1]))
        text.n--;
    if (text.n == 0 || *text.at == '#') {
        *call_p = call;
        return CT_OK;
    }
    if (text.n < n_prefix || memcmp(text.at, prefix, n_prefix) != 0)
        return ct_fail(err, CT_EFORMAT, "neither an MPI call nor a comment: \"%.*s\"",
                       (int)(text.n < 40 ? text.n : 40), text.at);
    call.name = take_until(&text, ':');
    call.row = row_of((struct ct_allprof_text){call.name.at + n_prefix, call.name.n - n_prefix});
    struct ct_allprof_text start = take_until(&text, ':'), end = take_last(&text);
    call.has_start = !is_dash(start);
    call.has_end = !is_dash(end);
    if ((call.has_start && !time_ns(start, &call.start_ns)) ||
        (call.has_end && !time_ns(end, &call.end_ns)) || (!call.has_start && !call.has_end))
        return ct_fail(err, CT_EFORMAT, "%.*s: its start \"%.*s\" and end \"%.*s\" are no times",
                       (int)call.name.n, call.name.at, (int)start.n, start.at, (int)end.n, end.at);
    call.start_ns = call.has_start ? call.start_ns : call.end_ns;
    call.end_ns = call.has_end ? call.end_ns : call.start_ns;
    CT_TRY(call.row.arguments ? take_arguments(text, &call, err) : CT_OK);
    *call_p = call;
    return CT_OK;
}
