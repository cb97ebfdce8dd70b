#!/usr/bin/env python3
"""header.py FILE - a public header as Doxygen reads it: its comments as Doxygen's, its tables of settings as structs

Doxygen runs this as its filter. The headers say each setting once, in a row of a macro (settings.h); here the rows become
the enum or struct that the compiler sees, each member with what its row says. `overview` is the comment at a file's top.
"""
# SPDX-License-Identifier: MIT
import re
import sys
from pathlib import Path

CHANGES = {"NOTHING": "", "KERNEL": " A change makes the kernel again.", "PLAN": " A change makes prepare plan again."}
KEPT = r"AG_\w*(?:DEFAULTS|SDR)|ag_\w+_params|AG_(?:ABI|WHOLE|NO)_\w+"  # macros that hosts use
TYPES = {"FLOAT": ("float", ""), "INT": ("int32_t", ""), "BOOL": ("int32_t", ""), "ENUM": ("int32_t", ""),
         "FLOAT3": ("float", "[3]"), "MATRIX": ("float", "[16]")}  # yapf: disable


def overview(text):
    """The comment at the top, without its first lines: the file's name and its licence."""
    head = re.match(r"(?://.*\n)*", text)[0].splitlines()
    return "\n".join(line[3:] for line in head[2:]).strip("\n")


def summary(text):
    return re.match(r"// \S+ - (.*)", text)[1]


def structs(text):
    return re.findall(r"^(?:typedef struct|AG_SETTINGS_STRUCT)[ (](\w+)(?: \{|,)", text, re.M)


def has(sections, text):
    """Whether the header declares something of one of these kinds."""
    signs = {"func": r"^(static inline|AG_API) ", "typedef": r"^typedef (?!struct \w+ \{)", "enum": r"^enum|^AG_NAMED_ENUM",
             "define": r"^#define (?:" + KEPT + ")"}  # yapf: disable
    return any(re.search(signs[section], text, re.M) for section in sections.split())


def split(row):
    """The arguments of a macro's call."""
    parts, depth, quoted = [""], 0, False
    for at, letter in enumerate(row):
        quoted ^= letter == '"' and row[at - 1:at] != "\\"
        depth += (letter in "({[") - (letter in ")}]") if not quoted else 0
        if letter == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def macros(text):
    """The bodies of tables, by name: those macros that take X."""
    whole = re.sub(r"\\\n", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    return dict(re.findall(r"^#define (\w+)\(X\)(.*)$", whole, re.M))


def rows(name, tables):
    """The rows of a table, those of tables inside of it included."""
    at, body = 0, tables[name]
    while found := re.compile(r"(\w+)\(").search(body, at):
        end, depth, quoted = found.end(), 1, False
        while depth:
            quoted ^= body[end] == '"'
            depth += ((body[end] == "(") - (body[end] == ")")) * (not quoted)
            end += 1
        if found[1] == "X":
            yield split(body[found.end():end - 1])
        elif found[1] in tables:
            yield from rows(found[1], tables)
        at = end


def words(text, strings):
    """A help text: string literals side by side, and names of macros that are such."""
    text = re.sub(r"\b(AG_\w*HELP)\b", lambda name: strings.get(name[1], name[0]), text)
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace('\\"', '"')


def value(text):
    return {"AG_MAX_FLOAT": "FLT_MAX"}.get(text, text)


def enumerators(name, tables, strings):
    for row in rows(name, tables):
        text = words(row[-1], strings)
        said = f'"{words(row[2], strings)}": {text}' if len(row) > 3 else text
        yield f"    {row[0]} = {row[1]}, // {said}"


def members(name, tables, strings):
    for kind, member, *rest in rows(name, tables):
        plain, array = TYPES[kind]
        text = words(rest[-1], strings)
        said = [text]
        if kind in ("FLOAT", "INT", "FLOAT3"):
            count = 3 if kind == "FLOAT3" else 1
            unit = words(rest[count + 2], strings)
            said += [f"{', '.join(map(value, rest[:count]))} by default; "
                     f"{value(rest[count])} to {value(rest[count + 1])}{' ' + unit if unit else ''}"]  # yapf: disable
        elif kind == "MATRIX":
            said += [f"An identity by default; {value(rest[0])} to {value(rest[1])}"]
        else:
            said += [f"{rest[0]} by default"]
        yield f"    {plain} {member}{array}; // {'. '.join(said)}.{CHANGES[rest[-2]]}"


def expanded(text, tables, strings):
    """Tables as what they become, and without the macros that only others expand."""
    def enum(found):
        return "\n".join([f"enum {found[1]} {{", *enumerators(found[2], tables, strings), "};"])

    def struct(found):
        return "\n".join([f"struct {found[1]} {{", "    uint32_t struct_size; // sizeof this struct",
                          "    uint32_t tag; // of which effect these settings are",
                          *members(found[2], tables, strings), "};"])  # yapf: disable

    text = re.sub(r"^#define (?:.*\\\n)*.*\n", lambda macro: macro[0] if re.match(
        rf"#define (?:{KEPT})\b", macro[0]) else "", text, flags=re.M)
    text = re.sub(r"^#(?!define).*\n|^// clang-format.*\n", "", text, flags=re.M)
    text = re.sub(r"^// kind, member, default.*\n", "", text, flags=re.M)
    text = re.sub(r"^AG_NAMED_ENUM\((\w+), (\w+)\)", enum, text, flags=re.M)
    text = re.sub(r"^AG_SETTINGS_STRUCT\((\w+), (\w+)\)", struct, text, flags=re.M)
    text = re.sub(r"^enum (\w+ )?\{ AG_STATUS_LIST\(AG_STATUS_ENUM\) \};", "\n".join(
        [r"enum \1{", *enumerators("AG_STATUS_LIST", tables, strings), "};"])
        if "AG_STATUS_LIST" in tables else "", text, flags=re.M)  # yapf: disable
    text = re.sub(r'^extern "C" \{\n|^\}\n', "", text, flags=re.M)
    # A struct has one name: the typedef says nothing more.
    text = re.sub(r"^typedef struct (\w+) \{", r"struct \1 {", text, flags=re.M)
    return re.sub(r"^\} ag_\w+;", "};", text, flags=re.M)


def escaped(text):
    """Doxygen's words are not ours: @, \\, <, &, # and % are what they are."""
    text = re.sub(r"[\\@&$#<>%]", lambda letter: "\\" + letter[0], text)
    return re.sub(r"`([^`]*)`", r"<tt>\1</tt>", text)


def paragraphs(block):
    """A comment before a declaration: prose flows, and lines that are indented keep their columns."""
    out, kept = [], False
    if not block:
        return []
    for line in [*block, ""]:
        if line.startswith("  ") != kept and (kept or line):
            out.append(r"\endverbatim" if kept else r"\verbatim")
            kept = not kept
        out.append(line if kept else escaped(line))
    return ["/**", *out[:-1], "*/"] if len(out) > 2 else [f"/// {out[0]}"]


def commented(text):
    """Comments before a declaration and at the end of its line, as Doxygen marks them."""
    out, column, block = [], -1, []
    for line in text.split("\n"):
        alone = re.match(r"( *)// ?(.*)$", line)
        at_end = None if alone else re.match(r"(.*?\S) *// (.*)$", line)
        if alone and column >= 0 and len(alone[1]) == column:
            out.append(f"///< {escaped(alone[2])}")
            continue
        column = -1
        if alone:
            block.append(alone[2])
            continue
        if line.strip() and not any(each.startswith("----") for each in block):
            out += paragraphs(block)
        block = []
        if at_end and at_end[1].endswith("{"): # of the struct, not of its first member
            out += [f"/// {escaped(at_end[2])}", at_end[1]]
        elif at_end:
            column = line.index("// " + at_end[2])
            out.append(f"{at_end[1]} ///< {escaped(at_end[2])}")
        else:
            out.append(line)
    return "\n".join(out)


def plain(file):
    """A header without the comment at its top, its tables expanded."""
    texts = [each.read_text() for each in file.parent.glob("*.h")]
    tables = {name: body for text in texts for name, body in macros(text).items()}
    strings = {}
    for text in texts:
        strings |= dict(re.findall(r'^#define (AG_\w*HELP) *\\?\n?(.*)$', text, re.M))
    text = file.read_text()
    return expanded(text[len(re.match(r"(?://.*\n)*", text)[0]):], tables, strings)


if __name__ == "__main__":
    print(f"/// @file\n{commented(plain(Path(sys.argv[1])))}")
