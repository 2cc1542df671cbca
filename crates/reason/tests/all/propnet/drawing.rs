//! Drawing networks by hand, with names for fluents and moves.

use std::collections::{BTreeMap, HashMap};

use paidia_game::{GameFacts, Information, MoveTable, PerceptTable, Randomness, TurnOrder};
use paidia_reason::propnet::{GroundGame, Network, Node, Region, Wire};

/// A network while it is drawn.
pub(crate) struct Drawing {
    roles: Vec<String>,
    fluents: BTreeMap<String, usize>,
    moves: BTreeMap<String, usize>,
    does: HashMap<(usize, String), Wire>,
    percepts: Vec<BTreeMap<String, Wire>>,
    gates: HashMap<Vec<Wire>, Wire>,
    network: Network,
}

impl Drawing {
    /// A game with these roles, each with the moves that it can make, and these fluents, with those
    /// that hold at the start.
    pub(crate) fn new(roles: &[(&str, &[String])], fluents: &[String], initial: &[&str]) -> Self {
        let all_moves = roles.iter().flat_map(|(_, moves)| moves.iter().cloned());
        let mut drawing = Self {
            roles: roles.iter().map(|(name, _)| (*name).to_owned()).collect(),
            fluents: numbered(fluents.iter().cloned()),
            moves: numbered(all_moves),
            does: HashMap::new(),
            percepts: vec![BTreeMap::new(); roles.len()],
            gates: HashMap::new(),
            network: Network {
                nodes: vec![Node::True],
                legal: vec![Vec::new(); roles.len()],
                goals: vec![Vec::new(); roles.len()],
                ..Network::default()
            },
        };
        let names = drawing.fluents.keys();
        drawing.network.initial = names.map(|name| initial.contains(&name.as_str())).collect();
        drawing.network.next = vec![Wire::FALSE; drawing.fluents.len()];
        for number in 0..drawing.fluents.len() as u32 {
            drawing.node(Node::Fluent(number));
        }
        for (role, (_, moves)) in roles.iter().enumerate() {
            drawing.add_moves(role, moves);
        }
        drawing
    }

    fn add_moves(&mut self, role: usize, moves: &[String]) {
        let mut ids: Vec<(usize, String)> = moves
            .iter()
            .map(|name| (self.moves[name], name.clone()))
            .collect();
        ids.sort();
        for (index, (id, name)) in (0..).zip(ids) {
            let number = role as u16;
            let wire = self.node(Node::Does {
                role: number,
                index,
            });
            self.does.insert((role, name), wire);
            self.network.legal[role].push((id as u32, Wire::FALSE));
        }
    }

    fn node(&mut self, node: Node) -> Wire {
        self.network.nodes.push(node);
        Wire::of(self.network.nodes.len() - 1)
    }

    /// Whether a fluent holds.
    pub(crate) fn holds(&self, fluent: &str) -> Wire {
        Wire::of(1 + self.fluents[fluent])
    }

    /// Whether a role makes a move.
    pub(crate) fn does(&self, role: usize, name: &str) -> Wire {
        self.does[&(role, name.to_owned())]
    }

    /// Whether all of these.
    pub(crate) fn and(&mut self, wires: &[Wire]) -> Wire {
        let mut inputs: Vec<Wire> = wires.to_vec();
        inputs.sort();
        inputs.dedup();
        inputs.retain(|&wire| wire != Wire::TRUE);
        if inputs.contains(&Wire::FALSE) {
            return Wire::FALSE;
        }
        match inputs[..] {
            [] => return Wire::TRUE,
            [only] => return only,
            _ => {}
        }
        if let Some(&known) = self.gates.get(&inputs) {
            return known;
        }
        let start = self.network.inputs.len() as u32;
        self.network.inputs.extend(&inputs);
        let end = self.network.inputs.len() as u32;
        let wire = self.node(Node::And { start, end });
        self.gates.insert(inputs, wire);
        wire
    }

    /// Whether any of these.
    pub(crate) fn or(&mut self, wires: &[Wire]) -> Wire {
        let inverted: Vec<Wire> = wires.iter().map(|&wire| !wire).collect();
        !self.and(&inverted)
    }

    /// Atoms that depend on each other: `define` gets a wire for each and says how they are
    /// defined.
    pub(crate) fn recursion(
        &mut self,
        atoms: usize,
        define: impl FnOnce(&mut Self, &[Wire]) -> Vec<Wire>,
    ) -> Vec<Wire> {
        let first = self.network.nodes.len();
        // A gate drawn before may not stand for one of the region, nor the other way round.
        let outside = std::mem::take(&mut self.gates);
        let wires: Vec<Wire> = (0..atoms).map(|_| self.node(Node::Feedback)).collect();
        let definitions = define(self, &wires);
        let nodes = first..self.network.nodes.len();
        self.network.regions.push(Region { nodes, definitions });
        self.gates = outside;
        wires
    }

    pub(crate) fn next(&mut self, fluent: &str, wire: Wire) {
        let number = self.fluents[fluent];
        self.network.next[number] = wire;
    }

    pub(crate) fn legal(&mut self, role: usize, name: &str, wire: Wire) {
        let id = self.moves[name] as u32;
        let moves = self.network.legal[role].iter_mut();
        moves
            .filter(|entry| entry.0 == id)
            .for_each(|entry| entry.1 = wire);
    }

    pub(crate) fn goal(&mut self, role: usize, value: i32, wire: Wire) {
        self.network.goals[role].push((value, wire));
    }

    pub(crate) fn terminal(&mut self, wire: Wire) {
        self.network.terminal = wire;
    }

    pub(crate) fn sees(&mut self, role: usize, percept: &str, wire: Wire) {
        self.percepts[role].insert(percept.to_owned(), wire);
    }

    /// The game that was drawn.
    pub(crate) fn finish(mut self, name: &str) -> GroundGame {
        let percepts = numbered(self.percepts.iter().flat_map(|told| told.keys().cloned()));
        for told in &self.percepts {
            let told = told
                .iter()
                .map(|(text, &wire)| (percepts[text] as u32, wire));
            self.network.percepts.push(told.collect());
        }
        let random = self.roles.iter().position(|role| role == "random");
        let facts = GameFacts {
            name: name.to_owned(),
            roles: self.roles,
            randomness: random.map_or(Randomness::None, |role| {
                Randomness::Role(paidia_game::RoleId(role as u16))
            }),
            turn_order: TurnOrder::Unknown,
            information: Information::Perfect,
            goal_range: 0..=100,
            fluents: Some(self.fluents.len()),
            moves: Some(self.moves.len()),
        };
        GroundGame {
            facts,
            moves: MoveTable::from_names(self.moves.keys().map(String::as_str)).unwrap(),
            percepts: PerceptTable::from_names(percepts.keys().map(String::as_str)).unwrap(),
            fluents: self.fluents.into_keys().collect(),
            network: self.network,
        }
    }
}

/// Numbers for texts, in the order of the texts.
fn numbered(texts: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut numbers: BTreeMap<String, usize> = texts.map(|text| (text, 0)).collect();
    for (place, number) in numbers.values_mut().enumerate() {
        *number = place;
    }
    numbers
}
