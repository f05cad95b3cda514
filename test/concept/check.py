#!/usr/bin/env python3
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# check.py ROOT: the table "The concept" in include/tutti/communicator/README.md has a row for each requirement of the
# concept `communicator` and each member of `communicator_defaults`, and for no other name. The test that a row names is
# there: a file below test/, and in it the case, or the function of a law.

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
code = (root / "include/tutti/communicator.hpp").read_text()
page = (root / "include/tutti/communicator/README.md").read_text()


def members_of_defaults():
    text = re.search(r"^class communicator_defaults \{\npublic:\n(.*?)^private:", code, re.S | re.M).group(1)
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    while True:  # without bodies and initialisers
        shorter = re.sub(r"\{[^{}]*\}", ";", text)
        if shorter == text:
            break
        text = shorter
    functions = re.findall(r"\b([a-z_]+)\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:const\s*)?;", text)
    others = re.findall(r"static constexpr bool ([a-z_]+)|struct ([a-z_]+)", text)
    return set(functions) | {name for pair in others for name in pair if name}


def members_of_concept():
    text = re.search(r"^concept communicator = (.*?)^\};", code, re.S | re.M).group(1)
    return set(re.findall(r"\b(?:c\.|C::)([a-z_]+)", text))


def rows():
    table = page.split("\n## The concept\n")[1].split("\n## ")[0]
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| `"):
            yield cells


wrong = []
named = set()
tests = 0
for cells in rows():
    if len(cells) != 4:
        wrong.append(f"the row of {cells[0]} has {len(cells)} cells, not 4")
        continue
    named |= set(re.findall(r"(?:^|`)(?:c\.|C::)?([a-z_]+)", cells[0]))
    for file, case in re.findall(r"`([a-z_/]+\.[ch]pp)`, `([A-Za-z0-9_]+)`", cells[3]):
        tests += 1
        path = root / "test" / file
        if not path.exists():
            wrong.append(f"test/{file} of {cells[0]} is not there")
        elif not re.search(rf"\b{case}\b", path.read_text()):
            wrong.append(f"test/{file} has no {case}, which {cells[0]} names")
    if "`" not in cells[3]:
        wrong.append(f"{cells[0]} names no test")
expected = members_of_defaults() | members_of_concept()
wrong += [f"the table has no row for {name}" for name in sorted(expected - named)]
wrong += [f"{name} in the table is no member of the concept" for name in sorted(named - expected)]
if len(expected) < 40 or tests < 30:
    wrong.append(f"found only {len(expected)} members and {tests} tests")
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
