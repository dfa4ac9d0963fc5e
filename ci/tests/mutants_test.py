"""Makes mutants of a made-up tree. ci/mutants has to distinguish mutants that a test catches, mutants
that a test runs but does not catch, and mutants that no test runs."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["BANKPROOF_SOURCE"]
sys.path.insert(0, os.path.join(ROOT, "ci"))
import tree  # noqa: E402
from mutation import building, places, plant, rooms, syntax  # noqa: E402

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
enable_testing()
add_library(small small.cpp)
foreach(name IN ITEMS seen blind loops more)
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} small)
  add_test(NAME ${name} COMMAND ${name})
endforeach()
"""
SMALL = """struct Whole {
  explicit Whole(int) {}
};
bool is_small(int value) { return value < 10; }
bool is_large(int value) { return value > 90; }
int down(int value) {
  while (value > 0) --value;
  return value;
}
int unused(int value) { return value == 7; }
Whole no_default() { return Whole(3); }
"""
HEADER = """bool is_small(int);
bool is_large(int);
int down(int);
"""
SEEN = '#include "small.h"\nint main() { return is_small(9) && !is_small(10) ? 0 : 1; }\n'
BLIND = '#include "small.h"\nint main() { return is_large(200) ? 0 : 1; }\n'
LOOPS = '#include "small.h"\nint main() { return down(3); }\n'


def changes(source):
    """Line and change of each mutant of a source."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.cpp")
        arguments = ["-x", "c++", "-std=c++20"]
        assert not syntax.errors_in(path, source.encode(), arguments)
        found = places.mutants_of("a.cpp", path, source.encode(), arguments)
        return [(mutant.line, mutant.change) for mutant in found]


class PlacesTest(unittest.TestCase):
    def check(self, source, *expected):
        found = [change for _, change in changes(source)]
        for change in expected:
            self.assertIn(change, found)

    def test_comparisons_and_boundaries(self):
        self.check("bool f(int a, int b) { bool c = a < b; return c && a == b; }",
                   "a < b  ->  a <= b", "a == b  ->  a != b", "c && a == b  ->  c || a == b")

    def test_dropped_statements_and_negations(self):
        self.check("int g(); void f(bool b) { if (!b) g(); if (b) g(); }", "dropped",
                   "!b  ->  static_cast<bool>(b)", "b  ->  !(b)")

    def test_swapped_arguments(self):
        self.check("int g(int, int, bool); int f(int a, int b) { return g(a, b, true); }",
                   "a, b  ->  b, a", "true  ->  false")
        self.assertNotIn("b, true  ->  true, b",
                         [change for _, change in changes("int g(int, bool);"
                                                          "int f(int b) { return g(b, true); }")])

    def test_constants_and_assignments(self):
        self.check("int f(int a) { a |= 0x10u; a = a + 07; return a; }", "0x10u  ->  17u", "0x10u  ->  15u",
                   "07  ->  8", "a |= 0x10u  ->  a = 0x10u", "a = a + 07  ->  a |= a + 07",
                   "a + 07  ->  a - 07")

    def test_early_returns(self):
        self.check("struct S {}; void f() { S s; } S g() { return S(); }", "return;", "return {};")

    def test_templates(self):
        self.check("template <class T> T f(T a, T b) { if (a < b) return b; return a; }", "a < b  ->  a <= b")

    def test_what_is_evaluated_while_compiling_is_left_alone(self):
        self.assertEqual(changes("""
template <int n> struct A { int a[n]; };
constexpr int three = 3;
static_assert(three == 3);
enum E { one = 1 };
int array[4];
template <class T> T g(T t) { if constexpr (sizeof(T) == 4) return t; return t; }
A<5> six();
"""), [(7, "dropped")])

    def test_what_changes_nothing_is_left_alone(self):
        self.assertEqual(changes("""
struct S { int a = 3; void reserve(int); };
[[noreturn]] void f(S& s) { s.reserve(4); throw 1; }
bool no() { return false; }
void g(bool& b) { b = true; }
#define assert(condition) static_cast<void>(0)
void checks(int a) { assert(a); }
struct T { [[noreturn]] void fails(int a); };
void T::fails(int a) { throw a; }
int prefetch(int a) { return a + 1; }
void h(int a) { switch (a) { case 2: a = 3; break; case 4: throw a; break; } }
"""), [(3, "dropped"), (3, "1  ->  2"), (3, "1  ->  0"), (4, "false  ->  true"), (5, "return;"), (5, "dropped"),
       (5, "true  ->  false"), (9, "dropped"), (11, "return;"), (11, "dropped"), (11, "a = 3  ->  a |= 3"),
       (11, "3  ->  4"), (11, "3  ->  2"), (11, "dropped"), (11, "dropped")])

    def test_all_at_once_keep_the_lines(self):
        source = b"int f(int a,\n      int b) {\n  if (a < b && b != 3) a = 1;\n  return a;\n}\n"
        found = places.mutants_of("a.cpp", "/nowhere/a.cpp", source, ["-x", "c++", "-std=c++20"])
        planted = plant.with_mutants(source, [(mutant, n) for n, mutant in enumerate(found, 1)], "m.hpp")
        self.assertEqual(planted.count(b"\n"), source.count(b"\n") + 2)
        for number in range(1, len(found) + 1):
            self.assertIn(f"mutant({number})".encode(), planted)


class RoomsTest(unittest.TestCase):
    def test_each_room_has_files(self):
        self.assertEqual(set(rooms.rooms_of([], [], tree.paths(ROOT))), set(rooms.ROOMS))

    def test_the_shares_in_the_documents_are_of_these_rooms(self):
        with open(os.path.join(ROOT, "docs", "trust.md"), encoding="utf-8") as file:
            table = file.read().split("\n| room | ")[1].split("\n")[2:]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table if line]
        self.assertEqual([row[0] for row in cells], list(rooms.ROOMS))
        for name, *numbers, share in cells:
            with self.subTest(name):
                places, tried, caught, late, survived, never, equal = map(int, numbers)
                self.assertEqual(tried, caught + late + survived + never + equal)
                self.assertLessEqual(tried, places)
                self.assertEqual(share, f"{100 * caught / (caught + survived + never):.0f} %")
                self.assertGreaterEqual(caught / (caught + survived + never), 0.9)
                self.assertLessEqual(equal, 0.1 * tried)

    def test_an_equivalent_has_a_reason(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write('[[equivalent]]\nstatement = "a"\nchange = "b"\nreason = ""\n')
            file.flush()
            self.assertRaises(rooms.Wrong, rooms.equivalents, file.name)


    def test_an_equivalent_is_one_place(self):
        arguments = ["-x", "c++", "-std=c++20"]
        twice = b"int f(int a) { return a < 1; }\nint g(int a) { return a < 1; }\n"
        known = {("return a < 1", "a < 1  ->  a <= 1")}
        once = places.mutants_of("a.cpp", "/nowhere/a.cpp", twice.split(b"\n", maxsplit=1)[0], arguments)
        rooms.require_one_place(known, once, True)
        both = places.mutants_of("a.cpp", "/nowhere/a.cpp", twice, arguments)
        self.assertRaises(rooms.Wrong, rooms.require_one_place, known, both, False)
        rooms.require_one_place(known, [], False)
        self.assertRaises(rooms.Wrong, rooms.require_one_place, known, [], True)


class NumbersTest(unittest.TestCase):
    def test_mutants_of_an_earlier_run_keep_theirs(self):
        found = places.mutants_of("a.cpp", "/nowhere/a.cpp", b"int f(int a) { return a < 1 || a > 5; }\n",
                                  ["-x", "c++", "-std=c++20"])
        with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as folder:
            first = building.Copy(root, folder).numbered(found[2:])
            second = building.Copy(root, folder).numbered(found)
        self.assertEqual(sorted(second), list(range(1, len(found) + 1)))
        self.assertEqual({number: second[number] for number in first}, first)


class RunTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        for name, text in {"CMakeLists.txt": CMAKE, "small.cpp": SMALL, "small.h": HEADER, "seen.cpp": SEEN,
                           "blind.cpp": BLIND, "loops.cpp": LOOPS, "more.cpp": BLIND}.items():
            self.write(name, text)

    def write(self, name, text):
        with open(os.path.join(self.root, name), "w", encoding="utf-8") as file:
            file.write(text)

    def mutants(self, *arguments):
        return subprocess.run([sys.executable, "-m", "mutation", "--root", self.root, "--patience", "1",
                               *arguments], capture_output=True, text=True, check=False,
                              cwd=os.path.join(ROOT, "ci"),
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})

    def test_tells_what_tests_see(self):
        run = self.mutants("small.cpp")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("mutants that do not compile: 1;", run.stderr)  # of no_default
        for line in ("small.cpp:5: value > 90  ->  value >= 90\n    in: return value > 90\n"
                     "    survived 2 of 2 tests that run it",
                     "small.cpp:10: value == 7  ->  value != 7\n    in: return value == 7\n"
                     "    no test runs it"):
            self.assertIn(line, run.stdout)
        self.assertRegex(run.stdout, r"small.cpp:7: dropped\n.*\n    ran out of time in loops")
        self.assertNotIn("small.cpp:4:", run.stdout)
        self.assertIn("% are caught, and 90 are asked for", run.stderr)
        self.assertIn("| these files | ", run.stdout)

        # After a stricter test is added, mutants caught before are not tried again, and the new test catches
        # others.
        self.write("more.cpp", '#include "small.h"\nint main() { return is_large(90) + !is_large(91); }\n')
        again = self.mutants("small.cpp", "--again")
        self.assertNotIn("small.cpp:5:", again.stdout)
        self.assertIn("small.cpp:10:", again.stdout)
        self.assertEqual(self.mutants("small.cpp", "--again", "--least", "20").returncode, 0)

    def test_tests_that_fail_without_a_mutant_are_no_evidence(self):
        self.write("seen.cpp", "int main() { return 1; }\n")
        run = self.mutants("small.cpp")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertIn("without any mutant these tests fail: seen", run.stderr)

    def test_a_test_that_fails_by_chance_is_left_out(self):
        # It passes the second time.
        self.write("seen.cpp", '#include <cstdio>\n#include "small.h"\nint main() {\n'
                   '  if (std::FILE* there = std::fopen("second", "r")) return std::fclose(there);\n'
                   '  return std::fclose(std::fopen("second", "w")) + is_small(9);\n}\n')
        run = self.mutants("small.cpp", "--least", "0")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stderr, r"left out, .*: seen\n")
        self.assertRegex(run.stdout, r"small.cpp:4: value < 10 .*\n.*\n    no test runs it")

    def test_without_the_parser_nothing_is_said_of_tests(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "clang"))
            with open(os.path.join(folder, "clang", "__init__.py"), "w", encoding="utf-8"):
                pass
            run = subprocess.run([sys.executable, "-m", "mutation", "--root", self.root],
                                 capture_output=True, text=True, check=False, cwd=os.path.join(ROOT, "ci"),
                                 env={**os.environ, "PYTHONPATH": folder})
        self.assertEqual(run.returncode, 3)
        self.assertIn("python3-clang-16", run.stderr)

    def test_what_cannot_be_tried(self):
        run = self.mutants("small.py")
        self.assertEqual(run.returncode, 2)
        self.assertIn("small.py: not a C++ source of the tree", run.stderr)
        self.assertEqual(self.mutants("--room", "kitchen").returncode, 2)
        self.assertEqual(self.mutants("--count", "0").returncode, 2)
        self.assertEqual(self.mutants("--changed", "small.cpp").returncode, 2)
        self.assertEqual(self.mutants("--changed").returncode, 0)  # no room has a file of this tree
        self.write("small.cpp", "int f( {}\n")
        self.assertEqual(self.mutants("small.cpp").returncode, 3)


if __name__ == "__main__":
    unittest.main()
