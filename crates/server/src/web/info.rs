//! What is known about a game, as `paidia info` tells it.

use paidia_arena::about::About;
use serde::Serialize;

use super::Site;
use super::games;
use super::refusal::Refusal;

#[derive(Serialize)]
pub(super) struct Info {
    id: String,
    title: String,
    #[serde(flatten)]
    about: About,
}

/// What is known about a game.
pub(super) fn info(site: &Site, id: &str) -> Result<Info, Refusal> {
    let entry = site.games.find(id)?;
    let rules = entry.rules()?;
    let loaded = entry.engine(&rules);
    let turns = games::turns(&entry.walking(&rules));
    let (facts, report) = (loaded.facts(), loaded.report.clone());
    Ok(Info {
        id: entry.id.clone(),
        title: entry.title.clone(),
        about: About::new(&rules.rules, facts, turns, report),
    })
}
