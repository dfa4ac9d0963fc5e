"""Whether alignments of proteins are best: a check of bsw, as computed.py calls it."""

import re

# The order of the rows and columns of the program's matrix of scores.
ORDER = "ARNDCQEGHILKMFPSTWYVBZX*"
OPEN, EXTEND = -6, -1
WORST = -10**6


def sequences_of(path):
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file if not line.startswith(">")]


def scores_of(source):
    """The matrix of scores, which is part of the program's source."""
    with open(source, encoding="utf-8") as file:
        numbers = re.search(r"scores_matrix\[\] = \{(.*?)\}", file.read(), re.S)[1]
    values = iter(map(int, numbers.replace(",", " ").split()))
    return {(row, column): next(values) for row in ORDER for column in ORDER}


def best(scores, one, other, local):
    """The best score of an alignment of parts of two sequences, or of the whole of them."""
    end = 0 if local else WORST
    before = [0 if local or not column else OPEN + (column - 1) * EXTEND for column in range(len(other) + 1)]
    down = [WORST] * (len(other) + 1)
    found = 0
    for row, letter in enumerate(one, 1):
        here, across = [0 if local else OPEN + (row - 1) * EXTEND], WORST
        for column, with_it in enumerate(other, 1):
            down[column] = max(down[column] + EXTEND, before[column] + OPEN)
            across = max(across + EXTEND, here[column - 1] + OPEN)
            here.append(max(end, before[column - 1] + scores[letter, with_it], down[column], across))
        found, before = max(found, *here), here
    return found if local else before[-1]


def alignments(result, references, queries, source="main.cu"):
    """How many lines of a result are not best: each has a score, and the first and last letters of the parts
    of a reference and a query that have this score."""
    scores, far = scores_of(source), 0
    with open(result, encoding="utf-8") as file:
        lines = [list(map(int, line.split())) for line in file]
    pairs = list(zip(sequences_of(references), sequences_of(queries)))
    for (score, first, last, start, end), (reference, query) in zip(lines, pairs):
        parts = reference[first:last + 1], query[start:end + 1]
        far += not score == best(scores, reference, query, True) == best(scores, *parts, False)
    print(f"far: {far + abs(len(lines) - len(pairs))} of {len(pairs)}")
