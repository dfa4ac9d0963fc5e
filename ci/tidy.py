#!/usr/bin/env python3
"""Runs clang-tidy-16 on sources that have changed: `ci/tidy.py ROOT --build FOLDER [--all]`.

ci/changed.py lists the changed sources. A header is checked through its source in FOLDER/headers, a
header of kernels through the first .cu file that includes it. A source that was clean is checked again
only after it, a file that it includes or the configuration changes (FOLDER/tidy-clean.json). `--all`
checks every source.

First, clang-tidy has to report a coroutine and a kernel with a planted bug, so that a run
that sees nothing fails.
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
from changed import CODE, base_of, changed, differing, with_included

TIDY = "clang-tidy-16"
TESTS = re.compile(r"(properties|bench|cli/tests)/")
# clang-tidy does not check fuzz targets, which only clang's libFuzzer compiles. Of the CUDA code it checks
# only the project's own kernels: examples are written as users write, and other files have bugs or oddities
# on purpose, or need NVIDIA's libraries.
FUZZ = re.compile(r"(cli|ptx)/fuzz/")
KERNELS = re.compile(r"cuda/kernels/.+\.cuh?$|properties/cuda/kernels/[^/]+\.cu$")
# These checks complain about macros of explicit instantiations, whose arguments are types, and about
# dynamic shared memory, which each kernel declares again.
UNFIT_FOR_CUDA = "--checks=-bugprone-macro-parentheses,-readability-redundant-declaration"
CUDA_CANARY = "__global__ void BadName(int* a) { a[threadIdx.x] = 1; }\n"
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


def is_for_tidy(path):
    is_cuda = path.endswith((".cu", ".cuh"))
    return not path.startswith("ci/") and not FUZZ.match(path) and (not is_cuda or KERNELS.match(path))


def cuda_flags(root):
    headers = os.path.join(root, "cuda", "headers")
    return ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib",
            "--cuda-path=" + headers, "-Xclang", "-target-sdk-version=11.5", "-I" + headers,
            "-include", headers + "/cuda_runtime.h", "-std=c++20"]


def sources_of_kernels(root, paths):
    """The .cu files to check for these paths; and those headers of these paths that no .cu file includes."""
    files = [os.path.realpath(os.path.join(root, path)) for path in tree.paths(root)
             if path.endswith(".cu") and KERNELS.match(path)]
    wanted = [os.path.realpath(os.path.join(root, path)) for path in paths]
    missing = {path for path in wanted if path.endswith(".cuh")}
    sources = {path for path in wanted if path.endswith(".cu")}
    for source in files if missing else []:
        found = missing & {path for path, _ in with_included(source)}
        if found:
            sources.add(source)
            missing -= found
    return sorted(sources), sorted(missing)


def sources_of(root, build, paths):
    """The sources in the compilation database that stand for these paths; and the paths without a
    source."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        known = {os.path.realpath(entry["file"]) for entry in json.load(file)}
    sources, lacking = [], []
    for path in paths:
        through = os.path.join(build, "headers", path + ".cpp") if path.endswith(".hpp") else path
        source = os.path.realpath(os.path.join(root, through))
        (sources if source in known else lacking).append(source)
    return sources, lacking


class Clean:
    """The sources that clang-tidy found clean, each with a digest of all files of this tree that it
    includes."""

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
        digest = hashlib.sha256(self.configuration)
        for _, text in with_included(source):
            digest.update(text.encode())
        return digest.hexdigest()

    def holds(self, source):
        return self.digests.get(source) == self.digest(source)

    def add(self, source):
        self.digests[source] = self.digest(source)
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.digests, file)
        os.replace(self.path + ".new", self.path)


def tidy(root, build, source):
    """Runs clang-tidy on one source; returns whether it is clean, and the output."""
    # The analyzer takes most of a minute for the macros of a large test, and finds nothing there.
    # The sizes that tests multiply are small.
    unneeded = "--checks=-clang-analyzer-*,-bugprone-implicit-widening-of-multiplication-result"
    fewer = [unneeded] if TESTS.match(os.path.relpath(source, root)) else []
    words = ["-p", build, *fewer, source]
    if source.endswith(".cu"):
        words = [UNFIT_FOR_CUDA, source, "--", *cuda_flags(root)]
    run = subprocess.run([TIDY, "--quiet", *words], cwd=root, text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    return run.returncode == 0, re.sub(r"^\d+ warnings? .*\n", "", run.stdout, flags=re.MULTILINE)


def is_caught(root, name, canary, flags):
    """Whether clang-tidy, with the tree's configuration, reports the planted bug and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, name)
        with open(source, "w", encoding="utf-8") as file:
            file.write(canary)
        run = subprocess.run([TIDY, "--quiet", f"--config-file={root}/.clang-tidy", source, "--",
                              *flags], capture_output=True, text=True)
    found = re.findall(r"error: (.*) \[", run.stdout)
    return len(found) == 1 and "BadName" in found[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--build", default="build")
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    root, build = os.path.realpath(arguments.root), os.path.realpath(arguments.build)
    for name, canary, flags in (("canary.cpp", CANARY, ["-std=c++20"]),
                                ("canary.cu", CUDA_CANARY, cuda_flags(root))):
        if not is_caught(root, name, canary, flags):
            sys.exit(f"tidy: clang-tidy does not report the bug planted in {name}, or reports more")

    base = None if arguments.all else base_of(root)
    paths = [path for path in changed(root, base) if is_for_tidy(path)]
    moved = {path for path in (differing(root, base) if base else ()) if is_for_tidy(path)
             and path.endswith(CODE)} & set(tree.paths(root)) - set(paths)
    of_kernels = [path for path in paths if path.endswith((".cu", ".cuh"))]
    sources, lacking = sources_of(root, build, [path for path in paths if path not in of_kernels])
    problems = [f"{source}: not in {build}/compile_commands.json" for source in lacking]
    kernels, lacking = sources_of_kernels(root, of_kernels)
    sources += kernels
    problems += [f"{header}: no file of kernels includes it" for header in lacking]
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
    same = f", {len(moved)} only moved or with other words" if moved else ""
    kept = f", {len(sources) - len(todo)} of them known to be clean" if len(todo) < len(sources) else ""
    tree.report("tidy", problems,
                f"{len(sources)} sources {since}{kept}{same}; the planted bugs are caught")


if __name__ == "__main__":
    main()
