#!/usr/bin/env python3
"""Ties docs/claims.md and docs/errata.md to the tests:
`ci/claims.py ROOT --ctest ctest --build FOLDER`.

Every claim has one row, in order; a status that says something was shown has evidence, and each name
of evidence, `Suite.Test` in backticks, is a test that ctest knows in the build folder. A value- or
type-parameterized test is named without its instances. A name with a slash may also be a file.

Every erratum names the claims it is about, and a test, or a command of bankproof, that shows it.
"""

import argparse
import collections
import json
import os
import re
import subprocess

import tree

# All claims, in order: letter and how many.
CLAIMS = [("M", 10), ("C", 7), ("S", 5), ("P", 3), ("D", 6), ("I", 4), ("X", 4), ("K", 10), ("R", 9),
          ("H", 9), ("A", 13)]
IDS = [f"{letter}{number}" for letter, most in CLAIMS for number in range(1, most + 1)]

COLUMNS = 6
ERRATUM_COLUMNS = 4
KINDS = {"V", "T", "U", "Ω", "X", "G"}
STATUS = re.compile(r"covered|partly covered \(.+\)|refuted \(.+\)|open")


def rows_of(ledger):
    """The rows of the ledger: (line number, cells)."""
    for number, line in enumerate(ledger.split("\n"), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and re.fullmatch(r"[A-Z]\d+", cells[0]):
            yield number, cells


def instances(names):
    """The names of tests with and without what parameterized tests add to them."""
    short = {re.sub(r"^(?:[^/]+/)?([^/.]+)(?:/[^.]*)?\.([^/.]+)(?:/.*)?$", r"\1.\2", name)
             for name in names}
    return set(names) | short


def row_problems(cells, tests, root):
    """Yields what is wrong with one row."""
    if len(cells) != COLUMNS:
        yield f"{len(cells)} columns, not {COLUMNS}"
        return
    name, claim, source, kinds, status, evidence = cells
    if not claim or not source:
        yield f"{name} has no claim or no source"
    if not kinds or not set(kinds.split()) <= KINDS:
        yield f"{name} has the kinds `{kinds}`"
    if not STATUS.fullmatch(status):
        yield f"{name} has the status `{status}`"
    named = re.findall(r"`([^`]+)`", evidence)
    for test in named:
        if test not in tests and not ("/" in test and os.path.isfile(os.path.join(root, test))):
            yield f"{name}: there is no test `{test}`"
    if status == "open" and evidence:
        yield f"{name} is open but has evidence"
    if status != "open" and not tests.intersection(named):
        yield f"{name} is {status.split()[0]} without a test as evidence"


def ledger_problems(ledger, names, root):
    """The problems of a ledger, as `file:line: what`, given the names of all tests."""
    rows = list(rows_of(ledger))
    problems = [f"docs/claims.md:{line}: {what}" for line, cells in rows
                for what in row_problems(cells, instances(names), root)]
    ids = [cells[0] for _, cells in rows]
    for name, times in collections.Counter(ids + IDS).items():
        if name not in IDS:
            problems.append(f"docs/claims.md: {name} is no claim")
        elif times != 2:
            problems.append(f"docs/claims.md: {name} has {times - 1} rows, not 1")
    if not problems and ids != IDS:
        problems.append("docs/claims.md: the rows are not in order")
    problems += [f"two tests are called {name}" for name, times in collections.Counter(names).items()
                 if times > 1]
    return problems, len(rows)


def erratum_problems(cells, tests):
    """Yields what is wrong with one row of the errata."""
    if len(cells) != ERRATUM_COLUMNS:
        yield f"{len(cells)} columns, not {ERRATUM_COLUMNS}"
        return
    about = re.search(r"\(rows? ([^()]+)\)$", cells[0])
    if not about:
        yield f"`{cells[0]}` does not end in (row …), the claims it is about"
    for name in about.group(1).split(", ") if about else []:
        if name not in IDS:
            yield f"{name} is no claim"
    quoted = re.findall(r"`([^`]+)`", " ".join(cells[1:]))
    named = [text for text in quoted if re.fullmatch(r"[A-Z]\w*\.\w+", text)]
    for test in named:
        if test not in tests:
            yield f"there is no test `{test}`"
    if not named and not any(text.startswith("bankproof ") for text in quoted):
        yield f"`{cells[0]}` has neither a test nor a command of bankproof"


def errata_problems(errata, names):
    """The problems of the errata, likewise, and how many there are."""
    lines = [(number, line) for number, line in enumerate(errata.split("\n"), 1)
             if line.startswith("|")][2:]
    return [f"docs/errata.md:{number}: {what}" for number, line in lines
            for what in erratum_problems([cell.strip() for cell in line.strip().strip("|").split("|")],
                                         instances(names))], len(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--ctest", default="ctest")
    parser.add_argument("--build", default="build")
    arguments = parser.parse_args()
    listing = subprocess.run([arguments.ctest, "--test-dir", arguments.build, "--show-only=json-v1"],
                             stdout=subprocess.PIPE, check=True).stdout
    names = [test["name"] for test in json.loads(listing)["tests"]]
    ledger = tree.text(arguments.root, "docs/claims.md") or ""
    problems, rows = ledger_problems(ledger, names, arguments.root)
    wrong, errata = errata_problems(tree.text(arguments.root, "docs/errata.md") or "", names)
    tree.report("claims", problems + wrong, names and rows and errata and
                f"{rows} rows, {errata} errata, {len(names)} tests")


if __name__ == "__main__":
    main()
