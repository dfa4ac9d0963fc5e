#!/usr/bin/env python3
"""Prints the programs of a build that a change concerns, as ninja's targets: `ci/programs.py ROOT --build
FOLDER [--tests] [--leave-out]`.

With --tests the script prints, instead of all these programs, those that test what has changed (below).
With --leave-out it removes the other programs, if they exist: a program that an earlier build left
there must not run. It prints their paths instead, and in the last line their tests, as an expression for
ctest -E.

A change concerns a program if it changes the code of a source that is built into it, or of a file that
such a source includes, by a path or by a name in cuda/headers; comments do not count. A change of the
CMakeLists.txt of a folder concerns the programs that are built from files below that folder. A change concerns
the programs of the tool if it changes the tests in Python, or a library that the tool's users load. It concerns
all programs if it changes how everything is compiled, or a file that is not code, outside of the documents and
the checks of the tree: programs read such files when they run. FOLDER need only be configured.

A program tests what has changed if its own tests have, or the code of a folder that they stand for: the tests
below properties/ptx/ stand for ptx/, wherever else its code is linked. The programs of the tool, which the
tests in Python run, stand for cli/. Code for which no tests stand, such as text/ and cuda/headers/, is tested by
all programs that are built from it. How everything is compiled does not count here.
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
# Files that no program reads, and that no program is built from; and the headers of FOUND_BY_NAME.
NO_PROGRAM = (":!cuda/headers", ":!docs", ":!ci", ":!.ci", ":!proofs/coq", ":!*.md", ":!*.py",
              *(f":!*{ending}" for ending in CODE), ":!*CMakeLists.txt", ":!*.cmake", ":!cmake")
# Compilers find these headers in an include folder, not by a path from the source that includes them.
FOUND_BY_NAME = os.path.join("cuda", "headers")
# The programs of the tool: its tests in Python run any of them.
TOOL = re.compile(r"bin/bankproof$|libexec/")
TESTS_OF_TOOL = ("*.py", ":!ci")
# The folder that the tests in Python stand for.
FOLDER_OF_TOOL = "cli"
# Programs without tests.
BENCHMARK = re.compile(r"bin/bench_")
# A program that every change concerns, because it has the canaries of the sanitizers.
ALWAYS = ("bin/properties_canaries",)
LIST_OF_TESTS = "[1]_tests.cmake"
# The tests, as an expression for ctest, of programs whose tests do not have their names.
TESTS_OF = {"bin/bankproof": r"^cli\.", "example_prefix_sums": r"^examples\."}
# The folders of the tests in C++: properties/x/ stands for x/, and x/tests/ for x/.
TESTS = re.compile(r"^properties(/|$)|(?<=\w)/tests(/.*)?$")


def ninja(build, *words):
    run = subprocess.run(["ninja", "-C", build, "-t", *words], capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"programs: {build} is not a folder that CMake configured for ninja: {run.stderr.strip()}")
    return [line for line in run.stdout.splitlines() if not line.startswith("ninja: ")]


def programs_of(build):
    """The paths of the programs but the benchmarks, relative to the folder of the build."""
    return [path for path in linked(build) if not path.endswith(".cmake") and not BENCHMARK.search(path)]


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


class Change:
    """The difference from a base commit, and what of a build it touches."""

    def __init__(self, root, build, base):
        self.root, self.build = root, build
        different = differing_code(root, base)
        self.paths = {os.path.join(root, path) for path in different}
        # The folders, but for the root's, whose CMakeLists.txt differs.
        self.rebuilt = tuple(os.path.join(root, os.path.dirname(path), "") for path in different
                             if path.endswith("/CMakeLists.txt"))
        self.tests_of_tool = bool(differing(root, base, *TESTS_OF_TOOL))

    def has(self, path):
        return path in self.paths or path.startswith(self.rebuilt)

    def below(self, folder):
        return any(path.startswith(os.path.join(self.root, folder, "")) for path in self.paths)

    def inputs(self, program):
        """The paths of everything that a program is built from."""
        return ninja(self.build, "inputs", program)

    def sources(self, program):
        """The sources of the inputs, and everything of the tree that they include."""
        sources = (os.path.join(self.build, path) for path in self.inputs(program)
                   if path.endswith((*CODE, ".cxx")))
        return {path for source in sources if os.path.isfile(source)
                for path, _ in with_included(source, os.path.join(self.root, FOUND_BY_NAME))}

    def touches(self, program):
        """Whether the program is built from anything that differs."""
        # An object is in a folder of the build that is named as the folder of its CMakeLists.txt.
        return (any(os.path.join(self.root, path).startswith(self.rebuilt) for path in self.inputs(program)) or
                any(self.has(path) for path in self.sources(program)))

    def tests(self, program):
        """The program's own tests, relative to the root: those of its sources that lie in folders of tests."""
        paths = (os.path.relpath(path, self.root) for path in self.sources(program))
        return [path for path in paths if TESTS.search(os.path.dirname(path))]

    def folder(self, program):
        """The folder of the code that the program's tests stand for, or an empty text."""
        folders = [TESTS.sub("", os.path.dirname(path)) or os.path.splitext(os.path.basename(path))[0]
                   for path in self.tests(program) if path.endswith(".cpp")]
        return os.path.commonpath(folders) if folders else ""

    def tested_by(self, programs):
        """The programs whose tests differ, or the code that these tests stand for; and those built from code for
        which no tests stand."""
        folders = {program: self.folder(program) for program in programs}
        found = {program for program, folder in folders.items() if folder and self.below(folder) or
                 any(self.has(os.path.join(self.root, path)) for path in self.tests(program))}
        places = tuple(os.path.join(self.root, folder, "")
                       for folder in {*folders.values(), FOLDER_OF_TOOL} - {""})
        found_by_name = os.path.join(self.root, FOUND_BY_NAME, "")
        code = (path for path in self.paths if path.endswith(CODE) or path.startswith(found_by_name))
        rest = {path for path in code if not path.startswith(places)
                and not TESTS.search(os.path.dirname(os.path.relpath(path, self.root)))}
        return found | {program for program in programs if rest & self.sources(program)}


def concerned(root, build, tests=False):
    """The programs that the change concerns, or only those that test what has changed."""
    programs, base = programs_of(build), base_of(root)
    if not programs:
        sys.exit(f"programs: {build} builds no program")
    if base is None or not tests and (differing_code(root, base, *EVERYTHING) or
                                      differing_code(root, base, ".", *NO_PROGRAM)):
        return programs
    change = Change(root, build, base)
    if tests:
        found = change.tested_by(programs)
        tool = change.below(FOLDER_OF_TOOL)
    else:
        found = {program for program in programs if change.touches(program)}
        tool = (any(TOOL.match(program) for program in found) or change.below(FOUND_BY_NAME) or
                any(change.touches(library) for library in shared_libraries(build)))
    if tool or change.tests_of_tool:
        found |= {program for program in programs if TOOL.match(program)}
    return [program for program in programs if program in found or program in ALWAYS]


def leave_out(build, programs):
    """Removes programs; prints their paths, and in the last line their tests. Those that TESTS_OF names must
    be programs of the build: otherwise ctest would run the tests of a removed program."""
    missing = TESTS_OF.keys() - set(programs_of(build))
    if missing:
        sys.exit(f"programs: {build} builds no {', '.join(sorted(missing))}")
    lists = {os.path.basename(program) + LIST_OF_TESTS for program in programs}
    for path in [*programs, *(path for path in lists_of_tests(build) if os.path.basename(path) in lists)]:
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(build, path))
    print(*programs, tests_of(programs), sep="\n")


def tests_of(programs):
    """An expression for the names of the tests that run these programs; a program that is not built has one
    test. The expression has one group for all programs: ctest ignores an expression of more than 31 groups."""
    names = [re.escape(os.path.basename(program)) for program in programs if program not in TESTS_OF]
    expressions = [TESTS_OF[program] for program in programs if program in TESTS_OF]
    if names:
        expressions.append(rf"^({'|'.join(names)})(_NOT_BUILT|\.on_.*)?$")
    return "|".join(expressions)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--build", required=True, help="the folder of the build")
    parser.add_argument("--tests", action="store_true", help="only the programs that test what has changed")
    parser.add_argument("--leave-out", action="store_true", help="remove the others, print their tests")
    arguments = parser.parse_args()
    root = os.path.realpath(arguments.root)
    if not tree.paths(root):
        sys.exit(f"programs: {root} has no files")
    build = os.path.realpath(arguments.build)
    found = concerned(root, build, arguments.tests)
    if arguments.leave_out:
        leave_out(build, [program for program in programs_of(build) if program not in found])
    else:
        print("\n".join(found))


if __name__ == "__main__":
    main()
