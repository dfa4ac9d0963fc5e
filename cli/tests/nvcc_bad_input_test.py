"""`bankproof nvcc` with wrong command lines, sources and outputs says what is wrong."""

import os
import unittest

from nvcc_support import CAN_COMPILE, COMPILER, RACE, WITH_NVCC, NvccFolder, environment
from program import INPUT, USAGE, needs, run, run_unprivileged


class BadInput(NvccFolder):
    def expect(self, line, code, *arguments):
        result = self.nvcc(*arguments, code=code)
        self.assertEqual(result.stderr.decode(), "bankproof: " + line + "\n")

    def test_unknown_options_name_the_nearest(self):
        self.expect("nvcc has no option --compile-all; did you mean --compile?", USAGE,
                    "--compile-all")
        self.expect("nvcc has no option -archs=sm_80; did you mean -arch?", USAGE, "-archs=sm_80")
        self.expect("nvcc has no option -fPIC; an option of the host's compiler goes after -Xcompiler",
                    USAGE, "-fPIC")

    def test_missing_values(self):
        self.expect("a value is missing after -o", USAGE, "a.cu", "-o")
        self.expect("a value is missing after --std", USAGE, "a.cu", "--std")

    @needs(CAN_COMPILE, COMPILER)
    def test_inputs(self):
        self.expect("nvcc has no input file", USAGE)
        self.expect("there is no file none.cu", INPUT, "none.cu")
        self.expect("Don't know what to do with 'a.what': name the language with -x", USAGE, "a.what")
        self.file("a.cu", "")
        self.file("b.cu", "")
        self.expect("A single input file is required for a non-link phase when an outputfile is "
                    "specified", USAGE, "-c", "a.cu", "b.cu", "-o", "out.o")
        self.expect("sm is no architecture, such as sm_80 or compute_90", USAGE, "a.cu", "-arch=sm")
        self.expect("--cccl or BANKPROOF_CCCL names nowhere, which has no thrust/version.h and "
                    "cub/version.cuh", INPUT, "a.cu", "--cccl", "nowhere")
        self.expect("options: cannot be opened: No such file or directory", INPUT, "@options")

    @needs(CAN_COMPILE, COMPILER)
    def test_a_missing_header_of_a_library_names_its_packages(self):
        for header in ("thrust/none.h", "cub/none.cuh", "cuda/std/none"):
            self.file("missing.cu", "#include <%s>\n" % header)
            told = self.nvcc("missing.cu", "-ptx", code=INPUT).stderr.decode()
            # The toolkit has these libraries, so that nvcc's user needs no package.
            named = "the packages libthrust-dev, libcub-dev and libcu++-dev" in told
            self.assertEqual(named, not WITH_NVCC, told)
        self.file("missing.cu", "#include <none.h>\n")
        self.assertNotIn("libthrust-dev", self.nvcc("missing.cu", "-ptx", code=INPUT).stderr.decode())

    @needs(CAN_COMPILE, COMPILER)
    def test_an_error_in_the_source_has_its_line(self):
        self.file("wrong.cu", "__global__ void k() {\n  int x = ;\n}\n")
        for words in (["-c"], ["-ptx"], ["-o", "program"]):
            with self.subTest(words):
                told = self.nvcc("wrong.cu", *words, code=INPUT).stderr.decode()
                self.assertRegex(told, r"^wrong\.cu[:(]2.*error: expected (an )?expression")
                self.assertRegex(told.splitlines()[-1], r"^bankproof: ")
        self.assertEqual(self.there("program", "wrong.o", "wrong.ptx"), [])

    @needs(CAN_COMPILE, COMPILER)
    def test_a_function_that_nobody_defines_stops_the_linker(self):
        self.file("a.cpp", "void nowhere();\nint main() { nowhere(); }\n")
        told = self.nvcc("a.cpp", code=INPUT).stderr.decode()
        self.assertIn("undefined reference to `nowhere()'", told)

    @needs(CAN_COMPILE, COMPILER)
    def test_an_output_that_cannot_be_written(self):
        self.file("race.cu", RACE)
        folder = os.path.join(self.folder, "closed")
        os.mkdir(folder, 0o555)
        output = os.path.join(folder, "race.o")
        result = run_unprivileged("nvcc", "-c", os.path.join(self.folder, "race.cu"), "-o", output,
                                  env=environment())
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"Permission denied", result.stderr)
        self.nvcc("race.cu", "-o", folder, code=USAGE)

    @needs(CAN_COMPILE, COMPILER)
    def test_without_a_compiler(self):
        result = run("nvcc", "a.cu", env={"PATH": "/nowhere", "BANKPROOF_CUDA_COMPILER": "clang"})
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"there is no clang++ (14 to 19) that makes PTX", result.stderr)


if __name__ == "__main__":
    unittest.main()
