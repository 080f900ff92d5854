/*
 * A line of liballprof's text form: what one MPI call was.
 *
 *     MPI_Isend:1225038833277018:14781072:36864:13,1,1:1:204:5641280,0,4:7104000:1225038833277029
 *
 * The name; the start in microseconds ("-" in MPI_Init); the arguments in the order of MPI; the end
 * ("-" in MPI_Finalize). Arguments that are pointers are addresses. A datatype is its number, size
 * and extent; a communicator its handle, this rank in it and its size. An array of counts is its
 * address and, in some versions of the library, a field with the counts.
 * Source: T. Hoefler and others, liballprof, gencode.py (github.com/spcl/LogGOPSim).
 */
#pragma once

#include "trace/format.h"

/* What a call does to requests or communicators, or with the trace. */
enum ct_allprof_does {
    CT_ALLPROF_NOTHING, /* it only takes time */
    CT_ALLPROF_EVENT,   /* it is an event of row->kind; with a request if the line has one */
    CT_ALLPROF_INIT,    /* makes a persistent request */
    CT_ALLPROF_START,   /* starts some */
    CT_ALLPROF_WAIT,    /* completes all of its requests */
    CT_ALLPROF_TEST,    /* completes some of them, perhaps */
    CT_ALLPROF_CANCEL,
    CT_ALLPROF_FREE,
    CT_ALLPROF_DUP,        /* makes a communicator with the members of another */
    CT_ALLPROF_SPLIT,      /* makes some, by color and key */
    CT_ALLPROF_CART,       /* makes one of the first members of another */
    CT_ALLPROF_INTER,      /* makes one between two groups, of which one is another's members */
    CT_ALLPROF_MAKE,       /* makes some, whose members are not in the line */
    CT_ALLPROF_MAKE_APART, /* the same; called by the new one's members only */
    CT_ALLPROF_COMM_FREE,
    CT_ALLPROF_UNMODELLED
};

struct ct_allprof_row {
    const char *name;      /* without "MPI_" */
    const char *arguments; /* see allprof_line.c; NULL: not looked at */
    enum ct_trace_kind kind;
    enum ct_trace_mode mode;
    enum ct_allprof_does does;
};

/* Part of the line, not ended by a zero. */
struct ct_allprof_text {
    const char *at;
    size_t n;
};

/* A line's fields, in one struct, as one row of a table reads them; 0 where the call has none such.
 * Of count, size, buffer and counts the first is what is sent, the second what is received, if
 * there are two. */
struct ct_allprof_call {
    struct ct_allprof_row row;
    struct ct_allprof_text name; /* with "MPI_" */
    bool has_start, has_end;
    uint64_t start_ns, end_ns;
    size_t n_buffers, n_sizes, n_counts, n_lists;
    uint64_t buffer[2];
    uint64_t count[2], size[2];
    struct ct_allprof_text list[2]; /* counts with commas; n 0: they are not in the line */
    int64_t peer, tag;              /* of a send; below 0: MPI_PROC_NULL */
    int64_t source, source_tag;     /* of a receive; below 0: MPI_PROC_NULL or any */
    int64_t root;
    uint64_t comm;                 /* handle */
    uint64_t comm_rank, comm_size; /* rank < size; 0, 0: none */
    int64_t color, key;            /* color below 0: MPI_UNDEFINED */
    uint64_t new_comm;             /* address of the handle that is made or freed */
    uint64_t n_requests, request;  /* address of the first handle */
};

/*
 * text: one line without its end
 * CT_OK, with row.name NULL for an empty line or a comment; CT_EFORMAT
 */
enum ct_status ct_allprof_parse(struct ct_allprof_text text, struct ct_allprof_call *call_p,
                                struct ct_error *err);

/* Take the next number of a list; false at its end, or where there is no number. */
bool ct_allprof_next(struct ct_allprof_text *list, uint64_t *number_p);
