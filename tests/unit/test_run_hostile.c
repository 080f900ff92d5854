/* Files that are not what they should be: every one is refused with the reason, none is believed.
 */
#include "results/run.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_run(enum ct_run_kind kind, size_t n)
{
    struct ct_run run = example_run(kind, n);
    struct ct_error err;
    if (ct_run_write("a.h5", &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_run_free(&run);
}

static void assert_refused(const char *path, enum ct_status status, const char *message)
{
    struct ct_run run = {.n_samples = 12345};
    struct ct_error err = {.text = ""};
    assert_int_equal(ct_run_read(path, &run, &err), status);
    assert_int_equal(err.status, status);
    if (!strstr(err.text, path) || !strstr(err.text, message))
        fail_msg("'%s' does not say '%s'", err.text, message);
    assert_int_equal(run.n_samples, 12345); /* untouched */
}

/* ---- no HDF5, or not all of it ---- */

static void other_things_than_files_are_refused(void **state)
{
    (void)state;
    assert_refused("nowhere.h5", CT_ENOENT, "no such file");
    mkdir("folder.h5", 0777);
    assert_refused("folder.h5", CT_EFORMAT, "a folder");
    assert_int_equal(mkfifo("pipe.h5", 0600), 0);
    assert_refused("pipe.h5", CT_EFORMAT, "not a regular file");
    fclose(fopen("empty.h5", "w"));
    assert_refused("empty.h5", CT_EFORMAT, "an empty file, which is not read; read are run files");
}

static size_t read_bytes(const char *path, unsigned char **bytes_p)
{
    struct stat st;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &st), 0);
    *bytes_p = malloc((size_t)st.st_size);
    assert_non_null(*bytes_p);
    assert_int_equal(fread(*bytes_p, 1, (size_t)st.st_size, file), st.st_size);
    fclose(file);
    return (size_t)st.st_size;
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static void slow_a_file_cut_short_anywhere_is_refused(void **state)
{
    (void)state;
    unsigned char *bytes;
    write_run(CT_RUN_IMPACT, 500);
    size_t size = read_bytes("a.h5", &bytes);
    /* Every length near the ends, and every 97th between. */
    for (size_t n = 0; n < size; n += n < 64 || n + 32 > size ? 1 : 97) {
        write_bytes("cut.h5", bytes, n);
        assert_refused("cut.h5", CT_EFORMAT, "");
    }
    free(bytes);
}

#ifdef CT_SANITIZED
enum { STRIDE = 127 }; /* a process each, which a sanitizer makes slow */
#else
enum { STRIDE = 31 };
#endif

/* Many changes are found by checksums, some make HDF5 itself crash; one in a text or in room that
 * is not used may pass. */
static void slow_changed_bytes_are_refused_or_harmless(void **state)
{
    (void)state;
    unsigned char *bytes;
    size_t refused = 0, tried = 0;
    write_run(CT_RUN_IMPACT, 500);
    size_t size = read_bytes("a.h5", &bytes);
    for (size_t at = 0; at < size; at += STRIDE) {
        struct ct_run run;
        bytes[at] ^= 0xff;
        write_bytes("changed.h5", bytes, size);
        bytes[at] ^= 0xff;
        tried++;
        if (ct_run_read("changed.h5", &run, NULL) == CT_OK)
            ct_run_free(&run);
        else
            refused++;
    }
    assert_true(refused > tried / 4);
    free(bytes);
}

/* ---- HDF5, but not schema 1: each row changes one thing in a good file ---- */

static void set_number(hid_t file, const char *name, hid_t type, double value)
{
    H5Adelete(file, name);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
}

static void set_list(hid_t file, const char *name)
{
    const double values[2] = {1, 2};
    const hsize_t n = 2;
    H5Adelete(file, name);
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t attribute = H5Acreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, H5T_NATIVE_DOUBLE, values) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
}

static void set_kind(hid_t file, const char *kind)
{
    H5Adelete(file, "kind");
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(kind));
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file, "kind", type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, type, kind) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

/* A runtimes dataset of another making. NULL type: as it should be. */
static void set_runtimes(hid_t file, const char *first, hid_t first_type, int rank, hsize_t n,
                         hid_t properties)
{
    const hsize_t dims[2] = {n, 2};
    H5Ldelete(file, "runtimes", H5P_DEFAULT);
    hid_t type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, first, 0, first_type);
    H5Tinsert(type, "duration_s", 8, H5T_IEEE_F64LE);
    hid_t space = H5Screate_simple(rank, dims, NULL);
    hid_t id = H5Dcreate2(file, "runtimes", type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    assert_true(id >= 0);
    H5Dclose(id);
    H5Sclose(space);
    H5Tclose(type);
}

static void schema_2(hid_t file)
{
    set_number(file, "schema", H5T_STD_I32LE, 2);
}
static void schema_negative(hid_t file)
{
    set_number(file, "schema", H5T_STD_I32LE, -1);
}
static void schema_gone(hid_t file)
{
    H5Adelete(file, "schema");
}
static void kind_unknown(hid_t file)
{
    set_kind(file, "dance");
}
static void kind_number(hid_t file)
{
    set_number(file, "kind", H5T_IEEE_F64LE, 1);
}
static void seed_text(hid_t file)
{
    H5Adelete(file, "seed"), H5Arename(file, "app", "seed");
}
static void argv_list(hid_t file)
{
    set_list(file, "argv");
}
static void config_half(hid_t file)
{
    H5Adelete(file, "config_M");
}
static void config_huge(hid_t file)
{
    set_number(file, "config_P", H5T_STD_U64LE, 1e10);
}
static void config_nan(hid_t file)
{
    set_number(file, "config_B_s", H5T_IEEE_F64LE, NAN);
}
static void config_pattern_unknown(hid_t file)
{
    H5Adelete(file, "config_pattern"), H5Arename(file, "zeta", "config_pattern");
}
static void config_burst_half(hid_t file)
{
    H5Adelete(file, "config_burst_off_s");
}
static void config_burst_negative(hid_t file)
{
    set_number(file, "config_burst_on_s", H5T_IEEE_F64LE, -1);
}
static void rows_gone(hid_t file)
{
    H5Ldelete(file, "runtimes", H5P_DEFAULT);
}

static void rows_group(hid_t file)
{
    rows_gone(file);
    H5Gclose(H5Gcreate2(file, "runtimes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

static void rows_elsewhere(hid_t file)
{
    rows_gone(file);
    H5Lcreate_external("b.h5", "/runtimes", file, "runtimes", H5P_DEFAULT, H5P_DEFAULT);
}

static void rows_of_another_file(hid_t file)
{
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(properties, "/etc/passwd", 0, 160);
    set_runtimes(file, "start_s", H5T_IEEE_F64LE, 1, 10, properties);
    H5Pclose(properties);
}

static void rows_plain_numbers(hid_t file)
{
    const hsize_t n = 3;
    rows_gone(file);
    hid_t space = H5Screate_simple(1, &n, NULL);
    H5Dclose(
        H5Dcreate2(file, "runtimes", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
}

static void field_missing(hid_t file)
{
    set_runtimes(file, "begin_s", H5T_IEEE_F64LE, 1, 3, H5P_DEFAULT);
}

static void field_text(hid_t file)
{
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 8);
    set_runtimes(file, "start_s", text, 1, 3, H5P_DEFAULT);
    H5Tclose(text);
}

static void rows_table(hid_t file)
{
    set_runtimes(file, "start_s", H5T_IEEE_F64LE, 2, 3, H5P_DEFAULT);
}

/* Chunks that were never written take no room in the file, but would in memory. */
static void rows_absurd(hid_t file)
{
    const hsize_t chunk = 1000;
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(properties, 1, &chunk);
    set_runtimes(file, "start_s", H5T_IEEE_F64LE, 1, (hsize_t)1 << 50, properties);
    H5Pclose(properties);
}

static void chunk_absurd(hid_t file)
{
    const hsize_t chunk = (hsize_t)1 << 27;
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(properties, 1, &chunk);
    set_runtimes(file, "start_s", H5T_IEEE_F64LE, 1, (hsize_t)1 << 27, properties);
    H5Pclose(properties);
}

static void set_row(hid_t file, double duration_s)
{
    double rows[10] = {0, 1, 0, 1, 0, duration_s, 0, 1, 0, 1};
    hid_t id = H5Dopen2(file, "runtimes", H5P_DEFAULT);
    hid_t type = H5Dget_type(id);
    assert_true(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
    H5Tclose(type);
    H5Dclose(id);
}

static void row_nan(hid_t file)
{
    set_row(file, NAN);
}
static void row_negative(hid_t file)
{
    set_row(file, -0.5);
}

static const struct {
    void (*change)(hid_t file);
    const char *message;
} changes[] = {
    {schema_2, "schema 2, but this version reads schema 1"},
    {schema_negative, "attribute 'schema' is -1"},
    {schema_gone, "'schema' is missing"},
    {kind_unknown, "attribute 'kind' is 'dance'"},
    {kind_number, "attribute 'kind' is not a text"},
    {seed_text, "attribute 'app' is missing"},
    {argv_list, "attribute 'argv' is not a text"},
    {config_half, "attribute 'config_M' is missing"},
    {config_huge, "'config_*' are out of range"},
    {config_nan, "'config_*' are out of range"},
    {config_pattern_unknown,
     "'config_pattern' is 'first in the file', which this version does not know"},
    {config_burst_half, "attribute 'config_burst_off_s' is missing"},
    {config_burst_negative, "'config_*' are out of range"},
    {rows_gone, "dataset /runtimes is missing"},
    {rows_group, "/runtimes is not a dataset"},
    {rows_elsewhere, "dataset /runtimes is missing"},
    {rows_of_another_file, "/runtimes is stored in a way that run files are not"},
    {rows_plain_numbers, "/runtimes is not a table with fields"},
    {field_missing, "/runtimes: field 'start_s' is missing"},
    {field_text, "/runtimes: field 'start_s' is not a number"},
    {rows_table, "/runtimes is not one list of rows"},
    {rows_absurd, "more than the file can hold"},
    {chunk_absurd, "/runtimes is stored in a way that run files are not"},
    {row_nan, "/runtimes: row 2: duration_s is nan"},
    {row_negative, "/runtimes: row 2: duration_s is -0.5"},
};

static hid_t open_to_change(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    hid_t file = H5Fopen("a.h5", H5F_ACC_RDWR, access);
    H5Pclose(access);
    assert_true(file >= 0);
    return file;
}

static void slow_every_departure_from_the_schema_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        write_run(CT_RUN_RUNTIME, 5);
        hid_t file = open_to_change();
        changes[i].change(file);
        H5Fclose(file);
        assert_refused("a.h5", CT_EFORMAT, changes[i].message);
    }
}

static void slow_every_attribute_is_needed(void **state)
{
    (void)state;
    const char *const names[] = {"schema",
                                 "tool",
                                 "version",
                                 "kind",
                                 "app",
                                 "with",
                                 "started_utc",
                                 "argv",
                                 "seed",
                                 "hosts",
                                 "mpi_library",
                                 "timer",
                                 "timer_resolution_s"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        write_run(CT_RUN_LOGP, 1);
        hid_t file = open_to_change();
        assert_true(H5Adelete(file, names[i]) >= 0);
        H5Fclose(file);
        assert_refused("a.h5", CT_EFORMAT, names[i]);
        struct ct_run_info info;
        assert_int_equal(ct_run_read_info("a.h5", &info, NULL), CT_EFORMAT);
    }
}

/* ---- what a later version may add ---- */

static void what_is_added_is_kept_or_left_alone(void **state)
{
    (void)state;
    struct ct_run run;
    struct ct_error err = {.text = ""};
    write_run(CT_RUN_RUNTIME, 5);
    hid_t file = open_to_change();
    set_number(file, "future_number", H5T_STD_I16LE, -7);
    set_list(file, "future_list");
    H5Gclose(H5Gcreate2(file, "future_group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    /* A field more, and another order. */
    struct {
        double duration_s;
        int32_t extra;
        double start_s;
    } rows[2] = {{1, -1, 10}, {2, -2, 20}};
    const hsize_t n = 2;
    H5Ldelete(file, "runtimes", H5P_DEFAULT);
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof *rows);
    H5Tinsert(type, "duration_s", 0, H5T_IEEE_F64LE);
    H5Tinsert(type, "extra", 8, H5T_STD_I32LE);
    H5Tinsert(type, "start_s", 16, H5T_IEEE_F64LE);
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t id = H5Dcreate2(file, "runtimes", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
    H5Dclose(id);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(file);
    if (ct_run_read("a.h5", &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_near(ct_run_number(&run.info, "future_number"), -7, 0);
    assert_true(isnan(ct_run_number(&run.info, "future_list")));
    assert_int_equal(run.n_runtimes, 2);
    assert_near(run.runtimes[1].start_s, 20, 0);
    assert_near(run.runtimes[1].duration_s, 2, 0);
    ct_run_free(&run);
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const struct CMUnitTest tests[] = {
        IN_FOLDER(other_things_than_files_are_refused),
        IN_FOLDER(slow_a_file_cut_short_anywhere_is_refused),
        IN_FOLDER(slow_changed_bytes_are_refused_or_harmless),
        IN_FOLDER(slow_every_departure_from_the_schema_is_named),
        IN_FOLDER(slow_every_attribute_is_needed),
        IN_FOLDER(what_is_added_is_kept_or_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
