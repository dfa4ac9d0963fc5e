"""What CUDA's intrinsics for conversions and for small numbers side by side make of numbers, for two of
HeCBench's programs; computed.py prints it.
"""

import math
import struct


def single(value):
    """The nearest number of single precision."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def rounded(value, way):
    """A number as a whole one: down, to the nearest, up, or toward 0."""
    return {"d": math.floor, "n": round, "u": math.ceil, "z": math.trunc}[way](value)


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def from_numbers(value):
    """What intrinsics-cast makes of a number by all conversions to whole ones: those of each size cancel
    one another, but for which are signed."""
    bits, = struct.unpack("<q", struct.pack("<d", value))
    near = single(value)
    single_bits, = struct.unpack("<i", struct.pack("<f", value))
    whole = 0
    for number in (value, near):
        for way in "dnuz":
            whole ^= rounded(number, way)
    first = signed(bits >> 32 ^ bits ^ single_bits ^ whole, 32)
    second = (single_bits ^ whole) & 0xFFFFFFFF
    return signed(signed(first + second, 32) % (1 << 32) + (whole ^ bits) + whole, 64)


def kept(value, bits, way):
    """A whole number as a floating-point number with so many bits, rounded this way."""
    size = abs(value)
    away = max(0, size.bit_length() - bits)
    whole, rest = divmod(size, 1 << away)
    half = (1 << away) / 2
    whole += {"d": value < 0 < rest, "u": value > 0 < rest, "z": False,
              "n": rest > half or rest == half > 0 and whole % 2 == 1}[way]
    return math.copysign(float(whole << away), value)


def to_numbers(value):
    """What intrinsics-cast makes of a whole number of 64 bits by all conversions to others: the bits of a
    sum of both precisions."""
    low = value & 0xFFFFFFFF
    as_double, = struct.unpack("<d", struct.pack("<q", value))
    as_single, = struct.unpack("<f", struct.pack("<I", low))
    first, second = single(as_double), 0.0
    both = [signed(low, 32), low]
    for part in ([kept(number, 24, way) for number in both for way in "dnuz"] + [as_single] * 2
                 + [kept(value, 24, way) for way in "dnuz"] * 2):
        first = single(first + part)
    for part in (list(map(float, both)) + [kept(value, 53, way) for way in "dnuz"] * 2 + [as_double]):
        second += part
    return struct.unpack("<q", struct.pack("<d", first + second))[0]


def intrinsics_cast(count):
    """Checksums of conversions of 0 and of 22.44 divided by each number, and of one whole number but for
    the first, which is 0."""
    checksum = from_numbers(0.0)
    for at in range(1, int(count)):
        checksum ^= from_numbers(22.44 / at)
    print(f"Checksum = {checksum & (1 << 64) - 1:x}")
    other = to_numbers(0x403670A3D70A3D71) if int(count) % 2 == 0 else 0
    print(f"Checksum = {(to_numbers(0) ^ other) & (1 << 64) - 1:x}")


def lanes(a, b, bits):
    """What all SIMD intrinsics of intrinsics-simd make of a lane of so many bits, and the differences that
    they add up, signed and not."""
    full, high, low = (1 << bits) - 1, (1 << bits - 1) - 1, -(1 << bits - 1)
    s, u = signed(a, bits), signed(b, bits)
    total = s + u
    results = [abs(s), abs(s - u), abs(a - b), min(abs(s), high), total, min(max(total, low), high),
               min(a + b, full), total + (total >= 0) >> 1, a + b + 1 >> 1, a + b >> 1,
               max(s, u), max(a, b), min(s, u), min(a, b), -s, min(-s, high), s - u,
               min(max(s - u, low), high), max(a - b, 0)]
    for holds in (a == b, s >= u, a >= b, s > u, a > b, s <= u, a <= b, s < u, a < b, a != b):
        results += [full * holds, holds]
    if bits == 16:
        results += of_three(a, b, bits)
    value = 0
    for result in results:
        value ^= result & full
    return value, abs(s - u), abs(a - b)


def of_three(a, b, bits):
    """The same of the intrinsics that take a number of this size each, most of them three."""
    c, full = a ^ b, (1 << bits) - 1
    s, u, t = (signed(value, bits) for value in (a, b, c))
    both, total = signed(a + b, bits), a + b & full
    return [max(both, t), max(both, t, 0), max(total, c), min(both, t), max(min(both, t), 0), min(total, c),
            max(s, u), max(a, b), min(s, u), min(a, b), max(s, u, t), max(s, u, t, 0), max(a, b, c),
            max(s, u, 0), min(s, u, t), max(min(s, u, t), 0), min(a, b, c), max(min(s, u), 0)]


def intrinsics_simd(count):
    """The checksum of all SIMD intrinsics of so many numbers and their neighbors."""
    count, known, checksum = int(count), {}, 0
    for number in range(count):
        a = (0x1234ABA5 ^ (-number if number < count // 2 else number)) & 0xFFFFFFFF
        b = a + (1 if number % 2 else -1) & 0xFFFFFFFF
        for result in of_three(a, b, 32):
            checksum ^= result & 0xFFFFFFFF
        for bits in (16, 8):
            far, apart = 0, 0
            for at in range(0, 32, bits):
                lane = (a >> at & (1 << bits) - 1, b >> at & (1 << bits) - 1, bits)
                if lane not in known:
                    known[lane] = lanes(*lane)
                value, difference, other = known[lane]
                checksum ^= value << at
                far, apart = far + difference, apart + other
            checksum ^= far ^ apart
    print(f"Checksum = {checksum:x}")


CHECKS = {check.__name__: check for check in (intrinsics_cast, intrinsics_simd)}
