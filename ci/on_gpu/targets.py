"""Whether a benchmark reaches its goals, and if not, what limits it."""

NOT_JUDGED, NONE = "not judged", "–"
LEAST_BYTES = 1 << 30  # of the arrays that the targets are for


def ratio_to_copy(row, copy):
    """The time relative to a copy that reads and writes the number of bytes that the row's goal
    counts."""
    return row["milliseconds"] / (copy["milliseconds"] * row["bytes"] / copy["bytes"])


def percent(part):
    return f"{100 * part:.1f}%"


def shortfall(row, goal, copy, by_name):
    """The fraction by which the row misses a goal, 0 or less if it reaches the goal; or the reason why
    that is unknown.

    A goal against a copy is the greatest allowed ratio of times. A goal against a library is the least
    speed, where the library's speed is 1.
    """
    if row["against"] == "copy":
        return ratio_to_copy(row, copy) / goal - 1
    peer = by_name.get(row["peer"], {})
    if "milliseconds" not in peer:
        return f"{NOT_JUDGED}: no time of {row['peer']}"
    return 1 - peer["milliseconds"] / row["milliseconds"] / goal


def judgement(row, which, result, by_name):
    """For the row's `which`, target or stretch: the goal, and whether the row meets it or by how much
    it misses it."""
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
    """Adds the judgements of target and stretch to each row, and prints the targets that are not met."""
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
