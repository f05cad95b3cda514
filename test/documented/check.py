# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""check.py ROOT: what doc/what_can_go_wrong.md quotes is what the library says.

A quotation is code that begins with `tutti: ` or `…`; its pieces between … have to be in the sources, where sentences are put
together from pieces. README.md has to lead to the page. Every class of exceptions says whether the communicator has failed
with it: it has the mark needs_recovery, which the library for C asks for, or is listed here. doc/options.md has every
environment variable that the library reads, and every option of CMake and Conan. doc/preloaded_library.md names the
functions that tutti performs in place of MPI."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "doc/what_can_go_wrong.md").read_text()
code = "\n".join(each.read_text() for of in ("include", "src") for each in sorted((root / of).rglob("*.[hc]pp")))
code += (root / "src/c/tutti.py").read_text()
code += (root / "src/c/tutti.f90.in").read_text().replace("'", '"')
code = re.sub(r'"\s*\n\s*f?"', "", code)  # one string on several lines
code += re.sub(r'\bword\([^";]*, "([\w ]+)"\)', r'"\1s"', code)  # word(n, "element") says "2 elements"
strings = "\n" + "\n".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', code)) + "\n"


def is_said(piece, begin=""):
    """Whether it is part of a string, or the end of one and the beginning of others."""
    if begin + piece in strings:
        return True
    return any(begin + piece[:n] + "\n" in strings and is_said(piece[n:], "\n") for n in range(len(piece) - 1, 3, -1))


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
sound = {
    "operand_missing": "all messages were exchanged; but see plan_dropped",
    "measurement_failed": "an operator has thrown",
    "error": "of threads: a team does not recover",
    "monitor_ended": "it has a communicator of its own",
    "broken_schedule": "no call was made",
}
classes = re.findall(r"\b(?:class|struct) (\w+)(?: final)?\s*:\s*([^{};]*\bstd::\w*(?:_error|exception|argument|alloc)\b[^{};]*){", code)
for name, bases in classes:
    if "needs_recovery" not in bases and name not in sound:
        missing.append(f"{name}: does the communicator fail with it? Add needs_recovery, or list it in test/documented/check.py")
if len(classes) < 12:
    missing.append(f"only {len(classes)} classes of exceptions were found")
options = (root / "doc/options.md").read_text()
table = options[: options.index("| word of")]
listed = set(re.findall(r"^\| `(TUTTI\w*)` \|", table, re.M))
read = set(re.findall(r'"(TUTTI(?:_[A-Z]+)*)"', code))
if listed != read:
    missing.append(f"options.md has variables {sorted(listed)}, and the library reads {sorted(read)}")
wanted = re.findall(r"^option\((\w+)", (root / "CMakeLists.txt").read_text(), re.M)
wanted += re.findall(r'"(\w+)": \[True, False\]', (root / "conanfile.py").read_text())
missing += [f"options.md lacks {name}" for name in wanted if f"`{name}`" not in options and name != "fPIC"]
if "options.md" not in (root / "README.md").read_text():
    missing.append("README.md does not lead to options.md")
functions = re.findall(r"^TUTTI_PERFORMED\(\w+, (\w+),", (root / "src/pmpi/functions.def").read_text(), re.M)
named = re.search(r"\*\*These\.\*\*([^.]*)\.", (root / "doc/preloaded_library.md").read_text())[1]
if sorted(functions) != sorted(re.findall(r"`MPI_(\w+)`", named)):
    missing.append(f"preloaded_library.md names {named}, and functions.def has {functions}")
print("\n".join(missing))
sys.exit(1 if missing else 0)
