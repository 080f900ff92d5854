#include "core/constant.h"

const char *ct_constant_origin_text(enum ct_constant_origin origin)
{
    static const char *const texts[] = {
#define CT_CONSTANT_ORIGIN_TEXT(name, text) [CT_CONSTANT_##name] = (text),
        CT_CONSTANT_ORIGIN_MAP(CT_CONSTANT_ORIGIN_TEXT)
#undef CT_CONSTANT_ORIGIN_TEXT
    };
    return texts[origin];
}
