//! Messages of the GGP protocol as hosts and players of all kinds write them.

use std::time::Duration;

use paidia_server::ggp::message::{BadMessage, Message, News, Reply, Start, Status};
use proptest::prelude::*;

fn moves(texts: &[&str]) -> News {
    News::Moves(texts.iter().map(ToString::to_string).collect())
}

fn percepts(turn: u64, own: Option<&str>, seen: &[&str]) -> News {
    News::Percepts {
        turn,
        own: own.map(str::to_owned),
        percepts: seen.iter().map(ToString::to_string).collect(),
    }
}

fn play(id: &str, news: News) -> Message {
    let id = id.to_owned();
    Message::Play { id, news }
}

fn stop(id: &str, news: News) -> Message {
    let id = id.to_owned();
    Message::Stop { id, news }
}

fn start(id: &str, role: &str, rules: &str, start_clock: f64, play_clock: f64) -> Message {
    Message::Start(Start {
        id: id.to_owned(),
        role: role.to_owned(),
        rules: rules.to_owned(),
        start_clock: Duration::from_secs_f64(start_clock),
        play_clock: Duration::from_secs_f64(play_clock),
    })
}

/// Messages as they are sent, and what they mean.
fn sent() -> Vec<(&'static str, Message)> {
    let preview = |rules: &str, seconds| Message::Preview {
        rules: rules.to_owned(),
        clock: Duration::from_secs(seconds),
    };
    let abort = |id: &str| Message::Abort { id: id.to_owned() };
    vec![
        // Every way to write `INFO`.
        ("( INFO )", Message::Info),
        ("(info)", Message::Info),
        ("\r\n(\tInFo\n)\r\n", Message::Info),
        ("INFO", Message::Info),
        // A Java host writes blanks at all edges, and whole messages on one line.
        (
            "( START Match.1 xplayer (( role xplayer ) ( role oplayer ) ) 30 15)",
            start(
                "Match.1",
                "xplayer",
                "( role xplayer ) ( role oplayer ) ",
                30.0,
                15.0,
            ),
        ),
        ("( PLAY Match.1 NIL )", play("Match.1", News::Nothing)),
        (
            "( PLAY Match.1 (( mark 1 1 ) noop ) )",
            play("Match.1", moves(&["(mark 1 1)", "noop"])),
        ),
        (
            "( STOP Match.1 (noop ( mark 3 3 ) ) )",
            stop("Match.1", moves(&["noop", "(mark 3 3)"])),
        ),
        ("( ABORT Match.1 )", abort("Match.1")),
        ("( PREVIEW (( role a ) ) 10 )", preview("( role a ) ", 10)),
        // Another one has no lower case.
        (
            "(START TICTACTOE-1.2010-05-06 XPLAYER ((ROLE XPLAYER) (INIT (CELL 1 1 B))) 120 60)",
            start(
                "TICTACTOE-1.2010-05-06",
                "XPLAYER",
                "(ROLE XPLAYER) (INIT (CELL 1 1 B))",
                120.0,
                60.0,
            ),
        ),
        (
            "(PLAY TICTACTOE-1.2010-05-06 ((MARK 1 1) NOOP))",
            play("TICTACTOE-1.2010-05-06", moves(&["(MARK 1 1)", "NOOP"])),
        ),
        // Nothing is written in several ways; a move called nil is something.
        ("(play m nil)", play("m", News::Nothing)),
        ("(play m Nil)", play("m", News::Nothing)),
        ("(play m ())", play("m", News::Nothing)),
        ("(stop m)", stop("m", News::Nothing)),
        ("(stop m NIL)", stop("m", News::Nothing)),
        ("(play m (nil))", play("m", moves(&["nil"]))),
        // Odd spacing, comments, and moves of all forms.
        (
            "(play\u{a0}m(\n\n(noop)(f(g a)  b)\r1)) ; two turns to go",
            play("m", moves(&["noop", "(f (g a) b)", "1"])),
        ),
        (
            "(START m a ((role a) ; the only one\n(init x)) 5 2.5)",
            start("m", "a", "(role a) ; the only one\n(init x)", 5.0, 2.5),
        ),
        // New arguments may follow the clocks.
        (
            "(START m a ((role a)) 1 1 (extension 2))",
            start("m", "a", "(role a)", 1.0, 1.0),
        ),
        // GDL-II: the turn, the own move, what is seen.
        ("(PLAY M 0 NIL NIL)", play("M", percepts(0, None, &[]))),
        (
            "(PLAY M 1 NOOP ((SEES CARD 7) BELL ))",
            play("M", percepts(1, Some("NOOP"), &["(SEES CARD 7)", "BELL"])),
        ),
        (
            "(PLAY M 2 (BET 10) ())",
            play("M", percepts(2, Some("(BET 10)"), &[])),
        ),
        (
            "(STOP M 3 (BET 10) (LOST))",
            stop("M", percepts(3, Some("(BET 10)"), &["LOST"])),
        ),
        // rtGDL: moves, and the time.
        (
            "(PLAY m (nil (move a b)) 1.75)",
            play(
                "m",
                News::Timed {
                    parts: Some(vec!["nil".to_owned(), "(move a b)".to_owned()]),
                    time: "1.75".to_owned(),
                },
            ),
        ),
    ]
}

#[test]
fn messages_of_all_hosts_are_understood() {
    for (text, message) in sent() {
        assert_eq!(text.parse(), Ok(message), "{text}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    for (_, message) in sent() {
        let written = message.to_string();
        let read: Message = written.parse().unwrap();
        // Rules lose their layout, nothing else.
        assert_eq!(read.to_string(), written);
        assert_eq!(read.id(), message.id());
    }
}

#[test]
fn messages_are_written_as_hosts_write_them() {
    let rules = "; a sheet\n(role  a)\n  (<= terminal\n    (true done))";
    let flat = "(role a) (<= terminal (true done))";
    let cases = [
        (Message::Info, "(INFO)".to_owned()),
        (
            start("m", "a", rules, 10.0, 0.25),
            format!("(START m a ({flat}) 10 0.25)"),
        ),
        (play("m", News::Nothing), "(PLAY m NIL)".to_owned()),
        (
            play("m", moves(&["(mark 1 1)", "noop"])),
            "(PLAY m ((mark 1 1) noop))".to_owned(),
        ),
        (
            play("m", percepts(0, None, &[])),
            "(PLAY m 0 NIL NIL)".to_owned(),
        ),
        (
            stop("m", percepts(2, Some("noop"), &["(card 7)", "b"])),
            "(STOP m 2 noop ((card 7) b))".to_owned(),
        ),
    ];
    for (message, text) in cases {
        assert_eq!(message.to_string(), text);
    }
}

#[test]
fn what_is_no_message_is_refused_with_a_reason() {
    let cases = [
        ("", "one list"),
        ("()", "one list"),
        ("(INFO) (INFO)", "one list"),
        ("((INFO))", "one list"),
        ("(PLAY m NIL", "do not match"),
        ("(HELLO m)", "there is no message `HELLO`"),
        ("(START m a ((role a)) 10)", "(START MATCH ROLE"),
        ("(START m a rules 10 10)", "(START MATCH ROLE"),
        ("(START (m) a ((role a)) 10 10)", "(START MATCH ROLE"),
        ("(START m a ((role a)) ten 10)", "`ten` is not a clock"),
        ("(START m a ((role a)) -1 10)", "`-1` is not a clock"),
        ("(START m a ((role a)) 1 inf)", "`inf` is not a clock"),
        ("(START m a ((role a)) 1 NaN)", "`NaN` is not a clock"),
        ("(PLAY)", "(PLAY MATCH (MOVE ...))"),
        ("(PLAY m noop)", "(PLAY MATCH (MOVE ...))"),
        ("(PLAY m (()))", "(PLAY MATCH (MOVE ...))"),
        ("(PLAY m ((mark ?x)))", "(PLAY MATCH (MOVE ...))"),
        ("(PLAY m one noop NIL)", "(PLAY MATCH (MOVE ...))"),
        ("(STOP m 1 2 3 4)", "(STOP MATCH (MOVE ...))"),
        ("(ABORT)", "(ABORT MATCH)"),
    ];
    for (text, reason) in cases {
        let refused = text.parse::<Message>().unwrap_err().to_string();
        assert!(refused.contains(reason), "{text}: {refused}");
    }
    let deep = format!("(PLAY m {}{})", "(".repeat(50_000), ")".repeat(50_000));
    let refused = deep.parse::<Message>().unwrap_err();
    assert!(refused.to_string().contains("nested"), "{refused}");
    let long = format!("({})", "x".repeat(1_000_000));
    assert!(long.parse::<Message>().unwrap_err().to_string().len() < 200);
}

#[test]
fn replies_are_read_by_what_was_asked() {
    let asked = play("m", News::Nothing);
    for (text, chosen) in [
        ("( mark 1\n1 )", "(mark 1 1)"),
        (" NOOP \r\n", "NOOP"),
        ("(noop)", "noop"),
        ("ready", "ready"),
        ("(PLAY)", "PLAY"),
        ("((mark 1 1) (explanation why) (taunt ha))", "(mark 1 1)"),
        ("noop (explanation why)", "noop"),
    ] {
        let reply = asked.read_reply(text);
        assert_eq!(reply, Ok(Reply::Move(chosen.to_owned())), "{text}");
    }
    for text in ["", "()", "(mark 1 1", "(())", "?x"] {
        assert!(asked.read_reply(text).is_err(), "{text}");
    }
    let begun = start("m", "a", "(role a)", 1.0, 1.0);
    assert_eq!(begun.read_reply(" READY\n"), Ok(Reply::Ready));
    assert_eq!(begun.read_reply("busy"), Ok(Reply::Busy));
    let other = Reply::Other("(oh no)".to_owned());
    assert_eq!(begun.read_reply("(oh no)"), Ok(other));
    assert_eq!(stop("m", News::Nothing).read_reply("Done"), Ok(Reply::Done));
    assert_eq!(begun.read_reply(" "), Err(BadMessage::NoMove));
}

#[test]
fn players_say_who_they_are() {
    let status = |name: Option<&str>, status: &str, species: Option<&str>| {
        Reply::Info(Status {
            name: name.map(str::to_owned),
            status: status.to_owned(),
            species: species.map(str::to_owned),
        })
    };
    for (text, meant) in [
        (
            "( ( name egghead ) ( status available ) ( species alien ) )",
            status(Some("egghead"), "available", Some("alien")),
        ),
        (
            "((NAME My Player) (STATUS BUSY) (COLOUR red))",
            status(Some("My Player"), "busy", None),
        ),
        ("available", status(None, "available", None)),
        ("BUSY", status(None, "busy", None)),
    ] {
        assert_eq!(Message::Info.read_reply(text), Ok(meant), "{text}");
    }
    let ours = status(Some("Paidia (mine)"), "available", Some("alien"));
    assert_eq!(
        ours.to_string(),
        "((name Paidia__mine_) (status available) (species alien))"
    );
}

proptest! {
    /// Whatever is sent, it is read or refused.
    #[test]
    fn no_text_upsets_the_reader(text in "(?s).{0,200}") {
        let _ = text.parse::<Message>();
        let _ = Message::Info.read_reply(&text);
        let _ = play("m", News::Nothing).read_reply(&text);
    }

    /// Texts that look like messages come closer.
    #[test]
    fn no_soup_of_words_upsets_the_reader(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "(", ")", "()", "(", ")", "INFO", "start", "PLAY", "Stop", "abort", "preview", "m", "nil", "0", "1e9", "-3", "?x", "<=",
                "(role a)", "((role a))", "((mark 1 1) noop)", ";", "\n", "\u{feff}", "é",
            ]),
            0..12,
        ),
        glue in prop::sample::select(vec![" ", "", "\n"]),
    ) {
        let text = words.join(glue);
        if let Ok(message) = text.parse::<Message>() {
            let again: Message = message.to_string().parse().unwrap();
            prop_assert_eq!(again.to_string(), message.to_string());
        }
    }
}
