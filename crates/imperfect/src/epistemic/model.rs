//! A game as a graph of points, on which formulas are decided.
//!
//! Every point has a *moment*: the state with the joint move that led to it, which is all that
//! atoms depend on. In a full model a point also has every player's information set, which is
//! enough for any formula. In a model of supports it has, for some players, the set of moments that
//! the player holds possible; that is enough for knowledge about anything but knowledge, is much
//! smaller, and finite even where play need not end.

use indexmap::IndexSet;
use paidia_game::{Game, MoveId, RoleId};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::explore::{Explorer, Table, TooLarge};

/// The joint move of no step yet.
const START: u32 = u32::MAX;
/// The move STOP of all roles.
const STOP: u32 = u32::MAX - 1;
/// The own move STOP in what a player is told.
const STOPPED: MoveId = MoveId(u32::MAX - 1);

/// A state and how it was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moment {
    /// The state.
    pub state: u32,
    /// The state before, if it is told apart by that.
    from: u32,
    /// The joint move of that state, or none yet, or STOP.
    joint: u32,
}

impl Moment {
    /// The state before and its joint move; none at the start and after a STOP.
    pub fn made(self) -> Option<(u32, u32)> {
        (self.joint != START && self.joint != STOP).then_some((self.from, self.joint))
    }

    /// Whether all roles made the move STOP.
    pub fn is_stopped(self) -> bool {
        self.joint == STOP
    }
}

/// What a player knows in each point.
#[derive(Clone, Debug)]
pub enum Knowledge {
    /// Points with the same number look the same to it.
    Sets(Vec<u32>),
    /// For each point a place in `supports`, which are lists of moments.
    Supports {
        /// For each point its support.
        of: Vec<u32>,
        /// The moments that are possible.
        supports: Vec<Box<[u32]>>,
    },
    /// It was not asked for.
    Unknown,
}

/// A graph of points. Point 0 is the start; every point has a successor.
#[derive(Clone, Debug)]
pub struct Model {
    /// Different moments.
    pub moments: Vec<Moment>,
    /// For each point its moment.
    pub moment: Vec<u32>,
    first: Vec<u32>,
    to: Vec<u32>,
    /// For each player what it knows.
    pub knowledge: Vec<Knowledge>,
    /// Whether no point comes again, but by a step to itself.
    pub acyclic: bool,
    /// The points, each after its successors, where the model is acyclic.
    pub order: Vec<u32>,
}

impl Model {
    /// How many points there are.
    pub fn len(&self) -> usize {
        self.moment.len()
    }

    /// There is always the start.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The points after a point.
    pub fn successors(&self, point: u32) -> &[u32] {
        &self.to[self.first[point as usize] as usize..self.first[point as usize + 1] as usize]
    }

    fn new(players: usize) -> Self {
        Self {
            moments: Vec::new(),
            moment: Vec::new(),
            first: vec![0],
            to: Vec::new(),
            knowledge: vec![Knowledge::Unknown; players],
            acyclic: false,
            order: Vec::new(),
        }
    }

    /// The moments as points.
    pub(super) fn of_moments(&self) -> Model {
        let mut point_of = vec![u32::MAX; self.moments.len()];
        for (point, &moment) in self.moment.iter().enumerate() {
            point_of[moment as usize] = point as u32;
        }
        let mut local = Model::new(0);
        local.moments.clone_from(&self.moments);
        for (moment, &point) in point_of.iter().enumerate() {
            local.moment.push(moment as u32);
            // A moment that no point has comes at no time.
            match point {
                u32::MAX => local.to.push(moment as u32),
                _ => {
                    let next = self.successors(point).iter();
                    local
                        .to
                        .extend(next.map(|&next| self.moment[next as usize]));
                }
            }
            close(&mut local);
        }
        local.sort();
        local
    }

    /// Puts each point after its successors; finds out whether that can be.
    fn sort(&mut self) {
        let mut mark = vec![0_u8; self.len()];
        let mut stack: Vec<(u32, u32)> = Vec::new();
        self.acyclic = true;
        self.order.clear();
        for start in 0..self.len() as u32 {
            if mark[start as usize] == 0 {
                mark[start as usize] = 1;
                stack.push((start, 0));
                self.visit(&mut stack, &mut mark);
            }
        }
    }

    fn visit(&mut self, stack: &mut Vec<(u32, u32)>, mark: &mut [u8]) {
        while let Some((point, place)) = stack.last_mut() {
            let here = *point;
            match self.successors(here).get(*place as usize) {
                Some(&next) => {
                    *place += 1;
                    match mark[next as usize] {
                        0 => {
                            mark[next as usize] = 1;
                            stack.push((next, 0));
                        }
                        1 if next != here => self.acyclic = false,
                        _ => {}
                    }
                }
                None => {
                    mark[here as usize] = 2;
                    self.order.push(here);
                    stack.pop();
                }
            }
        }
    }
}

/// How moments follow one another.
struct Moments<'a> {
    all: IndexSet<Moment, FxBuildHasher>,
    table: &'a Table,
    /// Whether joint moves are told apart.
    by_move: bool,
    /// For joint moves that no atom can tell apart, one of them.
    alike: FxHashMap<(u32, Vec<MoveId>, Vec<u32>), u32>,
}

/// A step from a moment: the next one, and what each player was told of it.
struct Step {
    next: u32,
    told: Vec<(MoveId, u32)>,
}

impl Moments<'_> {
    /// The steps from a moment. A state without joint moves stays, as a terminal one does.
    fn steps(&mut self, moment: u32, limit: usize) -> Result<Vec<Step>, TooLarge> {
        let Moment { state, .. } = self.all[moment as usize];
        let count = self.table.joint_count(state);
        let players = &self.table.players;
        if count == 0 {
            let (stopped, _) = self.all.insert_full(Moment {
                state,
                from: 0,
                joint: STOP,
            });
            let told = vec![(STOPPED, 0); players.len()];
            return Ok(vec![Step {
                next: stopped as u32,
                told,
            }]);
        }
        let mut steps = Vec::with_capacity(count as usize);
        for joint in 0..count {
            let to = self.table.successor(state, joint);
            let made = self.table.joint(state, joint);
            let percepts = |role: RoleId| self.table.percepts(state, joint, role);
            let told = players
                .iter()
                .map(|&role| (made[role.index()], percepts(role)))
                .collect();
            let next = match self.by_move {
                true => self.named(state, joint, to, made),
                false => Moment {
                    state: to,
                    from: 0,
                    joint: 0,
                },
            };
            let (next, _) = self.all.insert_full(next);
            steps.push(Step {
                next: next as u32,
                told,
            });
        }
        if self.all.len() > limit {
            return Err(TooLarge::Limit {
                what: "moments",
                limit,
            });
        }
        Ok(steps)
    }

    /// The moment after a joint move, the same for those with the same moves and percepts.
    fn named(&mut self, state: u32, joint: u32, to: u32, made: Vec<MoveId>) -> Moment {
        let roles = (0..self.table.roles.len() as u16).map(RoleId);
        let percepts = roles
            .map(|role| self.table.percepts(state, joint, role))
            .collect();
        let fresh = self.all.len() as u32;
        let new = Moment {
            state: to,
            from: state,
            joint,
        };
        let alike = *self.alike.entry((to, made, percepts)).or_insert(fresh);
        if alike == fresh {
            new
        } else {
            self.all[alike as usize]
        }
    }
}

/// The model with all information sets, for any formula.
///
/// # Errors
/// If a limit is reached, as it is where play need not end.
pub fn full<G: Game>(explorer: &mut Explorer<G>, by_move: bool) -> Result<Model, TooLarge> {
    explorer.expand_all()?;
    let limits = explorer.limits();
    let players = explorer.table.players.len();
    let mut moments = start(&explorer.table, by_move);
    let mut model = Model::new(players);
    model.moment.push(0);
    let mut sets: Vec<Vec<u32>> = vec![vec![0]; players];
    let mut next_set = vec![1_u32; players];
    let mut layer = 0..1;
    loop {
        let mut points: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let mut known: Vec<FxHashMap<(u32, MoveId, u32), u32>> =
            vec![FxHashMap::default(); players];
        let mut moving = false;
        let end = model.len();
        // Once all have stopped, what is known stays the same.
        let all_stopped = layer
            .clone()
            .all(|point: usize| moments.all[model.moment[point] as usize].is_stopped());
        for point in layer {
            if all_stopped {
                model.to.push(point as u32);
                model.first.push(model.to.len() as u32);
                continue;
            }
            for step in moments.steps(model.moment[point], limits.states)? {
                moving = true;
                let mut key = vec![step.next];
                for (player, (made, percepts)) in step.told.into_iter().enumerate() {
                    let fresh = next_set[player];
                    let before = sets[player][point];
                    let set = *known[player]
                        .entry((before, made, percepts))
                        .or_insert(fresh);
                    next_set[player] += u32::from(set == fresh);
                    key.push(set);
                }
                let key = key.into_boxed_slice();
                let fresh = model.moment.len() as u32;
                if fresh as usize >= limits.points || model.to.len() >= limits.steps {
                    let limit = limits.points;
                    return Err(TooLarge::Limit {
                        what: "points of histories",
                        limit,
                    });
                }
                let next = *points.entry(key.clone()).or_insert(fresh);
                if next == fresh {
                    model.moment.push(key[0]);
                    key[1..]
                        .iter()
                        .zip(&mut sets)
                        .for_each(|(&set, sets)| sets.push(set));
                }
                model.to.push(next);
            }
            close(&mut model);
        }
        if !moving {
            break;
        }
        layer = end..model.len();
    }
    model.knowledge = sets.into_iter().map(Knowledge::Sets).collect();
    model.moments = moments.all.into_iter().collect();
    model.sort();
    Ok(model)
}

/// The model with the supports of some players, by their places among the players.
///
/// # Errors
/// If a limit is reached.
pub fn of_supports<G: Game>(
    explorer: &mut Explorer<G>,
    by_move: bool,
    knowers: &[usize],
) -> Result<Model, TooLarge> {
    explorer.expand_all()?;
    let limits = explorer.limits();
    let mut moments = start(&explorer.table, by_move);
    let mut model = Model::new(explorer.table.players.len());
    let mut supports: Vec<Supports> = knowers
        .iter()
        .map(|&player| Supports::new(player))
        .collect();
    let mut points: IndexSet<Box<[u32]>, FxBuildHasher> = IndexSet::default();
    points.insert(vec![0; knowers.len() + 1].into());
    let mut point = 0;
    while point < points.len() {
        let key = points[point].clone();
        model.moment.push(key[0]);
        for step in moments.steps(key[0], limits.states)? {
            let mut next = vec![step.next];
            for (place, supports) in supports.iter_mut().enumerate() {
                let told = step.told[supports.player];
                next.push(supports.after(key[place + 1], told, &mut moments, limits.states)?);
            }
            let (next, _) = points.insert_full(next.into());
            model.to.push(next as u32);
        }
        if points.len() > limits.points || model.to.len() > limits.steps {
            let limit = limits.points;
            return Err(TooLarge::Limit {
                what: "points of states and beliefs",
                limit,
            });
        }
        close(&mut model);
        point += 1;
    }
    for (place, supports) in supports.into_iter().enumerate() {
        model.knowledge[supports.player] = Knowledge::Supports {
            of: points.iter().map(|key| key[place + 1]).collect(),
            supports: supports.all.into_iter().collect(),
        };
    }
    model.moments = moments.all.into_iter().collect();
    model.sort();
    Ok(model)
}

fn start(table: &Table, by_move: bool) -> Moments<'_> {
    let mut all = IndexSet::default();
    all.insert(Moment {
        state: 0,
        from: 0,
        joint: START,
    });
    Moments {
        all,
        table,
        by_move,
        alike: FxHashMap::default(),
    }
}

/// Ends the list of the latest point's successors.
fn close(model: &mut Model) {
    let begin = model.first.last().map_or(0, |&first| first as usize);
    let mut own = model.to.split_off(begin);
    own.sort_unstable();
    own.dedup();
    model.to.extend(own);
    model.first.push(model.to.len() as u32);
}

/// The supports of one player.
struct Supports {
    player: usize,
    all: IndexSet<Box<[u32]>, FxBuildHasher>,
    /// What comes after a support, by what is told.
    after: FxHashMap<u32, FxHashMap<(MoveId, u32), u32>>,
}

impl Supports {
    fn new(player: usize) -> Self {
        let mut all = IndexSet::default();
        all.insert(vec![0].into());
        Self {
            player,
            all,
            after: FxHashMap::default(),
        }
    }

    /// The support after another when this is told.
    fn after(
        &mut self,
        support: u32,
        told: (MoveId, u32),
        moments: &mut Moments<'_>,
        limit: usize,
    ) -> Result<u32, TooLarge> {
        if !self.after.contains_key(&support) {
            let mut split: FxHashMap<(MoveId, u32), Vec<u32>> = FxHashMap::default();
            for moment in self.all[support as usize].clone() {
                for step in moments.steps(moment, limit)? {
                    split
                        .entry(step.told[self.player])
                        .or_default()
                        .push(step.next);
                }
            }
            let mut after = FxHashMap::default();
            for (told, mut next) in split {
                next.sort_unstable();
                next.dedup();
                after.insert(told, self.all.insert_full(next.into()).0 as u32);
            }
            self.after.insert(support, after);
        }
        Ok(self.after[&support][&told])
    }
}
