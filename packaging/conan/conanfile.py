"""Afterglow's library for Conan 2: `conan create packaging/conan`, in a copy of the repository.

Options: shared (False: libafterglow.a). Needs CMake 3.25; in a clone, and not in a release's tarball, glad 2 (`pip install
glad2`), which generates GL's headers, on the PATH. The command line and the viewer are no part of it.
"""
# SPDX-License-Identifier: MIT
import re
from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

REPOSITORY = Path(__file__).resolve().parents[2]
NEEDED = ("CMakeLists.txt", "LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "SECURITY.md", "cmake/*", "engine_plugin/*",
          "shaders/*", "docs/*.md")  # yapf: disable


class Afterglow(ConanFile):
    name = "afterglow"
    description = "GPU post-processing for OpenGL 4.3 engines"
    license = "MIT"
    topics = ("opengl", "post-processing", "bloom", "fft", "compute")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": True, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = "C"

    def set_version(self):
        self.version = re.search(r"project\(afterglow VERSION ([0-9.]+)", load(self, REPOSITORY / "CMakeLists.txt"))[1]

    def export_sources(self):
        for pattern in NEEDED:
            copy(self, pattern, src=REPOSITORY, dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        shared = bool(self.options.shared)
        for name, value in {"BUILD_SHARED": shared, "BUILD_STATIC": not shared, "BUILD_DEMO": False, "BUILD_LADDER": False,
                            "BUILD_VIEWER": False, "BUILD_TESTS": False, "BUILD_BENCH": False, "INSTALL": True}.items():  # yapf: disable
            toolchain.cache_variables[f"AG_{name}"] = value
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", src=self.source_folder, dst=Path(self.package_folder) / "licenses")
        copy(self, "NOTICE", src=self.source_folder, dst=Path(self.package_folder) / "licenses")
        for folder in ("lib/cmake", "lib/pkgconfig", "share/doc"):  # Conan writes its own
            rmdir(self, Path(self.package_folder) / folder)

    def package_info(self):
        target = "afterglow::afterglow" if self.options.shared else "afterglow::static"
        self.cpp_info.set_property("cmake_file_name", "afterglow")
        self.cpp_info.set_property("cmake_target_name", target)
        self.cpp_info.set_property("pkg_config_name", "afterglow")
        static_of_msvc = not self.options.shared and self.settings.get_safe("compiler") == "msvc"
        self.cpp_info.libs = ["afterglow_static" if static_of_msvc else "afterglow"]
        if not self.options.shared:
            self.cpp_info.defines = ["AG_STATIC"]
            if self.settings.os != "Windows":
                self.cpp_info.system_libs = ["m", "dl"]
