//! Tournaments for many machines: what is played where is decided in Python (`paidia.distributed`),
//! what is played and where it is kept is the same as on one machine.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use paidia_arena::contest::{ContestGames, Outcome, Setup};
use paidia_arena::engine::{EngineSpec, load};
use paidia_arena::record::{Heading, MatchRecord, file_name};
use paidia_arena::rules::Ruleset;
use paidia_arena::store::{Archive, Database, StoreError, WorkList};
use paidia_arena::tournament::{Plan, Tournament as Setting, summarise};
use paidia_gdl::grounding::Budget;
use paidia_server::contest_table;
use paidia_server::database::{Definition, GameDefinition, SharedDatabase};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::errors;
use crate::game::result;

/// A tournament that is ready to be played: its games loaded, its matches planned.
#[pyclass(frozen, module = "paidia")]
pub(crate) struct Tournament {
    setting: Setting,
    plan: Plan,
    tables: ContestGames,
    file: String,
    games: Vec<GameDefinition>,
}

/// What came out of a match, as it goes from one machine to another.
#[derive(Deserialize, Serialize)]
struct Played {
    outcome: Outcome,
    record: Option<MatchRecord>,
}

#[pymethods]
impl Tournament {
    /// A tournament by the text of its file (docs/tournaments.md).
    #[new]
    #[pyo3(signature = (name, text, *, engine="auto"))]
    fn new(py: Python<'_>, name: &str, text: &str, engine: &str) -> PyResult<Self> {
        let engine: EngineSpec = engine.parse().map_err(errors::of)?;
        let setting = Setting::parse(name, text).map_err(errors::of)?;
        let loaded = py.detach(|| set_up(&setting, &engine));
        let (tables, games) = loaded.map_err(errors::of)?;
        let plan = Plan::new(&setting, &tables).map_err(errors::of)?;
        plan.try_players(&tables).map_err(errors::of)?;
        Ok(Self {
            setting,
            plan,
            tables,
            games,
            file: text.to_owned(),
        })
    }

    /// The name of the tournament.
    #[getter]
    fn name(&self) -> &str {
        &self.setting.name
    }

    /// The matches, by the fingerprints of their setups, in their order.
    #[getter]
    fn matches(&self) -> Vec<String> {
        self.plan.setups()
    }

    /// Whether players think by the clock, so that results depend on the machine.
    #[getter]
    fn is_timed(&self) -> bool {
        self.plan.is_timed()
    }

    /// Plays a match: what came out and its record, as text for `TournamentStore.finish`.
    fn play(&self, py: Python<'_>, fingerprint: &str) -> PyResult<String> {
        let setup = self.setup(fingerprint)?;
        let table = self.tables.get(&setup.game);
        let table = table.ok_or_else(|| errors::of(format!("{} is not loaded", setup.game)))?;
        let name = &self.setting.name;
        let heading = Heading {
            id: format!("{name}.{}.{fingerprint}", file_name(&setup.game)),
            game: setup.game.clone(),
            tournament: Some(name.clone()),
            ..Heading::default()
        };
        let played = py.detach(|| table.play_recorded(setup, self.setting.seed, heading));
        let (outcome, record) = played.map_err(errors::of)?;
        let record = Some(record);
        serde_json::to_string(&Played { outcome, record }).map_err(errors::of)
    }

    /// Standings, pairings and ratings of what came out so far, given as texts of `play` or of
    /// `TournamentStore.outcomes`.
    fn summary<'py>(&self, py: Python<'py>, outcomes: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let read = |text: &String| serde_json::from_str(text).map_err(errors::of);
        let outcomes = outcomes
            .iter()
            .map(read)
            .collect::<PyResult<Vec<Outcome>>>()?;
        let summary = summarise(&self.setting, &self.plan, &outcomes).map_err(errors::of)?;
        result(py, &serde_json::to_value(summary).map_err(errors::of)?)
    }
}

impl Tournament {
    fn setup(&self, fingerprint: &str) -> PyResult<&Setup> {
        let mut matches = self.plan.matches.iter();
        let found = matches.find(|setup| setup.fingerprint() == fingerprint);
        found.ok_or_else(|| errors::of(format!("there is no match `{fingerprint}`")))
    }

    fn definition(&self) -> Definition {
        Definition {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            name: self.setting.name.clone(),
            file: self.file.clone(),
            games: self.games.clone(),
            records: true,
            lease: 3600,
        }
    }
}

/// Loads the games of a tournament.
fn set_up(
    setting: &Setting,
    engine: &EngineSpec,
) -> Result<(ContestGames, Vec<GameDefinition>), String> {
    let mut tables = ContestGames::new();
    let mut games = Vec::new();
    for game in &setting.games {
        let rules = Ruleset::find(game).map_err(|error| error.sentence())?;
        let loaded = load(engine, &rules, Budget::default()).map_err(|error| error.to_string())?;
        let table = contest_table(&rules, &loaded, false).map_err(|error| error.to_string())?;
        tables.insert(game.clone(), table);
        games.push(GameDefinition {
            name: game.clone(),
            rules: rules.source().text.clone(),
            engine: loaded.report.engine,
        });
    }
    Ok((tables, games))
}

/// What a store is asked.
enum Question {
    Claim,
    Finish(Box<Played>),
    Left,
    Outcomes,
}

/// What a store answers.
enum Answer {
    Claimed(Option<String>),
    Done,
    Left(usize),
    Outcomes(Vec<Outcome>),
}

type Reply = Result<Answer, StoreError>;

/// Where the matches of a tournament are kept: the SQLite file of `paidia tournament`, or a
/// PostgreSQL database. A thread of its own holds the lock on the tournament as long as this lives.
#[pyclass(frozen, module = "paidia")]
pub(crate) struct TournamentStore {
    line: Mutex<(Sender<Question>, Receiver<Reply>)>,
}

#[pymethods]
impl TournamentStore {
    /// Opens the store of a tournament at the path of a SQLite file or a `postgres://` address.
    #[new]
    fn new(py: Python<'_>, tournament: &Tournament, place: &str) -> PyResult<Self> {
        let (sender, questions) = channel();
        let (answers, receiver) = channel();
        let (definition, setups) = (tournament.definition(), tournament.plan.setups());
        let place = place.to_owned();
        std::thread::spawn(move || keep(&place, &definition, &setups, &questions, &answers));
        let line = Mutex::new((sender, receiver));
        let store = Self { line };
        // The first answer tells whether it could be opened.
        store.answer(py, None)?;
        Ok(store)
    }

    /// A match that is neither finished nor claimed, which is claimed now; `None` if there is none.
    fn claim(&self, py: Python<'_>) -> PyResult<Option<String>> {
        match self.ask(py, Question::Claim)? {
            Answer::Claimed(claimed) => Ok(claimed),
            _ => Err(errors::of("the store answered something else")),
        }
    }

    /// Keeps what `Tournament.play` returned. Nothing changes if the match is finished already.
    fn finish(&self, py: Python<'_>, played: &str) -> PyResult<()> {
        let played: Played = serde_json::from_str(played).map_err(errors::of)?;
        self.ask(py, Question::Finish(Box::new(played))).map(|_| ())
    }

    /// How many matches are not finished.
    #[getter]
    fn left(&self, py: Python<'_>) -> PyResult<usize> {
        match self.ask(py, Question::Left)? {
            Answer::Left(left) => Ok(left),
            _ => Err(errors::of("the store answered something else")),
        }
    }

    /// What came out of all matches that are finished, in their order, as texts.
    fn outcomes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let Answer::Outcomes(outcomes) = self.ask(py, Question::Outcomes)? else {
            return Err(errors::of("the store answered something else"));
        };
        let text = |outcome| serde_json::to_string(outcome).map_err(errors::of);
        outcomes.iter().map(text).collect()
    }
}

impl TournamentStore {
    fn ask(&self, py: Python<'_>, question: Question) -> PyResult<Answer> {
        self.answer(py, Some(question))
    }

    /// The next answer, after a question if there is one.
    fn answer(&self, py: Python<'_>, question: Option<Question>) -> PyResult<Answer> {
        let answer = py.detach(|| {
            let line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(question) = question {
                line.0.send(question).ok()?;
            }
            line.1.recv().ok()
        });
        let answer = answer.ok_or_else(|| errors::of("the store was closed"))?;
        answer.map_err(errors::of)
    }
}

/// Answers questions until nothing asks any more.
fn keep(
    place: &str,
    definition: &Definition,
    setups: &[String],
    questions: &Receiver<Question>,
    answers: &Sender<Reply>,
) {
    let name = &definition.name;
    let kept = match place.contains("://") {
        true => SharedDatabase::open(place).and_then(|database| {
            let list = database.begin(definition, setups)?;
            serve(name, setups, &list, &database, questions, answers);
            Ok(())
        }),
        false => Database::open(&PathBuf::from(place)).and_then(|database| {
            let list = database.begin(name, setups)?;
            serve(name, setups, &list, &database, questions, answers);
            Ok(())
        }),
    };
    if let Err(error) = kept {
        // The one who asked has gone if this fails.
        let _ = answers.send(Err(error));
    }
}

fn serve(
    name: &str,
    setups: &[String],
    list: &dyn WorkList,
    archive: &dyn Archive,
    questions: &Receiver<Question>,
    answers: &Sender<Reply>,
) {
    let mut reply = Ok(Answer::Done);
    while answers.send(reply).is_ok() {
        let Ok(question) = questions.recv() else {
            return;
        };
        reply = match question {
            Question::Claim => list.claim().map(Answer::Claimed),
            Question::Finish(played) => list
                .finish(&played.outcome, played.record.as_ref())
                .map(|()| Answer::Done),
            Question::Left => list.left().map(Answer::Left),
            Question::Outcomes => archive.outcomes(name, setups).map(Answer::Outcomes),
        };
    }
}
