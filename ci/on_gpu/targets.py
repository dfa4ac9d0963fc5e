"""Whether a benchmark reaches what it is held to, and what limits it where it does not."""

NOT_JUDGED, NONE = "not judged", "–"
LEAST_BYTES = 1 << 30  # of arrays that targets are for


def ratio_to_copy(row, copy):
    """The time over that of a copy that reads and writes as many bytes as count for the row."""
    return row["milliseconds"] / (copy["milliseconds"] * row["bytes"] / copy["bytes"])


def percent(part):
    return f"{100 * part:.1f}%"


def shortfall(row, goal, copy, by_name):
    """The part of a goal, not above 0 if it is reached, that the row lacks; or why nobody can say.

    A goal against a copy is the most of a ratio of times; one against a library the least of a speed,
    and the library's is 1.
    """
    if row["against"] == "copy":
        return ratio_to_copy(row, copy) / goal - 1
    peer = by_name.get(row["peer"], {})
    if "milliseconds" not in peer:
        return f"{NOT_JUDGED}: no time of {row['peer']}"
    return 1 - peer["milliseconds"] / row["milliseconds"] / goal


def judgement(row, which, result, by_name):
    """Of the row's `which`, target or stretch: what it is, and whether it is met or by how much it is
    missed."""
    goal = row[which]
    if not goal:
        return NONE
    shown = f"{goal:.2f}" if row["against"] == "copy" else f"{goal:.2f} of the library's speed"
    if result["least_bytes"] < LEAST_BYTES:
        return f"{shown}: {NOT_JUDGED}: arrays of fewer than 2^30 bytes"
    if "milliseconds" not in row:
        return f"{shown}: {NOT_JUDGED}: no time"
    lacks = shortfall(row, goal, result["copy"], by_name)
    if isinstance(lacks, str):
        return f"{shown}: {lacks}"
    return f"{shown}: met" if lacks <= 0 else f"{shown}: missed by {percent(lacks)}"


def judge(result, least_bytes):
    """Adds to each row what is said of its target and stretch; prints of targets what is not met."""
    by_name = {row["name"]: row for row in result["rows"]}
    result["least_bytes"] = least_bytes
    counts = {"met": 0, "missed": 0, NOT_JUDGED: 0}
    for row in result["rows"]:
        row["judged"] = {which: judgement(row, which, result, by_name) for which in ("target", "stretch")}
        of_target = row["judged"]["target"]
        if of_target == NONE:
            continue
        counts[next(word for word in counts if f": {word}" in of_target)] += 1
        if not of_target.endswith(": met"):
            print(f"bench: target of {row['name']}: {of_target}; its limit: {row['limit']}")
    print("bench: targets: " + ", ".join(f"{count} {word}" for word, count in counts.items()))
