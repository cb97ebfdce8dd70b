"""What is wrong raises, with the module's message where the module finds it; and later calls work."""
# SPDX-License-Identifier: MIT
import subprocess
import sys

import numpy as np
import pytest

import afterglow

IMAGE = np.ones((8, 9, 3), np.float32)


@pytest.mark.parametrize("settings,message", [
    ({"intensity": 2}, "bloom: setting intensity is 2; its range is 0 .. 1"),
    ({"intensity": float("nan")}, "bloom: setting intensity is nan; its range is 0 .. 1"),
    ({"intensity": 1e300}, "bloom: setting intensity is inf; its range is 0 .. 1"),
    ({"blades": 2}, "bloom: setting blades is 2; its range is 3 .. 16"),
    ({"shape": 7}, "bloom: setting shape is 7"),
])
def test_a_wrong_setting_has_the_modules_message(settings, message):
    with pytest.raises(afterglow.Error) as caught:
        afterglow.bloom(IMAGE, **settings)
    assert str(caught.value).startswith(message)
    assert caught.value.code == "AG_E_ARG" and caught.value.status == -1
    assert afterglow.bloom(IMAGE).shape == IMAGE.shape


@pytest.mark.parametrize("effect,inputs,settings,error,message", [
    ("blom", IMAGE, {}, ValueError, "unknown effect 'blom'; expected one of: bloom convolve"),
    ("bloom", IMAGE, {"strength": 1}, TypeError, "bloom has no setting 'strength'; it has: intensity"),
    ("bloom", IMAGE, {"shape": "starfish"}, ValueError, "shape is 'starfish'; expected one of: gaussian "),
    ("bloom", IMAGE, {"intensity": "much"}, TypeError, "intensity takes a number, got 'much'"),
    ("bloom", IMAGE, {"blades": 6.5}, TypeError, "blades takes an int, got 6.5"),
    ("bloom", IMAGE, {"blades": 2**40}, ValueError, "blades is 1099511627776; expected 3 .. 16"),
    ("bloom", IMAGE, {"tint": (1, 2)}, TypeError, "tint takes 3 values"),
    ("bloom", None, {}, TypeError, "bloom needs src"),
    ("bloom", {"scr": IMAGE}, {}, TypeError, "bloom has no slot 'scr'; it has: src "),
    ("bloom", {"src": IMAGE, "dst": IMAGE}, {}, TypeError, "dst is written, not read"),
    ("bloom", (IMAGE, IMAGE), {}, TypeError, "2 inputs; expected 1"),
    ("bloom", IMAGE.astype(np.int16), {}, TypeError, "int16; expected float16"),
    ("bloom", IMAGE.astype(np.uint32), {}, ValueError, "src does not take rgba32ui; expected one of: r8 "),
    ("bloom", IMAGE + 1j, {}, TypeError, "src takes real numbers"),
    ("bloom", np.ones((0, 4), np.float32), {}, ValueError, "shape (0, 4)"),
    ("bloom", np.ones((4, 4, 5), np.float32), {}, ValueError, "shape (4, 4, 5)"),
    ("bloom", IMAGE, {"formats": "rgba8"}, TypeError, "float32 for a rgba8 texture; expected uint8"),
    ("bloom", IMAGE, {"formats": "rg32f"}, ValueError, "3 channels for a rg32f texture"),
    ("bloom", IMAGE, {"outputs": ["src"]}, TypeError, "src is read, not written"),
    ("downsample", IMAGE, {}, ValueError, "dst0 may have any size"),
])
def test_what_is_no_job(effect, inputs, settings, error, message):
    with pytest.raises(error) as caught:
        afterglow.run(effect, inputs, **settings)
    assert message in str(caught.value)
    assert afterglow.bloom(IMAGE).shape == IMAGE.shape


def test_too_large():
    with pytest.raises((afterglow.Error, ValueError), match="16384|8192"):
        afterglow.bloom(np.ones((1, 16385), np.float32))


def test_a_device_needs_a_context():
    """In a process of its own: libraries of other tests may leave theirs current."""
    code = """if True:
        import afterglow
        for create in (afterglow.Device, lambda: afterglow.Pass("bloom")):
            try:
                create()
            except RuntimeError as reason:
                assert str(reason) == "no OpenGL context of EGL or GLX is current on this thread"
            else:
                assert False
        """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
