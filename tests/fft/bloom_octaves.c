// bloom_octaves.c - bloom's smaller resolutions are the least squares that docs/bloom.md defines
// SPDX-License-Identifier: MIT
//
// Here the split is found again, in double and without the plugin's tables: each tap is an operator
// on the frame, written down from B-splines, and all of them together, thousands of products, solve
// dense normal equations. Only which taps there are is taken from the plan's text.
#include "core/tuning.h"
#include "test_bloom.h"

enum { LEVELS = 4, CHANNELS = 3, TAIL = 15, MOST_1D = 160, SPAN = 420 };
static const char *const names[LEVELS] = {"full", "half", "quarter", "eighth"};

typedef struct octaves {
    int levels, taps[LEVELS]; // the level of the FFT; a side of the direct taps
    bool flat;                // from the quarter on rows stay half as close as the frame's
} octaves;

typedef struct kernel { // CHANNELS a tap
    int width, height;
    double *taps;
} kernel;

// K as a sum of operators; `values`: those of the level of the FFT, then level by level.
typedef struct split {
    octaves of;
    int reach[2]; // of the level of the FFT, along x and y
    int count;
    double *values;
    double held[CHANNELS], square[CHANNELS]; // of the sum of K^2; that sum
} split;

static double b_spline(double t)
{
    t = fabs(t);
    return t < 1 ? 2.0 / 3 - t * t + t * t * t / 2 : t < 2 ? pow(2 - t, 3) / 6 : 0;
}

static int ratio_of(const octaves *o, int level, int axis)
{
    return 1 << (axis && o->flat && level > 1 ? 1 : level);
}

// ---- the least squares -------------------------------------------------------------------------

typedef struct element { // an operator along an axis: down to a level, n of its texels on, and up
    int level, n;
} element;

// What it makes at p + d of a light at p.
static void respond(int s, int n, int p, double made[SPAN])
{
    memset(made, 0, sizeof(double) * SPAN);
    if (s == 1)
        made[SPAN / 2 + n] = 1;
    for (int m = p / s - 2; m <= p / s + 3 && s > 1; ++m)
        for (int x = s * (m + n) - 2 * s; x <= s * (m + n) + 2 * s + 1; ++x)
            made[SPAN / 2 + x - p] +=
                b_spline((p - s * m - 0.5) / s) / s * b_spline((x - s * (m + n) - 0.5) / s);
}

// Inner products in the mean over places of the light: `count` x `count`.
static double *products(const octaves *o, int axis, const element *elements, int count,
                        bool penalised)
{
    int base = ratio_of(o, o->levels, axis);
    double own = 0; // of a tap of the FFT's level
    double *sums = check_doubles((size_t)(count * count)), *made = check_doubles(MOST_1D * SPAN);
    CHECK(count <= MOST_1D);
    memset(sums, 0, sizeof *sums * (size_t)(count * count));
    for (int p = 0; p < base; ++p) {
        for (int i = 0; i < count; ++i)
            respond(ratio_of(o, elements[i].level, axis), elements[i].n, p, made + i * SPAN);
        for (int i = 0; i < count; ++i)
            for (int k = 0; k <= i; ++k) {
                double sum = 0;
                for (int d = 0; d < SPAN; ++d)
                    sum += made[i * SPAN + d] * made[k * SPAN + d];
                sums[i * count + k] += sum / base;
                sums[k * count + i] = sums[i * count + k];
            }
    }
    for (int i = 0; i < count; ++i)
        own = elements[i].level == o->levels ? sums[i * count + i] : own;
    for (int i = 0; i < count && penalised && base == 8; ++i) // differences of neighbours
        for (int k = count - 1; k >= 0 && elements[i].level == o->levels; --k) {
            int apart = abs(elements[i].n - elements[k].n);
            if (elements[k].level == o->levels && apart < 2)
                sums[i * count + k] += 0.08 * own * (apart ? -0.25 : 0.5);
        }
    free(made);
    return sums;
}

// Solves a x = b for CHANNELS right sides, in place, by Cholesky's method.
static void solve(double *a, double *b, int n)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k <= i; ++k) {
            double sum = a[i * n + k];
            for (int j = 0; j < k; ++j)
                sum -= a[i * n + j] * a[k * n + j];
            a[i * n + k] = i == k ? sqrt(sum) : sum / a[k * n + k];
        }
        for (int c = 0; c < CHANNELS; ++c) {
            for (int j = 0; j < i; ++j)
                b[CHANNELS * i + c] -= a[i * n + j] * b[CHANNELS * j + c];
            b[CHANNELS * i + c] /= a[i * n + i];
        }
    }
    for (int i = n - 1; i >= 0; --i)
        for (int c = 0; c < CHANNELS; ++c) {
            for (int j = i + 1; j < n; ++j)
                b[CHANNELS * i + c] -= a[j * n + i] * b[CHANNELS * j + c];
            b[CHANNELS * i + c] /= a[i * n + i];
        }
}

static split split_of(const octaves *o, const kernel *k)
{
    element along[2][MOST_1D];
    int counts[2], firsts[2][LEVELS], sides[LEVELS];
    split s = {.of = *o};
    double *meets[2], *plain[2];
    for (int axis = 0; axis < 2; ++axis) { // K's texels, those of the FFT, and the direct taps
        int half = (axis ? k->height : k->width) / 2, count = 0;
        s.reach[axis] = half / ratio_of(o, o->levels, axis) + TAIL;
        for (int n = -half; n <= half; ++n)
            along[axis][count++] = (element){0, n};
        for (int level = o->levels; level >= 0; --level) {
            int side = level == o->levels ? s.reach[axis] : o->taps[level] / 2;
            firsts[axis][level] = count + side;
            for (int n = -side; n <= side; ++n)
                along[axis][count++] = (element){level, n};
        }
        counts[axis] = count;
        meets[axis] = products(o, axis, along[axis], count, true);
        plain[axis] = products(o, axis, along[axis], count, false);
    }
    int(*pairs)[2] = check_allocate(sizeof(int[2]) * MOST_1D * MOST_1D);
    for (int l = 0; l <= o->levels; ++l) {
        int level = l ? l - 1 : o->levels;
        bool fft = level == o->levels;
        sides[level] = fft ? -1 : o->taps[level] / 2;
        int y_side = fft ? s.reach[1] : sides[level], x_side = fft ? s.reach[0] : sides[level];
        for (int y = -y_side; y <= y_side && (fft || o->taps[level]); ++y)
            for (int x = -x_side; x <= x_side; ++x, ++s.count) {
                pairs[s.count][0] = firsts[0][level] + x;
                pairs[s.count][1] = firsts[1][level] + y;
            }
    }
    size_t n = (size_t)s.count;
    double *a = check_doubles(n * n), *b = check_doubles(CHANNELS * n);
    s.values = check_doubles(CHANNELS * n);
    memset(b, 0, sizeof *b * CHANNELS * n);
    for (int i = 0; i < s.count; ++i) {
        const double *row_x = meets[0] + pairs[i][0] * counts[0],
                     *row_y = meets[1] + pairs[i][1] * counts[1];
        for (int j = 0; j < s.count; ++j)
            a[i * s.count + j] = row_x[pairs[j][0]] * row_y[pairs[j][1]];
        for (int t = 0; t < k->width * k->height * CHANNELS; ++t) {
            int x = t / CHANNELS % k->width, y = t / CHANNELS / k->width;
            b[CHANNELS * i + t % CHANNELS] += k->taps[t] * row_x[x] * row_y[y];
        }
    }
    memcpy(s.values, b, sizeof *b * CHANNELS * n);
    solve(a, s.values, s.count);
    for (int i = 0; i < s.count; ++i) // of |K - E|^2 = K^2 - 2 b x + x A x, A without the penalty
        for (int c = 0; c < CHANNELS; ++c) {
            double made = 0;
            for (int j = 0; j < s.count; ++j)
                made += plain[0][pairs[i][0] * counts[0] + pairs[j][0]] *
                        plain[1][pairs[i][1] * counts[1] + pairs[j][1]] *
                        s.values[CHANNELS * j + c];
            s.held[c] += s.values[CHANNELS * i + c] * (2 * b[CHANNELS * i + c] - made);
        }
    for (int i = 0; i < CHANNELS * k->width * k->height; ++i)
        s.square[i % CHANNELS] += k->taps[i] * k->taps[i];
    free(a);
    free(b);
    free(pairs);
    free(meets[0]);
    free(meets[1]);
    free(plain[0]);
    free(plain[1]);
    return s;
}

// ---- a frame by these operators ----------------------------------------------------------------

typedef struct plane { // of a level, MARGIN texels around the frame; CHANNELS a texel
    int width, height;
    double *light;
} plane;

enum { MARGIN = 4 };

static plane plane_of(int width, int height)
{
    size_t values = (size_t)(CHANNELS * width * height);
    plane p = {width, height, check_doubles(values)};
    memset(p.light, 0, sizeof *p.light * values);
    return p;
}

// The weight between a texel of the frame and one of a level, along an axis; `step`: texels of the
// frame for one of the half.
static double weight(int ratio, double step, int x, int m)
{
    double k = ratio / 2.0;
    return b_spline((x - ((k * m + 0.5) * step - 0.5)) / (k * step));
}

// One axis of the way down (the mean) or up (the sum): `to` has the other's size along the other.
static void cross_axis(const plane *from, plane *to, int axis, int ratio, double step, bool down)
{
    for (int i = 0; i < to->width * to->height; ++i) {
        int at[2] = {i % to->width, i / to->width};
        int size = axis ? from->height : from->width;
        for (int k = 0; k < size; ++k) {
            int x = down ? k : at[axis], m = (down ? at[axis] : k) - MARGIN;
            double w = weight(ratio, step, x, m) / (down ? ratio / 2.0 * step : 1);
            int j = axis ? k * from->width + at[0] : at[1] * from->width + k;
            for (int c = 0; c < CHANNELS && w > 0; ++c)
                to->light[CHANNELS * i + c] += w * from->light[CHANNELS * j + c];
        }
    }
}

// Adds `light` convolved with (2 rx + 1) x (2 ry + 1) taps.
static void convolve(const plane *light, const double *taps, int rx, int ry, plane *sum)
{
    for (int i = 0; i < sum->width * sum->height; ++i)
        for (int t = 0; t < (2 * rx + 1) * (2 * ry + 1); ++t) {
            int x = i % sum->width - (t % (2 * rx + 1) - rx);
            int y = i / sum->width - (t / (2 * rx + 1) - ry);
            for (int c = 0; c < CHANNELS; ++c)
                if (x >= 0 && y >= 0 && x < sum->width && y < sum->height)
                    sum->light[CHANNELS * i + c] +=
                        taps[CHANNELS * t + c] * light->light[CHANNELS * (y * sum->width + x) + c];
        }
}

typedef struct follower { // what `steady` keeps of a texel
    bool known;
    double mean[CHANNELS], range, recent, high, low;
} follower;

typedef struct following { // of the light that the FFT transforms
    double steady;
    follower *of; // a texel
} following;

static double brightest(const double *light)
{
    return fmax(0, fmax(light[0], fmax(light[1], light[2])));
}

static void follow(plane *p, following *state)
{
    plane seen = plane_of(p->width, p->height);
    double s = state->steady;
    memcpy(seen.light, p->light, sizeof(double) * (size_t)(CHANNELS * p->width * p->height));
    for (int i = 0; i < p->width * p->height; ++i) {
        follower *o = state->of + i;
        const double *light = seen.light + CHANNELS * i;
        double bright = brightest(light), least = bright, most = bright, far = 0, dip = 0;
        bool bad = isnan(light[0] + light[1] + light[2]), known = o->known && !bad;
        for (int n = 0; n < 9; ++n) {
            int x = i % p->width + n % 3 - 1, y = i / p->width + n / 3 - 1;
            bool inside = x >= 0 && y >= 0 && x < p->width && y < p->height;
            double near = inside ? brightest(seen.light + CHANNELS * (y * p->width + x)) : 0;
            least = fmin(least, near);
            most = fmax(most, near);
        }
        for (int c = 0; c < CHANNELS; ++c) {
            o->mean[c] = known ? s * o->mean[c] + (1 - s) * light[c] : light[c];
            far = fmax(far, fabs(o->mean[c] - light[c]));
        }
        dip = known ? fmin(o->high, bright) - o->low : 0;
        o->range = known ? fmax(o->range * s, dip) : 0;
        o->recent = known ? fmax(o->recent * s * s, dip) : 0;
        bool peak = !known || bright >= o->high;
        o->low = peak ? bright : fmin(o->low, bright);
        o->high = peak ? bright : fmax(o->high * s, bright);
        o->known = !bad;
        double room = (brightest(o->mean) > bright ? most - bright : bright - least) + o->recent;
        double most_away = fmin(o->range, room);
        for (int c = 0; c < CHANNELS; ++c)
            p->light[CHANNELS * i + c] +=
                (far > most_away ? most_away / far : 1) * (o->mean[c] - light[c]);
    }
    free(seen.light);
}

static void bloom_frame(const split *s, const plane *frame, const double step[2],
                        following *followed, plane *bloom)
{
    const double *taps = s->values;
    for (int l = 0; l <= s->of.levels; ++l) {
        int level = l ? l - 1 : s->of.levels;
        bool fft = level == s->of.levels;
        int rx = fft ? s->reach[0] : s->of.taps[level] / 2,
            ry = fft ? s->reach[1] : s->of.taps[level] / 2;
        if (!fft && !s->of.taps[level])
            continue;
        if (level == 0) {
            convolve(frame, taps, rx, ry, bloom);
        } else {
            int x = ratio_of(&s->of, level, 0), y = ratio_of(&s->of, level, 1);
            int w = (int)(2 * frame->width / step[0] / x) + 2 * MARGIN;
            int h = (int)(2 * frame->height / step[1] / y) + 2 * MARGIN;
            plane rows = plane_of(w, frame->height), light = plane_of(w, h);
            plane made = plane_of(w, h), back = plane_of(w, frame->height);
            cross_axis(frame, &rows, 0, x, step[0], true);
            cross_axis(&rows, &light, 1, y, step[1], true);
            if (fft && followed)
                follow(&light, followed);
            convolve(&light, taps, rx, ry, &made);
            cross_axis(&made, &back, 1, y, step[1], false);
            cross_axis(&back, bloom, 0, x, step[0], false);
            free(rows.light);
            free(light.light);
            free(made.light);
            free(back.light);
        }
        taps += CHANNELS * (2 * rx + 1) * (2 * ry + 1);
    }
}

// T, of which single bright texels spread less: bloom/firefly.comp.
static plane without_fireflies(const plane *frame, int firefly)
{
    plane t = plane_of(frame->width, frame->height);
    for (int i = 0; i < t.width * t.height; ++i) {
        double own = 0, around = 0, weights = 0, count = 0;
        for (int n = 0; n < 9; ++n) {
            int x = i % t.width + n % 3 - 1, y = i / t.width + n / 3 - 1;
            if (x < 0 || y < 0 || x >= t.width || y >= t.height)
                continue;
            const double *c = frame->light + CHANNELS * (y * t.width + x);
            double b = fmax(fmax(c[0], c[1]), c[2]);
            own = n == 4 ? b : own;
            around += n == 4 ? 0 : b;
            weights += 1 / (1 + b);
            ++count;
        }
        double share = firefly == AG_BLOOM_FIREFLY_CLAMP
                           ? fmin(1, 4 * around / fmax(count - 1, 1) / own)
                           : count / ((1 + own) * weights);
        for (int c = 0; c < CHANNELS; ++c)
            t.light[CHANNELS * i + c] =
                frame->light[CHANNELS * i + c] * (firefly && count > 1 ? share : 1);
    }
    return t;
}

// ---- trials ------------------------------------------------------------------------------------

// By the plan that the pass made.
static octaves octaves_of(trial *t)
{
    const ag_bloom_settings *s = t->settings;
    octaves o = {.flat = s->shape == AG_BLOOM_ANAMORPHIC};
    const ag_plan *plan = NULL;
    CHECK_STATUS(t->f->ag->declare(t->pass, &t->job, &plan), AG_OK);
    for (int l = 0; l < LEVELS; ++l) {
        char words[32];
        snprintf(words, sizeof words, " taps of %s", names[l]);
        const char *found = strstr(plan->text, words);
        o.taps[l] = found ? found[-1] - '0' : 0;
        o.levels = strncmp(plan->text, names[l], strlen(names[l])) ? o.levels : l;
    }
    return o;
}

// A random image that is taken as it is, or what full resolution makes of one texel. `size` of the
// settings becomes one that makes so many texels of `height`.
static kernel kernel_of(fixture *f, ag_pass *pass, rng *r, ag_bloom_settings *s, int height,
                        int extent)
{
    bool image = s->shape == AG_BLOOM_TEXTURE;
    kernel k = {image && extent > 3 ? extent - 4 : extent, extent, NULL};
    int texels = k.width * k.height, w = extent + 2, h = height > w ? height : w;
    double sums[CHANNELS] = {0};
    k.taps = check_doubles((size_t)(CHANNELS * texels));
    s->size = fminf((float)(extent + 0.3) / (float)height, 2);
    s->kernel_fit = AG_BLOOM_FIT_EXACT;
    if (image) {
        for (int i = 0; i < CHANNELS * texels; ++i) {
            k.taps[i] = pow(rng_uniform(r, 0, 1), 6); // a few are much brighter
            sums[i % CHANNELS] += k.taps[i];
        }
        for (int i = 0; i < CHANNELS * texels; ++i)
            k.taps[i] /= sums[i % CHANNELS];
        return k;
    }
    double *src = values_even("rgba32f", w, h, 0);
    for (int c = 0; c < CHANNELS; ++c)
        src[4 * (h / 2 * w + w / 2) + c] = 1;
    ag_bloom_settings full = *s;
    full.resolution = AG_BLOOM_FULL;
    full.grid = full.firefly = 0;
    full.size = (float)(extent + 0.3) / (float)h;
    double *got = bloom_run(f, pass, "rgba32f", w, h, src, &full);
    for (int i = 0; i < CHANNELS * texels; ++i) {
        int x = i / CHANNELS % extent + w / 2 - extent / 2,
            y = i / CHANNELS / extent + h / 2 - extent / 2;
        k.taps[i] = got[4 * (y * w + x) + i % CHANNELS];
    }
    free(got);
    free(src);
    return k;
}

static void add_image(trial *t, const kernel *k, double **texels)
{
    const ag_bloom_settings *s = t->settings;
    *texels = check_doubles((size_t)(4 * k->width * k->height));
    for (int i = 0; i < 4 * k->width * k->height; ++i)
        (*texels)[i] = i % 4 < 3 ? k->taps[i / 4 * CHANNELS + i % 4] : 1;
    if (s->shape == AG_BLOOM_TEXTURE)
        t->slots[IMAGE] = trial_image("rgba32f", k->width, k->height, *texels);
}

// What the operators make of the frame; `user` has the kernel.
static bool split_bloom(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_bloom_settings *s = t->settings;
    const octaves o = octaves_of(t);
    split found = split_of(&o, t->user);
    double *src = trial_input(t, SRC, p->layer);
    int channels = trial_channels(t, SRC), texels = p->width * p->height;
    plane frame = plane_of(p->width, p->height), bloom = plane_of(p->width, p->height);
    bool fixed = s->grid == AG_BLOOM_FIXED;
    double step[2] = {fixed ? 2.0 * p->width / t->job.plan_width : 2,
                      fixed ? 2.0 * p->height / t->job.plan_height : 2};
    (void)bound;
    for (int i = 0; i < CHANNELS * texels; ++i)
        frame.light[i] = src[i / CHANNELS * channels + i % CHANNELS];
    plane light = without_fireflies(&frame, s->firefly);
    bloom_frame(&found, &light, step, NULL, &bloom);
    for (int i = 0; i < texels * p->channels; ++i)
        if (i % p->channels < CHANNELS)
            want[i] = bloom.light[i / p->channels * CHANNELS + i % p->channels];
        else
            want[i] = channels > CHANNELS ? src[i] : 1;
    free(src);
    free(frame.light);
    free(bloom.light);
    free(light.light);
    free(found.values);
    return true;
}

// Every texel is what the operators of least squares make: each level, frames of any size and
// format, fireflies, and frames of other sizes than the grid's. Errors: the inverse that is rounded
// to floats, and half floats of the smaller images.
void test_bloom_octaves_texels(void **state)
{
    enum { CLAMP = AG_BLOOM_FIREFLY_CLAMP, KARIS = AG_BLOOM_FIREFLY_KARIS, PLANNED = 3000 };
    static const struct {
        int shape, resolution, width, height, extent;
        const char *format;
        int firefly, plan[2];
    } cases[] = {{AG_BLOOM_TEXTURE, 1, W, H, 15, "rgba32f", 0, {0}},
                 {AG_BLOOM_TEXTURE, 3, W, H, 15, "rgba32f", 0, {0}},
                 {AG_BLOOM_APERTURE, 2, W, H, 19, "rgba16f", 0, {0}},
                 {AG_BLOOM_ANAMORPHIC, 3, W, H, 19, "rgba32f", 0, {0}},
                 {AG_BLOOM_TEXTURE, 2, 67, 41, 15, "rgba32f", 0, {W, H}},
                 {AG_BLOOM_APERTURE, 2, W, H, 19, "rgba32f", CLAMP, {0}},
                 {AG_BLOOM_TEXTURE, 2, W, H, 15, "rgba32f", 0, {0}},
                 {AG_BLOOM_ANAMORPHIC, 2, W, H, 19, "rgba32f", 0, {0}},
                 {AG_BLOOM_STAR, 1, W, H, 19, "r11g11b10f", 0, {0}},
                 {AG_BLOOM_APERTURE, 3, W, H, 19, "rgba16f", KARIS, {0}},
                 {AG_BLOOM_TEXTURE, 1, 89, 33, 9, "rgba16f", 0, {0}},
                 {AG_BLOOM_TEXTURE, 3, 1, 1, 3, "rgba32f", 0, {0}},
                 {AG_BLOOM_TEXTURE, 2, 1, 37, 7, "r11g11b10f", 0, {0}},
                 {AG_BLOOM_TEXTURE, 1, 41, 2, 3, "rgba32f", 0, {0}},
                 {AG_BLOOM_TEXTURE, 3, 9, 7, 9, "rgba16f", CLAMP, {0}},
                 {AG_BLOOM_ANAMORPHIC, 3, 17, 50, 9, "r11g11b10f", KARIS, {0}},
                 {AG_BLOOM_APERTURE, 1, 58, 31, 19, "rgba16f", 0, {W, H}},
                 {AG_BLOOM_ANAMORPHIC, 3, 90, 30, 19, "rgba32f", KARIS, {W, H}},
                 // an eighth, because of the largest frame planned for
                 {AG_BLOOM_ANAMORPHIC, 3, W, H, 19, "rgba32f", 0, {W, PLANNED}}};
    fixture *f = *state;
    rng r = rng_start("octaves", 71);
    bool good = true;
    sweep *share = sweep_start("octaves", 6);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        int w = cases[i].width, h = cases[i].height;
        bool fixed = cases[i].plan[0] > 0 && cases[i].plan[1] < PLANNED,
             wide = !strcmp(cases[i].format, "rgba32f");
        if (!sweep_takes(share))
            continue;
        ag_pass *pass = fixture_pass(f, "bloom");
        double *src = blooming_scene(&r, cases[i].format, w, h, 0.01, 50), *image;
        ag_bloom_settings s;
        char name[96];
        snprintf(name, sizeof name, "shape %d, %s, firefly %d%s", cases[i].shape,
                 names[cases[i].resolution], cases[i].firefly, fixed ? ", fixed" : "");
        trial t = blooming_of(f, name, w, h, src, &s);
        blooming_formats(&t, cases[i].format, cases[i].format);
        s.shape = cases[i].shape;
        s.resolution = cases[i].resolution;
        s.output = AG_BLOOM_ONLY;
        s.firefly = cases[i].firefly;
        s.grid = fixed ? AG_BLOOM_FIXED : AG_BLOOM_FRAME;
        t.job.plan_width = cases[i].plan[0];
        t.job.plan_height = cases[i].plan[1];
        kernel k = kernel_of(f, pass, &r, &s, fixed ? cases[i].plan[1] : h, cases[i].extent);
        add_image(&t, &k, &image);
        t.user = &k;
        t.reference = split_bloom;
        t.relative = wide ? 4e-4 : 2e-3;
        // A fixed grid: an anamorphic's taps are solved of nearly equal columns, NVIDIA 70.3 dB.
        t.snr = t.snr > 0 ? (fixed && s.shape == AG_BLOOM_ANAMORPHIC ? 68 : 72) : 0;
        good = bloom_check(&t, pass) && good;
        f->ag->pass_destroy(pass);
        free(k.taps);
        free(image);
        free(src);
    }
    CHECK(good);
}

// For white noise the mean squared error of a resolution, against full, is Q: what the operators
// leave of the sum of K^2. Of auto it is what it promises, too: 50 dB.
void test_bloom_octaves_noise(void **state)
{
    enum { SIDE = 256, AROUND = 32, VALUES = 4 * SIDE * SIDE };
    enum { AUTO = AG_BLOOM_AUTO };
    static const struct {
        int shape, resolution, extent;
        float intensity;
        double limit; // a streak goes far, so a frame has few that are independent
    } cases[] = {{AG_BLOOM_TEXTURE, 1, 15, 1, 0.05},
                 {AG_BLOOM_TEXTURE, 2, 15, 1, 0.05},
                 {AG_BLOOM_TEXTURE, 3, 15, 1, 0.05},
                 {AG_BLOOM_APERTURE, 1, 35, 1, 0.05},
                 {AG_BLOOM_APERTURE, 2, 35, 1, 0.05},
                 {AG_BLOOM_APERTURE, 3, 35, 1, 0.05},
                 {AG_BLOOM_ANAMORPHIC, 2, 35, 1, 0.15},
                 {AG_BLOOM_ANAMORPHIC, 3, 35, 1, 0.15},
                 {AG_BLOOM_STAR, 1, 35, 1, 0.05},
                 {AG_BLOOM_STAR, 2, 35, 1, 0.05},
                 {AG_BLOOM_APERTURE, AUTO, 35, 0.1f, 0.05},
                 {AG_BLOOM_APERTURE, AUTO, 35, 0.5f, 0.05},
                 {AG_BLOOM_APERTURE, AUTO, 35, 1, 0.05},
                 {AG_BLOOM_STAR, AUTO, 35, 0.3f, 0.05},
                 {AG_BLOOM_GAUSSIAN, AUTO, 35, 0.3f, 0.05},
                 {AG_BLOOM_GAUSSIAN, AUTO, 63, 0.3f, 0.05},
                 {AG_BLOOM_ANAMORPHIC, AUTO, 35, 0.1f, 0.15}};
    fixture *f = *state;
    rng r = rng_start("octaves noise", 72);
    ag_pass *pass = fixture_pass(f, "bloom");
    ag_tuning *tuning = ag_device_tuning(f->device);
    double *src = check_doubles(VALUES);
    for (int i = 0; i < VALUES; ++i)
        src[i] = rng_uniform(&r, -0.5, 0.5);
    texture_quantise("rgba32f", src, SIDE * SIDE);
    sweep *share = sweep_start("octaves noise", 5);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        ag_bloom_settings s = bloom_settings(f, cases[i].resolution, AG_BLOOM_ONLY);
        s.shape = cases[i].shape;
        kernel k = kernel_of(f, pass, &r, &s, SIDE, cases[i].extent);
        double *got[2], *image, error[CHANNELS] = {0}, q = 0, square = 0, count = 0;
        octaves o = {0};
        tuning->dispatch_bytes = 1; // else auto keeps small frames at full
        for (int full = 0; full < 2; ++full) {
            ag_bloom_settings settings;
            trial t = blooming_of(f, "noise", SIDE, SIDE, src, &settings);
            settings = s;
            settings.intensity = cases[i].intensity;
            settings.resolution = full ? AG_BLOOM_FULL : s.resolution;
            add_image(&t, &k, &image);
            t.pass = pass;
            trial_run(&t);
            got[full] = t.got[DST];
            t.got[DST] = NULL;
            o = full ? o : octaves_of(&t);
            trial_free(&t);
            free(image);
        }
        tuning->dispatch_bytes = 0;
        for (int n = 0; n < VALUES; ++n) {
            int x = n / 4 % SIDE, y = n / 4 / SIDE;
            if (n % 4 < 3 && x >= AROUND && y >= AROUND && x < SIDE - AROUND && y < SIDE - AROUND)
                error[n % 4] += pow((got[0][n] - got[1][n]) / (double)cases[i].intensity, 2);
        }
        count = (SIDE - 2 * AROUND) * (SIDE - 2 * AROUND);
        char name[128];
        snprintf(name, sizeof name, "shape %d, %s: %s, taps %d %d %d", s.shape,
                 s.resolution == AG_BLOOM_AUTO ? "auto" : names[s.resolution], names[o.levels],
                 o.taps[0], o.taps[1], o.taps[2]);
        printf("  %s\n", name);
        if (o.levels) {
            split found = split_of(&o, &k);
            for (int c = 0; c < CHANNELS; ++c) {
                double left = found.square[c] - found.held[c];
                double noise = 12 * error[c] / count;
                printf("    Q %.3e of sum K^2, measured %.3e\n", left / found.square[c],
                       noise / found.square[c]);
                CHECK_LIMIT("|mean squared error over Q - 1|", fabs(noise / left - 1),
                            cases[i].limit);
                q += left;
                square += found.square[c];
            }
            free(found.values);
        }
        if (s.resolution == AG_BLOOM_AUTO)
            CHECK_LIMIT("intensity^2 Q over sum K^2",
                        pow((double)cases[i].intensity, 2) * q / fmax(square, 1e-9), 1.001e-5);
        free(got[0]);
        free(got[1]);
        free(k.taps);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

// Even light stays as it is, far from the border of a frame, but for the end of the rest's tail.
void test_bloom_octaves_even(void **state)
{
    enum { SIDE = 300, MIDDLE = 150 };
    static const int shapes[] = {AG_BLOOM_APERTURE, AG_BLOOM_TEXTURE, AG_BLOOM_ANAMORPHIC};
    fixture *f = *state;
    rng r = rng_start("octaves even", 73);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = values_even("rgba32f", SIDE, SIDE, 3);
    sweep *share = sweep_start("octaves even", 3);
    for (int i = 0; i < 9; ++i) {
        if (!sweep_takes(share))
            continue;
        ag_bloom_settings s;
        trial t = blooming_of(f, "even", SIDE, SIDE, src, &s);
        double *image, worst = 0;
        t.pass = pass;
        s.resolution = 1 + i % 3;
        s.output = AG_BLOOM_ONLY;
        s.shape = shapes[i / 3];
        kernel k = kernel_of(f, pass, &r, &s, SIDE, 31);
        add_image(&t, &k, &image);
        double *got = trial_take(&t, DST);
        for (int y = MIDDLE - 8; y < MIDDLE + 8; ++y)
            for (int x = MIDDLE - 8; x < MIDDLE + 8; ++x)
                for (int c = 0; c < CHANNELS; ++c)
                    worst = check_worse(worst, fabs(got[4 * (y * SIDE + x) + c] / 3 - 1));
        char name[64];
        snprintf(name, sizeof name, "shape %d, %s: change of even light", s.shape,
                 names[s.resolution]);
        CHECK_LIMIT(name, worst, s.shape == AG_BLOOM_TEXTURE ? 4e-4 : 1e-4);
        free(got);
        free(image);
        free(k.taps);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

// `steady`: frames that flicker texel by texel, of two scenes and black, in turn at random. Frame 4
// has a NaN, with scrub off, whose light starts anew. Frame 6 is a reset.
void test_bloom_steady_texels(void **state)
{
    static const struct {
        int shape, resolution, extent;
        const char *format;
        double limit;
    } cases[] = {{AG_BLOOM_APERTURE, 1, 15, "rgba32f", 1e-4},
                 {AG_BLOOM_GAUSSIAN, 2, 51, "rgba16f", 3e-3},
                 {AG_BLOOM_GAUSSIAN, 1, 39, "rgba32f", 1e-4}};
    enum { WIDTH = 48, HEIGHT = 40, FRAMES = 10, BAD = 4, RESET = 6, MANY = 64 * 64 };
    fixture *f = *state;
    rng r = rng_start("steady texels", 81);
    sweep *share = sweep_start("steady texels", COUNT(cases));
    for (size_t n = 0; n < COUNT(cases); ++n) {
        if (!sweep_takes(share))
            continue;
        ag_pass *pass = fixture_pass(f, "bloom");
        ag_bloom_settings s = bloom_settings(f, cases[n].resolution, AG_BLOOM_ONLY);
        follower *texels = check_allocate(sizeof *texels * MANY);
        following followed = {rng_uniform(&r, 0.6, 0.95), texels};
        double *scenes[3], worst = 0, changed = 0;
        memset(texels, 0, sizeof *texels * MANY);
        for (int i = 0; i < 3; ++i)
            scenes[i] = i ? blooming_scene(&r, cases[n].format, WIDTH, HEIGHT, 0.01, 50)
                          : values_even(cases[n].format, WIDTH, HEIGHT, 0);
        s.shape = cases[n].shape;
        kernel k = kernel_of(f, pass, &r, &s, HEIGHT, cases[n].extent);
        s.steady = (float)followed.steady;
        s.scrub = 0;
        split found = {.count = 0};
        for (int frame = 0; frame < FRAMES; ++frame) {
            double *src = check_doubles(4 * WIDTH * HEIGHT), peak = 0, error = 0;
            for (int i = 0, of = 0; i < 4 * WIDTH * HEIGHT; ++i) {
                of = i % 4 ? of : rng_int(&r, 0, 2);
                src[i] = scenes[of][i];
            }
            if (frame == BAD)
                src[4 * (WIDTH * HEIGHT / 2 + WIDTH / 2)] = (double)NAN;
            for (int i = 0; i < MANY && frame == RESET; ++i)
                texels[i].known = false;
            ag_bloom_settings settings;
            trial t = blooming_of(f, "steady", WIDTH, HEIGHT, src, &settings);
            blooming_formats(&t, cases[n].format, "rgba32f");
            settings = s;
            t.pass = pass;
            t.job.flags = frame == RESET ? AG_JOB_RESET : 0;
            trial_run(&t);
            const octaves o = octaves_of(&t);
            found = found.count ? found : split_of(&o, &k);
            plane seen = plane_of(WIDTH, HEIGHT), bloom = plane_of(WIDTH, HEIGHT);
            plane without = plane_of(WIDTH, HEIGHT);
            const double step[2] = {2, 2};
            for (int i = 0; i < CHANNELS * WIDTH * HEIGHT; ++i)
                seen.light[i] = src[i / CHANNELS * 4 + i % CHANNELS];
            bloom_frame(&found, &seen, step, &followed, &bloom);
            bloom_frame(&found, &seen, step, NULL, &without);
            for (int i = 0; i < CHANNELS * WIDTH * HEIGHT && frame != BAD; ++i) {
                double want = fmax(bloom.light[i], 0);
                error = fmax(error, fabs(t.got[DST][i / CHANNELS * 4 + i % CHANNELS] - want));
                peak = fmax(peak, want);
                changed = fmax(changed, fabs(want - fmax(without.light[i], 0)) / peak);
            }
            worst = check_worse(worst, peak > 0 ? error / peak : 0);
            trial_free(&t);
            free(src);
            free(seen.light);
            free(bloom.light);
            free(without.light);
        }
        char name[96];
        snprintf(name, sizeof name, "shape %d, %s, %s, steady %.2f, glow changed by %.2f: error",
                 s.shape, names[s.resolution], cases[n].format, followed.steady, changed);
        CHECK_LIMIT(name, worst, cases[n].limit);
        CHECK(changed > 0.05);
        for (int i = 0; i < 3; ++i)
            free(scenes[i]);
        free(texels);
        free(found.values);
        free(k.taps);
        f->ag->pass_destroy(pass);
    }
}
