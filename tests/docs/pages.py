"""pages.py - the figures of a document: those of its numbers that say what something takes, loses or gains

A figure is

- a number with a unit of what is measured: time, rate, dB, %, "times", "-fold", bytes a texel, objects; or with an
  exponent (4.1e-7);
- in a sentence that has one, or "takes", "took" or "measured": each further number that stands alone, without the word
  for what it counts ("31 (reduce), 16 (carry) and 71 (finish)");
- in a table: the same, and each number that stands alone in a cell that begins with one, or that is behind the first
  column of a table in which half of the lines have such a cell.

Sizes (1920 x 1080, 512², powers of two from 128 on), years, powers (2^-14), names (RGBA16F, D53, driver 580), code,
formulas, headings, comments, and where links lead, are none.

SPDX-License-Identifier: MIT
"""
import re

NUMBER = r"(?<![\w.^#²+-])(?:\d{1,3}(?: \d{3})+|\d+(?:\.\d+)?(?:e-?\d+)?)(?![\w^²]|\.\d|-bit)"
UNIT = re.compile(r"\s?(?:us|ms|ns|s|seconds?|minutes?|hours?|microseconds?|milliseconds?|[GTM]B/s|GFLOP/s|dB|%|per cent|"
                  r"times|-fold|bytes a (?:texel|pixel)|objects)(?![\w/])")
ALONE = re.compile(r"\s*(?:[,;.:)*|/]|$|\((?!\d)|(?:to|and|or|at|in|of|beside|instead|with|without|by|for|where|on|until|"
                   r"here|against|when|if|there|less|more|as|while|after|is|are|was|were|from|than|over|together|the|"
                   r"each|into|it|through|both)\b)")
MEASURES = re.compile(r"\b(?:takes?|took|measured)\b|\d(?:\.\d+)?e-\d")
NOT = re.compile(r"\d[\d.]*(?:\s+x\s+\d+)+|\d+²|\b(?:19\d\d|20[0-2]\d)\b(?! instructions)|-?\d+\^-?\d+|"
                 r"\b(?:128|256|512|1024|2048|409[56]|819[12]|1638[34])\b(?! us| ms)|"
                 r"(?:driver|GL|OpenGL|Debian|glibc|GCC|Mesa|VkFFT (?=\d\.)|SPD (?=2\.)|Fig|Table|Python|radix) ?\d[\d.]*")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def plain(text):
    """The same text with what is no sentence blanked: each character keeps its place."""
    for pattern in (r"^(?:>? )*```.*?^ *```$", r"<!-- (\S+(?: \S+)?) -->\n.*?<!-- end of \1 -->", r"<!--.*?-->",
                    r"(?<=\n)\n(?: {4}[^\n]*\n|\n(?= {4}))+", r"`[^`]*`", r"(?<=\])\([^)\n]*\)", r"^#.*?$"):
        text = re.sub(pattern, blank, text, flags=re.S | re.M)
    return text


def numbers(text, all_alone):
    skip = [match.span() for match in NOT.finditer(text)]
    found = [match for match in re.finditer(NUMBER, text) if not any(a <= match.start() < b for a, b in skip)]

    def has_unit(match):
        return UNIT.match(text, match.end()) or "e-" in match.group(0)
    alone = all_alone or any(map(has_unit, found)) or MEASURES.search(text)
    return [match.span() for match in found if has_unit(match) or alone and ALONE.match(text, match.end())]


class Table:
    """Lines of cells: (begin, end) of each; the first line is the header."""

    def __init__(self, text, begin, end):
        self.begin, self.end, self.lines = begin, end, []
        for line in re.finditer(r"[^\n]+", text[begin:end]):
            bars = [begin + line.start() + bar.start() for bar in re.finditer(r"(?<!\\)\|", line.group(0))]
            self.lines.append([(a + 1, b) for a, b in zip(bars, bars[1:])])
        self.body = self.lines[2:]

    def figures(self, text):
        def leads(cell):
            return re.match(r"[ *<~]*\d[\d. ]*(?:[ *|;,%e(]|to|s\b|us|ms|dB|$)", text[cell[0]:cell[1]])
        numeric = sum(any(leads(cell) for cell in line[1:]) for line in self.body) * 2 >= len(self.body)
        for line in self.body:
            for i, (a, b) in enumerate(line):
                for x, y in numbers(text[a:b], i > 0 and (numeric or leads((a, b)))):
                    yield a + x, a + y


def blocks(text):
    """(begin, end, is it a table): a paragraph, an item of a list, a table."""
    begin = 0
    for end in [m.start() for m in re.finditer(r"\n[ \t]*\n|\n(?=\s*(?:[-*]|\d\.) )|\n(?=\|)|\n(?!\|)", text)] + [len(text)]:
        rows = text[begin:end].strip().startswith("|"), text[end:].lstrip("\n").startswith("|")
        boundary = not re.match(r"\n(?![ \t]*\n|\s*(?:[-*]|\d\.) |\|)", text[end:])
        if end < len(text) and (rows[0] == rows[1] == True and not text[end:].startswith("\n\n") or
                                not rows[0] and not boundary):
            continue
        if text[begin:end].strip():
            yield begin, end, rows[0]
        begin = end


def figures(shown):
    """(begin, end) of each figure of a plain text, and its tables."""
    spans, tables = [], []
    for begin, end, is_table in blocks(shown):
        if is_table:
            tables.append(Table(shown, begin, end))
            spans += tables[-1].figures(shown)
            continue
        at = begin
        for part in re.split(r"((?<=[.:;!?])\s+(?=[A-Z*(\"]))", shown[begin:end]):
            spans += [(at + a, at + b) for a, b in numbers(part, False)]
            at += len(part)
    return spans, tables
