/* core/mpi_kind: programs that are linked to one MPI or another, as far as files tell, and the
   launchers that belong to them. */
#include "core/mpi_kind.h"
#include "core/output_of.h"
#include "core/parts.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS(...) ((char *const[]){__VA_ARGS__, NULL})

static char mpich_mpi[] = FAKE "/bin/fake_mpich_mpi", openmpi_mpi[] = FAKE "/bin/fake_openmpi_mpi";
static char mpich_launcher[] = FAKE "/mpich/bin/mpiexec";
static char openmpi_launcher[] = FAKE "/openmpi/bin/mpiexec";
static char folder[] = "/tmp/crosstalk-mpi-kind-XXXXXX", script[100], nobody[100], deaf[100];

static void write_program(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0755), 0);
}

/* In PATH: the tools of the system, without its MPIs. */
static int enter(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(script, sizeof script, "%s/script", folder);
    snprintf(nobody, sizeof nobody, "%s/nobody", folder);
    snprintf(deaf, sizeof deaf, "%s/deaf", folder);
    write_program(script, "#!/bin/sh\nexit 0\n");
    write_program(nobody, "#!/bin/sh\necho mpiexec of another house\n");
    write_program(deaf, "#!/bin/sh\nexec sleep 60\n");
    unsetenv("CROSSTALK_MPIEXEC");
    return setenv("PATH", folder, 1);
}

static int leave(void **state)
{
    (void)state;
    unlink(script);
    unlink(nobody);
    unlink(deaf);
    return rmdir(folder);
}

static void libraries_are_known_by_name(void **state)
{
    (void)state;
    assert_int_equal(ct_mpi_of_library("libmpich.so.12"), CT_MPI_MPICH);
    assert_int_equal(ct_mpi_of_library("libmpi.so.12"), CT_MPI_MPICH);
    assert_int_equal(ct_mpi_of_library("libmpi_cray.so.12"), CT_MPI_MPICH);
    assert_int_equal(ct_mpi_of_library("libmpi.so.40"), CT_MPI_OPENMPI);
    assert_int_equal(ct_mpi_of_library("libmpi_usempif08.so.40"), CT_MPI_OPENMPI);
    assert_int_equal(ct_mpi_of_library("libmpi.so.99"), CT_MPI_UNKNOWN);
    assert_int_equal(ct_mpi_of_library("libc.so.6"), CT_MPI_UNKNOWN);
    assert_int_equal(ct_mpi_of_library("libhdf5_mpich.so.103"), CT_MPI_UNKNOWN);
}

static enum ct_mpi of_file(const char *path)
{
    struct ct_mpi_program program;
    ct_mpi_of_file(path, &program);
    return program.mpi;
}

static void a_program_is_of_the_mpi_it_is_linked_to(void **state)
{
    (void)state;
    struct ct_mpi_program program;
    ct_mpi_of_file(mpich_mpi, &program);
    assert_int_equal(program.mpi, CT_MPI_MPICH);
    assert_string_equal(program.library, FAKE "/mpich/lib/libmpich.so.12");
    ct_mpi_of_file(openmpi_mpi, &program);
    assert_int_equal(program.mpi, CT_MPI_OPENMPI);
    assert_string_equal(program.library, FAKE "/openmpi/lib/libmpi.so.40");
    assert_int_equal(of_file(FAKE "/bin/fake_mpich_middle"), CT_MPI_MPICH);
    assert_int_equal(of_file(FAKE "/bin/fake_openmpi_middle"), CT_MPI_OPENMPI);
}

static void a_library_is_of_the_mpi_it_is_linked_to(void **state)
{
    (void)state;
    assert_int_equal(of_file(FAKE "/openmpi/lib/libfake_middle_openmpi.so"), CT_MPI_OPENMPI);
}

/* crosstalk trace sets LD_PRELOAD before it, or its launcher, looks at the program. */
static void what_is_preloaded_does_not_count(void **state)
{
    (void)state;
    setenv("LD_PRELOAD", FAKE "/mpich/lib/libmpich.so.12", 1);
    assert_int_equal(of_file(FAKE "/bin/fake_openmpi_middle"), CT_MPI_OPENMPI);
    unsetenv("LD_PRELOAD");
}

static void what_does_not_tell_is_unknown(void **state)
{
    (void)state;
    assert_int_equal(of_file(script), CT_MPI_UNKNOWN);
    assert_int_equal(of_file(FAKE "/bin/fake_static"), CT_MPI_UNKNOWN);
    assert_int_equal(of_file(folder), CT_MPI_UNKNOWN);
    assert_int_equal(of_file("/no/such/file"), CT_MPI_UNKNOWN);
    assert_int_equal(of_file("/dev/null"), CT_MPI_UNKNOWN);
    assert_int_equal(of_file("/bin/sh"), CT_MPI_UNKNOWN);
}

static enum ct_mpi of_command(char *const *words)
{
    struct ct_mpi_program program;
    ct_mpi_of_command(words, &program);
    assert_int_equal(program.mpi == CT_MPI_UNKNOWN, program.path[0] == '\0');
    return program.mpi;
}

static void wrappers_are_seen_through(void **state)
{
    (void)state;
    static char line[] = "cd /tmp && A='b' exec " FAKE "/bin/fake_openmpi_mpi -in x";
    assert_int_equal(of_command(WORDS("/usr/bin/env", "A=b", mpich_mpi)), CT_MPI_MPICH);
    assert_int_equal(of_command(WORDS("/bin/sh", "-c", line)), CT_MPI_OPENMPI);
    assert_int_equal(of_command(WORDS(script, openmpi_mpi)), CT_MPI_OPENMPI);
    assert_int_equal(of_command(WORDS("/bin/sh", "-c", "true")), CT_MPI_UNKNOWN);
    assert_int_equal(of_command(WORDS("no-such-program", "--option")), CT_MPI_UNKNOWN);
    assert_int_equal(of_command(WORDS("mpiexec", "-n", "4", openmpi_mpi)), CT_MPI_OPENMPI);
    /* An argument is not looked at where the program tells. */
    assert_int_equal(of_command(WORDS(mpich_mpi, openmpi_mpi)), CT_MPI_MPICH);
    setenv("PATH", FAKE "/bin", 1);
    assert_int_equal(of_command(WORDS("fake_openmpi_mpi")), CT_MPI_OPENMPI);
    setenv("PATH", folder, 1);
}

/* ---- launchers ---- */

static struct ct_mpi_choice choose(char *const *words, enum ct_mpi wanted, const char *given)
{
    struct ct_mpi_choice choice = {.mpi = CT_MPI_UNKNOWN};
    struct ct_error err = {.text = ""};
    if (ct_mpi_choose(words, wanted, given, &choice, &err) != CT_OK)
        fail_msg("%s", err.text);
    return choice;
}

static void launchers_say_what_they_are(void **state)
{
    (void)state;
    assert_int_equal(ct_mpi_of_launcher(mpich_launcher), CT_MPI_MPICH);
    assert_int_equal(ct_mpi_of_launcher(openmpi_launcher), CT_MPI_OPENMPI);
    assert_int_equal(ct_mpi_of_launcher(nobody), CT_MPI_UNKNOWN);
    assert_int_equal(ct_mpi_of_launcher("/opt/x/mpiexec.hydra"), CT_MPI_MPICH);
    assert_int_equal(ct_mpi_of_launcher("orterun"), CT_MPI_OPENMPI);
    assert_int_equal(ct_mpi_of_launcher("/no/such/launcher"), CT_MPI_UNKNOWN);
    assert_true(ct_mpi_is_launcher("/usr/bin/mpirun.openmpi"));
    assert_false(ct_mpi_is_launcher("/opt/mpiexec/bin/lmp"));
}

static void a_launcher_beside_the_library_is_found(void **state)
{
    (void)state;
    struct ct_mpi_choice choice = choose(WORDS(mpich_mpi), CT_MPI_UNKNOWN, NULL);
    assert_int_equal(choice.mpi, CT_MPI_MPICH);
    assert_string_equal(choice.launcher, mpich_launcher);
    choice = choose(WORDS(openmpi_mpi), CT_MPI_UNKNOWN, NULL);
    assert_int_equal(choice.mpi, CT_MPI_OPENMPI);
    assert_string_equal(choice.launcher, openmpi_launcher);
    /* By its name where PATH leads to it. */
    setenv("PATH", FAKE "/openmpi/bin", 1);
    assert_string_equal(choose(WORDS(openmpi_mpi), CT_MPI_UNKNOWN, NULL).launcher, "mpiexec");
    assert_string_equal(choose(WORDS(mpich_mpi), CT_MPI_UNKNOWN, NULL).launcher, mpich_launcher);
    setenv("PATH", folder, 1);
}

/* The program is right about itself, whatever is wanted. */
static void the_mpi_that_is_wanted_is_for_programs_that_do_not_tell(void **state)
{
    (void)state;
    assert_int_equal(choose(WORDS(mpich_mpi), CT_MPI_OPENMPI, NULL).mpi, CT_MPI_MPICH);
    setenv("PATH", FAKE "/openmpi/bin", 1);
    struct ct_mpi_choice choice = choose(WORDS(script), CT_MPI_OPENMPI, NULL);
    assert_int_equal(choice.mpi, CT_MPI_OPENMPI);
    assert_string_equal(choice.launcher,
                        ct_mpi_of_build() == CT_MPI_OPENMPI ? CT_MPI_LAUNCHER : "mpiexec");
    setenv("PATH", folder, 1);
}

static void a_launcher_that_is_given_starts_programs_of_its_mpi(void **state)
{
    (void)state;
    assert_string_equal(choose(WORDS(script), CT_MPI_UNKNOWN, openmpi_launcher).launcher,
                        openmpi_launcher);
    setenv("CROSSTALK_MPIEXEC", openmpi_launcher, 1);
    assert_string_equal(choose(WORDS(script), CT_MPI_UNKNOWN, NULL).launcher, openmpi_launcher);
    assert_string_equal(choose(WORDS(openmpi_mpi), CT_MPI_UNKNOWN, "").launcher, openmpi_launcher);
    assert_string_equal(choose(WORDS(mpich_mpi), CT_MPI_UNKNOWN, NULL).launcher, mpich_launcher);
    assert_string_equal(choose(WORDS(script), CT_MPI_UNKNOWN, mpich_launcher).launcher,
                        mpich_launcher);
    unsetenv("CROSSTALK_MPIEXEC");
}

static void a_launcher_that_does_not_tell_starts_all_programs(void **state)
{
    (void)state;
    struct ct_mpi_choice choice = choose(WORDS(mpich_mpi), CT_MPI_UNKNOWN, nobody);
    assert_int_equal(choice.mpi, CT_MPI_UNKNOWN);
    assert_int_equal(choice.program.mpi, CT_MPI_MPICH);
    assert_string_equal(choice.launcher, nobody);
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    struct ct_mpi_choice choice = {.mpi = CT_MPI_N};
    struct ct_error err;
    assert_int_equal(ct_mpi_choose(WORDS(script), CT_MPI_UNKNOWN, "/no/such", &choice, &err),
                     CT_ENOENT);
    assert_non_null(strstr(err.text, "'/no/such'"));
    enum ct_mpi other = ct_mpi_of_build() == CT_MPI_OPENMPI ? CT_MPI_MPICH : CT_MPI_OPENMPI;
    assert_int_equal(ct_mpi_choose(WORDS(script), other, NULL, &choice, &err), CT_EUNSUPPORTED);
    assert_non_null(strstr(err.text, ct_mpi_title(other)));
    assert_non_null(strstr(err.text, "CROSSTALK_MPIEXEC"));
    assert_int_equal(choice.mpi, CT_MPI_N);
}

/* ---- core/output_of ---- */

static void output_and_exit_code_are_taken(void **state)
{
    (void)state;
    char *text;
    int code;
    struct ct_error err;
    assert_int_equal(ct_output_of(WORDS("/bin/sh", "-c", "echo out; echo err >&2; exit 3"), 10,
                                  &text, &code, &err),
                     CT_OK);
    assert_string_equal(text, "out\nerr\n");
    assert_int_equal(code, 3);
    free(text);
    assert_int_equal(ct_output_of(WORDS("no-such-program"), 10, &text, &code, &err), CT_OK);
    assert_int_equal(code, 127);
    free(text);
    assert_int_equal(ct_output_of(WORDS("/bin/sh", "-c", "kill -TERM $$"), 10, &text, &code, &err),
                     CT_OK);
    assert_int_equal(code, 128 + 15);
    free(text);
}

static void a_program_that_does_not_answer_is_ended(void **state)
{
    (void)state;
    char *text;
    int code;
    assert_int_equal(setenv("PATH", "/usr/bin:/bin", 1), 0);
    assert_int_equal(ct_output_of(WORDS(deaf), 1, &text, &code, NULL), CT_OK);
    assert_int_equal(code, 128 + 14); /* SIGALRM */
    free(text);
    assert_int_equal(setenv("PATH", folder, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries_are_known_by_name),
        cmocka_unit_test(a_program_is_of_the_mpi_it_is_linked_to),
        cmocka_unit_test(a_library_is_of_the_mpi_it_is_linked_to),
        cmocka_unit_test(what_is_preloaded_does_not_count),
        cmocka_unit_test(what_does_not_tell_is_unknown),
        cmocka_unit_test(wrappers_are_seen_through),
        cmocka_unit_test(launchers_say_what_they_are),
        cmocka_unit_test(a_launcher_beside_the_library_is_found),
        cmocka_unit_test(the_mpi_that_is_wanted_is_for_programs_that_do_not_tell),
        cmocka_unit_test(a_launcher_that_is_given_starts_programs_of_its_mpi),
        cmocka_unit_test(a_launcher_that_does_not_tell_starts_all_programs),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(output_and_exit_code_are_taken),
        cmocka_unit_test(a_program_that_does_not_answer_is_ended),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
