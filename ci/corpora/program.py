"""What ci/corpus knows about one program of a corpus before it builds it."""

import dataclasses

# The mark in a command at which the launcher is to stand.
LAUNCHER = "_LAUNCHER_"


@dataclasses.dataclass
class Program:
    """A program, whose folder is relative to the corpus."""

    name: str
    folder: str
    # Shell commands that build it, in its folder.
    build: list
    # Shell commands that run it, with the mark LAUNCHER; None: ask `make -n run` when it is built.
    runs: list = None
    # The program that computes the same without CUDA, as another Program.
    sister: "Program" = None
    # Kinds of findings that the program is known to have, from its name; None: nothing is known.
    planted: frozenset = None
    # Programs of one family share a row of the table when they are right.
    family: str = ""
    # Whether the corpus's own tests judge it by its exit code alone.
    by_exit_code: bool = False
    # Why it cannot be built at all, such as a missing Makefile.
    reason: str = ""
