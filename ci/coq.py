#!/usr/bin/env python3
"""Checks the proofs of proofs/coq: `ci/coq.py ROOT --build FOLDER [--checker]`.

The sources assume nothing: no axiom, no parameter, no unfinished proof. Coq accepts each file (compiled
in FOLDER if the file, or a file that it needs, has changed), and reports that all theorems together are
closed. With --checker, Coq's second program, coqchk, checks the compiled files and the library again.
Each theorem names its rows of the ledger and the place in the sources. ci/claims.py ties the ledger's
claims about Coq to these theorems.

Exit 0: all hold; 1: some do not; 3: Coq is missing, or another version does not accept the files, or
Coq does not end, or there is nothing to check.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys

import claims
import tree
from coq_sources import FOLDER, file_of, line_of, sources_of, theorems_in, without_comments

LIBRARY = "Bankproof"
WRITTEN_FOR = "8.16"
QUESTION = "Assumptions"
EXTRACTION = "Extraction"
CLOSED = "Closed under the global context"
CHECK_TIMEOUT = 1800
COMPILE_TIMEOUT = 300

# Words that let a statement pass without a proof, or let it mean something else than it says.
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjectures?|Primitive|"
    r"Declare\s+(?:Module|Instance)|Admit\s+Obligations|"
    r"bypass_check|Extract\s+(?:Inlined\s+)?(?:Constant|Inductive)|"
    r"(?:Unset|Set)\s+(?:Guard\s+Checking|Positivity\s+Checking|Universe\s+Checking))\b")
# These words are found anywhere in a line: also after `Time`, an attribute, or another sentence.
IN_SECTIONS = re.compile(r"\b(Hypothes[ie]s|Variables?|Context)\b")
SECTION = re.compile(r"\b(Section|End)\s+\w+\s*\.")


def source_problems(path, text):
    """Yields `path:line: what` for everything that a source may not contain."""
    if not text.startswith("(* "):
        yield f"{path}:1: does not open with a comment that tells its idea"
    code = without_comments(text)
    for match in FORBIDDEN.finditer(code):
        yield f"{path}:{line_of(code, match.start())}: `{' '.join(match[0].split())}` is a gap in a proof"
    sections = [(match.start(1), 1 if match[1] == "Section" else -1) for match in SECTION.finditer(code)]
    for match in IN_SECTIONS.finditer(code):
        if sum(step for at, step in sections if at < match.start(1)) <= 0:
            line = line_of(code, match.start(1))
            yield f"{path}:{line}: `{match[1]}` outside of a section is an axiom"


def theorem_problems(sources):
    """Yields theorems without rows, rows without a claim, and theorems with the same name."""
    places = {}
    if f"{FOLDER}/{QUESTION}.v" in sources:
        yield f"{FOLDER}/{QUESTION}.v: this is the name of the file that asks Coq about the others"
    for path, text in sources.items():
        for name, line, rows in theorems_in(text):
            place = f"{path}:{line}: theorem {name}"
            if not rows:
                yield f"{place}: no comment before it begins with rows of the ledger and the place in the sources"
            yield from (f"{place}: the ledger has no row {row}" for row in rows if row not in claims.IDS)
            if name in places:
                yield f"{place}: {places[name]} has this name, too"
            places.setdefault(name, path)


def question(sources):
    """A file that asks Coq what all theorems together assume."""
    named = [f"{LIBRARY}.{file_of(path)}.{name}" for path, text in sources.items()
             for name, _, _ in theorems_in(text)]
    files = sorted({name.split(".")[1] for name in named})
    return (f"From {LIBRARY} Require {' '.join(files)}.\nDefinition theorems := (" +
            ",\n  ".join(f"@{name}" for name in named) + ").\nPrint Assumptions theorems.\n")


class NoSetUp(Exception):
    """Coq is missing, has another version, or does not end. This says nothing about the proofs."""


class Coq:
    """Compiles the sources in a folder, with a file that asks Coq what their theorems assume."""

    def __init__(self, sources, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        texts = {file_of(path): text for path, text in sources.items()} | {QUESTION: question(sources)}
        self.names = sorted(texts)
        for name, text in texts.items():
            self.write(f"{name}.v", text)
        listed = {f"{name}.v" for name in self.names}
        for name in os.listdir(folder):  # a file that has been renamed
            if name.endswith((".v", ".vo", ".digest")) and name.rsplit(".", 1)[0] + ".v" not in listed:
                os.remove(os.path.join(folder, name))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        if self.read(name) != text:
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)

    def remove(self, name):
        if os.path.exists(self.path(name)):
            os.remove(self.path(name))

    def read(self, name):
        try:
            with open(self.path(name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def call(self, program, *arguments, timeout=COMPILE_TIMEOUT):
        """The exit status and the output of one of Coq's programs."""
        command = [program, "-Q", ".", LIBRARY, *arguments]
        try:
            run = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)
        except FileNotFoundError as missing:
            raise NoSetUp(f"there is no {program}") from missing
        except subprocess.TimeoutExpired as late:
            raise NoSetUp(f"{' '.join(command)} takes more than {timeout} s") from late
        return run.returncode, run.stdout

    def version(self):
        """The version, such as 8.16.1."""
        status, told = self.call("coqc", "--print-version")
        if status or not told.split():
            raise NoSetUp(f"coqc does not tell its version: {told.strip()}")
        return told.split()[0]

    def refusal(self, what, program, output):
        """The refusal of one of Coq's programs; a finding if Coq has the version that the sources are
        for."""
        told = f"{what}: {program} does not accept it\n{output.strip()}"
        if self.version().startswith(f"{WRITTEN_FOR}."):
            return told
        raise NoSetUp(f"{told}\nwritten for Coq {WRITTEN_FOR}, this is {self.version()}")

    def order(self):
        """The names of the files, each after the files that it needs; and the files that each needs."""
        names = self.names
        status, rules = self.call("coqdep", *(f"{name}.v" for name in names))
        if status:
            return None, rules
        needs = {}
        for line in rules.splitlines():
            made = re.match(r"(\w+)\.vo .*?: (.*)", line)
            if made:
                needs[made[1]] = [name for name in re.findall(r"(\w+)\.vo\b", made[2]) if name in names]
        done = []
        while len(done) < len(names):
            ready = [name for name in names if name not in done and set(needs[name]) <= set(done)]
            if not ready:
                return None, "the files need each other"
            done += ready
        return [(name, needs[name]) for name in done], ""

    def problems(self):
        """Compiles what has changed, and yields what Coq does not accept."""
        asked_each_time = (QUESTION, EXTRACTION)  # for its answer; for the extracted code
        order, why = self.order()
        if order is None:
            yield f"{FOLDER}: {why.strip()}"
            return
        version = self.version()
        digests = {}
        for name, needs in order:
            made_of = [version, self.read(f"{name}.v"), *(digests[need] for need in needs)]
            digests[name] = hashlib.sha256("\0".join(made_of).encode()).hexdigest()
            compiled = os.path.exists(self.path(f"{name}.vo"))
            if compiled and self.read(f"{name}.digest") == digests[name] and name not in asked_each_time:
                continue
            self.remove(f"{name}.digest")  # first: the compiled file is about to change
            status, output = self.call("coqc", "-q", f"{name}.v")
            if status:
                yield self.refusal(f"{FOLDER}/{name}.v", "coqc", output)
                return
            self.write(f"{name}.digest", digests[name])
            if name == QUESTION and output.strip() != CLOSED:
                yield f"{FOLDER}: its theorems assume something\n{output.strip()}"

    def checker_problems(self):
        """The problems that coqchk finds in the compiled files."""
        status, output = self.call("coqchk", "-silent", "-o", f"{LIBRARY}.{QUESTION}",
                                   timeout=CHECK_TIMEOUT)
        gaps = [line for line in re.findall(r"^\* (.*\S)\s*$", output, re.MULTILINE)
                if not line.startswith("Theory: Set is predicative") and not line.endswith(": <none>")]
        if status or "* Axioms: <none>" not in output or gaps:
            yield self.refusal(FOLDER, "coqchk", output)


def problems_of(sources, coq, checker):
    """All problems; first those that the text of the sources shows."""
    found = [problem for path, text in sources.items() for problem in source_problems(path, text)]
    found += theorem_problems(sources)
    if found:
        return found
    found = list(coq.problems())
    if not found and checker:
        found = list(coq.checker_problems())
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--build", required=True)
    parser.add_argument("--checker", action="store_true")
    arguments = parser.parse_args()
    sources = sources_of(arguments.root)
    theorems = [theorem for text in sources.values() for theorem in theorems_in(text)]
    coq = Coq(sources, arguments.build)
    try:
        found = problems_of(sources, coq, arguments.checker) if theorems else []
        checked = f"{len(theorems)} theorems, Coq {coq.version()}" if theorems else ""
    except NoSetUp as why:
        print(f"ci/coq: {why}", file=sys.stderr)
        sys.exit(3)
    tree.report("ci/coq", found, checked)


if __name__ == "__main__":
    main()
