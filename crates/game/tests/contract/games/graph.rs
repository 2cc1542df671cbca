//! Games written down as graphs: the choices of roles in each node, and where play ends.

use std::sync::Arc;

use paidia_game::{
    Chance, Damaged, Fault, Game, GameFacts, Goal, Information, LegalMoves, Legible, MoveId,
    MoveTable, PerceptId, PerceptTable, Randomness, RoleId, Rules, TurnOrder, UnknownFluent,
    Walker, snapshot,
};

/// A node of the graph.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// The game is over with these goals.
    End(Vec<i32>),
    /// The role chooses which node comes next; all others wait.
    Choice(u16, Vec<usize>),
    /// All roles choose; the sum of all choices, modulo the number of nodes named here, says which
    /// comes next.
    All(Vec<usize>),
}

/// A game that starts in node 0 of a graph; the moves are `0`, `1`, ... and `wait`.
#[derive(Clone, Debug)]
pub(crate) struct GraphGame {
    facts: Arc<GameFacts>,
    nodes: Arc<[Node]>,
    moves: MoveTable,
    percepts: PerceptTable,
}

const CHOICES: u32 = 8;
const WAIT: MoveId = MoveId(CHOICES);

impl GraphGame {
    pub(crate) fn new(roles: u16, nodes: &[Node]) -> Self {
        let facts = GameFacts {
            name: "graph".into(),
            roles: (0..roles).map(|role| format!("r{role}")).collect(),
            randomness: Randomness::None,
            turn_order: TurnOrder::Unknown,
            information: Information::Perfect,
            goal_range: 0..=100,
            fluents: Some(nodes.len()),
            moves: None,
        };
        let names: Vec<String> = (0..CHOICES).map(|choice| choice.to_string()).collect();
        let names = names.iter().map(String::as_str).chain(["wait"]);
        Self {
            facts: Arc::new(facts),
            nodes: nodes.into(),
            moves: MoveTable::from_names(names).unwrap(),
            percepts: PerceptTable::with_limit(0),
        }
    }
}

impl Rules for GraphGame {
    type State = usize;

    fn facts(&self) -> &GameFacts {
        &self.facts
    }

    fn moves(&self) -> &MoveTable {
        &self.moves
    }

    fn percepts(&self) -> &PerceptTable {
        &self.percepts
    }

    fn initial(&self) -> usize {
        0
    }

    fn snapshot(&self, state: &usize, into: &mut Vec<u8>) {
        snapshot::write(self, state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<usize, Damaged> {
        snapshot::read(self, bytes)
    }
}

impl Game for GraphGame {
    type Walker = GraphWalker;

    fn walker(&self) -> GraphWalker {
        GraphWalker {
            game: self.clone(),
            node: 0,
            legal: LegalMoves::new(),
        }
    }
}

impl Legible for GraphGame {
    fn fluents(&self, state: &usize) -> Vec<String> {
        vec![format!("(at {state})")]
    }

    fn state(&self, fluents: &[&str]) -> Result<usize, UnknownFluent> {
        let text = fluents.first().copied().unwrap_or_default();
        let number = text
            .strip_prefix("(at ")
            .and_then(|rest| rest.strip_suffix(')'));
        let number = number.and_then(|number| number.parse().ok());
        number
            .filter(|&node| node < self.nodes.len())
            .ok_or_else(|| UnknownFluent {
                text: text.into(),
                because: "no such node".into(),
            })
    }
}

pub(crate) struct GraphWalker {
    game: GraphGame,
    node: usize,
    legal: LegalMoves,
}

impl Walker for GraphWalker {
    type State = usize;

    fn jump(&mut self, state: &usize) {
        self.node = *state;
    }

    fn save(&self, into: &mut usize) {
        *into = self.node;
    }

    fn hash64(&self) -> u64 {
        self.node as u64
    }

    fn is_terminal(&mut self) -> bool {
        matches!(self.game.nodes[self.node], Node::End(_))
    }

    fn legal(&mut self) -> &LegalMoves {
        self.legal.clear();
        for role in self.game.facts.role_ids() {
            match &self.game.nodes[self.node] {
                Node::End(_) => {}
                Node::Choice(mover, choices) if role.0 == *mover => {
                    (0..choices.len() as u32).for_each(|choice| self.legal.push(MoveId(choice)));
                }
                Node::Choice(..) => self.legal.push(WAIT),
                Node::All(choices) => {
                    (0..choices.len() as u32).for_each(|choice| self.legal.push(MoveId(choice)));
                }
            }
            self.legal.end_role();
        }
        &self.legal
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        match &self.game.nodes[self.node] {
            Node::End(goals) => goals
                .get(role.index())
                .map_or(Goal::None, |&goal| Goal::One(goal)),
            _ => Goal::None,
        }
    }

    fn advance(&mut self, joint: &[MoveId], _chance: &mut Chance) {
        self.node = match &self.game.nodes[self.node] {
            Node::End(_) => self.node,
            Node::Choice(mover, choices) => choices[joint[usize::from(*mover)].0 as usize],
            Node::All(choices) => {
                let sum: u32 = joint.iter().map(|id| id.0).sum();
                choices[sum as usize % choices.len()]
            }
        };
    }

    fn percepts(&self, _role: RoleId) -> &[PerceptId] {
        &[]
    }

    fn fault(&self) -> Option<&Fault> {
        None
    }
}
