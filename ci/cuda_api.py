#!/usr/bin/env python3
"""Ties docs/cuda-api.md to the functions of CUDA's runtime that the machine has:
`ci/cuda_api.py ROOT [--library FILE] [--toolkit FOLDER] [--write]`.

cuda/runtime/functions.def has every function of CUDA 13's runtime; docs/cuda-api.md shows the same
table, and --write writes it there. With --library, the library exports these names and no others. With
--toolkit, the table has all functions that the toolkit's library exports, and no others. With both, the
libraries also have the same versions of functions for per-thread default streams.
"""

import argparse
import os
import re
import subprocess
import sys

DEFINITIONS = "cuda/runtime/functions.def"
DOCUMENT = "docs/cuda-api.md"
ROW = re.compile(r'(implemented|accepted|refused)\((\w+)(?:, "([^"]+)")?\)')
TABLE = re.compile(r"(?<=\n)\| function \| here \|\n\|---\|---\|\n(?:\|.*\n)*")
VERSIONED = re.compile(r"_pt[sd][sz]$")  # for programs whose default streams are per thread


def functions(root):
    """Returns {name: (kind, reason)} in the order of the file."""
    found = {}
    with open(os.path.join(root, DEFINITIONS), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("//") or not line.strip():
                continue
            row = ROW.fullmatch(line.strip())
            if row is None or (row[1] == "implemented") != (row[3] is None) or row[2] in found:
                sys.exit(f"{DEFINITIONS}:{number}: expected a function once, as its first lines say")
            found[row[2]] = (row[1], row[3])
    return found


def table(known):
    lines = [f"| `{name}` | {kind}{': ' + reason if reason else ''} |"
             for name, (kind, reason) in known.items() if not name.startswith("__")]
    return "\n".join(["| function | here |", "|---|---|", *lines]) + "\n"


def exported(library, versions=False):
    """The functions that a shared library exports, with or without the versions for per-thread streams."""
    run = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    names = (line.split()[-1].split("@")[0] for line in run.stdout.splitlines()
             if line.split()[-2] in ("T", "W"))
    return {name if versions else VERSIONED.sub("", name) for name in names}


def differences(what, found, known):
    return ([f"{what} has {name}, which {DEFINITIONS} has not" for name in sorted(found - known)] +
            [f"{DEFINITIONS} has {name}, which {what} has not" for name in sorted(known - found)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--library", help="the library that stands in for CUDA's runtime")
    parser.add_argument("--toolkit", help="the folder of CUDA 13's toolkit")
    parser.add_argument("--write", action="store_true", help=f"write the table of {DOCUMENT}")
    arguments = parser.parse_args()
    known = functions(arguments.root)
    path = os.path.join(arguments.root, DOCUMENT)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if len(TABLE.findall(text)) != 1:
        sys.exit(f"{DOCUMENT}: expected one table 'function | here'")
    wanted = TABLE.sub(lambda _: table(known), text)
    problems = []
    if arguments.write:
        with open(path, "w", encoding="utf-8") as file:
            file.write(wanted)
    elif wanted != text:
        problems.append(f"{DOCUMENT}: the table is not that of {DEFINITIONS}; "
                        "'ci/cuda_api.py . --write' writes it")
    if arguments.library:
        problems += differences(arguments.library, exported(arguments.library), set(known))
    if arguments.toolkit:
        library = os.path.join(arguments.toolkit, "lib64", "libcudart.so.13")
        problems += differences(library, exported(library), set(known))
        if arguments.library:
            other = exported(arguments.library, versions=True)
            problems += [f"{library} has {name}, which {arguments.library} has not"
                         for name in sorted(exported(library, versions=True) - other)
                         if VERSIONED.search(name)]
    print("\n".join(problems) or f"cuda_api: ok, {len(known)} functions")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
