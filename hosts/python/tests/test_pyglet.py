"""Textures of pyglet: headless by EGL, and in a window on Xvfb by GLX."""
# SPDX-License-Identifier: MIT
import os
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("pyglet", reason="pyglet is not installed: pip install pyglet")

# pyglet chooses its display when it is imported, so each runs in a process of its own.
CODE = """if True:
    import ctypes, sys
    import numpy as np
    import pyglet
    pyglet.options["headless"] = sys.argv[1] == "egl"
    pyglet.options["shadow_window"] = False
    from pyglet import gl
    window = pyglet.window.Window(64, 48, visible=False, config=gl.Config(major_version=4, minor_version=3))
    import afterglow
    image = (np.random.default_rng(int(sys.argv[2])).random((48, 64, 4)) ** 8 * 9).astype(np.float32)
    src, dst = (pyglet.image.Texture.create(64, 48, internalformat=gl.GL_RGBA32F) for _ in range(2))
    gl.glBindTexture(src.target, src.id)
    gl.glTexSubImage2D(src.target, 0, 0, 0, 64, 48, gl.GL_RGBA, gl.GL_FLOAT, image.ctypes.data_as(ctypes.c_void_p))
    with afterglow.Pass("bloom", intensity=0.5) as bloom:
        for _ in range(2):
            bloom(src=src, dst=dst)
    result = np.empty_like(image)
    gl.glBindTexture(dst.target, dst.id)
    gl.glGetTexImage(dst.target, 0, gl.GL_RGBA, gl.GL_FLOAT, result.ctypes.data_as(ctypes.c_void_p))
    np.save(sys.argv[3], np.stack([image, result]))
    """


def run(tmp_path, way, seed, **environment):
    out = tmp_path / f"{way}.npy"
    done = subprocess.run([sys.executable, "-c", CODE, way, str(seed), str(out)], capture_output=True, text=True,
                          check=False, env=os.environ | environment)  # yapf: disable
    assert done.returncode == 0, done.stderr
    compare(out)


def compare(out):
    import numpy as np

    import afterglow
    image, result = np.load(out)
    np.testing.assert_array_equal(result, afterglow.bloom(image, intensity=0.5))
    assert np.any(result != image)


def test_egl(tmp_path, random):
    run(tmp_path, "egl", random.integers(1 << 30))


def test_glx(tmp_path, random):
    if not shutil.which("Xvfb"):
        pytest.skip("Xvfb is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "640x480x24", "-nolisten", "tcp"],
                              pass_fds=[write], stderr=subprocess.DEVNULL)  # yapf: disable
    os.close(write)
    try:
        with os.fdopen(read) as told:
            number = told.readline().strip()
        assert number, "Xvfb did not start"
        run(tmp_path, "glx", random.integers(1 << 30), DISPLAY=f":{number}")
    finally:
        server.terminate()
        server.wait()
