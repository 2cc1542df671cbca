//! The players that there are, by name.

mod alphabeta;
mod board;
mod hidden;
mod knowledge;
mod learning;
mod nested;
mod playouts;
#[cfg(test)]
mod tests;
mod tree;
mod video;

use paidia_game::{Game, Information, RoleId};
use paidia_imperfect::players::Equilibrist;
use paidia_search::alphabeta::Settings as AlphaBetaSettings;
use paidia_search::flat::Flat;
use paidia_search::leaves::crew::Crewing;
use paidia_search::nested::Nested;
use paidia_search::puzzle::{Method, Puzzler};
use paidia_search::uct::{Leaves, Playouts, Returns, Settings, Uct};
use paidia_search::{Informed, InformedPlayer, Player, RandomPlayer};
use paidia_video::players::{
    Method as VideoMethod, Novelty, Settings as VideoSettings, TreeOptions,
};

use crate::options::{self, Catalogue, Configured, Entry, Setting};
use crate::playable::Playable;
use crate::spec::{BadPlayer, PlayerSpec};
use board::BoardSearch;
use learning::{LEARN, Learn, learner, learns};
use tree::{DISCOUNT, TREE};
pub use tree::{MEMORY, THREADS};

/// An option of a player.
type PlayerSetting = Setting<PlayerSettings>;
type Words<T> = options::Words<PlayerSettings, T>;
type Number = options::Number<PlayerSettings>;
type Whole = options::Whole<PlayerSettings>;

/// What is set about a player.
#[derive(Clone, Copy, Debug)]
pub struct PlayerSettings {
    algorithm: Algorithm,
    /// The search, as far as the player has one.
    pub search: Settings,
    /// Whether it finds out before a match which search is best.
    learn: Learn,
    /// Whether puzzles are searched by IDA* before the first move.
    deepens: bool,
    /// What alpha-beta has.
    alphabeta: AlphaBetaSettings,
    /// What players have that are made for hidden information.
    hidden: hidden::HiddenSettings,
    /// What controllers of video games have.
    video: paidia_video::players::Settings,
    /// What the player of board games has.
    board: board::BoardSettings,
}

/// What a player does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Algorithm {
    Best,
    Tree,
    Deepening,
    Flat,
    Nested,
    HyperPlay,
    HyperPlayTwo,
    InformationSets,
    Equilibrium,
    Video,
    AlphaBeta,
    Filter,
    Board,
    Random,
}

impl PlayerSettings {
    fn new(algorithm: Algorithm, search: Settings) -> Self {
        Self {
            algorithm,
            search,
            deepens: matches!(algorithm, Algorithm::Tree | Algorithm::Deepening),
            learn: match algorithm {
                Algorithm::Best => Learn::All,
                _ => Learn::No,
            },
            alphabeta: AlphaBetaSettings::default(),
            hidden: hidden::HiddenSettings::default(),
            video: VideoSettings::of(VideoMethod::Chooser),
            board: board::BoardSettings::default(),
        }
    }

    /// Whether it plays video games and no others.
    pub fn is_for_video(&self) -> bool {
        self.algorithm == Algorithm::Video
    }

    /// Whether it plays by all that its role was told, and so cannot be asked about a state.
    pub fn needs_history(&self) -> bool {
        matches!(
            self.algorithm,
            Algorithm::HyperPlay
                | Algorithm::HyperPlayTwo
                | Algorithm::InformationSets
                | Algorithm::Equilibrium
                | Algorithm::Filter
        )
    }

    /// Whether it plays simplified board games only, and GDL that was made of them.
    pub fn needs_board(&self) -> bool {
        self.algorithm == Algorithm::Board
    }

    /// Whether there are games that it refuses to play: it is made for others.
    pub fn refuses_some(&self) -> bool {
        let is_for_some = matches!(self.algorithm, Algorithm::AlphaBeta | Algorithm::Filter);
        is_for_some || self.is_for_video() || self.needs_board()
    }

    /// Threads that it keeps busy, where it is not left to the machine how many.
    pub fn threads(&self) -> usize {
        let crew = self.crew().map_or(1, |(crew, _)| crew.threads);
        self.search.threads.unwrap_or(1) * crew
    }

    /// The crew of leaf threads, if there is one, and how many playouts it makes from each
    /// position.
    pub fn crew(&self) -> Option<(Crewing, u32)> {
        match self.search.leaves {
            Leaves::Crewed { playouts, crew } => Some((crew, playouts)),
            Leaves::Scalar | Leaves::Batched { .. } => None,
        }
    }
}

impl Configured for PlayerSettings {
    const CATALOGUE: Catalogue<Self> = Catalogue {
        noun: "player",
        a_noun: "a player",
        example: "`uct` or `uct(exploration=40, discount=0.99)`",
        entries: PLAYERS,
    };
}

/// What searches of puzzles have before the first move.
const PUZZLES: PlayerSetting = Setting::new(
    "puzzles",
    "games of one role: searched by memory-enhanced IDA* before the first move (`ida`), and by the tree alone if that found nothing, or from the start (`tree`)",
    &Words {
        words: &[("ida", true), ("tree", false)],
        get: |s| Some(s.deepens),
        set: |s, deepens| s.deepens = deepens,
    },
);

/// The options of tree searches.
const TREES: &[&[PlayerSetting]] = &[
    TREE,
    &[PUZZLES],
    playouts::OPTIONS,
    nested::PLAYOUTS,
    knowledge::OPTIONS,
];

/// All players.
pub const PLAYERS: &[Entry<PlayerSettings>] = &[
    Entry {
        name: "paidia",
        what: "our best: tree search with proofs, of the kind that a trial before the match finds best; puzzles are searched for a solution, simplified board games by alpha-beta, small games with hidden information for an equilibrium",
        groups: &[
            TREE,
            playouts::OPTIONS,
            nested::PLAYOUTS,
            knowledge::OPTIONS,
            &[LEARN],
        ],
        defaults: || PlayerSettings::new(Algorithm::Best, Settings::paidia()),
    },
    Entry {
        name: "uct",
        what: "CADIA-Player as its thesis describes it (CPuct)",
        groups: TREES,
        defaults: || PlayerSettings::new(Algorithm::Tree, Settings::cadia()),
    },
    Entry {
        name: "uct-history",
        what: "CADIA-Player with the history heuristic (CPimp)",
        groups: TREES,
        defaults: || PlayerSettings::new(Algorithm::Tree, Settings::cadia_history()),
    },
    Entry {
        name: "ida",
        what: "memory-enhanced IDA* for puzzles, as CADIA-Player has it: follows the best solution found before the first move, and hands over to `uct` if there is none",
        groups: TREES,
        defaults: || PlayerSettings::new(Algorithm::Deepening, Settings::cadia()),
    },
    Entry {
        name: "mc-memory",
        what: "random simulations with the tree's memory (MCmem)",
        groups: TREES,
        defaults: || PlayerSettings {
            deepens: false,
            ..PlayerSettings::new(Algorithm::Tree, Settings::monte_carlo_memory())
        },
    },
    Entry {
        name: "mc-flat",
        what: "random simulations without memory (MCorg)",
        groups: &[&[DISCOUNT]],
        defaults: || PlayerSettings::new(Algorithm::Flat, Settings::cadia()),
    },
    Entry {
        name: "nested",
        what: "searches whose playouts are searches of a level less, without a tree (NMC)",
        groups: &[nested::OWN],
        defaults: || {
            let playouts = Playouts::Nested(nested::USUAL_PLAYER);
            let search = Settings {
                playouts,
                ..Settings::cadia()
            };
            PlayerSettings::new(Algorithm::Nested, search)
        },
    },
    Entry {
        name: "alphabeta",
        what: "principal variation search for games of two in turn, by an evaluation learnt from playouts before the match",
        groups: &[alphabeta::OWN, &[tree::MEMORY]],
        defaults: || PlayerSettings::new(Algorithm::AlphaBeta, alphabeta::usual()),
    },
    Entry {
        name: "hyperplay",
        what: "for hidden information: random play after each move, over hypergames that agree with what was told (HP)",
        groups: &[hidden::BAG, hidden::INDEX],
        defaults: || PlayerSettings::new(Algorithm::HyperPlay, Settings::cadia()),
    },
    Entry {
        name: "hyperplay-ii",
        what: "for hidden information: each move judged by play in which no role knows more than it was told (HP-II)",
        groups: &[hidden::BAG, hidden::INDEX],
        defaults: || PlayerSettings::new(Algorithm::HyperPlayTwo, Settings::cadia()),
    },
    Entry {
        name: "ismcts",
        what: "for hidden information: tree search over what each role was told (ISMCTS)",
        groups: &[hidden::BAG, hidden::TREES],
        defaults: || PlayerSettings::new(Algorithm::InformationSets, Settings::cadia()),
    },
    Entry {
        name: "equilibrium",
        what: "for hidden information: an equilibrium of a small game for two with opposite goals, the best plan of one for one; else as `ismcts`",
        groups: &[],
        defaults: || PlayerSettings::new(Algorithm::Equilibrium, Settings::cadia()),
    },
    Entry {
        name: "video",
        what: "our best for video games: begins as `scout`, and lets those below play where trials before the first action say that they are clearly better",
        groups: &[],
        defaults: || video::player(VideoMethod::Chooser),
    },
    Entry {
        name: "scout",
        what: "for video games, ours: plans by width that are kept from tick to tick, beside `olets`; thinks on while nothing moves",
        groups: &[],
        defaults: || video::player(VideoMethod::Scout),
    },
    Entry {
        name: "one-step",
        what: "for video games: one step of look-ahead, ten samples of each action",
        groups: &[],
        defaults: || video::player(VideoMethod::OneStep),
    },
    Entry {
        name: "breadth",
        what: "for video games: search in breadth, for the path with the highest reward",
        groups: &[video::BREADTH],
        defaults: || video::player(VideoMethod::Width(Novelty::All)),
    },
    Entry {
        name: "iw",
        what: "for video games: search in breadth without states in which nothing is new (IW)",
        groups: &[video::WIDTH, video::BREADTH],
        defaults: || video::player(VideoMethod::Width(Novelty::One)),
    },
    Entry {
        name: "mcts",
        what: "for video games: tree search to a depth of ten, as the sample controllers of GVGAI",
        groups: &[video::TREE],
        defaults: || video::tree_player(TreeOptions::default()),
    },
    Entry {
        name: "fast-evo",
        what: "for video games: tree search whose playouts are evolved",
        groups: &[video::TREE],
        defaults: || {
            video::tree_player(TreeOptions {
                evolve: true,
                ..TreeOptions::default()
            })
        },
    },
    Entry {
        name: "kb",
        what: "for video games: tree search with rewards for what it learns of types of sprites",
        groups: &[video::TREE],
        defaults: || {
            video::tree_player(TreeOptions {
                knowledge: true,
                ..TreeOptions::default()
            })
        },
    },
    Entry {
        name: "kb-fast-evo",
        what: "for video games: both",
        groups: &[video::TREE],
        defaults: || {
            video::tree_player(TreeOptions {
                evolve: true,
                knowledge: true,
                ..TreeOptions::default()
            })
        },
    },
    Entry {
        name: "rolling",
        what: "for video games: plans are evolved, and go on with the next decision (RHEA)",
        groups: &[video::ROLLING],
        defaults: || video::player(VideoMethod::Rolling),
    },
    Entry {
        name: "olets",
        what: "for video games: open-loop expectimax tree search (OLETS)",
        groups: &[],
        defaults: || video::player(VideoMethod::Olets),
    },
    Entry {
        name: "filter",
        what: "for hidden information: any move that it knows to be legal, by filtering what it was told with the rules",
        groups: &[hidden::FILTER],
        defaults: || PlayerSettings::new(Algorithm::Filter, Settings::cadia()),
    },
    Entry {
        name: "board",
        what: "for simplified board games: alpha-beta search with values of men by the rules (RBgPlayer)",
        groups: &[board::OPTIONS],
        defaults: || PlayerSettings::new(Algorithm::Board, Settings::paidia()),
    },
    Entry {
        name: "random",
        what: "any legal move",
        groups: &[],
        defaults: || PlayerSettings::new(Algorithm::Random, Settings::cadia()),
    },
];

/// Makes a player for a role of a game. Where the game hides things it knows its own moves and
/// percepts.
///
/// # Errors
/// As [`Playable::search`].
pub fn make<G: Game>(
    spec: &PlayerSpec,
    playable: &Playable<G>,
    role: RoleId,
    seed: u64,
) -> Result<Box<dyn Player<G>>, BadPlayer> {
    playable.player(spec, role, seed)
}

/// Makes a player, as [`make`] does.
pub(crate) fn make_player<G: Game>(
    spec: &PlayerSpec,
    playable: &Playable<G>,
    role: RoleId,
    seed: u64,
) -> Result<Box<dyn Player<G>>, BadPlayer> {
    let game = &playable.game;
    if let Some(player) = hidden::make(spec, playable, role, seed)? {
        return Ok(player);
    }
    let search = playable.search(spec, role, seed)?;
    let algorithm = spec.settings().algorithm;
    if algorithm == Algorithm::Random {
        return Ok(Box::new(RandomPlayer::new(game, role, seed)));
    }
    let player = Box::new(InformedPlayer::new(game, role, search, seed));
    Ok(match (algorithm, game.facts().information) {
        (Algorithm::Best, Information::Hidden) => {
            let solutions = playable.solutions().clone();
            Box::new(Equilibrist::new(game, role, player, solutions, seed))
        }
        _ => player,
    })
}

/// Makes the search of a player, as [`Playable::search`] does.
pub(crate) fn make_search<G: Game>(
    spec: &PlayerSpec,
    playable: &Playable<G>,
    role: RoleId,
    seed: u64,
) -> Result<Box<dyn Informed<G>>, BadPlayer> {
    let game = &playable.game;
    let PlayerSettings {
        algorithm, search, ..
    } = *spec.settings();
    if spec.settings().needs_history() {
        return Err(BadPlayer::NeedsHistory(spec.entry().name));
    }
    if let Some(search) = video::make(spec, game, seed)? {
        return Ok(search);
    }
    Ok(match (algorithm, search.playouts) {
        (Algorithm::Random, _) => Box::new(RandomPlayer::new(game, role, seed)),
        (Algorithm::AlphaBeta, _) => {
            let settings = spec.settings().alphabeta;
            let player = alphabeta::make(playable, role, settings, search.memory, seed);
            Box::new(player.map_err(|because| BadPlayer::OtherGames {
                player: spec.entry().name,
                because,
            })?)
        }
        (Algorithm::Board, _) => {
            let board = playable.board().ok_or(BadPlayer::NeedsBoard)?;
            Box::new(BoardSearch::new(game, board, role, *spec.settings(), seed)?)
        }
        (Algorithm::Flat, _) => Box::new(Flat::new(game, role, search.discount, seed)),
        (Algorithm::Nested, Playouts::Nested(nesting)) => {
            Box::new(Nested::new(game, role, nesting, seed))
        }
        (Algorithm::Best, _) if is_puzzle(game) => {
            Box::new(Puzzler::new(game, role, Method::Auto, search, seed))
        }
        (Algorithm::Tree | Algorithm::Deepening, _)
            if spec.settings().deepens && is_puzzle(game) =>
        {
            let memory = search.memory / 2;
            let fallback = searcher(playable, role, Settings { memory, ..search }, seed)?;
            Box::new(Puzzler::giving_up(game, role, memory, fallback, seed))
        }
        (Algorithm::Best, _) if learns(spec) && playable.board().is_some() => {
            let board = playable.board().ok_or(BadPlayer::NeedsBoard)?;
            Box::new(BoardSearch::new(game, board, role, *spec.settings(), seed)?)
        }
        (Algorithm::Best, _) if learns(spec) => Box::new(learner(playable, role, spec, seed)?),
        _ => Box::new(searcher(playable, role, search, seed)?),
    })
}

/// A tree search with everything that the game has for it.
///
/// # Errors
/// If the settings want advice that the game is too complex for.
fn searcher<G: Game>(
    playable: &Playable<G>,
    role: RoleId,
    settings: Settings,
    seed: u64,
) -> Result<Uct<G>, BadPlayer> {
    let player = Uct::new(&playable.game, role, settings, seed);
    let mut player = player.with_evaluation(playable.pupil(seed));
    if let Some(source) = playable.advice() {
        player.take_advice(source)?;
    }
    Ok(match playable.leaves() {
        Some(source) => player.with_leaves(source),
        None => player,
    })
}

/// The same player with one thread, unless it says itself how many: where players are compared,
/// none has more of the machine.
pub fn alone(spec: &PlayerSpec) -> PlayerSpec {
    match spec.has(&THREADS) && !spec.sets(&THREADS) {
        true => spec
            .with(THREADS.name, "1")
            .unwrap_or_else(|_| spec.clone()),
        false => spec.clone(),
    }
}

/// Whether a player stops thinking without any limit.
pub fn ends_by_itself(spec: &PlayerSpec) -> bool {
    matches!(
        spec.settings().algorithm,
        Algorithm::Nested | Algorithm::Random | Algorithm::Filter
    )
}

/// Whether what a player tells of the value of a move in a game of two is the difference between
/// its goal and the other's, and not its goal.
pub fn tells_differences(spec: &PlayerSpec) -> bool {
    let settings = spec.settings();
    !hidden::is_made_for(settings.algorithm)
        && !matches!(settings.algorithm, Algorithm::Nested | Algorithm::Board)
        && settings.search.returns == Returns::Difference
}

/// Whether a player in a game that hides things goes by all that its role was told.
pub(crate) fn goes_by_history(spec: &PlayerSpec) -> bool {
    let settings = spec.settings();
    settings.needs_history() || settings.algorithm == Algorithm::Best
}

/// Whether there is one player and no chance, so that a solution can be searched for.
fn is_puzzle<G: Game>(game: &G) -> bool {
    let facts = game.facts();
    facts.players().count() == 1 && !facts.has_chance()
}
