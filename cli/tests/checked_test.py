"""In every format for programs, `check` and `kernel` say how much they checked, so that scripts can
assert it. They can write reports to files in addition to the printed report."""

import json
import os
import xml.etree.ElementTree

from kernel_support import CALL, FINDING, RACE, KernelFolder
from program import CLEAN, INPUT, USAGE, run

LAUNCH = {"kernel": "scale", "grid": 1, "block": 64, "arguments": ["buffer:o", "buffer:i", "i32:1"]}
BUFFERS = {"o": "u32:64", "i": "u32:64=iota"}


class Checked(KernelFolder):
    def json(self, *arguments, code=CLEAN):
        result = run(*arguments, "--format", "json")
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)

    def sarif(self, *arguments, code=CLEAN):
        result = run(*arguments, "--format", "sarif")
        self.assertEqual(result.returncode, code, result.stderr)
        (found,) = json.loads(result.stdout)["runs"]
        return found

    def suite(self, *arguments, code=CLEAN):
        result = run(*arguments, "--format", "junit")
        self.assertEqual(result.returncode, code, result.stderr)
        (suite,) = xml.etree.ElementTree.fromstring(result.stdout)
        return suite

    def properties(self, suite):
        return {one.get("name"): one.get("value") for one in suite.iter("property")}

    def launches(self, launches):
        return self.file("l.json", json.dumps({"buffers": BUFFERS, "launches": launches}))

    def test_check_tells_permutations_and_warps(self):
        for words, warps in ((("identity:64",), 4), (("identity:65", "--access", "source"), 3)):
            checked = {"permutations": 1, "warps": warps}
            self.assertEqual(self.json("check", *words)["checked"], checked)
            self.assertEqual(self.sarif("check", *words)["properties"]["checked"], checked)
            properties = self.properties(self.suite("check", *words))
            self.assertEqual((properties["checked.permutations"], properties["checked.warps"]),
                             ("1", str(warps)))

    def test_kernel_tells_launches_and_accesses(self):
        # Each warp loads and stores, in each memory.
        file = self.tile()
        for number in (1, 3):
            words = ("kernel", file, "--launch", self.launches([LAUNCH] * number))
            checked = {"launches": number, "accesses": 4 * 2 * number}
            self.assertEqual(self.json(*words)["checked"], checked)
            self.assertEqual(self.sarif(*words)["properties"]["checked"], checked)
            properties = self.properties(self.suite(*words))
            self.assertEqual((properties["checked.launches"], properties["checked.accesses"]),
                             (str(number), str(4 * 2 * number)))

    def test_nothing_is_no_pass(self):
        self.assertEqual(run("kernel", self.tile(), "--launch", self.launches([])).returncode, INPUT)
        self.assertEqual(run("kernel", self.tile(), "--grid", "0", "--block", "64").returncode, USAGE)
        self.assertEqual(run("check", "identity:0").returncode, USAGE)
        self.assertEqual(run("check", self.file("empty.txt", "")).returncode, INPUT)
        # A kernel without accesses was launched, and reports that it accessed nothing.
        empty = self.file("e.ptx", ".version 7.8\n.target sm_80\n.address_size 64\n"
                                   ".visible .entry nothing()\n{\nret;\n}\n")
        words = ("kernel", empty, "--grid", "1", "--block", "32")
        self.assertEqual(self.json(*words)["checked"], {"launches": 1, "accesses": 0})
        self.assertIn(b"\nnote: the run accesses no memory, ", run(*words).stdout)
        self.assertNotIn(b"accesses no memory", run("kernel", self.tile(), *CALL).stdout)

    def test_junit_of_a_kernel_has_its_faults_and_each_memory(self):
        def cases(*words, code=CLEAN):
            suite = self.suite("kernel", *words, code=code)
            names = [case.get("name") for case in suite.iter("testcase")]
            self.assertEqual(names, ["faults", "excess in shared memory", "excess in global memory"])
            told = [next(iter([one.tag for one in case]), "passes")
                    for case in suite.iter("testcase")]
            self.assertEqual(suite.get("tests"), "3")
            self.assertEqual(suite.get("failures"), str(told.count("failure")))
            self.assertEqual(suite.get("skipped"), str(told.count("skipped")))
            return told, suite

        conflicts = self.tile(stride=128)
        self.assertEqual(cases(conflicts, *CALL)[0], ["passes", "skipped", "skipped"])
        told, suite = cases(conflicts, *CALL, "--max-shared-excess", "0", code=FINDING)
        self.assertEqual(told, ["passes", "failure", "skipped"])
        failure = suite.find(".//failure")
        self.assertEqual(failure.get("message"), "tile.cu:12: 124 wavefronts more than the ideal 4; "
                                                 "the limit is 0; and 1 more")
        self.assertIn("\ntile.cu:14: 124 wavefronts", failure.text)
        race = self.file("race.ptx", RACE)
        told, suite = cases(race, "--grid", "1", "--block", "64", "buffer:u32:1", "--max-excess",
                            "0", code=FINDING)
        self.assertEqual(told[0], "failure")
        self.assertIn("race.cu:4: race: ", suite.find(".//failure").text)

    def test_reports_in_files_are_those_that_are_printed(self):
        for words, code in ((["check", "transpose:32x32"], FINDING),
                            (["kernel", self.tile(stride=128), *CALL], CLEAN)):
            files = {form: os.path.join(self.folder, form) for form in ("sarif", "junit")}
            result = run(*words, "--sarif", files["sarif"], "--junit", files["junit"])
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertEqual(result.stdout, run(*words).stdout)
            for form, file in files.items():
                self.assertEqual(self.read(file), run(*words, "--format", form).stdout)

    def test_a_file_is_not_written_twice_nor_over_the_input(self):
        file = os.path.join(self.folder, "report")
        numbers = self.file("numbers.txt", "0 1 2 3\n")
        for words in (["check", "identity:64", "--sarif", file, "--junit", file],
                      ["check", "identity:64", "--sarif", file, "-o", file],
                      ["check", numbers, "--junit", numbers], ["check", numbers, "--sarif", "-"],
                      ["kernel", self.tile(), *CALL, "--sarif", file, "--junit", file],
                      ["kernel", self.tile(), *CALL, "--junit", self.tile()]):
            result = run(*words)
            self.assertEqual((result.returncode, result.stdout), (USAGE, b""), words)
            self.assertFalse(os.path.exists(file))
        self.assertEqual(self.read(numbers), b"0 1 2 3\n")
