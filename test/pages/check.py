#!/usr/bin/env python3
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""check.py PROJECT: whether what the pages link to is there, headings included, and whether the pages that newcomers read first
have short sentences. Prints what is wrong; nothing if all is well."""
import pathlib
import re
import sys

project = pathlib.Path(sys.argv[1])
most_lines = {"README.md": 230}
most_words = 30  # of a sentence
read_first = ["README.md", "CONTRIBUTING.md", "include/tutti/learning.md", "include/tutti/watching.md"]


def pages():
    for page in sorted(project.rglob("*.md")):
        where = page.relative_to(project)
        if where.parts[0] not in ("build", ".git"):
            yield page, where


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def anchors(text):
    """As code hosts make them of headings."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", without_code(text), flags=re.M):
        words = re.sub(r"[^\w\- ]", "", heading.lower())
        found.add(words.replace(" ", "-"))
    return found


def wrong_links(page, where, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(text)):
        if re.match(r"https?://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        to = (page.parent / path).resolve() if path else page
        if not to.exists():
            yield f"{where}: there is no {target}"
        elif anchor and to.suffix == ".md" and anchor not in anchors(to.read_text()):
            yield f"{where}: {path or where} has no heading #{anchor}"


def sentences(text):
    """Of paragraphs and lists; tables have none."""
    text = re.sub(r"<!--.*?-->", "", without_code(text), flags=re.S)
    for paragraph in re.split(r"\n\s*\n|\n(?=[-*#|])", text):
        if paragraph.lstrip().startswith(("|", "#", "!")):
            continue
        plain = re.sub(r"`[^`]*`", "code", paragraph)
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", plain)
        for sentence in re.split(r"(?<=[.:?!])\s+", " ".join(plain.split())):
            yield sentence


wrong = []
for page, where in pages():
    text = page.read_text()
    wrong += wrong_links(page, where, text)
    limit = most_lines.get(str(where))
    if limit and text.count("\n") > limit:
        wrong.append(f"{where}: has {text.count(chr(10))} lines, at most {limit}")
    if str(where) in read_first:
        for sentence in sentences(text):
            if len(sentence.split()) > most_words:
                wrong.append(f"{where}: has more than {most_words} words: {sentence}")
reference = (project / "include/tutti/reference.md").read_text()
for name in (project / "test/names/public.txt").read_text().split("\n"):
    if name and not name.startswith("#") and reference.count(f"| `{name}` |") != 1:
        wrong.append(f"include/tutti/reference.md: has {name} not once")
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(1 if wrong else 0)
