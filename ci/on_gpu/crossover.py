"""The size from which on a scheduled permutation is faster than a random scatter or gather, which gain
from arrays that fit into L2: times by size."""

from .fidelity import table

DESIGNATED = {"D-designated": "permutation_destination.random.float",
              "S-designated": "permutation_source.random.float"}
# Scheduled permutations take the same time for any permutation.
SCHEDULED = {"5 kernels": "permutation_scheduled.float",
             "3 kernels": "permutation_scheduled_in_three.float"}
NAMES = (*DESIGNATED.values(), *SCHEDULED.values())
# The sides of square matrices; those of schedules are multiples of 32.
SIDES = sorted([128 << k for k in range(8)] + [192 << k for k in range(7)])
ELEMENT_BYTES = 4 + 4 + 4  # both arrays and the indices
MIB = 1 << 20


def needed():
    """Names of benchmarks, by elements."""
    return {side * side: set(NAMES) for side in SIDES}


def of_sides(times):
    """The times of NAMES, by side and name, picked from `times`, which has all times by elements and name."""
    return {side: {name: time for name, time in times.get(side * side, {}).items() if name in NAMES}
            for side in SIDES}


def of_size(side):
    return f"{side} x {side}, {side * side * ELEMENT_BYTES / MIB:.1f} MiB"


def crossing(times, designated, scheduled):
    """The least timed size from which on `scheduled` takes less time than `designated` at all timed sizes."""
    faster = None
    for side in reversed(SIDES):
        here = times[side]
        if not here.keys() >= {designated, scheduled}:
            return "open"
        if here[scheduled] >= here[designated]:
            break
        faster = side
    if faster is None:
        return f"not up to {of_size(SIDES[-1])}"
    return f"from {of_size(faster)}" + (" or less" if faster == SIDES[0] else "")


def report(times, l2_bytes):
    """The report in Markdown. Times are those of of_sides(), in milliseconds."""
    def cell(side, name):
        return f"{times[side][name]:.4f}" if name in times[side] else "open"

    return (f"A random permutation of floats. Sizes are of both arrays and the indices; the L2 has "
            f"{l2_bytes / MIB:.1f} MiB.\n\n" +
            table(["elements", "MiB", *(f"{name}, ms" for name in DESIGNATED),
                   *(f"scheduled in {name}, ms" for name in SCHEDULED)],
                  [[f"{side} x {side}", f"{side * side * ELEMENT_BYTES / MIB:.1f}",
                    *(cell(side, name) for name in NAMES)] for side in SIDES]) +
            table(["scheduled in", "is faster than", "where"],
                  [[kernels, variant, crossing(times, designated, scheduled)]
                   for kernels, scheduled in SCHEDULED.items()
                   for variant, designated in DESIGNATED.items()]))
