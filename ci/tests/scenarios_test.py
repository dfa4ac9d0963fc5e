"""Every kernel of cuda/kernels has a scenario that launches it. Checkers, counters and planted bugs run
these scenarios."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["BANKPROOF_SOURCE"]
sys.path.insert(0, os.path.join(ROOT, "ci"))
from on_gpu.counters import plain_name  # noqa: E402

BOUNDS = r"(?:\s*__launch_bounds__\((?:[^()]|\([^()]*\))*\))?"


def kernels_of(text):
    return set(re.findall(rf"__global__ void{BOUNDS}\s+(\w+)\(", text))


class Scenarios(unittest.TestCase):
    def test_launch_every_kernel(self):
        kernels = set()
        for folder, _, files in os.walk(os.path.join(ROOT, "cuda", "kernels")):
            for name in files:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                self.assertEqual(len(kernels_of(text)), text.count("__global__ "), name)
                kernels |= kernels_of(text)
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "predictions")
            subprocess.run([os.environ["BANKPROOF_MACHINE_PROGRAM"], "predict", path], check=True)
            with open(path, encoding="utf-8") as file:
                scenarios = json.load(file)["scenarios"]
        launched = {plain_name(launch["kernel"]) for each in scenarios for launch in each["launches"]}
        self.assertGreater(len(kernels), 30)
        self.assertEqual(kernels - launched, set())


if __name__ == "__main__":
    unittest.main()
