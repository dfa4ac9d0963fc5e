"""HeCBench (zjin-lcf/HeCBench): a program is a folder src/NAME-cuda with a Makefile, which a few have in a
folder below; its sister of OpenMP, which its host runs, is src/NAME-omp.
"""

import os
import re

from corpora.program import Program

# Most Makefiles name sm_60, which nvcc 13 does not know, some as the number alone.
FOR_CUDA = "make ARCH={}80"
NUMBER_ALONE = re.compile(r"^ARCH\s*=\s*\d+\s*$", re.M)
# g++ has no compiler for offloading here, so target regions run on the host.
FOR_HOST = "make -f {} CC=g++ DEVICE=cpu"
# The Makefile for AMD's compiler takes g++, too; the plain one has options of Intel's.
MAKEFILES = ("Makefile.aomp", "Makefile")


def sister_of(root, name):
    """The program of OpenMP, or None."""
    folder = os.path.join("src", f"{name}-omp")
    for makefile in MAKEFILES:
        if os.path.exists(os.path.join(root, folder, makefile)):
            return Program(name, folder, [FOR_HOST.format(makefile)])
    return None


def text_of(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def place_of(root, folder):
    """Where the program is built: in its folder, or in the only one anywhere below it that has a Makefile."""
    at = os.path.join("src", folder)
    having = [os.path.relpath(place, root) for place, _, files in os.walk(os.path.join(root, at))
              if "Makefile" in files]
    return having[0] if having and (having[0] == at or len(having) == 1) else at


def programs(root):
    for folder in sorted(os.listdir(os.path.join(root, "src"))):
        name, _, kind = folder.rpartition("-")
        if kind != "cuda":
            continue
        at = place_of(root, folder)
        makefile = text_of(os.path.join(root, at, "Makefile"))
        prefix = "" if NUMBER_ALONE.search(makefile) else "sm_"
        yield Program(name, at, [FOR_CUDA.format(prefix)], sister=sister_of(root, name),
                      reason="" if makefile else "its folder has no Makefile")
