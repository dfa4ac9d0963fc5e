#!/usr/bin/env python3
"""Which tests a change concerns, for the desk: `ci/concerned.py ROOT --build FOLDER [--ran JUNIT]`.

A test is left out of ci/check --quick while all that it is made of is byte for byte what it was when it
last passed. FOLDER/passed.json remembers. Tests that are slow, exhaustive or proofs are left out always;
the whole gate runs every test.

    ci/concerned.py ROOT --build FOLDER              prints those to run, as ctest -I reads them
    ci/concerned.py ROOT --build FOLDER --ran JUNIT  remembers what passed in the run that followed

ctest numbers the tests that the filters of its preset leave: the preset `quick` has none.

A test's digest is of the program that it runs, and of the tree's files that are no C++: kernels, golden
files, documents. A test in Python is of all scripts besides, and of the tool: of the program `bankproof`,
and of those of the commands that its text names. One of the house is of every file of the tree and of
all programs; one of the house that is labelled `scripts`, of no C++ and no program.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import tree

COMPILED = (".hpp", ".cpp")  # what they do is in the programs
NOT_QUICK = {"slow", "exhaustive", "proof", "gpu-program"}
SCRIPTS = (".py", ".md", ".sh")


def digest_of(paths):
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.encode() + b"\0")
        if os.path.isfile(path):
            with open(path, "rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def labels_of(test):
    return next((entry["value"] for entry in test.get("properties", []) if entry["name"] == "LABELS"), [])


class Digests:
    """The digests of tests, each group of files read once."""

    def __init__(self, root, build):
        self.root, self.build, self.known = root, build, {}
        known = tree.paths(root)
        self.every = known
        self.data = [path for path in known if not path.endswith(COMPILED + SCRIPTS)]
        self.scripted = [path for path in known if not path.endswith(COMPILED)]

    def of(self, name, paths):
        if name not in self.known:
            self.known[name] = digest_of(sorted(paths))
        return self.known[name]

    def in_tree(self, name, paths):
        return self.of(name, [os.path.join(self.root, path) for path in paths])

    def programs(self, text=None):
        """The digest of the programs of the tool; where a text is given, without those of commands that
        it does not name: a command stands first in a string, or behind the program's name."""
        found = [os.path.join(folder, name)
                 for part in ("bin", "libexec")
                 for folder, _, names in os.walk(os.path.join(self.build, part))
                 for name in names if name.startswith("bankproof")]
        if text is not None:
            found = [path for path in found if not command_of(path) or
                     re.search(rf"(?:[\"']|bankproof ){re.escape(command_of(path))}\b", text)]
        return self.of(" ".join(["programs", *sorted(found)]), found)

    def test(self, test):
        """The digest of one test as ctest describes it."""
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        labels, command = labels_of(test), test.get("command", [""])
        parts = [json.dumps([command, properties.get("ENVIRONMENT", [])])]
        if command[0].startswith(self.build + os.sep):
            parts.append(self.of(command[0], [command[0]]))
            parts.append(self.in_tree("data", self.data))
        elif "scripts" in labels:
            parts.append(self.in_tree("scripted", self.scripted))
        elif "house" in labels:
            parts.append(self.in_tree("every", self.every))
            parts.append(self.programs())
        else:
            parts.append(self.in_tree("scripted", self.scripted))
            parts.append(self.programs(text_of(properties.get("WORKING_DIRECTORY", ""), command[-1])))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def command_of(path):
    """The command that a program of the tool is for; empty for the one that has the rest."""
    return os.path.basename(path).partition("-")[2]


def text_of(folder, module):
    """The text of a module in Python and of those that it imports from its folder; None where there is no
    such module."""
    texts, todo = {}, [module]
    while todo:
        name = todo.pop()
        path = os.path.join(folder, name + ".py")
        if name not in texts and os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                texts[name] = file.read()
            todo += re.findall(r"^(?:from|import) (\w+)", texts[name], re.MULTILINE)
    return "\n".join(texts.values()) if texts else None


def digests_of_tests(root, build):
    """Name and digest of each test, in ctest's order; None for one that is not quick."""
    run = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True,
                         text=True, check=False)
    if run.returncode:
        sys.exit(f"concerned: ctest --test-dir {build}: {run.stderr.strip()}")
    digests = Digests(root, build)
    return [(test["name"], None if NOT_QUICK & set(labels_of(test)) else digests.test(test))
            for test in json.loads(run.stdout)["tests"]]


def passed_in(junit):
    """The names of the tests that passed; one that was skipped did not."""
    return {case.get("name") for case in ElementTree.parse(junit).iter("testcase")
            if case.get("status") == "run"}


def read(path):
    """The object in a JSON file; an empty one where there is none that is whole."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):  # a gate that was killed may have left half of it
        return {}


def write(path, content):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(content, file)
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--build", required=True)
    parser.add_argument("--ran")
    arguments = parser.parse_args()
    root, build = os.path.realpath(arguments.root), os.path.realpath(arguments.build)
    remembered, running = (os.path.join(build, name) for name in ("passed.json", "concerned.json"))
    before = read(remembered)
    if arguments.ran:
        # As the files were before the run: one may have changed meanwhile.
        now, passed = read(running), passed_in(arguments.ran)
        write(remembered, {**before, **{name: now[name] for name in passed if name in now}})
        return
    now = digests_of_tests(root, build)
    if not now:
        sys.exit(f"concerned: there are no tests in {build}")
    write(running, {name: digest for name, digest in now if digest})
    numbers = [number for number, (name, digest) in enumerate(now, 1)
               if digest and before.get(name) != digest]
    # A range behind the last test, since ctest takes an empty one for all tests; then the numbers.
    behind = len(now) + 1
    print(",".join(str(number) for number in [behind, behind, 1, *numbers]))


if __name__ == "__main__":
    main()
