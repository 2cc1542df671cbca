"""Games and states, checked by known counts and by the rules themselves."""

import copy
import pickle
import random
import threading

import paidia
import pytest

PERFT = {
    "tic-tac-toe": [1, 9, 72, 504, 3024],
    "connect-four": [1, 8, 64, 512],
    "chess": [1, 20, 400],
    "breakthrough": [1, 22, 484],
}


@pytest.mark.parametrize("name", ["tic-tac-toe", "breakthrough"])
def test_known_counts(game, name):
    counted = game(name).perft(len(PERFT[name]) - 1)
    assert [depth.leaves for depth in counted.depths] == PERFT[name]


def test_states_walk_as_perft_counts(game):
    def leaves(state, depth):
        if depth == 0:
            return 1
        if state.is_terminal:
            return 0
        return sum(leaves(state.apply(move), depth - 1) for move in state.legal())

    for depth, count in enumerate(PERFT["tic-tac-toe"]):
        assert leaves(game("tic-tac-toe").initial(), depth) == count


def test_a_match_of_tic_tac_toe(game):
    state = game("tic-tac-toe").initial()
    assert state.mover == state.choosing[0]
    first, second = game("tic-tac-toe").players
    for move in ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"]:
        assert state.goal(first) is None or not state.is_terminal
        state = state.apply(move)
    state = state.apply({first: "(mark 1 3)"})
    assert state.is_terminal and state.mover is None and state.choosing == []
    assert state.goals == {first: 100, second: 0}
    with pytest.raises(paidia.IllegalMove, match="over"):
        state.apply("(mark 3 3)")


def test_states_are_values(game):
    start = game("tic-tac-toe").initial()
    one = start.apply("(mark 1 1)").apply("(mark 2 2)").apply("(mark 3 3)")
    other = start.apply("(mark 3 3)").apply("(mark 2 2)").apply("(mark 1 1)")
    assert one == other and hash(one) == hash(other) and one != start
    assert start.legal() == game("tic-tac-toe").initial().legal()
    assert copy.copy(one) is one and copy.deepcopy(one) is one
    assert one != "something else"
    again = game("tic-tac-toe").restore(one.snapshot())
    assert again == one
    assert game("tic-tac-toe").state(one.fluents) == one
    assert len({one, other, start}) == 2


def test_games_and_states_are_pickled(game):
    state = game("tic-tac-toe").initial().apply("(mark 1 2)")
    again = pickle.loads(pickle.dumps(state))
    assert again.fluents == state.fluents and again.legal() == state.legal()
    text = game("tic-tac-toe").text
    own = pickle.loads(pickle.dumps(paidia.load(text, name="own")))
    assert own.name == "own" and own.roles == game("tic-tac-toe").roles


def test_moves_are_texts_numbers_or_joint_moves(game):
    rules = game("rock-paper-scissors")
    state = rules.initial()
    assert state.choosing == rules.players and state.mover is None
    joint = {role: state.legal(role)[0] for role in rules.players}
    by_name = state.apply(joint)
    by_place = state.apply([joint[role] for role in rules.roles])
    numbers = {role: state.legal_ids(role)[0] for role in rules.players}
    assert by_name == by_place == state.apply(numbers)
    with pytest.raises(paidia.PaidiaError, match="at the same time"):
        state.legal()
    with pytest.raises(paidia.PaidiaError, match="at the same time"):
        state.apply(joint[rules.players[0]])
    with pytest.raises(paidia.IllegalMove, match="missing"):
        state.apply({rules.players[0]: joint[rules.players[0]]})


def test_chance_is_drawn_from_the_seed(game):
    rules = game("kuhn-poker")
    assert rules.facts.random == "random"
    start = rules.initial()
    moves = {role: start.legal_ids(role)[0] for role in rules.players}
    drawn = {start.apply(moves, seed=seed) for seed in range(40)}
    assert start.apply(moves, seed=3) == start.apply(moves, seed=3)
    assert len(drawn) == len(start.legal("random"))


def test_what_is_wrong_with_rules():
    with pytest.raises(paidia.RulesInvalid) as raised:
        paidia.load("(role x) (<= (goal x 100) (tru p))")
    problems = raised.value.problems
    assert problems and all(problem["line"] == 1 for problem in problems)
    assert any(problem["severity"] == "error" for problem in problems)
    assert pickle.loads(pickle.dumps(raised.value)).problems == problems
    assert paidia.check("tic-tac-toe") == []
    assert paidia.check("(role x")[0]["code"] == "unclosed-parenthesis"
    with pytest.raises(paidia.UnknownGame, match="tic-tac-toe"):
        paidia.load("tic-tak-toe")
    with pytest.raises(paidia.UnknownGame):
        paidia.load("no/such/file.kif")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda game: game.initial().apply("(mark 9 9)"),
        lambda game: game.initial().apply(10**9),
        lambda game: game.initial().apply(-1),
        lambda game: game.initial().apply({"nobody": "noop"}),
        lambda game: game.initial().apply(["noop"]),
        lambda game: game.initial().apply(3.5),
        lambda game: game.initial().apply(None),
        lambda game: game.initial().legal(7),
        lambda game: game.initial().legal(object()),
        lambda game: game.initial().goal("nobody"),
        lambda game: game.restore(b"nonsense"),
        lambda game: game.restore(b""),
        lambda game: game.state(["(((", "x"]),
        lambda game: game.simulate(seconds=-1),
        lambda game: game.simulate(seconds=float("nan")),
        lambda game: game.simulate(seconds=1, playouts=1),
        lambda game: game.analyse(player="no-such-player"),
        lambda game: game.analyse(player="uct(exploration=x)"),
        lambda game: game.match("random", "random", "random"),
        lambda game: game.verify("{}"),
        lambda game: game.verify(3),
        lambda game: paidia.load("tic-tac-toe", engine="no-such-engine"),
        lambda game: paidia.load("a\0b"),
        lambda game: game.simulate(playouts=1, start=paidia.load("nim").initial()),
    ],
)
def test_bad_input_is_an_exception(game, wrong):
    errors = (paidia.PaidiaError, ValueError, TypeError, OverflowError)
    with pytest.raises(errors) as raised:
        wrong(game("tic-tac-toe"))
    assert str(raised.value)


def test_random_walks_end_with_goals(game):
    generator = random.Random(1)
    for name in ["connect-four", "kuhn-poker", "chinese-checkers-3", "eight-puzzle", "tron"]:
        rules = game(name)
        for _ in range(3):
            state = rules.initial()
            while not state.is_terminal:
                joint = {role: generator.choice(state.legal(role)) for role in rules.players}
                state = state.apply(joint)
            assert all(state.goal(role) is not None for role in rules.players)


def test_playouts(game):
    one = game("connect-four").simulate(playouts=2000, seed=5)
    other = game("connect-four").simulate(playouts=2000, seed=5)
    assert one.playouts == one.finished == 2000 and one.goals == other.goals
    assert one["goals"] is one.goals and sum(one.goals.values()) == pytest.approx(100)
    assert "playouts" in one._repr_html_()
    with pytest.raises(AttributeError, match="playouts"):
        _ = one.nothing
    late = game("tic-tac-toe").initial()
    for move in ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"]:
        late = late.apply(move)
    assert game("tic-tac-toe").simulate(playouts=100, start=late).longest <= 5


def test_solving(game):
    solved = game("tic-tac-toe").solve()
    assert set(solved.goals.values()) == {50} and len(solved.line) == 9
    with pytest.raises(paidia.NotApplicable, match="states"):
        game("tic-tac-toe").solve(max_states=10)
    with pytest.raises(paidia.NotApplicable):
        game("kuhn-poker").solve()


def test_players_think_and_play(game):
    rules = game("tic-tac-toe")
    state = rules.initial()
    for move in ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 3 3)"]:
        state = state.apply(move)
    found = rules.analyse(state, simulations=500, seed=2)
    assert found.move == "(mark 1 3)" and found.moves[0].move == found.move
    names = {player.name for player in paidia.players()}
    assert {"paidia", "uct", "random"} <= names
    played = rules.match("uct", "random", simulations=50, seed=3)
    assert played.end == "over" and played.record.isCompleted
    assert rules.verify(played.record) == []
    broken = pickle.loads(pickle.dumps(played.record))
    broken["goalValues"] = [1, 2]
    assert rules.verify(broken)


def test_progress_is_told_and_can_end_the_work(game):
    told = []
    game("connect-four").simulate(seconds=0.4, progress=told.append)
    assert told and told == sorted(told)

    class Enough(Exception):
        pass

    def stop(_):
        raise Enough

    with pytest.raises(Enough):
        game("connect-four").simulate(seconds=60, progress=stop)


def test_threads_share_a_game(game):
    rules = game("connect-four")
    ends = []

    def play(seed):
        generator = random.Random(seed)
        state = rules.initial()
        while not state.is_terminal:
            state = state.apply(generator.choice(state.legal()))
        ends.append(sum(state.goals.values()))

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends == [100] * 4


def test_pictures(game):
    state = game("chess").initial()
    picture = state._repr_svg_()
    assert picture.startswith("<svg") and picture.count("<polygon") >= 64
    import xml.dom.minidom

    for name in ["hex-7x7", "tic-tac-toe", "kuhn-poker", "chinese-checkers-2", "nim"]:
        xml.dom.minidom.parseString(game(name).initial().svg())


def test_every_bundled_game_is_named():
    games = paidia.games()
    assert len(games) > 90 and games["tic-tac-toe"]
