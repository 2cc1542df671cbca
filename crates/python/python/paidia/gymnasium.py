"""Games for one player as Gymnasium environments, one by one and as vector environments.

    >>> from paidia.gymnasium import PaidiaEnv
    >>> env = PaidiaEnv("eight-puzzle")
    >>> observation, info = env.reset(seed=1)
    >>> env.step(env.action_space.sample(info["action_mask"]))

Importing this module registers `Paidia-v0`: `gymnasium.make("Paidia-v0", game="maze")`.
"""

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from paidia.errors import NotApplicable
from paidia.numbered import Numbered, scaled
from paidia.paidia_native import Game
from paidia.vector_env import VectorEnv


def _single(game):
    game = game if isinstance(game, Game) else Game(str(game))
    if len(game.players) != 1:
        raise NotApplicable(
            f"{game.name} has {len(game.players)} players; Gymnasium environments have one. "
            "paidia.pettingzoo is for several"
        )
    return game


class PaidiaEnv(gymnasium.Env):
    """A game for one player.

    Observations are the fluents of the state as 0 and 1; in games with hidden information the
    percepts of the last move instead. Actions are numbers of moves in `game.moves`; `info` has
    `action_mask`, and an illegal action raises `IllegalMove` (`illegal="end"`: it ends the episode
    with the lowest reward). The reward at the end is the goal on a scale from -1 to 1.
    """

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(self, game, *, render_mode=None, max_steps=10_000, illegal="raise"):
        self.game = _single(game)
        self.numbered = Numbered(self.game)
        self.render_mode = render_mode
        self.max_steps = max_steps
        self.illegal = illegal
        self.role = self.game.players[0]
        self.observation_space = spaces.MultiBinary(self.numbered.width)
        self.action_space = spaces.Discrete(self.numbered.actions)
        self.state = self.game.initial()
        self.length = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state = self.game.initial()
        self.length = 0
        return self._observe(), self._info()

    def step(self, action):
        legal = self.state.legal_ids(self.role)
        if int(action) not in legal and self.illegal == "end":
            return self._observe(), -1.0, True, False, self._info()
        draws = int(self.np_random.integers(2**63))
        self.state = self.state.apply({self.role: int(action)}, seed=draws)
        self.length += 1
        over = self.state.is_terminal
        reward = scaled(self.game, self.state.goal(self.role)) if over else 0.0
        cut = not over and self.length >= self.max_steps
        return self._observe(), reward, over, cut, self._info()

    def render(self):
        if self.render_mode == "svg":
            return self.state.svg()
        return "\n".join(self.state.fluents)

    def _observe(self):
        return self.numbered.observe(self.state, self.role)

    def _info(self):
        return {"action_mask": self.numbered.mask(self.state, self.role)}


class PaidiaVectorEnv(gymnasium.vector.VectorEnv):
    """Many games for one player that step together. `info` has `action_mask`."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, game, num_envs, *, step_limit=10_000):
        self.game = _single(game)
        self.lanes = VectorEnv(self.game, num_envs, step_limit=step_limit)
        self.num_envs = num_envs
        self.single_observation_space = spaces.MultiBinary(self.lanes.num_features)
        self.single_action_space = spaces.Discrete(self.lanes.num_actions)
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.action_space = batch(self.single_action_space, num_envs)
        self._role = self.game.roles.index(self.game.players[0])

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        observations, _ = self.lanes.reset(seed=0 if seed is None else int(seed))
        return observations.view(np.int8), {"action_mask": self.lanes.legal_mask()}

    def step(self, actions):
        observations, rewards, over, cut, _ = self.lanes.step(np.asarray(actions))
        info = {"action_mask": self.lanes.legal_mask()}
        rewards = rewards[:, self._role].astype(np.float64)
        return observations.view(np.int8), rewards, over, cut, info


gymnasium.register(id="Paidia-v0", entry_point="paidia.gymnasium:PaidiaEnv")
