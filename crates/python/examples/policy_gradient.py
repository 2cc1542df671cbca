"""A linear policy learns Connect Four by REINFORCE, both sides by itself, in a vector environment.

It needs NumPy alone: the point is the environment, thousands of games that step at once.
"""

import sys

import numpy as np
import paidia


class Policy:
    """A softmax over moves of a linear function of the state, for each role its own."""

    def __init__(self, env):
        self.weights = np.zeros((len(env.roles), env.num_features, env.num_actions))

    def chances(self, features, mask, movers):
        scores = np.einsum("nf,nfa->na", features, self.weights[movers])
        scores = np.where(mask, scores, -np.inf)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return scores / scores.sum(axis=1, keepdims=True)


def draw(chances, generator):
    wanted = generator.random(len(chances))[:, None]
    return np.minimum((chances.cumsum(axis=1) < wanted).sum(axis=1), chances.shape[1] - 1)


def train(updates=60, num_envs=256, horizon=42, rate=0.02, seed=1):
    env = paidia.vector("connect-four", num_envs, seed=seed)
    policy, generator = Policy(env), np.random.default_rng(seed)
    lanes = np.arange(num_envs)
    for _ in range(updates):
        observations, _ = env.reset()
        steps, alive = [], np.ones(num_envs, bool)
        results = np.zeros((num_envs, len(env.roles)))
        for _ in range(horizon):
            mask, movers = env.legal_mask(), env.movers.astype(int)
            chances = policy.chances(observations, mask, movers)
            actions = draw(chances, generator)
            steps.append((observations, movers, chances, actions, alive.copy()))
            observations, rewards, over, cut, _ = env.step(actions)
            ended = alive & (over | cut)
            results[ended] = rewards[ended]
            alive &= ~ended
        for features, movers, chances, actions, played in steps:
            slope = -chances
            slope[lanes, actions] += 1
            slope *= (results[lanes, movers] * played)[:, None]
            for role in range(len(env.roles)):
                chosen = movers == role
                gradient = features[chosen].T.astype(float) @ slope[chosen]
                policy.weights[role] += rate * gradient / num_envs
    return policy


def against_random(policy, num_envs=512, seed=9):
    """The mean return of the first role against random moves."""
    env = paidia.vector("connect-four", num_envs, seed=seed)
    generator = np.random.default_rng(seed)
    observations, _ = env.reset()
    results, alive = np.zeros(num_envs), np.ones(num_envs, bool)
    for _ in range(42):
        mask, movers = env.legal_mask(), env.movers.astype(int)
        chances = policy.chances(observations, mask, movers)
        uniform = mask / mask.sum(axis=1, keepdims=True)
        actions = draw(np.where((movers == 0)[:, None], chances, uniform), generator)
        observations, rewards, over, _, _ = env.step(actions)
        results[alive & over] = rewards[alive & over, 0]
        alive &= ~over
    return results.mean()


def main(updates=60):
    before = against_random(Policy(paidia.vector("connect-four", 1)))
    after = against_random(train(updates=updates))
    print(f"mean return of the first role against random moves: {before:.2f}, then {after:.2f}")
    return before, after


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
