"""Finds the places of a C++ source that a mutation can change, and the changes, in clang's syntax tree.

A mutant has one small mutation: a comparison or its boundary, `&&` for `||`, a dropped statement or
negation, two arguments of one type swapped, a constant off by one, one assignment operator for another,
an early return. There are no mutants in code that is evaluated during compilation (static_assert,
constexpr variables, template arguments, labels, array bounds), in initial values of members, which most
objects overwrite, and in calls that only save time. `ci/mutants` plants all mutants of a run in one
build, so each mutant is an edit that asks at run time whether it is active.
"""

import dataclasses
import hashlib
import os
import re

from clang.cindex import CursorKind as Kind
from clang.cindex import TypeKind

from mutation.syntax import (BRANCHES, CASTS, CLASSES, COMMENT, CONSTANT, EXPRESSIONS, FUNCTIONS, INTEGERS,
                             JUMPS, begin, bodies_of, end, in_one_line, is_expression, kind_of, read)

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
OTHERS = {"&&": "||", "||": "&&", "+": "-", "-": "+"}
ASSIGNMENTS = {"|=": "=", "&=": "=", "^=": "=", "+=": "-=", "-=": "+=", "*=": "="}
OPERATOR = re.compile(rb"\s*(<=>|<<=|>>=|&&|\|\||[<>=!+\-*/%&|^]=|<<|>>|[<>=+\-*/%&|^])\s*\Z")
LITERAL = re.compile(rb"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([uUlLzZ]*)\Z")
AFTER = re.compile(rb"(?:\s|//[^\n]*\n|/\*.*?\*/)*;", re.DOTALL)
NOT = re.compile(rb"!(?!=)")
INFIX = re.compile(rb"[=!<>]=|[<>]")
# These calls only save time.
NO_EFFECT = {"__builtin_prefetch", "prefetch", "reserve", "shrink_to_fit"}
# Swapping the arguments of these functions changes nothing.
COMMUTATIVE = {"max", "min", "gcd", "lcm", "swap", "__builtin_add_overflow", "__builtin_mul_overflow"}


@dataclasses.dataclass(frozen=True)
class Edit:
    """Text before and after a range of bytes; `{k}` in the text is the mutant's number."""
    begin: int
    end: int
    before: str
    after: str


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str       # from the root
    line: int       # where it begins, from 1
    last_line: int  # where it ends
    statement: str  # the text of the enclosing statement, up to its first brace, in one line
    change: str     # the original and its replacement
    count: int      # how many earlier mutants of this file have the same statement and change
    edits: tuple

    def key(self):
        """The parts of a mutant that stay the same when other lines change."""
        return f"{self.path}\n{self.statement}\n{self.change}\n{self.count}"

    def digest(self):
        return hashlib.sha256(self.key().encode()).hexdigest()

    def rank(self, seed):
        """The number by which the draw of this seed sorts the mutant."""
        return hashlib.sha256(f"{seed}\n{self.key()}".encode()).hexdigest()


def chosen(options, *about):
    """One of the options; always the same one for the same `about`."""
    digest = hashlib.sha256(repr(about).encode()).digest()
    return options[digest[0] % len(options)]


class Places:
    """The mutants of one file."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.found, self.counts = [], {}
        self.of_switches = set()  # where the bodies of switches begin

    def source(self, cursor):
        return self.text[begin(cursor):end(cursor)]

    def add(self, statement, change, *edits):
        first, last = min(edit.begin for edit in edits), max(edit.end for edit in edits)
        count = self.counts.get((statement, change), 0)
        self.counts[statement, change] = count + 1
        self.found.append(Mutant(self.path, self.text.count(b"\n", 0, first) + 1,
                                 self.text.count(b"\n", 0, last) + 1, statement, change, count, edits))

    def instead(self, cursor, mutated, statement):
        """Replaces an expression."""
        text = in_one_line(self.source(cursor))
        if "co_await" in text or "co_yield" in text or text.startswith("["):
            return  # some compilers reject these in a conditional expression
        if not statement:
            statement = text[:240]
        self.add(statement, f"{text}  ->  {mutated}",
                 Edit(begin(cursor), end(cursor), f"(::planted::mutant({{k}}) ? ({mutated}) : (", "))"))

    def visit(self, cursor, statement="", function=None):
        """Visits a cursor and everything below it."""
        kind = kind_of(cursor)
        if kind is None or kind in CONSTANT:
            return
        children = list(cursor.get_children())
        if kind in FUNCTIONS:
            children = self.function(cursor, kind, children)
            function = cursor
        elif kind == Kind.FIELD_DECL or (kind == Kind.CALL_EXPR and cursor.spelling in NO_EFFECT):
            return
        elif kind == Kind.VAR_DECL:
            if not statement:
                statement = self.statement_text(cursor)
            children = self.initializers(cursor, children)
        elif kind in CASTS:
            children = children[-1:]
        elif kind == Kind.MEMBER_REF_EXPR:
            children = [child for child in children[:1] if begin(child) == begin(cursor)]
        elif kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR):
            self.operator(cursor, children, statement)
        elif kind == Kind.UNARY_OPERATOR:
            self.negation(cursor, children, statement)
        elif kind in (Kind.INTEGER_LITERAL, Kind.CXX_BOOL_LITERAL_EXPR):
            self.constant(cursor, statement)
        elif kind == Kind.CALL_EXPR:
            self.call(cursor, children, statement)
        elif kind == Kind.SWITCH_STMT:
            self.of_switches.add(begin(children[-1]))
        elif kind == Kind.INIT_LIST_EXPR:
            self.swap(children, statement)
        elif kind == Kind.CONDITIONAL_OPERATOR and len(children) == 3:
            self.condition(children[0], statement)
        elif kind in CLASSES:
            statement = ""
            children = [child for child in children
                        if kind_of(child) is not None and kind_of(child).is_declaration()]
        self.statements(cursor, kind, children, statement, function)

    def statements(self, cursor, kind, children, statement, function):
        """Visits the children; statements are visited as statements."""
        condition = None
        if kind in (Kind.IF_STMT, Kind.WHILE_STMT):
            condition = next((child for child in children if is_expression(child)), None)
        if condition is not None:
            head = self.text[begin(cursor):begin(condition)]
            if b"constexpr" in head:
                children = [child for child in children if child != condition]
            else:
                self.condition(condition, self.statement_text(cursor))
        bodies = bodies_of(kind, children, condition)
        if kind == Kind.CASE_STMT:
            children = children[1:]
        for child in children:
            if child in bodies:
                text = self.statement_text(child)
                last = kind == Kind.COMPOUND_STMT and child == children[-1]
                if not (last and kind_of(child) == Kind.BREAK_STMT and begin(cursor) in self.of_switches):
                    self.drop(child, text, last)
                self.visit(child, text, function)
            elif kind in BRANCHES:
                self.visit(child, self.statement_text(cursor), function)
            else:
                self.visit(child, statement, function)

    def statement_text(self, cursor):
        """A statement in one line; only the head if it contains statements."""
        text = in_one_line(self.source(cursor))
        if kind_of(cursor) in BRANCHES | FUNCTIONS:
            text = text.partition("{")[0]
        return text.strip()[:240]

    def function(self, cursor, kind, children):
        """An early return; returns the parts of a function to visit."""
        bodies = [child for child in children if kind_of(child) == Kind.COMPOUND_STMT]
        if not bodies:
            return []
        body = bodies[-1]
        if self.text[begin(body):begin(body) + 1] != b"{":
            return []  # a macro's body
        head = self.text[begin(cursor):begin(body)]
        if b"consteval" in head or cursor.spelling in NO_EFFECT:
            return []
        acts = any(not self.source(child).startswith(b"assert(") for child in body.get_children())
        if acts and kind not in (Kind.DESTRUCTOR, Kind.LAMBDA_EXPR) and not self.never_returns(cursor):
            leave = self.leaving(cursor, kind, body)
            if leave and in_one_line(self.source(body)) != "{ " + leave + " }":
                self.add(in_one_line(head)[:240], leave,
                         Edit(begin(body) + 1, begin(body) + 1,
                              f" if (::planted::mutant({{k}})) {leave} ", ""))
        if kind == Kind.CONSTRUCTOR and b"requires" not in head:
            return [child for child in children
                    if kind_of(child) not in (Kind.MEMBER_REF, Kind.PARM_DECL)]
        if kind == Kind.LAMBDA_EXPR:
            return [child for child in children if kind_of(child) != Kind.VARIABLE_REF]
        return [body]

    def never_returns(self, cursor):
        """Whether a function is declared [[noreturn]], here or, for a member, in its class."""
        for declaration in (cursor, cursor.canonical):
            file = declaration.location.file
            text = self.text
            if file is not None and os.path.basename(file.name) != os.path.basename(self.path):
                with open(file.name, "rb") as other:
                    text = other.read()
            # clang's cursor of a function does not include its attributes.
            if b"noreturn" in re.split(rb"[;{}]", text[:begin(declaration)])[-1]:
                return True
        return False

    def leaving(self, cursor, kind, body):
        """A statement that leaves a function at its beginning; None if no statement is known to
        compile."""
        if re.search(rb"\bco_(await|return|yield)\b", self.source(body)):
            return "co_return;"
        result = cursor.result_type.get_canonical()
        if kind == Kind.CONSTRUCTOR or result.kind == TypeKind.VOID:
            return "return;"
        if result.kind == TypeKind.BOOL:
            return chosen(["return true;", "return false;"], self.path, cursor.spelling)
        if result.kind in (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE, TypeKind.AUTO):
            return None
        spelled = cursor.result_type.spelling
        if result.kind in (TypeKind.DEPENDENT, TypeKind.UNEXPOSED) or "auto" in spelled:
            return None
        return "return {};"

    def initializers(self, cursor, children):
        """The initializer of a variable, without its type and array bounds."""
        name = cursor.location.offset
        parent = cursor.semantic_parent
        if (parent is not None and kind_of(parent) in CLASSES or
                b"constexpr" in self.text[begin(cursor):name]):
            return []
        return [child for child in children
                if begin(child) > name and not self.text[:begin(child)].rstrip().endswith(b"[")
                and not (kind_of(child) == Kind.CALL_EXPR and begin(child) <= name)]

    def operator(self, cursor, children, statement):
        if len(children) != 2:
            return
        between = COMMENT.sub(b" ", self.text[end(children[0]):begin(children[1])])
        match = OPERATOR.match(between)
        if not match:
            return
        self.replaced(cursor, children, match[1].decode(), statement)

    def replaced(self, cursor, sides, symbol, statement):
        """Replaces an infix operator."""
        if symbol in COMPARISONS or symbol in OTHERS or symbol in ASSIGNMENTS:
            other = (COMPARISONS | OTHERS | ASSIGNMENTS)[symbol]
        elif symbol == "=" and sides[0].type.get_canonical().kind in INTEGERS:
            if self.source(sides[1]) in (b"0", b"true", b"false"):
                return  # as if it were dropped, or no change
            other = "|="
        else:
            return
        if symbol not in COMPARISONS and symbol not in ("&&", "||") and self.is_text(sides):
            return
        left, right = (in_one_line(self.source(side)) for side in sides)
        self.instead(cursor, f"{left} {other} {right}", statement)

    def is_text(self, sides):
        return any(self.source(side).startswith((b'"', b"std::to_string(", b"std::string")) or
                   "basic_string" in side.type.get_canonical().spelling for side in sides)

    def negation(self, cursor, children, statement):
        text = self.source(cursor)
        if NOT.match(text) and len(children) == 1 and \
                children[0].type.get_canonical().kind in INTEGERS | {TypeKind.POINTER}:
            self.instead(cursor, f"static_cast<bool>({in_one_line(self.source(children[0]))})", statement)

    def condition(self, cursor, statement):
        """A condition, negated; `!x` and comparisons have mutants of their own."""
        while kind_of(cursor) in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR):
            inside = list(cursor.get_children())
            if len(inside) != 1:
                break
            cursor = inside[0]
        text = self.source(cursor)
        if (not text or NOT.match(text) or INFIX.match(text) or kind_of(cursor) == Kind.BINARY_OPERATOR or
                cursor.spelling.startswith("operator") or
                cursor.type.get_canonical().kind not in INTEGERS | {TypeKind.POINTER}):
            return
        self.instead(cursor, f"!({in_one_line(text)})", statement)

    def constant(self, cursor, statement):
        text = self.source(cursor)
        before = self.text[:begin(cursor)].rstrip()[-1:]
        if text in (b"true", b"false"):
            self.instead(cursor, "false" if text == b"true" else "true", statement)
            return
        match = LITERAL.match(text)
        if not match or before == b"<":
            return
        digits, suffix = match[1].replace(b"'", b"").decode(), match[2].decode()
        octal = digits.isdigit() and digits.startswith("0") and digits != "0"
        value = int(digits, 8 if octal else 0)
        # One more or one less; the draw of mutants decides which.
        self.instead(cursor, f"{value + 1}{suffix}", statement)
        if value:
            self.instead(cursor, f"{value - 1}{suffix}", statement)

    def call(self, cursor, children, statement):
        """Replaces an overloaded operator, or swaps two adjacent arguments."""
        if cursor.spelling.startswith("operator") and len(children) == 3:
            symbol = self.text[end(children[0]):begin(children[2])]
            match = OPERATOR.match(COMMENT.sub(b" ", symbol))
            if match:
                self.replaced(cursor, [children[0], children[2]], match[1].decode(), statement)
            return
        if cursor.spelling not in COMMUTATIVE:
            self.swap(list(cursor.get_arguments()), statement)

    def swap(self, arguments, statement):
        for one, other in zip(arguments, arguments[1:]):
            if one is None or other is None or kind_of(one) is None or kind_of(other) is None:
                continue
            first, second = in_one_line(self.source(one)), in_one_line(self.source(other))
            if first.startswith(".") or second.startswith("."):
                continue  # these name the members that they initialize
            types = {side.type.get_canonical().spelling for side in (one, other)}
            if (first == second or not first or not second or len(types) != 1 or
                    end(one) >= begin(other) or
                    one.type.get_canonical().kind in (TypeKind.DEPENDENT, TypeKind.UNEXPOSED,
                                                      TypeKind.OVERLOAD, TypeKind.INVALID) or
                    any("co_await" in text or "{" in text or "[&" in text for text in (first, second))):
                continue
            self.add(statement, f"{first}, {second}  ->  {second}, {first}",
                     Edit(begin(one), end(one), f"(::planted::mutant({{k}}) ? ({second}) : (", "))"),
                     Edit(begin(other), end(other), f"(::planted::mutant({{k}}) ? ({first}) : (", "))"))

    def drop(self, cursor, statement, last):
        """Drops a statement."""
        kind = kind_of(cursor)
        if kind not in JUMPS and kind not in EXPRESSIONS or (last and kind == Kind.RETURN_STMT):
            return
        if kind == Kind.CALL_EXPR and cursor.spelling in NO_EFFECT:
            return
        after = AFTER.match(self.text, end(cursor))
        if after is None or not self.source(cursor):
            return
        self.add(statement, "dropped",
                 Edit(begin(cursor), after.end(), "{ if (!::planted::mutant({k})) { ", " } }"))


def mutants_of(path, absolute, text, arguments):
    """All mutants of a file. `arguments` are those of the compiler."""
    places = Places(path, text)
    for cursor in read(absolute, text, arguments).cursor.get_children():
        file = cursor.location.file
        if file is not None and file.name == absolute:
            places.visit(cursor)
    return places.found
