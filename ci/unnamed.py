"""The names in the unnamed namespaces of C++ sources, for ci/layout.py.

The sources of a folder are compiled together (cmake/options.cmake): a source sees the unnamed
namespaces of the sources before it. So two files of a folder must not give one name to two things, and
no file may call another file's own function in place of the one that it means. The sources are
formatted: what is in a namespace begins in the first column.
"""

import collections
import re

# Text that may begin in the first column of an unnamed namespace without declaring a name.
NO_NAME = re.compile(r"(TEST\w*|TYPED_TEST\w*|INSTANTIATE\w*|MATCHER\w*|BANKPROOF_\w+|RC_\w+|"
                     r"static_assert|friend)\b|using (namespace |[\w:]+;)")
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
STRING = re.compile(r'"(\\.|[^"\\\n])*"')
COMMENT = re.compile(r"//(?! namespace).*")
TYPE = re.compile(r"(?:struct|class|union|enum class|enum|concept)\s+(\w+)")
ALIAS = re.compile(r"(?:using|namespace)\s+(\w+)\s*=")
OTHER = re.compile(r"(\w+)\s*[({=;[]")
CALL = re.compile(r"(?<![\w.:~>])(?<!->)(\w+)\s*(?:<[^;()]*?>)?\(")
# A local variable, a parameter or a member: the name after a type, and the end of a declarator.
LOCAL = re.compile(r"(?:[\w>&*\]]\s+|[&*])(\w+)\s*[={;(,):\]]")
RETURN = re.compile(r"\b(return|co_return|co_await|co_yield|else|case)\b")


def code_of(content):
    """The source without strings and comments, except those at the ends of namespaces; lines stay."""
    def emptied(match):
        return '""' + "\n" * match[0].count("\n")
    return COMMENT.sub("", STRING.sub('""', RAW_STRING.sub(emptied, content)))


def without_arguments(head):
    """The head of a declaration, without `template <…>`, any other <…> and attributes."""
    while head != (shorter := re.sub(r"<[^<>]*>", "", head)):
        head = shorter
    return re.sub(r"\[\[.*?\]\]|^template\s+(requires \S+\s+)?", "", head).strip()


def name_of(head):
    head = without_arguments(head)
    for form in (TYPE, ALIAS):
        if match := form.match(head):
            return match[1]
    match = OTHER.search(head)
    return match and match[1]


def heads_of(code):
    """Yields (line number, head) of each declaration in unnamed namespaces."""
    inside, nested, head, began = False, None, "", 0
    for number, line in enumerate(code.split("\n"), 1):
        line = line.rstrip()
        if line == "namespace {":
            inside, head = True, ""
        elif match := inside and re.match(r"namespace (\w+) \{", line):
            nested = nested or match[1]
            yield number, f"namespace {match[1]} ="
        elif inside and line.startswith("}  // namespace"):
            inside, nested, head = bool(nested), None, ""
        elif inside and not nested and line and line[0] not in "#}":
            if line[0] not in " ;)" and not head.startswith("template"):
                head, began = "", number
            if head or line[0] not in " ;)":
                head += " " + line.strip()
            head = head.strip()
            if re.search(r"[{;]", head) and not NO_NAME.match(head):
                yield began, head
            if re.search(r"[{;]", head):
                head = ""


def names_of(code):
    """The names that only this source uses: {name: (line number, head)}."""
    names = {}
    for number, head in heads_of(code):
        if (name := name_of(head)) and name not in names:
            names[name] = number, head
    return names


def calls_of(code):
    """The names that a source calls, except its local variables."""
    locals_ = set(LOCAL.findall(RETURN.sub(";", code)))
    return set(CALL.findall(code)) - locals_


def problems(files):
    """Yields (path, line number, problem) for the sources of a folder, {path: content}."""
    codes = {path: code_of(content) for path, content in sorted(files.items())}
    names = {path: names_of(code) for path, code in codes.items()}
    calls = {path: calls_of(code) for path, code in codes.items()}
    owners = collections.defaultdict(list)
    for path, own in names.items():
        for name in own:
            owners[name].append(path)
    for name, paths in sorted(owners.items()):
        line, head = names[paths[0]][name]
        for path in paths[1:]:
            other_line, other = names[path][name]
            if other != head or not ALIAS.match(head):
                yield path, other_line, (f"{name} is in an unnamed namespace of {paths[0]}:{line}, too, "
                                         "which is compiled together with this file")
        # If a function takes a type of this file, a call in another file means some other function.
        if ALIAS.match(head) or set(re.findall(r"\w+", head)) & (set(names[paths[0]]) - {name}):
            continue
        for path in codes:
            if path not in paths and name in calls[path]:
                yield paths[0], line, (f"{name} is in an unnamed namespace, and {path}, which is compiled "
                                       "together with this file, calls something of this name")
