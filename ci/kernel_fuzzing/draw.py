"""Draws a kernel from a seed."""

import random

from .arithmetic import EDGES, SMALL, Arithmetic
from .control import Control
from .idioms import Idioms
from .kernel import Kernel
from .memory import Memory

BLOCKS = [(32, 1, 1), (64, 1, 1), (64, 1, 1), (48, 1, 1), (33, 1, 1), (1, 1, 1), (5, 1, 1), (96, 1, 1), (128, 1, 1),
          (8, 4, 1),
          (16, 4, 1), (3, 5, 1), (5, 3, 3), (16, 3, 2), (4, 4, 4), (2, 16, 3), (33, 2, 1), (1, 40, 1), (8, 8, 1),
          (7, 9, 1)]
GRIDS = [(1, 1), (1, 1), (1, 1), (2, 1), (3, 1), (2, 2)]
CLAIMS = "race,blocks,barriers,bounds,initialized,overflow"


class Drawing(Memory, Control, Idioms):
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names, self.counters, self.written = {}, [], {}
        self.is_uniform, self.depth, self.loops = True, 0, 0
        self.arithmetic = Arithmetic(self.random, self.name, self.leaf)
        self.is_pure = self.random.random() < 0.3
        self.kernel = self.shape()
        self.at = self.kernel.nodes
        self.begin_accesses()

    def shape(self):
        draw = self.random
        states_block = draw.random() < 0.8
        block = draw.choice(BLOCKS) if states_block else (64, 1, 1)
        threads = block[0] * block[1] * block[2]
        elements = max(64, 1 << (threads - 1).bit_length()) if states_block else 1024
        if draw.random() < 0.15 and states_block:
            elements = threads
        if draw.random() < 0.3 and states_block:
            elements *= 4
        grid = draw.choice(GRIDS)
        kernel = Kernel(block, grid, elements, states_block, draw.random() < 0.7 or grid[1] > 1)
        kernel.length = draw.choice(["512", "512", "512", "arg1"])
        kernel.has_second, kernel.has_dynamic = draw.random() < 0.35, draw.random() < 0.25
        kernel.where = draw.choice([[], [], ["arg1 <= 512"], ["arg1 <= 64"], ["arg1 == 64"],
                                    ["arg1 >= 1", "arg1 <= 1000"],
                                    ["arg1 <= 512", "arg3 >= 0", "arg3 < 100"]])
        if kernel.length == "arg1" and draw.random() < 0.5:
            kernel.where = ["arg1 <= 512"]
        kernel.starts = [draw.choice(["%lin", "%lin", "%gid", "%n", "%m", "0", "1", "%tx", "%ty"]) for _ in range(5)]
        banks = draw.choice(["", "", ",banks", ",banks=2", ",banks=4"])
        kernel.claims = CLAIMS + banks + draw.choice(["", "", ",coalesced", ",coalesced=1", ",coalesced=4"])
        return kernel

    def name(self, kind):
        self.names[kind] = self.names.get(kind, -1) + 1
        return f"%{kind}{self.names[kind]}"

    def label(self):
        self.names["L"] = self.names.get("L", 0) + 1
        return f"L{self.names['L']}"

    def variable(self):
        return self.random.randrange(len(self.kernel.starts))

    def leaf(self):
        form = self.random.random()
        if form < 0.35:
            return self.random.choice(["%lin", "%lin", "%tx", "%ty", "%tz", "%cx", "%gid"])
        if form < 0.45:
            return self.random.choice(["%n", "%n", "%m"])
        if form < 0.7:
            return f"%v{self.variable()}"
        if form < 0.78 and self.counters:
            return self.random.choice(self.counters[-3:])
        return self.random.choice(SMALL if self.random.random() < 0.6 else EDGES)

    def compute(self):
        lines = []
        value = self.arithmetic.value(lines, self.random.choice([1, 2, 2, 3]))
        guard = ""
        if self.random.random() < 0.15:
            guard = f"@{self.random.choice(['', '!'])}{self.arithmetic.predicate(lines, 1)} "
        self.add(lines + [f"{guard}mov.u32 %v{self.variable()}, {value};"])
        if self.random.random() < 0.03:
            self.add([self.random.choice(["membar.cta;", "fence.acq_rel.cta;", "fence.sc.gpu;", "membar.gl;"])])

    def compute_wide(self):
        lines, w = [], self.random.randrange(3)
        value = self.arithmetic.register(lines, 1)
        lines.append(self.random.choice([f"cvt.u64.u32 %w{w}, {value};", f"cvt.s64.s32 %w{w}, {value};",
                                         f"mad.wide.u32 %w{w}, {value}, 4, %w{self.random.randrange(3)};",
                                         f"mul.wide.s32 %w{w}, {value}, -3;",
                                         f"add.s64 %w{w}, %w{self.random.randrange(3)}, %len;"]))
        if self.random.random() < 0.4:
            lines.append(f"cvt.u32.u64 %v{self.variable()}, %w{w};")
        self.add(lines)

    def statement(self):
        form = self.random.random()
        if self.is_pure:
            choices = [(self.compute, 8), (self.compute_wide, 1), (self.branch, 2 if self.depth < 3 else 0),
                       (self.loop, 1.4 if self.depth < 1 else 0.3 * (self.depth < 2)), (self.call, 1), (self.local, 1), (self.collective, 0.3),
                       (self.global_access, 0.3), (self.early_end, 0.5), (self.switch, 0.02)]
        else:
            choices = [(self.compute, 2.5), (self.compute_wide, 0.4), (self.access_own, 4), (self.read_any, 2.5),
                       (self.write_by_one, 1),
                       (self.strong, 0.8), (self.global_access, 1.6), (self.branch, 1.6 if self.depth < 3 else 0),
                       (self.loop, 1.4 if self.depth < 2 else 0), (self.call, 0.3), (self.local, 0.3),
                       (self.collective, 0.6),
                       (self.early_end, 0.6), (self.switch, 0.01)]
            if self.depth == 0:
                choices += [(one, 0.5) for one in (self.reduction, self.scan, self.tiles, self.double_buffer,
                                                   self.warps, self.publish,
                                                   self.copies, self.histogram, self.strides, self.pointers)]
            elif self.is_uniform:
                choices += [(self.barrier, 0.8)] + [(one, 0.2) for one in (self.publish, self.histogram, self.warps,
                                                                           self.copies)]
        total = sum(weight for _, weight in choices) * form
        for make, weight in choices:
            total -= weight
            if total <= 0:
                return make()
        return None

    def draw(self):
        if not self.is_pure:
            for array in ["s"] + ["s2"] * self.kernel.has_second + ["dyn"] * self.kernel.has_dynamic:
                if self.random.random() < 0.75:
                    self.fill(array)
        count = self.random.choice([2, 3, 4]) if self.is_pure else self.random.choice([2, 3, 4, 5, 6])
        for _ in range(count):
            self.statement()
        if self.is_pure and not any("%v0" in line for node in self.kernel.nodes for line in node.text()):
            self.compute()
        return self.kernel


def draw(seed):
    """A kernel, and whether its target should be chosen among what %v0 becomes."""
    drawing = Drawing(seed)
    return drawing.draw(), drawing.is_pure or drawing.random.random() < 0.1, drawing.random
