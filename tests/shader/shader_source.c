// shader_source.c - includes, line tables, and drivers' logs explained by them; no GL
// SPDX-License-Identifier: MIT
#include "test_shader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "folder.h"
#include "host.h"
#include "shader/embedded.h"
#include "shader/source.h"

#define HEAD "#version 430 core\n"
#define DEFINES "#define D 1\n"

// ---- expanding ---------------------------------------------------------------------------------

static ag_status expand(test_host *h, const folder *d, const char *name, ag_source *source)
{
    ag_source_root root = {&h->host, NULL, d ? AG_ORIGIN_FOLDER : AG_ORIGIN_BUILT_IN, false};
    if (d)
        CHECK_STATUS(ag_watch_create(&h->host, d->path, &root.watch), AG_OK);
    host_log_clear(h);
    ag_status status = ag_source_expand(&root, name, HEAD, DEFINES, source);
    if (status == AG_E_SHADER)
        ag_problem_log(&h->host, &source->problem, AG_E_SHADER);
    ag_watch_free(root.watch);
    return status;
}

static size_t rows_of(const ag_source *source)
{
    return source->lines.length / sizeof(ag_source_line);
}

static ag_source_line row_at(const ag_source *source, size_t row) // from 1
{
    ag_source_line line;
    memcpy(&line, source->lines.data + (row - 1) * sizeof line, sizeof line);
    return line;
}

// The text of line `row` (from 1), and its length without line end.
static const char *line_of(const char *text, size_t row, size_t *length)
{
    while (--row)
        text = strchr(text, '\n') + 1;
    *length = strcspn(text, "\n");
    if (*length && text[*length - 1] == '\r')
        --*length;
    return text;
}

size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text; ++text)
        count += *text == '\n';
    return count;
}

// Whether a text is that of a line with blanks in the place of comments and nothing at its end.
static bool is_code_of(const char *text, size_t length, const char *line)
{
    bool comment = false;
    for (size_t i = 0; i < length; ++i) {
        comment = comment || !strncmp(line + i, "/*", 2);
        if (text[i] != (comment ? ' ' : line[i]))
            return false;
        comment = comment && (i < 1 || strncmp(line + i - 1, "*/", 2) != 0);
    }
    line += length + strspn(line + length, " ");
    return *line == '\n' || !*line || !strncmp(line, "//", 2) || !strncmp(line, "/*", 2);
}

// Every line of every shader comes from where the table says, and none is lost.
void test_embedded(void **state)
{
    (void)state;
    test_host h;
    host_init(&h, NULL);
    int shaders = 0, lines = 0;
    for (const ag_embedded_file *file = ag_embedded_shaders; file->path; ++file) {
        const char *dot = strrchr(file->path, '.');
        if (!dot || strcmp(dot, ".comp") != 0)
            continue;
        ag_source s;
        CHECK_STATUS(expand(&h, NULL, file->path, &s), AG_OK);
        CHECK_EQ(count_lines(s.text.data), rows_of(&s));
        CHECK(strstr(s.text.data, "#version") != NULL);
        CHECK(strstr(strstr(s.text.data, "#version") + 1, "#version") == NULL);
        CHECK(strstr(s.text.data, "#include \"") == NULL);
        for (size_t row = 1; row <= rows_of(&s); ++row) {
            ag_source_line place = row_at(&s, row);
            if (place.file == AG_SOURCE_MAX_FILES)
                continue; // generated
            CHECK(place.file < s.file_count);
            const ag_embedded_file *from = ag_embedded_shaders;
            while (strcmp(from->path, s.files[place.file]) != 0)
                ++from;
            size_t got, want;
            const char *a = line_of(s.text.data, row, &got);
            const char *b = line_of(from->text, place.line, &want);
            // An #elif becomes the #if or the #else of what the driver decides.
            bool elif = want >= 5 && !memcmp(b, "#elif", 5), is_else = !strncmp(a, "#else", 5);
            bool as_if = elif && !memcmp(a, "#if", 3) && is_code_of(a + 3, got - 3, b + 5);
            bool same = is_code_of(a, got, b);
            CHECK_F(same || (elif && is_else) || as_if, "%s, line %zu is not %s:%u", file->path,
                    row, from->path, place.line);
            ++lines;
        }
        ++shaders;
        ag_source_free(&s);
    }
    printf("  ok    %d shaders, %d lines: each from where the table says\n", shaders, lines);
    CHECK(shaders >= 5);
    CHECK(host_finish(&h));
}

#define ONCE(file) "#ifndef AG_ONCE_" #file "\n#define AG_ONCE_" #file "\n"

typedef struct expansion_case {
    const char *name;
    const char *files[8]; // path, text, path, text ...
    const char *text;     // the expansion, or NULL: it fails
    const char *message, *message2, *file;
    uint32_t line;
} expansion_case;

void test_includes(void **state)
{
    static const expansion_case cases[] = {
        {"plain",
         {"m.comp", "#version 430 core\nvoid main() {}\n"},
         .text = HEAD DEFINES "void main() {}\n"},
        {"no version line", {"m.comp", "a\nb\n"}, .text = "a\nb\n"},
        {"no last line end", {"m.comp", "a\nb"}, .text = "a\nb\n"},
        {"CRLF",
         {"m.comp", "#version 430 core\r\n#include \"i.glsl\"\r\n\r\nc\r\n", "i.glsl", "a\r\nb"},
         .text = HEAD DEFINES "a\nb\nc\n"},
        {"empty", {"m.comp", ""}, .text = ""},
        {"an empty include",
         {"m.comp", "a\n#include \"i.glsl\"\nb\n", "i.glsl", ""},
         .text = "a\nb\n"},
        {"twice",
         {"m.comp", "#include \"i.glsl\"\nx\n#include \"i.glsl\"\n", "i.glsl", "a\n"},
         .text = "a\nx\na\n"},
        {"once",
         {"m.comp", "#include \"i.glsl\"\nx\n#include \"i.glsl\"\n", "i.glsl",
          "// i\n // j\n # pragma\tonce // why\na\n"},
         .text = "// i\na\nx\n"},
        {"once, within an #if at first", // the driver decides which copy is the first
         {"m.comp",
          "#if A\n#include \"i.glsl\"\n#endif\n#include \"i.glsl\"\n#include \"j.glsl\"\n",
          "i.glsl", "#pragma once\n#include \"j.glsl\"\na\n", "j.glsl", "#pragma once\nb\n"},
         .text = "#if A\n" ONCE(1) ONCE(2) "b\n#endif\na\n#endif\n#endif\n" ONCE(1)
             ONCE(2) "b\n#endif\na\n#endif\n" ONCE(2) "b\n#endif\n"},
        {"an include guard",
         {"m.comp", "#include \"i.glsl\"\n#include \"i.glsl\"\n", "i.glsl",
          "#ifndef I\n#define I\n#endif\n"},
         .text = "#define I\n"},
        {"another pragma",
         {"m.comp", "#include \"i.glsl\"\n#include \"i.glsl\"\n", "i.glsl", "#pragma onces(x)\n"},
         .text = "#pragma onces(x)\n#pragma onces(x)\n"},
        {"blanks",
         {"m.comp", " \t# \tinclude\t \"d/i.glsl\" // why\n", "d/i.glsl", "a\n"},
         .text = "a\n"},
        {"in a comment",
         {"m.comp", "// #include \"no.glsl\"\n/*\n#if 0\n*/ a // b\n  // c\n\n"},
         .text = "// #include \"no.glsl\"\n   a\n"},
        {"comments behind code",
         {"m.comp", "// m\na // b\n\tc /* d */ e  \t// f\n/* g\n*/\nh /* i\n j */ k /*\n*/\n"},
         .text = "// m\na\n\tc         e\nh\n      k\n"},
        {"a comment at first, of several lines", {"m.comp", "/* m\n*/\na\n"}, .text = "a\n"},
        {"comments that go on",
         {"m.comp", "\na // b \\\n#define C \\\n#define D\n#define E 1 // f \\\n  g\n"
                    "#define H /* i \\\n  j */ k \\\n  l\nm\n"},
         .text = "a\n#define E 1\\\n\n#define H\\\n       k \\\n  l\nm\n"},
        {"missing",
         {"m.comp", "a\nb\n#include \"d/no.glsl\"\n"},
         NULL,
         "d/no.glsl",
         "m.comp:3",
         "m.comp",
         3},
        {"missing below",
         {"m.comp", "\n#include \"i.glsl\"\n", "i.glsl", "x\n#include \"no.glsl\"\n"},
         NULL,
         "i.glsl:2",
         "m.comp:2",
         "i.glsl",
         2},
        {"itself", {"m.comp", "x\n#include \"m.comp\"\n"}, NULL, "circle", "m.comp:2", "m.comp", 2},
        {"a circle",
         {"m.comp", "\n#include \"a.glsl\"\n", "a.glsl", "#include \"b.glsl\"\n", "b.glsl",
          "\n\n#include \"a.glsl\"\n"},
         NULL,
         "b.glsl:3",
         "included from a.glsl:1\n  included from m.comp:2",
         "b.glsl",
         3},
        {"no such entry", {"other.comp", ""}, NULL, "m.comp", "cannot read", "m.comp", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const expansion_case *c = &cases[i];
        test_host h;
        host_init(&h, NULL);
        folder d = folder_create();
        for (int k = 0; k < 8 && c->files[k]; k += 2)
            folder_put(&d, c->files[k], c->files[k + 1]);
        ag_source s;
        ag_status status = expand(&h, &d, "m.comp", &s);
        if (c->text) {
            CHECK_STATUS(status, AG_OK);
            const char *text = s.text.data ? s.text.data : "";
            CHECK_F(strcmp(text, c->text) == 0, "%s: \"%s\" is not \"%s\"", c->name, text, c->text);
            CHECK_EQ(rows_of(&s), count_lines(text));
        } else {
            CHECK_STATUS(status, AG_E_SHADER);
            CHECK_EQ(h.message_count, 1);
            const host_message *m = &h.messages[0];
            CHECK_EQ(m->code, AG_E_SHADER);
            CHECK_HAS(m->text, c->message);
            CHECK_HAS(m->text, c->message2);
            CHECK_F(strcmp(m->file, c->file) == 0 && m->line == c->line, "%s: %s:%u", c->name,
                    m->file, m->line);
        }
        check_case(c->name, true);
        ag_source_free(&s);
        folder_destroy(&d);
        CHECK(host_finish(&h));
    }
}

// Limits: 8 files deep, 32 files, names of 95 characters. One below passes, one beyond is refused.
void test_include_limits(void **state)
{
    static const struct {
        int most, beyond;
        const char *message;
    } limits[] = {{AG_SOURCE_MAX_DEPTH, AG_SOURCE_MAX_DEPTH + 1, "deeper than 8"},
                  {AG_SOURCE_MAX_FILES, AG_SOURCE_MAX_FILES + 1, "more than 32 files"},
                  {95, 400, "longer than 95"}};
    (void)state;
    test_host h;
    host_init(&h, NULL);
    for (int kind = 0; kind < 3; ++kind)
        for (int fits = 0; fits < 2; ++fits) {
            int count = fits ? limits[kind].most : limits[kind].beyond;
            char all[2048] = "", name[401], text[512];
            folder d = folder_create();
            for (int i = 1; kind < 2 && i < count; ++i) { // each includes the next, or one has all
                snprintf(name, sizeof name, "f%d", i);
                snprintf(text, sizeof text, "#include \"f%d\"\n", i + 1);
                folder_put(&d, name, kind == 0 && i + 1 < count ? text : "x\n");
                snprintf(text, sizeof text, "#include \"f%d\"\n", i);
                if (kind || i == 1)
                    strcat(all, text);
            }
            if (kind == 2) {
                memset(name, 'n', sizeof name);
                name[count] = 0;
                snprintf(all, sizeof all, "#include \"%s\"\n", name);
                if (fits)
                    folder_put(&d, name, "x\n");
            }
            folder_put(&d, "m", all);
            ag_source s;
            CHECK_STATUS(expand(&h, &d, "m", &s), fits ? AG_OK : AG_E_SHADER);
            CHECK(fits || host_log_error(&h, AG_E_SHADER, limits[kind].message));
            ag_source_free(&s);
            folder_destroy(&d);
        }
    CHECK(host_finish(&h));
}

// ---- logs --------------------------------------------------------------------------------------

//   1 #pragma main       m.comp:1         5 b1              b.glsl:1
//   2 #version 430 core  generated        6     b2 = foo;   b.glsl:2
//   3 #define D 1        generated        7 \ta3 = foo;     a.glsl:3
//   4 a1                 a.glsl:1         8 main4           m.comp:4
static ag_source make_source(test_host *h, folder *d)
{
    folder_put(d, "m.comp", "#pragma main\n#version 430 core\n#include \"a.glsl\"\nmain4\n");
    folder_put(d, "a.glsl", "a1\n#include \"b.glsl\"\n\ta3 = foo;\n");
    folder_put(d, "b.glsl", "b1\n    b2 = foo;\n");
    ag_source s;
    CHECK_STATUS(expand(h, d, "m.comp", &s), AG_OK);
    CHECK_EQ(rows_of(&s), 8);
    return s;
}

void test_logs(void **state)
{
    static const struct {
        const char *name, *log, *part, *part2, *file;
        uint32_t line, column; // column 0: whatever, the driver gave none
    } cases[] = {
        {"Mesa, in a nested include", "0:6(10): error: `foo' undeclared\n",
         "b.glsl:2:10: error: `foo' undeclared", "    b2 = foo;\n         ^\n", "b.glsl", 2, 10},
        {"Mesa, below the include", "0:7(7): error: `foo' undeclared\n",
         "a.glsl:3:7: ", "    a3 = foo;\n         ^\n", "a.glsl", 3, 7},
        {"Mesa, in the entry", "0:8(1): error: syntax error\n", "m.comp:4:1: error: syntax error",
         "    main4\n    ^\n", "m.comp", 4, 1},
        {"Mesa, preprocessor", "0:4(1): preprocessor error: #error \"x\"\n",
         "a.glsl:1:1: preprocessor error", "    a1\n    ^\n", "a.glsl", 1, 1},
        {"Mesa, two messages", "0:1(1): warning: w\n0:5(2): error: e\n", "m.comp:1:1: warning: w",
         "b.glsl:1:2: error: e", "m.comp", 1, 1},
        {"NVIDIA", "0(6) : error C1503: undefined variable \"foo\"\n", "b.glsl:2:",
         "error C1503: undefined variable \"foo\"\n    b2 = foo;\n         ^\n", "b.glsl", 2, 10},
        {"a word that is quoted, and a wrong column", "0:6(7): error: no function `foo(int)'\n",
         "b.glsl:2:10: error: no function `foo(int)'\n    b2 = foo;\n         ^\n", "", "b.glsl", 2,
         10},
        {"several about one place", "0:6(10): error: a\n0:6(10): error: b\n",
         "b.glsl:2:10: error: a\nb.glsl:2:10: error: b\n    b2 = foo;\n         ^\n", "", "b.glsl",
         2, 10},
        {"NVIDIA, with a header line",
         "Compute info\n------------\n0(7) : error C0000: syntax error, unexpected ';'\n",
         "a.glsl:3:", "    a3 = foo;\n    ^\n", "a.glsl", 3, 0},
        {"others", "ERROR: 0:8: 'foo' : undeclared identifier\n", "m.comp:4:", "    main4\n    ^\n",
         "m.comp", 4, 0},
        {"others, a warning", "WARNING: 0:5: 'x' : y\n", "b.glsl:1:", "    b1\n    ^\n", "b.glsl",
         1, 0},
        {"a line of the plugin's own", "0:3(9): error: e\n", "(defines of the plugin): error: e",
         "    #define D 1\n            ^\n", "", 0, 0},
        {"a column beyond the line", "0:5(900): error: e\n", "b.glsl:1:", "    b1\n", "b.glsl", 1,
         0},
        {"a line beyond the text", "0:9(1): error: e\n", "0:9(1): error: e", "", "", 0, 0},
        {"line 0", "0:0(0): error: e\n", "0:0(0): error: e", "", "", 0, 0},
        {"a number too large", "0:99999999999999999999(99999999999999999999): error: e\n",
         "error: e", "", "", 0, 0},
        {"2^32 + 5", "0:4294967301(1): error: e\n", "error: e", "", "", 0, 0},
        {"empty", "", "", "", "", 0, 0},
        {"words", "internal compiler error\n\n\n", "internal compiler error", "", "", 0, 0},
    };
    (void)state;
    test_host h;
    host_init(&h, NULL);
    folder d = folder_create();
    ag_source s = make_source(&h, &d);
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ag_text out = {.host = &h.host};
        ag_message first = {.struct_size = sizeof first};
        ag_source_explain(&s, cases[i].log, &out, &first);
        const char *text = out.data ? out.data : "";
        const char *file = cases[i].file;
        bool right = strstr(text, cases[i].part) && strstr(text, cases[i].part2);
        if (file && *file)
            right = right && first.file && strcmp(first.file, file) == 0 &&
                    first.line == cases[i].line &&
                    (!cases[i].column || first.column == cases[i].column);
        else if (file)
            right = right && !first.file && first.line == 0;
        if (!right)
            printf("  note  %s:%u:%u\n%s\n", first.file ? first.file : "(none)", first.line,
                   first.column, text);
        good = check_case(cases[i].name, right) && good;
        ag_text_free(&out);
    }
    ag_source_free(&s);
    folder_destroy(&d);
    CHECK(host_finish(&h));
    CHECK(good);
}
