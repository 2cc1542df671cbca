"""Plays a game of Connect Four against random moves, and writes a picture of the end."""

import random
import sys
import tempfile
from pathlib import Path

import paidia


def main(seconds=0.2):
    game = paidia.load("connect-four")
    state, generator = game.initial(), random.Random(7)
    ours, other = game.players
    while not state.is_terminal:
        if state.mover == ours:
            move = game.analyse(state, seconds=seconds).move
        else:
            move = generator.choice(state.legal())
        print(f"{state.mover:6} {move}")
        state = state.apply(move)
    picture = Path(tempfile.gettempdir()) / "connect-four.svg"
    picture.write_text(state.svg(), encoding="utf-8")
    print(f"{ours} {state.goals[ours]}, {other} {state.goals[other]}; the end is in {picture}")
    return state.goals[ours]


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0.2)
