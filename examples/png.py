#!/usr/bin/env python3
"""Makes a PNG of a raw PGM or PPM: `python3 examples/png.py picture.pgm picture.png`.

Python's standard library is enough, so that pictures of `bankproof run` can be looked at anywhere.
"""

import re
import struct
import sys
import zlib

HEADER = re.compile(rb"P([56])\s+(\d+)\s+(\d+)\s+(\d+)\s")


def png_of(netpbm):
    """The bytes of the PNG; values are scaled if the greatest is neither 255 nor 65535."""
    header = HEADER.match(netpbm)
    if not header:
        sys.exit("png.py: not a raw PGM or PPM as `bankproof run --output` writes it")
    kind, columns, rows, greatest = (int(field) for field in header.groups())
    size = 1 if greatest < 256 else 2
    most = 256**size - 1
    count = columns * rows * (3 if kind == 6 else 1)
    letter = "B" if size == 1 else "H"
    if not 0 < greatest < 65536 or len(netpbm) - header.end() < size * count:
        sys.exit("png.py: the picture ends too early, or its greatest value is not from 1 to 65535")
    values = struct.unpack_from(f">{count}{letter}", netpbm, header.end())
    scaled = struct.pack(f">{count}{letter}", *(value * most // greatest for value in values))
    line = len(scaled) // rows
    # Before each row stands its filter: 0, none.
    data = b"".join(b"\0" + scaled[k:k + line] for k in range(0, len(scaled), line))

    def chunk(name, content):
        checked = name + content
        return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))

    shape = struct.pack(">IIBBBBB", columns, rows, 8 * size, 2 if kind == 6 else 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", shape)
            + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))


def main():
    if len(sys.argv) != 3:
        print("usage: png.py INPUT OUTPUT", file=sys.stderr)
        sys.exit(2)
    try:
        with open(sys.argv[1], "rb") as source:
            png = png_of(source.read())
        with open(sys.argv[2], "wb") as out:
            out.write(png)
    except OSError as error:
        sys.exit(f"png.py: {error.filename or sys.argv[2]}: {error.strerror}")


if __name__ == "__main__":
    main()
