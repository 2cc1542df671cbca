"""Paidia plays any game from its rules.

    >>> import paidia
    >>> game = paidia.load("connect-four")          # a bundled name, a path, or rule text
    >>> state = game.initial()
    >>> state.legal()                               # of the role whose turn it is
    ['(drop 1)', '(drop 2)', ...]
    >>> state = state.apply("(drop 4)")             # states are values: this is the next one
    >>> game.simulate(seconds=1)                    # random playouts
    >>> game.analyse(state, seconds=1)              # what a player thinks of it
    >>> game.match("paidia", "uct", seconds=0.2)    # a match, as a record
    >>> env = paidia.vector(game, num_envs=4096)    # thousands of games that step together

`paidia.games()` lists the bundled games and `paidia.players()` the players. `paidia.gymnasium`,
`paidia.pettingzoo` and `paidia.openspiel` make environments and games of other libraries of any
game, `paidia.distributed` plays on many machines.
"""

from paidia.errors import (
    IllegalMove,
    LimitReached,
    NotApplicable,
    PaidiaError,
    RulesInvalid,
    UnknownGame,
)
from paidia.paidia_native import Game, Lanes, State, __version__, players
from paidia.paidia_native import bundled as _bundled
from paidia.paidia_native import diagnose as _diagnose
from paidia.vector_env import VectorEnv, vector

__all__ = [
    "Game",
    "IllegalMove",
    "Lanes",
    "LimitReached",
    "NotApplicable",
    "PaidiaError",
    "RulesInvalid",
    "State",
    "UnknownGame",
    "VectorEnv",
    "__version__",
    "check",
    "games",
    "load",
    "players",
    "vector",
]


def load(source, *, name=None, engine="auto", grounding_seconds=None):
    """Loads a game: a bundled name, `name@size`, the path of a rule file, or the text of rules.

    `engine` is written as on the command line (`paidia --help` lists them); `auto` takes a network
    where the rules become one within `grounding_seconds`, and the fastest other engine elsewhere.

    Raises `UnknownGame` if there is no such game, and `RulesInvalid`, with the list `problems`, if
    the rules are faulty.
    """
    return Game(
        str(source), name=name, engine=engine, grounding_seconds=grounding_seconds
    )


def _load_again(source, name, engine):
    return load(source, name=name, engine=engine)


def check(source, *, name=None):
    """What is wrong with rules: a list of dictionaries with code, severity, line, column, message
    and help; empty if nothing is wrong. `source` is as in `load`."""
    return _diagnose(str(source), name)


def games():
    """The names and titles of the bundled games, as a dictionary."""
    return dict(_bundled())
