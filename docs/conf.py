"""Sphinx settings for the documentation: `make docs` writes it to build/docs."""

import re

from taquin import __version__

project = "taquin"
author = "taquin contributors"
copyright = "taquin contributors"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
html_theme = "furo"
html_title = "taquin"

myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"


def _to_rst(app, what, name, obj, options, lines):
    """Docstrings are written as plain text with Markdown's backticks; Sphinx wants its own."""
    text = re.sub(r"(?<!`)`([^`\n]+)`(?!`)(s?)", r"``\1``\\ \2", "\n".join(lines))
    # An indented paragraph is a drawing or a formula, unless it is an example.
    text = re.sub(r"\n\n(?=    (?!>>>|\.\.\. )\S)", "\n\n::\n\n", text)
    lines[:] = text.split("\n")


def setup(app):
    app.connect("autodoc-process-docstring", _to_rst)
