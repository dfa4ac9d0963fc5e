"""Markdown's fenced blocks, and the script that runs a shell block."""

import re
import subprocess

FENCE = re.compile(r"^( *)```(.*)$")
NEW_FILE = re.compile(r"\bIn `([^`]+)`:$")
EXIT_CODE = re.compile(r"\s#\s*exit\s+(\d+)\s*$", re.MULTILINE)


class Block:
    """A fenced block: its place, its language and its lines; and the file that readers make from it if
    the text before it ends with "In `path`:"."""

    def __init__(self, path, line, language, before=""):
        self.path, self.line, self.language, self.lines = path, line, language, []
        new_file = NEW_FILE.search(before)
        self.new_file = new_file[1] if new_file else None

    def text(self):
        return "\n".join(self.lines) + "\n"


def blocks_of(path, content):
    """The fenced blocks of a Markdown file."""
    blocks, indent, before = [], None, ""
    for number, line in enumerate(content.split("\n"), 1):
        fence = FENCE.match(line)
        if fence and indent is None:
            indent = len(fence[1])
            blocks.append(Block(path, number, fence[2].strip(), before))
        elif fence and not fence[2]:
            indent = None
        elif indent is not None:
            blocks[-1].lines.append(line[indent:])
        elif line.strip():
            before = line.strip()
    if indent is not None:
        blocks[-1].language += " (without an end)"
    return blocks


def commands_of(lines):
    """Splits a shell block into its commands: (index of the first line, text) of each."""
    start, pending = 0, []
    for index, line in enumerate(lines):
        start = start if pending else index
        pending.append(line)
        text = "\n".join(pending)
        check = subprocess.run(["bash", "-n", "-c", text], capture_output=True, text=True)
        if line.endswith("\\") or check.returncode or "here-document" in check.stderr:
            continue
        if text.strip() and not re.fullmatch(r"\s*#.*", text):
            yield start, text
        pending = []
    if pending:
        yield start, "\n".join(pending)


def shell_script(block, reason):
    """Returns the bash text that runs a block and reports unexpected exit codes on fd 3, the commands
    that this text runs, and a report with the reason for each command that it does not run."""
    script, ran, skipped = [], [], []
    for index, command in commands_of(block.lines):
        why = reason(command)
        if why:
            skipped.append(f"{block.path}:{block.line + 1 + index}: not run, {why}: {command}")
            continue
        code = EXIT_CODE.search(command)
        expected = int(code[1]) if code else 0
        script += [command, f"_exit=$?; if [[ $_exit != {expected} ]]; then "
                            f'echo "{block.line + 1 + index} $_exit {expected}" >&3; fi']
        ran.append(command)
    return "\n".join(script), ran, skipped


def matches(expected, actual):
    """Whether the lines agree; an expected line `...` stands for any number of lines."""
    pattern = ""
    for line in expected:
        pattern += r"(?:[^\n]*\n)*" if line == "..." else re.escape(line.rstrip()) + r" *\n"
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in actual)) is not None
