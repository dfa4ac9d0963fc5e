#!/usr/bin/env python3
"""Has Coq check the theorems that the program writes: `ci/coq_theorems.py ROOT --build FOLDER [--some|--write]`.

FOLDER has what `bankproof prove --coq` wrote, and the compiled files of proofs/coq. Coq accepts each script
within its time, and reports that the theorem is closed: no axiom, no unfinished proof. proofs/scripts/checked.inc
lists theorems that are accepted, each with a hash of its statement, which has to be the same; with --some, only
those of which there is a script are wanted. --write tries all scripts that are there, and lists those that Coq
accepts in half the time; first, `bankproof prove --coq FOLDER` writes those of all theorems.

Exit 0: all listed theorems are accepted; 1: some are not, or there are none.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

import coq

SECONDS = 180
SECONDS_OF_NEW = 90
LIST = "proofs/scripts/checked.inc"
HEAD = """// The theorems whose scripts Coq accepts (ci/coq), and hashes of what they state (proofs/scripts/checked.hpp).
// `bankproof prove --coq` writes the scripts. ci/coq_theorems.py --write writes this list.
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


def checked(folder, name, seconds=SECONDS):
    file = os.path.join("theorems", name + ".v")
    with open(os.path.join(folder, file), encoding="utf-8") as source:
        text = source.read()
    gap = coq.FORBIDDEN.search(coq.without_comments(text))
    if gap:
        return f"`{gap[0]}` is a gap in a proof"
    question = os.path.join("theorems", f"{name}_{coq.QUESTION.lower()}.v")
    with open(os.path.join(folder, question), "w", encoding="utf-8") as file:
        file.write(text + f"Print Assumptions {name}.\n")
    return compiled(folder, question, seconds)


def hash_of_statement(folder, name):
    """FNV-1a of 64 bits."""
    with open(os.path.join(folder, "theorems", name + ".v"), encoding="utf-8") as source:
        text = source.read()
    statement = (re.search(rf"^Definition {name}_states : Prop := (.*?)\.\nTheorem {name} : {name}_states\.$",
                           text, re.M | re.S) or
                 re.search(rf"^Theorem {name} : (.*?)\.\nProof\.$", text, re.M | re.S))[1]
    value = 0xcbf29ce484222325
    for byte in statement.encode():
        value = (value ^ byte) * 0x100000001b3 % 2 ** 64
    return value


def listed(path):
    """The hash of each theorem's statement."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {name: int(value, 16) for name, value in re.findall(r'^\{"(\w+)", 0x(\w+)\},$', file.read(), re.M)}


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
    if not options.write:
        names = [name for name in names if name in expected]
    if options.some:
        expected = {name: expected[name] for name in names}
    seconds = SECONDS_OF_NEW if options.write else SECONDS
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = dict(zip(names, pool.map(lambda name: checked(folder, name, seconds), names)))
    accepted = {name for name in names if not wrong[name]}
    path = os.path.join(options.root, LIST)
    if options.write:
        expected = {name: hash_of_statement(folder, name) for name in accepted}
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEAD + "".join(f'{{"{name}", 0x{expected[name]:016x}}},\n' for name in sorted(accepted)))
    for name in sorted(expected.keys() & accepted):
        if hash_of_statement(folder, name) != expected[name]:
            wrong[name] = f"it states something else than what {LIST} lists: ci/coq_theorems.py --write"
            accepted.remove(name)
    for name in sorted(expected.keys() - accepted):
        say(f"{name}: {wrong.get(name, 'there is no script')}")
    for name in sorted(set(names) - accepted - expected.keys()):
        print(f"not accepted: {name}: {wrong[name]}")
    say(f"{len(accepted)} of {len(names)} scripts of theorems are accepted")
    return 0 if expected and expected.keys() <= accepted else 1


if __name__ == "__main__":
    sys.exit(main())
