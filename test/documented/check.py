# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""check.py ROOT: what include/tutti/what_can_go_wrong.md quotes is what the library says.

A quotation is code that begins with `tutti: ` or `…`; its pieces between … have to be in the sources, where sentences are put
together from pieces. README.md has to lead to the page."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "include/tutti/what_can_go_wrong.md").read_text()
sources = "\n".join(each.read_text() for each in sorted((root / "include").rglob("*.hpp")))
sources = re.sub(r'"\s*\n\s*"', "", sources)  # one string on several lines


def is_said(piece):
    """Whether it consists of pieces of strings: as a sentence is put together, two or three."""
    while piece:
        length = next((n for n in range(len(piece), 0, -1) if piece[:n] in sources), 0)
        if length < min(6, len(piece)):
            return False
        piece = piece[length:].lstrip(" ;:,()")
    return True


missing = []
quotations = re.findall(r"`((?:tutti: |…)(?:[^`\n]|`measure`)*)`", page)
for quotation in quotations:
    for piece in quotation.removeprefix("tutti: ").split("…"):
        if not is_said(piece.strip(" ;:,()")):
            missing.append(f"the library does not say '{piece}', as in: {quotation}")
if len(quotations) < 40:
    missing.append(f"only {len(quotations)} sentences were found")
if "what_can_go_wrong.md" not in (root / "README.md").read_text():
    missing.append("README.md does not lead to what_can_go_wrong.md")
print("\n".join(missing))
sys.exit(1 if missing else 0)
