"""The command; `ci/mutants` explains its use."""

import argparse
import concurrent.futures
import json
import os
import sys
import traceback

try:
    import clang.cindex  # noqa: F401
except ImportError as error:
    print(f"ci/mutants: {error}: the package python3-clang-16 has it", file=sys.stderr)
    sys.exit(3)

import changed
import tree
from mutation import building, report, rooms
from mutation.places import mutants_of
from mutation.trial import SURVIVED, UNREACHED, Trials


def say(text):
    print(f"ci/mutants: {text}", file=sys.stderr, flush=True)


def parsed():
    parser = argparse.ArgumentParser(prog="ci/mutants")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--room", action="append", default=[], metavar="NAME")
    parser.add_argument("--count", type=int, default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--least", type=float, default=90, metavar="PERCENT")
    parser.add_argument("--budget", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--patience", type=float, default=10, metavar="SECONDS")
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--root", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--configure", default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.count < 1:
        parser.error("--count: at least 1")
    if sum(map(bool, (arguments.files, arguments.room, arguments.changed))) > 1:
        parser.error("FILE, --room and --changed exclude each other")
    return arguments


def changed_files(root):
    """The files of the rooms that have changed according to ci/changed.py."""
    names = changed.changed(root, changed.base_of(root))
    return [path for patterns in rooms.ROOMS.values() for path in rooms.files_of(patterns, names)]


def found_in(copy, paths):
    """The mutants of files."""
    errors = copy.errors_in(paths, copy.plain)
    if errors:
        raise building.DoesNotBuild("{0}:{1}:{2}: {3}".format(*errors[0]))
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(mutants_of, path, os.path.join(copy.tree, path), copy.plain(path),
                               copy.arguments(path)) for path in paths]
        return [mutant for future in futures for mutant in future.result()]


def draw(by_room, count, seed):
    """The drawn mutants of each room. If a file is in two rooms, its mutants may be drawn in both."""
    return {name: sorted(mutants, key=lambda mutant: mutant.rank(seed))[:count]
            for name, mutants in by_room.items()}


def kept_results(path, wanted):
    """The results of the previous run, by the mutant's key, for mutants that are not tried again."""
    if not wanted or not os.path.isfile(path):
        return {}
    with open(path, encoding="utf-8") as file:
        results = [json.loads(line) for line in file]
    return {entry["key"]: entry["result"] for entry in results
            if entry["result"]["fate"] not in (SURVIVED, UNREACHED)}


def tried(copy, drawn, known, arguments, folder):
    """The result of each mutant, by its key."""
    mutants = copy.numbered(sorted(
        {mutant.key(): mutant for each in drawn.values() for mutant in each}.values(),
        key=lambda mutant: (mutant.path, mutant.line, mutant.key())))
    dead = copy.make(mutants)
    trials = Trials(copy.build, {"RC_PARAMS": f"max_success=100 seed={arguments.seed}"},
                    os.cpu_count(), arguments.budget, arguments.patience, say)
    if not trials.tests:
        raise building.DoesNotBuild("the build has no tests")
    failed, unsteady = trials.look(max(mutants, default=0))
    if failed:
        raise building.DoesNotBuild("without any mutant these tests fail: " + ", ".join(failed))
    if unsteady:
        say("left out, since they failed without a mutant, and passed again by themselves: " +
            ", ".join(unsteady))
    path = os.path.join(folder, "results.jsonl")
    results = kept_results(path, arguments.again)
    equal = {mutant.key() for mutant in mutants.values() if (mutant.statement, mutant.change) in known}
    wanted = [number for number, mutant in mutants.items()
              if number not in dead and mutant.key() not in results and mutant.key() not in equal]
    wanted.sort(key=lambda number: mutants[number].rank(arguments.seed))  # so that any first part is a sample
    with open(path, "w", encoding="utf-8") as file:
        def done(number, result):
            key = mutants[number].key()
            results[key] = result
            print(json.dumps({"key": key, "result": result}), file=file, flush=True)
            if len(results) % 50 == 0:
                say(f"{len(results)} of {len(mutants) - len(dead) - len(equal)} mutants are judged")
        for key, result in results.items():
            print(json.dumps({"key": key, "result": result}), file=file)
        trials.all(wanted, done)
    for key in equal:
        results[key] = {"fate": report.EQUIVALENT}
    return results


def main():
    arguments = parsed()
    root = os.path.realpath(arguments.root)
    folder = os.path.join(root, "build-mutants")
    known = rooms.equivalents()
    files = changed_files(root) if arguments.changed else arguments.files
    if arguments.changed and not files:
        say("no file of a room has changed")
        return 0
    named = rooms.rooms_of(arguments.room, files, tree.paths(root))
    copy = building.Copy(root, folder)
    copy.write()
    copy.configure(arguments.configure.split("\n") if arguments.configure else [])
    paths = sorted({path for each in named.values() for path in each})
    say(f"files to look through: {len(paths)}")
    found, mutants = {}, found_in(copy, paths)
    rooms.require_one_place(known, mutants, not (files or arguments.room))
    for mutant in mutants:
        found.setdefault(mutant.path, []).append(mutant)
    by_room = {name: [mutant for path in each for mutant in found.get(path, [])]
               for name, each in named.items()}
    drawn = draw(by_room, arguments.count, arguments.seed)
    if arguments.list:
        for name, mutants in drawn.items():
            for mutant in mutants:
                print(f"{name}: {mutant.path}:{mutant.line}: {mutant.change}\n    in: {mutant.statement}")
        return 0
    results = tried(copy, drawn, known, arguments, folder)
    told = []
    for name, mutants in drawn.items():
        counts = {}
        for mutant in mutants:
            result = results.get(mutant.key())
            if result is None:
                continue  # it does not compile
            counts[result["fate"]] = counts.get(result["fate"], 0) + 1
            if result["fate"] not in ("caught", report.EQUIVALENT):
                print(report.left(mutant, result))
        told.append(report.Room(name, len(by_room[name]), counts))
    print(report.table(told))
    wrong = report.problems(told, arguments.least)
    for problem in wrong:
        say(problem)
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except rooms.Wrong as error:
        say(error)
        sys.exit(2)
    except building.DoesNotBuild as error:
        say(error)
        sys.exit(3)
    except Exception:  # exit code 1 would say that tests catch too little
        traceback.print_exc()
        sys.exit(3)
