#!/bin/sh
# check_shaders.sh BINARY DIR - the reference compiler accepts every shader variant we use
# SPDX-License-Identifier: MIT
#
# BINARY --dump DIR writes the variants, expanded, as *.comp. With one argument: a folder of them.
set -eu
if ! command -v glslangValidator > /dev/null; then
    echo "glslangValidator is missing (Debian, Ubuntu: glslang-tools)"
    exit 77
fi
if [ -d "$1" ]; then
    folder=$1
else
    folder=$2
    rm -rf "$folder"
    mkdir -p "$folder"
    "$1" --dump "$folder"
fi
count=0
for shader in "$folder"/*.comp; do
    [ -e "$shader" ] || break
    if ! output=$(glslangValidator -S comp "$shader" 2>&1); then
        echo "FAIL $shader"
        echo "$output"
        exit 1
    fi
    count=$((count + 1))
done
echo "$count shader variants accepted"
[ "$count" -gt 0 ]
