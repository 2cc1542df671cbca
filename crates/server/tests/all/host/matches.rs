//! What is said in a match, message by message.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use paidia_arena::MatchEnd;
use paidia_arena::engine::Engine;
use paidia_game::Rules;
use paidia_gdl::syntax;
use paidia_server::ggp::host::{Address, Clocks, ask_status};
use paidia_server::ggp::message::{Message, News};
use paidia_server::ggp::player::{Options, PlayerServer};

use super::stand_in::{Request, StandIn, reply};
use super::{CLOCKS, PENNIES, load, played, seats, sheet, terms};

#[test]
fn requests_are_as_players_of_ggp_base_read_them() {
    let game = load("pennies", PENNIES);
    let players = [
        StandIn::honest(Duration::ZERO),
        StandIn::honest(Duration::ZERO),
    ];
    let addresses = [&players[0].address, &players[1].address];
    let (result, record) = played(
        &game,
        seats(&game, &addresses, terms("pennies", PENNIES, CLOCKS)),
    );
    assert!(matches!(result, MatchEnd::Over(_)));
    assert_eq!(record.error_count(), 0);
    let heard = players[1].heard.lock().unwrap().clone();
    for Request { head, .. } in &heard {
        assert!(head[0].starts_with("POST / HTTP/1."), "{}", head[0]);
        let has = |wanted: &str| head.iter().any(|line| line.eq_ignore_ascii_case(wanted));
        assert!(
            has("Sender: GAMESERVER") && has("Content-Type: text/acl"),
            "{head:?}"
        );
        assert!(has("Connection: close"), "{head:?}");
        assert!(
            !head
                .iter()
                .any(|line| line.to_ascii_lowercase().starts_with("transfer-encoding"))
        );
    }
    let [start, first, second, stop] = &heard[..] else {
        panic!("{heard:?}")
    };
    let Ok(Message::Start(start)) = start.body.parse() else {
        panic!("{start:?}")
    };
    assert_eq!(
        (&*start.role, start.start_clock, start.play_clock),
        ("odd", CLOCKS.start, CLOCKS.play)
    );
    assert!(syntax::same_rules(
        &sheet("", &start.rules),
        &sheet("", PENNIES)
    ));
    let id = &start.id;
    assert_eq!(first.body, format!("(PLAY {id} NIL)"));
    assert_eq!(
        second.body,
        format!("(PLAY {id} ({}))", record.moves[0].join(" "))
    );
    assert_eq!(
        stop.body,
        format!("(STOP {id} ({}))", record.moves[1].join(" "))
    );
}

#[test]
fn scrambled_games_are_the_same_games() {
    for name in ["tic-tac-toe", "rock-paper-scissors"] {
        let rules = paidia_library::find(name).unwrap().rules;
        let game = load(name, rules);
        let players = [
            StandIn::honest(Duration::ZERO),
            StandIn::honest(Duration::ZERO),
        ];
        let addresses = [&players[0].address, &players[1].address];
        let (result, record) = played(
            &game,
            seats(&game, &addresses, terms(name, rules, CLOCKS).scrambled(3)),
        );
        assert!(matches!(result, MatchEnd::Over(_)), "{name}");
        assert_eq!(record.error_count(), 0, "{name}: {:?}", record.errors);
        for message in players[0].messages() {
            for word in [
                "mark", "noop", "xplayer", "rock", "left", "won", "cell", "control",
            ] {
                let mut words = message.split(|c: char| c.is_whitespace() || "()".contains(c));
                assert!(!words.any(|other| other == word), "{word} in {message}");
            }
        }
    }
}

#[test]
fn moves_are_read_generously_but_not_guessed() {
    let rules = PENNIES.replace("(side heads)", "(side heads) (side Heads) (side edge)");
    let game = load("pennies", &rules);
    // The same in another case is taken where only one move can be meant.
    for (said, chosen) in [
        ("( SHOW\n Tails )", Ok("(show tails)")),
        ("(show Heads)", Ok("(show Heads)")),
        ("(SHOW HEADS)", Err("IL (SHOW HEADS)")),
        (
            "((show edge) (explanation because) (taunt ha))",
            Ok("(show edge)"),
        ),
        ("", Err("IL")),
        ("show edge", Err("IL show")),
    ] {
        let odd = StandIn::new(move |message, stream| {
            let play = matches!(message, Message::Play { .. });
            reply(stream, if play { said } else { "READY" });
            true
        });
        let even = StandIn::honest(Duration::ZERO);
        let seats = seats(
            &game,
            &[&even.address, &odd.address],
            terms("pennies", &rules, CLOCKS),
        );
        let (_, record) = played(&game, seats);
        for (moves, errors) in record.moves.iter().zip(&record.errors[1..]) {
            match chosen {
                Ok(chosen) => assert_eq!((&*moves[1], &*errors[1]), (chosen, ""), "{said}"),
                Err(error) => assert_eq!(errors[1], error, "{said}"),
            }
        }
    }
}

#[test]
fn players_of_hidden_games_are_told_their_own_part_only() {
    let rules = paidia_library::find("kuhn-poker").unwrap().rules;
    let game = load("kuhn-poker", rules);
    assert!(game.facts().random().is_some());
    // They pass, where they may, and do not know what else happens.
    let player = || {
        StandIn::new(|message, stream| {
            let play = matches!(message, Message::Play { .. });
            reply(stream, if play { "noop" } else { "READY" });
            true
        })
    };
    let players = [player(), player()];
    let addresses = [&players[0].address, &players[1].address];
    let (result, record) = played(
        &game,
        seats(&game, &addresses, terms("kuhn-poker", rules, CLOCKS)),
    );
    assert!(matches!(result, MatchEnd::Over(_)));
    for (player, role) in players.iter().zip(game.facts().players()) {
        let messages = player.messages();
        assert_eq!(messages.len(), record.moves.len() + 2);
        for (turn, message) in messages[1..].iter().enumerate() {
            let news = match message.parse() {
                Ok(Message::Play { news, .. } | Message::Stop { news, .. }) => news,
                other => panic!("{other:?}"),
            };
            let News::Percepts {
                turn: told,
                own,
                percepts,
            } = news
            else {
                panic!("{message}")
            };
            assert_eq!(told, turn as u64);
            let made = turn
                .checked_sub(1)
                .map(|before| &record.moves[before][role.index()]);
            assert_eq!(own.as_ref(), made);
            if turn == 0 {
                assert!(percepts.is_empty());
            }
        }
        // Cards are dealt by chance, and each player sees its own.
        let told = messages[1..].iter().any(|message| message.contains("card"));
        assert!(told, "{messages:?}");
    }
}

#[test]
fn players_say_who_they_are_and_get_previews() {
    let player = StandIn::honest(Duration::ZERO);
    let status = ask_status(&player.address, Duration::from_secs(5)).unwrap();
    assert_eq!(status.name.as_deref(), Some("stand-in"));
    let game = load("pennies", PENNIES);
    let clocks = Clocks {
        preview: Some(Duration::from_secs(2)),
        ..CLOCKS
    };
    let other = StandIn::honest(Duration::ZERO);
    let addresses = [&player.address, &other.address];
    played(
        &game,
        seats(&game, &addresses, terms("pennies", PENNIES, clocks)),
    );
    let heard = player.messages();
    assert_eq!(heard[0], "(INFO)");
    assert!(
        heard[1].starts_with("(PREVIEW (") && heard[1].ends_with(" 2)"),
        "{}",
        heard[1]
    );
    assert!(heard[2].starts_with("(START "), "{}", heard[2]);
}

/// A player of ours, stopped when the test ends.
struct Ours {
    address: Address,
    stop: Arc<AtomicBool>,
}

impl Ours {
    fn new(spec: &str) -> Self {
        let options = Options {
            engine: Engine::Reference.into(),
            ..Options::new(spec.parse().unwrap())
        };
        let server = PlayerServer::bind("127.0.0.1:0", options).unwrap();
        let address = format!("http://{}", server.address().unwrap());
        let stop: Arc<AtomicBool> = Arc::default();
        let stopped = Arc::clone(&stop);
        std::thread::spawn(move || server.serve(&stopped).unwrap());
        Self {
            address: address.parse().unwrap(),
            stop,
        }
    }
}

impl Drop for Ours {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

#[test]
fn our_players_play_every_kind_of_game_against_themselves() {
    let clocks = Clocks {
        start: Duration::from_secs(20),
        play: Duration::from_secs(20),
        ..CLOCKS
    };
    // One, two, three and six players, in turn and at the same time, with chance and with hidden
    // cards.
    for (name, spec) in [
        ("hanoi", "random"),
        ("tic-tac-toe", "paidia"),
        ("rock-paper-scissors", "random"),
        ("runners", "random"),
        ("chinese-checkers-6", "random"),
        ("kuhn-poker", "random"),
    ] {
        let rules = paidia_library::find(name).unwrap().rules;
        let game = load(name, rules);
        let players: Vec<Ours> = game.facts().players().map(|_| Ours::new(spec)).collect();
        let addresses: Vec<&Address> = players.iter().map(|player| &player.address).collect();
        let terms = terms(name, rules, clocks);
        let (result, record) = played(&game, seats(&game, &addresses, terms));
        assert!(matches!(result, MatchEnd::Over(_)), "{name}: {result:?}");
        assert_eq!(record.error_count(), 0, "{name}: {:?}", record.errors);
        if name == "tic-tac-toe" {
            assert_eq!(record.goal_values, [50, 50]);
        }
    }
}
