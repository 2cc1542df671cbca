//! Histories of play, layer by layer, and the information sets of the players.
//!
//! A *point* is what several histories of one length have in common: the state, and for every
//! player its information set, that is, its own moves and sets of percepts from the start
//! (synchronous perfect recall). Nothing that comes after a point depends on which of its histories
//! led there, so they are counted and weighted together. Points and information sets are numbered
//! layer by layer: what comes later in play has a larger number.

use paidia_game::{Game, MoveId, RoleId};
use rustc_hash::FxHashMap;

use crate::explore::{Explorer, Table, TooLarge};

/// The place of nothing.
pub const NONE: u32 = u32::MAX;

/// Points after which the clock is looked at.
const POINTS_BETWEEN_LOOKS: usize = 64;

/// All histories of a game up to a depth, merged into points.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// Where the points of each layer begin; one entry more than layers.
    pub layers: Vec<u32>,
    /// For each point its state.
    pub state: Vec<u32>,
    /// For each point and each player its information set.
    sets: Vec<u32>,
    /// For each point the number of histories.
    pub histories: Vec<f64>,
    /// For each point where its steps begin; one entry more than points.
    first_step: Vec<u32>,
    /// For each step, one for each joint move of the point's state in their order, the next point.
    to: Vec<u32>,
    /// What each player may know.
    pub players: Vec<InformationSets>,
    /// Whether every history ends in a terminal state, or else where a role has no legal move.
    pub complete: bool,
}

/// The information sets of one player.
#[derive(Clone, Debug)]
pub struct InformationSets {
    /// The player.
    pub role: RoleId,
    /// For each information set the one before it, [`NONE`] for the first.
    pub parent: Vec<u32>,
    /// The own move that led to it.
    pub made: Vec<MoveId>,
    /// The percepts that were told last, as a place in [`Table::percept_sets`].
    pub percepts: Vec<u32>,
    /// The length of its histories.
    pub depth: Vec<u32>,
    /// Where the points of each set begin in `points`; one entry more than sets.
    first_point: Vec<u32>,
    points: Vec<u32>,
    /// Where the moves of each set begin; one entry more than sets.
    first_sequence: Vec<u32>,
    /// The moves that are legal in some point of a set that is not terminal, in the order of their
    /// ids. A set with one of its moves is a *sequence*.
    pub moves: Vec<MoveId>,
    /// For each sequence whether the move is legal in all of these points.
    pub known: Vec<bool>,
    /// For each set the sequence that leads to it, [`NONE`] for the first.
    pub entry: Vec<u32>,
}

impl InformationSets {
    fn new(role: RoleId) -> Self {
        Self {
            role,
            parent: vec![NONE],
            made: vec![MoveId::CHANCE],
            percepts: vec![0],
            depth: vec![0],
            first_point: Vec::new(),
            points: Vec::new(),
            first_sequence: Vec::new(),
            moves: Vec::new(),
            known: Vec::new(),
            entry: Vec::new(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// There is always the first.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The points of a set.
    pub fn points(&self, set: u32) -> &[u32] {
        let range =
            self.first_point[set as usize] as usize..self.first_point[set as usize + 1] as usize;
        &self.points[range]
    }

    /// The sequences of a set: one for each move that is legal in some point that is not terminal.
    pub fn sequences(&self, set: u32) -> std::ops::Range<usize> {
        self.first_sequence[set as usize] as usize..self.first_sequence[set as usize + 1] as usize
    }

    /// The sequence of a set and a move.
    pub fn sequence(&self, set: u32, id: MoveId) -> Option<usize> {
        let range = self.sequences(set);
        let place = self.moves[range.clone()].binary_search(&id).ok()?;
        Some(range.start + place)
    }

    /// The sequences of a set whose moves are known to be legal.
    pub fn known_sequences(&self, set: u32) -> impl Iterator<Item = usize> {
        self.sequences(set).filter(|&sequence| self.known[sequence])
    }

    /// The set after a set, a move and percepts, by a search among all.
    pub fn find(&self, set: u32, made: MoveId, percepts: u32) -> Option<u32> {
        let after = set as usize + 1..self.len();
        let mut found = after.filter(|&place| {
            self.parent[place] == set
                && self.made[place] == made
                && self.percepts[place] == percepts
        });
        found.next().map(|place| place as u32)
    }

    /// The moves and percepts that lead to a set, the first first.
    pub fn history(&self, set: u32) -> Vec<(MoveId, u32)> {
        let mut history = Vec::new();
        let mut place = set as usize;
        while self.parent[place] != NONE {
            history.push((self.made[place], self.percepts[place]));
            place = self.parent[place] as usize;
        }
        history.reverse();
        history
    }
}

impl Unfolding {
    /// How many points there are.
    pub fn len(&self) -> usize {
        self.state.len()
    }

    /// There is always the first.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The longest history.
    pub fn depth(&self) -> usize {
        self.layers.len() - 2
    }

    /// The points of a layer.
    pub fn layer(&self, depth: usize) -> std::ops::Range<usize> {
        self.layers[depth] as usize..self.layers[depth + 1] as usize
    }

    /// The information set of a player, by its place among the players, in a point.
    pub fn set(&self, point: u32, player: usize) -> u32 {
        self.sets[point as usize * self.players.len() + player]
    }

    /// The points after a point, one for each joint move; none after the last layer.
    pub fn steps(&self, point: u32) -> &[u32] {
        let range =
            self.first_step[point as usize] as usize..self.first_step[point as usize + 1] as usize;
        &self.to[range]
    }
}

/// Goes through all histories, or those of at most `depth` joint moves.
///
/// # Errors
/// If a limit is reached.
pub fn unfold<G: Game>(
    explorer: &mut Explorer<G>,
    depth: Option<usize>,
) -> Result<Unfolding, TooLarge> {
    let players: Vec<RoleId> = explorer.table.players.clone();
    let mut unfolding = Unfolding {
        layers: vec![0, 1],
        state: vec![0],
        sets: vec![0; players.len()],
        histories: vec![1.0],
        first_step: vec![0],
        to: Vec::new(),
        players: players.into_iter().map(InformationSets::new).collect(),
        complete: true,
    };
    loop {
        let now = unfolding.depth();
        if depth.is_some_and(|most| now >= most) {
            unfolding.cut(&explorer.table);
            break;
        }
        if !unfolding.add_layer(explorer)? {
            break;
        }
    }
    for player in 0..unfolding.players.len() {
        unfolding.gather_points(player);
        unfolding.gather_moves(player, &explorer.table);
    }
    Ok(unfolding)
}

impl Unfolding {
    /// Ends at the present layer.
    fn cut(&mut self, table: &Table) {
        let last = self.layer(self.depth());
        for point in last {
            let state = self.state[point] as usize;
            self.complete &= table.states[state].terminal;
            self.first_step.push(self.to.len() as u32);
        }
    }

    /// Adds the points after the last layer; false if there are none.
    fn add_layer<G: Game>(&mut self, explorer: &mut Explorer<G>) -> Result<bool, TooLarge> {
        let limits = explorer.limits();
        let players = self.players.len();
        let mut points: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let mut sets: Vec<FxHashMap<(u32, MoveId, u32), u32>> = vec![FxHashMap::default(); players];
        let (mut key, mut places) = (vec![0; players + 1], Vec::new());
        for point in self.layer(self.depth()) {
            if point % POINTS_BETWEEN_LOOKS == 0 {
                limits.check_time()?;
            }
            let state = self.state[point];
            explorer.expand(state)?;
            let table = &explorer.table;
            for joint in 0..table.joint_count(state) {
                key[0] = table.successor(state, joint);
                table.places(state, joint, &mut places);
                for (player, sets) in sets.iter_mut().enumerate() {
                    let role = self.players[player].role;
                    let legal = table.states[state as usize].legal.of(role);
                    let made = legal[places[role.index()] as usize];
                    let percepts = table.percepts(state, joint, role);
                    let before = self.sets[point * players + player];
                    key[player + 1] = self.players[player].next(sets, before, made, percepts);
                }
                let next = match points.get(&key[..]) {
                    Some(&next) => next,
                    None => {
                        let next = self.state.len() as u32;
                        if next as usize >= limits.points {
                            let limit = limits.points;
                            return Err(TooLarge::Limit {
                                what: "points of histories",
                                limit,
                            });
                        }
                        self.state.push(key[0]);
                        self.sets.extend_from_slice(&key[1..]);
                        self.histories.push(0.0);
                        points.insert(key.clone().into(), next);
                        next
                    }
                };
                self.histories[next as usize] += self.histories[point];
                self.to.push(next);
            }
            if self.to.len() > limits.steps {
                let limit = limits.steps;
                return Err(TooLarge::Limit {
                    what: "steps of histories",
                    limit,
                });
            }
            self.first_step.push(self.to.len() as u32);
        }
        let end = self.state.len() as u32;
        if self.layers.last() == Some(&end) {
            return Ok(false);
        }
        self.layers.push(end);
        Ok(true)
    }

    /// Lists the points of each information set.
    fn gather_points(&mut self, player: usize) {
        let count = self.players.len();
        let own = &mut self.players[player];
        let mut starts = vec![0_u32; own.len() + 1];
        for point in 0..self.state.len() {
            starts[self.sets[point * count + player] as usize + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        own.first_point.clone_from(&starts);
        own.points = vec![0; self.state.len()];
        for point in 0..self.state.len() {
            let start = &mut starts[self.sets[point * count + player] as usize];
            own.points[*start as usize] = point as u32;
            *start += 1;
        }
    }

    /// Lists the moves of each information set, and finds the sequence that leads to each.
    fn gather_moves(&mut self, player: usize, table: &Table) {
        let own = &mut self.players[player];
        let mut counted: Vec<(MoveId, u32)> = Vec::new();
        for set in 0..own.len() as u32 {
            own.first_sequence.push(own.moves.len() as u32);
            counted.clear();
            let mut open = 0;
            for &point in own.points(set) {
                let entry = &table.states[self.state[point as usize] as usize];
                if entry.terminal {
                    continue;
                }
                open += 1;
                for &id in entry.legal.of(own.role) {
                    match counted.binary_search_by_key(&id, |&(id, _)| id) {
                        Ok(place) => counted[place].1 += 1,
                        Err(place) => counted.insert(place, (id, 1)),
                    }
                }
            }
            own.moves.extend(counted.iter().map(|&(id, _)| id));
            own.known
                .extend(counted.iter().map(|&(_, times)| times == open));
        }
        own.first_sequence.push(own.moves.len() as u32);
        own.entry = (0..own.len())
            .map(|set| match own.parent[set] {
                NONE => NONE,
                parent => own
                    .sequence(parent, own.made[set])
                    .map_or(NONE, |place| place as u32),
            })
            .collect();
    }
}

impl InformationSets {
    /// The set after a set, a move and percepts; new if it is not among those of the layer.
    fn next(
        &mut self,
        layer: &mut FxHashMap<(u32, MoveId, u32), u32>,
        before: u32,
        made: MoveId,
        percepts: u32,
    ) -> u32 {
        *layer.entry((before, made, percepts)).or_insert_with(|| {
            self.parent.push(before);
            self.made.push(made);
            self.percepts.push(percepts);
            self.depth.push(self.depth[before as usize] + 1);
            self.parent.len() as u32 - 1
        })
    }
}
