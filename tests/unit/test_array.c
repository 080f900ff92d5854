/* core/array and core/endian. */
#include "core/array.h"
#include "core/endian.h"
#include "tests/unit/unit.h"

struct item {
    double value;
    char name[12];
};

static void elements_stay_as_the_array_grows(void **state)
{
    (void)state;
    struct item *items = NULL;
    size_t room = 0, n_moves = 0;
    for (size_t n = 0; n < 10000; n++) {
        size_t before = room;
        if (!CT_ARRAY_RESERVE(items, room, n + 1))
            fail_msg("no room for %zu", n + 1);
        assert_true(room >= n + 1 && room <= n + n / 2 + 9);
        n_moves += room != before;
        items[n] = (struct item){.value = (double)n, .name = "x"};
    }
    assert_in_range(n_moves, 10, 25);
    for (size_t n = 0; n < 10000; n++)
        assert_true(items[n].value == (double)n);
    size_t before = room;
    assert_true(CT_ARRAY_RESERVE(items, room, 5)); /* never shorter */
    assert_int_equal(room, before);
    assert_true(CT_ARRAY_RESERVE(items, room, 50000));
    assert_true(room >= 50000);
    free(items);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    struct item *items = NULL;
    size_t room = 0;
    assert_true(CT_ARRAY_RESERVE(items, room, 3));
    struct item *before = items;
    size_t room_before = room;
    assert_false(CT_ARRAY_RESERVE(items, room, SIZE_MAX));
    /* Times the size of an element this is 64 bytes, which there is memory for. */
    assert_false(CT_ARRAY_RESERVE(items, room, SIZE_MAX / sizeof *items + 3));
    assert_false(CT_ARRAY_RESIZE(items, SIZE_MAX / sizeof *items + 3));
    assert_ptr_equal(items, before);
    assert_int_equal(room, room_before);
    free(items);
}

static void room_of_a_narrow_type_does_not_wrap(void **state)
{
    (void)state;
    char *items = NULL;
    uint8_t room = 0;
    size_t n = 0;
    while (n < 255) {
        n++;
        assert_true(CT_ARRAY_RESERVE(items, room, n));
    }
    assert_int_equal(room, 255);
    n++;
    assert_false(CT_ARRAY_RESERVE(items, room, n));
    assert_int_equal(room, 255);
    free(items);
}

static void arrays_without_room_of_their_own(void **state)
{
    (void)state;
    int *numbers = NULL;
    assert_true(CT_ARRAY_RESIZE(numbers, 0));
    assert_non_null(numbers);
    for (int i = 0; i < 100; i++) {
        if (!CT_ARRAY_RESIZE(numbers, (size_t)i + 1))
            fail_msg("no room for %d", i + 1);
        numbers[i] = i;
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(numbers[i], i);
    free(numbers);
}

static void numbers_are_little_endian_of_any_width(void **state)
{
    (void)state;
    static const unsigned char known[] = {0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11};
    const uint64_t value = UINT64_C(0x1122334455667788);
    assert_true(ct_endian_load(known, 8) == value);
    assert_true(ct_endian_load_u32(known) == 0x55667788);
    assert_true(ct_endian_load(known + 1, 3) == 0x556677);
    assert_true(ct_endian_load(known, 0) == 0);
    for (size_t n = 0; n <= 8; n++) {
        unsigned char bytes[10] = {[0] = 0xaa, [9] = 0xaa};
        ct_endian_store(bytes + 1, value, n);
        assert_memory_equal(bytes + 1, known, n);
        assert_true(bytes[0] == 0xaa && bytes[n + 1] == (n < 8 ? 0 : 0xaa));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_stay_as_the_array_grows),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(room_of_a_narrow_type_does_not_wrap),
        cmocka_unit_test(arrays_without_room_of_their_own),
        cmocka_unit_test(numbers_are_little_endian_of_any_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
