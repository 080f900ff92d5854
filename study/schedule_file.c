#include "study/schedule_file.h"

#include <inttypes.h>
#include <sys/stat.h>

bool ct_schedule_is_traces(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static void warn(const char *path, uint32_t n_ranks, const struct ct_convert_notes *notes,
                 struct ct_words *warnings)
{
    if (notes->n_cut > 0)
        ct_words_add(warnings,
                     "%s: %u of %u traces end before MPI_Finalize, the first that of rank %u: what "
                     "has its counterpart is used; %" PRIu64 " events at their ends have none",
                     path, notes->n_cut, n_ranks, notes->first_cut, notes->unused);
    if (notes->dropped > 0)
        ct_words_add(warnings,
                     "%s: %" PRIu64 " messages were cancelled or never completed: left out", path,
                     notes->dropped);
    for (size_t i = 0; i < notes->n_unmodelled; i++)
        ct_words_add(warnings, "%s: %s is not in the schedule (calls: %" PRIu64 ")", path,
                     notes->unmodelled[i].name, notes->unmodelled[i].calls);
}

enum ct_status ct_schedule_read(const char *path, const struct ct_convert_options *options,
                                struct ct_goal *goal_p, struct ct_words *warnings,
                                struct ct_error *err)
{
    const struct ct_convert_options defaults = ct_convert_defaults();
    struct ct_convert_notes notes;
    if (!ct_schedule_is_traces(path))
        return ct_goal_read(path, goal_p, err);
    enum ct_status status = ct_convert(path, options ? options : &defaults, goal_p, &notes, err);
    if (status != CT_OK)
        return status;
    warn(path, goal_p->n_ranks, &notes, warnings);
    ct_convert_notes_free(&notes);
    if (warnings->failed) {
        ct_goal_free(goal_p);
        return ct_fail(err, CT_ENOMEM, "%s: out of memory", path);
    }
    return CT_OK;
}
