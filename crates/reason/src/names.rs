//! The moves that a walker has met: ids for rows, rows for ids, and their order.

use paidia_game::{Fault, MoveId, MoveTable, Resource};
use paidia_gdl::datalog::Table;
use paidia_gdl::datalog::table::NONE;

/// The moves that a walker has met, by kind and row.
#[derive(Clone)]
pub(crate) struct MoveNames {
    /// For each kind of move the rows met, without the role.
    rows: Vec<Table>,
    /// For each kind and row, the id.
    ids: Vec<Vec<MoveId>>,
    /// For each id, its kind and row.
    places: Vec<Option<(u32, u32)>>,
    /// All ids that were met, in the order of their texts.
    sorted: Vec<MoveId>,
    /// For each id, its place in `sorted`.
    ranks: Vec<u32>,
    /// Whether moves were met that are not in `sorted` yet.
    unsorted: bool,
    text: String,
}

impl MoveNames {
    /// No moves yet, of kinds whose rows have these lengths.
    pub(crate) fn new(arities: impl Iterator<Item = usize>) -> Self {
        let rows: Vec<Table> = arities.map(Table::new).collect();
        Self {
            ids: vec![Vec::new(); rows.len()],
            rows,
            places: Vec::new(),
            sorted: Vec::new(),
            ranks: Vec::new(),
            unsorted: false,
            text: String::new(),
        }
    }

    /// The id of a move, which gets a place in the game's table if it is new; `write` tells its text.
    pub(crate) fn id(
        &mut self,
        kind: usize,
        row: &[u32],
        moves: &MoveTable,
        write: impl FnOnce(&mut String),
    ) -> Result<MoveId, Fault> {
        let known = self.rows[kind].find(row);
        if known != NONE {
            return Ok(self.ids[kind][known as usize]);
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
        let number = self.rows[kind].len();
        self.rows[kind].insert(row);
        self.ids[kind].push(id);
        let index = id.0 as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, None);
        }
        self.places[index] = Some((kind as u32, number));
        self.unsorted = true;
    }

    /// The kind and row of a move, which another walker may have met first; `read` finds them by its text.
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
        Some((kind as usize, self.rows[kind as usize].row(number)))
    }

    /// Gives every move that was met its rank in the order of texts.
    pub(crate) fn sort(&mut self, moves: &MoveTable) {
        if !std::mem::take(&mut self.unsorted) {
            return;
        }
        self.sorted.clear();
        self.sorted.extend(self.ids.iter().flatten());
        moves.sort(&mut self.sorted);
        self.ranks.resize(self.places.len(), 0);
        for (rank, id) in self.sorted.iter().enumerate() {
            self.ranks[id.0 as usize] = rank as u32;
        }
    }

    /// The rank of a move that was met before the last [`Self::sort`].
    #[inline]
    pub(crate) fn rank(&self, id: MoveId) -> u32 {
        self.ranks[id.0 as usize]
    }
}
