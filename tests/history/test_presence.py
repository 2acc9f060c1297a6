from pathlib import Path

from deja_hooks.history.listing import Wanted, list_sessions
from deja_hooks.history.presence import missing
from tests.support.built import Built


def test_a_session_is_missing_where_no_file_of_it_is_there(tmp_path: Path) -> None:
    built = Built(tmp_path / "memory.db")
    here = tmp_path / "here.jsonl"
    here.touch()
    lost = tmp_path / "lost.jsonl"
    sources = {"both": [here, tmp_path / "lost2"], "lost": [lost], "below a file": [here / "x"], "none": []}
    ids = {sid: built.session(sid) for sid in sources}
    for sid, paths in sources.items():
        for path in paths:
            built.source(str(path), [], ids[sid])
    built.source("/unread", [])
    assert missing(built.db) == {ids["lost"], ids["below a file"]}
    assert [missing(built.db, ids[sid]) for sid in ("both", "lost", "none")] == [set(), {ids["lost"]}, set()]
    listed = {each.sid: each.gone for each in list_sessions(built.db, Wanted())}
    assert listed == {"both": 0, "lost": 1, "below a file": 1, "none": 0}
    built.close()
