// words.c - the words of a line, and where an error is
// SPDX-License-Identifier: MIT
#include "passes/words.h"
#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- errors: the first one counts --------------------------------------------------------------

void ag_word_fail(ag_words *r, const char *at, const char *format, ...)
{
    char what[400];
    va_list values;
    if (r->failed)
        return;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    r->failed = true;
    ag_problem_point(r->problem, r->host, AG_PASS_FILE, r->number, r->line, at, what);
}

int32_t ag_word_shown(size_t length) // of what a message quotes
{
    return length < 40 ? (int32_t)length : 40;
}

void ag_word_expected(ag_words *r, ag_word t, const char *what)
{
    if (t.at == r->end && !t.quoted)
        ag_word_fail(r, t.at, "expected %s, and the line ends here", what);
    else
        ag_word_fail(r, t.at - t.quoted, "expected %s, not \"%.*s\"", what, ag_word_shown(t.length),
                     t.at);
}

// ---- tokens ------------------------------------------------------------------------------------

ag_word ag_word_peek(const ag_words *r)
{
    ag_word t = {.at = r->at};
    while (t.at < r->end && (*t.at == ' ' || *t.at == '\t'))
        ++t.at;
    if (t.at < r->end && *t.at == '"') {
        const char *close = memchr(t.at + 1, '"', (size_t)(r->end - t.at - 1));
        ++t.at;
        t.quoted = true;
        t.length = (size_t)((close ? close : r->end) - t.at);
        return t;
    }
    while (t.at + t.length < r->end && !strchr(" \t\"", t.at[t.length]))
        ++t.length;
    return t;
}

void ag_word_skip(ag_words *r, ag_word t)
{
    r->word = t.at - t.quoted;
    r->at = t.at + t.length + t.quoted;
    if (r->at > r->end)
        r->at = r->end;
}

ag_word ag_word_next(ag_words *r)
{
    ag_word t = ag_word_peek(r);
    ag_word_skip(r, t);
    if (t.quoted && t.at + t.length == r->end)
        ag_word_fail(r, t.at - 1, "this text has no second quote");
    return t;
}

bool ag_word_is(ag_word t, const char *word)
{
    return !t.quoted && t.length == strlen(word) && !memcmp(t.at, word, t.length);
}

bool ag_word_take(ag_words *r, const char *word)
{
    ag_word t = ag_word_peek(r);
    bool taken = ag_word_is(t, word);
    if (taken)
        ag_word_skip(r, t);
    return taken;
}

const char *ag_word_keep(ag_words *r, const char *at, size_t length)
{
    ag_description *d = r->d;
    if (d->string_used + length + 1 > d->string_room) { // cannot be: see ag_description_read
        r->failed = true;
        return "";
    }
    char *copy = d->strings + d->string_used;
    memcpy(copy, at, length);
    copy[length] = 0;
    d->string_used += length + 1;
    return copy;
}

// ---- names -------------------------------------------------------------------------------------

// Whether a list of words, with a blank before and behind each, has this one.
static bool has_word(const char *words, const char *word, size_t length)
{
    for (const char *at = words; (at = strchr(at, ' ')) && at[1]; ++at)
        if (strcspn(at + 1, " ") == length && !memcmp(at + 1, word, length))
            return true;
    return false;
}

// tests/passes/test_folder.c tries every identifier of pass.glsl.
bool ag_word_is_reserved(const char *name, size_t length)
{
    static const char glsl[] =
        " active asm attribute bool break buffer bvec2 bvec3 bvec4 case cast centroid class "
        "coherent common const continue default discard dmat2 dmat2x2 dmat2x3 dmat2x4 dmat3 "
        "dmat3x2 dmat3x3 dmat3x4 dmat4 dmat4x2 dmat4x3 dmat4x4 do double dvec2 dvec3 dvec4 else "
        "enum extern external false filter fixed flat float for fvec2 fvec3 fvec4 goto half highp "
        "hvec2 hvec3 hvec4 if in inline inout input int interface invariant ivec2 ivec3 ivec4 "
        "layout long lowp main mat2 mat2x2 mat2x3 mat2x4 mat3 mat3x2 mat3x3 mat3x4 mat4 mat4x2 "
        "mat4x3 mat4x4 mediump namespace noinline noperspective out output partition patch precise "
        "precision public readonly resource restrict return sample sampler shared short sizeof "
        "smooth static struct subroutine superp switch template texture this true typedef uint "
        "uniform union unsigned using uvec2 uvec3 uvec4 varying vec2 vec3 vec4 void volatile while "
        "writeonly atomic_uint "
        "abs acos acosh all any asin asinh atan atanh barrier ceil clamp cos cosh cross degrees "
        "determinant distance dot equal exp exp2 faceforward floor fma fract frexp inverse "
        "inversesqrt isinf isnan ldexp length log log2 max min mix mod modf normalize not "
        "outerproduct pow radians reflect refract round sign sin sinh smoothstep sqrt step tan "
        "tanh transpose trunc ";
    static const char pass[] =
        " load store bilinear contains size_of scrub inside within clean clean_halves decoded rounded firewall "
        "quotient value_of load_word store_word add_word this_texel layer_number round_number "
        "frame_number frame_reset frame_seconds bad_texels count_texels count_bad srgb_decode "
        "srgb_encode is_nan unsigned_float bad_from pack_halves size_bits round_float round_unorm "
        "round_for_store decode_11_11_10 ";
    static const char *const kinds[] = {"u_",       "i_",   "t_",  "b_", "type_",
                                        "setting_", "has_", "of_", "gl_"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (length > strlen(kinds[i]) && !memcmp(name, kinds[i], strlen(kinds[i])))
            return true;
    return has_word(glsl, name, length) || has_word(pass, name, length);
}

// Macros of the shader: A-Z.
bool ag_word_is_macro(const char *name, size_t length)
{
    static const char macros[] = " STORE GROUP_X GROUP_Y BILINEAR GATHERED GATHER NOT_FINITE "
                                 "TOO_LARGE TOO_LARGE_SQUARED ";
    return has_word(macros, name, length) ||
           (length > 3 && (!memcmp(name, "GL_", 3) || !memcmp(name, "AG_", 3)));
}

bool ag_word_is_name(const char *at, size_t length)
{
    if (!length || length >= AG_PASS_NAME || !islower((unsigned char)at[0]) ||
        at[length - 1] == '_')
        return false;
    for (size_t i = 0; i < length; ++i) {
        bool known = islower((unsigned char)at[i]) || isdigit((unsigned char)at[i]) || at[i] == '_';
        if (!known || (at[i] == '_' && at[i - 1] == '_'))
            return false;
    }
    return true;
}

// A new name; "" after an error.
const char *ag_word_name(ag_words *r, const char *what, bool of_shader)
{
    ag_word t = ag_word_next(r);
    char text[96];
    snprintf(text, sizeof text, "the name of %s: a-z, 0-9 and single _, at most %d characters",
             what, AG_PASS_NAME - 1);
    if (t.quoted || !ag_word_is_name(t.at, t.length))
        ag_word_expected(r, t, text);
    else if (of_shader && ag_word_is_reserved(t.at, t.length))
        ag_word_fail(r, t.at, "\"%.*s\" is a word of GLSL or of pass.glsl; take another name",
                     (int)t.length, t.at);
    else if (of_shader)
        ag_word_no_choice(r, t.at, t.at, t.length);
    return r->failed ? "" : ag_word_keep(r, t.at, t.length);
}

// A choice is the macro SETTING_CHOICE, so nothing else can have that name.
void ag_word_no_choice(ag_words *r, const char *place, const char *at, size_t length)
{
    for (uint32_t i = 0; i < r->d->effect.info.setting_count; ++i) {
        const ag_setting_info *s = &r->d->settings[i];
        size_t n = strlen(s->name);
        if (length < n + 2 || memcmp(at, s->name, n) != 0 || at[n] != '_')
            continue;
        for (uint32_t k = 0; k < s->name_count; ++k)
            if (strlen(s->names[k]) == length - n - 1 &&
                !memcmp(s->names[k], at + n + 1, length - n - 1))
                ag_word_fail(r, place,
                             "%.*s is the number of the choice %s of the setting %s; take another "
                             "name",
                             (int)length, at, s->names[k], s->name);
    }
}

const char *ag_word_help(ag_words *r)
{
    ag_word t = ag_word_next(r);
    if (!t.quoted)
        ag_word_expected(r, t, "a line of help in quotes");
    else if (!t.length)
        ag_word_fail(r, t.at, "this help is empty");
    return r->failed ? "" : ag_word_keep(r, t.at, t.length);
}

void ag_word_end(ag_words *r)
{
    ag_word t = ag_word_peek(r);
    if (t.length || t.quoted)
        ag_word_expected(r, t, "the end of the line");
}

// Digits with a point, but no exponent, as C reads them whatever the locale is.
bool ag_word_number(const char *at, size_t length, double *out)
{
    bool negative = length && *at == '-', digits = false, point = false;
    double value = 0, unit = 1;
    if (length > 24)
        return false;
    for (size_t i = negative; i < length; ++i) {
        if (at[i] == '.' && digits && !point) {
            point = true;
            continue;
        }
        if (!isdigit((unsigned char)at[i]))
            return false;
        value = 10 * value + (at[i] - '0');
        unit = point ? 10 * unit : unit;
        digits = true;
    }
    *out = (negative ? -value : value) / unit;
    return digits && at[length - 1] != '.' && fabs(*out) <= 1e9;
}

int32_t ag_word_whole(ag_words *r, const char *at, size_t length, int32_t least, int32_t most,
                      const char *what)
{
    double value = 0;
    if (ag_word_number(at, length, &value) && value == floor(value) && value >= least &&
        value <= most)
        return (int32_t)value;
    ag_word_fail(r, at, "expected %s, a whole number from %d to %d, not \"%.*s\"", what, least,
                 most, ag_word_shown(length), at);
    return least;
}
