# mesa.sh - a newer Mesa beside the system's, with drivers that need no GPU; sourced by tests/gpus/run
# SPDX-License-Identifier: MIT

# apt with a source list of our own: the machine's first one of Debian, with another suite. Nothing is installed.
other_suite() { # FOLDER SUITE TYPE APT_ARGUMENT...
    local folder=$1 suite=$2 type=$3 from
    shift 3
    mkdir -p "$folder/lists/partial" "$folder/archives/partial"
    from=$(grep -lE '^(URIs:|deb ).*debian' /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | head -n 1)
    [ -n "$from" ] || return 1
    case $from in
    *.sources) awk 'BEGIN { RS = ""; } /debian/ { print; exit }' "$from" |
        sed "s/^Suites:.*/Suites: $suite/; s/^Types:.*/Types: $type/" >"$folder/$type.sources" ;;
    *) sed -nE "s/^deb (\[[^]]*\] )?([^ ]+debian\/?) .*/$type \1\2 $suite main/p" "$from" | head -n 1 >"$folder/$type.list" ;;
    esac
    apt-get -qq -o "Dir::Etc::sourcelist=$(ls "$folder/$type".{sources,list} 2>/dev/null | head -n 1)" \
        -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$folder/lists" -o "Dir::Cache::archives=$folder/archives" \
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root "$@"
}

suite_of_backports() { (. /etc/os-release && echo "${VERSION_CODENAME:-}-backports"); }

# Unpacks the packages in FOLDER; FOLDER/lib is where the libraries are, FOLDER/version what Mesa this is.
mesa_unpack() { # FOLDER
    local folder=$1 suite
    [ ! -e "$folder/version" ] || return 0
    suite=$(suite_of_backports)
    rm -rf "$folder"
    mkdir -p "$folder/deb"
    if ! { has apt-get && other_suite "$folder/apt" "$suite" deb update &&
        (cd "$folder/deb" && other_suite "$folder/apt" "$suite" deb download mesa-drm-shim mesa-libgallium mesa-vulkan-drivers \
            libgl1-mesa-dri libegl-mesa0 libgbm1 libdrm2 libdrm-amdgpu1 libdrm-intel1 libdrm-nouveau2 libdrm-radeon1); } \
        >"$folder/apt.log" 2>&1; then
        tail -n 3 "$folder/apt.log"
        echo "skipped: Mesa's drm-shim cannot be had from $suite of this machine's package source"
        return 77
    fi
    local package
    for package in "$folder"/deb/*.deb; do
        dpkg -x "$package" "$folder/root"
    done
    ln -s "root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" "$folder/lib"
    sed "s,\"libvulkan,\"$folder/lib/libvulkan," "$folder"/root/usr/share/vulkan/icd.d/radeon_icd*.json >"$folder/radv.json"
    dpkg-deb -f "$folder"/deb/mesa-libgallium_*.deb Version >"$folder/version"
}

# Prints the environment of that Mesa, NAME=VALUE a line.
mesa_environment() { # FOLDER
    printf '%s\n' "LD_LIBRARY_PATH=$1/lib" "LIBGL_DRIVERS_PATH=$1/lib/dri" "VK_DRIVER_FILES=$1/radv.json" \
        "VK_ICD_FILENAMES=$1/radv.json" "__EGL_VENDOR_LIBRARY_DIRS=$1/root/usr/share/glvnd/egl_vendor.d"
}

# Runs a command with it: NAME=VALUE ... COMMAND. No cache of programs answers in the compiler's place.
with_mesa() {
    local empty code=0 environment
    empty=$(mktemp -d)
    mapfile -t environment < <(mesa_environment "$work/mesa")
    env "${environment[@]}" MESA_SHADER_CACHE_DISABLE=true GALLIUM_THREAD=0 XDG_CACHE_HOME="$empty" "$@" || code=$?
    rm -rf "$empty"
    return $code
}

# Intel's shim, which Debian does not build: from the source of that Mesa, nothing else of which is built.
iris_build() { # FOLDER MESA
    local folder=$1 mesa=$2 uri file
    [ ! -e "$folder/libintel_noop_drm_shim.so" ] || return 0
    need bison has bison
    need flex has flex
    need libdrm-dev has_header libdrm/drm.h
    need libelf-dev has_header libelf.h
    need libexpat1-dev has_header expat.h
    need zlib1g-dev has_header zlib.h
    need python3-venv python_has ensurepip
    install_missing
    rm -rf "$folder"
    mkdir -p "$folder/source"
    echo "building Intel's shim from Mesa's source"
    {
        other_suite "$mesa/apt" "$(suite_of_backports)" deb-src update
        # 'URI' FILE BYTES SHA256:...
        read -r uri file _ hash < <(other_suite "$mesa/apt" "$(suite_of_backports)" deb-src source --print-uris mesa |
            grep 'orig\.tar\.xz '"'\?" | grep -v '\.asc' | tr -d "'")
        /usr/lib/apt/apt-helper download-file "$uri" "$folder/$file" "$hash"
        tar xJf "$folder/$file" -C "$folder/source" --strip-components=1
        python3 -m venv "$folder/venv"
        "$folder/venv/bin/pip" install -q 'meson==1.7.*' mako pyyaml packaging
        # shellcheck disable=SC2086
        PATH="$folder/venv/bin:$PATH" meson setup "$folder/build" "$folder/source" -Dbuildtype=release -Dtools=drm-shim,intel \
            -Dgallium-drivers= -Dvulkan-drivers= -Dplatforms= -Dvideo-codecs= -Dbuild-tests=false -Dopengl=false \
            $(printf -- '-D%s=disabled ' glx egl gbm gles1 gles2 llvm glvnd shared-glapi zstd xmlconfig libunwind lmsensors valgrind)
        ninja -C "$folder/build" src/intel/tools/libintel_noop_drm_shim.so
        cp "$folder/build/src/intel/tools/libintel_noop_drm_shim.so" "$folder"
    } >"$folder.log" 2>&1 || { tail -n 5 "$folder.log"; die "Intel's shim was not built: see $folder.log, or run without --iris"; }
}
