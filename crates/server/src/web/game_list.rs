//! The games: those that are bundled, and those that were pasted, which are kept in memory and, so
//! that a restart does not lose them, on disk.
//!
//! A game is read when it is first asked for, by the reference engine, which is there at once. The
//! engine that `auto` takes is made for the first search, one at a time, and is kept with the game.
//! That can take seconds, so that players begin with the reference engine where it takes long.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use paidia_arena::engine::{EngineSpec, Loaded, at_once, load};
use paidia_arena::rules::{Language, RuleText, RulesError, Ruleset};
use paidia_game::{AnyGame, Rules, glimpse};
use paidia_gdl::grounding::Budget;
use paidia_library::Metadata;
use paidia_picture::{Rules as Drawn, Scene};
use sha2::{Digest, Sha256};

use super::bred::BredGame;
use super::checking::{ProblemView, problems};
use super::keep::Keep;
use super::refusal::Refusal;
use crate::threads::{STACK_BYTES, lock};

/// How long a search waits for a faster engine.
const PATIENCE: Duration = Duration::from_secs(3);
/// How often it looks whether that has come.
const GLANCE: Duration = Duration::from_millis(10);
/// Engines that are made in the background or wait for that, at most.
const MOST_MADE: usize = 16;

/// Boards of a size that visitors choose have no more columns or rows than this.
const LONGEST_SIDE: u32 = 19;

/// States that are looked at to find boards.
const LOOKED_AT: usize = 8;

/// All games.
pub(super) struct GameList {
    /// With those that were bred.
    bundled: Vec<Arc<Entry>>,
    /// The latest first.
    pasted: Mutex<VecDeque<Arc<Entry>>>,
    /// How many of those are kept.
    most: usize,
    keep: Keep,
    queue: Arc<EngineQueue>,
}

/// Where engines are made.
#[derive(Default)]
struct EngineQueue {
    /// Held while the engine is made, so that it is made once.
    maker: Mutex<()>,
    /// How many threads were started to make one.
    waiting: AtomicUsize,
}

/// A game.
pub(super) struct Entry {
    pub(super) id: String,
    /// The name for people.
    pub(super) title: String,
    pub(super) metadata: Option<Metadata>,
    /// The rule sheet.
    pub(super) text: Cow<'static, str>,
    language: Language,
    loaded: OnceLock<Result<Arc<PreparedGame>, String>>,
    /// What `auto` takes.
    engine: OnceLock<Loaded>,
    /// Whether that is being made in the background.
    is_begun: AtomicBool,
    queue: Arc<EngineQueue>,
}

/// Rules that were read, with what is shown of them.
pub(super) struct PreparedGame {
    pub(super) rules: Ruleset,
    /// The game on the engine that is there at once.
    pub(super) game: AnyGame,
    pub(super) scene: Scene,
}

impl GameList {
    /// The bundled games, those that were bred, and room for `most` others.
    pub(super) fn new(most: usize, keep: Keep, bred: Vec<BredGame>) -> Self {
        let queue = Arc::<EngineQueue>::default();
        let bred = bred.into_iter().map(|game| {
            let title = game.metadata.title.clone();
            Arc::new(Entry {
                metadata: Some(game.metadata),
                language: Language::Board,
                ..Entry::new(game.id, title, game.text.into(), &queue)
            })
        });
        let bred: Vec<Arc<Entry>> = bred.collect();
        let bundled = paidia_library::all().iter().map(|game| {
            let metadata = game.facts().ok();
            let title = metadata.as_ref().map(|metadata| metadata.title.clone());
            let title = title.unwrap_or_else(|| game.name.to_owned());
            let entry = Entry::new(game.name.to_owned(), title, game.rules.into(), &queue);
            let language = Language::of_file(Path::new(&game.file()), game.rules);
            Arc::new(Entry {
                metadata,
                language,
                ..entry
            })
        });
        Self {
            bundled: bundled.chain(bred).collect(),
            pasted: Mutex::default(),
            most,
            keep,
            queue,
        }
    }

    /// The bundled games.
    pub(super) fn bundled(&self) -> &[Arc<Entry>] {
        &self.bundled
    }

    /// The game with this name.
    pub(super) fn find(&self, id: &str) -> Result<Arc<Entry>, Refusal> {
        let bundled = self.bundled.iter().find(|entry| entry.id == id);
        let pasted = || {
            lock(&self.pasted)
                .iter()
                .find(|entry| entry.id == id)
                .cloned()
        };
        let kept = || {
            let (name, text) = self.keep.game(id).filter(|_| id.starts_with("pasted-"))?;
            self.paste(&name, &text).ok()
        };
        let sized = || self.sized(id);
        let found = bundled
            .cloned()
            .or_else(pasted)
            .or_else(kept)
            .or_else(sized);
        found.ok_or_else(|| {
            Refusal::missing(match id.starts_with("pasted-") {
                true => "these pasted rules are not here any more; paste them again".to_owned(),
                false => match paidia_library::find(id) {
                    Err(unknown) => unknown.to_string(),
                    Ok(_) => "there is no such game".to_owned(),
                },
            })
        })
    }

    /// A bundled game on a board of another size, such as `hex@11` or `breakthrough@6x8`.
    fn sized(&self, id: &str) -> Option<Arc<Entry>> {
        let (family, size) = id.split_once('@')?;
        let (bundled, longest) = paidia_library::sized(family, size)?;
        let rules = paidia_library::resized(family, size).filter(|_| longest <= LONGEST_SIDE)?;
        let metadata = paidia_library::find(bundled).ok()?.facts().ok()?;
        let name = metadata
            .title
            .split(" 9x9")
            .next()
            .unwrap_or(&metadata.title);
        let title = format!("{name}, size {size}");
        let metadata = Metadata {
            title: title.clone(),
            public: None,
            ..metadata
        };
        let entry = Entry::new(id.to_owned(), title, rules.into(), &self.queue);
        let entry = Arc::new(Entry {
            metadata: Some(metadata),
            ..entry
        });
        let mut pasted = lock(&self.pasted);
        pasted.push_front(Arc::clone(&entry));
        pasted.truncate(self.most);
        Some(entry)
    }

    /// Adds pasted rules, if they can be played. The same rules with the same name are the same
    /// game.
    pub(super) fn paste(&self, name: &str, text: &str) -> Result<Arc<Entry>, Refusal> {
        let digest = Sha256::digest(format!("{name}\n{text}"));
        let digest: String = digest
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let id = format!("pasted-{digest}");
        let known = lock(&self.pasted)
            .iter()
            .find(|entry| entry.id == id)
            .cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let (given, kept) = (name, text);
        let text = text.to_owned().into();
        let entry = Arc::new(Entry::new(id, title(name), text, &self.queue));
        let read = entry.read().map_err(Flaw::refusal)?;
        let _ = entry.loaded.set(Ok(Arc::new(read)));
        // Where nothing can be written the game is there until the arena closes.
        let _ = self.keep.keep_game(&entry.id, given, kept);
        let mut pasted = lock(&self.pasted);
        pasted.push_front(Arc::clone(&entry));
        pasted.truncate(self.most);
        Ok(entry)
    }
}

/// A name for people, from an untrusted text.
fn title(name: &str) -> String {
    let shown = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = shown.chars().filter(|c| !c.is_control()).take(80).collect();
    if shown.is_empty() {
        "Pasted rules".to_owned()
    } else {
        shown
    }
}

/// Why rules cannot be played.
pub(super) enum Flaw {
    /// They are faulty, in these places.
    Problems(Vec<ProblemView>),
    /// No engine can play them.
    Engine(String),
}

impl Flaw {
    fn refusal(self) -> Refusal {
        match self {
            Flaw::Problems(problems) => {
                let refusal =
                    Refusal::unusable("the rules are faulty and cannot be played as they are");
                refusal.with_problems(problems)
            }
            Flaw::Engine(why) => Refusal::unusable(why),
        }
    }
}

impl Entry {
    fn new(id: String, title: String, text: Cow<'static, str>, queue: &Arc<EngineQueue>) -> Self {
        Self {
            id,
            title,
            metadata: None,
            language: Language::of_text(&text),
            text,
            loaded: OnceLock::new(),
            engine: OnceLock::new(),
            is_begun: AtomicBool::new(false),
            queue: Arc::clone(queue),
        }
    }

    /// The rules, read at the first call.
    pub(super) fn rules(&self) -> Result<Arc<PreparedGame>, Refusal> {
        let read = || match self.read() {
            Ok(rules) => Ok(Arc::new(rules)),
            Err(Flaw::Engine(why)) => Err(why),
            Err(Flaw::Problems(_)) => Err("the rules are faulty".to_owned()),
        };
        let rules = self.loaded.get_or_init(read);
        rules.clone().map_err(Refusal::unusable)
    }

    fn read(&self) -> Result<PreparedGame, Flaw> {
        let text = RuleText {
            language: self.language,
            metadata: self.metadata.clone(),
            ..RuleText::new(&self.title, &self.text)
        };
        let rules = text.check().map_err(|error| match error {
            RulesError::Invalid(invalid) if invalid.too_large.is_none() => {
                Flaw::Problems(problems(&invalid.source, &invalid.problems))
            }
            other => Flaw::Engine(other.sentence()),
        })?;
        let game = at_once(&rules).map_err(|error| Flaw::Engine(error.to_string()))?;
        let metadata = rules.metadata();
        let states = glimpse(&game, LOOKED_AT);
        let scene = match &rules {
            Ruleset::Gdl(rules) => {
                let drawn = Drawn {
                    sheet: &rules.sheet,
                    program: &rules.program,
                };
                Scene::new(Some(drawn), metadata, &states)
            }
            Ruleset::Other(_) => {
                let moves = game.moves().to_vec();
                Scene::of_texts(metadata, &states, moves.iter().map(|text| &**text))
            }
        };
        Ok(PreparedGame { scene, rules, game })
    }

    /// The game on the engine that `auto` takes, made at the first call.
    pub(super) fn engine(&self, rules: &PreparedGame) -> &Loaded {
        self.engine.get_or_init(|| {
            let _maker = lock(&self.queue.maker);
            let auto = EngineSpec::default();
            let loaded = load(&auto, &rules.rules, Budget::default());
            loaded.unwrap_or_else(|error| {
                Loaded::of_reference(rules.game.clone(), &error.to_string())
            })
        })
    }

    /// The same for callers that cannot wait long: the engine is made in the background, and `None`
    /// is returned if that takes long.
    pub(super) fn engine_soon(self: &Arc<Self>, rules: &Arc<PreparedGame>) -> Option<&Loaded> {
        if self.engine.get().is_none() {
            self.begin(rules);
        }
        let until = Instant::now() + PATIENCE;
        while self.engine.get().is_none() && Instant::now() < until {
            thread::sleep(GLANCE);
        }
        self.engine.get()
    }

    /// Whether the engine that `auto` takes is there.
    pub(super) fn has_engine(&self) -> bool {
        self.engine.get().is_some()
    }

    /// Makes the engine in the background, unless that is going on or too many others wait for
    /// theirs.
    fn begin(self: &Arc<Self>, rules: &Arc<PreparedGame>) {
        if self.is_begun.swap(true, Ordering::Relaxed) {
            return;
        }
        let waiting = &self.queue.waiting;
        let has_place = waiting.fetch_add(1, Ordering::Relaxed) < MOST_MADE;
        let (entry, rules) = (Arc::clone(self), Arc::clone(rules));
        let work = move || {
            entry.engine(&rules);
            entry.queue.waiting.fetch_sub(1, Ordering::Relaxed);
        };
        let builder = thread::Builder::new().name("engine".to_owned());
        if !has_place || builder.stack_size(STACK_BYTES).spawn(work).is_err() {
            waiting.fetch_sub(1, Ordering::Relaxed);
            self.is_begun.store(false, Ordering::Relaxed);
        }
    }

    /// The game for walks from state to state: on the engine that `auto` takes if that is there,
    /// else on the reference engine.
    pub(super) fn walking(&self, rules: &PreparedGame) -> AnyGame {
        let made = self.engine.get().and_then(|loaded| loaded.game().ok());
        made.unwrap_or_else(|| rules.game.clone())
    }
}

impl PreparedGame {
    /// The dialect or language of the rules.
    pub(super) fn dialect(&self) -> &'static str {
        self.rules.language()
    }
}
