/* trace: ranks of a communicator that are no few runs are in one file, whatever the number of its
 * members. */
#include "core/hash.h"
#include "tests/unit/unit.h"
#include "trace/lists.h"
#include "trace/ranks.h"
#include "trace/reader.h"
#include "trace/stream.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANKS = 101, FIRST = 1 };

/* Squares modulo a prime: each distance is another one, so there are about as many runs as ranks.
 */
struct group {
    uint64_t values[CT_RANKS_VALUES_MAX(RANKS)];
    size_t n_values, n;
};

static struct group make_group(void)
{
    struct group group = {.n = 0};
    uint64_t ranks[RANKS];
    for (uint64_t i = 1; i <= RANKS / 2; i++)
        ranks[group.n++] = i * i % RANKS;
    group.n_values = ct_ranks_put(ranks, group.n, group.values);
    assert_true(group.n_values > CT_TRACE_INLINE_VALUES);
    assert_int_equal(ranks[0], FIRST);
    return group;
}

static void path_in(const char *folder, const char *name, char path[128])
{
    assert_true(snprintf(path, 128, "%s/%s", folder, name) < 128);
}

static void path_of(const char *folder, uint32_t rank, char path[128])
{
    char name[CT_TRACE_NAME_MAX];
    ct_trace_file_name(rank, name);
    path_in(folder, name, path);
}

static void list_path(const char *folder, const struct group *group, char path[128])
{
    char name[CT_TRACE_LIST_NAME_MAX];
    ct_trace_list_name(ct_hash_numbers(group->values, group->n_values), name);
    path_in(folder, name, path);
}

/* Two communicators of the group in the file of each rank. */
static void write_ranks(const char *folder, const struct group *group)
{
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        const struct ct_trace_header header = {.rank = rank, .n_ranks = RANKS};
        struct ct_trace_stream *stream;
        char path[128];
        path_of(folder, rank, path);
        assert_int_equal(ct_trace_stream_open(path, &header, &stream, NULL), CT_OK);
        for (uint32_t k = 0; k < 2; k++) {
            const struct ct_trace_event event = {.kind = CT_TRACE_NEW_COMM,
                                                 .comm = 2 + k,
                                                 .ordinal = k,
                                                 .values = group->values,
                                                 .n_values = group->n_values};
            assert_int_equal(ct_trace_stream_add(stream, &event, NULL), CT_OK);
        }
        assert_int_equal(ct_trace_stream_close(stream, NULL), CT_OK);
    }
}

static void make_folder(char folder[64])
{
    snprintf(folder, 64, "/tmp/test_trace_lists.XXXXXX");
    assert_non_null(mkdtemp(folder));
}

/* @return files that are no list */
static size_t remove_folder(const char *folder, size_t *n_lists_p, long *bytes_p)
{
    DIR *open = opendir(folder);
    size_t n = 0;
    *n_lists_p = 0;
    *bytes_p = 0;
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));) {
        struct stat about;
        char path[128];
        if (entry->d_name[0] == '.')
            continue;
        path_in(folder, entry->d_name, path);
        assert_int_equal(stat(path, &about), 0);
        const char *ending = strrchr(entry->d_name, '.');
        if (ending && strcmp(ending, ".list") == 0) {
            ++*n_lists_p;
        } else {
            n++;
            *bytes_p += (long)about.st_size;
        }
        unlink(path);
    }
    closedir(open);
    rmdir(folder);
    return n;
}

static void slow_a_list_is_written_once_and_read_once(void **state)
{
    (void)state;
    const struct group group = make_group();
    char folder[64];
    struct ct_trace_set set;
    struct ct_trace_event event;
    const uint64_t *shared = NULL;
    size_t n_lists;
    long bytes;
    make_folder(folder);
    write_ranks(folder, &group);
    assert_int_equal(ct_trace_set_open(folder, &set, NULL), CT_OK);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        for (uint32_t k = 0; k < 2; k++) {
            assert_int_equal(ct_trace_next(set.traces[rank], &event, NULL), CT_OK);
            assert_int_equal(event.ordinal, k);
            assert_int_equal(event.list, ct_hash_numbers(group.values, group.n_values));
            assert_int_equal(event.n_values, group.n_values);
            assert_memory_equal(event.values, group.values, group.n_values * sizeof *group.values);
            if (!shared)
                shared = event.values;
            assert_ptr_equal(event.values, shared);
        }
    ct_trace_set_close(&set);
    assert_int_equal(remove_folder(folder, &n_lists, &bytes), RANKS);
    assert_int_equal(n_lists, 1);
    enum { EVENT_BYTES = 16 }; /* of which 10 are the number of the list */
    assert_true(bytes <= RANKS * (CT_TRACE_HEADER_BYTES + 2 * EVENT_BYTES));
}

static void slow_a_list_that_is_missing_or_damaged_is_named(void **state)
{
    (void)state;
    const struct group group = make_group();
    char folder[64], path[128], list[128];
    struct ct_trace *trace;
    struct ct_trace_event event;
    struct ct_error err;
    size_t n_lists;
    long bytes;
    make_folder(folder);
    write_ranks(folder, &group);
    path_of(folder, RANKS - 1, path);
    list_path(folder, &group, list);
    struct stat about;
    assert_int_equal(stat(list, &about), 0);
    assert_int_equal(truncate(list, about.st_size - 1), 0);
    assert_int_equal(ct_trace_open(path, &trace, NULL), CT_OK);
    assert_int_equal(ct_trace_next(trace, &event, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, ".list: damaged or cut list of ranks"));
    ct_trace_free(trace);
    assert_int_equal(truncate(list, 4), 0);
    assert_int_equal(ct_trace_open(path, &trace, NULL), CT_OK);
    assert_int_equal(ct_trace_next(trace, &event, &err), CT_EFORMAT);
    ct_trace_free(trace);
    unlink(list);
    assert_int_equal(ct_trace_open(path, &trace, NULL), CT_OK);
    assert_int_equal(ct_trace_next(trace, &event, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, ".list: not there"));
    ct_trace_free(trace);
    remove_folder(folder, &n_lists, &bytes);
}

/* The number stands for the values in a file only: an event comes back as it was. */
static void a_number_of_a_list_comes_back(void **state)
{
    (void)state;
    const struct ct_trace_event event = {
        .kind = CT_TRACE_NEW_COMM, .comm = 3, .ordinal = 7, .list = UINT64_MAX};
    struct ct_trace_before before = {0};
    struct ct_trace_scratch scratch = {0};
    struct ct_trace_event back;
    unsigned char bytes[256];
    size_t at = 0;
    assert_true(ct_trace_event_bound(&event) <= sizeof bytes);
    const size_t size = ct_trace_event_encode(&event, &before, bytes);
    assert_int_equal(ct_trace_event_decode(bytes, size, &at, &before, &scratch, &back, NULL),
                     CT_OK);
    assert_int_equal(at, size);
    assert_int_equal(back.list, event.list);
    assert_int_equal(back.ordinal, event.ordinal);
    assert_int_equal(back.n_values, 0);
    at = 0;
    before.lists_ranks = true; /* versions before 5 have no lists */
    assert_int_equal(ct_trace_event_decode(bytes, size, &at, &before, &scratch, &back, NULL),
                     CT_EFORMAT);
    ct_trace_scratch_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_a_list_is_written_once_and_read_once),
        cmocka_unit_test(slow_a_list_that_is_missing_or_damaged_is_named),
        cmocka_unit_test(a_number_of_a_list_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
