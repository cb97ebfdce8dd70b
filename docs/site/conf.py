"""Sphinx's settings for the site: docs/site/build makes it."""
# SPDX-License-Identifier: MIT
import re
from pathlib import Path

project = "Afterglow"
copyright = "The Afterglow authors, MIT licence"  # pylint: disable=redefined-builtin
version = release = re.search(r"project\(afterglow VERSION ([0-9.]+)", Path(__file__).with_name("CMakeLists.txt").read_text())[1]
extensions = ["myst_parser", "breathe"]
html_theme, html_title, html_static_path, html_css_files = "furo", f"Afterglow {version}", ["_static"], ["site.css"]
html_theme_options = {"sidebar_hide_name": False}
html_show_sphinx = html_copy_source = False
myst_enable_extensions, myst_heading_anchors = ["colon_fence"], 6
breathe_projects, breathe_default_project = {"afterglow": "doxygen/xml"}, "afterglow"
breathe_domain_by_extension, breathe_show_include = {"h": "c"}, False
highlight_language, primary_domain, toc_object_entries = "text", "c", False
exclude_patterns = ["doxygen"]
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
