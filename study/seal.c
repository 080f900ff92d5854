#include "study/seal.h"

#include "core/array.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/json.h"
#include "core/version.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 1, WITH_MAX = 1024, N_MAX = 1000000 };

static bool ends_in_seal(const char *name)
{
    size_t length = strlen(name), ending = strlen(CT_SEAL_ENDING);
    return length > ending && strcmp(name + length - ending, CT_SEAL_ENDING) == 0;
}

/* ---- writing ---- */

static struct ct_json *answer_as_json(const struct ct_prediction *prediction)
{
    struct ct_json *answer = ct_json_object();
    ct_json_put(answer, "slowdown", ct_json_number(prediction->slowdown_frac));
    struct ct_json *interval = ct_json_put(answer, "interval", ct_json_array());
    ct_json_append(interval, ct_json_number(prediction->interval.lo));
    ct_json_append(interval, ct_json_number(prediction->interval.hi));
    return answer;
}

static struct ct_json *prediction_as_json(const struct ct_seal_input *input, size_t index)
{
    const struct ct_questions *questions = input->questions;
    const struct ct_question *question = &questions->items[index];
    char with[WITH_MAX];
    ct_question_with(question, input->study, with, sizeof with);
    struct ct_json *item = ct_json_object();
    ct_json_put(item, "app", ct_json_text(ct_study_app(input->study, question->app)));
    ct_json_put(item, "with", ct_json_text(with));
    ct_json_put(item, "measured", ct_json_number(isnan(question->measured.frac) ? 0 : 1));
    struct ct_json *by = ct_json_put(item, "by", ct_json_object());
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        if (input->is_asked[m])
            ct_json_put(by, ct_predict_models[m].key,
                        answer_as_json(&input->cases[m * questions->n + index].prediction));
    return item;
}

static void put_source(const struct ct_seal_source *source, struct ct_json *root)
{
    ct_json_put(root, "commit", ct_json_text(source->commit));
    ct_json_put(root, "program", ct_json_text(source->program));
    struct ct_json *inputs = ct_json_put(root, "inputs", ct_json_array());
    for (size_t i = 0; i < source->n; i++) {
        struct ct_json *file = ct_json_append(inputs, ct_json_object());
        ct_json_put(file, "file", ct_json_text(source->files[i].path));
        ct_json_put(file, "hash", ct_json_text(source->files[i].hash));
    }
}

static enum ct_status write_seal(FILE *out, const void *data, struct ct_error *err)
{
    const struct ct_seal_input *input = data;
    char now[CT_UTC_MAX], seed[24];
    ct_clock_utc(now);
    snprintf(seed, sizeof seed, "%" PRIu64, input->seed);
    struct ct_json *root = ct_json_object();
    ct_json_put(root, "sealed_predictions", ct_json_number(VERSION));
    ct_json_put(root, "made_utc", ct_json_text(now));
    ct_json_put(root, "version", ct_json_text(CT_VERSION));
    put_source(input->source, root);
    ct_json_put(root, "runs", ct_json_number((double)input->study->n_runs));
    ct_json_put(root, "seed", ct_json_text(seed)); /* a double does not hold every seed */
    ct_json_put(root, "level", ct_json_number(input->level));
    struct ct_json *models = ct_json_put(root, "models", ct_json_array());
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        if (input->is_asked[m])
            ct_json_append(models, ct_json_text(ct_predict_models[m].key));
    struct ct_json *predictions = ct_json_put(root, "predictions", ct_json_array());
    for (size_t i = 0; i < input->questions->n; i++)
        ct_json_append(predictions, prediction_as_json(input, i));
    enum ct_status status = ct_json_print(root, out);
    ct_json_free(root);
    fputc('\n', out);
    return status == CT_OK ? CT_OK : ct_fail(err, status, "%s", ct_status_text(status));
}

enum ct_status ct_seal_check_path(const char *path, struct ct_error *err)
{
    if (!ends_in_seal(path))
        return ct_fail(err, CT_EUSAGE, "%s: the name of sealed predictions ends in %s", path,
                       CT_SEAL_ENDING);
    if (access(path, F_OK) == 0)
        return ct_fail(err, CT_EEXIST,
                       "%s is there, and sealed predictions are not overwritten; name another file",
                       path);
    return CT_OK;
}

enum ct_status ct_seal_write(const char *path, const struct ct_seal_input *input,
                             struct ct_error *err)
{
    CT_TRY(ct_seal_check_path(path, err));
    return ct_file_make(path, write_seal, input, err);
}

bool ct_seal_is_in(const char *folder, char *name, size_t size)
{
    struct dirent **entries;
    bool found = false;
    int n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (!found && ends_in_seal(entries[i]->d_name)) {
            snprintf(name, size, "%s", entries[i]->d_name);
            found = true;
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return found;
}

/* ---- reading ---- */

struct reader {
    const char *name; /* of the file */
    struct ct_error *err;
};

static enum ct_status refuse_line(const struct reader *reader, const char *what)
{
    return ct_fail(reader->err, CT_EFORMAT, "%s: sealed predictions: %s", reader->name, what);
}

static enum ct_status take_text(const struct reader *reader, const cJSON *object, const char *name,
                                char **text_p)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!cJSON_IsString(item))
        return ct_fail(reader->err, CT_EFORMAT, "%s: sealed predictions: '%s' is not a text",
                       reader->name, name);
    *text_p = strdup(item->valuestring);
    return *text_p ? CT_OK : ct_no_memory(reader->err, "%s", reader->name);
}

static bool is_count(const cJSON *item)
{
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= 1e15 &&
           floor(item->valuedouble) == item->valuedouble;
}

/* NaN for null. */
static bool take_number(const cJSON *item, double *number_p)
{
    if (!cJSON_IsNumber(item) && !cJSON_IsNull(item))
        return false;
    *number_p = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    return !isinf(*number_p);
}

static enum ct_status take_models(const struct reader *reader, const cJSON *root,
                                  struct ct_seal *seal)
{
    const cJSON *models = cJSON_GetObjectItemCaseSensitive(root, "models");
    int n = cJSON_IsArray(models) ? cJSON_GetArraySize(models) : 0;
    const cJSON *item;
    if (n < 1 || n > WITH_MAX)
        return refuse_line(reader, "'models' is not a list of names");
    seal->models = calloc((size_t)n, sizeof *seal->models);
    if (!seal->models)
        return ct_no_memory(reader->err, "%s", reader->name);
    cJSON_ArrayForEach(item, models)
    {
        if (!cJSON_IsString(item))
            return refuse_line(reader, "'models' is not a list of names");
        seal->models[seal->n_models] = strdup(item->valuestring);
        if (!seal->models[seal->n_models])
            return ct_no_memory(reader->err, "%s", reader->name);
        seal->n_models++;
    }
    return CT_OK;
}

static bool take_answer(const cJSON *answer, struct ct_sealed_answer *answer_p)
{
    const cJSON *interval = cJSON_GetObjectItemCaseSensitive(answer, "interval");
    const cJSON *slowdown = cJSON_GetObjectItemCaseSensitive(answer, "slowdown");
    return cJSON_GetArraySize(interval) == 2 && take_number(slowdown, &answer_p->slowdown_frac) &&
           take_number(cJSON_GetArrayItem(interval, 0), &answer_p->interval.lo) &&
           take_number(cJSON_GetArrayItem(interval, 1), &answer_p->interval.hi);
}

static enum ct_status take_prediction(const struct reader *reader, const cJSON *item,
                                      struct ct_seal *seal)
{
    const cJSON *measured = cJSON_GetObjectItemCaseSensitive(item, "measured");
    const cJSON *by = cJSON_GetObjectItemCaseSensitive(item, "by");
    if (!CT_ARRAY_RESIZE(seal->items, seal->n + 1))
        return ct_no_memory(reader->err, "%s", reader->name);
    struct ct_sealed *sealed = &seal->items[seal->n++];
    *sealed = (struct ct_sealed){0};
    if (!is_count(measured) || measured->valuedouble > 1)
        return refuse_line(reader, "'measured' of a prediction is neither 0 nor 1");
    sealed->was_measured = measured->valuedouble != 0;
    CT_TRY(take_text(reader, item, "app", &sealed->app));
    CT_TRY(take_text(reader, item, "with", &sealed->with));
    sealed->answers = calloc(seal->n_models, sizeof *sealed->answers);
    if (!sealed->answers)
        return ct_no_memory(reader->err, "%s", reader->name);
    for (size_t m = 0; m < seal->n_models; m++)
        if (!take_answer(cJSON_GetObjectItemCaseSensitive(by, seal->models[m]),
                         &sealed->answers[m]))
            return refuse_line(reader, "a prediction has no answer, or a damaged one, of a model");
    return CT_OK;
}

static enum ct_status take_seed(const struct reader *reader, const cJSON *root, uint64_t *seed_p)
{
    char *text = NULL, *end;
    CT_TRY(take_text(reader, root, "seed", &text));
    *seed_p = strtoull(text, &end, 10);
    bool good = *text >= '0' && *text <= '9' && *end == '\0';
    free(text);
    return good ? CT_OK : refuse_line(reader, "'seed' is not a whole number");
}

static enum ct_status take_hash(const struct reader *reader, const cJSON *object, const char *name,
                                char hash[CT_SEAL_HASH_MAX])
{
    char *text = NULL;
    enum ct_status status = take_text(reader, object, name, &text);
    if (status == CT_OK && strlen(text) != CT_SEAL_HASH_MAX - 1)
        status = ct_fail(reader->err, CT_EFORMAT, "%s: sealed predictions: '%s' is not a hash",
                         reader->name, name);
    if (status == CT_OK)
        memcpy(hash, text, CT_SEAL_HASH_MAX);
    free(text);
    return status;
}

/* Seals of earlier versions have none. */
static enum ct_status take_source(const struct reader *reader, const cJSON *root,
                                  struct ct_seal_source *source)
{
    const cJSON *inputs = cJSON_GetObjectItemCaseSensitive(root, "inputs"), *item;
    if (!inputs)
        return CT_OK;
    if (!cJSON_IsArray(inputs) || cJSON_GetArraySize(inputs) > N_MAX)
        return refuse_line(reader, "'inputs' is not a list");
    enum ct_status status = take_text(reader, root, "commit", &source->commit);
    if (status == CT_OK)
        status = take_hash(reader, root, "program", source->program);
    cJSON_ArrayForEach(item, inputs)
    {
        if (status == CT_OK && !CT_ARRAY_RESIZE(source->files, source->n + 1))
            status = ct_no_memory(reader->err, "%s", reader->name);
        if (status != CT_OK)
            break;
        struct ct_seal_file *file = &source->files[source->n++];
        *file = (struct ct_seal_file){0};
        status = take_text(reader, item, "file", &file->path);
        if (status == CT_OK)
            status = take_hash(reader, item, "hash", file->hash);
    }
    return status;
}

static enum ct_status take_all(const struct reader *reader, const cJSON *root, struct ct_seal *seal)
{
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "sealed_predictions");
    const cJSON *runs = cJSON_GetObjectItemCaseSensitive(root, "runs");
    const cJSON *level = cJSON_GetObjectItemCaseSensitive(root, "level");
    const cJSON *predictions = cJSON_GetObjectItemCaseSensitive(root, "predictions"), *item;
    if (!is_count(version) || version->valuedouble != VERSION)
        return refuse_line(reader, "not such a file, or one of another version");
    if (!is_count(runs) || !cJSON_IsNumber(level) || !(level->valuedouble > 0) ||
        !(level->valuedouble < 1))
        return refuse_line(reader, "'runs' or 'level' is missing, or out of range");
    if (!cJSON_IsArray(predictions) || cJSON_GetArraySize(predictions) > N_MAX)
        return refuse_line(reader, "'predictions' is not a list");
    seal->n_runs = (uint64_t)runs->valuedouble;
    seal->level = level->valuedouble;
    enum ct_status status = take_text(reader, root, "made_utc", &seal->made_utc);
    if (status == CT_OK)
        status = take_text(reader, root, "version", &seal->version);
    if (status == CT_OK)
        status = take_seed(reader, root, &seal->seed);
    if (status == CT_OK)
        status = take_source(reader, root, &seal->source);
    if (status == CT_OK)
        status = take_models(reader, root, seal);
    cJSON_ArrayForEach(item, predictions) if (status == CT_OK) status =
        take_prediction(reader, item, seal);
    return status;
}

enum ct_status ct_seal_parse(const char *text, size_t size, const char *name,
                             struct ct_seal *seal_p, struct ct_error *err)
{
    const struct reader reader = {name, err};
    struct ct_seal seal = {0};
    cJSON *root = cJSON_ParseWithLength(text, size);
    enum ct_status status =
        root ? take_all(&reader, root, &seal) : refuse_line(&reader, "no JSON, or cut short");
    cJSON_Delete(root);
    if (status == CT_OK)
        *seal_p = seal;
    else
        ct_seal_free(&seal);
    return status;
}

enum ct_status ct_seal_read(const char *path, struct ct_seal *seal_p, struct ct_error *err)
{
    struct ct_text file;
    CT_TRY(ct_file_read(path, &file, err));
    enum ct_status status = ct_seal_parse(file.text, file.size, path, seal_p, err);
    free(file.text);
    return status;
}

void ct_seal_free(struct ct_seal *seal)
{
    for (size_t i = 0; i < seal->n; i++) {
        free(seal->items[i].app);
        free(seal->items[i].with);
        free(seal->items[i].answers);
    }
    for (size_t m = 0; m < seal->n_models; m++)
        free(seal->models[m]);
    free(seal->items);
    free(seal->models);
    ct_seal_source_free(&seal->source);
    free(seal->made_utc);
    free(seal->version);
    *seal = (struct ct_seal){0};
}

/* ---- judging ---- */

/* NULL: nobody asks about it any more, or an application has another name. */
static const struct ct_question *find_question(const struct ct_sealed *sealed,
                                               const struct ct_study *study,
                                               const struct ct_questions *questions)
{
    char with[WITH_MAX];
    for (size_t i = 0; i < questions->n; i++) {
        const struct ct_question *question = &questions->items[i];
        ct_question_with(question, study, with, sizeof with);
        if (!strcmp(ct_study_app(study, question->app), sealed->app) && !strcmp(with, sealed->with))
            return question;
    }
    return NULL;
}

static void find_truths(const struct ct_seal *seal, const struct ct_study *study,
                        const struct ct_questions *questions, struct ct_seal_verdict *verdict)
{
    for (size_t i = 0; i < seal->n; i++) {
        const struct ct_question *question = find_question(&seal->items[i], study, questions);
        bool is_measured = question && !isnan(question->measured.frac);
        bool is_judged = is_measured && !seal->items[i].was_measured;
        verdict->judged[i] = is_judged ? question : NULL;
        verdict->n_slowed += is_judged && ct_question_is_slowed_by_processors(question);
        verdict->n_judged += is_judged;
        verdict->n_known += seal->items[i].was_measured;
        verdict->n_missing += !is_measured;
    }
}

/* decisions: NULL: none */
static enum ct_status evaluate_models(const struct ct_seal *seal, const double *measured_frac,
                                      double limit_frac, const struct ct_question **judged,
                                      struct ct_predict_evaluation *models,
                                      struct ct_predict_decisions *decisions)
{
    struct ct_predict_case *cases = calloc(seal->n + 1, sizeof *cases);
    enum ct_status status = cases ? CT_OK : CT_ENOMEM;
    for (size_t m = 0; m < seal->n_models && status == CT_OK; m++) {
        for (size_t i = 0; i < seal->n; i++) {
            const struct ct_sealed_answer *answer = &seal->items[i].answers[m];
            cases[i].prediction.slowdown_frac = answer->slowdown_frac;
            cases[i].prediction.interval = answer->interval;
            cases[i].app = judged[i] ? judged[i]->app : 0;
            cases[i].with = judged[i] ? judged[i]->with : NULL;
            cases[i].n_with = judged[i] ? judged[i]->n_with : 0;
        }
        status = ct_predict_evaluate(cases, measured_frac, seal->n, &models[m]);
        if (decisions)
            decisions[m] = ct_predict_decide(cases, measured_frac, seal->n, limit_frac);
    }
    free(cases);
    return status;
}

/* Over all that is judged, and over what processors do not slow. */
static enum ct_status evaluate_both(const struct ct_seal *seal, double limit_frac,
                                    struct ct_seal_verdict *verdict)
{
    double *measured_frac = calloc(seal->n + 1, sizeof *measured_frac);
    if (!measured_frac)
        return CT_ENOMEM;
    for (size_t i = 0; i < seal->n; i++)
        measured_frac[i] = verdict->judged[i] ? verdict->judged[i]->measured.frac : NAN;
    enum ct_status status = evaluate_models(seal, measured_frac, limit_frac, verdict->judged,
                                            verdict->models, verdict->decisions);
    for (size_t i = 0; i < seal->n; i++)
        if (verdict->judged[i] && ct_question_is_slowed_by_processors(verdict->judged[i]))
            measured_frac[i] = NAN;
    if (status == CT_OK)
        status = evaluate_models(seal, measured_frac, limit_frac, verdict->judged,
                                 verdict->network_models, NULL);
    free(measured_frac);
    return status;
}

enum ct_status ct_seal_judge(const struct ct_seal *seal, const struct ct_study *study,
                             const struct ct_questions *questions, double limit_frac,
                             struct ct_seal_verdict *verdict_p)
{
    struct ct_seal_verdict verdict = {
        .models = calloc(seal->n_models, sizeof *verdict.models),
        .network_models = calloc(seal->n_models, sizeof *verdict.network_models),
        .decisions = calloc(seal->n_models, sizeof *verdict.decisions),
        .judged = calloc(seal->n + 1, sizeof *verdict.judged)};
    enum ct_status status = CT_ENOMEM;
    if (verdict.models && verdict.network_models && verdict.decisions && verdict.judged) {
        find_truths(seal, study, questions, &verdict);
        status = evaluate_both(seal, limit_frac, &verdict);
    }
    if (status == CT_OK)
        *verdict_p = verdict;
    else
        ct_seal_verdict_free(&verdict);
    return status;
}

void ct_seal_verdict_free(struct ct_seal_verdict *verdict)
{
    free(verdict->models);
    free(verdict->network_models);
    free(verdict->decisions);
    free(verdict->judged);
    *verdict = (struct ct_seal_verdict){0};
}
