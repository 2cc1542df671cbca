//! The alpha-beta player of board games, and its options.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use paidia_game::{Chance, Game, MoveId, RoleId, Rules, Walker};
use paidia_languages::board::{BoardGame, BoardMove, BoardState, Colour};
use paidia_learn::player::learning::{Learner, Rates, probability};
use paidia_learn::player::{Evaluation, Extras, Found, Limits, Search, Style, Table, WIN, Weights};
use paidia_search::{Budget, Costs, Decision, Informed, MoveReport, Report, StopReason};

use super::tree::{MEMORY, THREADS, YES_OR_NO};
use super::{PlayerSetting, PlayerSettings, Words};
use crate::options::Setting;
use crate::spec::BadPlayer;

/// What is set about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardSettings {
    /// Whether men are worth what the rules say, or all the same.
    has_values: bool,
    /// Whether weights are learned before the match and in the opponent's time.
    learns: bool,
    is_modern: bool,
}

impl Default for BoardSettings {
    fn default() -> Self {
        Self {
            has_values: true,
            learns: false,
            is_modern: true,
        }
    }
}

/// Its options.
pub(super) const OPTIONS: &[PlayerSetting] = &[
    Setting::new(
        "values",
        "what men are worth at first: what the rules say, or all the same",
        &Words {
            words: &[("rules", true), ("alike", false)],
            get: |s| Some(s.board.has_values),
            set: |s, has| s.board.has_values = has,
        },
    ),
    Setting::new(
        "learn",
        "whether it learns what men are worth by play against itself before the match and while others think (TDLeaf)",
        &Words {
            words: YES_OR_NO,
            get: |s| Some(s.board.learns),
            set: |s, learns| s.board.learns = learns,
        },
    ),
    Setting::new(
        "search",
        "`modern` tries later moves with narrow windows and less deep, and passing as a test; `thesis` does not",
        &Words {
            words: &[("modern", true), ("thesis", false)],
            get: |s| Some(s.board.is_modern),
            set: |s, is_modern| s.board.is_modern = is_modern,
        },
    ),
    MEMORY,
    THREADS,
];

/// Plays a board game for a role, on whatever engine the match is played.
pub(super) struct BoardSearch<G: Game> {
    game: G,
    board: BoardGame,
    role: RoleId,
    walker: G::Walker,
    settings: PlayerSettings,
    table: Arc<Table>,
    search: Search,
    /// A typical worth of a man.
    typical: f64,
    learner: Option<Learner>,
    /// How deep plays that are learned from are searched.
    depth: i32,
    chance: Chance,
}

/// Plays that must fit into a turn, so that they are searched a step deeper.
const ENOUGH: u32 = 20;

/// How much memory the table takes where nothing is said, in bytes.
const USUAL_TABLE: usize = 64 << 20;

impl<G: Game> BoardSearch<G> {
    /// A player for a role.
    ///
    /// # Errors
    /// If the values of men cannot be found out.
    pub(super) fn new(
        game: &G,
        board: &BoardGame,
        role: RoleId,
        settings: PlayerSettings,
        seed: u64,
    ) -> Result<Self, BadPlayer> {
        let tables = board.tables();
        let weights = match settings.board.has_values {
            true => Weights::of_rules(tables),
            false => Ok(Weights::alike(tables, 1.0)),
        };
        let weights = weights.map_err(|error| BadPlayer::NoValues(error.to_string()))?;
        let style = Style {
            quiescence: true,
            modern: settings.board.is_modern,
        };
        let evaluation = Arc::new(Evaluation::new(tables, &weights, Extras::default()));
        let table = Arc::new(Table::new(settings.search.memory.min(USUAL_TABLE)));
        let learner = || Learner::new(tables, weights.clone(), Rates::default());
        Ok(Self {
            game: game.clone(),
            board: board.clone(),
            role,
            walker: game.walker(),
            search: Search::new(tables, evaluation, style, Some(Arc::clone(&table))),
            table,
            typical: weights.typical(tables),
            learner: settings.board.learns.then(learner),
            depth: 2,
            settings,
            chance: Chance::from_seed(seed),
        })
    }

    /// The same state in the language of board games.
    fn state(&self, state: &G::State) -> Option<BoardState> {
        let mut bytes = Vec::new();
        self.game.snapshot(state, &mut bytes);
        self.board.restore(&bytes).ok()
    }

    /// The move of the board game with the same text.
    fn decoded(&self, id: MoveId) -> Option<BoardMove> {
        let text = self.game.moves().get(id)?;
        self.board.decoded(self.board.moves().find(&text)?)
    }

    /// The id of a move.
    fn id(&self, chosen: BoardMove) -> Option<MoveId> {
        let text = self.board.moves().get(self.board.id(chosen)?)?;
        self.game.moves().find(&text)
    }

    /// Learns by play from a state until a limit.
    fn learn(&mut self, state: &G::State, until: Option<Instant>, interrupt: Option<&AtomicBool>) {
        let (Some(state), Some(mut learner)) = (self.state(state), self.learner.take()) else {
            return;
        };
        let limits = Limits {
            until,
            interrupt,
            ..Limits::default()
        };
        let (began, first) = (Instant::now(), learner.playouts());
        while learner.play(&state, self.depth, &limits) {
            let played = learner.playouts() - first;
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let is_quick = left.is_some_and(|left| left > began.elapsed() * 10);
            if played == ENOUGH && is_quick && self.depth < 4 {
                self.depth += 1;
            }
        }
        let tables = self.board.tables();
        let evaluation = Evaluation::new(tables, learner.weights(), Extras::default());
        self.search.set_evaluation(Arc::new(evaluation));
        self.typical = learner.weights().typical(tables);
        self.table.clear();
        self.learner = Some(learner);
    }

    /// Searches on all threads that are wanted, which share what they find.
    fn searched(&mut self, state: &BoardState, limits: &Limits<'_>) -> Found {
        let threads = match self.settings.search.threads {
            Some(threads) => threads,
            None if limits.until.is_some() => {
                thread::available_parallelism().map_or(1, usize::from)
            }
            None => 1,
        };
        let is_over = AtomicBool::new(false);
        let mut chance = self.chance.split();
        let (search, over) = (&mut self.search, &is_over);
        thread::scope(|scope| {
            for number in 1..threads {
                let (mut helper, mut chance) = (search.clone(), chance.split());
                let limits = Limits {
                    interrupt: Some(over),
                    depth: limits.depth - (number % 2) as i32,
                    ..*limits
                };
                scope.spawn(move || helper.run(state, &limits, |moves| chance.shuffle(moves)));
            }
            let found = search.run(state, limits, |moves| chance.shuffle(moves));
            over.store(true, Ordering::Relaxed);
            found
        })
    }

    fn report(&self, found: &Found, began: Instant, stopped: StopReason) -> Option<Report> {
        let omega = 0.5 / (self.typical * paidia_learn::player::SCALE);
        let sure = WIN / 2;
        let told = |place: usize, &(chosen, value): &(BoardMove, i32)| {
            let proven = match value {
                _ if place > 0 => None,
                value if value > sure => Some(100),
                value if value < -sure => Some(0),
                _ => None,
            };
            Some(MoveReport {
                id: self.id(chosen)?,
                value: 100.0 * probability(omega, f64::from(value)),
                visits: if place == 0 { found.nodes } else { 0 },
                proven,
            })
        };
        let moves = found.moves.iter().enumerate();
        let moves: Vec<MoveReport> = moves.filter_map(|(place, one)| told(place, one)).collect();
        let noop = self.game.moves().find("noop");
        let joint = |place: usize, chosen: &BoardMove| {
            let mine = self.id(*chosen)?;
            let is_mine = place.is_multiple_of(2);
            let first = (self.role.index() == 0) == is_mine;
            Some(if first {
                vec![mine, noop?]
            } else {
                vec![noop?, mine]
            })
        };
        let line = found.line.iter().enumerate();
        let proven = moves.first()?.proven;
        Some(Report {
            line: line
                .map_while(|(place, chosen)| joint(place, chosen))
                .collect(),
            proven: proven.map(|own| match self.role.index() {
                0 => vec![own, 100 - own],
                _ => vec![100 - own, own],
            }),
            moves,
            simulations: found.nodes,
            known: 0,
            playouts: 0,
            states: found.nodes,
            time: began.elapsed(),
            nodes: 0,
            stopped,
            costs: Costs::default(),
        })
    }
}

impl<G: Game> Informed<G> for BoardSearch<G> {
    fn prepare(&mut self, state: &G::State, budget: Budget) {
        let until = budget.time.map(|time| Instant::now() + time);
        // Without a clock there is no telling how long to learn.
        if until.is_some() && self.learner.is_some() {
            self.learn(state, until, None);
        }
    }

    fn choose_until(
        &mut self,
        state: &G::State,
        budget: Budget,
        interrupt: &AtomicBool,
    ) -> Decision {
        let began = Instant::now();
        self.walker.jump(state);
        let is_over = self.walker.is_terminal();
        let legal = self.walker.legal().of(self.role).to_vec();
        let stopped = match legal[..] {
            [] => return Decision::without_search(MoveId::CHANCE, StopReason::NoSearch),
            [only] => return Decision::without_search(only, StopReason::OnlyMove),
            _ if is_over => StopReason::NoSearch,
            _ => StopReason::Fault,
        };
        let fallback = Decision::without_search(legal[0], stopped);
        let mover = Colour::of_index(self.role.index());
        let (Some(inner), false) = (self.state(state), is_over) else {
            return fallback;
        };
        self.search.position().set(&inner);
        if self.search.position().mover() != mover
            || legal.iter().any(|&id| self.decoded(id).is_none())
        {
            return fallback;
        }
        let limits = Limits {
            nodes: budget.states.or(budget.simulations).unwrap_or(u64::MAX),
            until: budget.time.map(|time| began + time.saturating_sub(SPARE)),
            interrupt: Some(interrupt),
            ..Limits::default()
        };
        let found = self.searched(&inner, &limits);
        let stopped = match () {
            () if !found.was_stopped && found.is_sure => StopReason::Solved,
            () if !found.was_stopped => StopReason::Done,
            () if interrupt.load(Ordering::Relaxed) => StopReason::Interrupted,
            () if budget.states.is_some_and(|states| found.nodes > states) => StopReason::States,
            () if budget.simulations.is_some_and(|most| found.nodes > most) => {
                StopReason::Simulations
            }
            () => StopReason::Time,
        };
        let report = self.report(&found, began, stopped);
        let best = report.filter(|report| legal.contains(&report.moves[0].id));
        best.map_or(fallback, |report| Decision {
            id: report.moves[0].id,
            report,
        })
    }

    fn ponder(&mut self, state: &G::State, interrupt: &AtomicBool) {
        if self.learner.is_some() {
            self.learn(state, None, Some(interrupt));
        }
    }
}

/// Time between two looks at the clock, and for what is told in the end.
const SPARE: Duration = Duration::from_micros(500);
