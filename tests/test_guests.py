"""Guests: programs and Python code of somebody's own. Each kind plays; what goes wrong costs that game and no more."""

import json
import os
import pickle
import shlex
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

import agents
from agents import AgentError, table
from agents.answers import FINE, ILLEGAL, RAISED, TOO_SLOW, Fault, named
from agents.arena import Entrant, Results, Terms, play_all
from agents.guests.protocol import action_in, parsed, plain, request
from agents.tournament import enter, seatings_of
from maumau_env import match_v0, maumau_v0
from maumau_env.game import batch
from maumau_env.game.actions import ACTION_NAMES
from maumau_env.game.rules import Rules
from maumau_env.seat.view import view_of, views

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(__file__).with_name("guest_program.py")
DEALS = 6


def program(what: str) -> str:
    return f"process:{shlex.join([sys.executable, str(PROGRAM), what])}"


def play(name: str, move_seconds: float | None = None) -> Results:
    """The guest against the first legal action, every deal twice."""
    field = [Entrant(name, agents.make(name)), Entrant("first", agents.make(program("honest")))]
    terms = Terms(move_seconds=move_seconds, forfeits=True)
    try:
        return play_all(field, seatings_of(2, 2), DEALS, Rules(), 7, keep_moves=True, terms=terms)
    finally:
        for entrant in field:
            entrant.agent.close()


@cache
def honest() -> Results:
    return play(program("honest"))


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def is_gone(pid: int) -> bool:
    """Whether the process ends; ten seconds are given to those who do it."""
    end = time.monotonic() + 10
    while is_running(pid) and time.monotonic() < end:
        time.sleep(0.05)
    return not is_running(pid)


# ---- programs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "kind", "reason"),
    [
        ("raises", RAISED, "it ended with exit code 1: RuntimeError: no idea"),
        ("exits", RAISED, "it ended with exit code 3"),
        ("is killed", RAISED, "it was ended by SIGKILL"),
        ("closes its output", RAISED, "it closed its output"),
        ("error", RAISED, "I do not like it"),
        ("hangs", TOO_SLOW, "no answer within 1 s"),
        ("garbage", ILLEGAL, "must answer with one JSON object in a line, not with 'thinking ...'"),
        ("not utf-8", ILLEGAL, "must answer with one JSON object in a line, not with"),
        ("unknown", ILLEGAL, "must answer with an action, such as 2C, not with \"'7Z'\""),
        ("illegal", ILLEGAL, "action 66 (mau) is illegal; legal are"),
        ("two lines", ILLEGAL, "must answer with one line, and after it said"),
        ("huge line", ILLEGAL, "must answer with a line of at most 65,536 bytes"),
        ("endless line", ILLEGAL, "must answer with a line of at most 65,536 bytes"),
    ],
)
def test_a_guest_that_fails_forfeits_that_game_alone(what, kind, reason, monkeypatch):
    monkeypatch.setattr("agents.guests.guest.START_SECONDS", 10)
    results = play(program(what), move_seconds=1 if kind == TOO_SLOW else None)
    assert set(results.forfeits.ravel()) == {FINE, kind}
    assert 2 <= (results.forfeits == kind).sum() <= 8
    assert [*results.faults] == [f"0:{named(kind)}"]
    assert reason in results.faults[f"0:{named(kind)}"]
    assert "\n" not in results.faults[f"0:{named(kind)}"]
    for game, forfeits in enumerate(results.forfeits):
        guest = game % 2  # its agent: the seatings are (0, 1) and (1, 0)
        assert forfeits[1 - guest] == FINE
        if forfeits[guest]:
            assert (results.ranks[game, guest], results.ranks[game, 1 - guest]) == (2, 1)
        else:
            assert results.ranks[game].tolist() == honest().ranks[game].tolist()
            assert results.moves[game].tolist() == honest().moves[game].tolist()


@pytest.mark.parametrize(
    ("line", "kind", "reason"),
    [
        (b"", ILLEGAL, "must answer with one JSON object in a line, not with ''"),
        (b"[1]", ILLEGAL, "must answer with one JSON object in a line, not with '[1]'"),
        (b"7H", ILLEGAL, "must answer with one JSON object in a line, not with '7H'"),
        (b"NaN", ILLEGAL, "must answer with one JSON object in a line, not with 'NaN'"),
        (b"[" * 60_000, ILLEGAL, "must answer with one JSON object in a line, not with '[[["),
        (b'{"action": "\xff"}', ILLEGAL, "must answer with one JSON object in a line, not with '{"),
        (b'{"action": "7H"} {"action": "8H"}', ILLEGAL, "must answer with one JSON object in a line"),
        (b'{"move": "7H"}', ILLEGAL, "must answer with an action, not with"),
        (b'{"action": "7h"}', ILLEGAL, "must answer with an action, such as 2C, not with \"'7h'\""),
        (b'{"action": 67}', ILLEGAL, "must answer with an action, such as 2C, not with '67'"),
        (b'{"action": -1}', ILLEGAL, "must answer with an action, such as 2C, not with '-1'"),
        (b'{"action": 12.0}', ILLEGAL, "must answer with an action, such as 2C, not with '12.0'"),
        (b'{"action": true}', ILLEGAL, "must answer with an action, such as 2C, not with 'True'"),
        (b'{"action": ["7H"]}', ILLEGAL, "must answer with an action, such as 2C, not with"),
        (
            b'{"action": 123456789012345678901234567890}',
            ILLEGAL,
            "must answer with an action, such as 2C, not with '123",
        ),
        (b'{"action": ' + b"9" * 5000 + b"}", ILLEGAL, "must answer with one JSON object in a line"),
        (b'{"action": "7H", "error": "no"}', RAISED, "no"),
        (b'{"error": ""}', RAISED, "it does not say why"),
    ],
)
def test_what_is_no_action_is_refused(line, kind, reason):
    with pytest.raises(Fault) as fault:
        action_in(parsed(line))
    assert fault.value.kind == kind
    assert str(fault.value).startswith(reason)
    assert len(str(fault.value)) < 200


@pytest.mark.parametrize("line", [b'{"action": "7H"}', b' {"action": 22, "why": "best"} \r'])
def test_an_action_is_a_text_or_a_number(line):
    assert action_in(parsed(line)) == 22
    assert ACTION_NAMES[22] == "7H"


def test_honest_guests_forfeit_nothing():
    assert not honest().forfeits.any()
    assert honest().faults == {}


def test_what_a_guest_writes_to_standard_error_stops_nobody():
    results = play(program("loud"))
    assert not results.forfeits.any()
    assert (results.ranks == honest().ranks).all()


def test_who_talks_all_the_time_forfeits_every_game():
    results = play(f"process:{shlex.join([sys.executable, '-c', 'while True: print(1)'])}")
    assert (results.forfeits[::2, 0] == ILLEGAL).all()
    assert (results.forfeits[1::2, 1] == ILLEGAL).all()


def test_the_first_answer_of_a_program_may_take_longer_until_that_is_used_up(monkeypatch):
    monkeypatch.setattr("agents.guests.guest.START_SECONDS", 30)
    view = views(batch.deal(Rules(), 2, 1, 1))
    slow_to_start = "import time; time.sleep(0.5)\nfor _ in iter(input, ''): print('{\"action\": 3}', flush=True)"
    bot = agents.make(f"process:{shlex.join([sys.executable, '-c', slow_to_start])}")
    assert bot.answer(view, 0.2) == 3
    bot.close()
    monkeypatch.setattr("agents.guests.guest.START_SECONDS", 0.1)
    hanging = agents.make("process:sleep 60")
    for limit in ("0.3", "0.2"):
        with pytest.raises(Fault, match=f"no answer within {limit} s"):
            hanging.answer(view, 0.2)
        assert hanging.pid is None


def test_the_example_is_a_guest_of_ten_lines_and_needs_no_library_of_ours():
    source = (ROOT / "examples/first_card.py").read_text()
    assert len(source.splitlines()) <= 12
    name = f"process:{shlex.join([sys.executable, '-I', '-S', str(ROOT / 'examples/first_card.py')])}"
    results = play(name)
    assert not results.forfeits.any()
    assert (results.ranks == honest().ranks).all()


# ---- Python code that we host --------------------------------------------------------------------------------------


MODULE = """
    import os, sys

    class Chooser:
        def __init__(self, last=False):
            self.at = -1 if last else 0

        def choose(self, view):
            print("thinking about", view["hand"])
            assert sys.stdin.read() == ""
            return view["legal"][self.at]

    class Picky(Chooser):
        def choose(self, view):
            if view["top"] == "QH":
                return 1 // 0
            return super().choose(view)

    class Silent(Chooser):
        def choose(self, view):
            return None if view["top"] == "QH" else super().choose(view)

    class Leaves(Chooser):
        def choose(self, view):
            return sys.exit("enough") if view["top"] == "QH" else super().choose(view)

    class Unmade:
        def __init__(self):
            raise OSError("no weights")

        def choose(self, view):
            return 0

    chooser = Chooser()

    def first_allowed(observation, agent):
        assert agent == "player_0"
        assert observation["observation"].dtype.name == "float32"
        assert observation["action_mask"].dtype.name == "int8"
        return observation["action_mask"].argmax()

    def useless():
        return 0

    number = 7
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "visitors.py").write_text(dedent(MODULE))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "visitors", raising=False)


@pytest.mark.parametrize("name", ["visitors:Chooser", "visitors:Chooser:last=no", "visitors:chooser"])
def test_an_object_with_choose_plays_by_the_view(module, name):
    results = play(name)
    assert not results.forfeits.any()
    assert (results.ranks == honest().ranks).all()


def test_a_class_gets_its_options(module):
    view = views(batch.deal(Rules(), 2, 1, 1))
    legal = plain(view)["legal"]
    assert legal[0] != legal[-1]
    bot = agents.make("visitors:Chooser:last=yes")
    assert ACTION_NAMES[bot.choose(view)] == legal[-1]
    bot.close()


def test_a_function_of_an_observation_plays(module):
    results = play("visitors:first_allowed")
    assert not results.forfeits.any()


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("visitors:Picky", RAISED, "ZeroDivisionError: integer division or modulo by zero (visitors.py, line 16)"),
        ("visitors:Silent", ILLEGAL, "must answer with an action, such as 2C, not with \"'None'\""),
        ("visitors:Leaves", RAISED, "SystemExit: enough (visitors.py, line 25)"),
    ],
)
def test_hosted_code_that_fails_forfeits_that_game_alone(module, name, kind, reason):
    results = play(name)
    assert set(results.forfeits.ravel()) == {FINE, kind}
    assert results.faults == {f"0:{named(kind)}": reason}
    fine = ~results.forfeits.any(axis=1)
    assert (results.ranks[fine] == honest().ranks[fine]).all()


def test_code_that_cannot_be_made_says_so_in_every_game(module):
    bot, view = agents.make("visitors:Unmade"), views(batch.deal(Rules(), 2, 1, 1))
    for _ in range(2):
        with pytest.raises(Fault, match=r"OSError: no weights \(visitors.py, line 29\)"):
            bot.choose(view)
    bot.close()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("process:", "process: without a command"),
        ("process:'", "No closing quotation"),
        ("process:no-such-program --fast", "process:no-such-program --fast: there is no program no-such-program"),
        ("visitors:Chooser:depth=3", "visitors:Chooser cannot be made with these options"),
        ("visitors:chooser:last=yes", "visitors:chooser takes no options: they are for a class"),
        ("visitors:first_allowed:last=yes", "visitors:first_allowed takes no options"),
        ("visitors:useless", r"visitors:useless is no function\(observation, agent\): too many positional arguments"),
        ("visitors:number", "number is no bot: it must be a subclass of agents.agent.Agent, a class or an object"),
        ("visitors:nobody", "nobody does not exist in visitors"),
    ],
)
def test_what_is_no_guest_is_one_clear_line(module, name, message):
    with pytest.raises(AgentError, match=message) as failure:
        agents.make(name)
    assert "\n" not in str(failure.value)


def test_options_of_a_command_are_its_own():
    with pytest.raises(AgentError, match="a command takes no options but its own arguments"):
        agents.make(program("honest"), depth=3)
    assert table.parse("process:./bot x.safetensors:y=1").options == {}


def test_the_fingerprint_of_a_guest_is_that_of_all_files_that_its_command_names(module, tmp_path):
    assert table.fingerprint(program("honest")) is not None
    assert table.fingerprint("process:cat nowhere") is None
    here, there = (f"process:cat {PROGRAM} {ROOT / end}" for end in ("README.md", "LICENSE"))
    assert table.fingerprint(here) != table.fingerprint(there)
    assert table.fingerprint(here) == table.fingerprint(here.replace("cat", "tac"))
    names = ("visitors:Chooser", "visitors:chooser", "visitors:first_allowed")
    assert len({table.fingerprint(name) for name in names}) == 1


# ---- what a guest sees ---------------------------------------------------------------------------------------------


def test_a_view_as_plain_data_says_what_the_view_says():
    game = batch.deal(Rules.of("match", deck=32, hand_size=5), 3, 5, 1)
    seen, v = plain(view_of(game[0], 0)), view_of(game[0], 0)[0]
    assert seen.keys() - {"match"} == set(v.dtype.names) - {"round", "penalty_limit", "sat", "points"}
    assert seen["rules"] == Rules.of("match", deck=32, hand_size=5).as_dict()
    assert len(seen["hand"]) == seen["hand_sizes"][0] == 5
    assert seen["hand_sizes"] == [5, 5, 5]
    assert seen["pile_size"] + len(seen["shown"]) == 32 - 15
    assert seen["shown"][-1:] == [seen["top"]] or seen["top"] in seen["shown"]
    assert (seen["to_move"], seen["direction"], seen["phase"], seen["drawn"], seen["match"]) == (
        0,
        1,
        "normal",
        None,
        None,
    )
    assert set(seen["legal"]) <= {*seen["hand"], "draw", "mau"} | {
        f"{card}:{suit}" for card in seen["hand"] for suit in "CDHS"
    }


def test_evidence_is_told_by_name():
    from test_agents import position

    # The first draws (nothing fits), the second plays: seen by the second's neighbour, who is the first.
    game = position(["KS 9S", "10H 8H 7H"], "QH", "draw 10H draw", pile="7D 8D 9D 10D AS KD")
    seen = plain(view_of(game[0], 1))
    assert seen["seats"][1]["taken_since_drawing_on_suit"] == {"H": 1}
    assert seen["seats"][1]["taken_since_drawing_on_rank"] == {"10": 1, "J": 1, "Q": 2}
    assert seen["seats"][0]["last_plays"] == ["10H"]
    assert seen["seats"][0]["taken_since_drawing_on_suit"] == {}


@pytest.mark.parametrize("make", [lambda: maumau_v0.env(num_players=3), lambda: match_v0.env(num_players=3)])
def test_the_observation_of_a_guest_is_that_of_our_environments(make):
    env = make()
    env.reset(seed=3)
    for _ in range(20):
        agent, seen = env.agent_selection, env.last()[0]
        asked = json.loads(request(env.unwrapped.view(agent), with_observation=True))
        assert np.array_equal(np.array(asked["observation"], np.float32), seen["observation"])
        assert asked["action_mask"] == seen["action_mask"].tolist()
        assert asked["legal"] == sorted(ACTION_NAMES[i] for i in np.flatnonzero(seen["action_mask"]))
        env.step(int(np.flatnonzero(seen["action_mask"])[0]))


# ---- processes -----------------------------------------------------------------------------------------------------


def test_a_copy_of_a_guest_has_a_process_of_its_own():
    bot, view = agents.make(program("honest")), views(batch.deal(Rules(), 2, 1, 1))
    action = bot.choose(view)
    copy = pickle.loads(pickle.dumps(bot))
    assert (copy.pid, copy.choose(view)) == (None, action)
    assert copy.pid not in (None, bot.pid)
    pids = [bot.pid, copy.pid]
    assert all(map(is_running, pids))
    bot.close()
    del copy
    assert all(map(is_gone, pids))


def test_a_guest_that_was_ended_from_outside_is_started_again():
    bot, view = agents.make(program("honest")), views(batch.deal(Rules(), 2, 1, 1))
    action, first = bot.choose(view), bot.pid
    os.kill(first, signal.SIGKILL)
    with pytest.raises(Fault, match="it was ended by SIGKILL"):
        bot.choose(view)
    assert bot.choose(view) == action
    assert bot.pid != first
    bot.close()


STARTS_A_GUEST = """
    import os, signal, sys
    sys.path.insert(0, {root!r})
    import agents
    from agents.guests.child import Child
    child = Child({command!r}, os.environ)
    print(child.pid, flush=True)
    {then}
"""


@pytest.mark.parametrize(
    "then",
    [
        "sys.exit(1)",
        "1 / 0",
        "signal.signal(signal.SIGINT, signal.default_int_handler); signal.raise_signal(signal.SIGINT)",
        pytest.param(
            "os.kill(os.getpid(), signal.SIGKILL)",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends the children of the killed"),
        ),
    ],
)
def test_no_guest_outlives_us_however_we_end(then):
    code = dedent(STARTS_A_GUEST).format(root=str(ROOT), command=["sleep", "60"], then=then)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode != 0
    assert is_gone(int(run.stdout))


@pytest.mark.slow
def test_no_guest_outlives_the_workers_of_joblib():
    code = f"""
        import sys
        sys.path[:0] = [{str(ROOT)!r}]
        from joblib import Parallel, delayed
        import agents
        from maumau_env.game import batch
        from maumau_env.game.rules import Rules
        from maumau_env.seat.view import views

        def ask(bot, view):
            return bot.choose(view), bot.pid

        bot, view = agents.make({program("honest")!r}), views(batch.deal(Rules(), 2, 1, 1))
        for action, pid in [ask(bot, view), *Parallel(n_jobs=2)(delayed(ask)(bot, view) for _ in range(2))]:
            print(action, pid)
    """
    run = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stderr
    asked = [line.split() for line in run.stdout.splitlines()]
    assert len(asked) == 3
    assert len({action for action, _ in asked}) == 1
    assert all(is_gone(int(pid)) for _, pid in asked)


def test_a_guest_is_entered_by_its_text():
    (entrant,) = enter([program("honest")])
    assert entrant.name == program("honest")
    assert len(entrant.sha256) == 64
