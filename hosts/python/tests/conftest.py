"""What the tests share: random images, and the command line to compare with."""
# SPDX-License-Identifier: MIT
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def random(request) -> np.random.Generator:
    """Seeded anew in each run; AG_TEST_SEED repeats one."""
    seed = int(os.environ.get("AG_TEST_SEED", np.random.SeedSequence().entropy % 2**32))
    print(f"{request.node.name}: AG_TEST_SEED={seed}")
    return np.random.default_rng(seed)


@pytest.fixture
def command_line(tmp_path):
    """command_line(effect, inputs, settings, *options, slots={}) -> arrays by file name, of `afterglow run`."""
    program = Path(os.environ.get("AFTERGLOW_CLI", ROOT / "build" / "release" / "bin" / "afterglow"))
    if not program.is_file():
        pytest.fail(f"{program} does not exist: build the command line, or set AFTERGLOW_CLI")

    def text(value) -> str:
        if isinstance(value, (tuple, list)):
            return ",".join(text(one) for one in value)
        return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)

    def run(effect, inputs, settings, *options, slots={}, one=True):
        words = [program, "run", effect]
        for i, array in enumerate(inputs):
            words.append(tmp_path / f"input{i}.npy")
            np.save(words[-1], array)
        for name, array in slots.items():
            np.save(tmp_path / f"{name}.npy", array)
            words += ["--slot", f"{name}={tmp_path / name}.npy"]
        for name, value in settings.items():
            words += ["--set", f"{name}={text(value)}"]
        name = Path(effect).name  # of a pass's folder
        out = tmp_path / f"{name}.npy" if one else tmp_path / name
        if not one:
            out.mkdir()
        done = subprocess.run([*map(str, words), "-o", str(out), *options], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return np.load(out) if one else {file.stem: np.load(file) for file in sorted(out.glob("*.npy"))}

    return run
