"""The vector environment in step with states, lane by lane."""

import numpy as np
import paidia
import pytest


@pytest.mark.parametrize(
    "name", ["tic-tac-toe", "connect-four", "breakthrough-6x6", "kuhn-poker", "eight-puzzle"]
)
def test_lanes_go_as_states_go(game, name):
    rules = game(name)
    if rules.facts.random:
        pytest.skip("the draws of lanes are not told") if name != "kuhn-poker" else None
    env = paidia.vector(rules, 70, seed=3, step_limit=60)
    generator = np.random.default_rng(1)
    observations, _ = env.reset(seed=3)
    states = [rules.initial() for _ in range(len(env))]
    for _ in range(80):
        mask, movers = env.legal_mask(), env.movers
        actions = env.sample(generator)
        for lane, state in enumerate(states):
            assert list(np.flatnonzero(mask[lane])) == sorted(state.legal_ids(int(movers[lane])))
        step = env.step(actions)
        for lane, state in enumerate(states):
            ended = step.terminated[lane] or step.truncated[lane]
            if rules.facts.random is None:
                role = rules.roles[movers[lane]]
                after = state.apply({role: int(actions[lane])})
                assert after.is_terminal == step.terminated[lane]
                if step.terminated[lane]:
                    goals = [after.goal(role) for role in rules.roles]
                    assert list(step.info["goals"][lane]) == goals
                states[lane] = rules.initial() if ended else after
            else:
                words = env._lanes.states()[lane]
                states[lane] = _state(rules, words)
            bits = paidia.vector_env.unpack(states[lane].bits()[None], env.num_features)[0]
            assert (bits == step.observations[lane]).all()


def _state(rules, words):
    fluents = rules.fluents
    holding = [fluents[n] for n in range(len(fluents)) if int(words[n // 64]) >> (n % 64) & 1]
    return rules.state(holding)


def test_a_seed_is_a_run(game):
    def run(seed):
        env = paidia.vector(game("kuhn-poker"), 300, seed=seed)
        generator = np.random.default_rng(0)
        total = []
        for _ in range(20):
            step = env.step(env.sample(generator))
            total.append(step.rewards.sum(axis=0))
        return np.array(total)

    assert (run(1) == run(1)).all() and (run(1) != run(2)).any()


def test_rewards_are_goals_from_minus_one_to_one(game):
    env = paidia.vector(game("tic-tac-toe"), 500, observations="packed")
    generator = np.random.default_rng(0)
    seen = set()
    for _ in range(30):
        step = env.step(env.sample(generator))
        seen |= set(np.unique(step.rewards[step.terminated]))
        assert not step.rewards[~step.terminated].any()
        assert np.allclose(step.rewards[step.terminated].sum(axis=1), 0)
    assert seen == {-1.0, 0.0, 1.0}


def test_joint_moves(game):
    rules = game("rock-paper-scissors")
    env = paidia.vector(rules, 5)
    rock = [rules.initial().legal_ids(role)[0] for role in rules.roles]
    step = env.step_joint(np.tile(rock, (5, 1)))
    assert len(step.observations) == 5


@pytest.mark.parametrize(
    "wrong",
    [
        lambda env: env.step(np.zeros(3, dtype=int)),
        lambda env: env.step(np.full(4, 10**9)),
        lambda env: env.step(np.full(4, -5)),
        lambda env: env.step(np.zeros(4)),
        lambda env: env.step("actions"),
        lambda env: env.step(None),
        lambda env: env.step_joint(np.zeros(4, dtype=int)),
        lambda env: env.step(np.zeros((4, 2**20), dtype=np.int8)),
        lambda env: paidia.vector("tic-tac-toe", 0),
        lambda env: paidia.vector("tic-tac-toe", 10**12),
        lambda env: paidia.vector("tic-tac-toe", 4, observations="nothing"),
        lambda env: paidia.vector(paidia.load("tic-tac-toe", engine="reference"), 4),
    ],
)
def test_bad_input_is_an_exception(game, wrong):
    env = paidia.vector(game("tic-tac-toe"), 4)
    errors = (paidia.PaidiaError, ValueError, TypeError, OverflowError)
    with pytest.raises(errors) as raised:
        wrong(env)
    assert str(raised.value)
    assert env.step(env.sample(np.random.default_rng(0))).rewards.shape == (4, 2)
