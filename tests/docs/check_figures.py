#!/usr/bin/env python3
"""check_figures.py - each figure of README.md, SECURITY.md and docs/*.md has a source, and is what the source says

    check_figures.py               what differs, has no source, or is in figures.py and no longer in a document
    check_figures.py --list        also each figure with its source
    check_figures.py --write       figures that have a row of bench/results become what the row says

pages.py says what a figure is, figures.py where each comes from.

SPDX-License-Identifier: MIT
"""
import collections
import os
import re
import sys

import pages

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MEASURED_ON = re.compile(r"H[12]00|llvmpipe|Mesa|this GPU|software renderer|two cores|[Mm]achine|CPU")
CLASSES = {"row": "a row of bench/results, or computed from rows",
           "test": "a limit that the named file has, too",
           "worked": "computed from other numbers",
           "shown": "a test, or a script that makes the page, measures or prints it anew; a limit holds it there",
           "setting": "of a setting, a format or a definition, or counted from one",
           "said": "what another document says",
           "once": "measured once; the run is not kept, and the text says on what"}


class Source:
    def __init__(self, kind, text):
        self.kind, self.text, self.value = kind, text, None


def as_written(value, written):
    """The value with as many digits as the document writes."""
    digits = written.replace(" ", "")
    mantissa, e, _ = digits.partition("e")
    decimals = len(mantissa.partition(".")[2])
    text = f"{value:.{decimals}{'e' if e else 'f'}}"
    text = re.sub(r"e([+-])0*(\d)", lambda m: "e" + m.group(1).strip("+") + m.group(2), text)
    return f"{int(text):,}".replace(",", " ") if " " in written else text


class Document:
    """A page, on which figures.py says what each figure comes from."""

    def __init__(self, path, text, read=None):
        self.path, self.text, self.errors = path, text, []
        self.read = read or (lambda file: open(os.path.join(ROOT, file), encoding="utf-8").read())
        self.shown = pages.plain(text)
        self.spans, self.tables = pages.figures(self.shown)
        self.sources = {span: None for span in self.spans}
        self.edits = []

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def error(self, at, text):
        self.errors.append(f"{self.path}:{self.line(at)}: {text}")

    def claim(self, span, kind, text, value=None):
        written = self.text[slice(*span)]
        if self.sources.get(span):
            self.error(span[0], f"{written} has two sources: {self.sources[span].text}; {text}")
        self.sources[span] = Source(kind, text)
        if value is not None and as_written(value, written) != written:
            self.error(span[0], f"{written} should be {as_written(value, written)}: {text}")
            self.edits.append((span, as_written(value, written)))

    def places(self, excerpt):
        """The spans of each {} of an excerpt, which the text has once."""
        pattern = re.sub(r"(?:\\ )+", r"\\s+", re.escape(excerpt)).replace(r"\{\}", "(" + pages.NUMBER + ")")
        found = list(re.finditer(pattern, self.text))
        if len(found) != 1:
            self.errors.append(f"{self.path}: {len(found)} places read: {excerpt}")
            return []
        return [found[0].span(i + 1) for i in range(found[0].re.groups)]

    def pairs(self, excerpt, sources):
        """The span of each {} of an excerpt, with its source."""
        spans = self.places(excerpt)
        if spans and len(spans) != len(sources):
            self.errors.append(f"{self.path}: {len(spans)} figures and {len(sources)} sources: {excerpt}")
        return zip(spans, sources)

    def row(self, excerpt, *values):
        """Each {} of the excerpt is a value of bench/results."""
        for span, value in self.pairs(excerpt, values):
            self.claim(span, "row", getattr(value, "key", "") or excerpt, value)

    def worked(self, excerpt, *values):
        for span, value in self.pairs(excerpt, values):
            self.claim(span, "worked", excerpt, value)

    def test(self, excerpt, file, *patterns):
        """Each {} of the excerpt is in the file, too, where a pattern has a {} for it."""
        for span, pattern in self.pairs(excerpt, patterns):
            number = self.text[slice(*span)]
            wanted = re.escape(pattern).replace(r"\{\}", r"(?<![\w.])" + re.escape(number) + r"(?:\.0*)?")
            self.claim(span, "test", f"{file}: {pattern}")
            if not re.search(wanted, self.read(file)):
                self.error(span[0], f"{file} does not have: {pattern.replace('{}', number)}")

    def table(self, header, cell):
        """Of the table whose header begins so: cell(first cell of the line, header of the column, its index) gives the
        values of a cell's figures, one or a list; None: none of it comes from rows."""
        found = [t for t in self.tables if self.text[t.begin:t.end].strip().startswith(header)]
        if len(found) != 1:
            self.errors.append(f"{self.path}: {len(found)} tables begin: {header}")
            return

        def read(place):
            return self.text[slice(*place)].strip().replace("**", "").replace("`", "")
        titles, above = [read(place) for place in found[0].lines[0]], ""
        for line in found[0].body:
            first = above = read(line[0]) or above
            for i, place in enumerate(line):
                spans = [span for span in self.spans if place[0] <= span[0] < place[1]]
                values = cell(first, titles[i], i) if spans else None
                if values is None:
                    continue
                values = values if isinstance(values, (list, tuple)) else [values]
                if len(values) != len(spans):
                    self.error(place[0], f"{len(spans)} figures, {len(values)} sources: {first}, {titles[i]}")
                for span, value in zip(spans, values):
                    if value is not None:
                        self.claim(span, "row", getattr(value, "key", "") or f"{first}, {titles[i]}", value)

    def rest(self, where, count, kind, why):
        """So many figures without a source, yet: of the chapter, when `where` begins with #, else of the paragraph, item
        or table that begins so."""
        assert kind in ("shown", "setting", "said", "once"), kind
        named = re.findall(r"\b(?:tests|docs|bench|engine_plugin)/[\w./]*\w", why)
        if not all(os.path.exists(os.path.join(ROOT, file)) for file in named):
            self.errors.append(f"{self.path}: no such file: {why}")
        if kind == "shown" and not (named or "--plan" in why) or kind == "once" and not re.search(r"\b20\d\d-\d\d", why):
            self.errors.append(f"{self.path}: {kind} has to say by which test, or when: {why}")
        if where.startswith("#"):
            level = len(where.split()[0])
            found = list(re.finditer(rf"^{re.escape(where)}$.*?(?=^#{{1,{level}}} |\Z)", self.text, re.S | re.M))
        else:
            words = r"\s+".join(map(re.escape, where.split()))
            starts = [m.start() for m in re.finditer(words, self.text)]
            parts = [(b, e) for b, e, _ in pages.blocks(self.shown)]
            found = [re.compile(r".*", re.S).match(self.text, b, e) for b, e in parts for start in starts
                     if b <= start < e and not self.shown[b:start].strip(" \n-*|![")]
        if len(found) != 1:
            self.errors.append(f"{self.path}: {len(found)} places begin: {where}")
            return
        begin, end = found[0].span()
        own = [span for span, source in self.sources.items() if not source and begin <= span[0] < end]
        for span in own:
            self.claim(span, kind, why)
        if len(own) != count:
            self.error(begin, f"{where}: {len(own)} figures without another source; figures.py says {count}, {kind}")
        if kind == "once" and not MEASURED_ON.search(self.chapter(begin, end)):
            self.error(begin, f"{where}: the chapter does not say what it was measured on")

    def chapter(self, begin, end):
        return self.text[self.text.rfind("\n#", 0, begin) + 1:end]

    def made(self, key, lines):
        """What a script of bench/ wrote between the comments that name `key` is what it writes today."""
        found = re.search(rf"<!-- {re.escape(key)} -->\n(.*?)<!-- end of {re.escape(key)} -->", self.text, re.S)
        if not found:
            self.errors.append(f"{self.path}: nothing stands between comments of {key}")
            return
        old, new = found.group(1).strip().split("\n"), "\n".join(lines).strip().split("\n")
        for i, (a, b) in enumerate(zip(old, new)):
            if a != b:
                self.error(found.start(1), f"line {i + 1} of {key} should be: {b}")
                break
        else:
            if len(old) != len(new):
                self.error(found.start(1), f"{key} should have {len(new)} lines")
        self.edits.append((found.span(1), "\n".join(new) + "\n")) if old != new else None
        for match in re.finditer(r"(?<=\|)[ *]*[\d.e -]*\d[^|]*(?=\|)", found.group(1)):
            self.sources[found.start(1) + match.start(), found.start(1) + match.end()] = Source("row", f"made: {key}")

    def history(self):
        """A page that says what was measured in its day: nothing is compared."""
        for span in self.spans:
            self.claim(span, "once", "history")

    def check(self):
        return self.errors + [f"{self.path}:{self.line(span[0])}: {self.text[slice(*span)]} has no source: "
                              + " ".join(self.text[max(0, span[0] - 50):span[1] + 30].split())
                              for span, source in self.sources.items() if not source]

    def corrected(self):
        text = self.text
        for (begin, end), new in sorted(self.edits, reverse=True):
            text = text[:begin] + new + text[end:]
        return text


def names():
    docs = os.path.join(ROOT, "docs")
    return ["README.md", "SECURITY.md"] + sorted("docs/" + n for n in os.listdir(docs) if n.endswith(".md"))


def main():
    import figures
    errors, counts = [], collections.Counter()
    for path in names():
        with open(os.path.join(ROOT, path), encoding="utf-8") as stream:
            document = Document(path, stream.read())
        name = "which_effect" if path == "docs/README.md" else re.sub(r"\W", "_", path.removeprefix("docs/").removesuffix(".md")).lower()
        claims = getattr(figures, name, None)
        try:
            if claims:
                claims(document)
        except KeyError as missing:
            errors.append(f"{path}: bench/results has no row {missing}")
        errors += document.check()
        counts.update(source.kind if source else "none" for source in document.sources.values())
        if "--list" in sys.argv:
            for span, source in sorted(document.sources.items()):
                print(f"{path}:{document.line(span[0])}: {document.text[slice(*span)].strip()}: "
                      + (f"{source.kind}, {source.text}" if source else "NONE"))
        if "--write" in sys.argv and document.edits:
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as stream:
                stream.write(document.corrected())
    print("\n".join(errors))
    for kind, meaning in {**CLASSES, "none": "without a source"}.items():
        print(f"{counts[kind]:5} {kind:8} {meaning}")
    print(f"{sum(counts.values())} figures, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
