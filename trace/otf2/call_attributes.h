/* What attributes of records (attributes.h) say to a rank's reader. */
#pragma once

#include "trace/otf2/calls.h"

/* Source, tag, bytes and communicator, into an event; found_p: whether they are all there.
 * CT_OK; CT_EFORMAT; CT_EUNSUPPORTED */
enum ct_status ct_otf2_receive_in(struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes,
                                  struct ct_trace_event *event, bool *found_p);

/* What the attributes of a call's begin say that its records cannot.
 * CT_OK; CT_EFORMAT; CT_EUNSUPPORTED; CT_ENOMEM */
enum ct_status ct_otf2_take_attributes(struct ct_otf2_calls *calls,
                                       const OTF2_AttributeList *attributes);

/* The thread whose event comes next, which the end of a call tells if it is another one. CT_OK;
 * CT_EFORMAT (the rank has no such thread) */
enum ct_status ct_otf2_take_thread(struct ct_otf2_calls *calls,
                                   const OTF2_AttributeList *attributes);

/** Whether the message of a record was longer than the buffer of its receive. */
bool ct_otf2_is_cut(const struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes);
