"""The sources' tables as ratios of times, beside the printed values.

Names are those of `bankproof-gpu bench --list`. Printed times are from the sources' own GPUs. For a
figure without numbers, words repeat the statement of the source's text. A cell whose kernels were not
timed is open.
"""

from dataclasses import dataclass

ALIKE = "about 1, in words"
MORE = "more than 1, in words"


@dataclass(frozen=True)
class Ratio:
    """The least time of some benchmarks divided by the least time of others, at one size."""
    table: str
    row: str
    over: tuple
    under: tuple
    elements: int
    printed: str = ""  # as in the source; "" if the source only has a picture

    def names(self):
        return (*self.over, *self.under)

    def value(self, milliseconds):
        """The ratio, given the times by name."""
        over, under = (min(milliseconds[name] for name in names) for names in (self.over, self.under))
        return f"{over / under:.3g}"


@dataclass(frozen=True)
class Best:
    """The label of the fastest of some benchmarks, at one size."""
    table: str
    row: str
    called: dict
    elements: int
    printed: str = ""

    def names(self):
        return tuple(self.called)

    def value(self, milliseconds):
        return self.called[min(self.called, key=milliseconds.get)]


def ratio(table, row, over, under, elements, printed=""):
    return Ratio(table, row, (over,), (under,), elements, printed)


def quotient(over, under):
    return f"{over / under:.3g}"


def mod_8():
    """MOD figure 8: sum, simple and optimal prefix sums of floats; one block, and global memory."""
    said = {("simple", 5): ALIKE, ("simple", 12): MORE, ("optimal", 5): MORE}
    for variant in ("simple", "optimal"):
        for k in range(5, 13):
            yield ratio("MOD 8, shared memory", f"{variant} / sum, n = 2^{k}",
                        f"prefix_sums_{variant}.float", "sum_pairwise.float", 1 << k,
                        said.get((variant, k), ""))
        for k in range(10, 28):
            yield ratio("MOD 8, global memory", f"{variant} / sum, n = 2^{k}",
                        f"prefix_sums_{variant}_global.float", "sum_columns.float", 1 << k)
    for k in range(10, 28):
        yield ratio("MOD 8, global memory", f"simple / optimal, n = 2^{k}",
                    "prefix_sums_simple_global.float", "prefix_sums_optimal_global.float", 1 << k,
                    MORE if k == 27 else "")


# Times of THS tables 4.2 and 4.4, in nanoseconds: for the D-designated, the S-designated and the
# conflict-free permutation with index arrays, then for the same three permutations in place.
COPY = 102.8
OF_1024 = {
    "THS 4.2": ("double", {"identity": (135.4, 124.4, 167.1),
                           "random": (247.8, 275.5, 166.7),
                           "transpose": (1684, 1696, 167.1, 1626, 1633, 105.4),
                           "shuffle": (178.4, 183.4, 166.9, 160.0, 161.3, 105.4),
                           "bit-reversal": (1684, 1697, 166.9, 1668, 1677, 109.0)}),
    "THS 4.4": ("float", {"identity": (135.5, 123.6, 164.9),
                          "random": (245.9, 265.8, 164.9),
                          "transpose": (876.3, 891.0, 164.7, 839.3, 847.5, 105.5),
                          "shuffle": (135.3, 183.2, 164.9, 104.0, 161.3, 105.0),
                          "bit-reversal": (876.3, 891.2, 164.8, 862.0, 870.5, 108.9)}),
}


def ths_4():
    """THS tables 4.2 and 4.4: 1024 elements in the shared memory of one block, relative to a copy."""
    variants = {"destination": "D-designated", "source": "S-designated",
                "conflict_free": "conflict-free"}
    variants.update({f"in_place_{variant}": f"{name} in place"
                     for variant, name in list(variants.items())})
    for table, (element, of_kinds) in OF_1024.items():
        for kind, times in of_kinds.items():
            for (variant, name), time in zip(variants.items(), times):
                yield ratio(table, f"{name} / copy, {kind}",
                            f"permutation_shared_{variant}.{kind}.{element}",
                            f"permutation_shared_copy.{element}", 1024, quotient(time, COPY))


# THS 5.2, in milliseconds, for sides from 256 on, each twice the previous side.
SCHEDULED = {"float": {"identity": (3.87, 11.7, 46.9, 173, 780),
                       "shuffle": (3.87, 11.7, 46.9, 174, 780),
                       "random": (3.87, 11.7, 47, 173, 780),
                       "bit-reversal": (3.87, 11.7, 47, 173, 780),
                       "transpose": (3.87, 11.7, 46.9, 173, 780)},
             "double": {"identity": (5.07, 16.9, 66.6, 275),
                        "shuffle": (5.09, 17.0, 66.7, 275),
                        "random": (5.09, 17.0, 66.6, 275),
                        "bit-reversal": (5.09, 17.0, 66.6, 275),
                        "transpose": (5.12, 17.0, 66.6, 275)}}
DESIGNATED = {
    "float": {"destination": {"identity": (0.86, 2.48, 9.06, 33.2, 130),
                              "shuffle": (0.94, 3.05, 11.5, 44.7, 186),
                              "random": (1.55, 15.1, 93.9, 425, 1756),
                              "bit-reversal": (1.6, 15.6, 95.3, 459, 2328),
                              "transpose": (1.44, 21.2, 127, 636, 2850)},
              "source": {"identity": (0.86, 2.49, 9.13, 33.1, 129),
                         "shuffle": (0.84, 2.47, 9.09, 33.6, 133),
                         "random": (3.3, 15.7, 89.8, 398, 1644),
                         "bit-reversal": (3.12, 20.8, 96.6, 414, 1870),
                         "transpose": (2.72, 17.8, 87, 370, 2037)}},
    "double": {"destination": {"identity": (1.07, 3.57, 13.5, 54.6),
                               "shuffle": (1.44, 5.14, 19.7, 82.2),
                               "random": (2.98, 21.6, 104, 452),
                               "bit-reversal": (3.00, 22.0, 108, 559),
                               "transpose": (2.07, 22.2, 134, 638)},
               "source": {"identity": (1.07, 3.60, 13.8, 54.6),
                          "shuffle": (1.08, 3.57, 13.6, 54.6),
                          "random": (3.4, 21.3, 100, 424),
                          "bit-reversal": (3.36, 25.0, 104, 498),
                          "transpose": (2.99, 15.4, 80.3, 358)}},
}
LETTERS = {"destination": "D", "source": "S"}


def ths_5_2():
    """THS table 5.2: D- and S-designated relative to scheduled; and larger sizes, to see where they
    cross."""
    for element, of_variants in DESIGNATED.items():
        for variant, of_kinds in of_variants.items():
            for kind, times in of_kinds.items():
                printed = [quotient(*both) for both in zip(times, SCHEDULED[element][kind])]
                printed += ["", ""] if element == "float" else [""]
                for doublings, cell in enumerate(printed):
                    side = 256 << doublings
                    yield ratio("THS 5.2", f"{LETTERS[variant]}-designated / scheduled, {kind}, "
                                f"{side} x {side} of {element}",
                                f"permutation_{variant}.{kind}.{element}",
                                f"permutation_scheduled.{element}", side * side, cell)


# THS 6.2, in milliseconds, for doubles; CPU times are for one processor.
THOUSANDS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18)
TABLES = {
    "2R2W": (1.47, 3.28, 5.71, 9.53, 13.6, 23.9, 27.1, 47.8, 90.8, 163, 160, 234, 401),
    "4R4W": (1.07, 2.52, 4.48, 6.77, 9.67, 13.7, 17.2, 22.2, 33.9, 50.4, 64.2, 83.1, 117),
    "4R1W": (11.5, 22.9, 36.4, 50.1, 113, 104, 173, 252, 315, 597, 437, 742, 1600),
    "2R1W": (0.332, 0.850, 1.83, 3.09, 4.79, 6.78, 9.25, 12.3, 18.9, 27.2, 36.8, 48.7, 61),
    "1R1W": (0.902, 1.46, 2.43, 3.65, 5.05, 6.81, 8.71, 10.9, 16.2, 22.6, 29.7, 38, 53.8),
    "1.25R1W": (0.453, 1.05, 1.96, 3.25, 4.71, 6.41, 8.47, 10.8, 16.5, 23, 31.2, 40.7, 57.6),
    "fastest (1+r)R1W": (0.365, 0.958, 1.94, 3.16, 4.58, 6.32, 8.25, 10.5, 15.7, 22.0, 29.1, 37.5,
                         53.1),
    "2R2W on the CPU": (25.9, 107, 241, 427, 670, 966, 1310, 1690, 2670, 3850, 5250, 6760, 8670),
    "4R1W on the CPU": (18.0, 73.2, 165, 293, 459, 660, 904, 1160, 1830, 2660, 3600, 4590, 5950),
}
BEST_R = (0.168, 0.174, 0.172, 0.159, 0.136, 0.123, 0.0876, 0.103, 0.0963, 0.0710, 0.0835, 0.0694,
          0.0725)
SUMMED = "summed_area_table_"
HYBRIDS = {f"{SUMMED}hybrid.r{k * k}of256.double": f"{k * k / 256:.3g}" for k in range(1, 11)}
VARIANTS = {**{f"{variant.upper()}": (f"{SUMMED}{variant}.double",)
               for variant in ("2r2w", "4r4w", "4r1w", "2r1w", "1r1w")},
            "1.25R1W": (f"{SUMMED}hybrid.r64of256.double",),
            "fastest (1+r)R1W": tuple(HYBRIDS),
            **{f"{variant.upper()} on the CPU": (f"{SUMMED}{variant}.host.double",)
               for variant in ("2r2w", "4r1w")}}


def ths_6_2():
    """THS table 6.2 relative to 1R1W; and the CPU's best relative to the GPU's (THS 6.6)."""
    pairs = [(variant, "1R1W") for variant in VARIANTS if variant != "1R1W"]
    pairs += [("4R1W on the CPU", "fastest (1+r)R1W")]
    for k, thousands in enumerate(THOUSANDS):
        elements = (thousands * 1024) ** 2
        for over, under in pairs:
            yield Ratio("THS 6.2", f"{over} / {under}, {thousands}K", VARIANTS[over], VARIANTS[under],
                        elements, quotient(TABLES[over][k], TABLES[under][k]))
        yield Best("THS 6.2", f"r of the fastest (1+r)R1W, {thousands}K", HYBRIDS, elements,
                   f"{BEST_R[k]:.3g}")


def doubled_up_to(last):
    return [1 << k for k in range(last.bit_length())]


def sweep(figure, benchmark, lines, last):
    """The times of all lines over d, relative to the last line at the greatest d. A line is given as
    (letter, value, the benchmark's v or m and p)."""
    name = f"{benchmark}_by_tiles.{{}}.d{{}}.float"
    under = name.format(lines[-1][2], last)
    for letter, value, shape in lines:
        for d in doubled_up_to(last):
            over = name.format(shape, d)
            if over != under:
                letter_of_last, of_last, _ = lines[-1]
                yield ratio(figure, f"{letter} = {value}, d = {d} / "
                            f"{letter_of_last} = {of_last}, d = {last}", over, under, 1 << 20)


def alike(figure, benchmark, shapes, from_d, last):
    """The ratios of two shapes that take almost the same time, as the source's text says. A shape is given
    with its description."""
    name = f"{benchmark}_by_tiles.{{}}.d{{}}.float"
    (over, of_over), (under, of_under) = shapes
    for d in doubled_up_to(last):
        if d >= from_d:
            yield ratio(figure, f"{of_over} / {of_under}, d = {d}", name.format(over, d),
                        name.format(under, d), 1 << 20, ALIKE)


def opt_figures():
    """OPT figures 3 to 6, for 1024 x 1024 floats: times over d, in the four figures for each p, v, p and
    m."""
    threads = (64, 128, 256, 512, 1024)
    image, product = "image_convolution", "matrix_product"
    yield from sweep("OPT 3", image, [("p", p, f"v3.p{p}") for p in threads], 1024)
    yield from alike("OPT 3", image, [("v3.p512", "p = 512"), ("v3.p1024", "p = 1024")], 32, 1024)
    radii = (15, 10, 7, 5, 3, 2, 1)
    yield from sweep("OPT 4", image, [("v", v, f"v{v}.p1024") for v in radii], 1024)
    for v in radii:
        for d in (64, 128, 256, 512):
            yield ratio("OPT 4", f"v = {v}, d = {d} / d = 1024",
                        f"{image}_by_tiles.v{v}.p1024.d{d}.float",
                        f"{image}_by_tiles.v{v}.p1024.d1024.float", 1 << 20, ALIKE)
    yield from sweep("OPT 5", product, [("p", p, f"m32.p{p}") for p in threads], 1024)
    for p in (256, 512):
        yield from alike("OPT 5", product,
                         [(f"m32.p{p}", f"p = {p}"), ("m32.p1024", "p = 1024")], 32, 1024)
    yield from sweep("OPT 6", product, [("m", m, f"m{m}.p1024") for m in (16, 32, 64)], 256)
    yield from alike("OPT 6", product, [("m32.p1024", "m = 32"), ("m64.p1024", "m = 64")], 256, 256)


CELLS = [*mod_8(), *ths_4(), *ths_5_2(), *ths_6_2(), *opt_figures()]
