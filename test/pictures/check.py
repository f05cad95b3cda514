#!/usr/bin/env python3
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""check.py EXPLORE INCLUDE [print]: whether the pictures of schedules in comments of headers are what `explore` says. A picture
follows a line `/// Picture: ARGUMENTS of explore`; each of its lines is a time, and who sends which blocks to whom then."""
import pathlib
import re
import subprocess
import sys

explore, include = sys.argv[1], pathlib.Path(sys.argv[2])


def picture(arguments):
    """"0  3b>1 4a>5": at time 0 rank 3 sends block b to rank 1."""
    said = subprocess.run([explore, *arguments, "--format", "text"], capture_output=True, text=True, check=True).stdout
    at = {}
    for line in said.splitlines():
        words = line.split()
        if words[:1] == ["transfer"]:
            sender, receiver, block, blocks, start = map(int, words[1:6])
            letters = "".join(chr(ord("a") + block + i) for i in range(blocks))
            at.setdefault(start, []).append(f"{sender}{letters}>{receiver}")
    return [f"{time}  {' '.join(sends)}" for time, sends in sorted(at.items())]


seen = 0
wrong = 0
for header in sorted(include.rglob("*.hpp")):
    lines = header.read_text().splitlines()
    for i, line in enumerate(lines):
        found = re.match(r"/// Picture: (.*)", line)
        if not found:
            continue
        seen += 1
        drawn = []
        for other in lines[i + 1:]:
            if not re.match(r"///   +\d", other):
                break
            drawn.append(other[3:].strip())
        right = picture(found.group(1).split())
        if drawn != right:
            wrong += 1
            print(f"{header.relative_to(include)}: {found.group(1)} is\n" + "\n".join("///     " + each for each in right))
if seen == 0:
    print("no header has a picture")
sys.exit(1 if wrong or seen == 0 else 0)
