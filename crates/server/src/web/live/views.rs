//! Tables in real time as the page sees them.

use std::collections::BTreeMap;

use paidia_arena::rules::Ruleset;
use paidia_game::{Lasting, MoveId, RoleId, Rules, Ticks, TimedGame, TimedWalker};
use paidia_library::BundledGame;
use paidia_picture::{Frame as Picture, Rules as Drawn, Scene};
use paidia_reason::timed::{Timed, Walker};
use serde::Serialize;

/// A game that can be played in real time.
#[derive(Serialize)]
pub(super) struct GameView {
    id: &'static str,
    title: String,
    players: u16,
    roles: Vec<String>,
    rules: String,
    /// Seconds that a unit of time usually takes.
    pace: f64,
}

/// How long a unit of game time takes if nothing is said, in seconds.
pub(super) fn usual_pace(rules: &Ruleset) -> f64 {
    let milliseconds = rules.metadata().and_then(|facts| facts.unit_milliseconds);
    f64::from(milliseconds.unwrap_or(1_000)) / 1_000.0
}

impl GameView {
    pub(super) fn new(game: &'static BundledGame) -> Option<Self> {
        let facts = game.facts().ok()?;
        let roles = game.rules.split("(role ").skip(1);
        let roles = roles.filter_map(|rest| rest.split(')').next());
        let roles = roles.filter(|role| *role != "random" && !role.starts_with('?'));
        Some(Self {
            id: game.name,
            roles: roles.map(str::to_owned).collect(),
            players: facts.players,
            pace: f64::from(facts.unit_milliseconds.unwrap_or(1_000)) / 1_000.0,
            title: facts.title,
            rules: facts.rules,
        })
    }
}

/// A table in a list.
#[derive(Serialize)]
pub(super) struct TableLine {
    pub(super) id: String,
    pub(super) game: String,
    pub(super) title: String,
    pub(super) seats: Vec<SeatView>,
    pub(super) begun: bool,
    pub(super) over: bool,
}

/// Who has a role.
#[derive(Clone, Serialize)]
pub(super) struct SeatView {
    pub(super) role: String,
    /// `open`, `person`, or the player.
    pub(super) who: String,
}

/// A legal move, and what to click for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct MoveView {
    #[serde(rename = "move")]
    text: String,
    steps: Vec<Vec<u32>>,
}

/// A fact that ends.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CountdownView {
    fact: String,
    /// The game time at which it ends.
    ends: f64,
    /// How long it lasts in all, as far as is known: from when it was first seen.
    lasts: f64,
}

/// A match after an update.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct MomentView {
    pub(super) number: usize,
    /// The game time of the update.
    pub(super) time: f64,
    /// The state; nothing where it is hidden.
    #[serde(flatten)]
    pub(super) picture: Option<Picture>,
    pub(super) countdowns: Vec<CountdownView>,
    /// For each role, who made which move.
    pub(super) moves: BTreeMap<String, String>,
    pub(super) expired: Vec<String>,
    /// For each player's role.
    pub(super) legal: Vec<Vec<MoveView>>,
    /// What the role perceives, where the game hides things.
    pub(super) percepts: Option<Vec<String>>,
    pub(super) over: bool,
    pub(super) goals: Option<Vec<Option<i32>>>,
}

/// Makes pictures of a match.
pub(super) struct TimedCamera {
    pub(super) scene: Scene,
    game: Timed,
    /// When facts that end were first seen, by fact and end.
    seen: BTreeMap<(String, Ticks), Ticks>,
}

impl TimedCamera {
    pub(super) fn new(rules: &Ruleset, game: &Timed) -> Self {
        let drawn = rules.gdl().ok().map(|rules| Drawn {
            sheet: &rules.sheet,
            program: &rules.program,
        });
        let initial = game.lasting(&game.initial()).into_iter();
        let initial: Vec<String> = initial.map(|(_, fact)| fact).collect();
        Self {
            scene: Scene::new(drawn, rules.metadata(), &[initial]),
            game: game.clone(),
            seen: BTreeMap::new(),
        }
    }

    /// The facts of a state at a time on the boards, and those that end.
    pub(super) fn facts(
        &mut self,
        lasting: &[Lasting],
        time: Ticks,
    ) -> (Picture, Vec<CountdownView>) {
        let mut texts: Vec<String> = lasting.iter().map(|(_, fact)| fact.clone()).collect();
        texts.sort();
        texts.dedup();
        let mut seen = BTreeMap::new();
        let mut countdowns = Vec::new();
        for (left, fact) in lasting {
            let Some(left) = left else {
                continue;
            };
            let key = (fact.clone(), time + *left);
            let since = self.seen.get(&key).copied().unwrap_or(time);
            countdowns.push(CountdownView {
                fact: fact.clone(),
                ends: key.1.units(),
                lasts: key.1.since(since).units(),
            });
            seen.insert(key, since);
        }
        self.seen = seen;
        (self.scene.frame(&texts), countdowns)
    }

    /// What each player's role may do.
    pub(super) fn legal(&self, walker: &mut Walker) -> Vec<Vec<MoveView>> {
        let roles: Vec<RoleId> = self.game.facts().players().collect();
        let view = |&id: &MoveId| {
            let text = self.game.moves().name(id).to_string();
            let steps = self.scene.steps(&text);
            MoveView { text, steps }
        };
        let legal = walker.legal();
        let of = |role: RoleId| legal.of(role).iter().map(view).collect();
        roles.into_iter().map(of).collect()
    }
}
