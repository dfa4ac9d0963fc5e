"""Runs `bankproof prove` as a program, for theorems that Coq has checked: it names file and
theorem, and claims no check that it has not made.
"""

import json
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree

from program import CLEAN, USAGE, Folder, run

ROOT = os.environ["BANKPROOF_SOURCE"]


def prove(*arguments):
    return run("prove", *arguments)


class InCoq(Folder):
    def json(self, *arguments):
        result = prove(*arguments, "--format", "json")
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        return json.loads(result.stdout)["theorems"]

    def test_each_names_a_theorem_of_a_file(self):
        listed = [one for one in self.json("--list") if "coq" in one]
        self.assertGreater(len(listed), 40)
        for one in listed:
            with open(os.path.join(ROOT, one["coq"]["file"]), encoding="utf-8") as file:
                self.assertRegex(file.read(), rf"(?m)^Theorem {one['coq']['theorem']}\b")
            self.assertNotIn("z3", one)

    def test_the_documentation_lists_those_that_are_not_checked(self):
        with open(os.path.join(ROOT, "docs", "proofs.md"), encoding="utf-8") as file:
            table = file.read().split("not checked in Coq:\n\n", 1)[1].split("\n\n", 1)[0]
        listed = re.findall(r"`(\S+)`", table)
        self.assertEqual(sorted(listed),
                         sorted(one["id"] for one in self.json("--list") if one.get("checked_in_coq") is False))

    def test_text_has_file_and_theorem_and_says_that_nothing_was_checked(self):
        result = prove("R4.exists")
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        text = result.stdout.decode()
        self.assertRegex(text, r"\nR4\.exists +proofs/coq/Koenig\.v: koenig +all h and bipartite multigraphs ")
        self.assertIn("\n1 theorem checked in Coq by ci/coq", text)
        self.assertIn("this run did not check it again\n", text)
        self.assertNotIn("both solvers", text)

    def test_solvers_and_coq_have_a_table_each(self):
        text = prove("A12.diagonal", "A12.rows").stdout.decode()
        self.assertRegex(text, r"\nA12\.rows +proved +proved ")
        self.assertIn("1 of 1 theorem proved by both solvers", text)
        self.assertIn("\n1 of them checked in Coq, too, by ci/coq; not by this run\n", text)
        self.assertRegex(text, r"\nid +checked in Coq +domain +statement\nA12\.diagonal +proofs/coq/Layouts\.v: ")
        both = self.json("A12.diagonal", "A12.rows")
        self.assertEqual([("z3" in one, "coq" in one) for one in both], [(True, False), (False, True)])

    def test_in_junit_they_are_skipped(self):
        result = prove("S5.law", "A12.rows", "--format", "junit")
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        suite = ElementTree.fromstring(result.stdout)[0]
        self.assertEqual((suite.get("tests"), suite.get("skipped")), ("2", "1"))
        skipped = [case.get("name") for case in suite if case.find("skipped") is not None]
        self.assertEqual(skipped, ["S5.law"])

    def test_misspelt_ids_are_met_with_the_one_that_was_meant(self):
        result = prove("R4.exist")
        self.assertEqual(result.returncode, USAGE)
        self.assertTrue(re.search(rb"did you mean 'R4\.exists'\?", result.stderr), result.stderr)


if __name__ == "__main__":
    unittest.main()
