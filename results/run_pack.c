/* Packing a campaign: every run becomes a group of one file. */
#include "results/schema.h"
#include "results/sum.h"
#include "results/thin.h"
#include "results/write_driver.h"

#include <stdio.h>
#include <sys/stat.h>

/* HDF5 copies compressed rows as they are. It is not trusted with the attributes: version 1.10.8
 * crashes on copying a group with many texts. */
static enum ct_status copy_datasets(const struct ct_source *source, hid_t group,
                                    enum ct_run_kind kind, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    hid_t options = H5Pcreate(H5P_OBJECT_COPY);
    H5Pset_copy_object(options, H5O_COPY_WITHOUT_ATTR_FLAG);
    for (size_t d = 0; d < CT_N_DATASETS && status == CT_OK; d++) {
        const char *name = ct_datasets[d].name;
        if (ct_datasets[d].kind == kind && H5Lexists(source->group, name, H5P_DEFAULT) > 0 &&
            H5Ocopy(source->group, name, group, name, options, H5P_DEFAULT) < 0)
            status = ct_schema_fail(err, CT_EIO, "/%s cannot be copied", name);
    }
    H5Pclose(options);
    return status;
}

static enum ct_status copy_contents(const struct ct_run_entry *entry, hid_t group,
                                    struct ct_error *err)
{
    struct ct_source source;
    CT_TRY(ct_source_open_again(entry, &source, err));
    enum ct_status status = ct_schema_write_info(group, &entry->info, err);
    if (status == CT_OK)
        status = copy_datasets(&source, group, entry->info.kind, err);
    if (status != CT_OK)
        ct_fail_within(err, status, "%s", entry->path);
    ct_source_close(&source);
    return status;
}

struct packing {
    const struct ct_file *draft;
    hid_t runs; /* group */
    size_t samples_max;
};

/* The attributes are those of the list. */
static enum ct_status write_thinned(const struct packing *packing, const struct ct_run_entry *entry,
                                    struct ct_run *run, hid_t group, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < entry->info.n_facts && status == CT_OK; i++) {
        const struct ct_run_fact *fact = &entry->info.facts[i];
        status = fact->text ? ct_run_add_text(&run->info, fact->key, fact->text)
                            : ct_run_add_number(&run->info, fact->key, fact->number);
    }
    if (status != CT_OK)
        return ct_no_memory(err, "%s", entry->path);
    status = ct_run_thin(run, packing->samples_max, err);
    if (status == CT_OK)
        status = ct_schema_write_run(packing->draft, group, run, err);
    if (status != CT_OK)
        ct_fail_within(err, status, "%s", entry->path);
    return status;
}

static enum ct_status copy_run(const struct packing *packing, const struct ct_run_entry *entry,
                               const char *name, struct ct_error *err)
{
    struct ct_run run;
    /* Read in full: a file that is damaged must not travel on in a packed campaign. */
    CT_TRY(ct_run_read_entry(entry, &run, err));
    hid_t creation = ct_schema_creation(H5P_GROUP_CREATE);
    hid_t group = H5Gcreate2(packing->runs, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    enum ct_status status = CT_OK;
    if (group < 0)
        status = ct_schema_fail(err, CT_EIO, "group '/runs/%s'", name);
    else if (run.n_samples > packing->samples_max)
        status = write_thinned(packing, entry, &run, group, err);
    else
        status = copy_contents(entry, group, err);
    if (group >= 0)
        H5Gclose(group);
    H5Pclose(creation);
    ct_run_free(&run);
    return status;
}

/* Digits of the numbers below n, at least 4: names of equal length sort as numbers do. */
static size_t count_digits(size_t n)
{
    size_t digits = 4;
    for (size_t limit = 10000; n > limit && digits < 19; limit *= 10)
        digits++;
    return digits;
}

static enum ct_status copy_runs(const struct ct_file *draft, hid_t file,
                                const struct ct_run_list *list, size_t samples_max,
                                struct ct_error *err)
{
    enum ct_status status = CT_OK;
    uint64_t schema = CT_RUN_SCHEMA;
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file, "schema", H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    hid_t runs = H5Gcreate2(file, "runs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || runs < 0 || H5Awrite(attribute, H5T_NATIVE_UINT64, &schema) < 0)
        status = ct_schema_fail(err, CT_EIO, "group '/runs' cannot be written");
    const struct packing packing = {draft, runs, samples_max};
    for (size_t i = 0; i < list->n_entries && status == CT_OK && !draft->failure; i++) {
        char number[21];
        snprintf(number, sizeof number, "%020zu", i);
        status =
            copy_run(&packing, &list->entries[i], number + 20 - count_digits(list->n_entries), err);
    }
    H5Gclose(runs);
    H5Aclose(attribute);
    H5Sclose(space);
    return status;
}

static size_t room_bytes(const struct ct_run_list *list)
{
    size_t bytes = 65536;
    for (size_t i = 0; i < list->n_entries; i++) {
        struct stat st;
        bytes += 65536 + (stat(list->entries[i].path, &st) == 0 ? (size_t)st.st_size : 0);
    }
    return bytes;
}

static enum ct_status write_campaign(struct ct_file *draft, const struct ct_run_list *list,
                                     size_t samples_max, struct ct_error *err)
{
    ct_schema_begin();
    CT_TRY(ct_file_reserve(draft, room_bytes(list), NULL, err));
    hid_t access = ct_schema_access();
    hid_t file = ct_write_driver_create(draft, H5P_DEFAULT, access);
    enum ct_status status = CT_OK;
    if (file < 0) {
        status = ct_schema_fail(err, CT_EIO, "%s: cannot be created", draft->path);
    } else {
        status = copy_runs(draft, file, list, samples_max, err);
        if (H5Fclose(file) < 0 && status == CT_OK)
            status = ct_schema_fail(err, CT_EIO, "%s: cannot be written", draft->path);
    }
    H5Pclose(access);
    return status;
}

enum ct_status ct_run_pack_thinned(const struct ct_run_list *list, const char *path,
                                   size_t samples_max, struct ct_error *err)
{
    struct ct_file draft;
    CT_TRY(ct_file_create(path, &draft, err));
    enum ct_status status = write_campaign(&draft, list, samples_max, err);
    if (status == CT_OK)
        return ct_sum_commit(&draft, err);
    ct_file_discard(&draft);
    return status;
}
