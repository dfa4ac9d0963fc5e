"""`bankproof run` refuses bad input: with the right exit code, one line that says what is wrong,
where, and how to fix it, nothing on standard output, and all files unchanged."""

import os
import re
import resource
import subprocess
import unittest

from program import BANKPROOF, CLEAN, INPUT, USAGE, Folder, run
from run_test import ALGORITHMS, joined, npy, variants_of

SMALL = {"pram": "pram:p=3", "dmm": "dmm:w=4,l=2,p=8", "umm": "umm:w=4,l=2,p=8",
         "hmm": "hmm:w=4,L=5,d=2,p=8", "async-hmm": "async-hmm:w=4,L=5,d=2,p=8"}


def sizes_of(algorithm):
    """Returns the sizes in --help: (key, prefix of the variants that have it, least, most)."""
    text = run("run", algorithm, "--help").stdout.decode()
    block = text[text.index("Sizes:"):]
    return [(key, of, int(least), int(most)) for key, of, least, most in
            re.findall(r"^  (\S+) .*?(?:\((\S+)\))?, (\d+) to (\d+) \[\d+\]$", block, re.M)]


class RunFolder(Folder):
    def refuse(self, line, *arguments, code=USAGE):
        with self.subTest(line):
            self.expect_failure(run("run", *arguments), code, line)

    def refuse_matching(self, pattern, *arguments, **options):
        """Expects a line that matches: its numbers depend on this machine's memory."""
        with self.subTest(pattern):
            result = run("run", *arguments, **options)
            self.assertRegex(result.stderr.decode(), "^bankproof: " + pattern + "\n$")
            self.assertEqual((result.returncode, result.stdout), (USAGE, b""))


class Sizes(RunFolder):
    def test_0_and_1_for_every_key_of_every_variant(self):
        for algorithm in ALGORITHMS:
            keys = sizes_of(algorithm)
            self.assertTrue(keys)
            for variant, machines in variants_of(algorithm):
                arguments = (algorithm, "--variant", variant, "--machine", SMALL[machines[0]])
                # All sizes at their least; all sizes 1; 0 for each size that must not be 0, one by one.
                own = [(key, least) for key, of, least, _ in keys if variant.startswith(of)]
                sizes = ",".join("%s=%d" % size for size in own)
                self.assertEqual(run("run", *arguments, "--size", sizes).returncode, CLEAN)
                ones = ",".join("%s=1" % key for key, _ in own)
                self.assertEqual(run("run", *arguments, "--size", ones).returncode, CLEAN)
                for key, _, least, most in keys:
                    if least > 0:
                        self.refuse("--size '%s=0': %s is a number from %d to %d"
                                    % (key, key, least, most), *arguments, "--size", key + "=0")

    def test_more_than_the_most(self):
        for algorithm in ALGORITHMS:
            for key, _, least, most in sizes_of(algorithm):
                for value in (str(most + 1), str(2**64), "-1", "", "x", "1.5", "1e3", "0x10"):
                    self.refuse("--size '%s=%s': %s is a number from %d to %d"
                                % (key, value, key, least, most),
                                algorithm, "--size", key + "=" + value)

    def test_not_of_the_form_key_value(self):
        example = "': expected key=value, for example rows=64"
        for setting in ("rows", "3"):
            self.refuse("--size '" + setting + example, "matrix-product", "--size", setting)
        for settings in ("rows=3,", ",rows=3", "rows=3,,m=4"):
            self.refuse("--size '" + example, "matrix-product", "--size", settings)
        self.refuse("--size '': the value is empty", "matrix-product", "--size", "")

    def test_of_keys_that_there_are_not(self):
        keys = "here are rows, inner, columns and m"
        for key, meant in (("", ""), ("n", ""), ("M", "m"), ("Rows", "rows"), (" rows", "rows"),
                           ("coloumns", "columns")):
            hint = "; did you mean '%s'? T%s" % (meant, keys) if meant else "; t" + keys
            self.refuse("--size '%s=3': matrix-product has no size '%s'%s" % (key, key, hint),
                        "matrix-product", "--size", key + "=3")
        self.refuse("--size 'm=3': sum has no size 'm'; there is n", "sum", "--size", "m=3")

    def test_of_keys_of_other_variants(self):
        others = 0
        for algorithm in ALGORITHMS:
            variants = [name for name, _ in variants_of(algorithm)]
            for key, of, _, _ in sizes_of(algorithm):
                owners = [name for name in variants if name.startswith(of)]
                for variant in set(variants) - set(owners):
                    others += 1
                    self.refuse("--size '%s=1': %s does not take the size %s, which is for %s"
                                % (key, variant, key, joined(owners)),
                                algorithm, "--variant", variant, "--size", key + "=1")
        self.assertGreater(others, 0)

    def test_given_twice(self):
        for sizes in (("--size", "n=3,n=4"), ("--size", "n=3", "--size", "n=4")):
            self.refuse("--size 'n=4': n is given twice", "sum", *sizes)


class Memory(RunFolder):
    LIMIT = r"of memory, more than the \S+ \S+ of this machine; "

    def test_products_past_64_bits(self):
        for algorithm in ("image-convolution", "matrix-product", "summed-area-table"):
            self.refuse_matching("--size: 2\\^64 or more elements need 16.0 EiB " + self.LIMIT +
                                 "choose smaller sizes", algorithm, "--size",
                                 "rows=4294967296,columns=4294967296")

    def test_more_elements_than_memory_holds(self):
        self.refuse_matching("--size: 4503599627370496 elements need 384.0 PiB " + self.LIMIT +
                             "choose smaller sizes", "summed-area-table", "--size",
                             "rows=67108864,columns=33554432")

    def test_a_permutation_is_not_even_made(self):
        for arguments in (("--size", "n=4294967296"), ("--permutation", "random:4294967296")):
            self.refuse_matching("--size: 8589934592 elements need 768.0 GiB " + self.LIMIT +
                                 "choose smaller sizes", "permutation", *arguments)

    def test_tiles_larger_than_memory(self):
        for arguments in (("matrix-product", "--size", "m=1048576", "--machine", "hmm"),
                          ("tiled-convolution", "--variant", "2d-tiled", "--size", "t=1048576")):
            self.refuse_matching(r"--size: \d+ words of shared memory need \S+ PiB " + self.LIMIT +
                                 "choose smaller tiles, or fewer DMMs", *arguments)

    def test_more_warps_than_memory_holds(self):
        self.refuse_matching("--machine: 1073741824 warps need 16.0 TiB " + self.LIMIT +
                             "choose a smaller p or d",
                             "sum", "--machine", "hmm:d=1024,p=1048576,w=1")

    def test_memory_that_cannot_be_had(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))
        arguments = ("convolution", "--variant", "products", "--size", "n=10000,m=10000")
        started = subprocess.run([BANKPROOF, "--version"], preexec_fn=limit, capture_output=True,
                                 check=False)
        if started.returncode != CLEAN:
            self.skipTest("with its sanitizers the program does not start in 256 MiB")
        self.refuse_matching("--size, --machine: the run needs more memory than is available; choose "
                             "smaller values", *arguments, preexec_fn=limit)


class Capacity(RunFolder):
    def test_tiles_that_do_not_fit_a_shared_memory(self):
        has = "words, and a shared memory has 10: choose a smaller "
        for line, *arguments in (
                ("sum one-dmm: the sums of p=16 threads take 16 " + has + "p", "sum"),
                ("convolution shares: x, and shares of 64 numbers of y and z, take 160 " + has +
                 "m or n, or more DMMs", "convolution"),
                ("image-convolution CONV-HMM: tiles of w=4 with a kernel of radius 1 take 64 " + has
                 + "w or v", "image-convolution"),
                ("tiled-convolution 1d-tiled: a block takes 20 words, and a shared memory has 10: "
                 "choose a smaller t", "tiled-convolution", "--variant", "1d-tiled"),
                ("matrix-product MUL-HMM: three tiles of m=32 take 3072 " + has + "m",
                 "matrix-product"),
                ("summed-area-table 4R4W: a tile of w=4 takes 16 " + has + "w",
                 "summed-area-table", "--variant", "4R4W")):
            self.refuse(line, *arguments, "--machine", "hmm:w=4,d=16,p=16,capacity=10")
        self.refuse("tiled-convolution 1d-basic: a block of t=16 threads does not fit p=8: choose a "
                    "smaller t", "tiled-convolution", "--machine", "hmm:w=4,p=8")

    def test_what_fits_just_runs(self):
        for words, code in ((16, CLEAN), (15, USAGE)):
            result = run("run", "sum", "--machine", "hmm:w=4,p=16,capacity=%d" % words)
            self.assertEqual(result.returncode, code)

    def test_arrays_that_do_not_fit_the_memory(self):
        result = self.file("result.npy", "old")
        found = run("run", "sum", "--machine", "dmm:w=4,capacity=100", "--output", result)
        self.assertEqual((found.returncode, found.stdout), (USAGE, b""))
        self.assertIn(b"wanted 4096 words, which take 4096, got 100 free; choose smaller sizes or a "
                      b"larger capacity\n", found.stderr)
        self.assertEqual(self.read(result), b"old")

    def test_options_before_the_algorithm(self):
        self.refuse("option --mode has to come after 'sum'", "--mode", "lockstep", "sum")

    def test_what_is_given_twice(self):
        self.refuse("--r stands for the size t: give one of them", "summed-area-table", "--variant",
                    "hybrid", "--r", "0.5", "--size", "t=2")


class Machines(RunFolder):
    def test_that_cannot_be(self):
        known = "; dmm has w, l, p and capacity"
        for machine, why in (
                ("dmm:q=3", "unknown key 'q'" + known), ("dmm:W=3", "unknown key 'W'" + known),
                ("dmm:=3", "unknown key ''" + known), ("dmm: w=3", "unknown key ' w'" + known),
                ("dmm:L=3", "dmm has no L, only w, l, p and capacity"),
                ("pram:w=4", "pram has no w, only p"),
                ("dmm:w=4,w=4", "w is given twice"), ("dmm:w=0", "the width is at least 1"),
                ("hmm:d=0", "d is at least 1"), ("hmm:p=0", "p is at least 1"),
                ("umm:l=0", "l is at least 1"), ("hmm:L=0", "L is at least 1"),
                ("dmm:capacity=0", "capacity is at least 1"),
                ("dmm:w=-1", "w has to be a decimal number without sign, not '-1'"),
                ("dmm:w=", "w has to be a decimal number without sign, not ''"),
                ("dmm:w=1e3", "w has to be a decimal number without sign, not '1e3'"),
                ("dmm:w", "expected w=NUMBER"),
                ("hmm:p=18446744073709551616", "p does not fit 64 bits: '18446744073709551616'"),
                ("dmm:", "expected key=value after the colon"),
                ("dmm:w=4,", "expected key=value before and after each comma"),
                ("dmm:w=4,,l=2", "expected key=value before and after each comma")):
            self.refuse("bad machine '%s': %s" % (machine, why), "sum", "--machine", machine)

    def test_past_their_limits(self):
        for machine, why in (("dmm:w=65", "w=65 is too large: machines run up to w=64"),
                             ("hmm:p=1048577", "p=1048577 is more than 1048576"),
                             ("pram:p=18446744073709551615",
                              "p=18446744073709551615 is more than 1048576"),
                             ("dmm:l=1048577", "l=1048577 is more than 1048576"),
                             ("hmm:L=1048577", "L=1048577 is more than 1048576"),
                             ("hmm:d=1025", "d=1025 is more than 1024")):
            self.refuse("--machine: " + why, "sum", "--machine", machine)

    def test_that_there_are_not(self):
        names = re.search("there are (.*)", run("run", "sum", "--machine", ":w=3").stderr.decode())[1]
        self.assertLessEqual({*SMALL, "kepler-64bit", "kepler-32bit", "sm_90"}, {*re.split(", | and ", names)})
        self.refuse("unknown machine ''; there are " + names, "sum", "--machine", ":w=3")
        for machine in ("dmm", "hmm", "async-hmm"):
            capital = machine.upper()
            self.refuse("unknown machine '%s'; did you mean '%s'? There are %s"
                        % (capital, machine, names), "sum", "--machine", capital + ":w=4")
        self.refuse("--machine '': the value is empty", "sum", "--machine", "")
        self.refuse("machine 'sm_90' does not work with run, which takes pram, dmm, umm, hmm and "
                    "async-hmm", "sum", "--machine", "sm_90")

    def test_that_a_variant_does_not_run_on(self):
        for algorithm in ALGORITHMS:
            for variant, machines in variants_of(algorithm):
                for machine in SMALL.keys() - set(machines):
                    self.refuse("%s %s does not run on %s, but on %s"
                                % (algorithm, variant, machine, ", ".join(machines)), algorithm,
                                "--variant", variant, "--machine", machine)


class Inputs(RunFolder):
    def test_that_are_no_files(self):
        missing = os.path.join(self.folder, "missing.npy")
        self.refuse(missing + ": cannot be opened: No such file or directory",
                    "sum", "--input", missing, code=INPUT)
        self.refuse(self.folder + ": is a directory, not a file", "sum", "--input", self.folder,
                    code=INPUT)
        if os.geteuid() != 0:
            secret = self.file("secret.npy", npy([1], (1,)))
            os.chmod(secret, 0)
            self.refuse(secret + ": cannot be opened: Permission denied", "sum", "--size", "n=1",
                        "--input", secret, code=INPUT)

    def test_in_a_folder_with_a_colon(self):
        os.mkdir(os.path.join(self.folder, "run:3"))
        path = self.file("run:3/a.npy", npy([4, 5], (2,)))
        self.assertEqual(run("run", "sum", "--size", "n=2", "--input", path).returncode, CLEAN)

    def test_of_seeds(self):
        for seed in ("random:", "random:x", "random:-1", "random:18446744073709551616"):
            self.refuse("--input '%s': expected a number after random:" % seed,
                        "sum", "--input", seed)

    def test_too_few_and_too_many(self):
        a = self.file("a.npy", npy([1, 2], (2,)))
        for algorithm, files, names in (("convolution", [a], "x, y"), ("sum", [a, a], "a"),
                                        ("sum", ["random:1", "random:2"], "a")):
            arguments = [word for name in files for word in ("--input", name)]
            self.refuse("--input: give random:SEED, or a file or values:… for each of " + names,
                        algorithm, "--size", "n=2", *arguments)

    def test_of_other_shapes(self):
        for values, shape, found in (([1, 2], (2,), "2"), ([1] * 6, (3, 2), "3 x 2"),
                                     ([1] * 6, (1, 6), "1 x 6"), ([1] * 6, (1, 2, 3), "1 x 2 x 3")):
            a = self.file("a.npy", npy(values, shape))
            self.refuse(a + ": has %s elements, and a has 2 x 3; --size says how many" % found,
                        "summed-area-table", "--size", "rows=2,columns=3", "--input", a, code=INPUT)

    def test_of_one_element(self):
        a = self.file("a.npy", npy([7], (1,)))
        self.refuse(a + ": has 1 element, and a has 2; --size says how many", "sum", "--size", "n=2",
                    "--input", a, code=INPUT)
        self.refuse("--input 'values:1,2/3': row 1 has 1 number, and those before have 2", "sum",
                    "--input", "values:1,2/3")

    def test_of_unlike_channels(self):
        a = self.file("a.npy", npy([1] * 6, (1, 2, 3)))
        b = self.file("b.npy", npy([1] * 2, (1, 1, 2)))
        self.refuse(b + ": has 2 channels, but an earlier array has 3; all arrays need the same number",
                    "image-convolution", "--input", a, "--input", b, code=INPUT)

    def test_of_too_many_dimensions(self):
        a = self.file("a.npy", npy([1], (1, 1, 1, 1)))
        self.refuse(a + ": has shape '(1, 1, 1, 1)'; expected one to three dimensions in C order",
                    "sum", "--input", a, code=INPUT)

    def test_that_are_malformed(self):
        good = npy([1, 2, 3], (3,))
        for name, content in (("empty", b""), ("text", b"1 2 3\n"), ("cut", good[:-1]),
                              ("header", good[:40]), ("longer", good + b"\0"),
                              ("floats", good.replace(b"<i8", b"<f8")),
                              ("strings", good.replace(b"<i8", b"|S8"))):
            with self.subTest(name):
                path = self.file(name + ".npy", content)
                result = run("run", "sum", "--size", "n=3", "--input", path)
                self.assertRegex(result.stderr.decode(), "^bankproof: " + re.escape(path) + ".+\n$")
                self.assertEqual((result.returncode, result.stdout), (INPUT, b""))


class Outputs(RunFolder):
    def test_over_the_permutation(self):
        permutation = self.file("p.txt", "1 0 3 2")
        for option in ("-o", "--trace"):
            self.refuse("the output is the input: " + permutation, "permutation", "--permutation",
                        permutation, option, permutation)
            self.assertEqual(self.read(permutation), b"1 0 3 2")

    def test_in_no_folder_leave_the_others_alone(self):
        result = self.file("result.npy", "old")
        for option, name in (("--trace", "t.json"), ("--chart", "c.svg"), ("-o", "report")):
            missing = os.path.join(self.folder, "none", name)
            self.refuse(missing + ": cannot be written: No such file or directory", "sum",
                        "--output", result, option, missing, code=INPUT)
        self.assertEqual(self.read(result), b"old")

    def test_of_kinds_that_are_not_written(self):
        self.refuse("--output 'o': results are written as .npy, .pgm or .ppm", "sum", "--output", "o")
        self.refuse("--chart 'c.png': charts are written as .svg", "sum", "--chart", "c.png")

    def test_over_an_input(self):
        a = self.file("a.npy", npy([1, 2], (2,)))
        link = os.path.join(self.folder, "link.npy")
        os.symlink(a, link)
        before = self.read(a)
        for option in ("--output", "--trace", "-o"):
            for path in (a, link):
                self.refuse("the output is the input: " + path,
                            "sum", "--size", "n=2", "--input", a, option, path)
        self.assertEqual(self.read(a), before)

    def test_into_one_file(self):
        path = self.file("x.npy", "old")
        for first, second in (("--output", "--trace"), ("--output", "-o"), ("--trace", "-o")):
            self.refuse("two outputs go to '%s': give each a file of its own" % path,
                        "sum", first, path, second, path)
        self.assertEqual(self.read(path), b"old")
        for option in ("--output", "--trace"):
            self.refuse("two outputs go to standard output: give each a file of its own",
                        "sum", option, "-")
        report = os.path.join(self.folder, "report.txt")
        result = run("run", "sum", "--output", "-", "-o", report)
        self.assertEqual((result.returncode, result.stdout[:6]), (CLEAN, b"\x93NUMPY"))

    def test_that_cannot_be_written(self):
        for option, ending in (("--output", ".npy"), ("--trace", ".json"), ("-o", ".txt")):
            folder = os.path.join(self.folder, "folder" + ending)
            os.mkdir(folder)
            for path, why in ((os.path.join(self.folder, "none", "x" + ending),
                               "No such file or directory"), (folder, "Is a directory")):
                self.refuse(path + ": cannot be written: " + why, "sum", "--size", "n=8", option,
                            path, code=INPUT)
            self.assertEqual(os.listdir(self.folder), ["folder" + ending])
            os.rmdir(folder)

    def test_of_the_report_that_looks_like_the_result(self):
        self.refuse("-o 'x.npy': -o names the file of the report; use --output for the result",
                    "sum", "-o", "x.npy")

    def test_are_as_they_were_when_the_run_is_refused(self):
        files = {option: self.file(option[-1] + ".npy", "old") for option in ("--output", "--trace", "-o")}
        outputs = [word for item in files.items() for word in item]
        for arguments in (("--size", "n=0"), ("--machine", "dmm:w=0"), ("--input", "missing.npy"),
                          ("--variant", "x"), ("--size", "n=4294967296")):
            with self.subTest(arguments):
                self.assertNotEqual(run("run", "sum", *arguments, *outputs).returncode, CLEAN)
                for path in files.values():
                    self.assertEqual(self.read(path), b"old")
        self.assertEqual(len(os.listdir(self.folder)), len(files))


class Options(RunFolder):
    def test_of_hybrid_only(self):
        for r in ("-0.1", "1.1", "nan", "inf", "x", "0.5x"):
            self.refuse("--r '%s': expected a number from 0 to 1" % r,
                        "summed-area-table", "--variant", "hybrid", "--r=" + r)
        for variant in ("2R2W", "1R1W"):
            self.refuse("--r is of the variant hybrid",
                        "summed-area-table", "--variant", variant, "--r", "0.5")
        self.refuse("unknown option --r; 'bankproof run sum --help' lists them",
                    "sum", "--r", "0.5")

    def test_with_other_values(self):
        self.refuse("--mode: fast not in {lockstep,overlapped}", "sum", "--mode", "fast")
        self.refuse("--format: xml not in {text,json}", "sum", "--format", "xml")
        self.refuse("--variant '': the value is empty", "sum", "--variant", "")

    def test_given_twice(self):
        for option, value in (("--machine", "dmm"), ("--mode", "lockstep"), ("--output", "x.npy")):
            self.refuse(option + " is given more than once", "sum", option, value, option, value)

    def test_of_algorithms_that_there_are_not(self):
        self.refuse("unknown algorithm 'Sum'; did you mean 'sum'? There are " + joined(ALGORITHMS), "Sum")
        self.refuse("the algorithm is missing; there are " + joined(ALGORITHMS), "")


if __name__ == "__main__":
    unittest.main()
