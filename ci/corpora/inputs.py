"""More formats of data.py: tables of numbers, graphs, and files of single programs, as HeCBench reads them.

Each is a generator that data.py calls with the numbers of its command line.
"""

import math
import random
import struct

DRAWN = random.Random(2)


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def table(rows, columns, least=0, most=100):
    """Rows of numbers with commas between them."""
    for _ in range(rows):
        yield ",".join(f"{DRAWN.uniform(least, most):.4f}" for _ in range(columns)) + "\n"


def events(rows, columns):
    """The events of gmm: a header, and rows around a few centers."""
    yield ",".join(f"c{column}" for column in range(columns)) + "\n"
    centers = [[DRAWN.uniform(0, 100) for _ in range(columns)] for _ in range(4)]
    for row in range(rows):
        yield ",".join(f"{DRAWN.gauss(value, 3):.4f}" for value in centers[row % 4]) + "\n"


def places_on_earth(count):
    """Degrees of latitude and longitude, for geodesic and haversine."""
    yield from (f"{DRAWN.uniform(-80, 80):.5f} {DRAWN.uniform(-180, 180):.5f}\n" for _ in range(count))


def line_with_noise(count):
    """Points near y = 2x + 1 with a tab between x and y, for lr."""
    for _ in range(count):
        x = DRAWN.uniform(0, 10)
        yield f"{x:.4f}\t{2 * x + 1 + DRAWN.gauss(0, 0.1):.4f}\n"


def poisson(mean):
    limit, count, product = math.exp(-mean), 0, DRAWN.random()
    while product > limit:
        count, product = count + 1, product * DRAWN.random()
    return count


def rates(count, shape, scale):
    """The model of gibbs: a number of events and a size, drawn as the program assumes that they are."""
    for _ in range(count):
        size = DRAWN.uniform(1, 4)
        yield f"{poisson(size * DRAWN.gammavariate(shape, 1 / scale))} {size:.4f}\n"


def clusters(count, number, near):
    """Points in space close around few centers, a hundred times as far as they are near; 0: the centers."""
    for row in range(count or number):
        center = [400 * (row % number), 300 * (row % number == 1), 100]
        yield ",".join(f"{DRAWN.gauss(at, near / 100) if count else at:.4f}" for at in center) + "\n"


def binary(count, least=0, most=1):
    """Single precision numbers that change slowly, as results of simulations do."""
    for at in range(count):
        yield floats(least + (most - least) * (0.5 + 0.5 * math.sin(at // 7 / 50)))


def doubles(count):
    """Double precision numbers that change slowly."""
    yield from (struct.pack("<d", math.floor(1e6 * math.sin(at / 300)) / 1e6) for at in range(count))


def edges_of(nodes, degree):
    """For each node its neighbors, in order, without itself; every edge has both directions."""
    neighbors = [set() for _ in range(nodes)]
    for node in range(nodes):
        for other in [(node + 1) % nodes, *(DRAWN.randrange(nodes) for _ in range(degree // 2))]:
            if other != node:
                neighbors[node].add(other)
                neighbors[other].add(node)
    return [sorted(those) for those in neighbors]


def ecl_graph(nodes, degree):
    """A graph with weights as Burtscher's programs read it."""
    neighbors = edges_of(nodes, degree)
    starts = [0]
    for those in neighbors:
        starts.append(starts[-1] + len(those))
    targets = [other for those in neighbors for other in those]
    weights = [1 + (min(node, other) * 31 + max(node, other)) % 100
               for node, those in enumerate(neighbors) for other in those]
    for part in ([nodes, starts[-1]], starts, targets, weights):
        yield struct.pack(f"<{len(part)}i", *part)


def signed_edges(nodes, degree):
    """A graph whose edges agree or disagree, for graphB+."""
    yield "source,destination,sign\n"
    for node, those in enumerate(edges_of(nodes, degree)):
        yield from (f"{node},{other},{DRAWN.choice((1, 1, 1, -1))}\n" for other in those if node < other)


def edges(nodes, degree):
    """Two nodes in a line, each edge once."""
    for node, those in enumerate(edges_of(nodes, degree)):
        yield from (f"{node} {other}\n" for other in those if node < other)


def both_edges(nodes, degree):
    """The same with both directions."""
    for node, those in enumerate(edges_of(nodes, degree)):
        yield from (f"{node} {other}\n" for other in those)


def matrix_market(nodes, degree):
    """A sparse square matrix."""
    neighbors = edges_of(nodes, degree)
    yield "%%MatrixMarket matrix coordinate pattern general\n"
    yield f"{nodes} {nodes} {sum(map(len, neighbors))}\n"
    for node, those in enumerate(neighbors):
        yield from (f"{node + 1} {other + 1}\n" for other in those)


def labelled(rows, features, of_each=20):
    """Two classes of sparse vectors as libsvm reads them, which a plane separates but for noise."""
    plane = [DRAWN.gauss(0, 1) for _ in range(features)]
    for _ in range(rows):
        chosen = sorted({*DRAWN.sample(range(features - 1), min(of_each, features - 1)), features - 1})
        values = [DRAWN.uniform(-1, 1) for _ in chosen]
        side = sum(plane[at] * value for at, value in zip(chosen, values)) + DRAWN.gauss(0, 0.2)
        yield f"{'+1' if side > 0 else '-1'} "
        yield " ".join(f"{at + 1}:{value:.4f}" for at, value in zip(chosen, values)) + "\n"


def crystal(atoms):
    """The atoms of henry in a cube, as CSSR."""
    yield f"25.832 25.832 25.832\n90 90 90\n{atoms} 0\n0 none\n"
    for atom in range(atoms):
        at = " ".join(f"{DRAWN.random():.5f}" for _ in range(3))
        yield f"{atom + 1} {DRAWN.choice(('Zn', 'O', 'C', 'H'))} {at}\n"


def point_spread(side):
    """A peak in the middle of a square, with rings around it, for hogbom."""
    for row in range(side):
        far = [math.hypot(row - side // 2, column - side // 2) for column in range(side)]
        yield floats(*(math.exp(-r * r / 8) + 0.05 * math.cos(r / 3) * math.exp(-r / 40) for r in far))


def sky(side):
    """Noise with some bright points."""
    bright = {(DRAWN.randrange(side), DRAWN.randrange(side)): DRAWN.uniform(5, 20) for _ in range(40)}
    for row in range(side):
        yield floats(*(bright.get((row, column), 0) + DRAWN.gauss(0, 0.1) for column in range(side)))


def spectrum(samples, pixels):
    """The trajectory and the pixels of mriQ: how many of each, then their coordinates and values."""
    yield struct.pack("<2i", samples, pixels)
    for count in (samples,) * 3 + (pixels,) * 3 + (samples,) * 2:
        yield floats(*(DRAWN.uniform(-0.5, 0.5) for _ in range(count)))


def twisters(count, words):
    """Parameters of Mersenne twisters for mt, in structures of so many words; 4: as the kernel reads them."""
    drawn = random.Random(3)
    for _ in range(count):
        matrix, first, second = (drawn.getrandbits(32) for _ in range(3))
        if words == 4:
            yield struct.pack("<4I", matrix, first, second, 0)
        else:
            yield struct.pack("<16I", matrix, 9, 19, 1, 32, 0xFFFFFFFF, 0xFFFFFFFE, 1, 12, 18, 7, 15, first,
                              second, 0, 0)


def digits(count, labels=0):
    """Pictures of mnist, in each of which a bright square is at one of ten places; or their labels."""
    places = [at % 10 for at in range(count)]
    if labels:
        yield struct.pack(">2i", 2049, count) + bytes(places)
        return
    yield struct.pack(">4i", 2051, count, 28, 28)
    for place in places:
        picture = bytearray(28 * 28)
        for row in range(9):
            at = (place // 4 * 9 + row) * 28 + place % 4 * 7
            picture[at:at + 7] = bytes([200 + DRAWN.randrange(55)] * 7)
        yield bytes(picture)


def chains(calls, anchors):
    """Calls of minimap2's chaining: anchors in order of the reference, all close to a diagonal. The mean span
    is such that costs, which kernel and host round down, are no whole numbers before."""
    for _ in range(calls):
        yield f"{anchors} 14.7331 5000 5000 500\n"
        reference = query = 0
        for _ in range(anchors):
            reference += DRAWN.randint(1, 60)
            query = max(1, reference + DRAWN.randint(-20, 20))
            yield f"0 {reference} 15 {query}\n"
        yield "EOR\n"


def atoms_of_bude(count, kinds):
    """The atoms of a molecule for minibude."""
    for _ in range(count):
        yield floats(*(DRAWN.uniform(-10, 10) for _ in range(3))) + struct.pack("<i", DRAWN.randrange(kinds))


def forces_of_bude(kinds):
    """What atoms of a kind do."""
    for _ in range(kinds):
        yield struct.pack("<i3f", DRAWN.choice((70, 69, 78)), DRAWN.uniform(1, 2), DRAWN.uniform(-1, 1),
                          DRAWN.uniform(-1, 1))


def poses_of_bude(count):
    """Three angles and three shifts."""
    for number in range(6):
        yield floats(*(DRAWN.uniform(-3, 3) for _ in range(count)))


def cascade(stages, nodes):
    """How many classifiers each stage of face has, more and more."""
    shares = [2 + stage for stage in range(stages)]
    counts = [max(1, nodes * share // sum(shares)) for share in shares]
    counts[-1] += nodes - sum(counts)
    yield f"{stages}\n" + "".join(f"{count}\n" for count in counts)


def classifiers(stages, nodes):
    """The classifiers of face, each with two rectangles, and after each stage its threshold, so low that
    about half of all places pass it."""
    counts = [int(line) for part in cascade(stages, nodes) for line in part.split()][1:]
    for count in counts:
        for _ in range(count):
            wide, high = DRAWN.randint(4, 10), DRAWN.randint(4, 10)
            left, top = DRAWN.randint(0, 23 - 2 * wide), DRAWN.randint(0, 23 - high)
            numbers = [left, top, 2 * wide, high, -4096, left, top, wide, high, 8192, 0, 0, 0, 0, 0,
                       0, DRAWN.randint(-100, 100), DRAWN.randint(-100, 100)]
            yield "".join(f"{number}\n" for number in numbers)
        yield f"{-40 * math.isqrt(count)}\n"


def walls(inner, outer):
    """The points of a heart's walls for heartwall: sizes, weights, rows and columns."""
    yield f"25 40 10 0.87\n{inner} {outer}\n"
    for count, wide in ((inner, 80), (outer, 120)):
        turns = [2 * math.pi * at / count for at in range(count)]
        yield " ".join(str(int(320 + wide * math.sin(turn))) for turn in turns) + "\n"
        yield " ".join(str(int(330 + wide * math.cos(turn))) for turn in turns) + "\n"


def bathymetry(columns, rows):
    """The sea of easyWave as a grid of text, with an island: heights below 0 are under water."""
    yield f"DSAA\n{columns} {rows}\n96 106\n-9 1\n-5000 200\n"
    for row in range(rows):
        yield " ".join(f"{-2500 - 1500 * math.sin(row / 9) * math.cos(column / 11):.1f}"
                       if math.hypot(row - rows // 3, column - columns // 4) > columns / 20 else "50.0"
                       for column in range(columns)) + "\n"


def booleans(rows, columns, rank):
    """The matrix of bmf: how many entries are true, and their places. It is a product, but for noise."""
    left, right = ([{k for k in range(rank) if DRAWN.random() < 0.2} for _ in range(count)]
                   for count in (rows, columns))
    true = [(row, column) for row in range(rows) for column in range(columns)
            if bool(left[row] & right[column]) != (DRAWN.random() < 0.02)]
    yield f"{rows} {columns} {len(true)}\n"
    yield from (f"{row} {column}\n" for row, column in true)


def gray(width, height):
    """A picture in gray as PGM with bytes."""
    yield f"P5\n{width} {height}\n255\n"
    for row in range(height):
        yield bytes(int(127 + 80 * math.sin(row / 9) * math.sin(column / 7) + DRAWN.randrange(40))
                    for column in range(width))


def genes(rows, columns):
    """The expressions of ccs: a fifth of the genes rise together, and much, under half of the conditions."""
    yield "gene" + "".join(f"\tc{column}" for column in range(columns)) + "\n"
    rise = [10 + DRAWN.uniform(-3, 3) for _ in range(columns // 2)]
    for row in range(rows):
        values = [DRAWN.gauss(0, 1) for _ in range(columns)]
        if row % 5 == 0:
            for at, value in enumerate(rise):
                values[2 * at] = value + DRAWN.gauss(0, 0.1)
        yield f"g{row}" + "".join(f"\t{value:.5f}" for value in values) + "\n"


def clouds(count, height, width):
    """Points in space and a camera that sees about a third of them, for daphne."""
    yield struct.pack("<i", count)
    turn = 0.1
    across, along = math.cos(turn), math.sin(turn)
    camera = [across, 0, along, 0.5, 0, 1, 0, -0.2, -along, 0, across, 1, 0, 0, 0, 1,
              300, 0, 200, 0, 300, 150, 0, 0, 1, -0.05, 0.01, 0.001, -0.002, 0.003]
    for _ in range(count):
        yield struct.pack("<3i", height, width, 32)
        for _ in range(height * width):
            yield floats(DRAWN.uniform(-15, 15), DRAWN.uniform(-12, 12), DRAWN.uniform(-5, 35), 1,
                         DRAWN.uniform(0, 255), 0, 0, 0)
        yield struct.pack("<30d2i", *camera, 400, 300)


def multiplier(bits):
    """A network of gates that multiplies two numbers, as AIGER with bytes: rows of adders."""
    gates, inputs = [], 2 * bits

    def both(a, b):
        gates.append((max(a, b), min(a, b)))
        return 2 * (inputs + len(gates))

    def either(a, b):
        return both(a ^ 1, b ^ 1) ^ 1

    def sum_of(a, b, carry):
        """The sum of three bits: its lower bit and its upper one."""
        shared = both(a, b)
        differ = both(either(a, b), shared ^ 1)
        shared_too = both(differ, carry)
        return both(either(differ, carry), shared_too ^ 1), either(shared, shared_too)

    outputs, row = [], [0] * bits
    for bit in range(bits):
        carry = 0
        added = [both(2 * (1 + at), 2 * (1 + bits + bit)) for at in range(bits)]
        for at in range(bits):
            row[at], carry = (added[at], 0) if bit == 0 else sum_of(added[at], row[at], carry)
        outputs.append(row[0])
        row = [*row[1:], carry]
    outputs += row
    yield f"aig {inputs + len(gates)} {inputs} 0 {len(outputs)} {len(gates)}\n"
    yield "".join(f"{output}\n" for output in outputs)
    for number, (a, b) in enumerate(gates, inputs + 1):
        for value in (2 * number - a, a - b):
            while value > 127:
                yield bytes([value & 127 | 128])
                value >>= 7
            yield bytes([value])


def ranks(count, turn):
    """A reference profile of cm: genes with their ranks, up or down, from a place in one order."""
    drawn = [rank * DRAWN.choice((1, -1)) for rank in range(1, count + 1)]
    DRAWN.shuffle(drawn)
    yield "gene\trank\n"
    yield from (f"g{at}\t{drawn[(at + turn) % count]}\n" for at in range(count))


FORMATS = {make.__name__: make for make in (
    table, events, places_on_earth, line_with_noise, rates, clusters, binary, doubles, ecl_graph,
    signed_edges, edges, both_edges, matrix_market, labelled, crystal, point_spread, sky, spectrum, twisters,
    digits, chains, atoms_of_bude, forces_of_bude, poses_of_bude, cascade, classifiers, walls, gray,
    bathymetry, booleans, genes, clouds, multiplier, ranks)}
