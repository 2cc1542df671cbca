"""Any game as a game of OpenSpiel, and our players as its bots.

    >>> from paidia.openspiel import game
    >>> spiel = game("kuhn-poker")                       # a pyspiel.Game: all its algorithms apply
    >>> from open_spiel.python.algorithms import cfr
    >>> solver = cfr.CFRSolver(spiel)

Importing this module registers the game `paidia`: `pyspiel.load_game("paidia(game=kuhn-poker)")`.

How joint moves become nodes: roles that have a choice are asked one after the other, and none sees
what the others chose until all have; moves of chance are chance nodes, all equally likely; where no
role has a choice the game goes on by itself. Returns are goals on a scale from -1 to 1.
"""

import numpy as np
import pyspiel

from paidia.errors import NotApplicable
from paidia.numbered import Numbered, scaled
from paidia.paidia_native import Game

#: Random matches by which it is found out whether the returns of all roles add up to the same.
SAMPLED_MATCHES = 40


def game(source, *, zero_sum=None, max_length=10_000):
    """A game of OpenSpiel. `source` is a `paidia.Game` or what `paidia.load` takes.

    `zero_sum` tells whether the returns always add up to zero, which many algorithms want to know;
    if nothing is said, some random matches decide.
    """
    return PaidiaGame(
        {"game": source if isinstance(source, str) else source.name},
        game=source,
        zero_sum=zero_sum,
        max_length=max_length,
    )


class Table:
    """What all states of a game share. OpenSpiel copies states deeply; this is never copied."""

    def __init__(self, rules):
        self.rules = rules
        self.numbered = Numbered(rules)
        self.players = list(rules.players)
        if not self.players:
            raise NotApplicable(f"no role of {rules.name} is played by a player")
        self.random = rules.facts.random

    def __deepcopy__(self, memo):
        return self


class PaidiaGame(pyspiel.Game):
    """A game of OpenSpiel by rules of ours; `game` makes one."""

    def __init__(self, params=None, *, game=None, zero_sum=None, max_length=10_000):
        params = dict(params or {})
        source = game if game is not None else params.get("game", "tic-tac-toe")
        self.rules = source if isinstance(source, Game) else Game(str(source))
        if self.rules.facts.chance == "inside":
            raise NotApplicable(
                f"the rules of {self.rules.name} draw by chance inside a move, which OpenSpiel's "
                "chance nodes cannot show"
            )
        self.table = Table(self.rules)
        if zero_sum is None:
            zero_sum = _adds_up_to_zero(self.rules)
        super().__init__(
            _game_type(self.rules, zero_sum), self._info(zero_sum, max_length), params
        )

    def _info(self, zero_sum, max_length):
        actions, table = self.table.numbered.actions, self.table
        return pyspiel.GameInfo(
            num_distinct_actions=actions,
            max_chance_outcomes=actions if table.random else 0,
            num_players=len(table.players),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=max_length,
        )

    def new_initial_state(self):
        return PaidiaState(self, self.table)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return PaidiaObserver(self.table, params)


def _game_type(rules, zero_sum):
    facts = rules.facts if rules is not None else None
    kind = pyspiel.GameType
    turns = facts is not None and facts.turn_order in ("alternating", "single-player")
    perfect = turns and facts.information == "perfect"
    chance = facts is None or facts.random is not None
    return kind(
        short_name="paidia",
        long_name="Paidia" if rules is None else rules.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=(
            kind.ChanceMode.EXPLICIT_STOCHASTIC if chance else kind.ChanceMode.DETERMINISTIC
        ),
        information=(
            kind.Information.PERFECT_INFORMATION
            if perfect
            else kind.Information.IMPERFECT_INFORMATION
        ),
        utility=kind.Utility.ZERO_SUM if zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=64,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"game": "tic-tac-toe"},
    )


def _adds_up_to_zero(rules):
    """Whether the returns of all players add up to zero in some random matches."""
    if len(rules.players) < 2:
        return False
    random = np.random.default_rng(0)
    for _ in range(SAMPLED_MATCHES):
        state = rules.initial()
        for _ in range(2000):
            if state.is_terminal:
                break
            joint = {role: random.choice(state.legal(role)) for role in rules.players}
            state = state.apply(joint, seed=int(random.integers(2**63)))
        else:
            continue
        if abs(sum(scaled(rules, state.goal(role)) for role in rules.players)) > 1e-9:
            return False
    return True


class PaidiaState(pyspiel.State):
    """A node: a position, and who was asked already for the next joint move."""

    def __init__(self, game, table):
        super().__init__(game)
        self.table = table
        self.position = table.rules.initial()
        # What each role was told and did, and the number of its last move.
        self.told = [[] for _ in table.players]
        self.last = [None for _ in table.players]
        self._ask()

    def current_player(self):
        if self.over:
            return pyspiel.PlayerId.TERMINAL
        if self.waiting:
            return self.waiting[0]
        return pyspiel.PlayerId.CHANCE

    def _legal_actions(self, player):
        return sorted(self.position.legal_ids(self.table.players[player]))

    def chance_outcomes(self):
        moves = sorted(self.position.legal_ids(self.table.random))
        return [(move, 1.0 / len(moves)) for move in moves]

    def _apply_action(self, action):
        if self.waiting:
            self.chosen[self.table.players[self.waiting.pop(0)]] = int(action)
        else:
            self.chosen[self.table.random] = int(action)
            self.draws = False
        if not self.waiting and not self.draws:
            self._advance()
            self._ask()

    def _advance(self):
        """Makes the joint move, and notes for each role what it did and was told."""
        before, joint = self.position, self.chosen
        self.position = before.apply(joint)
        for player, role in enumerate(self.table.players):
            made = joint.get(role)
            if made is None:
                made = before.legal_ids(role)[0]
            self.last[player] = made
            told = self.position.percepts(role) if self.table.numbered.hidden else ()
            self.told[player].append((self.table.rules.moves[made], tuple(told)))

    def _ask(self):
        """Finds who is asked next, and goes on where no role has a choice."""
        while True:
            self.chosen, self.waiting, self.draws = {}, [], False
            self.over = self.position.is_terminal
            if self.over:
                return
            choosing = set(self.position.choosing)
            players = self.table.players
            self.waiting = [place for place, role in enumerate(players) if role in choosing]
            self.draws = self.table.random in choosing
            if self.waiting or self.draws:
                return
            self._advance()

    def _action_to_string(self, player, action):
        return self.table.rules.moves[action]

    def is_terminal(self):
        return self.over

    def returns(self):
        if not self.over:
            return [0.0] * len(self.table.players)
        goal = self.position.goal
        return [scaled(self.table.rules, goal(role)) for role in self.table.players]

    def information_state_string(self, player=None):
        player = self.current_player() if player is None else player
        return self.known(player)

    def known(self, player):
        """All that a player knows, as text."""
        own = self.chosen.get(self.table.players[player])
        pending = "" if own is None else f" chose {self.table.rules.moves[own]}"
        if not self.table.numbered.hidden:
            return f"{player}: {' '.join(self.position.fluents)}{pending}"
        steps = (f"{move} {' '.join(told)}".strip() for move, told in self.told[player])
        return f"{player}: {'; '.join(steps)}{pending}"

    def __str__(self):
        pending = " ".join(f"{role}:{move}" for role, move in self.chosen.items())
        return f"{' '.join(self.position.fluents)} {pending}".strip()


class PaidiaObserver:
    """What a player sees, as OpenSpiel asks for it."""

    def __init__(self, table, params):
        if params:
            raise ValueError(f"there are no parameters of observations; {params} were given")
        self.width = table.numbered.width
        self.tensor = np.zeros(self.width, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state, player):
        table = state.table
        role = table.players[player]
        self.tensor[:] = table.numbered.observe(state.position, role, state.last[player])

    def string_from(self, state, player):
        return state.known(player)


class PaidiaBot(pyspiel.Bot):
    """One of our players as a bot, for states of `PaidiaGame` where everybody sees everything."""

    def __init__(self, game, player_id, *, player="paidia", seconds=None, simulations=None, seed=1):
        super().__init__()
        if game.table.numbered.hidden and player != "random":
            raise NotApplicable(
                f"{game.rules.name} hides things; a bot that is asked about a state would see them"
            )
        self.table = game.table
        self.player_id = player_id
        self.thinking = {"seconds": seconds, "simulations": simulations, "seed": seed}
        self.player = player

    def restart_at(self, state):
        pass

    def step(self, state):
        role = self.table.players[self.player_id]
        found = self.table.rules.analyse(
            state.position, player=self.player, role=role, **self.thinking
        )
        return self.table.numbered.number(found.move)


pyspiel.register_game(_game_type(None, False), PaidiaGame)
