"""One run of ci/gpu: its commands, which a dry run only shows, and its findings so far."""

import json
import os
import shlex
import shutil
import subprocess


class Failed(Exception):
    """A check has failed."""


class CannotTell(Exception):
    """This machine cannot decide whether a check holds."""


MOST_SHOWN = 30  # words of a command


class Session:
    """Runs commands, or shows them. Shows paths below the root relative to it."""

    def __init__(self, root, options):
        self.root, self.dry, self.out = root, options.dry_run, options.out
        self.given = options.binary is not None
        self.binary = os.path.abspath(options.binary) if self.given else os.path.join(
            root, "build-gpu", "bin", "bankproof-gpu")
        self.device = None
        self.tools = {}
        if not self.dry:
            os.makedirs(self.out, exist_ok=True)

    def shown(self, command, environment):
        words = [f"{name}={shlex.quote(value)}" for name, value in environment.items()]
        words += [shlex.quote(word) for word in command[:MOST_SHOWN]]
        if len(command) > MOST_SHOWN:
            words.append(f"… and {len(command) - MOST_SHOWN} more")
        return " ".join(words).replace(self.root + os.sep, "")

    def run(self, step, command, environment=None, timeout=3600, quiet=False):
        """Runs a command of a step in the root; returns its exit code and output. A dry run only shows
        it and returns None.

        The output of `quiet` commands is not echoed. A command that hangs is killed and counts as
        failed.
        """
        environment = environment or {}
        print(f"{step}: {self.shown(command, environment)}", flush=True)
        if self.dry:
            return None
        try:
            done = subprocess.run(command, cwd=self.root, env={**os.environ, **environment}, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout,
                                  check=False)
        except subprocess.TimeoutExpired as hanging:
            raise Failed(f"{step}: does not end within {timeout} s") from hanging
        except OSError as error:
            raise CannotTell(f"{step}: {error}") from error
        if not quiet or done.returncode != 0:
            print(done.stdout, end="", flush=True)
        return done.returncode, done.stdout

    def build(self):
        """Builds the program unless it was given; a given program has to exist."""
        if self.given:
            if not os.path.isfile(self.binary):
                raise CannotTell(f"there is no {self.binary}")
            return
        for command in (["cmake", "--preset", "gpu-portable"],
                        ["cmake", "--build", "--preset", "gpu-portable"]):
            done = self.run("build", command, quiet=True)
            if done and done[0] != 0:
                raise CannotTell("the program for GPU machines cannot be built (above)")

    def find_device(self):
        done = self.run("device", [self.binary, "device"])
        if done is None:
            return
        if done[0] != 0:
            raise CannotTell("there is no GPU, or its driver is older than the CUDA that the program was "
                             "built with (above): update the driver, or build with an older nvcc, "
                             "-DBANKPROOF_NVCC=PATH")
        self.device = self.parsed(done[1], "device")

    def find_tools(self, whys):
        """Looks for tools, in the PATH and in $CUDA_HOME/bin (/usr/local/cuda/bin). For each tool,
        `whys` says how to get it or do without it. A dry run does not look, and uses the names."""
        cuda = os.environ.get("CUDA_HOME", "/usr/local/cuda")
        places = os.environ.get("PATH", "") + os.pathsep + os.path.join(cuda, "bin")
        for name, why in whys.items():
            found = name if self.dry else shutil.which(name, path=places)
            if not found:
                raise CannotTell(f"{name} is not installed: looked in {places}; {why}")
            self.tools[name] = found

    def predictions(self):
        """The reference machine's predictions for each scenario; an empty list if a dry run has none."""
        said = self.ask(["predictions"])
        if said is None:
            return []
        predicted = self.parsed(said, "predictions").get("scenarios")
        if not predicted:
            raise CannotTell(f"{self.binary} predicts no scenario")
        wrong = [each["name"] for each in predicted if not each["right"]]
        if wrong:
            raise Failed(f"wrong already on the reference machine: {', '.join(wrong)}")
        return predicted

    def ask(self, words):
        """The program's answer to a question that needs no GPU, also in a dry run if the program
        exists; else None."""
        if self.dry and not os.path.isfile(self.binary):
            return None
        try:
            return subprocess.run([self.binary, *words], stdout=subprocess.PIPE, text=True,
                                  check=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise CannotTell(str(error)) from error

    def parsed(self, said, command):
        """The program's output, parsed as a JSON object."""
        try:
            value = json.loads(said)
        except json.JSONDecodeError:
            value = None
        if not isinstance(value, dict):
            raise CannotTell(f"{self.binary} {command} prints no JSON: is it bankproof-gpu?")
        return value

    def result(self, name):
        """The path of a file of results."""
        return os.path.join(self.out, name)

    def write_json(self, name, value):
        with open(self.result(name), "w", encoding="utf-8") as file:
            json.dump({"device": self.device, **value}, file, indent=1)
            file.write("\n")
        print(f"results: {self.result(name)}")
