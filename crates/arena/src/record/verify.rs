//! Repeating a record with an engine.

use paidia_game::{Chance, Game, Goal, IllegalMove, Legible, MoveId, Walker, play};

use super::format::MatchRecord;

/// Something that an engine sees differently than a record.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// How many joint moves were made before.
    pub step: usize,
    /// What differs.
    pub what: String,
    /// What only the record has.
    pub recorded: Vec<String>,
    /// What only the engine has.
    pub engine: Vec<String>,
}

/// Plays a record again from the start of the game, and lists what differs: roles, states, moves
/// that are illegal, the end, goals. After an illegal move nothing more can be said, so the list
/// ends there.
pub fn verify<G: Game + Legible>(game: &G, record: &MatchRecord) -> Vec<Difference> {
    let mut repeat = Repeat {
        game,
        walker: game.walker(),
        found: Vec::new(),
    };
    if repeat.roles(record) && repeat.steps(record) {
        repeat.end(record);
    }
    repeat.found
}

struct Repeat<'a, G: Game> {
    game: &'a G,
    walker: G::Walker,
    found: Vec<Difference>,
}

impl<G: Game + Legible> Repeat<'_, G> {
    fn differ(&mut self, step: usize, what: &str, recorded: Vec<String>, engine: Vec<String>) {
        self.found.push(Difference {
            step,
            what: what.to_owned(),
            recorded,
            engine,
        });
    }

    /// Whether the record has the roles of the game.
    fn roles(&mut self, record: &MatchRecord) -> bool {
        let roles = &self.game.facts().roles;
        let same = match &record.game_role_names {
            Some(named) => named == roles,
            None => record.roles() == roles.len(),
        };
        if !same {
            let named = record.game_role_names.clone();
            let recorded = named.unwrap_or_else(|| vec![format!("{} roles", record.roles())]);
            self.differ(0, "roles", recorded, roles.clone());
        }
        same
    }

    /// Makes the moves; whether all could be made.
    fn steps(&mut self, record: &MatchRecord) -> bool {
        for (step, state) in record.states.iter().enumerate() {
            self.state(step, state);
            let Some(moves) = record.moves.get(step) else {
                break;
            };
            if let Err(illegal) = self.make(moves) {
                self.differ(step, &illegal.to_string(), moves.clone(), Vec::new());
                return false;
            }
            if let Some(fault) = self.walker.fault() {
                let what = fault.to_string();
                self.differ(step, &what, Vec::new(), Vec::new());
                return false;
            }
        }
        true
    }

    fn state(&mut self, step: usize, recorded: &[String]) {
        if step > 0 && !self.game.facts().is_repeatable() && self.jump(recorded) {
            return;
        }
        let mut state = self.game.initial();
        self.walker.save(&mut state);
        let engine = self.game.fluents(&state);
        let only = |these: &[String], those: &[String]| -> Vec<String> {
            let these = these.iter();
            these
                .filter(|fluent| !those.contains(fluent))
                .cloned()
                .collect()
        };
        let (ours, theirs) = (only(&engine, recorded), only(recorded, &engine));
        if !ours.is_empty() || !theirs.is_empty() {
            self.differ(step, "state", theirs, ours);
        }
    }

    /// Goes on from the recorded state: where the rules draw, moves do not lead to it. Whether it
    /// is a state of this game.
    fn jump(&mut self, recorded: &[String]) -> bool {
        let texts: Vec<&str> = recorded.iter().map(String::as_str).collect();
        let state = self.game.state(&texts);
        state.is_ok_and(|state| {
            self.walker.jump(&state);
            true
        })
    }

    fn make(&mut self, moves: &[String]) -> Result<(), IllegalMove> {
        // The legal moves are asked for first: engines may learn the texts of moves only then.
        let facts = self.game.facts();
        let legal = self.walker.legal();
        let mut joint = Vec::new();
        for (role, text) in facts.role_ids().zip(moves) {
            let id = self.game.moves().find(text);
            let id = id.filter(|id| legal.of(role).contains(id));
            joint.push(id.ok_or_else(|| IllegalMove::NotLegal {
                role,
                role_name: facts.role_name(role).to_owned(),
                text: text.clone(),
            })?);
        }
        let joint: Vec<MoveId> = joint;
        // Every role's move is given, so chance has nothing to draw.
        play(
            self.game,
            &mut self.walker,
            &joint,
            &mut Chance::from_seed(0),
        )
    }

    fn end(&mut self, record: &MatchRecord) {
        let step = record.moves.len();
        let over = self.walker.is_terminal();
        if over != record.is_completed {
            let texts = [record.is_completed, over].map(|over| vec![over.to_string()]);
            let [recorded, engine] = texts;
            self.differ(step, "whether the game is over", recorded, engine);
        }
        if !over || record.goal_values.is_empty() {
            return;
        }
        for (role, recorded) in self.game.facts().role_ids().zip(&record.goal_values) {
            let goal = self.walker.goal(role);
            if goal != Goal::One(*recorded) {
                let what = format!("goal of {}", self.game.facts().role_name(role));
                let engine = goal.value().map(|goal| goal.to_string());
                let engine = vec![engine.unwrap_or_else(|| "none".to_owned())];
                self.differ(step, &what, vec![recorded.to_string()], engine);
            }
        }
    }
}
