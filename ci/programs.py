#!/usr/bin/env python3
"""Prints the programs of a build that a change concerns, as ninja's targets: `ci/programs.py ROOT --build
FOLDER [--leave-out]`.

With --leave-out the script removes the other programs, if they exist: a program that an earlier build left
there must not run. It prints their paths instead, and in the last line their tests, as an expression for
ctest -E.

A change concerns a program if it changes the code of a source that is built into it, or of a file that
such a source includes; comments do not count. A change of the CMakeLists.txt of a folder concerns the programs
that are built from files below that folder. A change concerns the programs of the tool if it changes the tests
in Python, or a library that the tool's users load. It concerns all programs if it changes how everything is
compiled, or a file that is not code, outside of the documents and the checks of the tree: programs read such
files when they run. FOLDER need only be configured.
"""

import argparse
import contextlib
import os
import re
import subprocess
import sys

import tree
from changed import CODE, base_of, differing, differing_code, with_included

# Files that say how everything is compiled.
EVERYTHING = ("CMakeLists.txt", "*.cmake", "CMakePresets.json", "cmake", ":!ci", ":!examples/cuda",
              ":!cmake/package", ":!cmake/toolkit_folder.cmake")
# Files that no program reads, and that no program is built from.
NO_PROGRAM = (":!docs", ":!ci", ":!.ci", ":!proofs/coq", ":!*.md", ":!*.py", *(f":!*{ending}" for ending in CODE),
              ":!*CMakeLists.txt", ":!*.cmake", ":!cmake")
# Headers that compilers find in an include folder, not by a path from the source that includes them.
FOUND_BY_NAME = ("cuda/headers",)
# The programs of the tool: its tests in Python run any of them.
TOOL = re.compile(r"bin/bankproof$|libexec/")
TESTS_OF_TOOL = ("*.py", ":!ci")
# A program that every change concerns, because it has the canaries of the sanitizers.
ALWAYS = ("bin/properties_canaries",)
LIST_OF_TESTS = "[1]_tests.cmake"


def ninja(build, *words):
    run = subprocess.run(["ninja", "-C", build, "-t", *words], capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"programs: {build} is not a folder that CMake configured for ninja: {run.stderr.strip()}")
    return [line for line in run.stdout.splitlines() if not line.startswith("ninja: ")]


def programs_of(build):
    """The paths of the programs, relative to the folder of the build."""
    return [path for path in linked(build) if not path.endswith(".cmake")]


def lists_of_tests(build):
    """The files in which GoogleTest programs list their tests for ctest."""
    return [path for path in linked(build) if path.endswith(LIST_OF_TESTS)]


def linked(build, kind="_EXECUTABLE_LINKER__"):
    """The paths, relative to the folder of the build, of the files that ninja's rules for linking programs
    make."""
    rules = (line.split(": ") for line in ninja(build, "targets", "all"))
    return [path for path, rule in rules if kind in rule and not os.path.isabs(path)]


def shared_libraries(build):
    """The libraries that programs load when they start."""
    return linked(build, "_SHARED_LIBRARY_LINKER__")


def concerned(root, build):
    """The programs that the change concerns."""
    programs, base = programs_of(build), base_of(root)
    if not programs:
        sys.exit(f"programs: {build} builds no program")
    if (base is None or differing_code(root, base, *EVERYTHING) or
            differing_code(root, base, ".", *NO_PROGRAM) or differing_code(root, base, *FOUND_BY_NAME)):
        return programs
    different = differing_code(root, base)
    known = {os.path.join(root, path) for path in different}
    rooms = tuple(os.path.join(root, os.path.dirname(path), "") for path in different
                  if os.path.basename(path) == "CMakeLists.txt")

    def differs(program):
        inputs = ninja(build, "inputs", program)  # an object is in a folder named as that of its CMakeLists.txt
        if any(os.path.join(root, path).startswith(rooms) for path in inputs):
            return True
        sources = (os.path.join(build, path) for path in inputs if path.endswith((*CODE, ".cxx")))
        return any(path in known or path.startswith(rooms) for source in sources if os.path.isfile(source)
                   for path, _ in with_included(source))

    found = {program for program in programs if differs(program)}
    if (any(TOOL.match(program) for program in found) or differing(root, base, *TESTS_OF_TOOL) or
            any(differs(library) for library in shared_libraries(build))):
        found |= {program for program in programs if TOOL.match(program)}
    return [program for program in programs if program in found or program in ALWAYS]


def leave_out(build, programs):
    """Removes programs; prints their paths, and in the last line their tests."""
    lists = {os.path.basename(program) + LIST_OF_TESTS for program in programs}
    for path in [*programs, *(path for path in lists_of_tests(build) if os.path.basename(path) in lists)]:
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(build, path))
    print(*programs, tests_of(programs), sep="\n")


def tests_of(programs):
    """An expression for the names of the tests that run these programs; a program that is not built has one
    test. The expression has one group for all programs: ctest ignores an expression of more than 31 groups."""
    tests = {"bin/bankproof": r"^cli\.", "bin/example_prefix_sums": r"^examples\."}
    names = [re.escape(os.path.basename(program)) for program in programs if program not in tests]
    expressions = [tests[program] for program in programs if program in tests]
    if names:
        expressions.append(rf"^({'|'.join(names)})(_NOT_BUILT|\.on_.*)?$")
    return "|".join(expressions)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--build", required=True, help="the folder of the build")
    parser.add_argument("--leave-out", action="store_true", help="remove the others, print their tests")
    arguments = parser.parse_args()
    root = os.path.realpath(arguments.root)
    if not tree.paths(root):
        sys.exit(f"programs: {root} has no files")
    build = os.path.realpath(arguments.build)
    found = concerned(root, build)
    if arguments.leave_out:
        leave_out(build, [program for program in programs_of(build) if program not in found])
    else:
        print("\n".join(found))


if __name__ == "__main__":
    main()
