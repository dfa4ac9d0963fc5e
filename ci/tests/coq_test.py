"""Plants gaps in proofs, and mistakes in definitions and statements, and expects ci/coq.py and
ci/coq_compared.py to find each.

What needs Coq is tried by ci/coq, which says by BANKPROOF_COQ where it has compiled.
"""

import os
import random
import shutil
import stat
import sys
import tempfile
import unittest

ROOT = os.environ["BANKPROOF_SOURCE"]
COMPILED = os.environ.get("BANKPROOF_COQ")
sys.path.insert(0, os.path.join(ROOT, "ci"))
import coq  # noqa: E402
import coq_compared  # noqa: E402
import coq_sources  # noqa: E402

GOOD = """(* Numbers. *)
From Coq Require Import Arith.

Section Numbers.
Variable n : nat.

(* M1. THS 3.1. A number is itself. Not an Axiom, and nothing is Admitted. *)
Theorem itself : n = n.
Proof. reflexivity. Qed.
End Numbers.
"""
STATED = """(* All. *)
From Bankproof Require Import Numbers.
Definition theorems := (@itself).
Print Assumptions theorems.
"""


def sources(numbers=GOOD, statements=STATED):
    return {f"{coq_sources.FOLDER}/Numbers.v": numbers, f"{coq_sources.FOLDER}/Statements.v": statements}


class SourcesTest(unittest.TestCase):
    def problems(self, numbers):
        return list(coq.source_problems("Numbers.v", numbers))

    def assert_found(self, words, problems):
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(words, problems[0])

    def test_accepts_finished_proofs(self):
        self.assertEqual(self.problems(GOOD), [])

    def test_finds_each_gap(self):
        for planted in ["Axiom a : False.", "Parameter a : False.", "Parameters a b : nat.",
                        "Conjecture a : False.", "Lemma a : False.\nProof. admit. Admitted.",
                        "Lemma a : False.\nProof. give_up. Abort.", "Unset Guard Checking.",
                        "Primitive a := #int63_add.", "Extract Constant a => \"0\".",
                        "#[bypass_check(guard)] Fixpoint a (n : nat) := a n."]:
            found = self.problems(GOOD + planted + "\n")
            self.assertTrue(found, planted)
            self.assertIn("is a gap in a proof", found[0])
            self.assertTrue(found[0].startswith("Numbers.v:11:") or "\n" in planted, found)

    def test_finds_hypotheses_outside_of_sections(self):
        for planted in ["Hypothesis a : False.", "Variable a : False.", "Variables a b : False.",
                        "Context (a : False)."]:
            self.assert_found("outside of a section", self.problems(GOOD + planted + "\n"))
            inside = GOOD.replace("Variable n : nat.\n", f"Variable n : nat.\n{planted}\n")
            self.assertEqual(self.problems(inside), [])

    def test_wants_an_opening(self):
        self.assert_found("does not open", self.problems(GOOD.replace("(* Numbers. *)\n", "", 1)))


class StatementsTest(unittest.TestCase):
    def assert_found(self, words, sources_):
        problems = list(coq.statement_problems(sources_))
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(words, problems[0])

    def test_accepts_theorems_with_rows(self):
        self.assertEqual(list(coq.statement_problems(sources())), [])

    def test_finds_theorems_without_rows_and_rows_without_claims(self):
        self.assert_found("begins with rows", sources(GOOD.replace("M1. ", "")))
        self.assert_found("the ledger has no row M99", sources(GOOD.replace("M1. ", "M99. ")))

    def test_finds_theorems_that_are_not_stated_and_statements_of_none(self):
        none = STATED.replace("@itself", "tt")
        more = STATED.replace("@itself", "@itself, @other")
        self.assert_found("itself is not in Statements.v", sources(statements=none))
        self.assert_found("other is no theorem", sources(statements=more))


class ComparedTest(unittest.TestCase):
    def test_tells_answers_that_differ(self):
        self.assertEqual(coq_compared.differences(["a", "b"], ["1", "2"], ["1", "2"]), [])
        found = coq_compared.differences(["a", "b"], ["1", "2"], ["1", "3"])
        self.assertEqual(found, ["b\n  Coq: 2\n  C++: 3"])

    def test_draws_plans_that_are_right_and_plans_that_are_not(self):
        draw = random.Random(1)
        made = [[0, 3, 2, 1], [0, 3, 1, 2]]
        spoiled = [coq_compared.spoiled(draw, made, 4) for _ in range(200)]
        self.assertIn(made, spoiled)
        self.assertTrue(any(-1 in s + d for s, d in spoiled))
        self.assertEqual(made, [[0, 3, 2, 1], [0, 3, 1, 2]])


class CoqTest(unittest.TestCase):
    """What Coq itself has to say, and the definitions it extracts."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def compile(self, files):
        return list(coq.Coq(files, self.folder).problems())

    def assert_found(self, words, problems):
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(words, problems[0])

    def test_accepts_finished_proofs(self):
        self.assertEqual(self.compile(sources()), [])

    def test_finds_a_proof_that_does_not_hold(self):
        wrong = GOOD.replace("n = n", "n = S n")
        self.assert_found("Numbers.v: coqc does not accept it", self.compile(sources(wrong)))

    def test_finds_an_assumption_that_no_word_tells(self):
        # Classical logic, as an axiom of the library.
        classical = GOOD.replace("Import Arith", "Import Arith Classical").replace(
            "n = n.\nProof. reflexivity. Qed.",
            "n = n.\nProof. destruct (classic (n = n)); [assumption|contradiction]. Qed.")
        self.assertNotEqual(classical, GOOD)
        self.assertEqual(list(coq.source_problems("Numbers.v", classical)), [])
        self.assert_found("assume something\nAxioms:\nClassical_Prop.classic",
                          self.compile(sources(classical)))

    def test_finds_a_definition_changed_by_one_in_a_proof(self):
        files = {path: text for path, text in coq_sources.sources_of(ROOT).items()
                 if os.path.basename(path) in ("Counting.v", "Access.v")}
        self.assertEqual(self.compile(files), [])
        path = f"{coq_sources.FOLDER}/Access.v"
        for definition, changed in [("filter (fun x => x mod w =? bank) (requests a)",
                                     "filter (fun x => x mod S w =? bank) (requests a)"),
                                    ("map (fun x => x / w) (requests a)",
                                     "map (fun x => S x / w) (requests a)")]:
            self.assertIn(definition, files[path])
            self.assert_found("Access.v: coqc does not accept it",
                              self.compile({**files, path: files[path].replace(definition, changed)}))

    def test_finds_a_definition_changed_by_one_in_the_comparison(self):
        # Coq's answers of a definition that no theorem would tell from the right one.
        for question, add in [("stages", "+ 1"), ("layout", "+ 1"), ("time", "- 1")]:
            wrong = os.path.join(self.folder, "wrong")
            with open(wrong, "w", encoding="utf-8") as file:
                file.write(f"""#!/usr/bin/env python3
import subprocess, sys
questions = sys.stdin.read()
answers = subprocess.run([{os.path.join(COMPILED, "extracted")!r}], input=questions, capture_output=True,
                         text=True).stdout.splitlines()
for question, answer in zip(questions.splitlines(), answers):
    first, *rest = answer.split()
    print(*([int(first) {add}] + rest if question.startswith({question!r}) else [answer]))
""")
            os.chmod(wrong, os.stat(wrong).st_mode | stat.S_IXUSR)
            found, _, _ = coq_compared.compare_code(random.Random(1), wrong,
                                                    os.path.join(COMPILED, "compared"), 4)
            self.assertTrue(found and found[0].startswith(question), found[:1])


if COMPILED is None:
    del CoqTest  # ci/coq tries it

if __name__ == "__main__":
    unittest.main()
