"""Nsight Compute's counts for each scenario with plain loads and stores, compared with the predictions;
and two counters of its source view, which count wavefronts of shared memory in another way."""

import csv
import os
import re

from . import fidelity
from .session import CannotTell, Failed


# Two counters: the wavefronts of loads and stores together, and the wavefronts without bank conflicts. No
# rule here predicts the second counter.
COUNTED, IDEAL = "memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"


def tools_for(_):
    return {"ncu": "Nsight Compute is part of the CUDA toolkit"}


def metrics_of(predicted):
    return list(dict.fromkeys(metric for each in predicted for launch in each["launches"]
                              for metric in launch["metrics"]))


def plain_name(kernel):
    """The plain name of a demangled kernel, whichever demangler wrote it."""
    return re.split(r"[<(]", kernel)[0].split("::")[-1].split()[-1]


def launches_of(log):
    """The launches in ncu's CSV, one row per launch, as dictionaries by column."""
    lines = log.splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith('"ID"')]
    if not starts:
        return []
    rows = list(csv.DictReader(lines[starts[0]:]))
    return [row for row in rows if row["ID"]]  # a row of units has no ID


def number(text):
    return int(float(text.replace(",", "")))


def measure(session, step, names, metrics):
    """The launches of these scenarios, in order."""
    log = session.result(f"ncu-{step}.csv")
    if not session.dry and os.path.exists(log):
        os.remove(log)
    done = session.run(step, [
        session.tools["ncu"], "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
        "--log-file", log, "--metrics", ",".join(metrics), session.binary, "scenario", *names],
        quiet=True)
    if done is None:
        return None
    text = ""
    if os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            text = file.read()
    if "ERR_NVGPUCTRPERM" in done[1] + text:
        raise CannotTell("the GPU's counters are closed to this user (ERR_NVGPUCTRPERM): ask for root, "
                         "or for NVreg_RestrictProfilingToAdminUsers=0")
    launches = launches_of(text)
    if done[0] != 0 or not launches:
        raise CannotTell(f"the counters cannot be read: ncu exits with {done[0]}\n{text[-2000:]}")
    lacking = [metric for metric in metrics if metric not in launches[0]]
    if lacking:
        raise CannotTell(f"this chip has no {', '.join(lacking)}")
    return launches


def by_scenario(predicted, launches):
    """Each scenario with its launches, as pairs of the predicted and the profiled launch. They come in
    the order of the scenarios."""
    rest = list(launches)
    for scenario in predicted:
        pairs = []
        for launch in scenario["launches"]:
            if not rest or plain_name(rest[0]["Kernel Name"]) != plain_name(launch["kernel"]):
                found = rest[0]["Kernel Name"] if rest else "no further launch"
                raise Failed(f"{scenario['name']}: predicted a launch of {launch['kernel']}, "
                             f"profiled {found}")
            pairs.append((launch["metrics"], rest.pop(0)))
        yield scenario, pairs
    if rest:
        raise Failed(f"profiled {len(rest)} launches more than predicted, "
                     f"the first of {rest[0]['Kernel Name']}")


def compare(predicted, launches):
    """One row per scenario, with the predicted and the measured count of each metric."""
    rows = []
    for scenario, pairs in by_scenario(predicted, launches):
        metrics = {}
        for expected, counted in pairs:
            for metric, count in expected.items():
                sums = metrics.setdefault(metric, [0, 0])
                sums[0] += count
                sums[1] += number(counted[metric])
        rows.append({"name": scenario["name"], "launches": len(scenario["launches"]),
                     "metrics": {metric: {"predicted": sums[0], "measured": sums[1]}
                                 for metric, sums in metrics.items()}})
    return rows


def add_cross_check(rows, predicted, launches):
    """Adds the counts of the source view to each row, as \"cross_check\"."""
    for row, (_, pairs) in zip(rows, by_scenario(predicted, launches), strict=True):
        row["cross_check"] = {metric: sum(number(counted[metric]) for _, counted in pairs)
                              for metric in (COUNTED, IDEAL)}


def cross_check(session, names, predicted, rows):
    """The reason why the source view's counters could not be read; None if they could. Reading them takes
    a separate run, because the nine counters fill one pass."""
    try:
        launches = measure(session, "cross-check", names, [COUNTED, IDEAL])
    except CannotTell as reason:
        return str(reason)
    if launches is not None:
        add_cross_check(rows, predicted, launches)
    return None


def differences(row):
    return [f"{row['name']}: {metric} is {both['measured']}, predicted {both['predicted']}"
            for metric, both in row["metrics"].items() if both["measured"] != both["predicted"]]


def disagreements(row):
    """The row's metrics for which the source view counts other wavefronts of loads and stores than the
    nine counters."""
    if "cross_check" not in row:
        return []
    counted = row["cross_check"][COUNTED]
    both = sum(row["metrics"][metric]["measured"] for metric in fidelity.COLUMNS["wavefronts ld/st"])
    return [] if counted == both else [f"{row['name']}: {COUNTED} is {counted}, "
                                       f"wavefronts of loads and of stores are {both}"]


def run(session, options):
    predicted = session.predictions()
    plain = [each for each in predicted if each["plain"]]
    others = [each for each in predicted if not each["plain"]]
    names = [each["name"] for each in plain] or ["EACH-WITH-PLAIN-ACCESSES"]
    metrics = metrics_of(plain) or ["THE-NINE-METRICS"]
    launches = measure(session, "counters", names, metrics)
    rows = [] if launches is None else compare(plain, launches)
    unread = cross_check(session, names, plain, rows)
    if launches is None:
        return
    left_out = [{"name": each["name"], "because": each["because"]} for each in others]
    session.write_json("counters.json", {"rows": rows, "left_out": left_out})
    text = fidelity.tables(session.device, rows, left_out)
    with open(session.result("counters.md"), "w", encoding="utf-8") as file:
        file.write(text)
    if options.write:
        fidelity.write(os.path.join(session.root, "docs", "fidelity.md"), text)
    wrong = [line for row in rows for line in differences(row)]
    unlike = [line for row in rows for line in disagreements(row)]
    for line in wrong + unlike:
        print(f"counters: {line}")
    if wrong:
        raise Failed(f"{len(wrong)} counters are not as predicted; "
                     f"reproduce one: ncu … {os.path.basename(session.binary)} scenario NAME")
    if unlike:
        raise Failed(f"{len(unlike)} cross-checks disagree with the counters")
    print(f"counters: {len(rows)} scenarios as predicted, {len(left_out)} left out")
    if unread:
        raise CannotTell(f"the counters are as predicted, but not cross-checked: {unread}")
