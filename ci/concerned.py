#!/usr/bin/env python3
"""Lists the tests that a change concerns, for quick checks while working: `ci/concerned.py ROOT --build
FOLDER [--ran JUNIT]`.

ci/check --quick skips a test if everything that the test depends on is byte for byte the same as when it
last passed. FOLDER/passed.json remembers this. Tests that are slow, exhaustive or proofs are always
skipped; the whole gate runs every test.

    ci/concerned.py ROOT --build FOLDER              prints the tests to run, in the format of ctest -I
    ci/concerned.py ROOT --build FOLDER --ran JUNIT  remembers what passed in the run that followed

ctest numbers the tests that remain after its preset's filters; the preset `quick` has no filters.

A test's digest covers the program that it runs, and all files of the tree that are not C++: kernels,
golden files, documents. The digest of a test in Python also covers all scripts, the program `bankproof`,
and the programs of those commands that the test's text names. The digest of a house test covers every
file of the tree and all programs; if the test is labelled `scripts`, it covers no C++ and no program.
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

COMPILED = (".hpp", ".cpp")  # the programs contain the compiled sources
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
    """The digests of tests; each group of files is read once."""

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
        """The digest of the tool's programs; if a text is given, without the programs of commands that
        it does not name. A command stands first in a string, or after the program's name."""
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
    """The command that a program of the tool runs; empty for the main program."""
    return os.path.basename(path).partition("-")[2]


def text_of(folder, module):
    """The text of a module in Python and of the modules that it imports from its folder; None if there
    is no such module."""
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
    """Name and digest of each test, in ctest's order; the digest is None if the test is not quick."""
    run = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True,
                         text=True, check=False)
    if run.returncode:
        sys.exit(f"concerned: ctest --test-dir {build}: {run.stderr.strip()}")
    digests = Digests(root, build)
    return [(test["name"], None if NOT_QUICK & set(labels_of(test)) else digests.test(test))
            for test in json.loads(run.stdout)["tests"]]


def passed_in(junit):
    """The names of the tests that passed; skipped tests did not."""
    return {case.get("name") for case in ElementTree.parse(junit).iter("testcase")
            if case.get("status") == "run"}


def read(path):
    """The object in a JSON file; an empty object if there is no complete file."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):  # a gate that was killed may have left half a file
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
        # Stores the digests from before the run, since a file may have changed during the run.
        now, passed = read(running), passed_in(arguments.ran)
        write(remembered, {**before, **{name: now[name] for name in passed if name in now}})
        return
    now = digests_of_tests(root, build)
    if not now:
        sys.exit(f"concerned: there are no tests in {build}")
    write(running, {name: digest for name, digest in now if digest})
    numbers = [number for number, (name, digest) in enumerate(now, 1)
               if digest and before.get(name) != digest]
    # First a range after the last test, since ctest takes an empty range for all tests; then the
    # numbers.
    behind = len(now) + 1
    print(",".join(str(number) for number in [behind, behind, 1, *numbers]))


if __name__ == "__main__":
    main()
