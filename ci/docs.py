#!/usr/bin/env python3
"""Runs the commands and code blocks of README.md and docs/*.md: `ci/docs.py ROOT --cxx g++ --include
FOLDER`.

What the documents show is what happens:

- bash runs a `sh` block, all its commands in one shell, in a scratch copy of the tree. There,
  ./bankproof and build/ are the real ones, and the home folder is a folder of the scratch copy. A
  command must exit with 0, or with N if its line ends in the comment `# exit N`.
- A command in running text has to be in a block that runs it, or it is run after the blocks.
- ci/commands.txt lists the commands that are not run, and why, and lists no others. With `--toolkit`
  only blocks and commands in text that call nvcc are run; without it, such a block is not run at all.
- A `text` or `json` block directly after a `sh` or `cpp` block is the exact output on stdout and
  stderr together; a line `...` stands for any lines. Other `json` must parse.
- A `cpp` block after "In `path`:" is a file that readers make: it must not be in the tree yet, and
  it has to compile at its place in the scratch copy.
- Any other `cpp` block with a main() is compiled and run. Without a main() it has to be in a file of
  the tree, word for word except for indentation, or to compile alone. A `cmake` block has to
  be in the tree.
- Blocks without a language, or with a language that is not named here, are errors.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tree
from commands import LIST, TOOLKIT, NotRun, in_text, plain
from fences import blocks_of, matches, shell_script

LIMIT_SECONDS = 300


class Runner:
    """Runs blocks in a scratch copy and collects problems."""

    def __init__(self, root, cxx, include, toolkit):
        self.root, self.cxx, self.include, self.toolkit = root, cxx, include, toolkit
        self.problems, self.skipped, self.ran = [], [], 0
        self.not_run, self.commands = NotRun(root), set()
        self.files = tree.paths(root)
        self.scratch = tempfile.mkdtemp(prefix="bankproof-docs-")
        os.mkdir(os.path.join(self.scratch, "home"))
        for path in self.files:
            if path != "bankproof":
                target = os.path.join(self.scratch, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(os.path.join(root, path), target)
        if "bankproof" in self.files:
            program = os.path.join(root, "bankproof")
            os.symlink(program, os.path.join(self.scratch, "bankproof"))
            # Documents show what a program prints once it is built, so a first call here builds each program.
            for command in ([], ["exec"], ["kernel"], ["nvcc"], ["prove"], ["prove", "--kernel="],
                            ["run"], ["tables"]):
                subprocess.run([program, *command, "--help"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            os.symlink(os.path.join(root, "build"), os.path.join(self.scratch, "build"))

    def problem(self, block, what, line=None):
        self.problems.append(f"{block.path}:{line or block.line}: {what}")

    def run(self, command, pass_fds=()):
        """Runs a command in the scratch copy; returns its exit code and its output."""
        environment = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
                       "HOME": os.path.join(self.scratch, "home")}
        run = subprocess.run(command, cwd=self.scratch, env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, pass_fds=pass_fds,
                             timeout=LIMIT_SECONDS)
        return run.returncode, run.stdout.decode("utf-8", "replace")

    def compare(self, block, shown, output):
        if shown and not matches(shown.lines, output.splitlines()):
            self.problem(shown, f"is not what line {block.line + 1} and on print:\n{output}".rstrip())

    def reason(self, command):
        """The reason why a command is not run; None if it is run."""
        if not self.toolkit and TOOLKIT.match(command):
            return "with --toolkit it is"
        return self.not_run.reason(command)

    def text(self, path, content):
        """Runs the commands in running text that no block has run."""
        for number, command in in_text(content):
            if command in self.commands or bool(TOOLKIT.match(command)) != self.toolkit:
                continue
            why = self.reason(command)
            if why:
                self.skipped.append(f"{path}:{number}: not run, {why}: {command}")
                continue
            self.commands.add(command)
            code, output = self.run(["bash", "-c", command])
            self.ran += 1
            if code:
                self.problems.append(f"{path}:{number}: exit {code} of `{command}`, which {LIST} does "
                                     f"not have; it printed:\n{output}".rstrip())

    def shell(self, block, shown):
        script, ran, skipped = shell_script(block, self.reason)
        self.skipped += skipped
        self.commands.update(plain(command) for command in ran)
        if not script:
            if shown:
                self.problem(shown, "shows the output of commands that are not run")
            return
        with tempfile.TemporaryFile("w+") as exits:
            bash = f"exec 3>&{exits.fileno()}\n{script}\n"
            _, output = self.run(["bash", "-c", bash], pass_fds=[exits.fileno()])
            exits.seek(0)
            for line in exits:
                number, actual, expected = line.split()
                self.problem(block, f"exit {actual}, not {expected}; it printed:\n{output}".rstrip(),
                             number)
        self.ran += 1
        self.compare(block, shown, output)

    def compiled(self, block, options):
        """Compiles a block; returns whether that works, and the compiler's output."""
        source = os.path.join(self.scratch, "block.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write(block.text())
        code, output = self.run([self.cxx, "-std=c++20", "-O1", f"-I{self.include}", source, *options])
        return code == 0, output

    def made(self, block):
        """A file that readers make."""
        if block.new_file in self.files:
            return self.problem(block, f"{block.new_file} is in the tree already")
        path = os.path.join(self.scratch, block.new_file)
        with open(path, "w", encoding="utf-8") as file:
            file.write(block.text())
        code, output = self.run([self.cxx, "-std=c++20", "-fsyntax-only", "-x", "c++", path])
        self.ran += 1
        if code:
            self.problem(block, f"does not compile as {block.new_file}:\n{output}".rstrip())

    def cpp(self, block, shown):
        if block.new_file:
            return self.made(block)
        whole = re.search(r"\bmain\s*\(", block.text())
        if not whole and self.quoted(block):
            return
        program = os.path.join(self.scratch, "block")
        works, output = self.compiled(block, ["-o", program] if whole else ["-fsyntax-only"])
        self.ran += 1
        if not works:
            self.problem(block, f"does not compile:\n{output}".rstrip())
        elif whole:
            code, output = self.run([program])
            if code:
                self.problem(block, f"exit {code}, not 0; it printed:\n{output}".rstrip())
            self.compare(block, shown, output)

    def quoted(self, block):
        """Whether a file of the tree contains the block, indentation aside."""
        def flat(text):
            return "\n".join(line.strip() for line in text.split("\n")).strip()

        wanted = flat(block.text())
        for path in self.files:
            content = None if path.endswith(".md") else tree.text(self.root, path)
            if content and wanted in flat(content):
                self.ran += 1
                return True
        return False

    def block(self, block, following, preceding):
        """Checks one block, given its neighbours."""
        shown = following if following and following.language in ("text", "json") else None
        needs_toolkit = block.language == "sh" and any(TOOLKIT.match(line) for line in block.lines)
        if self.toolkit and not needs_toolkit:
            return
        if needs_toolkit and not self.toolkit:
            self.skipped.append(f"{block.path}:{block.line}: not run, with --toolkit it is")
        elif block.language == "sh":
            self.shell(block, shown)
        elif block.language == "cpp":
            self.cpp(block, shown)
        elif block.language == "cmake":
            if not self.quoted(block):
                self.problem(block, "stands in no file of the tree")
        elif block.language == "json":
            if not (preceding and preceding.language in ("sh", "cpp")):
                try:
                    json.loads(block.text())
                except ValueError as error:
                    self.problem(block, f"is not JSON: {error}")
        elif block.language != "text":
            self.problem(block, f"a block of the language `{block.language}`, which nothing checks")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--include", default="build/include")
    parser.add_argument("--toolkit", action="store_true", help="run the commands of nvcc alone")
    arguments = parser.parse_args()
    runner = Runner(os.path.abspath(arguments.root), arguments.cxx, os.path.abspath(arguments.include),
                    arguments.toolkit)
    try:
        documents = {path: tree.text(runner.root, path) for path in runner.files
                     if path == "README.md" or re.fullmatch(r"docs/[^/]+\.md", path)}
        for path, content in documents.items():
            blocks = blocks_of(path, content)
            for block, following, preceding in zip(blocks, blocks[1:] + [None], [None] + blocks):
                runner.block(block, following, preceding)
        for path, content in documents.items():
            runner.text(path, content)
    finally:
        shutil.rmtree(runner.scratch)
    if not runner.toolkit:
        runner.problems += runner.not_run.problems()
    for line in runner.skipped:
        print(line)
    tree.report("docs", runner.problems, runner.ran and f"{runner.ran} blocks and commands")


if __name__ == "__main__":
    main()
