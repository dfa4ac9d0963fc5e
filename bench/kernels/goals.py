"""The goals of checked execution beside what was measured in the same run, as a table."""

# Kernel, counter, its unit, then the goals: interpreted, compiled, and compiled as a share of the
# plain loop. A goal that is a speed holds as it stands or, where there is a share, as that share.
SPEEDS = [
    ("copy", "accesses/s", 1e6, 500, 1100, 0.23),
    ("in place", "accesses/s", 1e6, 600, 1200, 0.13),
    ("shared", "accesses/s", 1e6, 600, 2000, None),
    ("reduction", "accesses/s", 1e6, 250, 600, 0.09),
    ("stencil", "accesses/s", 1e6, 400, 900, None),
    ("transpose", "accesses/s", 1e6, 200, 280, None),
    ("random", "accesses/s", 1e6, 50, 50, 0.17),
    ("random in cache", "accesses/s", 1e6, 250, 250, None),
    ("arithmetic", "instructions/s", 1e9, None, 40, None),
    ("hashes", "instructions/s", 1e9, None, 35, None),
    ("collatz", "instructions/s", 1e9, None, 12, None),
]
MOST_COLD = 2.0
MOST_MEMORY = 2.5
LEAST_CORES = {"random": 1.7}
USUAL_CORES = 1.9


def shown(value, digits=0):
    return "" if value is None else f"{value:,.{digits}f}"


def speeds(table, row):
    """Interpreted and compiled speeds beside their goals."""
    row(["M accesses/s; G instructions/s", "goal", "interpreted", "goal", "compiled", "goal, of plain",
         "of plain", "missing"])
    row(["---"] * 8)
    for kernel, key, unit, interpreted, compiled, share in SPEEDS:
        best = "avx2" if table.value(kernel, "avx2", key) else "portable"
        measured = [(table.value(kernel, way, key) or 0.0) / unit for way in (best, "compiled")]
        plain = (table.value(kernel, "plain", key) or 0.0) / unit
        of_plain = measured[1] / plain if plain else None
        holds = share is not None and of_plain is not None and of_plain >= share
        missing = [f"{100 * (1 - is_now / goal):.0f} %"
                   for is_now, goal in zip(measured, (interpreted, compiled))
                   if goal is not None and is_now < goal and not holds]
        digits = 1 if unit == 1e9 else 0
        row([kernel, shown(interpreted), shown(measured[0], digits), shown(compiled),
             shown(measured[1], digits), shown(share, 2),
             shown(of_plain, 3) if key == "accesses/s" else "", ", ".join(missing)])
    print()


def ratios(table, row, kernels):
    """What a first launch, memory and a second core cost, beside their goals."""
    row(["kernel", f"cold / warm, goal ≤ {MOST_COLD:.0f}", f"memory / buffers, goal ≤ {MOST_MEMORY}",
         "one core / two, goal ≥ 1.9, random ≥ 1.7"])
    row(["---"] * 4)

    def marked(value, holds):
        return "" if value is None else f"{value:.1f}" + ("" if holds(value) else " (missed)")

    def ratio(kernel, above, below, key):
        a, b = table.value(kernel, above, key), table.value(kernel, below, key)
        return a / b if a and b else None

    for kernel in kernels:
        least = LEAST_CORES.get(kernel, USUAL_CORES)
        row([kernel,
             marked(ratio(kernel, "cold", "avx2", "cpu_time"), lambda x: round(x, 1) <= MOST_COLD),
             marked(table.value(kernel, "session", "memory"), lambda x: round(x, 1) <= MOST_MEMORY),
             marked(ratio(kernel, "avx2", "threads:2", "real_time"),
                    lambda x, least=least: round(x, 1) >= least)])
    print()
