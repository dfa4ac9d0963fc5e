"""Pieces of kernels as people write them: reductions, scans, tiles, double buffers, copies in flight."""

from .kernel import Compound, Statement


class Idioms:
    def maybe_barrier(self, chance=0.93):
        """The lines of a barrier, which is seldom forgotten."""
        return ["bar.sync 0;"] if self.random.random() < chance else []

    def begin_idiom(self, *arrays):
        """A barrier before an idiom that uses arrays, and none known to be pending behind it."""
        if any(self.since.get(array) for array in arrays) and self.random.random() < 0.97:
            self.barrier()

    def fill(self, array="s"):
        """Each element is written."""
        lines, t, count = [], self.name("t"), -(-self.kernel.elements // max(1, self.kernel.threads))
        if not self.kernel.states_block or count > 8 or self.random.random() < 0.3:
            c, p, begin, end = self.name("c"), self.name("p"), self.label(), self.label()
            body = Statement([f"mad.lo.u32 {t}, {c}, 4, %{array};",
                              f"st.shared.u32 [{t}], {self.random.choice([c, '%lin', '0'])};"])
            self.at.append(Compound([[f"mov.u32 {c}, %lin;", f"setp.ge.u32 {p}, {c}, {self.kernel.elements};",
                                      f"@{p} bra {end};",
                                      f"{begin}:"],
                                     [f"add.u32 {c}, {c}, %size;", f"setp.lt.u32 {p}, {c}, {self.kernel.elements};",
                                      f"@{p} bra {begin};",
                                      f"{end}:"]], [[body]]))
        else:
            for k in range(count):
                p = self.name("p")
                guard = f"@{p} " if (k + 1) * self.kernel.threads > self.kernel.elements else ""
                if guard:
                    lines.append(f"setp.lt.u32 {p}, %lin, {self.kernel.elements - k * self.kernel.threads};")
                lines += [f"mad.lo.u32 {t}, %lin, 4, %{array};",
                          f"{guard}st.shared.u32 [{t}+{4 * k * self.kernel.threads}], %v0;"]
            self.add(lines)
        self.since.setdefault(array, set()).add(("fill", True))
        if self.random.random() < 0.97:
            self.barrier()

    def reduction(self):
        """Each thread below c adds the element c further on; c is halved."""
        self.begin_idiom("s")
        c, p, q, t, u, x = (self.name(kind) for kind in "cppttt")
        begin = self.label()
        half = 1 << max(0, (self.kernel.threads - 1).bit_length() - 1)
        if half + half > self.kernel.threads and self.random.random() < 0.5:
            half //= 2
        guarded = Statement([f"setp.lt.u32 {q}, %lin, {c};", f"add.u32 {u}, %lin, {c};", f"mad.lo.u32 {u}, {u}, 4, %s;",
                             f"mad.lo.u32 {t}, %lin, 4, %s;", f"@{q} ld.shared.u32 {u}, [{u}];",
                             f"@{q} ld.shared.u32 {x}, [{t}];",
                             f"add.u32 {x}, {x}, {u};", f"@{q} st.shared.u32 [{t}], {x};"])
        self.at.append(Statement([f"mad.lo.u32 {t}, %lin, 4, %s;", f"st.shared.u32 [{t}], %v{self.variable()};"]))
        test, last = self.random.choice(["ne.u32", "gt.s32"]), self.random.choice([0, 0, 0, 0, 16])
        self.at.append(Compound([[f"mov.u32 {c}, {max(1, half)};", *self.maybe_barrier(), f"{begin}:"],
                                 [*(self.maybe_barrier()), f"shr.u32 {c}, {c}, 1;",
                                  f"setp.{test} {p}, {c}, {last};",
                                  f"@{p} bra {begin};"]], [[guarded]]))
        self.at.append(Statement([f"ld.shared.u32 %v{self.variable()}, [s];"]))
        self.since["s"] = {("one", False)}

    def scan(self):
        """A scan with doubling steps, in one array with two barriers, or from one array to another."""
        self.begin_idiom("s", "s2")
        c, p, q, t, u, x = (self.name(kind) for kind in "cppttt")
        begin, end = self.label(), self.label()
        two = self.kernel.has_second and self.random.random() < 0.7
        limit = self.random.choice(["%size", "%size", "32", str(self.kernel.threads)])
        self.add([f"mad.lo.u32 {t}, %lin, 4, %s;", f"st.shared.u32 [{t}], %lin;"])
        head = [f"mov.u32 {c}, 1;", *self.maybe_barrier()]
        if two:
            source, into = self.name("c"), self.name("c")
            head += [f"mov.u32 {source}, s;", f"mov.u32 {into}, s2;"]
            body = [f"sub.u32 {u}, %lin, {c};", f"mad.lo.u32 {u}, {u}, 4, {source};",
                    f"mad.lo.u32 {t}, %lin, 4, {source};",
                    f"ld.shared.u32 {x}, [{t}];", f"setp.ge.u32 {q}, %lin, {c};", f"mov.u32 {t}, 0;",
                    f"@{q} ld.shared.u32 {t}, [{u}];",
                    f"add.u32 {x}, {x}, {t};", f"mad.lo.u32 {t}, %lin, 4, {into};", f"st.shared.u32 [{t}], {x};"]
            swap = [f"mov.u32 {t}, {source};", f"mov.u32 {source}, {into};", f"mov.u32 {into}, {t};"]
            close = [*self.maybe_barrier(), *swap]
        else:
            body = [f"sub.u32 {u}, %lin, {c};", f"mad.lo.u32 {u}, {u}, 4, %s;", f"setp.ge.u32 {q}, %lin, {c};",
                    f"mov.u32 {x}, 0;",
                    f"@{q} ld.shared.u32 {x}, [{u}];", *self.maybe_barrier(), f"mad.lo.u32 {t}, %lin, 4, %s;",
                    f"@{q} st.shared.u32 [{t}], {x};"]
            close = self.maybe_barrier()
        self.at.append(Compound([head + [f"setp.ge.u32 {p}, {c}, {limit};", f"@{p} bra {end};", f"{begin}:"],
                                 close + [f"shl.b32 {c}, {c}, 1;", f"setp.lt.u32 {p}, {c}, {limit};",
                                          f"@{p} bra {begin};", f"{end}:"]],
                                [[Statement(body)]]))
        self.since["s"] = {("scan", False)}

    def tiles(self):
        """A loop over tiles of a buffer: write, barrier, read, barrier."""
        self.begin_idiom("s")
        c, p, t, x, i, begin, end = (self.name("c"), self.name("p"), self.name("t"), self.name("x"), self.name("t"),
                                     self.label(),
                                     self.label())
        mask = self.kernel.threads - 1
        k = self.random.choice([1, 2, 3, mask])
        other = [f"xor.b32 {i}, %lin, {k};", f"min.u32 {i}, {i}, {mask};"] if self.random.random() < 0.6 else \
            [f"add.u32 {i}, %lin, {c};", f"rem.u32 {i}, {i}, %size;"]
        limit = self.random.choice(["%n", "%n", "3", "8"])
        body = [Statement([f"and.b32 {t}, {c}, 255;", f"mad.lo.u32 {t}, {t}, 1, %lin;", f"and.b32 {t}, {t}, 511;",
                           f"mul.wide.u32 {x}, {t}, 4;", f"add.u64 {x}, %a, {x};", f"mov.u32 {t}, {c};",
                           f"mad.lo.u32 {i}, %lin, 4, %s;", f"st.shared.u32 [{i}], {t};"]),
                Statement(self.maybe_barrier()),
                Statement([*other, f"mad.lo.u32 {i}, {i}, 4, %s;", f"ld.shared.u32 %v{self.variable()}, [{i}];"]),
                Statement(self.maybe_barrier())]
        self.at.append(Compound([[f"mov.u32 {c}, 0;", f"setp.ge.u32 {p}, {c}, {limit};", f"@{p} bra {end};",
                                  f"{begin}:"],
                                 [f"add.u32 {c}, {c}, 1;", f"setp.lt.u32 {p}, {c}, {limit};", f"@{p} bra {begin};",
                                  f"{end}:"]],
                                [body]))
        self.since["s"] = {("tiles", False)}

    def double_buffer(self):
        """Halves of an array in turns, with one barrier in each iteration."""
        self.begin_idiom("s")
        c, p, t, i = (self.name(kind) for kind in "cptt")
        begin, half = self.label(), self.kernel.elements // 2
        if half < self.kernel.threads and self.random.random() < 0.9:
            return
        body = [Statement([f"and.b32 {t}, {c}, 1;", f"mad.lo.u32 {t}, {t}, {half}, %lin;",
                           f"mad.lo.u32 {t}, {t}, 4, %s;",
                           f"st.shared.u32 [{t}], {c};"]), Statement(self.maybe_barrier()),
                Statement([f"and.b32 {t}, {c}, 1;", f"add.u32 {i}, %lin, 1;", f"rem.u32 {i}, {i}, %size;",
                           f"mad.lo.u32 {i}, {t}, {half}, {i};", f"mad.lo.u32 {i}, {i}, 4, %s;",
                           f"ld.shared.u32 %v{self.variable()}, [{i}];"])]
        self.at.append(Compound([[f"mov.u32 {c}, 0;", f"{begin}:"],
                                 [f"add.u32 {c}, {c}, 1;",
                                  f"setp.lt.u32 {p}, {c}, {self.random.choice(['%n', '5', '64'])};",
                                  f"@{p} bra {begin};"]], [body]))
        self.since["s"] = {("double", False)}

    def warps(self):
        """Lanes of a warp exchange words, with a barrier of the warp between."""
        self.begin_idiom("s")
        t, i, volatile = self.name("t"), self.name("t"), self.random.choice(["", "", ".volatile"])
        self.add([f"mad.lo.u32 {t}, %lin, 4, %s;", f"st{volatile}.shared.u32 [{t}], %lin;"])
        if self.random.random() < 0.93:
            self.add(["bar.warp.sync 0xffffffff;"])
        self.add([f"xor.b32 {i}, %lin, {self.random.choice([1, 2, 16, 31])};",
                  f"mad.lo.u32 {i}, {i}, 4, %s;", f"ld{volatile}.shared.u32 %v{self.variable()}, [{i}];"])
        if self.random.random() < 0.5:
            self.add(["bar.warp.sync 0xffffffff;"])
            self.add([f"mad.lo.u32 {t}, %lin, 4, %s;", f"st.shared.u32 [{t}], 7;"])
        self.since["s"] = {("warps", True)}

    def publish(self):
        """One thread writes, all read."""
        self.begin_idiom("s")
        p, lines = self.name("p"), []
        value = self.arithmetic.register(lines, 1)
        x = self.name("x")
        lines += self.random.choice([[],
                                     [f"mov.u64 {x}, %a;",
                                      f"ld.global.u32 {value}, [{x}];"] if value.startswith("%t") else []])
        place = 4 * self.random.choice([0, 1, self.kernel.elements - 1])
        self.add(lines + [f"setp.eq.u32 {p}, %lin, {self.random.choice([0, 0, 0, 1])};",
                          f"@{p} st.shared.u32 [s+{place}], {value};"])
        self.add(self.maybe_barrier())
        self.add([f"ld.shared.u32 %v{self.variable()}, [s+{place}];"])
        self.since["s"] = {("one", False)}

    def copies(self):
        """Copies that are in flight until their group is waited for."""
        self.begin_idiom("s")
        bytes_ = self.random.choice([4, 4, 8, 16])
        if bytes_ * self.kernel.threads > 4 * self.kernel.elements:
            bytes_ = 4
        t, x, i = self.name("t"), self.name("x"), self.name("t")
        groups = self.random.choice([1, 1, 2])
        if groups == 2 and 2 * bytes_ * self.kernel.threads > 4 * self.kernel.elements:
            groups = 1
        for group in range(groups):
            offset = group * bytes_ * self.kernel.threads
            self.add([f"mad.lo.u32 {t}, %lin, {bytes_}, %s;", f"mul.wide.u32 {x}, %lin, {bytes_};",
                      f"and.b64 {x}, {x}, 2032;" if bytes_ == 16
                      else f"and.b64 {x}, {x}, 1016;", f"add.u64 {x}, %a, {x};",
                      f"cp.async.ca.shared.global [{t}+{offset}], [{x}], {bytes_};", "cp.async.commit_group;"])
        wait = self.random.choice(["cp.async.wait_all;", "cp.async.wait_group 0;", "cp.async.wait_group 0;",
                                   "cp.async.wait_group 1;"])
        self.add([wait])
        if self.random.random() < 0.5:
            self.add([f"mad.lo.u32 {t}, %lin, {bytes_}, %s;", f"ld.shared.u32 %v{self.variable()}, [{t}];"])
        self.add(self.maybe_barrier())
        self.add([f"xor.b32 {i}, %lin, 1;", f"min.u32 {i}, {i}, {self.kernel.threads - 1};",
                  f"mad.lo.u32 {i}, {i}, {bytes_}, %s;",
                  f"ld.shared.u32 %v{self.variable()}, [{i}];"])
        self.since["s"] = {("copies", False)}

    def histogram(self):
        """Atomics on all bins, and plain reads behind a barrier."""
        self.begin_idiom("s")
        lines = []
        index = self.any_index(lines, self.kernel.elements)
        t = self.name("t")
        self.add(lines + [f"mad.lo.u32 {t}, {index}, 4, %s;", f"red.shared.add.u32 [{t}], 1;"])
        self.add(self.maybe_barrier())
        self.add([f"mad.lo.u32 {t}, %lin, 4, %s;", f"ld.shared.u32 %v{self.variable()}, [{t}];"])
        self.since["s"] = {("lin/4", False)}

    def local(self):
        """An array of a thread, with computed indices."""
        lines, x = [], self.name("x")
        for index in range(0, 64, 16):
            lines.append(f"st.local.v4.u32 [loc+{index}], {{%lin, %v0, %tx, %n}};")
        t = self.any_index(lines, 16)
        lines += [f"mul.wide.u32 {x}, {t}, 4;", f"mov.u64 {self.name('x')}, loc;"]
        lines += [f"add.u64 {x}, {lines[-1].split()[1][:-1]}, {x};", f"ld.local.u32 %v{self.variable()}, [{x}];"]
        self.add(lines)

    def strides(self):
        """A loop over a buffer in strides of the grid, with indices of 64 bits at times."""
        p, x, begin, end = self.name("p"), self.name("x"), self.label(), self.label()
        y = self.name("x")
        wide = self.random.random() < 0.5
        count = "%len" if wide else "%n"
        lines, step = [], self.name("t")
        lines += [f"mov.u32 {step}, %nctaid.x;", f"mul.lo.u32 {step}, {step}, %size;"]
        c = self.name("x") if wide else self.name("c")
        lines += [f"cvt.u64.u32 {c}, %gid;"] if wide else [f"mov.u32 {c}, %gid;"]
        kind = "u64" if wide else "u32"
        lines += [f"cvt.u64.u32 {y}, {step};"] if wide else []
        bound = "512" if self.kernel.length == "512" else "%n"
        q = self.name("p")
        body = [f"setp.lt.u64 {q}, {c}, 512;" if wide else f"setp.lt.u32 {q}, {c}, {bound};",
                f"mad.lo.u64 {x}, {c}, 4, %out;" if wide else f"mul.wide.u32 {x}, {c}, 4;"]
        if not wide:
            body.append(f"add.u64 {x}, %out, {x};")
        body.append(f"@{q} st.global.u32 [{x}], %lin;" if self.random.random() < 0.8 or self.kernel.length == "512"
                    else f"st.global.u32 [{x}], %lin;")
        self.at.append(Compound([lines + [f"setp.ge.{kind} {p}, {c}, {count};", f"@{p} bra {end};", f"{begin}:"],
                                 [f"add.{kind} {c}, {c}, {y if wide else step};", f"setp.lt.{kind} {p}, {c}, {count};",
                                  f"@{p} bra {begin};", f"{end}:"]], [[Statement(body)]]))

    def pointers(self):
        """A loop whose counter is an address."""
        p, begin, end = self.name("p"), self.label(), self.label()
        if self.random.random() < 0.5:
            self.begin_idiom("s")
            c, t = self.name("c"), self.name("t")
            last = 4 * self.kernel.elements - self.random.choice([0, 0, 0, 4, -4])
            self.at.append(Compound([[f"mad.lo.u32 {c}, %lin, 4, %s;", f"add.u32 {t}, %s, {last};",
                                      f"setp.ge.u32 {p}, {c}, {t};",
                                      f"@{p} bra {end};", f"{begin}:"],
                                     [f"mad.lo.u32 {c}, %size, 4, {c};", f"setp.lt.u32 {p}, {c}, {t};",
                                      f"@{p} bra {begin};", f"{end}:"]],
                                    [[Statement([f"st.shared.u32 [{c}], %lin;"])]]))
            self.since["s"] = {("fill", True)}
            return
        x, y, z, t = self.name("x"), self.name("x"), self.name("x"), self.name("t")
        count = "%n" if self.kernel.length == "arg1" else "512"
        self.at.append(Compound([[f"mul.wide.u32 {x}, %gid, 4;", f"add.u64 {x}, %out, {x};",
                                  f"mul.wide.u32 {y}, {count}, 4;".replace("512", "%size"),
                                  f"add.u64 {y}, %out, {y};", f"mov.u32 {t}, %nctaid.x;",
                                  f"mul.lo.u32 {t}, {t}, %size;",
                                  f"mul.wide.u32 {z}, {t}, 4;", f"setp.ge.u64 {p}, {x}, {y};", f"@{p} bra {end};",
                                  f"{begin}:"],
                                 [f"add.u64 {x}, {x}, {z};", f"setp.lt.u64 {p}, {x}, {y};", f"@{p} bra {begin};",
                                  f"{end}:"]],
                                [[Statement([f"st.global.u32 [{x}], %lin;"])]]))
