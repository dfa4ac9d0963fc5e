#!/usr/bin/env python3
"""Checks what is proved in proofs/coq: `ci/coq.py ROOT --build FOLDER [--checker]`.

The sources assume nothing: no axiom, no parameter, no proof that is not finished. Coq accepts each file
(compiled in FOLDER, where it or what it needs has changed), and says of all theorems of Statements.v
together that they are closed; with --checker its second program, coqchk, checks the compiled files and
the library once more. Each theorem names the rows of the ledger that it is about and stands in
Statements.v. What the ledger says is checked in Coq is tied to these theorems by ci/claims.py.

Exit 0: all hold; 1: some do not; 3: there is no Coq, or nothing to check.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys

import claims
import tree
from coq_sources import FOLDER, line_of, sources_of, theorems_of

LIBRARY = "Bankproof"
STATEMENTS = "Statements"
CLOSED = "Closed under the global context"
CHECK_TIMEOUT = 600
COMPILE_TIMEOUT = 300

# What would let a statement pass without a proof, or mean something else than it says.
FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjectures?|Primitive|Declare\s+Module|"
    r"Admit\s+Obligations|"
    r"bypass_check|Extract\s+(?:Inlined\s+)?(?:Constant|Inductive)|"
    r"(?:Unset|Set)\s+(?:Guard\s+Checking|Positivity\s+Checking|Universe\s+Checking))\b")
IN_SECTIONS = re.compile(r"^\s*(Hypothes[ie]s|Variables?|Context)\b", re.MULTILINE)
SECTION = re.compile(r"^\s*(Section|End)\s+(\w+)\s*\.", re.MULTILINE)
STATED = re.compile(r"@(\w+)")


def without_comments(text):
    """The text with blanks in place of comments, which nest, and of strings; lines stay where they are."""
    kept, depth, at = [], 0, 0
    for match in re.finditer(r'\(\*|\*\)|"[^"]*"', text):
        piece = text[at:match.start()]
        kept.append(piece if depth == 0 else re.sub(r"[^\n]", " ", piece))
        kept.append(re.sub(r"[^\n]", " ", match[0]))
        at = match.end()
        depth += {"(*": 1, "*)": -1}.get(match[0], 0)
    kept.append(text[at:])
    return "".join(kept)


def source_problems(path, text):
    """Yields `path:line: what` for what a source may not have."""
    if not text.startswith("(* "):
        yield f"{path}:1: does not open with a comment that tells its idea"
    code = without_comments(text)
    for match in FORBIDDEN.finditer(code):
        yield f"{path}:{line_of(code, match.start())}: `{' '.join(match[0].split())}` is a gap in a proof"
    sections = [(match.start(), 1 if match[1] == "Section" else -1) for match in SECTION.finditer(code)]
    for match in IN_SECTIONS.finditer(code):
        if sum(step for at, step in sections if at < match.start()) <= 0:
            line = line_of(code, match.start(1))
            yield f"{path}:{line}: `{match[1]}` outside of a section is an axiom"


def statement_problems(sources):
    """Theorems without rows, and what Statements.v lacks or has too much."""
    theorems = theorems_of(sources)
    stated = STATED.findall(without_comments(sources.get(f"{FOLDER}/{STATEMENTS}.v", "")))
    for name, (path, line, rows) in theorems.items():
        if not rows:
            yield f"{path}:{line}: theorem {name}: no comment before it begins with rows of the ledger"
        for row in rows:
            if row not in claims.IDS:
                yield f"{path}:{line}: theorem {name}: the ledger has no row {row}"
        if name not in stated:
            yield f"{path}:{line}: theorem {name} is not in {STATEMENTS}.v"
    for name in stated:
        if name not in theorems:
            yield f"{FOLDER}/{STATEMENTS}.v: {name} is no theorem of these files"


class Coq:
    """Compiles the sources in a folder."""

    def __init__(self, sources, folder):
        self.sources, self.folder = sources, folder
        os.makedirs(folder, exist_ok=True)
        for path, text in sources.items():
            self.write(os.path.basename(path), text)
        listed = {os.path.basename(path) for path in sources}
        for name in os.listdir(folder):  # a file that has been renamed
            if name.endswith((".v", ".vo", ".digest")) and name.rsplit(".", 1)[0] + ".v" not in listed:
                os.remove(os.path.join(folder, name))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        if self.read(name) != text:
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)

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
        except FileNotFoundError:
            print(f"ci/coq: there is no {program}", file=sys.stderr)
            sys.exit(3)
        except subprocess.TimeoutExpired:
            return 124, f"{program} takes more than {timeout} s"
        return run.returncode, run.stdout

    def order(self):
        """The names of the files, each after those that it needs, which come with it."""
        names = sorted(os.path.basename(path)[:-2] for path in self.sources)
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
        """Compiles what has changed; yields what Coq does not accept."""
        order, why = self.order()
        if order is None:
            yield f"{FOLDER}: {why.strip()}"
            return
        _, version = self.call("coqc", "--version")
        digests = {}
        for name, needs in order:
            made_of = [version, self.read(f"{name}.v"), *(digests[need] for need in needs)]
            digests[name] = hashlib.sha256("\0".join(made_of).encode()).hexdigest()
            compiled = os.path.exists(self.path(f"{name}.vo"))
            if compiled and self.read(f"{name}.digest") == digests[name] and name != STATEMENTS:
                continue
            status, output = self.call("coqc", "-q", f"{name}.v")
            if status:
                yield f"{FOLDER}/{name}.v: coqc does not accept it\n{output.strip()}"
                return
            self.write(f"{name}.digest", digests[name])
            if name == STATEMENTS and output.strip() != CLOSED:
                yield f"{FOLDER}/{name}.v: its theorems assume something\n{output.strip()}"

    def checker_problems(self):
        """What coqchk does not accept, of what is compiled."""
        status, output = self.call("coqchk", "-silent", "-o", f"{LIBRARY}.{STATEMENTS}",
                                   timeout=CHECK_TIMEOUT)
        gaps = [line for line in re.findall(r"^\* (.*\S)\s*$", output, re.MULTILINE)
                if not line.startswith("Theory: Set is predicative") and not line.endswith(": <none>")]
        if status or "* Axioms: <none>" not in output or gaps:
            yield f"{FOLDER}: coqchk does not accept it\n{output.strip()}"


def problems_of(root, build, checker):
    """All problems: first those that are seen in the text."""
    sources = sources_of(root)
    found = [problem for path, text in sources.items() for problem in source_problems(path, text)]
    found += statement_problems(sources)
    if found:
        return found
    coq = Coq(sources, build)
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
    theorems = theorems_of(sources_of(arguments.root))
    found = problems_of(arguments.root, arguments.build, arguments.checker) if theorems else []
    tree.report("ci/coq", found, f"{len(theorems)} theorems" if theorems else "")


if __name__ == "__main__":
    main()
