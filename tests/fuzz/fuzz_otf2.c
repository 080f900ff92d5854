/*
 * Archives of OTF2: any files are read to their end or refused, and what is read keeps the rules of
 * events: it can be converted, or is refused there. The library itself may crash on them, in a
 * process of its own. A crash in crosstalk's own functions there is found,
 * too.
 *
 * The input is files, each behind three bytes: which one (0: the anchor, 1: global definitions,
 * then events and definitions of location 0, of location 1 and so on) and its length, low byte
 * first.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_goal_check.h"
#include "trace/convert/convert.h"
#include "trace/otf2/untried.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { FIRST_LOCATION = 2, FILES_MAX = FIRST_LOCATION + 2 * 8, PATH_SIZE = 160 };

/* ---- crashes in a process of the reader ---- */

/* Where each process notes that our own code failed. */
static volatile sig_atomic_t *own_fault;
static pid_t first_process;
static struct sigaction before[NSIG];

/* Not one of a library, nor one that sanitizers bring along: these are exported. */
static bool is_own_code(const void *address)
{
    Dl_info here, there;
    return dladdr((const void *)(uintptr_t)LLVMFuzzerTestOneInput, &here) != 0 &&
           dladdr(address, &there) != 0 && here.dli_fbase == there.dli_fbase && !there.dli_sname;
}

static const void *place_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (const void *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (const void *)(uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

/* In the first process the fuzzer's own handler comes next, else the end. */
static void on_fault(int signal, siginfo_t *about, void *context)
{
    (void)about;
    if (getpid() == first_process) {
        sigaction(signal, &before[signal], NULL);
        return;
    }
    if (is_own_code(place_of(context)))
        *own_fault = 1;
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

/* What sanitizers find in the code that they were compiled into. */
static void on_sanitizer_death(void)
{
    if (getpid() != first_process)
        *own_fault = 1;
}
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

/* Errors of the library's own calls are its own; so are leaks where it gives up an archive. The
 * names are those of the sanitizers. */
const char *__asan_default_suppressions(void);
const char *__asan_default_suppressions(void)
{
    return "interceptor_via_lib:libopen-trace-format2\ninterceptor_via_lib:libotf2\n";
}

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=4:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:"
           "allocator_may_return_null=1";
}

const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libopen-trace-format2\nleak:libotf2\n";
}

/* ---- a folder in memory ---- */

static char folder[64];

static void path_of(size_t which, char path[PATH_SIZE])
{
    if (which == 0)
        snprintf(path, PATH_SIZE, "%s/traces.otf2", folder);
    else if (which == 1)
        snprintf(path, PATH_SIZE, "%s/traces.def", folder);
    else
        snprintf(path, PATH_SIZE, "%s/traces/%zu.%s", folder, (which - FIRST_LOCATION) / 2,
                 which % 2 == 0 ? "evt" : "def");
}

static void remove_files(void)
{
    char path[PATH_SIZE];
    for (size_t which = 0; which < FILES_MAX; which++) {
        path_of(which, path);
        unlink(path);
    }
}

static void remove_folder(void)
{
    char path[PATH_SIZE];
    if (getpid() != first_process)
        return;
    remove_files();
    snprintf(path, sizeof path, "%s/traces", folder);
    rmdir(path);
    rmdir(folder);
}

static void make_folder(void)
{
    char path[PATH_SIZE];
    snprintf(folder, sizeof folder, "/dev/shm/fuzz_otf2.XXXXXX");
    if (!mkdtemp(folder)) {
        snprintf(folder, sizeof folder, "/tmp/fuzz_otf2.XXXXXX");
        if (!mkdtemp(folder))
            abort();
    }
    snprintf(path, sizeof path, "%s/traces", folder);
    if (mkdir(path, 0700) != 0 || atexit(remove_folder) != 0)
        abort();
}

static void begin(void)
{
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE};
    first_process = getpid();
    make_folder();
    own_fault =
        mmap(NULL, sizeof *own_fault, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (own_fault == MAP_FAILED)
        abort();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigaction(faults[i], &(struct sigaction){.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO},
                  &before[faults[i]]);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(on_sanitizer_death);
}

static void save(size_t which, const uint8_t *data, size_t size)
{
    char path[PATH_SIZE];
    path_of(which, path);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
}

static void make_archive(const uint8_t *data, size_t size)
{
    enum { HEAD = 3 };
    remove_files();
    while (size >= HEAD) {
        size_t length = data[1] + 256U * data[2];
        length = length < size - HEAD ? length : size - HEAD;
        if (data[0] < FILES_MAX)
            save(data[0], data + HEAD, length);
        data += HEAD + length;
        size -= HEAD + length;
    }
}

/* ---- what is read ---- */

static void check_event(const struct ct_events *events, const struct ct_trace_event *event,
                        uint64_t end_ns)
{
    unsigned fields = ct_trace_kind_fields(event->kind);
    if (event->kind >= CT_TRACE_N_KINDS || event->start_ns < end_ns ||
        event->end_ns < event->start_ns || event->mode >= CT_TRACE_N_MODES ||
        event->n_text > CT_TRACE_TEXT_MAX)
        abort();
    if (fields & CT_TRACE_TO && (uint32_t)event->to.rank >= events->n_ranks)
        abort();
    if (fields & CT_TRACE_FROM && event->from.rank >= 0 &&
        (uint32_t)event->from.rank >= events->n_ranks)
        abort();
    if (fields & CT_TRACE_ROOT && event->root >= events->n_ranks)
        abort();
    if (!(fields & (CT_TRACE_VALUES | CT_TRACE_GROUP)) && event->n_values != 0)
        abort();
}

static bool read_all(const struct ct_events *events)
{
    struct ct_trace_event event;
    uint64_t position, end_ns;
    for (uint32_t rank = 0; rank < events->n_ranks; rank++) {
        struct ct_error err = {.text = ""};
        end_ns = 0;
        for (;;) {
            enum ct_status status = events->next(events->context, rank, &event, &position, &err);
            if (status != CT_OK && err.text[0] == '\0')
                abort();
            if (status != CT_OK)
                return false;
            if (event.kind == CT_TRACE_NONE)
                break;
            check_event(events, &event, end_ns);
            end_ns = event.end_ns;
        }
    }
    return true;
}

/* Whether the library reads them to their end, in a process as that of crosstalk-try. */
static bool survive_trial(const char *path)
{
    int outcome = 0;
    const struct rlimit no_core = {0, 0};
    pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &no_core);
        if (freopen("/dev/null", "w", stderr))
            ct_otf2_try(path);
        _exit(0);
    }
    while (waitpid(child, &outcome, 0) < 0)
        if (errno != EINTR)
            abort();
    return WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_events events;
    struct ct_error err = {.text = ""};
    struct ct_goal goal;
    char path[PATH_SIZE];
    if (first_process == 0)
        begin();
    make_archive(data, size);
    path_of(0, path);
    bool survives = survive_trial(path);
    enum ct_status status = survives ? ct_otf2_open_untried(path, &events, &err) : CT_EFORMAT;
    if (*own_fault || (survives && status != CT_OK && err.text[0] == '\0'))
        abort();
    if (status != CT_OK)
        return 0;
    if (read_all(&events) && ct_convert_events(&events, &options, &goal, &notes, NULL) == CT_OK) {
        fuzz_check_matched(&goal);
        ct_goal_free(&goal);
        ct_convert_notes_free(&notes);
    }
    events.close(events.context);
    return 0;
}
