/* Files that other solvers read. */
#include "lp-bridge/lp/lp.h"

#include <stdlib.h>

enum { NAME_MAX_CHARS = 16 };

static void column_name(int column, char name[NAME_MAX_CHARS])
{
    static const char *const named[] = {
        [CT_LP_LATENCY] = "l", [CT_LP_GAP] = "g", [CT_LP_RUNTIME] = "t"};
    if (column < CT_LP_FIRST_JOIN)
        snprintf(name, NAME_MAX_CHARS, "%s", named[column]);
    else
        snprintf(name, NAME_MAX_CHARS, "y%d", column - CT_LP_FIRST_JOIN + 1);
}

static enum ct_status check_written(FILE *out, struct ct_error *err)
{
    if (fflush(out) != 0 || ferror(out))
        return ct_fail(err, CT_EIO,
                       "linear program: the file cannot be written; is the disk full?");
    return CT_OK;
}

static void write_lp_row(const struct ct_lp *lp, int row, FILE *out)
{
    fprintf(out, " c%d:", row + 1);
    for (int e = lp->row_start[row]; e < lp->row_start[row + 1]; e++) {
        char name[NAME_MAX_CHARS];
        double element = lp->element[e];
        column_name(lp->column[e], name);
        fprintf(out, element < 0 ? " -" : " +");
        if (element != 1 && element != -1)
            fprintf(out, " %.17g", element < 0 ? -element : element);
        fprintf(out, " %s", name);
    }
    fprintf(out, " >= %.17g\n", lp->lower[row]);
}

enum ct_status ct_lp_write_lp(const struct ct_lp *lp, const struct ct_lp_form *form, FILE *out,
                              struct ct_error *err)
{
    fprintf(out, "\\ Execution graph under LogGPS; times in ns: l latency, g gap per byte, t run "
                 "time, y* joins\n");
    fprintf(out, form->tolerance ? "Maximize\n obj: l\n" : "Minimize\n obj: t\n");
    fprintf(out, "Subject To\n");
    for (int row = 0; row < lp->n_rows; row++)
        write_lp_row(lp, row, out);
    fprintf(out, "Bounds\n g >= %.17g\n", form->G_ns_per_byte);
    if (form->tolerance)
        fprintf(out, " t <= %.17g\n", form->limit_ns);
    else
        fprintf(out, " l >= %.17g\n", form->L_ns);
    fprintf(out, "End\n");
    return check_written(out, err);
}

/* The elements by column: MPS wants them so. */
struct by_column {
    size_t *start; /* n_columns + 1 */
    int *row;
    double *element;
};

static void free_by_column(struct by_column *by)
{
    free(by->start);
    free(by->row);
    free(by->element);
}

static bool transpose_matrix(const struct ct_lp *lp, struct by_column *by)
{
    size_t n = (size_t)lp->row_start[lp->n_rows], n_columns = (size_t)lp->n_columns;
    by->start = calloc(n_columns + 2, sizeof *by->start);
    by->row = malloc((n + 1) * sizeof *by->row);
    by->element = malloc((n + 1) * sizeof *by->element);
    if (!by->start || !by->row || !by->element)
        return false;
    /* Counted two entries ahead, so that after filling each start is where it belongs. */
    for (size_t e = 0; e < n; e++)
        by->start[lp->column[e] + 2]++;
    for (size_t c = 0; c < n_columns; c++)
        by->start[c + 1] += by->start[c];
    for (int row = 0; row < lp->n_rows; row++)
        for (int e = lp->row_start[row]; e < lp->row_start[row + 1]; e++) {
            size_t entry = by->start[lp->column[e] + 1]++;
            by->row[entry] = row;
            by->element[entry] = lp->element[e];
        }
    return true;
}

static void write_mps_columns(const struct ct_lp *lp, const struct ct_lp_form *form,
                              const struct by_column *by, FILE *out)
{
    int objective = form->tolerance ? CT_LP_LATENCY : CT_LP_RUNTIME;
    fprintf(out, "COLUMNS\n");
    for (int c = 0; c < lp->n_columns; c++) {
        char name[NAME_MAX_CHARS];
        column_name(c, name);
        /* Also a column without elements has to be named before it has bounds. */
        if (c == objective || by->start[c] == by->start[c + 1])
            fprintf(out, " %s obj %d\n", name, c != objective ? 0 : form->tolerance ? -1 : 1);
        for (size_t e = by->start[c]; e < by->start[c + 1]; e++)
            fprintf(out, " %s c%d %.17g\n", name, by->row[e] + 1, by->element[e]);
    }
}

enum ct_status ct_lp_write_mps(const struct ct_lp *lp, const struct ct_lp_form *form, FILE *out,
                               struct ct_error *err)
{
    struct by_column by = {0};
    if (!transpose_matrix(lp, &by)) {
        free_by_column(&by);
        return ct_no_memory(err, "linear program");
    }
    fprintf(out,
            "* Execution graph under LogGPS; times in ns: l latency, g gap per byte, t run "
            "time, y* joins\n* %s\nNAME crosstalk FREE\nROWS\n N obj\n",
            form->tolerance ? "objective: min -l" : "objective: min t");
    for (int row = 0; row < lp->n_rows; row++)
        fprintf(out, " G c%d\n", row + 1);
    write_mps_columns(lp, form, &by, out);
    fprintf(out, "RHS\n");
    for (int row = 0; row < lp->n_rows; row++)
        if (lp->lower[row] != 0)
            fprintf(out, " rhs c%d %.17g\n", row + 1, lp->lower[row]);
    fprintf(out, "BOUNDS\n LO bounds g %.17g\n", form->G_ns_per_byte);
    if (form->tolerance)
        fprintf(out, " UP bounds t %.17g\n", form->limit_ns);
    else
        fprintf(out, " LO bounds l %.17g\n", form->L_ns);
    fprintf(out, "ENDATA\n");
    free_by_column(&by);
    return check_written(out, err);
}
