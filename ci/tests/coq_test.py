"""Plants gaps in proofs, and mutations in definitions and statements. ci/coq.py and ci/coq_compared.py
have to find each.

ci/coq runs the tests that need Coq; BANKPROOF_COQ tells them where it has compiled.
"""

import contextlib
import io
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["BANKPROOF_SOURCE"]
COMPILED = os.environ.get("BANKPROOF_COQ")
sys.path.insert(0, os.path.join(ROOT, "ci"))
import coq  # noqa: E402
import coq_compared  # noqa: E402
import coq_sources  # noqa: E402
import coq_theorems  # noqa: E402

GOOD = """(* Numbers. *)
From Coq Require Import Arith.

Section Numbers.
Variable n : nat.

(* M1. THS 3.1. A number is itself. Not an Axiom, and nothing is Admitted. *)
Theorem itself : n = n.
Proof. reflexivity. Qed.
End Numbers.
"""
CLASSICAL = GOOD.replace("Import Arith", "Import Arith Classical").replace(
    "n = n.\nProof. reflexivity. Qed.",
    "n = n.\nProof. destruct (classic (n = n)); [assumption|contradiction]. Qed.")

# Changes to Coq's extracted code: the question that detects the change, the original, the
# replacement.
CHANGED = [
    ("stages", "(seq 0 w))\n\n(** val groups", "(seq 0 (sub w 1)))\n\n(** val groups"),
    ("stages", "distinct (map (fun x -> Nat.div x w)", "distinct (map (fun x -> Nat.div (x + 1) w)"),
    ("layout", "(Nat.modulo (add i j) w)", "(Nat.modulo (add i (j + 1)) w)"),
    ("layout", "(mul i (add w (Stdlib.Int.succ 0)))", "(mul i w)"),
    ("layout", "(Nat.coq_lxor i j)", "(Nat.coq_lxor i (j + 1))"),
    ("plan", "((=) (length (requests s)) n)", "((<=) (length (requests s)) n)"),
    ("schedule", "add (mul v c) (moves_to", "add (mul (v + 1) c) (moves_to"),
    ("time", "sub (add k l) (Stdlib.Int.succ 0)", "add k l"),
    ("coloring", "if Nat.ltb i n then Some i", "if Nat.ltb (i + 1) n then Some i"),
]


def sources(numbers=GOOD, **others):
    texts = {"Numbers": numbers, **others}
    return {f"{coq_sources.FOLDER}/{name}.v": text for name, text in texts.items()}


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
                        "Unset Positivity Checking.", "Unset Universe Checking.", "Admit Obligations.",
                        "Primitive a := #int63_add.", "Declare Instance a : False.", "Extract Constant a => \"0\".",
                        "#[bypass_check(guard)] Fixpoint a (n : nat) := a n."]:
            found = self.problems(GOOD + planted + "\n")
            self.assertTrue(found, planted)
            self.assertIn("is a gap in a proof", found[0])
            self.assertTrue(found[0].startswith("Numbers.v:11:") or "\n" in planted, found)

    def test_finds_hypotheses_outside_of_sections(self):
        for planted in ["Hypothesis a : False.", "Variable a : False.", "Variables a b : False.",
                        "Context (a : False).", "Local Variable a : False.",
                        "#[local] Variable a : False.", "Definition b := 0. Variable a : False.",
                        "Time Variable a : False."]:
            self.assert_found("Numbers.v:11: ", self.problems(GOOD + planted + "\n"))
            self.assert_found("outside of a section", self.problems(GOOD + planted + "\n"))
            inside = GOOD.replace("Variable n : nat.\n", f"Variable n : nat.\n{planted}\n")
            self.assertEqual(self.problems(inside), [])

    def test_sees_sections_that_begin_or_end_within_a_line(self):
        within = GOOD + "Definition b := 0. Section A. Section B. Variable a : False. End B. End A.\n"
        self.assertEqual(self.problems(within), [])
        self.assert_found("outside of a section", self.problems(within + "Variable c : False.\n"))

    def test_wants_an_opening(self):
        self.assert_found("does not open", self.problems(GOOD.replace("(* Numbers. *)\n", "", 1)))


class TheoremsTest(unittest.TestCase):
    def assert_found(self, words, sources_):
        problems = list(coq.theorem_problems(sources_))
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(words, problems[0])

    def test_accepts_theorems_with_rows(self):
        self.assertEqual(list(coq.theorem_problems(sources())), [])
        self.assertEqual(coq_sources.theorems_of(sources()),
                         {"itself": (f"{coq_sources.FOLDER}/Numbers.v", 8, ["M1"])})

    def test_finds_theorems_without_rows_and_rows_without_claims(self):
        self.assert_found("begins with rows", sources(GOOD.replace("M1. ", "")))
        self.assert_found("and the place in the sources", sources(GOOD.replace("THS 3.1. ", "")))
        self.assert_found("the ledger has no row M99", sources(GOOD.replace("M1. ", "M99. ")))

    def test_finds_two_theorems_of_one_name(self):
        self.assert_found("Others.v:8: theorem itself: proofs/coq/Numbers.v has this name",
                          {**sources(), **sources(Others=GOOD)})

    def test_finds_a_file_in_the_place_of_the_question(self):
        self.assert_found("asks Coq about the others", sources(Assumptions="(* None. *)"))

    def test_counts_no_theorem_in_a_comment(self):
        for gone in [GOOD.replace("Theorem", "(*\nTheorem").replace("Qed.", "Qed.\n*)"),
                     GOOD.replace("(* M1", "(* (* M1").replace("Qed.", "Qed. *)")]:
            self.assertEqual(coq_sources.theorems_of(sources(gone)), {})


class SetUpTest(unittest.TestCase):
    """Failures that are no finding about the proofs."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def test_is_needed(self):
        slow = os.path.join(self.folder, "slow")
        with open(slow, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec sleep 60\n")
        os.chmod(slow, 0o755)
        asked = coq.Coq(sources(), os.path.join(self.folder, "build"))
        for program, words in [("no-such-program", "there is no"), (slow, "takes more than")]:
            with self.assertRaisesRegex(coq.NoSetUp, words):
                asked.call(program, timeout=0.1)

    def test_is_a_coq_that_tells_its_version(self):
        asked = coq.Coq(sources(), self.folder)
        for answer in [(0, ""), (1, "Killed")]:
            asked.call = lambda *_, answer=answer: answer
            with self.assertRaisesRegex(coq.NoSetUp, "does not tell its version"):
                asked.version()

    def test_is_that_of_the_coq_that_the_proofs_are_written_for(self):
        class Other(coq.Coq):
            release = "8.16.1"

            def version(self):
                return self.release

        asked = Other(sources(), self.folder)
        self.assertIn("coqc does not accept it\nError", asked.refusal("Numbers.v", "coqc", "Error"))
        for asked.release in ["8.9.1", "8.160", "9.0.0"]:
            with self.assertRaisesRegex(coq.NoSetUp, f"this is {asked.release}"):
                asked.refusal("Numbers.v", "coqc", "Error")

    def test_is_text(self):
        os.makedirs(os.path.join(self.folder, coq_sources.FOLDER))
        with open(os.path.join(self.folder, coq_sources.FOLDER, "Numbers.v"), "wb") as file:
            file.write(b"(* \xff *)")
        with self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(io.StringIO()):
            coq_sources.sources_of(self.folder)
        self.assertEqual(ended.exception.code, 3)


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
        self.assertTrue(any(-2 in s + d for s, d in spoiled))
        self.assertTrue(any((-1, -1) in zip(s, d) for s, d in spoiled))
        self.assertEqual(made, [[0, 3, 2, 1], [0, 3, 1, 2]])


class CoqTest(unittest.TestCase):
    """Tests the reports of Coq itself, and the definitions that it extracts."""

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
        # Classical logic, an axiom of the library.
        self.assertNotEqual(CLASSICAL, GOOD)
        self.assertEqual(list(coq.source_problems("Numbers.v", CLASSICAL)), [])
        for files in [sources(CLASSICAL), sources(CLASSICAL, Others=GOOD), sources(GOOD, Others=CLASSICAL)]:
            self.assert_found("assume something\nAxioms:\nClassical_Prop.classic", self.compile(files))

    def test_has_coqchk_find_an_axiom_that_no_theorem_uses(self):
        small = GOOD.replace("From Coq Require Import Arith.\n", "")
        compiled = coq.Coq(sources(small), self.folder)
        self.assertEqual(list(compiled.problems()) + list(compiled.checker_problems()), [])
        compiled = coq.Coq(sources(small + "Axiom unused : False.\n"), self.folder)
        self.assertEqual(list(compiled.problems()), [])
        self.assert_found("Bankproof.Numbers.unused", list(compiled.checker_problems()))

    def test_extracts_again_each_time(self):
        extraction = "(* All. *)\nRequire Extraction.\nExtraction \"model.ml\" Nat.add.\n"
        model = os.path.join(self.folder, "model.ml")
        for _ in range(2):
            self.assertEqual(self.compile(sources(Extraction=extraction)), [])
            os.remove(model)

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

    def test_finds_definitions_changed_by_one_in_the_comparison(self):
        with open(os.path.join(COMPILED, "model.ml"), encoding="utf-8") as file:
            model = file.read()
        for name in ["model.mli", "driver.ml"]:
            shutil.copy(os.path.join(COMPILED, name), self.folder)
        compared = os.path.join(COMPILED, "compared")
        for question, was, is_ in CHANGED:
            self.assertEqual(model.count(was), 1, was)
            with open(os.path.join(self.folder, "model.ml"), "w", encoding="utf-8") as file:
                file.write(model.replace(was, is_))
            subprocess.run(["ocamlopt", "-w", "-a", "-o", "changed", "model.mli", "model.ml", "driver.ml"],
                           cwd=self.folder, check=True)
            changed = os.path.join(self.folder, "changed")
            found, _, _ = coq_compared.compare_code(random.Random(1), changed, compared, 8)
            self.assertTrue(found and found[0].startswith(question + " "), (is_, found[:1]))

    def test_finds_closed_forms_and_times_changed_by_one(self):
        with open(os.path.join(COMPILED, "Costs.v"), encoding="utf-8") as file:
            costs = file.read()
        first = costs[:costs.index("\n\nDefinition", costs.index("Definition"))]
        result = re.search(r" = (\d+)\.\nProof", first)
        one_more = first[:result.start(1)] + str(int(result[1]) + 1) + first[result.end(1):]
        mutants = [first.replace("(l - 1)", "(l - 2)"), first.replace("(ceiling ", "(1 + ceiling "),
                   first.replace("sum_over ", "sum_over_powers "), one_more,
                   re.sub(r"sum_over (v'\d+) ", r"sum_over (\1 - 1) ", first)]  # a round is forgotten
        self.assertEqual(self.compile_costs(first), 0)
        for changed in mutants:
            self.assertNotEqual(changed, first)
            self.assertNotEqual(self.compile_costs(changed), 0, changed)

    def compile_costs(self, text):
        with open(os.path.join(self.folder, "Changed.v"), "w", encoding="utf-8") as file:
            file.write(text)
        return subprocess.run(["coqc", "-q", "-Q", COMPILED, "Bankproof", "Changed.v"], cwd=self.folder,
                              capture_output=True, check=False).returncode


class TheoremsTest(unittest.TestCase):
    """Changes theorems that the program has written, and what their scripts use. Coq refuses each."""

    NAME = "K5_pitch_rows"

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        os.mkdir(os.path.join(self.folder, "theorems"))
        for name in ["Written", "Steps", "Inductions", "Lemmas"]:
            for end in [".v", ".vo"]:
                shutil.copy(os.path.join(COMPILED, name + end), self.folder)
        with open(os.path.join(COMPILED, "theorems", self.NAME + ".v"), encoding="utf-8") as file:
            self.text = file.read()

    def refusal(self, text):
        with open(os.path.join(self.folder, "theorems", self.NAME + ".v"), "w", encoding="utf-8") as file:
            file.write(text)
        return coq_theorems.checked(self.folder, self.NAME)

    def planted(self, text, was, is_):
        self.assertIn(was, text)
        return text.replace(was, is_)

    def test_accepts_what_the_program_writes(self):
        self.assertEqual(self.refusal(self.text), "")

    def test_finds_a_statement_changed_by_one(self):
        for was, is_ in [("(i * (w + 1)) in", "(i * (w + 2)) in"), ("(other_j < w) ->", "(other_j <= w) ->"),
                         ("(~ (j = other_j)) ->", "(~ (i = other_j)) ->")]:
            self.assertNotEqual(self.refusal(self.planted(self.text, was, is_)), "", was)

    def test_finds_gaps_and_axioms(self):
        self.assertIn("`Admitted` is a gap", self.refusal(self.planted(self.text, "Qed.", "Admitted.")))
        self.assertIn("`Axiom` is a gap", self.refusal(self.planted(self.text, "(* with", "Axiom a : False.\n(* with")))
        assumed = self.planted(self.text, "From Coq Require Import ZArith Lia.",
                               "From Coq Require Import ZArith Lia Classical.")
        shown = "assert (F0 : (1 <= w)) by (exact P0)."
        by_axiom = "assert (F0 : (1 <= w)) by (destruct (classic (1 <= w)); [assumption|contradiction])."
        self.assertIn("does not report that it is closed", self.refusal(self.planted(assumed, shown, by_axiom)))

    def test_finds_a_law_that_is_false(self):
        with open(os.path.join(self.folder, "Steps.v"), encoding="utf-8") as file:
            laws = file.read()
        self.assertEqual(self.compile_laws(laws), 0)
        for was, is_ in [("0 < b -> a = b * q + r /\\ 0 <= r /\\ r < b.", "0 < b -> a = b * q + r /\\ 0 < r /\\ r < b."),
                         ("q = 2 * p.", "q = 2 * p + 1.")]:
            self.assertNotEqual(self.compile_laws(self.planted(laws, was, is_)), 0, was)

    def compile_laws(self, text):
        with open(os.path.join(self.folder, "Steps.v"), "w", encoding="utf-8") as file:
            file.write(text)
        return subprocess.run(["coqc", "-q", "-Q", ".", "Bankproof", "Steps.v"], cwd=self.folder,
                              capture_output=True, check=False).returncode


if COMPILED is None:
    del CoqTest, TheoremsTest  # ci/coq runs them


if __name__ == "__main__":
    unittest.main()
