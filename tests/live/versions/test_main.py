"""The command: all versions are tried, whatever becomes of one; the document is asked for before that."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import __main__ as command
from .seen import PACKETS, Seen
from .table import HEAD, table

WELL = Seen("accepted", "all", dict.fromkeys(PACKETS, "yes"), (), (0, 0))


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, Path]]:
    """What was tried; 1.0.39 can't be run."""
    seen: list[tuple[str, Path]] = []

    def attempt(version: str, tools: Path) -> Seen | str:
        seen.append((version, tools))
        return "why not" if version == "1.0.39" else WELL

    monkeypatch.setattr(command, "_try", attempt)
    monkeypatch.setenv("DEJA_LIVE_CACHE", str(tmp_path / "cache"))
    return seen


def test_all_versions_by_default(
    tried: list[tuple[str, Path]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([]) == 1
    assert tried == [(version, tmp_path / "cache" / "versions") for version in command.VERSIONS]
    printed = capsys.readouterr().out.splitlines()
    assert tuple(printed[:2]) == HEAD
    assert [line.split(" | ")[0] for line in printed[2:]] == [f"| Copilot CLI {each}" for each in command.VERSIONS]
    assert "not run: why not" in printed[3]


def test_named_versions_into_a_document(tried: list[tuple[str, Path]], tmp_path: Path) -> None:
    document = tmp_path / "verified.md"
    document.write_text(f"# Verified\n\n{table(['| VS Code 1.139 | before |'])}\n")
    assert command.main(["1.0.102", "--tools", str(tmp_path), "--update", str(document)]) == 0
    assert tried == [("1.0.102", tmp_path)]
    written = document.read_text().splitlines()
    assert written[4].startswith("| Copilot CLI 1.0.102 |")
    assert written[5:] == ["| VS Code 1.139 | before |"]


@pytest.mark.parametrize("text", [None, "# Nothing\n"])
def test_a_document_that_cannot_take_it(
    tried: list[tuple[str, Path]], tmp_path: Path, text: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / "verified.md"
    if text is not None:
        document.write_text(text)
    assert command.main(["--update", str(document)]) == 2
    assert capsys.readouterr().err.startswith(f"--update {document}: ")
    assert tried == []
