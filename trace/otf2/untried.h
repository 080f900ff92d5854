/**
 * Archives whose content nobody has tried: the OTF2 library ends the program, or goes on for ever,
 * where some bytes are not what it expects.
 */
#pragma once

#include "trace/convert/events.h"

/** As ct_otf2_open(). @param anchor  [in] the anchor file */
enum ct_status ct_otf2_open_untried(const char *anchor, struct ct_events *events_p,
                                    struct ct_error *err);

/**
 * Go through everything in an archive, with a limit of processor time that follows from its sizes,
 * for a process that only does this.
 * @param anchor  [in] the anchor file
 */
void ct_otf2_try(const char *anchor);
