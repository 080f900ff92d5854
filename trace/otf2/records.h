/* Records of one location, as the library gives them. */
#pragma once

#include <otf2/otf2.h>

/* Callbacks with a struct ct_otf2_calls as their user data. NULL: out of memory */
OTF2_EvtReaderCallbacks *ct_otf2_new_callbacks(void);
