//! A game that hides things: what is told to players, by players that write down all of it.
//!
//! A player is told nothing but a [`Sight`] and its legal moves, and `Sight::Own` has no state:
//! what is tested here is that a match of such a game makes no other sights.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use paidia_arena::options::Entry;
use paidia_arena::{
    Local, Match, MatchEnd, PLAYERS, Playable, PlayerSettings, PlayerSpec, Referee, Seats, make,
};
use paidia_game::{AnyGame, AnyState, Legible, MoveId, RoleId, Rules, Sight};
use paidia_search::{Budget, Decision, Player, StopReason};
use paidia_testkit::RuleSheet;

const THIEF: RoleId = RoleId(0);
const KEEPER: RoleId = RoleId(1);

fn vault() -> AnyGame {
    RuleSheet::new("vault", include_str!("../data/vault.kif")).any()
}

type Notes = Arc<Mutex<String>>;

/// Writes down all it is told, and makes the moves of a list.
struct Spy {
    game: AnyGame,
    notes: Notes,
    moves: Vec<&'static str>,
}

impl Spy {
    fn note(&self, text: &str) {
        let mut notes = self.notes.lock().unwrap();
        notes.push_str(text);
        notes.push('\n');
    }
}

impl Player<AnyGame> for Spy {
    fn observe(&mut self, sight: &Sight<'_, AnyState>) {
        match *sight {
            Sight::Whole { state, last } => {
                self.note(&self.game.fluents(state).join(" "));
                for &id in last.unwrap_or_default() {
                    self.note(&self.game.moves().name(id));
                }
            }
            Sight::Own { made, percepts } => {
                self.note(&made.map_or("start".into(), |id| self.game.moves().name(id)));
                for &id in percepts {
                    self.note(&self.game.percepts().name(id));
                }
            }
        }
    }

    fn choose(&mut self, legal: &[MoveId], _: Budget, _: &AtomicBool) -> Decision {
        let names: Vec<_> = legal.iter().map(|&id| self.game.moves().name(id)).collect();
        if let [only] = &names[..] {
            self.note(&format!("may {only}"));
            return Decision::without_search(legal[0], StopReason::OnlyMove);
        }
        // What may be chosen is noted without its words: all pairs are among it.
        self.note(&format!("may choose of {}", legal.len()));
        let wanted = self.moves.remove(0);
        let place = names.iter().position(|name| &**name == wanted).unwrap();
        Decision::without_search(legal[place], StopReason::NoSearch)
    }
}

/// Plays a match of two spies; what each was told, and the match.
fn spied(
    game: &AnyGame,
    thief: [&'static str; 2],
    keeper: [&'static str; 1],
    seed: u64,
) -> ([String; 2], Match<AnyGame>) {
    let notes: [Notes; 2] = Default::default();
    let spy = |notes: &Notes, moves: &[&'static str]| -> Option<Box<dyn Player<AnyGame>>> {
        Some(Box::new(Spy {
            game: game.clone(),
            notes: Arc::clone(notes),
            moves: moves.to_vec(),
        }))
    };
    let players = [spy(&notes[0], &thief), spy(&notes[1], &keeper), None];
    let mut seats = Local::seats(players, Budget::simulations(1));
    let referee = Referee::new(game, 100);
    let mut played = referee.start(&game.initial(), seed);
    let end = referee.play(&mut played, &mut seats);
    assert!(matches!(end, MatchEnd::Over(_)), "{end:?}");
    (notes.map(|notes| notes.lock().unwrap().clone()), played)
}

/// The pair of words that chance gave.
fn given(game: &AnyGame, played: &Match<AnyGame>) -> String {
    let text = game.moves().name(played.moves[1][2].id).to_string();
    let pair = text.strip_prefix("(give ").unwrap();
    pair.strip_suffix(')').unwrap().to_owned()
}

#[test]
fn no_player_is_told_the_secret_of_another_role() {
    let game = vault();
    for seed in 0..20 {
        let moves = ["(wear willemite wolframite)", "(guess halite)"];
        let ([thief, keeper], played) = spied(&game, moves, ["(hide hematite halite)"], seed);
        let given = given(&game, &played);
        // Each knows its own, so that the words would be found.
        assert!(
            keeper.contains(&given) && keeper.contains("hematite halite"),
            "{keeper}"
        );
        assert!(thief.contains("willemite wolframite") && thief.contains("(weighs hematite)"));
        assert!(
            !thief.contains(&given) && !thief.contains("hematite halite"),
            "{thief}"
        );
        assert!(!keeper.contains("willemite wolframite"), "{keeper}");
        assert!(
            !thief.contains("vault") && !keeper.contains("worn"),
            "a state"
        );
    }
}

#[test]
fn what_a_player_is_told_depends_on_its_own_moves_and_percepts_alone() {
    let game = vault();
    let moves = ["(wear willemite wolframite)", "(guess halite)"];
    let mut told = std::collections::BTreeSet::new();
    let mut given_words = std::collections::BTreeSet::new();
    for seed in 0..10 {
        for hidden in ["(hide hematite halite)", "(hide hematite hornblende)"] {
            let ([thief, _], played) = spied(&game, moves, [hidden], seed);
            given_words.insert(given(&game, &played));
            told.insert(thief);
        }
    }
    assert!(
        given_words.len() > 1,
        "chance must differ for this to mean anything"
    );
    assert_eq!(told.len(), 1, "{told:?}");
}

#[test]
fn a_player_that_comes_late_is_told_the_same() {
    let game = vault();
    let moves = ["(wear willemite wolframite)", "(guess halite)"];
    let ([thief, _], played) = spied(&game, moves, ["(hide hematite halite)"], 3);
    let notes = Notes::default();
    let mut late = Spy {
        game: game.clone(),
        notes: Arc::clone(&notes),
        moves: Vec::new(),
    };
    played.brief(THIEF, &mut late);
    let late = notes.lock().unwrap().clone();
    for line in late.lines().filter(|line| *line != "(guess halite)") {
        assert!(thief.contains(line), "{line}");
    }
    assert!(
        late.contains("(weighs hematite)") && !late.contains("hematite halite"),
        "{late}"
    );
    assert_eq!(played.told(KEEPER).count(), played.ply());
}

/// Players of the catalogue make use of what they see, and only of that: the thief knows the first
/// word, not the second.
#[test]
fn every_player_of_the_catalogue_plays_with_what_it_is_told() {
    let game = vault();
    let playable = Playable::any(game.clone());
    let others = |kind: &&Entry<PlayerSettings>| !(kind.defaults)().refuses_some();
    for kind in PLAYERS.iter().filter(others) {
        // Its playouts within playouts take long whatever the budget.
        let spec = match kind.name {
            "hyperplay-ii" => "hyperplay-ii(index=1)",
            other => other,
        };
        let spec: PlayerSpec = spec.parse().unwrap();
        let play = |seed: u64| {
            let roles = game.facts().role_ids();
            let player = |role| Some(make(&spec, &playable, role, seed).unwrap());
            let players = roles.map(|role| (Some(role) != game.facts().random()).then_some(role));
            let players = players.map(|role| role.and_then(player));
            let mut seats: Seats<AnyGame> = Local::seats(players, Budget::simulations(20));
            let referee = Referee::new(&game, 100);
            let mut played = referee.start(&game.initial(), seed);
            let end = referee.play(&mut played, &mut seats);
            let failed = played
                .moves
                .iter()
                .flatten()
                .any(|made| made.failure.is_some());
            assert!(matches!(end, MatchEnd::Over(_)) && !failed, "{}", kind.name);
            let ids = played.moves.iter().flatten().map(|made| made.id);
            ids.collect::<Vec<MoveId>>()
        };
        assert_eq!(
            play(5),
            play(5),
            "{}: a seed means the same play",
            kind.name
        );
    }
}
