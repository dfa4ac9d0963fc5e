"""What Nsight Compute counts of each scenario with plain loads and stores, against the predictions."""

import csv
import os
import re

from . import fidelity
from .session import CannotTell, Failed


def metrics_of(predicted):
    return list(dict.fromkeys(metric for each in predicted for launch in each["launches"]
                              for metric in launch["metrics"]))


def plain_name(kernel):
    """A demangled kernel's name alone, whichever demangler wrote it."""
    return re.split(r"[<(]", kernel)[0].split("::")[-1].split()[-1]


def launches_of(log):
    """The launches in ncu's CSV with a row a launch: dictionaries by column."""
    lines = log.splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith('"ID"')]
    if not starts:
        return []
    rows = list(csv.DictReader(lines[starts[0]:]))
    return [row for row in rows if row["ID"]]  # a row of units has none


def number(text):
    return int(float(text.replace(",", "")))


def measure(session, names, metrics):
    """The launches of these scenarios, in order."""
    ncu = session.tool("ncu", "Nsight Compute is part of the CUDA toolkit")
    log = session.result("ncu.csv")
    if not session.dry and os.path.exists(log):
        os.remove(log)
    done = session.run("counters", [
        ncu, "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
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


def compare(predicted, launches):
    """Rows of both sides, a scenario each. Launches come in the order of the scenarios."""
    rows, rest = [], list(launches)
    for scenario in predicted:
        metrics = {}
        for launch in scenario["launches"]:
            if not rest or plain_name(rest[0]["Kernel Name"]) != plain_name(launch["kernel"]):
                found = rest[0]["Kernel Name"] if rest else "no further launch"
                raise Failed(f"{scenario['name']}: predicted a launch of {launch['kernel']}, "
                             f"profiled {found}")
            counted = rest.pop(0)
            for metric, count in launch["metrics"].items():
                sums = metrics.setdefault(metric, [0, 0])
                sums[0] += count
                sums[1] += number(counted[metric])
        rows.append({"name": scenario["name"], "launches": len(scenario["launches"]),
                     "metrics": {metric: {"predicted": sums[0], "measured": sums[1]}
                                 for metric, sums in metrics.items()}})
    if rest:
        raise Failed(f"profiled {len(rest)} launches more than predicted, "
                     f"the first of {rest[0]['Kernel Name']}")
    return rows


def differences(row):
    return [f"{row['name']}: {metric} is {both['measured']}, predicted {both['predicted']}"
            for metric, both in row["metrics"].items() if both["measured"] != both["predicted"]]


def run(session, options):
    predicted = session.predictions()
    plain = [each for each in predicted if each["plain"]]
    others = [each for each in predicted if not each["plain"]]
    names = [each["name"] for each in plain] or ["EACH-WITH-PLAIN-ACCESSES"]
    metrics = metrics_of(plain) or ["THE-NINE-METRICS"]
    launches = measure(session, names, metrics)
    if launches is None:
        return
    rows = compare(plain, launches)
    left_out = [{"name": each["name"], "because": each["because"]} for each in others]
    session.write_json("counters.json", {"rows": rows, "left_out": left_out})
    text = fidelity.tables(session.device, rows, left_out)
    with open(session.result("counters.md"), "w", encoding="utf-8") as file:
        file.write(text)
    if options.write:
        fidelity.write(os.path.join(session.root, "docs", "fidelity.md"), text)
    wrong = [line for row in rows for line in differences(row)]
    for line in wrong:
        print(f"counters: {line}")
    if wrong:
        raise Failed(f"{len(wrong)} counters are not as predicted; "
                     f"reproduce one: ncu … {os.path.basename(session.binary)} scenario NAME")
    print(f"counters: {len(rows)} scenarios as predicted, {len(left_out)} left out")
