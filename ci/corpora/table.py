"""docs/reach.md from the results of all corpora that were run.

The page is also where results are kept: what it says of a program stays until there is a new result, so that
corpora can be run in parts, on several machines.
"""

import collections
import dataclasses
import itertools
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
- **timeout**: more processor seconds than the row names for a command: at most a minute, or ten where the
  sizes are in the program's source, so that nothing reduces it
- **crash**: a signal ended it; **failed**: it ended with another exit code than 0
- **nothing checked**: the machine refused it, or it launched no kernel
- **not built**: the reason is the first line that says so

Seconds are processor seconds of all its commands. With all checks, the machine executes 10^8 to 10^10
instructions of threads in such a second; the lanes of an H100 could do 3 · 10^13 (132 multiprocessors of 128
lanes at 1.7 GHz). Most timeouts are programs whose sizes are in their sources. By clang, programs were
compiled with clang 14 or 16. Arguments in `ci/corpora/` take the place of a program's own where these do not
end within the limit, or are invalid. The lists there also say which programs have no kernel, so that only
their own check counts. [found.md](found.md) has the defects.
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


def line_of_family(name, rows):
    seconds = sum(row["seconds"] for row in rows)
    cells = [f"{name}: {len(rows)} programs", trial.RIGHT, "yes", "yes", "right", "as named",
             f"{seconds:.1f}", "", ""]
    return "| " + " | ".join(cells) + " |"


@dataclasses.dataclass
class Entry:
    """A line of the page: a program, or those of a family that are right."""
    name: str
    outcome: str
    count: int
    line: str


def entries_of(rows):
    """The lines of an entrance, by name; programs of one family that are right share one."""
    families, entries = collections.defaultdict(list), {}
    for row in rows:
        if row["family"] and row["outcome"] == trial.RIGHT:
            families[row["family"]].append(row)
        else:
            name = cell(row["program"])
            entries[name] = Entry(name, row["outcome"], 1, line_of(row))
    for name, members in families.items():
        entries[name] = Entry(name, trial.RIGHT, len(members), line_of_family(name, members))
    return entries


HEAD = ("| program | outcome | built | ran | check | findings | seconds | before | arguments, or the reason "
        "|\n|---|---|---|---|---|---|---:|---:|---|")
COUNTED = """*Programs* counts all programs of the corpus, or of the part of it that was asked for; *run*
counts those with a result here.
"""
LINE = re.compile(r"\| (?P<name>[^|]+?)(: (?P<count>\d+) programs)? \| (?P<outcome>[^|]+?) "
                  r"\| (yes|no) \| .*\|")


def heading(name, entrance):
    return f"## {ABOUT.get(name, name)}, {BY[entrance]}"


def read(text):
    """What a page says: {(corpus, entrance): entries}, and {corpus: number of programs}."""
    headings = {heading(*key): key for key in itertools.product(ABOUT, BY)}
    entries, totals, section = collections.defaultdict(dict), {}, None
    for line in text.splitlines():
        section = headings.get(line, None if line.startswith("## ") else section)
        found = LINE.fullmatch(line)
        if section and found:
            name, outcome = found["name"], found["outcome"].strip("*")
            entries[section][name] = Entry(name, outcome, int(found["count"] or 1), line)
        for name, about in ABOUT.items():
            if line.startswith(f"| {about} | "):
                totals[name] = int(line.split(" | ")[2])
    return entries, totals


def merged(page, corpora):
    """What read() returns, with new results in place of old ones.

    corpora: {name: (number of programs, rows)}.
    """
    entries, totals = read(page)
    for name, (total, rows) in corpora.items():
        totals[name] = total
        for entrance in BY:
            entries[name, entrance].update(
                entries_of([row for row in rows if row["entrance"] == entrance]))
    return entries, totals


def summary(entries, totals):
    """A line for each corpus and entrance: how many of its programs have which outcome."""
    lines = ["| corpus | entrance | programs | run | right | " +
             " | ".join(trial.OUTCOMES[1:]) + " |", "|---|---|" + "---:|" * (len(trial.OUTCOMES) + 2)]
    for name, entrance in itertools.product(ABOUT, BY):
        counted = collections.Counter()
        for entry in entries[name, entrance].values():
            counted[entry.outcome] += entry.count
        if counted:
            cells = [ABOUT[name], entrance, totals[name], counted.total(),
                     *(counted[o] for o in trial.OUTCOMES)]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def share(count, total):
    if count == total:
        return f"All {total} programs were run.\n"
    return f"{count} of {total} programs were run. Nothing is known about the others.\n"


def page(old, corpora):
    """The text of docs/reach.md, from its old text and new results as merged() takes them."""
    entries, totals = merged(old, corpora)
    parts = [OPENING, COUNTED, summary(entries, totals) + "\n"]
    for name, entrance in itertools.product(ABOUT, BY):
        chosen = entries[name, entrance]
        if chosen:
            lines = [chosen[key].line for key in sorted(chosen)]
            parts += [f"{heading(name, entrance)}\n",
                      share(sum(entry.count for entry in chosen.values()), totals[name]),
                      "\n".join([HEAD, *lines]) + "\n"]
    return "\n".join(parts)
