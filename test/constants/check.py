#!/usr/bin/env python3
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# check.py ROOT: every constant in include/tutti and src that is a time, a length in bytes, a rate or a factor stands in
# doc/constants.md with its value, and with its origin: what measured it, where and when; or "a choice", and
# why. No line there is about anything else. Such are all constants that are floating-point numbers or of std::chrono,
# those whose names end in a unit or count polls, and whole numbers that are written as KiB or MiB.

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
include = root / "include/tutti"
table = root / "doc/constants.md"

constant = re.compile(
    r"constexpr\s+(?:static\s+)?(double|float|std::chrono::\w+|std::size_t|unsigned|int|std::int64_t|long)\s+"
    r"([a-z][a-z0-9_]*)\s*(?:=\s*([^;,]*[0-9][^;,]*)|\{([^}]*[0-9][^}]*)\})\s*[;,]")
unit = re.compile(r"_(bytes|s|ms|us|ns|per_byte|seconds)$")
large = re.compile(r"1024|<< ?(10|20)\b")
counted = re.compile(r"polls|yields|spin")
conversions = {"us", "ns", "kib", "mib", "unit"}


def of_the_code():
    found = {}
    for path in sorted(include.rglob("*.hpp")) + sorted((root / "src").rglob("*.hpp")):
        for line in path.read_text().splitlines():
            match = constant.search(line)
            if not match:
                continue
            kind, name, assigned, braced = match.groups()
            value = (assigned or braced).strip()
            is_physical = kind in ("double", "float") or kind.startswith("std::chrono") or unit.search(name)
            if name not in conversions and (is_physical or counted.search(name) or large.search(value)):
                found[(str(path.relative_to(include if path.is_relative_to(include) else root)), name)] = value
    return found


def of_the_table():
    found = {}
    for line in table.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("| `") or len(cells) != 5:
            continue
        file, name, value, _, origin = cells
        found[(file.strip("`"), name.strip("`"))] = (value, origin)
    return found


code, said = of_the_code(), of_the_table()
wrong = []
for place, value in code.items():
    if place not in said:
        wrong.append(f"{place[0]}: {place[1]} = {value} has no origin in {table.name}")
    elif said[place][0] != value:
        wrong.append(f"{place[0]}: {place[1]} is {value}, not {said[place][0]} as {table.name} says")
for place, (_, origin) in said.items():
    if place not in code:
        wrong.append(f"{table.name}: there is no constant {place[1]} in {place[0]}")
    is_measured = re.search(r"20\d\d", origin) and re.search(r"Xeon|EPYC|SMPI", origin)
    if not is_measured and not origin.startswith("a choice: "):
        wrong.append(f"{table.name}: {place[1]} in {place[0]} has neither a platform and a date nor 'a choice: '")

# The rows of src/preload/thresholds.hpp are the last table, in the same order.
def row_of_the_code(cells):
    """As the page has it: MPI_Reduce_scatter of reduce_scatter, 4 KiB of 4 * kib."""
    which, over, how, *bytes_, source = cells
    words = {"broadcast": "bcast", "open_mpi": "Open MPI", "mpich": "MPICH", "parts": "any", "in_order": "in order",
             "whole": "not cut", "never": "–", "kib": "1 KiB", "1": "1 B"}
    name = words.get(which, which)
    name = "MPI_" + (name.replace("all_", "all", 1) if name.startswith("all_") else name).capitalize()
    return [name] + [words.get(each, each.replace(" * kib", " KiB")) for each in [over, how, *bytes_]] + [source[3:]]


rows = [row_of_the_code(each.split(", ")) for each in
        re.findall(r"^ +threshold\{(.*)\},$", (root / "src/preload/thresholds.hpp").read_text(), re.M)]
page = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.read_text().splitlines()
        if line.startswith("| MPI_")]
wrong += [f"{table.name}: row {n} is {on_page}, not {row}" for n, (row, on_page) in enumerate(zip(rows, page)) if row != on_page]
if len(rows) != len(page) or len(rows) < 20:
    wrong.append(f"{table.name} has {len(page)} thresholds, thresholds.hpp {len(rows)}")
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(1 if wrong else 0)
