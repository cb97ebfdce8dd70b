# setup.sh - functions of demo/run, tests/run and .ci/run; sourced by bash in the repository root
# SPDX-License-Identifier: MIT

# All builds share Mesa's cache of compiled shaders: llvmpipe takes a second to compile an unrolled FFT.
export MESA_SHADER_CACHE_DIR=$PWD/build/mesa-cache MESA_SHADER_CACHE_MAX_SIZE=2G

die() {
    echo "$*" >&2
    exit 1
}

# Not grep -q behind a pipe: it stops reading early, and pipefail reports the broken pipe as a failure.
has() { command -v "$1" >/dev/null; }
has_header() { echo "#include <$1>" | cc -E -x c - >/dev/null 2>&1; }
has_library() { PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep "$1" >/dev/null; }
has_font() { [ -n "$(find /usr/share/fonts /usr/local/share/fonts -name "$1" -print -quit 2>/dev/null)" ]; }
# Another Python may stand before Debian's on the PATH, which Debian's packages are for.
python_has() { python3 -c "import $1" 2>/dev/null || /usr/bin/python3 -c "import $1" 2>/dev/null; }
# A driver that EGL can open: NVIDIA's own, or Mesa's, which has a software renderer too.
has_driver() {
    compgen -G '/usr/share/glvnd/egl_vendor.d/*nvidia*.json' >/dev/null ||
        compgen -G '/etc/glvnd/egl_vendor.d/*nvidia*.json' >/dev/null ||
        compgen -G '/usr/lib*/*/dri/*_dri.so' >/dev/null || compgen -G '/usr/lib*/dri/*_dri.so' >/dev/null
}

# need PACKAGE TEST...: puts a Debian package on the list if the test fails
missing=()
need() {
    local package=$1
    shift
    "$@" || missing+=("$package")
}

# wish PACKAGE TEST...: the same for a package that some distributions do not have; tests that need it are then skipped
wished=()
wish() {
    local package=$1
    shift
    "$@" || wished+=("$package")
}

need_to_build() {
    need build-essential has cc
    need cmake has cmake
    need ninja-build has ninja
    [ -e cmake/glad/extensions ] || need python3-glad has glad # the tarball has what glad makes
    need libjpeg-dev has_header jpeglib.h # the name on Debian and Ubuntu alike; Debian's is libjpeg62-turbo-dev
    need libpng-dev has_header png.h
    need libtiff-dev has_header tiffio.h
    need libwebp-dev has_header webp/decode.h
    need libopenexr-dev has_header OpenEXR/openexr.h
    need libegl-dev has_header EGL/egl.h
    need libegl1 has_library libEGL.so.1
    need libgl1-mesa-dri has_driver
    # The viewer
    need build-essential has c++
    need libglfw3-dev has_header GLFW/glfw3.h
    need libgl1 has_library libGL.so.1
    need libcglm-dev has_header cglm/cglm.h
    need libjansson-dev has_header jansson.h
    need libstb-dev has_header stb/stb_truetype.h
    need libimgui-dev [ -e /usr/include/imgui/imgui.h ]
    need fonts-roboto-unhinted has_font Roboto-Medium.ttf
    need fonts-dejavu-core has_font DejaVuSansMono.ttf
}

need_to_package() {
    need_to_build
    need file has file
    need dpkg-dev has dpkg-shlibdeps
    need pkg-config has pkg-config
    need libgstreamer-plugins-base1.0-dev pkg-config --exists gstreamer-gl-1.0
    need libobs-dev pkg-config --exists libobs
    need python3-numpy python_has numpy
}

need_to_test() {
    need python3-glad has glad # the host of tests/host_glad has a glad of its own
    need build-essential has c++
    need binutils has readelf
    need pkg-config has pkg-config
    need libcmocka-dev has_header cmocka.h
    need libfftw3-dev has_header fftw3.h
    need glslang-tools has glslangValidator
    need python3 has python3
    need apitrace has apitrace
    need xvfb has Xvfb
    need libxtst6 has_library libXtst.so.6
    wish abigail-tools has abidiff
    wish clang-format-14 has clang-format-14
    wish python3-numpy python_has numpy
    wish python3-pytest python_has pytest
    wish python3-pycparser python_has pycparser
    wish mono-runtime has mono
    wish mono-mcs has mcs
    wish zsh has zsh
    wish fish has fish
}

# Prints the wished packages that apt knows.
known_wishes() {
    local package
    has apt-cache || return 0
    for package in "${wished[@]}"; do
        ! apt-cache show "$package" >/dev/null 2>&1 || echo "$package"
    done
}

# Installs the packages on the list, or prints what to install.
install_missing() {
    if [ ${#missing[@]} -gt 0 ] || [ -n "$(known_wishes)" ]; then
        local as_root=()
        [ "$(id -u)" = 0 ] || as_root=(sudo)
        has apt-get || die "Please install, then run this again (names of Debian packages): ${missing[*]}"
        [ ${#as_root[@]} = 0 ] || has sudo ||
            die "Please run, then run this again: apt-get install ${missing[*]}"
        echo "installing ${missing[*]} ${wished[*]}"
        local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
        mkdir -p build
        {
            "${apt[@]}" update && mapfile -t wished < <(known_wishes) &&
                "${apt[@]}" install -y --no-install-recommends "${missing[@]}" "${wished[@]}"
        } >build/install.log 2>&1 || { cat build/install.log >&2; die "apt-get failed"; }
        missing=() wished=()
    fi
    local version
    version=$(cmake --version | sed -n '1s/[^0-9]*//p')
    printf '%s\n' 3.25 "$version" | sort -VC ||
        die "cmake 3.25 or newer is needed, this is $version: python3 -m pip install cmake, or https://apt.kitware.com"
}

# build PRESET [TARGET [CMAKE_OPTION...]]: quiet, unless it fails; an edit of the presets configures again
build() {
    local preset=$1 target=${2:-all} log=build/$1.log
    shift $(($# > 2 ? 2 : $#))
    mkdir -p build
    echo "building $preset"
    {
        { [ "build/$preset/build.ninja" -nt CMakePresets.json ] || cmake --preset "$preset" "$@"; } &&
            cmake --build "build/$preset" --target "$target"
    } >"$log" 2>&1 || { cat "$log" >&2; die "the build failed; its output is above and in $log"; }
}
