"""Chains of effects on arrays, against one effect after the other; arrays of uint16; settings as attributes and types."""
# SPDX-License-Identifier: MIT
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import afterglow
from afterglow import _stubs


def light(random, *shape):
    return (random.random(shape)**4 * 9).astype(np.float32)


def equal(mine, theirs):
    assert mine.dtype == theirs.dtype
    np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("shape", [(21, 33), (21, 33, 3), (1, 1, 4)])
def test_chain(random, shape):
    frame = light(random, *shape)
    blurred = afterglow.box_blur(frame, radius=2)
    equal(afterglow.run([("box_blur", {"radius": 2}), "bloom"], frame), afterglow.bloom(blurred))
    state = afterglow.exposure(blurred)  # its texel goes to bloom, and the picture past it
    equal(afterglow.run([("box_blur", {"radius": 2}), "exposure", ("bloom", {"intensity": 0.3})], frame),
          afterglow.run("bloom", {"src": blurred, "exposure": state}, intensity=0.3))


def test_as_the_command_line(random, command_line):
    frame = light(random, 21, 33, 3)
    chain = command_line("box_blur", [frame], {}, "radius=2", "+", "exposure", "+", "bloom", "intensity=0.3")
    equal(afterglow.run([("box_blur", {"radius": 2}), "exposure", ("bloom", {"intensity": 0.3})], frame), chain)


def test_inputs_and_sizes(random):
    frame, kernel = light(random, 20, 34, 3), light(random, 3, 5)
    small = afterglow.downsample(frame, sizes=(17, 10))
    chain = [("downsample", {"sizes": (17, 10)}), ("convolve", {"kernel": kernel, "normalize": "sum"})]
    equal(afterglow.run(chain, frame), afterglow.convolve(small, kernel, normalize="sum"))
    equal(afterglow.run([("convolve", {"kernel": kernel})], frame), afterglow.convolve(frame, kernel))
    equal(afterglow.run(["convolve", "bloom"], [frame, kernel]), afterglow.bloom(afterglow.convolve(frame, kernel)))
    levels = afterglow.run(["denoise", "mipchain"], frame)
    for mine, theirs in zip(levels, afterglow.mipchain(afterglow.denoise(frame)), strict=True):
        equal(mine, theirs)


def test_uint16(random):
    codes = random.integers(0, 65536, (21, 33, 3), dtype=np.uint16)
    wide = codes.astype(np.float32) / np.float32(65535)
    equal(afterglow.box_blur(codes, radius=1), afterglow.box_blur(wide, radius=1))
    kept = afterglow.bloom(codes, formats="rgba16", transfer="srgb", intensity=0)
    assert kept.dtype == np.uint16
    np.testing.assert_array_equal(kept, codes)
    back = np.rint(afterglow.convolve(codes, np.ones((1, 1), np.float32)) * 65535)
    np.testing.assert_array_equal(back, codes)


def test_attributes():
    moderngl = pytest.importorskip("moderngl", reason="moderngl is not installed: pip install moderngl")
    context = moderngl.create_context(standalone=True, backend="egl", require=430)
    with afterglow.Pass("bloom", intensity=0.25) as bloom:
        assert bloom.intensity == 0.25
        bloom.intensity, bloom.shape = 0.5, "aperture"
        assert bloom.settings["intensity"] == 0.5 and bloom.settings["shape"] == "aperture"
        for name, value, error in (("intensty", 1, AttributeError), ("intensity", "x", TypeError), ("shape", "round", ValueError)):
            with pytest.raises(error, match="bloom"):
                setattr(bloom, name, value)
        assert bloom.intensity == 0.5
        with pytest.raises(AttributeError, match="bloom has no setting 'intensty'; it has: intensity"):
            bloom.intensty
        assert not hasattr(bloom, "blade")
    context.release()


MISTAKES = (  # a line, and whether a type checker finds a mistake in it
    ('afterglow.bloom(image, intensity=0.5, shape="star")', False), ('afterglow.bloom(image, intensty=0.5)', True),
    ('afterglow.bloom(image, shape="round")', True), ('afterglow.bloom(image, blades="five")', True),
    ('afterglow.Pass("bloom", intensity=0.5, tint=(1, 1, 1))', False), ('afterglow.Pass("bloom", intensty=0.5)', True),
    ('afterglow.Pass("denoise", filter="none at all")', True), ('afterglow.Pass("./vignette").set(strength=0.5)', False),
    ('afterglow.run(["denoise", ("bloom", {"intensity": 0.3})], image)', False), ('afterglow.run(5, image)', True),
    ('afterglow.run([Path("vignette"), (Path("soft"), {"strength": 1})], image)', False),
    ('afterglow.Pass(Path("vignette"), strength=0.5)', False), ('afterglow.Pass(Path("vignette")).strength = 0.5', False),
    ('afterglow.Pass("bloom").intensity = 0.5', False), ('afterglow.Pass("bloom").intensty = 0.5', True),
    ('afterglow.Pass("bloom").intensity = "much"', True), ('afterglow.Pass("bloom").shape = "strar"', True),
    ('with afterglow.Pass("bloom") as bloom: bloom.blades = 5', False))


@pytest.mark.skipif(not importlib.util.find_spec("mypy"), reason="mypy is not installed: pip install mypy")
def test_types(tmp_path):
    shutil.copytree(Path(afterglow.__file__).parent, tmp_path / "afterglow", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    (tmp_path / "afterglow" / "__init__.pyi").write_text(_stubs.stubs())
    lines = ["import afterglow", "import numpy as np; from pathlib import Path", "image = np.zeros((2, 2), np.float32)", *(line for line, _ in MISTAKES)]
    (tmp_path / "user.py").write_text("\n".join(lines) + "\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--no-incremental", "user.py"], cwd=tmp_path, capture_output=True,
                          text=True, check=False, env={"PATH": "/usr/bin", "MYPYPATH": str(tmp_path)})
    found = {int(row.split(":")[1]) for row in done.stdout.splitlines() if row.startswith("user.py:") and ": error:" in row}
    wrong = {number for number, (_, is_wrong) in enumerate(MISTAKES, 4) if is_wrong}
    assert found == wrong and "__init__.pyi" not in done.stdout, done.stdout[-2000:] + done.stderr
