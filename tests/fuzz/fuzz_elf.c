/* ELF files: any bytes are read or refused, and names lie within the file. */
#include "core/elf.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void check_text(const char *text, const uint8_t *data, size_t size)
{
    size_t at = (size_t)((const uint8_t *)text - data);
    if (at >= size || !memchr(text, '\0', size - at))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_elf elf;
    if (!ct_elf_read(data, size, &elf))
        return 0;
    if (elf.interpreter)
        check_text(elf.interpreter, data, size);
    size_t at = 0;
    for (const char *name; (name = ct_elf_next_needed(&elf, &at));)
        check_text(name, data, size);
    return 0;
}
