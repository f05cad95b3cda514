#!/usr/bin/env python3
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""check.py PROJECT [--update | --names]: what pages have of the algorithms is what their headers state.

The list of algorithms is include/tutti/generator/all.hpp. A header in generator/ that it has not is an error, and so is one that
has no test, whose test counts no costs, or whose parameters have names that the list does not know. Tables between <!-- algorithms: NAME --> and <!-- end --> are made of the
headers: rows of costs of their sentences `Counts of COLLECTIVE[, WHERE]: ROUNDS | SENT | COMBINED.`, the operator of `describe`, rows
of the reference of the first sentence of the comment. --update writes these tables; --names prints the names that the list adds
to tutti::. Without either: prints what is wrong; nothing if all is well."""
import pathlib
import re
import sys

project = pathlib.Path(sys.argv[1])
include = project / "include/tutti"
room = include / "generator"
the_list = room / "all.hpp"
no_algorithms = {"any_generator", "named"}
parts = {"costs", "inside", "across", "broadcast"}  # members that are no parameters but have some, or are other algorithms
command = "python3 test/algorithms/check.py . --update"
wrong = []


def includes_of(path):
    return re.findall(r"^#include <tutti/(.*)>", path.read_text(), flags=re.M)


def names_in(path):
    """Of its tuple."""
    return re.findall(r"\w+", re.search(r"std::tuple<([\w\s,]*)>", path.read_text())[1])


class Algorithm:
    def __init__(self, name, path):
        self.name = name
        self.path = path
        self.where = path.relative_to(include).as_posix()
        self.text = path.read_text()

    def comments(self):
        for comment in re.findall(r"(?:^///.*\n)+", self.text, flags=re.M):
            yield " ".join(line[3:].strip() for line in comment.splitlines())

    def what(self):
        """The first sentence of the comment of its type."""
        comment = re.search(rf"((?:^///.*\n)+)(?:template .*\n)?struct {self.name}(?:_of)? {{", self.text, flags=re.M)[1]
        text = " ".join(line[3:].strip() for line in comment.split("\n///\n")[0].splitlines())
        text = re.split(r"(?<!\.)\.(?= [A-Z`]|$)", text)[0]
        return text[0].lower() + text[1:] if text[1].islower() else text

    def counts(self):
        """(on nodes, collective, where, cells) for each row."""
        pattern = r"Counts (on nodes )?of (\w+(?:, \w+)*?)(?:, ([^:|]*))?: ([^|]*) \| ([^|]*) \| (.*?)\.(?= |$)"
        for comment in self.comments():
            for nodes, collective, where, *cells in re.findall(pattern, comment):
                if nodes and where:
                    collective, where = f"{collective}, {where}", ""
                yield bool(nodes), collective, where, [typeset(each) for each in cells]

    def members(self):
        """Of its type, constants left out."""
        body = re.search(rf"^struct {self.name}(?:_of)? {{\n(.*?)^}};", self.text, flags=re.M | re.S)[1]
        return re.findall(r"^    (?! |static|using|friend|enum|return)[\w:<>, ]+ (\w+)(?: = [^;]*|{[^;]*})?;", body, flags=re.M)

    def is_counted(self):
        """Whether its own test, or the tests of the tables, compare its costs with numbers."""
        test = project / "test" / self.path.relative_to(include).with_suffix(".cpp")
        if not test.exists():
            wrong.append(f"{self.where} has no test; write {test.relative_to(project)}")
            return True
        tables = "".join(each.read_text() for each in sorted((project / "test/examples").glob("*_table.cpp")))
        return "cost::" in test.read_text() or re.search(rf"\b{self.name}{{", tables)

    def states(self, fact, collective):
        """Whether `describe` for the collective has it, or for the one of which that is made."""
        bodies = re.findall(rf"describe\(([\w:]+), std::type_identity<{self.name}>\) {{\n?(.*?)}}\n", self.text, flags=re.S)
        bodies = {of.split("::")[-1]: body for of, body in bodies}
        of = {"scans": "exclusive_scan"}.get(collective, collective)
        generic = next((body for name, body in bodies.items() if name[0].isupper()), next(iter(bodies.values()), ""))
        return fact in bodies.get(of, generic)


def typeset(cell):
    cell = re.sub(r"log_k\b", "logₖ", cell.replace(" - ", " − ").replace("<=", "≤"))
    return re.sub(r"log2\b", "log₂", cell)


def read_list():
    names = names_in(the_list)
    others = re.search(r"Not in it: (.*?)\n\w", the_list.read_text(), flags=re.S)[1]
    others = re.findall(r"`(\w+)`", others.split("using")[0])
    apart = [name for name in others if (room / f"{name}.hpp").exists()]
    found = {}
    listed = includes_of(the_list)
    for path in sorted(room.glob("*.hpp")) + sorted(room.glob("*/**/*.hpp")):
        where = path.relative_to(include).as_posix()
        if path.stem in no_algorithms or not re.search(r"\bfacts describe\(", path.read_text()):
            continue
        if where not in listed:
            wrong.append(f"{where} has an algorithm and is not in the list; include it in generator/all.hpp")
        elif path.stem not in names + apart:
            wrong.append(f"{where} is included, but generator/all.hpp does not name {path.stem} in its tuple")
        found[path.stem] = path
    wrong.extend(f"the list has {name}, but generator/ has no header of that name" for name in names if name not in found)
    wrong.extend(f"the list has {name} {names.count(name)} times" for name in set(names) if names.count(name) > 1)
    return [Algorithm(name, found[name]) for name in names + apart if name in found], set(apart)


def table(head, rows):
    return "\n".join(["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]])


def cost_table(algorithms, collective, has_operator):
    """Algorithms that have the same row share it."""
    rows = {}
    for each in algorithms:
        for nodes, of, where, cells in each.counts():
            if nodes or of != collective:
                continue
            mark = " ¹" if each.states("identical_on_all_ranks = false", of) else ""
            if has_operator:
                cells = cells + ["commutative" if each.states("requires_commutative = true", of) else "any"]
            rows.setdefault((where, *cells), []).append(f"`{each.name}`{mark}")
    title = {"scans": "scan, all for any operator", "scan_reduce": "scan_reduce, all for any operator"}.get(collective, collective)
    body = [[", ".join(names) + (f", {typeset(where)}" if where else ""), *cells] for (where, *cells), names in rows.items()]
    return table([title, "rounds", "sent", "combined", *(["operator"] if has_operator else [])], body)


def node_table(algorithms):
    rows = [[f"`{each.name}` {of}", *cells] for each in algorithms for nodes, of, _, cells in each.counts() if nodes]
    return table(["on nodes", "rounds inside", "rounds across", "sent"], rows)


def users_of(each):
    """Headers that use it, by their rooms; the list and what only measures it aside."""
    return {path.relative_to(include).as_posix() for folder in ("selection", "generator") for path in (include / folder).rglob("*.hpp")
            if each.where in includes_of(path) and path != the_list}


def choosers(algorithms):
    groups = {"`automatic`": [], "`reproducible`": [], "`arrival_aware`": [], "other algorithms, as parts": [], "you alone, by name": []}
    for each in algorithms:
        users = users_of(each)
        if any(user.startswith("selection/candidates") for user in users):
            by = "`automatic`"
        elif "selection/canonical.hpp" in users:
            by = "`reproducible`"
        elif "selection/choice_by_arrivals.hpp" in users:
            by = "`arrival_aware`"
        elif "papers" in each.path.parts:
            by = "you alone, by name"
            if not all("papers" in user for user in users):
                wrong.append(f"{each.where} is used by {', '.join(sorted(users))}, so it is more than what a paper describes")
        else:
            by = "other algorithms, as parts"
            if not users:
                wrong.append(f"{each.where}: nothing chooses it and nothing is made of it; such algorithms are in generator/papers/")
        groups[by].append(each)
    link = lambda each: f"[{each.name}]({each.path.relative_to(room).as_posix()})"
    return table(["chosen by", "algorithms"], [[by, ", ".join(map(link, all_of))] for by, all_of in groups.items()])


algorithms, apart = read_list()
if "--names" in sys.argv:
    print("\n".join(sorted(each.name for each in algorithms)))
    sys.exit(0)
named = re.sub(r"^#.*", "", the_list.read_text(), flags=re.M)
parameters = set(re.findall(r"\w+", " ".join(re.findall(r"TUTTI_PARAMETERS?\(([\w, ]+)\)", named))))
known = {"reduce", "all_reduce", "scans", "scan_reduce", "reduce_scatter", "scatter"}
for each in algorithms:
    rows = list(each.counts())
    if not rows and each.name not in apart:
        wrong.append(f"{each.where}: its comment has no row, `Counts of COLLECTIVE: ROUNDS | SENT | COMBINED.`")
    if not each.is_counted():
        wrong.append(f"{each.where}: nothing counts its row; compare by cost::check in its test")
    wrong += [f"{each.where}: generator/all.hpp has no {name} in parameter_names" for name in each.members()
              if name not in parameters | parts and each.name not in apart]
    wrong += [f"{each.where}: there is no table of {of}" for nodes, of, *_ in rows if not nodes and of not in known]
tables = {
    room / "README.md": {
        "who chooses": choosers(algorithms),
        **{of: cost_table(algorithms, of, of in ("reduce", "all_reduce", "reduce_scatter")) for of in sorted(known)},
        "nodes": node_table(algorithms),
    },
    project / "doc/reference.md": {
        "names": table(["name", "what it is", "header"], [[f"`{each.name}`", each.what(), f"[{each.where}](../include/tutti/{each.where})"]
                                                          for each in sorted(algorithms, key=lambda each: each.name)])
    },
}
for page, parts in tables.items():
    text = page.read_text()
    for name, made in parts.items():
        begin = f"<!-- algorithms: {name} -->\n"
        if text.count(begin) != 1:
            wrong.append(f"{page.relative_to(project)}: has {text.count(begin)} tables {begin.strip()}")
            continue
        before, rest = text.split(begin)
        there, after = rest.split("<!-- end -->", 1)
        if there != f"\n{made}\n\n" and "--update" not in sys.argv:
            wrong.append(f"{page.relative_to(project)}: the table of {name} is not what the headers state; write it by: {command}")
        text = f"{before}{begin}\n{made}\n\n<!-- end -->{after}"
    if "--update" in sys.argv and text != page.read_text():
        page.write_text(text)
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(1 if wrong else 0)
