"""The gate itself: tests, scenarios, checkers, and repetitions of kernels that poll."""

import json

from .session import CannotTell, Failed

POLLS = 100
SANITIZER = "compute-sanitizer"
FAULTY = 9  # the exit code that compute-sanitizer is to use
# Each checker must report the bug that is planted for it.
CHECKERS = {"memcheck": "planted.out-of-bounds", "racecheck": "planted.race"}


def tools_for(options):
    if options.without_sanitizer:
        return {}
    return {SANITIZER: "it is part of the CUDA toolkit; --without-sanitizer does without"}


def tests(session, cases):
    """Runs the differential tests. Tests of the reference machine alone are left out by name; any other
    skipped test is a failure."""
    report = session.result("tests.json")
    done = session.run("tests", [session.binary, "--gtest_filter=-*OnMachine*",
                                 f"--gtest_output=json:{report}"],
                       {"RC_PARAMS": f"max_success={cases}"})
    if done is None:
        return
    if done[0] != 0:
        raise Failed("differential tests (above, with the commands to reproduce)")
    with open(report, encoding="utf-8") as file:
        suites = json.load(file)["testsuites"]
    cases = [case for suite in suites for case in suite["testsuite"]]
    left_out = [f'{case["classname"]}.{case["name"]}' for case in cases
                if case.get("result") != "COMPLETED" or case.get("failures")]
    if left_out:
        raise Failed(f"tests that were skipped or failed: {', '.join(left_out)}")
    if not cases:
        raise Failed("no test ran")
    print(f"tests: {len(cases)} hold")


def run_scenarios(session, step, names, prefix=()):
    done = session.run(step, [*prefix, session.binary, "scenario", *names], timeout=900, quiet=True)
    if done is None:
        return
    code, output = done
    right = output.count("right ")
    if code != 0 or right != len(names):
        raise Failed(f"{step}: exit code {code}, {right} of {len(names)} scenarios are right")
    print(f"{step}: {right} scenarios are right")


def check(session, checker, names):
    """Runs all kernels under a checker of compute-sanitizer, which has to report a planted bug first."""
    prefix = [session.tools[SANITIZER], "--tool", checker, "--error-exitcode", str(FAULTY)]
    planted = session.run(checker, [*prefix, session.binary, "scenario", CHECKERS[checker]],
                          timeout=300, quiet=True)
    if planted is not None and planted[0] != FAULTY:
        raise CannotTell(f"{checker} does not tell a planted bug: exit code {planted[0]}\n{planted[1]}")
    # Lanes of microkernels store to the same address on purpose.
    run_scenarios(session, checker, [name for name in names if checker != "racecheck" or
                                     not name.startswith("microkernel.")], prefix)


def run(session, options):
    predicted = session.predictions()
    names = [each["name"] for each in predicted] or ["EACH"]
    polling = [each["name"] for each in predicted if each["polls"]] or ["EACH-THAT-POLLS"]
    tests(session, options.cases)
    run_scenarios(session, "scenarios", names)
    if options.without_sanitizer:
        print("memcheck, racecheck: LEFT OUT, as told by --without-sanitizer")
    else:
        for checker in CHECKERS:
            check(session, checker, names)
    for name in polling:
        run_scenarios(session, "polling", [name] * (1 if session.dry else POLLS))
        if session.dry:
            print(f"polling: the same, {POLLS} times in one process")
