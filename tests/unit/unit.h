/* cmocka with the headers that it needs before it, and a comparison for doubles. */
#pragma once

/* cmocka.h wants to be last. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define CT_SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CT_SANITIZED 1
#endif
#endif

/* First in a test that runs the same code hundreds of times, to judge the share or the mean of what
   comes out. Sanitizers see that code in the other tests, and take several times as long. */
#ifdef CT_SANITIZED
#define skip_if_sanitized() skip()
#else
#define skip_if_sanitized() (void)0
#endif

/* It jumps. cmocka does not say so, and without that a static analyzer goes on behind fail_msg().
 */
void _fail(const char *const file, const int line) __attribute__((noreturn));

/* |actual - expected| <= tolerance; fails for NaN. cmocka's own takes floats. */
#define assert_near(actual, expected, tolerance)                                                   \
    do {                                                                                           \
        double actual_ = (actual), expected_ = (expected);                                         \
        if (!(fabs(actual_ - expected_) <= (tolerance)))                                           \
            fail_msg("%s is %.17g, not %.17g", #actual, actual_, expected_);                       \
    } while (0)
