// source.c - expands a shader's includes into one string, and maps driver messages back to files
// SPDX-License-Identifier: MIT
#include "source.h"
#include "embedded.h"
#include "log.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- reading -----------------------------------------------------------------------------------

static bool read_file(const ag_source_root *root, const char *path, ag_text *out)
{
    if (!root->directory) {
        for (const ag_embedded_file *file = ag_embedded_shaders; file->path; ++file)
            if (!strcmp(file->path, path)) {
                ag_text_add(out, file->text, file->length);
                return true;
            }
        return false;
    }
    char full[1024];
    int length = snprintf(full, sizeof full, "%s/%s", root->directory, path);
    if (length < 0 || (size_t)length >= sizeof full)
        return false;
    FILE *file = fopen(full, "rb");
    if (!file)
        return false;
    char block[4096];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        ag_text_add(out, block, got);
    bool good = !ferror(file);
    fclose(file);
    return good;
}

// ---- expanding ---------------------------------------------------------------------------------

typedef struct expansion {
    const ag_source_root *root;
    const char *head, *defines;
    ag_source *source;
    uint32_t chain[AG_SOURCE_MAX_DEPTH]; // files being expanded now, outermost first
    uint32_t chain_lines[AG_SOURCE_MAX_DEPTH];
    uint32_t depth;
} expansion;

static void emit(ag_source *source, uint32_t file, uint32_t line, const char *text, size_t length)
{
    ag_text_add(&source->text, text, length);
    ag_text_add(&source->text, "\n", 1);
    ag_source_line row = {file, line};
    ag_text_add(&source->lines, (const char *)&row, sizeof row);
}

static void emit_generated(ag_source *source, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        emit(source, AG_SOURCE_MAX_FILES, 0, text, length);
        text += length + (text[length] == '\n');
    }
}

static ag_status fail_at(const expansion *e, uint32_t file, uint32_t line, const char *what,
                         const char *name)
{
    char text[1024];
    const char *from = e->source->files[file];
    int used = line ? snprintf(text, sizeof text, "%s:%u: %s \"%s\"", from, line, what, name)
                    : snprintf(text, sizeof text, "%s \"%s\"", what, name);
    for (uint32_t i = e->depth; i-- > 1 && used > 0 && (size_t)used < sizeof text;)
        used += snprintf(text + used, sizeof text - (size_t)used, "\n  included from %s:%u",
                         e->source->files[e->chain[i - 1]], e->chain_lines[i - 1]);
    ag_log(e->root->host, (ag_message){.level = AG_LOG_ERROR,
                                       .code = AG_E_SHADER,
                                       .text = text,
                                       .file = from,
                                       .line = line,
                                       .column = line ? 1 : 0});
    return AG_E_SHADER;
}

static uint32_t file_index(ag_source *source, const char *path)
{
    for (uint32_t i = 0; i < source->file_count; ++i)
        if (!strcmp(source->files[i], path))
            return i;
    if (source->file_count == AG_SOURCE_MAX_FILES || strlen(path) >= sizeof source->files[0])
        return AG_SOURCE_MAX_FILES;
    strcpy(source->files[source->file_count], path);
    return source->file_count++;
}

// Returns the name in `#include "name"`, its length in *length, or NULL for any other line.
static const char *included_name(const char *line, size_t length, size_t *name_length)
{
    const char *end = line + length;
    while (line < end && (*line == ' ' || *line == '\t'))
        ++line;
    if (line == end || *line++ != '#')
        return NULL;
    while (line < end && (*line == ' ' || *line == '\t'))
        ++line;
    if ((size_t)(end - line) < 7 || strncmp(line, "include", 7))
        return NULL;
    const char *open = memchr(line, '"', (size_t)(end - line));
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    if (!close)
        return NULL;
    *name_length = (size_t)(close - open - 1);
    return open + 1;
}

static ag_status expand_file(expansion *e, uint32_t file);

static ag_status expand_include(expansion *e, uint32_t from, uint32_t line, const char *name,
                                size_t length)
{
    char path[96];
    if (length >= sizeof path)
        return fail_at(e, from, line, "include name is too long:", "(over 95 characters)");
    memcpy(path, name, length);
    path[length] = 0;
    uint32_t file = file_index(e->source, path);
    if (file == AG_SOURCE_MAX_FILES)
        return fail_at(e, from, line, "too many files (32) with", path);
    for (uint32_t i = 0; i < e->depth; ++i)
        if (e->chain[i] == file)
            return fail_at(e, from, line, "this includes itself in a circle:", path);
    if (e->depth == AG_SOURCE_MAX_DEPTH)
        return fail_at(e, from, line, "includes are nested too deep (8) at", path);
    e->chain_lines[e->depth - 1] = line;
    return expand_file(e, file);
}

static ag_status expand_text(expansion *e, uint32_t file, const char *text)
{
    uint32_t line = 0;
    while (*text) {
        ++line;
        size_t length = strcspn(text, "\n");
        size_t shown = length && text[length - 1] == '\r' ? length - 1 : length;
        size_t name_length = 0;
        const char *name = included_name(text, shown, &name_length);
        if (name) {
            ag_status status = expand_include(e, file, line, name, name_length);
            if (status < 0)
                return status;
        } else if (shown >= 8 && !strncmp(text, "#version", 8)) {
            emit_generated(e->source, e->head);
            emit_generated(e->source, e->defines);
        } else {
            emit(e->source, file, line, text, shown);
        }
        text += length + (text[length] == '\n');
    }
    return AG_OK;
}

static ag_status expand_file(expansion *e, uint32_t file)
{
    e->chain[e->depth++] = file;
    ag_text text = {.host = e->root->host};
    ag_status status = AG_OK;
    if (!read_file(e->root, e->source->files[file], &text)) {
        --e->depth;
        uint32_t from = e->depth ? e->chain[e->depth - 1] : file;
        uint32_t line = e->depth ? e->chain_lines[e->depth - 1] : 0;
        char what[700];
        snprintf(what, sizeof what, "cannot read from %.600s:",
                 e->root->directory ? e->root->directory : "the embedded shaders");
        status = fail_at(e, from, line, what, e->source->files[file]);
        ++e->depth;
    } else if (text.failed) {
        status = AG_E_MEMORY;
    } else if (text.data) {
        status = expand_text(e, file, text.data);
    }
    ag_text_free(&text);
    --e->depth;
    return status;
}

ag_status ag_source_expand(const ag_source_root *root, const char *path, const char *head,
                           const char *defines, ag_source *source)
{
    *source = (ag_source){.text.host = root->host, .lines.host = root->host};
    expansion e = {.root = root, .head = head, .defines = defines, .source = source};
    ag_status status = expand_file(&e, file_index(source, path));
    if (status >= 0 && (source->text.failed || source->lines.failed))
        status = AG_E_MEMORY;
    return status;
}

void ag_source_free(ag_source *source)
{
    ag_text_free(&source->text);
    ag_text_free(&source->lines);
}

// ---- explaining --------------------------------------------------------------------------------

// The number behind one character; 0, which is no line, when it is too large for one.
static uint32_t number_after(const char *at, char **end)
{
    unsigned long long value = strtoull(at + 1, end, 10);
    return value <= UINT32_MAX ? (uint32_t)value : 0;
}

// Reads the place out of one line of a driver's log. Forms seen:
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

static void show_line(const ag_source *source, uint32_t row, uint32_t column, ag_text *out)
{
    const char *text = source->text.data;
    for (uint32_t i = 1; i < row && text; ++i) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!text)
        return;
    size_t length = strcspn(text, "\n");
    size_t indent = strspn(text, " \t");
    indent = indent < length ? indent : 0;
    // NVIDIA gives no column: the caret then marks where the statement begins.
    size_t at = column > indent && column <= length + 1 ? column - 1 : indent;
    ag_text_add(out, "    ", 4);
    ag_text_add(out, text + indent, length - indent);
    ag_text_add(out, "\n    ", 5);
    for (size_t i = indent; i < at; ++i)
        ag_text_add(out, text[i] == '\t' ? "\t" : " ", 1);
    ag_text_add(out, "^\n", 2);
}

static void explain_line(const ag_source *source, const char *line, ag_text *out, ag_message *first)
{
    uint32_t row, column;
    const char *message;
    if (!parse_place(line, &row, &column, &message))
        return;
    size_t rows = source->lines.length / sizeof(ag_source_line);
    if (row < 1 || row > rows)
        return;
    ag_source_line place;
    memcpy(&place, source->lines.data + (row - 1) * sizeof place, sizeof place);
    const char *file = place.file < source->file_count ? source->files[place.file]
                                                       : "(defines made by the plugin)";
    ag_text_print(out, "%s:%u:%u: %s\n", file, place.line, column ? column : 1, message);
    show_line(source, row, column, out);
    if (!first->file) {
        first->file = file;
        first->line = place.line;
        first->column = column ? column : 1;
    }
}

void ag_source_explain(const ag_source *source, const char *log, ag_text *out, ag_message *first)
{
    for (const char *at = log; *at;) {
        char line[512];
        size_t length = strcspn(at, "\n");
        size_t kept = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, at, kept);
        line[kept] = 0;
        explain_line(source, line, out, first);
        at += length + (at[length] == '\n');
    }
    ag_text_print(out, "the driver's own words:\n");
    size_t length = strlen(log);
    while (length && (log[length - 1] == '\n' || log[length - 1] == ' '))
        --length;
    ag_text_add(out, log, length);
}
