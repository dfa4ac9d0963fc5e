"""More formats of data.py: sequences, and the energies by which they fold. The numbers are drawn; only the
form is that of the files that frna and prna read.
"""

from corpora.inputs import DRAWN

BASES = "ACGU"
PAIRS = ("AU", "CG", "GC", "UA", "GU", "UG")
AMINO_ACIDS = "ARNDCQEGHILKMFPSTWYV"
ARROW, LONG_ARROW = "5' --> 3'\n", "5' ------> 3'\n"
BACK, LONG_BACK = "3' <-- 5'\n", "3' <------ 5'\n"


def drawn(letters, count):
    return "".join(DRAWN.choices(letters, k=count))


def energies(count, least=-3, most=3):
    return " ".join(f"{DRAWN.uniform(least, most):.2f}" for _ in range(count)) + "\n"


def proteins(count, least, most):
    """Proteins as FASTA, each with its own length."""
    for number in range(count):
        yield f">p{number}\n{drawn(AMINO_ACIDS, DRAWN.randint(least, most))}\n"


def related_proteins(count, least, most):
    """Proteins whose middle is the middle third of those that `proteins` makes, but for a letter in eight."""
    for number, protein in enumerate(list(proteins(count, least, most))):
        letters = protein.split("\n")[1]
        third = len(letters) // 3
        middle = "".join(DRAWN.choice(AMINO_ACIDS) if DRAWN.random() < 0.125 else letter
                         for letter in letters[third:2 * third])
        yield f">p{number}\n{drawn(AMINO_ACIDS, third // 2)}{middle}{drawn(AMINO_ACIDS, third // 2)}\n"


def lines(count, most):
    """Lines of few different letters and words, for searches."""
    for _ in range(count):
        yield drawn("abcdexyz ", DRAWN.randint(1, most)) + "\n"


def stacking():
    """The energies of two pairs, one upon the other: 4 bases by lines, 16 by columns, 4 times."""
    yield "STACKING ENERGIES\n"
    yield from (energies(16) for _ in range(16))


def loops(most=30):
    """What it costs to open a loop, by its length: inside, as a bulge, and as a hairpin."""
    yield "--------\n"
    yield from (f"{length} {energies(3, 1, 6)}" for length in range(1, most + 1))


def other_loops():
    """What belongs to no table: three energies, three of loops with several branches, nine more with
    three of them skipped."""
    for count in (1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1):
        yield f"-->\n{energies(count, 0.1, 2)}"


def hairpins(count, length):
    """Hairpins that have an energy of their own."""
    yield "--------\n"
    yield from (f"{drawn(BASES, length)} {energies(1)}" for _ in range(count))


def dangling():
    """A base at an end of a pair, on either side."""
    for base in BASES:
        yield f"table\n{ARROW}{' '.join(base + 'X' for _ in BASES)}\n{' '.join(BASES)}\n{BACK}{energies(16)}"
    for base in BASES:
        yield f"table\n{ARROW}{' '.join(base for _ in BASES)}\n{' '.join(b + 'X' for b in BASES)}\n" \
              f"{BACK}{energies(16)}"


def columns_of(first):
    """The two lines above a table: the pair first before each of the six pairs."""
    return "".join(" ".join(f"{first[side]} {second[side]}" for second in PAIRS) + "\n" for side in (0, 1))


def loops_of_one_and_one():
    """An inner loop with a base on either side."""
    yield ARROW
    for first in PAIRS:
        yield f"table\n{ARROW}X\n{columns_of(first)}Y\n{BACK}" + "".join(energies(24) for _ in BASES)


def loops_of_two_and_one():
    """An inner loop with two bases on a side and one on the other."""
    yield ARROW
    for first in PAIRS:
        for base in BASES:
            yield f"table\n{ARROW}X\n{columns_of(first)}{' '.join('Y' + base for _ in PAIRS)}\n{BACK}"
            yield "".join(energies(24) for _ in BASES)


def loops_of_two_and_two():
    """An inner loop with two bases on either side."""
    yield LONG_ARROW
    for first in PAIRS:
        for second in PAIRS:
            yield f"table\n{LONG_ARROW}{first[0]} \\/ \\_/ {second[0]}\n"
            yield f"{first[1]} /\\  |  {second[1]}\n{LONG_BACK}"
            yield "".join(energies(16) for _ in range(16))


FORMATS = {make.__name__: make for make in (proteins, related_proteins, lines, stacking, loops, other_loops,
                                            hairpins, dangling, loops_of_one_and_one, loops_of_two_and_one,
                                            loops_of_two_and_two)}
