"""The symbols that an edit is about: what it defines or sets, and the definition that it stands in.

No parser of any language: the words that open a definition are much the same in all of them. A name that is
merely used in the text says nothing about what is being changed.
"""

from deja_hooks.recall.edited import Edit

__all__ = ["symbols"]

_MODIFIERS = frozenset(
    (
        "export", "default", "public", "private", "protected", "internal", "static", "async", "abstract", "final",
        "override", "pub", "pub(crate)", "pub(super)", "inline", "virtual", "unsafe", "extern", "declare", "readonly",
        "partial", "sealed", "open", "data", "suspend", "local", "constexpr", "synchronized", "native",
    )
)  # fmt: skip
_DEFINING = frozenset(
    (
        "def", "class", "function", "function*", "func", "fn", "interface", "struct", "enum", "type", "trait", "impl",
        "module", "namespace", "protocol", "record", "object", "sub", "fun", "union", "mixin", "extension", "resource",
    )
)  # fmt: skip
_SETTING = frozenset(("const", "let", "var", "val", "#define", "set", "mut", "static"))
#: Words that stand before a parenthesis and define nothing.
_STATEMENTS = frozenset(
    (
        "if", "for", "while", "switch", "catch", "return", "with", "elif", "else", "match", "foreach", "using", "lock",
        "when", "unless", "until", "super", "new", "await", "do", "try", "and", "or", "not", "assert", "print",
    )
)  # fmt: skip
#: Names that every code base has; a decision about one of them is not about this one.
_COMMON = frozenset(
    (
        "main", "init", "test", "tests", "setup", "setUp", "tearDown", "run", "get", "set", "new", "index", "handler",
        "handle", "name", "value", "values", "type", "data", "self", "this", "args", "kwargs", "options", "config",
        "path", "file", "line", "text", "item", "items", "result", "results", "error", "errors", "version", "default",
        "description", "title", "status", "state", "props", "params", "response", "request", "user_id", "userId",
        "__init__", "__main__", "__str__", "__repr__", "__eq__", "__hash__", "__enter__", "__exit__", "__call__",
        "__name__", "__all__", "__version__", "to_string", "toString", "to_dict", "from_dict", "to_json", "from_json",
        "hashCode", "equals", "created_at", "updated_at", "createdAt", "updatedAt", "useState", "useEffect",
        "className",
        "file_path", "file_name", "fileName", "filePath", "user_name", "userName", "componentDidMount", "get_name",
    )
)  # fmt: skip
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")
_LOOKED_AT = 4_000
_MOST = 5


def symbols(edit: Edit) -> "list[str]":
    """The names that the edit is about, at most five: those on its changed lines, then what holds them."""
    old, new = edit.old[:_LOOKED_AT].split("\n"), edit.new[:_LOOKED_AT].split("\n")
    stays = {line.strip() for line in old} & {line.strip() for line in new}
    found: dict[str, None] = {}
    holder = ""
    changed = False
    for line in old or new:
        name = defined(line)
        if line.strip() in stays or not line.strip():
            holder = name if name and not changed else holder
            continue
        changed = True
        name = name or assigned(line)
        if name:
            found[name] = None
    for line in new if not changed else ():
        name = defined(line) or assigned(line)
        if name and line.strip() not in stays:
            found[name] = None
    for line in edit.near.split("\n"):
        found[defined(line)] = None
    found[holder] = None
    return [name for name in found if len(name) > 3 and name not in _COMMON][:_MOST]


def defined(line: str) -> str:
    """The name of the function, class or type that a line defines; "" for other lines."""
    words = line.split()
    while words and words[0] in _MODIFIERS:
        words = words[1:]
    if not words:
        return ""
    if words[0] in _DEFINING and len(words) > 1:
        rest = " ".join(words[1:])
        if rest.startswith("("):  # Go: func (p *Pool) Load(…)
            rest = rest.partition(")")[2].lstrip()
        if words[0] == "impl" and " for " in rest:
            rest = rest.partition(" for ")[2]
        return _leading_name(rest)
    if not line.rstrip().endswith("{") or "(" not in line:
        return ""
    head = line.partition("(")[0]
    name = head.split()[-1] if head.split() else ""
    plain = name and not set(name) - _NAME and "=" not in head and not _STATEMENTS.intersection(head.split())
    return name if plain else ""


def assigned(line: str) -> str:
    """The name that a line sets (`NAME = …`, `"name": …`, `const name: T = …`); "" for other lines."""
    words = line.split()
    while words and (words[0] in _MODIFIERS or words[0] in _SETTING):
        if words[0] == "#define" and len(words) > 1:
            return _leading_name(words[1])
        words = words[1:]
    text = " ".join(words)
    ends = [at for at in (text.find("="), text.find(":")) if at > 0]
    if not ends or text[min(ends) : min(ends) + 2] in ("==", "=>", "::"):
        return ""
    name = text[: min(ends)].strip().strip("\"'").removeprefix("self.").removeprefix("this.")
    return name if name and not set(name) - _NAME and not name[0].isdigit() else ""


def _leading_name(text: str) -> str:
    end = 0
    while end < len(text) and text[end] in _NAME:
        end += 1
    return text[:end]
