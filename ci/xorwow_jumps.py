#!/usr/bin/env python3
"""Computes the jumps of the generator XORWOW, for cuda/headers/parts/random/xorwow_jumps.h.

Usage: ci/xorwow_jumps.py TREE [--write]

A step of XORWOW maps the 160 bits of its five words linearly. So 2^k steps are a polynomial in one step: x
to the power 2^k, modulo the map's minimal polynomial, with coefficients 0 and 1. The minimal polynomial
follows from 320 bits of any sequence of the generator (Berlekamp and Massey). Without --write, the program
says whether the header is what it would write, and exits with 1 if not.
"""

import pathlib
import sys

HEADER = "cuda/headers/parts/random/xorwow_jumps.h"
BITS = 160
JUMPS = 131  # 2^0 to 2^63 steps, and 2^67 to 2^130: up to 2^63 sequences of 2^67 numbers


def one_step(words):
    """Marsaglia, "Xorshift RNGs", section 3.1."""
    t = words[0] ^ words[0] >> 2
    last = words[4] ^ (words[4] << 4 & 0xffffffff) ^ t ^ (t << 1 & 0xffffffff)
    return [*words[1:], last & 0xffffffff]


def minimal_polynomial(bits):
    """The shortest recurrence of the bits, as a polynomial whose bit k is the coefficient of x^k."""
    current, previous, length, since = 1, 1, 0, 1
    for at in range(len(bits)):
        difference = 0
        for k in range(length + 1):
            difference ^= current >> k & bits[at - k]
        if not difference:
            since += 1
        elif 2 * length <= at:
            current, previous = current ^ previous << since, current
            length, since = at + 1 - length, 1
        else:
            current ^= previous << since
            since += 1
    # The recurrence names earlier bits by their distance, so that its coefficients are reversed.
    return sum((current >> k & 1) << (length - k) for k in range(length + 1))


def squared(value, modulus):
    """Squares a polynomial: between the coefficients come zeros."""
    wide = sum((value >> k & 1) << 2 * k for k in range(BITS))
    for k in range(2 * BITS, BITS - 1, -1):
        if wide >> k & 1:
            wide ^= modulus << (k - BITS)
    return wide


def jumps():
    words, bits = [1, 2, 3, 4, 5], []
    for _ in range(2 * BITS):
        bits.append(words[0] & 1)
        words = one_step(words)
    modulus = minimal_polynomial(bits)
    assert modulus.bit_length() == BITS + 1, "the sequence has not the full period"
    found = [2]  # one step: x
    while len(found) < JUMPS:
        found.append(squared(found[-1], modulus))
    return found


def text():
    rows = []
    for jump in jumps():
        words = ", ".join(f"0x{jump >> 32 * k & 0xffffffff:08x}U" for k in range(5))
        rows.append("    {" + words + "},\n")
    return ("// Jumps of XORWOW, written by ci/xorwow_jumps.py, which says what they are.\n"
            "#pragma once\n#pragma GCC system_header\n\n#include \"../attributes.h\"\n\n"
            "namespace bankproof_random {\n\n"
            "// clang-format off: a row each\n"
            "/// Row k has the coefficients of the polynomial for 2^k steps: bit b of word w is the one of\n"
            "/// x^(32·w + b).\n"
            "BANKPROOF_RANDOM_TABLE unsigned int xorwow_jumps[131][5] = {\n" + "".join(rows) +
            "};\n// clang-format on\n\n}  // namespace bankproof_random\n")


def main():
    path = pathlib.Path(sys.argv[1]) / HEADER
    if "--write" in sys.argv[2:]:
        path.write_text(text(), encoding="utf-8")
    elif path.read_text(encoding="utf-8") != text():
        sys.exit(f"{HEADER} is not what ci/xorwow_jumps.py . --write writes")


if __name__ == "__main__":
    main()
