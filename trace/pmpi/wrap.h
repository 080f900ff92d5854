/**
 * Macros for wrappers. A call is intercepted under both of its names: programs and most of
 * Fortran's bindings call MPI_X, but bindings to mpi_f08 (MPICH), or all of Fortran's (Open MPI),
 * call PMPI_X. The real call is the next PMPI_X after this library.
 *
 * Files with counts in their parameters are compiled once with int, and, for the forms of MPI 4
 * whose names end in _c (CT_TRACE_LARGE), once with MPI_Count.
 */
#pragma once

#include "core/parts.h"
#include "trace/pmpi/tracer.h"

#define CT_TRACE_EXPORT __attribute__((visibility("default")))

#ifdef CT_TRACE_LARGE
#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#define COUNTS large_counts /**< member of struct ct_tracer_blocks */
#define CT_TRACE_FORM(name) name##_c
#else
#define COUNT int
#define DISPLACEMENT int
#define COUNTS counts
#define CT_TRACE_FORM(name) name
#endif

/**
 * Depth of calls of this thread (in a simulation: of this rank) into the MPI library. The library
 * itself calls some PMPI_X, most of them for files; these are part of the program's call.
 */
#if CT_SIMULATED
unsigned *ct_tracer_depth_self(void);
#define ct_tracer_depth (*ct_tracer_depth_self())
#else
extern _Thread_local unsigned ct_tracer_depth __attribute__((tls_model("initial-exec")));
#endif

/**
 * Where this thread's call of MPI returns to. The program's calls may be one within the other, so a
 * wrapper has the one of the outer call back at its end. A simulation, which copies programs, has
 * none.
 */
#if CT_SIMULATED
#define CT_TRACE_FROM_HERE(call) return call
#else
extern _Thread_local const void *ct_tracer_caller __attribute__((tls_model("initial-exec")));
#define CT_TRACE_FROM_HERE(call)                                                                   \
    do {                                                                                           \
        const void *outer = ct_tracer_caller;                                                      \
        ct_tracer_caller = __builtin_return_address(0);                                            \
        int code = call;                                                                           \
        ct_tracer_caller = outer;                                                                  \
        return code;                                                                               \
    } while (0)
#endif

/** The function of that name in the MPI library; if there is none, the program ends. */
void *ct_tracer_find_call(const char *name);

/** A list without its parentheses. */
#define UNPACK(...) __VA_ARGS__

/**
 * Head of a wrapper; its body follows, and calls next_<name>. An MPI_X that a callback of the
 * program calls is recorded even inside another call.
 * @param parameters  of MPI_<name>, in parentheses
 * @param arguments   their names, in parentheses
 */
#define CT_TRACE_CALL(name, parameters, arguments)                                                 \
    CT_TRACE_CALL_FORM(name, CT_TRACE_FORM(name), parameters, arguments)
#define CT_TRACE_CALL_FORM(name, form, parameters, arguments)                                      \
    CT_TRACE_CALL_NAMED(name, form, parameters, arguments)
#define CT_TRACE_CALL_NAMED(name, form, parameters, arguments)                                     \
    static int next_##name parameters                                                              \
    {                                                                                              \
        static _Atomic(__typeof__(&PMPI_##form)) found;                                            \
        __typeof__(&PMPI_##form) next = found;                                                     \
        if (!next)                                                                                 \
            found = next = (__typeof__(next))ct_tracer_find_call("PMPI_" #form);                   \
        ct_tracer_depth++;                                                                         \
        int code = next arguments;                                                                 \
        ct_tracer_depth--;                                                                         \
        return code;                                                                               \
    }                                                                                              \
    static int record_##name parameters;                                                           \
    CT_TRACE_EXPORT int MPI_##form parameters                                                      \
    {                                                                                              \
        CT_TRACE_FROM_HERE(record_##name arguments);                                               \
    }                                                                                              \
    CT_TRACE_EXPORT int PMPI_##form parameters                                                     \
    {                                                                                              \
        if (ct_tracer_depth > 0)                                                                   \
            return next_##name arguments;                                                          \
        CT_TRACE_FROM_HERE(record_##name arguments);                                               \
    }                                                                                              \
    static int record_##name parameters

/** The wrapper of a call whose communication is not modelled: it is recorded by name, so that the
 * reader can warn. */
#define UNMODELLED(name, parameters, arguments)                                                    \
    CT_TRACE_CALL(name, parameters, arguments)                                                     \
    {                                                                                              \
        uint64_t start_ns = ct_tracer_now();                                                       \
        int code = next_##name arguments;                                                          \
        ct_tracer_unmodelled(start_ns, "MPI_" CT_TRACE_TEXT(CT_TRACE_FORM(name)));                 \
        return code;                                                                               \
    }
#define CT_TRACE_TEXT(name) CT_TRACE_TEXT_OF(name)
#define CT_TRACE_TEXT_OF(name) #name
