"""The commands in the documents' running text, and the list of commands that are not run.

A command in text is a whole code span: `./bankproof list`, `ci/gpu`, `cmake --install build`. `bankproof
list` means `./bankproof list`. The list is ci/commands.txt of the tree.
"""

import os
import re

import tree

LIST = "ci/commands.txt"
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
FENCE = re.compile(r"^ *```")
COMMAND = re.compile(r"\./\S|build/bin/\S|build-example/\w+$|(ci|bench/kernels)/[\w-]+(\s|$)|"
                     r"(ci/\S+|bankproof|bankproof-gpu|cmake|cpack|ctest|nvcc|ninja|git|apt|apt-get|python3)\s")
TOOLKIT = re.compile(r"nvcc\s")


def in_text(content):
    """The commands in the text of a Markdown file: (line, command) of each."""
    fenced = False
    for number, line in enumerate(content.split("\n"), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            for span in SPAN.findall(line):
                if COMMAND.match(span):
                    yield number, plain(span)


def plain(command):
    """The command as the list has it: without a comment at its end, and as it is run in the tree."""
    command = re.sub(r"\s+#[^'\"]*$", "", command.strip())
    return f"./{command}" if command.startswith("bankproof ") else command


class NotRun:
    """The list: for each pattern of whole commands, the reason why the tests do not run them."""

    def __init__(self, root):
        self.reasons, self.used = [], set()
        if not os.path.exists(os.path.join(root, LIST)):
            return
        for number, line in enumerate(tree.text(root, LIST).split("\n"), 1):
            if line and not line.startswith("#"):
                pattern, _, reason = line.partition("  ")
                self.reasons.append((number, re.compile(pattern, re.DOTALL), reason.strip()))

    def reason(self, command):
        """The reason why the tests do not run the command; None if they run it."""
        for number, pattern, reason in self.reasons:
            if pattern.fullmatch(plain(command)):
                self.used.add(number)
                return reason
        return None

    def problems(self):
        """The problems of the list, after all commands were looked up."""
        for number, pattern, reason in self.reasons:
            if not reason:
                yield f"{LIST}:{number}: no reason, after two blanks"
            if number not in self.used:
                yield f"{LIST}:{number}: no document has a command `{pattern.pattern}` that is not run"
