//! The server is spoken to as an editor speaks to it.

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use paidia_arena::rules::RuleText;
use serde_json::{Value, json};

const SHEET: &str = "\
(role x)
(role o)
(init (cell 1 b))
(init (control x))
; The cell is filled.
(<= (filled ?p) (true (cell 1 ?p)) (distinct ?p b))
(<= (legal ?p (mark 1)) (true (control ?p)))
(<= (next (cell 1 ?p)) (does ?p (mark 1)))
(<= (next (control o)) (true (control x)))
(<= terminal (filled ?p))
(<= (goal ?p 100) (filled ?p) (role ?p))
(<= (goal ?p 0) (role ?p) (not (filed ?p)))
";

/// An editor with one document open.
struct Editor {
    connection: Connection,
    server: Option<std::thread::JoinHandle<()>>,
    asked: i32,
    uri: &'static str,
}

impl Editor {
    fn open(uri: &'static str, text: &str) -> Self {
        let (ours, theirs) = Connection::memory();
        let server = std::thread::spawn(move || {
            if let Err(error) = paidia_lsp::serve(&theirs) {
                panic!("{error}");
            }
        });
        let mut editor = Self {
            connection: ours,
            server: Some(server),
            asked: 0,
            uri,
        };
        let answer = editor.ask("initialize", json!({"capabilities": {}}));
        assert_eq!(answer["serverInfo"]["name"], "paidia");
        editor.tell("initialized", json!({}));
        let document = json!({"uri": uri, "languageId": "gdl", "version": 1, "text": text});
        editor.tell("textDocument/didOpen", json!({"textDocument": document}));
        editor
    }

    fn tell(&self, method: &str, params: Value) {
        let notification = Notification::new(method.to_owned(), params);
        let sent = self
            .connection
            .sender
            .send(Message::Notification(notification));
        assert!(sent.is_ok(), "the server has gone");
    }

    /// Asks, and passes over what the server says beside.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.try_to_ask(method, params)
            .unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn try_to_ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        let request = Request::new(id.clone(), method.to_owned(), params);
        let sent = self.connection.sender.send(Message::Request(request));
        assert!(sent.is_ok(), "the server has gone");
        for message in &self.connection.receiver {
            if let Message::Response(response) = message
                && response.id == id
            {
                return match response.error {
                    Some(error) => Err(error.message),
                    None => Ok(response.result.unwrap_or_default()),
                };
            }
        }
        panic!("no answer to {method}");
    }

    /// Asks about the place of a piece of the text.
    fn ask_at(
        &mut self,
        method: &str,
        text: &str,
        piece: &str,
        more: &Value,
    ) -> Result<Value, String> {
        let mut params = json!({
            "textDocument": {"uri": self.uri},
            "position": place(text, piece),
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        self.try_to_ask(method, params)
    }

    /// The next problems that the server sends of its own accord.
    fn problems(&self) -> Vec<Value> {
        for message in &self.connection.receiver {
            if let Message::Notification(notification) = message
                && notification.method == "textDocument/publishDiagnostics"
            {
                let found = notification.params["diagnostics"].as_array().cloned();
                return found.unwrap_or_default();
            }
        }
        panic!("the server has gone");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let ended = self.server.take().map(std::thread::JoinHandle::join);
        assert!(
            ended.is_some_and(|ended| ended.is_ok()),
            "the server failed"
        );
    }
}

/// The position of a piece of a text of one-byte characters.
fn place(text: &str, piece: &str) -> Value {
    let at = text
        .find(piece)
        .unwrap_or_else(|| panic!("`{piece}` is not there"));
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    json!({"line": line, "character": at - start})
}

/// Makes the edits of an answer in a text of one-byte characters.
fn edited(text: &str, edits: &Value) -> String {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let number = |value: &Value| value.as_u64().unwrap_or_default() as usize;
    let offset = |place: &Value| starts[number(&place["line"])] + number(&place["character"]);
    let mut edits: Vec<_> = edits.as_array().cloned().unwrap_or_default();
    edits.sort_by_key(|edit| std::cmp::Reverse(offset(&edit["range"]["start"])));
    let mut text = text.to_owned();
    for edit in edits {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().unwrap_or_default());
    }
    text
}

#[test]
fn problems_are_told_as_one_types_and_mended_at_a_key() {
    let mut editor = Editor::open("file:///game.kif", SHEET);
    let problems = editor.problems();
    let undefined = problems
        .iter()
        .find(|problem| problem["code"] == "undefined-relation");
    let undefined = undefined.unwrap_or_else(|| panic!("{problems:?}"));
    assert_eq!(undefined["range"]["start"]["line"], 11);
    assert!(
        undefined["message"]
            .as_str()
            .is_some_and(|text| text.contains("filed"))
    );

    let range = &undefined["range"];
    let params = json!({
        "textDocument": {"uri": "file:///game.kif"}, "range": range,
        "context": {"diagnostics": []},
    });
    let fixes = editor.ask("textDocument/codeAction", params);
    assert_eq!(fixes[0]["title"], "Change to `filled`");
    let edits = &fixes[0]["edit"]["documentChanges"][0]["edits"];
    let mended = edited(SHEET, edits);
    assert!(mended.contains("(not (filled ?p))"), "{mended}");

    let change = json!({
        "textDocument": {"uri": "file:///game.kif", "version": 2},
        "contentChanges": [edits[0].as_object().map(|edit| {
            json!({"range": edit["range"], "text": edit["newText"]})
        })],
    });
    editor.tell("textDocument/didChange", change);
    let left = editor.problems();
    assert!(
        left.iter()
            .all(|problem| problem["code"] != "undefined-relation"),
        "{left:?}"
    );
}

#[test]
fn hovers_tell_what_names_are() {
    let mut editor = Editor::open("file:///game.kif", SHEET);
    let mut about = |piece: &str| {
        let found = editor.ask_at("textDocument/hover", SHEET, piece, &json!({}));
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        found["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let filled = about("filled ?p) (true");
    assert!(
        filled.contains("relation `filled/1`, defined by 1 clause, used in 2 places"),
        "{filled}"
    );
    assert!(filled.contains("The cell is filled."), "{filled}");
    assert!(about("next (cell").contains("holds after the joint move"));
    assert!(about("cell 1 b").contains("fluent `cell/2`, defined by 2 clauses"));
    assert!(about("mark 1)) (true").contains("move `mark/1`"));
    assert!(about("x)").contains("role `x`"));
    assert!(
        about("filed").contains("undefined-relation"),
        "problems are explained"
    );
}

#[test]
fn definitions_and_references_are_found() {
    let mut editor = Editor::open("file:///game.kif", SHEET);
    let mut lines = |method: &str, piece: &str| {
        let more = json!({"context": {"includeDeclaration": true}});
        let found = editor.ask_at(method, SHEET, piece, &more);
        let found = found.unwrap_or_else(|error| panic!("{error}"));
        let places = found.as_array().cloned().unwrap_or_default();
        let lines = places
            .iter()
            .map(|place| place["range"]["start"]["line"].as_u64());
        lines.flatten().collect::<Vec<_>>()
    };
    assert_eq!(
        lines("textDocument/definition", "filled ?p))\n(<= (goal"),
        [5]
    );
    assert_eq!(
        lines("textDocument/definition", "cell 1 ?p)) (distinct"),
        [2, 7]
    );
    assert_eq!(
        lines("textDocument/definition", "mark 1)))\n(<= (next (control"),
        [6]
    );
    assert_eq!(lines("textDocument/references", "control ?p"), [3, 6, 8, 8]);
}

#[test]
fn renaming_changes_every_place_and_nothing_else() {
    let mut editor = Editor::open("file:///game.kif", SHEET);
    let mut renamed = |piece: &str, name: &str| {
        let more = json!({"newName": name});
        let found = editor.ask_at("textDocument/rename", SHEET, piece, &more)?;
        Ok::<_, String>(edited(SHEET, &found["documentChanges"][0]["edits"]))
    };
    assert_eq!(
        renamed("control ?p", "turn"),
        Ok(SHEET.replace("control", "turn"))
    );
    let variable = renamed("?p) (true (cell", "who");
    assert_eq!(
        variable,
        Ok(SHEET.replace(
            "(<= (filled ?p) (true (cell 1 ?p)) (distinct ?p b))",
            "(<= (filled ?who) (true (cell 1 ?who)) (distinct ?who b))",
        ))
    );
    for (piece, name) in [
        ("control ?p", "cell"),
        ("filled ?p", "a b"),
        ("cell 1 b", "?v"),
    ] {
        assert!(renamed(piece, name).is_err(), "{piece} to {name}");
    }
    assert!(renamed("next (cell", "after").is_err(), "keywords stay");
}

#[test]
fn completion_offers_what_fits() {
    let text = format!("{SHEET}(<= (next (control x)) (does o (ma");
    let mut editor = Editor::open("file:///game.kif", &text);
    let last = text.lines().last().unwrap_or_default().len();
    let end = json!({"position": {"line": text.matches('\n').count(), "character": last}});
    let found = editor.ask_at("textDocument/completion", &text, "(role", &end);
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    let items = found.as_array().into_iter().flatten();
    let labels: Vec<_> = items.map(|item| &item["label"]).collect();
    assert_eq!(labels, ["mark"]);
}

#[test]
fn formatting_gives_the_normal_form_and_leaves_it_alone() {
    let loose = SHEET.replace(") (", ")\n     (");
    let normal = RuleText::new("game", &loose).normal_form(None);
    let normal = normal.unwrap_or_else(|error| panic!("{error}"));
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let params = json!({"textDocument": {"uri": "file:///game.kif"}, "options": options});
    let mut editor = Editor::open("file:///game.kif", &loose);
    let found = editor.ask("textDocument/formatting", params.clone());
    assert_eq!(edited(&loose, &found), normal);
    let mut again = Editor::open("file:///game.kif", &normal);
    assert_eq!(again.ask("textDocument/formatting", params), json!([]));
}

#[test]
fn other_languages_have_problems_and_definitions() {
    let game = "BasicGame
  SpriteSet
    hero > MovingAvatar
    wall > Immovabel
  InteractionSet
    hero wall > stepBack
  TerminationSet
    Timeout limit=10 win=False
  LevelMapping
    A > hero
    w > wall
";
    let mut editor = Editor::open("file:///game.vgdl", game);
    let problems = editor.problems();
    assert!(
        problems
            .iter()
            .any(|problem| problem["range"]["start"]["line"] == 3),
        "{problems:?}"
    );
    let found = editor.ask_at("textDocument/definition", game, "hero wall", &json!({}));
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found[0]["range"]["start"]["line"], 2);
}

#[test]
fn what_cannot_be_answered_is_refused_and_the_server_goes_on() {
    let mut editor = Editor::open("file:///game.kif", SHEET);
    assert!(
        editor
            .try_to_ask("textDocument/inlayHint", json!({}))
            .is_err()
    );
    assert!(
        editor
            .try_to_ask("textDocument/hover", json!({"no": "place"}))
            .is_err()
    );
    let elsewhere = json!({
        "textDocument": {"uri": "file:///other.kif"}, "position": {"line": 0, "character": 0},
    });
    assert!(editor.try_to_ask("textDocument/hover", elsewhere).is_err());
    editor.tell("textDocument/didChange", json!({"damaged": true}));
    let far = json!({
        "textDocument": {"uri": "file:///game.kif"}, "position": {"line": 9999, "character": 9},
    });
    assert!(editor.try_to_ask("textDocument/hover", far).is_ok());
}
