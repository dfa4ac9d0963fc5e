"""What a program's own output says about its result, and whether its output is that of its sister.

Programs say PASS, "test failed", "0 errors" or "max error = 1e-7" in many forms. A line that says that
something is wrong decides, whatever other lines say. Without any such line, the sister's output decides:
it has to have the same words and, but for rounding, the same numbers, outside of what depends on the clock.
"""

import itertools
import re

RIGHT, WRONG, UNKNOWN = "right", "wrong", ""

NOTHING_WRONG = re.compile(
    r"\b(no|0|zero|without)\s+(\w+\s+)?(error|mismatch|fail|difference|wrong)\w*"
    r"|\b(errors?|mismatch\w*|fail\w*|wrong\w*|differences?)\s*(count)?\s*[:=]\s*"
    r"(0|0?\.0+|no|none|false)(?![\w.])|fails?\s*\?\s*(0|no)\b", re.I)
SAYS_WRONG = re.compile(
    r"\bfail(ed|ure|s|ures)?\b|mis{1,2}match|\bincorrect|\binvalid result|\bwrong\b|\bnot equal\b"
    r"|n[o']t match|\bnot correct|unsuccess|\bdiffer(s|ent)? from\b", re.I)
SAYS_RIGHT = re.compile(
    r"\bpass(ed|es)?\b|success|\b(is |are )?correct\b|\bverified\b|\bidentical\b|\bmatch(es|ed)?\b|\bvalid\b",
    re.I)
# A number of times, or a question, is no verdict.
NO_VERDICT = re.compile(
    r"\bpass(es)?\s*[:=]?\s*\d|\d\s*pass(es)?\b|\bverify|correctness check|fail to open", re.I)
ERROR = re.compile(
    r"(?:error|err|diff(?:erence)?|rms\w*|l2|norm)\b[^:=\d]*[:=]\s*"
    r"(-?\d+(?:\.\d*)?(?:e[-+]?\d+)?)(?![%\w])", re.I)
SMALL = 1e-3

TIMES = re.compile(
    r"time|second|\bsec\b|elapsed|\b(us|ms|ns|s)\b|bandwidth|[BPT]/s|flops?\b|per sec|speed|throughput"
    r"|\bfps\b|rate\b", re.I)
NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?", re.I)
TOLERANCE = 1e-3


def verdict_of_line(line, right, wrong):
    if any(re.search(pattern, line) for pattern in wrong):
        return WRONG
    if any(re.search(pattern, line) for pattern in right) or NOTHING_WRONG.search(line):
        return RIGHT
    if SAYS_WRONG.search(line):
        return WRONG
    if SAYS_RIGHT.search(line) and not NO_VERDICT.search(line):
        return RIGHT
    errors = ERROR.findall(line)
    if errors and not TIMES.search(line) and all(abs(float(error)) <= SMALL for error in errors):
        return RIGHT
    return UNKNOWN


def own_check(output, right=(), wrong=()):
    """(RIGHT, WRONG or UNKNOWN, the line that says so). The patterns come from the corpus's list."""
    found = (UNKNOWN, "")
    for line in output.splitlines():
        verdict = verdict_of_line(line, right, wrong)
        if verdict == WRONG:
            return WRONG, line.strip()
        if verdict == RIGHT and not found[0]:
            found = RIGHT, line.strip()
    return found


def results_of(output):
    """The lines that tell results, each as its words and its numbers."""
    lines = [line for line in output.splitlines() if line.strip() and not TIMES.search(line)]
    return [(NUMBER.sub("#", line).split(), NUMBER.findall(line)) for line in lines]


def near(a, b):
    """Whether two numbers are the same but for rounding, which whole numbers have not."""
    if re.fullmatch(r"[-+]?\d+", a) and re.fullmatch(r"[-+]?\d+", b):
        return int(a) == int(b)
    a, b = float(a), float(b)
    return abs(a - b) <= TOLERANCE * max(1e-6, abs(a), abs(b))


def sister_check(output, sisters):
    """(RIGHT, WRONG or UNKNOWN, why): whether the outputs tell the same results."""
    mine, theirs = results_of(output), results_of(sisters)
    if not any(numbers for _, numbers in theirs):
        return UNKNOWN, "the sister prints no result"
    for (words, numbers), (other_words, other_numbers) in itertools.zip_longest(
            mine, theirs, fillvalue=((), ())):
        if words != other_words:
            return UNKNOWN, "the sister prints other lines"
        if not all(map(near, numbers, other_numbers)):
            return WRONG, f"{' '.join(words)}: {numbers} and the sister's {other_numbers}"
    return RIGHT, "as its sister"
