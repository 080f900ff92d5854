/* Places in the program that call MPI. */
#include "trace/pmpi/sites.h"

#include "core/elf.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

/* In the map: code of the MPI library or of the tracer. */
static const uint32_t not_the_program = UINT32_MAX;

/* Code that was loaded from a file. */
struct code {
    const char *path;
    uint64_t address; /* in the file, as its symbols and addr2line have it */
};

static bool find_code(const void *address, struct code *code_p)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return false;
    *code_p = (struct code){*map->l_name ? map->l_name : "/proc/self/exe",
                            (uint64_t)((uintptr_t)address - map->l_addr)};
    return true;
}

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Of an MPI library, whose bindings to Fortran call the C functions, or the tracer. */
static bool is_of_mpi(const struct code *code)
{
    struct code own;
    return strncmp(file_of(code->path), "libmpi", strlen("libmpi")) == 0 ||
           (find_code((const void *)(uintptr_t)&file_of, &own) && own.path == code->path);
}

/* Print the function in which an address is; "?" if the file has no symbol of it. */
static void print_function(const struct code *code, char *text, size_t size)
{
    struct stat about;
    struct ct_elf elf;
    int fd = open(code->path, O_RDONLY | O_CLOEXEC);
    bool opened = fd >= 0 && fstat(fd, &about) == 0 && about.st_size > 0;
    void *bytes =
        opened ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    const char *name = NULL;
    if (bytes != MAP_FAILED && ct_elf_read(bytes, (size_t)about.st_size, &elf))
        name = ct_elf_function_at(&elf, code->address);
    snprintf(text, size, "%s", name ? name : "?");
    if (bytes != MAP_FAILED)
        munmap(bytes, (size_t)about.st_size);
    if (fd >= 0)
        close(fd);
}

static void name_site(const struct code *code, char name[CT_TRACE_SITE_MAX + 1])
{
    enum { FILE_MAX = 48, FUNCTION_MAX = CT_TRACE_SITE_MAX - FILE_MAX - 24 };
    char function[FUNCTION_MAX + 1], path[FILE_MAX * 8] = "";
    const char *file = code->path;
    ssize_t n = readlink(file, path, sizeof path - 1);
    if (n > 0 && strcmp(file, "/proc/self/exe") == 0)
        file = path;
    print_function(code, function, sizeof function);
    snprintf(name, CT_TRACE_SITE_MAX + 1, "%s (%.*s+0x%" PRIx64 ")", function, FILE_MAX,
             file_of(file), code->address);
}

/* Number of an address to which a call returns; 0: it is not in the program. */
static uint32_t site_of(struct ct_tracer_sites *sites, const void *address,
                        char name[CT_TRACE_SITE_MAX + 1])
{
    struct code code;
    /* That of the call itself: the next instruction may be one of another line. */
    const void *call = (const char *)address - 1;
    uint64_t handle = (uint64_t)(uintptr_t)call;
    uint32_t number = ct_map_find(&sites->numbers, handle);
    if (number > 0)
        return number == not_the_program ? 0 : number;
    bool is_site = find_code(call, &code) && !is_of_mpi(&code);
    number = is_site ? sites->n + 1 : not_the_program;
    if (!ct_map_add(&sites->numbers, handle, number) || !is_site)
        return 0;
    sites->n++;
    name_site(&code, name);
    return number;
}

/* A walk up the stack, which ends at the first caller that is in the program. */
struct walk {
    struct ct_tracer_sites *sites;
    char *name; /* of a place that is new */
    uint32_t number;
    int depth;
};

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *data)
{
    enum { DEPTH_MAX = 24 };
    struct walk *walk = data;
    const void *address = (const void *)_Unwind_GetIP(context);
    if (address)
        walk->number = site_of(walk->sites, address, walk->name);
    bool goes_on = address && walk->number == 0 && ++walk->depth < DEPTH_MAX;
    return goes_on ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

/* The first caller that is in the program: of one in Fortran, or in a library around MPI's own. */
static uint32_t site_above(struct ct_tracer_sites *sites, char name[CT_TRACE_SITE_MAX + 1])
{
    struct walk walk = {.sites = sites, .name = name};
    _Unwind_Backtrace(visit_frame, &walk);
    return walk.number;
}

uint32_t ct_tracer_site(struct ct_tracer_sites *sites, const void *caller,
                        char name[CT_TRACE_SITE_MAX + 1])
{
    *name = '\0';
    uint32_t number = site_of(sites, caller, name);
    return number > 0 ? number : site_above(sites, name);
}
