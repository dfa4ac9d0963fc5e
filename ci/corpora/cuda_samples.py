"""NVIDIA/cuda-samples: a program is a folder Samples/GROUP/NAME with a CMakeLists.txt, and test_args.json
has its arguments. The corpus's own run_tests.py judges programs by their exit code.

A program that needs a window of OpenGL, Vulkan, Direct3D or EGL, or that runs on another platform, is left
out.
"""

import json
import os
import re

from corpora.program import LAUNCHER, Program

# One architecture in place of nine: the machine runs PTX, and each further one only costs time.
ONE_ARCHITECTURE = "s/^set(CMAKE_CUDA_ARCHITECTURES .*)/set(CMAKE_CUDA_ARCHITECTURES 80)/"
FOR_CUDA = (f'sed -i "{ONE_ARCHITECTURE}" CMakeLists.txt && '
            'cmake -S . -B build -DCMAKE_CUDA_COMPILER="$CUDA_HOME/bin/nvcc" '
            '-DCUDAToolkit_ROOT="$CUDA_HOME" -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared && '
            'cmake --build build')
GRAPHICS = re.compile(r"find_package\((OpenGL|GLUT|Vulkan|EGL|X11)|D3D1[12]|EGLStream", re.I)
ELSEWHERE = ("7_libNVVM", "8_Platform_Specific")


def runs_of(name, known):
    if known.get("skip"):
        return []
    runs = known.get("runs") or [known]
    # The corpus's run_tests.py runs a program in its own folder, too.
    return [" ".join([f"cd build && {LAUNCHER} ./{name}", *run.get("args", [])]) for run in runs]


def programs(root):
    with open(os.path.join(root, "test_args.json"), encoding="utf-8") as file:
        known = json.load(file)
    samples = os.path.join(root, "Samples")
    for group in sorted(os.listdir(samples)):
        if group in ELSEWHERE or not os.path.isdir(os.path.join(samples, group)):
            continue
        for name in sorted(os.listdir(os.path.join(samples, group))):
            lists = os.path.join(samples, group, name, "CMakeLists.txt")
            if not os.path.exists(lists):
                continue
            with open(lists, encoding="utf-8") as file:
                if GRAPHICS.search(file.read()) or GRAPHICS.search(name):
                    continue
            yield Program(name, os.path.join("Samples", group, name), [FOR_CUDA],
                          runs_of(name, known.get(name, {})), by_exit_code=True)
