"""Thousands of games that step together, on arrays: any rules as a fast vector environment."""

import numpy as np

from paidia.paidia_native import Game, Lanes


def vector(game, num_envs, *, seed=0, step_limit=10_000, observations="bits", start=None):
    """A vector environment of a game; see `VectorEnv`. `game` may be what `paidia.load` takes."""
    if not isinstance(game, Game):
        game = Game(str(game))
    return VectorEnv(
        game,
        num_envs,
        seed=seed,
        step_limit=step_limit,
        observations=observations,
        start=start,
    )


class Step:
    """What came of a step, for every environment; iterates as `obs, rewards, terminated, truncated,
    info`, as Gymnasium has it."""

    __slots__ = ("info", "observations", "rewards", "terminated", "truncated")

    def __init__(self, observations, rewards, terminated, truncated, info):
        self.observations = observations
        self.rewards = rewards
        self.terminated = terminated
        self.truncated = truncated
        self.info = info

    def __iter__(self):
        yield self.observations
        yield self.rewards
        yield self.terminated
        yield self.truncated
        yield self.info


class VectorEnv:
    """`num_envs` games of one kind. All step at once, and those that end begin again by themselves.

    - An action is the number of a move in `game.moves`. In games in turns `step` takes one action
      for each environment, that of the role in `movers`; `step_joint` takes one for each role.
    - Observations are the fluents of the state as 0 and 1 (`observations="bits"`: an array of
      `num_envs` by `len(game.fluents)`, unsigned bytes), or packed 64 to a word
      (`observations="packed"`), which costs least.
    - `legal_mask()` says which actions the movers have, `legal_mask(role)` those of a role.
    - Rewards, one for each role, are zero until a game ends, then its goals on a scale from -1 (the
      lowest that the rules know) to 1 (the highest). After such a step the observation is that of
      the new game.
    - Moves of chance are drawn from the seed: the same seed and actions give the same games.

    In games with hidden information observations tell the whole state, more than a role knows.
    """

    def __init__(
        self, game, num_envs, *, seed=0, step_limit=10_000, observations="bits", start=None
    ):
        if observations not in ("bits", "packed"):
            raise ValueError(f'observations are "bits" or "packed", not {observations!r}')
        self.game = game
        self.num_envs = num_envs
        self.num_actions = len(game.moves)
        self.num_features = len(game.fluents)
        self.roles = game.roles
        self._packed = observations == "packed"
        self._make = lambda seed: Lanes(
            game, num_envs, seed=seed, step_limit=step_limit, start=start
        )
        self._seed = seed
        self._lanes = self._make(seed)
        low, high = game.facts["goal_range"]
        self._middle, self._half = (low + high) / 2, max((high - low) / 2, 0.5)

    def reset(self, *, seed=None):
        """Starts all games anew; returns observations and info."""
        if seed is not None:
            self._seed = seed
        self._lanes = self._make(self._seed)
        return self.observe(), {"movers": self.movers}

    def step(self, actions):
        """Makes the mover's move in every environment."""
        self._lanes.step_turns(actions)
        return self._after()

    def step_joint(self, actions):
        """Makes a joint move in every environment: an array of `num_envs` by roles. -1 stands for
        the only move of a role; what stands for chance is not looked at."""
        self._lanes.step_joint(actions)
        return self._after()

    def _after(self):
        over, cut, lengths, goals = self._lanes.ended()
        rewards = np.nan_to_num((goals - self._middle) / self._half, nan=0.0)
        info = {"movers": self.movers}
        ended = over | cut
        if ended.any():
            info["episode_lengths"] = lengths
            info["goals"] = goals
        rewards[~over] = 0.0
        return Step(self.observe(), rewards, over, cut, info)

    def observe(self):
        """The states of all environments."""
        words = self._lanes.states()
        return words if self._packed else unpack(words, self.num_features)

    @property
    def movers(self):
        """For each environment the place of the role that moves."""
        return self._lanes.movers()

    @property
    def lengths(self):
        """For each environment how many moves its game has had."""
        return self._lanes.lengths()

    def legal_mask(self, role=None):
        """For each environment and action whether it is legal, as booleans: for the movers, or for
        a role by its name or place."""
        return unpack(self.legal_packed(role), self.num_actions).view(np.bool_)

    def legal_packed(self, role=None):
        """The same as bits, 64 actions to a word."""
        if role is None:
            return self._lanes.movers_legal()
        place = self.roles.index(role) if isinstance(role, str) else role
        return self._lanes.legal(place)

    def sample(self, rng):
        """A random legal action for each environment, from a NumPy generator."""
        mask = self.legal_mask()
        counts = mask.sum(axis=1)
        wanted = (rng.random(self.num_envs) * counts).astype(np.int64) + 1
        return (mask.cumsum(axis=1, dtype=np.int32) == wanted[:, None]).argmax(axis=1)

    def __len__(self):
        return self.num_envs

    def __repr__(self):
        return f"<VectorEnv of {self.game.name}: {self.num_envs} environments>"


def unpack(words, columns):
    """Bits packed 64 to a word as unsigned bytes."""
    return np.unpackbits(words.view(np.uint8), axis=1, count=columns, bitorder="little")
