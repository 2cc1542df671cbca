//! Bundled games on every backend: the same figures for a seed, whether playouts are told one by
//! one or added up, and on however many threads machine code is shared.

use std::time::Duration;

use paidia_accel::{Backend, Batch, BatchOptions, Batches, IllegalMove, LANES, Stepping};
use paidia_game::{
    BatchPlayouts, Chance, Effort, Ending, Extent, Figures, Game, Goal, LegalMoves, MoveId,
    Playout, RoleId, Rules, Walker,
};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_gdl::program::Program;
use paidia_reason::propnet::{GroundGame, Propnet, ground_game};

/// Few and many moves, several roles, recursion, goals that are expensive.
const GAMES: [&str; 6] = [
    "tic-tac-toe",
    "connect-four",
    "breakthrough",
    "othello",
    "atari-go-7x7",
    "hex-7x7",
];

const STEP_LIMIT: u32 = 60;

fn ground(name: &str) -> GroundGame {
    let rules = paidia_library::find(name).unwrap().rules;
    let (reading, report) = check_source(&Source::new(name, rules), None);
    let program = Program::new(&reading.sheet, report.dialect).unwrap();
    let budget = Budget {
        time: Duration::from_secs(600),
        ..Budget::default()
    };
    ground_game(name, &program, budget).unwrap()
}

fn backends() -> impl Iterator<Item = Backend> {
    let all = Backend::ALL.into_iter();
    all.filter(|backend| backend.is_available())
}

/// The figures of playouts that are told one by one.
fn one_by_one(batches: &Batches, playouts: u32) -> Figures {
    let mut batch: Batch = batches.open(BatchOptions {
        seed: 7,
        step_limit: STEP_LIMIT,
        ..BatchOptions::default()
    });
    let mut figures = Figures::new(batches.ground().facts.roles.len());
    batch.submit(&batches.initial(), 0, playouts);
    batch.run(u32::MAX, &mut |ended| {
        figures.add(ended.playout, |role: RoleId| ended.goals[role.index()]);
    });
    figures
}

fn effort(threads: usize, playouts: u64) -> Effort {
    Effort {
        extent: Extent::Playouts(playouts),
        threads,
        seed: 7,
        step_limit: STEP_LIMIT,
    }
}

#[test]
fn figures_are_the_same_on_every_backend_and_however_they_are_added_up() {
    for name in GAMES {
        let game = ground(name);
        let mut expected: Option<(Figures, Figures)> = None;
        for backend in backends() {
            let batches = Batches::with_backend(game.clone(), backend);
            let start = batches.initial();
            let alone = batches.simulate(&start, effort(1, 2_000), &mut |_| {});
            assert_eq!(alone, one_by_one(&batches, 2_000), "{name}, {backend:?}");
            assert!(alone.playouts == 2_000 && alone.states > 2_000);
            let shared = batches.simulate(&start, effort(3, 2_001), &mut |_| {});
            let found = (alone, shared);
            let expected = expected.get_or_insert_with(|| found.clone());
            assert_eq!(found, *expected, "{name}, {backend:?}");
        }
    }
}

#[test]
fn states_of_the_network_and_sets_of_bits_are_the_same() {
    let batches = Batches::new(ground("connect-four"));
    let game = batches.propnet();
    let options = BatchOptions {
        blocks: 1,
        ..BatchOptions::default()
    };
    let initial = paidia_game::Rules::initial(&game);
    let mut states: Batch<<Propnet as paidia_game::Rules>::State> = batches.open(options);
    states.submit(&initial, 0, 300);
    let mut bits: Batch = batches.open(options);
    bits.submit(&batches.initial(), 0, 300);
    let mut found = [Vec::new(), Vec::new()];
    states.run(u32::MAX, &mut |ended| {
        found[0].push(first_goal(ended.goals));
    });
    bits.run(u32::MAX, &mut |ended| {
        found[1].push(first_goal(ended.goals));
    });
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].len(), 300);
    let texts = batches.fluents(&batches.initial());
    assert_eq!(batches.state(&texts).unwrap(), batches.initial());
    assert!(batches.state(&["nonsense".to_owned()]).is_err());
}

fn first_goal(goals: &[Goal]) -> Option<i32> {
    goals[0].value()
}

/// One lane's game, one state at a time.
struct Scalar {
    walker: <Propnet as Game>::Walker,
    initial: <Propnet as Rules>::State,
    length: u32,
}

impl Scalar {
    fn new(game: &Propnet) -> Self {
        let (mut walker, initial) = (game.walker(), game.initial());
        walker.jump(&initial);
        Self {
            walker,
            initial,
            length: 0,
        }
    }

    /// The legal moves of all roles, by id.
    fn legal(&mut self) -> Vec<Vec<MoveId>> {
        let legal = self.walker.legal().iter();
        let legal = legal.map(|(_, moves)| {
            let mut moves = moves.to_vec();
            moves.sort_unstable();
            moves
        });
        legal.collect()
    }

    /// Makes a move; how the game ended, if it did, which then begins again.
    fn step(&mut self, joint: &[MoveId]) -> Option<(Playout, Vec<Goal>)> {
        self.walker.advance(joint, &mut Chance::from_seed(0));
        self.length += 1;
        let ending = if self.walker.is_terminal() {
            Ending::Finished
        } else if self.length >= STEP_LIMIT {
            Ending::Cut
        } else {
            Ending::Stuck(self.walker.legal().stuck_role()?)
        };
        let roles = (0..joint.len() as u16).map(RoleId);
        let goals = roles.map(|role| self.walker.goal(role)).collect();
        let length = std::mem::take(&mut self.length);
        self.walker.jump(&self.initial);
        Some((Playout { length, ending }, goals))
    }
}

/// Makes random moves in lanes and in as many games of their own; how many games ended.
fn follow(batches: &Batches, lanes: usize, steps: usize) -> usize {
    let game = batches.propnet();
    let mut stepping = batches
        .stepping(lanes, &batches.initial(), STEP_LIMIT)
        .unwrap();
    assert_eq!(stepping.lanes(), lanes);
    let mut games: Vec<Scalar> = (0..lanes).map(|_| Scalar::new(&game)).collect();
    let mut chance = Chance::from_seed(3);
    let (mut legal, mut ended) = (LegalMoves::new(), 0);
    for _ in 0..steps {
        let mut moves = Vec::new();
        for (lane, game) in games.iter_mut().enumerate() {
            stepping.legal(lane, &mut legal);
            let found: Vec<Vec<MoveId>> = legal.iter().map(|(_, moves)| moves.to_vec()).collect();
            assert_eq!(found, game.legal(), "lane {lane}");
            moves.extend(found.iter().map(|moves| chance.pick(moves).unwrap()));
        }
        rows_are_lanes(&stepping);
        let given = with_only_moves_left_out(&stepping, &moves);
        stepping.step(&given).unwrap();
        let roles = moves.len() / lanes;
        for ((lane, game), joint) in games.iter_mut().enumerate().zip(moves.chunks(roles)) {
            let expected = game.step(joint);
            let found = stepping.ended(lane);
            let found = found.map(|end| (end.playout, end.goals.to_vec()));
            assert_eq!(found, expected, "lane {lane}");
            assert_eq!(stepping.length(lane), game.length);
            ended += usize::from(found.is_some());
        }
    }
    ended
}

/// What is written for all lanes at once is what each lane says.
fn rows_are_lanes(stepping: &Stepping) {
    let (lanes, width) = (stepping.lanes(), stepping.state_width());
    let mut states = vec![7; lanes * width];
    stepping.states(&mut states);
    let mut state = vec![0; width];
    for (lane, row) in states.chunks(width).enumerate() {
        stepping.state(lane, &mut state);
        assert_eq!(row, state, "lane {lane}");
    }
    let width = stepping.legal_width();
    let mut rows = vec![7; lanes * width];
    let mut chooses = vec![false; lanes];
    let mut legal = LegalMoves::new();
    for role in (0..2).map(RoleId) {
        stepping.legal_moves(role, &mut rows);
        stepping.choosing(role, &mut chooses);
        for (lane, row) in rows.chunks(width).enumerate() {
            stepping.legal(lane, &mut legal);
            let mut expected = vec![0; width];
            for MoveId(id) in legal.of(role) {
                expected[*id as usize / 64] |= 1 << (id % 64);
            }
            assert_eq!(row, expected, "lane {lane}");
            assert_eq!(chooses[lane], legal.of(role).len() > 1, "lane {lane}");
        }
    }
}

/// The moves without those of roles that have no choice.
fn with_only_moves_left_out(stepping: &Stepping, moves: &[MoveId]) -> Vec<MoveId> {
    let mut given = moves.to_vec();
    let mut legal = LegalMoves::new();
    let roles = moves.len() / stepping.lanes();
    for (lane, joint) in given.chunks_mut(roles).enumerate() {
        stepping.legal(lane, &mut legal);
        for ((_, moves), id) in legal.iter().zip(joint) {
            if moves.len() == 1 && lane % 2 == 0 {
                *id = MoveId::CHANCE;
            }
        }
    }
    given
}

#[test]
fn lanes_that_go_on_by_given_moves_are_games_of_their_own() {
    for (name, steps) in [
        ("tic-tac-toe", 40),
        ("breakthrough", 70),
        ("atari-go-7x7", 70),
    ] {
        let game = ground(name);
        for backend in backends() {
            let batches = Batches::with_backend(game.clone(), backend);
            for lanes in [3, LANES * 2 + 5] {
                let ended = follow(&batches, lanes, steps);
                assert!(ended >= lanes, "{name}, {backend:?}: {ended} games ended");
            }
        }
    }
}

#[test]
fn steps_with_illegal_moves_change_nothing() {
    let batches = Batches::new(ground("tic-tac-toe"));
    let initial = batches.initial();
    let mut stepping = batches.stepping(2, &initial, 100).unwrap();
    let mut legal = LegalMoves::new();
    stepping.legal(1, &mut legal);
    let first: Vec<MoveId> = legal.iter().map(|(_, moves)| moves[0]).collect();
    let refused = |lane, role| {
        let role = RoleId(role);
        Err(IllegalMove { lane, role })
    };
    let nonsense = MoveId(99_999);
    let with_nonsense = [first[0], first[1], first[0], nonsense];
    assert_eq!(stepping.step(&with_nonsense), refused(1, 1));
    assert_eq!(stepping.step(&first), refused(1, 0));
    assert_eq!(stepping.step(&[]), refused(0, 0));
    let undecided = [MoveId::CHANCE, first[1], first[0], first[1]];
    assert_eq!(
        stepping.step(&undecided),
        refused(0, 0),
        "there is a choice"
    );
    let mut state = vec![0; initial.len()];
    for lane in 0..2 {
        stepping.state(lane, &mut state);
        assert_eq!(state, initial);
        assert_eq!(stepping.length(lane), 0);
    }
    stepping.step(&[first.clone(), first].concat()).unwrap();
    stepping.state(0, &mut state);
    assert_ne!(state, initial);
    // Lanes that there are not have nothing, and games do not start where no role can move.
    stepping.legal(2, &mut legal);
    assert!(legal.iter().all(|(_, moves)| moves.is_empty()));
    assert!(stepping.ended(2).is_none());
    assert!(batches.stepping(2, &[], 100).is_err());
}
