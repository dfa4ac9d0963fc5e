"""Runs a command with limits, and tells how it ended and what it took.

A run may take so many processor seconds, its children included; wall time counts only when the processes do
nothing, or wait for a very long time, so that another program on the same machine does not decide whether a
run ends in time. The output goes to a file, which has a limit, too. When a limit is reached, the command's
whole process group is killed.
"""

import dataclasses
import os
import resource
import signal
import subprocess
import time

WALL_PER_PROCESSOR = 30
# Seconds in which a command, with all its processes, does nothing.
IDLE = 60
LONGEST_LOOK = 2
MOST_OUTPUT = 64 << 20
TICK = 0.05


@dataclasses.dataclass
class Run:
    code: int
    seconds: float
    # "" or the limit that was reached: "time" or "output".
    stopped: str
    output: str


def cpu_of_group(group):
    """The processor seconds of the living processes of a group, with those of their children that ended."""
    ticks = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group:
                ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


class Limits:
    """The limits of one running command."""

    def __init__(self, group, file, seconds):
        self.group, self.file, self.seconds = group, file, seconds
        self.took, self.idle, self.wall, self.last = 0.0, 0.0, 0.0, time.monotonic()

    def reached(self):
        """The limit that is reached, or ""."""
        now, took = time.monotonic(), cpu_of_group(self.group)
        # A machine that stood still between two looks did not wait for the command.
        passed, self.last = min(now - self.last, LONGEST_LOOK), now
        self.wall += passed
        self.idle = self.idle + passed if took <= self.took else 0.0
        self.took = took
        late = self.idle > max(IDLE, self.seconds) or self.wall > WALL_PER_PROCESSOR * self.seconds
        if late or took > self.seconds:
            return "time"
        return "output" if os.fstat(self.file.fileno()).st_size > MOST_OUTPUT else ""


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(command, folder, environment, seconds, log):
    """Runs a shell command in the folder; its output goes to the file log and, in part, to the result."""
    before, stopped, wait = resource.getrusage(resource.RUSAGE_CHILDREN), "", TICK
    with open(log, "wb") as file:
        with subprocess.Popen(["bash", "-c", command], cwd=folder, env=environment, stdout=file,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              start_new_session=True) as process:
            limits = Limits(process.pid, file, seconds)
            try:
                while not stopped:
                    try:
                        process.wait(wait)
                        break
                    except subprocess.TimeoutExpired:
                        stopped, wait = limits.reached(), min(LONGEST_LOOK, 1.5 * wait)
                # Nobody waits for the children of a killed shell, so what they took is asked before.
                killed = cpu_of_group(process.pid) if stopped else 0
            finally:
                kill(process)
            code = process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = max(killed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    with open(log, encoding="utf-8", errors="replace") as file:
        return Run(code, took, stopped, file.read(4 << 20))
