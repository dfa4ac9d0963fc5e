"""Makes a kernel smaller while it stays wrong, by leaving out statements, or what is around them."""

import copy
import time

from .kernel import Compound


def places(nodes):
    """All lists of statements within `nodes`."""
    yield nodes
    for one in nodes:
        if isinstance(one, Compound):
            for body in one.bodies:
                yield from places(body)


def smaller(kernel):
    """Kernels without one part of this one, the largest parts first."""
    tries = []
    for k, nodes in enumerate(places(kernel.nodes)):
        for i, one in enumerate(nodes):
            tries.append((len(one.text()), k, i, "without"))
            if isinstance(one, Compound):
                tries.append((len(one.text()) - sum(len(part.text()) for body in one.bodies for part in body), k, i,
                              "bodies"))
    for _, k, i, how in sorted(tries, reverse=True):
        made = copy.deepcopy(kernel)
        nodes = list(places(made.nodes))[k]
        nodes[i:i + 1] = [] if how == "without" else [part for body in nodes[i].bodies for part in body]
        yield made
    if kernel.target:
        made = copy.deepcopy(kernel)
        made.target = ()
        yield made
    for one in ("has_second", "has_dynamic"):
        text = kernel.text()
        if getattr(kernel, one) and "%s2," not in text.replace("mov.u32 %s2,",
                                                               "") and "%dyn," not in text.replace("mov.u32 %dyn,", ""):
            made = copy.deepcopy(kernel)
            setattr(made, one, False)
            yield made
    for condition in kernel.where:
        made = copy.deepcopy(kernel)
        made.where.remove(condition)
        yield made
    for k, start in enumerate(kernel.starts):
        if start != "0":
            made = copy.deepcopy(kernel)
            made.starts[k] = "0"
            yield made


def shrink(kernel, is_wrong, seconds):
    """The smallest kernel that is found in this time."""
    end = time.monotonic() + seconds
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for one in smaller(kernel):
            if time.monotonic() > end:
                break
            if is_wrong(one):
                kernel, progress = one, True
                break
    used = "\n".join(line for node in kernel.nodes for line in node.text())
    kernel.functions = [one if f", f{k}," in used else [] for k, one in enumerate(kernel.functions)]
    return kernel
