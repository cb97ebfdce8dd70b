"""figures.py - where each figure of the documents comes from: a function a page, read by check_figures.py

A {} stands for a figure in words of the page. `row` and `table` compare it with rows of bench/results, by the keys
effect, subject, variant and size, which stay when the results become fewer; `test` with a text of a file; `worked` with
a computation; `made` compares what a script of bench/ wrote. `rest` says of what is left in a chapter (#), table, item or
paragraph how many figures it is, and why no row has them: `shown`, `setting`, `said`, or `once`, with the date.

SPDX-License-Identifier: MIT
"""
import contextlib
import io
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "bench"), os.path.join(HERE, "..", "gpus")]
import budgets
import ladder_document
import predict
import results

H200 = os.path.join(os.path.dirname(results.__file__), "results", "nvidia-h200.json")
H100 = H200.replace("h200", "h100-80gb-hbm3")
RUN, COMPILE, MEMORY = (results.load(H200, kind) for kind in (None, "compile", "memory"))
ROWS = {results.row_key(row): row for row in RUN["rows"]}
ROWS_H100 = {results.row_key(row): row for row in results.load(H100, None)["rows"]}
STARTS = {(row["effect"], row["variant"], row["width"], row["height"]): row
          for row in COMPILE["rows"]}


class Value(float):
    """A number that knows its row."""
    key = ""


def value(number, *key):
    made = Value(number)
    made.key = " / ".join(map(str, key))
    return made


def row(effect, variant, size, subject="afterglow", rows=ROWS):
    width, height = map(int, size.replace(" ", "").split("x"))
    return rows[effect, subject, variant, width, height]


def hot(effect, variant, size, subject="afterglow", scale=1.0, rows=ROWS):
    return value(row(effect, variant, size, subject, rows)["gpu_hot_us"]["median"] * scale, effect, subject, variant, size, "hot")


def cold(effect, variant, size, subject="afterglow"):
    return value(row(effect, variant, size, subject)["gpu_cold_us"]["median"], effect, subject, variant, size, "cold")


def floor(effect, variant, size, subject="afterglow"):
    return value(row(effect, variant, size, subject)["floor_us"], effect, subject, variant, size, "floor")


def texel(effect, variant, size, subject="afterglow", rows=ROWS):
    found = row(effect, variant, size, subject, rows)
    return value(found["bytes"] / found["width"] / found["height"], effect, subject, variant, size, "bytes a texel")


def snr(effect, variant, size, subject="afterglow", error="error"):
    return value(row(effect, variant, size, subject)[error]["snr_db"], effect, subject, variant, size, error)


def aside(name, n):
    """A time that stands beside the rows."""
    return value(next(a["us"] for a in RUN["asides"] if (a["name"], a["width"]) == (name, n)), name, n)


def rule(name):
    """What afterglow-bench memory measured of a rule."""
    return value(next(r["measured"] for r in MEMORY["rules"] if r["rule"] == name), "memory", name)


def maker(function, *arguments):
    """What a script prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        function(*arguments)
    return out.getvalue().split("\n")


HD, UHD, K2, K4, K8 = "1920x1080", "3840x2160", "2048x2048", "4096x4096", "8192x8192"
COPY = ("rgba16f to rgba16f",)


# ---- what everyone reads

def readme(d):
    d.row("`size=0.3`: Gaussian; aperture | {}; {} |", hot("bloom", "gaussian", HD), hot("bloom", "aperture", HD))
    d.row("pyramid bloom of games as `bench/` has it, {}", hot("bloom", "rgba16f chain", HD, "pyramid"))
    d.row("3840x2160, Gaussian; aperture | {}; {} | that pyramid {}", hot("bloom", "gaussian", UHD), hot("bloom", "aperture", UHD),
          hot("bloom", "rgba16f chain", UHD, "pyramid"))
    for shape in ("Gaussian", "aperture"):
        d.row("1920x1080; 3840x2160: %s | {}; {} |" % shape,
              *(hot("bloom", f"{shape.lower()} resolution=auto", s) for s in (HD, UHD)))
    d.row("| 68; 149 | that pyramid {}; {} |", *(hot("bloom", "rgba16f chain", s, "pyramid") for s in (HD, UHD)))
    full, cu, vk = "kernel=generic storage=full", "fp32, 3 planes", "fp32, 3 planes, fused"
    sizes = "512x512", HD, K2
    d.row("kernels as large | {}; {}; {} | cuFFT {}; {}; {}, VkFFT 1.2.26 {}; {}; {},",
          *(hot("convolve", full, s) for s in sizes), *(hot("convolve", cu, s, "cufft") for s in sizes),
          *(hot("convolve", vk, s, "vkfft") for s in sizes))
    for text, form, size in (("4096x4096", "rgba16f", K4), ("4096x4096 RGBA8", "rgba8", K4), ("1920x1080", "rgba16f", HD)):
        d.row(f"| mip chain {text} | {{}} |", hot("mipchain", form, size))
    d.row("drawn (below): glGenerateMipmap {}, a chain of blits {}", hot("mipchain", "rgba16f", K4, "glGenerateMipmap"),
          hot("mipchain", "rgba16f", K4, "blits"))
    d.row("SPD 44; drawn: glGenerateMipmap {}", hot("mipchain", "rgba8", K4, "glGenerateMipmap"))
    d.row("wrong at odd sizes); drawn: glGenerateMipmap {}", hot("mipchain", "rgba16f", HD, "glGenerateMipmap"))
    tables = ("r32f to r32f", "rgba16f to rgba32f")
    d.row("R32F; RGBA16F to RGBA32F | {}; {} | a copy of the same bytes {}; {}", *(hot("sat", v, K4) for v in tables),
          *(hot("sat", v, K4, "copy") for v in tables))
    d.row("a radius a texel | {}; {} | a copy of the image {}", hot("box_blur", "radius 24", UHD),
          hot("box_blur", "radius a texel", UHD), hot("box_blur", *COPY, UHD, "copy"))
    d.row("1280x720; 120x67 | {}; {}; {} | reading the image alone {}",
          *(hot("downsample", f"rgba16f to {s} method=auto", UHD) for s in ("1920x1080", "1280x720", "120x67")),
          hot("downsample", "rgba16f to 1920x1080 every texel", UHD, "read alone"))
    d.row("complex, RGBA32F | {} | the textbook's radix 2 by textures {}", hot("fft", "tiled forward complex", K2),
          hot("fft", "texture_radix2 forward complex", K2))
    d.row("gather; tables | {}; {} | box blur with a radius a texel to 32 texels: {}",
          hot("depth_of_field", "gather to 32", UHD), hot("depth_of_field", "disc to 32", UHD),
          hot("depth_of_field", "box_blur, a radius a texel to 32", UHD))
    d.row("in the class of BM3D | {}; {}; {} | a copy of the image {}",
          *(hot("denoise", v, HD) for v in ("ti_haar", "haar", "blocks")), hot("denoise", *COPY, HD, "copy"))
    sea = row("ocean", "3 cascades, rgba32f", "512x512")
    d.row("512x512, RGBA32F | {} | its bytes at the speed of a copy {}", hot("ocean", "3 cascades, rgba32f", "512x512"),
          sea["floor_copy_us"])
    d.rest("| pass | time |", 10, "once", "peers in one process, an older build of ours beside them; a better pyramid, VkFFT 1.3.4: 2026-11-24")
    d.rest("An H200 draws some thirty times", 4, "once", "of that run, 2026-11; the warm-up is that of bench/README.md")
    d.rest("Give the device a folder of shaders", 2, "once", "afterglow-bench reload, in docs/reload.md: H200, 2026-11")


def which_effect(d):
    d.row("launches included. A copy of that frame takes {}.", hot("denoise", *COPY, HD, "copy"))
    for text, *values in (
            ("--tonemap aces` | {}; Gaussian {} |", hot("bloom", "aperture", HD), hot("bloom", "gaussian", HD)),
            ("f_number=1.4` | {} |", hot("depth_of_field", "gather to 32", HD)), ("-o state.npy` | {} |", hot("exposure", "rgba16f", HD)),
            ("view=linear` | {}, a map", hot("soft_shadow", "frame 1920x1080, light_angle=0.53", K2)),
            ("-o clean.png` | {} |", hot("denoise", "ti_haar", HD)), ("wind_speed=14` | {},", hot("ocean", "3 cascades, rgba32f", "512x512")),
            ("--size 640x360` | {} |", hot("downsample", "rgba16f to 640x360 method=auto", HD)),
            ("-o levels` | {} |", hot("mipchain", "rgba16f", HD)),
            ("radius=24` | {}; a radius a texel {} |", hot("box_blur", "radius 24", HD), hot("box_blur", "radius a texel", HD)),
            ("-o out.npy --set normalize=sum` | {} |", hot("convolve", "kernel=generic storage=full", HD)),
            ("-o table.npy` | {} |", hot("sat", "rgba16f to rgba32f", HD)), ("fft of 1024² {} |", hot("fft", "tiled forward complex", "1024x1024")),
            ("mask=mask.png` | {} |", hot("filter_spectrum", "lowpass, border=wrap", HD)), ("levels=3` | {} |", hot("wavelet", "tile, cdf97", HD))):
        d.row(text, *values)
    d.rest("| | you want | us |", 2, "said", "docs/viewer.md, 1608 x 821")


# ---- the effects

def bloom(d):
    which = {"full": "", **{name: f" resolution={name}" for name in ("half", "quarter", "eighth", "auto")}}

    def frame(line, column, i):
        words = line.replace(" a texel", "").split(" ", 1)
        of = texel if "bytes" in line else hot
        name, size = words[0].rstrip(","), words[1].replace("bytes ", "")
        return (of("bloom", name + which[column], size) if column in which else
                of("bloom", "rgba16f chain", size, "pyramid"))
    d.table("| | full | half | quarter | eighth | auto | the bench's pyramid |", frame)
    kinds = {"all RGBA16F": "rgba16f chain", "levels R11F_G11F_B10F": "r11g11b10f chain, karis",
             "levels and frames R11F_G11F_B10F": "r11g11b10f chain and frames, karis"}
    d.table("| pyramid, formats |", lambda line, column, i: texel("bloom", kinds[line], HD, "pyramid")
            if "bytes" in column else hot("bloom", kinds[line], column.replace(" ", ""), "pyramid"))
    d.row("6 levels | | {} |", texel("bloom", "rgba16f chain", HD, "pyramid"))
    d.worked("where {} of the peak is left: at three sigma, where {} % is", math.exp(-6**2 / 2), 100 * math.exp(-3**2 / 2))
    d.rest("- `gaussian`: sigma = size * height / 12", 1, "setting", "the definition")
    d.rest("Far from the lens the light", 3, "shown", "tests/fft/bloom_shapes.c")
    d.rest("*The street of the first picture", 18, "setting", "of the pictures")
    d.test("within {} of one ({} for RGBA16", "tests/fft/bloom_light.c", ": {};", "? {} :")
    d.test("beyond what an error of {} of the brightest light", "tests/support/blooming.c", "double error = {} * peak")
    d.worked("by Parseval, {} dB below", math.floor(20 * math.log10(2**26)))
    d.rest("B is the cubic B-spline", 2, "shown", "tests/fft/bloom_small.c")
    d.test("holds their limits, {} dB and {} %, and {} dB of what", "tests/cli/check_bloom.py", "limits are {} dB", "dB and {} %", "and {} dB of what")
    d.rest("| shape | size, intensity |", 70, "shown", "tests/cli/check_bloom.py prints the errors, afterglow run --plan the bytes")
    d.rest("Of the glow far from lamps", 3, "shown", "tests/cli/check_bloom.py and tests/fft/bloom_lamp.c")
    d.test("cheapest of those that keep {} dB", "tests/cli/check_bloom.py", "ASKED, SPARE, DARKEST = {},")
    d.rest("The same aperture on 3840", 9, "shown", "tests/cli/check_bloom.py, of a street of that size")
    d.rest("- What is kept.", 1, "setting", "the limits of auto")
    d.rest("- What it costs: the bytes", 3, "once", "afterglow-bench auto bloom, H100 and H200, 2026-11-27")
    d.rest("**An eighth that is a quarter.**", 5, "shown", "tests/cli/check_bloom.py; the estimates were measured once")
    d.rest("**grid = fixed.**", 4, "shown", "tests/fft/bloom_small.c")
    d.rest("**firefly.**", 3, "shown", "tests/fft/bloom_small.c; afterglow run --plan")
    d.rest("A lamp that passes gets brighter", 8, "shown", "tests/fft/bloom_steady.c")
    d.rest("What it cannot do", 2, "shown", "tests/fft/bloom_steady.c")
    d.rest("It needs half, quarter or eighth", 3, "shown", "afterglow run --plan")
    d.test("As convolve's: {} dB and {} of max", "tests/support/blooming.c", "t.snr = {};", "double error = {} * peak")


def convolve(d):
    ours = "kernel=generic storage="

    def frame(line, column, i):
        if column == "floor":
            return floor("convolve", ours + ("full" if i == 2 else "compact"), line)
        return {"full": lambda: hot("convolve", ours + "full", line), "compact": lambda: hot("convolve", ours + "compact", line),
                "cuFFT": lambda: hot("convolve", "fp32, 3 planes", line, "cufft"),
                "VkFFT 1.2.26": lambda: hot("convolve", "fp32, 3 planes, fused", line, "vkfft"),
                "dB into RGBA32F, full and compact": lambda: [snr("convolve", ours + s, line, error="error_float")
                                                              for s in ("full", "compact")]}[column]()
    d.table("| size | full | floor |", frame)
    d.rest("| border | 3 x 3 |", 24, "once", "afterglow-bench auto convolve, H100, 2026-11-27")
    d.rest("One work group computes 16 x 16", 4, "once", "afterglow run --frames 200, H100, 2026-11-27")
    d.test("at least {} dB, and no texel off by more than {} of max", "tests/support/convolving.h", "sum|kernel| and {} dB", "of up to {} of")
    d.rest("Against double precision, into RGBA32F", 1, "shown", "tests/fft/test_convolve.c; on llvmpipe and an H200")
    d.rest("Beside a spot of 60 000", 4, "shown", "tests/fft/convolve_compact.c")
    d.test("holds {} and {} dB,", "tests/fft/convolve_compact.c", '"random", NULL, {}}', "mostly_centre, {}}")
    d.test("105 dB, {}, and limits", "tests/support/convolving.c", "is_compact(s) ? {} :")
    d.rest("| | full | compact |", 17, "shown", "tests/fft/convolve_compact.c")
    d.rest("Frames on the H200, hot", 3, "once", "VkFFT 1.3.4, H200, 2026-11-24")
    full, even = ([hot("convolve", f"kernel={k} storage=full", s) for s in ("512x512", "1024x1024", HD, K2)]
                  for k in ("generic", "even"))
    gains = [100 * (1 - b / a) for a, b in zip(full, even)]
    d.row("in the bench) gains up to {} % at up to", max(gains))
    d.rest("*A part of the street (by llvmpipe), behind", 6, "once", "the picture's, llvmpipe, 2026-11-25")
    d.rest("**Error** against FFTW in double, into", 5, "shown", "tests/fft/test_deconvolve.c")
    d.rest("Per texel of an RGBA16F image", 2, "setting", "bytes of the plan")


def denoise(d):
    d.rest("On an H200 (driver 580, 2026-11-26;", 2, "once", "one run of the bench, H200, 2026-11-26")
    d.rest("| | 1080p, given |", 39, "once", "one run of the bench, H200, 2026-11-26")
    d.rest("Statistics take 7 to 18 us", 8, "once", "one run of the bench, H200, 2026-11-26")
    d.rest("*The finished picture as a sensor", 3, "once", "by the commands below it, llvmpipe, 2026-11")
    d.rest("A history takes", 11, "once", "one run, H100, 2026-11-27")
    d.rest("Open Image Denoise is a network", 2, "shown", "docs/denoise_compare.py")
    d.rest("With `scrub` a [bad texel]", 1, "setting", "what a texel counts as")
    d.rest("| noise | filter | camera | ascent |", 24, "shown", "tests/denoise/quality.py")
    d.rest("The mean over all shifts is worth", 2, "shown", "tests/denoise/quality.py")
    d.rest("- At 1920 x 1080 it takes", 3, "once", "afterglow run --stats, H200, 2026-11-26")
    d.rest("## Stacks of like blocks: `blocks`", 46, "shown", "tests/denoise/blocks.py")
    said = "docs/decisions.md, D67"
    d.rest("`levels` says how coarse", 1, "said", said)
    d.rest("- **Components are thresholded apart.**", 2, "said", said)
    d.rest("- **Tiles without texture show it.**", 1, "setting", "the quantile")
    d.rest("*averaged*: white noise", 2, "said", said)
    d.rest("It does not know noise from texture", 3, "said", said)
    d.rest("Luma and chroma are thresholded apart", 2, "said", said)
    d.rest("The noise falls as frames add up", 14, "once", "tests/denoise/denoise_motion.c; columns of frames, 2026-11-26")
    d.rest("- **Noise is even.**", 7, "once", "tests/denoise/denoise_estimate.c has the half as large ones, 2026-11-26")
    d.rest("For `gain` and `sigma` take", 8, "once", "afterglow run, llvmpipe, 2026-11-26")
    d.rest("| rule | T |", 3, "setting", "factors of the rule")
    d.rest("| noise | astronaut: noisy |", 60, "shown", "tests/denoise/denoise_estimate.c")
    d.rest("A flat part of a photograph", 2, "shown", "tests/denoise/denoise_estimate.c")
    d.rest("Noise of few paths a texel", 3, "shown", "tests/denoise/denoise_atrous.c")
    d.rest("| dB / SSIM | camera 0.05 |", 160, "shown", "docs/denoise_compare.py")
    d.rest("`blocks` is 0.1 to", 14, "once", "docs/denoise_compare.py, two cores of a CPU, 2026-11-26")
    d.rest("| one path a texel | dB | SSIM |", 8, "shown", "docs/denoise_compare.py")
    d.rest("The network is better by", 2, "once", "docs/denoise_compare.py, and with 16 paths, 2026-11-26")
    d.rest("A mean that is read between texels", 7, "shown", "tests/denoise/denoise_motion.c")
    d.rest("| texels a frame | first |", 22, "shown", "tests/denoise/denoise_motion.c")
    d.rest("Of a square of 0.55 that crosses", 6, "shown", "tests/denoise/denoise_motion.c")
    d.rest("`tests/denoise` holds every filter", 2, "shown", "tests/denoise/denoise_noise.c")


def depth_of_field(d):
    d.table("| to 32 |", lambda line, column, i: hot(
        "depth_of_field", line.replace(" (tables)", "").replace(", all", " to 32, all") if ", all" in line else
        line.replace(" (tables)", "") + " to 32", column))
    d.table("| shape, largest radius |", lambda line, column, i: hot(
        "depth_of_field", line.replace(", everything in focus", ", all in focus").replace(", ", " to ", 1), column))
    d.row("on one table, takes {} and {}:",
          *(hot("depth_of_field", "box_blur, a radius a texel to 32", s) for s in (HD, UHD)))
    d.row("about {} bytes a texel in all", 10 * round(texel("depth_of_field", "disc to 32", HD) / 10))
    d.rest("All texels of the two lattice", 9, "once", "the scenes of tests/focus/lens_scenes.py with guesses, 2026-11")
    d.rest("## How near it comes to a lens", 53, "shown", "tests/focus/check_lens.py")
    d.rest("## The radius of a texel", 13, "setting", "the definition")
    d.rest("- **The step**, in 1/m", 1, "setting", "the definition")
    d.rest("## method = gather", 4, "setting", "the method")
    d.rest("| `shape` | boxes", 23, "setting", "the definition")
    d.rest("| radius | share |", 8, "setting", "areas of the boxes and of the disc")
    d.rest("- A light that is thousands", 1, "shown", "afterglow run --plan")
    d.test("double and allow {}, with", "tests/focus/test_depth_of_field.c", "LAYER_ERROR {}")
    d.rest("## Error", 1, "setting", "the tests' colours")


def downsample(d):
    form = {"RGBA16F": "rgba16f", "RGBA8": "rgba8", "SRGB8_ALPHA8": "srgb8"}

    def frame(line, column, i):
        name, rest = line.split(" ", 1)
        size, to = (text.replace(" ", "") for text in rest.split(" to "))
        if column == "reading alone":
            return hot("downsample", f"{form[name]} to {to} every texel", size, "read alone")
        return hot("downsample", f"{form[name]} to {to} method={column}", size)
    d.table("| | reading alone | tile |", frame)
    four = "and 3 more sizes at once"
    d.row("3840 x 2160 take {} by `blocks`", hot("downsample", f"rgba16f to 1920x1080 {four}", UHD))
    d.row("the largest alone takes {}; from 4096 x 4096, of 512 x 512 and smaller, {}, beside {}.",
          hot("downsample", "rgba16f to 1920x1080 and 0 more sizes at once", UHD),
          hot("downsample", f"rgba16f to 512x512 {four}", K4),
          hot("downsample", "rgba16f to 512x512 and 0 more sizes at once", K4))
    d.rest("## 1. What it computes", 9, "setting", "the definition")
    d.rest("At a ratio of 6.4 nearest", 3, "setting", "texels of the filters")
    d.rest("| method | ratio |", 15, "setting", "what auto takes, and dispatches")
    d.rest("`auto` took the bold ones.", 1, "once", "partial_sums where auto took blocks, H200, 2026-11")
    d.rest("A later build on an H200", 9, "once", "old and new in one process, H200; afterglow-bench auto downsample, H100, 2026-11")
    d.rest("| way | read | written |", 21, "setting", "of the methods' definitions")
    d.test("RGBA16F, R11F_G11F_B10F | 0.5 ulp + {} * 2^-24", "tests/downsample/test_downsample.c", "{} * ldexp(1, -24)")
    d.rest("| format | limit | worst seen", 11, "shown", "tests/downsample/test_downsample.c: the limits, and on llvmpipe the worst")


def exposure(d):
    kind = {"scene": "rgba16f", "one colour": "rgba16f, one colour", "noise": "rgba16f, noise"}

    def frame(line, column, i):
        own = row("exposure", kind.get(line, "rgba16f"), column)
        return own["gpu_hot_us"]["median"] if line in kind else own["floor_copy_us"] if "copy" in line else RUN["copy"]["launches"][0]["us"]
    d.table("| RGBA16F | 1920 x 1080 |", frame)
    d.rest("`state.npy` then holds", 3, "setting", "a frame's time")
    d.test("is at most {} EV", "tests/exposure/test_exposure.c", "EXPOSURE_ERROR {}")
    d.rest("Compared with the definition, with luminance", 1, "shown", "tests/exposure, on llvmpipe")
    d.worked("with a unit of {} EV between 4 and 8", 2**-21)
    d.worked("by up to {} / (1 - exp(-dt speed)): {} EV at", 2**-22, 2**-22 / (1 - math.exp(-1 / 60)))
    d.rest("The state is a float", 2, "setting", "of a float")


def fft(d):
    kinds = {"tiled, complex": "tiled forward complex", "tiled, of a real image": "tiled forward", "multipass, complex": "multipass forward complex"}

    def forward(line, column, i):
        if "bytes" in column:
            return texel("fft", kinds[line], K2)
        n = column.strip("²")
        return hot("fft", kinds[line], f"{n}x{n}")
    d.table("| forward | 128² |", forward)
    d.row("512 x 512 takes {} us so, and {} with channels in turn", hot("fft_ladder", "tiled forward complex, planes", "512x512"),
          hot("fft_ladder", "tiled forward complex, channels in turn", "512x512"))
    d.worked("three channels in {} bytes a texel instead of {}", 16 + 8, 16 + 16)
    d.row("with the sine and cosine of the H200's driver a transform of radix 2 has {} dB at 512 x 512 instead of {}.",
          *(snr("fft_ladder", f"texture_radix2 forward complex, weights: {w}", "512x512") for w in ("driver's sin, cos", "polynomial")))
    d.row("upload and readback take {} and {} us", aside("upload of a plane", 512), aside("readback of two planes", 512))
    d.test("in double precision, which every test run measures: {} dB", "tests/support/transforming.c", "? {} : 120")
    d.test("(typical: 136 to 142), {} dB or more", "tests/support/transforming.c", "130 : {};")
    d.test("is the image within {} of its largest value, or {} with", "tests/fft/transform_laws.c", "== 130 ? {} :", ": {};")
    d.rest("Signal to noise against FFTW", 4, "shown", "tests/fft/test_transform.c, on llvmpipe")


def filter_spectrum(d):
    d.row("hot: {} us at 1920 x 1080 and {} at 3840 x 2160 with `border = wrap`, {} and {} with `mirror`. A copy takes {} and {}.",
          *(hot("filter_spectrum", f"lowpass, border={b}", s) for b in ("wrap", "mirror") for s in (HD, UHD)),
          *(hot("filter_spectrum", *COPY, s, "copy") for s in (HD, UHD)))
    d.rest("The borders of both sides meet", 1, "setting", "exp of the room")
    d.test("at least {} dB, and no texel off by more than {} of", "tests/fft/test_filter_spectrum.c", "left > 0 ? {} +", "channels ? {} *")
    d.rest("Against FFTW in double precision", 2, "shown", "tests/fft/test_filter_spectrum.c, on llvmpipe")


def ladder(d):
    """The documents' methods: their tables, and a row for each technique."""
    for key, text in [*ladder_document.tables(H200).items(), *ladder_document.tables(H100).items()]:
        d.made(key, text.split("\n"))

    def fft(method, n):
        return hot("fft", f"{method} forward complex", f"{n}x{n}")

    def change(text, subject="afterglow"):
        return hot("fft_ladder", text, "512x512", subject)

    def both(method):
        return sum(hot("fft", f"{method} {way} complex", "512x512") for way in ("forward", "inverse"))

    def faster(transfers, n):
        against = [hot("fft", "tiled forward", f"{n}x{n}")] + [aside(name, n) for name in ("upload of a plane", "readback of two planes")]
        return value(aside("plain C, radix 2, double, one core", n) / sum(against if transfers else against[:1]), "fft", "against a CPU", n)

    def scan(method, n=4096):
        return hot("sat_methods", method, f"{n}x{n}")

    def copy(method):
        return 100 * hot("sat_methods", "rgba16f to rgba32f", K4, "copy") / scan(method)

    def varied(*variants):
        return [hot("sat_scans", variant, K2) for variant in variants]
    shared, half = "shared_radix2 forward complex, ", "half_threads forward complex, "
    paper = change(half + "as the paper has it")
    techniques = {
        "A01": [fft("texture_radix2", 512), fft("texture_radix2", 2048)],
        "A02": [fft("shared_radix2", 512), both("texture_radix2") / both("shared_radix2")],
        "A04": [change(shared + "weights: polynomial"), change(shared + "last pass copied")],
        "A05": snr("fft_ladder", shared + "weights: polynomial", "512x512"),
        "A09": [change("texture_radix2 forward complex, weights: polynomial"),
                change("texture_radix2 forward complex, weights: lookup texture", "lookup")],
        "A11": [change("tiled forward, packed in rgba_rg"), change("tiled forward, imaginary part not read")],
        "A12": [change(shared + "weights: polynomial") / change("shared_radix2 forward, imaginary part not read"),
                change("tiled forward complex, planes") / change("tiled forward, imaginary part not read")],
        "A13": [change(f"tiled inverse complex, into {name}") for name in ("rgba32f", "rgba16f", "r11g11b10f")],
        "A14": texel("fft", "texture_radix2 forward complex", K2),
        "A17": [paper, change(shared + "weights: polynomial") / paper],
        "A18": texel("fft_ladder", "texture_radix2 forward complex, weights: polynomial", "512x512") / 16,
        "A19": [change(f"{half}{n} a group") for n in ("1 row", "2 rows", "4 rows", "8 rows")],
        "A20": [change("half_length forward, real rows"), change("half_threads forward, imaginary part not read")],
        "A21": [50 - 600 / (8 * 7), 50 - 600 / (8 * 9)],
        "A22": [paper, change(half + "weights: table"), change(shared + "weights: 2-D table"), change(shared + "weights: table")],
        "A23": [paper, change(half + "transposed"), change("rows to columns", "lines"), change("rows to rows", "lines")],
        "A24": [paper, change(half + "scattered stores")],
        "A27": [faster(False, 512), faster(True, 512)],
        "A28": [faster(True, 128), faster(True, 512), faster(True, 2048)],
        "A31": hot("fft", "radix 2, forward complex", "512x512", "fragment"),
        "D01": hot("sat", "rgba16f to rgba32f", K4),
        "D02": [scan("kogge_stone"), copy("kogge_stone")],
        "D03": [scan("hensley"), scan("hensley_radix4"), scan("hensley_radix16")],
        "D05": [scan("blelloch"), copy("blelloch")],
        "D07": [scan("segmented"), copy("segmented")],
        "D08": [scan("scan_transpose_scan"), copy("scan_transpose_scan")],
        "D09": varied("kogge_stone columns=1", "kogge_stone columns=4", "kogge_stone columns=16"),
        "D11": [scan("ladner_fischer", 2048), *varied("ladner_fischer without subgroups")],
        "D13": [scan("scanrow_brlt", 2048), *varied("scanrow_brlt unpadded", "scanrow_brlt swizzled")],
        "D14": varied(*(f"scan_transpose_scan {tile}" for tile in ("padded", "unpadded", "swizzled", "direct"))),
        "D15": [scan("scanrow_brlt"), copy("scanrow_brlt")],
        "D16": [scan("brlt_scanrow"), copy("brlt_scanrow")],
        "D17": [scan("scanrowcolumn"), copy("scanrowcolumn")],
        "D18": varied(*(f"scanrow_brlt subgroups={n}" for n in (1, 4, 16, 32))),
        "D19": [scan("tiles"), copy("tiles")],
        "D20": [scan("lookback"), scan("lookback", 8192), scan("tiles", 8192)],
        "D21": [rule("neighbours read neighbours"), rule("threads along rows")],
        "D22": [rule("[32][33] instead of [32][32]"), rule("a swizzle does as well")],
        "F01": [hot("wavelet", "periodic_strided, haar", K2), hot("wavelet", "tile, haar", K2)],
    }
    grows = [hot("wavelet", f"time against size, {m}, db4", K4) / hot("wavelet", f"time against size, {m}, db4", K2)
             for m in ("periodic_strided", "tile")]
    steps = [hot("wavelet", "periodic_strided, haar", K2), hot("wavelet", "separable, haar", K2, "two passes"),
             hot("wavelet", "tile, haar", K2), hot("wavelet", "one dispatch, haar", K2, "one dispatch")]
    techniques["F06"], techniques["F08"] = [value(grows[0], "wavelet", "F06")], steps
    d.table("| | technique, document |", lambda line, column, i: techniques.get(line) if column == "today" else None)
    d.table("| step, three levels |", lambda line, column, i: dict(zip(("per", "two", "til", "one"), steps))[line[:3]] if i == 3 else None)
    d.row("it grows {}-fold with db4, of `tile` {}-fold", *grows)
    store(d, [("A16 | a partial write reads first, article | `fft_ladder` (`lines`); `memory` | {} in 4 MiB;", "plane"),
              ("in 4 MiB; {} in 256 MiB", "three")])
    d.row("takes {} us for RGBA16F 3840 x 2160 to 1920 x 1080, where `tile` takes {}, and {} for 2048 x 2048 to 64 x 64, where "
          "`columns` takes {}.", *(hot("downsample", f"rgba16f to {to} method={m}", size) for to, size, pair in
                                   (("1920x1080", UHD, ("register_columns", "tile")), ("64x64", K2, ("register_columns", "columns")))
                                   for m in pair))
    d.test("errors stay below {} without", "tests/wavelet/test_wavelet.h", "WAVELET_ERROR {}")
    d.worked("{} ms for 16.8 MB are {} GB/s", 0.9, 16.8 / 0.9)
    d.made("scan_registers", budgets.scans())
    d.rest("| | technique, document |", 15, "setting", "counts, and figures of the documents")
    d.rest("| method | passes |", 22, "setting", "of the methods; tests/ladder/sat_ladder_networks.c counts the additions")
    d.rest("- Its Fig 7 has", 2, "setting", "bytes of a texel")
    d.rest("**`register_columns`** is", 4, "setting", "sizes of the method; the blog's figures")
    d.rest("Its CPU times count different", 2, "setting", "the level that is made")
    d.rest("| step, three levels |", 6, "setting", "of the methods")
    d.rest("| way | CPU, first frame |", 14, "said", "the blog that section 4 is about")
    d.rest("| result | way | MB |", 68, "once", "afterglow-bench downsample prints it and keeps none, H200, 2026-11-23")
    d.rest("`brlt_scanrow` at 512 x 512", 1, "once", "the copy of another run, H200, 2026-11")


def mipchain(d):
    form = {"RGBA16F": "rgba16f", "RGBA8": "rgba8", "SRGB8_ALPHA8": "srgb8", "R11F_G11F_B10F": "r11g11b10f", "R32F": "r32f",
            "RGBA32F": "rgba32f"}
    who = {"Afterglow, hot": "afterglow", "glGenerateMipmap": "glGenerateMipmap", "blits": "blits"}

    def frame(line, column, i):
        name, size = line.split(" ", 1)
        if column.startswith("dB"):
            return [snr("mipchain", form[name], size, s) for s in who.values()]
        return cold("mipchain", form[name], size) if column == "cold" else hot("mipchain", form[name], size, who[column])
    d.table("| | Afterglow, hot | cold |", frame)
    d.rest("## 1. What a level is", 14, "setting", "the definition; shares of the picture's leaves")
    d.rest("- Even sizes make up to six", 1, "once", "D12 of docs/decisions.md, H200, 2026-11")
    large = [abs(cold("mipchain", f, s) / hot("mipchain", f, s) - 1) * 100 for f, s in (("rgba16f", K4), ("rgba16f", UHD), ("rgba16f", K8),
             ("rgba8", K4), ("rgba8", K8), ("rgba32f", K4), ("rgba16f", "4095x4095"), ("rgba8", "4095x4095"))]
    d.row("take the same time cold, within {} %", max(large))
    d.row("a compute copy moves {})", round(RUN["copy"]["texture_fetch_gb_s"], -2))
    d.rest("glGenerateMipmap and the blits draw", 1, "once", "a fragment copy, H200, 2026-11")
    d.rest("| | Afterglow | nvpro_pyramid |", 17, "once", "peers in one process, H200, 2026-11")
    d.rest("| | before | now |", 20, "once", "old and new in one process, H200, 2026-11")
    d.rest("With `levels=1` 4096 x 4096", 6, "once", "bytes at the copy's speed and an empty launch, H200, 2026-11")
    d.rest("| format | limit | worst seen |", 13, "shown", "tests/mip/mipchain_values.c: the limits, and on llvmpipe the worst")


def ocean(d):
    for kind in ("rgba16f", "rgba32f"):
        sizes = [hot("ocean", f"3 cascades, {kind}", f"{n}x{n}") for n in (256, 512, 1024)]
        d.row("take {} us at 256, {} at 512 and {} at 1024, into RGBA16F" if kind == "rgba16f" else
              "{}, {} and {} into RGBA32F", *sizes)
    d.rest("The middle component before normalising", 2, "once", "maps of afterglow ocean, llvmpipe, 2026-11-25")
    d.rest("`time` and `choppiness` change", 2, "once", "one core of a busy server's CPU, 2026-11")
    d.rest("## 2. The spectrum", 8, "setting", "the definition")
    d.rest("## 3. How", 2, "once", "maps of afterglow ocean, llvmpipe, 2026-11-25")
    d.test("into 32-bit floats: at most {} of each field's", "tests/fft/test_ocean.c", "= {} * peak")
    d.test("16-bit floats add {} of their unit", "tests/support/trial.c", "allowed = {};")
    d.rest("Against a reference in double, with its own", 11, "shown", "tests/fft/test_ocean.c, on llvmpipe")


def sat(d):
    kind = {"R32F; a copy": "r32f to r32f", "R8 to R32F; a copy": "r8 to r32f", "RGBA16F to RGBA32F; a copy": "rgba16f to rgba32f"}
    d.table("| | 512 x 512 | 1920 x 1080 |", lambda line, column, i: [hot("sat", kind[line], column),
                                                                   hot("sat", kind[line], column, "copy")])
    radius = {"24": "radius 24", "24.5": "radius 24.5", "its own texture": "radius a texel",
              "24, from double_float": "radius 24, double_float"}
    d.table("| radius | buffer | texture | image |", lambda line, column, i: hot(
        "box_blur", radius[line] + ("" if "double" in line else f", by {column}"), UHD))
    times = [hot("box_blur", f"{radius[r]}, by buffer", UHD) / hot("box_blur", *COPY, UHD, "copy") for r in ("24", "its own texture")]
    d.row("a copy of the image takes {}, so by buffer that is the time of {} to {} copies", hot("box_blur", *COPY, UHD, "copy"), *times)
    d.rest("On the H200, 3840 x 2160 RGBA16F", 1, "once", "afterglow run --frames, by step, H200, 2026-11")
    d.rest("| storage | bytes a channel |", 25, "shown", "ag_api.sat_error; tests/sat/sat_precision.c compares with it")
    d.rest("| | 1920 x 1080, 3 x 3 | 33 x 33 |", 24, "shown", "tests/sat/sat_precision.c, on an H200")
    d.rest("Means of 3 x 3 boxes near", 3, "once", "the picture's, on llvmpipe, 2026-11")
    d.rest("- **offset** takes 1/2", 5, "setting", "the definition")
    d.rest("On the H200, hot, microseconds, step by step", 4, "once", "afterglow-bench auto sat, H100, 2026-11-27")
    d.rest("| | tiles, threads | reduce |", 24, "once", "afterglow-bench sat_variants by step, H200, 2026-11")
    d.rest("| program | boxes |", 7, "setting", "reads of the shaders")


def soft_shadow(d):
    d.row("hot: {} ms for a frame of 1920 x 1080 and a map of 2048 x 2048, {} ms for 3840 x 2160 with that map, {} ms with",
          hot("soft_shadow", "frame 1920x1080, light_angle=0.53", K2, scale=1e-3),
          hot("soft_shadow", "frame 3840x2160, light_angle=0.53", K2, scale=1e-3),
          hot("soft_shadow", "frame 3840x2160, light_angle=0.53", K4, scale=1e-3))
    d.rest("On an H200 (driver 580), with moments", 1, "setting", "bytes of a format")
    d.rest("Both estimates are exact", 2, "shown", "tests/focus/test_soft_shadow.c")
    d.rest("## Precision", 2, "shown", "tests/focus/test_soft_shadow.c")
    d.rest("The effect makes the table (24 bytes", 4, "shown", "afterglow run --plan")
    d.rest("   A box that shows mostly", 1, "setting", "the definition")
    d.rest("**Against rays**", 5, "shown", "tests/focus/test_soft_shadow.c")


def wavelet(d):
    def frame(line, column, i):
        kinds = {"a fused tile a level, haar; inverse": ("tile, haar", "tile, haar, inverse"),
                 "the same, cdf97; inverse": ("tile, cdf97", "tile, cdf97, inverse"),
                 "two passes a level, haar; cdf97": ("separable, haar", "separable, cdf97"),
                 "all levels in one dispatch, haar (a baseline of the bench)": ("one dispatch, haar",)}[line]
        subject = {"two": "two passes", "all": "one dispatch"}.get(line.split()[0], "afterglow")
        if column == "bytes a texel":
            return texel("wavelet", kinds[0], HD, subject)
        return [hot("wavelet", k, column, subject) for k in kinds]
    d.table("| | 1920 x 1080 | 3840 x 2160 | bytes a texel |", frame)
    d.row("a copy of the image takes {} and {}:", *(hot("wavelet", *COPY, s, "copy") for s in (HD, UHD)))
    d.rest("Groups of 64 x 2 threads instead of", 5, "once", "old and new build in turns, H100, 2026-11-27")
    d.rest("## 1. What it computes", 8, "setting", "taps of the filters")
    d.test("are within {} of the largest one", "tests/wavelet/test_wavelet.h", "WAVELET_ERROR {}")
    d.test("give the image back to {} of", "tests/wavelet/test_wavelet.h", "WAVELET_RECONSTRUCTION {}")


def gpus(d):
    d.made("gpus", budgets.docs())
    d.rest("**Doubles on Intel.**", 1, "once", "afterglow-bench compile --hear on Mesa 25.0.7, 2026-11")


def memory(d):
    d.made("nvidia-h200-memory", [f"{MEMORY['device']['renderer']}, {MEMORY['device']['driver']}, commit {MEMORY['commit']}.",
                                  "", *results.rules(H200).split("\n")])
    d.rest("| claimed | true | weaker | gone |", 5, "setting", "the criterion, bench/verdict.c")
    store(d, [("A part of the {} is", "three"), ("take {} times as long as all bytes", "half"), ("12 of 16 bytes take {} times as long", "plane")])
    reads = [figure["value"] for figure in results.load(H100, "memory")["figures"] if figure["group"] == "constants"]
    d.row("580): {} reads a nanosecond, {} from a constant array, {} from a uniform buffer; at a place of each thread's own "
          "{}, {} and {}.", reads[4], reads[0], reads[2], reads[5], reads[1], reads[3])
    d.rest("- **Partial stores** (A16", 2, "setting", "bytes of the stores")
    d.rest("A figure of the module's own", 1, "setting", "what tune asks for")
    predicted(d)
    median = maker(predict.main, H200)[-2].split()[-1]
    d.row("of them the median error is {} %", float(median.rstrip("%.")))
    d.test("holds it below {}.", "tests/tools/check_predict.py", "error > {}:")


def predicted(d):
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in maker(predict.main, H200, "--markdown") if line[:2] == "| "]
    rows = {line[0]: line for line in lines}
    d.table("| effect | rows | us a dispatch |", lambda line, column, i: float(rows[line][i].rstrip("%")))


def start(effect, variant, kind, part="total"):
    return value(STARTS[effect, variant, 1920, 1080][kind][part], effect, variant, kind, part)


def store(d, excerpt):
    """What docs/ladder.md and docs/memory.md say of partial stores: the same figures."""
    us = {figure["name"]: figure["us"] for figure in MEMORY["figures"] if (figure["group"], figure["series"]) == ("global", "store")}
    plane = [hot("fft_ladder", f"into a buffer, {what}", "512x512", "lines") for what in ("12 of 16 bytes", "whole")]
    made = {"plane": plane[0] / plane[1], "three": us["12 of 16 bytes"] / us["whole"], "half": us["16 of 32 bytes"] / us["whole"]}
    for text, name in excerpt:
        d.row(text, value(made[name], "stores", name))


def decisions(d):
    d.history()


def build(d):
    d.rest("These are some 90 files", 3, "once", "ninja on empty folders, gcc 12, two cores of a shared machine, 2026-11-26")
    d.test("promises at most {}.", "tests/support/convolving.h", "of up to {} of")


def glossary(d):
    d.rest("| term | meaning | | --- | --- | | subgroup", 1, "setting", "of the hardware")


def integrate(d):
    d.test("it costs at most {} microseconds of one CPU core, and at most {} for", "tests/abi/test_prepare_cost.c",
           "limit_same = {},", "limit_alternating = {};")
    d.row("leaves {} of {} ms of `device_create` and `prepare` for a bloom with a Gaussian",
          start("bloom", "gaussian", "warm_ms"), start("bloom", "gaussian", "cold_ms"))
    d.row("at most {} ms of every start whose `prepare` dispatches nothing",
          max(start(effect, variant, "warm_ms") for effect, variant, *size in STARTS
              if size == [1920, 1080] and effect != "convolve" and "aperture" not in variant))
    d.row("leaves {} of {} ms with an aperture and {} of {} for a convolution",
          *(start(e, v, kind) for e, v in (("bloom", "aperture"), ("convolve", "generic kernel wrap"))
            for kind in ("warm_ms", "cold_ms")))
    d.rest("**What waits.**", 3, "once", "afterglow-bench reload, in docs/reload.md: H200, 2026-11")
    d.rest("| host | context that it asks for", 6, "setting", "versions of GL")


def profiling(d):
    d.rest("## What it costs", 10, "shown", "test_calls of tests/time/test_profiler.c counts them")
    d.test("takes longer than {} us, because", "engine_plugin/src/time/timer.c", "DEAR_NS = {} * 1000")
    d.rest("## The GPU on your clock", 2, "setting", "intervals of engine_plugin/src/time/timer.c")
    d.rest("Where the driver puts memory counts", 2, "once", "one pass after other allocations, H200, 2026-11")
    d.rest("| what | microseconds |", 9, "once", "afterglow-bench profiler, H200, 2026-11")
    d.rest("An untimed pass places no query", 7, "once", "GL functions timed one by one, H200, 2026-11")


def reload(d):
    d.rest("A kernel shader of the folder may draw anything", 7, "once", "plans of afterglow run; times of live bloom, H200, 2026-11")
    d.rest("## Edit while it runs", 1, "setting", "about the sum of the two polls below")
    d.test("Each path gets a `stat` every {} ms", "engine_plugin/src/shader/watch.h", "AG_WATCH_INTERVAL_NS = {}000000,")
    d.test("is read after {} ms without", "engine_plugin/src/shader/watch.h", "AG_WATCH_QUIET_NS = {}000000,")
    d.rest("`ag_device_desc.frame_budget` bounds", 1, "setting", "engine_plugin/src/core/reload.c, engine_plugin/src/shader/watch.h")
    d.row("`prepare` then take {} ms for that bloom, {} ms with an aperture and {} for a convolution",
          start("bloom", "gaussian", "warm_ms"), start("bloom", "aperture", "warm_ms"), start("convolve", "generic kernel wrap", "warm_ms"))
    d.row("first pictures take {}, {} and {} ms", *(start(e, v, "warm_ms", "picture") for e, v in (
        ("bloom", "gaussian"), ("bloom", "aperture"), ("convolve", "generic kernel wrap"))))
    d.rest("## NVIDIA's driver", 60, "once", "afterglow-bench reload keeps no file: H200, driver 580, 2026-11")


def security(d):
    d.rest("| comes from outside", 1, "setting", "an exit status")


def spectrum(d):
    d.rest("## 1. Reading it", 4, "setting", "the scale")
    d.worked("takes 8 + 12 bytes (rows), 12 + {} (columns) and 12 + {} (view), {} in all", 12, 8, 8 + 12 + 12 + 12 + 12 + 8)
    d.test("no texel off by more than {} of max|src| (times the gain), and at least {} dB", "tests/fft/test_spectrum.c",
           "double error = {} *", "peak == 0 ? 0 : {};")
    d.test("in that bound, and {} dB around", "tests/fft/test_spectrum.c", "+ {} / (double)s->range")
    d.rest("Against FFTW in double precision", 5, "shown", "tests/fft/test_spectrum.c")


def video(d):
    d.rest("`gain` makes white shine", 1, "setting", "the command's gain")


def viewer(d):
    d.rest("On an H200 (driver 580) a window", 1, "once", "the viewer's own table, H200, 2026-11-23")
    d.rest("| | | | --- | --- | | scene (traced)", 16, "once", "the viewer's own table, H200, 2026-11-23")
    d.rest("| slot | gets |", 1, "setting", "a texture's value")
    d.rest("`--frames` needs neither", 1, "setting", "an option")
