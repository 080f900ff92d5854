#include "core/mpi_kind.h"

#include "core/elf.h"
#include "core/output_of.h"
#include "core/parts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAUNCHER_VARIABLE "CROSSTALK_MPIEXEC"

/* Longer than any of them takes, on a file system of a cluster too. */
enum { LOADER_LIMIT_S = 10, VERSION_LIMIT_S = 20, WORDS_MAX = 64 };

const char *const ct_mpi_names[] = {
#define MPI_NAME(name, text, title) text,
    CT_MPI_MAP(MPI_NAME)
#undef MPI_NAME
        NULL};

const char *ct_mpi_title(enum ct_mpi mpi)
{
    static const char *const titles[] = {
#define MPI_TITLE(name, text, title) title,
        CT_MPI_MAP(MPI_TITLE)
#undef MPI_TITLE
    };
    return titles[mpi];
}

/* By the start of a text. */
struct sign {
    const char *text;
    enum ct_mpi mpi;
};

enum ct_mpi ct_mpi_of_build(void)
{
    for (int mpi = CT_MPI_UNKNOWN + 1; mpi < CT_MPI_N; mpi++)
        if (strcmp(CT_MPI_KIND, ct_mpi_names[mpi]) == 0)
            return (enum ct_mpi)mpi;
    return CT_MPI_UNKNOWN;
}

enum ct_mpi ct_mpi_of_library(const char *name)
{
    static const struct sign signs[] = {
        {"libmpich", CT_MPI_MPICH},          {"libmpi.so.12", CT_MPI_MPICH},
        {"libmpifort.so.12", CT_MPI_MPICH},  {"libmpicxx.so.12", CT_MPI_MPICH},
        {"libmpi_cray.so", CT_MPI_MPICH},    {"libmpi_gnu", CT_MPI_MPICH},
        {"libmpi_intel", CT_MPI_MPICH},      {"libmpi_nvidia", CT_MPI_MPICH},
        {"libmpi.so.20", CT_MPI_OPENMPI},    {"libmpi.so.40", CT_MPI_OPENMPI},
        {"libmpi_mpifh.so", CT_MPI_OPENMPI}, {"libmpi_usempi", CT_MPI_OPENMPI},
        {"libmpi_cxx.so", CT_MPI_OPENMPI},   {"libopen-rte.so", CT_MPI_OPENMPI},
        {"libopen-pal.so", CT_MPI_OPENMPI},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(name, signs[i].text, strlen(signs[i].text)) == 0)
            return signs[i].mpi;
    return CT_MPI_UNKNOWN;
}

enum ct_mpi ct_mpi_of_version(const char *text)
{
    static const struct sign signs[] = {
        {"HYDRA", CT_MPI_MPICH},          {"MPICH", CT_MPI_MPICH},
        {"MVAPICH", CT_MPI_MPICH},        {"Intel(R) MPI", CT_MPI_MPICH},
        {"Open MPI", CT_MPI_OPENMPI},     {"OpenRTE", CT_MPI_OPENMPI},
        {"Open-MPI", CT_MPI_OPENMPI},     {"PRRTE", CT_MPI_OPENMPI},
        {"open-mpi.org", CT_MPI_OPENMPI},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(text, signs[i].text))
            return signs[i].mpi;
    return CT_MPI_UNKNOWN;
}

/* ---- files ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_program(const char *path, struct stat *facts_p)
{
    return stat(path, facts_p) == 0 && S_ISREG(facts_p->st_mode) && access(path, X_OK) == 0;
}

/* Where PATH leads to; false: nowhere. A name with a slash is a path already. */
static bool find_program(const char *name, char path[PATH_MAX], struct stat *facts_p)
{
    if (strchr(name, '/')) {
        int n = snprintf(path, PATH_MAX, "%s", name);
        return n < PATH_MAX && is_program(path, facts_p);
    }
    const char *folders = *name ? getenv("PATH") : NULL;
    while (folders && *folders) {
        int length = (int)strcspn(folders, ":");
        int n = snprintf(path, PATH_MAX, "%.*s/%s", length, folders, name);
        if (n < PATH_MAX && is_program(path, facts_p))
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* ---- the MPI of a program ---- */

static enum ct_mpi direct_mpi(const struct ct_elf *elf)
{
    enum ct_mpi mpi = CT_MPI_UNKNOWN;
    size_t at = 0;
    for (const char *name; mpi == CT_MPI_UNKNOWN && (name = ct_elf_next_needed(elf, &at));)
        mpi = ct_mpi_of_library(base_name(name));
    return mpi;
}

/* A line of the loader's list: "<tab>libmpich.so.12 => /usr/lib/libmpich.so.12 (0x7f...)". The
   first library of the program's MPI counts, or of any where that is not known yet. */
static bool take_line(char *line, struct ct_mpi_program *program)
{
    char *name = line + strspn(line, " \t");
    char *arrow = strstr(name, " => "), *path = arrow ? arrow + 4 : name;
    char *end = strstr(path, " (0x");
    if (arrow)
        *arrow = '\0';
    if (end)
        *end = '\0';
    enum ct_mpi mpi = ct_mpi_of_library(base_name(name));
    if (mpi == CT_MPI_UNKNOWN || (program->mpi != CT_MPI_UNKNOWN && program->mpi != mpi))
        return false;
    program->mpi = mpi;
    if (path[0] == '/')
        snprintf(program->library, sizeof program->library, "%s", path);
    return true;
}

/* The loader lists what it would load, and starts nothing. */
static void ask_loader(const char *interpreter, struct ct_mpi_program *program)
{
    char loader[PATH_MAX], option[] = "--list", *answer = NULL;
    char *const argv[] = {loader, option, program->path, NULL};
    int code;
    snprintf(loader, sizeof loader, "%s", interpreter);
    if (ct_output_of(argv, LOADER_LIMIT_S, &answer, &code, NULL) != CT_OK)
        return;
    char *rest = answer;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (take_line(line, program))
            break;
    free(answer);
}

void ct_mpi_of_file(const char *path, struct ct_mpi_program *program_p)
{
    struct stat facts;
    struct ct_elf elf;
    *program_p = (struct ct_mpi_program){.mpi = CT_MPI_UNKNOWN};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return;
    bool regular = fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0;
    size_t size = regular ? (size_t)facts.st_size : 0;
    void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED)
        return;
    if (ct_elf_read(bytes, size, &elf)) {
        snprintf(program_p->path, sizeof program_p->path, "%s%s", strchr(path, '/') ? "" : "./",
                 path);
        program_p->mpi = direct_mpi(&elf);
        if (elf.interpreter)
            ask_loader(elf.interpreter, program_p);
    }
    munmap(bytes, size);
}

bool ct_mpi_is_launcher(const char *word)
{
    static const char *const starts[] = {"mpiexec", "mpirun", "orterun", "prterun", "srun"};
    const char *name = base_name(word);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

/* Whether a word names a program, of whatever MPI. A launcher is none: Open MPI's is linked to
   parts of that. */
static bool try_word(const char *word, struct ct_mpi_program *program_p)
{
    char path[PATH_MAX];
    struct stat facts;
    if (!find_program(word, path, &facts))
        return false;
    if (ct_mpi_is_launcher(word))
        return true;
    ct_mpi_of_file(path, program_p);
    return true;
}

/* "cd /scratch && lmp -in x" */
static void try_words_within(const char *text, struct ct_mpi_program *program_p)
{
    char *copy = strdup(text), *rest = copy;
    if (!copy)
        return;
    size_t n = 0;
    for (char *word; program_p->mpi == CT_MPI_UNKNOWN && n < WORDS_MAX &&
                     (word = strsep(&rest, " \t\n;|&()'\""));)
        if (*word) {
            try_word(word, program_p);
            n++;
        }
    free(copy);
}

void ct_mpi_of_command(char *const *argv, struct ct_mpi_program *program_p)
{
    *program_p = (struct ct_mpi_program){.mpi = CT_MPI_UNKNOWN};
    for (size_t i = 0; i < WORDS_MAX && argv[i] && program_p->mpi == CT_MPI_UNKNOWN; i++)
        if (!try_word(argv[i], program_p) && strpbrk(argv[i], " \t\n"))
            try_words_within(argv[i], program_p);
    if (program_p->mpi == CT_MPI_UNKNOWN)
        *program_p = (struct ct_mpi_program){.mpi = CT_MPI_UNKNOWN};
}

/* ---- launchers ---- */

/* Hydra first: the lab needs it, and MPICH may bring others under plain names. */
static const char *const launcher_names[CT_MPI_N][7] = {
    [CT_MPI_UNKNOWN] = {"mpiexec", "mpirun", NULL},
    [CT_MPI_MPICH] = {"mpiexec.hydra", "mpiexec.mpich", "mpirun.mpich", "mpiexec", "mpirun", NULL},
    [CT_MPI_OPENMPI] = {"mpiexec.openmpi", "mpirun.openmpi", "orterun", "prterun", "mpiexec",
                        "mpirun", NULL},
};

enum ct_mpi ct_mpi_of_launcher(const char *launcher)
{
    static const struct sign endings[] = {{".hydra", CT_MPI_MPICH},
                                          {".mpich", CT_MPI_MPICH},
                                          {".openmpi", CT_MPI_OPENMPI},
                                          {"orterun", CT_MPI_OPENMPI},
                                          {"prterun", CT_MPI_OPENMPI}};
    size_t length = strlen(launcher);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i].text);
        if (length >= n && strcmp(launcher + length - n, endings[i].text) == 0)
            return endings[i].mpi;
    }
    char program[PATH_MAX], option[] = "--version", *answer = NULL;
    char *const argv[] = {program, option, NULL};
    int code;
    snprintf(program, sizeof program, "%s", launcher);
    if (ct_output_of(argv, VERSION_LIMIT_S, &answer, &code, NULL) != CT_OK)
        return CT_MPI_UNKNOWN;
    enum ct_mpi mpi = ct_mpi_of_version(answer);
    free(answer);
    return mpi;
}

/* A launcher's name is shorter to read than its path, and Open MPI takes a path for more than that
   (--prefix). */
static void prefer_name(const char *path, const struct stat *facts, char launcher[PATH_MAX])
{
    char found[PATH_MAX];
    struct stat other;
    const char *name = base_name(path);
    bool same = find_program(name, found, &other) && other.st_dev == facts->st_dev &&
                other.st_ino == facts->st_ino;
    snprintf(launcher, PATH_MAX, "%s", same ? name : path);
}

/* One of the names of an MPI's launchers, in a folder; NULL: in PATH. */
static bool find_named(enum ct_mpi mpi, const char *folder, char launcher[PATH_MAX])
{
    for (const char *const *name = launcher_names[mpi]; *name; name++) {
        char wanted[2 * PATH_MAX], path[PATH_MAX];
        struct stat facts;
        snprintf(wanted, sizeof wanted, "%s%s%s", folder ? folder : "", folder ? "/" : "", *name);
        if (!find_program(wanted, path, &facts) || ct_mpi_of_launcher(path) != mpi)
            continue;
        prefer_name(path, &facts, launcher);
        return true;
    }
    return false;
}

/* PREFIX/lib/libmpi.so or PREFIX/lib/TRIPLET/libmpi.so: the launchers are in PREFIX/bin. */
static bool find_beside(enum ct_mpi mpi, const char *library, char launcher[PATH_MAX])
{
    static const char *const ways[] = {"../bin", "../../bin"};
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", library);
    char *slash = strrchr(folder, '/');
    if (!slash)
        return false;
    *slash = '\0';
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char way[2 * PATH_MAX], real[PATH_MAX];
        snprintf(way, sizeof way, "%s/%s", folder, ways[i]);
        if (realpath(way, real) && find_named(mpi, real, launcher))
            return true;
    }
    return false;
}

static bool find_of_build(enum ct_mpi mpi, char launcher[PATH_MAX])
{
    char path[PATH_MAX];
    struct stat facts;
    if (mpi != ct_mpi_of_build() || !find_program(CT_MPI_LAUNCHER, path, &facts))
        return false;
    prefer_name(path, &facts, launcher);
    return true;
}

/* A site's own mpiexec, which may start programs of any MPI; or whatever there is, for a program of
   which nothing is known. */
static bool find_any(struct ct_mpi_choice *choice, enum ct_mpi mpi)
{
    for (const char *const *name = launcher_names[CT_MPI_UNKNOWN]; *name; name++) {
        char path[PATH_MAX];
        struct stat facts;
        if (!find_program(*name, path, &facts))
            continue;
        choice->mpi = ct_mpi_of_launcher(path);
        snprintf(choice->launcher, sizeof choice->launcher, "%s", *name);
        if (mpi == CT_MPI_UNKNOWN || choice->mpi == CT_MPI_UNKNOWN)
            return true;
    }
    return false;
}

static enum ct_status find_launcher(struct ct_mpi_choice *choice, enum ct_mpi mpi,
                                    struct ct_error *err)
{
    choice->mpi = mpi;
    if (mpi != CT_MPI_UNKNOWN &&
        (find_beside(mpi, choice->program.library, choice->launcher) ||
         find_of_build(mpi, choice->launcher) || find_named(mpi, NULL, choice->launcher)))
        return CT_OK;
    if (find_any(choice, mpi))
        return CT_OK;
    char names[200] = "";
    for (const char *const *name = launcher_names[mpi]; *name; name++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", *name);
    }
    return ct_fail(err, CT_EUNSUPPORTED,
                   "%s%sno launcher of %s (%s) is in PATH; install it, load its module, or "
                   "set " LAUNCHER_VARIABLE " to its path",
                   choice->program.path, *choice->program.path ? ": " : "",
                   mpi == CT_MPI_UNKNOWN ? "any MPI" : ct_mpi_title(mpi), names);
}

/* The launcher that the user names: *mpi_p is its MPI. */
static enum ct_status check_given(const char *given, enum ct_mpi *mpi_p, struct ct_error *err)
{
    char path[PATH_MAX];
    struct stat facts;
    if (!find_program(given, path, &facts))
        return ct_fail(err, CT_ENOENT, "launcher '%s': no such program", given);
    *mpi_p = ct_mpi_of_launcher(path);
    return CT_OK;
}

enum ct_status ct_mpi_choose(char *const *argv, enum ct_mpi wanted, const char *given,
                             struct ct_mpi_choice *choice_p, struct ct_error *err)
{
    struct ct_mpi_choice choice = {.mpi = CT_MPI_UNKNOWN};
    enum ct_mpi of_given = CT_MPI_UNKNOWN;
    if (!given || !*given)
        given = getenv(LAUNCHER_VARIABLE);
    if (given && !*given)
        given = NULL;
    if (given) {
        enum ct_status status = check_given(given, &of_given, err);
        if (status != CT_OK)
            return status;
    }
    ct_mpi_of_command(argv, &choice.program);
    enum ct_mpi mpi = choice.program.mpi;
    if (mpi == CT_MPI_UNKNOWN)
        mpi = wanted;
    if (mpi == CT_MPI_UNKNOWN)
        mpi = given ? of_given : ct_mpi_of_build();
    enum ct_status status = CT_OK;
    if (given && (of_given == mpi || of_given == CT_MPI_UNKNOWN)) {
        choice.mpi = of_given;
        snprintf(choice.launcher, sizeof choice.launcher, "%s", given);
    } else {
        status = find_launcher(&choice, mpi, err);
    }
    if (status == CT_OK)
        *choice_p = choice;
    return status;
}
