// conditions.c - which lines of a shader its #if, #ifdef, #elif and #else leave
// SPDX-License-Identifier: MIT
#include "shader/conditions.h"
#include "base/hash.h"

#include <ctype.h>
#include <string.h>

// ---- what is defined ---------------------------------------------------------------------------

typedef enum macro_kind {
    UNDEFINED,
    VALUE,  // its text may take part in an expression
    OPAQUE, // defined, but no matter as what: with parameters, or over several lines
    UNSURE  // the driver alone knows
} macro_kind;

typedef struct macro {
    macro_kind kind;
    uint32_t name, name_length, value, value_length; // places in ag_conditions.names
    uint32_t next;                                   // in its bucket, from 1
} macro;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *at, const char *end)
{
    size_t length = 0;
    while (at + length < end && is_word(at[length]))
        ++length;
    return length && !isdigit((unsigned char)*at) ? length : 0;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        ++at;
    return at;
}

static uint32_t *bucket_of(ag_conditions *c, const char *name, size_t length)
{
    return &c->buckets[ag_hash128_of(name, length).low % AG_CONDITIONS_BUCKETS];
}

static const macro *find(ag_conditions *c, const char *name, size_t length)
{
    for (uint32_t at = *bucket_of(c, name, length); at;) {
        const macro *m = (const macro *)(const void *)c->macros.data + (at - 1);
        if (m->name_length == length && !memcmp(c->names.data + m->name, name, length))
            return m;
        at = m->next;
    }
    return NULL;
}

static macro_kind kind_of(ag_conditions *c, const char *name, size_t length)
{
    const macro *m = find(c, name, length);
    bool drivers =
        (length > 3 && !memcmp(name, "GL_", 3)) || (length > 2 && !memcmp(name, "__", 2));
    return m ? m->kind : drivers ? UNSURE : UNDEFINED;
}

// A later row hides an earlier one of its name.
static void set(ag_conditions *c, const char *name, size_t length, macro_kind kind,
                const char *value, size_t value_length)
{
    uint32_t *bucket = bucket_of(c, name, length);
    macro m = {
        c->unsure ? UNSURE : kind, (uint32_t)c->names.length, (uint32_t)length, 0, 0, *bucket};
    ag_text_add(&c->names, name, length);
    m.value = (uint32_t)c->names.length;
    m.value_length = (uint32_t)value_length;
    ag_text_add(&c->names, value, value_length);
    ag_text_add(&c->macros, (const char *)&m, sizeof m);
    if (!c->names.failed && !c->macros.failed)
        *bucket = (uint32_t)(c->macros.length / sizeof m);
}

// Where a comment begins, or the end.
static const char *code_end(const char *at, const char *end)
{
    for (; at + 1 < end; ++at)
        if (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
            return at;
    return end;
}

static void define(ag_conditions *c, const char *at, const char *end)
{
    at = skip_blanks(at, end);
    size_t length = word_length(at, end);
    const char *value = at + length, *last = code_end(value, end);
    bool plain = (value == end || *value != '(') && !memchr(value, '\n', (size_t)(end - value)) &&
                 (last == end || last[1] == '/');
    if (length)
        set(c, at, length, plain ? VALUE : OPAQUE, value, plain ? (size_t)(last - value) : 0);
}

// ---- expressions -------------------------------------------------------------------------------

enum { MAX_NESTED = 16, MAX_TOKENS = 4096 };

typedef struct value {
    bool known;
    int64_t number;
} value;

typedef struct text {
    const char *at, *end;
    const macro *of; // NULL: the line itself
} text;

// Reads tokens, with a macro's text in the place of its name.
typedef struct reader {
    ag_conditions *c;
    text stack[MAX_NESTED];
    uint32_t depth, tokens;
    bool failed;       // no expression of integers
    char sign[3];      // the present token: an operator, "" for a value or the end
    bool is_end, word; // word: an identifier without a value
    value operand;
    const char *name;
    size_t name_length;
} reader;

static bool on_stack(const reader *r, const macro *m)
{
    for (uint32_t i = 0; i < r->depth; ++i)
        if (r->stack[i].of == m)
            return true;
    return false;
}

static void read_number(reader *r, text *t)
{
    int base = 10;
    uint64_t number = 0;
    if (t->at + 1 < t->end && *t->at == '0') {
        bool hex = t->at[1] == 'x' || t->at[1] == 'X';
        base = hex ? 16 : 8;
        t->at += hex ? 2 : 0;
    }
    for (; t->at < t->end && isxdigit((unsigned char)*t->at); ++t->at) {
        int digit = isdigit((unsigned char)*t->at) ? *t->at - '0'
                                                   : tolower((unsigned char)*t->at) - 'a' + 10;
        r->failed = r->failed || digit >= base || number > UINT32_MAX;
        number = number * (uint64_t)base + (uint64_t)digit;
    }
    if (t->at < t->end && (*t->at == 'u' || *t->at == 'U'))
        ++t->at;
    if (t->at < t->end && (is_word(*t->at) || *t->at == '.'))
        r->failed = true;
    r->operand = (value){true, (int64_t)number};
}

// `expand`: names stand for their texts; not after `defined`.
static void next(reader *r, bool expand)
{
    static const char twos[][3] = {"&&", "||", "==", "!=", "<=", ">=", "<<", ">>"};
    r->sign[0] = 0;
    r->is_end = r->word = false;
    r->operand = (value){false, 0};
    if (++r->tokens > MAX_TOKENS)
        r->failed = true;
    while (!r->failed) {
        text *t = &r->stack[r->depth - 1];
        t->at = skip_blanks(t->at, t->end);
        if (t->at == t->end) {
            if (r->depth == 1)
                break;
            --r->depth;
            continue;
        }
        r->name = t->at;
        r->name_length = word_length(t->at, t->end);
        if (r->name_length) {
            t->at += r->name_length;
            const macro *m = find(r->c, r->name, r->name_length);
            if (!expand || !m || m->kind != VALUE || on_stack(r, m)) {
                r->word = true;
                return;
            }
            if (r->depth == MAX_NESTED)
                break;
            const char *begin = r->c->names.data + m->value;
            r->stack[r->depth++] = (text){begin, begin + m->value_length, m};
            continue;
        }
        if (isdigit((unsigned char)*t->at)) {
            read_number(r, t);
            return;
        }
        r->sign[0] = *t->at++;
        r->sign[1] = r->sign[2] = 0;
        for (size_t i = 0; t->at < t->end && i < sizeof twos / sizeof *twos; ++i)
            if (r->sign[0] == twos[i][0] && *t->at == twos[i][1]) {
                r->sign[1] = *t->at++;
                break;
            }
        return;
    }
    r->failed = r->failed || r->depth > 1;
    r->is_end = true;
}

static bool is_sign(const reader *r, const char *sign)
{
    return !r->is_end && !strcmp(r->sign, sign);
}

static value read_expression(reader *r, int least);

static value read_defined(reader *r)
{
    next(r, false);
    bool open = is_sign(r, "(");
    if (open)
        next(r, false);
    macro_kind kind = r->word ? kind_of(r->c, r->name, r->name_length) : UNSURE;
    r->failed = r->failed || !r->word;
    if (open) {
        next(r, false);
        r->failed = r->failed || !is_sign(r, ")");
    }
    next(r, true);
    return (value){kind != UNSURE, kind == VALUE || kind == OPAQUE};
}

static value read_operand(reader *r)
{
    static const char signs[] = "!~+-";
    if (r->failed || r->is_end) {
        r->failed = true;
        return (value){false, 0};
    }
    if (r->word) {
        if (r->name_length == 7 && !memcmp(r->name, "defined", 7))
            return read_defined(r);
        next(r, true);
        r->failed = r->failed || is_sign(r, "("); // a macro with parameters
        return (value){false, 0};
    }
    if (!r->sign[0]) {
        value v = r->operand;
        next(r, true);
        return v;
    }
    char sign = r->sign[1] ? 0 : r->sign[0];
    next(r, true);
    if (sign == '(') {
        value v = read_expression(r, 0);
        r->failed = r->failed || !is_sign(r, ")");
        next(r, true);
        return v;
    }
    r->failed = r->failed || !sign || !strchr(signs, sign) || ++r->tokens > MAX_TOKENS;
    value v = read_operand(r);
    v.number = sign == '!'   ? !v.number
               : sign == '~' ? ~v.number
               : sign == '-' ? -v.number
                             : v.number;
    return v;
}

static int precedence(const reader *r)
{
    static const struct {
        char sign[3];
        int precedence;
    } table[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                 {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                 {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
    for (size_t i = 0; !r->is_end && i < sizeof table / sizeof *table; ++i)
        if (!strcmp(r->sign, table[i].sign))
            return table[i].precedence;
    return 0;
}

static value combine(const char *sign, value a, value b)
{
    bool both = a.known && b.known;
    int64_t x = a.number, y = b.number;
    if (!strcmp(sign, "&&")) {
        bool no = (a.known && !x) || (b.known && !y);
        return (value){both || no, both && x && y};
    }
    if (!strcmp(sign, "||")) {
        bool yes = (a.known && x) || (b.known && y);
        return (value){both || yes, yes};
    }
    if (!both)
        return (value){false, 0};
    bool too_large = x > INT32_MAX || x < INT32_MIN || y > INT32_MAX || y < INT32_MIN;
    switch (sign[0]) {
    case '|': return (value){true, x | y};
    case '^': return (value){true, x ^ y};
    case '&': return (value){true, x & y};
    case '=': return (value){sign[1] == '=', x == y};
    case '!': return (value){true, x != y};
    case '<':
        if (sign[1] == '<')
            return (value){y >= 0 && y < 31 && x >= 0 && !too_large,
                           too_large || y < 0 || y > 30 ? 0 : (int64_t)((uint64_t)x << y)};
        return (value){true, sign[1] ? x <= y : x < y};
    case '>':
        if (sign[1] == '>')
            return (value){y >= 0 && y < 31 && x >= 0, y < 0 || y > 30 || x < 0 ? 0 : x >> y};
        return (value){true, sign[1] ? x >= y : x > y};
    case '+': return (value){!too_large, too_large ? 0 : x + y};
    case '-': return (value){!too_large, too_large ? 0 : x - y};
    case '*': return (value){!too_large, too_large ? 0 : x * y};
    case '/': return (value){!too_large && y, too_large || !y ? 0 : x / y};
    default: return (value){!too_large && y, too_large || !y ? 0 : x % y};
    }
}

// By precedence climbing: binary operators of at least this precedence.
static value read_expression(reader *r, int least)
{
    if (++r->tokens > MAX_TOKENS)
        r->failed = true;
    value left = read_operand(r);
    for (int p = precedence(r); !r->failed && p > least; p = precedence(r)) {
        char sign[3];
        memcpy(sign, r->sign, sizeof sign);
        next(r, true);
        left = combine(sign, left, read_expression(r, p));
    }
    return left;
}

static value evaluate(ag_conditions *c, const char *at, const char *end)
{
    const char *last = code_end(at, end);
    reader r = {.c = c, .depth = 1, .failed = last < end && last[1] == '*'};
    r.stack[0] = (text){at, last, NULL};
    r.failed = r.failed || memchr(at, '\n', (size_t)(end - at)); // a line that goes on
    next(&r, true);
    value v = read_expression(&r, 0);
    v.known = v.known && !r.failed && r.is_end;
    return v;
}

static value evaluate_defined(ag_conditions *c, const char *at, const char *end, bool wanted)
{
    at = skip_blanks(at, end);
    size_t length = word_length(at, end);
    macro_kind kind = length ? kind_of(c, at, length) : UNSURE;
    return (value){kind != UNSURE, (kind == VALUE || kind == OPAQUE) == wanted};
}

// ---- directives --------------------------------------------------------------------------------

const char *ag_directive(const char *line, size_t length, size_t *name_length, const char **rest)
{
    const char *end = line + length, *at = skip_blanks(line, end);
    if (at == end || *at != '#')
        return NULL;
    at = skip_blanks(at + 1, end);
    *name_length = word_length(at, end);
    *rest = at + *name_length;
    return *name_length ? at : NULL;
}

static ag_verdict open_if(ag_conditions *c, value v)
{
    bool outside = ag_conditions_keep(c);
    if (c->depth == AG_CONDITIONS_DEPTH)
        return AG_TOO_DEEP;
    bool passed_on = outside && !v.known;
    c->open[c->depth++] = (ag_condition){.outside = outside,
                                         .kept = outside && (!v.known || v.number),
                                         .taken = v.known && v.number,
                                         .passed_on = passed_on};
    c->unsure += passed_on;
    return passed_on ? AG_KEEP : AG_DROP;
}

// #elif; #else is one that is true.
static ag_verdict open_branch(ag_conditions *c, value v, bool is_else)
{
    if (!c->depth || c->open[c->depth - 1].last) // the driver says what is wrong
        return AG_KEEP;
    ag_condition *open = &c->open[c->depth - 1];
    open->last = is_else;
    open->kept = open->outside && !open->taken && (!v.known || v.number);
    if (!open->kept)
        return AG_DROP;
    open->taken = v.known;
    if (open->passed_on)
        return v.known && !is_else ? AG_AS_ELSE : AG_KEEP;
    open->passed_on = !v.known;
    c->unsure += open->passed_on;
    return v.known ? AG_DROP : AG_AS_IF;
}

static ag_verdict close_if(ag_conditions *c)
{
    if (!c->depth)
        return AG_KEEP;
    bool passed_on = c->open[--c->depth].passed_on;
    c->unsure -= passed_on;
    return passed_on ? AG_KEEP : AG_DROP;
}

void ag_conditions_begin(ag_conditions *c, const ag_host *host)
{
    *c = (ag_conditions){.macros.host = host, .names.host = host};
}

void ag_conditions_free(ag_conditions *c)
{
    ag_text_free(&c->macros);
    ag_text_free(&c->names);
}

ag_verdict ag_conditions_line(ag_conditions *c, const char *line, size_t length)
{
    static const value yes = {true, 1};
    const char *end = line + length, *rest;
    size_t n;
    const char *name = ag_directive(line, length, &n, &rest);
    bool kept = ag_conditions_keep(c);
#define IS(word) (name && n == sizeof word - 1 && !memcmp(name, word, n))
    if (IS("if"))
        return open_if(c, kept ? evaluate(c, rest, end) : yes);
    if (IS("ifdef") || IS("ifndef"))
        return open_if(c, kept ? evaluate_defined(c, rest, end, n == 5) : yes);
    if (IS("elif")) {
        // what follows a branch that is certain is not looked at
        bool asked = c->depth && c->open[c->depth - 1].outside && !c->open[c->depth - 1].taken;
        return open_branch(c, asked ? evaluate(c, rest, end) : yes, false);
    }
    if (IS("else"))
        return open_branch(c, yes, true);
    if (IS("endif"))
        return close_if(c);
    if (kept && IS("define"))
        define(c, rest, end);
    if (kept && IS("undef")) {
        rest = skip_blanks(rest, end);
        set(c, rest, word_length(rest, end), UNDEFINED, "", 0);
    }
#undef IS
    return kept ? AG_KEEP : AG_DROP;
}
