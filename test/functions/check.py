#!/usr/bin/env python3
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# check.py ROOT: fails if more functions of include/ and src/ than LIMIT have over 40 lines, from the line where the body
# begins to the line where it ends. A function that fits on a screen is understood without scrolling; what is longer is
# mostly two ideas. A function is a block in braces at the scope of a namespace or class, after a list of parameters;
# a lambda that initialises a variable there counts, too.

import pathlib
import re
import sys

LONGEST = 40
LIMIT = 5

root = pathlib.Path(sys.argv[1])


def without_comments_and_literals(text):
    """Blanks of the same length, so that lines stay where they are."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    pattern = r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*'
    return re.sub(pattern, blank, text, flags=re.S | re.M)


def functions_of(text):
    """(first line, lines) of each."""
    outer = []  # for each open brace: whether what is inside is at the scope of a namespace or class
    head, begin = 0, None
    for match in re.finditer(r"[{};]", text):
        at, each = match.start(), match.group()
        if each == "{":
            before = re.sub(r"\balignas\([^)]*\)|->", "", text[head:at])
            while (shorter := re.sub(r"<[^<>]*>", "", before)) != before:  # arguments of templates
                before = shorter
            is_scope = re.search(r"\b(namespace|class|struct|union|enum|extern)\b[^()=]*$", before) is not None
            at_scope = all(outer)
            is_function = at_scope and not is_scope and "(" in before
            if is_function and begin is None:
                begin = (len(outer), text.count("\n", 0, at) + 1)
            outer.append(is_scope)
        elif each == "}" and outer:
            outer.pop()
            if begin is not None and begin[0] == len(outer):
                last = text.count("\n", 0, at) + 1
                yield begin[1], last - begin[1] + 1
                begin = None
        head = at + 1


long = []
seen = 0
for folder in ("include", "src"):
    for path in sorted(root.glob(f"{folder}/**/*.?pp")):
        for line, lines in functions_of(without_comments_and_literals(path.read_text())):
            seen += 1
            if lines > LONGEST:
                long.append((lines, f"{path.relative_to(root)}:{line}"))

if len(long) > LIMIT or seen < 3000:
    for lines, place in sorted(long, reverse=True):
        print(f"{place}: {lines} lines")
    sys.exit(f"{len(long)} of {seen} functions have more than {LONGEST} lines; {LIMIT} are the limit")
