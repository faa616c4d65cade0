"""Files appear when they are whole, and what was there before stays until then."""

import json

import pytest

from agents.commandline import check_apart
from agents.files import whole_file, write_json, write_text


def test_a_file_is_replaced_at_the_end(tmp_path):
    path = tmp_path / "page.txt"
    path.write_text("last week's")
    with whole_file(path) as unfinished:
        unfinished.write_text("half")
        assert path.read_text() == "last week's"
        unfinished.write_text("whole")
    assert path.read_text() == "whole"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("reason", [ValueError, KeyboardInterrupt])
def test_what_goes_wrong_leaves_the_file_before(tmp_path, reason):
    path = tmp_path / "page.txt"
    path.write_text("last week's")

    def write_half() -> None:
        with whole_file(path) as unfinished:
            unfinished.write_text("half")
            raise reason

    with pytest.raises(reason):
        write_half()
    assert path.read_text() == "last week's"
    assert list(tmp_path.iterdir()) == [path]


def test_texts_have_the_same_bytes_everywhere(tmp_path):
    write_text(tmp_path / "page.txt", "+1\n−1\n")
    assert (tmp_path / "page.txt").read_bytes() == b"+1\n\xe2\x88\x921\n"


def test_json_is_what_others_can_read(tmp_path):
    path = tmp_path / "found.json"
    write_json(path, {"name": "Jörg", "interval": (0.25, 0.5)})
    assert json.loads(path.read_text(encoding="ascii")) == {"name": "Jörg", "interval": [0.25, 0.5]}
    with pytest.raises(ValueError, match="JSON"):
        write_json(path, {"name": float("nan")})
    assert "Jörg" in json.loads(path.read_text())["name"]


def test_a_file_that_is_read_or_named_twice_is_not_written_over(tmp_path):
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    check_apart([one, None, two], [tmp_path / "game.jsonl"])
    for written, read in (([one], [one]), ([one, one], []), ([two, tmp_path / "." / "one.json"], [one])):
        with pytest.raises(ValueError, match="this file is named twice"):
            check_apart(written, read)
