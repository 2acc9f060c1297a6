from deja_hooks.cli.ids import short_ids


def test_short_ids_are_unambiguous() -> None:
    assert short_ids(["aaaaaaaa-1", "aaaaaaaa-2", "b", "bbbbbbbbbbbb"]) == {
        "aaaaaaaa-1": "aaaaaaaa-1",
        "aaaaaaaa-2": "aaaaaaaa-2",
        "b": "b",
        "bbbbbbbbbbbb": "bbbbbbbb",
    }
