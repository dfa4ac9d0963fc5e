#!/usr/bin/env python3
"""Prints ninja's targets that compile, each alone, the headers that a change concerns: `ci/headers.py
ROOT`.

A header is concerned where it has changed, or something that it includes, or how everything is compiled.
ci/changed.py tells what has changed. ci/check --thorough compiles all headers, by the target `headers`.
"""

import os
import sys

import tree
from changed import base_of, changed, differing, with_included

FOLDERS = ("model", "oracles", "algorithms", "processes", "testing", "proofs", "properties", "cuda",
           "bench", "cli", "examples")  # those of cmake/headers.cmake
BUILD = ("CMakeLists.txt", "cmake/headers.cmake", "cmake/libraries.cmake", "cmake/options.cmake")


def concerned(root):
    """The headers that the change concerns, as paths from the root."""
    base = base_of(root)
    headers = [path for path in tree.paths(root)
               if path.endswith(".hpp") and path.split("/")[0] in FOLDERS]
    if base is None or differing(root, base, *BUILD):
        return headers
    known = {os.path.join(root, path) for path in changed(root, base)}
    return [header for header in headers
            if any(path in known for path, _ in with_included(os.path.join(root, header)))]


def main():
    for header in concerned(os.path.realpath(sys.argv[1])):
        print(f"CMakeFiles/headers.dir/headers/{header}.cpp.o")


if __name__ == "__main__":
    main()
