# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""What doxygen lacks for the pages and the names of this project.

.doxygen.py page FILE            a page whose headings have labels, as code hosts give them, and whose links use these
.doxygen.py hidden XML PUBLIC    the names in doxygen's XML that are in none of PUBLIC's lines, nor members of one that is
"""
import os
import re
import sys
import xml.etree.ElementTree as tree


def label(page, heading):
    words = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")).strip().lower()
    return os.path.relpath(page).replace("/", "_").replace(".", "_") + "-" + words.replace(" ", "-")


def with_labels(page):
    is_code = False
    for line in open(page, encoding="utf-8"):
        if line.startswith("```"):
            is_code = not is_code
        heading = re.match(r"(#{2,6}) (.*)", line)
        if heading and not is_code:
            line = f"{heading[1]} {heading[2]} {{#{label(page, heading[2])}}}\n"

        def linked(link):
            other = os.path.join(os.path.dirname(page), link[1]) if link[1] else page
            return f"](#{label(os.path.normpath(other), link[2].replace('-', ' '))})"

        yield line if is_code else re.sub(r"\]\(([\w./-]*)#([\w-]+)\)", linked, line)


def hidden(index, public):
    known = {line.strip() for line in open(public, encoding="utf-8")}
    for compound in tree.parse(index).getroot():
        name, kind = compound.find("name").text, compound.get("kind")
        if kind in ("class", "struct", "union", "concept"):
            if not known.intersection(name.split("<")[0].split("::")[1:]):
                yield name.split("<")[0].strip()
        elif kind == "namespace" and name.startswith("tutti"):
            for member in compound.findall("member"):
                if member.find("name").text not in known:
                    yield f"{name}::{member.find('name').text}"


if sys.argv[1] == "page":
    sys.stdout.writelines(with_labels(sys.argv[2]))
else:
    print("EXCLUDE_SYMBOLS +=", *sorted(set(each for each in hidden(*sys.argv[2:]) if " " not in each)))
