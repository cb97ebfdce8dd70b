// sat_query.c - shaders/sat/query.glsl included as an engine's shader does, with every storage
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sat_ref.h"
#include "shader/embedded.h"
#include "test_sat.h"

enum { W = 173, H = 121, BOXES = 256, TEXT = 65536 };
enum { PLAIN = 1, INSIDE = 2 }; // AG_SAT_EXACT 0; AG_SAT_INSIDE 1

// Boxes as 4 floats in, their means (and deviations) as 4 floats each out.
static const char ask[] =
    "layout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) readonly buffer Boxes { vec4 b_box[]; };\n"
    "layout(std430, binding = 1) writeonly buffer Answers { vec4 b_answer[]; };\n"
    "void main()\n"
    "{\n"
    "    uint i = gl_GlobalInvocationID.x;\n"
    "    vec4 box = b_box[i], mean, deviation = vec4(0.0);\n"
    "#ifdef AG_SAT_SQUARES\n"
    "    ag_sat_moments(box.xy, box.zw, mean, deviation);\n"
    "#else\n"
    "    mean = ag_sat_mean(box.xy, box.zw);\n"
    "    ivec2 from = ivec2(box.xy), to = ivec2(box.zw);\n" // whole boxes by the other function
    "    if (vec2(from) == box.xy && vec2(to) == box.zw)\n"
    "        mean = ag_sat_sum(from, to) / ag_sat_area(box.xy, box.zw);\n"
    "#endif\n"
    "    b_answer[2u * i] = mean;\n"
    "    b_answer[2u * i + 1u] = deviation;\n"
    "}\n";

static const char *file_text(const char *path)
{
    const ag_embedded_file *file = ag_embedded_shaders;
    while (file->path && strcmp(file->path, path) != 0)
        ++file;
    CHECK(file->path != NULL);
    return file->text;
}

// A linked program, or 0; `log`: what the compiler says.
static GLuint compile(fixture *f, const trial *t, int how, float units, float square_units,
                      char log[2048])
{
    const ag_sat_settings *s = t->settings;
    char *text = malloc(TEXT);
    CHECK(text != NULL);
    const char *type = s->storage == AG_SAT_UINT32 ? "usampler2D" : "sampler2D";
    int used = snprintf(
        text, TEXT,
        "#version 430 core\n"
        "#define AG_SAT_STORAGE %d\n#define AG_SAT_CENTER %d\n#define AG_SAT_EXCLUSIVE %d\n"
        "#define AG_SAT_EXACT %d\n#define AG_SAT_INSIDE %d\n"
        "#define AG_SAT_SIZE ivec2(%d, %d)\n"
        "#define AG_SAT_UNITS %.1f\n#define AG_SAT_SQUARE_UNITS %.1f\n"
        "layout(binding = 0) uniform %s t_table;\nlayout(binding = 1) uniform sampler2D t_low;\n"
        "layout(binding = 2) uniform %s t_squares;\n"
        "layout(binding = 3) uniform sampler2D t_squares_low;\n"
        "layout(binding = 4) uniform sampler2D t_mean;\n"
        "#define AG_SAT_TABLE(p) texelFetch(t_table, p, 0)\n"
        "#define AG_SAT_LOW(p) texelFetch(t_low, p, 0)\n",
        s->storage, s->origin, s->edge, !(how & PLAIN), (how & INSIDE) != 0, t->slots[SRC].width,
        t->slots[SRC].height, (double)units, (double)square_units, type, type);
    if (s->square)
        used += snprintf(text + used, (size_t)(TEXT - used),
                         "#define AG_SAT_SQUARES(p) texelFetch(t_squares, p, 0)\n"
                         "#define AG_SAT_SQUARES_LOW(p) texelFetch(t_squares_low, p, 0)\n");
    if (s->offset == AG_SAT_OFFSET_MEAN)
        used += snprintf(text + used, (size_t)(TEXT - used),
                         "#define AG_SAT_OFFSET texelFetch(t_mean, ivec2(0), 0)\n");
    if (s->offset == AG_SAT_OFFSET_HALF)
        used += snprintf(text + used, (size_t)(TEXT - used), "#define AG_SAT_OFFSET vec4(0.5)\n");
    used +=
        snprintf(text + used, (size_t)(TEXT - used), "%s\n%s", file_text("sat/query.glsl"), ask);
    CHECK(used < TEXT);
    GLuint shader = f->gl.CreateShader(GL_COMPUTE_SHADER), program = f->gl.CreateProgram();
    const char *source = text;
    f->gl.ShaderSource(shader, 1, &source, NULL);
    f->gl.CompileShader(shader);
    f->gl.AttachShader(program, shader);
    f->gl.LinkProgram(program);
    GLint linked = 0;
    log[0] = 0;
    f->gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    f->gl.GetShaderInfoLog(shader, 2048, NULL, log);
    f->gl.DeleteShader(shader);
    free(text);
    if (!linked)
        f->gl.DeleteProgram(program);
    return linked ? program : 0;
}

// Answers to `boxes`: mean and deviation of 4 channels each. malloc.
static float *query(fixture *f, const trial *t, const float *boxes, int how, float units,
                    float square_units)
{
    const size_t in = sizeof(float) * 4 * BOXES, out = 2 * in;
    float *answers = malloc(out);
    CHECK(answers != NULL);
    char log[2048];
    GLuint program = compile(f, t, how, units, square_units, log), buffers[2];
    CHECK_F(program != 0, "%s", log);
    f->gl.GenBuffers(2, buffers);
    for (GLuint i = 0; i < 2; ++i) {
        f->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[i]);
        f->gl.BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(i ? out : in), i ? NULL : boxes,
                         GL_DYNAMIC_COPY);
        f->gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
    }
    for (GLuint i = 0; i < SLOTS - DST; ++i) {
        f->gl.ActiveTexture(GL_TEXTURE0 + i);
        f->gl.BindTexture(GL_TEXTURE_2D, t->textures[DST + i].name);
        if (!t->textures[DST + i].name)
            continue;
        f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    f->gl.UseProgram(program);
    f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    f->gl.DispatchCompute(BOXES / 64, 1, 1);
    f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    f->gl_transfer = true;
    f->gl.GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)out, answers);
    f->gl_transfer = false;
    f->gl.UseProgram(0);
    f->gl.DeleteProgram(program);
    for (GLuint i = 0; i < SLOTS - DST; ++i) {
        f->gl.ActiveTexture(GL_TEXTURE0 + i);
        f->gl.BindTexture(GL_TEXTURE_2D, 0);
    }
    f->gl.ActiveTexture(GL_TEXTURE0);
    for (GLuint i = 0; i < 2; ++i)
        f->gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, 0);
    f->gl.DeleteBuffers(2, buffers);
    return answers;
}

// Whole boxes, fractional ones, boxes that the image's edges cut, and boxes within one texel.
static void make_boxes(rng *r, float *boxes)
{
    for (int i = 0; i < BOXES; ++i) {
        float *b = boxes + 4 * i;
        int limits[2] = {W, H};
        for (int axis = 0; axis < 2; ++axis) {
            double size = limits[axis], from = rng_uniform(r, i % 3 == 2 ? -20 : 0, size - 3);
            double to = i % 8 == 7 ? from + rng_uniform(r, 0.1, 0.4)
                                   : rng_uniform(r, from + 2, i % 3 == 2 ? size + 20 : size);
            if (from < 0 && to < 1)
                to = 1.5;
            b[axis] = (float)(i % 3 == 0 ? floor(from) : from);
            b[2 + axis] = (float)(i % 3 == 0 ? ceil(to) : to);
        }
    }
    // Within the first texel, its row, its column; within the last ones; around the centre.
    static const float corners[][4] = {{0.25f, 0.125f, 0.5f, 0.875f},
                                       {0.25f, 3.5f, 0.75f, 9.25f},
                                       {0, 0.5f, 7.5f, 0.75f},
                                       {W - 0.75f, H - 0.5f, W - 0.25f, H},
                                       {W / 2 + 0.25f, H / 2 - 0.5f, W / 2 + 0.5f, H / 2 + 0.25f},
                                       {W / 2 - 0.75f, H / 2 + 0.25f, W / 2 - 0.25f, H / 2 + 2.5f}};
    memcpy(boxes, corners, sizeof corners);
}

static bool check_queries(trial *t, ag_pass *pass, rng *r, int how)
{
    const ag_sat_settings *s = t->settings;
    const format_info *format = format_named(t->slots[SRC].format);
    float boxes[4 * BOXES];
    make_boxes(r, boxes);
    for (int i = 0; i < 2 * BOXES && how & INSIDE; ++i) {
        float *from = boxes + i / 2 * 4 + i % 2, *to = from + 2, last = (i % 2 ? H : W) - 1.0f;
        *from = fminf(fmaxf(*from, 1), last - 0.75f);
        *to = fmaxf(fminf(*to, last), *from + 0.5f);
    }
    bool counts = format->kind == FORMAT_UNORM;
    ag_sat_question q = {.struct_size = sizeof(ag_sat_question),
                         .width = W,
                         .height = H,
                         .min_box = 1,
                         .max_box = s->max_box,
                         .codes = counts,
                         .fraction_bits = -1,
                         .offset = s->offset,
                         .origin = s->origin,
                         .max_value = 1};
    float units = counts ? 255 : ldexpf(1, ag_sat_fraction_bits(&q, 1));
    float square_units = counts ? 65025 : ldexpf(1, ag_sat_fraction_bits(&q, 2));
    table_outputs(t, pass, few_texels());
    trial_run(t);
    float *answers = query(t->f, t, boxes, how, units, square_units);
    double worst = 0, spread = 0;
    for (int i = 0; i < BOXES; ++i)
        for (int channel = 0; channel < format->channels; ++channel) {
            const float *b = boxes + 4 * i;
            double from[2] = {fmax((double)b[0], 0), fmax((double)b[1], 0)};
            double to[2] = {fmin((double)b[2], W), fmin((double)b[3], H)};
            double area = (to[0] - from[0]) * (to[1] - from[1]);
            sat_ref_stats want = sat_ref_box(t->slots[SRC].values, W, H, format->channels, channel,
                                             from, to, AG_BORDER_NORMALIZE);
            // The bound is for a box of one texel; for this box it is divided by the area. Edges of
            // the box are floats themselves.
            double bound = (ag_sat_error(&q, s->storage) - 0x1p-22) / fmax(area, 0.01);
            if (s->storage == AG_SAT_UINT32)
                bound = counts ? 0 : 0.5 / (double)units;
            bound *= how & PLAIN ? 2 : 1; // as query.glsl says
            bound += 0x1p-19 / fmin(1, fmin(to[0] - from[0], to[1] - from[1])) + 0x1p-20;
            double e = fabs((double)answers[8 * i + channel] - want.mean) / bound;
            worst = !(e <= worst) ? e : worst;
            double variance = (double)answers[8 * i + 4 + channel];
            variance = fabs(variance * variance - want.deviation * want.deviation);
            if (s->square)
                spread = !(variance / (8 * bound) <= spread) ? variance / (8 * bound) : spread;
        }
    bool ok = worst <= 1 && spread <= 1;
    printf(
        "  %-5s storage %d offset %d origin %d edge %d%s%s %s: means %.2f of the bound, variances "
        "%.2f\n",
        ok ? "ok" : "WRONG", s->storage, s->offset, s->origin, s->edge,
        how & PLAIN ? ", plain" : "", how & INSIDE ? ", inside" : "", format->name, worst, spread);
    free(answers);
    trial_free(t);
    return ok;
}

void test_queries(void **state)
{
    fixture *f = *state;
    rng r = rng_start("queries", 91);
    ag_pass *pass = fixture_pass(f, "sat");
    double *src = values_noise(&r, "r32f", W, H, 0, 1);
    double *codes = values_noise(&r, "rgba8", W, H, 0, 1);
    bool good = true;
    sweep *share = sweep_start("queries", 13);
    for (int storage = AG_SAT_FLOAT32; storage <= AG_SAT_SPLIT; ++storage)
        for (int kind = 0; kind < 4; ++kind)    // plain, center, exclusive, mean
            for (int way = 0; way < 8; ++way) { // as it is, PLAIN, INSIDE, of codes; moments
                bool square = way > 3;
                int query = way % 4;
                bool integers = storage == AG_SAT_UINT32, split = storage == AG_SAT_SPLIT;
                bool floats = storage == AG_SAT_FLOAT32;
                if ((integers && kind % 2) || (split && kind % 3) || (square && kind == 2) ||
                    (query == 1 && !floats) || (query == 2 && (kind == 1 || square)) ||
                    (query == 3 && (!integers || kind)) || !sweep_takes(share))
                    continue;
                ag_sat_settings s;
                trial t = table_of(f, "query", query == 3 ? "rgba8" : "r32f", W, H,
                                   query == 3 ? codes : src, &s);
                s.storage = storage;
                s.origin = kind == 1;
                s.edge = kind == 2;
                s.offset = kind == 3 ? AG_SAT_OFFSET_MEAN : AG_SAT_OFFSET_NONE;
                s.square = square;
                int how = query == 1 ? PLAIN : query == 2 ? (floats ? PLAIN | INSIDE : INSIDE) : 0;
                good = check_queries(&t, pass, &r, how) && good;
            }
    free(src);
    free(codes);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// AG_SAT_EXACT 0 needs float32, and AG_SAT_INSIDE a table from the corner: otherwise the include
// does not compile, and says why.
void test_query_refuses(void **state)
{
    fixture *f = *state;
    bool good = true;
    for (int storage = AG_SAT_FLOAT32; storage <= AG_SAT_SPLIT; ++storage) {
        ag_sat_settings s;
        trial t = table_of(f, "refuses", "r32f", 5, 3, NULL, &s);
        s.storage = storage;
        char log[2048], name[80];
        fixture_ignore(f, true); // the driver may report what does not compile
        GLuint program = compile(f, &t, PLAIN, 255, 65025, log);
        fixture_ignore(f, false);
        bool says = strstr(log, "AG_SAT_EXACT 0") != NULL;
        snprintf(name, sizeof name, "storage %d without AG_SAT_EXACT", storage);
        good =
            check_case(name, storage == AG_SAT_FLOAT32 ? program != 0 : !program && says) && good;
        f->gl.DeleteProgram(program);
        s.origin = AG_SAT_CENTER;
        fixture_ignore(f, true);
        program = compile(f, &t, INSIDE, 255, 65025, log);
        fixture_ignore(f, false);
        good = check_case("AG_SAT_INSIDE from the centre",
                          !program && strstr(log, "AG_SAT_INSIDE") != NULL) &&
               good;
    }
    CHECK(good);
}
