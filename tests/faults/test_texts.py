"""Texts that no editor would show, locales that say other things than UTF-8, and a folder that wants to be imported."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.faults.table import row
from tests.indexer.dump import dump
from tests.support.world import ENTRY, World, asked, said

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")

LETTERS = row(
    "Texts",
    "byte-order marks, CRLF, NUL, lone surrogates, bidi and zero-width letters, ANSI; in prompts and histories",
    "nothing: a mark in the letter's place",
)
LONG = row("Texts", "1 MB on one line, in a prompt and in a history", "nothing")
LOCALES = row("Texts", "locales: C, POSIX, UTF-8, ISO-8859-1, EUC-JP, one that isn't there", "nothing")
VARIABLES = row("Texts", "PYTHONIOENCODING, PYTHONSTARTUP, PYTHONPATH, PYTHONHOME and the like", "nothing")
FOLDER = row(
    "Texts", "json.py, sqlite3.py, sitecustomize.py and .env in the working directory; no working directory", "nothing"
)

OLD = "11111111-aaaa-4000-8000-000000000001"
DECIDED = "set retry_budget to 7"
SEEN = "\ufffd"
BACKGROUND = ENTRY.parents[1] / "indexer" / "background.py"
ODD = {
    "byte-order mark": "\ufeff",
    "CRLF": "\r\n",
    "NUL": "\x00",
    "lone surrogate": "\ud83d",
    "bidi override": "\u202e",
    "bidi isolate": "\u2066",
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "ANSI colour": "\x1b[31m",
    "ANSI title": "\x1b]0;title\x07",
    "C1 sequence": "\x9b31m",
    "line separator": "\u2028",
    "tag letter": "\U000e0041",
}


@pytest.fixture
def shop(world: World) -> World:
    world.cli_session(OLD, asked("about retry_budget"), said("We decided to set retry_budget to 7 because it starved."))
    world.index()
    Path(world.layout.index_claim).touch()
    return world


_SIDS = iter(range(10**9))


def payload(world: World, prompt: str = "what was retry_budget?") -> bytes:
    value = {"hook_event_name": "UserPromptSubmit", "session_id": f"asking-{next(_SIDS)}", "cwd": str(world.project)}
    return json.dumps({**value, "prompt": prompt}).encode()


def hook(world: World, data: bytes, cwd: Path | None = None, **variables: str) -> str:
    """What a hook in that folder, with these variables, puts before the model."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(ENTRY), "UserPromptSubmit", world.layout.cache, world.layout.config],
        input=data,
        capture_output=True,
        env={**world.environment, **variables},
        cwd=cwd,
        timeout=20,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    return str(json.loads(done.stdout)["additionalContext"]) if done.stdout else ""


@pytest.mark.parametrize("name", list(ODD))
def test_in_a_prompt(shop: World, name: str) -> None:
    odd = ODD[name]
    for prompt in (
        f"{odd}what was retry_budget?",
        f"what was{odd} retry_budget{odd}?",
        f"what was retry_budget?{odd}" * 9,
    ):
        LETTERS.holds(DECIDED in hook(shop, payload(shop, prompt)), prompt)
    as_is = payload(shop, f"what{odd} was retry_budget?").decode().encode()
    raw = json.dumps(json.loads(as_is), ensure_ascii=False).encode("utf-8", "surrogatepass")
    LETTERS.holds(DECIDED in hook(shop, raw), "raw in the JSON")


@pytest.mark.parametrize("name", list(ODD))
def test_in_a_history(world: World, name: str) -> None:
    """What is recalled or printed steers no terminal and hides nothing from who reads it."""
    odd = ODD[name]
    text = f"We decided to set retry_budget{odd} to 7{odd} because it starved."
    world.cli_session(OLD, asked(f"about{odd} retry_budget"), said(text))
    world.index()
    Path(world.layout.index_claim).touch()
    packet = hook(world, payload(world))
    LETTERS.holds("retry_budget" in packet and ("because it starved" in packet or name == "CRLF"), packet)
    LETTERS.holds(all(letter in "\n\t" or letter.isprintable() for letter in packet) or odd == "\ud83d", packet)
    for command in (["search", "retry_budget"], ["show", OLD], ["sessions"], ["log"]):
        done = subprocess.run(
            [sys.executable, "-m", "deja_hooks", *command],
            capture_output=True,
            env={**world.environment, "PYTHONIOENCODING": "utf-8"},
            cwd=world.project,
            timeout=60,
            check=True,
        )
        shown = done.stdout.decode()
        LETTERS.holds(all(letter in "\n\t" or letter.isprintable() or letter == SEEN for letter in shown), ascii(shown))


def test_a_megabyte_on_one_line(shop: World) -> None:
    for filler in ("x" * 1_000_000, "xy " * 333_333, "\u6f22" * 300_000, "(" * 1_000_000, "a_b." * 250_000):
        began = time.monotonic()
        LONG.holds(DECIDED in hook(shop, payload(shop, f"what was retry_budget? {filler}")), filler[:9])
        assert time.monotonic() - began < 10
    shop.cli_session("22222222-long", asked("y" * 1_000_000), said(f"We decided to use pool_size 3. {'z_' * 500_000}"))
    shop.index()
    LONG.holds("22222222-long" in dump(shop.layout.memory)["sessions"])
    LONG.holds("pool_size 3" in hook(shop, payload(shop, "what was pool_size?")))


@pytest.fixture(scope="module")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of locales made for these tests; empty where they can't be made."""
    folder = tmp_path_factory.mktemp("locales")
    for name, charset in (("de_DE", "ISO-8859-1"), ("ja_JP", "EUC-JP"), ("de_DE", "UTF-8")):
        if shutil.which("localedef"):
            command = ["localedef", "-i", name, "-f", charset, str(folder / f"{name}.{charset}")]
            subprocess.run(command, capture_output=True, check=False)
    return folder


@pytest.mark.parametrize(
    "name", ["C", "POSIX", "C.UTF-8", "de_DE.UTF-8", "de_DE.ISO-8859-1", "ja_JP.EUC-JP", "xx_XX.KOI8-R"]
)
def test_locales(world: World, locales: Path, name: str) -> None:
    """The indexer, the hook and the command, with a folder and words that the locale can't say."""
    variables = {"LC_ALL": name, "LANG": name, "LOCPATH": str(locales)}
    folder = world.home / "code" / "müßig \u6f22\u5b57"
    world.git(folder)
    world.project = folder
    text = "We decided to set müßig_wert to 3 because \u6f22\u5b57 need it."
    world.cli_session("22222222-bbbb", asked("über müßig_wert"), said(text), cwd=folder)
    world.ask_for_a_pass()
    indexed = subprocess.run(
        [
            sys.executable,
            "-IS",
            str(ENTRY.parents[1] / "indexer" / "background.py"),
            world.layout.cache,
            world.layout.config,
        ],
        env={**world.environment, **variables},
        timeout=60,
        check=False,
    )
    LOCALES.holds(indexed.returncode == 0 and set(dump(world.layout.memory)["sessions"]) == {"22222222-bbbb"})
    Path(world.layout.index_claim).touch()
    LOCALES.holds(
        "müßig_wert to 3 because \u6f22\u5b57" in hook(world, payload(world, "what is müßig_wert?"), **variables)
    )
    found = subprocess.run(
        [sys.executable, "-m", "deja_hooks", "search", "--json", "--all", "wert"],
        capture_output=True,
        env={**world.environment, **variables},
        timeout=60,
        check=False,
    )
    LOCALES.holds(
        found.returncode == 0 and [hit["session_id"] for hit in json.loads(found.stdout)] == ["22222222-bbbb"]
    )
    shown = subprocess.run(
        [sys.executable, "-m", "deja_hooks", "show", "22222222"],
        capture_output=True,
        env={**world.environment, **variables},
        timeout=60,
        check=False,
    )
    LOCALES.holds(shown.returncode == 0 and b"wert to 3" in shown.stdout and not shown.stderr, shown)


@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONIOENCODING": "ascii:strict"},
        {"PYTHONIOENCODING": "no-such-codec"},
        {"PYTHONSTARTUP": "{trap}/trap.py"},
        {"PYTHONPATH": "{trap}"},
        {"PYTHONHOME": "/nonexistent"},
        {"PYTHONOPTIMIZE": "2", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONVERBOSE": "1"},
        {"PYTHONWARNINGS": "error", "PYTHONDEVMODE": "1", "PYTHONTRACEMALLOC": "9"},
        {"PYTHONINSPECT": "1", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONUSERBASE": "{trap}", "PYTHONPLATLIBDIR": "nowhere", "PYTHONBREAKPOINT": "trap.spring"},
    ],
    ids=lambda each: next(iter(each)),
)
def test_variables(shop: World, tmp_path: Path, variables: dict[str, str]) -> None:
    trap = traps(tmp_path)
    filled = {name: value.format(trap=trap) for name, value in variables.items()}
    VARIABLES.holds(DECIDED in hook(shop, payload(shop), **filled))
    VARIABLES.holds(not (trap / "sprung").exists())


#: Modules of which a hook or the indexer loads some.
TRAPPED = (
    *("json", "sqlite3", "_sqlite3", "re", "os", "posix", "select", "zlib", "sitecustomize", "usercustomize", "trap"),
    *("orjson", "filelock", "click", "deja_hooks"),
)


def traps(folder: Path) -> Path:
    """A folder of modules that leave a file where one of them is loaded."""
    trap = folder / "trap"
    trap.mkdir()
    for name in TRAPPED:
        (trap / f"{name}.py").write_text(f"open({str(trap / 'sprung')!r}, 'w').close(); raise SystemExit(7)\n")
    (trap / ".env").write_text("DEJA_RECALL=off\nDEJA_HOOKS_HOME=/nonexistent\n")
    (trap / "pyvenv.cfg").write_text("home = /nonexistent\n")
    return trap


def test_a_folder_full_of_modules(shop: World, tmp_path: Path) -> None:
    """The working directory is a repository that anybody may have written."""
    trap = traps(tmp_path)
    FOLDER.holds(DECIDED in hook(shop, payload(shop), cwd=trap))
    FOLDER.holds(hook(shop, b'{"a": tru', cwd=trap) == "", "a payload for which `json` is loaded")
    shop.cli_session("22222222-bbbb", asked("about queues"))
    shop.ask_for_a_pass()
    done = subprocess.run(
        [sys.executable, "-IS", str(BACKGROUND), shop.layout.cache, shop.layout.config],
        cwd=trap,
        env=shop.environment,
        timeout=60,
        check=False,
    )
    FOLDER.holds(done.returncode == 0 and "22222222-bbbb" in dump(shop.layout.memory)["sessions"])
    FOLDER.holds(not (trap / "sprung").exists())


#: The command as its script starts it, from wherever.
RUN = f"import sys; sys.path[:0] = [{str(ENTRY.parents[2])!r}]; from deja_hooks.cli.main import main; sys.exit(main())"


def test_a_folder_that_is_gone(shop: World, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = 'cd "$0" && rmdir "$0" && exec "$@"'
    arguments: list[Any] = [ENTRY, "UserPromptSubmit", shop.layout.cache, shop.layout.config]
    done = subprocess.run(
        ["sh", "-c", script, gone, sys.executable, "-I", "-S", *arguments],
        input=payload(shop),
        capture_output=True,
        env=shop.environment,
        timeout=20,
        check=False,
    )
    FOLDER.holds((done.returncode, done.stderr) == (0, b"") and DECIDED.encode() in done.stdout, done)
    gone.mkdir()
    for command in ("search retry", "sessions", "log", "index"):
        gone.mkdir(exist_ok=True)
        done = subprocess.run(
            ["sh", "-c", script, gone, sys.executable, "-c", RUN, *command.split()],
            capture_output=True,
            env=shop.environment,
            timeout=20,
            check=False,
        )
        FOLDER.holds(b"Unexpected" not in done.stderr and b"Traceback" not in done.stderr, done)
