"""Data that a corpus lacks, made of pseudo-random numbers: `python3 data.py FORMAT FILE WORD…`.

The formats are those that Rodinia's programs and their descendants read. The same command makes the same
file; a file that exists is left as it is. Lists of corpora call it by the key `prepare`, as
`python3 "$CORPORA/data.py" numbers power_512 262144`.
"""

import inspect
import math
import os
import random
import struct
import sys

# The file is a program and a module, too.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from corpora.biology import FORMATS as OF_BIOLOGY  # noqa: E402
from corpora.inputs import FORMATS as MORE  # noqa: E402

DRAWN = random.Random(1)


def numbers(count, least=0, most=100):
    """A number on each line: temperatures and powers of hotspot."""
    yield from (f"{DRAWN.uniform(least, most):.6f}\n" for _ in range(count))


def graph(nodes, most_edges=10, most_cost=10):
    """A graph of bfs: for each node its first edge and their number, the source, and the edges with costs."""
    degrees = [DRAWN.randint(2, most_edges) for _ in range(nodes)]
    yield f"{nodes}\n"
    first = 0
    for degree in degrees:
        yield f"{first} {degree}\n"
        first += degree
    yield f"\n0\n\n{first}\n"
    yield from (f"{DRAWN.randrange(nodes)} {DRAWN.randint(1, most_cost)}\n" for _ in range(first))


def points(count, features=34):
    """The points of kmeans: a number, and the features."""
    for number in range(count):
        yield " ".join([str(number), *(f"{DRAWN.uniform(0, 100):.3f}" for _ in range(features))]) + "\n"


def mesh(elements, columns=40):
    """A mesh of cfd: rows of squares, each with its area, and four neighbors with inward normals; -1 is the
    far field around them, and 0 a wall, which leans in the middle third of the first row."""
    rows, middle = elements // columns, range(columns // 3, 2 * columns // 3)
    yield f"{rows * columns}\n"
    for row in range(rows):
        for column in range(columns):
            yield "1"
            for across, up in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                inside = 0 <= column + across < columns and 0 <= row + up < rows
                neighbor = (row + up) * columns + column + across + 1 if inside else -1
                wall = row + up < 0 and column in middle
                yield f" {0 if wall else neighbor} {-0.2 if wall else -across} {-up} 0"
            yield "\n"


def keys(count):
    """The keys of b+tree."""
    yield f"{count}\n"
    drawn = list(range(count))
    DRAWN.shuffle(drawn)
    yield from (f"{key}\n" for key in drawn)


def queries(ranges, length, singles):
    """The commands of b+tree: a search of ranges, and one of keys."""
    yield f"j {ranges} {length}\n\nk {singles}\n"


def places(count):
    """The hurricanes of nn: 28 characters, latitude, longitude, and the rest of 48 characters."""
    for number in range(count):
        at = f"{DRAWN.uniform(7, 70):5.1f}{DRAWN.uniform(0, 99):5.1f}"
        yield f"{f'1950  1  1  0  {number % 100}  STORM':28.28s}{at}{'  55 1000':10s}\n"


def matrix(size):
    """A system of gaussian, whose diagonal is large: its size, the matrix, and the right side."""
    yield f"{size}\n\n"
    for row in range(size):
        values = (DRAWN.uniform(-1, 1) + size * (row == column) for column in range(size))
        yield " ".join(f"{value:.4f}" for value in values) + "\n"
    yield "\n" + " ".join(f"{DRAWN.uniform(-1, 1):.4f}" for _ in range(size)) + "\n"


def picture(width, height):
    """A picture in gray as PGM with numbers as text, whose header has three lines."""
    yield f"P2\n{width} {height}\n255\n"
    yield from (" ".join(str(DRAWN.randint(1, 255)) for _ in range(width)) + "\n" for _ in range(height))


def letters(count):
    """Any text."""
    yield "".join(DRAWN.choices("abcdefghijklmnopqrstuvwxyz \n", k=count))


def sequences(count, length):
    """DNA as FASTA."""
    for number in range(count):
        yield f">s{number}\n{''.join(DRAWN.choices('ACGT', k=length))}\n"


def packed(*fields):
    """Binary numbers: each field is TYPE=VALUE, or TYPE*COUNT=LEAST..MOST, with a type of struct."""
    for field in fields:
        kind, _, value = field.partition("=")
        kind, _, count = kind.partition("*")
        least, _, most = value.partition("..")
        draw = DRAWN.uniform if kind in "fd" else DRAWN.randint
        to = float if kind in "fd" else int
        yield b"".join(struct.pack(f"<{kind}", draw(to(least), to(most or least)))
                       for _ in range(int(count or 1)))


def columns(rows, count, *header):
    """Numbers as text, between -1 and 1, behind a header."""
    yield "".join(f"{word} " for word in header)
    for _ in range(rows):
        yield " ".join(f"{DRAWN.uniform(-1, 1):.5f}" for _ in range(count)) + "\n"


def sky(count):
    """The points of tpacf: longitude and latitude in degrees."""
    for _ in range(count):
        yield f"{DRAWN.uniform(0, 360):.5f} {math.degrees(math.asin(DRAWN.uniform(-1, 1))):.5f}\n"


def charges(count, side):
    """The atoms of cutcp as PQR, in a cube."""
    for number in range(1, count + 1):
        at = " ".join(f"{DRAWN.uniform(0, float(side)):.3f}" for _ in range(3))
        yield f"ATOM  {number:5} O WAT 1 {at} {DRAWN.uniform(-1, 1):.3f} 1.0\n"


def molecule(count):
    """The atoms of rpes."""
    yield f"atoms {count}\n"
    for number in range(count):
        yield " ".join([("H", "O")[number % 2], *(f"{DRAWN.uniform(0, 3):.4f}" for _ in range(3))]) + "\n"


def basis(*atoms):
    """The known atoms of rpes: each with two shells, of three primitives and of one."""
    yield f"known atoms: {len(atoms)}\nknown shells: {2 * len(atoms)}\n"
    for atom in atoms:
        yield f"atom {atom}\nshells: 2\n"
        for shell, primitives in enumerate((3, 1), 1):
            yield f"shell {shell} primitives: {primitives}\n"
            for number in range(primitives):
                yield f"primitive {number} : {DRAWN.uniform(0.1, 20):.5f} {DRAWN.uniform(0.1, 1):.5f}\n"


def samples(count, size):
    """The parameters of mri-gridding, whose samples are in another file."""
    yield f"aquisition.numsamples={count}\naquisition.kmax=0.5 0.5 0.5\n"
    for what in ("aquisition", "reconstruction", "gridding"):
        yield f"{what}.matrixSize={size} {size} {size}\n"
    yield "gridding.oversampling=1.25\nkernel.width=4.0\nkernel.useLUT=1\n"


def bitmap(width, height):
    """A picture in color as BMP with 24 bits."""
    row = 3 * width + (-3 * width) % 4
    yield struct.pack("<2sIHHI", b"BM", 54 + row * height, 0, 0, 54)
    yield struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, row * height, 2835, 2835, 0, 0)
    yield DRAWN.randbytes(row * height)


def chunk(name, *parts):
    """A chunk of RIFF: its name, its length, and what is in it."""
    content = b"".join(parts)
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def film(width, height, frames):
    """A film of gray pictures as AVI that is not compressed. Bright discs move over noisy pictures."""
    size = width * height
    main_header = struct.pack("<14I", 40000, 25 * size, 0, 0x10, frames, 0, 1, size, width, height,
                              0, 0, 0, 0)
    stream = struct.pack("<4s4s10I4H", b"vids", b"GREY", 0, 0, 0, 1, 25, 0, frames, size, 0, 0,
                         0, 0, width, height)
    picture_header = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 0, size, 0, 0, 256, 0)
    pictures, places, at = [], [], 4
    for frame in range(frames):
        rows = [bytearray(DRAWN.choices(range(100, 130), k=width)) for _ in range(height)]
        for down in range(-12, 13) if width > 200 < height else ():
            half = math.isqrt(12 * 12 - down * down)
            for place in range(18):
                row, column = height * (2 + place // 6) // 6, width * (1 + place % 6) // 8 + frame
                rows[row + down][column - half:column + half + 1] = b"\xdc" * (2 * half + 1)
        pictures.append(chunk(b"00db", *rows))
        places.append(struct.pack("<4s3I", b"00db", 0x10, at, size))
        at += len(pictures[-1])
    headers = chunk(b"LIST", b"hdrl", chunk(b"avih", main_header),
                    chunk(b"LIST", b"strl", chunk(b"strh", stream), chunk(b"strf", picture_header)))
    yield chunk(b"RIFF", b"AVI ", headers, chunk(b"LIST", b"movi", *pictures), chunk(b"idx1", *places))


def frame(rows, columns):
    """A picture in gray of ced: its size, and the numbers of noise around a bright square."""
    yield f"{rows}\n{columns}\n"
    for row in range(rows):
        yield " ".join(str(DRAWN.randint(0, 40) + 180 * (rows < 4 * row < 3 * rows
                                                         and columns < 4 * column < 3 * columns))
                       for column in range(columns)) + "\n"


def sparse(size, band=8):
    """A symmetric matrix in the text of MatrixMarket, whose lower triangle it has; its diagonal is large."""
    entries = []
    for column in range(1, size + 1):
        below = sorted(set(DRAWN.randint(column + 1, size) for _ in range(band // 2))) if column < size else []
        entries += [(row, column, DRAWN.uniform(-1, 1)) for row in below]
        entries.append((column, column, 4.0 * band))
    yield f"%%MatrixMarket matrix coordinate real symmetric\n{size} {size} {len(entries)}\n"
    yield from (f"{row} {column} {value:.6f}\n" for row, column, value in sorted(entries, key=lambda e: e[1]))


def traces(gathers, width, samples):
    """Traces of Seismic Unix: a header of 240 bytes, and samples, with a wave in each at another place."""
    for gather in range(1, gathers + 1):
        for number in range(width):
            header = bytearray(240)
            offset = 100 * (number + 1)
            struct.pack_into("<i", header, 20, gather)
            struct.pack_into("<hh4i", header, 68, 1, 1, 0, 0, offset, 0)
            struct.pack_into("<HH", header, 114, samples, 2000)
            start = samples // 4 + number
            yield bytes(header) + struct.pack(f"<{samples}f", *(
                DRAWN.uniform(-0.1, 0.1) + (at >= start) * math.exp(-0.1 * (at - start))
                for at in range(samples)))


FORMATS = {make.__name__: make for make in (numbers, graph, points, mesh, keys, queries, places, matrix,
                                            picture, letters, sequences, packed, columns, sky, charges,
                                            molecule, basis, samples, bitmap, film, frame, sparse, traces)}
FORMATS.update(MORE)
FORMATS.update(OF_BIOLOGY)


def number_of(word):
    """The number that a word is, or the word itself."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def made(name, *words):
    """The parts of a file, as bytes."""
    for part in FORMATS[name](*map(number_of, words)):
        yield part.encode() if isinstance(part, str) else part


def main(name, path, *words):
    if name not in FORMATS:
        sys.exit(f"data.py: no format {name}; there are {', '.join(FORMATS)}")
    try:
        inspect.signature(FORMATS[name]).bind(*words)
    except TypeError as error:
        sys.exit(f"data.py: {name}{inspect.signature(FORMATS[name])}: {error}")
    if os.path.exists(path):
        return
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path + ".part", "wb") as file:
        for part in made(name, *words):
            file.write(part)
    os.rename(path + ".part", path)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: python3 data.py FORMAT FILE WORD…")
    main(*sys.argv[1:])
