"""One program through one entrance: prepared, built, run and judged. The result is a row of the table."""

import glob
import json
import os
import re
import shlex

from corpora import entrances, judging, makefiles
from corpora.entrances import FOUND, UNCHECKED
from corpora.running import run

# Seconds of processor time.
TO_BUILD, TO_RUN = 600, 60
# A program with arguments of ours makes at least so many accesses.
LEAST_ACCESSES = 10**5

RIGHT = "right"
FAULTS = "faults"
WRONG = "wrong"
UNJUDGED = "no check"
TIMEOUT = "timeout"
CRASH = "crash"
FAILED = "failed"
NOTHING = "nothing checked"
TOO_SMALL = "too small"
NOT_BUILT = "not built"
OUTCOMES = (RIGHT, FAULTS, WRONG, UNJUDGED, TOO_SMALL, TIMEOUT, CRASH, FAILED, NOTHING, NOT_BUILT)

ERRORS = ("error", "undefined reference", "No such file", "not found", "No rule", "cannot", "not supported")
# What `bankproof exec` says of a program that ended with 0 and launched nothing.
HAS_NO_KERNEL = re.compile(r"bankproof: the program .*, so nothing was checked$", re.M)
# What make prints before it runs a compiler, and at its end.
COMMAND = re.compile(r"make|(\S*/)?(nvcc|g\+\+|gcc|clang\S*|ar|cc|c\+\+) [^:]*$")


def first_error(output):
    """The line of a compiler's or a program's output that says why it failed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for mark in ERRORS:
        for line in lines:
            if mark.lower() in line.lower() and not COMMAND.match(line):
                return line
    return lines[-1] if lines else "no output"


class Trial:
    """A program of a corpus whose copy for this entrance is the folder root."""

    def __init__(self, root, program, entrance, notes, limit=None):
        self.program, self.entrance, self.notes = program, entrance, notes
        self.limit = limit or notes.limit(program.name) or TO_RUN
        self.root = root
        self.folder = os.path.join(root, program.folder)
        self.logs = os.path.join(os.path.dirname(root), "logs", entrance.name)
        self.row = {"program": program.name, "entrance": entrance.name, "family": program.family,
                    "built": False, "ran": False, "check": "", "faults": [], "seconds": None, "arguments": "",
                    "reason": "", "before": " ".join(notes.of(program.name, "before"))}

    def log(self, what):
        path = os.path.join(self.logs, self.program.name.replace("/", "+") + "." + what)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def ends(self, outcome, reason=""):
        return {**self.row, "outcome": outcome, "reason": reason}

    def result(self):
        if self.program.reason:
            return self.ends(NOT_BUILT, self.program.reason)
        for step, command in enumerate([*self.notes.of(self.program.name, "prepare"), *self.program.build]):
            built = run(f"{command} {self.options(command)}", self.folder, self.entrance.environment,
                        TO_BUILD, self.log(f"build{step}"))
            if built.stopped or built.code:
                return self.ends(NOT_BUILT, f"stopped after {TO_BUILD} s" if built.stopped else
                                 first_error(built.output))
        self.row["built"] = True
        commands = self.commands()
        if not commands:
            return self.ends(FAILED, "no command that runs it is known")
        self.row["arguments"] = self.shown(commands)
        return self.judged(commands)

    def options(self, command):
        if not command.lstrip().startswith("make"):
            return ""
        return " ".join(self.notes.of(self.program.name, "make"))

    def commands(self):
        listed = self.notes.of(self.program.name, "command")
        if listed:
            return [f"{makefiles.LAUNCHER} {command}" for command in listed]
        commands = self.program.runs
        if commands is None:
            commands = makefiles.commands_of_run(self.folder, self.entrance.environment,
                                                 self.options("make"))
        ours = self.notes.of(self.program.name, "arguments")
        return makefiles.with_arguments(commands, ours) if ours and commands else commands

    def shown(self, commands):
        return "; ".join(command.partition(makefiles.LAUNCHER)[2].strip().partition(" ")[2]
                         for command in commands)

    def judged(self, commands):
        outputs, accesses, self.row["seconds"] = [], 0, 0.0
        for old in glob.glob(self.log("report*")):
            os.remove(old)
        for number, command in enumerate(commands):
            report = self.log(f"report{number}")
            environment = {**self.entrance.reporting_to(report), **self.devices(), **self.variables()}
            ran = run(self.entrance.launched(command), self.folder, environment, self.limit,
                      self.log(f"run{number}"))
            self.row["seconds"] = round(self.row["seconds"] + ran.seconds, 1)
            failure = self.failure(ran)
            accesses += self.take(report)
            if failure:
                return self.ends(*failure)
            outputs.append(ran.output)
        self.row["ran"] = True
        return self.verdict("\n".join(outputs), accesses)

    def devices(self):
        return {"BANKPROOF_DEVICES": count for count in self.notes.of(self.program.name, "devices")}

    def variables(self):
        return dict(value.split("=", 1) for value in self.notes.of(self.program.name, "environment"))

    def failure(self, ran):
        """(outcome, reason) of a run that did not end well, or None."""
        if ran.stopped:
            return TIMEOUT, f"stopped: its limit of {ran.stopped} ({self.limit} s)" \
                if ran.stopped == "time" else "stopped: it prints without end"
        if ran.code == UNCHECKED and "bankproof" in ran.output:
            if self.has_no_kernel() and HAS_NO_KERNEL.search(ran.output):
                return None
            return NOTHING, said(ran.output)
        if ran.code < 0 or ran.code > 128:
            return CRASH, f"signal {ran.code - 128 if ran.code > 0 else -ran.code}: {last_line(ran.output)}"
        if ran.code not in (0, FOUND):
            verdict, line = judging.own_check(ran.output)
            if verdict == judging.WRONG:
                self.row.update(ran=True, check=judging.WRONG)
                return WRONG, line
            return FAILED, f"exit {ran.code}: {last_line(ran.output)}"
        return None

    def has_no_kernel(self):
        """Whether it calls CUDA's libraries at most, in which no access is counted."""
        return self.notes.of(self.program.name, "kernels") == ["none"]

    def take(self, report):
        """Adds the report's findings to the row; returns how many accesses were checked."""
        try:
            with open(report, encoding="utf-8") as file:
                content = json.load(file)
        except (OSError, ValueError):
            return 0
        for fault in content.get("faults", []):
            known = self.notes.is_defect(self.program.name, fault)
            self.row["faults"].append({"kind": fault["kind"], "file": os.path.basename(fault["file"]),
                                       "line": fault["line"], "message": fault["message"], "known": known})
        checked = content.get("checked", {})
        # Calls of libraries are checked as a whole and have no accesses, however large they are.
        return LEAST_ACCESSES if checked.get("library_calls") else checked.get("accesses", 0)

    def verdict(self, output, accesses):
        if self.program.planted is not None:
            return self.as_named()
        right, wrong = (self.notes.of(self.program.name, key) for key in (judging.RIGHT, judging.WRONG))
        check, why = judging.own_check(output, right, wrong)
        if not check and self.program.by_exit_code:
            check, why = judging.RIGHT, "its exit code is 0"
        # A sister that is listed decides, since a word such as "passed" need not be a verdict.
        if not check or check == judging.RIGHT and self.notes.of(self.program.name, "sister"):
            check, why = self.by_sister(output)
        self.row["check"] = check
        if check == judging.WRONG:
            return self.ends(WRONG, why)
        if any(not fault["known"] for fault in self.row["faults"]):
            return self.ends(FAULTS, why)
        if check != judging.RIGHT:
            return self.ends(UNJUDGED, why)
        ours = any(self.notes.of(self.program.name, key) for key in ("arguments", "command"))
        if ours and not self.has_no_kernel() and accesses < LEAST_ACCESSES:
            return self.ends(TOO_SMALL, f"{accesses} accesses with arguments of ours")
        return self.ends(RIGHT, why)

    def as_named(self):
        """Whether the findings are those that the program's name announces."""
        told = {fault["kind"] for fault in self.row["faults"]}
        said = self.program.planted
        # A program that races may write different values to one place, and one that leaves an array reads
        # what nobody wrote; without a bug, nothing at all is to be told.
        same = told & {"race", "out_of_bounds"} == said and (said or not told)
        self.row["check"] = judging.RIGHT if same else judging.WRONG
        why = f"told {', '.join(sorted(told)) or 'nothing'}; named {', '.join(sorted(said)) or 'nothing'}"
        return self.ends(RIGHT if same else WRONG, why)

    def printed(self, output, runs, folder, environment):
        """What is compared: the output, which is in the files `runs`, too, or what commands make of it."""
        commands = self.notes.of(self.program.name, "prints")
        if not commands:
            return output
        outputs = " ".join(map(shlex.quote, runs))
        return run(f"cat {outputs} | {{ {' && '.join(commands)}; }}", folder, environment, TO_BUILD,
                   self.log("prints")).output

    def result_of(self, output):
        runs = [self.log(f"run{number}") for number in range(len(self.commands()))]
        return self.printed(output, runs, self.folder, self.entrance.environment)

    def by_sister(self, output):
        """The verdict by the program that computes the same without CUDA."""
        listed = self.notes.of(self.program.name, "sister")
        if listed:
            folder = os.path.join(self.root, (self.program.sister or self.program).folder)
            ran = run(listed[0], folder, entrances.OF_HOST, TO_BUILD, self.log("sister-run"))
            outputs, why = ("", "no verdict, and its sister does not end well") \
                if ran.stopped or ran.code else (ran.output, "")
        elif self.program.sister:
            outputs, why = self.sisters_output(self.program.sister)
        else:
            return judging.UNKNOWN, "it prints no verdict, and has no sister"
        return (judging.UNKNOWN, why) if why else judging.sister_check(self.result_of(output), outputs)

    def sisters_output(self, sister):
        """(what the sister prints with the same arguments, why there is nothing)"""
        folder = os.path.join(self.root, sister.folder)
        for command in sister.build:
            built = run(command, folder, entrances.OF_HOST, TO_BUILD, self.log("sister-build"))
            if built.stopped or built.code:
                return "", f"no verdict, and its sister is not built: {first_error(built.output)}"
        commands = sister.runs
        if commands is None:
            commands = makefiles.commands_of_run(folder, entrances.OF_HOST, "")
        if not commands:
            return "", "no verdict, and no command that runs its sister is known"
        ours, outputs = self.notes.of(self.program.name, "arguments"), []
        for number, command in enumerate(makefiles.with_arguments(commands, ours) if ours else commands):
            ran = run(command.replace(makefiles.LAUNCHER, ""), folder, entrances.OF_HOST, self.limit,
                      self.log(f"sister-run{number}"))
            if ran.stopped or ran.code:
                return "", "no verdict, and its sister does not end well"
            outputs.append(ran.output)
        runs = [self.log(f"sister-run{number}") for number in range(len(outputs))]
        return self.printed("\n".join(outputs), runs, folder, entrances.OF_HOST), ""


def last_line(output):
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "no output"


def said(output):
    """The last line of the program, and the first one of the machine."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    ours = [line for line in lines if line.startswith("bankproof:")]
    theirs = [line for line in lines if line not in ours]
    return "; ".join(theirs[-1:] + ours[:1])
