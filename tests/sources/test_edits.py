from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.sources.edits import Span, command_of, named_paths, spans
from deja_hooks.sources.patch import patch_spans
from deja_hooks.tools import EDIT_TOOLS

INSERTED = (
    "class A:\n    # ...existing code...\n    def f(self): ...\n"
    "// ... Existing Code ...\n    x = 1\n{/* ...existing code... */}"
)


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("edit", {"path": "/a", "old_str": "x", "new_str": "y"}, [("/a", "x", "y")]),
        ("Edit", {"path": "/a", "old_str": "x", "new_str": ""}, [("/a", "x", "")]),
        ("create", {"path": "/a", "file_text": "x"}, [("/a", "", "x")]),
        ("Write", {"path": "/a", "file_text": "x"}, [("/a", "", "x")]),
        ("create_file", {"filePath": "/a", "content": "x"}, [("/a", "", "x")]),
        ("create_file", {"filePath": "c:\\a"}, [("c:\\a", "", "")]),
        (
            "replace_string_in_file",
            {"filePath": "/a", "oldString": "x", "newString": "y"},
            [("/a", "x", "y")],
        ),
        (
            "multi_replace_string_in_file",
            {
                "explanation": "two",
                "replacements": [
                    {"filePath": "/a", "oldString": "x", "newString": "y"},
                    {"filePath": "/b", "oldString": "1", "newString": "2"},
                    "odd",
                ],
            },
            [("/a", "x", "y"), ("/b", "1", "2")],
        ),
        (
            "insert_edit_into_file",
            {"filePath": "/a", "code": INSERTED},
            [("/a", "", "class A:\n    def f(self): ...\n    x = 1\n")],
        ),
        ("edit_notebook_file", {"filePath": "/n", "newCode": ["a", "b"]}, [("/n", "", "a\nb")]),
        ("edit_notebook_file", {"filePath": "/n", "newCode": "a"}, [("/n", "", "a")]),
        ("apply_patch", {"input": "*** Add File: /n\n+x\n"}, [("/n", "", "x\n")]),
        ("edit", {"old_str": "x"}, []),
        ("edit", {"path": 3}, []),
        ("view", {"path": "/a"}, []),
    ],
)
def test_spans(tool: str, arguments: dict[str, Any], expected: list[Span]) -> None:
    assert spans(tool, arguments) == expected


PATCH = """*** Begin Patch
*** Update File: /src/a.py
@@ class A:
     def f(self):
-        return 1
-        # old
+        return 2
@@ def g():
+    pass
*** Update File: /src/b.py
*** Move to: /src/c.py
@@
-x
+y
*** Add File: /src/new.py
+one
+
+two
*** Delete File: /src/gone.py
*** End Patch
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_patch(newline: str) -> None:
    assert patch_spans(PATCH.replace("\n", newline)) == [
        ("/src/a.py", "        return 1\n        # old\n", "        return 2\n"),
        ("/src/a.py", "", "    pass\n"),
        ("/src/b.py", "", ""),
        ("/src/c.py", "x\n", "y\n"),
        ("/src/new.py", "", "one\n\ntwo\n"),
        ("/src/gone.py", "", ""),
    ]


def test_patch_that_is_cut_or_none() -> None:
    assert patch_spans("*** Update File: /a\n-x") == [("/a", "x\n", "")]
    assert patch_spans("-x\n+y\n") == []
    assert patch_spans("") == []


@given(
    st.sampled_from(sorted(EDIT_TOOLS)),
    st.dictionaries(
        st.sampled_from(["path", "filePath", "input", "replacements", "newCode", "code"]),
        st.none() | st.text() | st.integers() | st.lists(st.text() | st.integers()),
    ),
)
def test_spans_never_raises(tool: str, arguments: dict[str, Any]) -> None:
    assert all(path for path, _, _ in spans(tool, arguments))


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (["a = 1", "b = 2"], "a = 1\nb = 2"),
        (["a = 1\n", "b = 2"], "a = 1\nb = 2"),
        (["a = 1\n", "\n", "b = 2\n"], "a = 1\n\nb = 2\n"),
        (["a\0", 3, ""], "a\n"),
        ([], ""),
    ],
)
def test_the_lines_of_a_notebooks_cell(cell: list[Any], text: str) -> None:
    assert spans("edit_notebook_file", {"filePath": "/n.ipynb", "newCode": cell}) == [("/n.ipynb", "", text)]


@pytest.mark.parametrize(
    ("tool", "arguments", "paths"),
    [
        ("read_file", {"filePath": "/a.py"}, ("/a.py",)),
        ("view", {"path": "a\0.py"}, ("a.py",)),
        ("open", {"uri": "file:///c%3A/dev/a.py"}, ("c:\\dev\\a.py",)),
        ("open", {"uri": "https://example.org/a.py"}, ()),
        ("get_errors", {"filePaths": ["/a.py", 3, "/b.py", "/a.py"]}, ("/a.py", "/b.py")),
        ("multi_replace_string_in_file", {"replacements": [{"filePath": p} for p in ("/a", "/b", "/a")]}, ("/a", "/b")),
        ("apply_patch", {"input": "*** Delete File: /a\n*** Delete File: /b\n"}, ("/a", "/b")),
        ("bash", {"command": "ls", "path": "/a"}, ()),
        ("memo", {"path": 3, "filePaths": "x"}, ()),
    ],
)
def test_the_files_that_a_call_names(tool: str, arguments: dict[str, Any], paths: tuple[str, ...]) -> None:
    assert named_paths(tool, arguments) == paths


def test_command_of() -> None:
    assert command_of({"command": "ls\0 -l"}) == "ls -l"
    assert command_of({"command": 3}) == ""
