"""HeCBench (zjin-lcf/HeCBench): a program is a folder src/NAME-cuda with a Makefile; its sister of OpenMP,
which its host runs, is src/NAME-omp.
"""

import os

from corpora.program import Program

FOR_CUDA = "make ARCH=sm_80"
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


def programs(root):
    for folder in sorted(os.listdir(os.path.join(root, "src"))):
        name, _, kind = folder.rpartition("-")
        if kind != "cuda":
            continue
        at = os.path.join("src", folder)
        has_makefile = os.path.exists(os.path.join(root, at, "Makefile"))
        yield Program(name, at, [FOR_CUDA], sister=sister_of(root, name),
                      reason="" if has_makefile else "its folder has no Makefile")
