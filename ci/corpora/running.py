"""Runs a command with limits, and tells how it ended and what it took.

A run may take so many processor seconds, its children included, and four times as much wall time, so that
another program on the same machine does not decide whether it ends in time. The output goes to a file,
which has a limit, too. When a limit is reached, the command's whole process group is killed.
"""

import dataclasses
import os
import resource
import signal
import subprocess
import time

WALL_PER_PROCESSOR = 4
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


def excess(process, file, start, seconds):
    """The limit that a running command has reached, or ""."""
    if time.monotonic() - start > WALL_PER_PROCESSOR * seconds or cpu_of_group(process.pid) > seconds:
        return "time"
    return "output" if os.fstat(file.fileno()).st_size > MOST_OUTPUT else ""


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(command, folder, environment, seconds, log):
    """Runs a shell command in the folder; its output goes to the file log and, in part, to the result."""
    before, start, stopped, wait = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), "", TICK
    with open(log, "wb") as file:
        with subprocess.Popen(["bash", "-c", command], cwd=folder, env=environment, stdout=file,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              start_new_session=True) as process:
            try:
                while not stopped:
                    try:
                        process.wait(wait)
                        break
                    except subprocess.TimeoutExpired:
                        stopped, wait = excess(process, file, start, seconds), min(1, 1.5 * wait)
                # Nobody waits for the children of a killed shell, so what they took is asked before.
                killed = cpu_of_group(process.pid) if stopped else 0
            finally:
                kill(process)
            code = process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = max(killed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    with open(log, encoding="utf-8", errors="replace") as file:
        return Run(code, took, stopped, file.read(4 << 20))
