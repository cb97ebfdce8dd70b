#!/usr/bin/env python3
# check_format.py - clang-format 14 decides how C and C++ look; lines end at column 100, in Markdown at 120; files of
# C, C++, GLSL and Python have 900 lines at most
# SPDX-License-Identifier: MIT
#
#   check_format.py [FILE...]     files of the project; all that git tracks, unless given
#
# Prints each line and each file that is too long, and each place that `clang-format -i` would change, by file and line, and exits 1.
# Exits 77 (skipped) if git does not list the files, or if no line is too long and clang-format 14 is missing, because
# other versions lay out some lines differently.
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
VERSION = 14
CODE, CODE_COLUMNS = {".c", ".h", ".cpp"}, 100
SHADERS = {".glsl", ".comp"}
PYTHON = {".py"}
LONGEST = 900  # lines of a file
MARKDOWN, MARKDOWN_COLUMNS = {".md"}, 120
# Only links, pictures and bare addresses, with a list marker and punctuation: such a line cannot be broken.
LINKS_ONLY = re.compile(r"\s*(?:[-*>]\s+)?(?:(?:!?\[[^\]]*\](?:\([^)]*\)|:\s*\S+)|<?https?://\S+>?)[\s.,;:]*)+")
FENCE = re.compile(r"\s*(```|~~~)")


# A line of C that is one text: clang-format does not break it either.
TEXT_ONLY = re.compile(r'\s*"')


def tracked(project):
    """The paths of all files that git tracks and that are there."""
    if not shutil.which("git"):
        return None
    listed = subprocess.run(["git", "-C", project, "ls-files", "-z"], capture_output=True)
    if listed.returncode:
        return None
    paths = [project / os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
    return [path for path in paths if path.is_file()]


def long_lines(path):
    """Of one file, each line beyond its last column, with its length in characters."""
    columns = MARKDOWN_COLUMNS if path.suffix in MARKDOWN else CODE_COLUMNS
    fence = None
    for at, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if path.suffix in MARKDOWN:
            mark = FENCE.match(line)
            if mark and fence in (None, mark[1]):
                fence = None if fence else mark[1]
            if fence or line.lstrip().startswith("|") or LINKS_ONLY.fullmatch(line):
                continue
        if len(line) > columns and not (path.suffix in CODE and TEXT_ONLY.match(line)):
            yield f"{path}:{at}: {len(line)} columns; {path.suffix} files have {columns}"


def long_files(paths):
    """The source files with too many lines."""
    for path in paths:
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > LONGEST:
            yield f"{path}:{lines}: {lines} lines; a file has {LONGEST} at most"


def find_clang_format():
    """A clang-format of the version that .clang-format is written for, or None."""
    for name in f"clang-format-{VERSION}", "clang-format":
        program = shutil.which(name)
        said = program and subprocess.run([program, "--version"], capture_output=True, text=True)
        if said and re.search(rf"\bversion {VERSION}\.", said.stdout):
            return program
    return None


def misformatted(program, paths):
    """The places that clang-format would change, from a few processes for all files."""
    share = max(1, len(paths) // (4 * (os.cpu_count() or 1)))
    shares = [paths[at:at + share] for at in range(0, len(paths), share)]

    def run(share):
        command = [program, "--dry-run", "-Werror", "--style=file", *share]
        done = subprocess.run(command, capture_output=True, text=True)
        if not done.returncode:
            return []
        places = re.findall(r"^(\S+:\d+):\d+: error: (.*)$", done.stderr, re.M)
        # If it failed for another reason, all of its output is reported.
        return [f"{place}: {what}" for place, what in places] or [done.stderr.strip()]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [what for part in pool.map(run, shares) for what in part]


def main():
    project = pathlib.Path(__file__).resolve().parents[2]
    paths = [pathlib.Path(name) for name in sys.argv[1:]] or tracked(project)
    if paths is None:
        print("skipped: git does not list the files of this folder")
        sys.exit(SKIPPED)
    lines_of = [path for path in paths if path.suffix in CODE | SHADERS | MARKDOWN]
    code = [path for path in paths if path.suffix in CODE]
    if not lines_of:
        sys.exit(f"{project}: no source files")
    wrong = [what for path in lines_of for what in long_lines(path)]
    wrong += long_files([path for path in paths if path.suffix in CODE | SHADERS | PYTHON])
    program = find_clang_format()
    if program and code:
        wrong += misformatted(program, code)
    if wrong:
        print("\n".join(wrong))
        print(f"{len(wrong)} places; `clang-format -i FILE` formats a file")
        sys.exit(1)
    if not program:
        print(f"skipped: no clang-format {VERSION}; {len(lines_of)} files have no line that is too long")
        sys.exit(SKIPPED)
    print(f"{len(code)} files as clang-format {VERSION} lays them out; {len(lines_of)} without a long line")


main()
