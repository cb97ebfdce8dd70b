#!/usr/bin/env python3
"""check_access.py BINARY|FOLDER... - what frames declare for a dispatch is what its shader does

Barriers follow from what a frame declares that a dispatch reads and writes (core/frame.h). What it forgets has no
barrier, and few drivers show that; what it declares needlessly may place one. BINARY --dump, of test_barriers or
test_shader, writes the dispatches of its jobs and their shaders (support/dispatches.h); a FOLDER has them already. The
reference compiler parses the shaders. In its trees this follows all that main() reaches: images, textures, and members
of blocks. Conditions that defines decide are decided.

What a shader reads and writes has to be declared, and what is declared has to be done. AG_ADD (core/hazards.h) is for
members that are only added to, without a use of the result, and for others that are only read, and that no dispatch of
the effect adds to; also where a variant does neither. Bindings of the same bytes are one. Of an array of blocks, the
frame may declare the first ones. The exceptions have their reasons.

The exceptions are of what it finds: one that is not needed fails in the full tier, so a blind check does.

SPDX-License-Identifier: MIT
"""
import concurrent.futures
import gc
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# ---- the compiler's tree ---------------------------------------------------------------------------

SYMBOL = re.compile(r"'([^']*)' \((.*)\)$")
BINDING = re.compile(r"layout\([^)]*?binding=(\d+)")
ARRAY = re.compile(r"buffer (\d+)-element array of block\{")
PARTS = ("direct index", "indirect index", "vector swizzle")
NO_ACCESS = ("array length", "imageQuerySize", "textureSize")
ADDS = re.compile(r"(?:imageAtomic|Atomic)(?:Add|Min|Max|And|Or|Xor)\b")  # in any order the same


class Node:
    __slots__ = "text", "children", "matters"

    def __init__(self, text):
        self.text, self.children, self.matters = text, [], False


def tree_of(lines):
    """Lines are `0:LINE`, two spaces for each depth, and the text. `matters`: a binding or a call is in it."""
    root = Node("")
    open_nodes = [root]  # of each depth
    for line in lines:
        if ":" not in line[:3]:
            continue
        spaced = line.lstrip("0123456789:?")
        text = spaced.lstrip()
        depth = (len(spaced) - len(text)) // 2
        node = Node(text)
        del open_nodes[depth + 1:]
        open_nodes[-1].children.append(node)
        open_nodes.append(node)
        if "binding=" in line or "Function Call: " in line:
            while not open_nodes[depth + 1].matters:
                open_nodes[depth + 1].matters = True
                depth -= 1
                if depth < -1:
                    break
    return root


def is_part(node):
    """Of what its first child designates."""
    return node.text.startswith(PARTS) or ": direct index for structure" in node.text


def places_of(symbol, index=None):
    """The bindings of a symbol: none, one, or those of an array, of which `index` may be the one."""
    match = SYMBOL.match(symbol.text)
    binding = match and BINDING.match(match.group(2))
    if not binding:
        return []
    kind, first, array = match.group(2), int(binding.group(1)), ARRAY.search(match.group(2))
    if array:
        return [f"b{first + i}" for i in range(int(array.group(1))) if index in (None, i)]
    return [f"{'b' if ' buffer ' in kind else 'i' if 'image' in kind else 't'}{first}"]


def constant(node):
    """True or False where a condition is decided already, else None."""
    text = node.text
    if text == "Constant:":
        value = node.children[0].text
        return value.startswith("true") if value.endswith("(const bool)") else None
    if text.startswith(("logical-and", "logical-or")):
        ends = text.startswith("logical-or")
        values = [constant(child) for child in node.children]
        return ends if ends in values else None if None in values else not ends
    if text.startswith("Negate conditional"):
        value = constant(node.children[0])
        return None if value is None else not value
    return None


class Shader:
    """`does`: for "i3", "t0" or "b2" (images, textures, blocks), for each member: a set of "r", "w", "a" (added to,
    without a use of the result) and "u" (another atomic function). `any_of`: the bindings of arrays of blocks whose
    index is not constant, with that of the first."""

    def __init__(self, lines):
        self.does, self.any_of = {}, {}
        self.functions, self.called = {}, {"main("}
        for part in tree_of(lines).children[0].children:
            if part.text.startswith("Function Definition: "):
                self.functions[part.text.split(" ")[2]] = part
            elif part.text != "Linker Objects":  # values of global variables
                self.walk(part, False)
        reached = set()
        while self.called - reached:
            name = (self.called - reached).pop()
            reached.add(name)
            for node in self.functions[name].children[1:]:
                self.walk(node, False)

    def touch(self, node, how, member="", index=None):
        """What an expression designates is read or written."""
        if not node.matters:
            return
        if node.text.startswith("'"):
            places = places_of(node, index)
            for place in places:
                self.does.setdefault(place, {}).setdefault(member, set()).update(how)
                if len(places) > 1:
                    self.any_of[place] = places[0]
        elif is_part(node):
            inner, *rest = node.children
            if ": direct index for structure" in node.text:
                member = node.text.partition(":")[0]
            constant_index = node.text.startswith("direct index")
            self.touch(inner, how, member, int(rest[0].children[0].text.split()[0]) if constant_index else None)
            for child in rest:
                self.walk(child)
        else:
            self.walk(node)

    def walk(self, node, used=True):
        """`used`: whether the result is."""
        text, children = node.text, node.children
        if not node.matters:
            return
        if is_part(node) or text.startswith("'"):
            self.touch(node, "r")
            return
        rest = children
        if text.startswith("Test condition and select"):
            parts = {name.text: part for name, part in zip(children[::2], children[1::2])}
            self.walk(parts["Condition"])
            for name, value in (("true case", True), ("false case", False)):
                if name in parts and constant(parts["Condition"]) is not (not value):
                    self.walk(parts[name], used)
            return
        if text.startswith(("logical-and", "logical-or")):
            self.walk(children[0])
            rest = [] if constant(children[0]) is text.startswith("logical-or") else children[1:]
        elif text.startswith(("move second child to first child", "imageStore")):
            self.touch(children[0], "w")
            rest = children[1:]
        elif "second child into first child" in text or text.startswith(("Pre-", "Post-")):
            self.touch(children[0], "rw")
            rest = children[1:]
        elif text.startswith(("Atomic", "imageAtomic")):
            self.touch(children[0], "u" if used or not ADDS.match(text) else "a")
            rest = children[1:]
        elif text.startswith(NO_ACCESS):
            self.touch(children[0], "")
            rest = children[1:]
        elif text.startswith("Function Call: "):
            name = text.split(" ")[2]
            self.called.add(name)
            for child, parameter in zip(children, self.functions[name].children[0].children):
                words = SYMBOL.match(parameter.text).group(2).split()
                self.touch(child, "rw" if "inout" in words else "w" if "out" in words else "r")
            return
        unused = text.startswith(("Sequence", "Comma", "Loop with", "switch"))
        for child in rest:
            self.walk(child, not unused)


def compile_all(paths):
    """The shaders of the files, by their paths."""
    done = subprocess.run(["glslangValidator", "-i", "-S", "comp", *map(str, paths)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"glslangValidator: {done.stdout[:2000]}{done.stderr}")
    found, lines, names = {}, [], set(map(str, paths))
    for line in reversed(done.stdout.splitlines()):
        if line in names:
            found[line] = Shader(reversed(lines))
            lines = []
        else:
            lines.append(line)
    return found


# ---- what is declared ------------------------------------------------------------------------------

# (shader, binding, what may be declared for it (None: it is not bound), the reason)
UNIFORM = "a uniform tells the shader not to use it: "
EXCEPTIONS = [
    ("denoise/dwt_forward.comp", "b0", ("w",), "layers add up energies together, and wait for sigma before"),
    ("denoise/dwt_forward.comp", "b0", ("",), "where no energies are added up, nothing takes the sigma that it reads"),
    ("denoise/dwt_forward.comp", "b2", (None,), UNIFORM + "the last level"),
    ("denoise/dwt_inverse.comp", "b1", (None,), UNIFORM + "the last level"),
    ("denoise/(haar|ti_haar|ti_haar_cells|ti_haar_coarse|blocks_begin|blocks_end).comp", "b0", ("",),
     "it reads one set of results, and the dispatch that counts beside it makes the other one"),
    ("denoise/statistics.comp", "b0", ("a", "w"), "layers share out the counts; the last group makes the results"),
    ("bloom/kernel.comp", "i0", (None,), UNIFORM + "the kernel is no image"),
    ("bloom/kernel.comp", "i2", (None,), UNIFORM + "the kernel is of no pupil"),
    ("fft/kernel_columns.comp", "b2", (None,), UNIFORM + "spectrum's are complex"),
    ("fft/kernel_shape.comp", "b1", ("r", "w"), UNIFORM + "one part writes, the other one reads"),
    ("ocean/waves.comp", "i2", (None,), UNIFORM + "there is no Jacobian"),
    ("fft/rows_r2c.comp", "b3", ("",), UNIFORM + "alpha is not stored"),
    ("mip/coverage.comp", "b0", ("r",), "the count that scaling empties is level 0's, which it does not use"),
    ("mip/tail.comp", "b0", ("r",), UNIFORM + "the last stage"),
    ("(sat/blur.comp|focus/.*|shadow/.*)", "i3", (None,), "no call is for a low section: calls have constant arguments"),
    ("sat/blur.comp", "b0", ("a",), "a mark belongs to one dispatch, which reads and clears it"),
    ("wavelet/forward.comp", "b1", (None,), UNIFORM + "the last level"),
    ("wavelet/forward.comp", "i2", (None,), UNIFORM + "not the last level"),
    ("wavelet/inverse.comp", "b1", (None,), UNIFORM + "the first level"),
    ("wavelet/inverse.comp", "i1", ("",), UNIFORM + "not the first level"),
    ("wavelet/stationary.comp", "b1", (None,), UNIFORM + "the last level"),
    ("wavelet/stationary.comp", "i1", (None,), UNIFORM + "not the first level"),
    ("wavelet/stationary.comp", "i2", (None,), UNIFORM + "not the last level"),
]


def groups_of(shader, declared):
    """(binding, what is declared, what the shader does with its members). `declared`: {binding: "rw@memory"}."""
    memories, groups = {}, {}
    for place, text in declared.items():
        says, _, memory = text.partition("@")
        first = shader.any_of.get(place, place)
        if first != place and not says and not any(
                shader.any_of.get(p) == first and int(p[1:]) > int(place[1:]) and not t.startswith("@")
                for p, t in declared.items()):
            continue
        group = groups.setdefault(memories.setdefault(memory, place) if place[0] == "b" else place, [set(), {}])
        group[0] |= set(says)
        for member, how in shader.does.get(place, {}).items():
            group[1].setdefault(member, set()).update(how)
    for place, members in shader.does.items():
        if place not in declared:
            groups[place] = [None, members]
    return [(place, says, members) for place, (says, members) in groups.items()]


def differences(shader, declared):
    """(binding, what is declared, what is wrong with it)"""
    for place, says, members in groups_of(shader, declared):
        does = set().union(*members.values())
        is_read, is_written = bool(does & set("rau")), bool(does & set("wau"))
        if says is None:
            yield place, None, f"{'written' if is_written else 'read'}, and not bound"
        elif place[0] == "g":
            if says != {"r"}:
                yield place, says, "read by the dispatch, and not declared so"
        elif "!" in says:
            yield place, says, "written, and no slot that the effect writes"
        elif "c" in says and is_written:
            yield place, says, "written, and a constant"
        elif "a" in says:
            for member, how in members.items():
                if how - {"a"} and how - {"r"} or "w" in says:
                    yield place, says, f"declared as AG_ADD, and {member} is used otherwise"
        elif "c" not in says:
            for letter, verb, shall in (("r", "read", is_read), ("w", "written", is_written)):
                if shall and letter not in says:
                    yield place, says, f"{verb}, and not declared so"
                if not shall and letter in says:
                    yield place, says, f"declared as {verb}, and not"


def exception_of(path, place, letters):
    for row in EXCEPTIONS:
        if re.fullmatch(row[0], path) and row[1] == place and letters in row[2]:
            return row
    return None


# ---- the dispatches of the jobs --------------------------------------------------------------------

def read_dispatches(folder):
    """(the shader's file, effect, path, declared), with the first job that has it."""
    found = {}
    for line in (folder / "dispatches.txt").read_text(encoding="utf-8").splitlines():
        number, effect, job, path, *declared = line.split()
        found.setdefault((str(folder / f"{number}.comp"), effect, path, tuple(declared)), job)
    return found


def check(dispatches, shaders, all_of_them):
    """Lines that say what is wrong."""
    wrong, excused, added, read = set(), set(), {}, {}
    for (file, effect, path, words), job in dispatches.items():
        declared, shader = dict(word.split("=") for word in words), shaders[file]
        for place, says, what in differences(shader, declared):
            letters = says if says is None else "".join(sorted(says))
            row = exception_of(path, place, letters)
            if row:
                excused.add((row, letters))
            else:
                wrong.add(f"{effect}, job {job}: {path}: {place} is {what}")
        for place, says, members in groups_of(shader, declared):
            for member, how in members.items() if says == {"a"} else ():
                for letter, where in (("a", added), ("r", read)):
                    if how == {letter}:
                        where.setdefault((effect, place, member), path)
    for key in added.keys() & read.keys():
        wrong.add(f"{key[0]}: {key[1]} is declared as AG_ADD: {added[key]} adds to {key[2]}, {read[key]} reads it")
    for row in EXCEPTIONS if all_of_them else ():
        for letters in row[2]:
            if (row, letters) not in excused:
                wrong.add(f"the exception of {row[0]}, {row[1]}, {letters!r} is not needed any more")
    return sorted(wrong)


def main(places):
    if not shutil.which("glslangValidator"):
        print("glslangValidator is missing (Debian, Ubuntu: glslang-tools)")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        dispatches = {}
        for number, place in enumerate(places):
            folder = pathlib.Path(place if os.path.isdir(place) else f"{temporary}/{number}")
            if not os.path.isdir(place):
                folder.mkdir()
                subprocess.run([place, "--dump", folder], check=True, stdout=subprocess.DEVNULL)
            dispatches.update(read_dispatches(folder))
        files = sorted({file for file, _, _, _ in dispatches})
        shaders = {}
        with concurrent.futures.ProcessPoolExecutor() as pool:
            parts = max(8, len(files) // 32)
            for some in pool.map(compile_all, [files[k::parts] for k in range(parts) if files[k::parts]]):
                shaders.update(some)
    wrong = check(dispatches, shaders, len(places) > 1)
    for line in wrong:
        print("FAIL", line)
    print(f"{len(dispatches)} dispatches that differ, {len(files)} shaders")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    gc.disable()  # trees have no cycles
    sys.exit(main(sys.argv[1:]))
