"""Whether a sentence names a file, a folder or a symbol: this one, not another that is called alike."""

__all__ = ["excerpt", "is_generic", "names_file", "names_folder", "names_symbol"]

#: Base names that many folders have: bare, they name none of them.
GENERIC = frozenset(
    (
        "index", "main", "mod", "lib", "__init__", "__main__", "app", "utils", "util", "types", "config", "test",
        "tests", "setup", "package", "readme", "makefile", "dockerfile", "tsconfig", "pyproject", "conftest", "page",
        "layout", "route", "routes", "models", "views", "urls", "settings", "handler", "handlers", "constants",
        "helpers", "common", "build", "cargo", "pom", "schema", "server", "client", "style", "styles", "values",
        "chart", "base", "core", "errors", "model", "service", "controller", "admin", "forms", "doc", "default",
        "cmakelists", "license",
    )
)  # fmt: skip
#: Folders that hold everything: a word about them is a word about nothing.
_EVERYTHING = frozenset(("src", "lib", "app", "source", "code", "."))
_BREAKS = {ord(c): " " for c in "`'\"()[]{}<>,;:*|=\u2018\u2019\u201c\u201d\u2026\u3001\u3002\uff0c"}
_BREAKS[ord("\\")] = "/"
_CJK = "\u2e80"
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")


def _tokens(text: str) -> "list[str]":
    """What may be a path in the text, without its sentence's full stop."""
    if not text.isascii():
        text = "".join([" " if c >= _CJK else c for c in text])
    return [token.rstrip(".!?") for token in text.translate(_BREAKS).split()]


def names_file(text: str, path: str) -> str:
    """How the text names the file: "path" where with a folder that fits, "base" where by its bare name; else ""."""
    folder, _, base = path.rpartition("/")
    bare = ""
    for token in _tokens(text):
        above, slash, name = token.removeprefix("./").rpartition("/")
        if name != base:
            continue
        if not slash:
            bare = "base"
        elif _ends_alike(folder, above):
            return "path"
    return bare if "." in base or base.endswith("file") else ""


def _ends_alike(folder: str, above: str) -> bool:
    """Whether one of two folders ends with the other (`internal/pool`, `pool`)."""
    one, other = "/" + folder.strip("/"), "/" + above.strip("/")
    return bool(above.strip("/") and folder) and (one.endswith(other) or other.endswith(one))


def names_folder(text: str, path: str) -> str:
    """How the text names the file's folder: "path" or, by its last name alone (`pool/`), "base"; else ""."""
    folder = path.rpartition("/")[0]
    last = folder.rpartition("/")[2]
    if not folder or (last in _EVERYTHING and "/" not in folder):
        return ""
    bare = ""
    for token in _tokens(text):
        named = token.removeprefix("./")
        ended, named = named.endswith("/"), named.strip("/")
        if "/" in named and ("/" + folder).endswith("/" + named):
            return "path"
        if named == last and ended and last not in _EVERYTHING:
            bare = "path" if folder == last else "base"
    return bare


def is_generic(base: str) -> bool:
    """Whether a base name is one that many folders have."""
    return base.partition(".")[0].lower() in GENERIC


def names_symbol(text: str, name: str) -> str:
    """How the text names a symbol: "name" where the name stands there whole, "code" where it is marked as code
    (`` `load` ``, `load(`, `Pool.load`); else ""."""
    found = ""
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if before not in _NAME and after not in _NAME and before not in ("/", "-") and after not in ("/", "-"):
            marked = (before == "`" and after in ("`", "(", ".")) or after == "(" or (before == "." and after != " ")
            if marked or (before == "." and text[at - 2 : at - 1].isalnum()):
                return "code"
            found = "name"
        at = text.find(name, at + 1)
    return found


def excerpt(text: str, name: str, within: int) -> str:
    """The text with the name in its first `within` characters: what stands before that is left out, and marked.

    A packet's budget cuts a quotation's end, never its beginning.
    """
    text = " ".join(text.split())
    at = text.find(name)
    if at < 0 or at + len(name) <= within:
        return text
    start = text.find(" ", max(0, at - within // 2)) + 1
    return "\u2026" + text[start if 0 < start <= at else at :]
