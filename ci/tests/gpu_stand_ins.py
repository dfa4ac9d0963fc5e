"""The stand-ins of the tests of ci/gpu for CMake, the driver, the program and the profilers."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

CI = os.path.join(os.environ["BANKPROOF_SOURCE"], "ci")
LOAD = "smsp__sass_inst_executed_op_shared_ld.sum"
WAVEFRONTS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
METRICS = [LOAD, LOAD.replace("_ld", "_st"), LOAD.replace("shared", "global"),
           LOAD.replace("shared_ld", "global_st"), WAVEFRONTS, WAVEFRONTS.replace("op_ld", "op_st"),
           "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
           "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum",
           "smsp__sass_l1tex_tags_mem_global.sum"]
CHECK, IDEAL = "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"
DEVICE = json.dumps({"name": "A GPU", "capability": "9.0", "multiprocessors": 132, "bytes": 1,
                     "l2_bytes": 50 << 20, "driver": 13000})

# The program; a file of the scratch folder says how each command behaves.
PROGRAM = """#!/usr/bin/env python3
import json, os, sys
here = os.environ["STATE"]
says = json.load(open(os.path.join(here, "says")))
words = sys.argv[1:]
with open(os.path.join(here, "log"), "a") as log: log.write(" ".join(words) + "\\n")
if words[0] == "device":
    if not says["device"]: print("no GPU"); sys.exit(3)
    print(says["device"])
elif words[0] == "predictions":
    if says["predicted"] is None: sys.exit(2)
    print(json.dumps({"machine": "sm_90", "scenarios": says["predicted"]}))
elif words[0] == "scenario":
    for name in words[1:]: print("WRONG" if name in says["wrong"] else "right", name)
    sys.exit(any(name in says["wrong"] for name in words[1:]))
elif words[0] == "bench":
    if "--list" in words: print(json.dumps(says["rows"])); sys.exit(0)
    names = [word for word in words[1:] if not word.startswith("--") and not word.isdigit()]
    rows = [row for row in says["rows"] if not names or row["name"] in names]
    print(json.dumps({"repeats": 21, "copy": {"bytes": 2000, "milliseconds": 1}, "rows": rows}))
else:
    report = [word for word in words if word.startswith("--gtest_output=json:")][0][20:]
    cases = [{"name": name, "classname": "S", "result": result} for name, result in says["tests"].items()]
    json.dump({"testsuites": [{"testsuite": cases}]}, open(report, "w"))
    sys.exit(says["exit"])
"""
SANITIZER = """#!/usr/bin/env python3
import json, os, subprocess, sys
says = json.load(open(os.path.join(os.environ["STATE"], "says")))
if sys.argv[-1].startswith("planted.") and says["sharp"]: print("ERROR SUMMARY"); sys.exit(9)
program = [k for k, word in enumerate(sys.argv) if word.endswith("bankproof-gpu")][0]
sys.exit(subprocess.run(sys.argv[program:]).returncode)
"""
# Nsight Compute: one row per launch, after a row of units.
NCU = """#!/usr/bin/env python3
import csv, json, os, sys
says = json.load(open(os.path.join(os.environ["STATE"], "says")))
log = sys.argv[sys.argv.index("--log-file") + 1]
metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
if says["ncu"]: open(log, "w").write("==ERROR== " + says["ncu"]); sys.exit(1)
metrics = [metric for metric in metrics if metric not in says["unknown"]]
with open(log, "w") as file:
    file.write("==PROF== Connected\\n")
    out = csv.writer(file, quoting=csv.QUOTE_ALL)
    out.writerow(["ID", "Kernel Name", *metrics])
    out.writerow(["", "", *["inst"] * len(metrics)])
    for k, (name, counts) in enumerate(says["launches"]):
        out.writerow([k, name, *[f"{counts.get(metric, 0):,}" for metric in metrics]])
"""
# CMake's build takes long, so everything else has to be checked before it.
CMAKE = """#!/usr/bin/env python3
import os, sys
with open(os.path.join(os.environ["STATE"], "log"), "a") as log:
    log.write("cmake " + " ".join(sys.argv[1:]) + "\\n")
"""
# The driver's library; the environment says how it answers and how many GPUs it counts.
DRIVER = """
#include <cstdlib>
extern "C" int cuInit(unsigned) { return std::atoi(std::getenv("CU_INIT")); }
extern "C" int cuDeviceGetCount(int* count) {
  *count = std::atoi(std::getenv("CU_COUNT"));
  return 0;
}
extern "C" int cuGetErrorName(int code, const char** name) {
  *name = code == 100 ? "CUDA_ERROR_NO_DEVICE" : nullptr;
  return code == 100 ? 0 : 1;
}
"""


def launch(kernel, **counts):
    return {"kernel": f"void ns::{kernel}<int>(int const*, int*)",
            "metrics": {metric: counts.get(metric, 0) for metric in METRICS}}


PREDICTED = [
    {"name": "sum.int32", "right": True, "polls": False, "plain": True,
     "launches": [launch("sum", **{LOAD: 3, WAVEFRONTS: 1200}), launch("sum", **{LOAD: 4})]},
    {"name": "microkernel.shared-load.8.pair-1", "right": True, "polls": False, "plain": True,
     "launches": [launch("load_from_shared", **{LOAD: 1, WAVEFRONTS: 1})]},
    {"name": "scan.int32", "right": True, "polls": True, "plain": False,
     "because": "st.volatile.global.u32", "launches": [launch("scan")]},
    {"name": "product.float", "right": True, "polls": False, "plain": False,
     "because": "cp.async.ca.shared.global", "launches": [launch("multiply")]},
]
COUNTED = [["void ns::sum<T1>(const T1 *, T1 *)", {LOAD: 3, WAVEFRONTS: 1200, CHECK: 1200, IDEAL: 900}],
           ["void ns::sum<T1>(const T1 *, T1 *)", {LOAD: 4}],
           ["void ns::load_from_shared<T1>(T1 *)", {LOAD: 1, WAVEFRONTS: 1, CHECK: 1, IDEAL: 1}]]


class GpuCase(unittest.TestCase):
    """Runs ci/gpu in a scratch tree; `self.says` says what the stand-ins print and do."""
    rows = []  # of the program's benchmarks

    @classmethod
    def setUpClass(cls):
        cls.drivers = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.drivers)
        subprocess.run([os.environ.get("CXX", "c++"), "-shared", "-fPIC", "-x", "c++", "-", "-o",
                        os.path.join(cls.drivers, "libcuda.so.1")], input=DRIVER, text=True, check=True)

    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="with blank ")
        self.addCleanup(shutil.rmtree, self.scratch)
        self.binary = self.path("bin/bankproof-gpu")
        os.makedirs(self.path("bin"))
        for name, text in {"bankproof-gpu": PROGRAM, "compute-sanitizer": SANITIZER, "ncu": NCU,
                           "cmake": CMAKE}.items():
            self.write(f"bin/{name}", text)
            os.chmod(self.path(f"bin/{name}"), 0o755)
        os.symlink(sys.executable, self.path("bin/python3"))
        os.makedirs(self.path("tree/docs"))
        shutil.copytree(CI, self.path("tree/ci"))
        with open(os.path.join(CI, "..", "docs", "fidelity.md"), encoding="utf-8") as file:
            self.write("tree/docs/fidelity.md", file.read())
        self.says = {"device": DEVICE, "predicted": PREDICTED, "exit": 0,
                     "tests": {"one": "COMPLETED", "two": "COMPLETED"}, "wrong": [], "sharp": True,
                     "ncu": "", "unknown": [], "launches": COUNTED, "rows": self.rows}
        self.environment = {"PATH": self.path("bin"), "STATE": self.scratch,
                            "CUDA_HOME": self.path("no toolkit"),
                            "LD_LIBRARY_PATH": self.drivers, "CU_INIT": "0", "CU_COUNT": "1"}

    def path(self, name):
        return os.path.join(self.scratch, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def gpu(self, *words, binary=True):
        self.write("says", json.dumps(self.says))
        given = ["--binary", self.binary] if binary else []
        run = subprocess.run(
            [sys.executable, self.path("tree/ci/gpu"), *given, "--out", self.path("out"), *words],
            env=self.environment, capture_output=True, text=True, check=False)
        return run.returncode, (run.stdout + run.stderr).replace("'", "")

    def assert_ends(self, code, words, *arguments):
        got, output = self.gpu(*arguments)
        self.assertEqual(got, code, output)
        self.assertIn(words, output)
        return output

    def log(self):
        with open(self.path("log"), encoding="utf-8") as file:
            return file.read().splitlines()
