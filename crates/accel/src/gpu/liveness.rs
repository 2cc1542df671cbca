//! Cuts parts of a program into pieces, and finds what each piece must leave in memory.

use crate::program::{Operation, Part, Section};

/// What becomes one function, or a loop of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Function(Vec<Section>),
    /// A loop that is too long for a function: what is cleared first, and the operations of a round
    /// in order.
    Repeated {
        cleared: Vec<u32>,
        rounds: Vec<Vec<Operation>>,
    },
}

impl Piece {
    fn operations(&self) -> Vec<&Operation> {
        match self {
            Piece::Function(sections) => sections.iter().flat_map(Section::operations).collect(),
            Piece::Repeated { rounds, .. } => rounds.iter().flatten().collect(),
        }
    }
}

/// The pieces of a part, each of about that many operations.
pub(super) fn pieces(part: &Part, most: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut sections, mut size) = (Vec::new(), 0);
    let cut = |sections: &mut Vec<Section>, pieces: &mut Vec<Piece>| {
        if !sections.is_empty() {
            pieces.push(Piece::Function(std::mem::take(sections)));
        }
    };
    for section in &part.sections {
        match section {
            Section::Straight(operations) => {
                let mut left = operations.as_slice();
                while !left.is_empty() {
                    let (now, later) = left.split_at(left.len().min(most - size));
                    sections.push(Section::Straight(now.to_vec()));
                    size += now.len();
                    left = later;
                    if size >= most {
                        cut(&mut sections, &mut pieces);
                        size = 0;
                    }
                }
            }
            Section::Loop { cleared, body } if body.len() > 2 * most => {
                cut(&mut sections, &mut pieces);
                size = 0;
                pieces.push(Piece::Repeated {
                    cleared: cleared.clone(),
                    rounds: body.chunks(most).map(<[Operation]>::to_vec).collect(),
                });
            }
            Section::Loop { body, .. } => {
                sections.push(section.clone());
                size += body.len();
                if size >= most {
                    cut(&mut sections, &mut pieces);
                    size = 0;
                }
            }
            Section::Draw(_) => {}
        }
    }
    cut(&mut sections, &mut pieces);
    pieces
}

/// The pieces, and the slots that each must leave in memory: those that it writes and a later piece
/// reads, or that are needed after the part.
pub(super) fn stores(pieces: Vec<Piece>, part: &Part, slots: u32) -> (Vec<Piece>, Vec<Vec<u32>>) {
    let mut is_needed = vec![false; slots as usize];
    for &slot in &part.kept {
        is_needed[slot as usize] = true;
    }
    let mut all = Vec::with_capacity(pieces.len());
    for piece in pieces.iter().rev() {
        let operations = piece.operations();
        let targets = operations.iter().map(|operation| operation.target);
        let mut written: Vec<u32> = targets.collect();
        written.sort_unstable();
        written.dedup();
        match piece {
            Piece::Function(sections) => {
                written.retain(|&slot| is_needed[slot as usize]);
                (sections.iter().rev()).for_each(|section| before(section, &mut is_needed));
            }
            Piece::Repeated { .. } => {
                // What one of its functions writes another may read in the next round.
                let read = operations.iter().flat_map(|operation| operation.operands);
                read.for_each(|slot| is_needed[slot as usize] = true);
                for &slot in &written {
                    is_needed[slot as usize] = true;
                }
            }
        }
        all.push(written);
    }
    all.reverse();
    (pieces, all)
}

/// What is needed before a section, given what is needed after it: what is read before it is
/// written.
fn before(section: &Section, is_needed: &mut [bool]) {
    for operation in section.operations().iter().rev() {
        is_needed[operation.target as usize] = false;
        for slot in operation.operands {
            is_needed[slot as usize] = true;
        }
    }
    for &slot in section.cleared() {
        is_needed[slot as usize] = false;
    }
}
