"""What the tests share: an X server without a screen, a program of libobs, and the command line to compare with."""
# SPDX-License-Identifier: MIT
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("AFTERGLOW_BUILD", ROOT / "build" / "release"))
DEFAULTS = {"shape": "aperture", "intensity": "0.3", "size": "0.5"}  # of AG_BLOOM_SDR
HIGHLIGHTS = 60  # filter.h


@pytest.fixture
def random(request) -> np.random.Generator:
    """Seeded anew in each run; AG_TEST_SEED repeats one."""
    seed = int(os.environ.get("AG_TEST_SEED", np.random.SeedSequence().entropy % 2**32))
    print(f"{request.node.name}: AG_TEST_SEED={seed}")
    return np.random.default_rng(seed)


@pytest.fixture(scope="session", autouse=True)
def display():
    """OBS wants a window system also when it has no window."""
    reading, writing = os.pipe()
    with subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24", "-nolisten", "tcp"],
                          pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as answer:
            os.environ["DISPLAY"] = f":{int(answer.readline())}"
        os.environ.pop("AFTERGLOW_LIBRARY", None)
        yield
        server.terminate()


def decode(codes):
    """sRGB codes 0 .. 255 to linear light; alpha is linear."""
    c = codes.astype(np.float64) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    linear[..., 3] = c[..., 3]
    return linear.astype(np.float32)


def encode(linear):
    c = np.clip(linear.astype(np.float64), 0, 1)
    codes = np.where(c <= 0.0031308, c * 12.92, 1.055 * c ** (1 / 2.4) - 0.055)
    codes[..., 3] = c[..., 3]
    return np.rint(codes * 255).astype(np.uint8)


def expand(linear, highlights=HIGHLIGHTS):
    """The curve of expand.c on the largest channel."""
    k = 1 - 1 / highlights
    return np.concatenate([linear[..., :3] / (1 - k * linear[..., :3].max(-1, keepdims=True)), linear[..., 3:]], -1)


def compress(linear, highlights=HIGHLIGHTS):
    k = 1 - 1 / highlights
    return np.concatenate([linear[..., :3] / (1 + k * linear[..., :3].max(-1, keepdims=True)), linear[..., 3:]], -1)


class Obs:
    """One run of the program: steps are added, then run."""

    def __init__(self, folder):
        self.folder, self.steps, self.files, self.shape, self.kind = folder, [], [], None, None

    def picture(self, kind, array):
        path = self.folder / f"in{len(self.steps)}.raw"
        array.astype(np.float16 if kind == "hdr" else np.uint8).tofile(path)
        self.shape, self.kind = array.shape, kind
        self.steps.append(f"{kind},{array.shape[1]},{array.shape[0]},{path}")

    def set(self, **settings):
        self.steps += [f"{name}={value}" for name, value in settings.items()]

    def render(self):
        path = self.folder / f"out{len(self.files)}.raw"
        self.files.append((path, self.shape, np.float16 if self.kind == "hdr" else np.uint8))
        self.steps.append(f"render={path}")

    def run(self, **environment):
        """The pictures, and the log."""
        done = subprocess.run([BUILD / "bin" / "afterglow_obs_render", BUILD / "lib" / "obs-plugins" / "afterglow-obs.so",
                               *self.steps], capture_output=True, text=True, check=False, timeout=600,
                              env={**os.environ, **environment})
        assert done.returncode == 0, done.stderr
        assert "allocations that were not freed: 0\n" in done.stderr
        return [np.fromfile(path, kind).reshape(shape) for path, shape, kind in self.files], done.stderr


@pytest.fixture
def obs(tmp_path):
    return Obs(tmp_path)


def complaints(log):
    """What OBS and the plugin complain about; GL errors are among OBS's."""
    return [line for line in log.splitlines() if line.startswith(("error:", "warning:")) or "failed" in line.lower()]


@pytest.fixture
def command_line(tmp_path):
    """command_line(linear, settings) -> what `afterglow run bloom` makes of it, in half floats."""

    def run(linear, **settings):
        np.save(tmp_path / "in.npy", linear.astype(np.float32))
        words = [BUILD / "bin" / "afterglow", "run", "bloom", tmp_path / "in.npy", "-o", tmp_path / "out.npy",
                 "--format", "rgba16f"]
        words += [word for name, value in {**DEFAULTS, **settings}.items() for word in ("--set", f"{name}={value}")]
        done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return np.load(tmp_path / "out.npy")

    return run
