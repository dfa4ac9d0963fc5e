"""The page on GPUVerify's test suite: counts, and the kernels that are not as the suite says."""

import collections

BUILT = ("proved", "refuted", "unknown", "unsupported", "nothing", "timeout")
COLUMNS = (*BUILT, "not built")
EXPECTED = {True: "proved", False: "refuted"}

HEAD = """# GPUVerify's test suite

`ci/gpuverify` asks [`bankproof prove --kernel`](proving-kernels.md) about the kernels of GPUVerify's CUDA test suite
(mc-imperial/gpuverify), and writes this page. The suite says which kernels are right and which have a fault. The
claims are `race`, `blocks`, `barriers` and `asserts`, and `bounds` of those that should fail; their buffers have no
stated sizes. A kernel is *proved* if each claim of which it has something is proved by two solvers, and *refuted* if
the machine has shown a fault of it in a launch. *Nothing* counts kernels that have nothing that the claims are about:
many of the suite compute what nobody reads, and the compiler leaves nothing of them. Conditions of the suite (`__requires`) end the threads for which they
do not hold; statements about all threads (`__global_requires`, contracts of functions) count for nothing.
"""


def explanations(path):
    """`FILE: why its result is right`, in lines."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    return dict(line.split(": ", 1) for line in lines)


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")[:200]


def counts(results, passes):
    kind = "pass" if passes else "fail"
    lines = [f"| compiled by | should {kind} | compiled | " + " | ".join(COLUMNS) + " |",
             "|---|" + "---:|" * (2 + len(COLUMNS))]
    for variant, rows in results.items():
        outcomes = [row["outcome"] for row in rows if row["passes"] == passes]
        lines.append(f"| {variant} | {len(outcomes)} | {sum(one in BUILT for one in outcomes)} | "
                     + " | ".join(str(outcomes.count(one)) for one in COLUMNS) + " |")
    return "\n".join(lines) + "\n"


def others(results, passes, explained):
    """The kernels that are not as expected by any compiler."""
    by_file = {}
    for variant, rows in results.items():
        for row in rows:
            if row["passes"] == passes:
                by_file.setdefault(row["file"], {})[variant] = row
    lines = ["| kernel | " + " | ".join(results) + " | why |", "|---|" + "---|" * len(results) + "---|"]
    for name, rows in sorted(by_file.items()):
        outcomes = [row["outcome"] for row in rows.values()]
        if EXPECTED[passes] in outcomes and (not passes or "refuted" not in outcomes):
            continue
        reason = explained.get(name) or next((row["reason"] for row in rows.values() if row["reason"]), "")
        shown = [rows[variant]["outcome"] if variant in rows else "-" for variant in results]
        lines.append(f"| `{name}` | " + " | ".join(shown) + f" | {cell(reason)} |")
    return "\n".join(lines) + "\n"


def not_as_expected(results):
    """The files that should pass and are refuted, or that should fail, are proved and never refuted. A compiler
    that optimizes may have removed a fault."""
    outcomes = {}
    for rows in results.values():
        for row in rows:
            outcomes.setdefault((row["file"], row["passes"]), set()).add(row["outcome"])
    return {name for (name, passes), all_of in outcomes.items()
            if "refuted" in all_of and passes or "proved" in all_of and "refuted" not in all_of and not passes}


def found(results, passes):
    """How many are as expected in some variant, and of how many."""
    files = {row["file"] for rows in results.values() for row in rows if row["passes"] == passes}
    right = {row["file"] for rows in results.values() for row in rows
             if row["passes"] == passes and row["outcome"] == EXPECTED[passes]}
    return len(right), len(files)


def with_nothing(results):
    """How many kernels that should pass have nothing to be proved in any variant that builds them."""
    outcomes = collections.defaultdict(set)
    for rows in results.values():
        for row in rows:
            if row["passes"]:
                outcomes[row["file"]].add(row["outcome"])
    return sum("nothing" in each and each <= {"nothing", "not built"} for each in outcomes.values())


def seconds(results):
    spent = sorted(row["seconds"] for rows in results.values() for row in rows if row["outcome"] in BUILT)
    return spent[len(spent) // 2] if spent else 0


def page(results, explained):
    right, passing = found(results, True)
    refuted, failing = found(results, False)
    return "\n".join((
        HEAD,
        f"In some variant, {right} of the {passing} kernels that should pass are proved, and {refuted} of the "
        f"{failing} that should fail are refuted; {with_nothing(results)} of those that should pass have nothing to be "
        f"proved in any variant. A compiler may remove a fault when it optimizes. Compiling a file and deciding its claims takes {seconds(results)} s "
        "in the middle.\n",
        counts(results, True), counts(results, False),
        "## Should pass, and are refuted, or are proved by no compiler\n", others(results, True, explained),
        "## Should fail, and are refuted by no compiler\n", others(results, False, explained)))
