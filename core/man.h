/** Pieces of a man page in roff, for commands and for families of commands. */
#pragma once

#include <stdio.h>

/** Print text literally: backslashes and dashes are escaped, as are a leading dot or quote. */
void ct_man_text(const char *text, FILE *out);

/** Paragraphs separated by an empty line. */
void ct_man_paragraphs(const char *text, FILE *out);

/** Title line and NAME: "crosstalk lab" becomes crosstalk-lab(1). */
void ct_man_heading(const char *name, const char *summary, FILE *out);

/** A section of terms with their meanings, NULL-terminated pairs; nothing where pairs is NULL. */
void ct_man_pairs(const char *section, const char *const *pairs, FILE *out);

/**
 * EXIT STATUS and SEE ALSO.
 * @param exit_note  [in] added to the usual codes; "" for none
 * @param see_also   [in] NULL-terminated, or NULL
 */
void ct_man_closing(const char *exit_note, const char *const *see_also, FILE *out);
