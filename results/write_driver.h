/**
 * HDF5 file driver that writes through a struct ct_file. Internal to results.
 *
 * A write that fails makes HDF5 1.10 crash: closing the file fails too, and the library crashes
 * when the process ends. So this driver never returns a failure to HDF5. The failure is stored in
 * the struct, later writes are dropped, and ct_file_check() or ct_file_commit() reports it.
 */
#pragma once

#include "core/file.h"

#include <hdf5.h>

/**
 * Create an HDF5 file in the temporary file.
 * @param creation  [in] file creation properties, or H5P_DEFAULT
 * @param access    [in] file access properties; its driver is replaced
 * @return the file, to be closed by H5Fclose() before draft ends; negative: HDF5 failed
 */
hid_t ct_write_driver_create(struct ct_file *draft, hid_t creation, hid_t access);
