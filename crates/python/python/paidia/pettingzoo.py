"""Games as PettingZoo environments: `aec` for games in turns, `parallel` for moves at once.

    >>> from paidia.pettingzoo import aec
    >>> env = aec("connect-four")
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     over = terminated or truncated
    ...     mask = observation["action_mask"]
    ...     env.step(None if over else env.action_space(agent).sample(mask))

An observation has `observation`, what the role sees as 0 and 1, and `action_mask`. Actions are
numbers of moves in `env.game.moves`. Rewards come at the end: goals on a scale from -1 to 1.
"""

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from paidia.numbered import Numbered, scaled
from paidia.paidia_native import Game


def aec(game, *, max_steps=10_000, render_mode=None):
    """An environment in which agents move one after the other. Roles that choose at the same time
    are asked in their order, and none sees what the others chose."""
    return PaidiaAEC(game, max_steps=max_steps, render_mode=render_mode)


def parallel(game, *, max_steps=10_000, render_mode=None):
    """An environment in which all agents move at once. In games in turns a role that has no choice
    has one legal action."""
    return PaidiaParallel(game, max_steps=max_steps, render_mode=render_mode)


class _Spaces:
    """What both kinds of environments have in common."""

    def _prepare(self, game, max_steps, render_mode):
        self.game = game if isinstance(game, Game) else Game(str(game))
        self.numbered = Numbered(self.game)
        self.max_steps = max_steps
        self.render_mode = render_mode
        self.possible_agents = list(self.game.players)
        self.metadata = {
            "render_modes": ["ansi", "svg"],
            "name": f"paidia_{self.game.name.replace('-', '_')}",
            "is_parallelizable": True,
        }
        width, actions = self.numbered.width, self.numbered.actions
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.MultiBinary(width),
                    "action_mask": spaces.MultiBinary(actions),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.agents = []

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def render(self):
        if self.render_mode == "svg":
            return self.position.svg()
        return "\n".join(self.position.fluents)

    def close(self):
        pass

    def _begin(self, seed):
        self.random = np.random.default_rng(seed)
        self.position = self.game.initial()
        self.agents = list(self.possible_agents)
        self.length = 0
        self.last_moves = {}

    def _advance(self, joint):
        self.position = self.position.apply(joint, seed=int(self.random.integers(2**63)))
        self.last_moves = joint
        self.length += 1

    def _end(self):
        """Whether the game is over, whether it was cut, and the rewards."""
        over = self.position.is_terminal
        cut = not over and self.length >= self.max_steps
        goals = {
            agent: scaled(self.game, self.position.goal(agent)) if over else 0.0
            for agent in self.possible_agents
        }
        return over, cut, goals

    def _see(self, agent, may_act=True):
        mask = self.numbered.mask(self.position, agent)
        if not may_act:
            mask[:] = 0
        last = self.last_moves.get(agent)
        return {
            "observation": self.numbered.observe(self.position, agent, last),
            "action_mask": mask,
        }


class PaidiaAEC(_Spaces, AECEnv):
    """Agents move one after the other; `aec` makes one."""

    def __init__(self, game, *, max_steps, render_mode):
        super().__init__()
        self._prepare(game, max_steps, render_mode)

    def reset(self, seed=None, options=None):
        self._begin(seed)
        nothing = dict.fromkeys(self.agents, 0.0)
        self.rewards = dict(nothing)
        self._cumulative_rewards = dict(nothing)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._ask()

    def observe(self, agent):
        return self._see(agent, agent == self.agent_selection)

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        legal = self.position.legal_ids(agent)
        if action is None or int(action) not in legal:
            # The game raises the error that tells what is legal.
            self.position.apply({agent: -1 if action is None else int(action)})
        self.chosen[agent] = int(action)
        self.waiting.pop(0)
        if self.waiting:
            self.agent_selection = self.waiting[0]
            return
        self._advance(self.chosen)
        over, cut, goals = self._end()
        if over or cut:
            self.rewards.update(goals)
            self.terminations = dict.fromkeys(self.agents, over)
            self.truncations = dict.fromkeys(self.agents, cut)
            self.agent_selection = self.agents[0]
        else:
            self._ask()
        self._accumulate_rewards()

    def _ask(self):
        """Finds who is asked for the next joint move."""
        choosing = [role for role in self.position.choosing if role in self.possible_agents]
        self.waiting = choosing or [self.possible_agents[0]]
        self.chosen = {}
        self.agent_selection = self.waiting[0]


class PaidiaParallel(_Spaces, ParallelEnv):
    """All agents move at once; `parallel` makes one."""

    def __init__(self, game, *, max_steps, render_mode):
        self._prepare(game, max_steps, render_mode)

    def reset(self, seed=None, options=None):
        self._begin(seed)
        return {agent: self._see(agent) for agent in self.agents}, {
            agent: {} for agent in self.agents
        }

    def step(self, actions):
        self._advance({agent: int(action) for agent, action in actions.items()})
        over, cut, goals = self._end()
        agents = self.agents
        observations = {agent: self._see(agent) for agent in agents}
        if over or cut:
            self.agents = []
        return (
            observations,
            {agent: goals[agent] for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut),
            {agent: {} for agent in agents},
        )
