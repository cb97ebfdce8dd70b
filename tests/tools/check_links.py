#!/usr/bin/env python3
"""check_links.py - links of the Markdown files that git tracks: each file, picture and heading is there

    check_links.py              files that git does not track are missing: a clone has not got them

Addresses (https:) are not asked. Exit status 77, skipped: git does not list the files.
"""
# SPDX-License-Identifier: MIT
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def plain(text):
    """Without blocks of code and spans of code, which hold no links."""
    text = re.sub(r"^ *(```+).*?^ *\1", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`(?!\])", "", text)


def heading_name(heading):
    """As GitHub names it: small letters, hyphens for spaces, no punctuation."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def headings(text):
    text = re.sub(r"^ *(```+).*?^ *\1", "", text, flags=re.M | re.S)
    names = [heading_name(found) for found in re.findall(r"^#+ (.*)$", text, re.M)]
    return {f"{name}-{names[:i].count(name)}" if name in names[:i] else name for i, name in enumerate(names)}


def dead(texts, known):
    """What is wrong in `texts`, by path; `known` are the paths that a link may name."""
    known = known | {str(folder) for path in known for folder in Path(path).parents}
    for path, text in texts.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", plain(text)) + re.findall(r'(?:src|href)="([^"]+)"', plain(text)):
            if re.match(r"[a-z]+:", link):
                continue
            file, _, heading = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if target not in known:
                yield f"{path}: {link}: there is no such file"
            elif heading and target in texts and heading not in headings(texts[target]):
                yield f"{path}: {link}: {target} has no such heading"


def main():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        print("skipped: git does not list the files")
        return 77
    known = set(filter(None, listed.stdout.split("\0")))
    texts = {path: (ROOT / path).read_text() for path in sorted(known) if path.endswith(".md") and (ROOT / path).exists()}
    wrong = list(dead(texts, known))
    print("\n".join(wrong) or f"ok    the links of {len(texts)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
