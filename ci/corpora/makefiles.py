"""What programs with a Makefile have in common: `make` builds them, and `make run` names their commands."""

import os
import re
import shlex
import subprocess

from corpora.program import LAUNCHER

# Some Makefiles launch what prepares the run in place of the program.
PREPARES = re.compile(LAUNCHER + r"\s+(?=(rm|mkdir|ulimit)\b)")
STARTS = re.compile(r"(^|&& |; )(?=(\.{1,2}/|bin/)\S)")


def with_launcher(command):
    """The command, with the mark before the program that it starts."""
    command = PREPARES.sub("", command)
    if LAUNCHER in command:
        return command
    return STARTS.sub(lambda match: f"{match[1]}{LAUNCHER} ", command, count=1)


def commands_of_run(folder, environment, options):
    """The commands of `make run` that start a program, in a folder where the program is built."""
    made = subprocess.run(["bash", "-c", f"make -n run LAUNCHER={LAUNCHER} {options}"], cwd=folder,
                          env=environment, capture_output=True, text=True, errors="replace", check=False)
    joined = made.stdout.replace("\\\n", " ")
    commands = [with_launcher(re.sub(r"\s+", " ", line.strip()))
                for line in joined.splitlines() if not line.startswith(("#", "make"))]
    return [command for command in commands if LAUNCHER in command and is_there(command, folder)]


def is_there(command, folder):
    """Whether ./PROGRAM of a command exists: make in another folder prints commands of its own."""
    before, _, rest = command.partition(LAUNCHER)
    entered = re.match(r"cd (\S+) && ", before)
    program = rest.split()[0] if rest.split() else ""
    place = os.path.join(folder, entered[1] if entered else "", program)
    return not program.startswith("./") or os.path.exists(place)


def with_arguments(commands, arguments):
    """The first command's program with other arguments, as often as there are arguments."""
    before, _, rest = commands[0].partition(LAUNCHER)
    program = shlex.split(rest)[0]
    return [f"{before}{LAUNCHER} {program} {words}".rstrip() for words in arguments]
