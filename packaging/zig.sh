# zig.sh - a C and C++ compiler for every Linux with glibc 2.28; sourced by bash after cmake/setup.sh
# SPDX-License-Identifier: MIT
#
# What Debian 12's own compiler makes needs a glibc of 2022. zig's (PyPI's ziglang) has the symbols of old ones.
glibc=2.28

# environment FOLDER PACKAGE...: a virtual environment with packages of PyPI
environment() {
    local folder=$1
    shift
    mkdir -p "$(dirname "$folder")"
    [ -x "$folder/bin/pip" ] || python3 -m venv "$folder"
    "$folder/bin/python" -m pip -q --disable-pip-version-check install "$@" >"$folder.log" 2>&1
}

# zig_compiler FOLDER PACKAGE...: FOLDER/tools, with zig and more packages of PyPI, FOLDER/zig-cc and others, and for CMake
# FOLDER/zig.cmake. Another zig is another compiler: its version is stated.
zig_compiler() {
    local folder=$1 tool extra
    shift
    environment "$folder/tools" ziglang==0.13.0 "$@" ||
        { tail -3 "$folder/tools.log" >&2; echo 'skipped: PyPI cannot be reached, so there is no zig'; return 77; }
    for tool in cc c++ ar ranlib; do
        extra=
        [ "${tool#c}" = "$tool" ] || extra="-target x86_64-linux-gnu.$glibc"
        printf '#!/bin/sh\nexec "%s" -m ziglang %s %s "$@"\n' "$folder/tools/bin/python" "$tool" "$extra" >"$folder/zig-$tool"
        chmod +x "$folder/zig-$tool"
    done
    cat >"$folder/zig.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER "$folder/zig-cc")
set(CMAKE_CXX_COMPILER "$folder/zig-c++")
set(CMAKE_AR "$folder/zig-ar")
set(CMAKE_RANLIB "$folder/zig-ranlib")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
END
}
