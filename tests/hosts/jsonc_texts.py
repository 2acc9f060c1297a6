"""Texts of JSON with comments as people write them: every layout, with or without a server of ours."""

import json
from typing import Any

from hypothesis import strategies as st

__all__ = ["OURS", "texts"]

#: A server of ours, of some other environment.
OURS = {"type": "stdio", "command": "/old/bin/python", "args": ["-I", "-m", "deja_hooks", "mcp"]}

_names = st.sampled_from(["servers", "inputs", "mcpServers", "x", "é", 'q"t', ""])
_server = st.sampled_from([{"command": "x"}, {"url": "https://x", "headers": {"A": "b // c"}}, {"args": []}, OURS])
_leaf: st.SearchStrategy[Any] = st.sampled_from([1, "a, }", None, [], {}, (1, {"a": "/*"})])


@st.composite
def texts(draw: st.DrawFn, *, ours: bool = True) -> str:
    """A file's text; without `ours` none of its servers is ours."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    indent = draw(st.sampled_from(["", " ", "  ", "\t"]))
    many = draw(st.booleans())
    line_comments = ["// c", '// "deja": {', "//"] if many else []
    comments = st.sampled_from(["", "", "", "", "/* c */", "/* }, */", *(c + newline for c in line_comments)])

    def gap(depth: int) -> str:
        blank = newline + indent * depth if many else draw(st.sampled_from(["", " "]))
        comment = draw(comments)
        return comment + blank if draw(st.booleans()) else blank + comment

    def render(value: Any, depth: int) -> str:
        if not isinstance(value, list):  # a list of pairs is an object: keys may be doubled
            return json.dumps(value, ensure_ascii=draw(st.booleans()))
        if not value:
            return "{" + draw(st.sampled_from(["", gap(depth)])) + "}"
        parts = [
            f"{gap(depth + 1)}{json.dumps(key)}:{draw(st.sampled_from(['', ' ']))}{render(each, depth + 1)}"
            f"{draw(st.sampled_from(['', '', ' /* after */']))}"
            for key, each in value
        ]
        trailing = draw(st.sampled_from(["", ","]))
        return "{" + ",".join(parts) + trailing + gap(depth) + "}"

    servers = st.lists(
        st.tuples(st.sampled_from(["a", "b", "deja", "c"]), _server), max_size=4, unique_by=lambda p: p[0]
    )
    members = []
    for key in draw(st.lists(_names, max_size=3)):
        listed = draw(servers)
        if not ours:
            listed = [(name, each) for name, each in listed if each is not OURS and name != "deja"]
        members.append((key, listed if key in ("servers", "mcpServers") else draw(_leaf)))
    whole = draw(st.sampled_from(["object", "object", "object", "object", "blank"]))
    ends = draw(st.sampled_from(["", newline]))
    before = draw(st.sampled_from(["", "\ufeff"])) + draw(st.sampled_from(["", f"// top{newline}", " "]))
    return before + ("" if whole == "blank" else render(members, 0)) + ends
