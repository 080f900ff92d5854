/* The unit tests of a room, by files: rows.h, which CMake writes, has a row for each.

   usage: tests_ROOM [NAME [quick|slow|PATTERN]]

   It runs those of test_NAME.c, or of all files; quick leaves out tests whose names begin with
   slow_, slow runs only these; PATTERN chooses tests by their names (*, ?). */
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* The name is the leak checker's. HDF5 leaks on some damaged files, the library of OTF2 where it
   gives up an archive; Scotch 7.0 keeps parts of a strategy that it has parsed. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5\nleak:libopen-trace-format2\nleak:libotf2\nleak:scotchyyparse\n";
}

#define ROW(name) int ct_test_##name(void);
#include "rows.h"
#undef ROW

static const struct test_file {
    const char *name;
    int (*run)(void); /* how many failed */
} files[] = {
#define ROW(name) {#name, ct_test_##name},
#include "rows.h"
#undef ROW
};

int main(int argc, char **argv)
{
    int n_failed = 0, n_run = 0;
    if (argc > 2 && strcmp(argv[2], "quick") == 0)
        cmocka_set_skip_filter("slow_*");
    else if (argc > 2)
        cmocka_set_test_filter(strcmp(argv[2], "slow") == 0 ? "slow_*" : argv[2]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (argc > 1 && strcmp(argv[1], files[i].name) != 0)
            continue;
        n_run++;
        n_failed += files[i].run();
    }
    if (n_run == 0)
        fprintf(stderr, "%s: no file test_%s.c\n", argv[0], argc > 1 ? argv[1] : "");
    return n_failed > 0 || n_run == 0;
}
