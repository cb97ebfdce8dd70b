// source.c - expands a shader's includes into one string, and maps driver messages back to files
// SPDX-License-Identifier: MIT
#include "shader/source.h"
#include "base/log.h"
#include "shader/conditions.h"
#include "shader/embedded.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- reading -----------------------------------------------------------------------------------

// Skips the byte order mark that some editors write before UTF-8.
static ag_status read_file(const ag_source_root *root, const char *path, ag_watch_file *out)
{
    *out = (ag_watch_file){0};
    if (root->origin != AG_ORIGIN_BUILT_IN) {
        ag_status status = ag_watch_read(root->watch, path, root->origin == AG_ORIGIN_GOOD, out);
        if (status >= 0 && out->text && !strncmp(out->text, "\xEF\xBB\xBF", 3)) {
            out->text += 3;
            out->length -= 3;
        }
        if (status < 0 || out->text || !root->of_pass)
            return status;
    }
    const ag_embedded_file *file = ag_embedded_shaders;
    while (file->path && strcmp(file->path, path) != 0)
        ++file;
    out->text = file->text;
    out->length = file->text ? file->length : 0;
    return AG_OK;
}

// ---- expanding ---------------------------------------------------------------------------------

typedef enum comment { NO_COMMENT, TO_LINE_END, TO_ASTERISK } comment;

typedef struct expansion {
    const ag_source_root *root;
    ag_conditions conditions;
    comment comment;     // that goes on from the line before
    uint32_t pasted;     // files with #pragma once, as bits
    uint32_t perhaps;    // those with a copy within an #if that the driver decides
    uint32_t includes;   // lines with #include, so far
    size_t bytes, lines; // read so far
    bool has_pass;       // the defines of a pass's folder are there
    const char *head, *defines;
    ag_source *source;
    uint32_t chain[AG_SOURCE_MAX_DEPTH]; // files being expanded now, outermost first
    uint32_t chain_lines[AG_SOURCE_MAX_DEPTH];
    uint32_t depth;
} expansion;

static void end_row(ag_source *source, uint32_t file, uint32_t line)
{
    ag_text_add(&source->text, "\n", 1);
    ag_source_line row = {file, line};
    ag_text_add(&source->lines, (const char *)&row, sizeof row);
}

static void emit(ag_source *source, uint32_t file, uint32_t line, const char *text, size_t length)
{
    ag_text_add(&source->text, text, length);
    end_row(source, file, line);
}

static void emit_generated(ag_source *source, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        emit(source, AG_SOURCE_MAX_FILES, 0, text, length);
        text += length + (text[length] == '\n');
    }
}

// Fills the source's problem. `line` NULL: the entry file itself is missing, so there is no line.
static ag_status fail_at(const expansion *e, uint32_t file, uint32_t number, const char *line,
                         const char *at, const char *what)
{
    ag_problem *p = &e->source->problem;
    const char *from = e->source->files[file];
    if (line) {
        ag_problem_point(p, e->root->host, from, number, line, at, what);
    } else {
        p->text.host = e->root->host;
        snprintf(p->file, sizeof p->file, "%s", from);
        ag_text_print(&p->text, "%s", what);
    }
    for (uint32_t i = e->depth; i-- > 1;)
        ag_text_print(&p->text, "\n  included from %s:%u", e->source->files[e->chain[i - 1]],
                      e->chain_lines[i - 1]);
    return p->text.failed ? AG_E_MEMORY : AG_E_SHADER;
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

// Whether a line is the directive `name`; what follows it in *rest.
static bool is_directive(const char *line, size_t length, const char *name, const char **rest)
{
    size_t n;
    const char *found = ag_directive(line, length, &n, rest);
    return found && n == strlen(name) && !memcmp(found, name, n);
}

// Returns the name in `#include "name"`, its length in *name_length, or NULL for any other line.
static const char *included_name(const char *line, size_t length, size_t *name_length)
{
    const char *end = line + length, *rest;
    if (!is_directive(line, length, "include", &rest))
        return NULL;
    const char *open = memchr(rest, '"', (size_t)(end - rest));
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    if (!close)
        return NULL;
    *name_length = (size_t)(close - open - 1);
    return open + 1;
}

static bool is_pragma_once(const char *line, size_t length)
{
    const char *rest, *end = line + length;
    if (!is_directive(line, length, "pragma", &rest))
        return false;
    while (rest < end && (*rest == ' ' || *rest == '\t'))
        ++rest;
    return end - rest >= 4 && !strncmp(rest, "once", 4) &&
           (end - rest == 4 || !isalnum((unsigned char)rest[4]));
}

// Whether a file's first directive is #pragma once.
static bool is_pasted_once(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n"), n;
        const char *rest;
        if (ag_directive(text, length, &n, &rest))
            return is_pragma_once(text, length);
        text += length + (text[length] == '\n');
    }
    return false;
}

static ag_status expand_file(expansion *e, uint32_t file, const ag_watch_file *content);

// Whether a path leaves the folder that it is relative to.
static bool leaves_folder(const char *path)
{
    int32_t depth = 0;
    while (*path && depth >= 0) {
        size_t length = strcspn(path, "/\\");
        bool up = length == 2 && !strncmp(path, "..", 2), here = length == 1 && *path == '.';
        depth += up ? -1 : length && !here ? 1 : 0;
        path += length + (path[length] != 0);
    }
    return depth < 0;
}

// A copy within an #if that the driver decides may be skipped: it and all later ones get an include
// guard.
static ag_status paste_once(expansion *e, uint32_t file, const ag_watch_file *content)
{
    uint32_t bit = 1u << file;
    bool unsure = e->conditions.unsure > 0, guarded = unsure || (e->perhaps & bit);
    char guard[64] = "";
    if (e->pasted & bit)
        return AG_OK;
    e->pasted |= unsure ? 0 : bit;
    e->perhaps |= unsure ? bit : 0;
    if (guarded)
        snprintf(guard, sizeof guard, "#ifndef AG_ONCE_%u\n#define AG_ONCE_%u\n", file, file);
    emit_generated(e->source, guard);
    e->conditions.unsure += guarded;
    ag_status status = expand_file(e, file, content);
    e->conditions.unsure -= guarded;
    emit_generated(e->source, guarded ? "#endif\n" : "");
    return status;
}

static void cannot_read(const ag_source_root *root, const char *path, const ag_watch_file *content,
                        char what[1300])
{
    const char *from = root->origin == AG_ORIGIN_BUILT_IN ? "the embedded shaders"
                                                          : ag_watch_directory(root->watch);
    snprintf(what, 1300, "cannot read \"%s\" from %s%s%s", path, from, content->why ? ": " : "",
             content->why ? content->why : "");
}

static void define_all(expansion *e, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        ag_conditions_line(&e->conditions, text, length);
        text += length + (text[length] == '\n');
    }
}

static ag_status expand_include(expansion *e, uint32_t from, uint32_t number, const char *line,
                                const char *name, size_t length)
{
    char path[AG_WATCH_PATH], what[1300];
    const char *problem = NULL;
    snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : 0), name);
    bool for_pass = e->root->of_pass && !strcmp(path, "pass.glsl");
    if (for_pass)
        snprintf(path, sizeof path, "pass/pass.glsl");
    bool leaves = leaves_folder(path);
    uint32_t file = length < sizeof path && !leaves ? file_index(e->source, path) : 0;
    if (length >= sizeof path)
        problem = "the include name is longer than 95 characters";
    else if (leaves)
        problem = "this include leaves the folder of shaders by \"..\"";
    else if (++e->includes > AG_SOURCE_MAX_INCLUDES)
        problem = "there are more than 4096 includes";
    else if (file == AG_SOURCE_MAX_FILES)
        problem = "there are more than 32 files";
    for (uint32_t i = 0; !problem && i < e->depth; ++i)
        if (e->chain[i] == file)
            problem = "this file includes itself in a circle";
    if (!problem && e->depth == AG_SOURCE_MAX_DEPTH)
        problem = "includes are nested deeper than 8";
    if (!problem) {
        ag_watch_file content;
        ag_status status = read_file(e->root, path, &content);
        if (status < 0)
            return status;
        e->source->numbers[file] = content.number;
        if (content.text) {
            e->chain_lines[e->depth - 1] = number;
            status = is_pasted_once(content.text) ? paste_once(e, file, &content)
                                                  : expand_file(e, file, &content);
            if (status >= 0 && for_pass && !e->has_pass) {
                e->has_pass = true;
                emit_generated(e->source, e->defines);
                define_all(e, e->defines);
            }
            return status;
        }
        cannot_read(e->root, path, &content, what);
        problem = what;
    }
    return fail_at(e, from, number, line, name, problem);
}

// Follows the comments of a line. In `copy`, a copy of the line (NULL: none), blanks take their
// place, so that columns stay. Returns the length up to the last word; 0: there is no code.
static size_t blank_comments(comment *now, const char *line, size_t length, char *copy)
{
    size_t code = 0;
    for (size_t i = 0, n; i < length; i += n) {
        char a = line[i], b = i + 1 < length ? line[i + 1] : 0;
        bool opens = *now == NO_COMMENT && a == '/' && (b == '/' || b == '*');
        bool ends = *now == TO_ASTERISK && a == '*' && b == '/';
        if (opens)
            *now = b == '/' ? TO_LINE_END : TO_ASTERISK;
        n = *now == TO_LINE_END ? length - i : opens || ends ? 2 : 1;
        if (*now != NO_COMMENT && copy)
            memset(copy + i, ' ', n);
        else if (*now == NO_COMMENT && !isspace((unsigned char)a))
            code = i + 1;
        if (ends)
            *now = NO_COMMENT;
    }
    bool goes_on = length && line[length - 1] == '\\';
    if (*now == TO_LINE_END && !goes_on)
        *now = NO_COMMENT;
    return code;
}

// Appends the code of a line. Returns its length; nothing is appended if it is 0.
static size_t add_code(ag_text *out, comment *now, const char *line, size_t length)
{
    size_t begin = out->length;
    ag_text_add(out, line, length);
    size_t code = blank_comments(now, line, length, out->failed ? NULL : out->data + begin);
    if (!out->failed) {
        out->length = begin + code;
        out->data[out->length] = 0;
    }
    return code;
}

// A directive that is passed on, with the lines that continue it, each without its '\r'.
static void emit_directive(ag_source *source, uint32_t file, uint32_t number, const char *line,
                           size_t length)
{
    comment now = NO_COMMENT;
    for (const char *end = line + length; line <= end; ++number) {
        size_t shown = 0;
        while (line + shown < end && line[shown] != '\n')
            ++shown;
        const char *next = line + shown + 1;
        shown -= shown && line[shown - 1] == '\r';
        size_t code = add_code(&source->text, &now, line, shown);
        bool lost = next <= end && code < shown; // the backslash, within a comment
        emit(source, file, number, "\\", lost);
        line = next;
    }
}

// One directive, which may have several lines.
static ag_status expand_directive(expansion *e, uint32_t file, uint32_t number, const char *line,
                                  size_t length)
{
    size_t n = 0;
    const char *rest, *name = included_name(line, length, &n);
    bool keeps = ag_conditions_keep(&e->conditions);
    if (keeps && name)
        return expand_include(e, file, number, line, name, n);
    if (keeps && is_directive(line, length, "version", &rest)) {
        if (e->root->of_pass)
            return AG_OK;
        emit_generated(e->source, e->head);
        emit_generated(e->source, e->defines);
        define_all(e, e->head);
        define_all(e, e->defines);
        return AG_OK;
    }
    if (is_pragma_once(line, length))
        return AG_OK;
    switch (ag_conditions_line(&e->conditions, line, length)) {
    case AG_KEEP: emit_directive(e->source, file, number, line, length); break;
    case AG_AS_IF:
        ag_text_add(&e->source->text, "#if", 3);
        ag_directive(line, length, &n, &rest);
        emit_directive(e->source, file, number, rest, (size_t)(line + length - rest));
        break;
    case AG_AS_ELSE: emit(e->source, file, number, "#else", 5); break;
    case AG_TOO_DEEP:
        return fail_at(e, file, number, line, line, "there are more than 64 #if in each other");
    case AG_DROP: break;
    }
    return AG_OK;
}

// The length of a directive with the lines that continue it.
static size_t directive_length(const char *line)
{
    for (size_t length = 0;; ++length) {
        length += strcspn(line + length, "\n");
        size_t shown = length && line[length - 1] == '\r' ? length - 1 : length;
        if (!shown || line[shown - 1] != '\\' || !line[length])
            return length;
    }
}

// Comments and lines without code are left out, because a driver reads its text each time that it
// compiles; but for a comment in a file's first line, which says its name to who reads that text.
static void expand_line(expansion *e, uint32_t file, uint32_t number, const char *line,
                        size_t length)
{
    ag_source *source = e->source;
    if (!ag_conditions_keep(&e->conditions)) {
        blank_comments(&e->comment, line, length, NULL);
        return;
    }
    size_t code = add_code(&source->text, &e->comment, line, length);
    if (code)
        end_row(source, file, number);
    else if (number == 1 && length && e->comment == NO_COMMENT)
        emit(source, file, number, line, length);
}

static ag_status expand_text(expansion *e, uint32_t file, const char *text)
{
    uint32_t line = 1, depth = e->conditions.depth;
    const char *opened = NULL; // the line with the outermost #if of this file that is open
    uint32_t opened_line = 0;
    while (*text) {
        size_t length = strcspn(text, "\n"), n;
        size_t shown = length && text[length - 1] == '\r' ? length - 1 : length;
        const char *rest;
        uint32_t first = line;
        ag_status status = AG_OK;
        if (e->comment == NO_COMMENT && ag_directive(text, shown, &n, &rest)) {
            length = directive_length(text);
            shown = length && text[length - 1] == '\r' ? length - 1 : length;
            uint32_t before = e->conditions.depth;
            status = expand_directive(e, file, line, text, shown);
            if (before == depth && e->conditions.depth > depth) {
                opened = text;
                opened_line = line;
            }
            for (size_t i = 0; i < length; ++i)
                line += text[i] == '\n';
            blank_comments(&e->comment, text, shown, NULL); // one may begin behind it
        } else {
            expand_line(e, file, line, text, shown);
        }
        const ag_source *source = e->source;
        if (status >= 0 && (source->text.failed || source->lines.failed ||
                            e->conditions.names.failed || e->conditions.macros.failed))
            status = AG_E_MEMORY;
        e->bytes += length + 1;
        e->lines += line - first + 1;
        if (status >= 0 && (e->bytes > AG_SOURCE_MAX_BYTES ||
                            e->lines * sizeof(ag_source_line) > AG_SOURCE_MAX_BYTES))
            status = fail_at(e, file, line, "", "",
                             "with its includes the shader exceeds 16 MiB or 2097152 lines");
        if (status < 0)
            return status;
        ++line;
        text += length + (text[length] == '\n');
    }
    if (e->conditions.depth > depth)
        return fail_at(e, file, opened_line, opened, opened, "this #if has no #endif in its file");
    return AG_OK;
}

// A file with a NUL byte is refused: drivers and this module would take it for the end of the text.
static ag_status fail_at_nul(const expansion *e, uint32_t file, const char *text, const char *nul)
{
    uint32_t number = 1;
    const char *line = text;
    for (const char *c = text; c < nul; ++c)
        if (*c == '\n') {
            ++number;
            line = c + 1;
        }
    return fail_at(e, file, number, line, nul, "this is a NUL byte; shaders must be UTF-8 text");
}

static ag_status expand_file(expansion *e, uint32_t file, const ag_watch_file *content)
{
    const char *nul = memchr(content->text, 0, content->length);
    comment now = e->comment; // a comment ends with its file
    e->comment = NO_COMMENT;
    e->chain[e->depth++] = file;
    ag_status status =
        nul ? fail_at_nul(e, file, content->text, nul) : expand_text(e, file, content->text);
    e->comment = now;
    --e->depth;
    return status;
}

// A pass's shader that does not include what its lines declare, at its first line of code.
static ag_status fail_without_pass(const expansion *e, uint32_t file, const char *text)
{
    uint32_t number = 1;
    const char *line = text, *next;
    while ((next = strchr(line, '\n')) && (strchr("\r\n", *line) || !strncmp(line, "//", 2))) {
        line = next + 1;
        ++number;
    }
    return fail_at(e, file, number, line, line, "expected #include \"pass.glsl\" before this");
}

ag_status ag_source_expand(const ag_source_root *root, const char *path, const char *head,
                           const char *defines, ag_source *source)
{
    *source = (ag_source){.text.host = root->host, .lines.host = root->host};
    expansion e = {.root = root, .head = head, .defines = defines, .source = source};
    ag_conditions_begin(&e.conditions, root->host);
    uint32_t file = file_index(source, path);
    ag_watch_file content;
    ag_status status = read_file(root, path, &content);
    source->numbers[file] = content.number;
    if (root->of_pass) {
        static const char roundings[] = "#define STORE 0\n"; // see pass/pass.glsl
        emit_generated(source, head);
        emit_generated(source, roundings);
        define_all(&e, head);
        define_all(&e, roundings);
    }
    if (status >= 0 && !content.text) {
        char what[1300];
        cannot_read(root, path, &content, what);
        status = fail_at(&e, file, 0, NULL, NULL, what);
    } else if (status >= 0) {
        status = expand_file(&e, file, &content);
        if (status >= 0 && root->of_pass && !e.has_pass)
            status = fail_without_pass(&e, file, content.text);
    }
    ag_conditions_free(&e.conditions);
    if (status >= 0 && (source->text.failed || source->lines.failed))
        status = AG_E_MEMORY;
    return status;
}

void ag_source_free(ag_source *source)
{
    ag_text_free(&source->text);
    ag_text_free(&source->lines);
    ag_problem_free(&source->problem);
}
