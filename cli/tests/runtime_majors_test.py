"""The libraries that stand in for CUDA's runtime of the majors 11, 12 and 13: their names, their version, and
the layout of what they write. No program of the majors 11 and 12 is built here.
"""

import json
import os
import re
import subprocess
import sys
import unittest

from exec_support import LIBRARIES, SOURCE

VERSIONS = {"11.0": 11080, "12": 12090, "13": 13000}
CHANGED = ["cudaGraphAddDependencies", "cudaGraphAddNode", "cudaGraphGetEdges", "cudaGraphNodeGetDependencies",
           "cudaGraphNodeGetDependentNodes", "cudaGraphRemoveDependencies", "cudaMemAdvise",
           "cudaMemPrefetchAsync", "cudaStreamUpdateCaptureDependencies"]
OF_12 = ["cudaGetDeviceProperties_v2", "cudaEventElapsedTime_v2", "cudaStreamGetCaptureInfo_v3",
         "cudaMemPrefetchAsync_v2_ptsz", "cudaThreadSynchronize", "cudaThreadExit",
         *(name + "_v2" for name in CHANGED)]
OF_11 = ["cudaBindTexture", "cudaUnbindTexture", "cudaProfilerInitialize"]

# Runs in a process of its own: fills a buffer with 0xa5, lets the library write into it, and prints what it
# wrote. A library does not know that its buffer is larger.
CALLS = """
import ctypes, json, sys
cuda = ctypes.CDLL(sys.argv[1])
def written(function, *arguments):
    buffer = ctypes.create_string_buffer(b"\\xa5" * 4096, 4096)
    before = (ctypes.c_size_t * 512).from_buffer(buffer)
    code = getattr(cuda, function)(buffer, *arguments)
    data = bytes(buffer)
    return code, len(data.rstrip(b"\\xa5")), data
version, count = ctypes.c_int(), ctypes.c_int()
cuda.cudaRuntimeGetVersion(ctypes.byref(version))
told = {"version": version.value}
for function in ("cudaGetDeviceProperties", "cudaGetDeviceProperties_v2"):
    if not hasattr(cuda, function): continue
    code, size, data = written(function, 0)
    at = lambda place: int.from_bytes(data[place:place + 4], "little")
    told[function] = {"code": code, "size": size, "name": data[:256].split(b"\\0")[0].decode(),
                      "numbers": {place: at(place) for place in (308, 348, 360, 384, 388)}}
memory = ctypes.c_void_p()
cuda.cudaMallocManaged(ctypes.byref(memory), ctypes.c_size_t(64), 1)
told["pointer"] = written("cudaPointerGetAttributes", memory)[:2]
told["advise"] = cuda.cudaMemAdvise(memory, ctypes.c_size_t(64), 3, -1)
preferred = ctypes.c_int(-7)
cuda.cudaMemRangeGetAttribute(ctypes.byref(preferred), ctypes.c_size_t(4), 2, memory, ctypes.c_size_t(64))
told["preferred"] = preferred.value
graph, first, second = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
cuda.cudaGraphCreate(ctypes.byref(graph), 0)
for node in (first, second): cuda.cudaGraphAddEmptyNode(ctypes.byref(node), graph, None, ctypes.c_size_t(0))
data = [] if sys.argv[2] != "13" else [None]
told["edges"] = [cuda.cudaGraphAddDependencies(graph, ctypes.byref(first), ctypes.byref(second), *data,
                                               ctypes.c_size_t(1))]
edges = ctypes.c_size_t()
cuda.cudaGraphGetEdges(graph, None, None, *data, ctypes.byref(edges))
told["edges"].append(edges.value)
executable, error = ctypes.c_void_p(), ctypes.c_void_p(77)
if sys.argv[2] == "11.0":
    text = ctypes.create_string_buffer(b"text", 8)
    told["graph"] = cuda.cudaGraphInstantiate(ctypes.byref(executable), graph, ctypes.byref(error), text,
                                              ctypes.c_size_t(8))
    told["error node"] = error.value
else:
    told["graph"] = cuda.cudaGraphInstantiate(ctypes.byref(executable), graph, ctypes.c_ulonglong(0))
print(json.dumps(told))
"""


def library(major):
    return os.path.join(LIBRARIES, f"libcudart.so.{major}")


def exported(major):
    """{name: version} of the library's functions, without those for the libraries beside it."""
    run = subprocess.run(["nm", "-D", "--defined-only", library(major)], capture_output=True, text=True,
                         check=True)
    return dict(re.findall(r" [TW] (?!bankproof_)(\w+)@@(\S+)", run.stdout))


def told_by(major):
    run = subprocess.run([sys.executable, "-c", CALLS, library(major), major], capture_output=True, text=True,
                         check=False, timeout=60)
    return json.loads(run.stdout) if run.returncode in (0, 1) and run.stdout else run.stderr


class Majors(unittest.TestCase):
    def test_names_and_versions(self):
        with open(os.path.join(SOURCE, "cuda", "runtime", "functions.def"), encoding="utf-8") as file:
            of_13 = set(re.findall(r"^\w+\((\w+)", file.read(), re.MULTILINE))
        for major in VERSIONS:
            names = exported(major)
            self.assertEqual(set(names.values()), {f"libcudart.so.{major}"})
            self.assertEqual(of_13 - set(names), set(), major)
            extra = [] if major == "13" else OF_12 if major == "12" else OF_12 + OF_11
            self.assertEqual(set(extra) - set(names), set(), major)
        for name in OF_12 + OF_11:
            self.assertNotIn(name, exported("13"))
        for name in OF_11:
            self.assertNotIn(name, exported("12"))

    def test_layouts(self):
        # The bytes of each structure in the major's driver_types.h.
        sizes = {"11.0": {"cudaGetDeviceProperties": 728, "cudaGetDeviceProperties_v2": 1032},
                 "12": {"cudaGetDeviceProperties": 728, "cudaGetDeviceProperties_v2": 1032},
                 "13": {"cudaGetDeviceProperties": 1008}}
        for major, version in VERSIONS.items():
            told = told_by(major)
            self.assertIsInstance(told, dict, told)
            self.assertEqual(told["version"], version)
            for function, size in sizes[major].items():
                of = told[function]
                self.assertEqual((of["code"], of["size"]), (0, size), (major, function))
                self.assertEqual(of["name"], "bankproof's reference machine")
                numbers = of["numbers"]
                self.assertEqual(numbers["308"], 32)  # warpSize
                self.assertEqual(numbers["360"], 8)  # major
                processors = "384" if major == "13" else "388"
                self.assertGreater(numbers[processors], 1)
                self.assertEqual(numbers["348"], 0 if major == "13" else 1000000)  # clockRate
            self.assertEqual(told["pointer"], [0, 88 if major == "13" else 24])

    def test_signatures(self):
        for major in VERSIONS:
            told = told_by(major)
            self.assertEqual(told["edges"], [0, 1], major)
            self.assertEqual(told["graph"], 0, major)
            if major == "11.0":
                self.assertIsNone(told["error node"])
            if major != "13":  # there, a location is no number
                self.assertEqual((told["advise"], told["preferred"]), (0, -1), major)


if __name__ == "__main__":
    unittest.main()
