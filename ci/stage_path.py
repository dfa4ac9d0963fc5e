#!/usr/bin/env python3
"""Makes a folder of links to the programs that tests may run: `ci/stage_path.py FOLDER STAGE…`.

These are the programs of a machine that only has git, a minimal Debian (packages that are essential or
required, and apt), and the packages of these stages of ci/packages.txt, with all dependencies. If the
folder is its whole PATH, a test finds no program of any other package, and no program that belongs to
no package. (It can still run a program by an absolute path, and CMake's find_program looks into
/usr/bin anyway.)

For a link of Debian's alternatives, such as c++, the folder has a choice that these packages offer: the
machine's own choice if it is among them, else the one with the highest priority.

Exit 3: dpkg does not know a package.
"""

import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PROGRAMS = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin")
FIELDS = ("Package", "db:Status-Status", "Essential", "Priority", "Pre-Depends", "Depends", "Provides")
SLAVE = re.compile(r"^ (\S+) (\S+)$", re.MULTILINE)


def fail(what):
    print(f"stage_path: {what}", file=sys.stderr)
    sys.exit(3)


def output_of(*command):
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                         env={**os.environ, "LC_ALL": "C"})
    if run.returncode:
        fail(f"`{' '.join(command)[:200]}` fails: {run.stderr.strip()}")
    return run.stdout


class Packages:
    """The installed packages by name, and the packages that provide a name."""

    def __init__(self):
        line = "|".join(f"${{{field}}}" for field in FIELDS[:4])
        fields = "".join(f"\\t${{{field}}}" for field in FIELDS[4:])
        self.rows, self.providers = {}, {}
        for row in output_of("dpkg-query", "-W", "-f", line + fields + "\\n").splitlines():
            short, *relations = row.split("\t")
            name, status, essential, priority = short.split("|")
            if status != "installed":
                continue
            is_base = essential == "yes" or priority == "required" or name == "apt"
            self.rows[name] = (is_base, ", ".join(relations[:2]))
            for provided in names_of(relations[2]):
                self.providers.setdefault(provided, []).append(name)

    def chosen(self, alternatives):
        """The packages that `a | b` stands for: the first that is installed, or all that provide the
        first provided name."""
        for name in names_of(alternatives.replace("|", ",")):
            if name in self.rows:
                return [name]
            if name in self.providers:
                return self.providers[name]
        return []

    def with_dependencies(self, names):
        """These packages, and all of their direct and indirect dependencies that are installed."""
        found, todo = set(), list(names)
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                for alternatives in self.rows[name][1].split(","):
                    todo += self.chosen(alternatives)
        return found


def names_of(relations):
    """The names in a list of packages, without versions and architectures."""
    return [re.match(r"[^\s(:]+", relation.strip())[0] for relation in relations.split(",")
            if relation.strip()]


def wanted(packages, stages):
    """The packages to start from, before dependencies."""
    names = [name for name, (is_base, _) in packages.rows.items() if is_base] + ["git"]
    with open(os.path.join(ROOT, "ci", "packages.txt"), encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    for row in rows:
        if row[1] in stages:
            offered = packages.chosen(row[0])
            if not offered:
                fail(f"{row[0]}, of ci/packages.txt, is not installed")
            names += offered
    return names


def contents_of(names):
    """The paths of everything that these packages hold."""
    return {line for line in output_of("dpkg-query", "-L", *sorted(names)).splitlines()
            if line.startswith("/")}


def is_program(path):
    return os.path.dirname(path) in PROGRAMS and os.path.isfile(path) and os.access(path, os.X_OK)


def group_of_alternatives(group):
    """Two things about a group: its links by name, the group's own link first; and its choices, each as
    (whether it is the machine's own, its priority, the targets of its links)."""
    head, *rest = output_of("update-alternatives", "--query", group).split("\nAlternative: ")
    value = re.search(r"^Value: (.*)$", head, re.MULTILINE)[1]
    links = {group: re.search(r"^Link: (.*)$", head, re.MULTILINE)[1], **dict(SLAVE.findall(head))}
    choices = []
    for choice in rest:
        path = choice.split("\n")[0]
        priority = int(re.search(r"^Priority: (.*)$", choice, re.MULTILINE)[1])
        choices.append((path == value, priority, {group: path, **dict(SLAVE.findall(choice))}))
    return links, choices


def alternatives(files):
    """The links of Debian's alternatives that lead to one of these files: (name, path)."""
    for line in output_of("update-alternatives", "--get-selections").splitlines():
        group = line.split()[0]
        links, choices = group_of_alternatives(group)
        offered = [choice for choice in choices if os.path.realpath(choice[2][group]) in files]
        if offered:
            for name, path in max(offered, key=lambda choice: choice[:2])[2].items():
                if os.path.dirname(links[name]) in PROGRAMS:
                    yield os.path.basename(links[name]), path


def main():
    folder, *stages = sys.argv[1:]
    packages = Packages()
    if "git" not in packages.rows:
        fail("git is not installed as a package of Debian's")
    contents = contents_of(packages.with_dependencies(wanted(packages, stages)))
    programs = [(os.path.basename(path), path) for path in sorted(contents) if is_program(path)]
    files = {os.path.realpath(path) for path in contents}
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, path in programs + list(alternatives(files)):
        link = os.path.join(folder, name)
        if not os.path.lexists(link):
            os.symlink(path, link)


if __name__ == "__main__":
    main()
