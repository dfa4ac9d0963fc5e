"""cpack makes both packages of this build. lintian accepts the Debian package, which works where it is
unpacked. The .tar.gz works in any folder, with its own headers."""

import glob
import os
import re
import shutil
import tempfile
import unittest

from package_support import BUILD, PROGRAM, SOURCE, Folder, needs, run

STORE = os.path.join(SOURCE, "ci", "consumer", "store.ptx")
TRANSPOSE = [os.path.join(SOURCE, "examples", "kernels", "transpose.cu"), "--kernel",
             "transpose_padded", "--grid", "4,4", "--block", "32,8", "buffer:f32:128x128=iota",
             "buffer:f32:128x128", "i32:128"]


class PackageTest(Folder):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.made)
        code, cls.output = run("cpack", "-B", cls.made, cwd=BUILD, timeout=600)
        assert code == 0, cls.output
        (cls.deb,) = glob.glob(os.path.join(cls.made, "bankproof_*.deb"))
        (cls.archive,) = glob.glob(os.path.join(cls.made, "bankproof-*.tar.gz"))

    def field(self, name):
        return self.works("dpkg-deb", "-f", self.deb, name).strip()

    def unpacked_deb(self):
        self.works("dpkg-deb", "-x", self.deb, self.path("root"))
        return self.path("root", "usr")

    def expect_works(self, folder):
        """Runs commands of the program in a folder, from another folder."""
        program = os.path.join(folder, "bin", "bankproof")
        at_work = {"cwd": self.folder}
        self.assertIn("conflict", self.works(program, "--help", **at_work))
        self.works(program, "check", "transpose:32x32", code=1, **at_work)
        self.works(program, "check", "identity:64", **at_work)
        plan = self.path("plan of " + os.path.basename(folder))
        self.works(program, "schedule", "bit-reversal:1024", "-o", plan, **at_work)
        self.works(program, "verify", plan, "bit-reversal:1024", **at_work)
        self.works(program, "run", "sum", **at_work)
        self.works(program, "tables", "--help", **at_work)
        self.works(program, "prove", "--list", **at_work)
        output = self.works(program, "kernel", STORE, "--kernel", "each", "--grid", "1", "--block", "32",
                            "buffer:u32:32", **at_work)
        self.assertIn("passes", output)

    def expect_own_headers(self, folder):
        """A kernel is compiled with the folder's headers and no others."""
        program = os.path.join(folder, "bin", "bankproof")
        words = [program, "kernel", *TRANSPOSE, "--compiler", "clang"]
        self.assertIn("passes", self.works(*words))
        header = os.path.join(folder, "share", "bankproof", "cuda", "cuda_runtime.h")
        with open(header, "a", encoding="utf-8") as file:
            file.write("#error the headers of this folder\n")
        self.assertIn("the headers of this folder", self.works(*words, code=3))

    def test_the_names_of_packages_say_the_version(self):
        code, said = run(PROGRAM, "--version")
        self.assertEqual(code, 0)
        version = said.split()[1]
        architecture = self.works("dpkg", "--print-architecture").strip()
        self.assertEqual(os.path.basename(self.deb), f"bankproof_{version}_{architecture}.deb")
        self.assertTrue(os.path.basename(self.archive).startswith(f"bankproof-{version}-"))
        self.assertEqual((self.field("Package"), self.field("Version")), ("bankproof", version))

    def test_dependencies_are_those_of_the_libraries(self):
        depends = self.field("Depends")
        for library in ("libc6", "libstdc++6", "libfmt", "libtbb", "libz3-4"):
            self.assertRegex(depends, rf"(^|, ){re.escape(library)}\S* \(>= ")
        self.assertIn("cvc5", self.field("Recommends"))
        self.assertIn("clang", self.field("Suggests"))

    @needs("lintian")
    def test_lintian_finds_no_error(self):
        self.works("lintian", "--fail-on", "error", self.deb)

    @needs("lintian")
    def test_lintian_finds_a_package_without_its_copyright(self):
        self.works("dpkg-deb", "-R", self.deb, self.path("bad"))
        os.remove(self.path("bad", "usr", "share", "doc", "bankproof", "copyright"))
        for folder in ("bin", "lib", "include"):  # these take long to check
            shutil.rmtree(self.path("bad", "usr", folder))
        self.works("dpkg-deb", "-Znone", "-b", self.path("bad"), self.path("bad.deb"))
        code, output = run("lintian", "--fail-on", "error", self.path("bad.deb"))
        self.assertNotEqual(code, 0)
        self.assertIn("no-copyright-file", output)

    def test_the_deb_has_what_debian_asks_for(self):
        usr = self.unpacked_deb()
        commands = self.works(PROGRAM, "--reference", "commands").split()
        for name in ["bankproof", *(f"bankproof-{command}" for command in commands)]:
            self.assertTrue(os.path.exists(os.path.join(usr, "share/man/man1", name + ".1.gz")), name)
        for name in ("doc/bankproof/copyright", "doc/bankproof/changelog.gz",
                     "bash-completion/completions/bankproof", "zsh/vendor-completions/_bankproof",
                     "fish/vendor_completions.d/bankproof.fish", "bankproof/cuda/cuda_runtime.h"):
            self.assertTrue(os.path.exists(os.path.join(usr, "share", name)), name)
        for name in ("lib/cmake/bankproof/bankproofConfig.cmake", "lib/libbankproof_runtime.a",
                     "lib/cmake/bankproof/bankproof_runtime.cmake",
                     "include/bankproof/model/pipeline.hpp"):
            self.assertTrue(os.path.exists(os.path.join(usr, name)), name)
        for program in glob.glob(os.path.join(usr, "bin", "*")):
            self.assertIn(" stripped", self.works("file", "--dereference", program))

    def test_the_deb_works(self):
        usr = self.unpacked_deb()
        self.expect_works(usr)
        self.expect_own_headers(usr)

    def test_the_archive_works_in_two_folders(self):
        for name in ("one", "another place"):
            os.mkdir(self.path(name))
            self.works("tar", "-xzf", self.archive, "-C", self.path(name), "--strip-components=1")
            self.expect_works(self.path(name))
        shutil.rmtree(self.path("one"))
        self.expect_works(self.path("another place"))
        self.expect_own_headers(self.path("another place"))
        self.assertTrue(os.path.exists(self.path("another place", "share/doc/bankproof/LICENSE")))

    def test_a_folder_without_headers_says_so(self):
        os.mkdir(self.path("bare"))
        self.works("tar", "-xzf", self.archive, "-C", self.path("bare"), "--strip-components=1")
        shutil.rmtree(self.path("bare", "share", "bankproof"))
        missing = {**os.environ, "BANKPROOF_CUDA_HEADERS": self.path("nowhere")}
        output = self.works(self.path("bare", "bin", "bankproof"), "kernel", *TRANSPOSE, "--compiler",
                            "clang", code=3, env=missing)
        self.assertIn("CUDA headers for clang are not in", output)

    def test_a_project_finds_the_package(self):
        usr = self.unpacked_deb()
        with open(self.path("CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.25)\nproject(one LANGUAGES CXX)\n"
                       "find_package(bankproof 0.2 REQUIRED COMPONENTS kernel runtime)\n"
                       "get_target_property(nvcc bankproof::nvcc LOCATION)\n"
                       "get_target_property(program bankproof::program LOCATION)\n"
                       "message(STATUS \"has ${nvcc} and ${program}\")\n")
        output = self.works("cmake", "-G", "Ninja", "-S", self.folder, "-B", self.path("build"),
                            f"-DCMAKE_PREFIX_PATH={usr}")
        nvcc, program = re.search(r"has (\S+) and (\S+)", output).groups()
        for path in (nvcc, program):
            self.assertTrue(path.startswith(usr), path)
            self.assertTrue(os.access(path, os.X_OK), path)


if __name__ == "__main__":
    unittest.main()
