"""OpenSpiel's algorithms on our rules: its Monte Carlo tree search on a board game, and its
counterfactual regret minimisation on a card game."""

import sys

import numpy as np
from open_spiel.python.algorithms import cfr, exploitability, mcts
from paidia.openspiel import PaidiaBot, game


def tree_search(simulations=50):
    spiel = game("tic-tac-toe")
    random = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    theirs = mcts.MCTSBot(spiel, 2, simulations, evaluator, random_state=random)
    ours = PaidiaBot(spiel, 1, simulations=1000)
    state = spiel.new_initial_state()
    while not state.is_terminal():
        bot = (theirs, ours)[state.current_player()]
        state.apply_action(bot.step(state))
    return state.returns()


def equilibrium(rounds=50):
    spiel = game("kuhn-poker")
    solver = cfr.CFRPlusSolver(spiel)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    return exploitability.exploitability(spiel, solver.average_policy())


def main(rounds=50):
    print("their tree search against our player:", tree_search())
    left = equilibrium(rounds)
    print(f"exploitability of Kuhn poker after {rounds} rounds: {left:.4f}")
    return left


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
