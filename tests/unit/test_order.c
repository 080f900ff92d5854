/* core/order: by one to four members, and of plain numbers and texts. */
#include "core/order.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

struct item {
    int a;
    double b;
    unsigned char c;
    uint64_t d;
};

CT_ORDER(by_one, struct item, b)
CT_ORDER(by_two, struct item, a, d)
CT_ORDER(by_four, struct item, a, b, c, d)

static void later_members_count_where_earlier_ones_are_equal(void **state)
{
    (void)state;
    const struct item x = {1, 2.5, 3, UINT64_MAX}, lower = {-1, 9, 9, 0}, last = {1, 2.5, 3, 0};
    assert_int_equal(by_one(&x, &lower), -1);
    assert_int_equal(by_one(&x, &last), 0);
    assert_int_equal(by_two(&x, &lower), 1);
    assert_int_equal(by_two(&last, &x), -1);
    assert_int_equal(by_four(&x, &last), 1);
    assert_int_equal(by_four(&x, &(struct item){1, 2.5, 4, 0}), -1);
    assert_int_equal(by_four(&x, &(struct item){1, 2.25, 4, 0}), 1);
    assert_int_equal(by_four(&x, &x), 0);
    assert_int_equal(by_one(&x, &(struct item){.b = NAN}), 0);
}

#define ASSERT_ASCENDING(order_, type_, low_, high_)                                               \
    do {                                                                                           \
        const type_ low = low_, high = high_;                                                      \
        assert_int_equal(order_(&low, &high), -1);                                                 \
        assert_int_equal(order_(&high, &low), 1);                                                  \
        assert_int_equal(order_(&low, &low), 0);                                                   \
    } while (0)

static void plain_values_ascend(void **state)
{
    (void)state;
    const char *texts[] = {"b", "a", "aa"};
    ASSERT_ASCENDING(ct_order_sizes, size_t, 1, SIZE_MAX);
    ASSERT_ASCENDING(ct_order_doubles, double, -0.5, 0.25);
    ASSERT_ASCENDING(ct_order_u32, uint32_t, 1, UINT32_MAX);
    ASSERT_ASCENDING(ct_order_u64, uint64_t, UINT32_MAX, UINT64_MAX);
    qsort(texts, 3, sizeof *texts, ct_order_texts);
    assert_string_equal(texts[0], "a");
    assert_string_equal(texts[1], "aa");
    assert_string_equal(texts[2], "b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_members_count_where_earlier_ones_are_equal),
        cmocka_unit_test(plain_values_ascend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
