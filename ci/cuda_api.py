#!/usr/bin/env python3
"""Ties the pages of CUDA's APIs to the functions that the machine has:
`ci/cuda_api.py ROOT [--libraries FOLDER] [--toolkit FOLDER] [--write]`.

Each API has a file functions.def with every function of CUDA 13's library; a page in docs/ shows the
same table, and --write writes it there. With --libraries, the library in that folder exports these names
and no others. With --toolkit, the table has all functions that the toolkit's library exports, and no
others.

Functions have versions for programs whose default streams are per thread. A header gives the functions
these names, and the libraries export those that the header has, and no others. per_thread.def lists the
driver's.
"""

import argparse
import collections
import os
import re
import subprocess
import sys

Api = collections.namedtuple("Api", "definitions document library in_toolkit per_thread")
HEADERS = "cuda/headers/parts/"
APIS = (
    Api("cuda/runtime/functions.def", "docs/cuda-api.md", "libcudart.so.13", "libcudart.so.13",
        HEADERS + "per_thread.h"),
    Api("cuda/driver/functions.def", "docs/cuda-driver-api.md", "libcuda.so.1", "stubs/libcuda.so",
        HEADERS + "driver_per_thread.h"),
    Api("cuda/nvrtc/functions.def", "docs/nvrtc-api.md", "libnvrtc.so.13", "libnvrtc.so.13", None),
    *(Api(f"cuda/libraries/{room}/functions.def", f"docs/{name}-api.md", library, library, None)
      for room, name, library in (("blas", "cublas", "libcublas.so.13"),
                                  ("blas_lt", "cublaslt", "libcublasLt.so.13"), ("fft", "cufft", "libcufft.so.12"),
                                  ("random", "curand", "libcurand.so.10"),
                                  ("sparse", "cusparse", "libcusparse.so.12"))),
)
OF_DRIVER = "cuda/driver/per_thread.def"
ROW = re.compile(r'(implemented|accepted|refused)\((\w+)(?:, "([^"]+)")?\)')
OF_THREAD = re.compile(r"(per_thread|same)\((\w+), (_pt[sd][sz])\)")
RENAMED = re.compile(r"#define (\w+) (\1_pt[sd][sz])")
TABLE = re.compile(r"(?<=\n)\| function \| here \|\n\|---\|---\|\n(?:\|.*\n)*")
VERSIONED = re.compile(r"_pt[sd][sz]$")  # for programs whose default streams are per thread
# Programs of clang that have references to textures call it; CUDA 13 has no such references.
OF_CLANG = {"__cudaRegisterTexture"}


def functions(root, definitions):
    """Returns {name: (kind, reason)} in the order of the file."""
    found = {}
    with open(os.path.join(root, definitions), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("//") or not line.strip():
                continue
            row = ROW.fullmatch(line.strip())
            if row is None or (row[1] == "implemented") != (row[3] is None) or row[2] in found:
                sys.exit(f"{definitions}:{number}: expected a function once, as its first lines say")
            found[row[2]] = (row[1], row[3])
    return found


def table(known):
    lines = [f"| `{name}` | {kind}{': ' + reason if reason else ''} |"
             for name, (kind, reason) in known.items() if not name.startswith("__")]
    return "\n".join(["| function | here |", "|---|---|", *lines]) + "\n"


def exported(library):
    """The functions that a shared library exports, and the versions of them for per-thread streams."""
    run = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    names = {line.split()[-1].split("@")[0] for line in run.stdout.splitlines()
             if line.split()[-2] in ("T", "W")}
    # The functions of the runtime that our other libraries call (cuda/runtime/streams/library_calls.hpp).
    names = {name for name in names if not name.startswith("bankproof_")}
    versions = {name for name in names if VERSIONED.search(name)}
    # The compiler calls names with __, and no header has to rename them.
    return ({VERSIONED.sub("", name) for name in names},
            {name for name in versions if not name.startswith("__")})


def renamed(root, header):
    """The names that a header gives to functions of programs whose default streams are per thread."""
    with open(os.path.join(root, header), encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.startswith("#define")]
    rows = [RENAMED.fullmatch(line) for line in lines]
    if None in rows:
        sys.exit(f"{header}: {lines[rows.index(None)]}: expected the same name with an ending")
    return {row[2] for row in rows}


def per_thread_problems(root, known, wanted):
    """per_thread.def has the driver's versions, and says which of them need the thread's stream."""
    with open(os.path.join(root, OF_DRIVER), encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("//")]
    rows = [OF_THREAD.fullmatch(line) for line in lines]
    if None in rows:
        sys.exit(f"{OF_DRIVER}: {lines[rows.index(None)]}: expected a function, as its first lines say")
    wrong = [row[0] for row in rows
             if (row[1] == "per_thread") != (known.get(row[2], ("",))[0] == "implemented")]
    return ([f"{OF_DRIVER}: {row}: per_thread is for functions that are implemented" for row in wrong] +
            differences(OF_DRIVER, {row[2] + row[3] for row in rows}, APIS[1].per_thread, wanted))


def differences(what, found, definitions, known):
    return ([f"{what} has {name}, which {definitions} has not" for name in sorted(found - known)] +
            [f"{definitions} has {name}, which {what} has not" for name in sorted(known - found)])


def document_problems(api, root, known, write):
    """The page shows the table; --write makes it so."""
    path = os.path.join(root, api.document)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if len(TABLE.findall(text)) != 1:
        sys.exit(f"{api.document}: expected one table 'function | here'")
    wanted = TABLE.sub(lambda _: table(known), text)
    if wanted == text:
        return []
    if not write:
        return [f"{api.document}: the table is not that of {api.definitions}; "
                "'ci/cuda_api.py . --write' writes it"]
    with open(path, "w", encoding="utf-8") as file:
        file.write(wanted)
    return []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--libraries", help="the folder of the libraries that stand in for CUDA's")
    parser.add_argument("--toolkit", help="the folder of CUDA 13's toolkit")
    parser.add_argument("--write", action="store_true", help="write the tables of the pages")
    arguments = parser.parse_args()
    problems = []
    count = 0
    for api in APIS:
        known = functions(arguments.root, api.definitions)
        count += len(known)
        problems += document_problems(api, arguments.root, known, arguments.write)
        ours = arguments.libraries and os.path.join(arguments.libraries, api.library)
        theirs = arguments.toolkit and os.path.join(arguments.toolkit, "lib64", api.in_toolkit)
        versions = renamed(arguments.root, api.per_thread) if api.per_thread else set()
        if api.definitions == APIS[1].definitions:
            problems += per_thread_problems(arguments.root, known, versions)
        for library in filter(None, (ours, theirs)):
            plain, of_threads = exported(library)
            if library == ours:
                plain -= OF_CLANG
            problems += differences(library, plain, api.definitions, set(known))
            problems += differences(library, of_threads, api.per_thread, versions)
    print("\n".join(problems) or f"cuda_api: ok, {count} functions")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
