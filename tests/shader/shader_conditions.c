// shader_conditions.c - which lines #if leaves; expressions against values computed apart; no GL
// SPDX-License-Identifier: MIT
#include "test_shader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "folder.h"
#include "host.h"
#include "random.h"
#include "shader/conditions.h"
#include "shader/source.h"

#define HEAD "#version 430 core\n"
#define DEFINES "#define D 1\n#define N 3\n#define SUM 1 + N\n#define OF(x) x\n#define REAL 1.5\n"

// Expands "m.comp" in a folder with "i.glsl", which has one line.
static ag_status expand(test_host *h, folder *d, const char *text, ag_source *source)
{
    ag_source_root root = {&h->host, NULL, AG_ORIGIN_FOLDER, false};
    folder_put(d, "m.comp", text);
    folder_put(d, "i.glsl", "i\n");
    CHECK_STATUS(ag_watch_create(&h->host, d->path, &root.watch), AG_OK);
    host_log_clear(h);
    ag_status status = ag_source_expand(&root, "m.comp", HEAD, DEFINES, source);
    if (status == AG_E_SHADER)
        ag_problem_log(&h->host, &source->problem, AG_E_SHADER);
    ag_watch_free(root.watch);
    return status;
}

void test_conditions(void **state)
{
    static const struct {
        const char *name, *text, *left; // left NULL: refused, with `message`
        const char *message;
        uint32_t files;
    } cases[] = {
        {"true", "#if D\na\n#else\nb\n#endif\nc\n", "a\nc\n", NULL, 1},
        {"false", "#if D > 1\na\n#else\nb\n#endif\nc\n", "b\nc\n", NULL, 1},
        {"the second of three", "#if N == 2\na\n#elif N == 3\nb\n#elif D\nc\n#else\nd\n#endif\n",
         "b\n", NULL, 1},
        {"#ifdef, #ifndef", "#ifdef D\na\n#endif\n#ifndef D\nb\n#endif\n#ifdef E\nc\n#endif\n",
         "a\n", NULL, 1},
        {"nested",
         "#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\n#if 0\nc\n#else\nd\n#endif\n#endif\n", "d\n",
         NULL, 1},
        {"an include that nobody takes", "#if !D\n#include \"no.glsl\"\n#endif\na\n", "a\n", NULL,
         1},
        {"an include", "#if D\n#include \"i.glsl\"\n#endif\n", "i\n", NULL, 2},
        {"defined on the way",
         "#define A N\n#if A == 3\na\n#endif\n#undef A\n#ifdef A\nb\n#endif\n",
         "#define A N\na\n#undef A\n", NULL, 1},
        {"defined where nothing is kept", "#if 0\n#define A\n#endif\n#ifdef A\na\n#endif\n", "",
         NULL, 1},
        {"a macro's text is no value",
         "#if SUM * 2 == 7\na\n#endif\n#if (SUM) * 2 == 8\nb\n#endif\n", "a\nb\n", NULL, 1},
        {"what the driver knows", "#ifdef GL_x\na\n#elif D\nb\n#else\nc\n#endif\n",
         "#ifdef GL_x\na\n#else\nb\n#endif\n", NULL, 1},
        {"an #elif that it knows", "#if 0\na\n#elif defined(GL_x)\nb\n#else\nc\n#endif\n",
         "#if defined(GL_x)\nb\n#else\nc\n#endif\n", NULL, 1},
        {"an #elif that it never sees", "#if GL_x\na\n#elif 0\nb\n#else\nc\n#endif\n",
         "#if GL_x\na\n#else\nc\n#endif\n", NULL, 1},
        {"its answer does not matter",
         "#if defined(GL_x) && !D\na\n#endif\n#if GL_x || D\nb\n#endif\n", "b\n", NULL, 1},
        {"perhaps defined", "#if GL_x\n#define A\n#endif\n#ifdef A\na\n#endif\n",
         "#if GL_x\n#define A\n#endif\n#ifdef A\na\n#endif\n", NULL, 1},
        {"no integers", "#if REAL > 1\na\n#endif\n#if OF(1)\nb\n#endif\n#if Q\nc\n#endif\n",
         "#if REAL > 1\na\n#endif\n#if OF(1)\nb\n#endif\n#if Q\nc\n#endif\n", NULL, 1},
        {"divided by zero", "#if 1 / 0\na\n#endif\n", "#if 1 / 0\na\n#endif\n", NULL, 1},
        {"lines that go on",
         "#define A \\\n    1\n#ifdef A\n#if D && \\\n    N\na\n#endif\n#endif\n",
         "#define A \\\n    1\n#if D && \\\n    N\na\n#endif\n", NULL, 1},
        {"comments", "#if D // why\na\n#endif /* b\n#if 0\n*/ c\n", "a\n   c\n", NULL, 1},
        {"no #if", "a\n#endif\n#else\n", "a\n#endif\n#else\n", NULL, 1},
        {"no #endif", "a\n#if D\n#if N\n#endif\n", NULL, "m.comp:2:1: this #if has no #endif", 1},
        {"no #endif, left out", "#if 0\n", NULL, "m.comp:1:1: this #if has no #endif", 1},
    };
    (void)state;
    folder d = folder_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        test_host h;
        host_init(&h, NULL);
        char text[512];
        snprintf(text, sizeof text, HEAD "%s", cases[i].text);
        // the message counts the lines of the file without its #version
        const char *from = cases[i].left ? text : cases[i].text;
        ag_source s;
        CHECK_STATUS(expand(&h, &d, from, &s), cases[i].left ? AG_OK : AG_E_SHADER);
        if (cases[i].left) {
            const char *left = s.text.data + strlen(HEAD DEFINES);
            CHECK_F(!strcmp(left, cases[i].left), "%s: \"%s\" is not \"%s\"", cases[i].name, left,
                    cases[i].left);
            CHECK_EQ(s.lines.length / sizeof(ag_source_line), count_lines(s.text.data));
            CHECK_EQ(s.file_count, cases[i].files);
        } else {
            CHECK_HAS(h.messages[0].text, cases[i].message);
        }
        check_case(cases[i].name, true);
        ag_source_free(&s);
        CHECK(host_finish(&h));
    }
    char deep[64 * 2 * 16] = "";
    for (int limit = AG_CONDITIONS_DEPTH; limit <= AG_CONDITIONS_DEPTH + 1; ++limit) {
        test_host h;
        host_init(&h, NULL);
        deep[0] = 0;
        for (int i = 0; i < limit; ++i)
            strcat(deep, "#if 1\n");
        for (int i = 0; i < limit; ++i)
            strcat(deep, "#endif\n");
        ag_source s;
        bool fits = limit == AG_CONDITIONS_DEPTH;
        CHECK_STATUS(expand(&h, &d, deep, &s), fits ? AG_OK : AG_E_SHADER);
        CHECK(fits || host_log_error(&h, AG_E_SHADER, "more than 64 #if"));
        ag_source_free(&s);
        CHECK(host_finish(&h));
    }
    folder_destroy(&d);
}

// ---- random expressions ------------------------------------------------------------------------

typedef struct expression { // its text, and its value by C's own operators
    char text[4096];
    int64_t value;
    bool known;  // every part stays within 32 bits, and nothing is divided by zero
    bool driver; // a part that the driver alone knows decides
} expression;

static void make_expression(rng *r, int depth, expression *e)
{
    static const char *const signs[] = {"||", "&&", "|",  "^",  "&", "==", "!=", "<", ">",
                                        "<=", ">=", "<<", ">>", "+", "-",  "*",  "/", "%"};
    int kind = depth ? rng_int(r, 0, 9) : 0;
    *e = (expression){.known = true};
    if (kind == 0) {
        int leaf = rng_int(r, 0, 5);
        e->value = rng_int(r, 0, 9);
        if (leaf == 0)
            e->value = 3;
        else if (leaf == 1)
            e->value = rng_int(r, 0, 1);
        if (leaf == 5)
            e->driver = true;
        const char *formats[] = {"N",     e->value ? "defined(D)" : "defined E",
                                 "%lld",  "0x%llx",
                                 "%lldu", "GL_x"};
        snprintf(e->text, sizeof e->text, formats[leaf], (long long)e->value);
        return;
    }
    expression *a = malloc(2 * sizeof *a), *b = a + 1;
    CHECK(a != NULL);
    make_expression(r, depth - 1, a);
    if (kind < 3) {
        const char *sign = (const char *[]){"!", "-", "~"}[rng_int(r, 0, 2)];
        snprintf(e->text, sizeof e->text, "%s(%.4000s)", sign, a->text);
        e->value = *sign == '!' ? !a->value : *sign == '-' ? -a->value : ~a->value;
        e->known = a->known;
        e->driver = a->driver;
    } else {
        int sign = rng_int(r, 0, 17);
        make_expression(r, depth - 1, b);
        snprintf(e->text, sizeof e->text, "(%.2000s) %s (%.2000s)", a->text, signs[sign], b->text);
        int64_t x = a->value, y = b->value;
        bool both = a->known && b->known, small = llabs(x) <= INT32_MAX && llabs(y) <= INT32_MAX;
        bool shifts = x >= 0 && y >= 0 && y < 31;
        e->driver = a->driver || b->driver;
        if (sign < 2 && e->driver) { // one side may be enough
            bool enough = sign == 0
                              ? (!a->driver && a->known && x) || (!b->driver && b->known && y)
                              : (!a->driver && a->known && !x) || (!b->driver && b->known && !y);
            e->driver = !enough;
            e->value = sign == 0;
            e->known = true;
            free(a);
            return;
        }
        e->known = both && (sign < 11 || small) && (sign < 16 || y) &&
                   ((sign != 11 && sign != 12) || shifts);
        if (sign < 2 && ((a->known && !x == (sign == 1)) || (b->known && !y == (sign == 1))))
            e->known = true;
        if (e->known) {
            const int64_t values[] = {x || y, x && y, x | y,     x ^ y,  x & y,
                                      x == y, x != y, x<y, x> y, x <= y, x >= y};
            e->value = sign < 11    ? values[sign]
                       : sign == 11 ? (int64_t)((uint64_t)x << y)
                       : sign == 12 ? x >> y
                       : sign == 13 ? x + y
                       : sign == 14 ? x - y
                       : sign == 15 ? x * y
                       : sign == 16 ? x / y
                                    : x % y;
        }
    }
    free(a);
}

void test_expressions(void **state)
{
    (void)state;
    rng r = rng_start("expressions", 11);
    folder d = folder_create();
    int counts[3] = {0};
    for (int i = 0; i < 3000; ++i) {
        expression *e = malloc(sizeof *e);
        CHECK(e != NULL);
        make_expression(&r, rng_int(&r, 1, 4), e);
        test_host h;
        host_init(&h, NULL);
        ag_conditions c;
        ag_conditions_begin(&c, &h.host);
        const char *const defines[] = {"#define D", "#define N 3", "#undef E"};
        for (int k = 0; k < 3; ++k)
            CHECK(ag_conditions_line(&c, defines[k], strlen(defines[k])) == AG_KEEP);
        char line[5000];
        snprintf(line, sizeof line, "#if %s", e->text);
        ag_verdict verdict = ag_conditions_line(&c, line, strlen(line));
        bool sure = e->known && !e->driver;
        CHECK_F((verdict == AG_DROP) == sure, "%s: %s", line, sure ? "is known" : "is not known");
        CHECK_F(!sure || ag_conditions_keep(&c) == (e->value != 0), "%s is %lld", line,
                (long long)e->value);
        ++counts[sure ? e->value != 0 : 2];
        ag_conditions_free(&c);
        CHECK(host_finish(&h));
        free(e);
    }
    printf("  ok    %d expressions are false, %d true, %d the driver's\n", counts[0], counts[1],
           counts[2]);
    CHECK(counts[0] > 300 && counts[1] > 300 && counts[2] > 300);
    folder_destroy(&d);
}
