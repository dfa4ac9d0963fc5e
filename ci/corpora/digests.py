"""Results of programs that hash or draw whole numbers, computed plainly, as checks.py does it; computed.py
calls them.
"""

import random
import re

PRIME = 2 ** 64 - 2 ** 32 + 1
WIDTH, DIGEST = 12, 4


def twister(seed):
    """The 32 bits at a time of std::mt19937."""
    state = [seed]
    for at in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + at) & 0xFFFFFFFF)
    drawn = random.Random()
    drawn.setstate((3, (*state, 624), None))
    while True:
        yield drawn.getrandbits(32)


def leaves(count):
    """Numbers from 1 to the prime, as GCC's library draws them."""
    bits = twister(19937)
    while count:
        value = next(bits) << 32 | next(bits)
        if value < PRIME:
            count -= 1
            yield value + 1


def rows_of(text, name):
    """A table of constants in a header, in rows."""
    values = [int(value) for value in re.findall(r"\d+", text.partition(f"{name}[")[2].partition("{")[2]
                                                 .partition("}")[0].replace("ull", ""))]
    return [values[at:at + WIDTH] for at in range(0, len(values), WIDTH)]


def rescued(state, matrix, keys):
    """The permutation of Rescue Prime: rounds of the seventh power and of the seventh root."""
    root = pow(7, -1, PRIME - 1)
    for both in zip(*keys):
        for exponent, key in zip((7, root), both):
            powers = [pow(value, exponent, PRIME) for value in state]
            state = [(sum(map(int.__mul__, row, powers)) + add) % PRIME for row, add in zip(matrix, key)]
    return state


def merkle(header, count):
    """The tree of merkle in DEBUG, but its first, empty node. It takes the parts of two nodes that begin at
    every second number, in place of every eighth."""
    count = int(count)
    with open(header, encoding="utf-8") as file:
        text = file.read()
    matrix, *keys = (rows_of(text, name) for name in ("MDS", "ARK1", "ARK2"))
    nodes = [0] * (DIGEST * count)
    first, below = count // 2, list(leaves(DIGEST * count))
    while first:
        for number in range(first):
            taken = [value % PRIME for value in below[2 * number:2 * number + 8]]
            digest = rescued([*taken, 0, 0, 0, 8], matrix, keys)[:DIGEST]
            nodes[DIGEST * (first + number):DIGEST * (first + number + 1)] = digest
        below, first = nodes[DIGEST * first:], first // 2
    for at in range(DIGEST, len(nodes)):
        print(at, nodes[at])


CHECKS = {check.__name__: check for check in (merkle,)}
