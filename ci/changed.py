"""Lists the C++ and CUDA files that differ from a base commit, uncommitted changes included.

The base is $BANKPROOF_BASE if set. Else, if the branch has commits of its own, it is the commit at which
the branch left origin/main. Else (on main itself, as in a fresh clone) it is the tenth last commit.
Without a base, all files count as changed.
"""

import functools
import os
import re
import subprocess
import sys

import tree

LAST_COMMITS = 10
CODE = (".hpp", ".cpp", ".cuh", ".cu")
BUILD_CODE = (".cmake", "CMakeLists.txt")
ESCAPE = re.compile(r"\\.")
# Strings, characters and comments, each whole.
TOKEN = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
INCLUDE_BY_NAME = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.MULTILINE)


def git(root, *arguments):
    """The output of git, or None if git fails."""
    run = subprocess.run(["git", "-c", "safe.directory=*", "-C", root, *arguments],
                         capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else None


def base_of(root):
    """The commit to compare with, or None."""
    if os.environ.get("BANKPROOF_BASE"):
        return os.environ["BANKPROOF_BASE"]
    head, left = git(root, "rev-parse", "HEAD"), git(root, "merge-base", "HEAD", "origin/main")
    if left and left != head:
        return left
    return git(root, "rev-parse", "--verify", "-q", f"HEAD~{LAST_COMMITS}")


def differing(root, base, *paths):
    """The names of the files that differ from the base; if paths are given, only of files below these
    paths."""
    names = git(root, "diff", "--name-only", base, "--", *paths)
    if names is None:
        sys.exit(f"git cannot compare with {base}")
    others = git(root, "ls-files", "-o", "--exclude-standard", "--", *paths)
    return {name for name in [*names.split("\n"), *(others or "").split("\n")] if name}


def code_of(text):
    """The code of a source, for comparison: the number of files that it includes, and its text without
    comments and blanks, with strings reduced to their escapes. Comments for clang-tidy stay. If this code
    is the same, a compiler that accepted the source at its old path accepts it again.
    """
    return len(INCLUDE.findall(text)), "".join(TOKEN.sub(essence, INCLUDE.sub("", text)).split())


def header_code_of(text):
    """The same for a header, with the names of the files that it includes: a header has to compile
    alone."""
    return sorted(name.split("/")[-1] for name in INCLUDE.findall(text)), code_of(text)


def essence(match):
    token = match[0]
    if token.startswith("/"):
        return token if "NOLINT" in token else ""
    return '"' + "".join(ESCAPE.findall(token)) + '"' if token.startswith('"') else token


def before(root, base):
    """Maps each path that differs from the base to its path in the base; new files are left out."""
    # 30%: in a short file, new comments can change most of the lines.
    told = git(root, "-c", "diff.renameLimit=5000", "diff", "--name-status", "-M30%", "-z", base)
    if told is None:
        sys.exit(f"git cannot compare with {base}")
    words, found = iter(told.split("\0")), {}
    for status in words:
        if status[:1] in ("R", "C"):
            old, new = next(words), next(words)
            found[new] = old
        elif status:
            path = next(words)
            if status == "M":
                found[path] = path
    return found


def build_code_of(text):
    """The lines of a file that CMake reads: all but the comments."""
    return [line for line in text.split("\n") if not line.lstrip().startswith("#")]


READERS = (((".hpp", ".cuh"), header_code_of), (CODE, code_of), (BUILD_CODE, build_code_of))


def differing_code(root, base, *paths):
    """The names of files, optionally only those below the paths, whose code differs from the base: not
    those that have only moved, or have other comments.
    """
    names, old = differing(root, base, *paths), before(root, base)

    def same(path):
        text = git(root, "show", f"{base}:{old[path]}") if path in old else None
        of = next((of for endings, of in READERS if path.endswith(endings)), str)
        return text is not None and of(text) == of((tree.text(root, path) or "").strip())

    return {path for path in names if not same(path)}


def changed(root, base):
    """The paths of the sources whose code differs from the base, or of all sources if there is no base."""
    known = [path for path in tree.paths(root) if path.endswith(CODE)]
    if base is None:
        return known
    names = differing_code(root, base)
    return [path for path in known if path in names]


@functools.cache
def read(path):
    """The text of a file, the paths that it includes, and the names that it includes in angle brackets; a deleted
    file has an empty text."""
    if not os.path.isfile(path):
        return "", [], []
    with open(path, encoding="utf-8") as file:
        text = file.read()
    paths = [os.path.realpath(os.path.join(os.path.dirname(path), name)) for name in INCLUDE.findall(text)]
    return text, paths, INCLUDE_BY_NAME.findall(text)


def with_included(source, folder=None):
    """The path and the text of a source and of everything of this tree that it includes, each once: by a path, or
    by a name in the folder."""
    seen, open_files = set(), [os.path.realpath(source)]
    while open_files:
        path = open_files.pop()
        if path in seen:
            continue
        seen.add(path)
        text, included, names = read(path)
        yield path, text
        open_files += included
        if folder:
            found = (os.path.join(folder, name) for name in names)
            open_files += [os.path.realpath(header) for header in found if os.path.isfile(header)]
