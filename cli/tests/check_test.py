"""Runs `bankproof check` as a program: figures, exit codes, the fixed fields of JSON, every
machine, refusals, and output that fits a terminal."""

import json
import os
import random
import struct
import unittest

from check_support import (BANKPROOF, CLEAN, FINDING, INPUT, METIS, USAGE, Folder, check,
                           dmm_stages, inverse, shuffled, umm_stages, warps)


class Figures(Folder):
    def expect(self, access, stages, ideal, most):
        self.assertEqual((access["stages"], access["ideal"], access["excess"], access["max"]),
                         (stages, ideal, stages - ideal, most))

    def test_metis_on_the_dmm(self):
        report = self.json(METIS, code=FINDING)
        self.expect(report["destination"], 1763, 512, 6)
        self.expect(report["source"], 2461, 512, 11)
        self.assertEqual(report["destination"]["mean"], 1763 / 512)

    def test_metis_on_the_umm(self):
        report = self.json(METIS, "--machine", "umm", code=FINDING)
        self.expect(report["destination"], 7630, 512, 21)
        self.expect(report["source"], 7630, 512, 32)
        self.assertEqual(report["destination"]["distribution"], 7630)
        self.assertEqual(report["source"]["distribution"], 7630)

    def test_random_permutations_as_counted_here(self):
        for machine, stages_of in (("dmm", dmm_stages), ("umm", umm_stages)):
            for size, width in ((1, 32), (31, 32), (33, 32), (1000, 7), (1000, 33), (3000, 1024)):
                with self.subTest(machine=machine, size=size, width=width):
                    values = shuffled(size, seed=size + width)
                    path = self.file("p.txt", "\n".join(map(str, values)) + "\n")
                    report = self.json(path, "--machine", machine, "--width", width)
                    for name, touched in (("destination", values), ("source", inverse(values))):
                        self.expect_access(report[name], touched, width, stages_of)

    def expect_access(self, access, touched, width, stages_of):
        stages = [stages_of(lanes, width) for lanes in warps(touched, width)]
        self.expect(access, sum(stages), len(stages), max(stages))
        self.assertEqual(access["mean"], sum(stages) / len(stages))
        self.assertEqual(access["histogram"], {str(k): stages.count(k) for k in sorted(set(stages))})
        worst = stages.index(max(stages))
        self.assertEqual(access["worst"]["warp"], worst)
        self.assertEqual(access["worst"]["lanes"],
                         [{"lane": lane, "index": worst * width + lane, "address": address,
                           "bank": address % width, "group": address // width}
                          for lane, address in enumerate(warps(touched, width)[worst])])

    def test_a_partial_last_warp_counts(self):
        # 32 threads in order, and one more at the only remaining address.
        report = self.json("-", text=" ".join(map(str, range(33))))
        self.expect(report["destination"], 2, 2, 1)
        report = self.json("-", "--width", 4, text="1 2 3 0 4 8 5 6 7")
        self.assertEqual(report["destination"]["histogram"], {"1": 2, "2": 1})

    def test_chips(self):
        # THS table 4.3: transpose and shuffle of 1024 numbers, in both modes.
        for machine, name, access, most in (
                ("kepler-64bit", "transpose:32x32", "destination", 32),
                ("kepler-64bit", "shuffle:1024", "source", 2),
                ("kepler-32bit", "transpose:32x32", "source", 16),
                ("kepler-32bit", "shuffle:1024", "destination", 1),
                ("kepler-32bit", "shuffle:1024", "source", 2),
                ("sm_90", "transpose:32x32", "destination", 32)):
            with self.subTest(machine=machine, name=name):
                report = self.json(name, "--machine", machine)
                self.expect(report[access], 32 * most, 32, most)

    def test_wide_elements(self):
        for word_bytes, ideal in ((1, 1), (2, 1), (4, 1), (8, 2), (16, 4)):
            for memory in ("shared", "global"):
                with self.subTest(word_bytes=word_bytes, memory=memory):
                    report = self.json("identity:1024", "--machine", "sm_90", "--memory", memory,
                                       "--word-bytes", word_bytes, code=CLEAN)
                    self.expect(report["destination"], 32 * ideal, 32 * ideal, ideal)
                    self.assertEqual(report["max_stages"], ideal)
                    self.assertEqual((report["memory"], report["word_bytes"]), (memory, word_bytes))
        report = self.json("identity:1024", "--word-bytes", 8, code=CLEAN)
        self.expect(report["destination"], 128, 128, 4)  # even words reach only half the banks

    def test_lines_and_sectors(self):
        report = self.json("transpose:32x32", "--machine", "sm_90", "--memory", "global")
        self.expect(report["destination"], 1024, 32, 32)
        self.assertEqual(report["destination"]["sectors"],
                         {"actual": 1024, "ideal": 128, "excess": 896})


class Json(Folder):
    ACCESS = ["stages", "ideal", "excess", "max", "mean", "histogram", "distribution", "worst"]

    def test_fields_are_fixed(self):
        for machine in ("dmm", "umm"):
            report = self.json("transpose:8x8", "--machine", machine, "--width", 8)
            self.assertEqual(list(report), ["permutation", "machine", "width", "destination",
                                            "source", "within_limit", "checked"])
            self.assertEqual(report["permutation"], {"name": "transpose:8x8", "size": 64})
            self.assertEqual((report["machine"], report["width"]), (machine, 8))
            for name in ("destination", "source"):
                self.assertEqual(list(report[name]), self.ACCESS)
                self.assertEqual(report[name]["distribution"], 64 if machine == "umm" else None)

    def test_an_access_that_is_not_chosen_is_absent(self):
        for chosen, other in (("destination", "source"), ("source", "destination")):
            report = self.json("shuffle:64", "--access", chosen)
            self.assertIn(chosen, report)
            self.assertNotIn(other, report)

    def test_chips_say_more(self):
        report = self.json("identity:64", "--machine", "sm_90")
        self.assertEqual(list(report), ["permutation", "machine", "width", "memory", "word_bytes",
                                        "max_stages", "destination", "source", "within_limit",
                                        "checked"])

    def test_notes_stand_where_a_rule_is_not_measured_on_the_chip(self):
        for arguments, noted in ((("--machine", "sm_90"), False),
                                 (("--machine", "sm_90", "--word-bytes", 8), True),
                                 (("--machine", "sm_90", "--memory", "global"), True),
                                 (("--machine", "kepler-64bit"), False),
                                 (("--word-bytes", 8), False)):
            with self.subTest(arguments=arguments):
                self.assertEqual("notes" in self.json("identity:64", *arguments), noted)
                shown = check("identity:64", *arguments).stdout.decode()
                self.assertEqual("Note: " in shown, noted)

    def test_a_name_of_any_bytes_gives_valid_json(self):
        path = self.path("").encode() + b"odd \xff\n\"name\".txt"
        with open(path, "wb") as out:
            out.write(b"0 1 2")
        result = check(os.fsdecode(path), "--format", "json")
        self.assertEqual(result.returncode, CLEAN)
        self.assertTrue(json.loads(result.stdout)["permutation"]["name"].endswith(
            "odd \\xff\\x0a\"name\".txt"))


class ExitCodes(Folder):
    def test_the_limit_decides(self):
        for arguments, code in ((("identity:100",), CLEAN),
                                (("transpose:32x32",), FINDING),
                                (("transpose:32x32", "--max-stages", 31), FINDING),
                                (("transpose:32x32", "--max-stages", 32), CLEAN),
                                ((METIS, "--max-stages", 11), CLEAN),
                                ((METIS, "--max-stages", 10), FINDING),
                                ((METIS, "--max-stages", 6, "--access", "destination"), CLEAN),
                                ((METIS, "--max-stages", 6, "--access", "source"), FINDING),
                                (("shuffle:1024", "--machine", "kepler-32bit", "--access",
                                  "destination"), CLEAN),
                                (("identity:64", "--word-bytes", 16), CLEAN),
                                (("identity:64", "--word-bytes", 16, "--max-stages", 4), FINDING)):
            for form in ("text", "json", "sarif", "junit"):
                with self.subTest(arguments=arguments, format=form):
                    result = check(*arguments, "--format", form)
                    self.assertEqual(result.returncode, code)
                    self.assertEqual(result.stderr.decode(), "")

    def expect_failure(self, code, words, *arguments):
        with self.subTest(arguments=arguments):
            result = check(*arguments)
            self.assertEqual(result.stdout, b"")
            self.assertEqual(result.returncode, code)
            line = result.stderr.decode()
            self.assertRegex(line, r"\Abankproof: [^\n]+\n\Z")
            for word in words:
                self.assertIn(word, line)

    def test_machines_that_make_no_sense_are_refused_naming_those_that_do(self):
        usable = ("dmm", "umm", "kepler-64bit", "kepler-32bit", "sm_90")
        for machine in ("pram", "hmm", "async-hmm:d=2"):
            self.expect_failure(USAGE, usable, "identity:8", "--machine", machine)

    def test_contradictions(self):
        self.expect_failure(USAGE, ("--width 16", "w=32"), "identity:8", "--machine", "dmm:w=32",
                            "--width", "16")
        self.expect_failure(USAGE, ("32",), "identity:8", "--machine", "sm_90", "--width", "16")
        self.expect_failure(USAGE, ("--memory", "chips"), "identity:8", "--memory", "shared")
        self.expect_failure(USAGE, ("--memory", "chips"), "identity:8", "--machine", "umm",
                            "--memory", "global")
        self.expect_failure(USAGE, ("p=64",), "identity:8", "--machine", "dmm:p=64")

    def test_what_has_no_rule(self):
        self.expect_failure(USAGE, ("kepler-64bit", "sm_90"), "identity:8", "--machine",
                            "kepler-64bit", "--memory", "global")
        self.expect_failure(USAGE, ("kepler-32bit", "1, 2, 4 bytes"), "identity:8", "--machine",
                            "kepler-32bit", "--word-bytes", "8")
        self.expect_failure(USAGE, ("1, 2, 4, 8 bytes",), "identity:8", "--machine", "kepler-64bit",
                            "--word-bytes", "16")

    def test_bad_options(self):
        for option, value in (("--width", "0"), ("--width", "1025"), ("--width", "-1"),
                              ("--width", "x"), ("--width", "0x20"), ("--max-stages", "0"),
                              ("--max-stages", "-1"), ("--max-stages", "1.5"),
                              ("--max-stages", "99999999999999999999"), ("--word-bytes", "3"),
                              ("--word-bytes", "32"), ("--word-bytes", "0"), ("--access", "none"),
                              ("--format", "xml"), ("--memory", "constant"),
                              ("--machine", "sm_91"), ("--machine", "dmm:w=0")):
            self.expect_failure(USAGE, (), "identity:8", option, value)
        self.expect_failure(USAGE, ())
        self.expect_failure(USAGE, (), "identity:8", "identity:8")
        self.expect_failure(USAGE, (), "identity:8", "--no-such-option")

    def test_bad_input_ends_before_anything_is_written(self):
        output = self.path("report")
        self.expect_failure(INPUT, ("no-such-file",), "no-such-file.txt", "-o", output)
        self.expect_failure(INPUT, ("0",), self.file("p.txt", "0 1 0"), "-o", output)
        self.assertFalse(os.path.exists(output))


class Output(Folder):
    def test_a_file_gets_what_the_terminal_would(self):
        for form in ("text", "json", "sarif", "junit"):
            with self.subTest(format=form):
                path = self.path("report." + form)
                shown = check("transpose:32x32", "--format", form)
                written = check("transpose:32x32", "--format", form, "-o", path)
                self.assertEqual((written.stdout, written.stderr), (b"", b""))
                self.assertEqual(written.returncode, FINDING)
                with open(path, "rb") as report:
                    self.assertEqual(report.read(), shown.stdout)

    def test_the_picture(self):
        self.assertEqual(
            check("transpose:4x4", "--width", 4).stdout.decode(),
            "transpose:4x4: 16 elements in 4 warps of 4, on dmm\n"
            "\n"
            "                                     stages       ideal      excess   max    mean\n"
            "  destination  b[P(i)] ← a[i]            16           4          12     4    4.00\n"
            "  source       b[i] ← a[P⁻¹(i)]          16           4          12     4    4.00\n"
            "\n"
            "     stages   warps, destination           warps, source\n"
            "          4       4 ████████████████████       4 ████████████████████\n"
            "\n"
            "Worst warp: destination, warp 0, threads 0 to 3, takes 4 stages:\n"
            "bank 0 is asked for 4 different words. Numbers are the threads' stages.\n"
            "\n"
            "     bank\n"
            "  i  P(i)  0 1 2 3\n"
            "  0     0  1 · · ·\n"
            "  1     4  2 · · ·\n"
            "  2     8  3 · · ·\n"
            "  3    12  4 · · ·\n"
            "\n"
            "Over the limit of 1 stage: 4 of 4 warps (destination), 4 of 4 (source).\n"
            "To accept it: --max-stages 4. For scripts: --format json, sarif or junit.\n")

    def test_every_machine_fits_a_terminal(self):
        for arguments in ((METIS,), (METIS, "--machine", "umm"), (METIS, "--width", 33),
                          (METIS, "--width", 1024), (METIS, "--machine", "umm:w=500"),
                          (METIS, "--machine", "kepler-32bit"), ("random:5,seed=1", "--width", 1),
                          (METIS, "--machine", "sm_90", "--word-bytes", 16),
                          (METIS, "--machine", "sm_90", "--memory", "global", "--word-bytes", 2)):
            with self.subTest(arguments=arguments):
                lines = check(*arguments, "--access", "source").stdout.decode().splitlines()
                self.assertLess(len(lines), 90)
                for line in lines[1:]:  # the first has the file's name
                    self.assertLessEqual(len(line), 84)
                    self.assertEqual(line, line.rstrip())


class Memory(Folder):
    """The peak memory stays below three times the input."""

    def peak(self, *arguments):
        process = os.spawnv(os.P_NOWAIT, BANKPROOF, [BANKPROOF, "check", *arguments])
        _, status, usage = os.wait4(process, 0)
        self.assertIn(os.waitstatus_to_exitcode(status), (CLEAN, FINDING))
        return 1024 * usage.ru_maxrss

    def test_of_a_large_input(self):
        with open(BANKPROOF, "rb") as program:
            if b"__asan_init" in program.read():
                self.skipTest("a sanitizer's shadow memory counts as well")
        size = 1 << 22
        step = random.Random(3).randrange(1, size, 2)
        path = self.file("large.bin", b"".join(
            struct.pack("<1024I", *((step * i) % size for i in range(first, first + 1024)))
            for first in range(0, size, 1024)))
        base = self.peak("identity:1", "-o", "/dev/null")
        for machine in ("dmm", "umm", "sm_90"):
            with self.subTest(machine=machine):
                peak = self.peak(path, "--machine", machine, "-o", "/dev/null")
                self.assertLess(peak - base, 3 * 4 * size)


if __name__ == "__main__":
    unittest.main()
