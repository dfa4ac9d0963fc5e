"""The theorems of proofs/coq, as their sources state them. Nothing here asks Coq."""

import os
import re
import sys

import tree

FOLDER = "proofs/coq"
THEOREM = re.compile(r"^\s*(Theorem)\s+(\w+)", re.MULTILINE)
# Rows of the ledger, then the place in the sources, or "bankproof" if the statement is ours.
ROWS = re.compile(r"\(\*\s*((?:[A-Z]\d+, )*[A-Z]\d+)(?:, refuted as printed)?\.\s+"
                  r"(?:THS|MOD|HMM|OPT|CONV|Gabow|Merrill|bankproof)\b")


def sources_of(root):
    """The sources of the development: path → text."""
    folder = os.path.join(root, FOLDER)
    names = sorted(name for name in (os.listdir(folder) if os.path.isdir(folder) else []) if name.endswith(".v"))
    sources = {f"{FOLDER}/{name}": tree.text(root, f"{FOLDER}/{name}") for name in names}
    for path, text in sources.items():
        if text is None:
            print(f"{path} is not text", file=sys.stderr)
            sys.exit(3)
    return sources


def file_of(path):
    """The name that Coq has for a file."""
    return os.path.basename(path)[:-len(".v")]


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def without_comments(text):
    """The text with blanks in place of comments, which nest, and of strings; positions do not change."""
    kept, depth, at = [], 0, 0
    for match in re.finditer(r'\(\*|\*\)|"[^"]*"', text):
        piece = text[at:match.start()]
        kept.append(piece if depth == 0 else re.sub(r"[^\n]", " ", piece))
        kept.append(re.sub(r"[^\n]", " ", match[0]))
        at = match.end()
        depth += {"(*": 1, "*)": -1}.get(match[0], 0)
    kept.append(text[at:])
    return "".join(kept)


def comment_before(text, at):
    """The comment that ends right before a place, or an empty string."""
    before = text[:at].rstrip()
    if not before.endswith("*)"):
        return ""
    return before[before.rfind("(*"):]


def theorems_in(text):
    """Yields name, line and rows of each theorem of a source. There are no rows if the comment before
    the theorem does not begin with rows and a place in the sources."""
    for match in THEOREM.finditer(without_comments(text)):
        at = match.start(1)
        rows = ROWS.match(comment_before(text, at))
        yield match[2], line_of(text, at), rows[1].split(", ") if rows else []


def theorems_of(sources):
    """The theorems of the sources: name → (path, line, rows of the ledger)."""
    return {name: (path, line, rows) for path, text in sources.items() for name, line, rows in theorems_in(text)}
