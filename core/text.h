/** Text of unknown origin, checked and escaped for HTML and URIs. */
#ifndef CT_CORE_TEXT_H
#define CT_CORE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/**
 * Length of the UTF-8 character at the start of text: 1..4 bytes. 0: end of the text, or bytes that
 * are no character (RFC 3629: overlong, a surrogate, incomplete).
 */
size_t ct_text_utf8(const char *text);

/**
 * Print as text or attribute value of HTML, XML or SVG: '&', '<', '>' and quotes are escaped,
 * control characters become blanks, and bytes that are not UTF-8 become '?'.
 */
void ct_text_html(const char *text, FILE *out);

/** Print as the part of a URI that follows "data:...,": unreserved bytes of RFC 3986, else %XX. */
void ct_text_uri(const char *text, size_t size, FILE *out);

#endif
