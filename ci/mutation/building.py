"""The instrumented build: a copy of the tree with all mutants of a run planted in it, built once."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import tree
from mutation.plant import BEFORE, with_mutants

# How the compilers say which place led to an error inside of a library.
PLACE = re.compile(r"^(/[^\s:]+):(\d+):\d+: +(?:recursively required|required|note: in instantiation)",
                   re.MULTILINE)
ERROR = re.compile(r"^(/[^\s:]+):(\d+):(\d+): (?:fatal )?error: ", re.MULTILINE)
NUMBER = re.compile(rb"planted::mutant\((\d+)\)")
HEADER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "mutant.hpp")


class DoesNotBuild(Exception):
    """The copy does not build, for another reason than a mutant."""


def write_if_changed(path, data):
    """Leaves the time of a file that has these bytes, so that nothing is built again for it."""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            if file.read() == data:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


class Copy:
    """A copy of the tree in FOLDER/tree, built in FOLDER/build."""

    def __init__(self, root, folder):
        self.root, self.tree, self.build = root, os.path.join(folder, "tree"), os.path.join(folder, "build")
        self.header = os.path.join(folder, "mutant.hpp")
        os.makedirs(folder, exist_ok=True)
        with open(HEADER, "rb") as file:
            write_if_changed(self.header, file.read())
        self.known = tree.paths(root)
        self.commands = None
        self.blamed = set()

    def plain(self, path):
        with open(os.path.join(self.root, path), "rb") as file:
            return file.read()

    def write(self, mutants, dead=frozenset()):
        """Writes all files of the tree, each mutant by its number from 1 but the dead ones."""
        planted, known = {}, set(self.known)
        for number, mutant in enumerate(mutants, 1):
            if number not in dead:
                planted.setdefault(mutant.path, []).append((mutant, number))
        for path in self.known:
            text = self.plain(path)
            if path in planted:
                text = with_mutants(text, planted[path], self.header)
            copied = os.path.join(self.tree, path)
            write_if_changed(copied, text)
            shutil.copymode(os.path.join(self.root, path), copied)
        for folder, _, files in os.walk(self.tree):
            for name in files:
                path = os.path.relpath(os.path.join(folder, name), self.tree)
                if path not in known and "__pycache__" not in path:
                    os.remove(os.path.join(folder, name))

    def configure(self, options):
        run = subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", *options],
                             capture_output=True, text=True, check=False)
        if run.returncode:
            raise DoesNotBuild(run.stdout + run.stderr)

    def arguments(self, path):
        """How a file is compiled: as it is alone, as its header is, or as another file is."""
        if self.commands is None:
            with open(os.path.join(self.build, "compile_commands.json"), encoding="utf-8") as file:
                self.commands = [entry for entry in json.load(file)
                                 if entry["file"].endswith((".cpp", ".cxx"))]
        best = min(self.commands, key=lambda entry: (
            os.path.realpath(entry["file"]) != os.path.realpath(os.path.join(self.tree, path)),
            not entry["file"].endswith(f"/headers/{path}.cpp"), "/headers/" not in entry["file"]))
        words = shlex.split(best["command"])
        return ["-x", "c++", *(word for word in words if word.startswith(("-I", "-D", "-std=")))]

    def make(self, mutants):
        """Builds; gives the numbers of the mutants that do not compile."""
        dead = set()
        while True:
            self.write(mutants, dead)
            lines = []
            with subprocess.Popen(["cmake", "--build", self.build, "--", "-k", "0"], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
                for line in process.stdout:
                    lines.append(line)
                    if sys.stderr.isatty() and line.startswith("["):
                        print(f"\r{line[:line.find(']') + 1]}", end="", file=sys.stderr)
            output = "".join(lines)
            with open(os.path.join(self.build, "log.txt"), "w", encoding="utf-8") as file:
                file.write(output)
            if process.returncode == 0:
                return dead
            guilty = self.at_errors(output, mutants) - dead
            if not guilty:
                raise DoesNotBuild(output[-4000:])
            print(f"ci/mutants: mutants that do not compile: {len(guilty)}; building without them",
                  file=sys.stderr, flush=True)
            dead |= guilty

    def at_errors(self, output, mutants):
        """The mutants that errors name: the last one on the line before the error, or else all on the
        line; failing these, all on the lines that led there."""
        def on_lines(places):
            known = {(os.path.relpath(path, self.tree), int(line)) for path, line in places}
            return {number for number, mutant in enumerate(mutants, 1)
                    if any((mutant.path, line) in known
                           for line in range(mutant.line, mutant.last_line + 1))}
        guilty, start = set(), 0
        for error in ERROR.finditer(output):
            path, line, column = error[1], int(error[2]), int(error[3])
            around = output[start:error.end()] + output[error.end():error.end() + 2000]
            start = error.end()
            here = on_lines([(path, line)])
            if here and (path, line) not in self.blamed:
                self.blamed.add((path, line))
                with open(path, "rb") as file:
                    text = file.read().split(b"\n")[line + BEFORE - 1]  # `#line 1` counts from 0
                before = [int(match[1]) for match in NUMBER.finditer(text[:column])]
                here = {before[-1]} if before else here
            guilty |= here or on_lines(PLACE.findall(around))
        return guilty
