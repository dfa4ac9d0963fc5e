"""The sources' tables as ratios of times: a row is two benchmarks at a size, and what is printed.

Names are those of `bankproof-gpu bench --list`. A ratio whose kernels are not there yet is left
open. Printed times are of the sources' own GPUs.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ratio:
    table: str
    row: str
    over: str  # the benchmark whose time is above the line
    under: str  # and below
    elements: int
    printed: str  # as the source has it; "" where it gives a picture alone


def mod_8():
    """MOD figure 8: sum, simple and optimal prefix sums; one block, and global memory."""
    for variant in ("simple", "optimal"):
        for k in range(5, 13):
            yield Ratio("MOD 8, shared memory", f"{variant} / sum, n = 2^{k}",
                        f"prefix_sums_{variant}.float", "sum_pairwise.float", 1 << k, "")
        for k in range(10, 28):
            yield Ratio("MOD 8, global memory", f"{variant} / sum, n = 2^{k}",
                        f"prefix_sums_{variant}_global.float", "sum_columns.float", 1 << k, "")


def ths_4_2():
    """THS table 4.2: in the shared memory of one block, the conventional way over the other."""
    for kind in ("random", "bit-reversal"):
        yield Ratio("THS 4.2", f"D-designated / conflict-free, {kind}",
                    f"permutation_shared_destination.{kind}.float",
                    f"permutation_shared_conflict_free.{kind}.float", 1024, "")


def opt_figures():
    """OPT figures 3 to 6: over p, v, p and m; each over the time at the last value of the sweep."""
    image, product = "image_convolution_by_tiles", "matrix_product_by_tiles"
    for threads in (64, 128, 256, 512):
        yield Ratio("OPT 3", f"p = {threads} / 1024, v = 3", f"{image}.v3.p{threads}.float",
                    f"{image}.v3.p1024.float", 1 << 20, "")
        yield Ratio("OPT 5", f"p = {threads} / 1024, m = 32", f"{product}.m32.p{threads}.float",
                    f"{product}.m32.p1024.float", 1 << 20, "")
    for v in (1, 2, 3, 4, 5, 6):
        yield Ratio("OPT 4", f"v = {v} / 7, p = 1024", f"{image}.v{v}.p1024.float",
                    f"{image}.v7.p1024.float", 1 << 20, "")
    for m, threads in ((8, 64), (16, 64), (32, 1024)):
        yield Ratio("OPT 6", f"m = {m} / 64", f"{product}.m{m}.p{threads}.float",
                    f"{product}.m64.p1024.float", 1 << 20, "")


def ths_5_2():
    """THS table 5.2 (a), in milliseconds, for side x side floats."""
    printed = {256: (1.6, 3.87), 512: (15.6, 11.7), 1024: (95.3, 47), 2048: (459, 173),
               4096: (2328, 780)}
    for side, (conventional, scheduled) in printed.items():
        yield Ratio("THS 5.2", f"bit-reversal, D-designated / scheduled, {side} x {side}",
                    "permutation_destination.bit-reversal.float",
                    "permutation_scheduled.float", side * side,
                    f"{conventional / scheduled:.3g}")


def ths_6_2():
    """THS table 6.2, in milliseconds: 2R1W, 1R1W and 1.25R1W of thousands x thousands."""
    printed = {1: (0.332, 0.902, 0.453), 2: (0.850, 1.46, 1.05), 3: (1.83, 2.43, 1.96),
               4: (3.09, 3.65, 3.25), 5: (4.79, 5.05, 4.71), 6: (6.78, 6.81, 6.41),
               7: (9.25, 8.71, 8.47), 8: (12.3, 10.9, 10.8), 10: (18.9, 16.2, 16.5),
               12: (27.2, 22.6, 23), 14: (36.8, 29.7, 31.2), 16: (48.7, 38, 40.7),
               18: (61, 53.8, 57.6)}
    for thousands, (two_reads, one_read, hybrid) in printed.items():
        elements = (thousands * 1024) ** 2
        yield Ratio("THS 6.2", f"2R1W / 1R1W, {thousands}K", "summed_area_table_2r1w.float",
                    "summed_area_table_1r1w.float", elements, f"{two_reads / one_read:.3g}")
        yield Ratio("THS 6.2", f"1.25R1W / 1R1W, {thousands}K", "summed_area_table_hybrid.float",
                    "summed_area_table_1r1w.float", elements, f"{hybrid / one_read:.3g}")


RATIOS = [*mod_8(), *ths_4_2(), *ths_5_2(), *ths_6_2(), *opt_figures()]
