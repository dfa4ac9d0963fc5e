"""Random control flow: branches, loops, calls, votes, early ends."""

from .arithmetic import COMPARISONS
from .kernel import Compound


class Control:
    def inside(self, is_uniform, count, is_loop=False):
        """Draws a body of statements."""
        outer, kept, was_uniform = self.at, {name: set(kinds) for name, kinds in self.since.items()}, self.is_uniform
        body = self.at = []
        self.is_uniform = was_uniform and is_uniform
        self.depth += 1
        if is_loop:
            # An earlier iteration may have left any access.
            self.loops += 1
        for _ in range(count):
            self.statement()
        if is_loop:
            self.loops -= 1
            if self.is_uniform and any(write for kinds in self.since.values() for _,
                                       write in kinds) and self.random.random() < 0.9:
                self.barrier()
        self.depth -= 1
        self.at, self.is_uniform = outer, was_uniform
        for name, kinds in kept.items():
            self.since.setdefault(name, set()).update(kinds)
        return body

    def condition(self, is_uniform):
        lines = []
        if not is_uniform:
            return lines, self.arithmetic.predicate(lines, 1)
        p = self.name("p")
        first = self.random.choice(["%n", "%m", "%cx", "%n"])
        kind = self.random.choice(["u32", "s32"])
        second = self.random.choice([0, 1, 2, 5, 32, 64])
        lines.append(f"setp.{self.random.choice(COMPARISONS)}.{kind} {p}, {first}, {second};")
        return lines, p

    def branch(self):
        is_uniform = self.random.random() < 0.4
        lines, p = self.condition(is_uniform)
        other, end = self.label(), self.label()
        sign = self.random.choice(["", "!"])
        first = self.inside(is_uniform, self.random.choice([1, 2, 3]))
        if self.random.random() < 0.5:
            self.at.append(Compound([lines + [f"@{sign}{p} bra {end};"], [f"{end}:"]], [first]))
            return
        second = self.inside(is_uniform, self.random.choice([1, 2]))
        self.at.append(Compound([lines + [f"@{sign}{p} bra {other};"], [f"bra {end};", f"{other}:"], [f"{end}:"]],
                                [first, second]))

    def early_end(self):
        if self.depth > 0 or self.random.random() < 0.6:
            return
        lines, p = self.condition(self.random.random() < 0.3)
        if self.random.random() < 0.6:
            p = self.name("p")
            lines = [f"setp.ge.u32 {p}, %gid, %n;"]
        self.add(lines + [f"@{p} ret;"])

    def loop(self):
        """A loop of one of many forms."""
        if self.loops >= 2:
            return
        is_uniform = self.random.random() < (0.75 if self.is_uniform else 0.3)
        counter, p, begin, end = self.name("c"), self.name("p"), self.label(), self.label()
        self.counters.append(counter)
        limit = self.random.choice(["%n", "%n", "%m", "3", "4", "17", "64", "100"])
        if not is_uniform:
            limit = self.random.choice([limit, "%lin", f"%v{self.variable()}"])
        start = "0" if is_uniform else self.random.choice(["%lin", "%gid", "%tx", "0"])
        kind, sign = self.random.choice([("up", "u32"), ("up", "s32"), ("up", "u32"), ("down", "s32"),
                                         ("double", "u32"),
                                         ("halve", "u32"), ("stride", "u32"), ("exits", "u32"), ("not_equal", "u32")])
        step = self.random.choice(["1", "1", "2", "3", "32", "64"])
        before, close = [f"mov.u32 {counter}, {start};"], [f"add.u32 {counter}, {counter}, {step};"]
        test = f"setp.lt.{sign} {p}, {counter}, {limit};"
        if kind == "down":
            before, close = [f"mov.u32 {counter}, {limit};"], [f"sub.s32 {counter}, {counter}, {step};"]
            test = f"setp.{self.random.choice(['gt', 'ge'])}.s32 {p}, {counter}, {self.random.choice(['0', '0', '2'])};"
        elif kind == "double":
            before, close = [f"mov.u32 {counter}, 1;"], [f"shl.b32 {counter}, {counter}, 1;"]
            test = f"setp.lt.u32 {p}, {counter}, {self.random.choice(['%size', '64', '%n', '100'])};"
        elif kind == "halve":
            before = [f"mov.u32 {counter}, {self.random.choice(['64', '32', '100', '%n', '%size'])};"]
            close = [f"shr.u32 {counter}, {counter}, 1;"]
            test = f"setp.{self.random.choice(['ne', 'gt'])}.u32 {p}, {counter}, 0;"
        elif kind == "stride":
            before, close = [f"mov.u32 {counter}, {start};"], [f"add.u32 {counter}, {counter}, %size;"]
        elif kind == "not_equal":
            before, close = [f"mov.u32 {counter}, 0;"], [f"add.u32 {counter}, {counter}, 1;"]
            test = f"setp.ne.u32 {p}, {counter}, {self.random.choice(['5', '64', '%n'])};"
        if self.random.random() < 0.25:
            second = self.name("c")
            self.counters.append(second)
            before.append(f"mov.u32 {second}, {self.random.choice(['0', '%lin', '7', '%n'])};")
            close.append(self.random.choice([f"add.u32 {second}, {second}, 4;", f"sub.u32 {second}, {second}, 1;",
                                             f"xor.b32 {second}, {second}, 1;", f"shl.b32 {second}, {second}, 1;",
                                             f"shr.s32 {second}, {second}, 1;",
                                             f"add.u32 {second}, {second}, {counter};"]))
        if self.random.random() < 0.2:
            first, second = self.random.sample(range(len(self.kernel.starts)), 2)
            t = self.name("t")
            close += [f"mov.u32 {t}, %v{first};", f"mov.u32 %v{first}, %v{second};", f"mov.u32 %v{second}, {t};"]
        if self.random.random() < 0.25:
            v = self.variable()
            close.append(self.random.choice([f"add.u32 %v{v}, %v{v}, 3;", f"shl.b32 %v{v}, %v{v}, 1;",
                                             f"shr.u32 %v{v}, %v{v}, 1;",
                                             f"mul.lo.u32 %v{v}, %v{v}, 3;", f"not.b32 %v{v}, %v{v};",
                                             f"min.u32 %v{v}, %v{v}, {counter};"]))
        is_first_tested = self.random.random() < 0.7
        if is_first_tested:
            before += [test, f"@!{p} bra {end};"]
        bodies = [self.inside(is_uniform, self.random.choice([1, 2, 2, 3]), is_loop=True)]
        frames = [before + [f"{begin}:"], close + [test, f"@{p} bra {begin};", f"{end}:"]]
        if self.random.random() < 0.2:
            lines, skip = self.condition(self.random.random() < 0.5)
            again = self.label()
            is_same = bool(lines and len(lines) == 1 and "%lin" not in lines[0])
            bodies.append(self.inside(is_same and is_uniform, self.random.choice([1, 1, 2]), is_loop=True))
            frames.insert(1, lines + [f"@{skip} bra {again};"])
            frames[2] = [f"{again}:", *frames[2]]
        elif kind == "exits" or self.random.random() < 0.15:
            lines, leave = self.condition(self.random.random() < 0.7)
            bodies.append(self.inside(is_uniform, self.random.choice([1, 1, 2]), is_loop=True))
            frames.insert(1, lines + [f"@{leave} bra {end};"])
        self.at.append(Compound(frames, bodies))
        if self.random.random() < 0.4:
            self.add([f"add.u32 %v{self.variable()}, %v{self.variable()}, {counter};"])

    def call(self):
        """A call of a function, which the kernel has anew."""
        k = len(self.kernel.functions)
        form = self.random.random()
        body = ["mad.lo.u32 r2, r0, r1, 7;"]
        if form < 0.3:
            body = ["setp.lt.u32 p0, r0, r1;", "mov.u32 r2, r0;", "@p0 bra LESS;", "sub.u32 r2, r0, r1;", "LESS:"]
        elif form < 0.6:
            body = ["mov.u32 r2, 0;", "and.b32 r3, r1, 7;", "AGAIN:", "add.u32 r2, r2, r0;", "sub.u32 r3, r3, 1;",
                    "setp.gt.s32 p0, r3, 0;", "@p0 bra AGAIN;"]
        elif form < 0.7:
            body = ["mov.u32 r2, r0;", "st.param.b32 [r], r2;", "setp.eq.u32 p0, r1, 3;", "@p0 ret;",
                    "add.u32 r2, r2, r1;"]
        elif form < 0.8:
            body = ["mov.u32 r2, r1;", "and.b32 r3, r0, 3;", "setp.ne.u32 p0, r3, 0;", "@!p0 bra OUT;",
                    "AGAIN:", "shr.u32 r2, r2, 1;", "setp.gt.u32 p0, r2, r3;", "@p0 bra AGAIN;", "OUT:"]
        self.kernel.functions.append([f".func (.param .b32 r) f{k}(.param .b32 a, .param .b32 b)", "{",
                                      ".reg .b32 r<4>;",
                                      ".reg .pred p<1>;", "ld.param.u32 r0, [a];", "ld.param.u32 r1, [b];", *body,
                                      "st.param.b32 [r], r2;", "ret;", "}"])
        lines = []
        first, second = self.arithmetic.register(lines, 1), self.arithmetic.register(lines, 1)
        self.add(lines + ["{", ".param .b32 pa;", ".param .b32 pb;", ".param .b32 pr;", f"st.param.b32 [pa], {first};",
                          f"st.param.b32 [pb], {second};", f"call (pr), f{k}, (pa, pb);",
                          f"ld.param.b32 %v{self.variable()}, [pr];",
                          "}"])

    def collective(self):
        """A shuffle, a vote or a barrier of a warp."""
        lines, p, v = [], self.name("p"), self.variable()
        if self.depth > 0 and self.random.random() < 0.8:
            return
        value = self.arithmetic.register(lines, 1)
        lines.append(f"setp.lt.u32 {p}, {value}, {self.random.choice([1, 16, 33])};")
        mask = self.random.choice(["0xffffffff"] * 6 + ["0x0000ffff"])
        lines.append(self.random.choice([
            f"shfl.sync.{self.random.choice(['bfly', 'up', 'down', 'idx'])}.b32 %v{v}|{self.name('p')}, {value}, "
            f"{self.random.choice([0, 1, 16])}, {self.random.choice([0, 31])}, {mask};",
            f"vote.sync.ballot.b32 %v{v}, {p}, {mask};", f"vote.sync.any.pred {self.name('p')}, {p}, {mask};",
            f"match.any.sync.b32 %v{v}, {value}, {mask};", f"bar.warp.sync {mask};", f"bar.warp.sync {mask};",
            f"activemask.b32 %v{v};", f"redux.sync.add.u32 %v{v}, {value}, {mask};"]))
        self.add(lines)

    def switch(self):
        lines, t, end = [], self.name("t"), self.label()
        labels = [self.label() for _ in range(3)]
        lines += [f"and.b32 {t}, %v{self.variable()}, 3;", f"min.u32 {t}, {t}, 2;",
                  f"{end}T: .branchtargets {', '.join(labels)};",
                  f"brx.idx {t}, {end}T;"]
        frames, bodies = [lines + [f"{labels[0]}:"]], []
        for following in [*labels[1:], end]:
            bodies.append(self.inside(False, 1))
            frames.append([f"bra {end};", f"{following}:"] if following != end else [f"{end}:"])
        self.at.append(Compound(frames, bodies))
