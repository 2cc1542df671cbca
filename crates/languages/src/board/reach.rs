//! Where men can go on boards of at most 64 squares, as sets of squares.
//!
//! From most squares, most men make single steps, or ride: go on over empty squares, one way. Both
//! are worked out before play as sets of squares, so that moves are found by a few operations for
//! each step or ride. What is neither is left to the nodes of [`Tables`](super::tables::Tables).

use std::ops::Range;

use super::expression::On;
use super::tables::{ENDS, Exit, GOES_ON, Next};

/// A set of squares, a bit each.
pub type Squares = u64;

/// The most squares of a board that has its moves found as sets.
pub(super) const MOST_SQUARES: usize = 64;

/// A way over empty squares, on which squares come in order of their numbers, rising or falling.
#[derive(Clone, Copy, Debug)]
struct Ride {
    path: Squares,
    /// Where a move may end, by what is there.
    ends: [Squares; 3],
}

/// Where a man on a square can go.
#[derive(Clone, Debug, Default)]
struct Reach {
    /// Squares where a move of one step may end, by what is there.
    ends: [Squares; 3],
    rising: Range<u32>,
    falling: Range<u32>,
    /// First steps after which nodes must be followed.
    ways: Range<u32>,
}

/// Where men can go, by content and square.
#[derive(Debug)]
pub(super) struct Reaches {
    squares: usize,
    of: Vec<Reach>,
    rides: Vec<Ride>,
    ways: Vec<Exit>,
}

/// What a man can do as the board is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Targets {
    /// Where it can go.
    pub(super) moves: Squares,
    /// Where it could go if an opponent's man were there.
    pub(super) takes: Squares,
}

/// A set of one square.
#[inline]
pub(super) fn bit(square: u16) -> Squares {
    1 << (square & 63)
}

impl Ride {
    /// What is reached with these squares free and the first of the others.
    #[inline]
    fn targets(&self, free: Squares, first: Squares, own: Squares, other: Squares) -> Targets {
        let [empty, taken, shared] = self.ends;
        Targets {
            moves: free & empty | first & (other & taken | own & shared),
            takes: (free | first) & taken,
        }
    }

    #[inline]
    fn rising(&self, own: Squares, other: Squares) -> Targets {
        let blocked = self.path & (own | other);
        let first = blocked & blocked.wrapping_neg();
        // Without a blocker all squares are below.
        self.targets(self.path & first.wrapping_sub(1), first, own, other)
    }

    #[inline]
    fn falling(&self, own: Squares, other: Squares) -> Targets {
        let blocked = self.path & (own | other);
        // The highest blocker; without one the number 0, which is no square of the path or blocked.
        let first = (1 << 63 >> (blocked | 1).leading_zeros()) & blocked;
        let up_to = first | first.wrapping_sub(Squares::from(first > 0));
        self.targets(self.path & !up_to, first, own, other)
    }
}

impl Reaches {
    /// By the nodes and exits of a game's tables; nothing for a larger board.
    pub(super) fn new(
        squares: usize,
        roots: &[Next],
        exits: &dyn Fn(Next) -> Vec<Exit>,
    ) -> Option<Self> {
        if squares > MOST_SQUARES {
            return None;
        }
        let mut this = Self {
            squares,
            of: Vec::new(),
            rides: Vec::new(),
            ways: Vec::new(),
        };
        for (place, &root) in roots.iter().enumerate() {
            let from = (place % squares) as u16;
            let reach = match root {
                0 => Reach::default(),
                root => this.reach(root, from, exits),
            };
            this.of.push(reach);
        }
        Some(this)
    }

    fn reach(&mut self, root: Next, from: u16, exits: &dyn Fn(Next) -> Vec<Exit>) -> Reach {
        let mut reach = Reach::default();
        let (mut rising, mut falling) = (Vec::new(), Vec::new());
        let first_way = self.ways.len() as u32;
        for exit in exits(root) {
            match ride(exit, from, exits) {
                Some((true, ride)) => rising.push(ride),
                Some((false, ride)) => falling.push(ride),
                None => {
                    for (ends, next) in reach.ends.iter_mut().zip(exit.next) {
                        *ends |= if next & ENDS != 0 {
                            bit(exit.square)
                        } else {
                            0
                        };
                    }
                    if exit.next.iter().any(|next| next & GOES_ON != 0) {
                        self.ways.push(exit);
                    }
                }
            }
        }
        if root & ENDS != 0 {
            // A pass; the man itself stands there.
            reach.ends[On::Own as usize] |= bit(from);
        }
        let first_ride = self.rides.len() as u32;
        let middle = first_ride + rising.len() as u32;
        self.rides.extend(rising.into_iter().chain(falling));
        reach.rising = first_ride..middle;
        reach.falling = middle..self.rides.len() as u32;
        reach.ways = first_way..self.ways.len() as u32;
        reach
    }

    /// What a man can do by single steps and rides, and the first steps after which its nodes must
    /// be followed.
    #[inline]
    pub(super) fn targets(
        &self,
        content: usize,
        square: u16,
        own: Squares,
        other: Squares,
    ) -> (Targets, &[Exit]) {
        let reach = &self.of[content * self.squares + usize::from(square)];
        let [empty, taken, shared] = reach.ends;
        let mut targets = Targets {
            moves: empty & !(own | other) | taken & other | shared & own,
            takes: taken,
        };
        let rides = |range: &Range<u32>| &self.rides[range.start as usize..range.end as usize];
        for ride in rides(&reach.rising) {
            let more = ride.rising(own, other);
            targets.moves |= more.moves;
            targets.takes |= more.takes;
        }
        for ride in rides(&reach.falling) {
            let more = ride.falling(own, other);
            targets.moves |= more.moves;
            targets.takes |= more.takes;
        }
        let ways = &self.ways[reach.ways.start as usize..reach.ways.end as usize];
        (targets, ways)
    }
}

/// The ride that begins with an exit of the first node of a man on a square, and whether the
/// numbers of its squares rise; nothing if what begins there is none.
fn ride(mut exit: Exit, from: u16, exits: &dyn Fn(Next) -> Vec<Exit>) -> Option<(bool, Ride)> {
    let mut ride = Ride {
        path: 0,
        ends: [0; 3],
    };
    let mut squares = Vec::new();
    loop {
        if exit.square == from || squares.contains(&exit.square) {
            return None;
        }
        squares.push(exit.square);
        ride.path |= bit(exit.square);
        for (ends, next) in ride.ends.iter_mut().zip(exit.next) {
            *ends |= if next & ENDS != 0 {
                bit(exit.square)
            } else {
                0
            };
        }
        let [empty, taken, shared] = exit.next;
        if (taken | shared) & GOES_ON != 0 {
            return None;
        }
        if empty & GOES_ON == 0 {
            break;
        }
        match exits(empty)[..] {
            [] => break,
            [next] => exit = next,
            _ => return None,
        }
    }
    let is_rising = squares.is_sorted();
    let is_falling = squares.iter().rev().is_sorted();
    (squares.len() > 1 && is_rising != is_falling).then_some((is_rising, ride))
}
