"""Equilibria by `paidia solve` beside those of OpenSpiel's CFR+ in C++: values and processor time.

    pip install open_spiel
    python crates/imperfect/checks/open_spiel.py target/release/paidia

Both go on until the mean of what best responses win is at most 0.001 of the unit in which OpenSpiel
counts (chips; won games for liar's dice). Our time is that of the whole program, which reads and
grounds the rules and lists the game first; theirs is that of the rounds alone, without their best
responses, made after every tenth round. Values must agree within what both are exploitable by.
"""

import json
import resource
import subprocess
import sys
import time

import pyspiel

# Our game, theirs, and how many of our goals their unit is.
GAMES = [
    ("kuhn-poker", "kuhn_poker", 25),
    ("leduc-poker", "leduc_poker", 3),
    ("liars-dice", "liars_dice", 50),
]
ENOUGH = 1e-3


def theirs(name):
    """Value for the first player, exploitability, rounds and seconds."""
    game = pyspiel.load_game(name)
    solver, seconds, rounds = pyspiel.CFRPlusSolver(game), 0.0, 0
    while True:
        begun = time.process_time()
        for _ in range(10):
            solver.evaluate_and_update_policy()
        seconds += time.process_time() - begun
        rounds += 10
        policy = solver.average_policy()
        lost = pyspiel.nash_conv(game, policy, True) / 2
        if lost < ENOUGH:
            value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
            return value, lost, rounds, seconds


def ours(program, name, unit):
    """The same by `paidia solve`, in their unit."""
    gap = str(2 * ENOUGH * unit)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [program, "solve", name, "--gap", gap, "--json"], stdout=subprocess.PIPE, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report = json.loads(done.stdout)
    value = (report["values"][0] - 50) / unit
    return value, report["exploitability"] / unit, report["rounds"], seconds


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "paidia"
    print(f"{'game':12} {'value':>10} {'theirs':>10} {'rounds':>7} {'theirs':>7} "
          f"{'seconds':>9} {'theirs':>9} {'times':>7}")
    for name, other, unit in GAMES:
        own = ours(program, name, unit)
        their = theirs(other)
        print(f"{name:12} {own[0]:10.6f} {their[0]:10.6f} {own[2]:7} {their[2]:7} "
              f"{own[3]:9.3f} {their[3]:9.3f} {their[3] / own[3]:7.1f}", flush=True)
        apart = abs(own[0] - their[0])
        assert apart <= 2 * (own[1] + their[1]), f"{name}: the values are {apart} apart"


if __name__ == "__main__":
    main()
