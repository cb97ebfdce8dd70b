#!/usr/bin/env python3
"""pages.py FOLDER - the site's pages, from the repository's Markdown files and headers: Sphinx's sources

Every page that there is comes from a file that git tracks. The order of the pages is that of docs/README.md's links. What
is written here: the list of contents, a page for each public header, and the gallery, of the pictures in the pages.
"""
# SPDX-License-Identifier: MIT
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import header  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
HEADERS = {"engine_plugin/include/afterglow": "api", "ladder/include/afterglow": "api/ladder"}
FIRST = ("afterglow", "simple", "reflection", "settings")  # then the effects
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")


def tracked():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=False).stdout
    names = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    return names or [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
                     if path.is_file() and "build" not in path.relative_to(ROOT).parts[:1]]  # yapf: disable


def plain_parts(text):
    """Pairs of what is code and what is not."""
    for part in re.split(r"(^ *```.*?^ *```|`[^`\n]+`(?!\]))", text, flags=re.M | re.S):
        yield part, part.lstrip().startswith("`")


def relative(target, path):
    return os.path.relpath(target, os.path.dirname(path) or ".")


class Site:
    def __init__(self, out):
        self.out, self.names = out, set(tracked())
        self.pages = sorted(name for name in self.names if name.endswith(".md"))
        self.headers = {f"{folder}/{file.name}": f"{target}/{file.stem}.md"
                        for folder, target in HEADERS.items() for file in sorted((ROOT / folder).glob("*.h"))}  # yapf: disable
        self.pictures = []

    def write(self, path, text):
        file = self.out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def copy(self, path):
        (self.out / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, self.out / path)

    def link(self, path, words, target):
        """A link of a page: to another page, to a header's page, or to a file, which is then copied."""
        file, _, heading = target.partition("#")
        if re.match(r"[a-z]+:", target) or not file:
            return f"{words}({target})"
        name = os.path.normpath(os.path.join(os.path.dirname(path), file))
        mark = "#" + heading if heading else ""
        if name in self.headers:
            return f"{words}({relative(self.headers[name], path)})"
        if name == "README.md":
            return f"{words}({relative('index.md', path)}{mark})"
        if name.endswith(".md") and name in self.names:
            return f"{words}({target})"
        if (ROOT / name / "README.md").is_file():
            return f"{words}({relative(name + '/README.md', path)}{mark})"
        if name in self.names:
            self.copy(name)
            if words.startswith("!"):
                self.pictures.append((path, words[2:-1], name))
            return f"{words}({target})"
        return words[1:-1]  # a folder: there is no page of it

    def page(self, path):
        text = (ROOT / path).read_text()
        return "".join(part if code else LINK.sub(lambda found: self.link(path, found[1], found[2]), part)
                       for part, code in plain_parts(text))

    def header_page(self, path, target):
        text = (ROOT / path).read_text()
        name = Path(path).name
        self.copy(path)
        lines = [f"# {name}", "", header.summary(text)[:1].upper() + header.summary(text)[1:] + ".", "", "```text",
                 header.overview(text), "```", ""]  # yapf: disable
        for struct in header.structs(text):
            lines += [f"## {struct}", "", f"```{{doxygenstruct}} {struct}", ":members:", ":undoc-members:", "```", ""]
        for title, sections in (("Functions and types", "func typedef"), ("Enums", "enum"), ("Macros", "define")):
            if header.has(sections, text):
                lines += [f"## {title}", "", f"```{{doxygenfile}} {name}", f":sections: {sections}", "```", ""]
        lines += ["## The whole header", "", f"```{{literalinclude}} {relative(path, target)}", ":language: c", "```", ""]
        self.write(target, "\n".join(lines))

    def title(self, path):
        return re.search(r"^# (.*)$", (ROOT / path).read_text(), re.M)[1].replace("`", "")

    def gallery(self, order):
        lines = ["# Gallery", "", "The pictures of the pages. Each leads to its page, which says how it was made.", "",
                 "::::{container} gallery"]  # yapf: disable
        seen = set()
        for path in order:
            for page, words, name in self.pictures:
                if page == path and name not in seen and not name.endswith(".svg") and "needs/" not in name:
                    seen.add(name)
                    words = " ".join(words.split()) or self.title(page)
                    target = "index" if page == "README.md" else page.removesuffix(".md")
                    lines += [f":::{{figure}} {name}", f":alt: {words}", f":target: {target}.html", "",
                              f"{words[:1].upper() + words[1:]}. *{self.title(page)}*", ":::"]  # yapf: disable
        self.write("gallery.md", "\n".join([*lines, "::::", ""]))

    def contents(self, parts):
        lines = [(self.out / "index.md").read_text(), ""]
        for caption, pages in parts:
            lines += ["```{toctree}", f":caption: {caption}", ":hidden:", ":maxdepth: 1", "", *pages, "```", ""]
        self.write("index.md", "\n".join(lines))

    def make(self):
        for path in self.pages:
            self.write("index.md" if path == "README.md" else path, self.page(path))
        for path, target in self.headers.items():
            self.header_page(path, target)
        guide = [os.path.normpath(f"docs/{target.partition('#')[0]}")
                 for _, target in LINK.findall((ROOT / "docs/README.md").read_text()) if ".md" in target]  # yapf: disable
        cut = guide.index("docs/build.md")
        order = list(dict.fromkeys(["docs/README.md", *guide[:cut]]))
        others = [page for page in dict.fromkeys(guide[cut:]) if page not in order]
        hosts = [page for page in self.pages if page.startswith("hosts/") and page not in order + others]
        self.gallery(["README.md", *order, *others, *hosts])
        rest = [page for page in self.pages if page not in {*order, *others, *hosts, "README.md"}]
        api = sorted(self.headers.values(), key=lambda name: (
            "ladder" in name, FIRST.index(Path(name).stem) if Path(name).stem in FIRST else len(FIRST), name))  # yapf: disable
        self.contents([("Effects", ["gallery.md", *order]), ("Pages", others), ("Hosts", hosts),
                       ("C interface", api), ("Project", rest)])  # yapf: disable


def main(out):
    shutil.rmtree(out, ignore_errors=True)
    site = Site(out)
    site.make()
    site.copy("CMakeLists.txt")
    (out / "_static").mkdir()
    for name, target in (("conf.py", "conf.py"), ("site.css", "_static/site.css")):
        shutil.copyfile(ROOT / "docs/site" / name, out / target)
    filter_path = ROOT / "docs/site/header.py"
    (out / "Doxyfile").write_text("\n".join([
        "PROJECT_NAME = Afterglow", "INPUT = " + " ".join(str(ROOT / folder) for folder in HEADERS),
        "OUTPUT_DIRECTORY = doxygen", "GENERATE_HTML = NO", "GENERATE_LATEX = NO", "GENERATE_XML = YES", "QUIET = YES",
        "XML_PROGRAMLISTING = NO", "OPTIMIZE_OUTPUT_FOR_C = YES", "EXTRACT_ALL = YES", "EXTRACT_STATIC = YES",
        "MARKDOWN_SUPPORT = NO", "SORT_MEMBER_DOCS = NO", "WARN_AS_ERROR = NO", "ENABLE_PREPROCESSING = YES",
        "MACRO_EXPANSION = YES", "EXPAND_ONLY_PREDEF = YES", "PREDEFINED = AG_API= inline=",
        f"INPUT_FILTER = \"{sys.executable} {filter_path}\"", ""]))  # yapf: disable


main(Path(sys.argv[1]))
