"""Random expressions: instructions on whole numbers, most of which the prover follows exactly."""

EDGES = ["0", "1", "2", "3", "4", "5", "7", "8", "16", "31", "32", "33", "63", "64", "100", "255", "256", "65535",
         "65536",
         "2147483647", "-2147483648", "-1", "-2", "-7", "305419896"]
SMALL = ["0", "1", "2", "3", "4", "5", "7", "8", "15", "16", "31", "32", "33"]
SPECIAL = ["%laneid", "%laneid", "%lanemask_lt", "%lanemask_ge", "%ntid.x", "%nctaid.x", "%ctaid.y", "%ntid.y",
           "%warpid",
           "%nwarpid"]
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]
BINARY = ["add.u32", "add.s32", "sub.u32", "sub.s32", "and.b32", "or.b32", "xor.b32", "mul.lo.u32", "mul.lo.s32",
          "mul.hi.u32",
          "mul.hi.s32", "min.u32", "min.s32", "max.u32", "max.s32", "add.sat.s32", "sub.sat.s32", "mul24.lo.u32",
          "mul24.lo.s32", "shl.b32", "shr.u32", "shr.s32"]
SHIFTS = ["shl.b32", "shr.u32", "shr.s32"]
DIVISIONS = ["div.u32", "rem.u32", "div.s32", "rem.s32"]
UNARY = ["not.b32", "neg.s32", "abs.s32", "popc.b32", "clz.b32", "brev.b32", "bfind.u32", "bfind.s32",
         "bfind.shiftamt.u32",
         "cnot.b32"]
TERNARY = ["mad.lo.u32", "mad.lo.s32", "mad.hi.u32", "mad.hi.s32", "sad.u32", "sad.s32", "mad24.lo.u32", "dp4a.u32.u32",
           "dp4a.s32.s32", "dp2a.lo.u32.u32"]


class Arithmetic:
    """Draws expressions from `random`. Names of registers come from `name`, values from `leaf`."""

    def __init__(self, random, name, leaf):
        self.random, self.name, self.leaf = random, name, leaf

    def value(self, lines, depth):
        """Appends instructions to `lines`; gives the register or number of the result."""
        if depth <= 0 or self.random.random() < 0.15:
            return self.leaf()
        forms = [self.binary] * 9 + [self.small] * 3 + [self.divide] * 3 + [self.unary] * 2 + [self.ternary] * 3
        forms += [self.field, self.insert, self.permute, self.logic, self.funnel, self.select, self.select, self.narrow,
                  self.narrow, self.halves, self.carries, self.borrows, self.wide_carries, self.wide, self.wide,
                  self.compare,
                  self.mask, self.sign_of, self.table, self.wide_shift, self.pack, self.special, self.convert,
                  self.predicated, self.predicated, self.floating]
        target = self.name("t")
        self.random.choice(forms)(lines, target, depth - 1)
        return target

    def register(self, lines, depth):
        value = self.value(lines, depth)
        if value.startswith("%"):
            return value
        target = self.name("t")
        lines.append(f"mov.u32 {target}, {value};")
        return target

    def predicate(self, lines, depth):
        p = self.name("p")
        kind, comparison = self.random.choice(["u32", "s32"]), self.random.choice(COMPARISONS)
        first = self.register(lines, depth)
        second = self.random.choice([self.random.choice(SMALL), self.random.choice(EDGES), self.leaf()])
        if self.random.random() < 0.2:
            other = self.name("p")
            lines.append(f"setp.{self.random.choice(COMPARISONS)}.s32 {other}, {self.leaf_register(lines)}, "
                         f"{self.random.choice(SMALL)};")
            op = self.random.choice(["and", "or", "xor"])
            lines.append(f"setp.{comparison}.{op}.{kind} {p}, {first}, {second}, {other};")
        elif self.random.random() < 0.15:
            other = self.name("p")
            lines.append(f"setp.{comparison}.{kind} {p}|{other}, {first}, {second};")
            p = self.random.choice([p, other])
        else:
            lines.append(f"setp.{comparison}.{kind} {p}, {first}, {second};")
        if self.random.random() < 0.15:
            other, both = self.name("p"), self.name("p")
            lines.append(f"setp.{self.random.choice(COMPARISONS)}.u32 {other}, {self.leaf_register(lines)}, "
                         f"{self.random.choice(SMALL)};")
            op = self.random.choice(["and", "or", "xor"])
            lines.append(self.random.choice([f"{op}.pred {both}, {p}, {other};", f"not.pred {both}, {p};",
                                             f"{op}.pred {both}, {other}, {p};"]))
            p = both
        return p

    def leaf_register(self, lines):
        return self.register(lines, 0)

    def special(self, lines, target, depth):
        del depth
        lines.append(f"mov.u32 {target}, {self.random.choice(SPECIAL)};")

    def convert(self, lines, target, depth):
        value = self.register(lines, depth)
        kind = self.random.choice(["sat.u8.s32", "sat.s8.s32", "sat.u16.s32", "sat.s16.s32", "s8.s32", "u8.u32",
                                   "sat.u16.u32"])
        if self.random.random() < 0.3:
            kind = self.random.choice(["u16", "s16"])
            lines.append(f"cvt.pack.sat.{kind}.s32 {target}, {value}, {self.register(lines, depth)};")
        else:
            lines.append(f"cvt.{kind} {target}, {value};")

    def predicated(self, lines, target, depth):
        """A register that an instruction with a guard changes, or does not."""
        value = self.register(lines, depth)
        p, sign = self.predicate(lines, depth), self.random.choice(["", "!"])
        lines.append(f"mov.u32 {target}, {self.leaf()};")
        lines.append(self.random.choice([f"@{sign}{p} mov.u32 {target}, {value};",
                                         f"@{sign}{p} add.u32 {target}, {target}, {value};",
                                         f"@{sign}{p} shl.b32 {target}, {value}, 2;",
                                         f"@{sign}{p} sub.u32 {target}, {value}, {target};"]))

    def floating(self, lines, target, depth):
        f = self.name("f")
        lines += [f"cvt.rn.f32.s32 {f}, {self.register(lines, depth)};", f"cvt.rzi.s32.f32 {target}, {f};"]

    def binary(self, lines, target, depth):
        op = self.random.choice(BINARY)
        second = self.random.choice(SMALL) if op in SHIFTS and self.random.random() < 0.8 else self.value(lines, depth)
        lines.append(f"{op} {target}, {self.register(lines, depth)}, {second};")

    def small(self, lines, target, depth):
        op = self.random.choice(["add.u32", "sub.u32", "mul.lo.u32", "and.b32", "xor.b32", "shl.b32", "shr.u32",
                                 "mul.lo.s32"])
        lines.append(f"{op} {target}, {self.register(lines, depth)}, {self.random.choice(SMALL)};")

    def divide(self, lines, target, depth):
        by = self.random.choice(["1", "2", "3", "4", "5", "7", "8", "10", "32", "33", "100", "-1", "-3", "-4",
                                 self.leaf()])
        lines.append(f"{self.random.choice(DIVISIONS)} {target}, {self.register(lines, depth)}, {by};")

    def unary(self, lines, target, depth):
        lines.append(f"{self.random.choice(UNARY)} {target}, {self.register(lines, depth)};")

    def ternary(self, lines, target, depth):
        first, second, third = self.register(lines, depth), self.value(lines, depth), self.value(lines, depth - 1)
        lines.append(f"{self.random.choice(TERNARY)} {target}, {first}, {second}, {third};")

    def field(self, lines, target, depth):
        begin, count = (self.random.choice([*SMALL, self.leaf()]) for _ in range(2))
        kind = self.random.choice(["u32", "s32"])
        lines.append(f"bfe.{kind} {target}, {self.register(lines, depth)}, {begin}, {count};")

    def insert(self, lines, target, depth):
        begin, count = (self.random.choice([*SMALL, self.leaf()]) for _ in range(2))
        first, second = self.register(lines, depth), self.register(lines, depth)
        lines.append(f"bfi.b32 {target}, {first}, {second}, {begin}, {count};")

    def permute(self, lines, target, depth):
        mode = self.random.choice(["", "", "", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"])
        chosen = str(self.random.randrange(65536)) if not mode else self.random.choice([*"0123", self.leaf()])
        first, second = self.register(lines, depth), self.register(lines, depth)
        lines.append(f"prmt.b32{mode} {target}, {first}, {second}, {chosen};")

    def logic(self, lines, target, depth):
        values = ", ".join(self.register(lines, depth) for _ in range(3))
        lines.append(f"lop3.b32 {target}, {values}, {self.random.randrange(256)};")

    def funnel(self, lines, target, depth):
        op = f"shf.{self.random.choice('lr')}.{self.random.choice(['wrap', 'clamp'])}.b32"
        first, second = self.register(lines, depth), self.register(lines, depth)
        lines.append(f"{op} {target}, {first}, {second}, {self.random.choice([*SMALL, self.leaf()])};")

    def select(self, lines, target, depth):
        p = self.predicate(lines, depth)
        lines.append(f"selp.b32 {target}, {self.register(lines, depth)}, {self.value(lines, depth)}, {p};")

    def narrow(self, lines, target, depth):
        h, other = self.name("h"), self.name("h")
        lines.append(f"cvt.u16.u32 {h}, {self.register(lines, depth)};")
        op = self.random.choice(["add.u16", "mul.lo.s16", "shr.u16", "shr.s16", "min.s16", "sub.s16", "mul.hi.u16"])
        lines.append(f"{op} {other}, {h}, {self.random.choice(['1', '3', '7', '8'])};")
        lines.append(self.random.choice([f"cvt.u32.u16 {target}, {other};", f"cvt.s32.s16 {target}, {other};",
                                         f"cvt.s32.s8 {target}, {other};", f"cvt.u32.u8 {target}, {other};",
                                         f"mul.wide.s16 {target}, {other}, {h};",
                                         f"mul.wide.u16 {target}, {other}, {h};"]))

    def halves(self, lines, target, depth):
        low, high = self.name("h"), self.name("h")
        lines.append(f"mov.b32 {{{low}, {high}}}, {self.register(lines, depth)};")
        lines.append(f"mov.b32 {target}, {{{high}, {low}}};")

    def carries(self, lines, target, depth):
        low = self.name("t")
        values = [self.register(lines, depth) for _ in range(4)]
        lines.append(f"add.cc.u32 {low}, {values[0]}, {values[1]};")
        lines.append(f"addc.u32 {target}, {values[2]}, {self.random.choice([values[3], '0', '1', '-1'])};")

    def borrows(self, lines, target, depth):
        low = self.name("t")
        values = [self.register(lines, depth) for _ in range(4)]
        lines.append(f"sub.cc.u32 {low}, {values[0]}, {values[1]};")
        lines.append(f"subc.u32 {target}, {values[2]}, {self.random.choice([values[3], '0', '1', '-1'])};")

    def wide_carries(self, lines, target, depth):
        low = self.name("t")
        a, b, c, d = (self.register(lines, depth) for _ in range(4))
        lines += [f"mad.lo.cc.u32 {low}, {a}, {b}, {c};", f"madc.hi.u32 {target}, {a}, {b}, {d};"]

    def wide(self, lines, target, depth):
        x, y = self.name("x"), self.name("x")
        sign = self.random.choice("us")
        by = self.random.choice(["3", "4", "7", "-1", "-5"] if sign == "s" else ["3", "4", "7"])
        lines.append(f"mul.wide.{sign}32 {x}, {self.register(lines, depth)}, {by};")
        op = self.random.choice(["add.s64", "sub.s64", "mul.lo.s64", "xor.b64", "min.u64", "max.s64", "div.u64",
                                 "rem.s64",
                                 "mul.hi.u64"])
        lines.append(f"{op} {y}, {x}, {self.random.choice(['1', '3', '64', '4294967296', '1000', '-2'])};")
        lines.append(f"cvt.u32.u64 {target}, {y};")

    def wide_shift(self, lines, target, depth):
        x, y = self.name("x"), self.name("x")
        lines.append(f"cvt.{self.random.choice(['u64.u32', 's64.s32'])} {x}, {self.register(lines, depth)};")
        op = self.random.choice(["shl.b64", "shr.u64", "shr.s64"])
        lines.append(f"{op} {y}, {x}, {self.random.choice(['1', '16', '31', '32', '40', '63', '64'])};")
        lines.append(self.random.choice([f"cvt.u32.u64 {target}, {y};", f"mov.b64 {{{target}, {self.name('t')}}}, {y};",
                                         f"mov.b64 {{{self.name('t')}, {target}}}, {y};", f"clz.b64 {target}, {y};",
                                         f"popc.b64 {target}, {y};"]))

    def pack(self, lines, target, depth):
        x = self.name("x")
        lines.append(f"mov.b64 {x}, {{{self.register(lines, depth)}, {self.register(lines, depth)}}};")
        kind, begin = self.random.choice(["u64", "s64"]), self.random.choice(["0", "16", "28", "40"])
        lines += [f"bfe.{kind} {x}, {x}, {begin}, 12;",
                  f"cvt.u32.u64 {target}, {x};"]

    def compare(self, lines, target, depth):
        op = f"set.{self.random.choice(COMPARISONS)}.u32.{self.random.choice(['u32', 's32'])}"
        lines.append(f"{op} {target}, {self.register(lines, depth)}, {self.value(lines, depth)};")

    def mask(self, lines, target, depth):
        op = self.random.choice(["bmsk.clamp.b32", "bmsk.wrap.b32", "szext.clamp.u32", "szext.wrap.s32"])
        count = self.random.choice(["0", "4", "7", "31", "32", "40"])
        lines.append(f"{op} {target}, {self.register(lines, depth)}, {count};")

    def sign_of(self, lines, target, depth):
        first, sign = self.register(lines, depth), self.register(lines, depth)
        lines.append(f"slct.u32.s32 {target}, {first}, {self.leaf()}, {sign};")

    def table(self, lines, target, depth):
        x, index = self.name("x"), self.name("t")
        lines += [f"and.b32 {index}, {self.register(lines, depth)}, 7;", f"mul.wide.u32 {x}, {index}, 4;",
                  f"mov.u64 {self.name('x')}, ct;"]
        lines += [f"add.u64 {x}, {x}, {lines[-1].split()[1][:-1]};", f"ld.const.u32 {target}, [{x}];"]
