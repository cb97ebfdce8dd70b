#!/usr/bin/env python3
# check_abi.py - the interface only grows: public headers against the recorded ABI, tests/abi/afterglow.abi
# SPDX-License-Identifier: MIT
#
#   check_abi.py             compares; prints what breaks programs that are built already, and exits 1
#   check_abi.py --write     records the ABI of the headers as they are; says so if it breaks the recorded one
#
# abidw writes the record, of a library made of the headers alone: ag_entry_v1 exports everything, but settings are
# passed as void *, so abidw would not see them in libafterglow.so. (That this exports ag_entry_v1 alone, `binary` holds.)
# abidiff compares. It calls every change of a struct a change, so what may grow is told apart here:
#
#   allowed   members at the end of a struct that says its size (struct_size, a stride), new structs, new
#             constants, a name for a reserved member
#   refused   all else: members removed, moved, renamed or of another type, structs that do not say their size, constants
#             of another value, another major number
#
# Exits 77 (skipped) where abigail-tools are missing, or on machines other than x86-64.
import argparse
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

PROJECT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = PROJECT / "engine_plugin" / "include"
RECORD = PROJECT / "tests" / "abi" / "afterglow.abi"
# Rows whose size a stride tells. Other structs grow if their first member is struct_size, or if they are settings.
ROWS = {"ag_slot_info", "ag_setting_info", "ag_step", "ag_resource"}
FROZEN = {"ag_buffer"}  # it lies inside ag_job


def source(include):
    """A C file that names every struct, every enum and every number that headers define."""
    lines, numbers = [], []
    for header in sorted(set((include / "afterglow").glob("*.h")) - {include / "afterglow" / "simple.h"}):  # all inline
        text = re.sub(r"//.*", "", header.read_text())
        lines.append(f"#include <afterglow/{header.name}>")
        types = re.findall(r"^\}\s*(\w+);", text, re.M)
        types += [f"{kind} {name}" for kind, name in re.findall(r"^(struct|enum) (\w+) \{", text, re.M)]
        lines += [f"{name} *abi_{name.replace(' ', '_')};" for name in dict.fromkeys(types)]
        numbers += re.findall(r"^#define (AG_\w+) +\(?-?(?:0x)?[0-9A-F]+u?\)? *$", text, re.M)
        numbers += re.findall(r"^#define (AG_\w+) +U?INT\d+_MAX *$", text, re.M)
    for name in numbers:
        if name != "AG_ABI_MINOR":  # it has to grow
            for part in range(3):
                lines.append(f"enum {{ part{part}_of_{name} = (int)((uint64_t){name} >> {31 * part} & 0x7fffffff) }};")
    lines.append("const ag_api *ag_entry_v1(uint32_t minor) { (void)minor; return 0; }")
    return "\n".join(lines) + "\n"


def record(include, folder):
    """The ABI of headers, as abidw writes it. The same headers give the same bytes in every folder."""
    (folder / "abi.c").write_text(source(include))
    subprocess.run(["cc", "-g", "-gno-record-gcc-switches", "-shared", "-fPIC", "-fno-eliminate-unused-debug-types",
                    "-I", include, "abi.c", "-o", "abi.so"], cwd=folder, check=True)  # yapf: disable
    subprocess.run(["abidw", "--load-all-types", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs",
                    "--no-elf-needed", "--out-file", "abi.abi", "abi.so"], cwd=folder, check=True)  # yapf: disable
    return folder / "abi.abi"


class Interface:
    """Structs, constants and functions of a record, with types as texts."""

    def __init__(self, path):
        root = xml.parse(path).getroot()
        self.by_id = {node.get("id"): node for node in root.iter() if node.get("id")}
        self.structs, self.constants, self.functions = {}, {}, {}
        for node in root.iter("class-decl"):
            name = node.get("name")
            if node.get("is-declaration-only") != "yes" and name.startswith("ag_"):
                self.structs[name] = [self.member(member) for member in node.findall("data-member")]
        for node in root.iter("enumerator"):
            self.constants[node.get("name")] = node.get("value")
        for node in root.iter("function-decl"):
            self.functions[node.get("name")] = self.call(node)

    def member(self, node):
        variable = node.find("var-decl")
        return int(node.get("layout-offset-in-bits")) // 8, variable.get("name"), self.type(variable.get("type-id"))

    def call(self, node):
        taken = ", ".join(self.type(each.get("type-id")) for each in node.findall("parameter"))
        return f"{self.type(node.find('return').get('type-id'))} ({taken})"

    def type(self, name):
        node = self.by_id[name]
        inner = node.get("type-id")
        if node.tag == "typedef-decl":
            return self.type(inner)
        if node.tag == "pointer-type-def":
            return self.type(inner) + " *"
        if node.tag == "qualified-type-def":
            return self.type(inner) + (" const" if node.get("const") == "yes" else " volatile")
        if node.tag == "array-type-def":
            return self.type(inner) + "".join(f"[{each.get('length')}]" for each in node.findall("subrange"))
        if node.tag == "function-type":
            return self.call(node)
        if node.tag in ("class-decl", "enum-decl"):
            return f"{'enum' if node.tag == 'enum-decl' else 'struct'} {node.get('name')}"
        return node.get("name").replace("long int", "long").replace("short int", "short")  # type-decl, as clang says it


def may_grow(name, members):
    return name not in FROZEN and (name in ROWS or members[0][1] == "struct_size")


def compare(old, new):
    """What breaks, and what was added."""
    broken, added = [], []
    for name, members in old.structs.items():
        if name not in new.structs:
            broken.append(f"struct {name} is gone")
            continue
        now = new.structs[name]
        for index, (offset, member, kind) in enumerate(members):
            if index >= len(now):
                broken.append(f"{name}.{member} is gone")
                continue
            is_offset, is_member, is_kind = now[index]
            if is_member != member and not member.startswith("reserved"):
                broken.append(f"{name}.{member} is now {is_member}")
            if (is_offset, is_kind) != (offset, kind):
                broken.append(f"{name}.{member} was {kind} at byte {offset}, is {is_kind} at {is_offset}")
        for offset, member, kind in now[len(members):]:
            if may_grow(name, members):
                added.append(f"{name}.{member}, {kind} at byte {offset}")
            else:
                broken.append(f"{name} does not say its size, and has a new member {member}")
    for what in ("constants", "functions"):
        before, now = getattr(old, what), getattr(new, what)
        for name, value in before.items():
            if name not in now:
                broken.append(f"{name} is gone")
            elif now[name] != value:
                broken.append(f"{name} was {value}, is {now[name]}")
        added += [f"{name} = {now[name]}" for name in now.keys() - before.keys()]
    added += [f"struct {name}" for name in new.structs.keys() - old.structs.keys()]
    return broken, added


def judge(recorded, current):
    """Exit status and text: abidiff's report, and what this script makes of it."""
    ran = subprocess.run(["abidiff", recorded, current], capture_output=True, text=True, check=False)
    if ran.returncode & 3:  # its own error, or wrong usage
        return 2, f"abidiff failed:\n{ran.stdout}{ran.stderr}"
    broken, added = compare(Interface(recorded), Interface(current))
    if broken:
        return 1, "".join(f"BROKEN  {each}\n" for each in broken) + (f"abidiff says:\n{ran.stdout}" if ran.stdout else "")
    if ran.returncode and not added:
        return 1, f"abidiff sees a change that this script cannot name:\n{ran.stdout}"
    return 0, "".join(f"added   {each}\n" for each in sorted(added))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if platform.machine() != "x86_64" or not all(shutil.which(tool) for tool in ("cc", "abidw", "abidiff")):
        print("skipped: needs x86-64, cc, and abidw and abidiff of abigail-tools")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        current = record(HEADERS, folder)
        status, said = judge(RECORD, current) if RECORD.exists() else (1, "nothing is recorded yet\n")
        print(said, end="")
        if options.write:
            shutil.copyfile(current, RECORD)
            print(f"recorded in {RECORD.relative_to(PROJECT)}" + (", which breaks the former record" if status else ""))
            return 0
        if status:
            print("Programs that are built already would break. If that is meant, the entry symbol, the soname and "
                  "AG_ABI_MAJOR change; before a release, check_abi.py --write records the new ABI.")
        elif said:
            print("It grew. Before a release: AG_ABI_MINOR grows, too, and tests/tools/check_abi.py --write records it.")
        else:
            print("The ABI is the recorded one.")
        return status


if __name__ == "__main__":
    sys.exit(main())
