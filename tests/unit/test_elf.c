/* core/elf: what this program says of itself, and files that are none or damaged. */
#include "core/elf.h"
#include "tests/unit/unit.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
    char *data;
    size_t n;
};

static void read_file(const char *path, struct bytes *bytes_p)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    bytes_p->data = malloc(64 << 20);
    assert_non_null(bytes_p->data);
    bytes_p->n = fread(bytes_p->data, 1, 64 << 20, file);
    fclose(file);
}

static int read_self(void **state)
{
    static struct bytes self;
    read_file("/proc/self/exe", &self);
    *state = &self;
    return 0;
}

static int free_self(void **state)
{
    free(((struct bytes *)*state)->data);
    return 0;
}

static bool needs(const struct ct_elf *elf, const char *name)
{
    size_t at = 0;
    for (const char *found; (found = ct_elf_next_needed(elf, &at));)
        if (!strncmp(found, name, strlen(name)))
            return true;
    return false;
}

static void a_program_names_its_loader_and_libraries(void **state)
{
    const struct bytes *self = *state;
    struct ct_elf elf;
    assert_true(ct_elf_read(self->data, self->n, &elf));
    assert_non_null(elf.interpreter);
    assert_int_equal(elf.interpreter[0], '/');
    assert_true(needs(&elf, "libcmocka.so"));
    assert_true(needs(&elf, "libc.so"));
    assert_false(needs(&elf, "libmpi"));
}

static void an_address_is_in_a_function(void **state)
{
    const struct bytes *self = *state;
    struct ct_elf elf;
    Dl_info info;
    struct link_map *map;
    assert_true(ct_elf_read(self->data, self->n, &elf));
    uintptr_t here = (uintptr_t)&an_address_is_in_a_function;
    assert_int_not_equal(dladdr1((void *)here, &info, (void **)&map, RTLD_DL_LINKMAP), 0);
    const char *name = ct_elf_function_at(&elf, here - map->l_addr + 1);
    assert_non_null(name);
    assert_string_equal(name, "an_address_is_in_a_function");
    assert_null(ct_elf_function_at(&elf, 0));
    assert_null(ct_elf_function_at(&elf, UINT64_MAX));
    /* Cut anywhere, or with other bytes in its headers: no name, or one within the file. */
    for (size_t cut = 0; cut < self->n; cut += 997) {
        elf.size = cut;
        ct_elf_function_at(&elf, here - map->l_addr + 1);
    }
}

static void other_files_are_refused(void **state)
{
    (void)state;
    struct ct_elf elf = {.size = 7};
    static const char script[] = "#!/bin/sh\nexit 0\n", short_file[] = "\177ELF";
    assert_false(ct_elf_read("", 0, &elf));
    assert_false(ct_elf_read(script, sizeof script, &elf));
    assert_false(ct_elf_read(short_file, sizeof short_file, &elf));
    assert_int_equal(elf.size, 7);
}

static void one_for_another_machine_is_refused(void **state)
{
    struct bytes *self = *state;
    struct ct_elf elf;
    for (size_t i = 4; i < 6; i++) { /* word size, byte order */
        char was = self->data[i];
        self->data[i] = (char)(3 - was);
        assert_false(ct_elf_read(self->data, self->n, &elf));
        self->data[i] = was;
    }
}

/* Names that are given lie within the part of the file that is there. Of a library of some KiB,
 * which is read at each of its lengths. */
static void a_file_cut_short_is_read_within_its_end(void **state)
{
    const struct bytes *self = *state;
    struct bytes small = {0};
    Dl_info info;
    assert_int_not_equal(dladdr(dlsym(RTLD_DEFAULT, "print_error"), &info), 0);
    read_file(info.dli_fname, &small);
    assert_true(small.n < self->n);
    for (size_t n = 0; n < small.n; n += n < 8192 ? 1 : 97) {
        char *part = malloc(n + 1);
        struct ct_elf elf;
        assert_non_null(part);
        memcpy(part, small.data, n);
        if (ct_elf_read(part, n, &elf)) {
            size_t at = 0;
            for (const char *name; (name = ct_elf_next_needed(&elf, &at));)
                assert_true(name > part && name + strlen(name) < part + n);
        }
        free(part);
    }
    free(small.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_in_a_function),
        cmocka_unit_test(a_program_names_its_loader_and_libraries),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(one_for_another_machine_is_refused),
        cmocka_unit_test(a_file_cut_short_is_read_within_its_end),
    };
    return cmocka_run_group_tests(tests, read_self, free_self);
}
