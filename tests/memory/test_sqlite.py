"""SQLite without what hooks don't need; connections that can't write, or that keep to themselves."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from deja_hooks.memory.sqlite import connect_reader, connect_writer, sqlite_error
from tests.support.world import ENTRY


@pytest.mark.parametrize(
    "name", ["plain.db", "with space.db", "100%.db", "what?.db", "a#b.db", "\u65e5\u672c.db", "a'b\"c.db"]
)
def test_any_name_is_opened_as_it_is_written(tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name)
    writer = connect_writer(path, 0.1)
    writer.execute("CREATE TABLE t(x)")
    writer.execute("INSERT INTO t VALUES (7)")
    writer.close()
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert oct(Path(path).stat().st_mode & 0o777) == "0o600"
    for immutable in (False, True):
        reader = connect_reader(path, immutable=immutable)
        assert reader.execute("SELECT x FROM t").fetchall() == [(7,)]
        with pytest.raises(sqlite_error()):
            reader.execute("INSERT INTO t VALUES (8)")
        reader.close()


def test_a_reader_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(sqlite_error()):
        connect_reader(str(tmp_path / "none.db")).execute("SELECT 1 FROM t")
    assert list(tmp_path.iterdir()) == []


def test_the_error_is_that_of_the_library() -> None:
    assert sqlite_error() is sqlite3.Error


def test_functools_is_not_loaded_nor_left_broken(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.append(sys.argv[1])\nfrom deja_hooks.memory.sqlite import connect_writer\n"
        "db = connect_writer(sys.argv[2], 0.1)\nassert db.execute('SELECT 1').fetchone() == (1,)\n"
        "for name in ('functools', 'sqlite3', 'collections', 're', 'datetime'): assert name not in sys.modules, name\n"
        "import functools\nassert functools.partial and functools.lru_cache(None)\nimport sqlite3\n"
        "assert sqlite3.connect(':memory:').execute('SELECT 2').fetchone() == (2,)\n"
    )
    command = [sys.executable, "-I", "-S", "-c", code, str(ENTRY.parent.parent.parent), str(tmp_path / "x.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (0, "")
