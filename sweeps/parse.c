/* SPDX-License-Identifier: MIT */
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "probes/probe.h"
#include "sweeps/sweep.h"

#define DEFAULT_POINT_BUDGET 0.15

/* Where the parser is. The first wrong line is kept: inih goes on to the end of the file.
 */
struct parser {
    struct rp_sweep *sweep;
    const char *rest; /* of the text, from the next line on */
    int line;         /* the current one, from 1 */
    char section[64];
    struct rp_sweep_group *group; /* of the current section; NULL in [sweep] */
    unsigned seen;                /* bits of the keys this section has had */
    char problem[256];            /* of the first wrong line */
    int problem_line;
};

/* Notes what is wrong with a line; returns 0, which tells inih to report the line. */
__attribute__((format(printf, 2, 3))) static int wrong(struct parser *parser,
                                                       const char *format, ...)
{
    va_list arguments;

    if (parser->problem_line == 0) {
        parser->problem_line = parser->line;
        va_start(arguments, format);
        vsnprintf(parser->problem, sizeof parser->problem, format, arguments);
        va_end(arguments);
    }
    return 0;
}

/* Splits words at spaces into rows of `width` bytes; their number, or 0 when one does not
 * fit. */
static unsigned split(const char *value, char *rows, size_t width, unsigned most)
{
    char copy[512];
    char *rest = NULL;
    unsigned count = 0;

    if ((size_t)snprintf(copy, sizeof copy, "%s", value) >= sizeof copy) {
        return 0;
    }
    for (char *word = strtok_r(copy, " \t,", &rest); word != NULL;
         word = strtok_r(NULL, " \t,", &rest)) {
        if (count == most || strlen(word) >= width) {
            return 0;
        }
        memcpy(rows + width * count++, word, strlen(word) + 1);
    }
    return count;
}

typedef int setter(struct parser *parser, const char *value);

static int set_text(struct parser *parser, const char *value)
{
    const size_t capacity = sizeof parser->sweep->text;

    return (size_t)snprintf(parser->sweep->text, capacity, "%s", value) < capacity ||
           wrong(parser, "the text is longer than %zu bytes; shorten it", capacity - 1);
}

static int set_probes(struct parser *parser, const char *value)
{
    struct rp_sweep *const sweep = parser->sweep;

    sweep->probe_count =
        split(value, sweep->probes[0], sizeof sweep->probes[0], RP_SWEEP_PATTERNS);
    for (unsigned i = 0; i < sweep->probe_count; i++) {
        if (rp_probe_find(sweep->probes[i]) == NULL) {
            return wrong(parser, "'%s' is no probe; `ridgepoint list probes` names them",
                         sweep->probes[i]);
        }
    }
    return sweep->probe_count > 0 ||
           wrong(parser,
                 "'%s' is no list of up to eight probes; `ridgepoint list probes` names "
                 "them",
                 value);
}

static int set_point_budget(struct parser *parser, const char *value)
{
    return rp_parse_seconds(value, &parser->sweep->point_budget_seconds) ||
           wrong(parser, "'%s' is no duration; write 150ms or 2s", value);
}

static bool matches_a_kernel(const char *pattern)
{
    const struct rp_kernel *kernel = NULL;
    size_t i = 0;

    while ((kernel = rp_kernel_at(i)) != NULL && !rp_matches(pattern, kernel->name)) {
        i++;
    }
    return kernel != NULL;
}

static int set_kernels(struct parser *parser, const char *value)
{
    struct rp_sweep_group *const group = parser->group;

    group->kernel_count =
        split(value, group->kernels[0], sizeof group->kernels[0], RP_SWEEP_PATTERNS);
    for (unsigned i = 0; i < group->kernel_count; i++) {
        if (!matches_a_kernel(group->kernels[i])) {
            return wrong(parser,
                         "no kernel matches '%s'; `ridgepoint list kernels` names them",
                         group->kernels[i]);
        }
    }
    return group->kernel_count > 0 || wrong(parser,
                                            "'%s' is no list of up to eight kernels; "
                                            "`ridgepoint list kernels` names them",
                                            value);
}

static int set_modes(struct parser *parser, const char *value)
{
    char names[RP_MODE_COUNT][16];
    const unsigned count = split(value, names[0], sizeof names[0], RP_MODE_COUNT);
    enum rp_mode mode = RP_MODE_NONE;

    memset(parser->group->modes, 0, sizeof parser->group->modes);
    for (unsigned i = 0; i < count; i++) {
        if (!rp_mode_parse(names[i], &mode)) {
            return wrong(parser,
                         "'%s' is no store mode; write none, temporal, nt or inplace",
                         names[i]);
        }
        parser->group->modes[mode] = true;
    }
    return count > 0 ||
           wrong(parser,
                 "'%s' is no list of store modes; write none, temporal, nt or inplace",
                 value);
}

static int set_size(struct parser *parser, const char *value, size_t *bytes)
{
    return (rp_parse_size(value, bytes) && *bytes >= RP_SWEEP_LEAST_SET &&
            *bytes <= RP_SWEEP_LARGEST_SET) ||
           wrong(parser,
                 "'%s' is no working set; write a size from 8 KiB to 1024 TiB, such as "
                 "16 KiB or 1 GiB",
                 value);
}

static int set_from(struct parser *parser, const char *value)
{
    return set_size(parser, value, &parser->group->from_bytes);
}

static int set_to(struct parser *parser, const char *value)
{
    return set_size(parser, value, &parser->group->to_bytes);
}

static int set_per_octave(struct parser *parser, const char *value)
{
    uint64_t count = 0;

    if (!rp_parse_count(value, &count) || count < 1 || count > RP_SWEEP_MOST_PER_OCTAVE) {
        return wrong(
            parser, "'%s' is no number of working sets per octave; write 1 to 16", value);
    }
    parser->group->per_octave = (unsigned)count;
    return 1;
}

static int set_near_capacities(struct parser *parser, const char *value)
{
    parser->group->near_capacities = strcmp(value, "yes") == 0;
    return parser->group->near_capacities || strcmp(value, "no") == 0 ||
           wrong(parser, "near_capacities is '%s'; write yes or no", value);
}

static const struct {
    const char *name;
    bool in_group;
    setter *set;
} keys[] = {
    {"text", false, set_text},
    {"probes", false, set_probes},
    {"point_budget", false, set_point_budget},
    {"kernels", true, set_kernels},
    {"modes", true, set_modes},
    {"from", true, set_from},
    {"to", true, set_to},
    {"per_octave", true, set_per_octave},
    {"near_capacities", true, set_near_capacities},
};

static bool begin_section(struct parser *parser, const char *section)
{
    struct rp_sweep *const sweep = parser->sweep;

    snprintf(parser->section, sizeof parser->section, "%s", section);
    parser->group = NULL;
    parser->seen = 0;
    if (strcmp(section, "sweep") == 0) {
        return true;
    }
    if (sweep->group_count == RP_SWEEP_GROUPS) {
        return wrong(parser, "section [%s] is one too many; at most 16 groups fit",
                     section);
    }
    parser->group = &sweep->groups[sweep->group_count++];
    *parser->group = (struct rp_sweep_group){
        .modes = {true, true, true, true},
        .from_bytes = 16 * RP_KIB,
        .to_bytes = RP_GIB,
        .per_octave = 2,
    };
    snprintf(parser->group->name, sizeof parser->group->name, "%s", section);
    return true;
}

static int on_key(void *user, const char *section, const char *name, const char *value)
{
    struct parser *const parser = user;

    if (section[0] == '\0') {
        return wrong(parser, "'%s' stands before any section; begin with [sweep]", name);
    }
    if (strcmp(section, parser->section) != 0 && !begin_section(parser, section)) {
        return 0;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i].name, name) == 0 &&
            keys[i].in_group == (parser->group != NULL)) {
            if ((parser->seen & 1u << i) != 0) {
                return wrong(parser,
                             "'%s' is given twice, or goes on in a second line; "
                             "write it once, in one line",
                             name);
            }
            parser->seen |= 1u << i;
            return keys[i].set(parser, value);
        }
    }
    return wrong(parser, "'%s' is unknown %s", name,
                 parser->group == NULL
                     ? "in [sweep]; it takes text, probes and point_budget"
                     : "in a group; it takes kernels, modes, from, to, "
                       "per_octave and near_capacities");
}

/* Gives inih the next line. One that inih would cut in two is kept from it. */
static char *next_line(char *line, int capacity, void *user)
{
    struct parser *const parser = user;
    const size_t length = strcspn(parser->rest, "\n");

    if (*parser->rest == '\0') {
        return NULL;
    }
    parser->line++;
    if (length < (size_t)capacity) {
        memcpy(line, parser->rest, length);
        line[length] = '\0';
    } else {
        wrong(parser, "the line is longer than %d bytes; shorten it", capacity - 1);
        line[0] = '\0';
    }
    parser->rest += length;
    parser->rest += *parser->rest == '\n';
    return line;
}

static bool complete(const struct rp_sweep *sweep, const char *origin,
                     struct rp_error *error)
{
    for (unsigned i = 0; i < sweep->group_count; i++) {
        const struct rp_sweep_group *const group = &sweep->groups[i];

        if (group->kernel_count == 0) {
            return rp_fail(error, RP_USAGE,
                           "%s: [%s] has no kernels; add a line like "
                           "`kernels = copy-*`",
                           origin, group->name);
        }
        if (group->from_bytes > group->to_bytes) {
            return rp_fail(error, RP_USAGE,
                           "%s: [%s] goes from a larger to a smaller "
                           "working set; swap from and to",
                           origin, group->name);
        }
    }
    if (sweep->group_count == 0 && sweep->probe_count == 0) {
        return rp_fail(error, RP_USAGE,
                       "%s: nothing to measure; name probes in [sweep] or "
                       "add a group with kernels",
                       origin);
    }
    return true;
}

bool rp_sweep_parse(struct rp_sweep *sweep, const char *name, const char *text,
                    const char *origin, struct rp_error *error)
{
    struct parser parser = {.sweep = sweep, .rest = text};

    *sweep = (struct rp_sweep){.point_budget_seconds = DEFAULT_POINT_BUDGET};
    snprintf(sweep->name, sizeof sweep->name, "%s", name);
    const int line = ini_parse_stream(next_line, &parser, on_key, &parser);
    if (line > 0 && (parser.problem_line == 0 || line < parser.problem_line)) {
        return rp_fail(error, RP_USAGE,
                       "%s:%d: neither a [section] nor a 'name = value' line; correct it "
                       "or comment it out with ';'",
                       origin, line);
    }
    if (parser.problem_line > 0) {
        return rp_fail(error, RP_USAGE, "%s:%d: %s", origin, parser.problem_line,
                       parser.problem);
    }
    return complete(sweep, origin, error);
}
