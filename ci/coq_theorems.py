#!/usr/bin/env python3
"""Has Coq check the theorems that the program writes: `ci/coq_theorems.py ROOT --build FOLDER [--some|--write]`.

FOLDER has what `bankproof prove --coq` wrote, and the compiled files of proofs/coq. Coq accepts each script
within its time, and reports that the theorem is closed: no axiom, no unfinished proof. proofs/coq/theorems.txt
lists theorems that are accepted; with --some, only those of which there is a script are wanted. --write writes
the list. A theorem that is accepted and not listed is named.

Exit 0: all listed theorems are accepted; 1: some are not, or there are none.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

import coq

SECONDS = 90
LIST = "proofs/coq/theorems.txt"
HEAD = """# The theorems whose scripts Coq accepts (ci/coq). `bankproof prove --coq` writes the scripts.
# ci/coq_theorems.py --write writes this list.
"""


def say(*words):
    print("ci/coq:", *words, file=sys.stderr, flush=True)


def compiled(folder, file, seconds=SECONDS):
    """What is wrong with the file; nothing if Coq accepts it."""
    try:
        run = subprocess.run(["coqc", "-q", "-Q", ".", coq.LIBRARY, file], cwd=folder, timeout=seconds,
                             capture_output=True, text=True, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer in {seconds} s"
    if run.returncode != 0:
        return " ".join(run.stderr.split())[-300:]
    if run.stdout.strip() != coq.CLOSED:
        return f"Coq does not report that it is closed: {run.stdout.strip()[:200]}"
    return ""


def checked(folder, name):
    file = os.path.join("theorems", name + ".v")
    with open(os.path.join(folder, file), encoding="utf-8") as source:
        text = source.read()
    gap = coq.FORBIDDEN.search(coq.without_comments(text))
    if gap:
        return f"`{gap[0]}` is a gap in a proof"
    question = os.path.join("theorems", f"{name}_{coq.QUESTION.lower()}.v")
    with open(os.path.join(folder, question), "w", encoding="utf-8") as file:
        file.write(text + f"Print Assumptions {name}.\n")
    return compiled(folder, question)


def listed(path):
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as file:
        return {line.strip() for line in file if line.strip() and not line.startswith("#")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--build", required=True)
    parser.add_argument("--some", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    folder = os.path.abspath(options.build)
    for file in ("Inductions.v", "Lemmas.v"):
        run = subprocess.run(["coqc", "-q", "-Q", ".", coq.LIBRARY, file], cwd=folder, check=False)
        if run.returncode != 0:
            return 1
    names = sorted(one[:-2] for one in os.listdir(os.path.join(folder, "theorems"))
                   if re.fullmatch(r"\w+\.v", one) and not one.endswith(f"_{coq.QUESTION.lower()}.v"))
    expected = listed(os.path.join(options.root, LIST))
    if options.some:
        names = [name for name in names if name in expected]
        expected &= set(names)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = dict(zip(names, pool.map(lambda name: checked(folder, name), names)))
    accepted = {name for name in names if not wrong[name]}
    path = os.path.join(options.root, LIST)
    if options.write:
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEAD + "".join(name + "\n" for name in sorted(accepted)))
        expected = accepted
    for name in sorted(expected - accepted):
        say(f"{name}: {wrong.get(name, 'there is no script')}")
    for name in sorted(accepted - expected):
        say(f"{name} is accepted, but {LIST} does not list it: ci/coq_theorems.py --write")
    for name in sorted(set(names) - accepted - expected):
        print(f"not accepted: {name}: {wrong[name]}")
    say(f"{len(accepted)} of {len(names)} scripts of theorems are accepted")
    return 0 if expected and expected <= accepted else 1


if __name__ == "__main__":
    sys.exit(main())
