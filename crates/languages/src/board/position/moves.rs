//! Finding moves: as sets of squares on small boards, else from node to node.

use super::{BoardMove, Colour, Position};
use crate::board::expression::On;
use crate::board::reach::{Squares, Targets, bit};
use crate::board::tables::{Content, EMPTY, ENDS, GOES_ON, Next};

/// Scratch memory for following nodes.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    pub(super) open: Vec<Next>,
    /// For pieces whose ways meet: the round in which a node or a last square was seen.
    pub(super) seen_nodes: Vec<u32>,
    pub(super) seen_ends: Vec<u32>,
    pub(super) round: u32,
}

impl Trail {
    /// Begins another search with marks on what was seen.
    fn next_round(&mut self) {
        if self.round == u32::MAX {
            self.seen_nodes.fill(0);
            self.seen_ends.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// Marks a node; whether it was not seen before in this round.
    fn is_new(&mut self, next: Next) -> bool {
        let seen = &mut self.seen_nodes[(next >> 2) as usize];
        std::mem::replace(seen, self.round) != self.round
    }
}

impl Position {
    /// Adds the legal moves of the mover, by squares, whether or not the game is over. They are in
    /// the order of the squares.
    pub fn moves(&mut self, into: &mut Vec<BoardMove>) {
        if self.has_sets() {
            return self.each_man(|from, set| push_all(from, set, into));
        }
        let mover = self.turn as usize % 2;
        for word in 0..self.words {
            let mut men = self.men[mover][word];
            while men != 0 {
                let square = word * 64 + men.trailing_zeros() as usize;
                men &= men - 1;
                let first = into.len();
                self.moves_of(square as u16, mover, into);
                sort(&mut into[first..]);
            }
        }
    }

    /// Whether the board is small enough for moves to be found as sets of squares.
    #[inline]
    pub fn has_sets(&self) -> bool {
        self.tables.reaches.is_some()
    }

    /// Tells `each` of every man of the mover that can move: its square, and the squares where it
    /// can go. Only for boards that have sets.
    #[inline]
    pub fn each_man(&mut self, mut each: impl FnMut(u16, Squares)) {
        let mover = self.turn as usize % 2;
        let mut men = self.men[mover][0];
        while men != 0 {
            let from = men.trailing_zeros() as u16;
            men &= men - 1;
            let set = self.targets(from, mover).moves;
            if set != 0 {
                each(from, set);
            }
        }
    }

    /// Tells `each` of every man of a colour, whosever turn it is: the squares where it can go,
    /// and those where it could if an opponent's man were there. Only for boards that have sets.
    #[inline]
    pub fn each_reach(&mut self, colour: Colour, mut each: impl FnMut(Squares, Squares)) {
        let side = colour as usize;
        let mut men = self.men[side][0];
        while men != 0 {
            let from = men.trailing_zeros() as u16;
            men &= men - 1;
            let content = self.board[usize::from(from)];
            if self.tables.is_plain[usize::from(content - 2) / 2] {
                let Targets { moves, takes } = self.targets(from, side);
                each(moves, takes);
            } else {
                // Words are counted, of which several may lead to one square.
                self.attacks_of(from, side, &mut |chosen, is_legal, takes| {
                    let set = |is: bool| if is { bit(chosen.to) } else { 0 };
                    each(set(is_legal), set(takes));
                });
            }
        }
    }

    /// What the man on a square can do.
    #[inline]
    fn targets(&mut self, from: u16, side: usize) -> Targets {
        let content = usize::from(self.board[usize::from(from)]);
        let tables = &*self.tables;
        let Some(reaches) = &tables.reaches else {
            return Targets::default();
        };
        let (own, other) = (self.men[side][0], self.men[1 - side][0]);
        let (mut targets, ways) = reaches.targets(content, from, own, other);
        if ways.is_empty() {
            return targets;
        }
        let trail = &mut self.trail;
        let is_plain = tables.is_plain[(content - 2) / 2];
        if !is_plain {
            trail.next_round();
            trail.is_new(tables.roots[content * self.board.len() + usize::from(from)]);
        }
        for exit in ways {
            let next = exit.next[On::index(self.board[usize::from(exit.square)], side)];
            if next & GOES_ON != 0 && (is_plain || trail.is_new(next)) {
                trail.open.push(next);
            }
        }
        while let Some(node) = trail.open.pop() {
            for exit in tables.exits(node) {
                let next = exit.next[On::index(self.board[usize::from(exit.square)], side)];
                if next & ENDS != 0 {
                    targets.moves |= bit(exit.square);
                }
                if exit.next[On::Opponent as usize] & ENDS != 0 {
                    targets.takes |= bit(exit.square);
                }
                if next & GOES_ON != 0 && (is_plain || trail.is_new(next)) {
                    trail.open.push(next);
                }
            }
        }
        targets
    }

    /// Adds the moves of the mover that take a man of the opponent, in no certain order. If there
    /// is a move that wins at once it is returned, and the moves may not be complete.
    pub fn takes(&mut self, into: &mut Vec<BoardMove>) -> Option<BoardMove> {
        let mover = self.turn as usize % 2;
        if !self.has_sets() {
            return self.takes_listed(into);
        }
        let other = self.men[1 - mover][0];
        let mut men = self.men[mover][0];
        while men != 0 {
            let from = men.trailing_zeros() as u16;
            men &= men - 1;
            let goals = self.tables.goals[usize::from(self.board[usize::from(from)])];
            let set = self.targets(from, mover).moves;
            if set & goals != 0 {
                let to = (set & goals).trailing_zeros() as u16;
                return Some(BoardMove { from, to });
            }
            let mut set = set & other;
            while set != 0 {
                let to = set.trailing_zeros() as u16;
                set &= set - 1;
                let chosen = BoardMove { from, to };
                if self.decides(self.board[usize::from(to)]) {
                    return Some(chosen);
                }
                into.push(chosen);
            }
        }
        None
    }

    fn takes_listed(&mut self, into: &mut Vec<BoardMove>) -> Option<BoardMove> {
        let mut listed = std::mem::take(&mut self.listed);
        listed.clear();
        self.list(&mut listed);
        let wins = listed.iter().copied().find(|&chosen| self.wins(chosen));
        let takes = listed.iter().filter(|&&chosen| self.is_take(chosen));
        into.extend(takes);
        self.listed = listed;
        wins
    }

    /// Adds the moves of the mover that [`Self::takes`] does not add, in no certain order.
    pub fn others(&mut self, into: &mut Vec<BoardMove>) {
        let mover = self.turn as usize % 2;
        if self.has_sets() {
            let other = self.men[1 - mover][0];
            return self.each_man(|from, set| push_all(from, set & !other, into));
        }
        let mut listed = std::mem::take(&mut self.listed);
        listed.clear();
        self.list(&mut listed);
        into.extend(listed.iter().filter(|&&chosen| !self.is_take(chosen)));
        self.listed = listed;
    }

    /// Adds all moves, in no certain order.
    fn list(&mut self, into: &mut Vec<BoardMove>) {
        let mover = self.turn as usize % 2;
        for word in 0..self.words {
            let mut men = self.men[mover][word];
            while men != 0 {
                let square = word * 64 + men.trailing_zeros() as usize;
                men &= men - 1;
                self.moves_of(square as u16, mover, into);
            }
        }
    }

    /// Whether a move is legal for the mover.
    pub fn is_legal(&mut self, chosen: BoardMove) -> bool {
        let mover = self.turn as usize % 2;
        let man = self.board.get(usize::from(chosen.from)).copied();
        let is_own = man.is_some_and(|man| man != EMPTY && usize::from(man & 1) == mover);
        if !is_own || usize::from(chosen.to) >= self.board.len() {
            return false;
        }
        if self.has_sets() {
            return self.targets(chosen.from, mover).moves & bit(chosen.to) != 0;
        }
        let mut listed = std::mem::take(&mut self.listed);
        listed.clear();
        self.moves_of(chosen.from, mover, &mut listed);
        let is_legal = listed.contains(&chosen);
        self.listed = listed;
        is_legal
    }

    /// Whether a legal move takes a man of the opponent.
    #[inline]
    pub fn is_take(&self, chosen: BoardMove) -> bool {
        let taken = self.board[usize::from(chosen.to)];
        taken != EMPTY && usize::from(taken & 1) != self.turn as usize % 2
    }

    /// Whether a legal move wins at once.
    #[inline]
    pub fn wins(&self, chosen: BoardMove) -> bool {
        let man = self.board[usize::from(chosen.from)];
        self.tables.wins_on(man, chosen.to)
            || self.is_take(chosen) && self.decides(self.board[usize::from(chosen.to)])
    }

    /// Whether the owner of a man loses by losing it.
    #[inline]
    fn decides(&self, man: Content) -> bool {
        let falls = &self.tables.falls[usize::from(man)];
        !falls.is_empty() && falls.contains(&(self.counts[usize::from(man)] - 1))
    }

    /// Tells `each` what men of a colour attack, whosever turn it is: every pair of squares from
    /// the first to the second of which a man could move if there were nothing, an own man, or an
    /// opponent's man on the second, with whether it could as the board is, and whether it could
    /// if an opponent's man were there. Where several words lead to one square, it is told of them
    /// one by one.
    #[inline]
    pub fn attacks(&mut self, colour: Colour, mut each: impl FnMut(BoardMove, bool, bool)) {
        let side = colour as usize;
        for word in 0..self.words {
            let mut men = self.men[side][word];
            while men != 0 {
                let from = word * 64 + men.trailing_zeros() as usize;
                men &= men - 1;
                self.attacks_of(from as u16, side, &mut each);
            }
        }
    }

    #[inline]
    fn attacks_of(&mut self, from: u16, side: usize, each: &mut impl FnMut(BoardMove, bool, bool)) {
        let content = usize::from(self.board[usize::from(from)]);
        let root = self.tables.roots[content * self.board.len() + usize::from(from)];
        if root == 0 {
            return;
        }
        let is_plain = self.tables.is_plain[(content - 2) / 2];
        let (tables, trail) = (&*self.tables, &mut self.trail);
        if !is_plain {
            trail.next_round();
            trail.is_new(root);
        }
        let mut node = root;
        loop {
            for exit in tables.exits(node) {
                let to = exit.square;
                let next = exit.next[On::index(self.board[usize::from(to)], side)];
                let takes = exit.next[On::Opponent as usize] & ENDS != 0;
                if takes || next & ENDS != 0 {
                    each(BoardMove { from, to }, next & ENDS != 0, takes);
                }
                if next & GOES_ON != 0 && (is_plain || trail.is_new(next)) {
                    trail.open.push(next);
                }
            }
            match trail.open.pop() {
                Some(next) => node = next,
                None => return,
            }
        }
    }

    /// Whether the mover has a legal move.
    pub fn can_move(&mut self, scratch: &mut Vec<BoardMove>) -> bool {
        let mover = self.turn as usize % 2;
        if self.has_sets() {
            let mut can_move = false;
            self.each_man(|_, _| can_move = true);
            return can_move;
        }
        for word in 0..self.words {
            let mut men = self.men[mover][word];
            while men != 0 {
                let square = word * 64 + men.trailing_zeros() as usize;
                men &= men - 1;
                scratch.clear();
                self.moves_of(square as u16, mover, scratch);
                if !scratch.is_empty() {
                    return true;
                }
            }
        }
        false
    }

    /// Adds the moves of the man on a square.
    #[inline]
    fn moves_of(&mut self, from: u16, mover: usize, into: &mut Vec<BoardMove>) {
        let content = usize::from(self.board[usize::from(from)]);
        let root = self.tables.roots[content * self.board.len() + usize::from(from)];
        if root == 0 {
            return;
        }
        if !self.tables.is_plain[(content - 2) / 2] {
            return self.moves_that_meet(root, from, mover, into);
        }
        if root & ENDS != 0 {
            into.push(BoardMove { from, to: from });
        }
        let tables = &*self.tables;
        let mut node = root;
        loop {
            for exit in tables.exits(node) {
                let next = exit.next[On::index(self.board[usize::from(exit.square)], mover)];
                if next & ENDS != 0 {
                    into.push(BoardMove {
                        from,
                        to: exit.square,
                    });
                }
                if next & GOES_ON != 0 {
                    self.trail.open.push(next);
                }
            }
            match self.trail.open.pop() {
                Some(next) => node = next,
                None => return,
            }
        }
    }

    /// The same for a piece whose ways meet: nodes are visited once, and moves found once.
    #[cold]
    fn moves_that_meet(&mut self, root: Next, from: u16, mover: usize, into: &mut Vec<BoardMove>) {
        let (tables, trail) = (&*self.tables, &mut self.trail);
        trail.next_round();
        trail.open.push(root);
        trail.is_new(root);
        if root & ENDS != 0 {
            trail.seen_ends[usize::from(from)] = trail.round;
            into.push(BoardMove { from, to: from });
        }
        while let Some(node) = trail.open.pop() {
            for exit in tables.exits(node) {
                let square = usize::from(exit.square);
                let next = exit.next[On::index(self.board[square], mover)];
                if next & ENDS != 0 && trail.seen_ends[square] != trail.round {
                    trail.seen_ends[square] = trail.round;
                    into.push(BoardMove {
                        from,
                        to: exit.square,
                    });
                }
                if next & GOES_ON != 0 && trail.is_new(next) {
                    trail.open.push(next);
                }
            }
        }
    }
}

/// Adds moves to a set of squares, in their order.
#[inline]
fn push_all(from: u16, mut set: Squares, into: &mut Vec<BoardMove>) {
    while set != 0 {
        let to = set.trailing_zeros() as u16;
        set &= set - 1;
        into.push(BoardMove { from, to });
    }
}

/// Sorts the few moves of one man.
#[inline]
fn sort(moves: &mut [BoardMove]) {
    for sorted in 1..moves.len() {
        let moved = moves[sorted];
        let mut free = sorted;
        while free > 0 && moves[free - 1].to > moved.to {
            moves[free] = moves[free - 1];
            free -= 1;
        }
        moves[free] = moved;
    }
}
