"""More results of programs, computed plainly, most of them of HeCBench's, as checks.py does it:
`python3 computed.py NAME ARGUMENT…` prints what the program has to print, or what printing/freed.h prints.
"""

import math
import os
import re
import struct
import sys

# The file is a program and a module, too.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from corpora.alignments import alignments  # noqa: E402
from corpora.digests import CHECKS as DIGESTS, c_random  # noqa: E402
from corpora.intrinsics import CHECKS as MORE  # noqa: E402
from corpora.pictures import CHECKS as PICTURES  # noqa: E402


def freed(number, values):
    """What printing/freed.h prints of the array that is freed as this number."""
    count = len(values)
    part = -(-count // 32)
    for at in range(0, count, part):
        total = sum((1 + i % 13) * values[i] for i in range(at, min(at + part, count)))
        print(f"freed {number} of {count} from {at}: {total:.6e}")


def constant(number, count, value):
    """An array whose numbers are all the same."""
    freed(int(number), [float(value)] * int(count))


def arrival(near, speed):
    """When a front comes to a point: from the first one to three neighbors, as the upwind scheme has it."""
    c, b, a = sorted(near)
    time = c + speed
    if time > b:
        time = (b + c + math.sqrt(2 * speed * speed - (b - c) ** 2)) / 2
    if time > a:
        time = (a + b + c) / 3 + math.sqrt(2 * (a * (b - a) + b * (c - b) + c * (a - c))
                                           + 3 * speed * speed) / 3
    return time


def eikonal(side):
    """The times at which a front from a corner of a cube comes to its points. It meets no point that is
    farther from the corner before, so that one sweep is enough."""
    side, far = int(side), 1e20
    times = [0.0]
    for at in range(1, side ** 3):
        x, y, z = at % side, at // side % side, at // side ** 2
        times.append(arrival([times[at - 1] if x else far, times[at - side] if y else far,
                              times[at - side * side] if z else far], 1.0))
    show_times(times)


def show_times(times):
    for at in range(0, len(times), 499):
        print(f"{at}: {times[at]:.6e}")


def doubles(path, count):
    """The last doubles of a file, as eikonal() shows them."""
    with open(path, "rb") as file:
        data = file.read()[-8 * int(count):]
    show_times(struct.unpack(f"<{count}d", data))


def jaccard(rows, columns):
    """The weights of each number but 0 of a matrix: what its row shares with the row of its column. They
    are the fourth array that is freed, and, without weights of columns, the eleventh."""
    rows, columns, drawn = int(rows), int(columns), c_random(2)
    matrix = [[next(drawn) % 10 for _ in range(columns)] for _ in range(rows)]
    kept = [[column for column, value in enumerate(row) if value] for row in matrix]
    sets, count = list(map(set, kept)), sum(map(len, kept))
    for number, weights in ((4, [(column + 1) / count for column in range(columns)]), (11, [1.0] * columns)):
        volumes = [sum(weights[column] for column in row) for row in kept]
        values = []
        for row, row_kept in enumerate(kept):
            for column in row_kept:
                shared = sum(weights[other] for other in sets[row] & sets[column])
                values.append(0.46 * matrix[row][column] * shared
                              / (volumes[row] + volumes[column] - shared))
        freed(number, values)


def sums_of_windows(plane, height, width, size):
    """For each place of a window of a convolution with a border of 1: the sum of what it sees."""
    above = [[0.0] * (width + 1)]
    for row in range(height):
        total, sums = 0.0, [0.0]
        for column in range(width):
            total += plane[row * width + column]
            sums.append(total + above[-1][column + 1])
        above.append(sums)

    def seen(down, across):
        top, bottom = max(0, down - 1), min(height, height + 2 - size + down)
        left, right = max(0, across - 1), min(width, width + 2 - size + across)
        return above[bottom][right] - above[top][right] - above[bottom][left] + above[top][left]

    return [seen(down, across) for down in range(size) for across in range(size)]


def dwconv(batch, channels, height, width):
    """The means of the results of convolutions in depth, of windows of 1, 3 and 5 and one to four results
    of a channel."""
    batch, channels, height, width = map(int, (batch, channels, height, width))
    drawn, greatest = c_random(123), 2.0 ** 31
    values = [next(drawn) / greatest for _ in range(batch * channels * height * width)]
    later = [next(drawn) / greatest for _ in range(4 * channels * 26)]
    planes = [values[at:at + height * width] for at in range(0, len(values), height * width)]
    sums = {}
    for size in (1, 3, 5):
        of_planes = [sums_of_windows(plane, height, width, size) for plane in planes]
        sums[size] = [[sum(of_planes[image * channels + channel][place] for image in range(batch))
                       for place in range(size * size)] for channel in range(channels)]
    for multiple in range(1, 5):
        for size in (1, 3, 5):
            weights = multiple * channels * size * size
            biases = later[weights:weights + multiple * channels]
            total = sum(later[output * size * size + place] * seen for output in range(multiple * channels)
                        for place, seen in enumerate(sums[size][output // multiple]))
            points = (height + 3 - size) * (width + 3 - size)
            mean = total / (batch * multiple * channels * points) + sum(biases) / len(biases)
            print(f"Checksum = {mean:f}")


def gaussian_pulse(step, count):
    """The source of minimod at the end of a step of so many; it has no value for the last one."""
    sigma, scale = 0.6 * 25, 8
    return lambda number: 0.0 if number >= count else (
        -2 * scale * sigma * (sigma - 2 * sigma * scale * (sigma * step * number - 1) ** 2)
        * math.exp(-scale * (sigma * step * number - 1) ** 2))


def minimod(side, count, reach=12):
    """The least and the greatest value of a wave in a cube with absorbing layers, after so many steps. It
    begins in the middle, and comes nowhere near the walls, so that points farther than its reach stay 0."""
    side, count, speed, spacing, layer = int(side), int(count), 4500.0, 20.0, 27
    factors = [value / spacing ** 2 for value in (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560)]
    step = 1.6 / (math.sqrt(3 * (abs(factors[0]) + 2 * sum(map(abs, factors[1:])))) * speed)
    greatest = step * 3 * speed * math.log(1000) / (2 * layer * spacing) / layer ** 2
    damping = [greatest * max(layer - at, at - side - 1 + layer, 0) ** 2 for at in range(side + 2)]
    middle, squared, slope = side // 2, (2000 * step) ** 2, 1 / (4 * spacing ** 2)
    steps = (1, side, side * side)
    points = [(x, y, z, x + side * (y + side * z)) for z in range(middle - reach, middle + reach)
              for y in range(middle - reach, middle + reach) for x in range(middle - reach, middle + reach)]
    inner, now, before, memory = range(layer, side - layer), *([0.0] * side ** 3 for _ in range(3))
    pulse = gaussian_pulse(step, count)
    for number in range(1, count + 1):
        for *place, at in points:
            here = now[at]
            around = 3 * factors[0] * here + sum(
                factors[far] * sum(now[at + far * by] + now[at - far * by] for by in steps)
                for far in (1, 2, 3, 4))
            if all(value in inner for value in place):
                before[at] = 2 * here + squared * around - before[at]
                continue
            damped = sum(damping[value] for value in place)
            before[at] = ((2 + 2 * damped - damped ** 2) * here
                          + squared * (around + memory[at]) - before[at]) / (2 * damped + 1)
            memory[at] = (memory[at] - slope * sum(
                (damping[value + 1] - damping[value - 1]) * (now[at + by] - now[at - by])
                for value, by in zip(place, steps))) / (1 + damped)
        before[middle * sum(steps)] += pulse(number)
        now, before = before, now
    print(f"Checksum: min_u,  max_u = {min(now):f}, {max(now):f}")


def splash_random():
    """The numbers of the generator of SPLASH-2, from 0 to 1."""
    drawn = 7
    while True:
        yield drawn / 2 ** 31
        drawn = (1103515245 * drawn + 12345) & 0x7FFFFFFF


def in_ball(drawn):
    while True:
        point = [next(drawn) * 2 - 1 for _ in range(3)]
        squared = sum(value * value for value in point)
        if squared <= 1:
            return [value / math.sqrt(squared) for value in point]


def cluster_of_plummer(count):
    """Bodies of bh at the beginning: where they are, and how fast they are."""
    drawn, scale, places, speeds = splash_random(), 3 * math.pi / 16, [], []
    for _ in range(count):
        radius = 1 / math.sqrt((next(drawn) * 0.999) ** (-2 / 3) - 1)
        places.append([value * scale * radius for value in in_ball(drawn)])
        while True:
            x, y = next(drawn), next(drawn) * 0.1
            if y <= x * x * (1 - x * x) ** 3.5:
                break
        speed = x * math.sqrt(2 / math.sqrt(1 + radius * radius)) / math.sqrt(scale)
        speeds.append([value * speed for value in in_ball(drawn)])
    return places, speeds


def pulls(places, softening=0.05 ** 2):
    """The acceleration of each body by all others, whose masses are the same, and together 1."""
    result = []
    for x, y, z in places:
        a, b, c = 0.0, 0.0, 0.0
        for u, v, w in places:
            u, v, w = u - x, v - y, w - z
            squared = u * u + v * v + w * w + softening
            pull = 1 / (squared * math.sqrt(squared))
            a, b, c = a + u * pull, b + v * pull, c + w * pull
        result.append([value / len(places) for value in (a, b, c)])
    return result


def bodies(count, steps):
    """How many bodies of bh's output, from standard input, are far from where they are if each pulls each
    other: by a hundredth in place and speed, or a twentieth in acceleration, which bh computes from groups."""
    count, step = int(count), 0.025
    places, speeds = cluster_of_plummer(count)
    before = None
    for _ in range(int(steps)):
        now = pulls(places)
        for place, speed, pull, old in zip(places, speeds, now, before or now):
            for axis in range(3):
                half = speed[axis] + (pull[axis] - old[axis]) * step / 2 + pull[axis] * step / 2
                place[axis] += half * step
                speed[axis] = half + pull[axis] * step / 2
        before = now
    told = [list(map(float, line.split()[1:])) for line in sys.stdin if line.split(":")[0].isdigit()]
    far = 0
    for number in range(count):
        place, (*pull, up), speed = told[3 * number:3 * number + 3]
        far += not (math.dist(place, places[number]) <= 0.01 * math.hypot(*places[number])
                    and math.dist([*speed, up], speeds[number]) <= 0.01 * max(0.1, math.hypot(*speeds[number]))
                    and math.dist(pull, before[number]) <= 0.05 * math.hypot(*before[number]))
    print(f"far: {far} of {count}")


def around(rows, row, column, weights):
    """The sum of the points around one, with weights."""
    return [weight * rows[row + down - 1][column + across - 1]
            for down, line in enumerate(weights) for across, weight in enumerate(line)]


def edges_of(rows):
    """The edges of a gray picture by Canny's way, as ced has it: without its border, and with one threshold
    in place of the search along edges."""
    height, width = len(rows), len(rows[0])
    inner = [(row, column) for row in range(1, height - 1) for column in range(1, width - 1)]
    smooth, strength, edges = ([[0] * width for _ in rows] for _ in range(3))
    for row, column in inner:
        total = 0
        for part in around(rows, row, column, ((1 / 16, 1 / 8, 1 / 16), (1 / 8, 1 / 4, 1 / 8),
                                               (1 / 16, 1 / 8, 1 / 16))):
            total = int(total + part)
        smooth[row][column] = total
    ways = {}
    for row, column in inner:
        x = sum(around(smooth, row, column, ((-1, 0, 1), (-2, 0, 2), (-1, 0, 1))))
        y = sum(around(smooth, row, column, ((-1, -2, -1), (0, 0, 0), (1, 2, 1))))
        strength[row][column] = min(255, int(math.hypot(x, y)))
        ways[row, column] = ((0, 1), (-1, 1), (-1, 0), (-1, -1))[round(math.atan2(y, x) * 4 / math.pi) % 4]
    for row, column in inner:
        down, across = ways[row, column]
        here = strength[row][column]
        if here >= 40 and here > max(strength[row + down][column + across],
                                     strength[row - down][column - across]):
            edges[row][column] = 255
    return edges


def canny(source, target):
    """Writes the edges of a picture: a file with its size and its numbers makes one with numbers alone."""
    with open(source, encoding="utf-8") as file:
        height, width, *values = map(int, file.read().split())
    rows = [values[row * width:(row + 1) * width] for row in range(height)]
    with open(target, "w", encoding="utf-8") as file:
        for row in edges_of(rows):
            file.write(" ".join(map(str, row)) + "\n")


def least_cost(costs):
    """The least sum of as many numbers of a square, no two in a row or a column (Kuhn and Munkres)."""
    size, far = len(costs), float("inf")
    rows, columns, row_of = [0] * (size + 1), [0] * (size + 1), [0] * (size + 1)
    for row in range(1, size + 1):
        row_of[0], column, least = row, 0, [far] * (size + 1)
        seen, before = [False] * (size + 1), [0] * (size + 1)
        while row_of[column]:
            seen[column] = True
            here, step, following = row_of[column], far, 0
            for other in range(1, size + 1):
                if seen[other]:
                    continue
                cost = costs[here - 1][other - 1] - rows[here] - columns[other]
                if cost < least[other]:
                    least[other], before[other] = cost, column
                if least[other] < step:
                    step, following = least[other], other
            for other in range(size + 1):
                if seen[other]:
                    rows[row_of[other]] += step
                    columns[other] -= step
                else:
                    least[other] -= step
            column = following
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    return -columns[0]


def drawn_below(most, seed):
    """Numbers below a bound, as GCC's library draws them by its default engine."""
    modulus, value = 2147483647, seed
    part = (modulus - 2) // most
    while True:
        value = 16807 * value % modulus
        if value - 1 < most * part:
            yield (value - 1) // part


def hungarian(size, count):
    """The least costs of hungarian's first tests, whose matrices are drawn."""
    size, drawn = int(size), drawn_below(int(size), 45345)
    for _ in range(int(count)):
        costs = [[next(drawn) for _ in range(size)] for _ in range(size)]
        print(f"Total cost is \t {least_cost(costs)} ")


def energies(count, width, spacing):
    """How many values of clenergy's output, from standard input, are far from the potentials of its atoms: the
    program prints one digit behind the point, and adds floats."""
    drawn = (number / 2147483647 for number in c_random(2))
    side = float(spacing) * int(width)
    atoms = []
    for _ in range(int(count)):
        x, y, z, charge = (next(drawn) for _ in range(4))
        atoms.append((x * side, y * side, (z * float(spacing)) ** 2, charge * 2 - 1))
    far = total = 0
    for place, printed in re.findall(r"\[(\d+)\] (\S+)", sys.stdin.read()):
        row, column = (float(spacing) * index for index in divmod(int(place), int(width)))
        value = sum(charge / math.sqrt((column - x) ** 2 + (row - y) ** 2 + z) for x, y, z, charge in atoms)
        far, total = far + (not abs(float(printed) - value) <= 0.06 + 1e-3 * abs(value)), total + 1
    print("far:", far, "of", total)


CHECKS = {check.__name__: check for check in (alignments, bodies, canny, constant, doubles, dwconv, eikonal,
                                              energies, hungarian, jaccard, minimod)}
for more in (MORE, DIGESTS, PICTURES):
    CHECKS.update(more)

if __name__ == "__main__":
    CHECKS[sys.argv[1]](*sys.argv[2:])
