//! Numeric models after updates are those from scratch.

use paidia_game::Chance;
use paidia_reason::incremental::{Model, Options, Question, Stratified};

use crate::incremental::program::{Kind, Program, Rule};
use crate::incremental::published::Published;
use crate::incremental::{ALL, without};

/// The engine's model of a program beside the state that it is for.
struct Subject {
    rules: Stratified,
    model: Model,
    base: Vec<bool>,
}

impl Subject {
    /// The model with all base atoms false. Every atom is asked for, by the question that `asked`
    /// gives.
    fn new(program: &Program, options: Options, asked: impl Fn(usize) -> Question) -> Self {
        let wanted = (0..program.atoms).map(|atom| asked(atom).bit()).collect();
        let rules = Stratified::new(&program.clauses(), wanted, options).unwrap();
        Self {
            model: Model::new(&rules),
            base: vec![false; program.base],
            rules,
        }
    }

    /// Changes up to three base atoms; which, and how they are now.
    fn change(&mut self, chance: &mut Chance) -> Vec<(usize, bool)> {
        let count = 1 + chance.below(3);
        let mut changed = Vec::new();
        for _ in 0..count {
            let atom = chance.below(self.base.len() as u32) as usize;
            self.base[atom] ^= true;
            self.model.set(&self.rules, atom as u32, self.base[atom]);
            changed.push((atom, self.base[atom]));
        }
        changed
    }

    fn values(&self) -> Vec<u32> {
        let atoms = 0..self.rules.atoms() as u32;
        let value = |atom| self.model.value(&self.rules, atom);
        atoms.map(value).collect()
    }
}

/// Compares `updates` updates of `programs` random programs with models from scratch.
fn compare(kind: Kind, options: Options, programs: u64, updates: u32) {
    for seed in 0..programs {
        let mut chance = Chance::from_seed(seed);
        let program = Program::random(kind, &mut chance);
        let mut subject = Subject::new(&program, options, |_| Question::Goal);
        assert_eq!(subject.values(), program.numeric_model(&subject.base));
        for update in 0..updates {
            subject.change(&mut chance);
            let before = subject.model.work().changes;
            subject.model.answer(&subject.rules, Question::Goal);
            let expected = program.numeric_model(&subject.base);
            let place = || format!("{kind:?}, {options:?}, seed {seed}, update {update}");
            assert_eq!(subject.values(), expected, "{}", place());
            let changes = subject.model.work().changes - before;
            let derived = (program.atoms - program.base) as u64;
            let most = if kind == Kind::Tight { 1 } else { 2 };
            assert!(
                !options.levels || changes <= most * derived,
                "{changes} changes of {derived} atoms: {}",
                place()
            );
        }
    }
}

#[test]
fn forty_eight_thousand_updates_give_the_model_from_scratch() {
    compare(Kind::Tight, ALL, 2_000, 12);
    compare(Kind::Recursive, ALL, 2_000, 12);
}

#[test]
fn no_optimisation_changes_a_value() {
    for options in without() {
        compare(Kind::Tight, options, 150, 10);
        compare(Kind::Recursive, options, 250, 10);
    }
}

#[test]
fn the_published_algorithm_comes_to_the_same_values() {
    for seed in 0..500 {
        let mut chance = Chance::from_seed(seed);
        let program = Program::random(Kind::Recursive, &mut chance);
        let mut subject = Subject::new(&program, ALL, |_| Question::Goal);
        let mut published = Published::new(&program);
        for _ in 0..10 {
            let changed = subject.change(&mut chance);
            published.update(&changed);
            subject.model.answer(&subject.rules, Question::Goal);
            assert_eq!(subject.values(), published.atoms, "seed {seed}");
        }
    }
}

/// What each question is about is right after it was asked, whatever waits for the others.
#[test]
fn a_question_brings_up_to_date_what_it_is_about() {
    for (seed, options) in (0..600).zip([ALL].into_iter().chain(without()).cycle()) {
        let mut chance = Chance::from_seed(seed);
        let program = Program::random(Kind::Recursive, &mut chance);
        let asked: Vec<Question> = (0..program.atoms)
            .map(|_| Question::EACH[chance.below(4) as usize])
            .collect();
        let mut subject = Subject::new(&program, options, |atom| asked[atom]);
        for _ in 0..12 {
            subject.change(&mut chance);
            let question = Question::EACH[chance.below(4) as usize];
            subject.model.answer(&subject.rules, question);
            let expected = program.numeric_model(&subject.base);
            for atom in (0..program.atoms).filter(|&atom| asked[atom] == question) {
                let holds = subject.model.holds(atom as u32);
                assert_eq!(holds, expected[atom] > 0, "{options:?}, seed {seed}");
            }
        }
    }
}

/// `x` is true because of `b1`; with `b0` true as well, only `y` and `x` themselves would be left
/// to hold each other up.
fn counterexample() -> Program {
    let [b0, b1, x, y] = [0, 1, 2, 3];
    let rule = |head: usize, holds: &[usize], fails: &[usize]| Rule {
        head,
        holds: holds.to_vec(),
        fails: fails.to_vec(),
    };
    Program::new(
        2,
        4,
        vec![
            rule(x, &[b1], &[b0]),
            rule(y, &[x, b1], &[]),
            rule(x, &[b0, y], &[]),
        ],
    )
}

/// The paper's theorem 4 says that no atom changes more than twice in an update. Its algorithm lets
/// `x` go from 1 to 0, to 3 and to 0 again here; ours lets both atoms fall, once.
#[test]
fn the_bound_of_theorem_4_fails_as_published_and_holds_here() {
    let program = counterexample();
    let mut published = Published::new(&program);
    published.update(&[(1, true)]);
    assert_eq!(published.atoms, [0, 1, 1, 2]);
    published.changes.fill(0);
    published.update(&[(0, true)]);
    assert_eq!(published.atoms, [1, 1, 0, 0]);
    assert_eq!(published.changes[2], 3);

    for options in [ALL].into_iter().chain(without()) {
        let mut subject = Subject::new(&program, options, |_| Question::Goal);
        subject.model.set(&subject.rules, 1, true);
        subject.model.answer(&subject.rules, Question::Goal);
        assert_eq!(subject.values(), [0, 1, 1, 2], "{options:?}");
        let before = subject.model.work().changes;
        subject.model.set(&subject.rules, 0, true);
        subject.model.answer(&subject.rules, Question::Goal);
        assert_eq!(subject.values(), [1, 1, 0, 0], "{options:?}");
        // The base atom, x and y.
        assert_eq!(subject.model.work().changes - before, 3, "{options:?}");
    }
}

#[test]
fn recursion_through_negation_is_refused() {
    let rule = |head, holds, fails| Rule { head, holds, fails };
    let program = Program::new(
        1,
        3,
        vec![rule(1, vec![2, 0], vec![]), rule(2, vec![], vec![1])],
    );
    let wanted = vec![Question::Goal.bit(); 3];
    assert!(Stratified::new(&program.clauses(), wanted, ALL).is_err());
}
