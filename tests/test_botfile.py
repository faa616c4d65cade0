"""Bot files from strangers: each that does not fit is refused by name in one line, and nothing in it is ever run."""

import json
import os
import pickle
import re
import tracemalloc
import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

import agents
from agents import botfile
from agents.botfile import (
    FORMAT,
    MOST_BYTES,
    MOST_HEADER_BYTES,
    BotFileError,
    Header,
    Strength,
    layout_hash,
    read,
    save,
)
from agents.policy import Policy, load
from maumau_env.game.actions import NUM_ACTIONS
from maumau_env.game.rules import Rules
from maumau_env.seat.encode import LAYOUT_VERSION, Layout, Section

HIDDEN = [24, 16]
CLASSIC = Rules()
LAYOUT = Layout(32, 2)


def layers_for(layout=LAYOUT):
    rng = np.random.default_rng(0)
    sizes = [layout.size, *HIDDEN, NUM_ACTIONS]
    return [
        (rng.normal(size=(inputs, outputs)).astype(np.float32), rng.normal(size=outputs).astype(np.float32))
        for inputs, outputs in pairwise(sizes)
    ]


def header_for(rules=CLASSIC, players=(2,), layout=LAYOUT, **more):
    return Header.of(rules, layout, HIDDEN, players, **more)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "bot.safetensors"
    save(file, header_for(), layers_for())
    return file


def refusal(path):
    """The one line with which a file is refused, by `read` and by `agents.make`, at little cost of memory."""
    tracemalloc.start()
    with pytest.raises(BotFileError) as error:
        read(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 3 * MOST_BYTES
    with pytest.raises(agents.AgentError) as again:
        agents.make(str(path))
    assert str(again.value) == str(error.value)
    text = str(error.value)
    assert text.startswith(f"{path}: ")
    assert text.isprintable()
    assert len(text) < 2000
    return text.removeprefix(f"{path}: ")


# ---- whole files ---------------------------------------------------------------------------------------------------


def test_a_file_holds_all_of_the_bot(tmp_path):
    strength = Strength(opponent="random", players=3, games=60, seed=1, win_rate=0.4, win_rate_interval=(0.3, 0.5))
    layout, layers = Layout(32, 3), layers_for(Layout(32, 3))
    header = header_for(
        Rules.of(ace="skip"), (3,), layout, training={"choices": 7}, strength=[strength], varied={"must_play": [False]}
    )
    save(tmp_path / "a.safetensors", header, layers)
    found, found_layers = read(tmp_path / "a.safetensors")
    assert found == header
    for ours, theirs in zip(layers, found_layers, strict=True):
        assert all((a == b).all() for a, b in zip(ours, theirs, strict=True))
    save(tmp_path / "b.safetensors", found, found_layers)
    assert (tmp_path / "a.safetensors").read_bytes() == (tmp_path / "b.safetensors").read_bytes()


def test_a_bot_is_saved_whole_or_not_at_all(path):
    before = path.read_bytes()
    broken = layers_for()
    broken[1][0][0, 0] = np.nan
    doubles = [(weights.astype(np.float64), biases) for weights, biases in layers_for()]
    for layers in (broken, doubles, layers_for(Layout(32, 3)), broken[:2]):
        with pytest.raises(BotFileError, match="tensor"):
            save(path, header_for(), layers)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_hash_is_that_of_names_lengths_and_meanings(monkeypatch, path):
    assert layout_hash(LAYOUT) != layout_hash(Layout(32, 3))
    sections = LAYOUT.sections
    for other in (
        Section("hands", sections[0].length, sections[0].meaning),
        Section(sections[0].name, sections[0].length + 1, sections[0].meaning),
        Section(sections[0].name, sections[0].length, "how many copies of each card I have seen"),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(Layout, "sections", property(lambda self, other=other: (other, *sections[1:])))
            assert layout_hash.__wrapped__(LAYOUT) != layout_hash(LAYOUT)
            changed.setattr(botfile, "layout_hash", layout_hash.__wrapped__)
            assert "the sections are not the same" in refusal(path)
    read(path)


# ---- general bots --------------------------------------------------------------------------------------------------


def test_a_general_bot_plays_where_every_option_was_met_in_training():
    bot = Policy(header_for(varied={"ace": ["plain", "skip", "again"], "must_play": [True, False]}), layers_for())
    for rules in (CLASSIC, Rules(ace="again"), Rules(ace="skip", must_play=False)):
        bot.check_table(rules, 2)
    with pytest.raises(ValueError, match=r"classic.*ace any of plain, skip, again; must_play any of .*jack_on_jack=no"):
        bot.check_table(Rules(ace="skip", jack_on_jack=False), 2)


def test_a_specialist_plays_by_its_own_rules_alone():
    with pytest.raises(ValueError, match=r"rules classic, not for classic, ace=skip.*any_rules"):
        Policy(header_for(), layers_for()).check_table(Rules(ace="skip"), 2)


@pytest.mark.parametrize(
    ("varied", "reason"),
    [
        ({"deck": [32, 104]}, "one deck"),
        ({"acce": ["skip"]}, "no option is called 'acce'"),
        ({"self": [1]}, "no option is called 'self'"),
        ({"ace": ["jump"]}, "ace='jump'"),
        ({"must_play": [0]}, "must_play=0"),
        ({"ace": []}, "varied.ace"),
        ({"ace": "skip"}, "varied.ace"),
    ],
)
def test_varied_options_are_those_of_the_rules(path, varied, reason):
    change_header(path, varied=varied)
    assert reason in refusal(path)


# ---- hostile headers -----------------------------------------------------------------------------------------------


def tensors_of(layers):
    return {
        f"{number}.{kind}": part
        for number, layer in enumerate(layers)
        for kind, part in zip(("weight", "bias"), layer, strict=True)
    }


def change_header(path, **changes):
    """The same file with some of its header changed."""
    header, layers = read(path)
    text = json.dumps(json.loads(header.model_dump_json()) | changes)
    safetensors.numpy.save_file(tensors_of(layers), path, {FORMAT: text})


OBSERVATION = {"version": LAYOUT_VERSION, "deck": 32, "seats": 2, "sha256": layout_hash(LAYOUT)}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format_version": 1}, "format_version"),
        ({"format_version": 3}, "format_version"),
        ({"observation": OBSERVATION | {"version": 99}}, "observation layout 99, and this version has layout"),
        ({"observation": OBSERVATION | {"deck": 104}}, "do not fit its observation layout"),
        ({"observation": OBSERVATION | {"seats": 7}}, "observation.seats"),
        ({"observation": OBSERVATION | {"seats": 10**30}}, "observation.seats"),
        ({"observation": OBSERVATION | {"sha256": "0" * 64}}, "sha256 000000000000"),
        ({"observation": {key: OBSERVATION[key] for key in ("version", "deck", "seats")}}, "observation.sha256"),
        ({"players": [4]}, "do not fit its observation layout"),
        ({"players": []}, "players"),
        ({"players": [1]}, "players.0"),
        ({"players": [6] * 5000}, "players.0.*and 4997 more"),
        ({"rules": {"deck": 32}}, "rules without hand_size"),
        ({"rules": CLASSIC.as_dict() | {"ace": "fly"}}, "ace='fly'"),
        ({"rules": CLASSIC.as_dict() | {"deck": 33}}, "deck=33"),
        ({"rules": CLASSIC.as_dict() | {"deck": [32]}}, r"deck=\[32\]"),
        ({"rules": CLASSIC.as_dict() | {"self": 1}}, "no option is called 'self'"),
        ({"rules": CLASSIC.as_dict() | {"ace": "x" * 100_000}}, "ace='xxx"),
        ({"penalty_limit": 0}, "penalty_limit"),
        ({"hidden": [24, 17]}, "162 → 24 → 17 → 67"),
        ({"hidden": [10**9, 10**9]}, "hidden.0: .*4096"),
        ({"hidden": [16] * 9}, "hidden: .*8 items"),
        ({"hidden": [0]}, "hidden.0"),
        ({"activation": "tanh"}, "activation"),
        ({"mood": "good"}, "mood"),
        ({"mood\x1b[2J\nsecond line": "good"}, r"mood\?\[2J\?second line"),
        ({"strength": [{"win_rate": float("nan")}]}, "strength.0"),
    ],
)
def test_a_header_that_does_not_fit_is_refused_by_name(path, changes, reason):
    change_header(path, **changes)
    message = refusal(path)
    assert message.startswith("its ")
    assert re.search(reason, message), message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "Invalid JSON"),
        ("[]", "should be an object"),
        ("null", "should be an object"),
        ('{"training": ' + '{"a": ' * 50_000, "recursion limit"),
        ('{"training": {"a": ' + "[" * 50_000 + "}}", "recursion limit"),
        ('{"format_version": ' + "9" * 50_000 + "}", "number out of range"),
    ],
)
def test_a_header_that_is_no_header_is_refused(path, text, reason):
    safetensors.numpy.save_file(tensors_of(layers_for()), path, {FORMAT: text})
    assert reason in refusal(path)


def raw_file(path, table, data=b"", length=None):
    """A file byte by byte: the length of the table, the table, and the data of the tensors."""
    table = table if isinstance(table, bytes) else json.dumps(table).encode()
    path.write_bytes((len(table) if length is None else length).to_bytes(8, "little") + table + data)


@pytest.mark.parametrize("length", [10 * 2**30, 2**63, 2**64 - 1])
def test_a_header_that_claims_more_than_there_is_costs_nothing(path, length):
    raw_file(path, {}, length=length)
    assert "ends before the header" in refusal(path)


def test_a_header_larger_than_any_of_ours_is_not_read(path):
    raw_file(path, b"[" * (MOST_HEADER_BYTES + 1))
    assert f"its header has {MOST_HEADER_BYTES + 1:,} bytes, and {MOST_HEADER_BYTES:,} are allowed" in refusal(path)
    raw_file(path, {"__metadata__": {FORMAT: "x" * 50_000_000}})
    assert f"larger than {MOST_BYTES:,} bytes" in refusal(path)


@pytest.mark.parametrize(
    "table",
    [b"[" * 1000, b'{"a":' * 100_000, b"\xff\xfe", b"", b"5", b'{"__metadata__": [1]}', b'{"__metadata__": {"a": 5}}'],
)
def test_a_table_of_tensors_that_is_none_is_refused(path, table):
    raw_file(path, table)
    assert "cannot be read as safetensors" in refusal(path)


@pytest.mark.parametrize(
    "table", [{}, {"__metadata__": None}, {"__metadata__": {}}, {"__metadata__": {"format": "pt"}}]
)
def test_other_peoples_safetensors_are_no_bot_of_this_game(path, table):
    raw_file(path, table)
    assert "no bot of this game" in refusal(path)


# ---- hostile tensors -----------------------------------------------------------------------------------------------


def tables_of(path):
    """The table of tensors and the data of a file."""
    contents = path.read_bytes()
    end = 8 + int.from_bytes(contents[:8], "little")
    return json.loads(contents[8:end]), contents[end:]


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("0.weight", {"shape": [24, 162]}, "tensors are not those"),
        ("0.weight", {"shape": [162 * 24]}, "tensors are not those"),
        ("0.weight", {"shape": [162, 25]}, "cannot be read as safetensors"),
        ("0.weight", {"shape": [2**63, 2**63]}, "cannot be read as safetensors"),
        ("0.weight", {"shape": [-162, -24]}, "cannot be read as safetensors"),
        ("2.bias", {"shape": [0, 2**62], "data_offsets": [0, 0]}, "cannot be read as safetensors"),
        ("0.weight", {"dtype": "I32"}, "0.weight is not made of finite float32"),
        ("0.weight", {"dtype": "P64"}, "cannot be read as safetensors"),
        ("1.bias", {"data_offsets": [0, 64]}, "cannot be read as safetensors"),
        ("1.bias", {"data_offsets": [10**12, 10**12 + 64]}, "cannot be read as safetensors"),
        ("1.bias", {"data_offsets": [64, 0]}, "cannot be read as safetensors"),
    ],
)
def test_shapes_types_and_places_that_lie_are_refused(path, name, changes, reason):
    table, data = tables_of(path)
    table[name] |= changes
    raw_file(path, table, data)
    assert reason in refusal(path)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["0.weight", "2.bias"])
def test_numbers_that_are_not_finite_are_refused(path, name, value):
    header, layers = read(path)
    tensors = {key: tensor.copy() for key, tensor in tensors_of(layers).items()}
    tensors[name].flat[-1] = value
    safetensors.numpy.save_file(tensors, path, {FORMAT: header.model_dump_json()})
    assert f"the tensor {name} is not made of finite float32 numbers" in refusal(path)


@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int64, np.int32, np.bool_])
def test_other_kinds_of_numbers_are_refused(path, dtype):
    header, layers = read(path)
    tensors = {name: tensor.astype(dtype) for name, tensor in tensors_of(layers).items()}
    safetensors.numpy.save_file(tensors, path, {FORMAT: header.model_dump_json()})
    assert "is not made of finite float32 numbers" in refusal(path)


def test_additional_and_missing_tensors_are_refused(path):
    header, layers = read(path)
    tensors = tensors_of(layers)
    some = {name: tensor for name, tensor in tensors.items() if name != "1.bias"}
    for others in (
        some,
        {},
        tensors | {"3.weight": np.zeros((67, 67), np.float32)},
        tensors | {"x": np.zeros(0, "f4")},
    ):
        safetensors.numpy.save_file(others, path, {FORMAT: header.model_dump_json()})
        assert "its tensors are not those of a network 162 → 24 → 16 → 67" in refusal(path)


# ---- other files ---------------------------------------------------------------------------------------------------


def test_a_file_cut_off_anywhere_is_refused(path):
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(BotFileError, match="damaged") as error:
            read(path)
        assert "\n" not in str(error.value)
    path.write_bytes(whole + b"\0")
    assert "damaged" in refusal(path)
    path.write_bytes(b"")
    assert "damaged" in refusal(path)


class Bomb:
    """Runs code when it is unpickled."""

    def __reduce__(self):
        return Path.touch, (Path("exploded"),)


@pytest.mark.parametrize("name", ["model.zip", "bot.safetensors"])
def test_a_zip_is_never_opened_whatever_its_name(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile(name, "w") as archive:
        archive.writestr("data", pickle.dumps(Bomb()))
    assert "a zip archive" in refusal(Path(name))
    with pytest.raises(BotFileError, match=rf"{name}: a zip archive.*run the code.*bot\.safetensors"):
        load(name)
    assert not Path("exploded").exists()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_under_another_name_is_never_unpickled(tmp_path, monkeypatch, protocol):
    monkeypatch.chdir(tmp_path)
    Path("bot.safetensors").write_bytes(pickle.dumps(Bomb(), protocol))
    assert "damaged" in refusal(Path("bot.safetensors"))
    assert not Path("exploded").exists()


def test_what_is_no_file_is_refused(tmp_path):
    (tmp_path / "folder.safetensors").mkdir()
    assert "a folder" in refusal(tmp_path / "folder.safetensors")
    assert refusal(tmp_path / "nothing.safetensors") == "there is no such file"
    os.mkfifo(tmp_path / "pipe.safetensors")
    assert refusal(tmp_path / "pipe.safetensors") == "there is no such file"


def test_a_file_that_may_not_be_read_is_refused(path, monkeypatch):
    def forbidden(*_, **__):
        raise PermissionError(13, "Permission denied")

    for method in ("open", "is_file"):  # root may read everything, so the refusal of the system is played
        with monkeypatch.context() as changed:
            changed.setattr(Path, method, forbidden)
            assert refusal(path) == "it cannot be read: Permission denied"
