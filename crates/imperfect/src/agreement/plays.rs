//! Plays, step by step: states, legal moves, goals and percepts.

use paidia_game::{Chance, Game, Goal, Legible, RoleId, Walker};
use serde_json::Value;

use super::{Finding, Malformed, Subject, array, member, terms};

impl<G: Game + Legible> Subject<G> {
    /// Follows recorded plays.
    ///
    /// # Errors
    /// If the data is damaged.
    pub fn plays(&self, truth: &Value) -> Result<Vec<Finding>, Malformed> {
        let mut finding = Finding::new("plays");
        for (number, play) in array(truth, "plays")?.iter().enumerate() {
            self.play(number, play, &mut finding)?;
        }
        Ok(vec![finding])
    }

    fn play(&self, number: usize, play: &Value, finding: &mut Finding) -> Result<(), Malformed> {
        let game = self.game();
        let (mut walker, mut chance) = (game.walker(), Chance::from_seed(0));
        let mut state = game.initial();
        for (step, truth) in array(play, "steps")?.iter().enumerate() {
            let place = |what: &str| format!("play {number}, step {step}, {what}");
            finding.equal(
                &game.fluents(&state),
                &terms(member(truth, "state")?)?,
                || place("state"),
            );
            finding.equal(&walker.is_terminal(), &false, || place("end"));
            self.goals(&mut walker, member(truth, "goals")?, finding, &place)?;
            let legal = walker.legal().clone();
            for (role, moves) in legal.iter() {
                let name = game.facts().role_name(role);
                let theirs = terms(member(member(truth, "legal")?, name)?)?;
                finding.equal(&self.move_names(moves.iter().copied()), &theirs, || {
                    place("legal moves")
                });
            }
            let mut joint = Vec::new();
            for role in game.facts().role_ids() {
                let name = game.facts().role_name(role);
                let text = super::text(member(truth, "moves")?, name)?;
                joint.push(
                    legal
                        .of(role)
                        .iter()
                        .copied()
                        .find(|&id| *game.moves().name(id) == *text),
                );
            }
            let Some(joint) = joint.into_iter().collect::<Option<Vec<_>>>() else {
                finding.check(false, || place("a recorded move is not legal"));
                return Ok(());
            };
            walker.advance(&joint, &mut chance);
            for role in game.facts().role_ids() {
                let Some(theirs) = member(truth, "percepts")?.get(game.facts().role_name(role))
                else {
                    continue;
                };
                let percepts = walker.percepts(role).iter();
                let mut ours: Vec<String> = percepts
                    .map(|&id| game.percepts().name(id).to_string())
                    .collect();
                ours.sort();
                finding.equal(&ours, &terms(theirs)?, || place("percepts"));
            }
            walker.save(&mut state);
        }
        let last = member(play, "final")?;
        let place = |what: &str| format!("play {number}, last state, {what}");
        finding.equal(
            &game.fluents(&state),
            &terms(member(last, "state")?)?,
            || place("state"),
        );
        let terminal = member(last, "terminal")?.as_bool() == Some(true);
        finding.equal(&walker.is_terminal(), &terminal, || place("end"));
        self.goals(&mut walker, member(last, "goals")?, finding, &place)
    }

    fn goals(
        &self,
        walker: &mut G::Walker,
        truth: &Value,
        finding: &mut Finding,
        place: &impl Fn(&str) -> String,
    ) -> Result<(), Malformed> {
        let names = truth
            .as_object()
            .ok_or_else(|| super::malformed("goals are by role"))?;
        for (name, theirs) in names {
            let role: RoleId = self.role(name)?;
            let values = theirs
                .as_array()
                .ok_or_else(|| super::malformed("goals are a list"))?;
            let agrees = match (walker.goal(role), &values[..]) {
                (Goal::None, []) => true,
                (Goal::One(ours), [theirs]) => theirs.as_i64() == Some(ours.into()),
                (Goal::Several, more) => more.len() > 1,
                _ => false,
            };
            let ours = walker.goal(role);
            finding.check(agrees, || {
                format!("{}: here {ours:?}, there {theirs}", place(name))
            });
        }
        Ok(())
    }
}
