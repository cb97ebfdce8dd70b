"""afterglow.Pass on textures of moderngl: values, GL state, resizing, errors."""
# SPDX-License-Identifier: MIT
import threading
from pathlib import Path

import numpy as np
import pytest

import afterglow
from test_numpy import hdr

moderngl = pytest.importorskip("moderngl", reason="moderngl is not installed: pip install moderngl")


@pytest.fixture
def context():
    context = moderngl.create_context(standalone=True, backend="egl", require=430)
    yield context
    assert context.error == "GL_NO_ERROR"
    context.release()


def texture(context, size, image=None):
    made = context.texture(size, 4, None if image is None else image.tobytes(), dtype="f4")
    return made


def read(of):
    return np.frombuffer(of.read(), np.float32).reshape(of.height, of.width, 4)


def test_as_arrays(random, context):
    image = hdr(random, 45, 70, 4)
    src, dst = texture(context, (70, 45), image), texture(context, (70, 45))
    with afterglow.Pass("bloom", intensity=0.3, shape="aperture") as bloom:
        bloom(src=src, dst=dst)
        first = read(dst)
        bloom.set(intensity=0.6)
        assert bloom.settings["intensity"] == pytest.approx(0.6) and bloom.settings["shape"] == "aperture"
        bloom(src=src.glo, dst=dst.glo)  # the same by names
        second = read(dst)
        bloom(src=afterglow.Texture(src.glo, 70, 45, "rgba32f"), dst=afterglow.Texture(dst.glo, 70, 45, 0x8814))
        third = read(dst)
        assert bloom.plan(src=src, dst=dst).startswith("full resolution: ")
    for one, intensity in ((first, 0.3), (second, 0.6), (third, 0.6)):
        np.testing.assert_array_equal(one, afterglow.bloom(image, intensity=intensity, shape="aperture"))


def test_our_own_context_leaves_the_callers_current(random, context):
    """Arrays in the own context, between calls in the caller's; and arrays in the caller's context."""
    image = hdr(random, 20, 30, 4)
    expected = afterglow.bloom(image)
    src = texture(context, (30, 20), image)
    np.testing.assert_array_equal(read(src), image)
    with afterglow.Device() as device:
        np.testing.assert_array_equal(afterglow.bloom(image, device=device), expected)
        np.testing.assert_array_equal(afterglow.mipchain(image, device=device)[1], afterglow.mipchain(image)[1])


def test_a_context_destroyed_while_current(random):
    """After a run on its thread our own context is free for other threads."""
    image, results = hdr(random, 20, 30, 4), []
    gone = moderngl.create_context(standalone=True, backend="egl", require=430)
    gone.release()
    del gone
    results.append(afterglow.box_blur(image))
    thread = threading.Thread(target=lambda: results.append(afterglow.box_blur(image)))
    thread.start()
    thread.join()
    np.testing.assert_array_equal(*results)


def test_resize(random, context):
    """Textures are deleted, and others have their names."""
    with afterglow.Pass("box_blur", radius=2) as blur:
        for width, height in ((40, 30), (64, 20), (40, 30), (17, 5)):
            image = hdr(random, height, width, 4)
            src, dst = texture(context, (width, height), image), texture(context, (width, height))
            blur(src=src, dst=dst)
            np.testing.assert_array_equal(read(dst), afterglow.box_blur(image, radius=2))
            for one in (src, dst):
                blur.forget(one)
                one.release()


def test_state_is_restored(random, context):
    """A program, a buffer and an image that moderngl has bound stay bound."""
    gl = afterglow.Device()._gl
    image = hdr(random, 16, 16, 4)
    src, dst, other = texture(context, (16, 16), image), texture(context, (16, 16)), texture(context, (16, 16), image)
    double = context.compute_shader("""#version 430
        layout(local_size_x = 16, local_size_y = 16) in;
        layout(rgba32f, binding = 0) uniform image2D it;
        layout(std430, binding = 0) buffer B { float factor; };
        void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy); imageStore(it, p, imageLoad(it, p) * factor); }""")
    factor = context.buffer(np.float32(2).tobytes())
    other.bind_to_image(0)
    factor.bind_to_storage_buffer(0)
    double.run(1, 1)
    what = (0x8B8D, 0x90D3, 0x84E0, 0x8069)  # program, storage buffer, active texture, 2D texture
    before = [gl.integer(one) for one in what]
    with afterglow.Pass("bloom") as bloom:
        bloom(src=src, dst=dst)
        assert [gl.integer(one) for one in what] == before
    double.run(1, 1)  # by the bindings from before
    np.testing.assert_array_equal(read(other), image * 4)


def test_errors(random, context):
    image = hdr(random, 16, 16, 4)
    src = texture(context, (16, 16), image)
    dst = texture(context, (16, 17), np.full((17, 16, 4), 7, np.float32))
    with pytest.raises(TypeError, match="bloom has no setting 'strength'"):
        afterglow.Pass("bloom", strength=1)
    with pytest.raises(ValueError, match="unknown effect 'blom'"):
        afterglow.Pass("blom")
    bloom = afterglow.Pass("bloom")
    with pytest.raises(afterglow.Error, match="bloom: .*16x17") as caught:
        bloom(src=src, dst=dst)
    assert caught.value.code in ("AG_E_SIZE", "AG_E_ARG")
    with pytest.raises(TypeError, match="bloom needs dst"):
        bloom(src=src)
    with pytest.raises(TypeError, match="is no texture"):
        bloom(src="frame", dst=dst)
    with pytest.raises(afterglow.Error, match="99999 is no texture"):
        bloom(src=99999, dst=dst)
    bloom.set(intensity=0.5)
    with pytest.raises(TypeError):
        bloom.set(intensity=0.7, nothing=1)
    assert bloom.settings["intensity"] == 0.5
    np.testing.assert_array_equal(read(dst), np.full((17, 16, 4), 7, np.float32))
    bloom.close()
    with pytest.raises(RuntimeError, match="closed"):
        bloom(src=src, dst=dst)


def test_folder(random, context):
    """A pass of a folder has the settings that its lines say, with types, ranges, choices and help."""
    tone_map = Path(__file__).resolve().parents[3] / "passes" / "tone_map"
    src, dst = texture(context, (16, 16), hdr(random, 16, 16, 4)), texture(context, (16, 16))
    with afterglow.Pass(tone_map, curve="agx") as one:
        assert one.curve == "agx" and one.settings["ev"] == 0 and one.effect.settings["ev"].range == "-16 .. 16"
        assert one.effect.settings["curve"].help and "aces | agx | neutral" in one.effect.documentation
        for name, value, message in (("curv", "agx", "did you mean curve"), ("curve", "agxx", "did you mean agx"),
                                     ("ev", "much", "takes a number")):
            with pytest.raises((AttributeError, TypeError, ValueError), match=message):
                setattr(one, name, value)
        one.ev = 17
        with pytest.raises(afterglow.Error, match="ev is 17; its range is -16 .. 16"):
            one(src=src, dst=dst)
        one.ev = 1
        one(src=src, dst=dst)


def test_gpu_time(random, context):
    src, dst = texture(context, (64, 64), hdr(random, 64, 64, 4)), texture(context, (64, 64))
    with afterglow.Pass("bloom") as bloom:
        for _ in range(8):
            bloom(src=src, dst=dst)
            context.finish()
        bloom(src=src, dst=dst)
        assert 0 < bloom.gpu_time() < 10
