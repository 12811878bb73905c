/* SPDX-License-Identifier: MIT */
#include "cli/artifacts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "roofline/report.h"

#define FIGURES 8 /* room for more than there are */

static bool join(char path[RP_PATH_BYTES], const char *folder, const char *name,
                 const char *extension, struct rp_error *error)
{
    if (snprintf(path, RP_PATH_BYTES, "%s/%s%s", folder, name, extension) >=
        RP_PATH_BYTES) {
        return rp_fail(error, RP_USAGE,
                       "the path %.60s... is too long; use a shorter folder", folder);
    }
    return true;
}

bool rp_run_path(const char *run_argument, char path[RP_PATH_BYTES],
                 struct rp_error *error)
{
    struct stat status;

    if (stat(run_argument, &status) != 0) {
        return rp_fail(error, RP_USAGE,
                       "cannot read %s: %s; give a run file or its folder, "
                       "such as results/latest",
                       run_argument, strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return join(path, run_argument, "run", ".jsonl", error);
    }
    if (!S_ISREG(status.st_mode)) { /* opening a pipe would wait for its writer */
        return rp_fail(error, RP_USAGE,
                       "%s is neither a file nor a folder; give a run file or its "
                       "folder, such as results/latest",
                       run_argument);
    }
    if (snprintf(path, RP_PATH_BYTES, "%s", run_argument) >= RP_PATH_BYTES) {
        return rp_fail(error, RP_USAGE, "the path %.60s... is too long", run_argument);
    }
    return true;
}

bool rp_analysis_open(struct rp_analysis *analysis, const char *run_path,
                      const char *output, struct rp_error *error)
{
    char path[RP_PATH_BYTES];

    *analysis = (struct rp_analysis){0};
    if (!rp_run_path(run_path, path, error) ||
        !rp_run_read(&analysis->run, path, error)) {
        return false;
    }
    if (analysis->run.torn) {
        fprintf(stderr,
                "warning: %s ends in an incomplete line, left out; `ridgepoint sweep "
                "--resume` measures the rest\n",
                path);
    }
    char *const slash = strrchr(path, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    snprintf(analysis->base, sizeof analysis->base, "%s",
             output != NULL  ? output
             : slash == NULL ? "."
                             : path);
    memcpy(analysis->folder, analysis->base, sizeof analysis->folder);
    return rp_model_build(&analysis->model, &analysis->run, 0, error);
}

/* A run may come from elsewhere: the name of a kind is made fit for a path. */
static bool make_kind_folder(struct rp_analysis *analysis, struct rp_error *error)
{
    const char *const name = analysis->run.machine.kinds[analysis->core_kind].name;
    char slug[sizeof analysis->run.machine.kinds[0].name];

    rp_slug(name, slug, sizeof slug);
    if (!join(analysis->folder, analysis->base, slug, "", error)) {
        return false;
    }
    return mkdir(analysis->folder, 0777) == 0 || errno == EEXIST ||
           rp_fail(error, RP_UNABLE,
                   "cannot make the folder %.200s: %s; check that its "
                   "parent may be written to",
                   analysis->folder, strerror(errno));
}

bool rp_analysis_next(struct rp_analysis *analysis, struct rp_error *error)
{
    error->status = RP_OK;
    while (analysis->core_kind + 1 < analysis->run.machine.kind_count) {
        struct rp_error reason;

        rp_model_free(&analysis->model);
        analysis->core_kind++;
        if (rp_model_build(&analysis->model, &analysis->run, analysis->core_kind,
                           &reason)) {
            return make_kind_folder(analysis, error);
        }
        fprintf(stderr, "note: nothing about %s cores: %s\n",
                analysis->run.machine.kinds[analysis->core_kind].name, reason.message);
    }
    return false;
}

bool rp_make_for_all_kinds(struct rp_analysis *analysis, rp_artifact_maker *make,
                           void *context, struct rp_error *error)
{
    do {
        if (!make(analysis, context, error)) {
            return false;
        }
    } while (rp_analysis_next(analysis, error));
    return error->status == RP_OK;
}

void rp_analysis_close(struct rp_analysis *analysis)
{
    rp_model_free(&analysis->model);
    rp_run_free(&analysis->run);
}

bool rp_make_model(const struct rp_model *model, const char *folder,
                   struct rp_error *error)
{
    char path[RP_PATH_BYTES];

    if (!join(path, folder, "model", ".json", error) ||
        !rp_model_write(model, path, error)) {
        return false;
    }
    puts(path);
    return true;
}

bool rp_make_figure(const struct rp_figure *figure, const struct rp_model *model,
                    const char *folder, struct rp_error *error)
{
    char path[RP_PATH_BYTES];

    if (!join(path, folder, figure->kind, ".svg", error) ||
        !rp_figure_draw(figure, model, path, error)) {
        return false;
    }
    puts(path);
    return true;
}

bool rp_make_figures(const struct rp_model *model, const char *folder,
                     struct rp_error *error)
{
    const struct rp_figure *figure = NULL;
    size_t drawn = 0;
    bool ok = true;

    for (size_t i = 0; (figure = rp_figure_at(i)) != NULL; i++) {
        struct rp_error reason;

        if (rp_make_figure(figure, model, folder, &reason)) {
            drawn++;
        } else if (reason.status == RP_USAGE) {
            fprintf(stderr, "note: no %s.svg: %s\n", figure->kind, reason.message);
        } else {
            fprintf(stderr, "warning: no %s.svg: %s\n", figure->kind, reason.message);
            ok = rp_fail(error, reason.status, "not all figures are drawn: %.400s",
                         reason.message);
        }
    }
    return ok && (drawn > 0 ||
                  rp_fail(error, RP_USAGE,
                          "this run holds nothing that a figure shows; measure with "
                          "`ridgepoint sweep`"));
}

/* The whole of a file as new text; NULL when there is none. */
static char *read_whole(const char *path)
{
    struct rp_text text = {0};
    char chunk[4096];
    size_t length = 0;
    FILE *const file = fopen(path, "re");

    if (file == NULL) {
        return NULL;
    }
    while ((length = fread(chunk, 1, sizeof chunk, file)) > 0) {
        rp_text_append(&text, chunk, length);
    }
    fclose(file);
    if (text.failed) {
        rp_text_free(&text);
        return NULL;
    }
    return text.data;
}

static size_t read_figures(const char *folder, struct rp_report_figure figures[FIGURES],
                           char *contents[FIGURES], struct rp_error *error)
{
    const struct rp_figure *figure = NULL;
    size_t count = 0;

    for (size_t i = 0; count < FIGURES && (figure = rp_figure_at(i)) != NULL; i++) {
        char path[RP_PATH_BYTES];

        if (!join(path, folder, figure->kind, ".svg", error)) {
            continue;
        }
        contents[count] = read_whole(path);
        if (contents[count] != NULL) {
            figures[count] =
                (struct rp_report_figure){.kind = figure->kind, .svg = contents[count]};
            count++;
        }
    }
    return count;
}

static bool save(const char *folder, const char *name, struct rp_text *text,
                 struct rp_error *error)
{
    char path[RP_PATH_BYTES];
    const bool ok =
        join(path, folder, name, "", error) && rp_file_write(path, text, error);

    if (ok) {
        puts(path);
    }
    return ok;
}

bool rp_make_report(const struct rp_model *model, const char *folder,
                    struct rp_error *error)
{
    struct rp_report_figure figures[FIGURES];
    char *contents[FIGURES] = {0};
    const size_t count = read_figures(folder, figures, contents, error);
    struct rp_text markdown = {0};
    struct rp_text csv = {0};
    struct rp_text html = {0};
    const bool ok = rp_report_markdown(model, &markdown, error) &&
                    save(folder, "report.md", &markdown, error) &&
                    rp_report_csv(model, &csv, error) &&
                    save(folder, "report.csv", &csv, error) &&
                    rp_report_html(model, figures, count, &html, error) &&
                    save(folder, "index.html", &html, error);

    rp_text_free(&markdown);
    rp_text_free(&csv);
    rp_text_free(&html);
    for (size_t i = 0; i < count; i++) {
        free(contents[i]);
    }
    return ok;
}

/* Model, figures and report of one kind of core. Without gnuplot the rest is made all the
 * same, and the reason is kept; a figure that the run has nothing for is no failure. */
static bool make_all(const struct rp_analysis *analysis, void *figure_error,
                     struct rp_error *error)
{
    const struct rp_model *const model = &analysis->model;
    const char *const folder = analysis->folder;
    struct rp_error reason;

    if (!rp_make_model(model, folder, error)) {
        return false;
    }
    if (!rp_make_figures(model, folder, &reason) && reason.status != RP_USAGE) {
        *(struct rp_error *)figure_error = reason;
    }
    return rp_make_report(model, folder, error);
}

bool rp_make_everything(const char *run_argument, struct rp_error *error)
{
    struct rp_analysis analysis;
    struct rp_error figure_error = {.status = RP_OK};
    const bool ok = rp_analysis_open(&analysis, run_argument, NULL, error) &&
                    rp_make_for_all_kinds(&analysis, make_all, &figure_error, error);

    rp_analysis_close(&analysis);
    if (ok && figure_error.status != RP_OK) {
        return rp_fail(error, figure_error.status, "measured and reported, but %.400s",
                       figure_error.message);
    }
    return ok;
}
