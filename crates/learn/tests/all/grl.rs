//! Games whose moves add and remove pieces, learned from play.

use std::collections::BTreeSet;
use std::fs;

use paidia_gdl::Source;
use paidia_languages::board::{self, Automaton, BoardGame};
use paidia_learn::grl::locm::{self, Event, Machine};
use paidia_learn::grl::teachers::{
    amazons, amazons_moves, checkers, checkers_moves, forced_checkers_moves, peg_solitaire,
    peg_solitaire_moves,
};
use paidia_learn::grl::{
    Does, Model, Record, Scene, Sight, learn, of_board_game, pddl, traces, watch,
};
use paidia_learn::rules::{Check, Method, Settings};

const SETTINGS: Settings = Settings {
    method: Method::Rpni,
    check: Check::Bjornsson,
    distance: 2,
    expansions: 20,
};

/// How many moves were made too many and too few in the positions of other plays.
fn mistakes(
    start: &Scene,
    legal: fn(&Scene) -> Vec<Record>,
    (plays, most): (usize, usize),
    made: impl Fn(&Scene) -> Vec<Record>,
) -> (usize, usize, usize) {
    let (mut more, mut less, mut positions) = (0, 0, 0);
    for sight in watch(start, legal, plays, most, true, 99) {
        let legal: BTreeSet<Record> = sight.records.into_iter().collect();
        let made: BTreeSet<Record> = made(&sight.scene).into_iter().collect();
        more += made.difference(&legal).count();
        less += legal.difference(&made).count();
        positions += 1;
    }
    (more, less, positions)
}

/// The number of series of moves of a length.
fn perft(scene: &Scene, legal: fn(&Scene) -> Vec<Record>, depth: u32) -> usize {
    if depth == 0 {
        return 1;
    }
    let next = legal(scene)
        .into_iter()
        .map(|record| scene.after(&record).unwrap());
    next.map(|scene| perft(&scene, legal, depth - 1)).sum()
}

#[test]
fn teachers_know_their_games() {
    // Published counts; those of checkers are with compulsory captures.
    assert_eq!(perft(&amazons(10), amazons_moves, 1), 2176);
    assert_eq!(perft(&checkers(), forced_checkers_moves, 3), 302);
    let counts: Vec<usize> = (1..5)
        .map(|depth| perft(&peg_solitaire(), peg_solitaire_moves, depth))
        .collect();
    assert_eq!(counts[..2], [4, 12]);
}

#[test]
fn checkers_are_learned_exactly() {
    let seen = watch(&checkers(), checkers_moves, 50, 120, true, 2);
    let model = learn(&seen, SETTINGS);
    let (more, less, positions) = mistakes(&checkers(), checkers_moves, (10, 100), |scene| {
        model.moves(scene)
    });
    assert_eq!((more, less), (0, 0));
    assert!(positions > 500, "{positions}");
}

#[test]
fn peg_solitaire_is_learned_exactly() {
    let seen = watch(&peg_solitaire(), peg_solitaire_moves, 50, 40, true, 3);
    let model = learn(&seen, SETTINGS);
    let (more, less, positions) =
        mistakes(&peg_solitaire(), peg_solitaire_moves, (40, 40), |scene| {
            model.moves(scene)
        });
    assert_eq!((more, less), (0, 0));
    assert!(positions > 500, "{positions}");
}

#[test]
fn what_must_be_taken_is_not_learned() {
    let seen = watch(&checkers(), forced_checkers_moves, 30, 100, false, 4);
    let model = learn(&seen, SETTINGS);
    let (more, less, _) = mistakes(&checkers(), forced_checkers_moves, (5, 60), |scene| {
        model.moves(scene)
    });
    assert!(more > 0, "{more} {less}");
}

#[test]
fn single_moves_miss_nothing_that_is_common() {
    let seen = watch(&peg_solitaire(), peg_solitaire_moves, 300, 40, false, 5);
    let model = learn(&seen, SETTINGS);
    let (_, less, _) = mistakes(&peg_solitaire(), peg_solitaire_moves, (40, 40), |scene| {
        model.moves(scene)
    });
    assert_eq!(less, 0);
}

/// Records without the steps that add and remove.
fn plain(record: &Record) -> Record {
    let is_plain =
        |step: &&paidia_learn::grl::Micro| !matches!(step.does, Does::Adds | Does::Removes);
    Record {
        from: record.from,
        steps: record.steps.iter().filter(is_plain).copied().collect(),
    }
}

#[test]
fn plain_words_do_not_explain_what_moves_do() {
    type Moves = fn(&Scene) -> Vec<Record>;
    let games: [(Scene, Moves); 3] = [
        (amazons(6), amazons_moves),
        (checkers(), checkers_moves),
        (peg_solitaire(), peg_solitaire_moves),
    ];
    for (start, legal) in games {
        let seen = watch(&start, legal, 3, 12, false, 6);
        let explains = |sight: &Sight, record: &Record| {
            sight.scene.after(record) == sight.scene.after(&sight.records[0])
        };
        let wrong = seen
            .iter()
            .filter(|sight| !explains(sight, &plain(&sight.records[0])));
        assert!(wrong.count() > 0);
        assert!(seen.iter().all(|sight| explains(sight, &sight.records[0])));
    }
}

/// The rook of figure 2 of the paper.
const ROOK: &str = "<<Rook>>\n<BOARD>\n6 6\n|rr..rr|\n|......|\n|......|\n|......|\n|......|\n|RR..RR|\n\
    <PIECES>\nR (0,1,e)^*((0,1,e)+(0,1,p)) + (1,0,e)^*((1,0,e)+(1,0,p)) \
    + (-1,0,e)^*((-1,0,e)+(-1,0,p)) + (0,-1,e)^*((0,-1,e)+(0,-1,p)) &\n<GOALS>\n100 &\n";

fn game(text: &str) -> BoardGame {
    let reading = board::read(&Source::new("test.sbg", text));
    assert!(!reading.has_errors(), "{:?}", reading.problems);
    BoardGame::new("test", reading.rules).unwrap()
}

#[test]
fn the_rook_is_that_of_the_paper() {
    let game = game(ROOK);
    let seen = of_board_game(&game, 50, true, 1).unwrap();
    let model = learn(&seen, SETTINGS);
    let rules = game.tables().rules();
    let own = Automaton::of(&rules.piece(b'R').unwrap().moves).unwrap();
    assert_eq!(model.automata[&(b'R', false)], own);
    let zero = model.domains[&b'R'].zero();
    assert_eq!(zero.len(), 1);
    assert_eq!(zero[0].transitions.len(), 2);
}

#[test]
fn breakthroughs_are_learned_exactly() {
    let Some(folder) = paidia_testkit::boards() else {
        return;
    };
    for name in [
        "breakthrough",
        "checkers_breakthrough",
        "chess_breakthrough",
    ] {
        let path = folder.join("games").join(format!("{name}.sbg"));
        let game = game(&fs::read_to_string(path).unwrap());
        let seen = of_board_game(&game, 20, true, 1).unwrap();
        let model = learn(&seen, SETTINGS);
        let mut positions = 0;
        for sight in of_board_game(&game, 5, true, 2).unwrap() {
            let legal: BTreeSet<Record> = sight.records.into_iter().collect();
            let made: BTreeSet<Record> = model.moves(&sight.scene).into_iter().collect();
            assert_eq!(made, legal, "{name}");
            positions += 1;
        }
        assert!(positions > 50, "{name} {positions}");
    }
}

/// The transitions of a machine, as `action.place`, with the states they go between.
fn ends(machine: &Machine, name: &str, place: usize) -> (usize, usize) {
    machine.transitions[&(name.to_owned(), place)]
}

#[test]
fn blocks_have_the_machines_of_the_paper() {
    // A gripper takes blocks from the table or from others and puts them down, at random.
    let mut chance = paidia_game::Chance::from_seed(3);
    let mut traces = Vec::new();
    for _ in 0..40 {
        let mut stacks: Vec<Vec<usize>> = (0..5).map(|block| vec![block]).collect();
        let mut trace: Vec<Event> = Vec::new();
        let mut say = |action: &str, objects: &[usize]| {
            trace.push(Event {
                action: action.to_owned(),
                objects: objects.to_vec(),
            });
        };
        for _ in 0..30 {
            let from = chance.below(stacks.len() as u32) as usize;
            let block = stacks[from].pop().unwrap();
            match stacks[from].last() {
                Some(&below) => say("unstack", &[block, below]),
                None => say("pick-up", &[block]),
            }
            stacks.retain(|stack| !stack.is_empty());
            let to = chance.below(stacks.len() as u32 + 1) as usize;
            match stacks.get_mut(to) {
                Some(stack) => {
                    say("stack", &[block, stack[stack.len() - 1]]);
                    stack.push(block);
                }
                None => {
                    say("put-down", &[block]);
                    stacks.push(vec![block]);
                }
            }
        }
        traces.push(trace);
    }
    let domain = locm::learn(&traces);
    // The gripper is empty, or holds a block that the state remembers.
    let [zero] = domain.zero() else {
        panic!("{:?}", domain.zero());
    };
    assert_eq!(zero.states, 2);
    let (empty, holding) = ends(zero, "pick-up", 0);
    assert_eq!(ends(zero, "unstack", 0), (empty, holding));
    assert_eq!(ends(zero, "put-down", 0), (holding, empty));
    assert_eq!(ends(zero, "stack", 0), (holding, empty));
    assert_eq!(
        (zero.parameters[empty].len(), zero.parameters[holding].len()),
        (0, 1)
    );
    // Blocks are clear, underneath another, or held; and on the table, held, or on another.
    let [_, blocks] = &domain.sorts[..] else {
        panic!("{} sorts", domain.sorts.len());
    };
    let [whole, place] = &blocks.machines[..] else {
        panic!("{} machines", blocks.machines.len());
    };
    let (clear, held) = ends(whole, "pick-up", 1);
    let (from, underneath) = ends(whole, "stack", 2);
    assert_eq!((whole.states, from), (3, clear));
    assert_eq!(ends(whole, "unstack", 2), (underneath, clear));
    assert_eq!(ends(whole, "unstack", 1), (clear, held));
    assert_eq!(whole.parameters[underneath].len(), 1);
    let (table, held) = ends(place, "pick-up", 1);
    let (from, above) = ends(place, "stack", 1);
    assert_eq!((place.states, place.transitions.len(), from), (3, 4, held));
    assert_eq!(ends(place, "put-down", 1), (held, table));
    assert_eq!(ends(place, "unstack", 1), (above, held));
    assert_eq!(place.parameters[above].len(), 1);
}

/// A model of single moves that were seen.
fn of_single(start: &Scene, legal: fn(&Scene) -> Vec<Record>, plays: usize) -> (Vec<Sight>, Model) {
    let seen = watch(start, legal, plays, 100, false, 8);
    let model = learn(&seen, SETTINGS);
    (seen, model)
}

#[test]
fn amazons_have_the_machines_of_the_paper() {
    let (seen, model) = of_single(&amazons(10), amazons_moves, 10);
    assert!(
        traces(&seen, b'A').is_empty(),
        "no move begins with an arrow"
    );
    let domain = &model.domains[&b'Q'];
    let [zero] = domain.zero() else {
        panic!("{:?}", domain.zero());
    };
    assert_eq!((zero.states, zero.transitions.len()), (2, 3));
    let (queen, arrow) = ends(zero, "appear_a", 0);
    assert_eq!(ends(zero, "move_q", 0), (queen, queen));
    assert_eq!(ends(zero, "move_a", 0), (arrow, arrow));
    assert_eq!(
        [queen, arrow].map(|state| zero.parameters[state].len()),
        [1, 1]
    );
    let text = pddl::write("amazons", domain);
    let action = text.split("(:action appear_a").nth(1).unwrap();
    let action = action.split("(:action").next().unwrap();
    // Two things hold of the one square, and two others after it.
    let precondition = action.split(":effect").next().unwrap();
    assert!(precondition.contains(":parameters (?p1)"), "{action}");
    assert_eq!(precondition.matches(" ?p1)").count(), 2, "{action}");
    assert_eq!(action.matches("(not ").count(), 2, "{action}");
}

#[test]
fn men_of_checkers_have_several_machines() {
    let (_, model) = of_single(&checkers(), checkers_moves, 200);
    let zero = model.domains[&b'M'].zero();
    assert!(zero.len() >= 2, "{zero:?}");
}
