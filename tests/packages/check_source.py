#!/usr/bin/env python3
# check_source.py - the tarball of the sources holds what git tracks, with the same bytes, and what glad makes
# SPDX-License-Identifier: MIT
#
#   check_source.py TARBALL     exits 77 (skipped) where git does not list the files
import pathlib
import subprocess
import sys
import tarfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
listed = subprocess.run(["git", "-C", PROJECT, "ls-files", "-z"], capture_output=True, check=False)
if listed.returncode:
    print("skipped: git does not list the files")
    sys.exit(77)
tracked = {name for name in listed.stdout.decode().split("\0") if name and (PROJECT / name).exists()}
root = pathlib.Path(sys.argv[1]).name.removesuffix(".tar.gz")
packed, differing = set(), []
# What packaging/release adds: what glad makes, and where the sources come from
ADDED = {"cmake/origin.cmake", "cmake/glad/extensions", "cmake/glad/include/KHR/khrplatform.h",
         "cmake/glad/include/glad/gl.h", "cmake/glad/src/gl.c"}  # yapf: disable
with tarfile.open(sys.argv[1]) as tar:
    for member in tar:
        if member.isdir():
            continue
        top, _, name = member.name.partition("/")
        if top != root:
            sys.exit(f"{member.name} is not in the folder {root}")
        packed.add(name)
        file = PROJECT / name
        if file.is_file() and tar.extractfile(member).read() != file.read_bytes():
            differing.append(name)
for text, names in (("not in the tarball", (tracked | ADDED) - packed), ("not tracked by git, but in the tarball", packed - tracked - ADDED),
                    ("not as in the working tree", differing)):  # yapf: disable
    for name in sorted(names):
        print(f"{name}: {text}")
print(f"{len(packed)} files")
sys.exit(packed != tracked | ADDED or bool(differing) or len(packed) < 100)
