//! A game that hides things: every byte that is sent to a browser that plays a role.

use serde_json::{Value, json};

use crate::web::client::{Arena, Events, key, last, legal};

const VAULT: &str = include_str!("../../../../arena/tests/data/vault.kif");
const THIEF: usize = 0;
const KEEPER: usize = 1;

/// The browser of one role, with all bytes that it was sent.
struct Browser<'a> {
    arena: &'a Arena,
    table: String,
    role: usize,
    events: Events,
    bytes: String,
}

impl<'a> Browser<'a> {
    fn new(arena: &'a Arena, table: &str, role: usize) -> Self {
        arena.sit(table, role);
        Self {
            arena,
            table: table.to_owned(),
            role,
            events: arena.listen_as(table, Some(role)),
            bytes: String::new(),
        }
    }

    fn ask(&mut self, method: &str, path: &str, body: &str) -> u16 {
        let join = if path.contains('?') { '&' } else { '?' };
        let path = format!("{path}{join}{}", key(self.role));
        let response = self.arena.ask(method, &path, body);
        self.bytes += &response.text();
        response.status
    }

    /// Asks for everything there is, and for some that is refused.
    fn look_around(&mut self, game: &str) {
        let (table, role) = (self.table.clone(), self.role);
        let paths = [
            format!("{table}?role={role}"),
            table.clone(),
            format!("{table}?role=2"),
            format!("{table}?role=99"),
            format!("{table}?role=x"),
            "/api/tables".to_owned(),
            "/api/matches".to_owned(),
            "/api/status".to_owned(),
            "/api/tournaments".to_owned(),
            format!("/api/games/{game}"),
            format!("/api/games/{game}/picture"),
            format!("/api/games/{game}/info"),
        ];
        for path in &paths {
            self.ask("GET", path, "");
        }
        self.ask_for_another();
        let ply = self.ply();
        let orders = [
            (
                "move",
                json!({"ply": ply, "role": role, "move": "nonsense"}),
            ),
            (
                "move",
                json!({"ply": ply + 7, "role": role, "move": "noop"}),
            ),
            ("take-back", json!({"to": 0})),
            ("take-back", json!({"to": 99})),
            ("step", json!({})),
        ];
        for (order, body) in orders {
            let path = format!("{table}/{order}");
            if ply > 0 || order != "take-back" {
                assert_eq!(self.ask("POST", &path, &body.to_string()), 409, "{path}");
            }
        }
        if ply > 0 {
            // No seat changes, neither to a player nor to a watcher.
            for seats in [
                json!(["random", "human", null]),
                json!(["random", "random", null]),
            ] {
                let body = json!({"seats": seats}).to_string();
                let refused = self.ask("POST", &format!("{table}/seats"), &body);
                assert_eq!(refused, 409);
            }
        }
        let hint = json!({"game": game, "role": role, "told": self.told(), "seconds": 0.05,
            "players": ["uct(memory=16)"]});
        let hinted = self.ask("POST", "/api/analyse", &hint.to_string());
        assert!([200, 422].contains(&hinted), "{}", self.bytes);
    }

    /// Asks for what the other person sees, to move for them and to take their role.
    fn ask_for_another(&mut self) {
        let (table, other) = (self.table.clone(), 1 - self.role);
        let is_person = self.arena.get(&table)["seats"][other] == "human";
        if !is_person {
            return;
        }
        for path in [
            format!("{table}?role={other}"),
            format!("{table}/events?role={other}"),
        ] {
            assert_eq!(self.ask("GET", &path, ""), 403, "{path}");
        }
        let ply = self.ply();
        for (order, body) in [
            ("sit", json!({"role": other})),
            ("resign", json!({"role": other})),
            ("move", json!({"ply": ply, "role": other, "move": "ready"})),
        ] {
            let path = format!("{table}/{order}");
            assert_eq!(self.ask("POST", &path, &body.to_string()), 403, "{path}");
        }
    }

    fn snapshot(&self) -> Value {
        let (table, role) = (&self.table, self.role);
        self.arena
            .get(&format!("{table}?role={role}&{}", key(role)))
    }

    fn ply(&self) -> u64 {
        last(&self.snapshot())["ply"].as_u64().unwrap()
    }

    /// What this role was told, as its browser knows it.
    fn told(&self) -> Value {
        let snapshot = self.snapshot();
        let frames = snapshot["frames"].as_array().unwrap().iter().skip(1);
        let told = frames.map(|frame| {
            json!({"made": frame["made"]["joint"][self.role],
                "percepts": frame["percepts"][self.role]})
        });
        told.collect()
    }

    /// Makes a move.
    fn make(&mut self, text: &str) {
        let order = json!({"ply": self.ply(), "role": self.role, "move": text});
        let path = format!("{}/move", self.table);
        assert_eq!(
            self.ask("POST", &path, &order.to_string()),
            200,
            "{}",
            self.bytes
        );
    }

    /// Waits until a position was told to this browser.
    fn hear(&mut self, ply: u64) {
        while self.events.until("frame")["ply"] != ply {}
    }

    /// All bytes so far.
    fn bytes(&self) -> String {
        format!("{}{}", self.bytes, self.events.heard)
    }
}

fn vault(arena: &Arena) -> String {
    let game = arena.post("/api/games", &json!({"name": "vault", "text": VAULT}));
    assert_eq!(game["hidden"], true);
    game["id"].as_str().unwrap().to_owned()
}

#[test]
fn no_byte_of_another_roles_secret_reaches_a_browser_that_plays() {
    let arena = Arena::new();
    let game = vault(&arena);
    let order = json!({"game": game, "seats": ["human", "human", null], "seconds": 0.05});
    let table = arena.table(&order);
    let mut thief = Browser::new(&arena, &table, THIEF);
    let mut keeper = Browser::new(&arena, &table, KEEPER);
    let mut watcher = arena.listen_as(&table, None);
    let look = |thief: &mut Browser<'_>, keeper: &mut Browser<'_>| {
        thief.look_around(&game);
        keeper.look_around(&game);
    };
    look(&mut thief, &mut keeper);
    thief.make("ready");
    keeper.make("ready");
    thief.hear(2);
    keeper.hear(2);
    look(&mut thief, &mut keeper);
    keeper.make("(hide hematite halite)");
    thief.hear(3);
    look(&mut thief, &mut keeper);
    thief.make("(wear willemite wolframite)");
    thief.hear(4);
    keeper.hear(4);
    look(&mut thief, &mut keeper);
    let token = keeper.snapshot()["frames"][2]["percepts"][KEEPER][0].clone();
    let token = token.as_str().unwrap().trim_matches(['(', ')']).to_owned();
    let (told_thief, told_keeper) = (thief.bytes(), keeper.bytes());
    // Each browser was told its own, so that the words would be found.
    assert!(told_keeper.contains(&token) && told_keeper.contains("hematite halite"));
    assert!(told_thief.contains("willemite wolframite"));
    for secret in [token.strip_prefix("token ").unwrap(), "hematite halite"] {
        assert!(!told_thief.contains(secret), "{secret}: {told_thief}");
    }
    assert!(
        !told_keeper.contains("willemite wolframite"),
        "{told_keeper}"
    );
    // The picture has what is certain: the own dress, and nothing of the vault.
    let position = last(&thief.snapshot()).to_string();
    assert!(
        position.contains("worn") && !position.contains("vault"),
        "{position}"
    );
    // Watchers were sent no position; when the match is over all listeners get everything.
    thief.make("(guess halite)");
    let shown = loop {
        let shown = watcher.until("snapshot");
        if shown["secret"] == false {
            break shown.to_string();
        }
    };
    assert!(shown.contains("hematite halite") && shown.contains("willemite wolframite"));
    let before = watcher.heard.split("\"secret\":false").next().unwrap();
    assert!(!before.contains("willemite wolframite") && !before.contains("event: frame"));
    arena.refused(409, &format!("{table}/take-back"), &json!({"to": 1}));
}

#[test]
fn a_role_that_hides_things_is_seen_and_played_by_the_person_who_took_it() {
    let arena = Arena::new();
    let game = vault(&arena);
    let two = json!({"game": game, "seats": ["human", "human", null]});
    let table = arena.table(&two);
    let view = format!("{table}?role={THIEF}");
    arena.refused(403, &view, &Value::Null);
    arena.refused(400, &format!("{table}?person=short"), &Value::Null);
    arena.refused(400, &format!("{table}/sit"), &json!({"role": THIEF}));
    let ready = json!({"ply": 0, "role": THIEF, "move": "ready"});
    arena.refused(403, &format!("{table}/move"), &ready);
    assert_eq!(arena.get(&table)["taken"], json!([]));
    let own = arena.sit(&table, THIEF);
    assert_eq!(arena.sit(&table, THIEF), own, "twice is once");
    assert_eq!(arena.get(&own)["role"], THIEF);
    assert_eq!(arena.get(&table)["taken"], json!([THIEF]));
    arena.refused(403, &view, &Value::Null);
    arena.refused(403, &format!("{view}&{}", key(KEEPER)), &Value::Null);
    let stolen = format!("{table}/sit?{}", key(KEEPER));
    arena.refused(403, &stolen, &json!({"role": THIEF}));
    // Watchers see the seats, and nothing of the positions.
    let watched = arena.get(&table);
    assert_eq!(
        (&watched["role"], &watched["frames"]),
        (&Value::Null, &json!([]))
    );
    // The one person of a match is the one who set the table.
    let one = json!({"game": game, "seats": ["human", "random", null], "paused": true});
    let opened = arena.post(&format!("/api/tables?{}", key(THIEF)), &one);
    let alone = format!("/api/tables/{}", opened["id"].as_str().unwrap());
    assert_eq!(arena.get(&alone)["taken"], json!([THIEF]));
    arena.get(&format!("{alone}?role={THIEF}&{}", key(THIEF)));
}

#[test]
fn a_person_leaves_a_role_by_its_own_order_alone() {
    let arena = Arena::new();
    let game = vault(&arena);
    let table = arena.table(&json!({"game": game, "seats": ["human", "human", null]}));
    let view = arena.sit(&table, THIEF);
    let mut left = arena.listen_as(&table, Some(THIEF));
    let order = json!({"seats": ["random", "human", null]});
    arena.refused(403, &format!("{table}/seats"), &order);
    arena.refused(403, &format!("{table}/seats?{}", key(KEEPER)), &order);
    assert_eq!(arena.get(&view)["role"], THIEF);
    // What the role hears from now on is for the next person who takes it.
    arena.post(&format!("{table}/seats?{}", key(THIEF)), &order);
    let ended = std::iter::from_fn(|| left.next()).last();
    assert_eq!(ended.unwrap().1["role"], Value::Null);
    let back = json!({"seats": ["human", "human", null]});
    arena.post(&format!("{table}/seats"), &back);
    arena.refused(403, &view, &Value::Null);
    // A game that hides nothing is free for all, but for roles that were taken.
    let table = arena.table(&json!({"game": "tic-tac-toe", "seats": ["human", "human"]}));
    arena.make(&table, 0, 0, "(mark 1 1)");
    arena.sit(&table, 1);
    let mark = json!({"ply": 1, "role": 1, "move": "(mark 2 2)"});
    arena.refused(403, &format!("{table}/move"), &mark);
    arena.refused(403, &format!("{table}/resign"), &json!({"role": 1}));
    let seats = json!({"seats": ["human", "random"]});
    arena.refused(403, &format!("{table}/seats"), &seats);
    arena.post(&format!("{table}/move?{}", key(1)), &mark);
    arena.make(&table, 2, 0, "(mark 1 2)");
    arena.post(&format!("{table}/seats?{}", key(1)), &seats);
    assert_eq!(arena.get(&table)["taken"], json!([]));
}

#[test]
fn a_computer_player_keeps_its_secrets_from_the_browser() {
    let arena = Arena::new();
    let game = vault(&arena);
    let order = json!({"game": game, "seats": ["human", "uct(memory=16)", null], "seconds": 0.05});
    let table = arena.table(&order);
    let mut thief = Browser::new(&arena, &table, THIEF);
    thief.make("ready");
    thief.hear(3);
    thief.look_around(&game);
    thief.make("(wear wulfenite wulfenite)");
    thief.hear(4);
    thief.look_around(&game);
    let told = thief.bytes();
    thief.make("(guess halite)");
    let whole = arena.until(&table, |snapshot| snapshot["secret"] == false);
    let hidden = whole["frames"][3]["made"]["joint"][KEEPER]
        .as_str()
        .unwrap();
    let words = hidden
        .trim_matches(['(', ')'])
        .strip_prefix("hide ")
        .unwrap();
    let given = whole["frames"][2]["made"]["joint"][2].as_str().unwrap();
    let given = given
        .trim_matches(['(', ')'])
        .strip_prefix("give ")
        .unwrap();
    for secret in [words, given, "event: thinking"] {
        assert!(!told.contains(secret), "{secret}: {told}");
    }
}

#[test]
fn a_view_depends_on_the_own_moves_and_percepts_alone() {
    let arena = Arena::new();
    let game = vault(&arena);
    let mut views = std::collections::BTreeSet::new();
    let mut tokens = std::collections::BTreeSet::new();
    for seed in 0..6_usize {
        for hidden in ["(hide hematite halite)", "(hide hematite hornblende)"] {
            let order = json!({"game": game, "seats": ["human", "human", null], "seed": seed});
            let table = arena.table(&order);
            let mut thief = Browser::new(&arena, &table, THIEF);
            let mut keeper = Browser::new(&arena, &table, KEEPER);
            // Whether another role has chosen is not told either.
            let mut both = [&mut thief, &mut keeper];
            both.rotate_left(seed % 2);
            both.into_iter().for_each(|one| one.make("ready"));
            thief.hear(2);
            keeper.make(hidden);
            thief.hear(3);
            thief.make("(wear willemite wolframite)");
            thief.hear(4);
            tokens.insert(keeper.snapshot()["frames"][2]["percepts"].to_string());
            let mut snapshot = thief.snapshot();
            snapshot["id"] = Value::Null;
            let told = thief
                .events
                .heard
                .replace(&table["/api/tables/".len()..], "");
            let told = told.split_once("event: snapshot").unwrap().1.to_owned();
            views.insert((snapshot.to_string(), told));
            arena.post(&format!("{table}/close"), &json!({}));
        }
    }
    assert!(
        tokens.len() > 1,
        "chance must differ for this to mean anything"
    );
    assert_eq!(views.len(), 1, "{views:?}");
}

#[test]
fn watchers_of_computer_players_see_everything_and_people_stay_where_they_are() {
    let arena = Arena::new();
    let game = vault(&arena);
    let order = json!({"game": game, "seats": ["random", "random", null], "paused": true});
    let table = arena.table(&order);
    arena.post(&format!("{table}/step"), &json!({}));
    let snapshot = arena.until(&table, |snapshot| last(snapshot)["ply"] == 1);
    assert_eq!(
        (&snapshot["secret"], &snapshot["role"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(
        legal(last(&snapshot), 2).len(),
        9,
        "what chance may do is shown"
    );
    let taken = json!({"seats": ["human", "random", null]});
    arena.refused(409, &format!("{table}/seats"), &taken);
    let from = json!({"game": game, "seats": ["human", "random", null],
        "from": [["ready", "ready", "ready"]]});
    arena.refused(422, "/api/tables", &from);
}
