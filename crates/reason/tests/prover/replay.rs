//! Play that an independent reasoner recorded, followed by one of our engines.

use paidia_game::{Chance, Game, Goal, Legible, MoveId, Walker};

/// A state as it was recorded, with what was done there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    pub(crate) state: Vec<String>,
    pub(crate) terminal: bool,
    /// For each role its moves, if they were recorded.
    pub(crate) legal: Option<Vec<Vec<String>>>,
    /// For each role its value, if there is exactly one.
    pub(crate) goals: Option<Vec<Option<i32>>>,
    /// The joint move that leads to the next step, if that was recorded.
    pub(crate) moves: Option<Vec<String>>,
}

/// Follows a recorded playout; what differs first, if anything does.
pub(crate) fn difference<G: Game + Legible>(game: &G, steps: &[Step]) -> Option<String> {
    let mut walker = game.walker();
    for (number, step) in steps.iter().enumerate() {
        if number == 0 || steps[number - 1].moves.is_none() {
            let texts: Vec<&str> = step.state.iter().map(String::as_str).collect();
            match game.state(&texts) {
                Ok(state) => walker.jump(&state),
                Err(unknown) => return Some(format!("step {number}: {unknown}")),
            }
        }
        let found = compare(game, &mut walker, step);
        if let Some(what) = found.or_else(|| fault(&walker)) {
            return Some(format!("step {number}: {what}"));
        }
        if let Some(moves) = &step.moves {
            let find = |name: &String| game.moves().find(name).unwrap_or(MoveId::CHANCE);
            let joint: Vec<MoveId> = moves.iter().map(find).collect();
            walker.advance(&joint, &mut Chance::from_seed(0));
        }
    }
    None
}

fn fault<W: Walker>(walker: &W) -> Option<String> {
    walker.fault().map(ToString::to_string)
}

fn compare<G: Game + Legible>(game: &G, walker: &mut G::Walker, step: &Step) -> Option<String> {
    let mut state = game.initial();
    walker.save(&mut state);
    let differ = |what: &str, theirs: String, ours: String| {
        (theirs != ours).then(|| format!("{what}: recorded {theirs}, found {ours}"))
    };
    let fluents = format!("{:?}", game.fluents(&state));
    let mut recorded = step.state.clone();
    recorded.sort();
    let terminal = walker.is_terminal();
    let mut found = differ("fluents", format!("{recorded:?}"), fluents)
        .or_else(|| differ("end", step.terminal.to_string(), terminal.to_string()));
    if let Some(goals) = &step.goals {
        let roles = game.facts().role_ids();
        let ours = roles.map(|role| match walker.goal(role) {
            Goal::One(value) => Some(value),
            Goal::None | Goal::Several => None,
        });
        let ours: Vec<Option<i32>> = ours.collect();
        found = found.or_else(|| differ("goals", format!("{goals:?}"), format!("{ours:?}")));
    }
    if let Some(theirs) = &step.legal {
        let legal = walker.legal();
        let name = |&id: &MoveId| game.moves().name(id).to_string();
        let of = |role| {
            let mut names: Vec<String> = legal.of(role).iter().map(name).collect();
            names.sort();
            names
        };
        let ours: Vec<Vec<String>> = game.facts().role_ids().map(of).collect();
        let mut theirs = theirs.clone();
        theirs.iter_mut().for_each(|moves| moves.sort());
        found = found.or_else(|| differ("legal", format!("{theirs:?}"), format!("{ours:?}")));
    }
    found
}
