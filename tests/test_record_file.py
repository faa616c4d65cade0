"""Files of game records: what is written is read, nothing half written counts, and no fault goes unnoticed."""

import copy
import gzip
import json

import pytest
from referee import PRESETS, points_of
from test_record import CLASSIC, recorded_round, refereed_round

from maumau_env.game.record import Record, RecordError
from maumau_env.game.record_check import replay
from maumau_env.game.record_file import read_records, write_records
from maumau_env.game.rules import Rules


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [recorded_round(Rules.of(max_turns=60), 2 + seed % 3, seed, legal=seed % 2 == 0) for seed in range(4)]


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_what_is_written_is_read(tmp_path, records, name):
    file = tmp_path / name
    write_records(file, records[:2])
    write_records(file, records[2:], append=True)
    assert list(read_records(file)) == records
    assert [path.name for path in tmp_path.iterdir()] == [name]
    if file.suffix == ".gz":
        assert len(gzip.decompress(file.read_bytes()).splitlines()) == 4


def test_a_record_is_the_object_that_is_documented(tmp_path, records):
    write_records(tmp_path / "games.jsonl", records[1:2])
    written = json.loads((tmp_path / "games.jsonl").read_text())
    assert " ".join(written) == ("format version rules players seed starter deal moves reshuffles end hands ranking")
    assert written["rules"] == CLASSIC | {"max_turns": 60}
    assert list(written["deal"]) == ["hands", "discard", "pile"]
    assert all(type(seat) is int and type(action) is str for seat, action in written["moves"])


def test_equal_records_give_equal_files(tmp_path, records):
    files = [tmp_path / folder / "games.jsonl.gz" for folder in ("a", "b")]
    for file in files:
        file.parent.mkdir()
        write_records(file, records)
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
@pytest.mark.parametrize("append", [False, True])
def test_writing_that_fails_half_way_leaves_the_file_as_it_was(tmp_path, records, name, append):
    def broken():
        yield records[1]
        raise RuntimeError("power cut")

    file = tmp_path / name
    write_records(file, records[:1])
    before = file.read_bytes()
    with pytest.raises(RuntimeError, match="power cut"):
        write_records(file, broken(), append=append)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_appending_completes_a_last_line_without_an_end(tmp_path, records):
    file = tmp_path / "games.jsonl"
    write_records(file, records[:1])
    file.write_bytes(file.read_bytes().rstrip(b"\n"))
    write_records(file, records[1:], append=True)
    assert list(read_records(file)) == records


def test_appending_to_no_file_makes_one(tmp_path, records):
    write_records(tmp_path / "games.jsonl", records, append=True)
    assert list(read_records(tmp_path / "games.jsonl")) == records


def test_records_are_not_written_over_what_is_no_file(tmp_path, records):
    with pytest.raises(OSError, match="no ordinary file"):
        write_records(tmp_path, records)


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_a_file_that_was_cut_off_is_an_error_after_the_whole_lines(tmp_path, records, name):
    file = tmp_path / name
    write_records(file, records)
    file.write_bytes(file.read_bytes()[:-60])
    reader, read = read_records(file), []
    with pytest.raises(RecordError, match=rf"{name}, line \d") as error:  # noqa: PT012
        for record in reader:
            read.append(record)
    assert read == records[: len(read)]
    assert f"line {len(read) + 1}:" in str(error.value)


def test_no_gzip_file_is_an_error_with_its_name(tmp_path):
    (tmp_path / "games.jsonl.gz").write_text("{}\n")
    with pytest.raises(RecordError, match=r"games\.jsonl\.gz, line 1: damaged gzip file"):
        list(read_records(tmp_path / "games.jsonl.gz"))


def test_a_round_of_a_match_is_carried_through(tmp_path):
    written = refereed_round(PRESETS["match"], 2, 1)
    charged = [points_of(hand) for hand in written["hands"]]
    written |= {
        "seats": ["player_0", "player_2"],
        "match": {
            "id": "m1", "round": 3, "penalty_limit": 100,
            "table": {"player_0": 41 + charged[0], "player_2": 12 + charged[1]},
            "joined": [], "left": ["player_1"], "out": [],
        },
    }  # fmt: skip
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    first.write_text(json.dumps(written) + "\n")
    write_records(second, read_records(first))
    assert json.loads(second.read_text()) == written
    replay(next(read_records(second)))


# Faults


GOOD = refereed_round(CLASSIC, 2, 57)


def fault_of(tmp_path, change, record=GOOD) -> str:
    """What reading and replaying says about a changed record on the second line of a file."""
    broken = copy.deepcopy(record)
    change(broken)
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(record) + "\n" + json.dumps(broken) + "\n")
    reader = read_records(file)
    replay(next(reader))
    with pytest.raises(RecordError) as error:
        replay(next(reader))
    message = str(error.value)
    assert message.startswith(f"{file}, line 2")
    return message.removeprefix(f"{file}, line 2")


def swap(record, name, value):
    record[name] = value


FAULTS = {
    "format": (lambda r: swap(r, "format", "x"), ": format 'x', version 1: only 'maumau-record', version 1"),
    "version": (lambda r: swap(r, "version", 2), ": format 'maumau-record', version 2: only"),
    "no version": (lambda r: r.pop("version"), ": Object missing required field `version`"),
    "unknown key": (lambda r: swap(r, "note", "?"), ": Object contains unknown field `note`"),
    "missing key": (lambda r: r.pop("starter"), ": Object missing required field `starter`"),
    "unknown key of the deal": (lambda r: swap(r["deal"], "rest", []), ": Object contains unknown field `rest`"),
    "wrong type": (lambda r: swap(r, "seed", "1"), ": Expected `int`, got `str` - at `$.seed`"),
    "unknown option": (lambda r: swap(r["rules"], "aces", "skip"), ": no option is called 'aces', perhaps ace"),
    "missing option": (lambda r: r["rules"].pop("ace"), ": rules without ace"),
    "wrong value": (lambda r: swap(r["rules"], "ace", "fly"), ": ace='fly' is not an option's value"),
    "number for a switch": (lambda r: swap(r["rules"], "must_play", 1), ": must_play=1 is not an option's value"),
    "players": (lambda r: r["players"].append("x"), ": players has 3 entries, and 2 seats were dealt cards"),
    "seats": (lambda r: swap(r, "seats", ["a"]), ": seats has 1 entries, and 2 seats were dealt cards"),
    "one hand": (lambda r: r["deal"]["hands"].pop(), ": 1 players: a table seats 2 to 5"),
    "seed": (lambda r: swap(r, "seed", 2**64), f": seed={2**64}: a seed is a whole number from 0 to 2**64 - 1"),
    "starter": (lambda r: swap(r, "starter", 2), ": seat 2 cannot start"),
    "card twice": (lambda r: r["deal"]["pile"].append(r["deal"]["pile"][0]), "is dealt 2x: a deck of 32 has it 1x"),
    "card of another deck": (lambda r: r["deal"]["pile"].append("2H"), ": 2H is dealt 1x: a deck of 32 has it 0x"),
    "unknown card": (lambda r: swap(r["deal"]["discard"], 0, "HQ"), ": no card is called 'HQ'"),
    "unknown action": (lambda r: swap(r["moves"][4], 1, "fold"), ", move 5: no action is called 'fold'"),
    "unknown seat": (lambda r: swap(r["moves"][4], 0, 7), ", move 5: no seat 7: seats are 0 to 1"),
    "another seat": (
        lambda r: swap(r["moves"][0], 0, 0),
        ", move 1: seat 0 moves where it is seat 1's turn",
    ),
    "illegal": (lambda r: swap(r["moves"][0], 1, "pass"), ", move 1: seat 1: action 65 (pass) is illegal; legal are"),
    "legal": (lambda r: r["legal"][1].append("draw"), ", move 2: legal actions recorded as"),
    "too few legal": (lambda r: r["legal"].pop(), ": legal has"),
    "moves missing": (lambda r: (r["moves"].pop(), r["legal"].pop()), ": the round still goes on after its"),
    "moves too many": (
        lambda r: (r["moves"].append([0, "draw"]), r["legal"].append([])),
        f", move {len(GOOD['moves']) + 1}: action 64 (draw): the round is over",
    ),
    "new pile missing": (lambda r: r["reshuffles"].pop(), "but none is given"),
    "new pile too many": (lambda r: r["reshuffles"].append(["7H"]), ": 1 of its new piles are never needed"),
    "new pile too short": (lambda r: r["reshuffles"][0].pop(), "but the given one is"),
    "new pile with another card": (
        lambda r: swap(r["reshuffles"][0], 0, r["reshuffles"][0][1]),
        "but the given one is",
    ),
    "empty new pile": (lambda r: swap(r["reshuffles"], 0, []), "but the given one is empty"),
    "end": (lambda r: swap(r, "end", "stuck"), ": end recorded as stuck, but the rules lead to emptied"),
    "no such end": (lambda r: swap(r, "end", "won"), ": Invalid enum value 'won' - at `$.end`"),
    "hands": (lambda r: r["hands"].reverse(), ": hands recorded as"),
    "ranking": (lambda r: r["ranking"].reverse(), ": ranking recorded as"),
}


@pytest.mark.parametrize(("change", "reason"), FAULTS.values(), ids=FAULTS)
def test_every_fault_names_file_line_move_and_reason(tmp_path, change, reason):
    assert GOOD["reshuffles"]
    assert GOOD["end"] == "emptied"
    assert GOOD["starter"] == 1
    assert reason in fault_of(tmp_path, change)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "truncated"),
        (b"", "truncated"),
        (b"[]", "Expected `object`, got `array`"),
        (b"\xff\xfe", "malformed"),
    ],
)
def test_a_line_that_is_no_json_object_is_an_error(tmp_path, line, reason):
    (tmp_path / "games.jsonl").write_bytes(line + b"\n" + json.dumps(GOOD).encode())
    with pytest.raises(RecordError, match=rf"games\.jsonl, line 1: .*{reason}"):
        list(read_records(tmp_path / "games.jsonl"))
