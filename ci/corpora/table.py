"""docs/reach.md from the results of all corpora that were run."""

import collections
import re

from corpora import trial

ABOUT = {
    "hecbench": "HeCBench (zjin-lcf/HeCBench)",
    "cuda-samples": "NVIDIA's cuda-samples",
    "rodinia": "Rodinia (yuhc/gpu-rodinia)",
    "parboil": "Parboil (abduld/Parboil)",
    "indigo": "Indigo (in JohnJacobsonIII/HiRace-Artifact-SC24)",
}
BY = {"nvcc": "built by nvcc, run by `bankproof exec`",
      "clang": "built by `bankproof nvcc` through clang alone"}

OPENING = """# How far it reaches: public programs

`ci/corpus` builds and runs the programs of public corpora by both [entrances](programs.md), and writes this
page. No source of a program was changed; some get options or a header that have them print their results,
or always draw the same random numbers. *Right* are only programs that ran to their end, whose result is
right by their own check, or is that of their sister without CUDA, and that have no finding but known defects
of the program itself. The outcomes:

- **faults**: the program ran, and has findings that nobody has shown to be its defects
- **wrong**: its own check, or the comparison with its sister, says so
- **no check**: it ran, and there is nothing to judge its result by
- **too small**: with arguments of ours it makes fewer than 10^5 accesses, and calls no library
- **timeout**: more processor seconds than the row names, at most a minute, for a command
- **crash**: a signal ended it; **failed**: it ended with another exit code than 0
- **nothing checked**: the machine refused it, or it launched no kernel
- **not built**: the reason is the first line that says so

Seconds are processor seconds of all its commands. Arguments in `ci/corpora/` take the place of a program's
own where these do not end within the limit, or are invalid. The lists there also say which programs have no
kernel, so that only their own check counts. [found.md](found.md) has the defects.
"""


def cell(text, most=160):
    text = re.sub(r"(/[\w.+-]+)+/(?=[\w.+-]+)", "", str(text))
    text = re.sub(r"\s+", " ", text)
    text = text if len(text) <= most else text[:most - 1] + "…"
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("`", "'").replace("<", "&lt;").strip()


def faults_of(row):
    """The findings in a few words: kind, file and line, and whether they are known defects."""
    counted = collections.Counter((fault["kind"], fault["file"], fault["line"], fault["known"])
                                  for fault in row["faults"])
    shown = [f"{kind} {file}:{line}{' (defect)' if known else ''}" for kind, file, line, known in counted]
    return ", ".join(shown[:3]) + (f" and {len(shown) - 3} more" if len(shown) > 3 else "")


def yes(value):
    return "yes" if value else "no"


def line_of(row):
    seconds = "" if row["seconds"] is None else f"{row['seconds']:.1f}"
    what = f"`{cell(row['arguments'])}`" if row["arguments"] else ""
    if row["reason"] and row["outcome"] != trial.RIGHT:
        what = f"{what} {cell(row['reason'])}".strip()
    outcome = row["outcome"] if row["outcome"] == trial.RIGHT else f"**{row['outcome']}**"
    cells = [cell(row["program"]), outcome, yes(row["built"]), yes(row["ran"]), row["check"],
             cell(faults_of(row)), seconds, row["before"], what]
    return "| " + " | ".join(cells) + " |"


def lines_of_family(name, rows):
    seconds = sum(row["seconds"] for row in rows)
    cells = [f"{name}: {len(rows)} programs", trial.RIGHT, "yes", "yes", "right", "as named",
             f"{seconds:.1f}", "", ""]
    return "| " + " | ".join(cells) + " |"


def rows_of(rows):
    """The lines of a table; programs of one family that are right share one."""
    families = collections.defaultdict(list)
    for row in rows:
        if row["family"] and row["outcome"] == trial.RIGHT:
            families[row["family"]].append(row)
    lines = [lines_of_family(*family) for family in sorted(families.items())]
    return lines + [line_of(row) for row in rows if not (row["family"] and row["outcome"] == trial.RIGHT)]


HEAD = ("| program | outcome | built | ran | check | findings | seconds | before | arguments, or the reason "
        "|\n|---|---|---|---|---|---|---:|---:|---|")
COUNTED = """*Programs* counts all programs of the corpus, or of the part of it that was asked for; *run*
counts those with a result here.
"""


def summary(corpora):
    """A line for each corpus and entrance: how many of its programs have which outcome."""
    lines = ["| corpus | entrance | programs | run | right | " +
             " | ".join(trial.OUTCOMES[1:]) + " |", "|---|---|" + "---:|" * (len(trial.OUTCOMES) + 2)]
    for name, (total, rows) in corpora.items():
        for entrance in BY:
            counted = collections.Counter(row["outcome"] for row in rows if row["entrance"] == entrance)
            done = sum(counted.values())
            if done:
                cells = [ABOUT.get(name, name), entrance, total, done, *(counted[o] for o in trial.OUTCOMES)]
                lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def share(count, total):
    if count == total:
        return f"All {total} programs were run.\n"
    return f"{count} of {total} programs were run. Nothing is known about the others.\n"


def page(corpora):
    """The text of docs/reach.md. corpora: {name: (number of programs, rows)}."""
    parts = [OPENING, COUNTED, summary(corpora) + "\n"]
    for name, (total, rows) in corpora.items():
        for entrance, how in BY.items():
            chosen = [row for row in rows if row["entrance"] == entrance]
            if chosen:
                parts += [f"## {ABOUT.get(name, name)}, {how}\n",
                          share(len(chosen), total),
                          "\n".join([HEAD, *rows_of(chosen)]) + "\n"]
    return "\n".join(parts)
