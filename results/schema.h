/**
 * Schema 1 in HDF5: attributes, types and the opening of files, for writer and reader. Internal to
 * results, which is the only room that includes hdf5.h.
 */
#pragma once

#include "core/file.h"
#include "results/dataset.h"

#include <hdf5.h>

/**
 * Rows that are converted at once, and rows of a chunk in the file. A chunk of samples has 672 KiB:
 * it fits into HDF5's chunk cache of 1 MiB, and into a processor's cache.
 */
enum { CT_BLOCK_ROWS = 32768 };

enum ct_attribute_type { CT_ATTRIBUTE_TEXT, CT_ATTRIBUTE_U64, CT_ATTRIBUTE_F64 };

/** An attribute that every run has and that is a member of struct ct_run_info. Others (schema,
 *  kind, config_*) have code of their own. */
struct ct_attribute {
    const char *name;
    enum ct_attribute_type type;
    size_t offset; /**< in struct ct_run_info */
};

enum { CT_N_ATTRIBUTES = 11 };
extern const struct ct_attribute ct_attributes[CT_N_ATTRIBUTES];

/** Whether a name is an attribute of schema 1, so that no fact may have it. */
bool ct_schema_owns(const char *name);

/** Keep HDF5 from printing its error stack and from loading plugins that a file asks for. */
void ct_schema_begin(void);

/**
 * Fill an error with "FORMAT: cause", the cause from the innermost entry of HDF5's error stack.
 * Call it right after the function that failed: the next call into HDF5 clears the stack.
 */
enum ct_status ct_schema_fail(struct ct_error *err, enum ct_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** The same for a file that cannot be opened: names its format if it is that of another tool. */
enum ct_status ct_schema_fail_open(const char *path, struct ct_error *err);

/** Property list for opening and creating files; negative where HDF5 fails. */
hid_t ct_schema_access(void);

/** New type of a field in the file; negative where HDF5 fails. Close with H5Tclose(). */
hid_t ct_schema_field_type(enum ct_field_type type);

/** New types of a row: in the file (packed, little-endian), and packed in memory (native order). */
hid_t ct_schema_file_type(const struct ct_dataset *dataset);
hid_t ct_schema_packed_type(const struct ct_dataset *dataset);

/**
 * Whether field `index` of a row type in a file is a text as crosstalk writes it, of CT_HOST_MAX
 * bytes.
 */
bool ct_schema_is_own_text(hid_t row, unsigned index);

/**
 * ct_schema_packed_type() with only those fields that a file's rows have, without texts of another
 * kind.
 * @param file_type  [in] type of a row in the file
 */
hid_t ct_schema_present_type(const struct ct_dataset *dataset, hid_t file_type);

/** Property list for creating a group with a run's attributes: class H5P_FILE_CREATE for the group
 *  "/" of a file, or H5P_GROUP_CREATE; negative where HDF5 fails. */
hid_t ct_schema_creation(hid_t class);

/** Write all attributes of a run. */
enum ct_status ct_schema_write_info(hid_t group, const struct ct_run_info *info,
                                    struct ct_error *err);

/** The parts of this that files of other kinds have, too: schema and kind; facts. */
enum ct_status ct_schema_write_kind(hid_t group, const char *kind, struct ct_error *err);
enum ct_status ct_schema_write_facts(hid_t group, const struct ct_run_info *info,
                                     struct ct_error *err);

/** Write a whole run into a group: attributes, datasets, rows, compressed. */
enum ct_status ct_schema_write_run(const struct ct_file *draft, hid_t group,
                                   const struct ct_run *run, struct ct_error *err);

/**
 * Upper bound of the size of a file with these numbers of rows, bytes, as if nothing were
 * compressed.
 */
size_t ct_schema_room_bytes(const struct ct_run_info *info, const size_t n_rows[CT_N_DATASETS]);

/** Which rows ct_schema_create() writes. */
enum ct_schema_rows {
    CT_SCHEMA_ALL_ROWS, /**< all */
    CT_SCHEMA_OWN_ROWS  /**< those of datasets that only rank 0 has; shared datasets are created
                           without their rows */
};

/**
 * Write a run into the temporary file: reserve room on the disk, write attributes, datasets, rows.
 * @param n_rows  [in] rows of each dataset, of all ranks
 */
enum ct_status ct_schema_create(struct ct_file *draft, const struct ct_run *run,
                                const size_t n_rows[CT_N_DATASETS], enum ct_schema_rows which,
                                enum ct_run_storage storage, struct ct_error *err);

/** Read all attributes of a run. On error info has what was read until then: free it. */
enum ct_status ct_schema_read_info(hid_t group, struct ct_run_info *info, struct ct_error *err);

/**
 * The parts of this that files of other kinds have, too.
 * @param kind_p  [out] free(); unchanged on error
 */
enum ct_status ct_schema_read_kind(hid_t group, char **kind_p, struct ct_error *err);
enum ct_status ct_schema_read_facts(hid_t group, struct ct_run_info *info, struct ct_error *err);

struct ct_arrays;

/** A run that is open for reading: a file of its own, or a group of a packed campaign. */
struct ct_source {
    hid_t file, group;
    struct ct_run_stamp stamp; /**< of the file */
};

/**
 * Open a run. A file that may be damaged is tried first, see results/trial.h.
 * @param path  [in] as ct_run_read() takes it
 * @return CT_OK; CT_ENOENT; CT_EFORMAT; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_source_open(const char *path, struct ct_source *source_p, struct ct_error *err);

/** The same without a trial. */
enum ct_status ct_source_open_untried(const char *path, struct ct_source *source_p,
                                      struct ct_error *err);

/** The error of a file that did not survive its trial. */
enum ct_status ct_source_fail_tried(const char *path, struct ct_error *err);

/**
 * ct_source_open() of a run in a list, without a trial if the file has not changed since it was
 * listed.
 */
enum ct_status ct_source_open_again(const struct ct_run_entry *entry, struct ct_source *source_p,
                                    struct ct_error *err);
void ct_source_close(struct ct_source *source);

/** Read everything of a run but the rows, and discard it: for a trial. */
void ct_source_touch(const struct ct_source *source);

/** ct_arrays_read() without a trial. @param kind  [in] NULL: any */
enum ct_status ct_arrays_read_untried(const char *path, const char *kind, struct ct_arrays *file_p,
                                      struct ct_error *err);

/** Whether a link of this name exists and leads to an object in the same file. */
bool ct_schema_is_own(hid_t group, const char *name);

/**
 * Names of the runs in a packed campaign, in order.
 * @param names_p  [out] *n_p strings and the array are the caller's, free(); n is 0 for a file with
 *                       one run
 * @return CT_OK; CT_EFORMAT; CT_ENOMEM; messages come without the path
 */
enum ct_status ct_source_runs(const struct ct_source *source, char ***names_p, size_t *n_p,
                              struct ct_error *err);
