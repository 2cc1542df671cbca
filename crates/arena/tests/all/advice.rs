//! Advice by goal regression, for players of the catalogue and as a report.

use paidia_arena::engine::{EngineSpec, Machine, load};
use paidia_arena::knowledge::KnowledgeReport;
use paidia_arena::rules::Ruleset;
use paidia_arena::{BadPlayer, Playable, PlayerSpec};
use paidia_game::{Legible, MoveId, RoleId, Rules};
use paidia_gdl::grounding::Budget as Grounding;
use paidia_reason::propnet::Propnet;
use paidia_search::Budget;

fn playable(name: &str) -> Playable<Propnet> {
    let spec: EngineSpec = "propnet".parse().unwrap();
    let loaded = load(&spec, &Ruleset::find(name).unwrap(), Grounding::default()).unwrap();
    match loaded.machine {
        Machine::Propnet(playable) => playable,
        _ => panic!("{name} has another engine"),
    }
}

/// The move that a player makes with very little thought.
fn choice(playable: &Playable<Propnet>, player: &str, state: &[&str]) -> String {
    let spec: PlayerSpec = player.parse().unwrap();
    let mut player = playable.search(&spec, RoleId(0), 1).unwrap();
    let state = playable.game.state(state).unwrap();
    let decision = player.choose(&state, Budget::simulations(2));
    playable.game.moves().name(decision.id).to_string()
}

#[test]
fn a_winning_move_is_seen_before_anything_is_tried() {
    let playable = playable("tic-tac-toe");
    let won = [
        "(cell 1 1 x)",
        "(cell 2 2 x)",
        "(cell 1 3 o)",
        "(cell 2 1 o)",
        "(control x)",
        "(cell 1 2 empty)",
        "(cell 2 3 empty)",
        "(cell 3 1 empty)",
        "(cell 3 2 empty)",
        "(cell 3 3 empty)",
    ];
    for player in [
        "uct(advice=tree, after=0, choice=visits)",
        "uct(advice=both, after=0, choice=visits)",
        "uct(advice=tree, after=0, persistence=no, choice=visits)",
        "paidia(advice=tree, leaves=16)",
    ] {
        assert_eq!(choice(&playable, player, &won), "(mark 3 3)", "{player}");
    }
}

#[test]
fn a_game_that_is_too_complex_is_refused_with_figures() {
    let playable = playable("tic-tac-toe");
    let source = playable.advice().expect("a network has advice").clone();
    let fine = source(paidia_search::advice::AdviceOptions { persistence: true });
    let mut values = Vec::new();
    let moves: Vec<MoveId> = (0..playable.game.moves().len() as u32)
        .map(MoveId)
        .collect();
    fine.unwrap()
        .values(&playable.game.initial(), RoleId(0), &moves, &mut values);
    assert_eq!(values.len(), moves.len());
    assert!(values.iter().all(|value| (0.0..=1.0).contains(value)));
    let complex = playable.clone().with_advice(std::sync::Arc::new(|_| {
        Err(paidia_search::advice::NoAdvice("7 formulas".into()))
    }));
    let spec: PlayerSpec = "uct(advice=tree)".parse().unwrap();
    let refused = complex.search(&spec, RoleId(0), 1).err();
    assert!(
        matches!(refused, Some(BadPlayer::NoAdvice(_))),
        "{refused:?}"
    );
    let plain: PlayerSpec = "uct".parse().unwrap();
    assert!(complex.search(&plain, RoleId(0), 1).is_ok());
}

#[test]
fn knowledge_tells_what_is_proven() {
    let rules = Ruleset::find("tic-tac-toe").unwrap();
    let knowledge = KnowledgeReport::new(rules.gdl().unwrap(), Grounding::default());
    let knowledge = knowledge.unwrap();
    assert_eq!(knowledge.turns.certainty, "proven");
    assert_eq!(
        knowledge.turns.idle,
        [Some("noop".to_owned()), Some("noop".to_owned())]
    );
    assert_eq!(knowledge.persistence.true_for_good, 18);
    assert_eq!(knowledge.persistence.false_for_good, 9);
    assert_eq!(knowledge.goals[0].lasting, [0, 100]);
    // A square is changed by its own marks alone; only goals and the end look at several.
    assert_eq!(knowledge.factors.len(), 9);
    assert!(
        knowledge
            .heuristics
            .formulas
            .is_some_and(|count| count > 20)
    );
    assert!(
        knowledge
            .in_words()
            .iter()
            .any(|(what, _)| *what == "heuristics")
    );
}
