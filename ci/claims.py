#!/usr/bin/env python3
"""Ties docs/claims.md and docs/errata.md to the tests and theorems:
`ci/claims.py ROOT --ctest ctest --build FOLDER --program FOLDER/bin/bankproof [--write]`.

Every claim has one row, in order. A status that says something was shown needs evidence. Each name of
evidence, `Suite.Test` in backticks, has to be a test that ctest knows in the build folder; a value- or
type-parameterized test is named without its instances. A name with a slash may also be a file.

The column "known how" is made from the evidence and from the program's list of theorems: `executed`,
`one run`, the theorems by their domains, the theorems of Coq likewise, and for rows of kind G whether
their CUDA kernel was measured (the evidence names docs/fidelity.md), run on the machine (a test of a
suite `Device…`) or compiled (a file of cuda/ or bench/gpu/). A theorem is evidence for the row that its
id begins with, and for rows whose evidence names its test. A theorem of Coq is in the file that the
program names, the comment before it names its rows, and the program lists it for each of these rows.
--write updates the column.

Every erratum names its claims, and a test, or a command of bankproof, that shows the erratum.
"""

import argparse
import collections
import json
import os
import re
import subprocess

import coq_sources
import tree

# All claims, in order: the letter and the number of claims.
CLAIMS = [("M", 10), ("C", 7), ("S", 5), ("P", 3), ("D", 7), ("I", 4), ("X", 4), ("K", 13), ("R", 10),
          ("H", 9), ("A", 18)]
IDS = [f"{letter}{number}" for letter, most in CLAIMS for number in range(1, most + 1)]

COLUMNS = 7
ERRATUM_COLUMNS = 4
KINDS = {"V", "T", "U", "Ω", "X", "G"}
KNOWN_HOW = 5
FIDELITY = "docs/fidelity.md"
STATUS = re.compile(r"covered|partly covered \(.+\)|refuted \(.+\)|open")


def cells_of(line):
    """The cells of a table's line; \\| in a cell is a bar."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def rows_of(ledger):
    """The rows of the ledger: (line number, cells)."""
    for number, line in enumerate(ledger.split("\n"), 1):
        cells = cells_of(line)
        if line.startswith("|") and re.fullmatch(r"[A-Z]\d+", cells[0]):
            yield number, cells


def instances(names):
    """The names of tests, with and without the suffixes of parameterized tests."""
    short = {re.sub(r"^(?:[^/]+/)?([^/.]+)(?:/[^.]*)?\.([^/.<]+)(?:[/<].*)?$", r"\1.\2", name)
             for name in names}
    theorems = {name.split("/", 1)[1] for name in names if "/Theorems.is_proved/" in name}
    return set(names) | short | theorems


def test_of(theorem):
    """The name of the theorem's test, without the instance of the suite."""
    return "Theorems.is_proved/" + re.sub(r"[^0-9A-Za-z]", "_", theorem["id"])


def kernel_known_how(named):
    """The evidence for the CUDA kernel of a row of kind G: measured, run on the machine, or compiled."""
    if FIDELITY in named:
        return "kernel measured"
    if any(test.startswith("Device") for test in named):
        return "kernel run on the machine"
    if any(name.startswith(("cuda/", "bench/gpu/")) for name in named):
        return "kernel compiled"
    return "no kernel"


def known_how(name, kinds, evidence, theorems):
    """The text of the column *known how* for a row: its name, its kinds and its evidence."""
    named = re.findall(r"`([^`]+)`", evidence)
    # Tests of the tree itself do not check claims.
    run = [test for test in named
           if re.fullmatch(r"\w+\.\w+", test) and not test.startswith(("Device", "house."))]
    ways = ["executed"] if any("_one_run_" not in test for test in run) else []
    ways += ["one run"] if any("_one_run_" in test for test in run) else []
    domains = {}
    for theorem in theorems:
        if theorem["id"].startswith(name + ".") or test_of(theorem) in named:
            how = "proved" if theorem["unbounded"] else "proved within a bound"
            if theorem.get("checked_in_coq"):
                how += " and checked in Coq"
            if "coq" in theorem:
                how = "checked in Coq"
            domain = theorem["domain"].replace("|", "\\|")
            domains.setdefault(f"{how} ({domain})", []).append(theorem["id"])
    ways += [f"{how}: {', '.join(ids)}" for how, ids in domains.items()]
    ways += [kernel_known_how(named)] if "G" in kinds.split() else []
    return "; ".join(ways)


def with_known_how(ledger, theorems):
    """The ledger with the column *known how* brought up to date."""
    lines = ledger.split("\n")
    for number, cells in rows_of(ledger):
        if len(cells) == COLUMNS:
            cells[KNOWN_HOW] = known_how(cells[0], cells[3], cells[-1], theorems)
            lines[number - 1] = "| " + " | ".join(cells) + " |"
    return "\n".join(lines)


def coq_problems(theorem, in_coq):
    """The problem with a theorem of Coq, given the theorems of Coq's files."""
    row, place = theorem["id"].split(".")[0], theorem["coq"]
    path, _, rows = in_coq.get(place["theorem"], ("", 0, []))
    if path != place["file"]:
        yield f"theorem {theorem['id']}: there is no `{place['theorem']}` in {place['file']}"
    elif row not in rows:
        yield f"theorem {theorem['id']}: the comment before `{place['theorem']}` in {path} does not name {row}"


def theorem_problems(theorems, names, in_coq):
    """The problems of the list of theorems, given the names of all tests and the theorems of Coq's
    files."""
    tests = {name.split("/", 1)[-1] for name in names}
    for theorem in theorems:
        if theorem["id"].split(".")[0] not in IDS:
            yield f"docs/claims.md: theorem {theorem['id']} is about no claim"
        if "coq" in theorem:
            yield from coq_problems(theorem, in_coq)
        elif test_of(theorem) not in tests:
            yield f"theorem {theorem['id']} has no test {test_of(theorem)}"
    listed = {(theorem["coq"]["theorem"], theorem["id"].split(".")[0]) for theorem in theorems
              if "coq" in theorem}
    for name, (path, line, rows) in in_coq.items():
        for row in rows:
            if (name, row) not in listed:
                yield f"{path}:{line}: theorem {name} names {row}, but `bankproof prove` lists no {row}.… with it"
    ids = collections.Counter(theorem["id"] for theorem in theorems)
    yield from (f"two theorems are called {name}" for name, times in ids.items() if times > 1)


def row_problems(cells, tests, root, theorems):
    """Yields the problems of one row."""
    if len(cells) != COLUMNS:
        yield f"{len(cells)} columns, not {COLUMNS}"
        return
    name, claim, source, kinds, status, known, evidence = cells
    if not claim or not source:
        yield f"{name} has no claim or no source"
    if not kinds or not set(kinds.split()) <= KINDS:
        yield f"{name} has the kinds `{kinds}`"
    if not STATUS.fullmatch(status):
        yield f"{name} has the status `{status}`"
    if known != known_how(name, kinds, evidence, theorems):
        yield f"{name} is not known as it says; ci/claims.py --write brings the column up to date"
    named = re.findall(r"`([^`]+)`", evidence)
    for test in named:
        if test not in tests and not ("/" in test and os.path.isfile(os.path.join(root, test))):
            yield f"{name}: there is no test `{test}`"
    if status == "open" and evidence:
        yield f"{name} is open but has evidence"
    if status != "open" and not tests.intersection(named):
        yield f"{name} is {status.split()[0]} without a test as evidence"


def ledger_problems(ledger, names, root, theorems, in_coq):
    """The problems of a ledger, as `file:line: what`, given the names of all tests, all theorems, and
    the theorems of Coq's files."""
    rows = list(rows_of(ledger))
    tests = instances(names)
    problems = [f"docs/claims.md:{line}: {what}" for line, cells in rows
                for what in row_problems(cells, tests, root, theorems)]
    ids = [cells[0] for _, cells in rows]
    for name, times in collections.Counter(ids + IDS).items():
        if name not in IDS:
            problems.append(f"docs/claims.md: {name} is no claim")
        elif times != 2:
            problems.append(f"docs/claims.md: {name} has {times - 1} rows, not 1")
    if not problems and ids != IDS:
        problems.append("docs/claims.md: the rows are not in order")
    problems += theorem_problems(theorems, names, in_coq)
    problems += [f"two tests are called {name}" for name, times in collections.Counter(names).items()
                 if times > 1]
    return problems, len(rows)


def erratum_problems(cells, tests):
    """Yields the problems of one row of the errata."""
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
    """The problems of the errata, as `file:line: what`, and the number of errata."""
    lines = [(number, line) for number, line in enumerate(errata.split("\n"), 1)
             if line.startswith("|")][2:]
    return [f"docs/errata.md:{number}: {what}" for number, line in lines
            for what in erratum_problems(cells_of(line), instances(names))], len(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--ctest", default="ctest")
    parser.add_argument("--build", default="build")
    parser.add_argument("--program", default="build/bin/bankproof")
    parser.add_argument("--write", action="store_true", help='bring "known how" up to date')
    arguments = parser.parse_args()
    listing = subprocess.run([arguments.program, "prove", "--list", "--format", "json"],
                             stdout=subprocess.PIPE, check=True).stdout
    theorems = json.loads(listing)["theorems"]
    ledger = tree.text(arguments.root, "docs/claims.md") or ""
    if arguments.write:
        ledger = with_known_how(ledger, theorems)
        with open(os.path.join(arguments.root, "docs/claims.md"), "w", encoding="utf-8") as file:
            file.write(ledger)
    listing = subprocess.run([arguments.ctest, "--test-dir", arguments.build, "--show-only=json-v1"],
                             stdout=subprocess.PIPE, check=True).stdout
    names = [test["name"] for test in json.loads(listing)["tests"]]
    in_coq = coq_sources.theorems_of(coq_sources.sources_of(arguments.root))
    problems, rows = ledger_problems(ledger, names, arguments.root, theorems, in_coq)
    wrong, errata = errata_problems(tree.text(arguments.root, "docs/errata.md") or "", names)
    tree.report("claims", problems + wrong, names and rows and errata and theorems and
                f"{rows} rows, {errata} errata, {len(names)} tests, {len(theorems)} theorems")


if __name__ == "__main__":
    main()
