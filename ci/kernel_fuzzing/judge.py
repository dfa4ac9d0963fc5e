"""Asks `prove` about a kernel, runs launches of it on the machine, and says where the two disagree."""

import dataclasses
import json
import os
import re
import signal
import struct
import subprocess

MOST_INSTRUCTIONS = 150000
LEAST_WAVEFRONTS = {8: 2, 16: 4}
INTERNAL = re.compile(r"internal|assert|terminate called|segmentation|sanitizer|std::|exception", re.IGNORECASE)


@dataclasses.dataclass
class Answer:
    code: int
    report: dict  # empty if there is none
    text: str     # of standard error
    is_late: bool
    seconds: float = 0.0


@dataclasses.dataclass
class Wrong:
    what: str     # a kind, which stays the same while a kernel is shrunk
    message: str
    commands: list


def prepare():
    """In a new process: SIGTERM ends it, though this program handles it."""
    os.nice(max(0, 10 - os.nice(0)))
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def proved(claim):
    """Whether a claim of a report is proved of all sizes."""
    return claim["verdict"] == "proved" and not (claim["at_most"] or claim["not_negative"] or claim["positive"])


class Judge:
    def __init__(self, program, folder, simulated=None, patience=25):
        """`simulated` are claims that count as proved whatever the tool says of them."""
        self.program, self.folder, self.simulated = program, folder, simulated or set()
        self.patience, self.launches = patience, 0

    def started(self, words, seconds):
        """The exit code, both outputs, and whether it was stopped."""
        process = subprocess.Popen([self.program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   cwd=self.folder, preexec_fn=prepare, start_new_session=True)
        try:
            for is_late, patience in ((False, seconds), (True, 10)):
                try:
                    out, err = process.communicate(timeout=patience)
                    return process.returncode, out, err, is_late
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGTERM)
            return None, "", "", True
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()

    def ask(self, name, kernel, claims=None):
        words = ["prove", "--kernel", name, "k", *kernel.stated(), "--claim", claims or kernel.claims, "--format",
                 "json"]
        code, out, err, is_late = self.started(words, self.patience)
        try:
            report = json.loads(out) if out else {}
        except json.JSONDecodeError:
            report, err = {}, "internal: the report is no JSON: " + out[:200] + err
        most = dict(one.partition("=")[::2] for one in (claims or kernel.claims).split(","))
        for claim in report.get("claims", []):
            claim["most"] = most.get(claim["claim"], "")
            # In a loop, or with a computed mask, it is assumed that the lanes come together.
            claim["is_about_lanes"] = claim["verdict"] == "refuted" or \
                not any("the lanes that a shuffle" in one for one in report["assumptions"])
        return Answer(code, report, err, is_late), [os.path.basename(self.program), *words]

    def launch(self, name, kernel, arguments, more=()):
        """The report of a launch, or nothing if it does not end; and its command."""
        block, grid, n, m, length, pattern, schedule = arguments
        size = n if kernel.length == "arg1" else 512
        words = ["kernel", name, "--machine", "sm_90", "--grid", ",".join(map(str, grid)), "--block",
                 ",".join(map(str, block)),
                 "--max-instructions", str(MOST_INSTRUCTIONS), "--threads", "1", *schedule, *more, "--format", "json"]
        if kernel.has_dynamic:
            words += ["--shared", str(4 * kernel.elements)]
        words += [f"buffer:u32:{size}=zeros", f"u32:{n}", f"buffer:u32:{size}={pattern}", f"i32:{m}", f"u64:{length}"]
        code, out, err, is_late = self.started(words, 20)
        self.launches += 1
        command = [os.path.basename(self.program), *words]
        if is_late:
            return {}, command, ""
        if code not in (0, 1) or not out:
            return {}, command, f"exit code {code}: {err[:300]}"
        report = json.loads(out)
        if any(one["kind"] == "instruction_limit" or "loop" in one["message"] for one in report["faults"]):
            return {}, command, ""
        return report, command, ""

    def value_of_threads(self, name, kernel, arguments):
        """What %v0 becomes in each thread of a launch of the probe in `name`."""
        place = os.path.join(self.folder, "probe.npy")
        if os.path.exists(place):
            os.remove(place)
        self.launch(name, kernel, arguments, ["--save", "0=probe.npy"])
        if not os.path.exists(place):
            return []
        with open(place, "rb") as file:
            data = file.read()
        data = data[data.index(b"\n") + 1:]
        blocks = arguments[1][0] * arguments[1][1]
        count = min(blocks * arguments[0][0] * arguments[0][1] * arguments[0][2], len(data) // 4)
        return list(struct.unpack(f"<{count}I", data[:4 * count]))

    def wrong(self, name, kernel, launches, claims=None):
        """The answer of `prove`, and what is wrong about it, if anything."""
        answer, asked = self.ask(name, kernel, claims)
        if answer.code is None:
            return answer, None
        stopped = answer.is_late and answer.code == -signal.SIGTERM
        if answer.code not in (0, 1, 3) and not stopped or INTERNAL.search(answer.text):
            if answer.code == 2 and "condition" in answer.text:
                return answer, None
            return answer, Wrong("crash", f"exit code {answer.code}: {answer.text[:300]}", [asked])
        if not answer.report:
            return answer, None
        verdicts = {claim["verdict"] for claim in answer.report["claims"]}
        expected = 1 if "refuted" in verdicts else 3 if verdicts & {"unknown",
                                                                    "unsupported"} or verdicts == {"nothing"} else 0
        if answer.code != expected and not answer.is_late:
            return answer, Wrong("code", f"exit code {answer.code} for {sorted(verdicts)}", [asked])
        found = self.wrong_refutation(answer.report) or self.wrong_proof(name, kernel, answer.report, launches)
        if found:
            found.commands.insert(0, asked)
        return answer, found

    def wrong_refutation(self, report):
        for claim in report["claims"]:
            if claim["verdict"] != "refuted":
                continue
            shown = [one["example"] for one in claim["findings"] if one["verdict"] == "refuted"]
            if not shown or not all(one.get("replayed") and one.get("run") for one in shown):
                return Wrong(f"refuted {claim['claim']}", "a refutation has no replay", [])
            for example in shown[:2]:
                words = [*example["run"][1:], "--format", "json"]
                if claim["claim"] == "overflow":
                    continue
                code, out, err, is_late = self.started(words, 30)
                if is_late:
                    continue
                if code not in (0, 1) or not out:
                    return Wrong(f"refuted {claim['claim']}", f"the replay ends with {code}: {err[:200]}",
                                 [example["run"]])
                seen = faults_of(claim, json.loads(out), self.source(words))
                if not seen:
                    return Wrong(f"refuted {claim['claim']}", f"the replay does not show: {example.get('fault')}",
                                 [example["run"]])
        return None

    def source(self, words):
        with open(os.path.join(self.folder, words[1]), encoding="utf-8") as file:
            return file.read().split("\n")

    def wrong_proof(self, name, kernel, report, launches):
        claims = {claim["claim"]: claim for claim in report["claims"]}
        for one in self.simulated & set(claims):
            claims[one] = {**claims[one], "verdict": "proved", "at_most": {}, "not_negative": [], "positive": []}
        sure = {one for one, claim in claims.items() if proved(claim)}
        conditional = any(claim["at_most"] or claim["not_negative"] or claim["positive"] for claim in claims.values())
        unreachable = set() if conditional else {at["line"] for at in report["unreachable"]}
        if not sure and not unreachable:
            return None
        source = self.source([None, name])
        for arguments in launches:
            seen, command, failure = self.launch(name, kernel, arguments)
            if failure and "buffer" not in failure:
                return Wrong("machine", failure, [command])
            if not seen:
                continue
            outside = any(one["kind"] in ("out_of_bounds", "misaligned") for one in seen["faults"])
            for one in sorted(sure):
                # An access that leaves its array is outside of what other claims assume.
                if one not in ("bounds", "barriers") and (outside or "bounds" not in sure and self.strays(kernel)):
                    continue
                shown = faults_of(claims[one], seen, source)
                if shown:
                    return Wrong(f"proved {one}", f"{shown[0]} (n={arguments[2]})", [command])
            for line in seen["lines"]:
                guarded = source[line["line"] - 1].startswith("@")  # lanes count where the guard does not hold, too
                if line["line"] in unreachable and line["active_lanes"] > 0 and not outside and not guarded:
                    return Wrong("unreachable", f"line {line['line']} is reached: {source[line['line'] - 1]}",
                                 [command])
        return None

    @staticmethod
    def strays(kernel):
        """Whether an access may leave its array for another one without a fault."""
        return kernel.has_second or kernel.has_dynamic


def is_between_blocks(fault):
    blocks = re.findall(r"\bblock (\([^)]*\)|\d+)", fault["message"])
    return len(set(blocks)) > 1


def faults_of(claim, report, source):
    """What a report of the machine shows that the claim excludes."""
    name, most = claim["claim"], claim["most"]
    faults = report["faults"]
    if name == "race":
        return [one["message"] for one in faults if one["kind"] in ("race",
                                                                    "colliding_writes") and not is_between_blocks(one)]
    if name == "blocks":
        return [one["message"] for one in faults if one["kind"] == "race" and is_between_blocks(one)]
    if name == "barriers":
        lanes = [one["message"] for one in faults if one["kind"] == "deadlock" or "not in the mask" in one["message"]]
        return [one["message"] for one in faults if one["kind"] == "barrier_divergence" or
                (one["kind"] == "deadlock" and "barrier" in one["message"])] + lanes * claim["is_about_lanes"]
    if name == "bounds":
        return [one["message"] for one in faults if one["kind"] in ("out_of_bounds", "misaligned", "read_only")]
    if name == "initialized":
        return [one["message"]
                for one in faults if one["kind"] == "uninitialized" and "shared memory" in one["message"]]
    if claim["verdict"] == "refuted":
        # Other accesses of the line may make up for that of one warp.
        return [str(line)
                for line in report["lines"] if line["shared"]["excess"] + line["global"]["excess_sectors"] > 0]
    shown = []
    asked = {at["line"] for at in claim["lines"]}
    for line in report["lines"]:
        if line["line"] not in asked or line["inlined"]:
            continue
        text = source[line["line"] - 1]
        if name == "banks" and line["shared"]["wavefronts"] > line["visits"] * (int(most) if most else least(text)):
            shown.append(f"line {line['line']}: {line['shared']['wavefronts']} wavefronts in "
                         f"{line['visits']} accesses: {text}")
        if name == "coalesced" and \
                line["global"]["sectors"] > line["global"]["ideal_sectors"] + line["visits"] * int(most or 0):
            shown.append(f"line {line['line']}: {line['global']['sectors']} sectors, at best "
                         f"{line['global']['ideal_sectors']}: {text}")
    return shown


def least(text):
    """Wavefronts that an access of a warp takes at best."""
    vector, bits = re.search(r"\.v([24])\.", text), re.search(r"\.[usb](8|16|32|64)\b", text)
    copied = re.search(r"cp\.async.*, (4|8|16);", text)
    size = int(copied.group(1)) if copied else (int(vector.group(1))
                                                if vector else 1) * (int(bits.group(1)) if bits else 32) // 8
    return LEAST_WAVEFRONTS.get(size, 1)
