//! Legal moves and moves made: between rows and the ids that players use.

use paidia_game::{Chance, Fault, LegalMoves, MoveId, RoleId};

use super::Rules;
use super::memory::Memory;
use crate::names::MoveNames;

/// The most places of legal moves for which ids are kept in an array.
const KNOWN_PLACES: u32 = 1 << 18;

/// With more words of marks than this, moves are listed.
const MARKED_WORDS: usize = 64;

/// No move that has been met.
const UNKNOWN: (RoleId, MoveId) = (RoleId(0), MoveId::CHANCE);

/// What a walker knows of moves.
pub(super) struct Moves {
    names: MoveNames,
    /// For each kind of move and place of a legal one, the role and the id; nothing for kinds with
    /// too many places.
    known: Vec<Vec<(RoleId, MoveId)>>,
    /// For each role, its moves as they are found.
    found: Vec<Vec<MoveId>>,
    /// For each role, a bit for each move in the order of texts, to sort by.
    marks: Vec<u64>,
    /// Whether legal moves are marked; else their ranks are listed.
    is_marked: bool,
    /// For each role, the ranks of its moves in the order of texts.
    ranks: Vec<Vec<u32>>,
    /// For each role and id of a move that was made, the relation that tells of it and where its
    /// places start in `places`.
    made: Vec<Vec<Option<(u32, u32)>>>,
    /// Places in the views of relations, each counted from the view's first.
    places: Vec<u32>,
    row: Vec<u32>,
}

impl Moves {
    pub(super) fn new(rules: &Rules) -> Self {
        let kinds = || rules.program.moves.iter();
        let arities = kinds().map(|kind| rules.program.relation(kind.legal).arity - 1);
        let known = kinds().map(|kind| {
            let view = rules.code.layouts[kind.legal.index()].views.first();
            let size = view.map_or(0, |view| view.words * 64);
            vec![
                UNKNOWN;
                if size <= KNOWN_PLACES {
                    size as usize
                } else {
                    0
                }
            ]
        });
        let roles = rules.facts.roles.len();
        Self {
            names: MoveNames::new(arities),
            known: known.collect(),
            found: vec![Vec::new(); roles],
            marks: Vec::new(),
            is_marked: false,
            ranks: vec![Vec::new(); roles],
            made: vec![Vec::new(); roles],
            places: Vec::new(),
            row: Vec::new(),
        }
    }

    /// Fills `legal` with the moves that were derived.
    pub(super) fn legal(
        &mut self,
        rules: &Rules,
        memory: &Memory,
        legal: &mut LegalMoves,
    ) -> Result<(), Fault> {
        legal.clear();
        if self.collect(rules, memory) {
            self.list(legal);
            return Ok(());
        }
        self.found.iter_mut().for_each(Vec::clear);
        let outcome = self.find(rules, memory);
        for found in &mut self.found {
            self.names.push_sorted(found, &rules.moves, legal);
        }
        outcome
    }

    /// Marks or lists all legal moves; false if there are moves that were not met.
    pub(super) fn collect(&mut self, rules: &Rules, memory: &Memory) -> bool {
        if !self.names.is_sorted() {
            return false;
        }
        let words = self.names.sorted().len().div_ceil(64);
        self.is_marked = words <= MARKED_WORDS;
        self.marks.clear();
        if self.is_marked {
            self.marks.resize(words * self.found.len(), 0);
        }
        self.ranks.iter_mut().for_each(Vec::clear);
        let mut all = true;
        for (kind, known) in rules.program.moves.iter().zip(&self.known) {
            let Some(view) = rules.code.layouts[kind.legal.index()].views.first() else {
                return false;
            };
            if known.is_empty() {
                return false;
            }
            view.each(&memory.bits, |place| {
                let (role, id) = known[place as usize];
                if id == UNKNOWN.1 {
                    all = false;
                    return;
                }
                let rank = self.names.rank(id);
                match self.is_marked {
                    true => {
                        let word = role.index() * words + rank as usize / 64;
                        self.marks[word] |= 1 << (rank % 64);
                    }
                    false => self.ranks[role.index()].push(rank),
                }
            });
        }
        all
    }

    /// Draws one of the collected moves for each role, as [`LegalMoves::draw`] does.
    pub(super) fn draw(
        &mut self,
        chance: &mut Chance,
        joint: &mut Vec<MoveId>,
    ) -> Result<(), RoleId> {
        joint.clear();
        if self.is_marked {
            return self.draw_marked(chance, joint);
        }
        for (role, ranks) in self.ranks.iter_mut().enumerate() {
            let number = match ranks.len() as u32 {
                0 => return Err(RoleId(role as u16)),
                1 => 0,
                count => chance.below(count),
            };
            let (_, &mut rank, _) = ranks.select_nth_unstable(number as usize);
            joint.push(self.names.sorted()[rank as usize]);
        }
        Ok(())
    }

    fn draw_marked(&self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        let sorted = self.names.sorted();
        let words = sorted.len().div_ceil(64);
        for role in 0..self.found.len() {
            let marks = &self.marks[role * words..(role + 1) * words];
            let count: u32 = marks.iter().map(|word| word.count_ones()).sum();
            let mut number = match count {
                0 => return Err(RoleId(role as u16)),
                1 => 0,
                _ => chance.below(count),
            };
            for (index, &word) in marks.iter().enumerate() {
                let ones = word.count_ones();
                if number < ones {
                    let left = (0..number).fold(word, |left, _| left & (left - 1));
                    joint.push(sorted[index * 64 + left.trailing_zeros() as usize]);
                    break;
                }
                number -= ones;
            }
        }
        Ok(())
    }

    /// Lists the collected moves in the order of texts.
    fn list(&mut self, legal: &mut LegalMoves) {
        let sorted = self.names.sorted();
        let words = sorted.len().div_ceil(64);
        for (role, ranks) in self.ranks.iter_mut().enumerate() {
            if !self.is_marked {
                ranks.sort_unstable();
                let moves = ranks.iter().map(|&rank| sorted[rank as usize]);
                moves.for_each(|id| legal.push(id));
                legal.end_role();
                continue;
            }
            let marks = &self.marks[role * words..(role + 1) * words];
            for (number, &word) in marks.iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    legal.push(sorted[number * 64 + left.trailing_zeros() as usize]);
                    left &= left - 1;
                }
            }
            legal.end_role();
        }
    }

    /// Collects legal moves of which some may be new.
    fn find(&mut self, rules: &Rules, memory: &Memory) -> Result<(), Fault> {
        let mut outcome = Ok(());
        let mut row = std::mem::take(&mut self.row);
        for (kind, shape) in rules.program.moves.iter().enumerate() {
            rules.each_row(shape.legal.index(), memory, &mut row, |place, row| {
                let Some(role) = rules.role(row[0]) else {
                    return;
                };
                let (terms, texts) = (&memory.terms, &rules.texts);
                let id = self.names.id(kind, &row[1..], &rules.moves, |text| {
                    texts.write_after_role(shape.legal, &row[1..], terms, text);
                });
                match id {
                    Ok(id) => {
                        self.found[role.index()].push(id);
                        let place =
                            place.and_then(|place| self.known[kind].get_mut(place as usize));
                        if let Some(known) = place {
                            *known = (role, id);
                        }
                    }
                    Err(limit) => outcome = Err(limit),
                }
            });
        }
        self.row = row;
        if outcome.is_err() {
            self.found.iter_mut().for_each(Vec::clear);
        }
        outcome
    }

    /// Puts a role's move in the relation that tells of it.
    pub(super) fn make(&mut self, rules: &Rules, memory: &mut Memory, role: usize, id: MoveId) {
        let made = self.made[role].get(id.0 as usize).copied().flatten();
        if let Some((relation, first)) = made {
            let views = rules.code.layouts[relation as usize].views.iter();
            for (view, &place) in views.zip(&self.places[first as usize..]) {
                view.set(&mut memory.bits, place);
            }
            return;
        }
        let terms = &mut memory.terms;
        let read = |text: &str| rules.texts.read_move(text, terms).ok();
        let Some((kind, rest)) = self.names.row(id, &rules.moves, read) else {
            return;
        };
        let does = rules.program.moves[kind].does.index();
        self.row.clear();
        self.row.push(rules.roles[role]);
        self.row.extend_from_slice(rest);
        rules.insert(does, &self.row, memory);
        let layout = &rules.code.layouts[does];
        let first = self.places.len() as u32;
        if layout.places(&rules.code.domains, &self.row, &mut self.places) {
            let made = &mut self.made[role];
            let size = made.len().max(id.0 as usize + 1);
            made.resize(size, None);
            made[id.0 as usize] = Some((does as u32, first));
        }
    }
}
