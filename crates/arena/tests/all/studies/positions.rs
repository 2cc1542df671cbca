//! Choices in positions, from their data to their results, and what is said of the positions of
//! bundled studies.

use std::collections::HashMap;
use std::path::Path;

use paidia_arena::study::positions::{Answer, Position, PositionFigures, Positions};
use paidia_arena::study::{self, Experiment, Judgement, Ledger, Scale, Summary};
use paidia_game::{Chance, Game, Goal, MoveId, RoleId, Rules, Walker, follow, read_state};
use paidia_reason::propnet::Propnet;

use super::{carry_out, network, refusal, run};

pub(super) const TEXT: &str = r#"
title = "Seeing a win"
source = "Nobody, never"
about = "A test."

[games]
tic-tac-toe = "ours"

[players]
Looker = "nested(level=1, samples=20)"
Searcher = "uct"
Guesser = "random"

[scales]
quick = { searches = { looking = 20, guessing = 40 } }
report = { searches = { looking = 30, guessing = 40 } }

[[positions]]
name = "a win at once"
game = "tic-tac-toe"
after = "(mark 1 1) (mark 1 2) (mark 2 2) (mark 2 3)"
right = ["(mark 3 3)"]

[[cells]]
name = "looking"
group = "looking"
position = "a win at once"
player = "Looker"
paper = { right = 99.5, states = 120 }

[[cells]]
name = "searching"
group = "looking"
position = "a win at once"
player = "Searcher"
states = 500

[[cells]]
name = "guessing"
group = "guessing"
position = "a win at once"
player = "Guesser"
paper.moves = { "(mark 3 3)" = 20, "(mark 1 3)" = 20 }

[[claims]]
id = "C1"
text = "Who looks, sees"
figure = "right"
cells = ["looking", "searching"]
at_least = 80

[[claims]]
id = "C2"
text = "Who looks is right twice as often as who guesses"
figure = "right"
cells = ["looking", "guessing"]
ratio = true
at_least = 2

[[claims]]
id = "C3"
text = "Nobody guesses"
figure = "share"
move = "(mark 1 3)"
cells = ["guessing"]
at_most = 0.1
"#;

/// Asks at a scale, and gives the ledger.
fn ask(file: &Path, scale: Scale, jobs: usize) -> Ledger<Answer> {
    carry_out::<Positions>(TEXT, file, run(scale, 1), jobs).unwrap()
}

fn summary(ledger: &Ledger<Answer>) -> Summary<PositionFigures> {
    let study: Positions = study::parse("test", TEXT).unwrap();
    study::summarise(&study, run(Scale::Quick, 1), ledger).unwrap()
}

/// The answers without what depends on the machine, in an order that does not depend on which
/// thread was first.
fn timeless(file: &Ledger<Answer>) -> Vec<Answer> {
    let mut answers = file.records.clone();
    answers.iter_mut().for_each(|answer| answer.seconds = 0.0);
    answers.sort_by_key(|answer| (answer.cell.clone(), answer.number));
    answers
}

#[test]
fn answers_are_marked_and_reported_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let summary = summary(&ask(&folder.path().join("a.jsonl"), Scale::Quick, 2));
    let figures = &summary.figures;
    assert_eq!((figures.made, figures.wanted), (80, 80));
    let judgements: Vec<Judgement> = summary.claims.iter().map(|claim| claim.judgement).collect();
    assert_eq!(
        judgements,
        [Judgement::Holds, Judgement::Holds, Judgement::Fails]
    );
    assert!(!summary.stands());
    let looking = &figures.cells[0];
    assert_eq!(looking.searches, 20);
    // Five moves by twenty playouts of one to five states.
    let states = looking.states.unwrap();
    assert!(states.low > 100.0 && states.high < 500.0, "{states:?}");
    let guessed: f64 = figures.cells[2]
        .shares
        .iter()
        .map(|share| share.ours.unwrap().value)
        .sum();
    assert!((guessed - 100.0).abs() < 1e-6);

    let report = Positions::report(&summary);
    let text = report.text();
    assert!(
        text.contains("99.5") && text.contains("(mark 3 3) (right)"),
        "{text}"
    );
    let csv = report.csv();
    let columns = |line: &str| line.split(',').count();
    let head = columns(csv.lines().next().unwrap());
    assert!(csv.lines().all(|line| columns(line) == head), "{csv}");
    let markdown = report.markdown();
    assert!(
        markdown.contains("](test.svg)") && markdown.contains("**fails**"),
        "{markdown}"
    );
    let svg = report.svg();
    // Three of ours, one of the paper's, two of the legend.
    assert_eq!(svg.matches("<circle").count(), 6);
}

#[test]
fn a_run_goes_on_where_it_was_and_jobs_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let quick = ask(&file, Scale::Quick, 1);
    let other = ask(&folder.path().join("b.jsonl"), Scale::Quick, 3);
    assert_eq!(timeless(&quick), timeless(&other));
    let text = std::fs::read(&file).unwrap();
    std::fs::write(&file, &text[..text.len() / 2]).unwrap();
    assert_eq!(timeless(&ask(&file, Scale::Quick, 2)), timeless(&quick));
    let report = ask(&file, Scale::Report, 2);
    assert_eq!(report.records.len(), 100);
    // The quick scale's results are its own searches', however many there are.
    assert_eq!(summary(&report).figures.made, 80);
}

#[test]
fn faulty_data_is_named() {
    for (from, to, expected) in [
        (
            "position = \"a win",
            "position = \"no win",
            "there is no position",
        ),
        (
            "player = \"Looker\"",
            "player = \"Nobody\"",
            "does not tell of `Nobody`",
        ),
        ("states = 500", "", "would think for ever"),
        ("states = 500", "states = 5\nsimulations = 5", "not both"),
        ("looking = 20", "lurking = 20", "no group `lurking`"),
        ("move = \"(mark 1 3)\"", "", "belongs to the figure `share`"),
        (
            "\"looking\", \"guessing\"]",
            "\"looking\"]",
            "too few cells",
        ),
        ("uct", "utc", "did you mean `uct`?"),
    ] {
        let message = refusal::<Positions>(TEXT, from, to);
        assert!(message.contains(expected), "{message}");
    }
    let asked = |from: &str, to: &str| {
        let text = TEXT.replacen(from, to, 1);
        assert_ne!(text, TEXT, "{from}");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.jsonl");
        let asked = carry_out::<Positions>(&text, &file, run(Scale::Quick, 1), 1);
        asked.err().unwrap().to_string()
    };
    let message = asked("[\"(mark 3 3)\"]", "[\"(mark 1 1)\"]");
    assert!(
        message.contains("`(mark 1 1)` is no move there"),
        "{message}"
    );
    let message = asked("(mark 2 3)\"", "(mark 1 1)\"");
    assert!(message.contains("step 4"), "{message}");
    let message = asked("right =", "role = \"z\"\nright =");
    assert!(
        message.contains("there is no role `z`; the roles are"),
        "{message}"
    );
}

/// Proves the winner of a game of two roles that take turns, within a number of steps.
struct Prover {
    game: Propnet,
    walker: <Propnet as Game>::Walker,
    /// For each state, the fewest steps within which the winner is known to win, and the most
    /// within which not.
    known: HashMap<(<Propnet as Rules>::State, RoleId), (u32, u32)>,
}

impl Prover {
    /// Whether a role can force its win within `steps` steps.
    fn wins(&mut self, state: &<Propnet as Rules>::State, winner: RoleId, steps: u32) -> bool {
        let key = (state.clone(), winner);
        let (with, without) = self.known.get(&key).copied().unwrap_or((u32::MAX, 0));
        if steps >= with || (steps > 0 && steps <= without) {
            return steps >= with;
        }
        self.walker.jump(state);
        if self.walker.is_terminal() {
            return self.walker.goal(winner) == Goal::One(100);
        }
        if steps == 0 {
            return false;
        }
        let children = self.children();
        let mover = children.0;
        let mut children = children.1.iter();
        let is_won = match mover == winner {
            true => children.any(|child| self.wins(child, winner, steps - 1)),
            false => children.all(|child| self.wins(child, winner, steps - 1)),
        };
        let known = self.known.entry(key).or_insert((u32::MAX, 0));
        match is_won {
            true => known.0 = known.0.min(steps),
            false => known.1 = known.1.max(steps),
        }
        is_won
    }

    /// The role to move where the walker stands, and the states that its moves lead to.
    fn children(&mut self) -> (RoleId, Vec<<Propnet as Rules>::State>) {
        let (mut here, mut joint) = (self.game.initial(), Vec::new());
        self.walker.save(&mut here);
        let legal = self.walker.legal().clone();
        let mover = legal.iter().find(|(_, moves)| moves.len() > 1);
        let mover = mover.map_or(RoleId(0), |(role, _)| role);
        let states = legal.of(mover).iter().map(|&id| {
            joint.clear();
            joint.extend(legal.iter().map(|(_, moves)| moves[0]));
            joint[mover.index()] = id;
            self.walker.jump(&here);
            self.walker.advance(&joint, &mut Chance::from_seed(0));
            let mut state = here.clone();
            self.walker.save(&mut state);
            state
        });
        (mover, states.collect())
    }
}

/// The state of a position, and of its moves the texts and the states that they lead to.
fn options(prover: &mut Prover, position: &Position) -> Vec<(String, <Propnet as Rules>::State)> {
    let game = prover.game.clone();
    let state = read_state(&game, position.from.as_deref().unwrap()).unwrap();
    prover.walker.jump(&state);
    if let Some(moves) = &position.after {
        follow(&game, &mut prover.walker, moves, &mut Chance::from_seed(0)).unwrap();
    }
    let legal = prover.walker.legal().clone();
    let (mover, states) = prover.children();
    let name = |&id: &MoveId| game.moves().name(id).to_string();
    legal.of(mover).iter().map(name).zip(states).collect()
}

#[test]
fn the_trap_has_one_way_out() {
    let bundled = study::find("nested-positions").unwrap();
    let study: Positions = study::parse(bundled.name, bundled.text).unwrap();
    let game = network("breakthrough");
    let (white, black) = (RoleId(0), RoleId(1));
    let mut prover = Prover {
        walker: game.walker(),
        game,
        known: HashMap::new(),
    };
    // Deeper and deeper, so that quick wins are found quickly.
    let is_won = |prover: &mut Prover, state: &_, winner, most| {
        (0..=most).any(|steps| prover.wins(state, winner, steps))
    };
    let trap = study.position("trap").unwrap();
    for (text, state) in options(&mut prover, trap) {
        let winner = if trap.right.contains(&text) {
            white
        } else {
            black
        };
        assert!(is_won(&mut prover, &state, winner, 9), "{text}");
    }
    let answer = study.position("the answer to the trap").unwrap();
    assert_eq!(answer.from, trap.from);
    for (text, state) in options(&mut prover, answer) {
        let winner = if answer.right.contains(&text) {
            black
        } else {
            white
        };
        assert!(is_won(&mut prover, &state, winner, 8), "{text}");
    }
}
