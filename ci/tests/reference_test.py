"""Man pages and completions have every command and every option of --help; a planted gap in each is
found."""

import gzip
import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from package_support import BUILD, PROGRAM, SOURCE, Folder, command_line, needs, run

WRITE = os.path.join(SOURCE, "cli", "reference", "write.cmake")
BASH = "share/bash-completion/completions/bankproof"
ZSH = "share/zsh/vendor-completions/_bankproof"
FISH = "share/fish/vendor_completions.d/bankproof.fish"


def text_of(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        return file.read()


def plain(page):
    """A man page without fonts and escapes."""
    return re.sub(r"\\f.", "", page).replace("\\-", "-")


def man_problems(folder, commands):
    problems = []
    for name, (inner, options) in commands.items():
        page_name = "-".join(["bankproof", *name.split()[:1]])
        path = os.path.join(folder, "man", "man1", page_name + ".1.gz")
        if not os.path.exists(path):
            problems.append(f"{page_name}.1.gz is missing")
            continue
        page = plain(text_of(path))
        tags = [word.strip(",") for line in re.findall(r"^\.TP\n(-.*)", page, re.MULTILINE)
                for word in line.split()]
        problems += [f"{page_name}: {option} of '{name}'" for option in options
                     if option not in tags]
        for command in inner:
            heading = f"bankproof-{command}(1)" if not name else f'.SS "{command}"'
            if heading not in page:
                problems.append(f"{page_name}: the command {command}")
    return problems


def bash_words(file, *words):
    """The completions that bash offers for the last word."""
    script = f"""source {file}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_bankproof && printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    code, output = run("bash", "-c", script, "bash", "bankproof", *words)
    return output.split() if code == 0 else [output]


def fish_words(file, *words):
    """The completions that fish offers for the last word."""
    script = f"source {file}; complete -C '{' '.join(['bankproof', *words])}'"
    code, output = run("fish", "--no-config", "-c", script)
    return [line.split("\t")[0] for line in output.splitlines()] if code == 0 else [output]


def offered_problems(offers, commands):
    """The words that a shell fails to offer, and those that it offers although they do not exist."""
    problems = []
    for name, (inner, options) in commands.items():
        listed = offers(*name.split(), "--")
        wanted = {option for option in options if option.startswith("--")}
        problems += [f"'{name}': {word}" for word in wanted.symmetric_difference(listed)]
        if inner:
            problems += [f"'{name}': {word}" for word in set(inner) - set(offers(*name.split(), ""))]
    return problems


def zsh_problems(folder, commands):
    """Reads the text of the completions function by function, because zsh offers nothing without a
    terminal."""
    text, problems = text_of(os.path.join(folder, ZSH)), []
    for name, (inner, options) in commands.items():
        function = "_" + "_".join(["bankproof", *name.split()])
        body = re.search(rf"^{re.escape(function)}\(\) {{\n(.*?)^}}", text,
                         re.MULTILINE | re.DOTALL)
        body = body[1] if body else ""
        problems += [f"'{name}': {option}" for option in options
                     if not re.search(rf"'\*{option}[=+]?\[", body)]
        problems += [f"'{name}': {word}" for word in inner if f"    '{word}:" not in body]
    return problems


class ReferenceTest(Folder):
    @classmethod
    def setUpClass(cls):
        cls.commands = command_line()
        assert len(cls.commands) > 10, cls.commands

    def setUp(self):
        super().setUp()
        libexec = os.path.join(os.path.dirname(PROGRAM), "..", "libexec", "bankproof")
        self.works("cmake", f"-DPROGRAM={PROGRAM}", f"-DLIBEXEC={libexec}",
                   f"-DGZIP={shutil.which('gzip')}", f"-DFOLDER={self.folder}", "-P", WRITE)

    def cut(self, path, pattern):
        """Removes all matches of the pattern from a file; there has to be a match."""
        text = text_of(self.path(path))
        rest = re.sub(pattern, "", text)
        self.assertNotEqual(rest, text)
        opened = gzip.open if path.endswith(".gz") else open
        with opened(self.path(path), "wt", encoding="utf-8") as file:
            file.write(rest)

    def test_man_pages(self):
        self.assertEqual(man_problems(self.folder, self.commands), [])

    def shown(self, page):
        """A page as man shows it; man's warnings are among the lines."""
        return self.works("man", "--warnings", "-E", "UTF-8", "-l", self.path("man", "man1", page),
                          env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8",
                               "MANPAGER": "cat"})

    @needs("man")
    def test_man_pages_are_well_formed(self):
        for page in sorted(os.listdir(self.path("man", "man1"))):
            output = self.shown(page)
            self.assertNotIn("warning:", output)
            self.assertIn("EXIT STATUS", output)

    @needs("man")
    def test_an_unknown_macro_in_a_man_page_is_found(self):
        self.cut("man/man1/bankproof.1.gz", r"(?<=\n\.)S(?=H .OPTIONS)")
        self.assertIn("warning:", self.shown("bankproof.1.gz"))

    def test_a_gap_in_a_man_page_is_found(self):
        self.cut("man/man1/bankproof-check.1.gz", r"\.TP\n\\fB\\-\\-max\\-stages.*\n.*\n")
        self.cut("man/man1/bankproof.1.gz", r"\.TP\n.*bankproof\\-verify.*\n.*\n")
        os.remove(self.path("man/man1/bankproof-list.1.gz"))
        self.assertEqual(sorted(man_problems(self.folder, self.commands)),
                         ["bankproof-check: --max-stages of 'check'",
                          "bankproof-list.1.gz is missing", "bankproof: the command verify"])

    def bash(self, *words):
        return bash_words(self.path(BASH), *words)

    def test_bash(self):
        self.assertEqual(offered_problems(self.bash, self.commands), [])
        self.assertEqual(self.works("bash", "-c", f"source {self.path(BASH)}; complete -p bankproof"),
                         "complete -F _bankproof bankproof\n")

    def test_bash_completes_commands_options_and_values(self):
        for words, offered in ((["ch"], ["check"]), (["check", "--max"], ["--max-stages"]),
                               (["--version", "sch"], ["schedule"]),
                               (["check", "--format", "j"], ["json", "junit"]),
                               (["check", "--format", "=", "s"], ["sarif"]),
                               (["check", "--format", "="], ["text", "json", "sarif", "junit"]),
                               (["check", "", "--mem"], ["--memory"]), (["check", "--width", "1"], []),
                               (["run", "summed"], ["summed-area-table"]),
                               (["run", "sum", "--mode", "l"], ["lockstep"])):
            self.assertEqual(self.bash(*words), offered, words)

    def test_a_gap_in_bash_is_found(self):
        self.cut(BASH, r"(?<=_bankproof_words\['kernel'\]=)'-h --help --kernel")
        self.assertNotEqual(offered_problems(self.bash, self.commands), [])

    @needs("fish")
    def test_fish(self):
        self.works("fish", "--no-execute", self.path(FISH))
        # fish also offers --help= for options with values that are not listed, but not here.
        self.assertEqual(offered_problems(lambda *words: fish_words(self.path(FISH), *words),
                                          self.commands), [])

    @needs("fish")
    def test_a_gap_in_fish_is_found(self):
        self.cut(FISH, r"complete -c bankproof -n '__fish_seen_subcommand_from check' -l junit.*\n")
        self.assertEqual(offered_problems(lambda *words: fish_words(self.path(FISH), *words),
                                          {"check": self.commands["check"]}), ["'check': --junit"])

    @needs("zsh")
    def test_zsh(self):
        self.assertEqual(zsh_problems(self.folder, self.commands), [])
        self.works("zsh", "--no-exec", self.path(ZSH))
        # The file loads, and zsh finds the function by the name in the file's first line.
        loaded = self.works("zsh", "-f", "-c", f"fpath=({os.path.dirname(self.path(ZSH))} $fpath); "
                            "autoload -Uz compinit; compinit -u -D; print $_comps[bankproof]")
        self.assertEqual(loaded, "_bankproof\n")

    def zsh(self, *lines):
        """What zsh prints at a terminal while lines are typed; each line is deleted before the next one."""
        terminal, other = pty.openpty()
        shell = subprocess.Popen(["zsh", "-f", "-i"], stdin=other, stdout=other, stderr=other,
                                 cwd=self.folder, start_new_session=True,
                                 env={**os.environ, "TERM": "dumb"})
        self.addCleanup(shell.wait)
        self.addCleanup(shell.kill)
        os.close(other)
        self.addCleanup(os.close, terminal)

        def type_in(text, awaited):
            os.write(terminal, text.encode())
            shown, until = b"", time.monotonic() + 120
            while awaited not in shown and time.monotonic() < until:
                if select.select([terminal], [], [], 1)[0]:
                    shown += os.read(terminal, 65536)
            self.assertIn(awaited, shown)
            return shown.decode("utf-8", "replace")

        # The terminal also shows what is typed: the quotes distinguish it from output.
        type_in(f"fpath=({os.path.dirname(self.path(ZSH))} $fpath); autoload -Uz compinit; "
                "compinit -u -D; PS1='rea''dy> '\n", b"ready> ")
        return type_in("".join(line + "\x15" for line in lines) + "print E''ND\n", b"END")

    @needs("zsh")
    def test_zsh_completes(self):
        shown = self.zsh("bankproof sch\t", "bankproof check --max\t", "bankproof run summ\t--var\t",
                         *(f"bankproof {name} --none-such\t" for name in self.commands))
        for words in ("bankproof schedule ", "bankproof check --max-stages=", "--variant="):
            self.assertIn(words, shown)
        # zsh would complain about wrong arguments of its function _arguments, for any command.
        self.assertNotIn("_arguments:", shown)

    @needs("zsh")
    def test_a_wrong_specification_in_zsh_is_found(self):
        self.cut(ZSH, r"(?<=')1(?=:FILE:_files)")
        text = text_of(self.path(ZSH)).replace("':FILE:_files", "'*:FILE:_files")
        with open(self.path(ZSH), "w", encoding="utf-8") as file:
            file.write(text)
        self.assertIn("_arguments:", self.zsh("bankproof kernel --none-such\t"))

    def test_a_gap_in_zsh_is_found(self):
        self.cut(ZSH, r"    '\*--max-stages=.*\\\n(?=(.*\n)*?_bankproof_schedule\(\))")
        self.assertEqual(zsh_problems(self.folder, self.commands), ["'check': --max-stages"])

    def test_an_unknown_kind_or_command_is_refused(self):
        for words in (["pdf"], [], ["man", "chek"], ["man", "check", "more"]):
            output = self.works(PROGRAM, "--reference", *words, code=2)
            self.assertTrue(output.startswith("bankproof: --reference: "), output)


if __name__ == "__main__":
    unittest.main()
