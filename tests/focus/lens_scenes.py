#!/usr/bin/env python3
"""lens_scenes.py - scenes, and what a thin lens makes of them, by brute force

    lens_scenes.py --write FOLDER [NAME...]     writes each scene, or those named, as FOLDER/NAME.npz, in a minute

A file has the frame (colour), what the lens makes of it (truth), both in half floats, the radius of each texel, and how
much of its truth the frame does not show (hidden): the share of its rays, or of its light if that is more, that come
from what the middle of the lens does not see.

A scene is a few opaque layers, whole in what they hide too. A ray goes from a texel's centre through a point of the
lens's opening; what it hits first is its colour, and a texel is the mean of thousands of rays. A ray through the middle
of the lens makes the frame and the depth of an engine. No pixel filter: what is in focus is the same in both.

A layer's radius is affine in the place on the screen, r = a + b x + c y, because 1/z of a plane is. A ray from the
texel p through the point u of the opening, of which the unit circle is the largest, meets the layer where the frame
shows the place q = p - r(q) u. With g = (b, c) that is r(q) = r(p) / (1 + g u).

SPDX-License-Identifier: MIT
"""
import pathlib
import sys
from dataclasses import dataclass, field

import numpy

IN_FOCUS, FARTHEST_RADIUS = 4.0, 40.0  # of the lens: metres; texels at infinity
FOCAL, F_NUMBER = 0.1, 1.0  # metres


# ---- the lens
@dataclass(frozen=True)
class Opening:
    """As that of bloom: `blades` 0 is round; corners lie on the unit circle, and roundness 1 is that circle."""
    blades: int = 0
    roundness: float = 0.0
    rotation: float = 0.0  # degrees
    squeeze: float = 1.0  # anamorphic: how much taller than wide
    cats_eye: float = 0.0  # at the frame's corners the far end of the barrel is so far off the axis

    def edge(self, angle):
        """The distance of the edge from the middle, before the squeeze."""
        if not self.blades:
            return numpy.ones_like(angle)
        part = 2 * numpy.pi / self.blades
        angle = angle - numpy.radians(self.rotation)
        straight = 1 - self.roundness
        from_middle = angle - part * (numpy.floor(angle / part) + 0.5)
        return (self.roundness + straight * numpy.cos(part / 2)) / (self.roundness + straight * numpy.cos(from_middle))

    def points(self, count):
        """About as many points, spread evenly: the R2 sequence, less what falls outside."""
        i = numpy.arange(1, int(count * 4 / numpy.pi) + 1)
        x, y = (2 * ((0.5 + i * step) % 1) - 1 for step in (0.7548776662466927, 0.5698402909980532))
        inside = numpy.hypot(x, y) <= self.edge(numpy.arctan2(y, x))
        return numpy.stack([x[inside] / self.squeeze, y[inside]]).astype(numpy.float32)


def depth_of(radius):
    """Metres, of a signed radius in texels: negative in front of the focus."""
    return IN_FOCUS / (1 - radius / FARTHEST_RADIUS)


def lens_settings(height):
    """The same lens for depth_of_field."""
    k = FARTHEST_RADIUS * (IN_FOCUS - FOCAL)
    return {"encoding": "linear", "focus_distance": IN_FOCUS, "focal_length": 1000 * FOCAL, "f_number": F_NUMBER,
            "sensor_height": 1000 * FOCAL**2 * height / (2 * F_NUMBER * k)}


# ---- layers: masks and colours are functions of places in the frame, in texels
@dataclass
class Layer:
    radius: tuple  # a, b, c
    colour: object
    mask: object = None  # None: everywhere


@dataclass
class Scene:
    width: int
    height: int
    layers: list
    opening: Opening = field(default_factory=Opening)
    rays: int = 4096


def at(radius):
    return (radius, 0.0, 0.0)


def even(*rgb):
    return lambda x, y: numpy.broadcast_to(numpy.float32(rgb), x.shape + (3,))


def tinted(value, tint):
    return value[..., None] * numpy.float32(tint)


def noise(seed, low, high, shortest, longest, tint=(1, 1, 1)):
    """Waves of these lengths in texels, in random directions; the frame's samples hold them without aliasing."""
    rng = numpy.random.default_rng(seed)
    waves = []
    for length in numpy.geomspace(shortest, longest, 6):
        angle, phase = rng.uniform(0, 2 * numpy.pi, 2)
        waves.append(numpy.float32([numpy.cos(angle), numpy.sin(angle), phase * length / (2 * numpy.pi), length]))

    def colour(x, y):
        total = sum(numpy.sin((x * w[0] + y * w[1] + w[2]) * numpy.float32(2 * numpy.pi / w[3])) for w in waves)
        return tinted(numpy.clip((low + high) / 2 + (high - low) / 6 * total, low, high), tint)

    return colour


def lattice(period, wide, dark, bright):
    """Bars of whole texels along both axes."""
    def colour(x, y):
        bar = (numpy.floor(x) % period < wide) | (numpy.floor(y) % period < wide)
        return numpy.where(bar[..., None], numpy.float32(bright), numpy.float32(dark))

    return colour


def box(left, top, right, bottom):
    return lambda x, y: (x >= left) & (x < right) & (y >= top) & (y < bottom)


def rod(x0, wide, top=-1e9, slope=0.0):
    return lambda x, y: (numpy.abs(x - x0 - slope * y) < wide / 2) & (y >= top)


def line(x0, y0, x1, y1, wide):
    """A straight line between two points, with square ends."""
    length = numpy.hypot(x1 - x0, y1 - y0)
    along = numpy.float32([(x1 - x0) / length, (y1 - y0) / length])

    def mask(x, y):
        s, t = (x - x0) * along[0] + (y - y0) * along[1], (y - y0) * along[0] - (x - x0) * along[1]
        return (s >= 0) & (s <= length) & (t >= -wide / 2) & (t < wide / 2)

    return mask


def disc(x0, y0, radius):
    return lambda x, y: (x - x0) ** 2 + (y - y0) ** 2 < radius * radius


def leaf(x0, y0, long, wide, degrees):
    """What two discs have in common."""
    big = (long * long / 4 + wide * wide / 4) / wide
    off = big - wide / 2
    c, s = numpy.cos(numpy.radians(degrees)), numpy.sin(numpy.radians(degrees))
    one, other = disc(x0 - off * s, y0 + off * c, big), disc(x0 + off * s, y0 - off * c, big)
    return lambda x, y: one(x, y) & other(x, y)


def lamp(x, y, side, radius, *rgb):
    """A square of whole texels."""
    return Layer(at(radius), even(*rgb), box(x, y, x + side, y + side))


# ---- the scenes
def rod_scene(behind):
    """A rod before a lattice, which lies a little behind the focus, or a little before it."""
    return Scene(192, 128, [
        Layer(at(-7.1), noise(1, 0.1, 0.3, 8, 30, (1.0, 0.35, 0.2)), rod(92, 7, top=18, slope=0.05)),
        Layer(at(behind), lattice(8, 3, (0.04, 0.05, 0.07), (0.5, 0.45, 0.35))),
    ])


def two_near_scene():
    return Scene(192, 128, [
        Layer(at(-9.8), noise(2, 0.02, 0.15, 8, 30, (0.4, 1.0, 0.3)), rod(66, 26)),
        Layer(at(-1.2), noise(3, 0.2, 0.7, 5, 20, (1.0, 0.6, 0.3)), box(84, 30, 150, 104)),
        Layer(at(0.0), noise(4, 0.05, 0.4, 4, 24, (0.5, 0.7, 1.0))),
    ])


def plane_scene():
    fine, height, most = noise(5, 0.02, 0.9, 3.5, 12, (1.0, 0.8, 0.6)), 128, 8.0
    return Scene(192, height, [Layer((most, 0.0, -2 * most / height), fine)])


def lamps_scene(opening=Opening()):
    return Scene(256, 160, [
        lamp(40, 40, 2, -8.0, 120, 60, 20),
        lamp(100, 120, 2, -2.5, 12, 12, 20),
        lamp(128, 40, 3, 0.0, 5, 8, 5),
        Layer(at(0.0), noise(6, 0.1, 0.5, 4, 16, (0.5, 0.8, 0.6)), rod(168, 22, top=50)),
        lamp(150, 96, 2, 3.0, 20, 15, 6),
        lamp(70, 104, 2, 7.5, 90, 90, 120),
        lamp(200, 60, 2, 12.0, 150, 40, 40),
        lamp(214, 68, 2, 12.0, 40, 120, 150),
        Layer(at(12.0), noise(7, 0.01, 0.08, 12, 40, (0.4, 0.5, 1.0))),
    ], opening, rays=8192)


def hairs_scene():
    dark, bright = even(0.0, 0.0, 0.0), even(4.0, 3.5, 3.0)
    layers = []
    for i, radius in enumerate((-5.0, -1.5, 0.0, 2.0)):
        x = 16 + 42 * i
        layers += [
            Layer(at(radius), bright, rod(x + 0.5, 1, top=10)),
            Layer(at(radius), dark, rod(x + 14.5, 1, top=10)),
            Layer(at(radius), bright, line(x + 3, 100, x + 36, 76, 1.0)),
            Layer(at(radius), dark, line(x + 3, 60, x + 36, 22, 1.0)),
        ]
    return Scene(192, 128, layers + [Layer(at(5.0), noise(8, 0.1, 0.5, 10, 40, (0.7, 0.9, 1.0)))])


def leaf_scene():
    green = (0.3, 1.0, 0.2)
    return Scene(192, 128, [
        Layer(at(-6.0), noise(9, 0.02, 0.15, 6, 24, green), leaf(132, 70, 100, 44, 70)),
        Layer(at(0.0), noise(10, 0.05, 0.3, 4, 16, green), leaf(56, 64, 96, 46, 60)),
        Layer(at(9.0), even(1e4, 8e3, 5e3), disc(80.0, 58.0, 2.5)),  # half of it behind the leaf in focus
        Layer(at(9.0), even(1e4, 8e3, 5e3), disc(156.0, 66.0, 2.0)),  # beside the leaf in front
        Layer(at(10.0), noise(11, 0.02, 0.3, 10, 40, (0.4, 0.6, 1.0))),
    ], rays=8192)


def large_scene():
    return Scene(288, 160, [
        Layer(at(-31.0), noise(12, 0.05, 0.3, 16, 60, (1.0, 0.5, 0.3)), rod(72, 44, top=40)),
        Layer(at(0.0), noise(13, 0.05, 0.6, 4, 16, (0.9, 0.7, 0.5)), rod(170, 36, top=24)),
        lamp(212, 60, 3, 24.0, 400, 250, 100),
        lamp(145, 56, 3, 24.0, 100, 250, 400),
        Layer(at(24.0), noise(14, 0.02, 0.4, 16, 80, (0.5, 0.7, 1.0))),
    ], rays=8192)


SCENES = {
    "rod": lambda: rod_scene(1.3), "rod_near": lambda: rod_scene(-1.3), "two_near": two_near_scene,
    "plane": plane_scene, "lamps": lamps_scene, "hairs": hairs_scene, "leaf": leaf_scene, "large": large_scene,
    "blades": lambda: lamps_scene(Opening(blades=5, roundness=0.2, rotation=20, squeeze=1.3)),
}


# ---- rays
def trace(scene, x, y, u, v, coloured=True):
    """Colour and radius of what rays from (x, y) through (u, v) of the opening hit first."""
    x, y, u, v = numpy.broadcast_arrays(*(numpy.float32(k) for k in (x, y, u, v)))
    colour, nearest = numpy.zeros(x.shape + (3,), numpy.float32), numpy.full(x.shape, numpy.inf, numpy.float32)
    for layer in sorted(scene.layers, key=lambda layer: layer.radius[0]):  # near ones first, for speed
        a, b, c = (numpy.float32(k) for k in layer.radius)
        r = (a + b * x + c * y) / (1 + b * u + c * v)
        seen = r < nearest
        if not seen.any():
            continue
        r, px, py = r[seen], x[seen] - r[seen] * u[seen], y[seen] - r[seen] * v[seen]
        hit = layer.mask(px, py) if layer.mask else numpy.ones(px.shape, bool)
        seen[seen] = hit
        if coloured:
            colour[seen] = layer.colour(px[hit], py[hit])
        nearest[seen] = r[hit]
    return colour, nearest


def centres(scene):
    x, y = numpy.meshgrid(numpy.arange(scene.width) + 0.5, numpy.arange(scene.height) + 0.5)
    return x.ravel(), y.ravel()


def pinhole(scene):
    """The frame and the signed radius of its texels."""
    colour, radius = trace(scene, *centres(scene), 0, 0)
    return colour.reshape(scene.height, scene.width, 3), radius.reshape(scene.height, scene.width)


def through_lens(scene, x, y):
    """The mean of all rays of each of these places, and how much of it is hidden in the frame."""
    u, v = scene.opening.points(scene.rays)
    total, behind, rays = numpy.zeros((len(x), 3)), numpy.zeros((len(x), 3)), numpy.zeros((2, len(x), 1))
    middle, axis = numpy.float64([scene.width, scene.height]) / 2, scene.opening.cats_eye
    at_once = max(1, 65536 // len(x))
    for first in range(0, len(u), at_once):
        some = slice(first, first + at_once)
        colour, radius = trace(scene, x[:, None], y[:, None], u[some], v[some])
        _, first = trace(scene, x[:, None] - radius * u[some], y[:, None] - radius * v[some], 0, 0, coloured=False)
        weight = numpy.ones(colour.shape[:2])
        if axis:  # the opening's other end, which hides a part of it off the axis
            off = [axis * (k[:, None] - m) / numpy.hypot(*middle) for k, m in ((x, middle[0]), (y, middle[1]))]
            weight = (numpy.hypot(u[some] - off[0], v[some] - off[1]) <= 1).astype(float)
        hidden = weight * (first < radius - 1e-3)
        total += (colour * weight[..., None]).sum(axis=1)
        behind += (colour * hidden[..., None]).sum(axis=1)
        rays += numpy.stack([weight, hidden]).sum(axis=2)[..., None]
    share = numpy.maximum(rays[1] / rays[0], behind / numpy.maximum(total, 1e-9)).max(axis=1)
    return total / rays[0], share


def write(name, folder):
    scene = SCENES[name]()
    colour, radius = pinhole(scene)
    truth, hidden = through_lens(scene, *centres(scene))
    halves = {"colour": colour, "truth": truth.reshape(colour.shape), "hidden": hidden.reshape(radius.shape)}
    halves = {key: value.astype(numpy.float16) for key, value in halves.items()}
    numpy.savez_compressed(folder / f"{name}.npz", radius=radius, **halves)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] != "--write":
        sys.exit(__doc__)
    for name in sys.argv[3:] or SCENES:
        write(name, pathlib.Path(sys.argv[2]))
