/**
 * Where the folder of a campaign has the traces of a program's longer form, from which and from
 * those of the program itself the run time of a pass is predicted
 * (lp-bridge/envelope/pass_model.h).
 */
#pragma once

#include <stdint.h>

enum { CT_PASSES_LONGER_MAX = 64, CT_PASSES_ENDING_MAX = 32 };

/**
 * What follows traces/APP in the name of their folder: ".longer" or, if they have more than one
 * pass more, such as ".longer-4".
 * @param longer_by  [in] 1 .. CT_PASSES_LONGER_MAX
 */
void ct_passes_ending(uint64_t longer_by, char ending[CT_PASSES_ENDING_MAX]);
