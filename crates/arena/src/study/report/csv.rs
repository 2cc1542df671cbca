//! Results as comma-separated values, a row a cell.

use super::Summary;
use crate::study::Estimate;
use crate::table::quoted;

const HEAD: &str = "study,scale,seed,cell,group,game,players,thinking,games,wins,draws,losses,cut,mean_steps,points,low,high,paper,paper_half_width";

impl Summary {
    /// The cells as CSV with a head.
    pub fn csv(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for cell in &self.cells {
            let part = |part: fn(&Estimate) -> f64| number(cell.points.as_ref().map(part));
            let row = [
                quoted(&self.heading.study),
                self.heading.scale.name().to_owned(),
                self.heading.seed.to_string(),
                quoted(&cell.name),
                quoted(&cell.group),
                quoted(&cell.game),
                quoted(&cell.players.join(" v ")),
                quoted(&cell.thinking.join(" v ")),
                cell.tally.games.to_string(),
                cell.tally.wins.to_string(),
                cell.tally.draws.to_string(),
                cell.tally.losses.to_string(),
                cell.cut.to_string(),
                format!("{:.1}", cell.mean_steps),
                part(|estimate| estimate.value),
                part(|estimate| estimate.low),
                part(|estimate| estimate.high),
                number(cell.paper.map(|paper| paper.points)),
                number(cell.paper.and_then(|paper| paper.half_width)),
            ];
            text += &row.join(",");
            text.push('\n');
        }
        text
    }
}

/// A number, or nothing.
fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.2}"))
}
