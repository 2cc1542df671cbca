//! Formulas and properties with their truth.

use paidia_game::{Game, Legible};
use serde_json::Value;

use super::{Finding, Malformed, array, member, text};
use crate::epistemic::check::{Checker, Derive};
use crate::epistemic::{Formula, standard};

/// Compares the truth of formulas.
///
/// # Errors
/// If the data is damaged.
pub fn formulas<G: Game + Legible>(
    checker: &mut Checker<G>,
    derive: &mut dyn Derive<G::State>,
    truth: &Value,
) -> Result<Finding, Malformed> {
    let mut finding = Finding::new("formulas");
    for entry in array(truth, "formulas")? {
        let (name, written) = (text(entry, "name")?, text(entry, "formula")?);
        let theirs = member(entry, "value")?.as_bool();
        let formula = Formula::read(written).map_err(|error| Malformed(error.to_string()))?;
        match checker.check(&formula, derive) {
            Ok(answer) => {
                finding.equal(&Some(answer.holds), &theirs, || {
                    format!("{name}: {written}")
                });
                // A universal formula that does not hold has a run to show for it.
                finding.check(answer.holds || answer.run.is_some(), || {
                    format!("{name}: no run")
                });
            }
            Err(error) => finding.check(false, || format!("{name}: {error}")),
        }
    }
    Ok(finding)
}

/// Compares the six properties of every game; those that the data does not have are left out.
///
/// # Errors
/// If the data is damaged.
pub fn properties<G: Game + Legible>(
    checker: &mut Checker<G>,
    derive: &mut dyn Derive<G::State>,
    truth: &Value,
) -> Result<Finding, Malformed> {
    let mut finding = Finding::new("properties (1) to (6)");
    let Some(theirs) = truth.get("properties").and_then(Value::as_object) else {
        finding.note = Some("there are none".to_owned());
        return Ok(finding);
    };
    let properties = match standard::properties(checker.explorer()) {
        Ok(properties) => properties,
        Err(error) => {
            finding.check(false, || error.to_string());
            return Ok(finding);
        }
    };
    for property in properties {
        let player = property.player.iter().map(|player| format!(" {player}"));
        let key = format!("P{}{}", property.number, player.collect::<String>());
        let Some(theirs) = theirs.get(&key).and_then(Value::as_bool) else {
            continue;
        };
        match checker.check(&property.formula, derive) {
            Ok(answer) => finding.equal(&answer.holds, &theirs, || key.clone()),
            Err(error) => finding.check(false, || format!("{key}: {error}")),
        }
    }
    Ok(finding)
}
