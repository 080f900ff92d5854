#include "trace/convert/convert.h"

#include <stdlib.h>

struct ct_convert_options ct_convert_defaults(void)
{
    return (struct ct_convert_options){.compute_scale = 1};
}

void ct_convert_notes_free(struct ct_convert_notes *notes)
{
    free(notes->unmodelled);
    *notes = (struct ct_convert_notes){0};
}
