//! The same game in GDL.
//!
//! A series of captures is played as several moves of the same player, as in the bundled checkers.
//! Descriptions have no draws; here a game is drawn after 40 moves in which nothing was
//! taken and no piece moved that only goes ahead.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::clauses::without_dead;

use super::{Capture, Description, Goal, Movement, MovementKind, Piece, Side, Targets};

/// Moves in a row without progress after which a game is drawn.
const QUIET: u32 = 40;

const COLOURS: [&str; 2] = ["white", "black"];

/// A translation as it grows.
struct Writer<'a> {
    game: &'a Description,
    rules: String,
    facts: BTreeSet<String>,
    /// Vectors that are used, whose steps become facts.
    vectors: BTreeSet<(i32, i32)>,
    /// Sets of pieces so far.
    sets: usize,
}

/// The game as a sheet of GDL. The description must be without errors.
pub fn to_gdl(game: &Description) -> String {
    let mut writer = Writer {
        game,
        rules: String::new(),
        facts: BTreeSet::new(),
        vectors: BTreeSet::new(),
        sets: 0,
    };
    writer.start();
    for piece in &game.pieces {
        for colour in 0..2 {
            writer.piece(piece, colour);
        }
    }
    writer.rules.push_str(MOVES);
    let must = if game.must_capture { MUST } else { MAY };
    writer.rules.push_str(must);
    writer.goals();
    writer.tables();
    let facts: Vec<&str> = writer.facts.iter().map(String::as_str).collect();
    let all = format!(
        "(role white)\n(role black)\n{}\n{}\n",
        writer.rules,
        facts.join("\n")
    );
    format!(
        "; {}, translated from Metagame.\n\n{}",
        game.name,
        without_dead(&all)
    )
}

/// What is the same in every game.
const MOVES: &str = "
(<= (legal ?player (move ?column ?row ?to_column ?to_row))
    (true (control ?player))
    may_move
    (can_move ?player ?column ?row ?to_column ?to_row))
(<= (legal ?player (take ?column ?row ?to_column ?to_row))
    (true (control ?player))
    (may_take ?column ?row)
    (can_take ?player ?column ?row ?to_column ?to_row))
(<= (legal ?player (jump ?column ?row ?to_column ?to_row))
    (true (control ?player))
    (may_take ?column ?row)
    (can_jump ?player ?column ?row ?to_column ?to_row))
(<= (legal ?player noop)
    (role ?player)
    (not (true (control ?player))))

(<= in_a_series
    (true (series ?column ?row)))
(<= (may_take ?column ?row)
    (true (series ?column ?row)))
(<= (may_take ?column ?row)
    (square ?column ?row)
    (not in_a_series))
(<= (captures ?player ?column ?row)
    (can_take ?player ?column ?row ?to_column ?to_row))
(<= (captures ?player ?column ?row)
    (can_jump ?player ?column ?row ?to_column ?to_row))
(<= (can_go ?player)
    (captures ?player ?column ?row))
(<= (can_go ?player)
    (can_move ?player ?column ?row ?to_column ?to_row))

(<= (goes ?column ?row ?to_column ?to_row)
    (does ?player (move ?column ?row ?to_column ?to_row)))
(<= (goes ?column ?row ?to_column ?to_row)
    (does ?player (take ?column ?row ?to_column ?to_row)))
(<= (goes ?column ?row ?to_column ?to_row)
    (does ?player (jump ?column ?row ?to_column ?to_row)))
(<= taking
    (does ?player (take ?column ?row ?to_column ?to_row)))
(<= taking
    (does ?player (jump ?column ?row ?to_column ?to_row)))
(<= (left ?column ?row)
    (goes ?column ?row ?to_column ?to_row))
(<= (entered ?column ?row)
    (goes ?from_column ?from_row ?column ?row))
(<= (taken ?column ?row)
    (does ?player (jump ?from_column ?from_row ?to_column ?to_row))
    (hops_over ?player ?from_column ?from_row ?to_column ?to_row ?column ?row))
(<= (moving ?piece)
    (left ?column ?row)
    (true (cell ?column ?row ?piece)))

; The board after a move, before anything is promoted.
(<= (after ?column ?row ?piece)
    (entered ?column ?row)
    (moving ?piece))
(<= (after ?column ?row empty)
    (left ?column ?row))
(<= (after ?column ?row empty)
    (taken ?column ?row))
(<= (after ?column ?row ?content)
    (true (cell ?column ?row ?content))
    (not (entered ?column ?row))
    (not (left ?column ?row))
    (not (taken ?column ?row)))

(<= (next (cell ?column ?row ?content))
    (after ?column ?row ?content)
    (not (promoted ?column ?row)))
(<= (next (cell ?column ?row ?higher))
    (promoted ?column ?row)
    (moving ?lower)
    (promotes ?lower ?higher))
(<= (promoted ?column ?row)
    (entered ?column ?row)
    (moving ?lower)
    (promotes ?lower ?higher)
    (owner ?lower ?player)
    (territory ?player ?row)
    (not goes_on))
(<= goes_on
    taking
    (moving ?piece)
    (continues ?piece)
    (owner ?piece ?player)
    (entered ?column ?row)
    (captures_after ?player ?column ?row))
(<= (next (series ?column ?row))
    (entered ?column ?row)
    goes_on)
(<= (next (control ?player))
    (true (control ?player))
    goes_on)
(<= (next (control ?other))
    (true (control ?player))
    (opponent ?player ?other)
    (not goes_on))
(<= (next (quiet 0))
    progress)
(<= (next (quiet ?more))
    (true (quiet ?count))
    (following ?count ?more)
    (not progress))
(<= progress
    taking)
(<= progress
    (moving ?piece)
    (only_ahead ?piece))
";

const MUST: &str = "
(<= may_move
    (true (control ?player))
    (not (must_take ?player)))
(<= (must_take ?player)
    (captures ?player ?column ?row))
";

const MAY: &str = "
(<= may_move
    (not in_a_series))
";

/// Where contents of squares are looked up: now, or after the move that is made.
#[derive(Clone, Copy)]
enum Board {
    Now,
    After,
}

impl Board {
    fn has(self, square: usize, content: &str) -> String {
        match self {
            Board::Now => format!("(true (cell ?x{square} ?y{square} {content}))"),
            Board::After => format!("(after ?x{square} ?y{square} {content})"),
        }
    }
}

/// The name of a vector.
fn vector_name((dx, dy): (i32, i32)) -> String {
    format!("v_{dx}_{dy}").replace('-', "m")
}

impl Writer<'_> {
    fn rule(&mut self, head: &str, body: &[String]) {
        let _ = writeln!(self.rules, "(<= {head}\n    {})", body.join("\n    "));
    }

    fn start(&mut self) {
        let (width, height) = (self.game.width, self.game.height);
        let mut men = vec![String::from("empty"); usize::from(width) * usize::from(height)];
        for (piece, squares) in &self.game.setup {
            for &(x, y) in squares {
                let place =
                    |x: u8, y: u8| usize::from(y - 1) * usize::from(width) + usize::from(x - 1);
                men[place(x, y)] = format!("white_{piece}");
                men[place(width + 1 - x, height + 1 - y)] = format!("black_{piece}");
            }
        }
        for (place, content) in men.iter().enumerate() {
            let (x, y) = (
                place % usize::from(width) + 1,
                place / usize::from(width) + 1,
            );
            let _ = writeln!(self.rules, "(init (cell {x} {y} {content}))");
            self.facts.insert(format!("(square {x} {y})"));
        }
        self.rules
            .push_str("(init (control white))\n(init (quiet 0))\n\n");
    }

    fn piece(&mut self, piece: &Piece, colour: usize) {
        let man = format!("{}_{}", COLOURS[colour], piece.name);
        self.facts
            .insert(format!("(owner {man} {})", COLOURS[colour]));
        if let Some(higher) = &piece.promotes_to {
            self.facts
                .insert(format!("(promotes {man} {}_{higher})", COLOURS[colour]));
        }
        if piece.continues {
            self.facts.insert(format!("(continues {man})"));
        }
        let captured = piece.captures.iter().flat_map(|capture| &capture.movements);
        let mut all = piece.moves.iter().chain(captured);
        let is_ahead = all.all(|way| way.vectors.iter().all(|vector| vector.1 > 0));
        if is_ahead {
            self.facts.insert(format!("(only_ahead {man})"));
        }
        for movement in &piece.moves {
            let head = format!("(can_move {} ?x0 ?y0 ?x_end ?y_end)", COLOURS[colour]);
            self.ways(&man, colour, movement, Board::Now, &head, &[], None);
        }
        for capture in &piece.captures {
            self.capture(&man, colour, capture, piece.continues);
        }
    }

    fn capture(&mut self, man: &str, colour: usize, capture: &Capture, continues: bool) {
        let hits = self.set(&capture.targets, colour);
        let name = COLOURS[colour];
        for movement in &capture.movements {
            let victims = match movement.kind {
                MovementKind::Hop { over, .. } if capture.by_hop => over as usize,
                _ => 0,
            };
            let head = match capture.by_hop {
                true => format!("(can_jump {name} ?x0 ?y0 ?x_end ?y_end)"),
                false => format!("(can_take {name} ?x0 ?y0 ?x_end ?y_end)"),
            };
            let prey = (!capture.by_hop).then_some(hits.as_str());
            let all: Vec<usize> = (0..victims).collect();
            self.ways(
                man,
                colour,
                movement,
                Board::Now,
                &head,
                &with(&all, &hits),
                prey,
            );
            for victim in 0..victims {
                let head = format!(
                    "(hops_over {name} ?x0 ?y0 ?x_end ?y_end ?x_over{victim} ?y_over{victim})"
                );
                self.ways(
                    man,
                    colour,
                    movement,
                    Board::Now,
                    &head,
                    &with(&all, &hits),
                    prey,
                );
            }
            if continues {
                let head = format!("(captures_after {name} ?x0 ?y0)");
                self.ways(
                    man,
                    colour,
                    movement,
                    Board::After,
                    &head,
                    &with(&all, &hits),
                    prey,
                );
            }
        }
    }

    /// A set of contents, by its number: targets of a colour.
    fn set(&mut self, targets: &Targets, colour: usize) -> String {
        let name = format!("set_{}", self.sets);
        self.sets += 1;
        let sides = [(targets.player, colour), (targets.opponent, 1 - colour)];
        for piece in &self.game.pieces {
            let is_in = targets
                .kinds
                .as_ref()
                .is_none_or(|kinds| kinds.contains(&piece.name));
            for (_, side) in sides.iter().filter(|(counts, _)| *counts && is_in) {
                self.facts
                    .insert(format!("(in {name} {}_{})", COLOURS[*side], piece.name));
            }
        }
        name
    }

    /// A rule for the ways of a movement. `caught` are the hopped pieces that must be of a set
    /// beside that of the hop; `prey` is the set of what must be where the move ends, which is
    /// empty without one.
    #[expect(clippy::too_many_arguments)]
    fn ways(
        &mut self,
        man: &str,
        colour: usize,
        movement: &Movement,
        board: Board,
        head: &str,
        caught: &[(usize, String)],
        prey: Option<&str>,
    ) {
        let group = format!("ways_{}", self.sets);
        self.sets += 1;
        for &(dx, dy) in &movement.vectors {
            let vector = if colour == 0 { (dx, dy) } else { (-dx, -dy) };
            self.vectors.insert(vector);
            self.facts
                .insert(format!("({group} {})", vector_name(vector)));
        }
        let mut body = vec![board.has(0, man), format!("({group} ?vector)")];
        let mut names: Vec<(String, String)> = Vec::new();
        let mut last = 0;
        let step = |body: &mut Vec<String>, last: &mut usize| {
            body.push(format!(
                "(step ?vector ?x{last} ?y{last} ?x{0} ?y{0})",
                *last + 1
            ));
            *last += 1;
        };
        match &movement.kind {
            MovementKind::Leap => step(&mut body, &mut last),
            MovementKind::Ride => {
                let ride = match board {
                    Board::Now => "ride",
                    Board::After => "ride_after",
                };
                self.rides(board, ride);
                body.push(format!("({ride} ?vector ?x0 ?y0 ?x1 ?y1)"));
                last = 1;
            }
            MovementKind::Hop {
                before,
                over,
                after,
                what,
            } => {
                let over_set = self.set(what, colour);
                for _ in 0..*before {
                    step(&mut body, &mut last);
                    body.push(board.has(last, "empty"));
                }
                for number in 0..*over as usize {
                    step(&mut body, &mut last);
                    let piece = format!("?over{number}");
                    body.push(board.has(last, &piece));
                    body.push(format!("(in {over_set} {piece})"));
                    for (_, set) in caught.iter().filter(|(place, _)| *place == number) {
                        body.push(format!("(in {set} {piece})"));
                    }
                    for axis in ["x", "y"] {
                        names.push((format!("?{axis}_over{number}"), format!("?{axis}{last}")));
                    }
                }
                for _ in 0..*after {
                    step(&mut body, &mut last);
                    body.push(board.has(last, "empty"));
                }
                step(&mut body, &mut last);
            }
        }
        match prey {
            Some(set) => {
                body.push(board.has(last, "?prey"));
                body.push(format!("(in {set} ?prey)"));
            }
            None => body.push(board.has(last, "empty")),
        }
        let mut head = head
            .replace("?x_end", &format!("?x{last}"))
            .replace("?y_end", &format!("?y{last}"));
        for (name, square) in names {
            head = head.replace(&name, &square);
        }
        self.rule(&head, &body);
    }

    /// Rides: a square and any that is reached over empty ones, whatever is on the last.
    fn rides(&mut self, board: Board, name: &str) {
        let first =
            format!("(<= ({name} ?vector ?x0 ?y0 ?x1 ?y1)\n    (step ?vector ?x0 ?y0 ?x1 ?y1))");
        if self.rules.contains(&first) {
            return;
        }
        let _ = writeln!(self.rules, "{first}");
        let body = [
            format!("({name} ?vector ?x0 ?y0 ?x1 ?y1)"),
            board.has(1, "empty"),
            "(step ?vector ?x1 ?y1 ?x2 ?y2)".to_owned(),
        ];
        self.rule(&format!("({name} ?vector ?x0 ?y0 ?x2 ?y2)"), &body);
    }

    fn goals(&mut self) {
        let line = |text: &str| vec![text.to_owned()];
        for goal in &self.game.goals {
            match goal {
                Goal::Stalemate(side) => {
                    let stuck = match side {
                        Side::Player => ["(stuck ?player)", "(opponent ?player ?other)"],
                        Side::Opponent => ["(stuck ?other)", "(opponent ?player ?other)"],
                    };
                    self.rule("(wins ?player)", &stuck.map(str::to_owned));
                }
                Goal::Eradicate(side, kind) => {
                    let whose = if *side == Side::Player {
                        "?player"
                    } else {
                        "?other"
                    };
                    let targets = Targets {
                        player: true,
                        opponent: true,
                        kinds: kind.clone().map(|kind| vec![kind]),
                    };
                    let set = self.set(&targets, 0);
                    let body = [
                        "(opponent ?player ?other)".to_owned(),
                        format!("(not (has {set} {whose}))"),
                    ];
                    self.rule("(wins ?player)", &body);
                    let body = [
                        "(true (cell ?column ?row ?piece))".to_owned(),
                        format!("(in {set} ?piece)"),
                        "(owner ?piece ?player)".to_owned(),
                    ];
                    self.rule(&format!("(has {set} ?player)"), &body);
                }
                Goal::Arrive(side, kind, (x, y)) => {
                    for (colour, name) in COLOURS.iter().enumerate() {
                        let whose = if *side == Side::Player {
                            colour
                        } else {
                            1 - colour
                        };
                        let turned = (self.game.width + 1 - x, self.game.height + 1 - y);
                        let (x, y) = if colour == 0 { (*x, *y) } else { turned };
                        let cell = format!("(true (cell {x} {y} {}_{kind}))", COLOURS[whose]);
                        self.rule(&format!("(wins {name})"), &line(&cell));
                    }
                }
            }
        }
        self.rules.push_str(ENDS);
        let _ = writeln!(self.rules, "(<= terminal\n    (true (quiet {QUIET})))");
    }

    /// Steps of all vectors on the board, and other facts.
    fn tables(&mut self) {
        let (width, height) = (i32::from(self.game.width), i32::from(self.game.height));
        for &(dx, dy) in &self.vectors {
            for (x, y) in (1..=width).flat_map(|x| (1..=height).map(move |y| (x, y))) {
                let mut to = (x + dx, y + dy);
                if self.game.is_cylinder {
                    to.0 = (to.0 - 1).rem_euclid(width) + 1;
                }
                if (1..=width).contains(&to.0) && (1..=height).contains(&to.1) {
                    let name = vector_name((dx, dy));
                    self.facts
                        .insert(format!("(step {name} {x} {y} {} {})", to.0, to.1));
                }
            }
        }
        let rank = self.game.promote_rank.unwrap_or(self.game.height + 1);
        for row in 1..=self.game.height {
            if row >= rank {
                self.facts.insert(format!("(territory white {row})"));
                let turned = self.game.height + 1 - row;
                self.facts.insert(format!("(territory black {turned})"));
            }
        }
        for number in 0..QUIET {
            self.facts
                .insert(format!("(following {number} {})", number + 1));
        }
        self.facts.insert("(opponent white black)".to_owned());
        self.facts.insert("(opponent black white)".to_owned());
    }
}

fn with(places: &[usize], set: &str) -> Vec<(usize, String)> {
    places
        .iter()
        .map(|&place| (place, set.to_owned()))
        .collect()
}

/// How games end.
const ENDS: &str = "
(<= (stuck ?player)
    (true (control ?player))
    (not (can_go ?player)))
(<= won
    (wins ?player))
(<= terminal
    won)
(<= terminal
    (stuck ?player))
(<= (goal ?player 100)
    (wins ?player)
    (opponent ?player ?other)
    (not (wins ?other)))
(<= (goal ?player 0)
    (opponent ?player ?other)
    (wins ?other)
    (not (wins ?player)))
(<= (goal ?player 50)
    (role ?player)
    (not won))
(<= (goal ?player 50)
    (wins ?player)
    (opponent ?player ?other)
    (wins ?other))
";
