//! What each pass makes of a network.

use std::io::Write;

use paidia_arena::engine::NetworkReport;
use paidia_reason::propnet::PASSES;

use crate::{terminal, text};

/// Shows gates and operations after each stage, and which passes were left out.
pub(super) fn write_passes(
    out: &mut dyn Write,
    game: &str,
    network: &NetworkReport,
) -> anyhow::Result<()> {
    let strong = terminal::STRONG;
    let [rules, atoms] = [network.rules, network.atoms].map(|number| text::grouped(number as u128));
    writeln!(
        out,
        "{strong}{game}{strong:#}: {rules} ground rules over {atoms} atoms"
    )?;
    let width = PASSES.iter().map(|pass| pass.name.len()).max().unwrap_or(0);
    let width = width.max("build".len());
    writeln!(out, "  {:width$} {:>12} {:>12}", "", "gates", "operations")?;
    let built = ("build", "the gates of the ground rules");
    let passes = PASSES.iter().map(|pass| (pass.name, pass.what));
    for (name, what) in std::iter::once(built).chain(passes) {
        let stage = network.stages.iter().find(|stage| stage.name == name);
        let [gates, operations] = stage.map_or(["-".to_owned(), "left out".to_owned()], |stage| {
            [stage.gates, stage.operations].map(|number| text::grouped(number as u128))
        });
        let faint = terminal::FAINT;
        writeln!(
            out,
            "  {name:width$} {gates:>12} {operations:>12}   {faint}{what}{faint:#}"
        )?;
    }
    Ok(())
}
