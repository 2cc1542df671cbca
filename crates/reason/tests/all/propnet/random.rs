//! Random networks, recursion included: passing on changes gives what evaluating everything from
//! scratch gives.

use paidia_game::{
    Chance, Game, GameFacts, Goal, Information, Legible, MoveId, MoveTable, PerceptTable,
    Randomness, RoleId, Rules, TurnOrder, Walker,
};
use paidia_reason::propnet::network::read;
use paidia_reason::propnet::{GroundGame, Network, Node, Propnet, Region, Wire};

/// What a random network is made of.
#[derive(Clone, Copy)]
struct Shape {
    fluents: u32,
    moves: u32,
    gates: u32,
    /// Regions are strewn among the gates.
    regions: u32,
    /// The most inputs of a gate.
    inputs: u32,
}

/// A network while it is drawn at random.
struct Sketch {
    network: Network,
    /// For each node, whether it depends on moves.
    moved: Vec<bool>,
    chance: Chance,
}

const ROLES: u16 = 2;
const PERCEPTS: u32 = 5;

impl Sketch {
    fn new(shape: Shape, seed: u64) -> Self {
        let mut sketch = Self {
            network: Network::default(),
            moved: Vec::new(),
            chance: Chance::from_seed(seed),
        };
        sketch.push(Node::True, false);
        (0..shape.fluents).for_each(|fluent| sketch.push(Node::Fluent(fluent), false));
        for role in 0..ROLES {
            for index in 0..shape.moves {
                sketch.push(Node::Does { role, index }, true);
            }
        }
        let rounds = shape.regions + 1;
        for round in 0..rounds {
            for _ in 0..shape.gates / rounds {
                sketch.gate(shape.inputs);
            }
            if round < shape.regions {
                sketch.region(shape.inputs);
            }
        }
        sketch.outputs(shape);
        sketch
    }

    fn push(&mut self, node: Node, moved: bool) {
        self.network.nodes.push(node);
        self.moved.push(moved);
    }

    fn coin(&mut self) -> bool {
        self.chance.below(2) == 1
    }

    /// A wire from anywhere, or only from what does not depend on moves.
    fn wire(&mut self, moved: bool) -> Wire {
        let last = self.network.nodes.len() as u32;
        loop {
            // Recent nodes are taken more often, so that networks get deep.
            let reach = if self.coin() { last } else { last.min(40) };
            let node = (last - 1 - self.chance.below(reach)) as usize;
            if moved || !self.moved[node] {
                return Wire::of(node).inverted_if(self.coin());
            }
        }
    }

    fn add_gate(&mut self, inputs: &[Wire]) -> usize {
        let start = self.network.inputs.len() as u32;
        self.network.inputs.extend(inputs);
        let end = self.network.inputs.len() as u32;
        let moved = inputs.iter().any(|wire| self.moved[wire.node()]);
        self.push(Node::And { start, end }, moved);
        self.network.nodes.len() - 1
    }

    fn gate(&mut self, most: u32) {
        // Few inputs mostly: the conjunction of many is hardly ever true.
        let count = match self.chance.below(8) {
            0 => self.chance.below(most + 1),
            few => few % 3 + 1,
        };
        let moved = self.coin();
        let inputs: Vec<Wire> = (0..count).map(|_| self.wire(moved)).collect();
        self.add_gate(&inputs);
    }

    /// Atoms that depend on each other, never through a negation.
    fn region(&mut self, most: u32) {
        let moved = self.coin();
        let outside: Vec<Wire> = (0..8).map(|_| self.wire(moved)).collect();
        let first = self.network.nodes.len();
        let depends = outside.iter().any(|wire| self.moved[wire.node()]);
        let atoms = 1 + self.chance.below(6) as usize;
        // For each node of the region, the wire that grows with the atoms.
        let mut growing: Vec<Wire> = (first..first + atoms).map(Wire::of).collect();
        (0..atoms).for_each(|_| self.push(Node::Feedback, depends));
        for _ in 0..2 + self.chance.below(20) {
            let disjunction = self.coin();
            let count = 1 + self.chance.below(most.min(4));
            let inputs: Vec<Wire> = (0..count)
                .map(|_| match self.chance.below(3) {
                    0 => outside[self.chance.below(8) as usize],
                    _ => growing[self.chance.below(growing.len() as u32) as usize]
                        .inverted_if(disjunction),
                })
                .collect();
            let gate = self.add_gate(&inputs);
            growing.push(Wire::of(gate).inverted_if(disjunction));
        }
        let definitions = (0..atoms)
            .map(|_| match self.chance.below(8) {
                0 => outside[self.chance.below(8) as usize],
                1 => Wire::FALSE,
                _ => growing[self.chance.below(growing.len() as u32) as usize],
            })
            .collect();
        for node in first..self.network.nodes.len() {
            self.moved[node] = depends;
        }
        let nodes = first..self.network.nodes.len();
        self.network.regions.push(Region { nodes, definitions });
    }

    fn outputs(&mut self, shape: Shape) {
        let network = &mut self.network;
        network.initial = (0..shape.fluents)
            .map(|_| self.chance.below(2) == 1)
            .collect();
        self.network.next = (0..shape.fluents).map(|_| self.wire(true)).collect();
        self.network.terminal = self.wire(false);
        for _ in 0..ROLES {
            let legal = (0..shape.moves).map(|id| (id, self.wire(false))).collect();
            self.network.legal.push(legal);
            let goals = (0..4).map(|value| (value * 10, self.wire(false))).collect();
            self.network.goals.push(goals);
            let told = (0..PERCEPTS).map(|id| (id, self.wire(true))).collect();
            self.network.percepts.push(told);
        }
    }

    fn game(self, shape: Shape) -> GroundGame {
        let moves: Vec<String> = (0..shape.moves).map(|id| format!("m{id:05}")).collect();
        let percepts: Vec<String> = (0..PERCEPTS).map(|id| format!("p{id}")).collect();
        GroundGame {
            facts: GameFacts {
                name: "random".into(),
                roles: (0..ROLES).map(|role| format!("r{role}")).collect(),
                randomness: Randomness::Role(RoleId(1)),
                turn_order: TurnOrder::Unknown,
                information: Information::Hidden,
                goal_range: 0..=100,
                fluents: None,
                moves: None,
            },
            moves: MoveTable::from_names(moves.iter().map(String::as_str)).unwrap(),
            percepts: PerceptTable::from_names(percepts.iter().map(String::as_str)).unwrap(),
            fluents: (0..shape.fluents)
                .map(|fluent| format!("f{fluent:05}"))
                .collect(),
            network: self.network,
        }
    }
}

/// The plainest meaning of a network, in step with a walker.
struct Model<'a> {
    network: &'a Network,
    game: Propnet,
    walker: <Propnet as Game>::Walker,
    state: Vec<bool>,
    /// What each role was told last.
    told: Vec<Vec<u32>>,
}

impl<'a> Model<'a> {
    fn new(ground: &'a GroundGame) -> Self {
        let game = Propnet::new(ground.clone());
        Self {
            network: &ground.network,
            walker: game.walker(),
            game,
            state: ground.network.initial.clone(),
            told: vec![Vec::new(); usize::from(ROLES)],
        }
    }

    fn jump(&mut self, state: Vec<bool>) {
        let texts: Vec<String> = (0..state.len())
            .filter(|&fluent| state[fluent])
            .map(|fluent| format!("f{fluent:05}"))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.walker.jump(&self.game.state(&texts).unwrap());
        self.state = state;
        self.told.iter_mut().for_each(Vec::clear);
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        let does = |role: u16, index: u32| joint[usize::from(role)] == MoveId(index);
        let values = self
            .network
            .evaluate(|fluent| self.state[fluent as usize], does);
        self.told = given(&values, &self.network.percepts);
        self.state = self
            .network
            .next
            .iter()
            .map(|&wire| read(&values, wire))
            .collect();
        self.walker.advance(joint, chance);
    }

    fn check(&mut self) {
        let values = self
            .network
            .evaluate(|fluent| self.state[fluent as usize], |_, _| false);
        let mut saved = self.game.initial();
        self.walker.save(&mut saved);
        let holding: Vec<String> = (0..self.state.len())
            .filter(|&fluent| self.state[fluent])
            .map(|fluent| format!("f{fluent:05}"))
            .collect();
        assert_eq!(self.game.fluents(&saved), holding);
        assert_eq!(
            self.walker.is_terminal(),
            read(&values, self.network.terminal)
        );
        let legal: Vec<Vec<u32>> = self
            .walker
            .legal()
            .iter()
            .map(|(_, moves)| moves.iter().map(|id| id.0).collect())
            .collect();
        assert_eq!(legal, given(&values, &self.network.legal));
        for role in 0..ROLES {
            let results: Vec<i32> = self.network.goals[usize::from(role)]
                .iter()
                .filter(|&&(_, wire)| read(&values, wire))
                .map(|&(value, _)| value)
                .collect();
            let goal = match results[..] {
                [] => Goal::None,
                [only] => Goal::One(only),
                _ => Goal::Several,
            };
            assert_eq!(self.walker.goal(RoleId(role)), goal);
            let told: Vec<u32> = self
                .walker
                .percepts(RoleId(role))
                .iter()
                .map(|id| id.0)
                .collect();
            assert_eq!(told, self.told[usize::from(role)]);
        }
    }
}

/// The ids of what is given to each role.
fn given(values: &[bool], lists: &[Vec<(u32, Wire)>]) -> Vec<Vec<u32>> {
    let of_role = |list: &Vec<(u32, Wire)>| {
        let given = list.iter().filter(|&&(_, wire)| read(values, wire));
        given.map(|&(id, _)| id).collect()
    };
    lists.iter().map(of_role).collect()
}

fn walk(shape: Shape, seed: u64, steps: u32) {
    let ground = Sketch::new(shape, seed).game(shape);
    let mut model = Model::new(&ground);
    let mut chance = Chance::from_seed(seed);
    model.check();
    for step in 0..steps {
        // Sometimes a few jumps in a row, sometimes a question or none before the next move.
        if chance.below(5) == 0 {
            let rare = chance.below(4);
            let state = (0..shape.fluents)
                .map(|_| chance.below(4) <= rare)
                .collect();
            model.jump(state);
        } else {
            // One id too many: a move that the role does not have.
            let joint = [(); ROLES as usize].map(|()| MoveId(chance.below(shape.moves + 1)));
            model.advance(&joint, &mut chance);
        }
        if step % 3 != 0 {
            model.check();
        }
    }
    model.check();
}

#[test]
fn small_networks_agree_with_evaluation_from_scratch() {
    let shape = Shape {
        fluents: 12,
        moves: 5,
        gates: 60,
        regions: 0,
        inputs: 5,
    };
    (0..300).for_each(|seed| walk(shape, seed, 60));
}

#[test]
fn networks_with_recursion_agree_with_evaluation_from_scratch() {
    let shape = Shape {
        fluents: 15,
        moves: 5,
        gates: 60,
        regions: 4,
        inputs: 6,
    };
    (0..600).for_each(|seed| walk(shape, seed, 80));
}

#[test]
fn large_networks_agree_with_evaluation_from_scratch() {
    let shape = Shape {
        fluents: 300,
        moves: 150,
        gates: 3_000,
        regions: 12,
        inputs: 200,
    };
    (0..10).for_each(|seed| walk(shape, seed, 60));
}
