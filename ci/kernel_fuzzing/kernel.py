"""A kernel as a tree of statements, its shape, and its text as PTX.

A statement uses registers of its own beside those that the prologue sets, so that any statement may be left out.
"""

import dataclasses
import math
import re


@dataclasses.dataclass
class Statement:
    """Lines of PTX, with one instruction each."""
    lines: list

    def text(self):
        return list(self.lines)


@dataclasses.dataclass
class Compound:
    """Bodies with lines before, between and behind them: a branch or a loop."""
    frames: list  # of lines; one more than there are bodies
    bodies: list  # of lists of statements

    def text(self):
        lines = list(self.frames[0])
        for body, frame in zip(self.bodies, self.frames[1:]):
            for one in body:
                lines += one.text()
            lines += frame
        return lines


@dataclasses.dataclass
class Kernel:
    block: tuple
    grid: tuple
    elements: int  # of each shared array, of 4 bytes each
    states_block: bool = True
    states_grid: bool = True
    where: list = dataclasses.field(default_factory=list)
    length: str = "512"  # of each buffer: a number, or arg1
    has_second: bool = False
    has_dynamic: bool = False
    functions: list = dataclasses.field(default_factory=list)
    nodes: list = dataclasses.field(default_factory=list)
    starts: list = dataclasses.field(default_factory=list)  # the first values of %v0, %v1, …
    target: tuple = ()  # (comparison, number): a store out of bounds if %v0 compares so
    claims: str = ""

    @property
    def threads(self):
        return math.prod(self.block)

    def stated(self):
        """The options of `prove` that say what holds for each launch."""
        words = ["--buffer", f"arg0=u32:{self.length}", "--buffer", f"arg2=u32:{self.length}"]
        if self.states_block:
            words += ["--block", ",".join(map(str, self.block))]
        if self.states_grid:
            words += ["--grid", ",".join(map(str, self.grid))]
        for condition in self.where:
            words += ["--where", condition]
        if self.has_dynamic:
            words += ["--shared", str(4 * self.elements)]
        return words

    def text(self, is_probe=False):
        """The PTX. A probe stores %v0 of each thread to `out`, and has no target."""
        body = []
        for one in self.nodes:
            body += one.text()
        if is_probe:
            body += ["mul.wide.u32 %xend, %gid, 4;", "add.u64 %xend, %out, %xend;", "st.global.u32 [%xend], %v0;"]
        elif self.target:
            comparison, number = self.target
            body += [f"setp.{comparison} %pend, %v0, {number};", "@!%pend bra END;",
                     f"st.shared.u32 [s+{4 * self.elements}], %v0;", "END:"]
        lines = [".version 8.0", ".target sm_90", ".address_size 64",
                 ".const .align 4 .b32 ct[8] = {3, 1, 4, 1, 5, 9, 2, 6};"]
        for function in self.functions:
            lines += function
        if self.has_dynamic:
            lines.append(".extern .shared .align 16 .b8 dyn[];")
        lines += [".visible .entry k(.param .u64 out, .param .u32 n, .param .u64 a, .param .s32 m, .param .u64 len)",
                  "{",
                  *self.declared(body), *self.prologue(body), *body, "ret;", "}"]
        return "\n".join(lines) + "\n"

    def declared(self, body):
        def count(name):
            return 1 + max((int(one) for one in re.findall(rf"%{name}(\d+)\b", "\n".join(body))), default=0)
        lines = [f".reg .pred %p<{count('p')}>, %pend;", f".reg .b16 %h<{count('h')}>;", f".reg .f32 %f<{count('f')}>;",
                 f".reg .b32 %t<{count('t')}>, %v<{len(self.starts)}>, %c<{count('c')}>;",
                 ".reg .b32 %tx, %ty, %tz, %cx, %lin, %gid, %n, %m, %s, %s2, %dyn, %size;",
                 f".reg .b64 %x<{count('x')}>, %w<3>, %out, %a, %len, %sg, %xend;",
                 f".shared .align 16 .b8 s[{4 * self.elements}];"]
        if self.has_second:
            lines.append(f".shared .align 16 .b8 s2[{4 * self.elements}];")
        if any(re.search(r"\bloc\b", line) for line in body):
            lines.append(".local .align 16 .b8 loc[64];")
        return lines

    def prologue(self, body):
        x, y, _ = self.block
        lines = ["ld.param.u64 %out, [out];", "ld.param.u32 %n, [n];", "ld.param.u64 %a, [a];", "ld.param.s32 %m, [m];",
                 "ld.param.u64 %len, [len];", "cvta.to.global.u64 %out, %out;", "cvta.to.global.u64 %a, %a;",
                 "mov.u32 %tx, %tid.x;", "mov.u32 %cx, %ctaid.x;"]
        if self.states_block:
            lines += ["mov.u32 %ty, %tid.y;", "mov.u32 %tz, %tid.z;", f"mad.lo.u32 %lin, %tz, {y}, %ty;",
                      f"mad.lo.u32 %lin, %lin, {x}, %tx;", f"mov.u32 %size, {self.threads};"]
        else:
            lines += ["mov.u32 %ty, 0;", "mov.u32 %tz, 0;", "mov.u32 %lin, %tx;", "mov.u32 %size, %ntid.x;"]
        if self.grid[1] > 1:
            lines += ["mov.u32 %gid, %ctaid.y;", f"mad.lo.u32 %cx, %gid, {self.grid[0]}, %cx;"]
        lines += ["mad.lo.u32 %gid, %cx, %size, %lin;", "mov.u32 %s, s;"]
        lines.append("mov.u32 %s2, s2;" if self.has_second else "mov.u32 %s2, %s;")
        lines.append("mov.u32 %dyn, dyn;" if self.has_dynamic else "mov.u32 %dyn, %s;")
        lines += ["mov.u64 %sg, s;", "cvta.shared.u64 %sg, %sg;"]
        lines += [f"mov.u32 %v{k}, {start};" for k, start in enumerate(self.starts)]
        lines += ["mov.u64 %w0, 0;", "cvt.u64.u32 %w1, %lin;", "mov.u64 %w2, %len;"]
        counters = {int(one) for one in re.findall(r"%c(\d+)\b", "\n".join(body))}
        begun = {int(one) for one in re.findall(r"mov\.u32 %c(\d+)\b", "\n".join(body))}
        return lines + [f"mov.u32 %c{k}, 0;" for k in sorted(counters - begun)]
