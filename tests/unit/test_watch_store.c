/* The folder of a watch: what is written is read, behind damage too; old hours become histograms.
 */
#include "core/endian.h"
#include "core/file.h"
#include "tests/unit/unit.h"
#include "watch/history.h"
#include "watch/store.h"
#include "watch/store_writer.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t hour_ns = INT64_C(3600000000000);
static const int64_t start_ns =
    INT64_C(1800000000000000000) / INT64_C(3600000000000) * INT64_C(3600000000000);

static int make_folder(void **state)
{
    char *folder = strdup("/tmp/watch_store.XXXXXX");
    *state = folder;
    return folder && mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    ct_file_remove_folder(*state);
    free(*state);
    return 0;
}

static struct ct_watch_sample sample_at(int64_t unix_ns, uint32_t i)
{
    return (struct ct_watch_sample){.unix_ns = unix_ns,
                                    .from = i % 2,
                                    .to = 2,
                                    .bytes = 128,
                                    .answer_bytes = 128,
                                    .fate = CT_WATCH_ANSWERED,
                                    .round_s = 1e-6F * (float)(i % 100 + 1),
                                    .there_s = NAN,
                                    .back_s = 2e-6F,
                                    .hold_s = 0,
                                    .late_s = 1e-7F};
}

static struct ct_watch_writer *open_writer(const char *folder, uint64_t bytes_max)
{
    struct ct_watch_writer *writer;
    struct ct_error err;
    const struct ct_watch_host hosts[3] = {
        {.name = "n0", .offset_s = 0}, {.name = "n1", .offset_s = -3}, {.name = "n2", .sent = 7}};
    if (ct_watch_writer_open(folder, bytes_max, &writer, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(ct_watch_writer_save_hosts(writer, hosts, 3, &err), CT_OK);
    return writer;
}

static void add_samples(struct ct_watch_writer *writer, int64_t from_ns, int64_t step_ns, size_t n)
{
    struct ct_error err;
    for (uint32_t i = 0; i < n; i++) {
        struct ct_watch_sample sample = sample_at(from_ns + (int64_t)i * step_ns, i);
        if (!ct_watch_writer_add(writer, &sample)) {
            assert_int_equal(ct_watch_writer_flush(writer, &err), CT_OK);
            assert_true(ct_watch_writer_add(writer, &sample));
        }
    }
    if (ct_watch_writer_flush(writer, &err) != CT_OK)
        fail_msg("%s", err.text);
}

static struct ct_watch_reader *open_reader(const char *folder, int64_t from_ns)
{
    struct ct_watch_reader *reader;
    struct ct_error err;
    if (ct_watch_reader_open(folder, from_ns, &reader, &err) != CT_OK)
        fail_msg("%s", err.text);
    return reader;
}

/* All there is, with the number of errors. */
static size_t read_all(struct ct_watch_reader *reader, struct ct_watch_sample *last_p,
                       size_t *n_errors_p, struct ct_error *err)
{
    struct ct_watch_sample samples[1000];
    size_t n, sum = 0;
    *n_errors_p = 0;
    for (int idle = 0; idle < 100;) {
        if (ct_watch_reader_next(reader, samples, 1000, &n, err) != CT_OK)
            ++*n_errors_p;
        sum += n;
        if (n > 0)
            *last_p = samples[n - 1];
        idle += n == 0;
    }
    return sum;
}

static void what_is_written_is_read(void **state)
{
    struct ct_watch_writer *writer = open_writer(*state, 1 << 30);
    struct ct_watch_reader *reader = open_reader(*state, 0);
    struct ct_watch_sample last;
    struct ct_error err;
    size_t n_errors, n_hosts;
    assert_int_equal(read_all(reader, &last, &n_errors, &err), 0);
    add_samples(writer, start_ns, 1000000, 10000);
    assert_int_equal(read_all(reader, &last, &n_errors, &err), 10000);
    const struct ct_watch_sample expected = sample_at(start_ns + 9999 * INT64_C(1000000), 9999);
    assert_int_equal(last.unix_ns, expected.unix_ns);
    assert_int_equal(last.from, 1);
    assert_near((double)last.round_s, 100e-6, 1e-10);
    assert_true(isnan(last.there_s));
    /* Three hours on, and one back: a clock has jumped. */
    add_samples(writer, start_ns + 3 * hour_ns, 1000000, 10);
    add_samples(writer, start_ns + 2 * hour_ns, 1000000, 10);
    assert_int_equal(read_all(reader, &last, &n_errors, &err), 20);
    assert_int_equal(n_errors, 0);
    const struct ct_watch_host *hosts = ct_watch_reader_hosts(reader, &n_hosts);
    assert_int_equal(n_hosts, 3);
    assert_string_equal(hosts[1].name, "n1");
    assert_near(hosts[1].offset_s, -3, 0);
    assert_int_equal(hosts[2].sent, 7);
    ct_watch_reader_close(reader);
    assert_int_equal(ct_watch_writer_close(writer, &err), CT_OK);
    /* From a time on. */
    reader = open_reader(*state, start_ns + 9000 * INT64_C(1000000));
    assert_int_equal(read_all(reader, &last, &n_errors, &err), 1020);
    ct_watch_reader_close(reader);
}

static void two_watches_are_refused(void **state)
{
    struct ct_watch_writer *writer = open_writer(*state, 1 << 30), *second;
    struct ct_error err;
    assert_int_equal(ct_watch_writer_open(*state, 1 << 30, &second, &err), CT_EEXIST);
    assert_non_null(strstr(err.text, "another watch writes there (process "));
    assert_int_equal(ct_watch_writer_close(writer, &err), CT_OK);
    writer = open_writer(*state, 1 << 30);
    assert_int_equal(ct_watch_writer_close(writer, &err), CT_OK);
}

/* Three blocks of an hour, and five samples of the next. @return the first file */
static int write_blocks(const char *folder)
{
    struct ct_watch_writer *writer = open_writer(folder, 1 << 30);
    struct ct_error err;
    char path[CT_WATCH_PATH_MAX];
    add_samples(writer, start_ns, 1000000, 3 * 4096);
    add_samples(writer, start_ns + hour_ns, 1000000, 5);
    assert_int_equal(ct_watch_writer_close(writer, &err), CT_OK);
    ct_watch_file_path(folder, (struct ct_watch_file){1, start_ns / hour_ns}, path);
    return open(path, O_RDWR);
}

static void damage_is_named_and_left(void **state)
{
    struct ct_watch_sample last;
    struct ct_error err;
    size_t n_errors;
    int fd = write_blocks(*state);
    const off_t block = CT_WATCH_HEAD_BYTES + 4096 * (off_t)CT_WATCH_SAMPLE_BYTES;
    assert_int_equal(pwrite(fd, "x", 1, block + 5000), 1);
    struct ct_watch_reader *reader = open_reader(*state, 0);
    assert_int_equal(read_all(reader, &last, &n_errors, &err), 2 * 4096 + 5);
    assert_int_equal(n_errors, 1);
    assert_non_null(strstr(err.text, "damaged at byte 196648"));
    ct_watch_reader_close(reader);
    /* Cut: the last block of the first file. */
    assert_int_equal(ftruncate(fd, 3 * block - 7), 0);
    reader = open_reader(*state, 0);
    assert_int_equal(read_all(reader, &last, &n_errors, &err), 4096 + 5);
    assert_int_equal(n_errors, 2);
    assert_non_null(strstr(err.text, "cut short"));
    ct_watch_reader_close(reader);
    close(fd);
}

/* A head that says more than there is: what is behind it is whole. */
static void a_wrong_size_costs_one_block(void **state)
{
    struct ct_watch_sample last;
    struct ct_error err;
    size_t n_errors;
    unsigned char sizes[8];
    int fd = write_blocks(*state);
    ct_endian_store(sizes, 20000, 4);
    ct_endian_store(sizes + 4, 20000 * CT_WATCH_SAMPLE_BYTES, 4);
    assert_int_equal(pwrite(fd, sizes, sizeof sizes, 8), sizeof sizes);
    close(fd);
    struct ct_watch_reader *reader = open_reader(*state, 0);
    assert_int_equal(read_all(reader, &last, &n_errors, &err), 2 * 4096 + 5);
    assert_int_equal(n_errors, 1);
    assert_non_null(strstr(err.text, "cut short at byte 0"));
    ct_watch_reader_close(reader);
}

struct history {
    uint64_t answered, in_bins, rows;
    double slowest_s;
};

static void take_row(void *taker, const struct ct_watch_history_row *row)
{
    struct history *history = taker;
    history->rows++;
    history->answered += row->answered;
    for (uint32_t i = 0; i < row->n_bins; i++) {
        double from_s = ct_watch_history_from_s(ct_endian_load_u32(row->count + (size_t)i * 8));
        history->in_bins += ct_endian_load_u32(row->count + (size_t)i * 8 + 4);
        history->slowest_s = fmax(history->slowest_s, from_s);
    }
}

static void old_hours_become_histograms(void **state)
{
    struct ct_watch_writer *writer = open_writer(*state, 1 << 30);
    struct ct_error err;
    for (int64_t hour = 0; hour < 30; hour++)
        add_samples(writer, start_ns + hour * hour_ns, 1000000, 1000);
    struct ct_watch_file *files;
    size_t n;
    assert_int_equal(ct_watch_files_list(*state, &files, &n, &err), CT_OK);
    assert_int_equal(n, 25); /* the day before this hour, and this hour */
    free(files);
    struct history history = {0};
    assert_int_equal(ct_watch_history_read(*state, take_row, &history, &err), CT_OK);
    assert_int_equal(history.answered, 5000);
    assert_int_equal(history.in_bins, 5000);
    assert_int_equal(history.rows, 10); /* five hours, two pairs */
    assert_true(history.slowest_s > 87e-6 && history.slowest_s <= 100e-6);
    assert_int_equal(ct_watch_writer_close(writer, &err), CT_OK);
}

/* It was set to another year for a moment: that makes all files old. */
static void a_date_in_the_future_retires_no_day(void **state)
{
    struct ct_watch_writer *writer = open_writer(*state, 1 << 30);
    struct ct_error err;
    for (int64_t hour = 0; hour < 10; hour++)
        add_samples(writer, start_ns + hour * hour_ns, 1000000, 1000);
    add_samples(writer, start_ns + 8760 * hour_ns, 1000000, 1000);
    add_samples(writer, start_ns + 10 * hour_ns, 1000000, 1000);
    struct ct_watch_reader *reader = open_reader(*state, 0);
    struct ct_watch_sample last;
    size_t n_errors;
    assert_int_equal(read_all(reader, &last, &n_errors, &err), 10000);
    ct_watch_reader_close(reader);
    struct history history = {0};
    assert_int_equal(ct_watch_history_read(*state, take_row, &history, &err), CT_OK);
    assert_int_equal(history.answered, 2000);
    assert_int_equal(ct_watch_writer_close(writer, &err), CT_OK);
}

/* Reports of some hosts come a second later than those of others, also at a full hour. */
static void late_samples_begin_no_file(void **state)
{
    struct ct_watch_writer *writer = open_writer(*state, 1 << 30);
    struct ct_error err;
    for (int64_t second = -3; second < 3; second++)
        for (int64_t late = 0; late < 2; late++)
            add_samples(writer, start_ns + hour_ns + (second - late) * 1000000000, 1000000, 1000);
    struct ct_watch_file *files;
    size_t n, n_errors;
    assert_int_equal(ct_watch_files_list(*state, &files, &n, &err), CT_OK);
    assert_int_equal(n, 2);
    free(files);
    struct ct_watch_reader *reader = open_reader(*state, 0);
    struct ct_watch_sample last;
    assert_int_equal(read_all(reader, &last, &n_errors, &err), 12000);
    assert_int_equal(n_errors, 0);
    ct_watch_reader_close(reader);
    assert_int_equal(ct_watch_writer_close(writer, &err), CT_OK);
}

static void the_folder_is_bounded(void **state)
{
    struct ct_watch_writer *writer = open_writer(*state, 1 << 20);
    struct ct_error err;
    add_samples(writer, start_ns, 1000, 200000); /* 9.6 MB in one hour */
    struct ct_watch_file *files;
    size_t n;
    off_t bytes = 0;
    assert_int_equal(ct_watch_files_list(*state, &files, &n, &err), CT_OK);
    for (size_t i = 0; i < n; i++) {
        char path[CT_WATCH_PATH_MAX];
        struct stat facts;
        ct_watch_file_path(*state, files[i], path);
        assert_int_equal(stat(path, &facts), 0);
        bytes += facts.st_size;
    }
    free(files);
    assert_in_range(bytes, 500000, (1 << 20) + (1 << 18));
    assert_int_equal(ct_watch_writer_close(writer, &err), CT_OK);
}

/* A limit on the size of files is as good as a full disk. */
static void a_full_disk_loses_nothing_written(void **state)
{
    struct ct_watch_writer *writer = open_writer(*state, 1 << 30);
    struct ct_watch_sample last;
    struct ct_error err;
    size_t n_errors;
    add_samples(writer, start_ns, 1000000, 1000);
    struct rlimit before, full = {.rlim_cur = 60000};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    full.rlim_max = before.rlim_max;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    for (uint32_t i = 0; i < 1000; i++) {
        struct ct_watch_sample sample = sample_at(start_ns + (int64_t)(1000 + i) * 1000000, i);
        assert_true(ct_watch_writer_add(writer, &sample));
    }
    enum ct_status status = ct_watch_writer_flush(writer, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, CT_EIO);
    assert_non_null(strstr(err.text, "1000 samples wait, 0 were dropped"));
    struct ct_watch_reader *reader = open_reader(*state, 0);
    assert_int_equal(read_all(reader, &last, &n_errors, &err), 1000);
    assert_int_equal(ct_watch_writer_flush(writer, &err), CT_OK);
    assert_int_equal(read_all(reader, &last, &n_errors, &err), 1000);
    assert_int_equal(n_errors, 0);
    ct_watch_reader_close(reader);
    assert_int_equal(ct_watch_writer_close(writer, &err), CT_OK);
}

static void bins_are_log_linear(void **state)
{
    (void)state;
    for (double s = 1e-9; s < 100; s *= 1.01) {
        uint32_t bin = ct_watch_history_bin(s);
        assert_true(ct_watch_history_from_s(bin) <= s * (1 + 1e-9));
        assert_true(ct_watch_history_from_s(bin + 1) > s * (1 - 1e-9));
        if (s > 8e-9)
            assert_true(ct_watch_history_from_s(bin + 1) <= ct_watch_history_from_s(bin) * 1.1251);
    }
    assert_int_equal(ct_watch_history_bin(NAN), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_written_is_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(two_watches_are_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(damage_is_named_and_left, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_wrong_size_costs_one_block, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_date_in_the_future_retires_no_day, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(old_hours_become_histograms, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(late_samples_begin_no_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_folder_is_bounded, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_full_disk_loses_nothing_written, make_folder,
                                        remove_folder),
        cmocka_unit_test(bins_are_log_linear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
