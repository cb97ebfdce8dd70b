#!/usr/bin/env python3
"""generate.py - the bindings for Rust and C#, from the public headers

    generate.py           writes hosts/rust/src/bindings.rs and hosts/csharp/Afterglow.cs
    generate.py --check   compares them with the headers; exit status 1: they differ

docs/site/header.py expands the tables of settings, as it does for the site; pycparser (Debian's python3-pycparser, or
from PyPI) reads the C that results, and comments are taken from the same lines. Exit status 77: pycparser is missing.

Names are those of C, so that the documents hold. A 32-bit member is of an enum's type where its comment begins with
constants of that enum (AG_JOB_*), and a setting where its default is one.
"""
# SPDX-License-Identifier: MIT
import os
import re
import sys
from collections import namedtuple
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))
import header  # noqa: E402

try:
    from pycparser import c_ast, c_parser
except ImportError:
    if sys.executable != "/usr/bin/python3" and Path("/usr/bin/python3").exists():  # Debian's packages are for its own
        os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv])
    print("skipped: Python has no pycparser (python3-pycparser)")
    sys.exit(77)

INCLUDE = ROOT / "engine_plugin" / "include" / "afterglow"
TABLE = "ag_api"  # its functions are never NULL; those of other structs are callbacks, which may be

Data = namedtuple("Data", "name pointers size")  # pointers: from the name outwards, "c" to const, "m" to mutable
Call = namedtuple("Call", "result arguments")
Member = namedtuple("Member", "name type doc")  # of an enum: its value in place of the type
Group = namedtuple("Group", "name members doc")
VOID = Data("void", "", 0)


class Headers:
    """What the headers declare, but simple.h, which is inline C on top of them."""

    def __init__(self):
        names = {file.name for file in INCLUDE.glob("*.h")} - {"settings.h", "simple.h"}
        self.names = sorted(names, key=lambda name: (name != "reflection.h", name != "afterglow.h", name))
        files = [INCLUDE / name for name in self.names]
        self.structs, self.enums, self.opaque, self.constants = [], [], [], {}
        for file in files:
            self.macros(file.read_text())
        text = "\n".join(header.plain(file) for file in files).replace("AG_API ", "")
        text = re.sub(r"^#(?:.*\\\n)*.*", "", text, flags=re.M)
        self.lines = ["", *text.split("\n")]
        known = "typedef int int32_t, uint32_t, uint64_t, size_t;" + "".join(
            f"typedef struct {name} {name};" for name in re.findall(r"^struct (\w+) \{", text, re.M))
        for node in c_parser.CParser().parse(f"{known}\n#line 1\n" + re.sub(r"//.*", "", text)).ext:
            if isinstance(node, c_ast.Typedef) and f"typedef struct {node.name} " in self.lines[node.coord.line]:
                self.opaque.append(Group(node.name, [], self.doc(node.coord.line)))
            elif isinstance(node.type, c_ast.Struct) and node.type.decls:
                self.struct(node.type)
            elif isinstance(node.type, c_ast.Enum):
                self.enum(node.type)
        self.kinds = {group.name: "int32_t" for group in self.enums if min(each.type for each in group.members) < 0}
        self.structs = [group._replace(members=[self.named(each) for each in group.members]) for group in self.structs]

    def macros(self, text):
        """Numbers that macros name."""
        for name, value in re.findall(r"^#define (AG_\w+) (AG_TAG\(.*\)|UINT64_MAX|(?:0x)?[0-9a-f]+u)\s", text, re.M):
            tag = "".join(re.findall("'(.)'", value)).encode()
            self.constants[name] = (int.from_bytes(tag, "little") if tag else
                                    2**64 - 1 if value == "UINT64_MAX" else int(value[:-1], 0))  # yapf: disable

    def doc(self, line, group=0):
        """The comment before a line, and that at its end, which goes on below in the same column."""
        if line == group:
            return []
        alone = lambda at: self.lines[at:] and self.lines[at].lstrip().startswith("//")
        column = lambda at: self.lines[at].find("//")
        first, below = line, line + 1
        while alone(first - 1):
            first -= 1
        owner = column(first - 1)
        while first < line and column(first) == owner:  # these go on with the comment above them
            first += 1
        while column(line) >= 0 and alone(below) and column(below) == column(line):
            below += 1
        words = [re.sub(r"^.*?// ?|^[^/]*$", "", each) for each in self.lines[first:below]]
        return [] if any(each.startswith("----") for each in words) else "\n".join(words).strip("\n").splitlines()

    def type(self, node):
        if isinstance(node, c_ast.PtrDecl) and isinstance(node.type, c_ast.FuncDecl):
            arguments = [Member(each.name, self.type(each.type), []) for each in node.type.args.params]
            return Call(self.type(node.type.type), arguments)
        if isinstance(node, c_ast.PtrDecl):
            inner = self.type(node.type)
            return inner._replace(pointers=inner.pointers + ("c" if "const" in node.type.quals else "m"))
        if isinstance(node, c_ast.ArrayDecl):
            size = node.dim.value if isinstance(node.dim, c_ast.Constant) else next(
                each.type for group in self.enums for each in group.members if each.name == node.dim.name)
            return self.type(node.type)._replace(size=int(size))
        return Data(node.type.name if isinstance(node.type, c_ast.Struct) else node.type.names[0], "", 0)

    def struct(self, node):
        for each in node.decls:  # structs inside come first
            inner = each.type.type if isinstance(each.type, c_ast.ArrayDecl) else each.type
            if isinstance(inner.type, c_ast.Struct) and inner.type.decls:
                self.struct(inner.type)
        members = [Member(each.name, self.type(each.type), self.doc(each.coord.line, node.coord.line))
                   for each in node.decls]  # yapf: disable
        self.structs.append(Group(node.name, members, self.doc(node.coord.line)))

    def enum(self, node):
        number = lambda value: value.op + value.expr.value if isinstance(value, c_ast.UnaryOp) else value.value
        members = [Member(each.name, int(number(each.value), 0), self.doc(each.coord.line, node.coord.line))
                   for each in node.values.enumerators]  # yapf: disable
        self.enums.append(Group(node.name, members, self.doc(node.coord.line)))

    def named(self, member):
        """The member with the type of the enum that its comment names."""
        text = " ".join(member.doc)
        found = re.match(r"(AG_\w+)(\*?)", text) or re.search(r"(AG_\w+)() by default", text)
        if not found or member.type not in (Data("int32_t", "", 0), Data("uint32_t", "", 0)):
            return member
        for group in self.enums:
            if any(each.name == found[1] or found[2] and each.name.startswith(found[1]) for each in group.members):
                assert self.kinds.setdefault(group.name, member.type.name) == member.type.name, group.name
                return member._replace(type=Data(group.name, "", 0))
        return member


def decayed(kind):
    return kind._replace(pointers=kind.pointers + "m", size=0) if kind.size else kind


class Rust:
    path = ROOT / "hosts" / "rust" / "src" / "bindings.rs"
    scalars = {"void": "c_void", "char": "c_char", "size_t": "usize", "float": "f32", "double": "f64",
               "int32_t": "i32", "uint32_t": "u32", "uint64_t": "u64"}  # yapf: disable

    @staticmethod
    def name(name):
        return "r#" * (name in ("type", "ref", "move", "match")) + name

    @staticmethod
    def doc(lines, indent=""):
        out, kept = [], False
        for line in [*lines, ""] if lines else []:  # lines that are indented keep their columns
            if line.startswith("  ") != kept and (kept or line):
                out.append("```" if kept else "```text")
                kept = not kept
            out.append(line if kept else line.replace("[", "\\["))
        return "".join(f"{indent}/// {line}".rstrip() + "\n" for line in out[:-1])

    def type(self, kind):
        if isinstance(kind, Call):
            arguments = ", ".join(f"{self.name(each.name)}: {self.type(decayed(each.type))}" for each in kind.arguments)
            result = f" -> {self.type(kind.result)}" if kind.result != VOID else ""
            return f'unsafe extern "C" fn({arguments}){result}'
        name = self.scalars.get(kind.name, kind.name)
        for each in kind.pointers:
            name = ("*const " if each == "c" else "*mut ") + name
        return f"[{name}; {kind.size}]" if kind.size else name

    def text(self, headers):
        return "\n".join(self.declarations(headers)) + "\n"

    def declarations(self, headers):
        yield "// bindings.rs - made by hosts/bindings/generate.py from the public headers"
        yield "// SPDX-License-Identifier: MIT"
        for name, value in headers.constants.items():
            yield f"pub const {name}: {'u64' if value >> 32 else 'u32'} = {value:#x};"
        for group in headers.enums:
            kind = self.scalars[headers.kinds.get(group.name, "uint32_t")]
            yield f"\n{self.doc(group.doc)}pub type {group.name} = {kind};"
            for each in group.members:
                yield f"{self.doc(each.doc)}pub const {each.name}: {group.name} = {each.type};"
        for group in headers.opaque:
            yield f"\n{self.doc(group.doc)}#[repr(C)]\n#[derive(Debug)]\npub struct {group.name} {{"
            yield "    _private: [u8; 0],\n}"
        for group in headers.structs:
            yield f"\n{self.doc(group.doc)}#[repr(C)]\n#[derive(Clone, Copy, Debug)]\npub struct {group.name} {{"
            for each in group.members:
                callback = isinstance(each.type, Call) and group.name != TABLE
                kind = f"Option<{self.type(each.type)}>" if callback else self.type(each.type)
                yield f"{self.doc(each.doc, '    ')}    pub {self.name(each.name)}: {kind},"
            yield "}"
        sized = [group.name for group in headers.structs if group.members[0].name == "struct_size" and
                 group.members[1].name != "tag" and group.name != TABLE]  # yapf: disable
        yield f"\nsized! {{{', '.join(sized)}}}"


class CSharp:
    path = ROOT / "hosts" / "csharp" / "Afterglow.cs"
    scalars = {"char": "byte", "size_t": "UIntPtr", "int32_t": "int", "uint32_t": "uint", "uint64_t": "ulong",
               "ag_status": "ag_status_code"}  # yapf: disable

    @staticmethod
    def name(name):
        return "@" * (name in ("ref", "out", "in", "lock", "fixed", "event")) + name

    @staticmethod
    def doc(lines, indent="    "):
        out = f"<summary>{escape(chr(10).join(lines), quote=False)}</summary>".split("\n") if lines else []
        return "".join(f"{indent}/// {line}".rstrip() + "\n" for line in out)

    def type(self, kind):
        return self.scalars.get(kind.name, kind.name) + "*" * len(kind.pointers)

    def call(self, name, call, own):
        """A delegate's type. The module's functions take strings; its callbacks get pointers to them."""
        text = Data("char", "c", 0)
        arguments = ", ".join(
            f"[MarshalAs(UnmanagedType.LPUTF8Str)] string {each.name}" if own and each.type == text else
            f"{self.type(decayed(each.type))} {self.name(each.name)}" for each in call.arguments)  # yapf: disable
        return (f"    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]\n"
                f"    public unsafe delegate {self.type(call.result)} {name}({arguments});")

    def members(self, group):
        """Members' names, fields, comments. Functions are pointers, and arrays of structs are fields side by side."""
        for each in group.members:
            if isinstance(each.type, Call):
                yield each.name, f"IntPtr {each.name}", [*each.doc, f"A delegate {group.name}_{each.name}."]
            elif each.type.size and each.type.name.startswith("ag_"):
                for at in range(each.type.size):
                    yield f"{each.name}{at or ''}", f"{self.type(each.type)} {each.name}{at}", [] if at else each.doc
            elif each.type.size:
                yield each.name, f"fixed {self.type(each.type)} {each.name}[{each.type.size}]", each.doc
            else:
                yield each.name, f"{self.type(each.type)} {self.name(each.name)}", each.doc

    def text(self, headers):
        calls = [each.name for group in headers.structs for each in group.members
                 if group.name == TABLE and isinstance(each.type, Call)]
        parts = {
            "TYPES": "\n\n".join(self.types(headers)),
            "NUMBERS": "\n".join(f"        public const {'ulong' if value >> 32 else 'uint'} {name} = {value:#x};"
                                 for name, value in headers.constants.items()),
            "FUNCTIONS": "\n".join(f"        public readonly {TABLE}_{name} {name};" for name in calls),
            "LOADS": "\n".join(f"            {name} = Function<{TABLE}_{name}>(table->{name});" for name in calls),
        }  # yapf: disable
        frame = Path(__file__).with_name("frame.cs").read_text()
        return re.sub(r"^ *// ([A-Z]+)$", lambda name: parts[name[1]], frame, flags=re.M)

    def types(self, headers):
        for group in headers.enums:
            kind = self.scalars[headers.kinds.get(group.name, "uint32_t")]
            values = "".join(f"{self.doc(each.doc, '        ')}        {each.name} = {each.type},\n"
                             for each in group.members)  # yapf: disable
            yield f"{self.doc(group.doc)}    public enum {group.name} : {kind}\n    {{\n{values}    }}"
        for group in headers.opaque:
            yield f"{self.doc(group.doc)}    public struct {group.name}\n    {{\n    }}"
        for group in headers.structs:
            yield from (self.call(f"{group.name}_{each.name}", each.type, group.name == TABLE)
                        for each in group.members if isinstance(each.type, Call))
            fields = "".join(f"{self.doc(doc, '        ')}        public {field};\n"
                             for _, field, doc in self.members(group))  # yapf: disable
            yield (f"{self.doc(group.doc)}    [StructLayout(LayoutKind.Sequential)]\n"
                   f"    public unsafe struct {group.name}\n    {{\n{fields}    }}")


def main(words):
    headers, differ = Headers(), []
    for language in (Rust(), CSharp()):
        text = language.text(headers)
        if words != ["--check"]:
            language.path.write_text(text)
        elif not language.path.is_file() or language.path.read_text() != text:
            differ.append(language.path.relative_to(ROOT))
    for path in differ:
        print(f"{path} is not what the headers say: run hosts/bindings/generate.py")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
