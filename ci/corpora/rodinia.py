"""Rodinia (yuhc/gpu-rodinia and its copies): a program is a folder cuda/NAME, whose file `run` has its
commands; its sister of OpenMP is openmp/NAME.

Its Makefiles take the toolkit's folder from CUDA_DIR, which both entrances set. Old targets and options that
no compiler takes any more are not ours to mend: a program that names one is not built by nvcc.
"""

import os

from corpora.makefiles import with_launcher
from corpora.program import Program

# Programs that are several, each in a folder of its own.
SEVERAL = {"srad": ("srad_v1", "srad_v2")}
NO_PROGRAM = ("util",)
FOR_CUDA = 'make CUDA_DIR="$CUDA_HOME"'


def runs_of(root, folder):
    """The commands of the file `run`, or `run.sh`."""
    paths = [os.path.join(root, folder, name) for name in ("run", "run.sh")]
    path = next(filter(os.path.exists, paths), None)
    if path is None:
        return []
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file if line.strip() and line[0] != "#"]
    return [with_launcher(line if line.startswith("./") else f"./{line}") for line in lines
            if line.split()[0].startswith(("./", "bin/", "cuda/"))]


def programs(root):
    for name in sorted(os.listdir(os.path.join(root, "cuda"))):
        if name in NO_PROGRAM or not os.path.isdir(os.path.join(root, "cuda", name)):
            continue
        for part in SEVERAL.get(name, ("",)):
            folder = os.path.join("cuda", name, part).rstrip("/")
            sister, of_openmp = None, os.path.join("openmp", name, part).rstrip("/")
            if os.path.isdir(os.path.join(root, of_openmp)):
                sister = Program(name, of_openmp, ["make"])
            yield Program(part or name, folder, [FOR_CUDA], runs_of(root, folder), sister=sister)
