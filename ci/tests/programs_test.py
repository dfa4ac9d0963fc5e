"""Checks which programs ci/programs.py lists, in a made-up repository with five programs."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
MAIN = "int main() {}\n"
FILES = {"CMakeLists.txt": """cmake_minimum_required(VERSION 3.25)
project(made_up LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
add_library(model STATIC model/a.cpp)
add_library(loaded SHARED cuda/loaded.cpp)
add_executable(bankproof cli/main.cpp)
add_executable(properties_a properties/model/a.cpp properties/model/inner/a_more.cpp)
set_target_properties(properties_a PROPERTIES UNITY_BUILD ON)
target_link_libraries(properties_a PRIVATE model)
add_executable(properties_b properties/algorithms.cpp algorithms/b.cpp)
target_include_directories(properties_b PRIVATE cuda/headers)
target_link_libraries(properties_b PRIVATE model)
add_executable(bench_a model/a.cpp properties/algorithms.cpp)
set_target_properties(bench_a PROPERTIES EXCLUDE_FROM_ALL ON)
set(list "${PROJECT_BINARY_DIR}/properties/properties_a[1]_tests.cmake")
add_custom_command(TARGET properties_a POST_BUILD COMMAND "${CMAKE_COMMAND}" -E touch "${list}"
                   BYPRODUCTS "${list}" VERBATIM)
add_executable(properties_canaries properties/canaries.cpp)
add_executable(example_prefix_sums examples/sums.cpp)
set_target_properties(example_prefix_sums PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
""", "model/a.cpp": '#include "a.hpp"\n#include "../text/t.hpp"\nint a() { return 1; }\n',
         "text/t.hpp": "", "model/a.hpp": "int a();\n",
         "cuda/loaded.cpp": "", "cli/main.cpp": MAIN,
         "properties/model/a.cpp": '#include "b.hpp"\n' + MAIN, "properties/model/b.hpp": "",
         "properties/model/inner/a_more.cpp": "", "properties/algorithms.cpp": MAIN,
         "algorithms/b.cpp": "#include <found.h>\n", "cuda/headers/found.h": '#include "parts/part.h"\n',
         "cuda/headers/parts/part.h": "", "properties/canaries.cpp": MAIN, "examples/sums.cpp": MAIN,
         "properties/golden/x.ptx": "ret;\n",
         "docs/model.md": "# Model\n", ".gitignore": "/build*/\n"}
MORE = {"CMakeLists.txt": "set(more 1)\n"}
TOOL, A, B, CANARIES, SUMS = ALL = ["bin/bankproof", "bin/properties_a", "bin/properties_b",
                                    "bin/properties_canaries", "example_prefix_sums"]


class ProgramsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = os.path.realpath(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.root)
        cls.build = os.path.join(cls.root, "build")
        for path, text in FILES.items():
            cls.write(path, text)
        cls.git("init", "-q")
        cls.git("add", ".")
        cls.git("-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-q", "-m", "all")
        cls.ran("cmake", "-G", "Ninja", "-S", cls.root, "-B", cls.build)

    def setUp(self):
        self.git("checkout", "-q", ".")

    @staticmethod
    def ran(*words):
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def git(cls, *words):
        cls.ran("git", "-C", cls.root, *words)

    @classmethod
    def write(cls, path, text):
        path = os.path.join(cls.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run_it(self, *words, base="HEAD", build=None):
        run = subprocess.run([sys.executable, os.path.join(SOURCE, "ci", "programs.py"), self.root,
                              "--build", build or self.build, *words],
                             env={**os.environ, "BANKPROOF_BASE": base}, capture_output=True, text=True,
                             check=False)
        return run.stderr if run.returncode else run.stdout

    def concerned(self, *words):
        return self.run_it(*words).split()

    def test_without_a_change_only_the_canaries_of_the_sanitizers(self):
        self.assertEqual(self.concerned(), [CANARIES])

    def test_a_source_of_a_library_concerns_what_links_it(self):
        self.write("model/a.cpp", '#include "a.hpp"\nint a() { return 2; }\n')
        self.assertEqual(self.concerned(), [A, B, CANARIES])

    def test_a_header_of_merged_sources(self):
        self.write("properties/model/b.hpp", "int b;\n")
        self.assertEqual(self.concerned(), [A, CANARIES])

    def test_comments_and_documents_concern_nothing(self):
        self.write("model/a.hpp", "int a(); // changed\n")
        self.write("docs/model.md", "# Changed\n")
        self.assertEqual(self.concerned(), [CANARIES])

    def test_a_file_that_programs_may_read_concerns_all(self):
        self.write("properties/golden/x.ptx", "trap;\n")
        self.assertEqual(self.concerned(), ALL)

    def test_how_everything_is_compiled_concerns_all(self):
        self.write("CMakeLists.txt", FILES["CMakeLists.txt"] + "# changed\nset(changed 1)\n")
        self.assertEqual(self.concerned(), ALL)

    def test_how_a_folder_is_built_concerns_what_is_built_from_it(self):
        for folder, programs in (("model", [A, B, CANARIES]), ("properties", [A, B, CANARIES]),
                                 ("cli", [TOOL, CANARIES]), ("elsewhere", [CANARIES])):
            with self.subTest(folder):
                self.write(folder + "/CMakeLists.txt", "set(changed 1)\n")
                self.assertEqual(self.concerned(), programs)
                os.remove(os.path.join(self.root, folder, "CMakeLists.txt"))

    def test_tests_in_python_concern_the_tool(self):
        self.addCleanup(shutil.rmtree, os.path.join(self.root, "cli/tests"))
        self.write("cli/tests/x_test.py", "pass\n")
        self.assertEqual(self.concerned(), [TOOL, CANARIES])

    def test_a_library_that_programs_load_concerns_the_tool(self):
        self.write("cuda/loaded.cpp", "int loaded;\n")
        self.assertEqual(self.concerned(), [TOOL, CANARIES])

    def test_a_header_that_is_found_by_its_name_concerns_what_includes_it_and_the_tool(self):
        self.write("cuda/headers/parts/part.h", "int part;\n")
        self.assertEqual(self.concerned(), [TOOL, B, CANARIES])
        self.assertEqual(self.concerned("--tests"), [B, CANARIES])

    def test_programs_that_test_what_has_changed(self):
        for path, programs in (("model/a.hpp", [A]), ("properties/model/b.hpp", [A]),
                               ("properties/model/inner/a_more.cpp", [A]), ("algorithms/b.cpp", [B]),
                               ("properties/algorithms.cpp", [B]), ("cli/main.cpp", [TOOL]), ("text/t.hpp", [A, B]),
                               ("properties/golden/x.ptx", []), ("docs/model.md", []), ("CMakeLists.txt", []),
                               ("cuda/loaded.cpp", [])):
            with self.subTest(path):
                self.write(path, FILES[path] + MORE.get(path, "int more;\n"))
                self.assertEqual(self.concerned("--tests"), [*programs, CANARIES])
                self.git("checkout", "-q", ".")

    def test_tests_of_the_tree_concern_nothing(self):
        self.addCleanup(shutil.rmtree, os.path.join(self.root, "ci"))
        self.write("ci/CMakeLists.txt", "add_test(more)\n")
        self.assertEqual(self.concerned(), [CANARIES])

    def test_what_is_left_out_is_removed_and_its_tests_are_told(self):
        self.ran("cmake", "--build", self.build)
        tests = os.path.join(self.build, "properties", "properties_a[1]_tests.cmake")
        self.assertTrue(os.path.isfile(tests))
        self.write("cli/main.cpp", "int main() { return 1; }\n")
        self.assertEqual(self.run_it("--leave-out"),
                         f"{A}\n{B}\n{SUMS}\n^examples\\.|^(properties_a|properties_b)(_NOT_BUILT|\\.on_.*)?$\n")
        self.assertEqual(sorted(os.listdir(os.path.join(self.build, "bin"))),
                         ["bankproof", "properties_canaries"])
        self.assertFalse(os.path.exists(tests) or os.path.exists(os.path.join(self.build, SUMS)))
        self.git("checkout", "-q", ".")
        self.assertEqual(self.run_it("--leave-out"),
                         f"{TOOL}\n{A}\n{B}\n{SUMS}\n^cli\\.|^examples\\.|^(properties_a|properties_b)(_NOT_BUILT|\\.on_.*)?$\n")

    def test_ctest_understands_the_tests_of_any_number_of_programs(self):
        names = [f"properties_{number}" for number in range(100)]
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        with open(os.path.join(folder, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
            file.writelines(f"add_test({name}_NOT_BUILT true)\nadd_test({name}.on_sm_90 true)\n"
                            for name in [*names, "properties_kept"])
        sys.path.insert(0, os.path.join(SOURCE, "ci"))
        self.addCleanup(sys.path.pop, 0)
        from programs import tests_of  # pylint: disable=import-outside-toplevel
        without = tests_of(["bin/bankproof", *(f"bin/{name}" for name in names)])
        run = subprocess.run(["ctest", "-N", "-E", without], cwd=folder, capture_output=True, text=True,
                             check=True)
        self.assertEqual(re.findall(r"Test +#\d+: (\S+)", run.stdout),
                         ["properties_kept_NOT_BUILT", "properties_kept.on_sm_90"])

    def test_a_folder_that_is_no_build(self):
        self.assertIn("is not a folder that CMake configured for ninja",
                      self.run_it(build=os.path.join(self.root, "docs")))

    def test_a_build_without_a_program_whose_tests_have_other_names(self):
        build = os.path.join(self.root, "build-less")
        self.write("CMakeLists.txt", FILES["CMakeLists.txt"].replace("example_prefix_sums", "example_sums"))
        self.ran("cmake", "-G", "Ninja", "-S", self.root, "-B", build)
        self.addCleanup(shutil.rmtree, build)
        self.assertEqual(self.run_it("--leave-out", build=build),
                         f"programs: {build} builds no example_prefix_sums\n")

    def test_a_base_that_is_no_commit(self):
        self.assertEqual(self.run_it(base="nowhere"), "git cannot compare with nowhere\n")


if __name__ == "__main__":
    unittest.main()
