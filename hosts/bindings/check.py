#!/usr/bin/env python3
"""check.py rust|csharp - a binding's layout against the C compiler's, and its example on the library

    AFTERGLOW_LIB_DIR=FOLDER check.py rust      needs cargo and rustc
    AFTERGLOW_LIB_DIR=FOLDER check.py csharp    needs mono and mcs

All sizes, offsets of members and values of constants are printed by a C program and by one in the other language, and
compared. Then the example blurs a texture. Exit status 77, skipped: a compiler, or pycparser, is missing.
"""
# SPDX-License-Identifier: MIT
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import generate
from generate import ROOT

C = """\
#define show(name, value) printf("%s %lld\\n", name, (long long)(value))
int main(void)
{
BODY}
"""
RUST = """\
#[allow(dead_code)]
#[path = "PATH"]
mod afterglow_sys;
use afterglow_sys::*;
use std::mem::{size_of, MaybeUninit};
macro_rules! offset {
    ($group:ty, $member:ident) => {{
        let it = MaybeUninit::<$group>::uninit();
        let at = unsafe { std::ptr::addr_of!((*it.as_ptr()).$member) };
        at as i64 - it.as_ptr() as i64
    }};
}
fn show(name: &str, value: i64) {
    println!("{} {}", name, value);
}
fn main() {
BODY}
"""
CSHARP = """\
using Afterglow;
static unsafe class Layout
{
    static void show(string name, long value) { System.Console.WriteLine(name + " " + value); }
    static void Main()
    {
BODY    }
}
"""


def run(*words, **environment):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False,
                          env={**os.environ, **{name: str(value) for name, value in environment.items()}})
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def needs(*programs):
    for program in programs:
        if not shutil.which(program):
            print(f"skipped: {program} is missing")
            sys.exit(77)


def program(frame, headers, size, offset, constant):
    """The program that prints the layout; three templates say how."""
    owner = {each.name: group.name for group in headers.enums for each in group.members}
    lines = []
    for group in headers.structs:
        lines.append(f'show("{group.name}", {size(group)});')
        lines += [f'show("{group.name}.{each.name}", {offset(group, each)});' for each in group.members]
    for name in [*headers.constants, *owner]:
        lines.append(f'show("{name}", {constant(name, owner.get(name, "Ag"))});')
    return frame.replace("BODY", "\n".join(lines) + "\n")


def of_c(headers, folder):
    text = "".join(f"#include <afterglow/{name}>\n" for name in headers.names) + "#include <stdio.h>\n" + C
    (folder / "layout.c").write_text(program(
        text, headers, lambda group: f"sizeof(struct {group.name})",
        lambda group, each: f"offsetof(struct {group.name}, {each.name})", lambda name, owner: name))
    run("cc", "-std=c11", "-Werror", "-I", generate.INCLUDE.parent, folder / "layout.c", "-o", folder / "layout_c")
    return run(folder / "layout_c")


def of_rust(headers, folder):
    (folder / "layout.rs").write_text(program(
        RUST.replace("PATH", str(ROOT / "hosts/rust/src/lib.rs")), headers,
        lambda group: f"size_of::<{group.name}>() as i64",
        lambda group, each: f"offset!({group.name}, {generate.Rust.name(each.name)})",
        lambda name, owner: f"{name} as i64"))  # yapf: disable
    run("rustc", "--edition", "2021", "-D", "warnings", folder / "layout.rs", "-o", folder / "layout_rust")
    return run(folder / "layout_rust")


def of_csharp(headers, folder):
    def offset(group, each):
        _, field, _ = next(found for found in generate.CSharp().members(group) if found[0] == each.name)
        place = "" if field.startswith("fixed") else "&"
        return f"(byte*){place}((({group.name}*)0)->{field.split()[-1].split('[')[0]}) - (byte*)0"

    (folder / "Layout.cs").write_text(program(
        CSHARP, headers, lambda group: f"sizeof({group.name})", offset,
        lambda name, owner: f"unchecked((long){owner}.{name})"))  # yapf: disable
    run("mcs", "-unsafe", f"-out:{folder}/Layout.exe", folder / "Layout.cs", ROOT / "hosts/csharp/Afterglow.cs")
    return run("mono", folder / "Layout.exe")


def rust_example(folder, library):
    """The crate by both ways to the library; without any, build.rs says what to set. Nothing is fetched."""
    shutil.copytree(ROOT / "hosts/rust", folder / "crate")  # cargo writes beside it
    (folder / "pc").mkdir()
    (folder / "none").mkdir()
    (folder / "pc" / "afterglow.pc").write_text("Name: afterglow\nDescription: -\nVersion: 0\n"
                                                f"Libs: -L{library} -lafterglow\n")
    os.environ.pop("AFTERGLOW_LIB_DIR", None)
    cargo = ["cargo", "run", "--quiet", "--offline", "--example", "box_blur", "--manifest-path",
             folder / "crate" / "Cargo.toml"]  # yapf: disable
    usual = {"LD_LIBRARY_PATH": library, "RUSTFLAGS": "-D warnings", "CARGO_TARGET_DIR": folder / "target"}
    print("AFTERGLOW_LIB_DIR:", run(*cargo, **usual, AFTERGLOW_LIB_DIR=library), end="")
    print("AFTERGLOW_STATIC: ", run(*cargo, **usual, AFTERGLOW_LIB_DIR=library, AFTERGLOW_STATIC=1), end="")
    if shutil.which("pkg-config"):
        print("pkg-config:       ", run(*cargo, **usual, PKG_CONFIG_LIBDIR=folder / "pc", PKG_CONFIG_PATH=""), end="")
    try:
        run(*cargo, **usual, PKG_CONFIG_LIBDIR=folder / "none", PKG_CONFIG_PATH="")
    except SystemExit as error:
        assert "set AFTERGLOW_LIB_DIR to its folder" in str(error), error
    else:
        raise SystemExit("build.rs found a library where there is none")


def csharp_example(folder, library):
    shutil.copy(ROOT / "hosts/csharp/BoxBlur.cs", folder)
    run("mcs", "-unsafe", "-warnaserror", f"-out:{folder}/BoxBlur.exe", folder / "BoxBlur.cs",
        ROOT / "hosts/csharp/Afterglow.cs")  # yapf: disable
    print("libafterglow.so:  ", run("mono", folder / "BoxBlur.exe", LD_LIBRARY_PATH=library), end="")
    shutil.copy(library / "libafterglow.so.1", folder)  # of Debian's libafterglow1, without -dev
    print("libafterglow.so.1:", run("mono", folder / "BoxBlur.exe", LD_LIBRARY_PATH=folder), end="")


def main(language):
    needs("cc", *{"rust": ("cargo", "rustc"), "csharp": ("mono", "mcs")}[language])
    library = Path(os.environ["AFTERGLOW_LIB_DIR"]).resolve()
    headers = generate.Headers()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        expected = of_c(headers, folder).splitlines()
        found = (of_rust if language == "rust" else of_csharp)(headers, folder).splitlines()
        wrong = [f"{language}: {theirs}; C: {ours}" for ours, theirs in zip(expected, found) if ours != theirs]
        if wrong or len(found) != len(expected):
            raise SystemExit("\n".join(wrong or [f"{len(found)} lines, not {len(expected)}"]))
        print(f"{len(expected)} sizes, offsets and values are those of C, of {len(headers.structs)} structs")
        (rust_example if language == "rust" else csharp_example)(folder, library)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
