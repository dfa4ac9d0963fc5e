"""Results of programs that have neither a check of their own nor a sister, computed plainly:
`python3 checks.py NAME ARGUMENT…` prints what the program has to print.
"""

import math
import struct
import sys
import zlib


def solved(matrix, right):
    """The solution of a system, by elimination with pivots."""
    rows = [[*row, value] for row, value in zip(matrix, right)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column])]
    solution = [0.0] * size
    for row in reversed(range(size)):
        known = sum(rows[row][column] * solution[column] for column in range(row + 1, size))
        solution[row] = (rows[row][size] - known) / rows[row][row]
    return solution


def gaussian(path, size):
    """Rodinia's gaussian: the system of a file, and the one that it makes for a size."""
    with open(path, encoding="utf-8") as file:
        count, *values = file.read().split()
    count, values = int(count), list(map(float, values))
    system = [values[row * count:(row + 1) * count] for row in range(count)]
    size = int(size)
    made = [[10 * math.exp(-0.01 * abs(row - column)) for column in range(size)] for row in range(size)]
    for matrix, right in ((system, values[count * count:]), (made, [1.0] * size)):
        for value in solved(matrix, right):
            print(f"x {value:g}")


def sequences_of(path):
    with open(path, encoding="utf-8") as file:
        return ["".join(text.split("\n")[1:]) for text in file.read().split(">")[1:]]


def matches(reference, queries, least=20):
    """Rodinia's mummergpu: where the queries are in the reference, at least so many letters long and no
    longer on either side; each as its places, from 1, and its length."""
    text = sequences_of(reference)[0]
    for number, query in enumerate(sequences_of(queries)):
        print(f"> s{number}")
        for start in range(len(query) - least + 1):
            at = text.find(query[start:start + least])
            while at >= 0:
                if not (start and at and query[start - 1] == text[at - 1]):
                    end = least
                    while query[start + end:start + end + 1] == text[at + end:at + end + 1] != "":
                        end += 1
                    print(f"{at + 1}\t{start + 1}\t{end}")
                at = text.find(query[start:start + least], at + 1)


def hotspot(temperatures, powers, size, steps):
    """Rodinia's hotspot, whose sister forgets the inner points of its outer blocks. A neighbor outside of
    the square has the temperature of the point itself."""
    heat, power = ([float(line) for line in open(path, encoding="utf-8")] for path in (temperatures, powers))
    size = int(size)
    side, thickness, specific, conductivity = 0.016 / size, 0.0005, 1.75e6, 100
    capacity = 0.5 * specific * thickness * side * side
    step = 0.001 / (3.0e6 / (0.5 * thickness * specific)) / capacity
    along, up = 2 * conductivity * thickness, conductivity * side * side / thickness
    last = size - 1
    for _ in range(int(steps)):
        old, heat = heat, []
        for row in range(size):
            for column in range(size):
                at = row * size + column
                here = old[at]
                around = (old[at - size if row else at] + old[at + size if row < last else at]
                          + old[at - 1 if column else at] + old[at + 1 if column < last else at])
                heat.append(here + step * (power[at] + (around - 4 * here) * along + (80 - here) * up))
    for at, here in enumerate(heat):
        print(f"{at}\t{here:g}")


def kmeans(path, clusters=5):
    """Rodinia's kmeans, whose kernel never gets the centers: it takes them for 0, so that all are as far from
    a point, and the first one gets all points. The others stay where they begin, at the first points."""
    with open(path, encoding="utf-8") as file:
        points = [list(map(float, line.split()[1:])) for line in file]
    mean = [math.fsum(values) / len(points) for values in zip(*points)]
    for number, center in enumerate([mean, *points[1:clusters]]):
        print(f"{number}: {' '.join(f'{value:.2f}' for value in center)}")


def tiles(path, side=8):
    """The mean of each tile of a picture in PGM, whose pixels may be rounded up or down."""
    with open(path, encoding="utf-8") as file:
        _, width, height, _, *values = file.read().split()
    width, height, values = int(width), int(height), list(map(int, values))
    for top in range(0, height, side):
        rows = [values[row * width:(row + 1) * width] for row in range(top, min(top + side, height))]
        for left in range(0, width, side):
            pixels = [pixel for row in rows for pixel in row[left:left + side]]
            print(f"{top} {left}: {sum(pixels) / len(pixels):.3f}")


def halved(value, by):
    """Divided as in C: toward 0."""
    return -(-value // by) if value < 0 else value // by


def lifted(line):
    """A level of the reversible 5/3 transform of a line of even length (JPEG 2000): low, then high."""
    half = len(line) // 2
    following = [*line[2::2], line[-2]]
    high = [line[2 * k + 1] - halved(line[2 * k] + following[k], 2) for k in range(half)]
    before = [high[0], *high]
    return [line[2 * k] + halved(before[k] + high[k] + 2, 4) for k in range(half)] + high


def wavelets(path, width, height, levels):
    """Rodinia's dwt2d with -5: a checksum of each band of red, green and blue. It reads the file's first
    bytes as pixels, the header with them, and keeps the low parts of a level before its high parts."""
    width, height, levels = int(width), int(height), int(levels)
    with open(path, "rb") as file:
        pixels = file.read(3 * width * height)
    for color in range(3):
        rows = [[pixel - 128 for pixel in pixels[color:][3 * width * row:3 * width * (row + 1):3]]
                for row in range(height)]
        bands = []
        for _ in range(levels):
            columns = [lifted(column) for column in zip(*rows)]
            rows = [lifted(row) for row in zip(*columns)]
            down, across = len(rows) // 2, len(rows[0]) // 2
            bands = [[row[across:] for row in rows[:down]], [row[:across] for row in rows[down:]],
                     [row[across:] for row in rows[down:]], *bands]
            rows = [row[:across] for row in rows[:down]]
        values = [value for band in [rows, *bands] for row in band for value in row]
        show_parts(color, bytes(min(max(value + 128, 0), 255) for value in values), width)


def show_parts(color, data, width):
    for at in range(0, len(data), 8 * width):
        print(f"color {color} from {at}: {zlib.crc32(data[at:at + 8 * width])}")


def parts(width, *paths):
    """The checksums of wavelets(), of files with a color each."""
    for color, path in enumerate(paths):
        with open(path, "rb") as file:
            show_parts(color, file.read(), int(width))


MOST_SHOWN = 20000


def beside_the_largest(values):
    """Lines for numbers that are as exact as the largest of them: sums that nearly vanish have rounding
    errors of the size of what was added. Of many numbers, some at equal distances are shown, and a sum."""
    largest = max(map(abs, values), default=0) or 1
    shown = values[::1 + len(values) // MOST_SHOWN]
    return [f"largest {largest:.5e}", f"all {sum(map(abs, values)) / largest:.5g}",
            *(f"{2 + value / largest:.5f}" for value in shown)]


def packed(path, *kinds):
    """The numbers of a binary file, whose types are those of struct; the last type goes on to the end."""
    with open(path, "rb") as file:
        data = file.read()
    head = "<" + "".join(kinds[:-1])
    at = struct.calcsize(head)
    kind, rest = kinds[-1], data[at:]
    values = struct.unpack(f"<{len(rest) // struct.calcsize('<' + kind)}{kind}", rest)
    lines = beside_the_largest(values) if kind in "fd" else values
    print(*struct.unpack(head, data[:at]), *lines, sep="\n")


def numbers(path, head):
    """The numbers of a text, of which the first few, such as its sizes, are exact."""
    with open(path, encoding="utf-8") as file:
        words = file.read().split()
    print(*words[:int(head)], *beside_the_largest([float(word) for word in words[int(head):]]), sep="\n")


def sums_of_pixels(values, count=32):
    for at in range(0, len(values), count):
        print(f"{at}: {sum(map(abs, values[at:at + count])):.6g}")


def singles(data):
    return struct.unpack(f"<{len(data) // 4}f", data)


def spectrum(path):
    """Parboil's mri-q from its input: Q of each pixel, as sums of pixels, first of the real parts."""
    with open(path, "rb") as file:
        samples, count = struct.unpack("<2i", file.read(8))
        k = [singles(file.read(4 * samples)) for _ in range(3)]
        x = [singles(file.read(4 * count)) for _ in range(3)]
        phi = [singles(file.read(4 * samples)) for _ in range(2)]
    weights = [real * real + imaginary * imaginary for real, imaginary in zip(*phi)]
    trajectory = list(zip(weights, *k))
    sums = ([], [])
    for px, py, pz in zip(*x):
        angles = [(weight, 2 * math.pi * (kx * px + ky * py + kz * pz)) for weight, kx, ky, kz in trajectory]
        sums[0].append(sum(weight * math.cos(angle) for weight, angle in angles))
        sums[1].append(sum(weight * math.sin(angle) for weight, angle in angles))
    sums_of_pixels(sums[0] + sums[1])


def pixels(path):
    """The sums of spectrum(), of a file that mri-q has written."""
    with open(path, "rb") as file:
        sums_of_pixels(singles(file.read()[4:]))


def softened_share(distance, radius, softening, steps=60):
    """The pull of a uniform ball on a point at this distance from its center, if forces are softened, as a
    share of the pull without."""
    pull = weights = 0.0
    for step in range(steps):
        inside = radius * (step + 0.5) / steps
        for other in range(steps):
            cosine = 2 * (other + 0.5) / steps - 1
            along, squared = distance + inside * cosine, inside * inside * (1 - cosine * cosine)
            pull += inside * inside * along / (along * along + squared + softening * softening) ** 1.5
            weights += inside * inside
    return distance * distance * pull / weights


def halos(radius):
    """How many forces of halo-finder's output, from standard input, differ by a hundredth from those of a
    uniform ball of this radius; the program softens them by 0.1."""
    shares = []
    for line in sys.stdin:
        words = line.split("\t")
        if len(words) == 4:
            distance, softened, newtons, _ = map(float, words)
            shares.append(softened / newtons / softened_share(distance, float(radius), 0.1))
    far = sum(not abs(share - 1) <= 0.01 for share in shares)  # NaN is far, too
    print("far:", far, "of", len(shares))


def mixture(summary, results):
    """The sizes of gmm's clusters, and how many of their means and covariances are not those of their members
    within a thousandth, NaN among them: the algorithm ends where both agree. It adds to variances, which do not
    count."""
    with open(results, encoding="utf-8") as file:
        rows = [[list(map(float, part.split(","))) for part in line.split("\t")] for line in file.readlines()[1:]]
    with open(summary, encoding="utf-8") as file:
        clusters = [[line.split() for line in text.split("\n")] for text in file.read().split("Cluster #")[1:]]
    far = count = 0
    for number, (_, _, (_, size), (_, *means), _, _, *covariances) in enumerate(clusters):
        members = [(shares[number], events) for events, shares in rows if shares[number] > 0]
        total = sum(share for share, _ in members)
        centers = [sum(share * value for (share, _), value in zip(members, column)) / total
                   for column in zip(*(events for _, events in members))]
        spread = [[(value - center) for value, center in zip(events, centers)] for _, events in members]
        for i, center in enumerate(centers):
            far += not abs(float(means[i]) - center) <= 1e-3 * abs(center)
            for j in range(i):
                own = sum(share * row[i] * row[j] for (share, _), row in zip(members, spread)) / total
                far += not abs(float(covariances[i][j]) - own) <= 1e-3 * math.sqrt(
                    float(covariances[i][i]) * float(covariances[j][j]))
                count += 1
        far, count = far + (not abs(float(size) - total) <= 1e-3 * total), count + len(centers) + 1
    print("sizes:", *sorted(round(float(cluster[2][1])) for cluster in clusters))
    print("far:", far, "of", count)


CHECKS = {check.__name__: check for check in (gaussian, halos, hotspot, kmeans, matches, mixture, numbers,
                                              packed, parts, pixels, spectrum, tiles, wavelets)}

if __name__ == "__main__":
    CHECKS[sys.argv[1]](*sys.argv[2:])
