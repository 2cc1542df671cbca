//! The moves and percepts that a walker has met: ids for rows, rows for ids, and their order.

use paidia_game::{
    Chance, Fault, LegalMoves, MoveId, MoveTable, PerceptId, PerceptTable, Resource, RoleId, Walker,
};
use paidia_gdl::datalog::Table;
use paidia_gdl::datalog::table::NONE;
use paidia_gdl::program::Program;

/// Ids of what a walker has met, by kind and row.
#[derive(Clone)]
struct RowIds<Id> {
    /// For each kind the rows met, without the role.
    rows: Vec<Table>,
    /// For each kind and row, the id.
    ids: Vec<Vec<Id>>,
}

impl<Id: Copy> RowIds<Id> {
    /// Nothing yet, of kinds whose rows have these lengths.
    fn new(arities: impl Iterator<Item = usize>) -> Self {
        let rows: Vec<Table> = arities.map(Table::new).collect();
        Self {
            ids: vec![Vec::new(); rows.len()],
            rows,
        }
    }

    /// The id of a row, if it was met.
    fn find(&self, kind: usize, row: &[u32]) -> Option<Id> {
        let number = self.rows[kind].find(row);
        (number != NONE).then(|| self.ids[kind][number as usize])
    }

    /// Adds a row that was not met; its number.
    fn add(&mut self, kind: usize, row: &[u32], id: Id) -> u32 {
        let number = self.rows[kind].len();
        self.rows[kind].insert(row);
        self.ids[kind].push(id);
        number
    }
}

/// What each role was told, and the percepts that a walker has met, by kind and row.
pub(crate) struct PerceptNames {
    known: RowIds<PerceptId>,
    told: Vec<Vec<PerceptId>>,
    text: String,
}

impl PerceptNames {
    /// No percepts yet, in a game with that many roles.
    pub(crate) fn new(program: &Program, roles: usize) -> Self {
        let sees = program.percepts.iter().map(|kind| kind.sees);
        Self {
            known: RowIds::new(sees.map(|relation| program.relation(relation).arity - 1)),
            told: vec![Vec::new(); roles],
            text: String::new(),
        }
    }

    /// No role was told anything.
    pub(crate) fn clear(&mut self) {
        self.told.iter_mut().for_each(Vec::clear);
    }

    /// Tells a role a percept, which gets a place in the game's table if it is new; `write` tells
    /// its text.
    pub(crate) fn tell(
        &mut self,
        role: RoleId,
        kind: usize,
        row: &[u32],
        percepts: &PerceptTable,
        write: impl FnOnce(&mut String),
    ) -> Result<(), Fault> {
        let id = match self.known.find(kind, row) {
            Some(id) => id,
            None => {
                self.text.clear();
                write(&mut self.text);
                let id = percepts.intern(&self.text).map_err(|full| Fault {
                    resource: Resource::Percepts,
                    limit: u64::from(full.limit),
                })?;
                self.known.add(kind, row, id);
                id
            }
        };
        self.told[role.index()].push(id);
        Ok(())
    }

    /// Puts what each role was told in the order of texts, each once.
    pub(crate) fn sort(&mut self, percepts: &PerceptTable) {
        for told in &mut self.told {
            percepts.sort(told);
            told.dedup();
        }
    }

    /// What a role was told.
    pub(crate) fn of(&self, role: RoleId) -> &[PerceptId] {
        self.told.get(role.index()).map_or(&[], Vec::as_slice)
    }
}

/// Copies a joint move, with a move drawn for each role that moves by chance.
pub(crate) fn resolve(
    walker: &mut impl Walker,
    joint: &[MoveId],
    chance: &mut Chance,
    resolved: &mut Vec<MoveId>,
) {
    if joint.contains(&MoveId::CHANCE) {
        walker.legal().resolve(joint, chance, resolved);
    } else {
        resolved.clear();
        resolved.extend_from_slice(joint);
    }
}

/// The moves that a walker has met, by kind and row.
#[derive(Clone)]
pub(crate) struct MoveNames {
    known: RowIds<MoveId>,
    /// For each id, its kind and row.
    places: Vec<Option<(u32, u32)>>,
    /// Ids that were met, in the order of their texts.
    sorted: Vec<MoveId>,
    /// For each id, its place in `sorted`.
    ranks: Vec<u32>,
    /// Those that are not in `sorted` yet.
    unsorted: Vec<MoveId>,
    /// A bit for each rank, to sort by.
    marks: Vec<u64>,
    text: String,
}

/// With more words of marks than this, ranks are sorted one by one.
const MARKED_WORDS: usize = 16;

impl MoveNames {
    /// No moves yet, of kinds whose rows have these lengths.
    pub(crate) fn new(arities: impl Iterator<Item = usize>) -> Self {
        Self {
            known: RowIds::new(arities),
            places: Vec::new(),
            sorted: Vec::new(),
            ranks: Vec::new(),
            unsorted: Vec::new(),
            marks: Vec::new(),
            text: String::new(),
        }
    }

    /// The id of a move, which gets a place in the game's table if it is new; `write` tells its
    /// text.
    pub(crate) fn id(
        &mut self,
        kind: usize,
        row: &[u32],
        moves: &MoveTable,
        write: impl FnOnce(&mut String),
    ) -> Result<MoveId, Fault> {
        if let Some(id) = self.known.find(kind, row) {
            return Ok(id);
        }
        self.text.clear();
        write(&mut self.text);
        let id = moves.intern(&self.text).map_err(|full| Fault {
            resource: Resource::Moves,
            limit: u64::from(full.limit),
        })?;
        self.meet(kind, row, id);
        Ok(id)
    }

    fn meet(&mut self, kind: usize, row: &[u32], id: MoveId) {
        let number = self.known.add(kind, row, id);
        let index = id.0 as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, None);
        }
        self.places[index] = Some((kind as u32, number));
        self.unsorted.push(id);
    }

    /// The kind and row of a move, which another walker may have met first; `read` finds them by
    /// its text.
    pub(crate) fn row(
        &mut self,
        id: MoveId,
        moves: &MoveTable,
        read: impl FnOnce(&str) -> Option<(usize, Vec<u32>)>,
    ) -> Option<(usize, &[u32])> {
        let known = self.places.get(id.0 as usize).copied().flatten();
        let (kind, number) = match known {
            Some(place) => place,
            None => {
                let (kind, row) = read(&moves.get(id)?)?;
                self.meet(kind, &row, id);
                self.places[id.0 as usize]?
            }
        };
        Some((kind as usize, self.known.rows[kind as usize].row(number)))
    }

    /// Whether every move that was met has its rank.
    pub(crate) fn is_sorted(&self) -> bool {
        self.unsorted.is_empty()
    }

    /// The moves with ranks, in the order of texts.
    pub(crate) fn sorted(&self) -> &[MoveId] {
        &self.sorted
    }

    /// The rank of a move that was met.
    #[inline]
    pub(crate) fn rank(&self, id: MoveId) -> u32 {
        self.ranks[id.0 as usize]
    }

    /// Gives every move that was met its rank in the order of texts.
    fn sort(&mut self, moves: &MoveTable) {
        if self.unsorted.is_empty() {
            return;
        }
        let first = moves.insert_sorted(&self.unsorted, &mut self.sorted);
        self.unsorted.clear();
        self.ranks.resize(self.places.len(), 0);
        for (rank, id) in self.sorted.iter().enumerate().skip(first) {
            self.ranks[id.0 as usize] = rank as u32;
        }
    }

    /// Adds a role's moves, each found once, to the legal ones, in the order of their texts.
    pub(crate) fn push_sorted(
        &mut self,
        found: &mut [MoveId],
        moves: &MoveTable,
        legal: &mut LegalMoves,
    ) {
        self.sort(moves);
        let words = self.sorted.len().div_ceil(64);
        if found.len() < 2 || words > MARKED_WORDS {
            found.sort_unstable_by_key(|id| self.ranks[id.0 as usize]);
            found.iter().for_each(|&id| legal.push(id));
            return legal.end_role();
        }
        self.marks.clear();
        self.marks.resize(words, 0);
        for id in found {
            let rank = self.ranks[id.0 as usize];
            self.marks[(rank / 64) as usize] |= 1 << (rank % 64);
        }
        for (number, &word) in self.marks.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                legal.push(self.sorted[number * 64 + left.trailing_zeros() as usize]);
                left &= left - 1;
            }
        }
        legal.end_role();
    }
}
