"""The two entrances: a program built by the toolkit's nvcc as always, and one built by `bankproof nvcc`
through clang alone. Both run under `bankproof exec`, so that their reports have one form.
"""

import os

from corpora.program import LAUNCHER

FLAGS = "-cudart shared -lineinfo -Xcompiler -g -gencode arch=compute_80,code=compute_80"
NAMES = ("nvcc", "clang")
# Commands that make missing data call data.py here.
HERE = os.path.dirname(os.path.abspath(__file__))
# The environment of programs without CUDA.
OF_HOST = {**os.environ, "CORPORA": HERE}
# The exit code of a program that ended with 0 and has findings.
FOUND = 77
# The exit code of `bankproof exec` when nothing was checked.
UNCHECKED = 3


class Entrance:
    def __init__(self, name, build, toolkit):
        self.name = name
        self.bankproof = os.path.join(build, "bin", "bankproof")
        # A folder in the place of the toolkit's, whose bin/nvcc is `bankproof nvcc`.
        ours = os.path.join(build, "lib", "bankproof", "cuda")
        self.cuda = toolkit if name == "nvcc" else ours
        self.environment = {**OF_HOST, "CUDA_HOME": self.cuda, "CUDA_PATH": self.cuda,
                            "PATH": f"{self.cuda}/bin:{os.environ['PATH']}"}
        if name == "nvcc":
            self.environment["NVCC_APPEND_FLAGS"] = FLAGS
        else:
            self.environment["BANKPROOF_CUDA_COMPILER"] = "clang"
            self.environment.pop("NVCC_APPEND_FLAGS", None)

    def missing(self):
        """What this entrance needs and has not."""
        needed = [self.bankproof, os.path.join(self.cuda, "bin", "nvcc")]
        return [path for path in needed if not os.path.exists(path)]

    def launched(self, command):
        return command.replace(LAUNCHER, f"{self.bankproof} exec --")

    def reporting_to(self, file):
        """The environment in which a program's report goes to the file, as JSON."""
        return {**self.environment, "BANKPROOF_FORMAT": "json", "BANKPROOF_OUTPUT": file,
                "BANKPROOF_ERROR_EXITCODE": str(FOUND)}
