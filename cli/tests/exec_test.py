"""Whole CUDA programs on the machine: their output and exit codes are their own, and the report says what
is wrong with their kernels and with their calls of CUDA.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
import unittest

from exec_support import CAN_BUILD, CLANG, FINDING, Programs, program_of
from program import BANKPROOF, CLEAN, INPUT, needs, run

COMPILER = "a compiler of CUDA"


class Exec(Programs):
    @needs(CAN_BUILD, COMPILER)
    def test_a_clean_program(self):
        code, output, report = self.exec(self.build(program_of()))
        self.assertEqual((code, output), (CLEAN, "63\n"), report)
        self.assertIn("bankproof: 1 launch checked on hmm: no finding", report)

    @needs(CAN_BUILD, COMPILER)
    def test_a_race_of_a_kernel(self):
        code, output, report = self.exec(self.build(program_of(barrier="")))
        self.assertEqual((code, output), (FINDING, "0\n"), report)
        self.assertRegex(report, r"part0\.cu:[79]: race: block 0, thread")

    @needs(CAN_BUILD, COMPILER)
    def test_the_exit_code_of_the_program_wins(self):
        program = self.build(program_of(barrier=""))
        self.assertEqual(self.exec(program, "7")[0], 7)
        self.assertEqual(self.exec(program, options=["--error-exitcode", "9"])[0], 9)
        self.assertEqual(self.exec(program, options=["--fail-on", "none"])[0], CLEAN)

    @needs(CAN_BUILD, COMPILER)
    def test_what_calls_do_wrong(self):
        program = self.build(program_of(end="""
  cudaMemcpy(numbers, a, sizeof numbers + 4, cudaMemcpyDeviceToHost);
  int* b = nullptr;
  cudaMalloc(&b, 8);
  cudaFree(b);
  cudaMemset(b, 0, 8);
  cudaFree(b);"""))
        code, _, report = self.exec(program)
        self.assertEqual(code, FINDING, report)
        places = dict(re.findall(r"part0\.cu:(\d+): (\w+): cuda", report))
        self.assertEqual(places, {"21": "invalid_copy", "25": "use_after_free", "26": "double_free"}, report)
        self.assertRegex(report, r"cudaFree of 0x\w+, which was freed at \S*part0\.cu:24")
        self.assertRegex(report, r"part0\.cu:\d+: unchecked_error: the call failed")

    @needs(CAN_BUILD, COMPILER)
    def test_copies_from_and_to_memory_that_the_host_does_not_have(self):
        program = self.build(program_of(end="""
  int* nowhere = nullptr;
  cudaMemcpy(a, nowhere, 4, cudaMemcpyHostToDevice);
  cudaMemcpyAsync(nowhere, a, 4, cudaMemcpyDeviceToHost, 0);
  cudaMemcpyToSymbol(known, nowhere, 4);
  cudaMemcpy2D(a, 8, nowhere, 8, 4, 2, cudaMemcpyHostToDevice);
  std::puts("the end");""").replace("int main", "__device__ int known;\nint main"))
        code, output, report = self.exec(program)
        self.assertEqual((code, output), (FINDING, "63\nthe end\n"), report)
        found = re.findall(r"part0\.cu:(\d+): invalid_copy: (\w+ \w+) 0x0: the program can access none", report)
        self.assertEqual(found, [("23", "cudaMemcpy from"), ("24", "cudaMemcpy to"),
                                 ("25", "cudaMemcpyToSymbol from"), ("26", "cudaMemcpy2D from")], report)

    @needs(CAN_BUILD, COMPILER)
    def test_some_launches_are_checked(self):
        program = self.build(program_of(barrier="", end="""
  clear<<<1, 64>>>(a);
  clear<<<1, 64>>>(a);""").replace("int main", "__global__ void clear(int* a) { a[threadIdx.x] = 0; }\nint main"))
        for options, checked in ((["--kernels", "clear"], 2), (["--kernel-name", "clear"], 2),
                                 (["--launches", "1-2"], 2), (["--launches", "2"], 1)):
            code, _, report = self.exec(program, options=options)
            self.assertEqual(code, CLEAN, report)
            unchecked = "2 launches" if checked == 1 else "1 launch"
            self.assertIn(f"note: {unchecked} ran unchecked\n", report)
            self.assertIn(f"{checked} launch{'es' * (checked > 1)} checked on hmm: no finding", report)
        for options in (["--kernels", "clear", "--kernels", "reverse"], ["--launches", "0"], []):
            self.assertEqual(self.exec(program, options=options)[0], FINDING)
        code, _, report = self.exec(program, options=["--kernels", "nothing"])
        self.assertEqual(code, INPUT)
        self.assertIn("leave out every launch of the program (3), so nothing was checked", report)

    @needs(CAN_BUILD, COMPILER)
    def test_tools_of_compute_sanitizer(self):
        ends = {"racecheck": "", "memcheck": "reverse<<<1, 64>>>(a + 32);",
                "initcheck": "int* b; cudaMalloc(&b, 256); reverse<<<1, 64>>>(b);"}
        for tool, end in ends.items():
            program = self.build(program_of("" if tool == "racecheck" else "__syncthreads();", end))
            for other in {"memcheck", "racecheck", "synccheck", tool}:
                code, _, report = self.exec(program, options=["--tool", other])
                self.assertEqual(code, FINDING if tool == other else CLEAN, report)

    @needs(CAN_BUILD, COMPILER)
    def test_a_baseline_has_the_findings_that_do_not_fail(self):
        old = os.path.join(self.folder, "old.json")
        program = self.build(program_of(barrier=""))
        self.assertEqual(self.exec(program, options=["--format", "json", "-o", old])[0], FINDING)
        code, _, report = self.exec(program, options=["--baseline", old])
        self.assertEqual(code, CLEAN, report)
        self.assertIn("race (known): ", report)
        program = self.build("\n\n" + program_of(barrier="", end="cudaFree(a);"))
        code, _, report = self.exec(program, options=["--baseline", old])
        self.assertEqual(code, FINDING, report)
        self.assertRegex(report, r"part0\.cu:\d+: double_free: ")
        self.assertIn("race (known): ", report)
        code, _, report = self.exec(self.build(program_of()), options=["--baseline", old])
        self.assertEqual(code, CLEAN, report)
        self.assertRegex(report, r"note: gone: \S*part0\.cu:[79]: race: ")

    @needs(CAN_BUILD, COMPILER)
    def test_saved_launches_run_alone(self):
        # b's first bytes are undefined; c was freed; list points to both; step and table are variables.
        program = self.build(program_of().replace("int main", """
__device__ int table[4] = {1, 2, 3, 4};
__constant__ int step;
__global__ void mix(int* a, int** list) {
  const int i = threadIdx.x;
  a[i] = table[i % 4] + step + list[0][i];
  if (i == 0) a[0] = list[1][0];
}
int main""").replace("cudaFree(a);", """
  int *b, *c, **list, step_of_host = 7;
  cudaMalloc(&c, 64);
  cudaMalloc(&b, 256);
  cudaMalloc(&list, 16);
  cudaMemcpyToSymbol(step, &step_of_host, 4);
  cudaMemset(b + 4, 1, 240);
  cudaMemcpy(list, &b, 8, cudaMemcpyHostToDevice);
  cudaMemcpy(list + 1, &c, 8, cudaMemcpyHostToDevice);
  cudaFree(c);
  for (int k = 0; k < 3; ++k) mix<<<1, 64>>>(a, list);
  cudaFree(b);
  cudaFree(list);
  cudaFree(a);"""))
        saved = os.path.join(self.folder, "saved")
        ran = run("exec", "--save-launches", "saved", "--format", "json", "--", program, cwd=self.folder)
        self.assertEqual(ran.returncode, FINDING, ran.stderr)
        faults = json.loads(ran.stderr)["faults"]
        self.assertEqual({fault["kind"] for fault in faults}, {"uninitialized", "out_of_bounds"})
        self.assertEqual(os.listdir(saved), ["launch-1"])  # the later launches have the same faults
        (command,) = {fault["command"] for fault in faults}
        self.assertEqual(command, "bankproof kernel saved/launch-1/kernel.ptx "
                                  "--launch saved/launch-1/launch.json")
        alone = run(*command.split()[1:], "--format", "json", cwd=self.folder)
        self.assertEqual(alone.returncode, FINDING, alone.stderr)

        def seen(report):
            return [(fault["kind"], fault["line"], fault["message"]) for fault in report]

        self.assertEqual(seen(json.loads(alone.stdout)["faults"]), seen(faults))
        code, _, report = self.exec(program, options=["--save-launches", saved])
        self.assertEqual(code, INPUT)
        self.assertIn("the folder is not empty", report)

    @needs(CAN_BUILD, COMPILER)
    def test_the_number_of_devices(self):
        program = self.build(program_of(end="""
  int devices = 0;
  cudaGetDeviceCount(&devices);
  std::printf("%d devices\\n", devices);"""))
        self.assertIn("1 devices", self.exec(program)[1])
        self.assertIn("3 devices", self.exec(program, options=["--devices", "3"])[1])

    @needs(CAN_BUILD, COMPILER)
    def test_leaks_are_found_if_they_are_asked_for(self):
        program = self.build(program_of(end="int* b = nullptr; cudaMalloc(&b, 8);"))
        self.assertEqual(self.exec(program)[0], CLEAN)
        code, _, report = self.exec(program, options=["--leak-check", "full"])
        self.assertEqual(code, FINDING, report)
        self.assertIn("leak: 8 bytes are not freed", report)

    @needs(CAN_BUILD, COMPILER)
    def test_streams_that_nothing_orders(self):
        program = self.build(program_of(end="""
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMemset(a, 0, 256);
  reverse<<<1, 64, 0, s>>>(a);
  cudaDeviceSynchronize();
  cudaStreamDestroy(s);"""))
        code, _, report = self.exec(program)
        self.assertEqual(code, FINDING, report)
        self.assertRegex(report, r"part0\.cu:24: race: reverse\(int\*\) \w+ 256 bytes from byte 0 of the "
                                 r"allocation of \S*part0\.cu:15, and is not ordered with cudaMemset at "
                                 r"\S*part0\.cu:23, which writes them")

    @needs(CAN_BUILD, COMPILER)
    def test_copies_read_pageable_memory_before_the_call_returns(self):
        program = self.build(program_of(end="""
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  int rows[4] = {1, 2, 3, 4};
  cudaMemcpyAsync(a, numbers, sizeof numbers, cudaMemcpyHostToDevice, s);
  cudaMemcpy2DAsync(a, 8, rows, 8, 8, 2, cudaMemcpyHostToDevice, s);
  for (int& n : numbers) n = -1;
  for (int& n : rows) n = -1;
  cudaMemcpy2DAsync(rows, 8, a, 8, 8, 2, cudaMemcpyDeviceToHost, s);
  std::printf("%d %d\\n", rows[0], rows[3]);
  cudaMemcpyAsync(numbers, a, sizeof numbers, cudaMemcpyDeviceToHost, s);
  std::printf("%d %d\\n", numbers[3], numbers[63]);"""))
        for options in [], ["--schedule", "1"], ["--schedule", "2"]:
            code, output, report = self.exec(program, options=options)
            self.assertEqual((code, output), (CLEAN, "63\n1 4\n4 0\n"), report)

    @needs(CAN_BUILD, COMPILER)
    def test_what_is_performed_later_is_told_at_its_call(self):
        program = self.build(program_of(end="""
  int* b = nullptr;
  cudaMalloc(&b, 8);
  cudaFree(b);
  cudaMemsetAsync(b, 0, 8);
  cudaDeviceSynchronize();"""))
        for options in [], ["--schedule", "1"]:
            code, _, report = self.exec(program, options=options)
            self.assertEqual(code, FINDING, report)
            self.assertRegex(report, r"part0\.cu:24: use_after_free")

    @needs(CAN_BUILD, COMPILER)
    def test_shapes_of_memory_and_pools(self):
        program = self.build(program_of(end="""
  cudaExtent extent = make_cudaExtent(16, 2, 2);
  cudaPitchedPtr pitched;
  cudaMalloc3D(&pitched, extent);
  cudaMemset3D(pitched, 1, extent);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = pitched;
  copy.srcPos = make_cudaPos(4, 1, 1);
  copy.dstPtr = make_cudaPitchedPtr(numbers, 4, 4, 1);
  copy.extent = make_cudaExtent(4, 1, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  cudaFree(pitched.ptr);
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  float *b, *c;
  cudaMallocFromPoolAsync(&b, 8, pool, 0);
  cudaMallocAsync(&c, 8, pool, 0);
  cudaFreeAsync(b, 0);
  cudaFreeAsync(c, 0);
  int blocks = 0, threads = 0;
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &threads, reverse, [](int n) { return n * 4; });
  std::printf("%x %d\\n", numbers[0], blocks > 0 && threads > 0);"""))
        code, output, report = self.exec(program)
        self.assertEqual((code, output), (CLEAN, "63\n1010101 1\n"), report)

    @needs(CLANG, "clang")
    def test_clang_refuses_managed_variables(self):
        source = self.file("managed.cu", program_of().replace("int main", "__managed__ int n;\nint main"))
        with self.assertRaisesRegex(AssertionError, "clang makes no __managed__ variables"):
            self.build_by_clang([source], os.path.join(self.folder, "program"))

    @needs(CAN_BUILD, COMPILER)
    def test_findings_without_a_launch(self):
        program = self.build(program_of().replace("reverse<<<1, 64>>>(a);", "cudaFree(argc > 1 ? nullptr : a);"))
        code, _, report = self.exec(program)
        self.assertEqual(code, FINDING, report)
        self.assertRegex(report, r"part0\.cu:18: use_after_free")
        self.assertIn("0 launches checked", report)
        program = self.build(program_of().replace("reverse<<<1, 64>>>(a);", ""))
        code, _, report = self.exec(program)
        self.assertEqual(code, INPUT, report)
        self.assertIn("the program launched no kernel, so nothing was checked", report)

    @needs(CAN_BUILD, COMPILER)
    def test_a_program_that_asks_what_an_error_is_has_looked(self):
        wrong = "cudaError_t error = cudaMemcpy(a, a, 8, (cudaMemcpyKind)9);"
        code, _, report = self.exec(self.build(program_of(end=wrong)))
        self.assertEqual(code, FINDING, report)
        self.assertIn("unchecked_error", report)
        code, output, report = self.exec(self.build(program_of(end=wrong + """
  std::puts(cudaGetErrorName(error));""")))
        self.assertEqual((code, output), (CLEAN, "63\ncudaErrorInvalidMemcpyDirection\n"), report)

    @needs(CAN_BUILD, COMPILER)
    def test_a_host_that_does_not_wait_for_managed_memory(self):
        program = self.build(program_of(end="""
  int* b = nullptr;
  cudaMallocManaged(&b, 256);
  for (int i = 0; i < 64; ++i) b[i] = i;
  reverse<<<1, 64>>>(b);
  if (argc > 1) cudaDeviceSynchronize();
  std::printf("%d\\n", b[0]);
  *b = 0;
  cudaDeviceSynchronize();
  count<<<1, 64>>>(b);
  __atomic_fetch_add(b, 1, __ATOMIC_RELAXED);
  cudaDeviceSynchronize();
  std::printf("%d\\n", b[0]);
  cudaFree(b);""").replace("int main", "__global__ void count(int* a) { atomicAdd_system(a, 1); }\nint main"))
        code, output, report = self.exec(program)
        self.assertEqual((code, output), (FINDING, "63\n63\n65\n"), report)
        self.assertRegex(report, r"part0\.cu:27: race: the host reads byte 0 of the allocation of")
        self.assertEqual(self.exec(program, "0")[0], CLEAN)

    @needs(CAN_BUILD, COMPILER)
    def test_findings_outlive_a_process_that_is_killed(self):
        for end, signal_number in (("_exit(0);", None), ("raise(9);", signal.SIGKILL)):
            program = self.build("#include <csignal>\n" + program_of(barrier="", end=end))
            code, _, report = self.exec(program)
            self.assertEqual(code, FINDING if signal_number is None else 128 + signal_number, report)
            self.assertIn(": race: ", report)
            self.assertIn("ended without exit()", report)

    @needs(CAN_BUILD, COMPILER)
    def test_who_ends_the_command_ends_the_program(self):
        program = self.build(program_of(end="std::fflush(stdout); pause();"))
        with subprocess.Popen([BANKPROOF, "exec", "--", program], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as command:
            self.assertEqual(command.stdout.readline(), b"63\n")
            command.terminate()
            _, report = command.communicate(timeout=60)
        self.assertEqual(command.returncode, 128 + signal.SIGTERM)
        self.assertIn(b"signal 15 killed the program", report)

    @needs(CAN_BUILD, COMPILER)
    def test_a_program_that_is_killed_in_its_first_launch(self):
        program = self.build(program_of().replace("tile[threadIdx.x] = a", "for (;;) atomicAdd(a, 1);\n  "
                                                  "tile[threadIdx.x] = a"))
        with subprocess.Popen([BANKPROOF, "exec", "--", program], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as command:
            time.sleep(2)
            command.terminate()
            _, report = command.communicate(timeout=60)
        self.assertEqual(command.returncode, INPUT)
        self.assertEqual(report.decode(), "bankproof: signal 15 killed the program while its first launch ran, "
                                          "of reverse(int*), so nothing was checked\n")

    @needs(CAN_BUILD, COMPILER)
    def test_a_program_does_not_outlive_the_command(self):
        program = self.build(program_of(end="std::fflush(stdout); pause();"))
        with subprocess.Popen([BANKPROOF, "exec", "--", program], stdout=subprocess.PIPE) as command:
            self.assertEqual(command.stdout.readline(), b"63\n")
            command.kill()
            self.assertEqual(command.stdout.read(), b"")  # nobody holds the other end any more

    @needs(CAN_BUILD, COMPILER)
    def test_processes_that_fork_are_counted_once(self):
        program = self.build("#include <sys/wait.h>\n" + program_of(end="""
  if (fork() == 0) {
    reverse<<<1, 64>>>(a);
    return 0;
  }
  wait(nullptr);"""))
        code, _, report = self.exec(program)
        self.assertEqual(code, CLEAN, report)
        self.assertIn("2 launches checked", report)

    @needs(CAN_BUILD, COMPILER)
    def test_progress_is_shown_to_terminals(self):
        program = self.build(program_of(end="sleep(3);").replace(
            "reverse<<<1, 64>>>(a);", "for (int k = 0; k < 3; ++k) reverse<<<1, 64>>>(a);"))
        master, terminal = os.openpty()
        with subprocess.Popen([BANKPROOF, "exec", "-o", "-", "--", program], stdout=subprocess.PIPE,
                              stderr=terminal, env={**os.environ, "TERM": "xterm", "NO_COLOR": ""}) as command:
            os.close(terminal)
            output, _ = command.communicate(timeout=60)
        said = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while piece := os.read(master, 4096):
                said += piece
        os.close(master)
        self.assertEqual(command.returncode, CLEAN, output)
        self.assertIn(b": 3 launches checked", said)
        self.assertTrue(said.endswith(b"\r\x1b[K"), said)

    @needs(CAN_BUILD, COMPILER)
    def test_formats(self):
        program = self.build(program_of(barrier=""))
        report = os.path.join(self.folder, "report")
        for form, mark in (("json", '"faults"'), ("sarif", '"ruleId": "race"'), ("junit", "<failure"),
                           ("html", "<!DOCTYPE html>")):
            code, output, said = self.exec(program, options=["--format", form, "-o", report])
            self.assertEqual((code, output, said), (FINDING, "0\n", ""))
            with open(report, encoding="utf-8") as file:
                text = file.read()
            self.assertIn(mark, text)
            if form == "json":
                self.assertEqual(json.loads(text)["checked"]["launches"], 1)


if __name__ == "__main__":
    unittest.main()
