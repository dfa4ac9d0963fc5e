#!/usr/bin/env python3
"""Which tests a change concerns, for the desk: `ci/concerned.py ROOT --build FOLDER [--ran JUNIT]`.

A test is left out of ci/check --quick while all that it is made of is byte for byte what it was when it
last passed. FOLDER/passed.json remembers. The whole gate runs every test.

    ci/concerned.py ROOT --build FOLDER              prints those to run, as ctest -I reads them
    ci/concerned.py ROOT --build FOLDER --ran JUNIT  remembers what passed in a run of ctest

A test's digest is of the program that it runs, and of the tree's files that are no C++: kernels, golden
files, documents. A test in Python is of all programs of the tool and of all scripts besides; one of the
house, of every file of the tree.
"""

import argparse
import hashlib
import json
import os
import subprocess
import xml.etree.ElementTree as ElementTree

import tree

COMPILED = (".hpp", ".cpp", ".h")  # what they do is in the programs
SCRIPTS = (".py", ".md", ".sh")


def digest_of(paths):
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.encode() + b"\0")
        if os.path.isfile(path):
            with open(path, "rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


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

    def programs(self):
        found = [os.path.join(folder, name)
                 for part in ("bin", "libexec")
                 for folder, _, names in os.walk(os.path.join(self.build, part))
                 for name in names if name.startswith("bankproof")]
        return self.of("programs", found)

    def test(self, test):
        """The digest of one test as ctest describes it."""
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        labels, command = properties.get("LABELS", []), test.get("command", [""])
        parts = [json.dumps([command, properties.get("ENVIRONMENT", [])])]
        if command[0].startswith(self.build + os.sep):
            parts.append(self.of(command[0], [command[0]]))
            parts.append(self.in_tree("data", self.data))
        elif "house" in labels:
            parts.append(self.in_tree("every", self.every))
            parts.append(self.programs())
        else:
            parts.append(self.in_tree("scripted", self.scripted))
            parts.append(self.programs())
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def digests_of_tests(root, build):
    """Name and digest of each test, in ctest's order."""
    run = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True,
                         text=True, check=True)
    digests = Digests(root, build)
    return [(test["name"], digests.test(test)) for test in json.loads(run.stdout)["tests"]]


def passed_in(junit):
    """The names of the tests that passed; one that was skipped did not."""
    return {case.get("name") for case in ElementTree.parse(junit).iter("testcase")
            if case.get("status") == "run"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--build", required=True)
    parser.add_argument("--ran")
    arguments = parser.parse_args()
    root, build = os.path.realpath(arguments.root), os.path.realpath(arguments.build)
    remembered = os.path.join(build, "passed.json")
    before = {}
    if os.path.exists(remembered):
        with open(remembered, encoding="utf-8") as file:
            before = json.load(file)
    now = digests_of_tests(root, build)
    if arguments.ran:
        passed = passed_in(arguments.ran)
        before.update({name: digest for name, digest in now if name in passed})
        with open(remembered + ".new", "w", encoding="utf-8") as file:
            json.dump(before, file)
        os.replace(remembered + ".new", remembered)
        return
    numbers = [number for number, (name, digest) in enumerate(now, 1) if before.get(name) != digest]
    # A range behind the last test, since ctest takes an empty one for all tests; then the numbers.
    behind = len(now) + 1
    print(",".join(str(number) for number in [behind, behind, 1, *numbers]))


if __name__ == "__main__":
    main()
