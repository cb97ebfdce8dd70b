"""Effects on arrays: the same bits as the command line gives, and NumPy's own results."""
# SPDX-License-Identifier: MIT
import ast
import gc
import inspect
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import afterglow
from afterglow import _run, _stubs
from afterglow._device import RawPass


def hdr(random, *shape, dtype=np.float32):
    """Light: mostly dark, some texels very bright."""
    return (random.random(shape)**8 * 50).astype(dtype)


def same(mine, theirs):
    assert mine.shape == theirs.shape
    np.testing.assert_array_equal(mine.astype(theirs.dtype), theirs)


# Effects with one output: settings, and how the image is made.
ONE_OUTPUT = {
    "bloom": [{"intensity": 0.25, "size": 0.6, "shape": "aperture", "blades": 7, "tint": (1, 0.5, 2)},
              {"threshold": 2.0, "knee": 0.25, "output": "bloom_only", "storage": "compact"}],
    "spectrum": [{"window": "hann"}],
    "filter_spectrum": [{"cutoff": 0.2}],
    "box_blur": [{"radius": 3.5, "border": "mirror", "iterations": 2}],
    "wavelet": [{"wavelet": "cdf97", "levels": 2, "border": "symmetric"}],
    "denoise": [{"levels": 2}],
    "sat": [{}],
}  # yapf: disable


@pytest.mark.parametrize("effect,settings", [(name, case) for name, cases in ONE_OUTPUT.items() for case in cases])
@pytest.mark.parametrize("shape", [(45, 63), (38, 51, 3), (2, 1, 4)])
def test_as_the_command_line(random, command_line, effect, settings, shape):
    image = hdr(random, *shape)
    if "levels" in settings:
        settings = settings | {"levels": min(settings["levels"], max(shape[:2]).bit_length() - 1)}
    same(getattr(afterglow, effect)(image, **settings), command_line(effect, [image], settings))


@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.uint8])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_types(random, command_line, dtype, channels):
    image = hdr(random, 21, 34, channels, dtype=dtype)
    mine = afterglow.bloom(image)
    assert mine.dtype == {np.float16: np.float16, np.float64: np.float32, np.uint8: np.uint8}[dtype]
    same(mine, command_line("bloom", [image], {}))


@pytest.mark.parametrize("of", ["rgba16f", "r11g11b10f"])
def test_formats(random, command_line, of):
    image = hdr(random, 33, 20, 4)
    if of == "r11g11b10f":
        with pytest.raises(ValueError, match="unknown format 'r11g11b10f'; expected one of: r8 "):
            afterglow.bloom(image, formats=of)
        return
    mine = afterglow.bloom(image, formats=of)
    assert mine.dtype == np.float16
    same(mine, command_line("bloom", [image], {}, "--format", of))
    assert afterglow.bloom(image, formats={"dst": of}).dtype == np.float16


def test_srgb(random, command_line):
    image = random.integers(0, 256, (33, 20, 4), np.uint8)
    mine = afterglow.box_blur(image, radius=2, formats="srgb8")
    same(mine, command_line("box_blur", [image], {"radius": 2}, "--format", "srgb8"))
    assert np.any(mine != afterglow.box_blur(image, radius=2))


def test_codes(random, command_line):
    """bloom decodes codes, and encodes its result. Where nothing blooms, every code stays. Floats are refused."""
    image = random.integers(0, 256, (33, 20, 4), np.uint8)
    settings = {"transfer": "srgb", "shape": "aperture", "intensity": 0.4}
    mine = afterglow.bloom(image, **settings)
    assert mine.dtype == np.uint8
    same(mine, command_line("bloom", [image], settings))
    assert np.any(mine != afterglow.bloom(image, **settings | {"transfer": "linear"}))
    np.testing.assert_array_equal(afterglow.bloom(image, **settings | {"intensity": 0}), image)
    with pytest.raises(afterglow.Error, match="transfer"):
        afterglow.bloom(image.astype(np.float32), **settings)


def test_not_contiguous(random):
    image = hdr(random, 30, 40, 3)
    np.testing.assert_array_equal(afterglow.bloom(image[::-1, ::2]), afterglow.bloom(image[::-1, ::2].copy()))
    np.testing.assert_array_equal(afterglow.bloom(np.asfortranarray(image)), afterglow.bloom(image))


def test_layers(random):
    layers = hdr(random, 3, 20, 31, 4)
    mine = afterglow.bloom(layers)
    assert mine.shape == layers.shape
    for layer, result in zip(layers, mine):
        np.testing.assert_allclose(result, afterglow.bloom(layer), atol=1e-5)


def test_kernel(random, command_line):
    image, kernel = hdr(random, 40, 50, 3), random.random((9, 7)).astype(np.float32)
    settings = {"normalize": "sum", "border": "mirror"}
    mine = afterglow.convolve(image, kernel, **settings)
    same(mine, command_line("convolve", [image, kernel], settings))
    same(afterglow.convolve(src=image, kernel=kernel, **settings), mine)
    same(afterglow.run("convolve", (image, kernel), **settings), mine)
    same(afterglow.run("convolve", {"kernel": kernel, "src": image}, **settings), mine)
    wide = np.pad(image.astype(np.float64), ((4, 4), (3, 3), (0, 0)), "reflect")
    exact = sum(wide[8 - j:8 - j + 40, 6 - i:6 - i + 50] * float(kernel[j, i]) for j in range(9) for i in range(7))
    exact /= kernel.astype(np.float64).sum()
    error = np.abs(mine - exact).max() / image.max()
    print(f"largest error {error:.2g} of the largest texel; limit 2e-6")
    assert error <= 2e-6


def test_optional_inputs(random, command_line):
    image, kernel = hdr(random, 40, 50, 3), hdr(random, 11, 13, 3)
    mine = afterglow.bloom(image, kernel_image=kernel, shape="texture")
    same(mine, command_line("bloom", [image], {"shape": "texture"}, slots={"kernel_image": kernel}))
    radii = (random.random((40, 50)) * 4).astype(np.float32)
    mine = afterglow.box_blur({"src": image, "radius": radii}, radius=1.5)
    same(mine, command_line("box_blur", [image], {"radius": 1.5}, slots={"radius": radii}))


def test_several_outputs(random, command_line):
    image = hdr(random, 37, 29)
    mine = afterglow.local_stats(image, radius=2)
    theirs = command_line("local_stats", [image], {"radius": 2}, one=False)
    assert list(mine) == ["dst", "deviation"] and sorted(theirs) == sorted(mine)
    for name in mine:
        same(mine[name], theirs[name])


def test_sizes(random, command_line):
    image = hdr(random, 61, 83, 3)
    same(afterglow.downsample(image, sizes=(20, 17)), command_line("downsample", [image], {}, "--size", "20x17"))
    two = afterglow.downsample(image, sizes={"dst0": (41, 30), "dst1": (20, 15)})
    assert [two[name].shape for name in ("dst0", "dst1")] == [(30, 41, 3), (15, 20, 3)]
    with pytest.raises(afterglow.Error, match="97"):
        afterglow.bloom(image, sizes=(97, 61))


@pytest.mark.parametrize("levels", [0, 2])
def test_levels(random, command_line, levels):
    image = hdr(random, 37, 50, 3)
    for effect, data, slot in (("mipchain", image, "texture"), ("depth_pyramid", image[..., 0] / 50, "dst")):
        data = np.ascontiguousarray(data)
        mine = getattr(afterglow, effect)(data, levels=levels)
        theirs = command_line(effect, [data], {"levels": levels}, one=False)
        assert len(mine) == len(theirs) > levels - 1
        for level, texels in enumerate(mine):
            same(texels, theirs[f"{slot}_L{level:02}"])


def test_state(random, command_line):
    image = hdr(random, 32, 48, 3)
    first = afterglow.exposure(image)
    same(first, command_line("exposure", [image], {}))
    assert first.shape == (1, 1, 4) and first[0, 0, 3] == 1
    state = first + np.array([4, 0, 0, 0], np.float32)  # as after a scene that was 4 EV darker
    second = afterglow.exposure({"src": image, "state": state}, dt=0.1, speed_up=3)
    np.testing.assert_allclose(second[0, 0, 0], first[0, 0, 0] + 4 * np.exp(-0.3), atol=1e-4)


def test_depth(random, command_line):
    image, depth = hdr(random, 40, 60, 3), random.random((40, 60)).astype(np.float32) * 20 + 1
    settings = {"encoding": "linear", "focus_distance": 4.0}
    same(afterglow.depth_of_field(image, depth, **settings), command_line("depth_of_field", [image, depth], settings))


def test_shadow(random, command_line):
    light, depth = random.random((32, 32)).astype(np.float32), random.random((24, 40)).astype(np.float32)
    same(afterglow.soft_shadow(light, depth), command_line("soft_shadow", [light, depth], {}))


def test_ocean():
    """No input; a seed names a sea; the surface is about its mean. (The command line makes pictures of it only.)"""
    seas = [afterglow.ocean(seed=seed, wind_speed=9.0) for seed in (3, 3, 4)]
    assert list(seas[0]) == ["displacement", "derivatives"]
    height = seas[0]["displacement"][..., 1]
    assert np.isfinite(height).all() and height.std() > 0.01 and abs(height.mean()) < height.std() / 10
    np.testing.assert_array_equal(seas[0]["displacement"], seas[1]["displacement"])
    assert np.any(seas[0]["displacement"] != seas[2]["displacement"])


@pytest.mark.parametrize("shape", [(64, 48), (31, 7), (20, 30, 3)])
def test_fft(random, shape):
    """As numpy.fft has it, also of complex arrays; 120 dB is what fft.h states for any length."""
    image = random.random(shape).astype(np.float32)
    complex_ = image + 1j * random.random(shape).astype(np.float32)

    def near(mine, exact):
        noise = np.linalg.norm(mine - exact) / np.linalg.norm(exact)
        print(f"signal to noise {-20 * np.log10(noise):.1f} dB; limit 120")
        assert mine.dtype == exact.astype(np.complex64 if np.iscomplexobj(exact) else np.float32).dtype
        assert noise < 1e-6

    axes = (0, 1)
    near(afterglow.fft(image), np.fft.fft2(image.astype(np.float64), axes=axes))
    near(afterglow.fft(complex_), np.fft.fft2(complex_.astype(np.complex128), axes=axes))
    near(afterglow.fft(complex_, direction="inverse", norm="ortho"),
         np.fft.ifft2(complex_.astype(np.complex128), axes=axes, norm="ortho"))
    near(afterglow.fft(image, axes="x"), np.fft.fft(image.astype(np.float64), axis=1))
    half = afterglow.fft(image, spectrum="half")
    # numpy's rfft2 halves the last of its axes
    near(half, np.fft.rfft2(image.astype(np.float64), axes=axes[::1]) if image.ndim == 2 else
         np.fft.fft2(image.astype(np.float64), axes=axes)[:, :shape[1] // 2 + 1])
    near(afterglow.fft(half, direction="inverse", spectrum="half", sizes=(shape[1], shape[0])), image)


def test_non_finite(random, command_line):
    image = hdr(random, 30, 30, 3)
    image[3, 4, 1], image[7, 9, 0] = np.nan, np.inf
    mine = afterglow.bloom(image)
    assert np.isfinite(mine).all()
    same(mine, command_line("bloom", [image], {}))


def test_every_effect_is_a_function():
    for name, effect in afterglow.effects.items():
        function = getattr(afterglow, name)
        parameters = inspect.signature(function).parameters
        for slot in effect.inputs:
            assert parameters[slot.name].default is inspect.Parameter.empty
        for setting in effect.settings.values():
            assert parameters[setting.name].default == setting.default
            assert f"    {setting.name} (" in function.__doc__ and setting.help in function.__doc__
        assert effect.help[1:] in function.__doc__
        # The options of run hide no setting and no slot.
        options = set(inspect.signature(afterglow.run).parameters) - {"settings"}
        assert not options & {*effect.settings, *(slot.name for slot in effect.slots)}, name


def test_defaults_are_the_modules(random):
    """The defaults that signatures show, given explicitly, are those of ag_api.defaults, bit for bit."""
    for effect in afterglow.effects.values():
        given = effect._struct({setting.name: setting.default for setting in effect.settings.values()})
        assert bytes(given) == bytes(effect._struct({})), effect.id


def test_threads(random):
    images = [hdr(random, 20 + i, 30, 3) for i in range(4)]
    alone, results = [afterglow.bloom(image) for image in images], [None] * len(images)

    def work(i):
        results[i] = afterglow.bloom(images[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(images))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other in zip(alone, results):
        np.testing.assert_array_equal(one, other)


def test_memory_is_given_back(random):
    """Runs leave no texture and no pass behind, failed ones neither."""
    image = hdr(random, 16, 16, 4)
    afterglow.bloom(image)
    context, device = _run._own
    made, deleted = [], []
    generate, delete = device._gl.glGenTextures, device._gl.glDeleteTextures
    device._gl.glGenTextures = lambda n, names: (generate(n, names), made.append(names._obj.value))
    device._gl.glDeleteTextures = lambda n, names: (deleted.append(names._obj.value), delete(n, names))
    try:
        for intensity in (0.1, 2, 0.3):
            try:
                afterglow.bloom(image, intensity=intensity)
            except afterglow.Error:
                assert intensity == 2
    finally:
        device._gl.glGenTextures, device._gl.glDeleteTextures = generate, delete
    assert len(made) >= 5 and sorted(made) == sorted(deleted)
    assert not device._held.passes and not [one for one in gc.get_objects() if isinstance(one, RawPass) and one._pass]


def test_a_process_ends_quietly():
    """Also with the device alive: nothing on stderr, exit status 0."""
    code = "import numpy, afterglow; afterglow.box_blur(numpy.ones((8, 8), numpy.float32))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_terminated_display():
    """Another library may terminate EGL's display, and our context with it: the next call makes a new one."""
    code = """if True:
        import ctypes, numpy as np, afterglow
        from afterglow import _run
        image = np.linspace(0, 9, 600, dtype=np.float32).reshape(20, 30)
        expected = afterglow.bloom(image)
        own = _run._own[0]
        terminate = own._egl.eglTerminate
        terminate.restype, terminate.argtypes = ctypes.c_uint32, [ctypes.c_void_p]
        assert terminate(own._display)
        np.testing.assert_array_equal(afterglow.bloom(image), expected)
        assert _run._own[0] is not own
        np.testing.assert_array_equal(afterglow.bloom(image), expected)
        """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_stubs():
    """The stub file is Python, and has each function with its inputs and settings."""
    tree = {node.name: node for node in ast.parse(_stubs.stubs()).body if isinstance(node, ast.FunctionDef)}
    for name, effect in afterglow.effects.items():
        mine = [one.arg for one in (*tree[name].args.args, *tree[name].args.kwonlyargs)]
        assert mine == list(inspect.signature(getattr(afterglow, name)).parameters), name


PASSES = Path(__file__).resolve().parents[3] / "passes"


@pytest.mark.parametrize("name, settings", [("tone_map", {"curve": "agx", "ev": 1.5}), ("kawase", {"levels": 2})])
def test_folder(random, command_line, name, settings):
    """A pass of a folder, by its path."""
    image = hdr(random, 21, 33, 4)
    same(afterglow.run(f"{PASSES}/{name}", image, **settings), command_line(f"{PASSES}/{name}", [image], settings))
    same(afterglow.run(PASSES / name, image, **settings), afterglow.run([(PASSES / name, settings)], image))
    with pytest.raises(TypeError, match="has no setting"):
        afterglow.run(f"{PASSES}/{name}", image, nothing=1)
    with pytest.raises(TypeError, match="did you mean scrub"):
        afterglow.run(PASSES / name, image, scub=1)


def test_no_folder(random, tmp_path):
    image = hdr(random, 5, 5, 4)
    with pytest.raises(afterglow.Error, match="no folder that can be read"):
        afterglow.run(f"{tmp_path}/nothing", image)
    (tmp_path / "pass.comp").write_text('//! pass p "x"\n//! slot src reed colour "x"\n')
    with pytest.raises(afterglow.Error, match="pass.comp:2:14: expected read, write or state"):
        afterglow.run(f"{tmp_path}/", image)
