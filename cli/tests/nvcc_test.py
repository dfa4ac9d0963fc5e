"""`bankproof nvcc` stands where nvcc stands: every phase, and the options."""

import json
import os
import shutil
import struct
import subprocess
import unittest

from nvcc_support import (ADD, BESIDE, CALLS_IT, CAN_COMPILE, COMPILER, DEVICE_FUNCTION, LIBRARY, MAIN, RACE,
                          REFERENCES, THREADS, WITH_NVCC, NvccFolder)
from program import CLEAN, INPUT, USAGE, needs, run

FINDING = 1


class Phases(NvccFolder):
    @needs(CAN_COMPILE, COMPILER)
    def test_a_program_is_compiled_and_linked_and_runs_by_itself(self):
        self.file("add.cu", ADD)
        result = self.nvcc("add.cu", "-o", "add", "--extended-lambda")
        self.assertEqual(result.stderr, b"")
        self.assertEqual(self.call("./add"), "640\n")
        self.assertEqual(self.call("./add", "x"), "650\n")

    @needs(CAN_COMPILE, COMPILER)
    def test_the_program_runs_in_any_folder_and_under_exec(self):
        self.file("add.cu", ADD)
        self.nvcc("add.cu", "--extended-lambda")
        shutil.move(os.path.join(self.folder, "a.out"), os.path.join(self.folder, "moved"))
        self.assertEqual(self.call("env", "-i", "./moved"), "640\n")
        result = run("exec", "--", os.path.join(self.folder, "moved"))
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        self.assertIn(b"2 launches checked", result.stderr)

    @needs(CAN_COMPILE, COMPILER)
    def test_references_to_textures(self):
        self.file("references.cu", REFERENCES)
        if WITH_NVCC:  # CUDA 13 has them no more
            result = self.nvcc("references.cu", code=INPUT)
            self.assertIn(b"cudaBindTexture", result.stderr)
            return
        self.nvcc("references.cu", "-o", "references")
        self.assertEqual(self.call("./references"), "6 2\n")
        result = run("exec", "--", os.path.join(self.folder, "references"), "unbound")
        self.assertEqual(result.returncode, FINDING, result.stderr)
        self.assertRegex(result.stderr.decode(), r"references\.cu:5: trap: .*0 is the handle of no texture")

    @needs(CAN_COMPILE, COMPILER)
    def test_a_race_makes_the_program_exit_with_1(self):
        self.file("race.cu", RACE)
        self.nvcc("race.cu", "-o", "race")
        result = subprocess.run([os.path.join(self.folder, "race")], check=False,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, FINDING)
        self.assertRegex(result.stderr.decode(), r"race\.cu:2: race: ")

    @needs(CAN_COMPILE, COMPILER)
    def test_variables_are_the_options_of_exec(self):
        self.file("race.cu", RACE)
        self.nvcc("race.cu", "-o", "race")
        report = os.path.join(self.folder, "report.json")

        def code_with(**variables):
            names = {f"BANKPROOF_{name.upper()}": value for name, value in variables.items()}
            return subprocess.run(["./race", "one", ""], check=False, cwd=self.folder, capture_output=True,
                                  env={**os.environ, **names}, timeout=60)

        self.assertEqual(code_with(fail_on="misaligned").returncode, CLEAN)
        self.assertEqual(code_with(error_exitcode="9").returncode, 9)
        self.assertEqual(code_with(format="json", output=report).returncode, FINDING)
        with open(report, encoding="utf-8") as file:
            self.assertIn("race", {fault["kind"] for fault in json.load(file)["faults"]})
        self.assertEqual(code_with(baseline=report).returncode, CLEAN)
        self.assertEqual(code_with(kernels="nothing", format="text").returncode, INPUT)
        bad = code_with(format="nothing")
        self.assertEqual(bad.returncode, USAGE)
        self.assertIn(b"--format", bad.stderr)

    @needs(CAN_COMPILE, COMPILER)
    def test_objects_archives_and_shared_libraries_link(self):
        self.file("scale.h", "int scaled(int x);\n")
        self.file("scale.cu", LIBRARY)
        self.file("main.cpp", MAIN)
        self.nvcc("-c", "scale.cu", "-DFACTOR=2")
        self.nvcc("--compile", "main.cpp", "--output-file", "made.o")
        self.nvcc("made.o", "scale.o", "-o", "objects")
        self.assertEqual(self.call("./objects"), "10\n")
        self.nvcc("-lib", "scale.o", "-o", "libscale.a")
        self.assertEqual(self.call("ar", "t", "libscale.a"), "scale.o\n")
        self.nvcc("main.cpp", "-L.", "-lscale", "-o", "archive")
        self.assertEqual(self.call("./archive"), "10\n")
        self.nvcc("-shared", "-Xcompiler", "-fPIC", "scale.cu", "-DFACTOR=3", "-o", "libscaled.so")
        self.nvcc("main.cpp", "-L.", "-lscaled", "-Xlinker", "-rpath,$ORIGIN", "-o", "shared")
        self.assertEqual(self.call("./shared"), "15\n")

    @needs(CAN_COMPILE, COMPILER)
    def test_a_finding_in_a_shared_library_makes_the_program_exit_with_1(self):
        self.file("race.cu", RACE.replace("int main", "void go"))
        self.file("main.cpp", "void go();\nint main() { go(); }\n")
        self.nvcc("-shared", "-Xcompiler=-fPIC", "race.cu", "-o", "librace.so")
        self.nvcc("main.cpp", "./librace.so", "-o", "program")
        self.call("./program", code=FINDING)

    @needs(CAN_COMPILE, COMPILER)
    def test_c_files_are_c(self):
        self.file("half.c", "int half(int class) { return class / 2; }\n")
        self.file("main.cu", 'extern "C" int half(int);\n__global__ void k() {}\n'
                             "int main() { k<<<1, 1>>>(); return half(84) - 42; }\n")
        self.nvcc("main.cu", "half.c", "-o", "program", "-std=c++17")
        self.call("./program")

    @needs(CAN_COMPILE, COMPILER)
    def test_ptx_and_preprocessed_text(self):
        self.file("race.cu", RACE)
        self.nvcc("-ptx", "race.cu")
        self.assertIn(".visible .entry _Z4racePi", self.text("race.ptx"))
        self.nvcc("--ptx", "race.cu", "-o", "other", "-arch", "sm_70")
        self.assertIn(".target sm_80", self.text("other"))
        self.assertIn(b"*p = threadIdx.x;", self.nvcc("-E", "race.cu").stdout)
        self.nvcc("-E", "race.cu", "-o", "race.ii")
        self.assertIn("*p = threadIdx.x;", self.text("race.ii"))
        self.assertIn(b"-cubin: the file has PTX", self.nvcc("-cubin", "race.cu").stderr)
        self.assertIn(".entry", self.text("race.cubin"))

    @needs(CAN_COMPILE, COMPILER)
    def test_dependencies(self):
        self.file("part.h", "#define N 1\n")
        self.file("a.cu", '#include "part.h"\n__global__ void k() {}\n')
        printed = self.nvcc("-M", "a.cu", "-odir", "objects").stdout.decode()
        self.assertRegex(printed, r"^objects/a\.o *:")
        self.assertIn("part.h", printed)
        self.assertIn("cuda_runtime.h", printed)
        self.nvcc("-MM", "a.cu", "-o", "a.d", "-MT", "target")
        self.assertRegex(self.text("a.d"), r"^target *: *a\.cu[\s\\]+(.|\n)*part\.h")
        self.nvcc("-c", "a.cu", "-o", "out.o", "-MD")
        self.assertRegex(self.text("out.d"), r"^out\.o *:")
        self.nvcc("-c", "a.cu", "-MMD", "-MP", "-MF", "named.d")
        self.assertRegex(self.text("named.d"), r"^a\.o *:(.|\n)*\npart\.h *:")
        self.file("of_device.h", "")
        self.file("b.cu", '#ifdef __CUDA_ARCH__\n#include "of_device.h"\n#else\n#include "part.h"\n#endif\n')
        self.nvcc("-c", "b.cu", "-MMD", "-MP")
        rule = self.text("b.d").split("\n\n")[0].replace("\\\n", " ")
        self.assertRegex(rule, r"^b\.o *:.*part\.h")
        if not WITH_NVCC:  # whose rule has the host's half
            self.assertRegex(rule, r"^b\.o *:.*of_device\.h")

    @needs(CAN_COMPILE, COMPILER)
    def test_run_gives_the_programs_code(self):
        self.file("count.cu", "__global__ void k() {}\n"
                              "int main(int count, char**) { k<<<1, 1>>>(); return 3 + count; }\n")
        self.nvcc("count.cu", "-run", "-run-args", "a,b", code=6)

    @needs(CAN_COMPILE, COMPILER)
    def test_keep_keeps_the_ptx(self):
        self.file("race.cu", RACE)
        self.nvcc("race.cu", "--keep", "--keep-dir", "kept", "-o", "program")
        kept = os.listdir(os.path.join(self.folder, "kept"))
        self.assertEqual(kept, [] if WITH_NVCC else ["race.ptx"])

    @needs(CAN_COMPILE, COMPILER)
    def test_relocatable_objects_are_made_and_linked(self):
        self.file("twice.cu", DEVICE_FUNCTION)
        self.file("calls_it.cu", CALLS_IT)
        self.nvcc("-dc", "twice.cu", "calls_it.cu")
        self.nvcc("-dlink", "twice.o", "calls_it.o", "-o", "linked.o")
        self.nvcc("twice.o", "calls_it.o", "linked.o", "-o", "by_hand")
        self.nvcc("-rdc=true", "twice.o", "calls_it.o", "-o", "program")
        self.assertEqual(self.call("./by_hand"), "19\n")
        self.assertEqual(self.call("./program"), "19\n")

    @needs(CAN_COMPILE, COMPILER)
    def test_relocatable_files_share_variables_and_keep_their_static_ones(self):
        self.file("shared.h", "extern __constant__ int factor;\n__global__ void one(int* p);\n"
                              "__global__ void two(int* p);\n")
        for name, value in ("one", 10), ("two", 100):
            self.file(name + ".cu", """#include "shared.h"
static __device__ int add = %d;
static __device__ int own(int x) { return factor * x + add; }
__global__ void %s(int* p) { *p = own(*p); }
""" % (value, name))
        self.file("main.cu", """#include <cstdio>
#include "shared.h"
__constant__ int factor;
int main() {
  int x = 1, three = 3, *p;
  cudaMemcpyToSymbol(factor, &three, 4);
  cudaMalloc(&p, 4);
  cudaMemcpy(p, &x, 4, cudaMemcpyHostToDevice);
  one<<<1, 1>>>(p);
  two<<<1, 1>>>(p);
  cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  std::printf("%d\\n", x);
}
""")
        self.nvcc("-rdc=true", "main.cu", "one.cu", "two.cu", "-o", "program")
        self.assertEqual(self.call("./program"), "139\n")

    @needs(CAN_COMPILE, COMPILER)
    def test_halves_are_rounded_in_host_code(self):
        # Ties, subnormal numbers, and what is just above or below them; Python rounds alike.
        values = [sign * (1 + k / 2**12) * 2.0**exponent for exponent in (-26, -25, -24, -15, -14, 0, 14)
                  for k in range(0, 2**12, 2) for sign in (1, -1)] + [65504.0, 65519.0, 0.0]
        self.file("values.h", "const double values[] = {%s};\n" % ",".join(map(repr, values)))
        self.file("halves.cu", """#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#include "values.h"
__global__ void k() {}
int main() {
  for (const double value : values) {
    const __half half(value);
    unsigned short bits;
    std::memcpy(&bits, &half, 2);
    std::printf("%d %.17g\\n", bits, static_cast<float>(half));
  }
}
""")
        self.nvcc("halves.cu", "-o", "halves")
        for value, line in zip(values, self.call("./halves").splitlines(), strict=True):
            packed = struct.pack("<e", value)
            bits, back = line.split()
            self.assertEqual((int(bits), float(back)),
                             (*struct.unpack("<H", packed), *struct.unpack("<e", packed)), value)


class Options(NvccFolder):
    @needs(CAN_COMPILE, COMPILER)
    def test_what_has_no_meaning_here_is_named_once(self):
        self.file("race.cu", RACE)
        told = self.nvcc("-c", "race.cu", "-maxrregcount=32", "-Xptxas", "-v", "-Xptxas=-O3", "-G",
                         "-g", "-lineinfo", "-m64", "-t", "2", "-t4").stderr.decode()
        self.assertEqual(told, "bankproof nvcc: without a meaning here: --maxrregcount, -Xptxas, -G\n")

    @needs(CAN_COMPILE, COMPILER)
    def test_architectures_of_all_generations(self):
        self.file("race.cu", RACE)
        most = "90" if WITH_NVCC else "80"
        for words, target, beyond in [
                (["-arch=sm_35"], "80", ""), (["-arch", "compute_52"], "80", ""),
                (["--gpu-architecture=sm_86", "--gpu-code=sm_86,compute_86"],
                 "86" if WITH_NVCC else "80", ""),
                (["-gencode", "arch=compute_75,code=sm_75",
                  "--generate-code=arch=compute_80,code=[sm_80,compute_80]"], "80", ""),
                (["-arch=native"], "80", ""), (["-arch=all-major"], "80", ""),
                (["-arch=sm_120"], most, "120")]:
            with self.subTest(words):
                told = self.nvcc("-ptx", "race.cu", *words).stderr.decode()
                self.assertIn(".target sm_" + target, self.text("race.ptx"))
                self.assertEqual(told, "bankproof nvcc: sm_%s: the code is compiled for sm_%s\n"
                                 % (beyond, most) if beyond else "")

    @needs(CAN_COMPILE, COMPILER)
    def test_definitions_reach_both_halves(self):
        self.file("defined.h", "#define FROM_FILE 1\n")
        self.file("a.cu", """
#if !defined(__NVCC__) || !defined(__CUDACC__) || __CUDACC_VER_MAJOR__ < 11 || !FROM_FILE
#error not as nvcc
#endif
#ifdef REMOVED
#error still defined
#endif
#include <cstdio>
__global__ void k(int* p) { *p = A + sizeof(TEXT); }
int main() {
  int x, *p;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  cudaMemcpy(&x, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  std::printf("%d %s\\n", x + B, TEXT);
}
""")
        self.nvcc("a.cu", "-o", "a", "-include", "defined.h", "-I", ".", "-DA=1,B=2",
                  "-D", 'TEXT="x,y"', "-DREMOVED", "-UREMOVED")
        self.assertEqual(self.call("./a"), "7 x,y\n")

    @staticmethod
    def note_on(clang):
        """What is told of a clang that makes wrong code of some programs."""
        said = subprocess.run([clang, "--version"], check=True, capture_output=True, timeout=60).stdout
        if WITH_NVCC or b"clang version 14." not in said:
            return b""
        return (b"bankproof nvcc: clang 14 may drop comparisons in device functions that return structures with "
                b"padding; install clang-16\n")

    @needs(CAN_COMPILE, COMPILER)
    def test_default_streams_of_threads(self):
        self.file("threads.cu", THREADS)
        macro = "-DCUDA_API_PER_THREAD_DEFAULT_STREAM"
        for clang in filter(shutil.which, ("clang++", "clang++-16")):
            for options, code in (([], CLEAN), (["--default-stream=legacy"], CLEAN),
                                  (["--default-stream", "per-thread"], FINDING), ([macro], FINDING)):
                with self.subTest(clang=clang, options=options):
                    told = self.nvcc("threads.cu", "-o", "threads", *options, BANKPROOF_CLANG=clang).stderr
                    self.assertEqual(told, self.note_on(clang))
                    ran = subprocess.run(["./threads"], check=False, cwd=self.folder, capture_output=True,
                                         timeout=60)
                    self.assertEqual(ran.returncode, code, ran.stderr)
                    races = [f"threads.cu:{line}: race: " for line in (9, 10) if code == FINDING]
                    for place in races:
                        self.assertIn(place, ran.stderr.decode())
                    self.assertEqual(self.call("./threads", "waits"), "3\n")

    @needs(CAN_COMPILE, COMPILER)
    def test_options_come_from_files_and_variables(self):
        self.file("scale.h", "int scaled(int x);\n")
        self.file("scale.cu", LIBRARY)
        self.file("main.cpp", MAIN)
        self.file("options", "-DFACTOR=4 -O2\n-Xcompiler '-Wall'")
        self.nvcc("scale.cu", "main.cpp", "-optf", "options", "-o", "a")
        self.assertEqual(self.call("./a"), "20\n")
        self.nvcc("scale.cu", "main.cpp", "@options", "-o", "b")
        self.assertEqual(self.call("./b"), "20\n")
        self.nvcc("scale.cu", "main.cpp", NVCC_PREPEND_FLAGS="-DFACTOR=6", NVCC_APPEND_FLAGS="-o c")
        self.assertEqual(self.call("./c"), "30\n")

    @needs(CAN_COMPILE, COMPILER)
    def test_unknown_options_go_to_the_hosts_compiler_if_asked(self):
        self.file("race.cu", RACE)
        self.nvcc("-forward-unknown-to-host-compiler", "-fno-stack-protector", "-c", "race.cu")
        shown = self.nvcc("-forward-unknown-to-host-compiler", "-fno-stack-protector", "-c",
                          "race.cu", "--dryrun").stderr.decode()
        self.assertIn(" -fno-stack-protector ", shown)

    @needs(CAN_COMPILE, COMPILER)
    def test_libraries_of_the_toolkit_are_the_machines(self):
        self.file("add.cu", ADD)
        self.nvcc("add.cu", "-o", "add", "--extended-lambda", "-L/usr/local/cuda/lib64",
                  "-L/usr/local/cuda/lib64/stubs", "-lcudart", "-lcudadevrt", "-lcudart_static",
                  "-lcuda", "-lm")
        self.assertEqual(self.call("./add"), "640\n")

    @needs(CAN_COMPILE, COMPILER)
    def test_dryrun_shows_commands_and_runs_none(self):
        self.file("race.cu", RACE)
        lines = self.nvcc("race.cu", "-o", "race", "--dryrun").stderr.decode().splitlines()
        self.assertTrue(all(line.startswith("#$ ") for line in lines))
        self.assertTrue(any(line.startswith("#$ TOP=") for line in lines))
        self.assertIn("-lcudart_static", lines[-1])
        self.assertEqual(self.there("race"), [])

    def test_help_and_version(self):
        text = self.nvcc("--help").stdout.decode()
        self.assertIn("--relocatable-device-code (-rdc)", text)
        self.assertIn("without a meaning here", text)

    @needs(CAN_COMPILE, COMPILER)
    def test_the_version_names_nvcc_and_bankproof(self):
        text = self.nvcc("--version").stdout.decode()
        self.assertRegex(text, r"^bankproof [0-9.]+ stands in for nvcc: NVIDIA \(R\) Cuda compiler "
                               r"driver\n")
        self.assertRegex(text, r"release (\d+\.\d+), V\1\.\d+")
        # Asked by itself, under the name of a compiler, it is none.
        self.assertEqual(self.nvcc("--version", CUDACXX=BESIDE).stdout.decode(), text)


if __name__ == "__main__":
    unittest.main()
