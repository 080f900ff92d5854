#include "watch/probe/key.h"

#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 2 * CT_PROBE_KEY_BYTES };

static enum ct_status make_key(const char *path, struct ct_error *err)
{
    unsigned char key[CT_PROBE_KEY_BYTES];
    char text[DIGITS + 2];
    randombytes_buf(key, sizeof key);
    sodium_bin2hex(text, sizeof text, key, sizeof key);
    text[DIGITS] = '\n';
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = fd >= 0 && write(fd, text, DIGITS + 1) == DIGITS + 1 && ct_file_flush(fd) == 0;
    int reason = errno;
    if (fd >= 0)
        close(fd);
    sodium_memzero(key, sizeof key);
    sodium_memzero(text, sizeof text);
    if (good || (fd < 0 && reason == EEXIST))
        return CT_OK;
    return ct_fail(err, CT_EIO, "%s: cannot be created: %s", path, strerror(reason));
}

static enum ct_status parse_key(const char *path, const char *text, size_t n,
                                unsigned char key[CT_PROBE_KEY_BYTES], struct ct_error *err)
{
    size_t length = 0;
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r' || text[n - 1] == ' '))
        n--;
    if (n != DIGITS || sodium_hex2bin(key, CT_PROBE_KEY_BYTES, text, n, NULL, &length, NULL) != 0 ||
        length != CT_PROBE_KEY_BYTES)
        return ct_fail(err, CT_EFORMAT,
                       "%s: is no key, which is %d hexadecimal digits, such as those of: openssl "
                       "rand -hex %d",
                       path, DIGITS, CT_PROBE_KEY_BYTES);
    return CT_OK;
}

enum ct_status ct_probe_key_read(const char *path, bool may_make,
                                 unsigned char key[CT_PROBE_KEY_BYTES], struct ct_error *err)
{
    enum ct_status status = CT_OK;
    if (sodium_init() < 0)
        return ct_fail(err, CT_EIO, "libsodium cannot be used: no random numbers");
    if (may_make && access(path, F_OK) != 0)
        status = make_key(path, err);
    if (status != CT_OK)
        return status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts;
    if (fd < 0 || fstat(fd, &facts) != 0) {
        status = ct_fail(err, errno == ENOENT ? CT_ENOENT : CT_EIO, "%s: cannot be read: %s", path,
                         strerror(errno));
    } else if ((facts.st_mode & 077) != 0 || (facts.st_uid != geteuid() && facts.st_uid != 0)) {
        status = ct_fail(err, CT_EINVAL,
                         "%s: others can read or change this key: chmod 600 FILE, and draw another "
                         "one if they may have",
                         path);
    } else {
        char text[DIGITS + 16];
        ssize_t n = read(fd, text, sizeof text);
        status = parse_key(path, text, n > 0 ? (size_t)n : 0, key, err);
        sodium_memzero(text, sizeof text);
    }
    if (fd >= 0)
        close(fd);
    return status;
}
