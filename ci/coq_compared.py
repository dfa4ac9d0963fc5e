#!/usr/bin/env python3
"""Compares the definitions of proofs/coq with the C++ code on random inputs:
`ci/coq_compared.py --coq PROGRAM --cpp PROGRAM --program bankproof [--seed N] [--rounds N]`.

Coq's program is made from its extracted definitions (proofs/coq/driver.ml), the C++ program is
ci/coq_compared.cpp. Both answer the same questions: stages of accesses with idle lanes and repeated
addresses, layouts, right and wrong plans and schedules, S of a coloring, lockstep times. Also, the
reports, files and refusals of the commands `check`, `schedule` and `verify` of `bankproof` have to be
what Coq's definitions say.

Exit 0: all answers are equal; 1: some differ, and the first are shown; 3: a program fails.
"""

import argparse
import ast
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

MOST_SHOWN = 5
TYPES = {"<i1": "b", "|i1": "b", "<i2": "h", "<i4": "i", "<i8": "q"}


class Failure(Exception):
    """A program that does not answer."""


def ask(program, questions):
    """The answers of a program, a line each."""
    text = "".join(question + "\n" for question in questions)
    run = subprocess.run([program], input=text, capture_output=True, text=True, timeout=600)
    answers = run.stdout.splitlines()
    if run.returncode or len(answers) != len(questions):
        raise Failure(f"{program} answers {len(answers)} of {len(questions)} lines: {run.stderr.strip()}")
    return answers


def line(question, *values):
    words = [question]
    for value in values:
        words += map(str, value) if isinstance(value, (list, tuple)) else [str(value)]
    return " ".join(words)


def lanes_for(n, width):
    return -(-n // width) * width


def accesses(draw, count):
    """Accesses with idle lanes and repeated addresses: some in few banks, some in few groups."""
    for _ in range(count):
        width = draw.randint(1, 40)
        most = draw.choice([width, 2 * width, 5 * width, 1000])
        step = draw.choice([1, 1, 2, width])
        idle = draw.choice([0, 0, 0.2, 0.9])
        lanes = draw.randint(0, width)
        yield line("stages", width, [-1 if draw.random() < idle else draw.randrange(most) * step
                                     for _ in range(lanes)])


def layouts(draw, count):
    for _ in range(count):
        width = draw.choice([2**draw.randrange(7), draw.randint(1, 70)])
        yield line("layout", width, draw.randrange(width), draw.randrange(width))


# The verifier has a fast path for widths up to 64, with 64 elements of a set in each word.
SIZES, WIDTHS = [60, 300], [range(1, 17), range(1, 131), range(63, 66)]


def permutations(draw, count, sizes, widths):
    """Widths and permutations: some with whole rows of banks, some with few elements."""
    for _ in range(count):
        most, width = draw.choice(sizes), draw.choice(draw.choice(widths))
        n = draw.choice([draw.randint(1, most), width * draw.randint(1, max(1, most // width))])
        permutation = list(range(n))
        draw.shuffle(permutation)
        yield width, permutation


def spoiled(draw, lists, n):
    """The lists with one or two lanes changed, exchanged, made idle or negative. The result may still
    be right."""
    lists = [list(one) for one in lists]
    for _ in range(draw.randint(1, 2)):
        one = draw.choice(lists)
        at, other = draw.randrange(len(one)), draw.randrange(len(one))
        how = draw.randrange(6)
        if how == 0:
            one[at] = draw.choice([-2, -1, draw.randrange(n), draw.randrange(n + 3)])
        elif how == 1:
            one[at], one[other] = one[other], one[at]
        elif how == 2:
            one[at] = one[other]
        else:  # the same lanes of S and of D
            k = 2 * draw.randrange(len(lists) // 2)
            s, d = lists[k], lists[k + 1]
            if how == 5:
                s[at % len(s)] = d[at % len(s)] = -1
                continue
            other = at + draw.randint(-2, 2) if how == 3 else other
            at, other = at % len(s), other % len(s)
            s[at], s[other], d[at], d[other] = s[other], s[at], d[other], d[at]
    return lists


def plan_questions(draw, width, permutation, made):
    """The questions about a plan: its verdict, the verdicts of similar plans, its coloring, its cost."""
    n, lanes = len(permutation), lanes_for(len(permutation), width)
    s, d = made[:lanes], made[lanes:]

    def verdict(s, d):
        return line("plan", width, n, len(s), permutation, s, d)

    yield verdict(s, d)
    idle = [-1] * width
    yield draw.choice([verdict(s[:-width], d[:-width]), verdict(s + idle, d + idle)])
    for _ in range(8):
        yield verdict(*spoiled(draw, [s, d], n))
    warps = draw.randint(1, lanes // width + 1)
    yield line("time", width, draw.randint(1, 20), n, warps, lanes, s, d)


def coloring_of(width, permutation, s):
    """The question to Coq for the coloring of a plan; for idle lanes, elements of their banks
    beyond n."""
    n, lanes = len(permutation), lanes_for(len(permutation), width)
    colors = [0] * lanes
    beyond = {element % width: element for element in range(n, lanes)}
    for lane, element in enumerate(s):
        colors[beyond[lane % width] if element < 0 else element] = lane // width
    return line("coloring", width, n, lanes, colors)


def schedule_questions(draw, width, permutation, made):
    rows, columns, at = made[0], made[1], 2
    lists = []
    for k in range(6):
        words = columns * lanes_for(rows, width) if k // 2 == 1 else rows * lanes_for(columns, width)
        lists.append(made[at:at + words])
        at += words
    for tried in [lists] + [spoiled(draw, lists, max(rows, columns)) for _ in range(4)]:
        yield line("schedule", width, rows, columns, len(permutation), permutation, *tried)


def numbers(answer):
    return [int(word) for word in answer.split()]


def differences(questions, coq, cpp):
    """The differences between the answers."""
    return [f"{question[:300]}\n  Coq: {ours[:300]}\n  C++: {theirs[:300]}"
            for question, ours, theirs in zip(questions, coq, cpp) if ours != theirs]


def compare_code(draw, coq, cpp, rounds):
    """The differences between Coq's program and the C++ code, and how often each verdict occurred."""
    questions = list(accesses(draw, 40 * rounds)) + list(layouts(draw, 10 * rounds))
    drawn = list(permutations(draw, rounds, SIZES, WIDTHS))
    made = [numbers(answer) for answer in
            ask(cpp, [line("make", width, len(p), p) for width, p in drawn])]
    for (width, permutation), plan in zip(drawn, made):
        questions += plan_questions(draw, width, permutation, plan)
    colorings = [coloring_of(width, p, plan[:len(plan) // 2]) for (width, p), plan in zip(drawn, made)]
    sources = [line("", plan[:len(plan) // 2]).strip() for plan in made]

    drawn = list(permutations(draw, rounds // 4 + 1, [40], [range(1, 6)]))
    made = [numbers(answer) for answer in
            ask(cpp, [line("schedule-for", width, len(p), p) for width, p in drawn])]
    for (width, permutation), schedule in zip(drawn, made):
        questions += schedule_questions(draw, width, permutation, schedule)

    answers = ask(coq, questions)
    found = differences(questions, answers, ask(cpp, questions))
    found += differences(colorings, ask(coq, colorings), sources)
    verdicts = {f"{kind} {verdict}": sum(answer == verdict and question.startswith(kind + " ")
                                         for question, answer in zip(questions, answers))
                for kind in ("plan", "schedule") for verdict in ("right", "wrong")}
    return found, len(questions) + len(colorings), verdicts


def read_npy(path):
    """The numbers of a file, and the bytes that precede them."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    code = TYPES[ast.literal_eval(data[10:10 + length].decode())["descr"]]
    body = data[10 + length:]
    return list(struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body)), data[:10 + length], code


def write_npy(path, values, head, code):
    with open(path, "wb") as file:
        file.write(head + struct.pack(f"<{len(values)}{code}", *values))


def run(program, *arguments):
    """The exit status and the output of a command."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1):
        raise Failure(f"{program} {' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()}")
    return done.returncode, done.stdout


def compare_check(coq, program, path, width, permutation):
    """Compares the stages that `bankproof check` counts for warps that write b[P(i)] and that read
    a[Q(i)]."""
    n = len(permutation)
    inverse = sorted(range(n), key=permutation.__getitem__)
    for which, machine in enumerate(("dmm", "umm")):
        report = json.loads(run(program, "check", path, "--machine", machine, "--width", str(width),
                                "--format", "json")[1])
        for access, addresses in (("destination", permutation), ("source", inverse)):
            warps = [addresses[k:k + width] for k in range(0, n, width)]
            questions = [line("stages", width, warp) for warp in warps]
            stages = [numbers(answer)[which] for answer in ask(coq, questions)]
            histogram = {str(k): stages.count(k) for k in set(stages)}
            told = report[access]
            if (told["stages"], told["max"], told["histogram"]) != (sum(stages), max(stages), histogram):
                yield f"check {machine}:w={width} {access} of {permutation}: {told}\n  Coq: {stages}"


def compare_plan(draw, coq, program, folder, path, width, permutation):
    """Checks that Coq's verifier accepts the plan of `bankproof schedule`, and agrees with `verify` about
    spoiled copies of this plan."""
    plan = os.path.join(folder, "plan")
    run(program, "schedule", path, "--width", str(width), "--emit", "npy", "-o", plan)
    files = [os.path.join(plan, name) for name in ("s.npy", "d.npy")]
    read = [read_npy(file) for file in files]
    original = [values for values, _, _ in read]
    n = len(permutation)
    for tried in [original] + [spoiled(draw, original, n) for _ in range(2)]:
        most = min(2**(8 * struct.calcsize(code) - 1) - 1 for _, _, code in read)
        tried = [[min(value, most) for value in values] for values in tried]
        for file, values, (_, head, code) in zip(files, tried, read):
            write_npy(file, values, head, code)
        question = line("plan", width, n, lanes_for(n, width), permutation, *tried)
        status, said = run(program, "verify", plan, path)
        # `verify` compares arrays with the closed form in plan.json only after it has found the arrays right.
        right = status == 0 or "the closed form of lane" in said
        told = "right" if right else "wrong"
        yield from differences([question], ask(coq, [question]), [told])
        if tried == original and status:
            yield f"schedule writes a plan that is wrong: {question[:300]}"


def compare_program(draw, coq, program, rounds):
    """The differences between Coq's program and the command `bankproof`."""
    found, compared = [], 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "permutation.txt")
        for width, permutation in permutations(draw, rounds, SIZES, WIDTHS):
            with open(path, "w", encoding="utf-8") as file:
                file.write(" ".join(map(str, permutation)) + "\n")
            found += compare_check(coq, program, path, width, permutation)
            found += compare_plan(draw, coq, program, folder, path, width, permutation)
            compared += 7
    return found, compared


def main():
    parser = argparse.ArgumentParser()
    for name in ("coq", "cpp", "program"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--rounds", type=int, default=200)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    try:
        found, answers, verdicts = compare_code(draw, arguments.coq, arguments.cpp, arguments.rounds)
        more, reports = compare_program(draw, arguments.coq, arguments.program, arguments.rounds // 8 + 1)
    except (Failure, OSError, subprocess.TimeoutExpired) as failure:
        print(f"ci/coq: {failure}", file=sys.stderr)
        sys.exit(3)
    found += more
    for difference in found[:MOST_SHOWN]:
        print(difference)
    if found:
        print(f"ci/coq: {len(found)} answers of Coq's definitions and of the C++ code differ; again by "
              f"--seed {arguments.seed}", file=sys.stderr)
        sys.exit(1)
    if 0 in verdicts.values():
        print(f"ci/coq: a verdict was never given: {verdicts}", file=sys.stderr)
        sys.exit(3)
    told = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())
    print(f"compared: ok, {answers} answers of the C++ code ({told}), {reports} of the program; "
          f"seed {arguments.seed}")


if __name__ == "__main__":
    main()
