/**
 * Durations, sizes and rates as text, with units. Inside the programs: seconds and bits per second
 * are doubles, bytes are size_t. A number without its unit, a negative one, an overflow or anything
 * after the unit is refused.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Duration: decimal number directly followed by ns, us, ms, s, min or h ("250ns", "0.5s").
 * @param text        [in]  NUL-terminated
 * @param duration_p  [out] seconds, finite, >= 0; unchanged on error
 * @return CT_OK; CT_EINVAL with a message that names the text and what is accepted
 */
enum ct_status ct_parse_duration(const char *text, double *duration_p, struct ct_error *err);

/**
 * Size: number followed by B, kB, MB, GB (powers of 1000) or KiB, MiB, GiB; whole bytes only. All
 * parsers below return as ct_parse_duration().
 */
enum ct_status ct_parse_size(const char *text, size_t *bytes_p, struct ct_error *err);

/** Rate: number followed by bit, kbit, mbit or gbit (per second, powers of 1000, as tc writes). */
enum ct_status ct_parse_rate(const char *text, double *bit_per_s_p, struct ct_error *err);

/**
 * Time for a byte: a duration ("0.08ns"), or the bandwidth whose inverse it is ("12GB/s",
 * "100gbit", "100Gbit/s").
 */
enum ct_status ct_parse_gap(const char *text, double *s_per_byte_p, struct ct_error *err);

/** A pause as CompressionB takes it: time-stamp counter cycles ("25000cycles") or a duration. */
struct ct_pause {
    bool in_cycles;
    double value; /**< cycles or seconds */
};
enum ct_status ct_parse_pause(const char *text, struct ct_pause *pause_p, struct ct_error *err);

/** Decimal integer without sign or blanks; the whole text. */
enum ct_status ct_parse_u64(const char *text, uint64_t *value_p, struct ct_error *err);

/** Finite decimal number, the whole text; no hexadecimal, no inf, no nan. */
enum ct_status ct_parse_double(const char *text, double *value_p, struct ct_error *err);

/** Fraction: "0.05" or "5%". */
enum ct_status ct_parse_fraction(const char *text, double *fraction_p, struct ct_error *err);

/** The same of a command line: 1 and above with the sign only, since 5 mostly means 5 %. */
enum ct_status ct_parse_percent(const char *text, double *fraction_p, struct ct_error *err);

/** Longest text that the functions below write, with its NUL. */
#define CT_UNITS_TEXT_MAX 32

/**
 * Text that the parser of the same kind reads: "40us", "1KiB", "50mbit". Sizes are exact; other
 * values have up to 12 significant digits.
 */
void ct_format_duration(double duration_s, char text[CT_UNITS_TEXT_MAX]);
void ct_format_size(size_t bytes, char text[CT_UNITS_TEXT_MAX]);
void ct_format_rate(double bit_per_s, char text[CT_UNITS_TEXT_MAX]);
void ct_format_pause(struct ct_pause pause, char text[CT_UNITS_TEXT_MAX]);

/** For sentences, with so many digits and without an exponent: "39 us", "1.486 s". */
void ct_format_words(double duration_s, int digits, char text[CT_UNITS_TEXT_MAX]);

/** A rate for sentences: "50 Mbit/s". */
void ct_format_rate_words(double bit_per_s, char text[CT_UNITS_TEXT_MAX]);

/** A fraction for sentences, with two digits: "0.13 %", "1.5 %", "96 %", and "0 %" below 1e-5. */
void ct_format_share(double frac, char text[CT_UNITS_TEXT_MAX]);

/** A duration for messages: "1 min 40 s", "3 h 05 min", "0.4 s". */
void ct_format_elapsed(double duration_s, char text[CT_UNITS_TEXT_MAX]);
