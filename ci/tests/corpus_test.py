"""Runs ci/corpus on a small corpus of ours, laid out as HeCBench, whose programs end in each way that the
table tells apart: a program that is called right and is not would be found here.
"""

import contextlib
import inspect
import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

SOURCE = os.environ["BANKPROOF_SOURCE"]
BUILD = os.environ.get("BANKPROOF_BUILD", "")
CLANG = shutil.which("clang++-16") or shutil.which("clang++")
sys.path.insert(0, os.path.join(SOURCE, "ci"))
# The words of formats that take other words than numbers.
WORDS = {"packed": ["H=3", "f*3=-1..1"], "columns": ["3", "3", "3"], "basis": ["H", "O"]}

from corpora import checks, computed, data, digests, entrances, hecbench, indigo, inputs  # noqa: E402
from corpora import intrinsics, judging, makefiles, notes, pictures, running, table, trial  # noqa: E402
from corpora.program import Program  # noqa: E402

PROGRAM = """#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void twice(int* a, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {guard} a[i] *= 2;
}}
int main(int argc, char** argv) {{
  int n = argc > 1 ? std::atoi(argv[1]) : 200, sum = 0, *a = nullptr;
  int* numbers = static_cast<int*>(std::malloc(n * sizeof(int)));
  for (int i = 0; i < n; ++i) numbers[i] = i;
  cudaMalloc(&a, n * sizeof(int));
  cudaMemcpy(a, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
  twice<<<(n + 127) / 128, 128>>>(a, n);
  cudaMemcpy(numbers, a, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += numbers[i];
  {end}
}}
"""
CHECK = 'std::printf("%s\\n", sum == n * (n - 1) ? "PASS" : "FAIL"); return 0;'
SUM = 'std::printf("time %d ms\\nsum %d\\n", std::rand(), sum); return 0;'
GUARD = "if (i < n)"
SISTER = '#include <cstdio>\nint main() {{ std::printf("sum %d\\n", {}); }}\n'
PROGRAMS = {  # name: (guard, end, outcome)
    "right": (GUARD, CHECK, "right"),
    "wrong": ("if (i + 1 < n)", CHECK, "wrong"),
    "faulty": ("", CHECK, "faults"),
    "hanging": (GUARD, "for (volatile int i = 0;; i = i + 1) {}", "timeout"),
    "crashing": (GUARD, "std::abort();", "crash"),
    "failing": (GUARD, "return 5;", "failed"),
    "not_building": ("if (i < undeclared)", CHECK, "not built"),
    "silent": (GUARD, "return 0;", "no check"),
    "as_sister": (GUARD, SUM, "right"),
    "not_as_sister": (GUARD, SUM, "wrong"),
}
MAKEFILE = "ARCH =\nmain: main.cu\n\tnvcc -g -o $@ $<\nrun: main\n\t$(LAUNCHER) ./main 200\n"
OF_SISTER = "CC =\nDEVICE =\nmain: main.cpp\n\t$(CC) -o $@ $<\nrun: main\n\t$(LAUNCHER) ./main\n"


class Corpus(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()


# CMake gives BUILD to builds that have the programs. Where the packages of ci/packages.txt were
# installed, a missing clang is a failure.
PACKAGES = os.environ.get("BANKPROOF_PACKAGES") == "installed"


@unittest.skipUnless(BUILD and (CLANG or PACKAGES), "needs the programs of a build, and clang")
class CorpusTest(Corpus):
    def program(self, name):
        guard, end, _ = PROGRAMS[name]
        self.write(f"corpus/src/{name}-cuda/main.cu", PROGRAM.format(guard=guard, end=end))
        self.write(f"corpus/src/{name}-cuda/Makefile", MAKEFILE)

    def run_it(self, *options):
        command = [os.path.join(SOURCE, "ci", "corpus"), "hecbench", self.path("corpus"),
                   "--entrance", "clang", "--limit", "4", "--build", BUILD, "--results", self.path("results"),
                   "--page", self.path("reach.md"), *options]
        ran = subprocess.run(command, capture_output=True, text=True, check=False,
                             env={**os.environ, "BANKPROOF_CLANG": CLANG})
        rows = {}
        for file in os.listdir(self.path("results/hecbench")):
            if file.endswith(".jsonl"):
                for line in self.read(f"results/hecbench/{file}").splitlines():
                    rows[json.loads(line)["program"]] = json.loads(line)
        return ran, rows

    def test_each_outcome_is_told(self):
        for name in PROGRAMS:
            self.program(name)
        self.write("corpus/src/bare-cuda/main.cu", "")
        for name, result in (("as_sister", 39800), ("not_as_sister", 39801)):
            self.write(f"corpus/src/{name}-omp/main.cpp", SISTER.format(result))
            self.write(f"corpus/src/{name}-omp/Makefile", OF_SISTER)
        ran, rows = self.run_it()
        self.assertEqual(ran.returncode, 1, ran.stderr)
        expected = {name: outcome for name, (_, _, outcome) in PROGRAMS.items()} | {"bare": "not built"}
        self.assertEqual({name: row["outcome"] for name, row in rows.items()}, expected, ran.stderr)
        self.assertEqual([fault["kind"] for fault in rows["faulty"]["faults"]], ["out_of_bounds"])
        self.assertIn("undeclared", rows["not_building"]["reason"])
        page = self.read("reach.md")
        counts = re.search(r"\| clang \| (\d+) \| (\d+) \| (\d+) \|", page)
        self.assertEqual(counts.groups(), ("11", "11", "2"))
        for name, outcome in expected.items():
            self.assertRegex(page, rf"(?m)^\| {name} \| \**{outcome}\** \|")

    def test_results_in_files_are_compared_with_those_of_a_sister(self):
        root, folder = self.path("corpus"), "src/files-cuda"
        self.program("as_sister")
        os.rename(self.path("corpus/src/as_sister-cuda"), self.path(f"corpus/{folder}"))
        for result, outcome in (("sum 6", "right"), ("sum 7", "wrong")):
            # That a word sounds like a verdict does not help against a sister that is listed.
            listed = notes.Notes(["files right sum", "files prints grep sum | sed s/39800/6/", f"files sister echo {result}"])
            program, entrance = Program("files", folder, ["make"]), entrances.Entrance("clang", BUILD, "")
            one = trial.Trial(root, program, entrance, listed)
            with mock.patch.dict(one.entrance.environment, {"BANKPROOF_CLANG": CLANG}):
                self.assertEqual(one.result()["outcome"], outcome)

    def test_shards_and_resumed_runs_share_the_programs(self):
        for name in ("right", "wrong", "not_building"):
            self.program(name)
        _, rows = self.run_it("--shard", "2/2")
        self.assertEqual(set(rows), {"right"})
        ran, rows = self.run_it("--resume")
        self.assertEqual(set(rows), {"right", "wrong", "not_building"})
        self.assertNotIn("clang right:", ran.stderr)
        self.assertIn("| 3 | 3 | 1 |", self.read("reach.md"))


class JudgingTest(Corpus):
    def test_verdicts_of_programs(self):
        for output, verdict in (("PASS", "right"), ("Test passed!", "right"), ("0 errors", "right"),
                                ("errors: 0", "right"), ("max error = 1.2e-7", "right"),
                                ("no mismatch", "right"),
                                ("FAIL", "wrong"), ("PASS\nFAIL", "wrong"), ("verification failed", "wrong"),
                                ("results don't match", "wrong"), ("mismatch at 3", "wrong"),
                                ("time 3.5 s", ""), ("max error = 17", ""), ("3 passes", ""), ("", "")):
            self.assertEqual(judging.own_check(output)[0], verdict, output)

    def test_outputs_of_sisters(self):
        theirs = "sum 3.0001\ntime 5 s"
        for mine, verdict in (("sum 3.0\ntime 9 s", "right"), ("sum 3.1", "wrong"), ("sum 4", "wrong"),
                              ("total 3.0", "")):
            self.assertEqual(judging.sister_check(mine, theirs)[0], verdict, mine)
        self.assertEqual(judging.sister_check("", "")[0], "")

    def test_results_without_a_sister_are_computed(self):
        self.assertEqual([round(x, 9) for x in checks.solved([[0, 2], [4, 1]], [2, 5])], [1, 1])
        drawn = digests.c_random(1)
        self.assertEqual([next(drawn) for _ in range(3)], [1804289383, 846930886, 1681692777])
        self.assertEqual([intrinsics.kept(number, 2, way) for number in (5, -5) for way in "dnuz"],
                         [4, 4, 6, 4, -6, -4, -4, -4])
        self.assertEqual(computed.arrival([1e20, 1e20, 1], 1), 2)
        self.assertEqual(computed.sums_of_windows([1, 2, 3, 4], 2, 2, 3), [1, 3, 2, 4, 10, 6, 3, 7, 4])
        self.assertEqual(next(digests.twister(5489)), 3499211612)  # std::mt19937's first number
        # The element 1 in place 0 of the first of four blocks: its codes are 1/4, 1/5, 1/6 and 1/7.
        words = [struct.pack("<16Q", *([1] + 15 * [0])), *3 * [bytes(128)]]
        codes = [struct.unpack("<16Q", code) for code in digests.coded(words, 4)]
        self.assertEqual([sum(code[bit] << bit for bit in range(8)) for code in codes], [0x47, 0xa7, 0x7a, 0xba])
        self.assertEqual([sum(code) for code in codes], [4, 5, 5, 5])
        data.main("multiplier", self.path("product"), "2")
        inputs_of, outputs, gates = digests.network(self.path("product"))
        self.assertEqual((inputs_of, len(outputs), gates[0]), (4, 4, (6, 2)))  # the first bits of both
        camera = pictures.Camera([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                                  100, 0, 50, 0, 100, 60, 0, 0, 1, 0, 0, 0, 0, 0])
        self.assertEqual(camera.seen([1, 2, 5]), (70, 100, 5))
        self.assertEqual(checks.lifted([1, 2, 3, 4]), [1, 3, 0, 1])  # 2 - 4/2, 4 - 6/2; 1 + 2/4, 3 + 3/4
        self.assertAlmostEqual(checks.softened_share(3, 0.1, 0), 1, 3)
        self.assertAlmostEqual(checks.softened_share(1, 1e-9, 1), 2 ** -1.5)
        self.assertEqual(checks.beside_the_largest([0, -4, 1]),
                         ["largest 4.00000e+00", "all 1.25", "2.00000", "1.00000", "2.25000"])
        for last, verdict in ((1.001, judging.RIGHT), (1.1, judging.WRONG), (0, judging.WRONG)):
            texts = ["\n".join(checks.beside_the_largest([0, -4, number])) for number in (1, last)]
            self.assertEqual(judging.sister_check(*texts)[0], verdict, last)

    def test_clusters_are_compared_with_their_members(self):
        summary = "Cluster #0\nProbability: 1\nN: 2\nMeans: 1 {mean}\n\nR Matrix:\n1 2\n2 4\n"
        for mean, verdict in ((4, "sizes: 2\nfar: 0 of 4\n"), (5, "sizes: 2\nfar: 1 of 4\n"),
                              ("-nan", "sizes: 2\nfar: 1 of 4\n")):
            self.write("summary", summary.format(mean=mean))
            self.write("results", "a,b\n0,2\t1\n2,6\t1\n")
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                checks.mixture(self.path("summary"), self.path("results"))
            self.assertEqual(printed.getvalue(), verdict)

    def test_potentials_are_compared_with_those_of_the_atoms(self):
        drawn = digests.c_random(2)
        x, y, z, charge = (next(drawn) / 2147483647 for _ in range(4))
        potential = (2 * charge - 1) / (x * x + y * y + z * z) ** 0.5
        text = io.StringIO(f"[0] {potential:.1f} [1] {potential + 9:.1f} [2] nan\n")
        with mock.patch("sys.stdin", text), contextlib.redirect_stdout(io.StringIO()) as printed:
            computed.energies("1", "1", "1")
        self.assertEqual(printed.getvalue(), "far: 2 of 3\n")

    def test_what_is_no_number_is_far(self):
        """Comparisons of NaN fail, and mawk takes it for equal to any number."""
        filters = {}
        with open(os.path.join(SOURCE, "ci", "corpora", "hecbench.txt"), encoding="utf-8") as file:
            for line in file:
                name, _, command = line.partition(" prints ")
                filters[name] = command
        for name, text, wanted in (("expdist", "device 2\nhost 2\ndevice 2\nhost nan\n", "far: 1 of 2"),
                                   ("dslash", "1 2 3 3 4 4\n1 2 nan 3 4 4\n", "far: 1 of 2"),
                                   ("blas-gemmEx", "fp64: 1\nfp32: 1\nbf16: -nan\n", "far: 1 of 2"),
                                   ("blas-gemmEx2", "fp64: 1\nfp32: 1\nbf16: -nan\n", "far: 1 of 2"),
                                   ("divergence", "1e-11 0\n0 nan\n", "far: 1 of 2"),
                                   ("aop", "Longstaff 1\nBinonmial nan\n", "near 0")):
            run = subprocess.run(["bash", "-c", filters[name]], input=text, capture_output=True, text=True,
                                 check=True)
            self.assertEqual(run.stdout.strip(), wanted, name)

    def test_forces_are_compared_with_those_of_a_ball(self):
        share = checks.softened_share(1, 0.1, 0.1)
        text = "".join(f"1\t{share * factor}\t1\t1\n" for factor in (1, 1.005, 1.1, float("nan")))
        with mock.patch("sys.stdin", io.StringIO(text)), contextlib.redirect_stdout(io.StringIO()) as printed:
            checks.halos("0.1")
        self.assertEqual(printed.getvalue(), "far: 2 of 4\n")

    def test_a_program_is_built_in_the_only_folder_below_with_a_makefile(self):
        with tempfile.TemporaryDirectory() as root:
            for place in ("one-cuda/src/main", "one-cuda/data", "two-cuda/a", "two-cuda/b"):
                os.makedirs(os.path.join(root, "src", place))
            for place in ("one-cuda/src/main", "two-cuda/a", "two-cuda/b"):
                with open(os.path.join(root, "src", place, "Makefile"), "w", encoding="utf-8") as file:
                    file.write("run:\n")
            places = {program.name: (program.folder, program.reason) for program in hecbench.programs(root)}
        self.assertEqual(places, {"one": ("src/one-cuda/src/main", ""),
                                  "two": ("src/two-cuda", "its folder has no Makefile")})

    def test_programs_without_kernels_are_named(self):
        program, entrance = Program("query", "", [], by_exit_code=True), entrances.Entrance("clang", "", "")
        said = "bankproof: the program launched no kernel, so nothing was checked"
        for listed, output, outcome in (([], said, "nothing checked"), (["query kernels none"], said, None),
                                        (["query kernels none"], said + "; it ended with code 1",
                                         "nothing checked")):
            one = trial.Trial("", program, entrance, notes.Notes(listed))
            failure = one.failure(running.Run(entrances.UNCHECKED, 0.1, "", output))
            self.assertEqual(failure and failure[0], outcome)
        self.assertEqual(one.devices(), {})
        one.notes = notes.Notes(["query devices 2"])
        self.assertEqual(one.devices(), {"BANKPROOF_DEVICES": "2"})

    def test_lists_name_whole_commands_and_variables(self):
        program = Program("grep", "", [], runs=["_LAUNCHER_ ./runtests.sh"])
        listed = notes.Notes(["grep command ./main -f a 'b c'", "grep environment TABLES=a=b"])
        one = trial.Trial("", program, entrances.Entrance("clang", "", ""), listed)
        self.assertEqual(one.commands(), ["_LAUNCHER_ ./main -f a 'b c'"])
        self.assertEqual(one.variables(), {"TABLES": "a=b"})
        self.assertEqual(one.verdict("all are correct", trial.LEAST_ACCESSES - 1)["outcome"], "too small")
        self.assertEqual(one.verdict("all are correct", trial.LEAST_ACCESSES)["outcome"], "right")

    def test_names_of_indigo(self):
        self.assertEqual(indigo.planted("pull_last_boundsBug"), {"out_of_bounds"})
        self.assertEqual(indigo.planted("push_boundsBug_guardBug"), {"out_of_bounds", "race"})
        self.assertEqual(indigo.planted("push_last"), set())

    def test_commands_get_the_launcher(self):
        for command, with_it in (("./main 1", "_LAUNCHER_ ./main 1"),
                                 ("cd a && ./main", "cd a && _LAUNCHER_ ./main"),
                                 ("_LAUNCHER_ ./x", "_LAUNCHER_ ./x"), ("mkdir out", "mkdir out")):
            self.assertEqual(makefiles.with_launcher(command), with_it)
        self.assertEqual(makefiles.with_arguments(["_LAUNCHER_ ./a 9 9"], ["1", "2 3"]),
                         ["_LAUNCHER_ ./a 1", "_LAUNCHER_ ./a 2 3"])

    def test_commands_of_other_folders_are_left_out(self):
        self.write("miniFE/src/main", "")
        for command, there in (("_LAUNCHER_ ./generate_header", False),
                               ("cd src && _LAUNCHER_ ./main 1", True),
                               ("_LAUNCHER_ ./main 1", False), ("_LAUNCHER_ X=1 ./main", True)):
            self.assertEqual(makefiles.is_there(command, self.path("miniFE")), there, command)

    def test_calls_of_libraries_are_never_too_small(self):
        one = trial.Trial("", Program("gemm", "", []), entrances.Entrance("clang", "", ""), notes.Notes())
        calls = {"accesses": 0, "library_calls": {"cublasSgemm": 1}}
        for checked, accesses in (({"accesses": 7}, 7), (calls, trial.LEAST_ACCESSES)):
            self.write("report", json.dumps({"checked": checked}))
            self.assertEqual(one.take(self.path("report")), accesses)

    def test_lists(self):
        listed = notes.Notes(["# a comment", "x arguments 1 2", "x defect race a.cu:4 the reason"])
        self.assertEqual(listed.of("x", "arguments"), ["1 2"])
        fault = {"kind": "race", "file": "src/a.cu", "line": 4}
        self.assertTrue(listed.is_defect("x", fault))
        self.assertFalse(listed.is_defect("x", {**fault, "line": 5}))
        self.assertFalse(listed.is_defect("y", fault))
        for line in ("x argument 1", "x defect race", "x", "x limit 601 long", "x limit 300", "x limit 00 no",
                     "x limit all day"):
            with self.assertRaises(notes.BadList):
                notes.Notes([line])

    def test_a_list_gives_a_program_that_nothing_reduces_more_time(self):
        listed = notes.Notes(["x limit 600 its sizes are in its source"])
        entrance = entrances.Entrance("clang", "", "")
        for name, asked, limit in (("x", None, 600), ("y", None, trial.TO_RUN), ("x", 4, 4)):
            self.assertEqual(trial.Trial("", Program(name, "", []), entrance, listed, asked).limit, limit)

    def test_the_page_keeps_results_that_no_new_one_replaces(self):
        def row(name, outcome, entrance="nvcc", family=""):
            return {"program": name, "entrance": entrance, "family": family, "outcome": outcome, "built": True,
                    "ran": True, "check": "", "faults": [], "seconds": 1.0, "arguments": "a|b", "reason": "",
                    "before": ""}

        family = [row(f"pull_{number}", "right", "clang", "pull") for number in range(3)]
        first = table.page("", {"hecbench": (9, [row("kept", "faults"), row("again", "no check")]),
                                "indigo": (4, [*family, row("other", "too small", "clang", "pull")])})
        self.assertEqual(table.page(first, {}), first)
        second = table.page(first, {"hecbench": (9, [row("again", "right"), row("new", "wrong")])})
        self.assertIn("| nvcc | 9 | 3 | 1 | 1 | 1 | 0 |", second)
        self.assertIn("| clang | 4 | 4 | 3 | 0 | 0 | 0 | 1 |", second)
        self.assertEqual(re.findall(r"(?m)^\| (\w+) \| \**(\w+)\** \| yes", second),
                         [("again", "right"), ("kept", "faults"), ("new", "wrong")])
        self.assertIn("| pull: 3 programs | right |", second)

    def test_data_is_made_once_and_always_the_same(self):
        for name, make in data.FORMATS.items():
            needed = inspect.signature(make).parameters.values()
            words = WORDS.get(name) or ["3" for one in needed if one.default is one.empty]
            for drawn in (data.DRAWN, inputs.DRAWN):
                drawn.seed(1)
            data.main(name, self.path(name), *words)
            for drawn in (data.DRAWN, inputs.DRAWN):
                drawn.seed(1)
            with open(self.path(name), "rb") as file:
                self.assertEqual(file.read(), b"".join(data.made(name, *words)), name)
        self.assertEqual(self.read("graph").split()[0], "3")
        with open(self.path("bitmap"), "rb") as file:
            self.assertEqual(len(file.read()), 54 + 3 * 12)
        self.assertEqual({len(line) for line in self.read("places").splitlines()}, {48})
        self.write("graph", "kept")
        data.main("graph", self.path("graph"), "3")
        self.assertEqual(self.read("graph"), "kept")
        data.main("numbers", self.path("fractions"), "20", "0.25", "0.75")
        self.assertTrue(all(0.25 <= float(one) <= 0.75 for one in self.read("fractions").split()))
        with self.assertRaisesRegex(SystemExit, r"numbers\(count, .*: missing a required argument: 'count'"):
            data.main("numbers", self.path("none"))

    def test_limits_end_all_processes_of_a_command(self):
        for command in ("sleep 60 & sleep 60", "yes >/dev/null & yes >/dev/null"):
            with mock.patch.object(running, "IDLE", 0.3):
                ran = running.run(command, self.folder, os.environ, 0.3, self.path("log"))
            self.assertEqual(ran.stopped, "time")
        self.assertEqual(running.run("yes", self.folder, os.environ, 60, self.path("log")).stopped, "output")


if __name__ == "__main__":
    unittest.main()
