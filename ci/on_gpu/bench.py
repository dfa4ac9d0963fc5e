"""Times of the kernels: relative to a copy of the same bytes, beside libraries, and as the sources'
ratios."""

import json
from collections import Counter

from . import crossover
from .fidelity import table
from .session import CannotTell
from .source_tables import CELLS
from .targets import judge, percent, ratio_to_copy


def tools_for(_):
    return {}


def measured(session, step, arguments):
    """The output of the program's bench command; None in a dry run."""
    done = session.run(step, [session.binary, "bench", *arguments], quiet=True)
    if done is None:
        return None
    if done[0] != 0:
        raise CannotTell(f"{step} ends with the exit code {done[0]} (above)")
    return json.loads(done[1])


def cells(row, copy, by_name):
    judged = row["judged"]
    if "milliseconds" not in row:
        return [row["name"], str(row["elements"]), row["because"], *["–"] * 4, row["limit"] or "–",
                judged["target"], judged["stretch"], "–"]
    ratio, floor = ratio_to_copy(row, copy), row["floor"]
    peer = by_name.get(row["peer"], {})
    beside = "–"
    if row["peer"]:
        beside = (f"{row['peer']}: {peer['milliseconds'] / row['milliseconds']:.3f}"
                  if "milliseconds" in peer else f"{row['peer']}: not there")
    gigabytes = floor * row["bytes"] / row["milliseconds"] / 1e6
    return [row["name"], str(row["elements"]), f"{row['milliseconds']:.4f}", f"{ratio:.3f}",
            f"{floor:.2f}" if floor else "–", percent(floor / ratio) if floor else "–",
            f"{gigabytes:.0f}" if floor else "–", row["limit"] or "–", judged["target"],
            judged["stretch"], beside]


def speed_table(result):
    by_name = {row["name"]: row for row in result["rows"]}
    copy = result["copy"]
    rate = copy["bytes"] / copy["milliseconds"] / 1e6
    return (f"Ratios are to a copy on the device, which moved {rate:.0f} GB/s, read and written. "
            f"Times are the median of {result['repeats']}; the library's speed is 1. Targets are for "
            "an H200. The limit is what sets the floor.\n\n" +
            table(["kernel", "elements", "ms", "ratio", "floor", "of the floor", "effective GB/s",
                   "limit", "target", "stretch", "speed beside a library"],
                  [cells(row, copy, by_name) for row in result["rows"]]))


def cells_of_tables(times):
    """The cells of the sources' tables, given milliseconds by elements and name."""
    return [[cell.table, cell.row,
             cell.value(times[cell.elements])
             if times.get(cell.elements, {}).keys() >= set(cell.names()) else "open",
             cell.printed or "–"] for cell in CELLS]


def needed_for_tables():
    """The names of the benchmarks, by elements."""
    needed = crossover.needed()
    for cell in CELLS:
        needed.setdefault(cell.elements, set()).update(cell.names())
    return needed


def times_for_tables(session, options):
    """The times of everything that the sources' tables and the crossover need, by elements and name.
    What could not be timed is missing, as is everything in a dry run."""
    for name, count in Counter(cell.table for cell in CELLS).items():
        print(f"tables: {name}: {count} cells")
    print(f"tables: crossover of random permutations: {len(crossover.SIDES)} sizes")
    listed = session.ask(["bench", "--list"])
    known = None if listed is None else {row["name"] for row in json.loads(listed)}
    times = {}
    for elements, names in sorted(needed_for_tables().items()):
        if known is not None:
            names &= known
        if not names:
            continue
        part = measured(session, "tables", ["--elements", str(elements), "--repeats",
                                            str(options.repeats), *sorted(names)])
        if part is not None:
            times[elements] = {row["name"]: row["milliseconds"] for row in part["rows"]
                               if "milliseconds" in row}
            for row in part["rows"]:
                if "because" in row:
                    print(f"tables: {row['name']} of {elements} elements: {row['because']}")
    return times


def run(session, options):
    sizes = ["--bytes", str(options.bytes), "--repeats", str(options.repeats)]
    result = measured(session, "bench", sizes)
    times = times_for_tables(session, options)
    if result is None:
        return
    if not result["rows"]:
        raise CannotTell("there is no benchmark")
    judge(result, options.bytes)
    ratios = cells_of_tables(times)
    crossing = crossover.of_sides(times)
    session.write_json("bench.json", {**result, "ratios": ratios, "crossover": crossing})
    device = session.device
    with open(session.result("bench.md"), "w", encoding="utf-8") as file:
        file.write(f"# Times on {device['name']}, driver {device['driver']}\n\n{speed_table(result)}"
                   "# Where random permutations cross\n\n"
                   f"{crossover.report(crossing, device['l2_bytes'])}"
                   "# The sources' tables as ratios\n\n" +
                   table(["table", "row", "here", "printed"], ratios))
    open_cells = sum(row[2] == "open" for row in ratios)
    print(f"bench: {len(result['rows'])} rows in {session.result('bench.md')}; of {len(ratios)} cells "
          f"of the sources' tables {open_cells} are open")
