#!/usr/bin/env python3
"""Runs clang-tidy-16 on sources that have changed: `ci/tidy.py ROOT --build FOLDER [--all]`.

ci/changed.py tells which have changed. A header is looked at through the source that FOLDER/headers
has for it. A source that was clean is not looked at again until it, what it includes or the
configuration changes (FOLDER/tidy-clean.json); `--all` looks at every source.

First a planted coroutine with a mistake must be reported, so that a run that sees nothing fails.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

import tree
from changed import base_of, changed

TIDY = "clang-tidy-16"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
TESTS = re.compile(r"(properties|bench|cli/tests)/")
CANARY = """\
#include <coroutine>
struct Program {
  struct promise_type {
    Program get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
Program BadName() { co_await std::suspend_never{}; }
"""


def sources_of(root, build, paths):
    """The sources in the compilation database that stand for these paths; and paths it lacks."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        known = {os.path.realpath(entry["file"]) for entry in json.load(file)}
    sources, lacking = [], []
    for path in paths:
        through = os.path.join(build, "headers", path + ".cpp") if path.endswith(".hpp") else path
        source = os.path.realpath(os.path.join(root, through))
        (sources if source in known else lacking).append(source)
    return sources, lacking


class Clean:
    """The sources that were clean, with a digest of all that clang-tidy saw of this tree."""

    def __init__(self, root, build):
        self.path = os.path.join(build, "tidy-clean.json")
        version = subprocess.run([TIDY, "--version"], stdout=subprocess.PIPE, check=True).stdout
        with open(os.path.join(root, ".clang-tidy"), "rb") as file:
            self.configuration = version + file.read()
        self.digests = {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.digests = json.load(file)

    def digest(self, source):
        seen, open_files, digest = set(), [source], hashlib.sha256(self.configuration)
        while open_files:
            path = os.path.realpath(open_files.pop())
            if path in seen or not os.path.isfile(path):
                continue
            seen.add(path)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            digest.update(text.encode())
            open_files += [os.path.join(os.path.dirname(path), name) for name in INCLUDE.findall(text)]
        return digest.hexdigest()

    def holds(self, source):
        return self.digests.get(source) == self.digest(source)

    def add(self, source):
        self.digests[source] = self.digest(source)
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.digests, file)
        os.replace(self.path + ".new", self.path)


def tidy(root, build, source):
    """Runs clang-tidy on one source: whether it is clean, and what it says."""
    # The analyzer takes most of a minute for the macros of a large test, and finds nothing there;
    # the sizes that tests multiply are small.
    unneeded = "--checks=-clang-analyzer-*,-bugprone-implicit-widening-of-multiplication-result"
    fewer = [unneeded] if TESTS.match(os.path.relpath(source, root)) else []
    run = subprocess.run([TIDY, "--quiet", "-p", build, *fewer, source], cwd=root, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.returncode == 0, re.sub(r"^\d+ warnings? .*\n", "", run.stdout, flags=re.MULTILINE)


def canary_caught(root):
    """Whether clang-tidy, with the tree's configuration, reports the planted mistake."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "canary.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write(CANARY)
        run = subprocess.run([TIDY, "--quiet", f"--config-file={root}/.clang-tidy", source, "--",
                              "-std=c++20"], capture_output=True, text=True)
    found = re.findall(r"error: (.*) \[", run.stdout)
    return len(found) == 1 and "BadName" in found[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--build", default="build")
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    root, build = os.path.realpath(arguments.root), os.path.realpath(arguments.build)
    if not canary_caught(root):
        sys.exit("tidy: clang-tidy does not report the planted mistake, or reports more")

    base = None if arguments.all else base_of(root)
    paths = changed(root, base)
    sources, lacking = sources_of(root, build, [p for p in paths if not p.startswith(("ci/", "cli/fuzz", "cuda/ptx/fuzz"))])
    problems = [f"{source}: not in {build}/compile_commands.json" for source in lacking]
    clean = Clean(root, build)
    todo = [source for source in sources if arguments.all or not clean.holds(source)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda source: tidy(root, build, source), todo)
        for source, (good, said) in zip(todo, results):
            if good:
                clean.add(source)
            else:
                print(said.strip(), flush=True)
                problems.append(f"{os.path.relpath(source, root)} is not clean")
    since = f"changed since {base[:12]}" if base else "in the tree"
    kept = f", {len(sources) - len(todo)} of them known to be clean" if len(todo) < len(sources) else ""
    tree.report("tidy", problems, f"{len(sources)} sources {since}{kept}; the planted mistake is caught")


if __name__ == "__main__":
    main()
