"""Random accesses of memory, and the barriers between them that keep most kernels free of races."""

from .kernel import Statement

TYPES = {1: ["u8", "s8"], 2: ["u16", "s16"], 4: ["u32", "b32"], 8: ["u64", "v2.u32"], 16: ["v4.u32", "v2.u64"]}


class Memory:
    """What a block has accessed since the last barrier, for each array: kinds of accesses.

    A kind is (map, is_write): threads with the same map access places of their own. `one` is thread 0 alone, `any`
    may be all places, `atomic` are strong accesses of one width.
    """

    def begin_accesses(self):
        self.since = {}

    def conflicts(self, array, kind):
        for other in self.since.get(array, set()):
            if not (kind[1] or other[1]) or (kind[0] == other[0] and kind[0] != "any"):
                continue
            return True
        return False

    def order(self, array, kind):
        """Adds a barrier, mostly, if the access conflicts with earlier ones. Whether the access should be left out."""
        if self.conflicts(array, kind):
            if not self.is_uniform:
                return self.random.random() < 0.93
            if self.random.random() < 0.94:
                self.barrier()
        self.since.setdefault(array, set()).add(kind)
        return False

    def barrier(self):
        form = self.random.random()
        lines = ["bar.sync 0;"]
        if form < 0.1:
            lines = ["barrier.sync.aligned 0;"]
        elif form < 0.17:
            p = self.name("p")
            lines = [f"setp.lt.u32 {p}, %lin, {self.random.choice([1, 5, 32])};",
                     self.random.choice([f"bar.red.popc.u32 %v{self.variable()}, 0, {p};",
                                         f"bar.red.or.pred {self.name('p')}, 0, {p};"])]
        elif form < 0.18:
            lines = [self.random.choice(["bar.sync 1;", f"bar.sync 0, {-(-self.kernel.threads // 32) * 32};",
                                         f"bar.arrive 1, {-(-self.kernel.threads // 32) * 32};"])]
        self.add(lines)
        self.begin_accesses()

    def array(self):
        names = ["s", "s", "s"] + ["s2"] * (2 * self.kernel.has_second) + ["dyn"] * (2 * self.kernel.has_dynamic)
        return self.random.choice(names)

    def address(self, lines, array, index, width):
        """The text between brackets for element `index` of `width` bytes."""
        form = self.random.random()
        if form < 0.12 and array == "s":
            x = self.name("x")
            lines += [f"mul.wide.u32 {x}, {index}, {width};", f"add.s64 {x}, %sg, {x};"]
            return f"[{x}]", ""
        t = self.name("t")
        if form < 0.4:
            lines.append(f"mad.lo.u32 {t}, {index}, {width}, %{array};")
        elif form < 0.5:
            x = self.name("x")
            lines += [f"shl.b32 {t}, {index}, {width.bit_length() - 1};", f"cvt.u64.u32 {x}, {t};",
                      f"mov.u64 {self.name('x')}, {array};"]
            base = lines[-1].split()[1][:-1]
            lines.append(f"add.u64 {x}, {base}, {x};")
            return f"[{x}]", ".shared"
        elif form < 0.6:
            lines += [f"add.u32 {t}, {index}, 2;", f"mad.lo.u32 {t}, {t}, {width}, %{array};"]
            return f"[{t}+-{2 * width}]", ".shared"
        else:
            lines += [f"shl.b32 {t}, {index}, {width.bit_length() - 1};", f"add.u32 {t}, {t}, %{array};"]
        return f"[{t}]", ".shared"

    def own_index(self, lines):
        """The name of a map, and an index below the threads of the block that no other thread has."""
        threads, form = self.kernel.threads, self.random.random()
        if form < 0.6 or not self.kernel.states_block:
            return "lin", "%lin"
        t = self.name("t")
        if form < 0.68:
            return self.permuted(lines)
        if form < 0.74 and self.kernel.block[1] > 1:
            x, y, z = self.kernel.block
            row = self.random.choice([x, x, x + 1, x + 1, x - 1])
            if row * y * z <= self.kernel.elements:
                lines += [f"mad.lo.u32 {t}, %tz, {y}, %ty;", f"mad.lo.u32 {t}, {t}, {row}, %tx;"]
                return f"row{row}", t
        if form < 0.78:
            lines.append(f"sub.u32 {t}, {threads - 1}, %lin;")
            return "back", t
        if form < 0.9 and threads & (threads - 1) == 0:
            k = self.random.randrange(1, threads) if threads > 1 else 0
            lines.append(f"xor.b32 {t}, %lin, {k};")
            return f"xor{k}", t
        k = self.random.randrange(threads)
        lines += [f"add.u32 {t}, %lin, {k};", f"rem.u32 {t}, {t}, {threads};"]
        return f"turn{k}", t

    def permuted(self, lines):
        """An index that is made by steps which mostly permute the numbers below a power of two."""
        bits = (self.kernel.elements + 1).bit_length() - 1
        mask, value, steps = (1 << bits) - 1, "%lin", []
        for _ in range(self.random.choice([1, 2, 2, 3])):
            t, u, number = self.name("t"), self.name("t"), self.random.randrange(1, mask + 1)
            shift = self.random.randrange(1, max(2, bits))
            made = self.random.choice([
                [f"xor.b32 {t}, {value}, {number};"], [f"add.u32 {t}, {value}, {number};"],
                [f"mul.lo.u32 {t}, {value}, {number | (self.random.random() < 0.85)};"],
                [f"shr.u32 {u}, {value}, {shift};", f"xor.b32 {t}, {value}, {u};"],
                [f"brev.b32 {t}, {value};", f"shr.u32 {t}, {t}, {32 - bits};"],
                [f"shl.b32 {u}, {value}, {shift};", f"shr.u32 {t}, {value}, {bits - shift};", f"or.b32 {t}, {t}, {u};"],
                [f"sub.u32 {t}, {number}, {value};"], [f"bfi.b32 {t}, {value}, {value}, {shift}, {bits - shift};"],
                [f"prmt.b32 {t}, {value}, 0, {self.random.choice(['0x3210', '0x3201', '0x4440', '0x4441'])};"],
                [f"shl.b32 {u}, {value}, {shift};", f"xor.b32 {t}, {value}, {u};"], [f"not.b32 {t}, {value};"],
                [f"and.b32 {t}, {value}, {mask >> 1};"]])
            steps += [*made, f"and.b32 {t}, {t}, {mask};"]
            value = t
        lines += steps
        return f"permuted{len(self.names)}{value}", value

    def any_index(self, lines, count):
        """An index below `count`, a power of two, mostly."""
        form, t = self.random.random(), self.name("t")
        value = self.arithmetic.register(lines, self.random.choice([0, 1, 1, 2]))
        if form < 0.5:
            lines.append(f"and.b32 {t}, {value}, {count - 1};")
        elif form < 0.65:
            lines.append(f"min.u32 {t}, {value}, {count - 1};")
        elif form < 0.75:
            lines.append(f"rem.u32 {t}, {value}, {count};")
        elif form < 0.85:
            lines.append(f"bfe.u32 {t}, {value}, {self.random.choice([0, 3])}, {count.bit_length() - 1};")
        elif form < 0.97:
            lines += [f"max.s32 {t}, {value}, 0;", f"min.s32 {t}, {t}, {count - 1};"]
        else:
            return value
        return t

    def guard(self, lines, chance):
        if self.random.random() >= chance:
            return ""
        return f"@{self.random.choice(['', '!'])}{self.arithmetic.predicate(lines, 1)} "

    def operands(self, width, is_store):
        """A type, and registers of it."""
        kind = self.random.choice(TYPES[width])
        if kind.startswith("v"):
            count, wide = int(kind[1]), kind.endswith("64")
            names = [(f"%w{self.random.randrange(3)}" if wide else f"%v{self.variable()}") for _ in range(count)]
            if not is_store:
                names = [self.name("x" if wide else "t") for _ in range(count)]
            return kind, "{" + ", ".join(names) + "}"
        if width == 8:
            return kind, f"%w{self.random.randrange(3)}"
        return kind, f"%v{self.variable()}"

    def access_own(self):
        """Each thread accesses a place of its own."""
        lines, array = [], self.array()
        width = self.random.choice([4, 4, 4, 4, 1, 2] + [8, 16] * (self.kernel.elements >= 4 * self.kernel.threads))
        map_, index = self.own_index(lines)
        is_store = self.random.random() < 0.6
        if self.order(array, (f"{map_}/{width}", is_store)):
            return
        place, space = self.address(lines, array, index, width)
        guard = self.guard(lines, 0.2)
        kind, values = self.operands(width, is_store)
        mode = self.random.choice(["", "", "", "", ".volatile", ".relaxed.cta"])
        self.add(lines + [f"{guard}st{mode}{space}.{kind} {place}, {values};" if is_store else
                          f"{guard}ld{mode}{space}.{kind} {values}, {place};"])

    def read_any(self):
        lines, array = [], self.array()
        if self.order(array, ("any", False)):
            return
        width = self.random.choice([4, 4, 4, 1, 2, 8, 16])
        index = self.any_index(lines, self.known_elements(array) * 4 // width)
        place, space = self.address(lines, array, index, width)
        kind, values = self.operands(width, False)
        self.add(lines + [f"{self.guard(lines, 0.15)}ld{space}.{kind} {values}, {place};"])

    def write_by_one(self):
        """One thread writes."""
        lines, array = [], self.array()
        if self.order(array, ("one", True)):
            return
        p = self.name("p")
        value = self.arithmetic.register(lines, 1)
        lines.append(f"setp.eq.u32 {p}, %lin, {self.random.choice([0, 0, 0, 3])};")
        place, space = f"[{array}+{4 * self.random.choice([0, 1, self.kernel.elements - 1])}]", ".shared"
        self.add(lines + [f"@{p} st{self.random.choice(['', '', '.volatile'])}{space}.u32 {place}, {value};"])

    def known_elements(self, array):
        return self.written.get(array, self.kernel.elements) if self.random.random() < 0.7 else self.kernel.elements

    def strong(self):
        """An atomic, or a strong access of the same width."""
        lines, array, width = [], self.array(), self.random.choice([4, 4, 4, 8])
        if self.order(array, (f"strong{width}", True)):
            return
        index = self.any_index(lines, self.kernel.elements * 4 // width)
        place, space = self.address(lines, array, index, width)
        value = f"%v{self.variable()}" if width == 4 else f"%w{self.random.randrange(3)}"
        bits, result = 8 * width, self.name("t" if width == 4 else "x")
        forms = [f"red{space}.{self.random.choice(['add', 'max', 'min'])}.u{bits} {place}, {value};",
                 f"red.relaxed.cta{space}.{self.random.choice(['and', 'or', 'xor'])}.b{bits} {place}, {value};",
                 f"atom{space}.add.u{bits} {result}, {place}, {self.random.choice(['1', value])};",
                 f"atom{space}.exch.b{bits} {result}, {place}, {value};",
                 f"atom{space}.cas.b{bits} {result}, {place}, 0, {value};",
                 f"ld.relaxed.cta{space}.u{bits} {result}, {place};", f"ld.volatile{space}.u{bits} {result}, {place};"]
        if self.random.random() < 0.1:
            h = self.name("h")
            forms = [f"atom{space}.cas.b16 {h}, {place}, 0, 1;"]
        if width == 4:
            forms += [f"ld.acquire.cta{space}.u32 {result}, {place};", f"st.release.cta{space}.u32 {place}, {value};",
                      f"atom.acq_rel.gpu{space}.add.u32 {result}, {place}, 2;",
                      f"atom{space}.inc.u32 {result}, {place}, 7;", f"red.release.cta{space}.add.s32 {place}, 1;"]
        if self.random.random() < 0.1:
            forms = [f"st.relaxed.cta{space}.u{bits} {place}, {value};"]
        lines.append(self.guard(lines, 0.2) + self.random.choice(forms))
        if width == 4 and self.random.random() < 0.3:
            lines.append(f"mov.u32 %v{self.variable()}, {result};"
                         if any(result in line for line in lines) else f"mov.u32 {result}, 0;")
        self.add(lines)

    def global_access(self):
        """An access of a buffer, by the thread's number in the launch, mostly."""
        lines, form, x = [], self.random.random(), self.name("x")
        width = self.random.choice([4, 4, 4, 4, 1, 2, 8])
        is_load = form < 0.45
        base = "%a" if is_load else "%out"
        guard, count = "", 2048 // width
        if form < 0.35 or form > 0.9:
            index = self.any_index(lines, count)
            if form > 0.9 and self.random.random() < 0.7:
                width, index = 4, self.any_index(lines, 512)
        else:
            index = "%gid"
            p = self.name("p")
            bound = "%n" if self.kernel.length == "arg1" else self.random.choice(["512", "512", "%n"])
            lines.append(f"setp.lt.u32 {p}, %gid, {bound};")
            guard, width = f"@{p} ", 4
        lines += [f"mul.wide.u32 {x}, {index}, {width};", f"add.s64 {x}, {base}, {x};"]
        if is_load:
            kind, values = self.operands(width, False)
            op = self.random.choice(["ld.global", "ld.global", "ld.global.nc", "ld.volatile.global"])
            text = f"{op}.{kind} {values}, [{x}];"
        elif form > 0.9:
            text = self.random.choice([f"red.global.add.u32 [{x}], 1;",
                                       f"atom.global.max.u32 {self.name('t')}, [{x}], %lin;",
                                       f"atom.relaxed.cta.global.add.u32 {self.name('t')}, [{x}], 1;",
                                       f"red.global.gpu.or.b32 [{x}], %lin;"])
        else:
            kind, values = self.operands(width, True)
            text = f"st.global.{kind} [{x}], {values};"
        self.add(lines + [guard + text])

    def add(self, lines):
        self.at.append(Statement(lines))
