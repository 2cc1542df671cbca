//! Controllers of video games as players, and their options.

use std::any::Any;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use paidia_game::{AnyGame, AnyState, Chance, Game, MoveId};
use paidia_search::{Budget, Decision, Informed, MoveReport, Report, StopReason};
use paidia_video::players::{
    Budget as Calls, Controller, Method, Novelty, Settings, Simulator, TreeOptions,
};
use paidia_video::{Action, Scratch, State, VideoGame};

use super::tree::YES_OR_NO;
use super::{Algorithm, Number, PlayerSetting, PlayerSettings, Whole, Words};
use crate::options::Setting;
use crate::spec::{BadPlayer, PlayerSpec};

/// Searches in breadth.
pub(super) const BREADTH: &[PlayerSetting] = &[
    Setting::new(
        "prune",
        "whether actions that lose at once more often than others, in ten samples, are left out first",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.video.prune),
            set: |s, prune| s.video.prune = prune,
        },
    ),
    Setting::new(
        "discount",
        "the factor for rewards of later actions",
        &Number {
            range: (0.01, 1.0),
            get: |s| Some(s.video.discount),
            set: |s, discount| s.video.discount = discount,
        },
    ),
];

/// The width of a search.
pub(super) const WIDTH: &[PlayerSetting] = &[Setting::new(
    "width",
    "states are dropped without a new atom (1), or pair of atoms (2), or pair with the avatar (3/2)",
    &Words {
        words: &[
            ("1", Method::Width(Novelty::One)),
            ("3/2", Method::Width(Novelty::OneAndAHalf)),
            ("2", Method::Width(Novelty::Two)),
        ],
        get: |s| Some(s.video.method),
        set: |s, method| s.video.method = method,
    },
)];

/// Monte Carlo tree search.
pub(super) const TREE: &[PlayerSetting] = &[
    Setting::new(
        "depth",
        "actions of tree and playout together",
        &Whole {
            range: (1, 1_000),
            get: |s| Some(s.video.tree.depth as u32),
            set: |s, depth| s.video.tree.depth = depth as usize,
        },
    ),
    Setting::new(
        "exploration",
        "the constant of UCB; values count from 0 to 1",
        &Number {
            range: (0.0, 1e6),
            get: |s| Some(s.video.tree.exploration),
            set: |s, constant| s.video.tree.exploration = constant,
        },
    ),
    Setting::new(
        "open-loop",
        "whether nodes keep no states, so that each visit draws anew",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.video.tree.open_loop),
            set: |s, open| s.video.tree.open_loop = open,
        },
    ),
    Setting::new(
        "mixmax",
        "the share of the best value seen, beside the mean",
        &Number {
            range: (0.0, 1.0),
            get: |s| Some(s.video.tree.mix_max),
            set: |s, share| s.video.tree.mix_max = share,
        },
    ),
    Setting::new(
        "macro",
        "how often each action of the tree is repeated",
        &Whole {
            range: (1, 100),
            get: |s| Some(s.video.tree.macro_length as u32),
            set: |s, length| s.video.tree.macro_length = length as usize,
        },
    ),
    Setting::new(
        "whole-macros",
        "whether the chosen action is made that often before the next decision",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.video.tree.whole_macros),
            set: |s, whole| s.video.tree.whole_macros = whole,
        },
    ),
    Setting::new(
        "partial",
        "whether the search goes deeper before all actions of a node were tried",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.video.tree.partial_expansion),
            set: |s, partial| s.video.tree.partial_expansion = partial,
        },
    ),
    Setting::new(
        "reversal",
        "the factor for coming back to one of the last five places; 1 is no penalty",
        &Number {
            range: (0.0, 1.0),
            get: |s| Some(s.video.tree.reversal),
            set: |s, factor| s.video.tree.reversal = factor,
        },
    ),
    Setting::new(
        "evolve",
        "whether the choices of playouts are evolved (Fast-Evo)",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.video.tree.evolve),
            set: |s, evolve| s.video.tree.evolve = evolve,
        },
    ),
    Setting::new(
        "knowledge",
        "whether rewards come from what was learnt of types of sprites (KB)",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.video.tree.knowledge),
            set: |s, knowledge| s.video.tree.knowledge = knowledge,
        },
    ),
];

/// Rolling-horizon evolution.
pub(super) const ROLLING: &[PlayerSetting] = &[
    Setting::new(
        "length",
        "actions of a plan",
        &Whole {
            range: (1, 1_000),
            get: |s| Some(s.video.rolling.length as u32),
            set: |s, length| s.video.rolling.length = length as usize,
        },
    ),
    Setting::new(
        "population",
        "plans that are kept",
        &Whole {
            range: (2, 1_000),
            get: |s| Some(s.video.rolling.population as u32),
            set: |s, population| s.video.rolling.population = population as usize,
        },
    ),
    Setting::new(
        "mutation",
        "how likely each action of a child is drawn anew",
        &Number {
            range: (0.0, 1.0),
            get: |s| Some(s.video.rolling.mutation),
            set: |s, mutation| s.video.rolling.mutation = mutation,
        },
    ),
    Setting::new(
        "shift",
        "whether the plans of the last decision are gone on with",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.video.rolling.shift),
            set: |s, shift| s.video.rolling.shift = shift,
        },
    ),
];

/// The settings of a player that is a controller.
pub(super) fn player(method: Method) -> PlayerSettings {
    PlayerSettings {
        video: Settings::of(method),
        ..PlayerSettings::new(Algorithm::Video, paidia_search::uct::Settings::cadia())
    }
}

/// The same for a tree search.
pub(super) fn tree_player(tree: TreeOptions) -> PlayerSettings {
    let player = player(Method::Tree);
    PlayerSettings {
        video: Settings {
            tree,
            ..player.video
        },
        ..player
    }
}

/// The video game inside a game, if it is one.
fn inside<G: Game>(game: &G) -> Option<VideoGame> {
    let game: &dyn Any = game;
    let any = game.downcast_ref::<AnyGame>();
    let found = any.and_then(AnyGame::inside::<VideoGame>);
    found.or(game.downcast_ref::<VideoGame>()).cloned()
}

fn state_inside<S: Any>(state: &S) -> Option<&State> {
    let state: &dyn Any = state;
    let any = state.downcast_ref::<AnyState>();
    any.and_then(AnyState::inside::<State>)
        .or(state.downcast_ref::<State>())
}

/// The search of a controller, and that of our best player in video games; none for other players.
///
/// # Errors
/// If a controller shall play another game.
pub(super) fn make<G: Game>(
    spec: &PlayerSpec,
    game: &G,
    seed: u64,
) -> Result<Option<Box<dyn Informed<G>>>, BadPlayer> {
    let settings = spec.settings();
    let method = match settings.algorithm {
        Algorithm::Video => settings.video,
        Algorithm::Best => Settings::of(Method::Chooser),
        _ => return Ok(None),
    };
    match inside(game) {
        Some(game) => Ok(Some(Box::new(VideoSearch {
            game,
            controller: method.controller(),
            scratch: Scratch::forward(),
            chance: Chance::from_seed(seed),
        }))),
        None if settings.algorithm == Algorithm::Best => Ok(None),
        None => Err(BadPlayer::OtherGame(spec.entry().name)),
    }
}

/// A controller that is asked about states.
struct VideoSearch {
    game: VideoGame,
    controller: Box<dyn Controller>,
    scratch: Scratch,
    chance: Chance,
}

/// What of a decision's time is kept for what comes before and after it.
const MARGIN: Duration = Duration::from_millis(3);

/// A budget in calls of the forward model, of which a simulation of other searches is one.
fn calls(budget: Budget) -> Calls {
    let calls = budget.states.or(budget.simulations);
    let time = budget.time.map(|time| {
        let kept = (time / 10).max(MARGIN);
        time.saturating_sub(kept).max(time / 4)
    });
    Calls {
        calls: calls.unwrap_or(u64::MAX),
        time,
    }
}

impl VideoSearch {
    /// Lets the controller work with a forward model and a budget; how many calls it made.
    fn with_simulator<T>(
        &mut self,
        budget: Budget,
        interrupt: &AtomicBool,
        work: impl FnOnce(&mut dyn Controller, &mut Simulator<'_>) -> T,
    ) -> (T, u64) {
        let scratch = std::mem::take(&mut self.scratch);
        let chance = std::mem::replace(&mut self.chance, Chance::from_seed(0));
        let level = self.game.level();
        let mut simulator = Simulator::with(level, scratch, chance);
        simulator.interrupted_by(interrupt);
        simulator.refill(calls(budget));
        let made = work(&mut *self.controller, &mut simulator);
        let used = simulator.used();
        (self.scratch, self.chance) = simulator.into_parts();
        (made, used)
    }
}

impl<G: Game> Informed<G> for VideoSearch {
    fn prepare(&mut self, state: &G::State, budget: Budget) {
        if let Some(state) = state_inside(state) {
            let never = AtomicBool::new(false);
            self.with_simulator(budget, &never, |controller, simulator| {
                controller.prepare(simulator, state);
            });
        }
    }

    fn choose_until(
        &mut self,
        state: &G::State,
        budget: Budget,
        interrupt: &AtomicBool,
    ) -> Decision {
        let begun = Instant::now();
        let level = self.game.level().clone();
        let nothing = VideoGame::move_of(Action::Nil);
        let Some(state) = state_inside(state).filter(|state| !state.is_over()) else {
            return Decision::without_search(nothing, StopReason::NoSearch);
        };
        if !state.is_alive(&level) {
            return Decision::without_search(nothing, StopReason::OnlyMove);
        }
        let (action, used) = self.with_simulator(budget, interrupt, |controller, simulator| {
            controller.choose(simulator, state)
        });
        let action = level.checked(state, action);
        let id = VideoGame::move_of(action);
        let mut plan = Vec::new();
        self.controller.plan(&mut plan);
        let line = plan.iter().map(|&action| vec![VideoGame::move_of(action)]);
        let report = Report {
            moves: vec![MoveReport {
                visits: used,
                ..MoveReport::untried(id)
            }],
            line: line.collect::<Vec<Vec<MoveId>>>(),
            simulations: used,
            states: used,
            time: begun.elapsed(),
            ..Report::without_search(id, stopped(budget, used, interrupt))
        };
        Decision { id, report }
    }
}

fn stopped(budget: Budget, used: u64, interrupt: &AtomicBool) -> StopReason {
    if interrupt.load(std::sync::atomic::Ordering::Relaxed) {
        StopReason::Interrupted
    } else if calls(budget).calls <= used {
        StopReason::States
    } else if budget.time.is_some() {
        StopReason::Time
    } else {
        StopReason::Done
    }
}
