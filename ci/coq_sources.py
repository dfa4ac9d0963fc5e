"""The theorems of proofs/coq, as their sources state them: nothing here asks Coq."""

import os
import re

import tree

FOLDER = "proofs/coq"
THEOREM = re.compile(r"^Theorem\s+(\w+)", re.MULTILINE)
ROWS = re.compile(r"\(\*\s*((?:[A-Z]\d+, )*[A-Z]\d+)\b")


def sources_of(root):
    """The sources of the development: path → text."""
    folder = os.path.join(root, FOLDER)
    names = sorted(name for name in (os.listdir(folder) if os.path.isdir(folder) else []) if name.endswith(".v"))
    return {f"{FOLDER}/{name}": tree.text(root, f"{FOLDER}/{name}") for name in names}


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def comment_before(text, at):
    """The comment that ends right before a place, or an empty string."""
    before = text[:at].rstrip()
    if not before.endswith("*)"):
        return ""
    return before[before.rfind("(*"):]


def theorems_of(sources):
    """The theorems of the sources: name → (path, line, rows of the ledger)."""
    found = {}
    for path, text in sources.items():
        for match in THEOREM.finditer(text):
            rows = ROWS.match(comment_before(text, match.start()))
            found[match[1]] = (path, line_of(text, match.start()), rows[1].split(", ") if rows else [])
    return found
