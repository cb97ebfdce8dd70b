// cli/json.c - writes JSON
// SPDX-License-Identifier: MIT
#include "json.h"

#include <inttypes.h>
#include <math.h>

json json_begin(FILE *stream)
{
    return (json){.stream = stream};
}

void json_end(json *out)
{
    fputc('\n', out->stream);
}

static bool is_flat(const json *out)
{
    return out->flat_from && out->depth >= out->flat_from;
}

static void put_quoted(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '"' || *at == '\\')
            fputc('\\', stream);
        if (*at < 0x20)
            fprintf(stream, "\\u%04x", *at);
        else
            fputc(*at, stream);
    }
    fputc('"', stream);
}

// Writes what precedes a value: the comma, the line break and indentation, the key.
static void put_key(json *out, const char *key)
{
    if (out->has_value)
        fputc(',', out->stream);
    if (is_flat(out))
        fputs(out->has_value ? " " : "", out->stream);
    else if (out->depth)
        fprintf(out->stream, "\n%*s", 2 * out->depth, "");
    if (key) {
        put_quoted(out->stream, key);
        fputs(": ", out->stream);
    }
    out->has_value = true;
}

void json_open(json *out, const char *key, char bracket)
{
    put_key(out, key);
    fputc(bracket, out->stream);
    out->depth++;
    out->has_value = false;
}

void json_open_flat(json *out, const char *key, char bracket)
{
    json_open(out, key, bracket);
    if (!out->flat_from)
        out->flat_from = out->depth;
}

void json_close(json *out, char bracket)
{
    bool flat = is_flat(out);
    if (out->flat_from == out->depth)
        out->flat_from = 0;
    out->depth--;
    if (out->has_value && !flat)
        fprintf(out->stream, "\n%*s", 2 * out->depth, "");
    fputc(bracket, out->stream);
    out->has_value = true;
}

void json_text(json *out, const char *key, const char *text)
{
    put_key(out, key);
    put_quoted(out->stream, text ? text : "");
}

void json_int(json *out, const char *key, long long value)
{
    put_key(out, key);
    fprintf(out->stream, "%lld", value);
}

void json_uint(json *out, const char *key, uint64_t value)
{
    put_key(out, key);
    fprintf(out->stream, "%" PRIu64, value);
}

void json_number(json *out, const char *key, double value)
{
    put_key(out, key);
    if (isfinite(value))
        fprintf(out->stream, "%.12g", value);
    else
        fputs("null", out->stream);
}

void json_bool(json *out, const char *key, bool value)
{
    put_key(out, key);
    fputs(value ? "true" : "false", out->stream);
}
