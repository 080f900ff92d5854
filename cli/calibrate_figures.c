#include "cli/calibrate_figures.h"

#include "cli/calibration_figures.h"
#include "core/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum ct_status write_figure(const struct ct_posterior_view *view, int figure,
                                   const char *folder, struct ct_error *err)
{
    char *path, *svg;
    if (!ct_calibration_figure_is_there(view, figure))
        return CT_OK;
    enum ct_status status = ct_calibration_figure_draw(view, figure, &svg, err);
    if (status != CT_OK)
        return status;
    if (asprintf(&path, "%s/%s.svg", folder, ct_calibration_figure_name(figure)) < 0) {
        free(svg);
        return ct_no_memory(err, "--figures");
    }
    status = ct_file_save(path, svg, strlen(svg), err);
    free(path);
    free(svg);
    return status;
}

enum ct_status ct_calibrate_draw(const char *path, const char *folder, struct ct_error *err)
{
    struct ct_posterior_view view;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return ct_fail(err, CT_EIO, "--figures: %s: %s", folder, strerror(errno));
    enum ct_status status = ct_posterior_view_read(path, &view, err);
    if (status != CT_OK)
        return status;
    for (int figure = 0; figure < CT_CALIBRATION_FIGURES && status == CT_OK; figure++)
        status = write_figure(&view, figure, folder, err);
    ct_posterior_view_free(&view);
    return status;
}
