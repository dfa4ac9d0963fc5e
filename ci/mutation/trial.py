"""Tries mutants: finds which tests reach each mutant, and whether one of these tests fails."""

import concurrent.futures
import dataclasses
import json
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time

NOT_TRIED = {"house", "nvcc", "gpu-program"}  # of the tree itself, and tests that need a toolkit
MEMORY = 6 << 30  # bytes that a mutated program may have
LONGEST = 900     # seconds that a test may take without a mutant
AT_ONCE = 4.0     # seconds of tests that one process runs
CAUGHT, SURVIVED, TIMED_OUT, UNREACHED = "caught", "survived", "timed out", "unreached"


@dataclasses.dataclass
class Test:
    name: str
    command: list
    folder: str
    environment: dict
    seconds: float = 0.0

    def program(self):
        """The part of the command that tests of one GoogleTest program share; None for a test that runs
        alone."""
        if len(self.command) > 1 and self.command[1].startswith("--gtest_filter="):
            return (self.command[0], self.folder, tuple(sorted(self.environment.items())))
        return None


def tests_of(build):
    """The tests of a build that can run by themselves."""
    run = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True,
                         text=True, check=True)
    found = []
    for entry in json.loads(run.stdout)["tests"]:
        properties = {each["name"]: each["value"] for each in entry.get("properties", [])}
        if (NOT_TRIED & set(properties.get("LABELS", [])) or "PASS_REGULAR_EXPRESSION" in properties or
                "command" not in entry):
            continue
        environment = dict(each.partition("=")[::2] for each in properties.get("ENVIRONMENT", []))
        found.append(Test(entry["name"], entry["command"], properties.get("WORKING_DIRECTORY", build),
                          environment))
    return found


def interruptible():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # background jobs of shells ignore it


def limited():
    interruptible()
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, folder, environment, limit, prepare=limited):
    """Whether a command passes; None if it times out. Its child processes end with it."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=folder, env={**os.environ, **environment},
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                   start_new_session=True, preexec_fn=prepare)
        try:
            return process.wait(limit) == 0
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


class Trials:
    """The tests of a build, and the mutants in it."""

    def __init__(self, build, environment, workers, budget, patience, say):
        self.environment, self.workers, self.budget, self.say = environment, workers, budget, say
        self.patience = patience
        self.tests = tests_of(build)
        self.reached = {}   # the tests that reach a mutant, by its number
        self.catches = {}   # the number of mutants that a test caught, by its name
        self.lock = threading.Lock()

    def look(self, count):
        """Runs every test once without a mutant to see which places it reaches. Returns the tests that
        fail, and the tests that failed only here, by the memory limit or by chance, and pass again. Both
        are left out, because no mutant makes them fail."""
        failed, unsteady = [], []

        def one(test):
            environment = {**self.environment, **test.environment}
            with tempfile.NamedTemporaryFile() as file:
                file.write(bytes(count + 1))
                file.flush()
                mapped = {**environment, "BANKPROOF_MUTANTS_REACHED": file.name}
                began = time.monotonic()
                passed = run(test.command, test.folder, mapped, LONGEST)
                test.seconds = time.monotonic() - began
                file.seek(0)
                places = file.read()
            if not passed:
                passes = run(test.command, test.folder, environment, LONGEST, interruptible)
                (unsteady if passes else failed).append(test.name)
                return
            with self.lock:
                for number, byte in enumerate(places):
                    if byte:
                        self.reached.setdefault(number, []).append(test)

        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            for number, _ in enumerate(pool.map(one, self.tests), 1):
                if number % 200 == 0:
                    self.say(f"looked where {number} of {len(self.tests)} tests go")
        return failed, unsteady

    def portions(self, tests):
        """Tests in the order in which they are tried: tests that caught most, and quick tests, first.
        Tests of one program run together while that is quick."""
        ordered = sorted(tests, key=lambda test: test.seconds / (1 + 4 * self.catches.get(test.name, 0)))
        portions, open_portion = [], {}
        for test in ordered:
            program = test.program()
            there = open_portion.get(program) if program else None
            if there is not None and sum(each.seconds for each in there) + test.seconds <= AT_ONCE:
                there.append(test)
            else:
                portions.append([test])
                if program:
                    open_portion[program] = portions[-1]
        return portions

    def passes(self, portion, number):
        first = portion[0]
        command = first.command
        if first.program():
            names = ":".join(test.command[1].partition("=")[2] for test in portion)
            command = [command[0], f"--gtest_filter={names}", "--gtest_fail_fast",
                       "--gtest_also_run_disabled_tests"]
        limit = self.patience + 8 * sum(test.seconds for test in portion)
        return run(command, first.folder, {**self.environment, **first.environment,
                                           "BANKPROOF_MUTANT": str(number)}, limit)

    def judge(self, number):
        """The result of a mutant, the test that decided it, the number of tests that ran, and the number
        of tests that reach the mutant."""
        tests = self.reached.get(number, [])
        ran, spent, slow = 0, 0.0, None
        for portion in self.portions(tests):
            if spent > self.budget:
                break
            passed = self.passes(portion, number)
            ran += len(portion)
            spent += sum(test.seconds for test in portion)
            if passed is None:
                slow = portion[0].name
                break
            if not passed:
                with self.lock:
                    for test in portion:
                        self.catches[test.name] = self.catches.get(test.name, 0) + 1 / len(portion)
                return {"fate": CAUGHT, "by": [test.name for test in portion], "ran": ran,
                        "of": len(tests)}
        fate = TIMED_OUT if slow else SURVIVED if tests else UNREACHED
        return {"fate": fate, "by": [slow] if slow else [], "ran": ran, "of": len(tests)}

    def all(self, numbers, done):
        """Judges mutants, several at a time, and passes each result to `done`."""
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            futures = {pool.submit(self.judge, number): number for number in numbers}
            for future in concurrent.futures.as_completed(futures):
                done(futures[future], future.result())
