"""The instrumented build: a copy of the tree with all mutants of a run, built once."""

import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import tree
from mutation.plant import BEFORE, HEAD, with_mutants
from mutation.syntax import errors_in

# The lines in which compilers name the place that led to an error inside a library.
PLACE = re.compile(r"^(/[^\s:]+):(\d+):\d+: +(?:recursively required|required|note: in instantiation)",
                   re.MULTILINE)
ERROR = re.compile(r"^(/[^\s:]+):(\d+):(\d+): (?:fatal )?error: ", re.MULTILINE)
NUMBER = re.compile(rb"planted::mutant\((\d+)\)")
HEADER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "mutant.hpp")


class DoesNotBuild(Exception):
    """The copy does not build, for a reason other than a mutant."""


def write_if_changed(path, data):
    """Writes a file unless it has these bytes already, so that nothing is rebuilt for it."""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            if file.read() == data:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def lines_of(path):
    if not os.path.isfile(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")


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
        self.dead = os.path.join(folder, "do-not-compile.txt")
        self.order = os.path.join(folder, "numbers.txt")

    def plain(self, path):
        with open(os.path.join(self.root, path), "rb") as file:
            return file.read()

    def has_mutants(self, path):
        """Whether a file of the copy, given by its absolute path, contains mutants."""
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            begin = (HEAD % self.header.encode()).partition(b"\n")[0]
            return file.read(len(begin)) == begin

    def numbered(self, mutants):
        """The mutants by their numbers, from 1. Mutants of an earlier run keep their numbers, so that
        their files are not rebuilt."""
        order = [digest for digest in lines_of(self.order) if digest]
        number_of = {digest: number for number, digest in enumerate(order, 1)}
        with open(self.order, "a", encoding="utf-8") as file:
            for mutant in mutants:
                if mutant.digest() not in number_of:
                    number_of[mutant.digest()] = len(number_of) + 1
                    file.write(mutant.digest() + "\n")
        return {number_of[mutant.digest()]: mutant for mutant in mutants}

    def write(self, mutants=None, dead=frozenset()):
        """Writes all files of the tree, with all mutants by number except the dead ones. Before mutants
        are drawn, files with mutants of the last run keep them, because they are mostly the same."""
        planted, known = {}, set(self.known)
        for number, mutant in (mutants or {}).items():
            if number not in dead:
                planted.setdefault(mutant.path, []).append((mutant, number))
        for path in self.known:
            text = self.plain(path)
            if path in planted:
                text = with_mutants(text, planted[path], self.header)
            copied = os.path.join(self.tree, path)
            if mutants is None and self.has_mutants(copied):
                continue
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
        """The command that compiles a file: its own command, that of the header's source in headers/, or
        another file's."""
        if self.commands is None:
            with open(os.path.join(self.build, "compile_commands.json"), encoding="utf-8") as file:
                self.commands = [entry for entry in json.load(file)
                                 if entry["file"].endswith((".cpp", ".cxx"))]
        best = min(self.commands, key=lambda entry: (
            os.path.realpath(entry["file"]) != os.path.realpath(os.path.join(self.tree, path)),
            not entry["file"].endswith(f"/headers/{path}.cpp"), "/headers/" not in entry["file"]))
        words = shlex.split(best["command"])
        return ["-x", "c++", "-Wno-narrowing", *(word for word in words if word.startswith(("-I", "-D", "-std=")))]

    def errors_in(self, paths, text_of):
        """The errors that clang's parser reports about files, given their texts: path, line, column,
        words. Subtracts the lines that mutants put before a file."""
        with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
            futures = [pool.submit(errors_in, os.path.join(self.tree, path), text_of(path),
                                   self.arguments(path)) for path in paths]
            return [(path, line - (BEFORE if self.has_mutants(path) else 0), column, words)
                    for future in futures for path, line, column, words in future.result()]

    def planted(self, path):
        with open(os.path.join(self.tree, path), "rb") as file:
            return file.read()

    def make(self, mutants):
        """Builds with mutants by number, and returns the numbers of those that do not compile. The copy
        remembers these."""
        remembered = set(lines_of(self.dead))
        dead = {number for number, mutant in mutants.items() if mutant.digest() in remembered}
        paths = sorted({mutant.path for mutant in mutants.values()})
        while True:
            self.write(mutants, dead)
            errors = self.errors_in(paths, self.planted)
            guilty, output = self.guilty(errors, mutants), "\n".join(map(str, errors))
            if not errors:
                output = self.run_build()
                if output is None:
                    return dead
                guilty = self.at_errors(output, mutants)
            if not guilty - dead:
                raise DoesNotBuild(output[-4000:])
            dead |= guilty
            with open(self.dead, "a", encoding="utf-8") as file:
                file.writelines(mutants[number].digest() + "\n" for number in guilty)
            print(f"ci/mutants: mutants that do not compile: {len(dead)}; building without them",
                  file=sys.stderr, flush=True)

    def run_build(self):
        """The output of the build if it fails."""
        run = subprocess.run(["cmake", "--build", self.build, "--", "-k", "0"], text=True, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with open(os.path.join(self.build, "log.txt"), "w", encoding="utf-8") as file:
            file.write(run.stdout)
        return run.stdout if run.returncode else None

    def on_lines(self, places, mutants):
        """The mutants on these lines, which are pairs of a path and a line."""
        known = {(os.path.relpath(path, self.tree), int(line)) for path, line in places}
        return {number for number, mutant in mutants.items()
                if any((mutant.path, line) in known
                       for line in range(mutant.line, mutant.last_line + 1))}

    def guilty(self, errors, mutants):
        """For each error, the last mutant before it on its line; for an error that occurs again, all
        mutants on the line. An error is a path, a line and a column."""
        found = set()
        for path, line, column, *_ in errors:
            here = self.on_lines([(path, line)], mutants)
            if here and (path, line) not in self.blamed:
                with open(path, "rb") as file:
                    text = file.read().split(b"\n")[line + BEFORE - 1]  # `#line 1` counts from 0
                before = [int(match[1]) for match in NUMBER.finditer(text[:column])]
                here = {before[-1]} if before else here
            found |= here
        self.blamed |= {(path, line) for path, line, *_ in errors}
        return found

    def at_errors(self, output, mutants):
        """The mutants at the compiler's errors; if there are none, all on the lines that led to the
        errors."""
        found, start, errors = set(), 0, []
        for error in ERROR.finditer(output):
            around = output[start:error.end()] + output[error.end():error.end() + 2000]
            start = error.end()
            if self.on_lines([(error[1], error[2])], mutants):
                errors.append((error[1], int(error[2]), int(error[3])))
            else:
                found |= self.on_lines(PLACE.findall(around), mutants)
        return found | self.guilty(errors, mutants)
