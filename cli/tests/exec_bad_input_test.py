"""`bankproof exec` with wrong command lines, with files that are no programs, and with programs that make it
hard: nothing passes unchecked, and no finding is lost.
"""

import os
import subprocess
import unittest

from exec_support import CAN_BUILD, CLANG, FINDING, NVCC, Programs, program_of
from program import CLEAN, INPUT, USAGE, needs, run

COMPILER = "a compiler of CUDA"


class BadInput(Programs):
    def refused(self, code, text, *words):
        ran = run("exec", *words)
        self.assertEqual((ran.returncode, ran.stdout), (code, b""))
        self.assertIn(text, ran.stderr.decode())
        self.assertTrue(ran.stderr.startswith(b"bankproof: "))

    def test_no_program(self):
        self.refused(USAGE, "the program is missing")
        self.refused(USAGE, "the program is missing", "--")
        self.refused(INPUT, "does not exist", "--", "./nowhere")
        self.refused(INPUT, "is a folder", "--", self.folder + "/")
        self.refused(INPUT, "no program nowhere is in the folders of PATH", "--", "nowhere")
        self.refused(INPUT, "is no program that you may run", "--", self.file("text", "text"))

    def test_options(self):
        self.refused(USAGE, "unknown machine", "--machine", "nothing", "--", "true")
        self.refused(USAGE, "--fail-on", "--fail-on", "nothing", "--", "true")
        for launches in ("x", "3-1", "-1", "1-", "1-2-3"):
            self.refused(USAGE, "expected the number of a launch", f"--launches={launches}", "--", "true")
        self.refused(USAGE, "--tool", "--tool", "nothing", "--", "true")
        self.refused(USAGE, "exclude each other", "--tool", "memcheck", "--fail-on", "race", "--", "true")
        self.refused(USAGE, "--devices", "--devices", "0", "--", "true")
        self.refused(INPUT, "nowhere", "-o", "/nowhere/report", "--", "true")

    def test_words_of_the_program_stay_as_they_are(self):
        ran = run("exec", "--", "printf", "<%s>", "", "[a,b]", "--help", "--", "a b", "=", "-o", "")
        self.assertEqual(ran.stdout, b"<><[a,b]><--help><--><a b><=><-o><>")

    def test_a_program_that_launches_nothing_does_not_pass(self):
        ran = run("exec", "--", "echo", "text")
        self.assertEqual((ran.returncode, ran.stdout), (INPUT, b"text\n"))
        self.assertIn(b"nothing was checked", ran.stderr)

    def test_a_program_for_another_processor(self):
        with open("/bin/true", "rb") as file:
            program = bytearray(file.read())
        program[18] = 183  # e_machine: AArch64
        path = self.file("program", bytes(program))
        os.chmod(path, 0o755)
        self.refused(INPUT, "for another processor", "--", path)


class HostilePrograms(Programs):
    @needs(CAN_BUILD, COMPILER)
    def test_a_report_that_cannot_be_written(self):
        code, output, report = self.exec(self.build(program_of(barrier="")), options=["-o", "/dev/full"])
        self.assertEqual((code, output), (INPUT, "0\n"))
        self.assertIn("bankproof: /dev/full: cannot be written: No space left on device", report)

    @needs(CAN_BUILD, COMPILER)
    def test_a_program_that_leaves_its_folder(self):
        program = self.build(program_of(barrier="", end='if (chdir("/") != 0) return 9;'))
        ran = run("exec", "-o", "report", "--", "./program", cwd=self.folder)
        self.assertEqual(ran.returncode, FINDING, ran.stderr)
        self.assertRegex(self.read(os.path.join(self.folder, "report")), rb"\npart0\.cu:\d+: race: ")
        self.assertTrue(os.path.exists(program))

    @needs(CAN_BUILD, COMPILER)
    def test_a_program_that_closes_what_is_not_its_own(self):
        for descriptors in ("2", "3", "1, 2, 3"):
            first, last = descriptors.split(", ")[0], 256 if "3" in descriptors else 3
            text = program_of(barrier="").replace(
                "int* a = nullptr;", f"for (int k = {first}; k < {last}; ++k) close(k);\n  int* a = nullptr;")
            code, _, report = self.exec(self.build(text))
            self.assertEqual(code, FINDING, report)
            self.assertIn(": race: ", report)
            self.assertNotIn("without exit", report)
        # In the middle, and without an end.
        text = program_of(barrier="", end="_exit(0);").replace(
            "reverse<<<", "cudaDeviceSynchronize();\n  for (int k = 3; k < 256; ++k) close(k);\n  reverse<<<")
        code, _, report = self.exec(self.build(text))
        self.assertEqual(code, FINDING, report)
        self.assertIn(": race: ", report)

    @needs(CAN_BUILD, COMPILER)
    def test_threads_that_launch_at_once(self):
        program = self.build("#include <thread>\n#include <vector>\n" + program_of(end="""
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([] {
      int* mine = nullptr;
      for (int step = 0; step < 25; ++step) {
        cudaMalloc(&mine, 256);
        cudaMemset(mine, 0, 256);
        reverse<<<1, 64>>>(mine);
        cudaFree(mine);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();"""))
        code, _, report = self.exec(program, options=["--leak-check", "full"])
        self.assertEqual(code, CLEAN, report)
        self.assertIn("101 launches checked", report)

    @needs(CAN_BUILD and CLANG, "clang")
    def test_libraries_that_others_load_first(self):
        library = os.path.join(self.folder, "libother.so")
        source = self.file("other.cpp", "#include <cstdio>\n[[gnu::constructor]] void begin() "
                                        '{ std::puts("other"); }\n')
        self.do([CLANG, "-shared", "-fPIC", source, "-o", library])
        program = self.build(program_of())
        ran = run("exec", "--", program, env={**os.environ, "LD_PRELOAD": library})
        self.assertEqual(ran.returncode, CLEAN, ran.stderr)
        self.assertIn(b"63\n", ran.stdout)
        self.assertIn(b"1 launch checked", ran.stderr)

    @needs(CAN_BUILD, COMPILER)
    def test_a_kernel_that_the_machine_does_not_know(self):
        program = self.build(program_of().replace(
            "int main", '__global__ void odd(int* a) {\n  asm volatile("discard.global.L2 [%0], 128;" :: "l"(a));'
                        "\n}\nint main").replace("cudaFree(a);", "odd<<<1, 1>>>(a);\n  cudaFree(a);"))
        code, _, report = self.exec(program)
        self.assertEqual(code, FINDING, report)
        self.assertRegex(report, r"part0\.cu:\d+: unchecked_error: .*part0\.cu:12: unsupported: discard")
        self.assertIn("1 launch checked", report)


class SpoiltPrograms(Programs):
    @needs(CLANG, "clang")
    def test_device_code_that_cannot_be_read(self):
        text = program_of()
        files = [self.file("part0.cu", text)]
        program = os.path.join(self.folder, "program")

        def spoil(ptx):
            content = self.read(ptx).decode()
            self.file(os.path.basename(ptx), content.replace("ret;", after))

        after = "ret"  # and no semicolon
        self.build_by_clang(files, program, spoil)
        code, _, report = self.exec(program)
        self.assertEqual(code, INPUT, report)
        self.assertRegex(report, r"expected ';', found ':', \S*part0\.cu, as PTX:\d+:\d+")
        after = "return;"
        self.build_by_clang(files, program, spoil)
        code, _, report = self.exec(program)
        self.assertEqual(code, INPUT, report)
        self.assertRegex(report, r"part0\.cu:\d+: unsupported: return, \S*part0\.cu, as PTX:\d+:\d+")


if NVCC:
    del SpoiltPrograms  # nvcc leaves no file between the compiler of device code and that of host code


if __name__ == "__main__":
    unittest.main()
