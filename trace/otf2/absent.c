/* Instead of the reader and the writer, where the library is not there. */
#include "trace/otf2/otf2.h"
#include "trace/otf2/untried.h"

static enum ct_status refuse_archive(const char *path, struct ct_error *err)
{
    return ct_fail(
        err, CT_EUNSUPPORTED,
        "%s: crosstalk was built without OTF2: install libotf2-trace-dev, and configure with "
        "-DCROSSTALK_OTF2=ON",
        path);
}

enum ct_status ct_otf2_open(const char *path, struct ct_events *events_p, struct ct_error *err)
{
    (void)events_p;
    return refuse_archive(path, err);
}

void ct_otf2_try(const char *anchor)
{
    (void)anchor;
}

enum ct_status ct_otf2_unpack(const char *path, const char *directory, bool *room_possible_p,
                              struct ct_error *err)
{
    (void)room_possible_p;
    (void)directory;
    return refuse_archive(path, err);
}

enum ct_status ct_otf2_write(const struct ct_events *events, const char *directory,
                             struct ct_error *err)
{
    (void)events;
    return refuse_archive(directory, err);
}
