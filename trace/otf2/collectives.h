/* Collective operations of an archive as events. */
#pragma once

#include "trace/otf2/calls.h"

/* CT_TRACE_NONE: of communicators, windows and files */
enum ct_trace_kind ct_otf2_kind_of(OTF2_CollectiveOp op);

/* request: 0 if it blocks. CT_OK; CT_EFORMAT; CT_EUNSUPPORTED; CT_ENOMEM */
enum ct_status ct_otf2_add_collective(struct ct_otf2_calls *calls, struct ct_otf2_posted what,
                                      uint32_t request, uint64_t start_ns, uint64_t end_ns,
                                      uint64_t position);
