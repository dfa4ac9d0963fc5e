"""Times of the kernels: over a copy of the same bytes, beside libraries, and the sources' ratios."""

import json

from .fidelity import table
from .session import CannotTell
from .source_tables import RATIOS


def measured(session, step, arguments):
    """What the program's bench command prints; None in a dry run."""
    done = session.run(step, [session.binary, "bench", *arguments], quiet=True)
    if done is None:
        return None
    if done[0] != 0:
        raise CannotTell(f"{step} ends with the exit code {done[0]} (above)")
    return json.loads(done[1])


def ratio_to_copy(row, copy):
    """The time over that of a copy that reads and writes as many bytes as count for the row."""
    return row["milliseconds"] / (copy["milliseconds"] * row["bytes"] / copy["bytes"])


def percent(part):
    return f"{100 * part:.1f}%"


def judgement(row, ratio):
    """Whether the target is met; by how much it is missed."""
    if not row["target"]:
        return "–"
    return "met" if ratio <= row["target"] else f"missed by {percent(ratio / row['target'] - 1)}"


def cells(row, copy, by_name):
    if "milliseconds" not in row:
        return [row["name"], str(row["elements"]), row["because"], *["–"] * 6]
    ratio, floor = ratio_to_copy(row, copy), row["floor"]
    peer = by_name.get(row["peer"], {})
    beside = "–"
    if row["peer"]:
        beside = (f"{row['peer']}: {peer['milliseconds'] / row['milliseconds']:.3f}"
                  if "milliseconds" in peer else f"{row['peer']}: not there")
    gigabytes = floor * row["bytes"] / row["milliseconds"] / 1e6
    return [row["name"], str(row["elements"]), f"{row['milliseconds']:.4f}", f"{ratio:.3f}",
            f"{floor:.2f}" if floor else "–", percent(floor / ratio) if floor else "–",
            f"{gigabytes:.0f}" if floor else "–", judgement(row, ratio), beside]


def speed_table(result):
    by_name = {row["name"]: row for row in result["rows"]}
    copy = result["copy"]
    rate = copy["bytes"] / copy["milliseconds"] / 1e6
    return (f"Ratios are to a copy on the device, which moved {rate:.0f} GB/s, read and written. "
            f"Times are the median of {result['repeats']}; the library's speed is 1.\n\n" +
            table(["kernel", "elements", "ms", "ratio", "floor", "of the floor", "effective GB/s",
                   "target", "speed beside a library"],
                  [cells(row, copy, by_name) for row in result["rows"]]))


def ratio_rows(times):
    """The sources' tables; `times` by (name, elements)."""
    rows = []
    for each in RATIOS:
        over, under = (times.get((name, each.elements)) for name in (each.over, each.under))
        rows.append([each.table, each.row, f"{over / under:.3g}" if over and under else "open",
                     each.printed or "–"])
    return rows


def run(session, options):
    sizes = ["--bytes", str(options.bytes), "--repeats", str(options.repeats)]
    result = measured(session, "bench", sizes)
    listed = session.ask(["bench", "--list"])
    known = {name for each in RATIOS for name in (each.over, each.under)}
    if listed is not None:
        known &= {row["name"] for row in json.loads(listed)}
    times = {}
    for elements in sorted({each.elements for each in RATIOS}):
        names = sorted({name for each in RATIOS if each.elements == elements
                        for name in (each.over, each.under) if {each.over, each.under} <= known})
        if not names:
            continue
        part = measured(session, "ratios",
                        ["--elements", str(elements), "--repeats", str(options.repeats), *names])
        if part is not None:
            times.update({(row["name"], elements): row.get("milliseconds") for row in part["rows"]})
    if result is None:
        return
    if not result["rows"]:
        raise CannotTell("there is no benchmark")
    ratios = ratio_rows(times)
    session.write_json("bench.json", {**result, "ratios": ratios})
    device = session.device
    with open(session.result("bench.md"), "w", encoding="utf-8") as file:
        file.write(f"# Times on {device['name']}, driver {device['driver']}\n\n{speed_table(result)}"
                   "# The sources' tables as ratios\n\n" +
                   table(["table", "row", "here", "printed"], ratios))
    print(f"bench: {len(result['rows'])} rows in {session.result('bench.md')}")
