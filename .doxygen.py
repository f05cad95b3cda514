# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
"""What doxygen reads for the reference, since it knows neither this project's names nor its comments.

.doxygen.py TO FILES    writes to TO the headers and pages; to FILES, as text, the other files that pages link to

Headers have the names of doc/reference.md alone, in the namespace in which users write them. Calls, which are function
objects, are functions, one for each of their overloads. "Requires:" and the like begin sections. Headings of pages have
the labels of code hosts."""
import collections
import os
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent
to, files = map(pathlib.Path, sys.argv[1:3])
include = root / "include/tutti"
pages = [root / "README.md", root / "CONTRIBUTING.md"]
for room in ("doc", "include", "src", "examples", "benchmarks", "test"):
    pages += sorted((root / room).rglob("*.md"))

Chunk = collections.namedtuple("Chunk", "namespace comment code kind name")  # one declaration in a namespace

# ---- headers ---------------------------------------------------------------------------------------------------------


def without_texts(line):
    return re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'|//.*', "", line)


def named(code):
    """What a declaration declares: its kind and name."""
    lines = [re.sub(r"\[\[[^]]*\]\] ?", "", line) for line in code.splitlines()]
    line = " ".join(lines[next((i for i, line in enumerate(lines) if re.match(r"(?!template)\w", line)), 0) :])
    if found := re.match(r"using ([\w:]+)::(\w+);", line):
        return "import", found[2]
    if found := re.match(r"(struct|class|union|enum class|enum|concept|using) (?:alignas\(\w+\) )?(\w+)(<)?", line):
        is_forward = line.endswith(";") and "{" not in line and "=" not in line
        return "forward" if is_forward else "special" if found[3] else "type", found[2]
    depth = 0
    for at, sign in enumerate(line := line.replace("decltype(auto)", "auto")):
        depth += (sign == "<") - (sign == ">")
        if depth == 0 and sign in "(={;":
            found = re.search(r"[\s&*](\w+)(<.*>)?$", line[:at].rstrip())
            kind = "function" if sign == "(" else "variable"
            return ("special" if found[2] else kind, found[1]) if found else ("none", "")
    return "none", ""


def chunks(text):
    namespaces, comment, code, depth = [], [], [], 0
    for line in text.splitlines():
        if not code and (found := re.match(r"(?:inline )?namespace ([\w:]+) \{", line)):
            namespaces.append(found[1])
        elif not code and re.match(r"\}  // namespace", line):
            namespaces.pop()
        elif not code and line.startswith("///"):
            comment.append(line)
        elif not code and (not line or line.startswith(("//", "#", "    "))):
            comment = [] if not line or line.startswith("//") else comment
        else:
            if not line.startswith("#"):
                code.append(line)
                plain = without_texts(line)
                depth += sum(plain.count(each) for each in "({[") - sum(plain.count(each) for each in ")}]")
            head = next((each for each in code if re.match(r"(?!template)\w", each)), "")
            is_type = re.match(r"(struct|class|union|enum|concept|using)\b", head)
            ends = plain.rstrip().endswith(";") or (not is_type and plain.rstrip().endswith("}"))
            if depth == 0 and ends and not re.match(r"\s+(requires|&&|\|\|)", line):
                text = "\n".join(code)
                yield Chunk("::".join(namespaces), "\n".join(comment), text, *named(text))
                comment, code = [], []


def listed():
    """(qualifier, name): (header, section), of the rows of the reference."""
    rows, section = {}, ""
    for line in (root / "doc/reference.md").read_text().splitlines():
        if heading := re.match(r"## (.*)", line):
            section = heading[1]
        elif row := re.match(r"\| `(?:(\w+)::)?(\w+)` \|.*\]\(\.\./include/tutti/(.*)\) \|$", line):
            rows[row[1] or "", row[2]] = row[3], section
    return rows


def group_of(section):
    return re.sub(r"\W+", "-", section.lower())


label = r"(?:Requires|Result|Order|Errors|Cost|Source|Counts|Picture)"


def with_sections(comment):
    """A comment whose labels, "Requires:" and the like, begin sections."""
    lines = []
    for line in comment.splitlines():
        indent, text = re.match(r"( *///) ?(.*)", line).groups()
        for part in re.sub(rf"(?<=[.;]) (?={label}\b[^.;:]*:(?: |$))", "\n", text).split("\n"):
            if found := re.match(rf"({label}\b[^.;:`]*):(?: (.*)|$)", part) or re.match(r"(Requires) (?:that )?(.*)", part):
                words = found[2] or ""
                words = words[0].upper() + words[1:] if re.match(r"(a|[a-z]{2,}),? (?![<>=])", words) else words
                lines += [indent, f"{indent} \\par {found[1]}", f"{indent} {words}"]
                if found[1] == "Picture":
                    lines[-1:] = [f"{indent} `{words}`", indent]
            else:
                lines.append(f"{indent} {part}".rstrip())
    return re.sub(r"\[([a-z][\w-]*\d\d[a-z]?|poster)\](?!\()", r'\\ref source-\1 "[\1]"', "\n".join(lines))


def documented(code):
    code = re.sub(r"\nprivate:\n(?:.|\n)*?(?=\n(?:public|protected):|\n\};)", "", code)
    return re.sub(r"(?:^ *///(?!<).*\n)+", lambda each: with_sections(each[0].rstrip()) + "\n", code, flags=re.M)


# ---- calls -----------------------------------------------------------------------------------------------------------

call = re.compile(
    r"inline constexpr (?:call_modes::(\w+)<overloads::(\w+)(?:<[\w:]+>)?>|boost_mpi_shapes::(\w+)) (\w+)\{\};"
)
member = re.compile(
    r"((?:    ///.*\n)+)    template <((?:.|\n)*?)>\n((?:        .*\n)*)"
    r"    (?:auto|void) (operator\(\)|value|value_on_root)\(((?:.|\n)*?)\) const \{"
)
results = {"persistent": "engine::collective_plan", "nonblocking": "engine::collective_plan"}
gathers, rooted = {"all_gather", "gather"}, {"gather", "scatter"}


def forms(shape, shapes, name):
    """Of a call, for each form: words, a remark, template parameters, parameters, and the result."""
    base, body = shapes[shape]
    if not member.search(body):
        yield from forms(base, shapes, name)
        return
    for comment, template, requires, kind, parameters in member.findall(body.split("\nprivate:")[0]):
        is_so = {"gathers": name in gathers, "is_rooted": name in rooted, "scatters": name == "scatter"}
        conditions = re.sub(r"!\([^()]*\)", "", requires)
        if not all(holds for condition, holds in is_so.items() if re.search(rf"\b{condition}\b", conditions)):
            continue
        template, parameters = (" ".join(each.split()) for each in (template, parameters))
        comment = " ".join(re.sub(r"^ *///", "", comment, flags=re.M).split())
        words, remark = re.match(r"(?:\w+: )?\(((?:[^()]|\([^()]*\))*)\)[,:]? ?(.*)", comment).groups()
        result = "void"
        if kind != "operator()":
            result = re.search(r", ([^,]*)& result|, ([^,]*)& both", parameters)
            result = result[1] or result[2]
            parameters = re.sub(r", [^,]*& (result|both)", "", re.sub(r"\bIn\b", "T", parameters))
            template = template.replace("class In, ", "")
        end = "int root" if name in rooted else "Op&& op" if name == "reduce_scatter" else ""
        if "End&&... end" in parameters:
            words += {"int root": ", root", "Op&& op": ", op", "": ""}[end]
            parameters = parameters.replace("End&&... end", end + ", " * bool(end) + "A algorithm = {}")
            template = template.replace("class... End", "class Op, " * (end == "Op&& op") + "algorithm A = automatic")
        yield words, (": " + remark.removesuffix(".")) * bool(remark), template, parameters, result


def functions(chunk, shapes):
    """A call as functions; the first has its comment and the list of all."""
    mode, shape, plain_shape, name = call.match(chunk.code).groups()
    collective = "inclusive_scan" if name == "scan" else name
    shape = shape or plain_shape
    if name == "broadcast":
        shape = "broadcast"
    scope = chunk.namespace.removeprefix("tutti").removeprefix("::")
    spelled = f"{scope}::{name}" if scope else name
    all_forms = [each for each in forms(shape, shapes, collective) if mode != "persistent" or each[4] == "void"]
    if mode == "nonblocking":
        all_forms = [(words, of.replace("returns", "`get()` returns"), *rest) for words, of, *rest in all_forms]
    yield with_sections(chunk.comment)
    yield "///\n/// \\par Forms\n" + "\n".join(f"/// - `{spelled}({each[0]})`{each[1]}" for each in all_forms)
    if mode:
        yield "///\n/// Each takes an algorithm as one more argument at its end."
    for position, (words, remark, template, parameters, result) in enumerate(all_forms):
        if mode == "nonblocking":
            result = "engine::collective_plan" if result == "void" else "engine::pending_value"
        elif mode == "persistent":
            result = "engine::collective_plan"
        if position:
            yield f"/// `{spelled}({words})`{remark + '.' * bool(remark)}"
        yield f"template <{template}>\n{result} {name}({parameters});"


# ---- what is written -------------------------------------------------------------------------------------------------


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def shapes_and_imports(headers):
    """Types with the overloads of calls, as (base, code) by name; and the headers that put a name into tutti."""
    shapes, imports = {}, {}
    for header, all_chunks in headers.items():
        for each in all_chunks:
            if each.namespace.endswith(("::overloads", "::boost_mpi_shapes")) and each.kind == "type":
                base = re.search(rf"struct {each.name} : (\w+)", each.code)
                shapes[each.name] = (base and base[1], each.code)
            elif each.kind == "import" and each.namespace == "tutti":
                imports[f"tutti::{re.match(r'using (.*);', each.code)[1]}"] = header
    return shapes, imports


def qualifier_of(where):
    return where.removeprefix("tutti").rpartition("::")[2]


def public_namespace(each, header, known, imports):
    """The namespace in which a declaration is public, if any."""
    own = f"{each.namespace}::{each.name}"
    where = "tutti" if own in imports else each.namespace
    if call.match(each.code) and qualifier_of(where) in ("", "plan", "async"):
        return where
    if each.kind in ("none", "import") or (each.kind in ("special", "forward") and not each.comment):
        return None
    if known.get((qualifier_of(where), each.name), ("", ""))[0] == header:
        return where
    is_more = where in ("tutti", "tutti::collective") and ("", each.name) in known and each.comment
    return where if is_more and imports.get(own, header) == header else None


def write_headers():
    """Returns the headers that have a public name."""
    known, written, seen = listed(), set(), set()
    paths = sorted(include.rglob("*.hpp"))
    headers = {each.relative_to(include).as_posix(): list(chunks(each.read_text(encoding="utf-8"))) for each in paths}
    shapes, imports = shapes_and_imports(headers)
    modes = {"plan": "Plans", "async": "Nonblocking calls"}
    calls, *others = dict.fromkeys(section for _, section in known.values())
    sections = dict.fromkeys([calls, *modes.values(), *others])
    write(to / "include/groups.hpp", "".join(f"/// @defgroup {group_of(each)} {each}\n\n" for each in sections))
    for header, all_chunks in headers.items():
        text = []
        for each in all_chunks:
            if where := public_namespace(each, header, known, imports):
                name = (qualifier_of(where), each.name)
                seen.add(name)
                section = modes.get(name[0]) or known.get(name, known.get(("", each.name)))[1]
                is_call = call.match(each.code)
                parts = functions(each, shapes) if is_call else [with_sections(each.comment), documented(each.code)]
                group = f"/// @addtogroup {group_of(section)}\n/// @{{\n"
                text += [f"namespace {where} {{", group, *parts, "/// @}", "}"]
        if text:
            write(to / "include/tutti" / header, "\n".join(["/// @file", *text, ""]))
            written.add(include / header)
    if lacking := known.keys() - seen:
        sys.exit(f"these names of doc/reference.md are not in the headers beside them: {sorted(lacking)}")
    return written


def label_of(page, heading=""):
    words = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")).strip().lower()
    of_page = re.sub(r"/|\.md|README", "_", page.relative_to(root).as_posix()).strip("_") or "index"
    return of_page + ("-" + words.replace(" ", "-")) * bool(heading)


def write_page(page, headers):
    """A page whose headings have labels, and whose links lead to pages, headers or texts."""

    def linked(link):
        text, target = link[1], link[2]
        path, _, anchor = target.partition("#")
        other = pathlib.Path(os.path.normpath(page.parent / path)) if path else page
        if re.match(r"\w+:", target) or target.endswith(".svg"):
            return link[0]
        if other in pages:
            return f"[{text}](@ref {label_of(other, anchor.replace('-', ' '))})"
        if other in headers:
            return f"[{text}](@ref {other.relative_to(root / 'include').as_posix()})"
        if other.is_file():
            where = files / (other.relative_to(root).as_posix() + ".txt")
            write(where, other.read_text(encoding="utf-8"))
            return f"[{text}]({files.name}/{where.relative_to(files).as_posix()})"
        return text

    is_code, lines = False, []
    for line in page.read_text(encoding="utf-8").splitlines():
        is_code ^= line.startswith("```")
        if not is_code:
            if heading := re.match(r"(#{1,6}) (.*)", line):
                label = label_of(page, heading[2] if len(heading[1]) > 1 else "")
                line = f"{heading[1]} {heading[2]} {{#{label}}}" if label != "index" else line
            if page.name == "references.md":
                line = re.sub(r"^\| \[([\w-]+)\] \|", r"| \\anchor source-\1 [\1] |", line)
            if page.name == "reference.md":
                line = re.sub(r"^\| `([\w:]+)` \|", r'| @ref tutti::\1 "\1" |', line)
            line = re.sub(r"(?<!!)\[([^\[\]]*)\]\(([^)\s]+)\)", linked, line)
        lines.append(line)
    write(to / page.relative_to(root), "\n".join([*lines, ""]))


headers = write_headers()
for page in pages:
    write_page(page, headers)
