// problem.c - errors of shaders: a place in a file, its line and a caret, also of a driver's log
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "shader/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- problems ----------------------------------------------------------------------------------

void ag_problem_free(ag_problem *problem)
{
    ag_text_free(&problem->text);
    *problem = (ag_problem){0};
}

void ag_problem_log(const ag_host *host, const ag_problem *problem, ag_status code)
{
    ag_log(host, (ag_message){.level = AG_LOG_ERROR,
                              .code = code,
                              .text = problem->text.data ? problem->text.data : "a shader failed",
                              .file = problem->file[0] ? problem->file : NULL,
                              .line = problem->line,
                              .column = problem->column});
}

// The line of `text` that begins here, without its indentation, and a caret below `column`.
static void add_line(ag_text *out, const char *text, uint32_t column)
{
    size_t length = strcspn(text, "\r\n");
    size_t indent = strspn(text, " \t");
    indent = indent < length ? indent : 0;
    // NVIDIA gives no column: the caret then marks the first character.
    size_t at = column > indent && column <= length + 1 ? column - 1 : indent;
    ag_text_add(out, "    ", 4);
    ag_text_add(out, text + indent, length - indent);
    ag_text_add(out, "\n    ", 5);
    for (size_t i = indent; i < at; ++i)
        ag_text_add(out, text[i] == '\t' ? "\t" : " ", 1);
    ag_text_add(out, "^\n", 2);
}

// Messages end without a newline.
static void end_line(ag_text *text)
{
    while (text->length &&
           (text->data[text->length - 1] == '\n' || text->data[text->length - 1] == ' '))
        text->data[--text->length] = 0;
}

void ag_problem_point(ag_problem *p, const ag_host *host, const char *file, uint32_t number,
                      const char *line, const char *at, const char *what)
{
    p->text.host = host;
    snprintf(p->file, sizeof p->file, "%s", file);
    p->line = number;
    p->column = (uint32_t)(at - line) + 1;
    ag_text_print(&p->text, "%s:%u:%u: %s\n", file, number, p->column, what);
    add_line(&p->text, line, p->column);
    end_line(&p->text);
}

// ---- the log of a driver -----------------------------------------------------------------------

// The number after one character; 0, which is no valid line, if it is too large.
static uint32_t number_after(const char *at, char **end)
{
    unsigned long long value = strtoull(at + 1, end, 10);
    return value <= UINT32_MAX ? (uint32_t)value : 0;
}

// Reads the place from one line of a driver's log. Known forms:
//   Mesa     0:12(5): error: ...
//   NVIDIA   0(12) : error C1503: ...
//   others   ERROR: 0:12: ...
static bool parse_place(const char *line, uint32_t *row, uint32_t *column, const char **message)
{
    static const char *const prefixes[] = {"ERROR: ", "WARNING: "};
    for (size_t i = 0; i < 2; ++i)
        if (!strncmp(line, prefixes[i], strlen(prefixes[i])))
            line += strlen(prefixes[i]);
    char *end;
    if (!isdigit((unsigned char)*line))
        return false;
    strtoul(line, &end, 10); // number of the source string; always 0 here
    *column = 0;
    if (*end == ':' && isdigit((unsigned char)end[1])) {
        *row = number_after(end, &end);
        if (*end == '(') {
            *column = number_after(end, &end);
            end += *end == ')';
        }
    } else if (*end == '(' && isdigit((unsigned char)end[1])) {
        *row = number_after(end, &end);
        end += *end == ')';
    } else {
        return false;
    }
    while (*end == ' ' || *end == ':')
        ++end;
    *message = end;
    return true;
}

// The begin of line `row` of the expanded text, and its place in a file; NULL if out of range.
static const char *row_at(const ag_source *source, size_t row, ag_source_line *place)
{
    const char *text = source->text.data;
    if (row < 1 || row > source->lines.length / sizeof *place)
        return NULL;
    memcpy(place, source->lines.data + (row - 1) * sizeof *place, sizeof *place);
    for (size_t i = 1; i < row && text; ++i) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// The first word that a message quotes; of length 0: none.
static const char *quoted_word(const char *message, size_t *length)
{
    const char *word = message;
    while (*word && !(strchr("`'\"", *word) && (word == message || strchr(" (", word[-1]))))
        ++word;
    word += *word != 0;
    *length = 0;
    while (is_word(word[*length]))
        ++*length;
    return word;
}

// The column of that word, if it stands in the line: that which is nearest to the driver's. Mesa
// counts columns behind its preprocessor, and NVIDIA has none (0).
static uint32_t column_of(const char *message, const char *text, uint32_t column)
{
    size_t length, end = strcspn(text, "\n");
    const char *word = quoted_word(message, &length);
    uint32_t best = 0, distance = 0;
    for (size_t i = 0; length && i + length <= end; ++i) {
        if (memcmp(text + i, word, length) != 0 || is_word(text[i + length]) ||
            (i && is_word(text[i - 1])))
            continue;
        uint32_t at = (uint32_t)i + 1, far = at > column ? at - column : column - at;
        if (!best || (column && far < distance)) {
            best = at;
            distance = far;
        }
    }
    return best ? best : column;
}

// What may be meant by a word that a shader of a pass's folder does not declare (passes/block.c).
static void add_hint(const ag_source *source, const char *message, ag_text *out)
{
    static const struct {
        const char *define, *hint;
    } hints[] = {
        {"#define setting_%.*s ", "; the setting is called setting_%.*s"},
        {"#define has_%.*s 0\n", "; the job leaves that slot empty, so it needs #if has_%.*s"},
    };
    size_t length;
    const char *word = quoted_word(message, &length);
    bool unknown = strstr(message, "undeclared") || strstr(message, "undefined");
    for (size_t i = 0; i < sizeof hints / sizeof *hints && unknown && length < 32; ++i) {
        char define[64];
        snprintf(define, sizeof define, hints[i].define, (int)length, word);
        if (source->text.data && strstr(source->text.data, define))
            ag_text_print(out, hints[i].hint, (int)length, word);
    }
}

typedef struct explained { // the line of the last message, which is shown below all about it
    const char *text;      // NULL: none
    uint32_t column, raw;  // `raw`: the driver's
} explained;

static void show_line(explained *last, ag_text *out)
{
    if (last->text)
        add_line(out, last->text, last->column);
    last->text = NULL;
}

static void explain_line(const ag_source *source, const char *line, explained *last, ag_text *out,
                         ag_message *first)
{
    uint32_t row, column;
    const char *message;
    ag_source_line place;
    if (!parse_place(line, &row, &column, &message))
        return;
    const char *text = row_at(source, row, &place);
    if (!text)
        return;
    const uint32_t raw = column; // messages of one are about one place: candidates, for example
    column = text == last->text && raw == last->raw ? last->column : column_of(message, text, raw);
    if (text != last->text || column != last->column)
        show_line(last, out);
    *last = (explained){text, column, raw};
    bool generated = place.file >= source->file_count; // by the plugin: in no file
    if (generated)
        ag_text_print(out, "(defines of the plugin): %s", message);
    else
        ag_text_print(out, "%s:%u:%u: %s", source->files[place.file], place.line,
                      column ? column : 1, message);
    add_hint(source, message, out);
    ag_text_add(out, "\n", 1);
    if (!first->file && !generated) {
        first->file = source->files[place.file];
        first->line = place.line;
        first->column = column ? column : 1;
    }
}

void ag_source_explain(const ag_source *source, const char *log, ag_text *out, ag_message *first)
{
    explained last = {0};
    for (const char *at = log; *at;) {
        char line[512];
        size_t length = strcspn(at, "\n");
        size_t kept = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, at, kept);
        line[kept] = 0;
        explain_line(source, line, &last, out, first);
        at += length + (at[length] == '\n');
    }
    show_line(&last, out);
    ag_text_print(out, AG_DRIVERS_LOG);
    ag_text_add(out, log, strlen(log));
    end_line(out);
}

// ---- a word of the text ------------------------------------------------------------------------

// The next occurrence of a whole word outside of // comments.
static const char *find_word(const char *text, const char *from, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(from, word); at; at = strstr(at + 1, word)) {
        const char *line = at;
        bool commented = false;
        for (; line > text && line[-1] != '\n'; --line)
            commented = commented || (line[-1] == '/' && line[0] == '/');
        if (!commented && (at == text || !is_word(at[-1])) && !is_word(at[length]))
            return at;
    }
    return NULL;
}

// The first occurrence of a whole word in a file of a source.
static const char *find_in_file(const ag_source *source, const char *word, uint32_t file,
                                const char **line, ag_source_line *place)
{
    const char *text = source->text.data;
    for (const char *at = find_word(text, text, word); at; at = find_word(text, at + 1, word)) {
        size_t row = 1;
        for (const char *c = text; c < at; ++c)
            row += *c == '\n';
        *line = row_at(source, row, place);
        if (*line && place->file == file)
            return at;
    }
    return NULL;
}

void ag_source_point_at(const ag_source *source, const char *word, const char *what,
                        ag_problem *problem)
{
    const char *at = NULL, *line = NULL;
    ag_source_line place;
    for (uint32_t i = 0; i < source->file_count && !at && word && source->text.data; ++i)
        at = find_in_file(source, word, i, &line, &place);
    if (at) {
        ag_problem_point(problem, problem->text.host, source->files[place.file], place.line, line,
                         at, what);
        return;
    }
    snprintf(problem->file, sizeof problem->file, "%s", source->files[0]);
    ag_text_print(&problem->text, "%s: %s", source->files[0], what);
}
