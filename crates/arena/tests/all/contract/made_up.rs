//! Small games that are drawn from a seed: some layers of states, in each of which one role
//! chooses, or all do; a choice leads to one state of the next layer, or to one of several by
//! chance.

use std::sync::Arc;

use paidia_game::{
    Chance, Damaged, Fault, Game, GameFacts, Goal, Information, LegalMoves, Legible, MoveId,
    MoveTable, PerceptId, PerceptTable, Randomness, RoleId, Rules, TurnOrder, UnknownFluent,
    Walker, snapshot,
};

/// The most choices of a role.
const CHOICES: u32 = 4;
/// The move of a role that has no choice.
const WAIT: MoveId = MoveId(CHOICES);
/// States of a layer, and layers before the end.
const WIDTH: u32 = 6;
const LAYERS: u32 = 4;

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) roles: u16,
    /// Whether all roles choose at once in some states.
    pub(crate) simultaneous: bool,
    /// Whether choices lead to one of several states by chance.
    pub(crate) dice: bool,
    /// What the facts say of that.
    pub(crate) randomness: Randomness,
    /// The lowest goal, and the distance between one of 101 goals and the next.
    pub(crate) lowest: i32,
    pub(crate) step: i32,
}

impl Shape {
    pub(crate) const PLAIN: Shape = Shape {
        roles: 2,
        simultaneous: false,
        dice: false,
        randomness: Randomness::None,
        lowest: 0,
        step: 1,
    };
}

/// A state: its layer and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) layer: u8,
    pub(crate) place: u8,
}

struct Node {
    /// The role with a choice; none where all choose.
    mover: Option<RoleId>,
    /// For each choice, or sum of choices, the places in the next layer that are as likely each.
    next: Vec<Vec<u8>>,
}

struct Drawn {
    facts: GameFacts,
    moves: MoveTable,
    percepts: PerceptTable,
    layers: Vec<Vec<Node>>,
    goals: Vec<Vec<i32>>,
}

#[derive(Clone)]
pub(crate) struct MadeUp(Arc<Drawn>);

impl MadeUp {
    pub(crate) fn new(seed: u64, shape: Shape) -> Self {
        let mut chance = Chance::from_seed(seed);
        let layers = (0..LAYERS).map(|layer| {
            let count = if layer == 0 { 1 } else { WIDTH };
            (0..count).map(|_| node(&mut chance, shape)).collect()
        });
        let layers = layers.collect();
        let goals = (0..WIDTH).map(|_| goals(&mut chance, shape)).collect();
        let names: Vec<String> = (0..CHOICES).map(|id| format!("(take {id})")).collect();
        let names = names.iter().map(String::as_str).chain(["wait"]);
        Self(Arc::new(Drawn {
            facts: GameFacts {
                name: format!("made-up-{seed}"),
                roles: (0..shape.roles).map(|role| format!("r{role}")).collect(),
                randomness: shape.randomness,
                turn_order: TurnOrder::Unknown,
                information: Information::Perfect,
                goal_range: shape.lowest..=shape.lowest + 100 * shape.step,
                fluents: None,
                moves: Some(CHOICES as usize + 1),
            },
            moves: MoveTable::from_names(names).unwrap(),
            percepts: PerceptTable::from_names([]).unwrap(),
            layers,
            goals,
        }))
    }

    /// The goals in a state of the last layer.
    pub(crate) fn goals_at(&self, state: Place) -> Option<&[i32]> {
        let over = usize::from(state.layer) == self.0.layers.len();
        over.then(|| self.0.goals[usize::from(state.place)].as_slice())
    }

    /// The role with the choice in a state, and for each of its moves all states that may follow.
    pub(crate) fn choices(&self, state: Place) -> (Option<RoleId>, Vec<Vec<Place>>) {
        let node = &self.0.layers[usize::from(state.layer)][usize::from(state.place)];
        let places = |places: &Vec<u8>| -> Vec<Place> {
            let layer = state.layer + 1;
            places.iter().map(|&place| Place { layer, place }).collect()
        };
        (node.mover, node.next.iter().map(places).collect())
    }
}

fn node(chance: &mut Chance, shape: Shape) -> Node {
    let all = shape.simultaneous && chance.below(3) == 0;
    let mover = (!all).then(|| RoleId(chance.below(u32::from(shape.roles)) as u16));
    let choices = 2 + chance.below(CHOICES - 1);
    let mut next = Vec::new();
    for _ in 0..choices {
        let throws = if shape.dice { 1 + chance.below(3) } else { 1 };
        next.push((0..throws).map(|_| chance.below(WIDTH) as u8).collect());
    }
    Node { mover, next }
}

/// Goals that add up to a constant where there are two roles.
fn goals(chance: &mut Chance, shape: Shape) -> Vec<i32> {
    let mut goals: Vec<i32> = (0..shape.roles)
        .map(|_| chance.below(5) as i32 * 25)
        .collect();
    if let [first, second] = goals.as_mut_slice() {
        *second = 100 - *first;
    }
    goals
        .iter()
        .map(|goal| shape.lowest + goal * shape.step)
        .collect()
}

impl Rules for MadeUp {
    type State = Place;

    fn facts(&self) -> &GameFacts {
        &self.0.facts
    }

    fn moves(&self) -> &MoveTable {
        &self.0.moves
    }

    fn percepts(&self) -> &PerceptTable {
        &self.0.percepts
    }

    fn initial(&self) -> Place {
        Place { layer: 0, place: 0 }
    }

    fn snapshot(&self, state: &Place, into: &mut Vec<u8>) {
        snapshot::write(self, state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<Place, Damaged> {
        snapshot::read(self, bytes)
    }
}

impl Game for MadeUp {
    type Walker = MadeUpWalker;

    fn walker(&self) -> MadeUpWalker {
        MadeUpWalker {
            game: self.clone(),
            state: self.initial(),
            legal: LegalMoves::new(),
        }
    }
}

impl Legible for MadeUp {
    fn fluents(&self, state: &Place) -> Vec<String> {
        vec![format!("(at {} {})", state.layer, state.place)]
    }

    fn state(&self, fluents: &[&str]) -> Result<Place, UnknownFluent> {
        let text = fluents.first().copied().unwrap_or_default();
        let inner = text
            .strip_prefix("(at ")
            .and_then(|rest| rest.strip_suffix(')'));
        let numbers = inner.and_then(|inner| inner.split_once(' '));
        let numbers = numbers.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let state = numbers.map(|(layer, place)| Place { layer, place });
        state
            .filter(|state| u32::from(state.layer) <= LAYERS)
            .ok_or_else(|| UnknownFluent {
                text: text.into(),
                because: "no such place".into(),
            })
    }
}

pub(crate) struct MadeUpWalker {
    game: MadeUp,
    state: Place,
    legal: LegalMoves,
}

impl Walker for MadeUpWalker {
    type State = Place;

    fn jump(&mut self, state: &Place) {
        self.state = *state;
    }

    fn save(&self, into: &mut Place) {
        *into = self.state;
    }

    fn hash64(&self) -> u64 {
        let number = u64::from(self.state.layer) << 8 | u64::from(self.state.place);
        (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn is_terminal(&mut self) -> bool {
        self.game.goals_at(self.state).is_some()
    }

    fn legal(&mut self) -> &LegalMoves {
        self.legal.clear();
        let over = self.is_terminal();
        for role in self.game.facts().role_ids() {
            if !over {
                let (mover, choices) = self.game.choices(self.state);
                if mover.is_none_or(|mover| mover == role) {
                    (0..choices.len() as u32).for_each(|id| self.legal.push(MoveId(id)));
                } else {
                    self.legal.push(WAIT);
                }
            }
            self.legal.end_role();
        }
        &self.legal
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        let goals = self.game.goals_at(self.state);
        goals.map_or(Goal::None, |goals| Goal::One(goals[role.index()]))
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        let (mover, choices) = self.game.choices(self.state);
        let choice = match mover {
            Some(mover) => joint[mover.index()].0,
            None => joint.iter().map(|id| id.0).sum(),
        };
        let next = &choices[choice as usize % choices.len()];
        self.state = match next.as_slice() {
            [only] => *only,
            several => chance.pick(several).unwrap(),
        };
    }

    fn percepts(&self, _role: RoleId) -> &[PerceptId] {
        &[]
    }

    fn fault(&self) -> Option<&Fault> {
        None
    }
}
