"""Writes mutants into the text of a file."""

HEAD = b'#include "%s"\n#line 1\n'
BEFORE = HEAD.count(b"\n")  # lines that it adds to a file


def nested(edits):
    """The edits in order of begin, outer ones first, without edits that partly overlap another edit."""
    kept, open_ends = [], []
    for edit in sorted(edits, key=lambda entry: (entry[0].begin, -entry[0].end, entry[1])):
        while open_ends and open_ends[-1] <= edit[0].begin:
            open_ends.pop()
        if open_ends and edit[0].end > open_ends[-1]:
            raise ValueError(f"two places overlap: {edit[0]}")
        kept.append(edit)
        open_ends.append(edit[0].end)
    return kept


def with_mutants(text, numbered, header):
    """The text with mutants, each given with its number, and with the header that activates them."""
    edits = nested([(edit, number) for mutant, number in numbered for edit in mutant.edits])
    out, at, waiting = [], 0, []

    def close(position):
        nonlocal at
        while waiting and waiting[-1][0] <= position:
            stop, after = waiting.pop()
            out.append(text[at:stop])
            at = stop
            out.append(after)

    for edit, number in edits:
        close(edit.begin)
        out.append(text[at:edit.begin])
        at = edit.begin
        out.append(edit.before.replace("{k}", str(number)).encode())
        waiting.append((edit.end, edit.after.encode()))
    close(len(text))
    out.append(text[at:])
    return b"".join([HEAD % header.encode(), *out])
