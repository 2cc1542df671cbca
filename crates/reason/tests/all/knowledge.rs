//! What the rules of bundled games prove about them, and that random play never shows the contrary.

use std::collections::HashMap;

use paidia_game::{Chance, Game, Goal, MoveId, RoleId, Rules, TurnOrder, Walker};
use paidia_reason::knowledge::{Budget, Certainty, Knowledge, Turns};
use paidia_reason::propnet::{GroundGame, Propnet};
use paidia_testkit::{bundled, rules};

/// Games with and without turns, with latches, and small enough to be played a lot without
/// optimisation.
const GAMES: &[&str] = &[
    "bidding-tic-tac-toe",
    "breakthrough-6x6",
    "buttons-and-lights",
    "connect-four",
    "double-tic-tac-toe",
    "nim",
    "nine-board-tic-tac-toe",
    "queens-8",
    "rock-paper-scissors",
    "tic-tac-toe",
    "tic-tic-toe",
    "tron",
];

fn knowledge(game: &GroundGame) -> Knowledge {
    Knowledge::new(game, Budget::default())
}

#[test]
fn what_is_proven_is_so_in_random_play() {
    for &name in GAMES {
        let game = bundled(name).ground();
        let known = knowledge(&game);
        let engine = Propnet::new(game);
        let mut witness = Witness {
            engine: &engine,
            known: &known,
            seen: HashMap::new(),
        };
        for seed in 0..10 {
            witness.play(seed);
        }
    }
}

/// Plays at random and looks for what must not be.
struct Witness<'a> {
    engine: &'a Propnet,
    known: &'a Knowledge,
    /// States after a state and a move of which another does the same.
    seen: HashMap<(Vec<u64>, usize), Vec<u64>>,
}

impl Witness<'_> {
    fn play(&mut self, seed: u64) {
        let (mut walker, mut chance) = (self.engine.walker(), Chance::from_seed(seed));
        let (mut before, mut after) = (self.engine.initial(), self.engine.initial());
        let mut joint = Vec::new();
        let mut goals = self.goals(&mut walker);
        for _ in 0..60 {
            if walker.is_terminal() {
                break;
            }
            self.look_at_turns(&mut walker);
            if walker.legal().draw(&mut chance, &mut joint).is_err() {
                break;
            }
            walker.save(&mut before);
            walker.advance(&joint, &mut chance);
            walker.save(&mut after);
            self.look_at_fluents(before.words(), after.words());
            self.look_at_twins(before.words(), &joint, after.words());
            let later = self.goals(&mut walker);
            self.look_at_goals(&goals, &later);
            goals = later;
        }
    }

    fn name(&self) -> &str {
        &self.engine.facts().name
    }

    fn goals(&self, walker: &mut <Propnet as Game>::Walker) -> Vec<Goal> {
        let roles = self.engine.facts().role_ids();
        roles.map(|role| walker.goal(role)).collect()
    }

    fn look_at_turns(&self, walker: &mut <Propnet as Game>::Walker) {
        let Some(turns) = self.known.turns.as_ref() else {
            return;
        };
        let legal = walker.legal();
        let choosing = legal.iter().filter(|(_, moves)| moves.len() > 1).count();
        assert!(choosing <= 1, "{}", self.name());
        for (role, moves) in legal.iter().filter(|_| choosing == 1) {
            let idle = turns.idle(role);
            assert!(moves.len() > 1 || Some(moves[0]) == idle, "{}", self.name());
        }
    }

    fn look_at_fluents(&self, before: &[u64], after: &[u64]) {
        let holds = |words: &[u64], fluent: usize| words[fluent / 64] >> (fluent % 64) & 1 == 1;
        for (fluent, text) in self.engine.fluent_names().iter().enumerate() {
            let (was, is) = (holds(before, fluent), holds(after, fluent));
            let known = &self.known.persistence;
            let risen = !was && is && known.is_false_for_good(fluent);
            let fallen = was && !is && known.is_true_for_good(fluent);
            assert!(!risen && !fallen, "{}: {text}", self.name());
        }
    }

    fn look_at_goals(&self, before: &[Goal], after: &[Goal]) {
        for ((known, before), after) in self.known.goals.iter().zip(before).zip(after) {
            for goal in &known.values {
                let (was, is) = (
                    *before == Goal::One(goal.value),
                    *after == Goal::One(goal.value),
                );
                assert!(is || !was || !goal.lasts, "{}", self.name());
                assert!(was || !is || !goal.is_lost_for_good, "{}", self.name());
            }
        }
    }

    fn look_at_twins(&mut self, before: &[u64], joint: &[MoveId], after: &[u64]) {
        let groups = self.known.twins.groups.iter().enumerate();
        let found = groups.filter(|(_, (role, moves))| moves.contains(&joint[role.index()]));
        for (group, _) in found.filter(|_| joint.len() == 1).collect::<Vec<_>>() {
            let seen = self.seen.entry((before.to_vec(), group));
            let first = seen.or_insert_with(|| after.to_vec());
            assert_eq!(first, after);
        }
    }
}

#[test]
fn turns_are_proven_where_a_fluent_says_whose_it_is() {
    for name in [
        "tic-tac-toe",
        "connect-four",
        "breakthrough-6x6",
        "nine-board-tic-tac-toe",
    ] {
        let game = bundled(name).ground();
        let turns = knowledge(&game).turns.expect(name);
        assert_eq!(turns.order, TurnOrder::Alternating);
        assert_eq!(turns.certainty, Certainty::Proven);
        assert!(turns.are_known());
        let idle = turns.idle(RoleId(0)).unwrap();
        assert_eq!(&*game.moves.name(idle), "noop");
        let observed = Turns::observe(&Propnet::new(game), 3, 1);
        assert_eq!(observed.certainty, Certainty::Guessed);
        assert_eq!(observed.idle(RoleId(0)), Some(idle));
    }
    let together = bundled("tron").propnet();
    let observed = Turns::observe(&together, 1, 1);
    assert_eq!(observed.order, TurnOrder::Simultaneous);
    assert_eq!(observed.certainty, Certainty::Proven);
    assert!(!observed.are_known() && observed.idle(RoleId(0)).is_none());
}

#[test]
fn won_lines_are_kept() {
    let known = knowledge(&bundled("tic-tac-toe").ground());
    for goals in &known.goals {
        let facts: Vec<(i32, bool, bool)> = goals
            .values
            .iter()
            .map(|goal| (goal.value, goal.lasts, goal.is_lost_for_good))
            .collect();
        // A win and a loss last; a game without a line has lost that for good once there is one.
        assert_eq!(
            facts,
            [(0, true, false), (50, false, true), (100, true, false)]
        );
        assert!(!goals.never_falls());
    }
}

/// Two lamps with a switch each, pressed in turns, and a counter.
const LAMPS: &str = "
    (role one) (role two) (init (turn one)) (init (step 0))
    (other one two) (other two one) (after 0 1) (after 1 2) (after 2 3)
    (<= (legal ?role (press ?role)) (true (turn ?role)))
    (<= (legal ?role (push ?role)) (true (turn ?role)))
    (<= (legal ?role rest) (other ?role ?mover) (true (turn ?mover)))
    (<= (next (lit ?role)) (pressed ?role) (not (true (lit ?role))))
    (<= (next (lit ?role)) (true (lit ?role)) (not (pressed ?role)))
    (<= (pressed ?role) (does ?role (press ?role)))
    (<= (pressed ?role) (does ?role (push ?role)))
    (<= (next (turn ?role)) (other ?role ?mover) (true (turn ?mover)))
    (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
    (<= (goal ?role 100) (true (lit ?role)))
    (<= (goal ?role 0) (role ?role) (not (true (lit ?role))))
    (<= terminal (true (step 3)))";

#[test]
fn parts_that_do_not_touch_are_factors_and_moves_that_do_the_same_are_twins() {
    let game = rules(LAMPS).ground();
    let known = knowledge(&game);
    let factors = &known.factors;
    assert_eq!(factors.parts.len(), 2, "{factors:?}");
    for (part, role) in factors.parts.iter().zip([RoleId(0), RoleId(1)]) {
        assert_eq!(part.fluents.len(), 1);
        // Pressing is not resting, so that either kind of move may be the one that is read.
        assert!(part.moves > 0);
        assert_eq!((&part.goals[..], part.ends), (&[role][..], false));
    }
    assert_eq!(factors.clocks.len(), 6, "turns and steps");
    let twins = &known.twins.groups;
    assert_eq!(twins.len(), 2, "{twins:?}");
    assert!(twins.iter().all(|(_, moves)| moves.len() == 2));
    let columns = knowledge(&bundled("connect-four").ground());
    // Only goals look at several columns.
    assert_eq!(columns.factors.parts.len(), 7);
    assert!(
        columns
            .factors
            .parts
            .iter()
            .all(|part| part.goals.len() == 2)
    );
    assert_eq!(columns.twins.groups, []);
}

#[test]
fn a_budget_of_nothing_proves_nothing() {
    let known = Knowledge::new(&bundled("tic-tac-toe").ground(), Budget { steps: 0 });
    assert!(known.persistence.examined <= 1);
    assert!(known.persistence.true_for_good() + known.persistence.false_for_good() <= 1);
}
