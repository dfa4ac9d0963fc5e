"""The floors of the tree, as docs/architecture.md draws them, for ci/layout.py.

The table of that document has one row per room: a folder, and the rooms that its files may include. The
room of a file is the longest folder of the table that contains it. A row may only name rooms above it,
so the table has no circle. Within a room, folders must not include each other in a circle either; here
a folder is only the files directly in it.
"""

import collections
import posixpath
import re

PLAN = "docs/architecture.md"
HEADING = "| room | may include |"
INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]+)"|<bankproof/([^>]+)>)')
ROOM = re.compile(r"`([\w/]+)/`")


def read(text):
    """The rooms, each with the rooms that it may include; and the problems of the table."""
    rooms, problems, inside = {}, [], False
    for number, line in enumerate((text or "").split("\n"), 1):
        if line.startswith(HEADING):
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and not line.startswith("|--"):
            cells = line.split("|")
            named, below = ROOM.findall(cells[1]), ROOM.findall(cells[2])
            for room in below:
                if room not in rooms:
                    problems.append(f"{PLAN}:{number}: {room}/ stands on no floor below")
            for room in named:
                rooms[room] = set(below)
    if not rooms:
        problems.append(f"{PLAN}:1: has no table of floors, which begins with '{HEADING}'")
    return rooms, problems


def room_of(rooms, path):
    """The room of a file; None if it is in no room."""
    folder = posixpath.dirname(path)
    while folder and folder not in rooms:
        folder = posixpath.dirname(folder)
    return folder or None


def target_of(path, quoted, installed):
    """The file that the file at path includes, relative to the tree's root."""
    if quoted:
        return posixpath.normpath(posixpath.join(posixpath.dirname(path), quoted))
    return installed


def problem(rooms, path, target):
    """The problem with an include of the file target in the file at path, or None."""
    here, there = room_of(rooms, path), room_of(rooms, target)
    if not here or here == there:
        return None
    if not there:
        return f"{here}/ includes {target}, which is in no room of {PLAN}"
    if there not in rooms[here]:
        return f"{here}/ must not include {there}/ ({target}): {PLAN}"
    return None


def edges_of(sources):
    """For each folder, the folders that its files include, each with one file and line as an example."""
    edges = collections.defaultdict(dict)
    for path, content in sources.items():
        here = posixpath.dirname(path)
        for number, line in enumerate(content.split("\n"), 1):
            match = INCLUDE.match(line)
            target = match and target_of(path, match[1], match[2])
            if target in sources and posixpath.dirname(target) != here:
                edges[here].setdefault(posixpath.dirname(target), f"{path}:{number}")
    return edges


def way(edges, start, end):
    """A shortest path of folders along edges from start to end; None if there is none."""
    before, waiting = {start: None}, collections.deque([start])
    while waiting:
        folder = waiting.popleft()
        if folder == end:
            found = []
            while folder is not None:
                found.append(folder)
                folder = before[folder]
            return found[::-1]
        for following in sorted(edges[folder]) if folder in edges else ():
            if following not in before:
                before[following] = folder
                waiting.append(following)
    return None


def circles(sources):
    """One problem for each circle of folders, at the include that closes it."""
    edges, told, problems = edges_of(sources), set(), []
    for here in sorted(edges):
        for there in sorted(edges[here]):
            back = way(edges, there, here)
            if back and frozenset(back) not in told:
                told.add(frozenset(back))
                problems.append(f"{edges[here][there]}: closes a circle of folders: " +
                                " -> ".join(f"{folder}/" for folder in [here, *back]))
    return problems
