"""Parboil (abduld/Parboil and its copies): a benchmark is a folder benchmarks/NAME, whose versions are in src;
`cuda` and `cuda_base` are programs here, the second as NAME-base. The sister is the plain version in C, in
`base` or `cpu`.

Its own driver asks for Python 2, so that its Makefiles are called as the driver calls them. They name chips
and give options that nvcc 13 does not know. All of them include OpenCL's header, for the names of types.
"""

import os
import re

from corpora.program import LAUNCHER, Program

MAKE = ('CPATH="$CORPORA/opencl" make -f ../../../../common/mk/Makefile default PARBOIL_ROOT=../../../.. '
        "SRCDIR=. BUILDDIR=../../build/{version} BIN=./{name} OPTIMIZATION=2 "
        "TOOLS_SRC=../../common_src/convert-dataset")
FOR_CUDA = ' CUDA_PATH="$CUDA_HOME" CUDACC="$CUDA_HOME/bin/nvcc" CUDALINK="$CUDA_HOME/bin/nvcc"'
# The user of the benchmarks is to make this file, which may be empty.
CONFIGURED = "touch ../../../../common/Makefile.conf"
ARCHITECTURE = re.compile(r"-arch[ =]\w+")
FLAGS = re.compile(r"^\s*APP_CUDACFLAGS\s*\+?=(.*)", re.M)
# nvcc compiles a file in C, too, and takes no options of the host's compiler.
FOR_HOST = re.compile(r"^\s*APP_CFLAGS\s*\+?=.*-ffast-math", re.M)
PLAIN = ("base", "cpu")


def flags_of(makefile):
    """Arguments for make that take the place of flags that nvcc refuses."""
    with open(makefile, encoding="utf-8", errors="replace") as file:
        text = file.read()
    arguments = " APP_CFLAGS=" if FOR_HOST.search(text) else ""
    flags = " ".join(FLAGS.findall(text))
    if not ARCHITECTURE.search(flags):
        return arguments
    flags = ARCHITECTURE.sub("", flags).replace("$(SRCDIR)", ".")
    return f"{arguments} APP_CUDACFLAGS='{' '.join(flags.split())}'"


def built(name, version, more=""):
    return [CONFIGURED, MAKE.format(name=name, version=version) + more]


def sister_of(root, name):
    for version in PLAIN:
        folder = os.path.join("benchmarks", name, "src", version)
        if os.path.exists(os.path.join(root, folder, "Makefile")):
            return Program(name, folder, built(name, version), [f"{LAUNCHER} ./{name}"])
    return None


def programs(root):
    for name in sorted(os.listdir(os.path.join(root, "benchmarks"))):
        for version in ("cuda", "cuda_base", "cuda-base"):
            folder = os.path.join("benchmarks", name, "src", version)
            makefile = os.path.join(root, folder, "Makefile")
            if os.path.exists(makefile):
                yield Program(name if version == "cuda" else f"{name}-base", folder,
                              built(name, version, FOR_CUDA + flags_of(makefile)), [f"{LAUNCHER} ./{name}"],
                              sister=sister_of(root, name))
