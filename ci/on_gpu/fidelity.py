"""The generated part of docs/fidelity.md: the counts of a chip beside the predictions."""

import datetime

from .session import CannotTell

BEGIN, END = "<!-- counters: begin (ci/gpu --counters --write) -->", "<!-- counters: end -->"
MICRO = "microkernel."

# Two counters per column: loads and stores.
COLUMNS = {
    "shared ld/st": ["smsp__sass_inst_executed_op_shared_ld.sum",
                     "smsp__sass_inst_executed_op_shared_st.sum"],
    "wavefronts ld/st": ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                         "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    "global ld/st": ["smsp__sass_inst_executed_op_global_ld.sum",
                     "smsp__sass_inst_executed_op_global_st.sum"],
    "sectors ld/st": ["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
                      "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "tags": ["smsp__sass_l1tex_tags_mem_global.sum"],
}
# The counters that see the access of a microkernel.
SEEN_BY = {"shared-load": ("wavefronts ld/st", 0), "shared-store": ("wavefronts ld/st", 1),
           "global-load": ("sectors ld/st", 0), "global-store": ("sectors ld/st", 1)}


def shown(both):
    """A count, or both counts if they differ."""
    if both["predicted"] == both["measured"]:
        return str(both["measured"])
    return f"**{both['measured']}** (predicted {both['predicted']})"


def line(cells):
    return "| " + " | ".join(cells) + " |\n"


def table(head, rows):
    return line(head) + line(["---"] * len(head)) + "".join(line(row) for row in rows) + "\n"


def is_equal(row):
    return all(both["predicted"] == both["measured"] for both in row["metrics"].values())


def kernels(rows):
    return table(["kernel", *COLUMNS, "cross-check, of them ideal", "as predicted"], [
        [row["name"], *("/".join(shown(row["metrics"][metric]) for metric in metrics)
                        for metrics in COLUMNS.values()),
         "/".join(str(count) for count in row.get("cross_check", {}).values()) or "not read",
         "yes" if is_equal(row) else "**no**"]
        for row in rows])


def microkernels(rows):
    """One row per memory, direction and width, one column per pattern."""
    cells, patterns = {}, []
    for row in rows:
        access, width, pattern = row["name"][len(MICRO):].split(".")
        column, which = SEEN_BY[access]
        cells.setdefault((access, width), {})[pattern] = shown(row["metrics"][COLUMNS[column][which]])
        if pattern not in patterns:
            patterns.append(pattern)
    return table(["access", "bytes a lane", *patterns],
                 [[access, width, *(of_row.get(pattern, "–") for pattern in patterns)]
                  for (access, width), of_row in cells.items()])


def tables(device, rows, left_out):
    """The generated part, without its marks."""
    micro = [row for row in rows if row["name"].startswith(MICRO)]
    others = [row for row in rows if not row["name"].startswith(MICRO)]
    text = (f"Counted on {datetime.date.today()}, {device['name']} (sm_{device['capability']}), "
            f"driver {device['driver']}.\n\n")
    if micro:
        text += "Microkernels: wavefronts of shared memory, sectors of global memory.\n\n"
        text += microkernels(micro)
    if others:
        text += "Kernels, at the size of their scenarios.\n\n" + kernels(others)
    if left_out:
        text += "Left out, since their accesses are not all plain: " + ", ".join(
            f"{each['name']} (`{each['because']}`)" for each in left_out) + ".\n"
    return text.rstrip("\n") + "\n"


def write(path, text):
    """Replaces the text between the document's marks."""
    with open(path, encoding="utf-8") as file:
        document = file.read()
    if document.count(BEGIN) != 1 or document.count(END) != 1:
        raise CannotTell(f"{path} lacks the marks of its generated part")
    before, rest = document.split(BEGIN)
    after = rest.split(END)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n{text}{END}{after}")
