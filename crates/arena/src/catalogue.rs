//! The players that there are, by name.

mod advice;
mod crew;
mod history;
mod learning;
mod nested;
mod playouts;
mod rave;
mod sufficiency;

use paidia_game::{Game, RoleId};
use paidia_search::flat::Flat;
use paidia_search::nested::Nested;
use paidia_search::puzzle::{Method, Puzzler};
use paidia_search::uct::{Choice, Leaves, Parallel, Playouts, Returns, Selection, Settings, Uct};
use paidia_search::{Informed, InformedPlayer, Player, RandomPlayer};

use crate::playable::Playable;
use crate::spec::{BadPlayer, PlayerSpec};
use advice::{ADVICE, AFTER, PERSISTENCE, SCALE, SPREAD, set_advice};
pub use crew::crew_of;
use crew::{LEAF_THREADS, MANAGEMENT, POSITIONS, set_crew};
use history::{HISTORY, set_history};
use learning::{LEARN, learner, learns};
use nested::set_nested;
use playouts::{DECAY, EPSILON, LEAST, PLAYOUTS, TEMPERATURE, set_playouts};
use rave::{EQUIVALENCE, MARGIN, RAVE, set_rave};
use sufficiency::{SUFFICIENCY, set_sufficiency};

/// Something that can be set about a player.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// How it is written.
    pub name: &'static str,
    /// What it means, with its unit.
    pub what: &'static str,
    /// What it takes.
    pub wanted: &'static str,
}

/// A kind of player.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// How it is written.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub what: &'static str,
    /// What can be set.
    pub keys: &'static [Key],
}

impl Kind {
    /// How its tree is searched if nothing is said.
    fn settings(&self) -> Settings {
        match self.name {
            "paidia" => Settings::paidia(),
            "uct-history" => Settings::cadia_history(),
            "mc-memory" => Settings::monte_carlo_memory(),
            nested::NAME => Settings {
                playouts: Playouts::Nested(nested::usual_player()),
                ..Settings::cadia()
            },
            _ => Settings::cadia(),
        }
    }

    /// What a key is if nothing is said about it, as it would be written; nothing for a key that it has not.
    pub fn default_of(&self, key: &Key) -> String {
        if let Some(word) = crew::written(key) {
            return word.to_owned();
        }
        let settings = self.settings();
        if self.name == nested::NAME || key.name.starts_with(nested::NAME) {
            return nested::written(key, settings.playouts).unwrap_or_default();
        }
        let (exploration, growth) = match settings.selection {
            Selection::Uct {
                exploration,
                growth,
            } => (exploration.to_string(), growth.to_string()),
            Selection::Random | Selection::Rave(_) => (String::new(), String::new()),
        };
        let either = |first: bool, words: [&str; 2]| words[usize::from(!first)].to_owned();
        match key.name {
            "exploration" => exploration,
            "growth" => growth,
            "discount" => settings.discount.to_string(),
            "returns" => either(settings.returns == Returns::Own, ["own", "difference"]),
            "choice" => either(settings.choice == Choice::BestValue, ["value", "visits"]),
            "proofs" => either(settings.proofs, ["yes", "no"]),
            "memory" => (settings.memory >> 20).to_string(),
            "noop" => either(settings.think_always, ["think", "skip"]),
            "leaves" => match settings.leaves {
                Leaves::Scalar => "one".to_owned(),
                leaves => leaves.playouts().to_string(),
            },
            "threads" => settings
                .threads
                .map_or_else(|| "auto".to_owned(), |threads| threads.to_string()),
            "rave" | "sufficiency" | "advice" => "no".to_owned(),
            "history" => history::written(&settings),
            "learn" => "yes".to_owned(),
            "share" => either(settings.parallel == Parallel::Tree, ["tree", "nothing"]),
            _ => playouts::written(key, settings.playouts),
        }
    }
}

const EXPLORATION: Key = Key {
    name: "exploration",
    what: "the constant C of UCT, on the scale of goals",
    wanted: "a number from 0 on",
};
const GROWTH: Key = Key {
    name: "growth",
    what: "how C grows with the visits N of a state: times 1 + growth * ln(1 + N / 3000)",
    wanted: "a number from 0 on",
};
const DISCOUNT: Key = Key {
    name: "discount",
    what: "what is left of a return one step further from the end",
    wanted: "a number from 0 to 1",
};
const RETURNS: Key = Key {
    name: "returns",
    what: "what a role wants in games of two",
    wanted: "`own` or `difference`",
};
const CHOICE: Key = Key {
    name: "choice",
    what: "which move is made in the end",
    wanted: "`value` or `visits`",
};
const PROOFS: Key = Key {
    name: "proofs",
    what: "whether certain values are backed up",
    wanted: "`yes` or `no`",
};
const MEMORY: Key = Key {
    name: "memory",
    what: "megabytes for the tree",
    wanted: "a whole number from 1 on",
};
const NOOP: Key = Key {
    name: "noop",
    what: "what it does where it has only one legal move: searches all the same, or answers at once",
    wanted: "`think` or `skip`",
};
const LEAVES: Key = Key {
    name: "leaves",
    what: "playouts from a leaf of the tree, many leaves at once where the engine can; `one` is one at a time",
    wanted: "`one`, or a whole number from 1 to 4096",
};
const THREADS: Key = Key {
    name: "threads",
    what: "how many threads search; `auto` is one for each processor where there is a clock, and otherwise one",
    wanted: "`auto`, or a whole number from 1 to 256",
};
const SHARE: Key = Key {
    name: "share",
    what: "what threads share",
    wanted: "`tree`, or `nothing` until the end",
};

const TREE_KEYS: [Key; 36] = [
    EXPLORATION,
    GROWTH,
    DISCOUNT,
    RETURNS,
    CHOICE,
    PROOFS,
    MEMORY,
    NOOP,
    LEAVES,
    LEAF_THREADS,
    MANAGEMENT,
    POSITIONS,
    THREADS,
    SHARE,
    PLAYOUTS,
    TEMPERATURE,
    EPSILON,
    DECAY,
    LEAST,
    nested::TREE_KEYS[0],
    nested::TREE_KEYS[1],
    nested::TREE_KEYS[2],
    nested::TREE_KEYS[3],
    nested::TREE_KEYS[4],
    nested::TREE_KEYS[5],
    nested::TREE_KEYS[6],
    RAVE,
    EQUIVALENCE,
    MARGIN,
    SUFFICIENCY,
    HISTORY,
    ADVICE,
    PERSISTENCE,
    AFTER,
    SPREAD,
    SCALE,
];
/// The default player's keys.
const PAIDIA_KEYS: [Key; TREE_KEYS.len() + 1] = {
    let mut keys = [LEARN; TREE_KEYS.len() + 1];
    let mut place = 0;
    while place < TREE_KEYS.len() {
        keys[place] = TREE_KEYS[place];
        place += 1;
    }
    keys
};
/// All kinds of players.
pub const CATALOGUE: &[Kind] = &[
    Kind {
        name: "paidia",
        what: "our best: tree search with proofs, of the kind that a trial before the match finds best; puzzles are searched for a solution",
        keys: &PAIDIA_KEYS,
    },
    Kind {
        name: "uct",
        what: "CADIA-Player as its thesis describes it (CPuct)",
        keys: &TREE_KEYS,
    },
    Kind {
        name: "uct-history",
        what: "CADIA-Player with the history heuristic (CPimp)",
        keys: &TREE_KEYS,
    },
    Kind {
        name: "mc-memory",
        what: "random simulations with the tree's memory (MCmem)",
        keys: &TREE_KEYS,
    },
    Kind {
        name: "mc-flat",
        what: "random simulations without memory (MCorg)",
        keys: &[DISCOUNT],
    },
    Kind {
        name: nested::NAME,
        what: "searches whose playouts are searches of a level less, without a tree (NMC)",
        keys: nested::OWN_KEYS,
    },
    Kind {
        name: "random",
        what: "any legal move",
        keys: &[],
    },
];

/// Makes a player for a role of a game. Where the game hides things it knows its own moves and percepts.
///
/// # Errors
/// As [`informed`].
pub fn make<G: Game>(
    spec: &PlayerSpec,
    playable: &Playable<G>,
    role: RoleId,
    seed: u64,
) -> Result<Box<dyn Player<G>>, BadPlayer> {
    let search = informed(spec, playable, role, seed)?;
    let game = &playable.game;
    Ok(match spec.name.as_str() {
        "random" => Box::new(RandomPlayer::new(game, role, seed)),
        _ => Box::new(InformedPlayer::new(game, role, search, seed)),
    })
}

/// Makes the search of a player, which is told states.
///
/// # Errors
/// If the catalogue has no such player, or the player no such key or value, or it wants advice that the game is too complex for.
pub fn informed<G: Game>(
    spec: &PlayerSpec,
    playable: &Playable<G>,
    role: RoleId,
    seed: u64,
) -> Result<Box<dyn Informed<G>>, BadPlayer> {
    let kind = check(spec)?;
    let game = &playable.game;
    let settings = settings_of(spec, kind.settings())?;
    if let (nested::NAME, Playouts::Nested(nesting)) = (kind.name, settings.playouts) {
        return Ok(Box::new(Nested::new(game, role, nesting, seed)));
    }
    if learns(spec, kind, game)? {
        return Ok(Box::new(learner(playable, role, spec, settings, seed)?));
    }
    Ok(match kind.name {
        "random" => Box::new(RandomPlayer::new(game, role, seed)),
        "mc-flat" => Box::new(Flat::new(game, role, settings.discount, seed)),
        "paidia" if is_puzzle(game) => {
            Box::new(Puzzler::new(game, role, Method::Auto, settings, seed))
        }
        _ => Box::new(searcher(playable, role, settings, seed)?),
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
    let mut player = Uct::new(&playable.game, role, settings, seed);
    if let Some(source) = playable.advice() {
        player.take_advice(source)?;
    }
    Ok(match playable.leaves() {
        Some(source) => player.with_leaves(source),
        None => player,
    })
}

/// The same player with one thread, unless it says itself how many: where players are compared, nobody has more of the machine.
pub fn alone(spec: &PlayerSpec) -> PlayerSpec {
    let mut spec = spec.clone();
    let has_threads = |kind: &Kind| kind.keys.iter().any(|key| key.name == THREADS.name);
    if check(&spec).is_ok_and(has_threads) {
        let values = &mut spec.values;
        values
            .entry(THREADS.name.to_owned())
            .or_insert_with(|| "1".to_owned());
    }
    spec
}

/// Whether a player stops thinking without any limit.
pub fn ends_by_itself(spec: &PlayerSpec) -> bool {
    [nested::NAME, "random"].contains(&spec.name.as_str())
}

/// Whether what a player tells of the value of a move in a game of two is the difference between its goal and the other's, and not its goal.
pub fn tells_differences(spec: &PlayerSpec) -> bool {
    spec.name != nested::NAME && spec.values.get(RETURNS.name).map(String::as_str) != Some("own")
}

/// Whether there is one player and no chance, so that a solution can be searched for.
fn is_puzzle<G: Game>(game: &G) -> bool {
    let facts = game.facts();
    facts.players().count() == 1 && facts.random().is_none()
}

/// The kind of a player, if its name and keys are known.
///
/// # Errors
/// Names what is unknown, and what is near it.
pub fn check(spec: &PlayerSpec) -> Result<&'static Kind, BadPlayer> {
    let Some(kind) = CATALOGUE.iter().find(|kind| kind.name == spec.name) else {
        let distance = |kind: &&Kind| strsim::damerau_levenshtein(kind.name, &spec.name);
        let nearest = CATALOGUE
            .iter()
            .min_by_key(distance)
            .filter(|kind| distance(kind) <= 3);
        return Err(BadPlayer::UnknownName {
            name: spec.name.clone(),
            nearest: nearest.map(|kind| kind.name),
        });
    };
    for key in spec.values.keys() {
        if kind.keys.iter().all(|known| known.name != key) {
            let known: Vec<&str> = kind.keys.iter().map(|key| key.name).collect();
            let known = if known.is_empty() {
                "nothing to set".into()
            } else {
                known.join(", ")
            };
            return Err(BadPlayer::UnknownKey {
                player: kind.name,
                key: key.clone(),
                known,
            });
        }
    }
    Ok(kind)
}

fn settings_of(spec: &PlayerSpec, mut settings: Settings) -> Result<Settings, BadPlayer> {
    if spec.name == nested::NAME {
        // It has no tree, and calls other things by some of the names below.
        set_nested(spec, &mut settings)?;
        return Ok(settings);
    }
    if let Selection::Uct {
        exploration,
        growth,
    } = &mut settings.selection
    {
        *exploration = number(spec, EXPLORATION, 0.0..=1e9)?.unwrap_or(*exploration);
        *growth = number(spec, GROWTH, 0.0..=1e6)?.unwrap_or(*growth);
    }
    if let Some(discount) = number(spec, DISCOUNT, 0.0..=1.0)? {
        settings.discount = discount;
    }
    if let Some(memory) = number(spec, MEMORY, 1.0..=1e6)? {
        settings.memory = memory as usize * (1 << 20);
    }
    set_playouts(spec, &mut settings)?;
    set_nested(spec, &mut settings)?;
    set_rave(spec, &mut settings)?;
    set_sufficiency(spec, &mut settings)?;
    set_history(spec, &mut settings)?;
    set_advice(spec, &mut settings)?;
    if let Some(returns) = one_of(
        spec,
        RETURNS,
        &[("own", Returns::Own), ("difference", Returns::Difference)],
    )? {
        settings.returns = returns;
    }
    if let Some(choice) = one_of(
        spec,
        CHOICE,
        &[("value", Choice::BestValue), ("visits", Choice::MostVisits)],
    )? {
        settings.choice = choice;
    }
    if let Some(proofs) = one_of(spec, PROOFS, &[("yes", true), ("no", false)])? {
        settings.proofs = proofs;
    }
    if let Some(think) = one_of(spec, NOOP, &[("think", true), ("skip", false)])? {
        settings.think_always = think;
    }
    if let Some(leaves) = leaves_of(spec)? {
        settings.leaves = leaves;
    }
    set_crew(spec, &mut settings)?;
    match spec.values.get(THREADS.name).map(String::as_str) {
        None => (),
        Some("auto") => settings.threads = None,
        Some(_) => {
            let threads = number(spec, THREADS, 1.0..=256.0)?;
            settings.threads = threads.map(|threads| threads as usize);
        }
    }
    let share = [("tree", Parallel::Tree), ("nothing", Parallel::Root)];
    if let Some(parallel) = one_of(spec, SHARE, &share)? {
        settings.parallel = parallel;
    }
    Ok(settings)
}

fn leaves_of(spec: &PlayerSpec) -> Result<Option<Leaves>, BadPlayer> {
    Ok(match spec.values.get(LEAVES.name).map(String::as_str) {
        None => None,
        Some("one") => Some(Leaves::Scalar),
        Some(_) => number(spec, LEAVES, 1.0..=4096.0)?.map(|playouts| Leaves::Batched {
            playouts: playouts as u32,
        }),
    })
}

fn bad(key: Key, value: &str) -> BadPlayer {
    BadPlayer::BadValue {
        key: key.name.into(),
        value: value.into(),
        wanted: key.wanted,
    }
}

fn number(
    spec: &PlayerSpec,
    key: Key,
    allowed: std::ops::RangeInclusive<f64>,
) -> Result<Option<f64>, BadPlayer> {
    let Some(text) = spec.values.get(key.name) else {
        return Ok(None);
    };
    match text.parse() {
        Ok(value) if allowed.contains(&value) => Ok(Some(value)),
        _ => Err(bad(key, text)),
    }
}

fn one_of<T: Copy>(
    spec: &PlayerSpec,
    key: Key,
    choices: &[(&str, T)],
) -> Result<Option<T>, BadPlayer> {
    let Some(text) = spec.values.get(key.name) else {
        return Ok(None);
    };
    let found = choices.iter().find(|(name, _)| name == text);
    found
        .map(|&(_, value)| Some(value))
        .ok_or_else(|| bad(key, text))
}

#[cfg(test)]
mod tests {
    use super::{CATALOGUE, Key, check, settings_of};
    use crate::spec::PlayerSpec;
    use paidia_search::uct::{Choice, Selection, Settings};

    fn message(text: &str) -> String {
        let spec: PlayerSpec = text.parse().unwrap();
        let settings = check(&spec).and_then(|kind| settings_of(&spec, kind.settings()));
        settings.map_or_else(|bad| bad.to_string(), |_| "fine".into())
    }

    #[test]
    fn every_name_is_a_player() {
        for kind in CATALOGUE {
            assert_eq!(message(kind.name), "fine");
        }
    }

    #[test]
    fn every_key_has_a_default_that_can_be_written() {
        for kind in CATALOGUE {
            let written = |key: &Key| format!("{}={}", key.name, kind.default_of(key));
            let keys: Vec<String> = kind.keys.iter().map(written).collect();
            // Random choice in the tree has neither.
            let keys = keys.iter().filter(|key| !key.ends_with('='));
            let keys: Vec<&str> = keys.map(String::as_str).collect();
            assert_eq!(
                message(&format!("{}({})", kind.name, keys.join(", "))),
                "fine"
            );
        }
    }

    #[test]
    fn values_are_set() {
        let spec: PlayerSpec = "uct(exploration=3.5, choice=visits, memory=2)"
            .parse()
            .unwrap();
        let settings = settings_of(&spec, Settings::cadia()).unwrap();
        let selection = Selection::Uct {
            exploration: 3.5,
            growth: 0.0,
        };
        assert_eq!(settings.selection, selection);
        assert_eq!(
            (settings.choice, settings.memory),
            (Choice::MostVisits, 2 << 20)
        );
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(
            message("utc"),
            "there is no player called `utc`; did you mean `uct`?"
        );
        assert_eq!(
            message("random(x=1)"),
            "the player `random` has no `x`; it has: nothing to set"
        );
        assert_eq!(
            message("uct(discount=2)"),
            "`2` is not a value for `discount`: a number from 0 to 1"
        );
        assert_eq!(
            message("uct(returns=all)"),
            "`all` is not a value for `returns`: `own` or `difference`"
        );
    }
}
