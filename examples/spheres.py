#!/usr/bin/env python3
"""Draws spheres.pgm, the picture that the README convolves: `python3 examples/spheres.py > FILE`.

Three lit spheres on a checkered floor, all in integers, so that every machine draws the same bytes.
"""

import math
import sys

ROWS, COLUMNS, HORIZON = 96, 128, 44
SPHERES = ((38, 46, 27), (84, 30, 17), (98, 66, 21))  # column and row of the center, radius


def background(x, y):
    """The sky, darker upwards, or the floor in perspective."""
    if y < HORIZON:
        return 40 + 2 * y
    depth = 900 // (y - HORIZON + 4)
    square = (depth + 96) // 24 + ((x - COLUMNS // 2) * depth // 30 + 960) // 24
    return 215 - depth // 4 if square % 2 else 95 - depth // 8


def sphere(x, y, column, row, radius):
    """The brightness of a sphere at a pixel, lit from the upper left; None if the pixel is beside it."""
    dx, dy = x - column, y - row
    square = radius * radius - dx * dx - dy * dy
    if square < 0:
        return None
    height = math.isqrt(square)
    light = (-2 * dx - 2 * dy + 3 * height) * 100 // (4 * radius)  # cosine, in percent
    shine = max(light - 92, 0) * 10
    return min(30 + max(light, 0) * 170 // 100 + shine, 255)


def pixel(x, y):
    value = background(x, y)
    for ball in SPHERES:
        found = sphere(x, y, *ball)
        value = value if found is None else found
    return value


def main():
    header = f"P5\n{COLUMNS} {ROWS}\n255\n".encode()
    pixels = bytes(pixel(x, y) for y in range(ROWS) for x in range(COLUMNS))
    sys.stdout.buffer.write(header + pixels)


if __name__ == "__main__":
    main()
