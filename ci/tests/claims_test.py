"""Plants ledgers that claim too much or have lost rows, and errata without evidence. ci/claims.py has
to refuse them."""

import os
import sys
import unittest

ROOT = os.environ["BANKPROOF_SOURCE"]
sys.path.insert(0, os.path.join(ROOT, "ci"))
import claims  # noqa: E402

TESTS = ["Suite.Test", "Widths/Suite.Swept/4", "Widths/Suite.Swept/32", "Types/Typed/0.Works",
         "Numbers.are_typed<0>",
         "Suite.is_decided_by_one_run_to_4", "All/Theorems.is_proved/M2_wide_8",
         "All/Theorems.is_proved/M2_rows"]
THEOREMS = [{"id": "M2.rows", "domain": "all w | n", "unbounded": True},
            {"id": "M2.wide-8", "domain": "w = 8", "unbounded": False}]
IN_COQ = [{"id": "M2.fewest", "domain": "all w", "unbounded": True,
           "coq": {"file": "proofs/coq/Access.v", "theorem": "fewest"}}]
COQ_FILES = {"fewest": ("proofs/coq/Access.v", 7, ["M2"])}
PROVED = r"proved (all w \| n): M2.rows"


def row(name, status="open", evidence="", kinds="T", known=None):
    """A row; its column "known how" is right unless given."""
    if known is None:
        known = claims.known_how(name, kinds, evidence, THEOREMS)
    return f"| {name} | what it says | WHO 1 | {kinds} | {status} | {known} | {evidence} |"


def ledger(**changed):
    """A good ledger, with some rows replaced by these."""
    return "\n".join(changed.get(name, row(name)) for name in claims.IDS)


class ClaimsTest(unittest.TestCase):
    def problems(self, text, tests=None, theorems=None, in_coq=None):
        return claims.ledger_problems(text, TESTS if tests is None else tests, ROOT,
                                      THEOREMS if theorems is None else theorems, in_coq or {})[0]

    def assert_refused(self, words, text, tests=None, theorems=None):
        problems = self.problems(text, tests, theorems)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(words, problems[0])

    def test_says_which_theorems_of_the_solvers_coq_has_checked(self):
        theorems = [{**THEOREMS[0], "checked_in_coq": True}, {**THEOREMS[1], "checked_in_coq": False}]
        self.assertEqual(claims.known_how("M2", "T", "", theorems),
                         r"proved and checked in Coq (all w \| n): M2.rows; proved within a bound (w = 8): M2.wide-8")

    def test_ties_what_coq_has_checked_to_a_theorem_of_its_files(self):
        known = claims.known_how("M2", "T", "", IN_COQ)
        self.assertEqual(known, "checked in Coq (all w): M2.fewest")
        text = ledger(M2=row("M2", known=known))
        self.assertEqual(self.problems(text, theorems=IN_COQ, in_coq=COQ_FILES), [])
        for in_coq, words in [
                ({}, "there is no `fewest` in proofs/coq/Access.v"),
                ({"fewest": ("proofs/coq/Plan.v", 7, ["M2"])}, "there is no `fewest`"),
                ({"fewest": ("proofs/coq/Access.v", 7, [])}, "does not name M2"),
                ({"fewest": ("proofs/coq/Access.v", 7, ["M1", "M2"])},
                 "proofs/coq/Access.v:7: theorem fewest names M1, but `bankproof prove` lists no M1.… with it"),
                ({**COQ_FILES, "most": ("proofs/coq/Access.v", 9, ["M2"])}, "theorem most names M2")]:
            problems = self.problems(text, theorems=IN_COQ, in_coq=in_coq)
            self.assertEqual(len(problems), 1, problems)
            self.assertIn(words, problems[0])
        twice = self.problems(text, theorems=IN_COQ + IN_COQ, in_coq=COQ_FILES)
        self.assertIn("two theorems are called M2.fewest", twice)

    def test_accepts_evidence_that_exists(self):
        for evidence in ["`Suite.Test`", "`Suite.Swept`", "`Widths/Suite.Swept/4`", "`Typed.Works`",
                         "`Numbers.are_typed`",
                         "`Suite.Test`, `ci/claims.py`", "`Theorems.is_proved/M2_rows`"]:
            self.assertEqual(self.problems(ledger(M1=row("M1", "covered", evidence))), [])
        self.assertEqual(self.problems(ledger(M1=row("M1", "refuted (why)", "`Suite.Test`"))), [])

    def test_refuses_evidence_that_does_not_exist(self):
        self.assert_refused("no test `Suite.Missing`",
                            ledger(M1=row("M1", "covered", "`Suite.Test`, `Suite.Missing`")))
        self.assert_refused("no test `ci/missing.py`",
                            ledger(M1=row("M1", "covered", "`Suite.Test`, `ci/missing.py`")))

    def test_refuses_a_folder_as_evidence(self):
        for folder in ["bench/gpu", "bench/gpu/"]:
            self.assert_refused(f"no test `{folder}`",
                                ledger(M1=row("M1", "covered", f"`Suite.Test`, `{folder}`")))

    def test_refuses_a_status_without_evidence(self):
        for status in ["covered", "partly covered (half)", "refuted (why)"]:
            self.assert_refused("without a test", ledger(M1=row("M1", status)))
            self.assert_refused("without a test", ledger(M1=row("M1", status, "`ci/claims.py`")))

    def test_refuses_a_status_it_does_not_know(self):
        for status in ["done", "partly covered", "refuted", ""]:
            self.assert_refused("has the status", ledger(M1=row("M1", status, "`Suite.Test`")))
        self.assert_refused("is open but", ledger(M1=row("M1", "open", "`Suite.Test`")))

    def test_refuses_lost_doubled_and_swapped_rows(self):
        self.assert_refused("M1 has 0 rows", ledger(M1=""))
        self.assert_refused("M1 has 2 rows", ledger(M1=row("M1") + "\n" + row("M1")))
        self.assert_refused("M99 is no claim", ledger(M1=row("M1") + "\n" + row("M99")))
        self.assert_refused("not in order", ledger(M1=row("M2"), M2=row("M1")))

    def test_refuses_broken_rows(self):
        self.assert_refused("3 columns", ledger(M1="| M1 | what | WHO |"))
        self.assert_refused("the kinds", ledger(M1=row("M1", kinds="T Q")))

    def test_refuses_two_tests_of_one_name(self):
        self.assert_refused("two tests", ledger(), TESTS + ["Suite.Test"])

    def test_says_how_a_row_is_known(self):
        for name, evidence, known in [
                ("M1", "", ""),
                ("M1", "`Suite.Test`, `ci/claims.py`", "executed"),
                ("M1", "`Suite.is_decided_by_one_run_to_4`", "one run"),
                ("M1", "`Suite.is_decided_by_one_run_to_4`, `Suite.Test`", "executed; one run"),
                ("M1", "`Theorems.is_proved/M2_rows`", PROVED),
                ("M2", "`Suite.Test`",
                 f"executed; {PROVED}; proved within a bound (w = 8): M2.wide-8")]:
            self.assertEqual(claims.known_how(name, "T", evidence, THEOREMS), known)

    def test_says_how_a_kernel_is_known(self):
        for evidence, known in [
                ("", "no kernel"),
                ("`Suite.Test`, `bench/gpu/sums.cpp`", "executed; kernel compiled"),
                ("`Suite.Test`, `DeviceSum.is_right`", "executed; kernel run on the machine"),
                ("`DeviceSum.is_right`, `house.x_test`", "kernel run on the machine"),
                ("`DeviceSum.is_right`, `docs/fidelity.md`", "kernel measured")]:
            self.assertEqual(claims.known_how("M1", "V G", evidence, []), known)

    def test_refuses_a_row_that_is_not_known_as_it_says(self):
        for known in ["executed; one run", "executed; " + PROVED, ""]:
            old = ledger(M1=row("M1", "covered", "`Suite.Test`", known=known))
            self.assert_refused("M1 is not known as it says", old)
            self.assertEqual(claims.with_known_how(old, THEOREMS),
                             ledger(M1=row("M1", "covered", "`Suite.Test`", known="executed")))

    def test_refuses_theorems_without_a_test_or_a_row(self):
        self.assert_refused("no test Theorems.is_proved/M2_rows", ledger(), TESTS[:-1])
        stray = {"id": "M99.rows", "domain": "all w", "unbounded": True}
        self.assert_refused("M99.rows is about no claim", ledger(),
                            TESTS + ["All/Theorems.is_proved/M99_rows"], THEOREMS + [stray])


class ErrataTest(unittest.TestCase):
    def problems(self, where="WHO 1 (row M1)", evidence="n = 3: 4 (`Suite.Test`)", tests=None):
        errata = "\n".join(["# Errata", "| where | printed | counterexample | what holds |",
                            "|---|---|---|---|", f"| {where} | 3 | {evidence} | 4 |"])
        return claims.errata_problems(errata, TESTS if tests is None else tests)[0]

    def assert_refused(self, words, **row):
        problems = self.problems(**row)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(words, problems[0])
        self.assertIn("docs/errata.md:4: ", problems[0])

    def test_accepts_tests_and_commands(self):
        for evidence in ["`Suite.Test`", "`Suite.Swept`, `Suite.Test`", "`bankproof tables`",
                         "`n/w` (`Suite.Test`)"]:
            self.assertEqual(self.problems(evidence=evidence), [])
        self.assertEqual(self.problems(where="WHO 1, lemma 2 (rows M1, A13)"), [])

    def test_refuses_evidence_that_does_not_exist(self):
        self.assert_refused("no test `Suite.Missing`", evidence="`Suite.Test`, `Suite.Missing`")
        self.assert_refused("neither a test nor a command", evidence="n = 3: 4")
        self.assert_refused("neither a test nor a command", evidence="`n/w`")

    def test_refuses_rows_about_no_claim(self):
        self.assert_refused("does not end in (row", where="WHO 1")
        self.assert_refused("M99 is no claim", where="WHO 1 (rows M1, M99)")

    def test_refuses_broken_rows(self):
        self.assert_refused("5 columns", evidence="`Suite.Test` | more")


if __name__ == "__main__":
    unittest.main()
