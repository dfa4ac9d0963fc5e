#!/usr/bin/env python3
"""Checks the style rules that no other tool knows: `ci/layout.py ROOT`.

Includes go down the floors that docs/architecture.md draws, and folders do not include each other in a
circle (floors.py). Headers begin with a comment and `#pragma once`. No file has more than 400 lines.
Only one file of a folder uses a name in its unnamed namespace (unnamed.py). The text is clean. A
violation is one line, `file:line: what`.
"""

import collections
import posixpath
import re
import sys

import floors
import tree
import unnamed

MOST_LINES = 400

# Data, which is not checked.
DATA = re.compile(r"examples/|cli/fuzz/corpus/")

HEADERS = (".hpp", ".cuh")
SOURCES = HEADERS + (".cpp", ".cu")
SCRIPTS = (".py", ".sh", ".cmake")
PLAIN_TEXT = (".md", ".txt", ".json", ".yml", ".xml")

MACHINE_PATH = re.compile(r"(?<![\w.~$}])/(work|root|home)/")
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME)\b")


def include_problem(path, quoted, installed, known, rooms):
    """The problem with one include of the file at path, or None."""
    target = floors.target_of(path, quoted, installed)
    if quoted and target not in known:
        return f'includes "{quoted}", which is not in the tree: write <{quoted}> for a library'
    inner = re.match(r"([\w/]+/(?:tests|fuzz))/", target)
    if inner and not path.startswith(inner[1]):
        return f"only {inner[1]}/ may include {target}"
    return floors.problem(rooms, path, target)


def source_problems(path, lines, known, rooms):
    """Yields (line number, problem) for a C++ or CUDA file."""
    if not lines[0].startswith("//"):
        yield 1, "does not open with a comment that tells its idea"
    code = [i for i, line in enumerate(lines) if line.strip() and not line.startswith("//")]
    if path.endswith(HEADERS):
        if not code or lines[code[0]] != "#pragma once":
            yield (code[0] + 1 if code else 1), "`#pragma once` is not the first line of code"
        for number, line in enumerate(lines, 1):
            if re.match(r"\s*using\s+namespace\b", line):
                yield number, "`using namespace` in a header"
    if not floors.room_of(rooms, path):
        yield 1, f"stands in no room of {floors.PLAN}"
    for number, line in enumerate(lines, 1):
        match = floors.INCLUDE.match(line)
        problem = match and include_problem(path, match[1], match[2], known, rooms)
        if problem:
            yield number, problem


def text_problems(lines):
    """Yields (line number, problem) for any text."""
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield number, "a tab"
        if line != line.rstrip():
            yield number, "blanks at the end of the line"
        if MACHINE_PATH.search(line):
            yield number, "names a path of one machine"
        if UNFINISHED.search(line):
            yield number, "marks unfinished work"


def is_script(path, content):
    return path.endswith(SCRIPTS) or content.startswith("#!")


def script_problems(lines):
    """Yields (line number, problem) for a script, which has to say what it is for, as sources do."""
    first = lines[1] if lines[0].startswith("#!") and len(lines) > 1 else lines[0]
    if not first.startswith(("#", '"""')):
        yield 1, "does not open with a comment that tells its idea"


def file_problems(path, content, known, rooms):
    """Yields (line number, problem) for one file."""
    lines = content.split("\n")
    if lines.pop() != "":
        yield len(lines) + 1, "no newline at the end"
        return
    if not lines:
        yield 1, "an empty file"
        return
    source, script = path.endswith(SOURCES), is_script(path, content)
    if path == "LICENSE" or not (source or script or path.endswith(PLAIN_TEXT)):
        return
    yield from text_problems(lines)
    if source:
        yield from source_problems(path, lines, known, rooms)
    if script:
        yield from script_problems(lines)
    if (source or script) and len(lines) > MOST_LINES:
        yield MOST_LINES + 1, f"{len(lines)} lines; more than {MOST_LINES} become a folder"


# Each of these sources is a program.
ALONE = re.compile(r"bench/[^/]+$|.*/fuzz/")


def main(root):
    known = tree.paths(root)
    rooms, problems = floors.read(tree.text(root, floors.PLAN) if floors.PLAN in known else "")
    folders, sources = collections.defaultdict(dict), {}
    for path in known:
        content = tree.text(root, path)
        if content is None or DATA.match(path):
            continue
        if path.endswith(SOURCES):
            sources[path] = content
        problems += [f"{path}:{line}: {what}"
                     for line, what in file_problems(path, content, set(known), rooms)]
        if path.endswith(".cpp") and not ALONE.match(path):
            folders[posixpath.dirname(path)][path] = content
    for group in folders.values():
        problems += [f"{path}:{line}: {what}" for path, line, what in unnamed.problems(group)]
    problems += floors.circles(sources)
    tree.report("layout", problems, sources and f"{len(sources)} sources of {len(known)} files")


if __name__ == "__main__":
    main(sys.argv[1])
