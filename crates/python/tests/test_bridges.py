"""The bridges to other libraries, by the checks of those libraries."""

import numpy as np
import paidia
import pytest
from conftest import library

PUZZLES = ["eight-puzzle", "buttons-and-lights", "maze", "hanoi", "lights-on"]
TURNS = [
    "tic-tac-toe",
    "connect-four",
    "breakthrough-6x6",
    "hex-7x7",
    "kuhn-poker",
    "chinese-checkers-3",
    "nim-small",
]
AT_ONCE = ["rock-paper-scissors", "prisoners-dilemma", "tron", "blocker", "tic-tac-toe"]


@pytest.mark.parametrize("name", PUZZLES)
def test_gymnasium(game, name):
    checker = library("gymnasium.utils.env_checker")
    bridge = library("paidia.gymnasium")
    env = bridge.PaidiaEnv(game(name), max_steps=50, illegal="end")
    checker.check_env(env, skip_render_check=True)


def test_gymnasium_makes_games_by_name():
    gymnasium = library("gymnasium")
    library("paidia.gymnasium")
    env = gymnasium.make("Paidia-v0", game="maze")
    _, info = env.reset(seed=0)
    over = False
    while not over:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, _, over, cut, info = env.step(action)
        over = over or cut


def test_gymnasium_has_one_player(game):
    bridge = library("paidia.gymnasium")
    with pytest.raises(paidia.NotApplicable, match="pettingzoo"):
        bridge.PaidiaEnv(game("chess"))


def test_gymnasium_vector(game):
    bridge = library("paidia.gymnasium")
    env = bridge.PaidiaVectorEnv(game("eight-puzzle"), 8)
    observations, info = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    for _ in range(10):
        actions = info["action_mask"].argmax(axis=1)
        assert env.action_space.contains(actions)
        observations, rewards, over, cut, info = env.step(actions)
        assert observations.shape[0] == rewards.shape[0] == over.shape[0] == cut.shape[0] == 8


@pytest.mark.parametrize("name", TURNS)
@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_in_turns(game, name):
    test = library("pettingzoo.test")
    bridge = library("paidia.pettingzoo")
    test.api_test(bridge.aec(game(name), max_steps=200), num_cycles=60)
    test.seed_test(lambda: bridge.aec(game(name), max_steps=200), num_cycles=10)


@pytest.mark.parametrize("name", AT_ONCE)
@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_at_once(game, name):
    library("pettingzoo.test")
    bridge = library("paidia.pettingzoo")
    generator = np.random.default_rng(1)
    env = bridge.parallel(game(name), max_steps=100)
    for seed in range(3):
        seen, _ = env.reset(seed=seed)
        while env.agents:
            actions = {
                agent: int(generator.choice(np.flatnonzero(seen[agent]["action_mask"])))
                for agent in env.agents
            }
            seen, rewards, over, cut, _ = env.step(actions)
            assert set(rewards) == set(over) == set(cut) == set(env.possible_agents)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "kuhn-poker", "blocker", "nim"])
def test_openspiel_plays_random_games(game, name):
    pyspiel = library("pyspiel")
    bridge = library("paidia.openspiel")
    pyspiel.random_sim_test(bridge.game(game(name)), num_sims=3, serialize=False, verbose=False)


def test_openspiel_finds_the_value_of_kuhn_poker(game):
    library("pyspiel")
    bridge = library("paidia.openspiel")
    cfr = library("open_spiel.python.algorithms.cfr")
    exploitability = library("open_spiel.python.algorithms.exploitability")
    spiel = bridge.game(game("kuhn-poker"))
    assert spiel.get_type().utility.name == "ZERO_SUM"
    solver = cfr.CFRPlusSolver(spiel)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(spiel, solver.average_policy()) < 0.05


def test_our_players_are_bots(game):
    pyspiel = library("pyspiel")
    bridge = library("paidia.openspiel")
    spiel = bridge.game(game("tic-tac-toe"))
    bots = [
        bridge.PaidiaBot(spiel, 0, simulations=400),
        pyspiel.make_uniform_random_bot(1, 7),
    ]
    state = spiel.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert state.returns()[0] >= 0



@pytest.mark.parametrize("ours, theirs, moves", [
    ("tic-tac-toe", "tic_tac_toe", "cells"),
    ("breakthrough", "breakthrough", "counts"),
])
def test_the_same_games_of_openspiel_go_the_same_way(game, ours, theirs, moves):
    pyspiel = library("pyspiel")
    rules, spiel = game(ours), pyspiel.load_game(theirs)
    generator = np.random.default_rng(5)
    for _ in range(20):
        state, other = rules.initial(), spiel.new_initial_state()
        while not other.is_terminal():
            assert not state.is_terminal
            pairs = _paired(moves, state, other)
            assert len(pairs) == len(other.legal_actions()) == len(state.legal())
            mine, action = pairs[generator.integers(len(pairs))]
            state = state.apply(mine)
            other.apply_action(action)
        assert state.is_terminal
        goals = [state.goal(role) / 50 - 1 for role in rules.players]
        assert goals == other.returns()


def _paired(kind, state, other):
    """Each of our legal moves with the action of OpenSpiel that is the same."""
    pairs = []
    legal = set(other.legal_actions())
    for move in state.legal():
        words = move.strip("()").split()
        numbers = [int(word) for word in words[1:]]
        if kind == "cells":
            action = (numbers[0] - 1) * 3 + numbers[1] - 1
        else:
            text = "".join(_square(numbers[i], numbers[i + 1]) for i in (0, 2))
            found = [a for a in legal if other.action_to_string(a).rstrip("*") == text]
            assert len(found) == 1, (move, text)
            action = found[0]
        assert action in legal, move
        pairs.append((move, action))
    return pairs


def _square(column, row):
    # Theirs begins with the men at the top, which go down.
    return "abcdefgh"[column - 1] + str(9 - row)
