/* Figures: what gnuplot is told, and what comes out. */
#include "plot/plot.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double x[] = {0, 1, 2, 3}, y[] = {1, 2, NAN, 4};
static const struct ct_plot_series series = {.title = "it's", .x = x, .y = y, .n = 4};
static const struct ct_plot_zone zone = {"zone", 0.5, 1.5};

static struct ct_plot_panel make_panel(void)
{
    return (struct ct_plot_panel){.x_label = "latency (us)",
                                  .y_label = "time (ms)",
                                  .series = &series,
                                  .n_series = 1,
                                  .zones = &zone,
                                  .n_zones = 1};
}

static char *read_text(const char *path)
{
    static char text[1 << 20];
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

/* A folder of its own for each test; its name and that of a picture in it. */
struct scratch {
    char folder[64], picture[96];
};

static struct scratch make_scratch(void)
{
    struct scratch scratch;
    snprintf(scratch.folder, sizeof scratch.folder, "/tmp/crosstalk-plot-XXXXXX");
    assert_non_null(mkdtemp(scratch.folder));
    snprintf(scratch.picture, sizeof scratch.picture, "%s/a 'picture'.svg", scratch.folder);
    return scratch;
}

static void remove_scratch(const struct scratch *scratch)
{
    unlink(scratch->picture);
    assert_int_equal(rmdir(scratch->folder), 0); /* nothing temporary is left */
}

/* Builds without the part figures have no gnuplot. */
static void skip_without_gnuplot(void)
{
    if (system("command -v gnuplot >/dev/null") != 0)
        skip();
}

/* The label of an axis has the unit: long names of rows must not push it out of the picture. */
static void test_label_beside_rows(void **state)
{
    (void)state;
    skip_without_gnuplot();
    static const char *const rows[] = {"a name of some length", "x"}, *const columns[] = {"c"};
    static const double values[] = {1, 2};
    struct ct_plot_cells cells = {.values = values, .n_columns = 1, .columns = columns, .hi = 2};
    struct ct_plot_panel panel = {
        .y_label = "points of slowdown", .cells = &cells, .rows = rows, .n_rows = 2};
    struct ct_plot plot = {.panels = &panel, .n_panels = 1};
    struct scratch scratch = make_scratch();
    struct ct_error err;
    assert_int_equal(ct_plot_write(&plot, scratch.picture, &err), CT_OK);
    assert_non_null(strstr(read_text(scratch.picture), "points of slowdown"));
    remove_scratch(&scratch);
}

/* Text stays text: no quote ends it, nothing in it is run. */
static void test_script(void **state)
{
    (void)state;
    FILE *out = tmpfile();
    struct ct_plot_panel panel = make_panel();
    const struct ct_plot plot = {.title = "a'; system('touch owned') #`touch owned`\nset output",
                                 .panels = &panel,
                                 .n_panels = 1};
    assert_int_equal(ct_plot_script(&plot, fileno(out), NULL), CT_OK);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(out));
    const char *text = read_text(path);
    assert_non_null(
        strstr(text, "title 'a''; system(''touch owned'') #`touch owned` set output'\n"));
    assert_non_null(strstr(text, "title 'it''s'"));
    assert_non_null(strstr(text, "\n0 1\n1 2\n\n3 4\n")); /* NaN: a gap */
    assert_non_null(strstr(text, "from 0.5, graph 0 to 1.5, graph 1"));
    fclose(out);
}

static void test_picture(void **state)
{
    (void)state;
    skip_without_gnuplot();
    struct scratch scratch = make_scratch();
    struct ct_plot_panel panels[] = {make_panel(), make_panel()};
    struct ct_plot_series styles[CT_PLOT_STYLES];
    for (int style = 0; style < CT_PLOT_STYLES; style++) {
        styles[style] = series;
        styles[style].style = (enum ct_plot_style)style;
    }
    panels[0].series = styles;
    panels[0].n_series = CT_PLOT_STYLES;
    panels[1].x_hi = 3;
    panels[1].y_hi = 5;
    struct ct_error err;
    umask(027);
    if (ct_plot_write(
            &(struct ct_plot){.title = "a `touch owned` title", .panels = panels, .n_panels = 2},
            scratch.picture, &err) != CT_OK)
        fail_msg("%s", err.text);
    const char *text = read_text(scratch.picture);
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "</svg>"));
    assert_non_null(strstr(text, "latency (us)"));
    assert_non_null(strstr(text, "touch owned"));
    struct stat status;
    assert_int_equal(stat(scratch.picture, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    remove_scratch(&scratch);
}

static void test_bad_figures(void **state)
{
    (void)state;
    struct ct_error err;
    struct ct_plot_panel panel = make_panel();
    assert_int_equal(ct_plot_write(&(struct ct_plot){.title = "x", .panels = NULL, .n_panels = 0},
                                   "/tmp/never.svg", &err),
                     CT_EINVAL);
    assert_int_equal(ct_plot_write(&(struct ct_plot){.title = "x", .panels = &panel, .n_panels = 1},
                                   "/nonexistent/folder/x.svg", &err),
                     CT_EIO);
    panel.n_series = 0;
    assert_int_equal(ct_plot_write(&(struct ct_plot){.title = "x", .panels = &panel, .n_panels = 1},
                                   "/tmp/never.svg", &err),
                     CT_EINVAL);
    assert_int_equal(access("/tmp/never.svg", F_OK), -1);
}

/* With a gnuplot of the test's own making in PATH, or none. */
static enum ct_status draw_with(const char *script, struct ct_error *err)
{
    struct scratch scratch = make_scratch();
    struct ct_plot_panel panel = make_panel();
    char path[128], program[160];
    snprintf(path, sizeof path, "%s/bin", scratch.folder);
    snprintf(program, sizeof program, "%s/gnuplot", path);
    assert_int_equal(mkdir(path, 0755), 0);
    if (script) {
        FILE *out = fopen(program, "w");
        assert_non_null(out);
        fputs(script, out);
        fclose(out);
        assert_int_equal(chmod(program, 0755), 0);
    }
    const char *before = getenv("PATH");
    char *saved = strdup(before ? before : "");
    setenv("PATH", path, 1);
    enum ct_status status = ct_plot_write(
        &(struct ct_plot){.title = "x", .panels = &panel, .n_panels = 1}, scratch.picture, err);
    setenv("PATH", saved, 1);
    free(saved);
    unlink(program);
    rmdir(path);
    remove_scratch(&scratch);
    return status;
}

static void test_gnuplot_fails(void **state)
{
    (void)state;
    struct ct_error err;
    assert_int_equal(draw_with(NULL, &err), CT_EUNSUPPORTED);
    assert_non_null(strstr(err.text, "gnuplot-nox"));
    assert_int_equal(draw_with("#!/bin/sh\necho 'no such\nterminal' >&2\nexit 1\n", &err),
                     CT_ECHILD);
    assert_non_null(strstr(err.text, "no such terminal"));
    assert_int_equal(draw_with("#!/bin/sh\nexit 0\n", &err), CT_ECHILD); /* an empty picture */
    assert_int_equal(draw_with("#!/bin/sh\nkill -9 $$\n", &err), CT_ECHILD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_label_beside_rows), cmocka_unit_test(test_script),
        cmocka_unit_test(test_picture), cmocka_unit_test(test_bad_figures),
        cmocka_unit_test(test_gnuplot_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
