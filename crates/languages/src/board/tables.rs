//! What comes after each automaton state on each square, worked out before play.
//!
//! A *node* is a kind of man, its colour, a state of its rule's automaton and a square. The *exits*
//! of a node are the squares that a next step can lead to, each with the node that follows for each
//! content of that square. So a move is found by going from node to node without looking at steps
//! or edges of the board.

use rustc_hash::FxHashMap;

use super::automaton::{Automaton, Letter};
use super::expression::On;
use super::limits::MAX_NODES;
use super::reach::{MOST_SQUARES, Reaches, Squares, bit};
use super::rules::{BoardRules, Goal};
use super::text;

/// A content of a square: 0 for nothing, else a kind and a colour, which is the lowest bit.
pub type Content = u8;

/// The content of an empty square.
pub const EMPTY: Content = 0;

/// The content for a man of a kind, by its place among the kinds, and a colour.
pub(super) fn content(kind: usize, colour: usize) -> Content {
    (kind * 2 + colour + 2) as Content
}

/// What follows a step: the lowest bit says that a move may end there, the next that it may go on,
/// the others are the node. 0 stands for nothing.
pub(super) type Next = u32;

/// A move may end after the step.
pub(super) const ENDS: Next = 1;

/// A move may go on after the step.
pub(super) const GOES_ON: Next = 2;

/// A square that a step can lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    pub(super) square: u16,
    /// By what is there: nothing, an opponent's man, an own man.
    pub(super) next: [Next; 3],
}

/// Everything about a game's rules that play needs.
#[derive(Debug)]
pub struct Tables {
    pub(super) rules: BoardRules,
    pub(super) squares: usize,
    /// Column and row of each square. Squares are numbered in the byte order of their names, so
    /// that moves come in the order of their texts.
    pub(super) places: Vec<(u8, u8)>,
    /// The letters of the kinds of men, in order; upper case.
    pub(super) kinds: Vec<u8>,
    /// Where the exits of each node begin, and the end of the last.
    pub(super) first_exit: Vec<u32>,
    pub(super) exits: Vec<Exit>,
    /// For each content and square, where the ways of a man there begin.
    pub(super) roots: Vec<Next>,
    /// Whether ways of a kind never meet, so that no move is found twice.
    pub(super) is_plain: Vec<bool>,
    /// Where men can go as sets of squares, on boards that are not too large for that.
    pub(super) reaches: Option<Reaches>,
    /// For each content, its `@` squares.
    pub(super) reached: Vec<bool>,
    /// The same as sets, of the squares below 64.
    pub(super) goals: Vec<Squares>,
    /// For each content, the counts of its `#` goals.
    pub(super) falls: Vec<Vec<u32>>,
    /// What stands where at the start.
    pub(super) start: Vec<Content>,
    /// All moves that any man could make on some board, by squares, in the order of their texts.
    pub(super) moves: Vec<(u16, u16)>,
}

/// Rules whose tables are larger than the program takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// A rule has no automaton that is small enough.
    #[error(transparent)]
    Automaton(#[from] super::automaton::TooComplex),
    /// There are too many states and squares.
    #[error(
        "the pieces of this game, with all states on all squares, take more than {MAX_NODES} places"
    )]
    Nodes,
}

impl Tables {
    /// The tables of rules that passed the checks.
    ///
    /// # Errors
    /// If they are too large.
    pub fn new(rules: BoardRules) -> Result<Self, TooLarge> {
        let automata = rules.automata().map_err(|(_, error)| error)?;
        let (width, height) = (rules.width, rules.height);
        let mut places: Vec<(u8, u8)> = (0..width)
            .flat_map(|x| (0..height).map(move |y| (x, y)))
            .collect();
        places.sort_by_key(|&(x, y)| (text::column(x), (y + 1).to_string()));
        let kinds = rules.kinds();
        let mut maker = Maker::new(&rules, &places);
        let contents = kinds.len() * 2 + 2;
        maker.roots = vec![0; contents * places.len()];
        for (kind, &letter) in kinds.iter().enumerate() {
            let rule = rules.pieces.iter().position(|piece| piece.letter == letter);
            for colour in 0..2 {
                let is_plain = match rule {
                    Some(rule) => maker.add(content(kind, colour), colour, &automata[rule])?,
                    None => true,
                };
                if colour == 0 {
                    maker.is_plain.push(is_plain);
                } else {
                    maker.is_plain[kind] &= is_plain;
                }
            }
        }
        let Maker {
            first_exit,
            exits,
            roots,
            is_plain,
            mut moves,
            ..
        } = maker;
        moves.sort_unstable();
        moves.dedup();
        let kind_of = |letter: u8| {
            kinds
                .iter()
                .position(|&kind| kind == letter.to_ascii_uppercase())
        };
        let content_of = |letter: u8| {
            kind_of(letter).map(|kind| content(kind, usize::from(letter.is_ascii_lowercase())))
        };
        let mut reached = vec![false; contents * places.len()];
        let mut goals = vec![0; contents];
        let mut falls = vec![Vec::new(); contents];
        for goal in &rules.goals {
            // A letter that is not on the board never fires.
            let Some(content) = content_of(goal.letter()) else {
                continue;
            };
            match goal {
                Goal::Reach { squares, .. } => {
                    for square in squares {
                        let place = places.iter().position(|place| place == square);
                        if let Some(place) = place {
                            reached[usize::from(content) * places.len() + place] = true;
                            if place < MOST_SQUARES {
                                goals[usize::from(content)] |= bit(place as u16);
                            }
                        }
                    }
                }
                Goal::Fall { count, .. } => falls[usize::from(content)].push(*count),
            }
        }
        let standing = |&(x, y): &(u8, u8)| {
            let standing = rules.at(x, y);
            let man = (!standing.is_empty()).then(|| content_of(standing.character() as u8));
            man.flatten().unwrap_or(EMPTY)
        };
        let start = places.iter().map(standing).collect();
        let exits_of = |next: Next| -> Vec<Exit> {
            let exits = exits_of(&first_exit, &exits, next).iter();
            exits.filter(|exit| exit.next != [0; 3]).copied().collect()
        };
        let reaches = Reaches::new(places.len(), &roots, &exits_of);
        Ok(Self {
            reaches,
            goals,
            squares: places.len(),
            places,
            kinds,
            first_exit,
            exits,
            roots,
            is_plain,
            reached,
            falls,
            start,
            moves,
            rules,
        })
    }

    /// Whether a man of this content wins by going to this square.
    pub fn wins_on(&self, content: Content, square: u16) -> bool {
        self.reached[usize::from(content) * self.squares + usize::from(square)]
    }

    /// The rules.
    pub fn rules(&self) -> &BoardRules {
        &self.rules
    }

    /// How many squares there are.
    pub fn squares(&self) -> usize {
        self.squares
    }

    /// Column and row of a square, from 0 at the lower left.
    pub fn place(&self, square: u16) -> (u8, u8) {
        self.places[usize::from(square)]
    }

    /// The square in a column and row.
    pub fn square(&self, x: u8, y: u8) -> Option<u16> {
        let place = self.places.iter().position(|&place| place == (x, y))?;
        Some(place as u16)
    }

    /// The name of a square, such as `a1`.
    pub fn square_name(&self, square: u16) -> String {
        let (x, y) = self.place(square);
        format!("{}{}", text::column(x), y + 1)
    }

    /// The letter of a content, upper case for white; a dot for nothing.
    pub fn letter(&self, content: Content) -> u8 {
        match content {
            EMPTY => b'.',
            content => {
                let letter = self.kinds[usize::from(content - 2) / 2];
                if content & 1 == 0 {
                    letter
                } else {
                    letter.to_ascii_lowercase()
                }
            }
        }
    }

    /// The content for a letter, if there are such men in this game.
    pub fn content_of(&self, letter: u8) -> Option<Content> {
        let upper = letter.to_ascii_uppercase();
        let kind = self.kinds.iter().position(|&kind| kind == upper)?;
        Some(content(kind, usize::from(letter.is_ascii_lowercase())))
    }

    /// How many contents there are: nothing, a number that stands for none, and for each kind of
    /// men one of white, which is even, and one of black.
    pub fn contents(&self) -> usize {
        self.kinds.len() * 2 + 2
    }

    /// The exits of a node.
    pub(super) fn exits(&self, next: Next) -> &[Exit] {
        exits_of(&self.first_exit, &self.exits, next)
    }
}

#[inline]
fn exits_of<'a>(first_exit: &[u32], exits: &'a [Exit], next: Next) -> &'a [Exit] {
    let node = (next >> 2) as usize;
    &exits[first_exit[node] as usize..first_exit[node + 1] as usize]
}

/// Tables that are being made.
struct Maker<'a> {
    places: &'a [(u8, u8)],
    /// The square in each column and row.
    grid: Vec<u16>,
    width: i32,
    height: i32,
    first_exit: Vec<u32>,
    exits: Vec<Exit>,
    roots: Vec<Next>,
    is_plain: Vec<bool>,
    moves: Vec<(u16, u16)>,
}

impl<'a> Maker<'a> {
    fn new(rules: &BoardRules, places: &'a [(u8, u8)]) -> Self {
        let width = usize::from(rules.width);
        let mut grid = vec![0; places.len()];
        for (square, &(x, y)) in places.iter().enumerate() {
            grid[usize::from(y) * width + usize::from(x)] = square as u16;
        }
        Self {
            places,
            grid,
            width: width as i32,
            height: i32::from(rules.height),
            first_exit: vec![0],
            exits: Vec::new(),
            roots: Vec::new(),
            is_plain: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The square after a step of a colour.
    fn after(&self, square: u16, letter: Letter, colour: usize) -> Option<u16> {
        let (x, y) = self.places[usize::from(square)];
        let ahead = if colour == 0 { letter.dy } else { -letter.dy };
        let x = i32::from(x) + i32::from(letter.dx);
        let y = i32::from(y) + i32::from(ahead);
        let is_on = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        is_on.then(|| self.grid[(y * self.width + x) as usize])
    }

    /// Adds the nodes of a man. Whether its ways never meet.
    fn add(
        &mut self,
        man: Content,
        colour: usize,
        automaton: &Automaton,
    ) -> Result<bool, TooLarge> {
        let squares = self.places.len();
        let mut nodes = Nodes {
            automaton,
            first: self.first_exit.len() - 1,
            number: FxHashMap::default(),
            order: Vec::new(),
        };
        for square in 0..squares {
            let root = nodes.next(0, square as u16);
            self.roots[usize::from(man) * squares + square] = root;
        }
        let mut done = 0;
        while let Some(&(state, square)) = nodes.order.get(done) {
            done += 1;
            let first = self.exits.len();
            for &(letter, to) in automaton.edges(state) {
                let Some(target) = self.after(square, letter, colour) else {
                    continue;
                };
                let next = nodes.next(to, target);
                let known = self.exits[first..]
                    .iter()
                    .position(|exit| exit.square == target);
                let place = known.map_or(self.exits.len(), |place| first + place);
                if known.is_none() {
                    self.exits.push(Exit {
                        square: target,
                        next: [0; 3],
                    });
                }
                self.exits[place].next[letter.on as usize] = next;
            }
            self.first_exit.push(self.exits.len() as u32);
            if self.first_exit.len() + nodes.order.len() - done > MAX_NODES {
                return Err(TooLarge::Nodes);
            }
        }
        self.forget_dead_ends(man, nodes.first);
        let mut is_plain = true;
        let mut search = Ways {
            seen: vec![0; nodes.order.len()],
            round: 0,
            ends: vec![0; squares],
        };
        for square in 0..squares {
            let root = self.roots[usize::from(man) * squares + square];
            if root != 0 {
                is_plain &= self.follow(root, square as u16, nodes.first, &mut search);
            }
        }
        Ok(is_plain)
    }

    /// Takes away what leads to no move, because the board ends before. Dead ends that are found
    /// late, because they are far from the edge, may stay.
    fn forget_dead_ends(&mut self, man: Content, first: usize) {
        const ROUNDS: usize = 32;
        let count = self.first_exit.len() - 1 - first;
        let mut is_dead = vec![false; count];
        let live = |is_dead: &[bool], next: Next| {
            let goes_on = next & GOES_ON != 0 && !is_dead[(next >> 2) as usize - first];
            match (next & ENDS != 0, goes_on) {
                (false, false) => 0,
                (_, true) => next,
                (true, false) => next & !GOES_ON,
            }
        };
        for _ in 0..ROUNDS {
            let mut is_done = true;
            for node in (0..count)
                .rev()
                .filter(|&node| !is_dead[node])
                .collect::<Vec<_>>()
            {
                let exits = self.first_exit[first + node]..self.first_exit[first + node + 1];
                let exits = &mut self.exits[exits.start as usize..exits.end as usize];
                let mut is_alive = false;
                for next in exits.iter_mut().flat_map(|exit| &mut exit.next) {
                    *next = live(&is_dead, *next);
                    is_alive |= *next != 0;
                }
                is_dead[node] = !is_alive;
                is_done &= is_alive;
            }
            if is_done {
                break;
            }
        }
        let squares = self.places.len();
        for root in &mut self.roots[usize::from(man) * squares..][..squares] {
            *root = live(&is_dead, *root);
        }
    }

    /// Goes all ways from a root, on any board, and notes the moves. Whether no two ways meet.
    fn follow(&mut self, root: Next, from: u16, first: usize, ways: &mut Ways) -> bool {
        ways.round += 1;
        let round = ways.round;
        let mut is_plain = true;
        let mut open = vec![root];
        if root & ENDS != 0 {
            self.moves.push((from, from));
            ways.ends[usize::from(from)] = round;
        }
        ways.seen[(root >> 2) as usize - first] = round;
        while let Some(node) = open.pop() {
            let node = (node >> 2) as usize;
            for exit in self.first_exit[node]..self.first_exit[node + 1] {
                let Exit { square, next } = self.exits[exit as usize];
                // Contents exclude each other, so one node may follow several of them.
                let mut distinct = next;
                distinct.sort_unstable();
                let mut may_end = false;
                for (place, &next) in distinct.iter().enumerate() {
                    let is_repeated = place > 0 && distinct[place - 1] == next;
                    if next == 0 || is_repeated {
                        continue;
                    }
                    may_end |= next & ENDS != 0;
                    let seen = &mut ways.seen[(next >> 2) as usize - first];
                    match *seen == round {
                        true => is_plain = false,
                        false => {
                            *seen = round;
                            open.push(next);
                        }
                    }
                }
                if may_end {
                    let end = &mut ways.ends[usize::from(square)];
                    match *end == round {
                        true => is_plain = false,
                        false => {
                            *end = round;
                            self.moves.push((from, square));
                        }
                    }
                }
            }
        }
        is_plain
    }
}

/// Scratch memory for following ways: nodes and last squares by the round in which they were seen.
struct Ways {
    seen: Vec<u32>,
    round: u32,
    ends: Vec<u32>,
}

/// The nodes of one man.
struct Nodes<'a> {
    automaton: &'a Automaton,
    /// The number of its first node.
    first: usize,
    number: FxHashMap<(u32, u16), u32>,
    order: Vec<(u32, u16)>,
}

impl Nodes<'_> {
    /// The node of a state on a square, new if it was not there.
    fn next(&mut self, state: u32, square: u16) -> Next {
        let count = (self.first + self.order.len()) as u32;
        let number = *self.number.entry((state, square)).or_insert_with(|| {
            self.order.push((state, square));
            count
        });
        let ends = if self.automaton.is_accepting(state) {
            ENDS
        } else {
            0
        };
        let goes_on = if self.automaton.edges(state).is_empty() {
            0
        } else {
            GOES_ON
        };
        // The bits of a node never are all 0: each state accepts or goes on.
        number << 2 | goes_on | ends
    }
}

impl On {
    /// What a content is for the mover.
    #[inline]
    pub(super) fn index(content: Content, mover: usize) -> usize {
        match content {
            EMPTY => On::Empty as usize,
            content if usize::from(content & 1) == mover => On::Own as usize,
            _ => On::Opponent as usize,
        }
    }
}
