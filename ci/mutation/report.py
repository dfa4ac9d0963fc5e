"""The results of the mutants: a table by room, and the mutants that no test caught."""

import dataclasses

from mutation.trial import CAUGHT, SURVIVED, TIMED_OUT, UNREACHED

EQUIVALENT = "equivalent"
MOST_EQUIVALENT = 10  # per hundred in a room


@dataclasses.dataclass
class Room:
    name: str
    places: int      # mutants that could be planted
    counts: dict     # of the drawn mutants, by fate

    def of(self, fate):
        return self.counts.get(fate, 0)

    def drawn(self):
        return sum(self.counts.values())

    def judged(self):
        """The mutants that a test could catch, without those that timed out."""
        return self.of(CAUGHT) + self.of(SURVIVED) + self.of(UNREACHED)

    def share(self):
        """The percentage of caught mutants; None if no mutant was judged."""
        return 100 * self.of(CAUGHT) / self.judged() if self.judged() else None


def table(rooms):
    lines = ["| room | places | tried | caught | timed out | survived | never run | equivalent | share |",
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for room in rooms:
        share = room.share()
        told = "–" if share is None else f"{share:.0f} %"
        lines.append(f"| {room.name} | {room.places} | {room.drawn()} | {room.of(CAUGHT)} | "
                     f"{room.of(TIMED_OUT)} | {room.of(SURVIVED)} | {room.of(UNREACHED)} | "
                     f"{room.of(EQUIVALENT)} | {told} |")
    return "\n".join(lines)


def left(mutant, result):
    """The lines about a mutant that no test caught."""
    about = {SURVIVED: f"survived {result['ran']} of {result['of']} tests that run it",
             UNREACHED: "no test runs it",
             TIMED_OUT: f"ran out of time in {', '.join(result['by'])}"}[result["fate"]]
    return f"{mutant.path}:{mutant.line}: {mutant.change}\n    in: {mutant.statement}\n    {about}"


def problems(rooms, least):
    """The reasons why rooms fail."""
    found = []
    for room in rooms:
        if not room.judged():
            found.append(f"{room.name}: no mutant was judged")
        elif room.share() < least:
            found.append(f"{room.name}: {room.share():.1f} % are caught, and {least} are asked for")
        if 100 * room.of(EQUIVALENT) > MOST_EQUIVALENT * room.drawn():
            found.append(f"{room.name}: {room.of(EQUIVALENT)} of {room.drawn()} are called equivalent, more "
                         f"than {MOST_EQUIVALENT} of a hundred")
    return found
