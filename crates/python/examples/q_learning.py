"""Tabular Q-learning on a puzzle. States are values that hash, so a dictionary is the table."""

import random
import sys
from collections import defaultdict

import paidia


def learn(name="buttons-and-lights", episodes=3000, seed=1, step=0.3, discount=0.95):
    game = paidia.load(name)
    role = game.players[0]
    generator = random.Random(seed)
    # What was not tried looks good, so that everything is tried.
    values = defaultdict(lambda: 1.0)

    def best(state):
        return max(state.legal(role), key=lambda move: values[state, move])

    for episode in range(episodes):
        state, exploration = game.initial(), max(0.05, 1 - 2 * episode / episodes)
        while not state.is_terminal:
            explore = generator.random() < exploration
            move = generator.choice(state.legal(role)) if explore else best(state)
            after = state.apply({role: move})
            if after.is_terminal:
                worth = after.goal(role) / 100
            else:
                worth = discount * values[after, best(after)]
            values[state, move] += step * (worth - values[state, move])
            state = after
    state, plan = game.initial(), []
    while not state.is_terminal:
        plan.append(best(state))
        state = state.apply({role: plan[-1]})
    return state.goal(role), plan


def main(episodes=3000):
    goal, plan = learn(episodes=episodes)
    print(f"goal {goal} by {' '.join(plan)}")
    return goal


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3000)
