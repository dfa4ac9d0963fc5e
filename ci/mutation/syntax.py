"""C++ as clang's syntax tree has it: kinds of cursors, their texts, and the parser's errors."""

import re

from clang.cindex import CursorKind as Kind
from clang.cindex import Index, TypeKind

COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR,
             Kind.CONVERSION_FUNCTION, Kind.FUNCTION_TEMPLATE, Kind.LAMBDA_EXPR}
CONSTANT = {Kind.STATIC_ASSERT, Kind.ENUM_DECL, Kind.TEMPLATE_TYPE_PARAMETER,
            Kind.TEMPLATE_NON_TYPE_PARAMETER, Kind.TEMPLATE_TEMPLATE_PARAMETER, Kind.TYPE_REF,
            Kind.TEMPLATE_REF, Kind.DECL_REF_EXPR, Kind.TYPE_ALIAS_DECL, Kind.TYPEDEF_DECL,
            Kind.TYPE_ALIAS_TEMPLATE_DECL, Kind.CXX_UNARY_EXPR, Kind.SIZE_OF_PACK_EXPR, Kind.PARM_DECL}
CASTS = {Kind.CXX_STATIC_CAST_EXPR, Kind.CXX_FUNCTIONAL_CAST_EXPR, Kind.CXX_REINTERPRET_CAST_EXPR,
         Kind.CXX_CONST_CAST_EXPR, Kind.CXX_DYNAMIC_CAST_EXPR}
CLASSES = {Kind.STRUCT_DECL, Kind.CLASS_DECL, Kind.CLASS_TEMPLATE, Kind.UNION_DECL,
           Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION, Kind.NAMESPACE, Kind.TRANSLATION_UNIT}
BRANCHES = {Kind.IF_STMT, Kind.FOR_STMT, Kind.WHILE_STMT, Kind.DO_STMT, Kind.CXX_FOR_RANGE_STMT,
            Kind.CASE_STMT, Kind.DEFAULT_STMT}
JUMPS = {Kind.RETURN_STMT, Kind.BREAK_STMT, Kind.CONTINUE_STMT, Kind.CXX_THROW_EXPR}
EXPRESSIONS = {Kind.CALL_EXPR, Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR,
               Kind.UNARY_OPERATOR, Kind.UNEXPOSED_EXPR}
INTEGERS = {TypeKind.BOOL, TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT,
            TypeKind.ULONG, TypeKind.ULONGLONG, TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT,
            TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG}


def kind_of(cursor):
    try:
        return cursor.kind
    except ValueError:  # a kind that these bindings do not name
        return None


def begin(cursor):
    return cursor.extent.start.offset


def end(cursor):
    return cursor.extent.end.offset


def is_expression(cursor):
    return kind_of(cursor) is not None and kind_of(cursor).is_expression()


def bodies_of(kind, children, condition):
    """The children that are statements, without those in a head."""
    if kind in (Kind.COMPOUND_STMT, Kind.DEFAULT_STMT):
        return children
    if kind == Kind.CASE_STMT:
        return children[1:]
    if kind == Kind.IF_STMT:
        return [child for child in children
                if condition is None or begin(child) > begin(condition)][condition is None:]
    if kind in (Kind.FOR_STMT, Kind.WHILE_STMT, Kind.CXX_FOR_RANGE_STMT):
        return children[-1:]
    return children[:1] if kind == Kind.DO_STMT else []


def in_one_line(text):
    """C++ without comments and line ends."""
    return " ".join(COMMENT.sub(b" ", text).decode("utf-8", "replace").split())


def read(absolute, text, arguments):
    """The syntax tree of a file with this text."""
    # A header is included from a source, because `#pragma once` does nothing in the parsed file
    # itself.
    parsed, files = absolute, [(absolute, text.decode())]
    if absolute.endswith(".hpp"):
        parsed = absolute + ".alone.cpp"
        files.append((parsed, f'#include "{absolute}"\n'))
    return Index.create().parse(parsed, args=arguments, unsaved_files=files)


def errors_in(absolute, text, arguments):
    """The parser's errors about a file: path, line and column from 1, and the words."""
    found = []
    for message in read(absolute, text, arguments).diagnostics:
        if message.severity >= 3:
            file = message.location.file
            found.append((file.name if file else "", message.location.line, message.location.column,
                          message.spelling))
    return found
