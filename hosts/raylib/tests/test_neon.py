"""hosts/raylib/neon.c with the raylib that is in PyPI's package: it is built, and its picture is looked at."""
# SPDX-License-Identifier: MIT
import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
LIBRARIES = Path(os.environ.get("AFTERGLOW_BUILD", ROOT / "build" / "release")) / "lib"
WIDTH, HEIGHT = 1280, 720


def run(*words, **environment):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, timeout=600,
                          env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def neon(tmp_path_factory):
    """The program. PyPI's package is a module of Python with raylib inside, and raylib's headers without macros."""
    found = importlib.util.find_spec("raylib")
    if not found:
        pytest.skip("raylib cannot be installed here")
    package, folder = Path(found.origin).parent, tmp_path_factory.mktemp("raylib")
    library = next(package.glob("_raylib_cffi*.so"))
    for name in ("raylib.h", "rlgl.h"):
        shutil.copy(package / f"{name}.modified", folder / name)
    # What the module wants of Python is never called.
    names = re.findall(r" U (_?Py\w+)", run("nm", "-D", "--undefined-only", library))
    (folder / "python.c").write_text("".join(f"char {name}[64];\n" for name in names))
    run("cc", "-std=c11", "-O1", "-Wall", "-Werror", "-include", "stdbool.h", "-I", folder,
        "-I", ROOT / "engine_plugin" / "include", ROOT / "hosts" / "raylib" / "neon.c", folder / "python.c", library,
        LIBRARIES / "libafterglow.so", "-lm", f"-Wl,-rpath,{library.parent}:{LIBRARIES}",
        "-o", folder / "neon")  # yapf: disable

    def picture(**environment):
        said = run(folder / "neon", folder / "out.raw", **environment)
        texels = np.fromfile(folder / "out.raw", np.uint8).reshape(HEIGHT, WIDTH, 4)
        return texels[..., :3].astype(float), said

    return picture


@pytest.fixture(scope="module", autouse=True)
def display():
    reading, writing = os.pipe()
    words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"]
    with subprocess.Popen(words, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as answer:
            os.environ["DISPLAY"] = f":{int(answer.readline())}"
        yield
        server.terminate()


def test_stars(neon):
    """A ray of each lit bulb crosses the dark foot of the wall; a context without compute shaders gives no rays."""
    starry, said = neon()
    assert "afterglow:" not in said and "WARNING" not in said, said
    plain, said = neon(MESA_GL_VERSION_OVERRIDE="3.3", MESA_EXTENSION_OVERRIDE="-GL_ARB_compute_shader")
    assert said.count("afterglow:") == 1 and "lacks GL_ARB_compute_shader" in said, said
    for bulb in (340, 520, 700, 880):
        assert min(picture[362, bulb].min() for picture in (starry, plain)) > 200
        for y in (470, 478):
            row = starry[y - 1:y + 2, bulb - 20:bulb + 100].sum(-1).mean(0)
            expected = 20 + (y - 362) * np.tan(np.radians(12))  # of the six rays 60 degrees apart, turned by 12
            print(f"bulb {bulb}, row {y}: a ray at {row.argmax()}, expected at {expected:.1f}, to 2 texels; "
                  f"{row.max():.0f} over {np.median(row):.0f}")
            assert abs(row.argmax() - expected) <= 2 and row.max() > 1.3 * np.median(row)
    assert plain[469:480].sum(-1).max() < 20
