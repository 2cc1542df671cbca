//! Ground rules prepared for updates: what a change affects, and where each atom waits.

use paidia_gdl::grounding::{AtomId, GroundLiteral};

use super::clauses::{Clauses, Sorted};
use super::levels::{Levels, NONE};
use super::queue::{Buckets, Key};
use super::{ALL, NegativeCycle, Options, Questions};
use crate::lists::Lists;

/// A stratified program without variables, with everything that updates need to know about it.
#[derive(Debug)]
pub struct Stratified {
    pub(super) options: Options,
    pub(super) clauses: Sorted,
    pub(super) levels: Levels,
    /// For each atom, the rules that its changes affect.
    pub(super) fans: Vec<Fan>,
    /// The rules of all fans.
    pub(super) edges: Vec<u32>,
    /// For each atom of a region, the rules of its region with it in their bodies.
    pub(super) inner_fans: Lists<u32>,
    /// For each rule, the atoms of its body that are of its head's region.
    pub(super) inner_bodies: Lists<u32>,
    pub(super) buckets: Buckets,
    /// For each atom, the bucket in which it waits; of no meaning for base atoms and atoms of
    /// regions.
    pub(super) bucket_of_atom: Vec<u32>,
    /// For each rule, the bucket in which its head waits when it has changed, if atoms do not wait
    /// for all their rules.
    pub(super) bucket_of_rule: Vec<u32>,
    /// For each region, the bucket in which it waits.
    pub(super) bucket_of_region: Vec<u32>,
}

/// The rules outside an atom's region that have it in their bodies: parts of [`Stratified::edges`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fan {
    /// Where the rules start that need the atom.
    pub(super) holds: u32,
    /// Where those end, and the rules start that need it to be false.
    pub(super) fails: u32,
    /// Where these end.
    pub(super) end: u32,
}

impl Stratified {
    /// Prepares rules over the atoms below `wanted.len()`, which must be all that they have.
    /// `wanted` has, for each atom, the questions that it answers; only what these need is kept up
    /// to date.
    ///
    /// # Errors
    /// If an atom depends on its own negation.
    pub fn new(
        clauses: &Clauses,
        wanted: Vec<Questions>,
        options: Options,
    ) -> Result<Self, NegativeCycle> {
        let clauses = Sorted::new(clauses, wanted.len());
        let mut levels = Levels::new(&clauses, wanted)?;
        if !options.lazy {
            let needed = levels.uses.iter_mut().filter(|uses| **uses != 0);
            needed.for_each(|uses| *uses = ALL);
        }
        let places = Places::new(&clauses, &levels, options);
        let (fans, edges) = fans(&clauses, &levels);
        Ok(Self {
            options,
            fans,
            edges,
            inner_fans: Lists::new(clauses.atoms(), &inner_edges(&clauses, &levels)),
            inner_bodies: inner_bodies(&clauses, &levels),
            buckets: places.buckets,
            bucket_of_atom: places.of_atom,
            bucket_of_rule: places.of_rule,
            bucket_of_region: places.of_region,
            clauses,
            levels,
        })
    }

    /// How many atoms there are.
    pub fn atoms(&self) -> usize {
        self.clauses.atoms()
    }

    /// How many rules there are.
    pub fn rules(&self) -> usize {
        self.clauses.heads.len()
    }

    /// How many atoms depend on themselves.
    pub fn recursive_atoms(&self) -> usize {
        self.levels.regions.iter().map(Vec::len).sum()
    }

    /// The number of levels.
    pub fn levels(&self) -> u32 {
        self.levels.of_atom.iter().copied().max().unwrap_or(0)
    }

    /// Whether a question needs the rule.
    pub(super) fn is_needed(&self, rule: usize) -> bool {
        self.levels.uses[self.clauses.heads[rule] as usize] != 0
    }
}

/// A literal of a body, unless it is of the head's region.
fn outer_body<'a>(
    clauses: &'a Sorted,
    levels: &'a Levels,
    rule: usize,
) -> impl Iterator<Item = GroundLiteral> + 'a {
    let region = levels.region_of[clauses.heads[rule] as usize];
    let body = clauses.body(rule).iter().copied();
    body.filter(move |literal| {
        region == NONE || levels.region_of[literal.atom() as usize] != region
    })
}

/// For each atom the rules to be told of its changes, region by region left out.
fn fans(clauses: &Sorted, levels: &Levels) -> (Vec<Fan>, Vec<u32>) {
    let mut pairs = Vec::new();
    for (rule, &head) in clauses.heads.iter().enumerate() {
        if levels.uses[head as usize] == 0 {
            continue;
        }
        for literal in outer_body(clauses, levels, rule) {
            pairs.push((
                literal.atom() << 1 | u32::from(literal.fails()),
                rule as u32,
            ));
        }
    }
    let lists = Lists::new(clauses.atoms() * 2, &pairs);
    let fan = |atom: usize| Fan {
        holds: lists.starts[atom * 2],
        fails: lists.starts[atom * 2 + 1],
        end: lists.starts[atom * 2 + 2],
    };
    ((0..clauses.atoms()).map(fan).collect(), lists.items)
}

/// Atoms of regions with the rules of their regions that have them in their bodies.
fn inner_edges(clauses: &Sorted, levels: &Levels) -> Vec<(AtomId, u32)> {
    let mut edges = Vec::new();
    for (region, atoms) in levels.regions.iter().enumerate() {
        for rule in atoms.iter().flat_map(|&atom| clauses.rules_of(atom)) {
            for literal in clauses.body(rule) {
                if levels.region_of[literal.atom() as usize] == region as u32 {
                    edges.push((literal.atom(), rule as u32));
                }
            }
        }
    }
    edges
}

/// The same from the rules' side.
fn inner_bodies(clauses: &Sorted, levels: &Levels) -> Lists<u32> {
    let edges = inner_edges(clauses, levels);
    let turned: Vec<(u32, u32)> = edges.iter().map(|&(atom, rule)| (rule, atom)).collect();
    Lists::new(clauses.heads.len(), &turned)
}

/// Where everything waits.
struct Places {
    buckets: Buckets,
    of_atom: Vec<u32>,
    of_rule: Vec<u32>,
    of_region: Vec<u32>,
}

impl Places {
    fn new(clauses: &Sorted, levels: &Levels, options: Options) -> Self {
        let atoms = clauses.atoms() as u32;
        let key = |atom: AtomId, level: u32| -> Key { (level, levels.uses[atom as usize]) };
        let level = |atom: AtomId| levels.of_atom[atom as usize];
        let waits = |atom: &AtomId| {
            let place = *atom as usize;
            let derived = !clauses.rules_of(*atom).is_empty();
            derived && levels.uses[place] != 0 && levels.region_of[place] == NONE
        };
        let waiting: Vec<AtomId> = (0..atoms).filter(waits).collect();
        let mut pairs: Vec<(Key, u32)> = Vec::new();
        pairs.extend(waiting.iter().map(|&atom| (key(atom, level(atom)), atom)));
        for (members, item) in levels.regions.iter().zip(atoms..) {
            pairs.push((key(members[0], level(members[0])), item));
        }
        let rules = if options.levels {
            0
        } else {
            clauses.heads.len()
        };
        for (&head, &level) in clauses.heads.iter().zip(&levels.of_rule).take(rules) {
            pairs.push((key(head, level), head));
        }
        let items = clauses.atoms() + levels.regions.len();
        let (buckets, mut found) = Buckets::new(&pairs, items);
        let of_rule = found.split_off(waiting.len() + levels.regions.len());
        let of_region = found.split_off(waiting.len());
        let mut of_atom = vec![0; clauses.atoms()];
        for (&atom, &bucket) in waiting.iter().zip(&found) {
            of_atom[atom as usize] = bucket;
        }
        Self {
            buckets,
            of_atom,
            of_rule,
            of_region,
        }
    }
}
