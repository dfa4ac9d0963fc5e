#!/usr/bin/env python3
"""Prints ninja's targets that compile, each alone, the headers that a change concerns: `ci/headers.py
ROOT`.

A change concerns a header if it changes the code of the header, the code of a file that the header
includes, or how everything is compiled; comments do not count. ci/changed.py lists the changed files.
ci/check --thorough compiles all headers, by the target `headers`.
"""

import argparse
import os
import sys

import tree
from changed import base_of, differing_code, with_included

# Files that decide how everything is compiled. ci/ only has tests of the tree itself, and
# examples/cuda/CMakeLists.txt is for users.
BUILD = ("*CMakeLists.txt", "*.cmake", "CMakePresets.json", "cmake", ":!ci", ":!examples/cuda")


def concerned(root):
    """The headers that the change concerns, as paths from the root."""
    base = base_of(root)
    headers = [path for path in tree.paths(root) if path.endswith(".hpp") and not path.startswith("ci/")]
    if base is None or differing_code(root, base, *BUILD):
        return headers
    known = {os.path.join(root, path) for path in differing_code(root, base)}
    return [header for header in headers
            if any(path in known for path, _ in with_included(os.path.join(root, header)))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    root = os.path.realpath(parser.parse_args().root)
    if not os.path.isfile(os.path.join(root, "cmake", "headers.cmake")):
        sys.exit(f"headers: {root} is not the tree: it has no cmake/headers.cmake")
    for header in concerned(root):
        print(f"CMakeFiles/headers.dir/headers/{header}.cpp.o")


if __name__ == "__main__":
    main()
