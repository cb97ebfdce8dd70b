"""What the tests share: pipelines without X, random pictures, and the command line to compare with."""
# SPDX-License-Identifier: MIT
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("AFTERGLOW_BUILD", ROOT / "build" / "release"))
VIDEO = {"shape": "aperture", "intensity": "0.3", "size": "0.5", "transfer": "srgb"}  # bloom's: AG_BLOOM_SDR
CHANNELS = {"RGBA": 4, "RGBx": 4, "GRAY8": 1, "RGB10A2_LE": 4}


@pytest.fixture
def random(request) -> np.random.Generator:
    """Seeded anew in each run; AG_TEST_SEED repeats one."""
    seed = int(os.environ.get("AG_TEST_SEED", np.random.SeedSequence().entropy % 2**32))
    print(f"{request.node.name}: AG_TEST_SEED={seed}")
    return np.random.default_rng(seed)


@pytest.fixture(scope="session", autouse=True)
def gstreamer(tmp_path_factory):
    """GStreamer on EGL without a window system, with our plugin, and with a registry of its own."""
    os.environ.update(GST_GL_PLATFORM="egl", GST_GL_WINDOW="egl-device", GST_GL_API="opengl3",
                      GST_PLUGIN_PATH=str(BUILD / "lib" / "gstreamer-1.0"),
                      GST_REGISTRY=str(tmp_path_factory.mktemp("gstreamer") / "registry.bin"), LC_ALL="C.UTF-8")
    os.environ.pop("AFTERGLOW_LIBRARY", None)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        os.environ.pop(name, None)


def launch(*words, right=True, quiet=True, **environment):
    """Runs gst-launch-1.0 and returns what it printed; it has to succeed, or (right=False) to fail."""
    done = subprocess.run(["gst-launch-1.0", *["-q"] * quiet, *" ".join(words).split()], capture_output=True, text=True,
                          check=False, timeout=600, env={**os.environ, **environment})
    printed = done.stdout + done.stderr
    assert (done.returncode == 0 and "ERROR" not in printed) == right, printed
    return printed


def rows(data, shape, layout):
    """Pictures of raw video, whose rows GStreamer pads to 4 bytes."""
    height, width = shape
    if layout == "RGB10A2_LE":
        packed = np.frombuffer(data, "<u4").reshape(-1, height, width)
        return np.stack([packed & 1023, packed >> 10 & 1023, packed >> 20 & 1023, packed >> 30], axis=-1)
    stride = -(-width * CHANNELS[layout] // 4) * 4
    pictures = np.frombuffer(data, np.uint8).reshape(-1, height, stride)[..., :width * CHANNELS[layout]]
    return pictures.reshape(-1, height, width, 4) if CHANNELS[layout] == 4 else pictures


def raw(pictures, layout):
    """The bytes of pictures, as `rows` reads them."""
    if layout == "RGB10A2_LE":
        p = pictures.astype("<u4")
        return (p[..., 0] | p[..., 1] << 10 | p[..., 2] << 20 | p[..., 3] << 30).tobytes()
    flat = pictures.reshape(*pictures.shape[:2], -1)
    return np.pad(flat, ((0, 0), (0, 0), (0, -flat.shape[2] % 4))).tobytes()


@pytest.fixture
def through(tmp_path):
    """through(pictures, element, format, size) -> the pictures that an element makes of pictures."""

    def run(pictures, element, layout="RGBA", size=None, **environment):
        height, width = pictures.shape[1:3]
        size = size or (width, height)
        (tmp_path / "in.raw").write_bytes(raw(pictures, layout))
        launch(f"filesrc location={tmp_path}/in.raw ! rawvideoparse format={layout.lower().replace('_', '-')}",
               f"width={width} height={height} framerate=25/1 ! glupload ! {element} !",
               f"video/x-raw(memory:GLMemory),width={size[0]},height={size[1]} ! gldownload !",
               f"video/x-raw,format={layout} ! filesink location={tmp_path}/out.raw", **environment)
        return rows((tmp_path / "out.raw").read_bytes(), size[::-1], layout)

    return run


@pytest.fixture
def command_line(tmp_path):
    """command_line(picture, effect, settings, layout, size) -> the picture that `afterglow run` makes."""

    def run(picture, effect, settings="", layout="RGBA", size=None):
        ten = layout == "RGB10A2_LE"
        scale = np.array([1023, 1023, 1023, 3], np.float32)
        np.save(tmp_path / "in.npy", picture / scale if ten else picture)
        words = [BUILD / "bin" / "afterglow", "run", effect, tmp_path / "in.npy", "-o", tmp_path / "out.npy"]
        values = VIDEO if effect == "bloom" else {}
        values = {**values, **dict(setting.split("=") for setting in settings.split())}
        words += [word for name, value in values.items() for word in ("--set", f"{name}={value}")]
        words += ["--format", "rgb10a2"] if ten else []
        words += ["--size", f"{size[0]}x{size[1]}"] if size else []
        done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        result = np.load(tmp_path / "out.npy")
        return np.rint(result * scale).astype(np.uint32) if ten else result

    return run
