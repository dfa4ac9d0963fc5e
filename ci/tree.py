"""The files of the tree, for the checkers of this folder."""

import os
import subprocess
import sys

SKIPPED_FOLDERS = {".git", ".cache", "__pycache__"}


def paths(root):
    """The paths, relative to root and sorted, of all files that are not ignored by git.

    Without git, or outside of a repository: all files but those of build folders.
    """
    git = ["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(git, capture_output=True, check=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        listed = walked(root)
    return sorted({path for path in listed if path and os.path.isfile(os.path.join(root, path))})


def walked(root):
    """The paths below root, without folders that hold no sources."""
    for folder, folders, files in os.walk(root):
        folders[:] = [
            name for name in folders
            if name not in SKIPPED_FOLDERS and name != "build" and not name.startswith("build-")
        ]
        for name in files:
            yield os.path.relpath(os.path.join(folder, name), root)


def text(root, path):
    """The contents of a file; None if it is not text."""
    with open(os.path.join(root, path), "rb") as file:
        data = file.read()
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def report(name, problems, checked):
    """Ends a checker: prints its problems, or what it checked. Checking nothing is an error."""
    for problem in problems:
        print(problem)
    if problems:
        print(f"{name}: {len(problems)} problems", file=sys.stderr)
        sys.exit(1)
    if not checked:
        print(f"{name}: nothing to check", file=sys.stderr)
        sys.exit(3)
    print(f"{name}: ok, {checked}")
