#!/usr/bin/env python3
"""check_barriers.py FOLDER - the reference compiler accepts all shaders; no thread of a group may miss a barrier()

FOLDER has every shader variant of a module, expanded (test_shader --dump FOLDER). GLSL leaves it undefined when
barrier() stands in flow that threads of one group take differently. The reference compiler preprocesses each variant;
what is left is parsed here, and every value that may differ from thread to thread is followed from where it
comes (gl_LocalInvocationID and its like, subgroups, results of atomics) through variables, parameters, results of
functions and whatever is assigned where threads differ. A barrier, or a call that leads to one, is refused

  - under a condition, or in a loop, that differs from thread to thread,
  - behind a return of some threads, or in a loop that some of them leave or continue early.

Shared memory, buffers and images hold the same for all who read the same place, so a read differs only if its
place does. That is what a barrier before it is for; this does not look for races.

The quick tier takes the longest variant of each shader; with AG_TEST_PART=k/n another tier takes one of n (README.md).
Before that, a table of small shaders says what has to be found and what has not.

SPDX-License-Identifier: MIT
"""
import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = {"gl_LocalInvocationID", "gl_LocalInvocationIndex", "gl_GlobalInvocationID", "gl_SubgroupInvocationID",
           "gl_SubgroupID", "gl_SubgroupEqMask", "gl_SubgroupGeMask", "gl_SubgroupGtMask", "gl_SubgroupLeMask",
           "gl_SubgroupLtMask"}
DIFFERING_CALLS = re.compile(r"(atomic|imageAtomic|atomicCounter|subgroup)\w*$")
SHARED_STORAGE = {"shared", "buffer", "uniform"}
ASSIGNS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
TOKEN = re.compile(r"\s+|//[^\n]*|/\*.*?\*/|#[^\n]*|"
                   r"([A-Za-z_]\w*|\d[\w.]*(?:[eE][+-]?\d+)?\w*|\.\d+\w*|<<=|>>=|[-+*/%&|^=!<>]=|&&|\|\||\^\^|\+\+|--|<<|>>|.)",
                   re.S)
WORD = re.compile(r"[A-Za-z_]\w*$")


def tokens_of(text):
    return [m.group(1) for m in TOKEN.finditer(text) if m.group(1)]


class Function:
    def __init__(self, name, parameters, body):
        self.name, self.parameters, self.body = name, parameters, body  # parameters: (name, is_out)
        self.differing = set()  # names that differ from thread to thread
        self.own = set()        # those that would with arguments alike: what the result is judged by
        self.result_differs = False
        self.called_apart = False  # by some threads only
        self.reaches_barrier = False


class Parser:
    """Statements as tuples: ("do", tokens) ("if", condition, then, other) ("loop", tokens, condition, body)
    ("return", tokens) ("leave",) ("block", [statements])."""

    def __init__(self, tokens):
        self.t, self.i = tokens, 0

    def group(self):
        """The tokens inside the bracket that stands here; goes past it."""
        start, depth = self.i + 1, 0
        while True:
            token = self.t[self.i]
            depth += token in "([{"
            depth -= token in ")]}"
            self.i += 1
            if depth == 0:
                return self.t[start:self.i - 1]

    def until(self, end):
        start, depth = self.i, 0
        while self.t[self.i] != end or depth:
            depth += self.t[self.i] in "([{"
            depth -= self.t[self.i] in ")]}"
            self.i += 1
        self.i += 1
        return self.t[start:self.i - 1]

    def statement(self):
        token = self.t[self.i]
        if token == "{":
            return scoped(("block", Parser(self.group()).statements()))
        if token == "if":
            self.i += 1
            condition, then, other = self.group(), self.statement(), ("block", [])
            if self.i < len(self.t) and self.t[self.i] == "else":
                self.i += 1
                other = self.statement()
            return ("if", condition, then, other)
        if token == "for":
            self.i += 1
            head = Parser(self.group() + [";"])
            first, condition, step = head.until(";"), head.until(";"), head.until(";")
            return scoped(("block", [("do", first), ("loop", step, condition, self.statement())]))
        if token == "while":
            self.i += 1
            return ("loop", [], self.group(), self.statement())
        if token == "do":
            self.i += 1
            body = self.statement()
            self.i += 1  # while
            condition = self.group()
            self.i += 1  # ;
            return ("loop", [], condition, body)
        if token == "switch":
            self.i += 1
            condition = self.group()
            body = self.group()
            plain, at = [], 0
            while at < len(body):  # labels say nothing here
                if body[at] in ("case", "default"):
                    at = body.index(":", at)
                else:
                    plain.append(body[at])
                at += 1
            return ("loop", [], condition, ("block", Parser(plain).statements()))
        if token == "return":
            self.i += 1
            return ("return", self.until(";"))
        if token in ("break", "continue", "discard"):
            self.until(";")
            return ("leave",)
        return ("do", self.until(";"))

    def statements(self):
        found = []
        while self.i < len(self.t):
            found.append(self.statement())
        return found


def split(tokens, separator=","):
    parts, depth = [[]], 0
    for token in tokens:
        depth += token in "([{"
        depth -= token in ")]}"
        if token == separator and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def parameters_of(tokens):
    found = []
    for part in split(tokens):
        words = [t for t in split(part, "[")[0] if WORD.match(t)]
        if len(words) > 1:
            found.append((words[-1], bool({"out", "inout"} & set(words))))
    return found


def declared(tokens):
    """The names that a statement declares: int a = 1, b[2];"""
    parts = split(tokens)
    words = [t for t in split(split(parts[0], "=")[0], "[")[0] if t != "const"] if parts else []
    if len(words) != 2 or not all(WORD.match(word) for word in words):
        return set()
    return {words[1]} | {part[0] for part in parts[1:] if WORD.match(part[0])}


def number(tokens):
    """The value of an expression of whole numbers; None: it is none."""
    if not tokens or not all(re.fullmatch(r"\d+u?|[-+*()<>]|[<>=!]=", token) for token in tokens):
        return None
    try:
        return int(eval(" ".join(token.rstrip("u") for token in tokens)))  # nothing but digits and operators
    except SyntaxError:
        return None


def decided(condition):
    """Whether constants alone decide it, as where a variant's define is compared: 2 != 1 || ..., 0 != 0 && ..."""
    return (any(number(part) for part in split(condition, "||"))
            or any(number(part) == 0 for part in split(condition, "&&")))


SCOPES = itertools.count()


def renamed(statement, names):
    def of(tokens):
        return [names.get(t, t) if i == 0 or tokens[i - 1] != "." else t for i, t in enumerate(tokens)]
    kind = statement[0]
    if kind == "block":
        return (kind, [renamed(inner, names) for inner in statement[1]])
    if kind == "if":
        return (kind, of(statement[1]), renamed(statement[2], names), renamed(statement[3], names))
    if kind == "loop":
        return (kind, of(statement[1]), of(statement[2]), renamed(statement[3], names))
    return (kind, *map(of, statement[1:]))


def scoped(block):
    """What is declared in a block has a name of its own, or a loop's variable would differ because another's does."""
    names = set().union(*(declared(inner[1]) for inner in block[1] if inner[0] == "do"), set())
    number = next(SCOPES)
    return renamed(block, {name: f"{name}__{number}" for name in names}) if names else block


class Shader:
    def __init__(self, text):
        self.functions, self.common = {}, set()  # common: names of shared memory, buffers, images
        self.differing = set()  # globals
        self.found = []
        self.known = {}  # of a list of tokens, by its id: the list, and what was found out about it
        self.parse(tokens_of(text))

    def parse(self, tokens):
        parser = Parser(tokens)
        while parser.i < len(tokens):
            start = parser.i
            while tokens[parser.i] not in ("(", "{", ";", "="):
                if tokens[parser.i] == "[":
                    parser.group()
                    continue
                parser.i += 1
                if tokens[parser.i - 1] == "layout":
                    parser.group()
            if tokens[parser.i] == "(" and parser.i > start:
                name = tokens[parser.i - 1]
                parameters = parameters_of(parser.group())
                if tokens[parser.i] == "{":
                    body = ("block", Parser(parser.group()).statements())
                    key = (name, len(parameters))
                    self.functions.setdefault(key, []).append(Function(name, parameters, body))
                    continue
                parser.until(";")
                continue
            head = tokens[start:parser.i]
            if SHARED_STORAGE & set(head):
                members = parser.group() if tokens[parser.i] == "{" else []
                rest = head + parser.until(";")
                self.common.update(t for t in members + rest if WORD.match(t))
            else:
                parser.until(";")

    # ---- what differs --------------------------------------------------------------------------

    def once(self, what, tokens, find):
        """find(tokens), found out once: texts do not change while what differs is followed through them."""
        kept = self.known.setdefault((what, id(tokens)), [tokens])
        if len(kept) == 1:
            kept.append(find(tokens))
        return kept[1]

    def callees(self, tokens):
        """(function, arguments) of each call of a function of the shader's own."""
        return self.once("callees", tokens, self.find_callees)

    def find_callees(self, tokens):
        found = []
        for i, token in enumerate(tokens):
            if WORD.match(token) and i + 1 < len(tokens) and tokens[i + 1] == "(":
                at = Parser(tokens)
                at.i = i + 1
                arguments = split(at.group())
                found += [(function, arguments) for function in self.functions.get((token, len(arguments)), [])]
        return found

    def find_names(self, tokens):
        """Whether the tokens have a source of differences, and the names that may differ."""
        names = set()
        for i, token in enumerate(tokens):
            if (i and tokens[i - 1] == ".") or token in self.common or not WORD.match(token):
                continue  # a member, or shared
            if token in SOURCES or (DIFFERING_CALLS.match(token) and tokens[i + 1:i + 2] == ["("]):
                return True, names
            names.add(token)
        return False, names

    def differs(self, tokens, function):
        source, names = self.once("names", tokens, self.find_names)
        return (source or not names.isdisjoint(function.differing) or not names.isdisjoint(self.differing)
                or any(callee.result_differs for callee, _ in self.callees(tokens)))

    def taint(self, name, function):
        if name is None or name in self.common or (self.alike and name not in function.names):
            return
        local = name in function.names
        where = function.differing if local else self.differing
        if name not in where:
            where.add(name)
            self.changed = True

    @staticmethod
    def find_assignments(tokens):
        """(name, whether it is declared here, the rest of the left side, the right side or None) of each."""
        found = []
        declaring = False  # int a = 1, b = 2: of the first on, all are declared
        for part in split(tokens):
            depth, at = 0, None
            for i, token in enumerate(part):
                depth += token in "(["
                depth -= token in ")]"
                if token in ASSIGNS and depth == 0:
                    at = i
                    break
            left = part if at is None else part[:at]
            plain = split(left, "[")[0] if left else []
            words = [t for t in plain if WORD.match(t)]
            declaring = (declaring or "const" in plain
                         or (len(plain) > 1 and bool(WORD.match(plain[0]) and WORD.match(plain[1]))))
            name = None
            if declaring:
                name = words[-1] if words else None
            elif at is not None or "++" in part or "--" in part:
                name = words[0] if words else None
            found.append((name, declaring, left[1:], None if at is None else part[at + 1:]))
        return found

    def expression(self, tokens, function, apart):
        for name, declares, left, right in self.once("assignments", tokens, self.find_assignments):
            if declares:
                function.names.add(name)
            if name is None or (right is None and declares):
                continue
            beyond = function.called_apart and name not in function.names  # lives longer than the call
            if apart or beyond or (right is not None and (self.differs(right, function)
                                                          or self.differs(left, function))):
                self.taint(name, function)
        for callee, arguments in self.callees(tokens):
            if not self.alike and (apart or function.called_apart) and not callee.called_apart:
                callee.called_apart = self.changed = True
            differ = [self.differs(argument, function) for argument in arguments]
            for (name, is_out), argument, differs in zip(callee.parameters, arguments, differ):
                if not self.alike and differs and name not in callee.differing:
                    callee.differing.add(name)
                    self.changed = True
                if is_out and (apart or name in callee.own or any(differ)):
                    self.taint(next((t for t in argument if WORD.match(t)), None), function)

    def has_barrier(self, tokens):
        return "barrier" in tokens or any(callee.reaches_barrier for callee, _ in self.callees(tokens))

    def skips_barrier(self, tokens, function):
        """Whether a barrier stands behind &&, || or ? and what is left of that differs."""
        levels = [[]]  # of each open bracket, what stands in it so far
        conditional = [False]
        for i, token in enumerate(tokens):
            if token in ("&&", "||", "?"):
                conditional[-1] = conditional[-1] or self.differs(levels[-1], function)
            elif token in ASSIGNS or token == ",":
                levels[-1], conditional[-1] = [], False
            if any(conditional) and tokens[i + 1:i + 2] == ["("] and self.has_barrier(self.call_at(tokens, i)):
                return True
            if token in ("(", "["):
                levels.append([])
                conditional.append(False)
            elif token in (")", "]"):
                inside = levels.pop()
                conditional.pop()
                levels[-1] += ["(", *inside, ")"] if token == ")" else ["[", *inside, "]"]
            else:
                levels[-1].append(token)
        return False

    @staticmethod
    def call_at(tokens, i):
        end = Parser(tokens)
        end.i = i + 1
        inside = end.group()
        return [tokens[i], "(", *inside, ")"]

    # `apart`: only some of the threads that called this function come here; whether all of a group did is its
    # caller's affair. Returns whether some threads may have returned, and whether some may have left the loop around.
    def walk(self, statement, function, apart):
        kind = statement[0]
        if kind == "block":
            returned = left = False
            for inner in statement[1]:
                r, l = self.walk(inner, function, apart or returned or left)
                returned, left = returned or r, left or l
            return returned, left
        if kind in ("do", "return"):
            tokens = statement[1]
            self.expression(tokens, function, apart)
            if self.has_barrier(tokens):
                function.barrier_here = True
                if not self.alike and (apart or self.skips_barrier(tokens, function)):
                    self.found.append((function.name, " ".join(tokens)[:60]))
            if kind == "return":
                # Arguments that differ are seen where the call is.
                if self.alike and (apart or self.differs(tokens, function)) and not function.result_differs:
                    function.result_differs = self.changed = True
                return apart, False
            return False, False
        if kind == "leave":
            return False, apart
        if kind == "if":
            _, condition, then, other = statement
            self.walk(("do", condition), function, apart)
            inner = apart or (not self.once("decided", condition, decided) and self.differs(condition, function))
            a, b = self.walk(then, function, inner), self.walk(other, function, inner)
            return a[0] or b[0], a[1] or b[1]
        _, step, condition, body = statement
        returned = left = False
        for _ in range(2):  # what the first turn's threads do, the second's see
            inner = apart or returned or left or self.differs(condition, function)
            self.walk(("do", condition), function, inner)
            r, l = self.walk(body, function, inner)
            returned, left = returned or r, left or l
            self.walk(("do", step), function, inner)
        return returned, False

    def check(self):
        """The places where a barrier may be missed."""
        everything = [f for overloads in self.functions.values() for f in overloads]
        for f in everything:
            f.names = {name for name, _ in f.parameters}
            f.barrier_here = False
        self.changed = True
        while self.changed:
            self.changed, self.found = False, []
            for f in everything:
                self.alike = False
                self.walk(f.body, f, False)
                self.alike, f.differing, f.own = True, f.own, f.differing
                self.walk(f.body, f, False)
                self.alike, f.differing, f.own = False, f.own, f.differing
                if f.barrier_here and not f.reaches_barrier:
                    f.reaches_barrier = self.changed = True
        return list(dict.fromkeys(self.found))


# ---- what has to be found --------------------------------------------------------------------------

HEAD = """layout(local_size_x = 64) in; shared uint s_a[8 * (7 + 1)]; layout(binding = 0) buffer B { uint b_a[]; };
layout(location = 0) uniform uint u_n; uint g_x; void sync() { memoryBarrierShared(); barrier(); }
uint id() { return gl_LocalInvocationID.x; } uint twice(uint v) { return 2u * v; } void put(out uint v) { v = id(); }
void deep(bool b) { if (b) sync(); } bool waits(uint v) { sync(); return true; } void put2(bool b, uint v) { s_a[id()] = b ? v : 1u; }
uint third() { uint x; put(x); return x; }
bool early(uint v) { if (v > 3u) return true; return false; }
"""
GOOD = ["sync();", "if (u_n > 3u) sync();", "for (uint i = 0u; i < u_n; ++i) { s_a[id()] = i; sync(); }",
        "if (id() < 3u) s_a[0] = 1u; sync();", "uint x = s_a[0]; if (x > 1u) sync();",
        "if (gl_WorkGroupID.x > u_n) return; sync();", "uint x = b_a[gl_WorkGroupID.x]; while (x > 0u) { sync(); x >>= 1; }",
        "bool e = early(id()); sync();", "uint x = id(); x = 3u; sync();", "deep(u_n > 1u);",
        "for (uint i = id(); i < 64u; i += 8u) s_a[i] = i; sync();",
        "for (uint i = 0u; i < 4u; ++i) { if (i == u_n) break; sync(); }",
        "switch (u_n) { case 1u: sync(); break; default: break; }", "g_x = u_n; if (g_x > 1u) sync();",
        "if (2 != 1 || id() == 0u) sync();", "if (0 != 0 && id() == 0u) sync();",
        "if (id() > 1u) for (int p = 0; p < 2; ++p) s_a[0] = 1u; for (int p = 0; p < 2; ++p) { if (p > 0) sync(); }",
        "if (id() > 1u) { uint q = id(); s_a[0] = q; } { uint q = 1u; if (q > 0u) sync(); }",
        "uint x = twice(id()); if (twice(u_n) > 1u) sync();",
        "bool e = waits(id() > 3u && u_n > 1u ? 1u : 2u);", "bool e = u_n > 1u && waits(id());", "put2(id() > 3u, 1u); sync();",
        "bool e = waits(1u) && id() > 3u;",
        "uint a = 1u, x = id(); g_x = a; uint y = 1u; if (y > 0u && a > 0u) sync();"]
BAD = ["if (id() < 3u) sync();", "if (gl_LocalInvocationIndex == 0u) barrier();", "if (id() > u_n) return; sync();",
       "for (uint i = 0u; i < id(); ++i) sync();", "uint x = twice(id()); if (x > 1u) sync();",
       "uint x = s_a[id()]; if (x > 1u) sync();", "uint x; put(x); if (x > 1u) sync();", "deep(id() > 1u);",
       "if (third() > 1u) sync();", "if (1 != 1 || id() == 0u) sync();", "if (1 == 1 && id() == 0u) sync();", "uint q = 1u; if (id() > 1u) { q = 2u; } if (q > 1u) sync();",
       "uint q = 1u; for (int p = 0; p < 2; ++p) { uint r = id(), t = r; q = t; } if (q > 1u) sync();", "uint x = 0u; if (id() > 1u) x = 1u; if (x > 0u) sync();", "g_x = id(); if (g_x > 1u) sync();",
       "for (uint i = 0u; i < 4u; ++i) { if (i == id()) break; sync(); }",
       "for (uint i = 0u; i < 4u; ++i) { sync(); if (i == id()) continue; }",
       "for (uint i = 0u; i < 4u; ++i) { sync(); if (i == id()) return; }",
       "uint x = atomicAdd(b_a[0], 1u); if (x == 3u) sync();", "if (early(id())) sync();",
       "bool e = id() > 3u && waits(1u);", "bool e = id() > 3u ? waits(1u) : false;", "put2(id() > 3u || waits(1u), 1u);",
       "uint x = 1u; for (uint i = 0u; i < 4u; ++i) { if (x > 1u) sync(); x += id(); }",
       "switch (id()) { case 1u: sync(); break; }", "while (true) { if (id() > 1u) break; sync(); }",
       "uint a[2]; a[id() & 1u] = 1u; if (a[0] > 0u) sync();",
       "uint a = 1u, x = id(); if (x > 0u) sync();"]


def check_myself():
    for body, bad in [(b, False) for b in GOOD] + [(b, True) for b in BAD]:
        found = Shader(HEAD + "void main() { " + body + " }").check()
        if bool(found) != bad:
            sys.exit(f"check_barriers.py is wrong about: {body}: {found}")


# Programs beside the module have few variants: what the host would set.
PROJECT = pathlib.Path(__file__).resolve().parents[2]
SET = {"THREADS": "64", "ITEMS": "4", "TYPE": "uint", "FOLD": "texel", "FORMAT": "rgba8", "UNORM": "1", "TILE": "16",
       "PACKED": "64", "DECLARE": "uint r0 = value(id)", "STEP": "r0 += 1u", "SUM": "r0"}


def write_others(folder):
    """The shaders of the bench's memory part and of the demo that have barriers, as they are compiled."""
    common = (PROJECT / "bench/memory/shaders/common.glsl").read_text(encoding="utf-8")
    written = []
    for path in sorted((PROJECT / "bench").rglob("*.comp")) + sorted((PROJECT / "demo").rglob("*.comp")):
        text = path.read_text(encoding="utf-8")
        if "barrier()" not in text:
            continue
        # The street of the scene and of the viewer: an include one level deep, of a file without includes.
        text = text.replace('#include "street.glsl"', (PROJECT / "demo/scene/street.glsl").read_text(encoding="utf-8"))
        memory = path.parent.parent.name == "memory"
        for way in range(2 if memory else 1):
            lines = "".join(f"#define {name} {value}\n" for name, value in SET.items()) + f"#define WAY {way}\n"
            head, version, rest = text.partition("#version 430 core\n")
            written.append(pathlib.Path(folder) / f"{path.stem}_{way}.comp")
            written[-1].write_text(head + version + (lines + common if memory else "") + rest, encoding="utf-8")
    return written


def compiler(*words):
    done = subprocess.run(["glslangValidator", *words], capture_output=True, text=True)
    return done.returncode, re.sub(r"^/\S+\n(?=/|\s*\Z)", "", done.stdout + done.stderr, flags=re.M)  # names alone


def accept(paths):
    """What the compiler says of shaders that it refuses. It knows subgroups only for SPIR-V 1.3, of one shader a call."""
    plain, alone = [], []
    for path in paths:
        (alone if "#extension GL_KHR_shader_subgroup" in path.read_text(encoding="utf-8") else plain).append(str(path))
    runs = [compiler("-S", "comp", *plain)] if plain else []
    runs += [compiler("-S", "comp", "--target-env", "opengl", "--target-env", "spirv1.3", "-o", os.devnull, path)
             for path in alone]
    return [said for code, said in runs if code]


def check_files(paths, ours=True):
    """Of some files: each with the barriers that may be missed, and whether it has any; what the compiler refuses."""
    code, text = compiler("-E", "-S", "comp", *map(str, paths))
    refused = [text] if code else accept(paths) if ours else []
    results = []
    for path, rest in zip(paths, re.split("^#version", text, flags=re.M)[1:] if not refused else []):
        shader = Shader(rest.partition("\n")[2])
        results.append((path.name, shader.check(),
                        any(f.reaches_barrier for fs in shader.functions.values() for f in fs)))
    return results, refused


def taken(folder):
    """The variants of this tier."""
    files = sorted(pathlib.Path(folder).glob("*.comp"))
    if os.environ.get("AG_TEST_TIER", "quick") != "quick":
        k, n = map(int, os.environ.get("AG_TEST_PART", "1/1").split("/"))
        return files[k - 1::n]
    longest = {}
    for path in files:
        text = path.read_text(encoding="utf-8")
        shader = text.partition(" - ")[0]  # the head names the file
        longest[shader] = max(longest.get(shader, (0, path)), (len(text), path))
    return [path for _, path in longest.values()]


def main(folder):
    check_myself()
    if not shutil.which("glslangValidator"):
        print("glslangValidator is missing (Debian, Ubuntu: glslang-tools)")
        return 77
    files = taken(folder)
    with tempfile.TemporaryDirectory() as others, concurrent.futures.ProcessPoolExecutor() as pool:
        parts = list(pool.map(check_files, [files[at:at + 16] for at in range(0, len(files), 16)]))
        parts.append(check_files(write_others(others), False))
    results = [result for part, _ in parts for result in part]
    failures = [said for _, refused in parts for said in refused]
    failures += [f"{name}: in {function}(): {what}: some threads may miss this barrier"
                 for name, found, _ in results for function, what in found]
    for failure in failures:
        print("FAIL", failure)
    with_barriers = sum(reaches for _, _, reaches in results)
    print(f"{len(files)} shader variants, {with_barriers} with barriers")
    return 1 if failures or not with_barriers else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
