#!/usr/bin/env python3
"""check.py FOLDER - the links of a folder of HTML: each file, picture and place on a page is there; addresses are not asked"""
# SPDX-License-Identifier: MIT
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attrs):
        for name, text in attrs:
            if name in ("id", "name") and text:
                self.places.add(text)
            elif name in ("href", "src") and text:
                self.links.append(text)


root = Path(sys.argv[1]).resolve()
pages = {file: Page(file) for file in root.rglob("*.html")}
wrong, count = [], 0
for path, page in pages.items():
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        count += 1
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            wrong.append(f"{path.relative_to(root)}: {link}: there is no such file")
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
            wrong.append(f"{path.relative_to(root)}: {link}: there is no such place")
print("\n".join(wrong) or f"ok    {count} links of {len(pages)} pages")
sys.exit(bool(wrong) or len(pages) < 40)
