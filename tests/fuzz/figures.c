/* SPDX-License-Identifier: MIT */
/*
 * The figures of a run from anywhere, as far as gnuplot: what it is told holds no command
 * of the run's own, since text stays inside its quotes and on its line, and no number
 * that is none.
 */
#include <ctype.h>
#include <string.h>

#include "hostile.h"
#include "plots/compose.h"
#include "plots/figure.h"

/* True when a word of letters stands at the start of `c`. */
static bool is_word(const char *c, const char *word)
{
    const size_t length = strlen(word);

    return strncmp(c, word, length) == 0 && !isalnum((unsigned char)c[length]);
}

/* Reads gnuplot's single-quoted strings, in which a doubled quote is the only escape. */
static void check_commands(const char *commands)
{
    bool quoted = false;

    for (const char *c = commands; *c != '\0'; c++) {
        const bool begins = c == commands || !isalnum((unsigned char)c[-1]);

        quoted = quoted != (*c == '\'');
        must(!quoted || !is_control(*c), "a text stays on its line");
        must(quoted || (*c != '`' && *c != '"' && *c != '!' && *c != '|'),
             "nothing of the run is a command");
        must(quoted || !begins || !(is_word(c, "inf") || is_word(c, "nan")),
             "gnuplot is told numbers");
    }
    must(!quoted, "every text ends");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hostile hostile;

    if (hostile_read(&hostile, data, size)) {
        const struct rp_figure *figure = NULL;

        for (size_t i = 0; (figure = rp_figure_at(i)) != NULL; i++) {
            struct rp_drawing drawing = {.kind = figure->kind};
            struct rp_error error = {0};

            if (figure->compose(&drawing, &hostile.model, &error)) {
                check_commands(drawing.commands.data);
                must(drawing.conclusion.length > 0, "a figure concludes");
            } else {
                must_explain(&error);
            }
            rp_drawing_free(&drawing);
        }
    }
    hostile_free(&hostile);
    return 0;
}
