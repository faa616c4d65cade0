"""Saved bots: what is played is what was trained, everywhere the same, and nothing else is opened."""

import json
import pickle
import subprocess
import sys
import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

import agents
from agents.botfile import FORMAT, BotFileError, Header, Strength, read, save
from agents.policy import Policy, load
from agents.suits import NUMBERS, ORDERS, standardise, suits_of
from maumau_env.game.actions import ACTION_NAMES, ACTION_NUMBERS, NUM_ACTIONS, actions_in
from maumau_env.game.batch import deal, legal, step
from maumau_env.game.cards import SUITS
from maumau_env.game.rules import Rules
from maumau_env.seat.encode import Layout, observations
from maumau_env.seat.view import view_of, views

ROOT = Path(__file__).resolve().parents[1]
HIDDEN = [24, 16]
CLASSIC = Rules()


def layers_for(layout, hidden=HIDDEN, seed=0):
    rng = np.random.default_rng(seed)
    sizes = [layout.size, *hidden, NUM_ACTIONS]
    return [
        (rng.normal(size=(inputs, outputs)).astype(np.float32), rng.normal(size=outputs).astype(np.float32))
        for inputs, outputs in pairwise(sizes)
    ]


def header_for(rules=CLASSIC, players=(2,), seats=2, **more):
    return Header.of(rules, Layout(rules.deck, seats), HIDDEN, players, **more)


def bot_for(rules=CLASSIC, players=(2,), seats=2, **more):
    return Policy(header_for(rules, players, seats), layers_for(Layout(rules.deck, seats)), **more)


def positions(rules=CLASSIC, players=2):
    """What the seats to move see in games that are some random moves old."""
    return views(position_games(rules, players))


def position_games(rules, players, count=300, moves=9):
    rng = np.random.default_rng(players)
    games = deal(rules, players, 5, count)
    for _ in range(moves):
        choices = [actions_in(int(found)) for found in legal(games)]
        step(games, np.array([rng.choice(actions) if actions else 0 for actions in choices]))
    return games[games["end"] == 0]


def words(count):
    return np.random.default_rng(1).integers(0, 2**64, count, np.uint64)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "bot.safetensors"
    save(file, header_for(), layers_for(Layout(32, 2)))
    return file


def standardised(seen, seats):
    """Observations and masks in standard order, and what every action means there."""
    inputs, masks = observations(seen, seats), mask_of(seen)
    suits = suits_of(Layout(int(seen["rules"]["deck"][0]), seats))
    return inputs, masks, suits.actions[standardise(inputs, masks, suits)]


def mask_of(seen):
    legal_actions = [actions_in(int(found)) for found in seen["legal"]]
    return np.array([[action in some for action in range(NUM_ACTIONS)] for some in legal_actions]).astype(np.int8)


# ---- playing -------------------------------------------------------------------------------------------------------


def dense(layers, inputs):
    """The network by the book, in double precision."""
    for number, (weights, biases) in enumerate(layers):
        inputs = inputs.astype(np.float64) @ weights + biases
        if number < len(layers) - 1:
            inputs = np.maximum(inputs, 0)
    return inputs


@pytest.mark.parametrize(("rules", "players", "seats"), [(CLASSIC, 2, 2), (CLASSIC, 3, 5), (Rules.of("match"), 4, 4)])
def test_the_most_probable_legal_action_is_played(rules, players, seats):
    seen, layers = positions(rules, players), layers_for(Layout(rules.deck, seats))
    bot = Policy(header_for(rules, (players,), seats), layers)
    inputs, masks, meanings = standardised(seen, seats)
    logits = dense(layers, inputs)
    for view, action, row, mask, meaning in zip(
        seen, bot.act(seen, words(len(seen))), logits, masks, meanings, strict=True
    ):
        choices = actions_in(int(view["legal"]))
        assert {*meaning[mask == 1]} == {*choices}
        assert action == meaning[max(np.flatnonzero(mask), key=lambda choice: row[choice])]
    np.testing.assert_allclose(bot.network.logits(inputs), logits, rtol=1e-4, atol=1e-4)


def test_the_bot_is_the_torch_policy_that_was_trained(tmp_path):
    torch = pytest.importorskip("torch")
    from stable_baselines3.common.utils import LinearSchedule

    from agents.learner import SelfPlayPPO
    from agents.selfplay import SelfPlay

    play = SelfPlay(CLASSIC, 2, games=16, ticks=4, seed=1)
    learner = SelfPlayPPO(
        play, seed=3, entropy=LinearSchedule(0, 0, 1.0),
        policy_kwargs={"net_arch": {"pi": HIDDEN, "vf": [8]}, "activation_fn": torch.nn.ReLU},
    )  # fmt: skip
    save(tmp_path / "bot.safetensors", header_for(), learner.layers())
    bot = load(tmp_path / "bot.safetensors")
    inputs, masks, _ = standardised(positions(), 2)
    with torch.no_grad():
        theirs = learner.policy.get_distribution(torch.from_numpy(inputs), masks).distribution.probs.numpy()
    logits = np.where(masks, bot.network.logits(inputs), -np.inf)
    ours = np.exp(logits - logits.max(1, keepdims=True))
    np.testing.assert_allclose(ours / ours.sum(1, keepdims=True), theirs, atol=1e-6)


@pytest.mark.parametrize("sample", [False, True])
def test_a_decision_is_the_same_in_any_batch(sample):
    bot, seen = bot_for(sample=sample), positions()
    chance = words(len(seen))
    together = bot.act(seen, chance)
    order = np.random.default_rng(2).permutation(len(seen))
    np.testing.assert_array_equal(bot.act(seen[order], chance[order]), together[order])
    np.testing.assert_array_equal([bot.act(seen[i : i + 1], chance[i : i + 1])[0] for i in range(40)], together[:40])
    logits = [bot.network.logits(standardised(some, 2)[0]) for some in (seen, seen[:7], seen[:1])]
    assert logits[0][:7].tobytes() == logits[1].tobytes()  # to the last bit
    assert logits[0][:1].tobytes() == logits[2].tobytes()


def test_sampling_follows_the_probabilities():
    seen = positions()
    view = seen[[len(actions_in(int(found))) >= 3 for found in seen["legal"]]][:1]
    bot = bot_for(sample=True)
    inputs, masks, meanings = standardised(view, 2)
    logits = bot.network.logits(inputs)[0][masks[0] == 1].astype(float)
    expected = np.exp(logits - logits.max())
    expected /= expected.sum()
    drawn = bot.act(np.repeat(view, 20_000), words(20_000))
    found = [(drawn == action).mean() for action in meanings[0][masks[0] == 1]]
    np.testing.assert_allclose(found, expected, atol=0.015)


def test_playing_a_saved_bot_loads_no_torch(path):
    code = f"""
import sys, numpy as np, agents
from maumau_env.game.batch import deal
from maumau_env.game.cards import SUITS
from maumau_env.game.rules import Rules
from maumau_env.seat.view import views
bot = agents.make({str(path)!r})
print(bot.act(views(deal(Rules(), 2, 1, 5)), np.arange(5, dtype=np.uint64)).tolist())
assert not {{"torch", "stable_baselines3"}} & {{*sys.modules}}
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    seen = views(deal(CLASSIC, 2, 1, 5))
    assert json.loads(run.stdout) == load(path).act(seen, np.arange(5, dtype=np.uint64)).tolist()


# ---- suits ---------------------------------------------------------------------------------------------------------


def renamed(games, order):
    """The same games with other suits: the suit order[i] is called i now."""
    name = np.argsort(order)
    games = games.copy()

    def card(cards):
        return np.where(cards >= 0, cards - cards % 4 + name[cards % 4], cards)

    def heap(bits):
        ones = (bits[..., None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
        moved = np.zeros_like(ones)
        moved[..., card(np.arange(52))] = ones
        return (moved << np.arange(52, dtype=np.uint64)).sum(-1, dtype=np.uint64)

    def action(number):
        text = ACTION_NAMES[number]
        return ACTION_NUMBERS[text.translate(table)] if number >= 0 and text[-1] in SUITS else number

    table = {ord(SUITS[suit]): SUITS[name[suit]] for suit in range(4)}
    for field in ("hands", "shown"):
        games[field] = heap(games[field])
    for field in ("pile", "discards"):
        games[field] = card(games[field].astype(int))
    games["drawn"] = card(games["drawn"])
    games["wish"] = np.where(games["wish"] >= 0, name[games["wish"]], games["wish"])
    games["seats"]["since_suit"] = games["seats"]["since_suit"][..., order]
    games["seats"]["last_plays"] = np.vectorize(action)(games["seats"]["last_plays"])
    return games


@pytest.mark.parametrize("rules", [CLASSIC, Rules.of("match")], ids=str)
def test_a_policy_cannot_tell_positions_that_differ_in_the_names_of_the_suits(rules):
    games = position_games(rules, 3)
    suits, seen = suits_of(Layout(rules.deck, 3)), views(games)
    inputs, _, meanings = standardised(seen, 3)
    bot, chance = bot_for(rules, (3,), 3), words(len(games))
    distinct = [(inputs[:, sources] != inputs).any(axis=1) for sources in suits.numbers[1:]]
    for order in ORDERS[[1, 9, 22]]:
        others = views(renamed(games, order))
        number = NUMBERS[tuple(order[:3])]
        np.testing.assert_array_equal(observations(others, 3), observations(seen, 3)[:, suits.numbers[number]])
        np.testing.assert_array_equal(mask_of(others), mask_of(seen)[:, suits.actions[number]])
        other_inputs, _, other_meanings = standardised(others, 3)
        alike = (other_inputs == inputs).all(axis=1)
        assert alike.mean() > 0.8  # not when two suits are equal in hand and discards: they keep their usual order
        alike &= np.all(distinct, axis=0)  # where two suits are equal in everything, either may be meant
        assert alike.mean() > 0.5
        told_apart = alike & (suits.actions[number][other_meanings] == meanings).all(axis=1)
        assert told_apart.sum() > 0.98 * alike.sum()  # not when nothing in the observation tells two suits apart
        played, other_played = bot.act(seen, chance), bot.act(others, chance)
        np.testing.assert_array_equal(suits.actions[number][other_played[told_apart]], played[told_apart])


def test_the_suit_in_force_comes_first_and_then_the_longest():
    inputs, _, _ = standardised(positions(), 2)
    place = Layout(32, 2).slices()
    assert (inputs[:, place["suit"]] == [1, 0, 0, 0]).all()
    held = inputs[:, place["hand"]].reshape(len(inputs), -1, 4).sum(axis=1)
    assert (np.diff(held[:, 1:]) <= 0).all()


# ---- where it does not play ----------------------------------------------------------------------------------------


def test_an_empty_mask_is_refused():
    game = deal(CLASSIC, 2, 1, 1)[0]
    with pytest.raises(ValueError, match="without legal actions"):
        bot_for().act(view_of(game, 1), words(1))


@pytest.mark.parametrize(
    ("rules", "players", "reason"),
    [
        (Rules.of("match"), 2, "32 cards.*104"),
        (CLASSIC, 4, "room for 3 players, and 4"),
        (CLASSIC, 2, "trained for 3 players, not for 2.*any_rules"),
        (Rules.of(ace="skip"), 3, "rules classic, not for classic, ace=skip.*any_rules"),
        (CLASSIC, 9, "9 players"),
    ],
)
def test_another_table_is_refused_by_name(rules, players, reason):
    bot = bot_for(players=(3,), seats=3)
    bot.check_table(CLASSIC, 3)
    with pytest.raises(ValueError, match=reason):
        bot.check_table(rules, players)
    if players < 9:
        with pytest.raises(ValueError, match=reason):
            bot.act(np.concatenate([positions(CLASSIC, 3), positions(rules, players)]), words(1000))


def test_any_rules_lets_it_try_what_its_eyes_can_see():
    bot = bot_for(players=(3,), seats=3, any_rules=True)
    for rules, players in ((Rules.of(ace="skip", must_play=False), 3), (CLASSIC, 2)):
        seen = positions(rules, players)
        for action, found in zip(bot.act(seen, words(len(seen))), seen["legal"], strict=True):
            assert action in actions_in(int(found))
    for rules, players in ((Rules.of("match"), 3), (CLASSIC, 4)):
        with pytest.raises(ValueError, match="this bot"):
            bot.check_table(rules, players)


# ---- files ---------------------------------------------------------------------------------------------------------


def test_a_file_holds_all_of_the_bot(tmp_path):
    strength = Strength(opponent="random", players=3, games=60, seed=1, win_rate=0.4, win_rate_interval=(0.3, 0.5))
    header = header_for(Rules.of(ace="skip"), (3,), 3, training={"choices": 7}, strength=[strength])
    layers = layers_for(Layout(32, 3))
    save(tmp_path / "a.safetensors", header, layers)
    found, found_layers = read(tmp_path / "a.safetensors")
    assert found == header
    for ours, theirs in zip(layers, found_layers, strict=True):
        assert all((a == b).all() for a, b in zip(ours, theirs, strict=True))
    save(tmp_path / "b.safetensors", found, found_layers)
    assert (tmp_path / "a.safetensors").read_bytes() == (tmp_path / "b.safetensors").read_bytes()


def test_a_bot_is_saved_whole_or_not_at_all(path):
    before = path.read_bytes()
    broken = layers_for(Layout(32, 2))
    broken[1][0][0, 0] = np.nan
    for layers in (broken, layers_for(Layout(32, 3)), broken[:2]):
        with pytest.raises(BotFileError, match="tensor"):
            save(path, header_for(), layers)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


class Bomb:
    """Runs code when it is unpickled."""

    def __reduce__(self):
        return Path.touch, (Path("exploded"),)


def test_an_sb3_zip_is_never_opened(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile("model.zip", "w") as archive:
        archive.writestr("data", pickle.dumps(Bomb()))
    with pytest.raises(BotFileError, match=r"model\.zip: a zip archive.*run the code.*bot\.safetensors"):
        load("model.zip")
    assert not Path("exploded").exists()


def changed(path, **changes):
    """The same file with some of its header changed."""
    header, layers = read(path)
    tensors = {f"{i}.{kind}": part for i, layer in enumerate(layers) for kind, part in zip(("weight", "bias"), layer)}  # noqa: B905
    text = json.dumps(json.loads(header.model_dump_json()) | changes)
    safetensors.numpy.save_file(tensors, path, {FORMAT: text})


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format_version": 2}, "format_version"),
        (
            {"observation": {"version": 99, "deck": 32, "seats": 2}},
            "observation layout 99, and this version has layout",
        ),
        ({"observation": {"version": 2, "deck": 104, "seats": 2}}, "do not fit its observation layout"),
        ({"observation": {"version": 2, "deck": 32, "seats": 7}}, "7 seats"),
        ({"players": [4]}, "do not fit its observation layout"),
        ({"players": []}, "players"),
        ({"rules": {"deck": 32}}, "rules without hand_size"),
        ({"hidden": [24, 17]}, "162 → 24 → 17 → 67"),
        ({"activation": "tanh"}, "activation"),
        ({"mood": "good"}, "mood"),
    ],
)
def test_a_header_from_elsewhere_is_refused_by_name(path, changes, reason):
    changed(path, **changes)
    with pytest.raises(BotFileError, match=f"bot.safetensors: .*{reason}") as error:
        load(path)
    assert "\n" not in str(error.value)


def test_broken_and_foreign_files_are_refused(path):
    whole = path.read_bytes()
    for length in (0, 5, 100, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(BotFileError, match="damaged"):
            load(path)
    safetensors.numpy.save_file({"weight": np.zeros(3, np.float32)}, path)
    with pytest.raises(BotFileError, match="no bot of this game"):
        load(path)
    safetensors.numpy.save_file({"weight": np.zeros(3, np.float32)}, path, {FORMAT: "{"})
    with pytest.raises(BotFileError, match="header"):
        load(path)
    with pytest.raises(BotFileError, match="no such file"):
        load(path.with_name("nothing.safetensors"))
    with pytest.raises(agents.AgentError, match="nothing"):
        agents.make(str(path.with_name("nothing.safetensors")))
