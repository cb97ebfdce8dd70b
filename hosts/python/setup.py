"""Builds libafterglow.so with the repository's CMake and puts it into the wheel.

AFTERGLOW_LIBRARY=FILE puts that library into the wheel instead, and builds nothing.
"""
# SPDX-License-Identifier: MIT
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
NAMED = os.environ.get("AFTERGLOW_LIBRARY")


def version() -> str:
    lists = SOURCE / "CMakeLists.txt"
    if not lists.is_file():
        raise SystemExit(f"{lists} is missing: the package is built in a copy of the whole repository")
    return re.search(r"project\(afterglow VERSION ([0-9.]+)", lists.read_text())[1]


def recent_cmake() -> bool:
    if not shutil.which("cmake"):
        return False
    said = subprocess.run(["cmake", "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    return bool(found) and (int(found[1]), int(found[2])) >= (3, 25)


def tools() -> list:
    """What building needs and this machine has not, as packages."""
    if NAMED:
        return []
    return ([] if recent_cmake() else ["cmake>=3.25"]) + ([] if shutil.which("ninja") else ["ninja"]) + (
        [] if shutil.which("glad") or (SOURCE / "cmake/glad").is_dir() else ["glad2"])


def environment() -> dict:
    """pip hides the system's packages from the programs that it starts; the system's glad needs them."""
    shown = dict(os.environ)
    if subprocess.run(["glad", "--help"], capture_output=True, check=False).returncode:
        shown.pop("PYTHONPATH", None)
    return shown


def build_library(folder: Path) -> Path:
    env = environment()
    options = [f"-DAG_{name}=OFF" for name in ("BUILD_STATIC", "BUILD_DEMO", "BUILD_VIEWER", "BUILD_TESTS",
                                               "BUILD_BENCH", "INSTALL")]  # yapf: disable
    subprocess.run(["cmake", "-S", SOURCE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DAG_BUILD_SHARED=ON", *options], check=True, env=env)  # yapf: disable
    subprocess.run(["cmake", "--build", folder, "--target", "afterglow"], check=True, env=env)
    return folder / "lib" / "libafterglow.so"


class WithLibrary(build_py):
    """The package and the library, without its soname's links."""

    def run(self):
        shutil.rmtree(Path(self.build_lib) / "afterglow", ignore_errors=True)  # modules of an earlier build
        super().run()
        if getattr(self, "editable_mode", False):
            raise SystemExit("an editable install has no library inside: set PYTHONPATH to hosts/python and "
                             "AFTERGLOW_LIBRARY to a libafterglow.so instead")
        library = Path(NAMED) if NAMED else build_library(Path(self.build_lib).resolve().parent / "library")
        if not library.is_file():
            raise SystemExit(f"AFTERGLOW_LIBRARY: {library} does not exist")
        target = Path(self.build_lib) / "afterglow" / "libafterglow.so"
        shutil.copyfile(library.resolve(), target)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", target], check=True)
        shown = os.environ | {"AFTERGLOW_LIBRARY": str(target)}
        stubs = subprocess.run([sys.executable, "-m", "afterglow._stubs"], cwd=HERE, env=shown, check=True,
                               stdout=subprocess.PIPE).stdout
        target.with_name("__init__.pyi").write_bytes(stubs)


class ForPlatform(bdist_wheel):
    """A wheel for this platform and every Python 3: the library does not know Python."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


# Everything that is built goes to the repository's build folder, and nothing beside the sources.
BUILD = SOURCE / "build" / "hosts"
BUILD.mkdir(parents=True, exist_ok=True)
setup(options={"build": {"build_base": str(BUILD / "wheel")}, "egg_info": {"egg_base": str(BUILD)}},
      version=version(), setup_requires=tools(), distclass=BinaryDistribution,
      cmdclass={"build_py": WithLibrary, "bdist_wheel": ForPlatform})
