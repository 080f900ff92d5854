/** Orders for qsort() and bsearch(). */
#pragma once

#include <stddef.h>

/** -1, 0 or 1; 0 if one of two numbers is NaN. */
#define CT_COMPARE(a_, b_) (((a_) > (b_)) - ((a_) < (b_)))

/**
 * Define an order of structs by one to four members that are numbers; a later one counts where
 * those before are equal.
 *
 *     CT_ORDER(by_round, struct ct_logp_meeting, round, rank_from)
 */
#define CT_ORDER(name_, type_, ...)                                                                \
    static int name_(const void *left_, const void *right_)                                        \
    {                                                                                              \
        const type_ *a_ = left_, *b_ = right_;                                                     \
        return CT_ORDER_PICK(__VA_ARGS__, CT_ORDER_4, CT_ORDER_3, CT_ORDER_2,                      \
                             CT_ORDER_1, )(__VA_ARGS__);                                           \
    }
#define CT_ORDER_PICK(k1_, k2_, k3_, k4_, macro_, ...) macro_
#define CT_ORDER_1(key_) CT_COMPARE(a_->key_, b_->key_)
#define CT_ORDER_2(key_, ...) (CT_ORDER_1(key_) ?: CT_ORDER_1(__VA_ARGS__))
#define CT_ORDER_3(key_, ...) (CT_ORDER_1(key_) ?: CT_ORDER_2(__VA_ARGS__))
#define CT_ORDER_4(key_, ...) (CT_ORDER_1(key_) ?: CT_ORDER_3(__VA_ARGS__))

/** Of size_t, double, uint32_t, uint64_t, ascending; of char *, by strcmp(). */
int ct_order_sizes(const void *a, const void *b);
int ct_order_doubles(const void *a, const void *b);
int ct_order_u32(const void *a, const void *b);
int ct_order_u64(const void *a, const void *b);
int ct_order_texts(const void *a, const void *b);
