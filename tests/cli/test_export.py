import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.cli.markdown import code, escaped, fenced
from tests.support.built import Built, command, edit

from .conftest import Result, Run

#: 2026-02-20T10:00:00Z
TEN = 1_771_581_600_000


@pytest.fixture
def built(home: Path) -> Built:
    return Built(home / "deja" / "cache" / "memory.db")


@pytest.fixture
def memory(built: Built) -> None:
    """One session, whose text tries to get out of its place."""
    usage = {"model": "m", "rounds": 3, "input": 18_821, "exact": 0, "output": 402, "elapsed": 1000}
    built.session(
        "aaaa1111",
        {
            "at": TEN,
            "user": "Use [redacted:token] and [redacted:password]\n```\n# Not a heading",
            "assistant": "````sh\nls\n````",
            "usage": [usage],
            "work": [
                edit("src/a`b.py", "one\ntwo\n", "one\n2\n"),
                edit("new.py", "", "x = '[redacted:token]'"),
                command("pytest -q", 1, "ModuleNotFoundError: redis"),
                {"kind": "failure", "tool": "view", "path": "gone.py", "failure": "No such file"},
                {"kind": "error", "failure": "400 no such model"},
            ],
            "files": ["README.md"],
        },
        {"at": 0, "assistant": "By myself.", "ended": 0},
        branch="main",
        title="Mend *all* <b>of</b> it",
        version="1.0.102",
        forked_from="0000",
        skipped=1,
    )
    built.close()


DOCUMENT = r"""# Mend \*all\* \<b\>of\</b\> it

- Host: GitHub Copilot CLI 1.0.102
- Session: `aaaa1111`
- Project: src/app
- Branch: `main`
- Started: 2026-02-20T10:00:00.000+00:00
- Last active: unknown
- Turns: 1
- Usage: 3 rounds, at least 18,821 tokens in, 402 out
- Status: forked from `0000`, where its first request can be read
- Redacted: 3 secrets removed before it was stored (2 token, 1 password)

## 1. 2026-02-20T10:00:00.000+00:00

**User**

````text
Use [redacted:token] and [redacted:password]
```
# Not a heading
````

**Assistant**

`````text
````sh
ls
````
`````

**Edit** of ``src/a`b.py``

```diff
 one
-two
+2
```

**Edit** of `new.py`

```diff
+x = '[redacted:token]'
```

**Command**, exit status 1

```sh
pytest -q
```

Failed: `ModuleNotFoundError: redis`

**Failure** of `view`, `gone.py`: `No such file`

**Error**: `400 no such model`

Read or named: `README.md`

## 2. Time unknown

*No prompt: the agent ran by itself.*

**Assistant**

```text
By myself.
```

*In progress, or never answered, when it was last read.*
"""


def test_markdown(deja: Run, memory: None) -> None:
    assert deja("export", "aaaa") == Result(0, DOCUMENT)


def test_json(deja: Run, memory: None) -> None:
    session = json.loads(deja("export", "aaaa", "--format", "json").out)
    assert {name: value for name, value in session.items() if name not in ("usage", "turns")} == {
        "session_id": "aaaa1111",
        "host": "cli",
        "store": "cli-events",
        "version": "1.0.102",
        "project": "src/app",
        "cwd": "/src/app",
        "branch": "main",
        "title": "Mend *all* <b>of</b> it",
        "started": "2026-02-20T10:00:00.000+00:00",
        "updated": None,
        "archived": None,
        "nested": None,
        "side": None,
        "gone": False,
        "shortened": False,
        "mark": None,
        "mark_note": "",
        "forked_from": "0000",
        "copied_requests": 1,
        "copied_from": [{"session_id": "0000", "first": 1, "last": 1}],
        "changed": [],
        "redacted": {"token": 2, "password": 1},
    }
    assert session["usage"]["input"] == 18_821
    assert session["turns"][0]["work"][2] == {
        "kind": "command",
        "at": "2026-02-20T10:00:00.000+00:00",
        "tool": "",
        "path": "",
        "command": "pytest -q",
        "exit": 1,
        "failure": "ModuleNotFoundError: redis",
        "old": "",
        "new": "",
    }
    assert session["turns"][1] == {
        "number": 2,
        "at": None,
        "ended": False,
        "user": "",
        "assistant": "By myself.",
        "work": [],
        "files": [],
    }


def test_a_file(deja: Run, memory: None, tmp_path: Path) -> None:
    path = tmp_path / "session.md"
    said = f"Wrote {path}: 2 turns, 3 secrets removed.\n"
    assert deja("export", "aaaa", "--output", str(path)) == Result(0, said)
    assert path.read_text(encoding="utf-8") == deja("export", "aaaa", "-o", "-").out
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.glob(".session*")) == []


def test_a_file_is_replaced_only_by_force(deja: Run, memory: None, tmp_path: Path) -> None:
    path = tmp_path / "session.md"
    path.write_text("mine")
    said = f"Error: {path} exists already: name another file, or replace it with --force.\n"
    assert deja("export", "aaaa", "--output", str(path)) == Result(1, "", said)
    assert path.read_text() == "mine"
    assert deja("export", "aaaa", "--output", str(path), "--force").code == 0
    assert path.read_text(encoding="utf-8").startswith("# Mend")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.glob(".session*")) == []


def test_places_that_cannot_be_written(deja: Run, memory: None, tmp_path: Path) -> None:
    missing = tmp_path / "no" / "session.md"
    said = f"Error: {missing} can't be written (No such file or directory).\n"
    assert deja("export", "aaaa", "--output", str(missing)) == Result(1, "", said)
    said = f"Error: {tmp_path} can't be written (Is a directory).\n"
    assert deja("export", "aaaa", "--output", str(tmp_path), "--force") == Result(1, "", said)


def test_an_unknown_id(deja: Run, memory: None) -> None:
    said = "Error: No session has an id that begins with 'x': deja-hooks sessions lists ids.\n"
    assert deja("export", "x") == Result(1, "", said)


def test_a_session_without_secrets_says_so(deja: Run, built: Built) -> None:
    built.session("a", {"at": TEN, "user": "Hello"})
    built.close()
    assert "- Redacted: nothing that looks like a secret was found\n" in deja("export", "a").out


def test_a_long_side_of_an_edit_is_said_to_be_cut(deja: Run, built: Built) -> None:
    built.session("a", {"at": TEN, "user": "x", "work": [edit("a.py", "", "y" * 2_000)]})
    built.close()
    assert "**Edit** of `a.py` (each side is kept up to 2,000 characters)\n" in deja("export", "a").out


def _redacted(deja: Run, built: Built, title: str) -> "tuple[str, object]":
    """What the document and the JSON say of a session with this title, and one secret in its prompt."""
    built.session("a", {"at": TEN, "user": "Why does [redacted:token]\nfail?"}, title=title)
    built.close()
    (line,) = [each for each in deja("export", "a").out.splitlines() if each.startswith("- Redacted: ")]
    return line, json.loads(deja("export", "a", "--format", "json").out)["redacted"]


def test_a_secret_of_the_title_counts(deja: Run, built: Built) -> None:
    line = "- Redacted: 2 secrets removed before it was stored (1 password, 1 token)"
    assert _redacted(deja, built, "Mend [redacted:password]") == (line, {"password": 1, "token": 1})


@pytest.mark.parametrize("title", ["Why does [redacted:token] fail?", "Why does [redacted:token]…"])
def test_a_secret_of_a_title_that_is_the_prompt_counts_once(deja: Run, built: Built, title: str) -> None:
    line = "- Redacted: 1 secret removed before it was stored (1 token)"
    assert _redacted(deja, built, title) == (line, {"token": 1})


@pytest.mark.parametrize(
    ("usage", "said"),
    [
        ({"rounds": 1, "input": 1, "cached": 1, "output": 1, "credits": 1.0}, None),
        ({"rounds": 0}, "0 rounds, tokens not recorded"),
        ({"rounds": 1, "output": 7}, "1 round, 7 out"),
        ({}, "not recorded"),
    ],
)
def test_usage(deja: Run, built: Built, usage: "dict[str, object]", said: "str | None") -> None:
    built.session("a", {"at": TEN, "user": "x", "usage": [usage]})
    built.close()
    said = said or "1 round, 1 token in, 1 of them cached, 1 out, 1.0 credit"
    assert f"\n- Usage: {said}\n" in deja("export", "a").out


def test_a_fork_of_a_fork_names_where_each_part_is(deja: Run, built: Built) -> None:
    built.session("a", {"at": TEN, "user": "x"})
    built.session("b", {"at": TEN, "user": "y"}, forked_from="a", skipped=2)
    built.session("c", {"at": TEN, "user": "z"}, forked_from="b", skipped=3)
    built.close()
    said = "forked from `b`; its first 2 requests can be read in `a`, request 3 in `b`"
    assert f"\n- Status: {said}\n" in deja("export", "c").out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", "`a`"),
        ("", "` `"),
        ("`", "`` ` ``"),
        ("a``b", "```a``b```"),
        (" a", "`  a `"),
        ("a\nb\x1b", "`a b\ufffd`"),
    ],
)
def test_code(text: str, shown: str) -> None:
    assert code(text) == shown


def test_escaped() -> None:
    assert escaped("![x](javascript:1) & <i>\n# y 1. `z`") == r"\!\[x\](javascript:1) \& \<i\> \# y 1. \`z\`"


def test_fences_are_longer_than_what_they_hold() -> None:
    assert fenced("a\n`````\x1b") == "``````text\na\n`````\ufffd\n``````"


@given(st.text(st.sampled_from("`~\n\r a\u2028\x85\x0c>#"), max_size=60))
def test_no_text_leaves_its_fence(text: str) -> None:
    first, *inner, last = fenced(text).split("\n")
    fence = first.removesuffix("text")
    assert last == fence
    assert set(fence) == {"`"}
    assert not any(line.strip().startswith(fence) for line in inner)


@given(st.text(st.sampled_from("`\n a\\"), max_size=40))
def test_no_text_leaves_its_span_of_code(text: str) -> None:
    shown = code(text)
    ticks = shown[: len(shown) - len(shown.lstrip("`"))]
    inside = shown[len(ticks) : -len(ticks)]
    assert shown.endswith(ticks)
    assert "\n" not in shown
    assert ticks not in inside
    assert not inside.startswith("`")
    assert not inside.endswith("`")


def test_what_became_shorter_is_said(deja: Run, built: Built) -> None:
    built.session("a", {"user": "Go on"}, trimmed=2)
    built.close()
    assert "shortened for want of room" in deja("export", "a", "--format", "md").out
