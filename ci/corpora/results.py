"""Results as they come: a line of JSON for each program and entrance, in the file of the shard.

A later line for the same program and entrance takes the place of an earlier one, so that a corpus can be run
again in part. All files of a corpus's folder together are its results.
"""

import glob
import json
import os


def key(row):
    return row["program"], row["entrance"]


class Results:
    def __init__(self, folder, shard="1-of-1"):
        self.folder = folder
        self.path = os.path.join(folder, f"results.{shard}.jsonl")

    def add(self, row):
        os.makedirs(self.folder, exist_ok=True)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def read(self):
        """The rows of all shards, by program and entrance; of several, that of the latest time."""
        rows = []
        for path in glob.glob(os.path.join(self.folder, "results.*.jsonl")):
            with open(path, encoding="utf-8") as file:
                # A line that was being written when the run was stopped is no result.
                rows += [json.loads(line) for line in file if line.endswith("}\n")]
        return {key(row): row for row in sorted(rows, key=lambda row: row["time"])}

    def restart(self):
        """Forgets the results of this shard."""
        if os.path.exists(self.path):
            os.remove(self.path)
