#!/usr/bin/env python3
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""check.py PROJECT: whether what the pages link to is there, headings included, and whether their sentences are short.
check.py FOLDER --links: the links alone, of pages in Markdown and HTML, as of a rendered reference or an installation.
Prints what is wrong; nothing if all is well."""
import html
import pathlib
import re
import sys
import urllib.parse

project = pathlib.Path(sys.argv[1])
most_lines = {"README.md": 230}
most_words = 25  # of a sentence
few = {"says": 8, "told": 3, "that of": 5}  # words that stand for plainer ones: in all pages, code left out
of_lists = {"CHANGELOG.md"}  # whose sentences may be longer


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


def wrong_links_in_html(folder):
    """Fragments too: each element with an id, or an anchor with a name, is a place to link to."""
    texts = {page.resolve(): page.read_text(errors="replace") for page in sorted(folder.rglob("*.html"))}
    places = {page: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for page, text in texts.items()}
    for page, text in texts.items():
        for link in sorted(set(re.findall(r'\b(?:href|src)="([^"]+)"', text))):
            target, _, anchor = urllib.parse.unquote(html.unescape(link)).partition("#")
            to = (page.parent / target).resolve() if target else page
            if re.match(r"\w+:", link):
                continue
            if not to.exists():
                yield f"{page.name}: there is no {link}"
            elif anchor and to in places and html.escape(anchor) not in places[to] and anchor not in places[to]:
                yield f"{page.name}: {to.name} has no place #{anchor}"


def end(wrong):
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


def broken_links(where, text):
    """Doxygen ends a page's layout where the text of a link goes over two lines."""
    for link in re.findall(r"\[[^\[\]\n]*\n[^\[\]\n]*\]\(", without_code(text)):
        yield f"{where}: a link goes over two lines: {' '.join(link.split())}"


def sentences(text):
    """Of paragraphs and lists; tables have none."""
    text = re.sub(r"<!--.*?-->", "", without_code(text), flags=re.S)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*#|]|\d+\.) )", text):
        if paragraph.lstrip().startswith(("|", "#", "!")):
            continue
        plain = re.sub(r"`[^`]*`", "code", paragraph)
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", plain)
        for sentence in re.split(r"(?<=[.:?!])\s+", " ".join(plain.split())):
            yield sentence


wrong = []
if "--links" in sys.argv:
    for page, where in pages():
        wrong += wrong_links(page, where, page.read_text())
    end(wrong + list(wrong_links_in_html(project)))
found = dict.fromkeys(few, 0)
for page, where in pages():
    text = page.read_text()
    plain = re.sub(r"`[^`]*`", "", without_code(text))
    for word in few:
        found[word] += len(re.findall(rf"\b{word}\b", plain)) if str(where) not in of_lists else 0
    wrong += wrong_links(page, where, text)
    wrong += broken_links(where, text)
    limit = most_lines.get(str(where))
    if limit and text.count("\n") > limit:
        wrong.append(f"{where}: has {text.count(chr(10))} lines, at most {limit}")
    if str(where) == "README.md":
        for row in re.findall(r"^\|.*;.*\|$", re.sub(r"`[^`]*`", "", without_code(text)), flags=re.M):
            wrong.append(f"{where}: a cell has two facts: {row}")
    if str(where) not in of_lists:
        for sentence in sentences(text):
            if len(sentence.split()) > most_words:
                wrong.append(f"{where}: has more than {most_words} words: {sentence}")
for word, limit in few.items():
    if found[word] > limit:
        wrong.append(f'pages have "{word}" {found[word]} times, at most {limit}: say states, returns, gives, as')
reference = (project / "doc/reference.md").read_text()
for name in (project / "test/names/public.txt").read_text().split("\n"):
    if name and not name.startswith("#") and reference.count(f"| `{name}` |") != 1:
        wrong.append(f"doc/reference.md: has {name} not once")
references = (project / "doc/references.md").read_text()
keys = re.findall(r"^\| \[([\w-]+)\] \|", references, flags=re.M)
used = set()
for header in sorted((project / "include").rglob("*.hpp")):
    text = header.read_text()
    for source in re.findall(r"Source: (.*?)(?:\n\s*(?!///)|\Z)", text, flags=re.S):
        found = re.findall(r"\[([a-z][\w-]*)\]", source)
        used.update(found)
        wrong += [f"{header.name}: references.md has no [{key}]" for key in found if key not in keys]
    if header.parent.name in ("generator", "papers") and header.name != "any_generator.hpp" and "constexpr facts describe(" in text and "Source: " not in text:
        wrong.append(f"{header.name}: names no source")
wrong += [f"doc/references.md: no header has [{key}]" for key in keys if key not in used]
end(wrong)
