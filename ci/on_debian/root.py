"""A minimal Debian 12 root, made from this machine's Debian sources, and commands in it.

A command runs as root by chroot, in its own namespaces for mounts and processes: its mounts and the
processes that it leaves end with it. Its measures are the wall-clock time, the processor time of all its
processes, their peak memory (proportional set sizes, sampled twice a second), and the growth of the root.
The time of apt-get is measured separately, by a script before it on the PATH.
"""

import dataclasses
import os
import subprocess
import sys
import threading
import time

RELEASE = "bookworm"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
APT_SECONDS = "var/log/apt-seconds"
APT_GET = f"""#!/usr/bin/env bash
# Runs apt-get and writes down its times: seconds of wall clock, and of processor time as user and as
# system.
TIMEFORMAT='%R %U %S'
{{ time /usr/bin/apt-get "$@" 2>&3; }} 3>&2 2>>/{APT_SECONDS}
"""
MOUNT_AND_ENTER = """set -e
mount -t proc proc "$0/proc"
for folder in sys dev; do mount --rbind "/$folder" "$0/$folder"; done
exec chroot "$0" "$@"
"""


class NoRoot(Exception):
    """This machine cannot make the root, or what is to be tried in the root."""


@dataclasses.dataclass
class Measures:
    """The measures of a command, without apt-get: seconds, bytes and its exit code."""
    command: str
    code: int
    clock: float
    processor: float
    memory: int
    disk: int
    apt_clock: float
    apt_processor: float
    log: str


def output_of(command):
    """The output of a command; NoRoot if it fails."""
    try:
        run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError as error:
        raise NoRoot(f"{command[0]}: {error.strerror}; ci/packages.txt has what this needs") from error
    if run.returncode:
        raise NoRoot(f"`{' '.join(command)}` fails with exit {run.returncode}:\n"
                     f"{run.stdout[-3000:]}{run.stderr[-3000:]}")
    return run.stdout


def debian_sources():
    """The lines for Debian 12 in the sources of this machine's apt."""
    targets = output_of(["apt-get", "indextargets", "--format",
                         "$(ORIGIN)|$(CODENAME)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)",
                         "Created-By: Packages"])
    signed = f"[signed-by={KEYRING}] " if os.path.exists(KEYRING) else ""
    lines = []
    for target in targets.splitlines():
        origin, codename, *source = target.split("|")
        line = f"deb {signed}{' '.join(source)}"
        if origin == "Debian" and codename.split("-")[0] == RELEASE and line not in lines:
            lines.append(line)
    if not lines:
        raise NoRoot(f"apt has no Debian source of {RELEASE} here: `apt-get indextargets` lists none; "
                     "add one, or run apt-get update")
    return lines


def apt_options():
    """The settings by which this machine's apt reaches its sources and decides whether to check their
    age."""
    dump = output_of(["apt-config", "dump", "--format", '%F "%v";%n', "Acquire::http",
                      "Acquire::https", "Acquire::Check-Valid-Until", "Acquire::Check-Date"])
    return [f"--aptopt={line}" for line in dump.splitlines() if not line.endswith('"";')]


class Root:
    """A root with these packages, in a folder that is still empty."""

    def __init__(self, folder, packages, logs):
        self.folder, self.logs, self.ran = folder, logs, 0
        with_packages = [f"--include={','.join(packages)}"] if packages else []
        output_of(["mmdebstrap", "--mode=root", "--variant=minbase", *with_packages, *apt_options(),
                   RELEASE, folder, *debian_sources()])
        self.write("usr/local/sbin/apt-get", APT_GET)
        os.chmod(self.path("usr/local/sbin/apt-get"), 0o755)
        os.makedirs(logs, exist_ok=True)

    def path(self, inside):
        return os.path.join(self.folder, inside)

    def write(self, inside, text):
        os.makedirs(os.path.dirname(self.path(inside)), exist_ok=True)
        with open(self.path(inside), "w", encoding="utf-8") as file:
            file.write(text)

    def disk(self):
        return 1024 * int(output_of(["du", "-skx", self.folder]).split()[0])

    def apt_seconds(self):
        """The sums of the wall-clock and processor time of apt-get so far."""
        try:
            with open(self.path(APT_SECONDS), encoding="utf-8") as file:
                rows = [[float(word) for word in line.split()] for line in file]
        except FileNotFoundError:
            return 0.0, 0.0
        return sum(row[0] for row in rows), sum(row[1] + row[2] for row in rows)

    def run(self, command, folder="/root"):
        """Runs a bash command in a folder of the root; returns its measures."""
        self.ran += 1
        log = os.path.join(self.logs, f"{self.ran}.log")
        words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c",
                 MOUNT_AND_ENTER, self.folder, "env", "-i", f"--chdir={folder}", "HOME=/root",
                 f"PATH={PATH}", "bash", "-c", command]
        disk, apt_before, began = self.disk(), self.apt_seconds(), time.monotonic()
        with open(log, "wb") as file:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file,
                                       stderr=subprocess.STDOUT)
        with Memory(self.folder) as memory:
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        clock, apt = time.monotonic() - began, self.apt_seconds()
        apt_clock, apt_processor = apt[0] - apt_before[0], apt[1] - apt_before[1]
        return Measures(command, process.returncode, clock - apt_clock,
                        usage.ru_utime + usage.ru_stime - apt_processor, memory.most,
                        self.disk() - disk, apt_clock, apt_processor, log)


class Memory:
    """Watches the memory of all processes in a root together."""

    def __init__(self, folder):
        self.root, self.most, self.ended = os.stat(folder), 0, threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def watch(self):
        while True:
            self.most = max(self.most, sum(self.of(name) for name in os.listdir("/proc")
                                           if name.isdigit()))
            if self.ended.wait(0.5):
                return

    def of(self, process):
        """The proportional set size of a process in the root; 0 for any other process, or one that has
        ended."""
        try:
            if not os.path.samestat(os.stat(f"/proc/{process}/root"), self.root):
                return 0
            with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
                return sum(1024 * int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except OSError:
            return 0


def show_end(log, lines=60):
    """Prints the end of a log on stderr."""
    with open(log, encoding="utf-8", errors="replace") as file:
        sys.stderr.writelines(file.readlines()[-lines:])
