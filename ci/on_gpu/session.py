"""One run of ci/gpu: its commands, which a dry run only shows, and what it found out so far."""

import json
import os
import shlex
import shutil
import subprocess


class Failed(Exception):
    """Something does not hold."""


class CannotTell(Exception):
    """Whether it holds cannot be found out on this machine."""


MOST_SHOWN = 30  # words of a command


class Session:
    """Runs commands, or shows them. Paths below the root are shown relative to it."""

    def __init__(self, root, options):
        self.root, self.dry, self.out = root, options.dry_run, options.out
        self.given = options.binary is not None
        self.binary = os.path.abspath(options.binary) if self.given else os.path.join(
            root, "build-gpu", "bin", "bankproof-gpu")
        self.device = None
        if not self.dry:
            os.makedirs(self.out, exist_ok=True)

    def shown(self, command, environment):
        words = [f"{name}={shlex.quote(value)}" for name, value in environment.items()]
        words += [shlex.quote(word) for word in command[:MOST_SHOWN]]
        if len(command) > MOST_SHOWN:
            words.append(f"… and {len(command) - MOST_SHOWN} more")
        return " ".join(words).replace(self.root + os.sep, "")

    def run(self, step, command, environment=None, timeout=3600, quiet=False):
        """Runs a command of a step, in the root: its exit code and output. A dry run shows it: None.

        `quiet` commands are not echoed as they print. A command that hangs is killed, and failed.
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
        """The program, unless it was given; a given one has to be there."""
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
            raise CannotTell("there is no GPU, or its driver is too old (above)")
        self.device = json.loads(done[1])

    def tool(self, name, why):
        """The path of a tool, from the PATH or beside CUDA's compiler; a dry run takes its name."""
        if self.dry:
            return name
        places = os.environ.get("PATH", "") + os.pathsep + "/usr/local/cuda/bin"
        found = shutil.which(name, path=places)
        if not found:
            raise CannotTell(f"{name} is not installed: {why}")
        return found

    def predictions(self):
        """What the reference machine says of each scenario; an empty list where a dry run has none."""
        path = self.binary + ".json"
        try:
            with open(path, encoding="utf-8") as file:
                predicted = json.load(file)["scenarios"]
        except OSError as error:
            if self.dry:
                return []
            raise CannotTell(f"the predictions are missing: {error}") from error
        if not predicted:
            raise CannotTell(f"{path} has no scenario")
        wrong = [each["name"] for each in predicted if not each["right"]]
        if wrong:
            raise Failed(f"wrong already on the reference machine: {', '.join(wrong)}")
        return predicted

    def ask(self, words):
        """What the program says that needs no GPU: also in a dry run, if it is there; else None."""
        if self.dry and not os.path.isfile(self.binary):
            return None
        try:
            return subprocess.run([self.binary, *words], stdout=subprocess.PIPE, text=True,
                                  check=True).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            raise CannotTell(str(error)) from error

    def result(self, name):
        """The path of a file of results."""
        return os.path.join(self.out, name)

    def write_json(self, name, value):
        with open(self.result(name), "w", encoding="utf-8") as file:
            json.dump({"device": self.device, **value}, file, indent=1)
            file.write("\n")
        print(f"results: {self.result(name)}")
