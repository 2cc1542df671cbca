//! What is known about a game, as `paidia info` tells it.

use paidia_game::Game;
use paidia_gdl::analysis::Contents;
use serde::Serialize;

use super::House;
use super::games;
use super::refusal::Refusal;
use super::shelf::Network;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Info {
    id: String,
    title: String,
    dialect: &'static str,
    information: &'static str,
    turns: &'static str,
    roles: Vec<String>,
    random: Option<usize>,
    clauses: usize,
    rules: usize,
    relations: usize,
    strata: usize,
    /// Kinds of fluents with their number of arguments.
    fluents: Vec<String>,
    /// Kinds of moves with their number of arguments.
    moves: Vec<String>,
    percepts: Vec<String>,
    /// How many fluents and moves there are in all, where that is known.
    fluent_count: Option<usize>,
    move_count: Option<usize>,
    /// The engine that `auto` takes.
    engine: &'static str,
    /// Why it takes it.
    because: String,
    network: Option<NetworkView>,
}

#[derive(Serialize)]
struct NetworkView {
    atoms: usize,
    rules: usize,
    gates: usize,
    operations: usize,
    stages: Vec<Stage>,
}

/// What a pass made of the network.
#[derive(Serialize)]
struct Stage {
    name: &'static str,
    gates: usize,
    operations: usize,
}

/// What is known about a game.
pub(super) fn info(house: &House, id: &str) -> Result<Info, Refusal> {
    let entry = house.shelf.find(id)?;
    let rules = entry.rules()?;
    let network = entry.network(&rules);
    let (engine, because) = match network {
        Ok(_) => ("propnet", "the rules became a network".to_owned()),
        Err(why) => ("reference", why.clone()),
    };
    let network = network.as_ref().ok();
    let facts = match network {
        Some(network) => network.playable.game.facts(),
        None => rules.reference.facts(),
    };
    let contents = Contents::new(&rules.program);
    Ok(Info {
        id: entry.id.clone(),
        title: entry.title.clone(),
        dialect: rules.dialect.name(),
        turns: games::turns(&entry.walking(&rules)).name(),
        information: facts.information.name(),
        roles: facts.roles.clone(),
        random: facts.random.map(paidia_game::RoleId::index),
        clauses: rules.clauses,
        rules: contents.rules,
        relations: contents.relations,
        strata: contents.strata,
        fluents: contents.fluents,
        moves: contents.moves,
        percepts: contents.percepts,
        fluent_count: facts.fluents,
        move_count: facts.moves,
        engine,
        because,
        network: network.map(view),
    })
}

fn view(network: &Network) -> NetworkView {
    let Network { size, making, .. } = network;
    let stages = making.stages.iter();
    let stage = |&(name, gates, operations): &(&'static str, usize, usize)| Stage {
        name,
        gates,
        operations,
    };
    NetworkView {
        atoms: making.atoms,
        rules: making.rules,
        gates: size.0,
        operations: size.1,
        stages: stages.map(stage).collect(),
    }
}
