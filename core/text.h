/** Text of unknown origin: read line by line, checked, and escaped for HTML. */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CT_TEXT_LINE_MAX = 400, CT_TEXT_NESTING_MAX = 100 };

/**
 * Call a function for each line, which it may change.
 * @param line_p  [out] number of the line, from 1 on, also while the function runs
 * @return CT_OK; CT_EFORMAT (a line of CT_TEXT_LINE_MAX bytes or more); what take() returns; the
 *         message begins with "SOURCE:LINE: "
 */
enum ct_status ct_text_lines(const char *text, const char *source, unsigned *line_p,
                             enum ct_status (*take)(void *taker, char *line), void *taker,
                             struct ct_error *err);

/** Skip a byte order mark of UTF-8. @return the first byte behind it, or text */
const char *ct_text_skip_mark(const char *text);

/** Cut the blanks at both ends. @return the first byte that is none, within text */
char *ct_text_trim(char *text);

/**
 * Length of the UTF-8 character at the start of text: 1..4 bytes. 0: end of the text, or bytes that
 * are no character (RFC 3629: overlong, a surrogate, incomplete).
 */
size_t ct_text_utf8(const char *text);

bool ct_text_ends_in(const char *text, const char *end);

/**
 * Whether brackets ([ and {, also within quotes) are open within each other at most
 * CT_TEXT_NESTING_MAX deep: libyaml takes a time that grows with the square of the depth.
 * @return CT_OK; CT_EFORMAT, with "SOURCE:LINE: " before
 */
enum ct_status ct_text_check_nesting(const char *text, size_t size, const char *source,
                                     struct ct_error *err);

/** Columns that a text takes on a terminal: characters of UTF-8, and bytes that are none. */
size_t ct_text_columns(const char *text);

/**
 * Print text that is broken at blanks, each line with its end; empty lines are kept.
 * @param column  [in] at which the printing begins
 * @param indent  [in] column at which lines begin
 * @param width   [in] columns of a line; a longer word has a line of its own
 */
void ct_text_wrap(const char *text, size_t column, size_t indent, size_t width, FILE *out);

/** Columns of a line: COLUMNS, else those of the terminal that out is, else 100. */
size_t ct_text_width(FILE *out);

/** Number of changes of one character that make one text of the other; swapped ones are one. */
size_t ct_text_distance(const char *a, const char *b);

/** The distance up to which a word may be another one that is misspelt. */
size_t ct_text_misspelt(const char *word);

/**
 * Print as text or attribute value of HTML, XML or SVG: '&', '<', '>' and quotes are escaped,
 * control characters become blanks, and bytes that are not UTF-8 become '?'.
 */
void ct_text_html(const char *text, FILE *out);
