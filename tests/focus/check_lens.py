#!/usr/bin/env python3
"""check_lens.py - depth_of_field against what a thin lens makes of the same scenes (lens_scenes.py, truth/)

    check_lens.py AFTERGLOW [FOLDER]     the command line; pictures are written to FOLDER: got, truth, error times 4

For each method, with the limit that it keeps:

    PSNR    dB, as seen: of codes after aces at exposure 0, where no light comes from beyond the frame. "Known" is that of
            texels of which less than 5 % is hidden in the frame
    halo    texels that an object in front changes further away than its blur reaches: root mean square along its edge
            of what its presence changes, beyond which this is below 2 % of the contrast in these rows
    disc    of lamps on black: the area against a true disc's, the width of the edge from 90 % to 10 %, by the distance
            from the true one, and the standard deviation within
    motion  of a lamp that moves by eighths of a texel: the range of its energy, and what of it is lost or gained, over
            radii 12 % apart and random ones. AG_TEST_TIER=full takes all of them, and openings with few blades; otherwise
            it is every third radius

Before this some texels of each scene are traced again, so that files and scenes agree. Exit status 77, skipped:
there is no NumPy.

SPDX-License-Identifier: MIT
"""
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    debian = "/usr/bin/python3"  # Debian's packages are for its own Python, which need not be the first of the PATH
    asked = [debian, "-c", "import numpy"]
    if not os.path.exists(debian) or subprocess.run(asked, capture_output=True, check=False).returncode:
        print("skipped: Python has no numpy")
        sys.exit(77)
    os.execv(debian, [debian, *sys.argv])

sys.dont_write_bytecode = True
import lens_scenes as scenes

TRUTH = pathlib.Path(__file__).resolve().parent / "truth"
HALOS = {  # scene: which layer is in front; rows that its left and right edge have in common with nothing else
    "rod": (0, slice(40, 120)),
    "rod_near": (0, slice(40, 120)),
    "two_near": (0, slice(34, 100)),
    "large": (0, slice(84, 128)),
}
LAMPS = (3.3, 5.2, 8.0, 12.7, 20.4, 31.0)
HIDDEN = 0.05
CELL = 96  # texels: room for each lamp
FULL = os.environ.get("AG_TEST_TIER", "quick") != "quick"
MOVING = 1.5 * 1.12 ** numpy.arange(0 if FULL else 1, 26, 1 if FULL else 3)
METHODS = {  # settings, and limits: what is measured, and a little more; of PSNR a little less
    "gather": ({"method": "gather"}, {
        "rod": (30.5, 38), "rod_near": (32.3, 38), "two_near": (34.2, 38), "plane": (38, 38),
        "lamps": (47.5, 48), "hairs": (40, 43), "leaf": (30.7, 38), "large": (33, 44.5), "blades": (43.2, 43.2),
        "rod halo": 2, "rod_near halo": 2, "two_near halo": 2, "large halo": 2,
        "area": 1, "edge": 1.5, "uneven": 1.2, "motion": 1.8, "energy": 1.8,
        "few blades": (2, 3), "blades in motion": (0, 5, 6),
    }),
    "tables": ({"method": "tables"}, {
        "rod": (29.6, 32.4), "rod_near": (16.3, 16.3), "two_near": (27.9, 29.2), "plane": (26.7, 26.7),
        "lamps": (21.4, 22.0), "hairs": (24.2, 31.9), "leaf": (15.0, 31.2), "large": (29.5, 31.0),
        "blades": (19.1, 19.3),  # it has none
        "rod halo": 1, "rod_near halo": 47, "two_near halo": 29.5, "large halo": 1,
        "area": 14.5, "edge": 2.75, "uneven": 0.8, "motion": 1.5, "energy": 2, "blades in motion": (0,),
    }),
}
failed = 0


def say(name, value, limit, unit, least=False):
    """One figure with its limit, at most or at least."""
    global failed
    good = value >= limit if least else value <= limit
    failed += not good
    bound = "at least" if least else "at most"
    print(f"{'' if good else 'FAILED: '}{name:48} {value:7.2f} {unit}, {bound} {limit}", flush=True)


def as_seen(light):
    """Codes of 0..1, not rounded: demo/cli/image.c, image_tone_aces."""
    x = numpy.clip(light.astype(numpy.float64), 0, 1e6)
    x = numpy.clip(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0, 1)
    return numpy.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)


def psnr(got, data):
    """Of all texels, and of what the frame shows."""
    edge = int(abs(data["radius"]).max()) + 1
    inside = slice(edge, -edge), slice(edge, -edge)
    error = (as_seen(got[inside]) - as_seen(data["truth"][inside])) ** 2
    return [-10 * numpy.log10(numpy.mean(some)) for some in (error, error[data["hidden"][inside] < HIDDEN])]


class Effect:
    def __init__(self, program, folder, settings):
        self.program, self.folder, self.settings = program, folder, settings

    def __call__(self, colour, radius, **more):
        src, depth, out = (os.path.join(self.folder, name) for name in ("src.npy", "depth.npy", "out.npy"))
        opaque = numpy.ones(radius.shape + (1,))
        numpy.save(src, numpy.concatenate([colour, opaque], -1).astype(numpy.float32))
        numpy.save(depth, scenes.depth_of(radius.astype(numpy.float64)).astype(numpy.float32)[..., None])
        sets = {**scenes.lens_settings(radius.shape[0]), "max_radius": 32, **self.settings, **more}
        words = [word for name, value in sets.items() for word in ("--set", f"{name}={value}")]
        subprocess.run([self.program, "run", "depth_of_field", src, "-o", out, "--slot", f"depth={depth}", *words],
                       check=True)
        return numpy.load(out)[..., :3].astype(numpy.float64)


# ---- the files
def check_files(rng):
    for name, scene in ((name, make()) for name, make in scenes.SCENES.items()):
        data = numpy.load(TRUTH / f"{name}.npz")
        colour, radius = scenes.pinhole(scene)
        x, y = rng.integers(0, scene.width, 24), rng.integers(0, scene.height, 24)
        traced, hidden = scenes.through_lens(scene, x + 0.5, y + 0.5)
        off = max(abs(as_seen(traced) - as_seen(data["truth"][y, x])).max(),
                  abs(as_seen(colour) - as_seen(data["colour"])).max(), abs(hidden - data["hidden"][y, x]).max())
        say(f"{name}.npz against rays, as seen", 255 * off, 1, "codes")
        say(f"{name}.npz, radius", abs(radius - data["radius"]).max(), 1e-4, "texels")


# ---- halos
def halo(effect, name):
    """The larger one of the left and the right edge. What is beyond a true blur is the same without the object."""
    which, rows = HALOS[name]
    scene = scenes.SCENES[name]()
    data = numpy.load(TRUTH / f"{name}.npz")
    front = abs(data["radius"] - scene.layers[which].radius[0]) < 0.01
    reach = abs(scene.layers[which].radius[0]) + 0.5
    scene.layers.pop(which)
    changed = as_seen(effect(data["colour"], data["radius"])) - as_seen(effect(*scenes.pinhole(scene)))
    seen = as_seen(data["truth"])[rows]
    contrast = (seen.max(axis=(0, 1)) - seen.min(axis=(0, 1))).max()
    widest = 0
    columns = numpy.arange(scene.width)
    for side in (-1, 1):
        far = numpy.zeros(scene.width)  # the mean square by whole texels from the edge
        count = numpy.zeros(scene.width)
        for row in range(rows.start, rows.stop):
            edge = columns[front[row]].max() if side > 0 else columns[front[row]].min()
            distance = side * (columns - edge)
            out = distance > 0
            numpy.add.at(far, distance[out], (changed[row, out] ** 2).max(axis=-1))
            numpy.add.at(count, distance[out], 1)
        level = numpy.sqrt(far / numpy.maximum(count, 1)) / contrast
        wrong = numpy.nonzero((level > 0.02) & (count > 0.5 * (rows.stop - rows.start)))[0]
        widest = max(widest, wrong.max() - reach if len(wrong) else 0)
    return widest


# ---- lamps
def cells(radii):
    """A black row of cells, one a lamp: colour and radius; and where their middles are."""
    shape = (CELL, CELL * len(radii))
    return numpy.zeros(shape + (3,)), numpy.zeros(shape), [CELL * i + CELL // 2 for i in range(len(radii))]


def lamp_discs(effect, sign):
    """Of lamps of 2 x 2 texels in a wall at their depth, or in front of one in focus."""
    colour, radius, middles = cells(LAMPS)
    for i, r in enumerate(LAMPS):
        x, y, cell = middles[i], CELL // 2, slice(CELL * i, CELL * (i + 1))
        if sign > 0:
            radius[:, cell] = r
        radius[y - 1:y + 1, x - 1:x + 1] = sign * r
        colour[y - 1:y + 1, x - 1:x + 1] = 1000
    got = effect(colour, radius)[..., 0]
    for i, r in enumerate(LAMPS):
        disc = got[:, CELL * i:CELL * (i + 1)]
        along = numpy.arange(CELL) + 0.5 - CELL // 2
        distance = numpy.hypot(*numpy.meshgrid(along, along)) - r
        inner = disc[distance < -0.3 * r - 0.5]
        level = numpy.median(inner)
        area = disc.sum() / level / (numpy.pi * r * r)
        yield r, 100 * abs(area - 1), edge_width(distance, disc / level), 100 * inner.std() / inner.mean()


def edge_width(distance, level):
    """From where the mean at a distance first falls below 90 % to where it is last above 10 %."""
    bins = numpy.arange(0.3 * distance.min(), 12, 0.25)
    found = [(b, level[abs(distance - b) < 0.25].mean()) for b in bins if (abs(distance - b) < 0.25).any()]
    outer = max((b for b, value in found if value > 0.1), default=numpy.inf)
    return max(outer - next((b for b, value in found if value < 0.9), 0), 0)


def motion(effect, r, blades, rng):
    """Of a lamp of 1.5 x 1.5 texels at 8 places along x, y and a diagonal, near and far; colours are areas, depths are
    the lamp's wherever it touches. The range of its energy along any, and how far any is off, in %."""
    steps, side, size = numpy.arange(8) / 8, 1.5, 48 if r < 10 else CELL
    off = rng.random(3)
    paths = [(sign * r, path) for sign in (-1, 1) for path in (
        lambda step: (off[0], step), lambda step: (step, off[1]), lambda step: (step, (step + off[2]) % 1))]
    radius, colour = (numpy.zeros((len(paths) * size, len(steps) * size) + more) for more in ((), (3,)))
    texels = numpy.arange(size) + 1 - size // 32 * 16  # it crosses a tile's edge
    for row, (own, path) in enumerate(paths):
        radius[row * size:(row + 1) * size] = max(own, 0.0)
        for column, step in enumerate(steps):
            part = numpy.outer(*(numpy.clip(numpy.minimum(texels + 1, at + side) - numpy.maximum(texels, at), 0, 1)
                                 for at in path(step)))  # y, x of its corner
            cell = slice(row * size, (row + 1) * size), slice(column * size, (column + 1) * size)
            colour[cell] = 1000 * part[..., None]
            radius[cell][part > 0] = own
    got = effect(colour, radius, blades=blades)[..., 0]
    energy = got.reshape(len(paths), size, len(steps), size).sum(axis=(1, 3)) / (1000 * side**2)
    return (100 * numpy.ptp(energy, axis=1) / energy.mean(axis=1)).max(), 100 * abs(energy - 1).max()


# ---- all of it
def write_picture(folder, name, *pictures):
    import struct, zlib
    codes = (numpy.clip(numpy.concatenate(pictures, axis=1), 0, 1) * 255 + 0.5).astype(numpy.uint8)
    height, width = codes.shape[:2]
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + row.tobytes() for row in codes)
    pathlib.Path(folder, f"{name}.png").write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


OPENINGS = {"blades": {"blades": 5, "roundness": 0.2, "rotation": 20, "squeeze": 1.3}}  # as in lens_scenes.py


def measure(method, effect, limits, pictures, rng):
    for name in scenes.SCENES:
        data = numpy.load(TRUTH / f"{name}.npz")
        got = effect(data["colour"], data["radius"], **OPENINGS.get(name, {}))
        for what, value, limit in zip(("PSNR", "PSNR, known"), psnr(got, data), limits[name]):
            say(f"{method}, {name}: {what}", value, limit, "dB", least=True)
        if pictures:
            seen = as_seen(got), as_seen(data["truth"])
            write_picture(pictures, f"{method}_{name}", *seen, 4 * abs(seen[0] - seen[1]))
    for name in HALOS:
        say(f"{method}, {name}: halo", halo(effect, name), limits[f"{name} halo"], "texels")
    for sign, side in ((-1, "near"), (1, "far")):
        for r, *figures in lamp_discs(effect, sign):
            for what, value, unit in zip(("area", "edge", "uneven"), figures, ("%", "texels", "%")):
                say(f"{method}, {side} lamp, radius {r}: {what}", value, limits[what], unit)
    for r in sorted([*MOVING, *numpy.exp(rng.uniform(numpy.log(1.5), numpy.log(24), 12 if FULL else 3))]):
        figures = [motion(effect, r, blades, rng) for blades in limits["blades in motion"]]
        for what, value in zip(("motion", "energy"), numpy.max(figures, axis=0)):
            say(f"{method}, lamps in motion, radius {r:.3f}: {what}", value, limits[what], "%")
        if FULL and "few blades" in limits:
            figures = [motion(effect, r, blades, rng) for blades in (3, 4)]
            for what, value, limit in zip(("motion", "energy"), numpy.max(figures, axis=0), limits["few blades"]):
                say(f"{method}, the same, 3 and 4 blades: {what}", value, limit, "%")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    pictures = sys.argv[2] if len(sys.argv) > 2 else None
    rng = numpy.random.default_rng(int(os.environ.get("AG_TEST_SEED", "47")))
    check_files(rng)
    with tempfile.TemporaryDirectory() as folder:
        for method, (settings, limits) in METHODS.items():
            measure(method, Effect(os.path.abspath(sys.argv[1]), folder, settings), limits, pictures, rng)
    print(f"check_lens: {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
