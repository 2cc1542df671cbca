//! Bundled games and the public sheets of the same games, counted to a depth that takes minutes.

use crate::{corpus, count, full, program, reference};

/// Leaves and terminals of the first three depths, or as far as a few million states go.
fn counts(name: &str, rules: &str) -> Vec<(u128, u128)> {
    let found = count(&reference(name, &program(name, rules)), 3, 3_000_000);
    let depths = found.depths.iter();
    depths
        .map(|depth| (depth.leaves, depth.terminals))
        .collect()
}

/// The tests of the command line compare the first few thousand states of these games at every run.
#[test]
fn bundled_games_are_the_public_games_as_far_as_can_be_counted() {
    let Some(folder) = corpus().filter(|_| full()) else {
        println!("skipped: PAIDIA_FULL=1 and the public collection are needed");
        return;
    };
    let mut wrong = Vec::new();
    for game in paidia_library::all() {
        let Some(public) = game.facts().unwrap().public else {
            continue;
        };
        if let Some(reason) = public.differs {
            println!("{} is not {}: {reason}", game.name, public.name);
            continue;
        }
        let rules = std::fs::read_to_string(folder.join(format!("{}.kif", public.name))).unwrap();
        let (ours, theirs) = (counts(game.name, game.rules), counts(&public.name, &rules));
        let depths = ours.len().min(theirs.len());
        println!("{} is {}: {:?}", game.name, public.name, &ours[..depths]);
        if ours[..depths] != theirs[..depths] {
            wrong.push(format!(
                "{}: {ours:?}, {}: {theirs:?}",
                game.name, public.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
