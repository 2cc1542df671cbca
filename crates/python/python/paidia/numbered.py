"""Moves and observations as numbers, for libraries that want spaces of a fixed size."""

import numpy as np

from paidia.errors import NotApplicable
from paidia.vector_env import unpack


class Numbered:
    """A game whose moves have numbers, and what a role sees as bits.

    Where all see everything a role sees the fluents of the state. Where the game hides things it
    sees what it was told: for each percept whether it was told with the last move, and its own last
    move.
    """

    def __init__(self, game):
        if not game.moves_are_complete:
            raise NotApplicable(
                f"the moves of {game.name} are not all known beforehand, so they have no fixed "
                f"numbers ({game.engine.engine}); use its states by texts of moves"
            )
        self.hidden = game.facts.information == "hidden"
        if self.hidden and not game.percepts_are_complete:
            raise NotApplicable(
                f"what {game.name} tells its roles is not all known beforehand, so it has no fixed "
                "numbers; use its states by texts of percepts"
            )
        self.game = game
        self.actions = len(game.moves)
        self._numbers = {text: number for number, text in enumerate(game.moves)}
        self._percepts = {}
        if self.hidden:
            self._percepts = {text: place for place, text in enumerate(game.percept_names)}
            self.width = len(self._percepts) + self.actions
        else:
            self.width = len(game.fluents)

    def number(self, move):
        """The number of a move, given as its text."""
        return self._numbers[move]

    def observe(self, state, role, last=None):
        """What a role sees, as unsigned bytes of 0 and 1; `last` is the number of its last move."""
        if not self.hidden:
            words = state.bits().reshape(1, -1)
            return unpack(words, self.width)[0].view(np.int8)
        seen = np.zeros(self.width, dtype=np.int8)
        for text in state.percepts(role):
            place = self._percepts.get(text)
            if place is not None:
                seen[place] = 1
        if last is not None:
            seen[len(self._percepts) + last] = 1
        return seen

    def mask(self, state, role):
        """For each move whether it is legal for the role, as bytes of 0 and 1."""
        mask = np.zeros(self.actions, dtype=np.int8)
        if not state.is_terminal:
            mask[state.legal_ids(role)] = 1
        return mask


def scaled(game, goal):
    """A goal on a scale from -1, the lowest that the rules know, to 1, the highest."""
    if goal is None:
        return 0.0
    low, high = game.facts.goal_range
    return 0.0 if low == high else 2.0 * (goal - low) / (high - low) - 1.0
