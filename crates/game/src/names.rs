//! Tables of names that all walkers of a game share: ids for the texts of moves and percepts.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::ids::{MoveId, PerceptId};

/// An id that names an entry of a [`NameTable`].
pub trait NameId: Copy + Send + Sync + 'static {
    /// What the names are, in the plural, for messages.
    const KIND: &'static str;
    /// The id of the entry at this index.
    fn from_index(index: u32) -> Self;
    /// The index of the id's entry.
    fn to_index(self) -> u32;
}

impl NameId for MoveId {
    const KIND: &'static str = "moves";

    fn from_index(index: u32) -> Self {
        MoveId(index)
    }

    fn to_index(self) -> u32 {
        self.0
    }
}

impl NameId for PerceptId {
    const KIND: &'static str = "percepts";

    fn from_index(index: u32) -> Self {
        PerceptId(index)
    }

    fn to_index(self) -> u32 {
        self.0
    }
}

/// The texts of all moves that were ever seen in a game.
pub type MoveTable = NameTable<MoveId>;

/// The texts of all percepts that were ever seen in a game.
pub type PerceptTable = NameTable<PerceptId>;

/// A table is full: the game has more names than its limit allows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than {limit} different {kind}")]
pub struct TableFull {
    /// What the names are, in the plural.
    pub kind: &'static str,
    /// How many names the table may have.
    pub limit: u32,
}

/// An append-only list of names with ids in the order of first sight; a clone is a handle to the
/// same table.
///
/// An id, once given, keeps its name for as long as the table lives, so ids can be kept in states
/// and trees. Reading takes a shared lock; engines that know all names beforehand never take the
/// exclusive one.
pub struct NameTable<Id> {
    names: Arc<RwLock<IndexSet<Arc<str>, FxBuildHasher>>>,
    limit: u32,
    ids: PhantomData<fn() -> Id>,
}

impl<Id: NameId> NameTable<Id> {
    /// An empty table that never holds more than `limit` names.
    ///
    /// The highest index is kept free, because [`MoveId::CHANCE`] is no name.
    pub fn with_limit(limit: u32) -> Self {
        Self {
            names: Arc::default(),
            limit: limit.min(u32::MAX - 1),
            ids: PhantomData,
        }
    }

    /// A table with exactly these names, in this order, to which nothing can be added. Repeated
    /// names count once.
    ///
    /// # Errors
    /// If there are more names than ids.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, TableFull> {
        let table = Self::with_limit(u32::MAX);
        for name in names {
            table.intern(name)?;
        }
        let limit = table.read().len() as u32;
        Ok(Self { limit, ..table })
    }

    /// The id of a name, new if it was not seen before.
    ///
    /// # Errors
    /// If the name is new and the table is full.
    pub fn intern(&self, name: &str) -> Result<Id, TableFull> {
        if let Some(id) = self.find(name) {
            return Ok(id);
        }
        let mut names = self.write();
        // Another thread may have added it between the two locks; `insert_full` finds it then.
        if names.len() >= self.limit as usize && !names.contains(name) {
            return Err(TableFull {
                kind: Id::KIND,
                limit: self.limit,
            });
        }
        let (index, _) = names.insert_full(name.into());
        Ok(Id::from_index(index as u32))
    }

    /// The id of a name, if the table has it.
    pub fn find(&self, name: &str) -> Option<Id> {
        let index = self.read().get_index_of(name)?;
        Some(Id::from_index(index as u32))
    }

    /// The name of an id, if the table has it.
    pub fn get(&self, id: Id) -> Option<Arc<str>> {
        self.read().get_index(id.to_index() as usize).cloned()
    }

    /// The name of an id for people: `?` for one that is not of this table.
    pub fn name(&self, id: Id) -> Arc<str> {
        self.get(id).unwrap_or_else(|| "?".into())
    }

    /// Sorts ids by the bytes of their names.
    pub fn sort(&self, ids: &mut [Id]) {
        let names = self.read();
        ids.sort_unstable_by(|left, right| {
            let left = names.get_index(left.to_index() as usize);
            left.cmp(&names.get_index(right.to_index() as usize))
        });
    }

    /// Puts ids among others, which are sorted by the bytes of their names, so that all are; the
    /// first place that changed.
    pub fn insert_sorted(&self, new: &[Id], sorted: &mut Vec<Id>) -> usize {
        if new.len() > sorted.len() / 8 {
            sorted.extend_from_slice(new);
            self.sort(sorted);
            return 0;
        }
        let names = self.read();
        let name = |id: Id| names.get_index(id.to_index() as usize);
        let mut first = sorted.len();
        for &id in new {
            let place = sorted.partition_point(|&other| name(other) < name(id));
            sorted.insert(place, id);
            first = first.min(place);
        }
        first
    }

    /// How many names there are now.
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there are no names yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many names there may be.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// All names that there are now, in the order of their ids.
    pub fn to_vec(&self) -> Vec<Arc<str>> {
        self.read().iter().cloned().collect()
    }

    // A thread that panicked while it held a lock left the table whole: insertion is the only
    // change.
    fn read(&self) -> RwLockReadGuard<'_, IndexSet<Arc<str>, FxBuildHasher>> {
        self.names.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, IndexSet<Arc<str>, FxBuildHasher>> {
        self.names.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Id> Clone for NameTable<Id> {
    fn clone(&self) -> Self {
        Self {
            names: Arc::clone(&self.names),
            limit: self.limit,
            ids: PhantomData,
        }
    }
}

impl<Id: NameId> fmt::Debug for NameTable<Id> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "NameTable({} of {} {})",
            self.len(),
            self.limit,
            Id::KIND
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{MoveTable, TableFull};
    use crate::ids::MoveId;

    #[test]
    fn clones_share_their_names() {
        let table = MoveTable::with_limit(10);
        let mark = table.clone().intern("(mark 1 1)").unwrap();
        assert_eq!(table.find("(mark 1 1)"), Some(mark));
        assert_eq!(table.intern("(mark 1 1)"), Ok(mark));
        assert_eq!(&*table.name(mark), "(mark 1 1)");
        assert_eq!(table.len(), 1);
    }

    #[test]
    fn a_full_table_refuses_new_names_and_keeps_old_ones() {
        let table = MoveTable::with_limit(1);
        let noop = table.intern("noop").unwrap();
        let full = TableFull {
            kind: "moves",
            limit: 1,
        };
        assert_eq!(table.intern("jump"), Err(full.clone()));
        assert_eq!(full.to_string(), "more than 1 different moves");
        assert_eq!(table.intern("noop"), Ok(noop));
    }

    #[test]
    fn sorting_is_by_bytes_of_the_text() {
        let table = MoveTable::from_names(["b", "a", "(z)", "B"]).unwrap();
        let mut ids: Vec<MoveId> = (0..4).map(MoveId).collect();
        table.sort(&mut ids);
        assert_eq!(ids, [MoveId(2), MoveId(3), MoveId(1), MoveId(0)]);
        assert!(table.intern("c").is_err());
    }

    #[test]
    fn an_unknown_id_has_no_name() {
        let table = MoveTable::with_limit(3);
        assert_eq!(table.get(MoveId::CHANCE), None);
        assert_eq!(&*table.name(MoveId(0)), "?");
    }
}
