"""Which C++ and CUDA files have changed, uncommitted changes included, since a base commit.

The base is $BANKPROOF_TIDY_BASE if set; where the branch has commits of its own, the commit at which
it left origin/main; else (on main itself, as in a fresh clone) the tenth last commit. With no base,
all files count as changed.
"""

import os
import subprocess
import sys

import tree

LAST_COMMITS = 10


def git(root, *arguments):
    """What git prints, or None where it fails."""
    run = subprocess.run(["git", "-c", "safe.directory=*", "-C", root, *arguments],
                         capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else None


def base_of(root):
    """The commit to compare with, or None."""
    if os.environ.get("BANKPROOF_TIDY_BASE"):
        return os.environ["BANKPROOF_TIDY_BASE"]
    head, left = git(root, "rev-parse", "HEAD"), git(root, "merge-base", "HEAD", "origin/main")
    if left and left != head:
        return left
    return git(root, "rev-parse", "--verify", "-q", f"HEAD~{LAST_COMMITS}")


def changed(root, base):
    """The paths that differ from the base, or all paths."""
    known = [path for path in tree.paths(root) if path.endswith((".hpp", ".cpp", ".cuh", ".cu"))]
    if base is None:
        return known
    differing = git(root, "diff", "--name-only", base)
    if differing is None:
        sys.exit(f"tidy: git cannot compare with {base}")
    names = set(differing.split("\n"))
    names.update((git(root, "ls-files", "-o", "--exclude-standard") or "").split("\n"))
    return [path for path in known if path in names]
