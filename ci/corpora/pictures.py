"""Pictures that programs make, computed plainly, as checks.py does it; computed.py calls them."""

import struct


def single(value):
    """The number of single precision that is nearest."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


class Camera:
    """A place and a direction, and a lens with distortion."""

    def __init__(self, numbers):
        self.turned = [numbers[at:at + 3] for at in (0, 4, 8)]
        self.place = numbers[3:12:4]
        self.across, self.middle, self.down, self.center = (numbers[16 + at] for at in (0, 2, 4, 5))
        self.bent = numbers[25:30]

    def seen(self, point):
        """The column, the row and the depth at which it sees a point, or None."""
        from_it = [value - here for value, here in zip(point, self.place)]
        x, y, z = (sum(self.turned[row][column] * from_it[row] for row in range(3)) for column in range(3))
        if z <= 2.5:
            return None
        x, y = x / z, y / z
        far, (a, b, p, q, c) = x * x + y * y, self.bent
        wide = 1 + a * far + b * far ** 2 + c * far ** 3
        u = x * wide + 2 * p * x * y + q * (far + 2 * x * x)
        v = y * wide + p * (far + 2 * y * y) + 2 * q * x * y
        return int(self.across * u + self.middle + 0.5), int(self.down * v + self.center + 0.5), z


def points2image(source, target):
    """What daphne compares its pictures with: for each pixel the intensity and the depth of the nearest of
    the points that a camera sees there."""
    with open(source, "rb") as file, open(target, "wb") as pictures:
        def read(kinds):
            return struct.unpack(f"<{kinds}", file.read(struct.calcsize(f"<{kinds}")))
        for _ in range(*read("i")):
            height, width, step = read("3i")
            points = file.read(height * width * step)
            camera, (columns, rows) = Camera(read("30d")), read("2i")
            nearest = {}
            for at in range(0, len(points), step):
                *point, _, intensity = struct.unpack_from("<5f", points, at)
                column, row, depth = camera.seen(point) or (-1, -1, 0)
                if 0 <= column < columns and 0 <= row < rows:
                    here = single(100 * depth), intensity
                    nearest[row, column] = min(nearest.get((row, column), here), here)
            pictures.write(struct.pack("<4i", columns, rows, max(nearest)[0], min(nearest)[0]))
            for at in range(rows * columns):
                depth, intensity = nearest.get(divmod(at, columns), (0, 0))
                pictures.write(struct.pack("<4f", intensity, depth, -1.25 if depth else 0, 0))


CHECKS = {check.__name__: check for check in (points2image,)}
