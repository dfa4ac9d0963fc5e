"""The rooms whose tests are judged, and the mutants that are known to be equivalent."""

import fnmatch
import os
import tomllib

# Each room: its name, and the patterns of its files.
ROOMS = {
    "the machines": ["model/*"],
    "race engine": ["ptx/races/*"],
    "memory": ["ptx/memory/*"],
    "barriers": ["ptx/exec/barrier*", "ptx/exec/collective.*",
                 "ptx/exec/splits.cpp", "ptx/exec/repetition.*"],
    "verify and validate": ["algorithms/permutation/verify*", "algorithms/permutation/validate*"],
    "edge coloring": ["algorithms/permutation/coloring*", "algorithms/permutation/peeling.hpp"],
    "proof checker": ["proofs/solvers/check.*", "proofs/solvers/solvers.*", "proofs/builder/query.*",
                      "proofs/builder/lemma.*", "proofs/solvers/prove_all.*", "proofs/builder/sums.hpp"],
    "linearizer": ["proofs/solvers/linear.*"],
    "counterexamples": ["proofs/solvers/counterexample.*", "proofs/solvers/refuter.*"],
    "readers": ["cli/readers/*"],
}
SOURCES = (".cpp", ".hpp")
EQUIVALENTS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "equivalents.toml")


class Wrong(Exception):
    """An option, a name or an entry that the user wrote is wrong."""


def files_of(patterns, known):
    return [path for path in known
            if path.endswith(SOURCES) and any(fnmatch.fnmatch(path, pattern) for pattern in patterns)]


def rooms_of(names, files, known):
    """The rooms to try, as names and files: the named ones, or one room of the given files, or all."""
    if files:
        unknown = [path for path in files if path not in known or not path.endswith(SOURCES)]
        if unknown:
            raise Wrong(f"{unknown[0]}: not a C++ source of the tree")
        return {"these files": sorted(set(files))}
    for name in names:
        if name not in ROOMS:
            raise Wrong(f"there is no room '{name}'; there are {', '.join(ROOMS)}")
    found = {name: files_of(patterns, known) for name, patterns in ROOMS.items()
             if not names or name in names}
    for name, paths in found.items():
        if not paths:
            raise Wrong(f"the room '{name}' has no files: {ROOMS[name]}")
    return found


def equivalents(path=EQUIVALENTS):
    """Statement and change of each mutant that no test can detect; the file gives the reasons."""
    if not os.path.isfile(path):
        return set()
    with open(path, "rb") as file:
        entries = tomllib.load(file).get("equivalent", [])
    for entry in entries:
        if set(entry) != {"statement", "change", "reason"} or not all(entry.values()):
            raise Wrong(f"{path}: an entry has a statement, a change and a reason: {entry}")
    return {(entry["statement"], entry["change"]) for entry in entries}


def require_one_place(known, mutants, all_rooms):
    """An equivalent stands for exactly one place; without a place it is out of date."""
    places = {}
    for mutant in mutants:
        key = (mutant.statement, mutant.change)
        if key in known:
            places.setdefault(key, []).append(f"{mutant.path}:{mutant.line}")
    wrong = []
    for statement, change in sorted(known):
        found = places.get((statement, change), [])
        if len(found) > 1:
            wrong.append(f"'{change}' in '{statement}' is in {len(found)} places: {', '.join(found)}")
        if all_rooms and not found:
            wrong.append(f"'{change}' in '{statement}' is nowhere any more")
    if wrong:
        raise Wrong("\n".join(f"{EQUIVALENTS}: {what}" for what in wrong))
