"""The list ci/corpora/NAME.txt: what we say about the programs of a corpus, `PROGRAM KEY VALUE` on a line.

    bsearch arguments 65536 1         in place of its own, which do not end within a minute
    grep command ./main -f a.txt x    the whole command that runs it, in place of its Makefile's
    frna environment DATAPATH=tables  a variable of the environment in which it runs
    b+tree prepare python3 …          a shell command that makes missing data, in the program's folder
    lci defect out_of_bounds kernels.h:31 the reason why it is a defect of the program
    bscan make VERIFY=yes             a further argument for make
    sort right ^sorted$               a regular expression for lines that say that the result is right
    sort wrong ^unsorted$             the same for lines that say that it is wrong
    bfs prints cat result.txt         a command that prints the result: from the program's output, which
                                      is its input, or from a file that the program has written
    bfs sister make bfs && ./bfs 4 …  builds and runs its sister, and prints the same result
    deviceQuery kernels none          it has no kernel, so that nothing of it can be checked but its own check
    simpleP2P devices 2               the machine has so many devices
    concat limit 600 its sizes are in its source
                                      processor seconds of a command in place of 60, at most 600, for a
                                      program that nothing reduces, and why nothing does
    ccl before 13.5                   its seconds before launches were repeated and compiled

Several lines may have one program and key. Arguments are reduced no further than two blocks, a partial
warp and 10^5 accesses.
"""

import collections
import os
import re

KEYS = ("arguments", "command", "environment", "prepare", "defect", "make", "right", "wrong", "prints",
        "sister", "kernels", "devices", "limit", "before")
FORMS = {
    "defect": (re.compile(r"(\w+) (\S+):(\d+) (.+)"), "KIND FILE:LINE REASON"),
    "limit": (re.compile(r"([1-9]\d|[1-5]\d{2}|600) (.+)"), "SECONDS REASON, with at most 600 seconds"),
}


class BadList(Exception):
    pass


class Notes:
    """The lines of a list, by program and key."""

    def __init__(self, lines=(), file=""):
        self.values = collections.defaultdict(list)
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            name, key, value = (word.strip() for word in (line.split(None, 2) + ["", ""])[:3])
            if key not in KEYS:
                raise BadList(f"{file}:{number}: expected PROGRAM KEY VALUE, with a key of {', '.join(KEYS)}")
            form, words = FORMS.get(key, (re.compile(".*"), ""))
            if not form.fullmatch(value):
                raise BadList(f"{file}:{number}: {key} is followed by {words}")
            self.values[name, key].append(value)

    def of(self, program, key):
        return self.values[program, key]

    def limit(self, program):
        """The processor seconds of a command of the program, or None."""
        return next((int(value.split()[0]) for value in self.of(program, "limit")), None)

    def is_defect(self, program, fault):
        """Whether a fault of a report is a known defect of the program."""
        for value in self.of(program, "defect"):
            kind, file, line, _ = FORMS["defect"][0].fullmatch(value).groups()
            if (kind, file, int(line)) == (fault["kind"], os.path.basename(fault["file"]), fault["line"]):
                return True
        return False


def read(path):
    if not os.path.exists(path):
        return Notes()
    with open(path, encoding="utf-8") as file:
        return Notes(file, path)
