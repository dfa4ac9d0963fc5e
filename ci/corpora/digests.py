"""Results of programs that hash or draw numbers, computed plainly, as checks.py does it; computed.py
calls them.
"""

import array
import glob
import itertools
import random
import re
import sys

from corpora.pictures import single

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


def c_random(seed):
    """The numbers of C's rand() as glibc makes them."""
    state = [seed]
    for _ in range(30):
        state.append(16807 * state[-1] % 2147483647)
    state += state[:3]
    for at in range(34, 344):
        state.append((state[at - 31] + state[at - 3]) & 0xFFFFFFFF)
    state = state[-31:]
    at = 0
    while True:
        state[at] = (state[at] + state[at - 3]) & 0xFFFFFFFF
        yield state[at] >> 1
        at = (at + 1) % 31


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


def network(path):
    """How many inputs a network in AIGER has, and its outputs and gates, as literals."""
    with open(path, "rb") as file:
        _, inputs, _, outputs, count = map(int, file.readline().split()[1:])
        outputs = [int(file.readline()) for _ in range(outputs)]
        rest = iter(file.read())
    gates = []
    for number in range(inputs + 1, inputs + 1 + count):
        before = 2 * number
        for _ in range(2):
            shift = 0
            while (byte := next(rest)) > 127:
                before, shift = before - ((byte & 127) << shift), shift + 7
            before -= byte << shift
            gates.append(before)
    return inputs, outputs, list(zip(gates[::2], gates[1::2]))


def multiplies(path, most):
    """For how many pairs of numbers a network of gates does not give their product, of all that there are,
    and whether it has as few gates as it is said to have at most."""
    inputs, outputs, gates = network(path)
    pairs, bits = 1 << inputs, inputs // 2
    every = (1 << pairs) - 1
    values = [0]
    for at in range(inputs):
        # The bit `at` of each number from 0: runs of zeros and of ones.
        values.append(every // ((1 << (2 << at)) - 1) * (((1 << (1 << at)) - 1) << (1 << at)))

    def value_of(literal):
        return values[literal // 2] ^ (every if literal & 1 else 0)

    for a, b in gates:
        values.append(value_of(a) & value_of(b))
    told = [value_of(output) for output in outputs]
    wrong = sum(any((value >> pair & 1) != ((pair >> bits) * (pair % (1 << bits)) >> at & 1)
                    for at, value in enumerate(told)) for pair in range(pairs))
    print(f"wrong: {wrong} of {pairs}, too many gates: {max(0, len(gates) - int(most))}")


def mixed(value, shifts, factors, mask):
    """A hash of MurmurHash's last step."""
    for shift, factor in zip(shifts, (*factors, 1)):
        value = (value ^ value >> shift) * factor & mask
    return value


def kiss(count):
    """The first numbers of kiss, each of a generator of its own."""
    mask = 2 ** 64 - 1
    for number in range(int(count)):
        w = mixed(42 + number, (16, 13, 16), (0x85EBCA6B, 0xC2B2AE35), 2 ** 32 - 1)
        for _ in range(8):
            state = [w]
            for _ in range(4):
                state.append(mixed(state[-1], (33, 33, 33), (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53), mask))
            _, x, y, z, w = state
        x = (6906969069 * x + 1234567) & mask
        y ^= y << 13 & mask
        y ^= y >> 17
        y ^= y << 43 & mask
        print((x + y + z + (z << 58) + w) & mask)


def shares(seed):
    """Numbers from 0 to 1 of single precision, as GCC's library draws them by its default engine."""
    value = seed
    while True:
        value = 16807 * value % 2147483647
        yield single(single(value - 1) / 2147483648.0)


def connections(query, profiles, count=100000):
    """What cm writes of each drug: how many profiles it has, its score, and how likely such a score is,
    from scores of as many genes that are drawn."""
    with open(query, encoding="utf-8") as file:
        signature = dict(line.split() for line in file)
    files, drawn = sorted(glob.glob(f"{profiles}/*.tab")), shares(123)
    for drug, those in itertools.groupby(files, lambda path: path.rpartition("/")[2].partition("_")[0]):
        sizes, ranks = 0, {}
        for path in those:
            sizes += 1
            with open(path, encoding="utf-8") as file:
                for gene, rank in map(str.split, list(file)[1:]):
                    ranks[gene] = ranks.get(gene, 0) + int(rank)
        genes, values = len(signature), list(ranks.values())
        greatest = (genes * len(values) - genes * (genes + 1) // 2 + genes) * sizes
        score = sum(int(way) * ranks[gene] for gene, way in signature.items())
        sums = [0] * count
        for at in range(genes * count):
            number = single(1 - next(drawn))
            way, number = (-1, number - 0.5) if number >= 0.5 else (1, number)
            sums[at % count] += way * values[int(single(number * 2 * len(values)))]
        above = sum(value > score for value in sums)
        likely = 2 * min(above, count - above) / count
        false_ones = 1309 * likely
        print(f"{drug} {sizes} {score / greatest:.6g} {likely:.6g} {false_ones:.6g} {int(false_ones < 1)}")


def quotient(one, other):
    """The quotient in the field of 2^8 elements whose polynomial is 0x11d."""
    for value in range(256):
        product = 0
        for bit in range(8):
            product = (product << 1) ^ (0x11d if product & 0x80 else 0) ^ (other if value & 0x80 >> bit else 0)
        if product == one:
            return value
    raise ZeroDivisionError(f"{one} by {other}")


def coded(blocks, count):
    """The blocks of a Cauchy Reed-Solomon code of these blocks. Of each eight words of a block, the bits at one
    place are an element of the field."""
    planes = [[int.from_bytes(array.array("Q", memoryview(block).cast("Q")[bit::8]).tobytes(), "little")
               for bit in range(8)] for block in blocks]
    for i in range(count):
        sums = [0] * 8
        for j, block in enumerate(planes):
            for bit, plane in enumerate(block):
                # x^bit / (i + m + j)
                factor = quotient(1 << bit, i ^ count + j)
                for to in range(8):
                    if factor >> to & 1:
                        sums[to] ^= plane
        code = array.array("Q", bytes(len(blocks[0])))
        for to, plane in enumerate(sums):
            code[to::8] = array.array("Q", plane.to_bytes(len(blocks[0]) // 8, "little"))
        yield code.tobytes()


def crs(size, tasks):
    """What crs prints of its code: size in MB of each block of all tasks together."""
    drawn, each = c_random(123), (int(size) << 20) // int(tasks)
    data = bytes(next(drawn) & 255 for _ in range(4 * each * int(tasks)))
    for task in range(int(tasks)):
        blocks = [data[at:at + each] for at in range(4 * each * task, 4 * each * (task + 1), each)]
        for code in coded(blocks, 4):
            sys.stdout.write("".join(f"{byte}\n" for byte in memoryview(code).cast("b")))


CHECKS = {check.__name__: check for check in (connections, crs, kiss, merkle, multiplies)}
