/* simulate/joint/simulation_store: what is read back is what was added, by the same build,
 * undamaged. */
#include "results/cache.h"
#include "simulate/joint/simulation_store.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const uint64_t pair[2] = {1, 2}, group[2] = {1, 3}, absent[2] = {2, 2};

static void fill(void)
{
    static const struct ct_joint_slowdown of_pair[] = {{0.25, 0.125}, {NAN, NAN}},
                                          of_group[] = {{0.5, 0}, {1, 0}, {2, 0}};
    struct ct_simulation_store *store = ct_simulation_store_open();
    assert_non_null(store);
    ct_simulation_store_add(store, pair, of_pair, 2);
    ct_simulation_store_add(store, group, of_group, 3);
    ct_simulation_store_close(store);
}

static bool has_all(void)
{
    struct ct_joint_slowdown found[3] = {{-1, 0}, {-1, 0}, {-1, 0}};
    struct ct_simulation_store *store = ct_simulation_store_open();
    assert_non_null(store);
    bool all = ct_simulation_store_find(store, pair, found, 2) && found[0].frac == 0.25 &&
               found[0].spread_frac == 0.125 && isnan(found[1].frac) && found[2].frac == -1 &&
               ct_simulation_store_find(store, group, found, 3) && found[2].frac == 2;
    assert_false(ct_simulation_store_find(store, absent, found, 1));
    ct_simulation_store_close(store);
    return all;
}

static void what_was_added_is_found(void **state)
{
    (void)state;
    assert_false(has_all());
    assert_null(example_cache("simulations")); /* it was only asked */
    fill();
    assert_true(has_all());
}

static size_t read_file(unsigned char *bytes, size_t size)
{
    char *path = example_cache("simulations");
    FILE *file = fopen(path, "rb");
    free(path);
    assert_non_null(file);
    size_t n = fread(bytes, 1, size, file);
    fclose(file);
    return n;
}

static void write_file(const unsigned char *bytes, size_t n)
{
    char *path = example_cache("simulations");
    FILE *file = fopen(path, "wb");
    free(path);
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

/* Each byte counts: of the header, of the build, of the entries. */
static void a_damaged_file_is_empty(void **state)
{
    (void)state;
    unsigned char good[4096], bad[4096];
    fill();
    size_t n = read_file(good, sizeof good);
    assert_in_range(n, 100, sizeof good - 1);
    for (size_t i = 0; i < n; i++) {
        memcpy(bad, good, n);
        bad[i] ^= 1;
        write_file(bad, n);
        assert_false(has_all());
    }
    for (size_t length = 0; length < n; length += 7) {
        write_file(good, length);
        assert_false(has_all());
    }
    memcpy(bad, good, n);
    bad[n] = 0;
    write_file(bad, n + 1);
    assert_false(has_all());
    write_file(good, n);
    assert_true(has_all());
}

/* The folder is a file, none is known, and what is named is relative. */
static void where_none_can_be_written_there_is_none(void **state)
{
    (void)state;
    char *caches = strdup(getenv("XDG_CACHE_HOME"));
    FILE *file = fopen("crosstalk", "w");
    assert_true(caches && file && fclose(file) == 0);
    fill();
    assert_false(has_all());
    const char *const home = getenv("HOME");
    char *before = home ? strdup(home) : NULL;
    unsetenv("HOME");
    setenv("XDG_CACHE_HOME", "relative", 1);
    fill();
    assert_false(has_all());
    assert_int_equal(access("relative", F_OK), -1);
    setenv("HOME", caches, 1);
    fill();
    assert_true(has_all());
    assert_int_equal(access(".cache/crosstalk", F_OK), 0);
    if (before)
        setenv("HOME", before, 1);
    free(before);
    free(caches);
}

/* Two that are open at the same time: the file has the entries of both. */
static void what_others_wrote_is_kept(void **state)
{
    (void)state;
    static const struct ct_joint_slowdown one[] = {{1, 0}};
    struct ct_joint_slowdown found = {0};
    struct ct_simulation_store *store = ct_simulation_store_open();
    ct_simulation_store_add(store, absent, one, 1);
    fill();
    ct_simulation_store_close(store);
    store = ct_simulation_store_open();
    assert_true(ct_simulation_store_find(store, absent, &found, 1) && found.frac == 1);
    assert_true(ct_simulation_store_find(store, group, &found, 1) && found.frac == 0.5);
    ct_simulation_store_close(store);
}

/* The one that was written first goes, though another one is larger. */
static void the_oldest_makes_room(void **state)
{
    (void)state;
    const struct timespec hour_ago[] = {{0, UTIME_OMIT}, {time(NULL) - 3600, 0}};
    fill();
    const char *const names[] = {"crosstalk/new", "crosstalk/old"};
    for (size_t i = 0; i < 2; i++) {
        int file = open(names[i], O_CREAT | O_WRONLY, 0600);
        assert_true(file >= 0 && ftruncate(file, CT_CACHE_BYTES_MAX / 2 + (i == 0)) == 0);
        close(file);
    }
    assert_int_equal(utimensat(AT_FDCWD, names[1], hour_ago, 0), 0);
    char *path = ct_cache_path(1, 2, "summaries");
    ct_cache_write(path, "x", 1);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(access(names[0], F_OK), 0);
    assert_int_equal(access(names[1], F_OK), -1);
    assert_true(has_all());
    free(path);
}

int main(void)
{
#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_was_added_is_found),
        IN_FOLDER(a_damaged_file_is_empty),
        IN_FOLDER(where_none_can_be_written_there_is_none),
        IN_FOLDER(what_others_wrote_is_kept),
        IN_FOLDER(the_oldest_makes_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
