"""Every argument of every public function, given values of every wrong type and extreme numbers.

Each raises TypeError, ValueError or afterglow.Error, which say what was expected; or it is taken. Nothing else is
raised, and later calls work.
"""
# SPDX-License-Identifier: MIT
import datetime
import decimal
import fractions
import inspect
import itertools
import pathlib
import re

import numpy as np
import pytest

import afterglow

moderngl = pytest.importorskip("moderngl", reason="moderngl is not installed: pip install moderngl")
IMAGE = np.linspace(0, 9, 12, dtype=np.float32).reshape(3, 4)


class Broken:
    """Not even its repr works."""

    def __repr__(self):
        raise KeyError("broken")


WRONG = [
    None, True, False, 0, -1, 5, 2**31 - 1, 2**31, -2**31 - 1, 2**32, 2**63, 2**64, -2**64, 10**400, -10**400, 10**5000,
    1.5, -0.5, 1e38, 1e300, -1e300, float("nan"), float("inf"), -float("inf"), 1j, complex("nan"),
    "", "x", "rgba16f", "src", "5", "a\0b", "\udcff", "x" * 100000, b"x", bytearray(b"x"), memoryview(b"xyzw"),
    [], (), {}, set(), [1], [1, "x"], [[1], [2, 3]], (1, 2, 3, 4, 5), (10**400, 10**400), (1.5, 2), (-1, 4), (0, 4),
    ("x", "y"), [None], [[]], [{}], "xy", {"x": 1}, {5: 5}, {None: None}, {"src": 5}, {"dst": 5}, {"dst": (10**400, 1)},
    {"dst": "x"}, {"src": None}, {(): ()}, range(3), range(10**12), iter([1]), itertools.count(), zip(),
    np.zeros(0), np.zeros(3), np.zeros((2, 2), bool), np.zeros((2, 2), "O"), np.zeros((2, 2), "U3"),
    np.zeros((2, 2), "M8[s]"), np.zeros((2, 2), [("a", "f4")]), np.zeros((2, 2), np.int64), np.zeros((1, 1, 1, 1, 1)),
    np.zeros((2, 2, 5)), np.zeros((2, 0)), np.float32("nan"), np.float64(1e300), np.int64(-5), np.uint64(2**63),
    np.bool_(True), np.str_("x"), np.ma.masked, object(), Broken(), Broken, int, len, lambda: 5, lambda *_: "x",
    NotImplemented, ..., datetime.date(2000, 1, 1), decimal.Decimal("1e999999"), decimal.Decimal("nan"),
    decimal.Decimal("sNaN"), fractions.Fraction(1, 3), fractions.Fraction(10**400), pathlib.Path("x"), pytest,
]  # yapf: disable

SAYS = re.compile("expected|takes|range is|has no |needs |is no |must be|cannot|limit|has layer 0 only|"
                  "outside its|in GL it has|in GL, not|valid values")


def fails_well(call, what: str) -> bool:
    """Whether it raised; what is wrong with how it raised fails the test."""
    try:
        call()
    except (TypeError, ValueError, afterglow.Error) as reason:
        assert type(reason) in (TypeError, ValueError, afterglow.Error), f"{what}: {reason!r}"
        said = str(reason)
        assert SAYS.search(said), f"{what} does not say what was expected: {said}"
        assert len(said) < 2000, f"{what}: {said[:200]}..."
        trace = reason.__traceback__
        while trace.tb_next:
            trace = trace.tb_next
        assert "afterglow" in trace.tb_frame.f_code.co_filename, f"{what}: not from a check of ours: {said}"
        return True
    except Exception as reason:
        pytest.fail(f"{what}: {reason!r}")
    return False


def name_of(value) -> str:
    try:
        return f"{type(value).__name__} {value!r}"[:60]
    except Exception:
        return type(value).__name__


@pytest.fixture(scope="module")
def world():
    context = moderngl.create_context(standalone=True, backend="egl", require=430)
    device = afterglow.Device()
    bloom = afterglow.Pass("bloom", device)
    src, dst = (context.texture((4, 3), 4, dtype="f4") for _ in range(2))
    world = type("World", (), {"context": context, "device": device, "bloom": bloom, "src": src, "dst": dst})
    yield world
    bloom.close()
    device.close()
    assert context.error == "GL_NO_ERROR"
    context.release()


def texture_with(w, **field):
    return w.bloom(src=afterglow.Texture(**{"name": w.src.glo, "width": 4, "height": 3, "format": "rgba32f"} | field),
                   dst=w.dst)


def closed(device):
    device.close()


# Function -> parameter -> a call with that parameter. `w` is the world above.
CALLS = {
    "run": {
        "effect": lambda w, v: afterglow.run(v, IMAGE),
        "inputs": lambda w, v: afterglow.run("box_blur", v),
        "device": lambda w, v: afterglow.run("box_blur", IMAGE, device=v),
        "outputs": lambda w, v: afterglow.run("local_stats", IMAGE, outputs=v),
        "sizes": lambda w, v: afterglow.run("downsample", IMAGE, sizes=v),
        "formats": lambda w, v: afterglow.run("box_blur", IMAGE, formats=v),
        "dt": lambda w, v: afterglow.run("exposure", IMAGE, dt=v),
        "settings": lambda w, v: afterglow.run("box_blur", IMAGE, **{v if isinstance(v, str) else "radius": v}),
    },
    "Device": {
        "gl_proc": lambda w, v: closed(afterglow.Device(v)),
        "is_current": lambda w, v: closed(afterglow.Device(w.context_proc, is_current=v)),
        "shader_dir": lambda w, v: closed(afterglow.Device(shader_dir=v)),
    },
    "Device.frame": {"number": lambda w, v: w.device.frame(v)},
    "Device.forget": {"texture": lambda w, v: w.device.forget(v)},
    "Device.texture": {
        "name": lambda w, v: w.device.texture(v),
        "level": lambda w, v: w.device.texture(w.src.glo, v),
        "target": lambda w, v: w.device.texture(w.src.glo, 0, v),
    },
    "Device.scrubbed_texels": {},
    "Device.close": {"context_gone": lambda w, v: fresh_device(w).close(v)},
    "Pass": {
        "effect": lambda w, v: afterglow.Pass(v, w.device),
        "device": lambda w, v: afterglow.Pass("bloom", v).close(),
        "restore": lambda w, v: afterglow.Pass("bloom", w.device, restore=v),
        "settings": lambda w, v: afterglow.Pass("bloom", w.device, **{v if isinstance(v, str) else "size": v}),
    },
    "Pass.set": {"settings": lambda w, v: afterglow.Pass("bloom", w.device).set(
        **{v if isinstance(v, str) else "size": v})},
    "Pass.__call__": {
        "frame": lambda w, v: w.bloom(src=w.src, dst=w.dst, frame=v),
        "dt": lambda w, v: w.bloom(src=w.src, dst=w.dst, dt=v),
        "reset": lambda w, v: w.bloom(src=w.src, dst=w.dst, reset=v),
        "textures": lambda w, v: w.bloom(**{"src": v, v if isinstance(v, str) else "dst": w.dst}),
    },
    "Pass.plan": {"textures": lambda w, v: w.bloom.plan(src=v, dst=w.dst)},
    "Pass.gpu_time": {},
    "Pass.forget": {"texture": lambda w, v: w.bloom.forget(v)},
    "Pass.close": {},
    "Texture": {name: lambda w, v, name=name: texture_with(w, **{name: v})
                for name in inspect.signature(afterglow.Texture).parameters},
    "Effect.slot": {"name": lambda w, v: afterglow.effects["bloom"].slot(v)},
    "Effect.index": {"name": lambda w, v: afterglow.effects["bloom"].index(v)},
}  # yapf: disable


def fresh_device(w):
    """Closed after the test, where the call that shall do it refuses its argument."""
    if w.device_to_close is None or w.device_to_close._held.handle is None:
        w.device_to_close = afterglow.Device()
    return w.device_to_close


# Error, Slot, Setting and Effect are made by the package and only read by callers.
READ_ONLY = {"Error", "Slot", "Setting", "Effect", "effects"}


def public_functions() -> dict[str, set[str]]:
    """Functions and methods that users call, with their parameters."""
    found = {}
    for name in afterglow.__all__:
        it = getattr(afterglow, name)
        if name not in READ_ONLY and name not in afterglow.effects:
            found[name] = it
        if inspect.isclass(it) and not issubclass(it, Exception):
            found |= {f"{name}.{method}": function for method, function in vars(it).items()
                      if inspect.isfunction(function) and (method == "__call__" or not method.startswith("_"))}
    return {name: set(inspect.signature(it).parameters) - {"self"} for name, it in found.items()}


def test_the_table_is_complete():
    assert {name: set(rows) for name, rows in CALLS.items()} == public_functions()


@pytest.mark.parametrize("function,parameter", [(name, one) for name, rows in CALLS.items() for one in rows])
def test_every_argument(world, function, parameter):
    world.context_proc = staticmethod(afterglow._context.current().proc)
    world.device_to_close = None
    call, refused = CALLS[function][parameter], 0
    values = [one for one in WRONG if not (callable(one) and parameter in ("gl_proc", "is_current"))]  # right types
    for value in values:
        refused += fails_well(lambda: call(world, value), f"{function}({parameter} = {name_of(value)})")
    print(f"{refused} of {len(values)} refused")
    assert refused > 0.4 * len(values)
    if world.device_to_close:
        world.device_to_close.close()
    world.bloom(src=world.src, dst=world.dst)
    assert afterglow.box_blur(IMAGE).shape == IMAGE.shape


@pytest.mark.parametrize("effect", list(afterglow.effects))
def test_every_setting_and_input(world, effect):
    """Of all effects, by their functions; what the value does not spoil is valid, and nothing is run."""
    what = afterglow.effects[effect]
    one = afterglow.Pass(effect, world.device)
    for name in what.settings:
        taken = 0
        for value in WRONG:
            taken += not fails_well(lambda: one.set(**{name: value}), f"{effect}: set({name} = {name_of(value)})")
            if what.inputs:  # else it would run
                fails_well(lambda: afterglow.run(effect, {}, **{name: value}), f"{effect}({name} = {name_of(value)})")
        assert 0 < taken < len(WRONG) / 2 or what.settings[name].count > 1
    one.close()
    function = getattr(afterglow, effect)
    parameters = inspect.signature(function).parameters
    for name in [slot.name for slot in what.slots if slot.name in parameters and slot.name not in what.settings]:
        for value in WRONG:
            if not (isinstance(value, np.ndarray) and value.shape == (2, 2)):  # which may be taken
                fails_well(lambda: function(**{name: value}), f"{effect}({name} = {name_of(value)})")
    for name in ("effect", "inputs", "what", "nothing", "self"):
        with pytest.raises(TypeError, match=f"{effect} (has no setting '{name}'; it has: |needs )"):
            function(**{name: 5})


def may_be_an_address(value) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and 0 < value < 2**64


def test_what_a_loader_returns(world):
    """The result of gl_proc is an address or None."""
    for result in WRONG:
        if not may_be_an_address(result):
            with pytest.raises((TypeError, ValueError, RuntimeError), match="expected|has no glGetIntegerv"):
                afterglow.Device(lambda name: result)
    world.device.frame()


@pytest.mark.parametrize("call,error,message", [
    (lambda: afterglow.box_blur(IMAGE, formats=5), TypeError,
     "box_blur: formats is 5; expected the name of a format, or a dict of them by slots"),
    (lambda: afterglow.box_blur(IMAGE, device="x"), TypeError, "device is 'x'; expected an afterglow.Device"),
    (lambda: afterglow.box_blur(IMAGE, radius=10**400), afterglow.Error,
     "box_blur: setting radius is inf; its range is"),
    (lambda: afterglow.box_blur(IMAGE, radius="5"), TypeError, "box_blur: radius takes a number, got '5'"),
    (lambda: afterglow.box_blur(IMAGE, iterations=10**400), ValueError, "box_blur: iterations is 1000"),
    (lambda: afterglow.box_blur(IMAGE, dt=-1), afterglow.Error, "job.dt is -1"),
    (lambda: afterglow.downsample(IMAGE, sizes=(2, 0)), ValueError, "downsample: sizes is 0; expected 1 .. 2147483647"),
    (lambda: afterglow.downsample(IMAGE, sizes=5), TypeError, "downsample: sizes is 5; expected (width, height)"),
    (lambda: afterglow.local_stats(IMAGE, outputs="deviation"), TypeError, "outputs is 'deviation'; expected a list"),
    (lambda: afterglow.run(5, IMAGE), TypeError, "effect is 5; expected the name of an effect"),
    (lambda: afterglow.run(["blom"], IMAGE), ValueError, "unknown effect 'blom'; expected one of: bloom"),
    (lambda: afterglow.run([("bloom", 5)], IMAGE), TypeError, "('bloom', 5) in a chain; expected the name of an effect"),
    (lambda: afterglow.run(["denoise", "bloom"], IMAGE, intensity=1), TypeError, "intensity is of one effect"),
    (lambda: afterglow.run(["denoise", ("bloom", {"blades": 99})], IMAGE), afterglow.Error, "blades is 99; its range"),
    (lambda: afterglow.run([], IMAGE), ValueError, "an empty chain"),
    (lambda: afterglow.bloom(IMAGE, intensity=np.zeros((300, 400))), TypeError,
     "bloom: intensity takes a number, got an array of float64 (300, 400)"),
    (lambda: afterglow.bloom([[1], [2, 3]]), TypeError, "bloom: src is [[1], [2, 3]]; expected an array"),
    (lambda: afterglow.Texture("x"), TypeError, "Texture: name is 'x'; expected an int"),
])
def test_messages(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error and message in str(caught.value)
