#!/bin/sh
# check_shaders.sh BINARY - the reference compiler accepts every shader variant we use
# SPDX-License-Identifier: MIT
#
# BINARY --dump DIR writes the variants, expanded, as *.comp. With a folder of them instead: those. The quick tier
# takes one of 12, another tier with AG_TEST_PART=k/n one of n (README.md).
# One shader a compiler, because one that is given several links them; as many at a time as there are cores.
set -eu
if ! command -v glslangValidator > /dev/null; then
    echo "glslangValidator is missing (Debian, Ubuntu: glslang-tools)"
    exit 77
fi
if [ -d "$1" ]; then
    folder=$1
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    "$1" --dump "$folder"
fi
part=1/12
[ "${AG_TEST_TIER:-quick}" = quick ] || part=${AG_TEST_PART:-1/1}
list=$(find "$folder" -name '*.comp' | sort | awk -v "k=${part%/*}" -v "n=${part#*/}" 'NR % n == k % n')
count=$(printf '%s' "$list" | grep -c '')
[ "$count" -gt 0 ]
printf '%s\n' "$list" | tr '\n' '\0' |
    xargs -0 -n 1 -P "$(nproc)" sh -c \
        'set -- "$1"
        # subgroups are known to it only for SPIR-V 1.3, which it then makes
        if grep -q "^#extension GL_KHR_shader_subgroup" "$1"; then
            output=$(glslangValidator -S comp --target-env opengl --target-env spirv1.3 -o "$1.spv" "$1" 2>&1)
        else
            output=$(glslangValidator -S comp "$1" 2>&1)
        fi || { echo "FAIL $output"; exit 1; }' check
echo "$count shader variants accepted (part $part)"
