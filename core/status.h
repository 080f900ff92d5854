/** Status codes of all rooms, and the error with the message for the user. */
#pragma once

#include <stddef.h>

/** Every code with its message, once. */
#define CT_STATUS_MAP(X)                                                                           \
    X(OK, "success")                                                                               \
    X(EINVAL, "invalid value")                                                                     \
    X(EUSAGE, "wrong usage")                                                                       \
    X(ENOMEM, "out of memory")                                                                     \
    X(EIO, "input or output failed")                                                               \
    X(EFORMAT, "not in the expected format")                                                       \
    X(ENOENT, "not found")                                                                         \
    X(EEXIST, "exists already")                                                                    \
    X(ENODATA, "not enough data")                                                                  \
    X(ETIMEOUT, "deadline passed")                                                                 \
    X(EINTR, "interrupted")                                                                        \
    X(EUNSUPPORTED, "not available on this system")                                                \
    X(ECHILD, "a program that was started failed")

enum ct_status {
#define CT_STATUS_ENUM(name, text) CT_##name,
    CT_STATUS_MAP(CT_STATUS_ENUM)
#undef CT_STATUS_ENUM
};

/** Message of a status; "unknown status" for a value outside the list. Static storage. */
const char *ct_status_text(enum ct_status status);

/**
 * An error with its cause. The function that detects the error fills the struct, once, by
 * ct_fail(); callers return the status, and main() prints the message, once. Functions leave the
 * struct unchanged on success.
 */
struct ct_error {
    enum ct_status status;
    char text[600]; /**< "what: why", names the value and the remedy; no program name, no newline */
};

/**
 * Fill an error and return its status, so that `return ct_fail(err, CT_EINVAL, "...")` reads well.
 * @param err     [out] may be NULL: then only the status is returned
 * @param status  [in]  any but CT_OK
 * @param format  [in]  printf format of the message; longer messages are cut
 */
enum ct_status ct_fail(struct ct_error *err, enum ct_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for the static analyzer, which sees one file at a time. */
#ifdef __clang_analyzer__
#define ct_fail(err, status, ...) (ct_fail(err, status, __VA_ARGS__), (status))
#endif

/**
 * Return from a function of type enum ct_status with the status of a callee that failed; go on
 * after success. Only where nothing is to be freed: elsewhere a variable keeps the status.
 *
 *     CT_TRY(ct_graph_build(goal, &options, &graph, err));
 */
#define CT_TRY(...)                                                                                \
    do {                                                                                           \
        enum ct_status ct_status_ = (__VA_ARGS__);                                                 \
        if (ct_status_ != CT_OK)                                                                   \
            return ct_status_;                                                                     \
    } while (0)

/** ct_fail() for lack of memory: "WHAT: out of memory", where the format is of WHAT. */
enum ct_status ct_no_memory(struct ct_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#ifdef __clang_analyzer__
#define ct_no_memory(err, ...) (ct_no_memory(err, __VA_ARGS__), CT_ENOMEM)
#endif

/**
 * Put "context: " before the message of an error that a callee filled.
 * @param err     [in,out] may be NULL: then only the status is returned
 * @param status  [in]     what the callee returned, or what it means here; any but CT_OK
 * @return status
 */
enum ct_status ct_fail_within(struct ct_error *err, enum ct_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __clang_analyzer__
#define ct_fail_within(err, status, ...) (ct_fail_within(err, status, __VA_ARGS__), (status))
#endif
