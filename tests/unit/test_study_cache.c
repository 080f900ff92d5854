/*
 * study/cache: what is read back is what was made, from the same runs and by the same build.
 *
 * With a folder as its argument the program writes the corpus of tests/fuzz/fuzz_cache.c there,
 * which has to be made anew when the layout changes.
 */
#include "results/fingerprint.h"
#include "study/cache.h"
#include "study/cache_format.h"
#include "tests/unit/run_example.h"
#include "tests/unit/study_example.h"
#include "tests/unit/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct ct_study load_cached(const char *path)
{
    struct ct_study study;
    struct ct_error err;
    if (ct_study_load_cached(path, NULL, NULL, true, &study, NULL, &err) != CT_OK)
        fail_msg("%s", err.text);
    return study;
}

/* Values of latencies are not in a cache. */
static bool is_from_cache(const struct ct_study *study)
{
    return study->measured.loads[IDLE].latency_s.x == NULL;
}

static bool loads_from_cache(const char *path)
{
    struct ct_study study = load_cached(path);
    bool from_cache = is_from_cache(&study);
    ct_study_free(&study);
    return from_cache;
}

struct bytes {
    unsigned char *at;
    size_t n;
};

static struct bytes read_bytes(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct bytes bytes = {malloc(1 << 20), 0};
    if (!file || !bytes.at)
        fail_msg("%s cannot be read", path);
    bytes.n = fread(bytes.at, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void write_bytes(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
        fail_msg("%s cannot be written", path);
}

/* Everything in a campaign: groups, notes, drifts. */
static void write_rich_campaign(void)
{
    example_write_campaign("campaign");
    example_write_passes("campaign/runs/runtime-fft-later.h5",
                         (struct example_run_of){"fft", "", NULL, "2026-11-22T10:00:00Z"}, 2.4);
    example_write_text("campaign/runs/broken.h5", "not a run");
}

/* ---- what is read back ---- */

static void assert_same_analysis(const struct ct_study *a, const struct ct_study *b)
{
    const struct ct_study *studies[] = {a, b};
    const struct ct_bootstrap setup = {.replicates = 20, .level = 0.9, .seed = 3};
    struct ct_predict_analysis found[2];
    struct ct_error err;
    for (int i = 0; i < 2; i++) {
        const struct ct_predict_input input = ct_study_input(studies[i]);
        if (ct_predict_analyse(&input, &setup, &found[i], &err) != CT_OK)
            fail_msg("%s", err.text);
    }
    for (size_t i = 0; i < N_APPS; i++) {
        assert_memory_equal(&found[0].apps[i].utilization_interval,
                            &found[1].apps[i].utilization_interval, sizeof(struct ct_interval));
        assert_true(found[0].apps[i].waiting.frac == found[1].apps[i].waiting.frac);
    }
    assert_memory_equal(found[0].beside_app, found[1].beside_app,
                        N_APPS * N_APPS * sizeof *found[0].beside_app);
    assert_memory_equal(found[0].under_config, found[1].under_config,
                        N_APPS * N_CONFIGS * sizeof *found[0].under_config);
    assert_true(found[0].waiting.parameter == found[1].waiting.parameter);
    ct_predict_analysis_free(&found[0]);
    ct_predict_analysis_free(&found[1]);
}

static void what_is_read_back_is_what_was_made(void **state)
{
    (void)state;
    write_rich_campaign();
    struct ct_study made = load_cached("campaign");
    assert_false(is_from_cache(&made));
    struct ct_study read = load_cached("campaign");
    assert_true(is_from_cache(&read));
    assert_same_analysis(&made, &read);
    assert_int_equal(read.n_runs, made.n_runs);
    assert_int_equal(read.measured.loads[IDLE].latency_s.n, N_IDLE_RUNS * N_LATENCIES);
    assert_int_equal(read.notes.n, 1);
    assert_string_equal(read.notes.item[0], made.notes.item[0]);
    assert_int_equal(read.drifts.n, 1);
    assert_string_equal(read.drifts.items[0].after_utc, made.drifts.items[0].after_utc);
    assert_int_equal(read.n_groups, 1);
    assert_int_equal(read.groups[0].with[1], MILC);
    assert_true(ct_config_same(&read.configs[HEAVY].config, &example_configs[HEAVY]));
    assert_near(read.configs[LIGHT].sent_bytes_per_s, example_sent_bytes_per_s, 1e-6);
    ct_study_free(&read);
    ct_study_free(&made);
}

static void none_is_made_where_none_is_wanted(void **state)
{
    (void)state;
    struct ct_study study;
    struct ct_error err;
    example_write_campaign("campaign");
    assert_int_equal(ct_study_load_cached("campaign", NULL, NULL, false, &study, NULL, &err),
                     CT_OK);
    assert_true(study.measured.loads[IDLE].summary.n_blocks > 0);
    ct_study_free(&study);
    assert_null(example_cache("summaries"));
}

/* ---- what it is bound to ---- */

static void other_runs_make_it_anew(void **state)
{
    (void)state;
    example_write_campaign("campaign");
    assert_false(loads_from_cache("campaign"));
    assert_true(loads_from_cache("campaign"));
    unlink("campaign/runs/runtime-milc-load1.h5");
    assert_false(loads_from_cache("campaign"));
    assert_true(loads_from_cache("campaign"));
    example_write_probe("campaign/runs/impact-probe-load1.h5",
                        (struct example_run_of){"fft", "", NULL, NULL}, 0.9);
    assert_false(loads_from_cache("campaign"));
    example_write_text("campaign/runs/impact-probe-load4.ports.json",
                       "{\"busy_fraction_mean\": 0.25}");
    assert_false(loads_from_cache("campaign"));
    rename("campaign/runs/runtime-milc-load2.h5", "campaign/runs/a.h5");
    assert_false(loads_from_cache("campaign"));
    assert_true(loads_from_cache("campaign"));
}

/* Another version of the program, or another way to summarise: other bits in the key. */
static void another_build_makes_it_anew(void **state)
{
    (void)state;
    example_write_campaign("campaign");
    assert_false(loads_from_cache("campaign"));
    char *cache = example_cache("summaries");
    struct bytes good = read_bytes(cache);
    struct ct_cache_key key = ct_cache_key_of_build(), other = key;
    assert_memory_equal(good.at + 8, key.build, sizeof key.build);
    other.build[1]++;
    memcpy(good.at + 8, other.build, sizeof other.build);
    write_bytes(cache, good.at, good.n);
    assert_false(loads_from_cache("campaign"));
    assert_true(loads_from_cache("campaign")); /* it was replaced */
    struct bytes again = read_bytes(cache);
    assert_memory_equal(again.at + 8, key.build, sizeof key.build);
    again.at[6]++; /* another form of the file */
    write_bytes(cache, again.at, again.n);
    assert_false(loads_from_cache("campaign"));
    free(good.at);
    free(again.at);
    free(cache);
}

static void slow_a_damaged_one_is_made_anew(void **state)
{
    (void)state;
    example_write_campaign("campaign");
    assert_false(loads_from_cache("campaign"));
    char *cache = example_cache("summaries");
    struct bytes good = read_bytes(cache);
    const size_t cuts[] = {0, 5, ct_cache_header_bytes(), good.n / 2, good.n - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        write_bytes(cache, good.at, cuts[i]);
        assert_false(loads_from_cache("campaign"));
        assert_true(loads_from_cache("campaign"));
    }
    for (size_t at = ct_cache_header_bytes(); at < good.n; at += good.n / 7) {
        good.at[at] ^= 1;
        write_bytes(cache, good.at, good.n);
        assert_false(loads_from_cache("campaign"));
        good.at[at] ^= 1;
    }
    free(good.at);
    free(cache);
}

/* A folder of this name: neither read nor written, and the answer is the same. */
static void one_that_cannot_be_kept_is_not_missed(void **state)
{
    (void)state;
    example_write_campaign("campaign");
    assert_false(loads_from_cache("campaign"));
    char *cache = example_cache("summaries");
    assert_true(unlink(cache) == 0 && mkdir(cache, 0777) == 0);
    assert_false(loads_from_cache("campaign"));
    assert_false(loads_from_cache("campaign"));
    free(cache);
}

static void a_packed_campaign_has_one(void **state)
{
    (void)state;
    struct ct_run_list list;
    struct ct_error err;
    example_write_campaign("campaign");
    assert_int_equal(ct_run_list_read("campaign", &list, &err), CT_OK);
    assert_int_equal(ct_run_pack_thinned(&list, "packed.h5", SIZE_MAX, &err), CT_OK);
    ct_run_list_free(&list);
    assert_false(loads_from_cache("packed.h5"));
    assert_true(loads_from_cache("packed.h5"));
}

/* ---- bytes ---- */

static struct bytes encode(const struct ct_study *study)
{
    struct bytes bytes;
    const struct ct_cache_key key = ct_cache_key_of_build();
    assert_int_equal(ct_cache_encode(study, &key, &bytes.at, &bytes.n), CT_OK);
    return bytes;
}

static void decoded_bytes_encode_to_themselves(void **state)
{
    (void)state;
    write_rich_campaign();
    struct ct_study made = load_cached("campaign"), read;
    struct bytes first = encode(&made);
    size_t header = ct_cache_header_bytes();
    const struct ct_cache_key key = ct_cache_key_of_build();
    assert_int_equal(ct_cache_decode(first.at, first.n, &key, &read), CT_OK);
    struct bytes second = encode(&read);
    assert_int_equal(second.n, first.n);
    assert_memory_equal(second.at, first.at, first.n);
    ct_study_free(&read);
    /* Every cut of the payload is found without its hash. */
    for (size_t n = 0; n < first.n - header; n += 1 + n / 16)
        assert_int_equal(ct_cache_decode_payload(first.at + header, n, &read), CT_EFORMAT);
    free(first.at);
    free(second.at);
    ct_study_free(&made);
}

/* The corpus is of this layout: it reaches what it is there for. */
static void the_corpus_is_of_this_layout(void **state)
{
    (void)state;
    char path[4096];
    size_t n_files = 0;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/cache", getenv("CROSSTALK_SOURCE"));
    DIR *directory = opendir(path);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        struct ct_study study;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/cache/%.255s", getenv("CROSSTALK_SOURCE"),
                 entry->d_name);
        struct bytes bytes = read_bytes(path);
        if (ct_cache_decode_payload(bytes.at, bytes.n, &study) != CT_OK)
            fail_msg(
                "%s: of another layout; 'CROSSTALK_KEEP=DIR tests_study study_cache' makes it anew",
                path);
        ct_study_free(&study);
        free(bytes.at);
        n_files++;
    }
    closedir(directory);
    assert_true(n_files >= 2);
}

static void fingerprints_tell_texts_apart(void **state)
{
    (void)state;
    static const char *const texts[][2] = {{"ab", "c"}, {"a", "bc"}, {"abc", ""}, {"ab", "d"}};
    uint64_t bits[4][2], again[2];
    for (size_t i = 0; i < 4; i++)
        for (int twice = 0; twice < 2; twice++) {
            struct ct_fingerprint *fingerprint = ct_fingerprint_new();
            assert_non_null(fingerprint);
            ct_fingerprint_add_text(fingerprint, texts[i][0]);
            ct_fingerprint_add_text(fingerprint, texts[i][1]);
            ct_fingerprint_end(fingerprint, twice ? again : bits[i]);
            if (twice)
                assert_memory_equal(again, bits[i], sizeof again);
        }
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(bits[i][0] != bits[j][0] && bits[i][1] != bits[j][1]);
}

/* ---- corpus ---- */

static void write_payload(const char *directory, const char *name, const struct ct_study *study)
{
    char path[4096];
    struct bytes bytes = encode(study);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    write_bytes(path, bytes.at + ct_cache_header_bytes(), bytes.n - ct_cache_header_bytes());
    free(bytes.at);
}

static int write_corpus(const char *directory)
{
    char *path = realpath(directory, NULL);
    void *state = NULL;
    if (!path || example_folder_enter(&state) != 0)
        return 1;
    write_rich_campaign();
    struct ct_study rich = load_cached("campaign");
    write_payload(path, "rich", &rich);
    ct_study_free(&rich);
    mkdir("idle", 0777);
    example_write_probe("idle/idle.h5", (struct example_run_of){"", "", NULL, NULL}, 0.1);
    struct ct_study idle = load_cached("idle");
    write_payload(path, "idle", &idle);
    ct_study_free(&idle);
    free(path);
    return example_folder_leave(&state);
}

int main(void)
{
#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_is_read_back_is_what_was_made),
        IN_FOLDER(none_is_made_where_none_is_wanted),
        IN_FOLDER(other_runs_make_it_anew),
        IN_FOLDER(another_build_makes_it_anew),
        IN_FOLDER(slow_a_damaged_one_is_made_anew),
        IN_FOLDER(one_that_cannot_be_kept_is_not_missed),
        IN_FOLDER(a_packed_campaign_has_one),
        IN_FOLDER(decoded_bytes_encode_to_themselves),
        cmocka_unit_test(the_corpus_is_of_this_layout),
        cmocka_unit_test(fingerprints_tell_texts_apart),
    };
    const char *corpus = getenv("CROSSTALK_KEEP");
    return corpus ? write_corpus(corpus) : cmocka_run_group_tests(tests, NULL, NULL);
}
