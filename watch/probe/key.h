/** The shared key of a watch, in a file that only its owner can read: 64 hexadecimal digits. */
#pragma once

#include "core/status.h"
#include "watch/probe/message.h"

/**
 * @param may_make  [in] draw a key and create the file, with mode 0600, where there is none
 * @return CT_OK; CT_EINVAL (others can read or write the file, or it belongs to somebody else);
 *         CT_EFORMAT; CT_ENOENT; CT_EIO
 */
enum ct_status ct_probe_key_read(const char *path, bool may_make,
                                 unsigned char key[CT_PROBE_KEY_BYTES], struct ct_error *err);
