//! Video games in the browser: a game is opened, and then goes on by one tick whenever it is asked
//! to, with an action of the visitor or one that a controller chooses.
//!
//! The page keeps the time: it asks 25 times a second, or as often as the visitor wants. What
//! chance does follows from the seed and the tick, so that a game can be gone back to any tick.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use paidia_arena::rules::{RuleText, Ruleset};
use paidia_arena::{PLAYERS, Playable, PlayerSpec};
use paidia_game::{AnyGame, AnyState, Chance, Game, RoleId, Rules, Walker};
use paidia_search::{Budget, Informed};
use paidia_video::{
    Action, Bundled, GAMES, Look, Scratch, SpriteView, State, VideoGame, looks, with_one_level,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::api::{Answer, Entry, Route, get, post};
use super::checking;
use super::refusal::Refusal;

/// Games that are open at once; the oldest makes place for a new one.
const MOST_OPEN: usize = 64;
/// Ticks of one question.
const MOST_TICKS: u32 = 100;
/// The time that a controller has for an action, and at most.
const THINKING: u64 = 40;
const MOST_THINKING: u64 = 500;
/// The time that a controller has before its first action, in which only this visitor waits.
const PREPARING: Duration = Duration::from_millis(1_000);
/// Actions of a plan that are drawn.
const SHOWN: usize = 15;

/// What can be asked about video games.
pub(super) const ROUTES: &[Entry] = &[
    get("video", Route::Now(|_, _| answer(&list()))),
    post(
        "video",
        Route::Work(|site, asked| answer(&site.video.open(&asked.read()?)?)),
    ),
    post(
        "video/*/step",
        Route::Work(|site, asked| {
            let wish: Step = asked.read()?;
            answer(&site.video.with(asked.id(), |open| open.step(&wish))?)
        }),
    ),
    post(
        "video/*/seek",
        Route::Work(|site, asked| {
            let wish: Seek = asked.read()?;
            answer(&site.video.with(asked.id(), |open| open.seek(wish.tick))?)
        }),
    ),
];

fn answer(view: &impl Serialize) -> Result<Answer, Refusal> {
    let bytes = serde_json::to_vec(view);
    let bytes = bytes.map_err(|error| Refusal::unusable(error.to_string()))?;
    Ok(Answer::Json(bytes.into()))
}

/// The bundled games and the controllers.
fn list() -> Value {
    let games = GAMES.iter().map(|game| {
        let (title, rules) = game.title_and_rules();
        json!({"name": game.name, "title": title, "rules": rules, "levels": game.levels(),
               "text": game.text})
    });
    let controllers = PLAYERS
        .iter()
        .filter(|player| (player.defaults)().is_for_video() || player.name == "random");
    let controllers = controllers.map(|player| json!({"name": player.name, "about": player.what}));
    json!({"games": games.collect::<Vec<_>>(), "controllers": controllers.collect::<Vec<_>>()})
}

/// The games that are open.
#[derive(Default)]
pub(super) struct VideoGames {
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    games: VecDeque<(String, Arc<Mutex<Playing>>)>,
    opened: u64,
}

/// A game to open: a bundled one or a text, and the level.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    #[serde(default)]
    game: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    level: usize,
    #[serde(default)]
    seed: u64,
}

/// What is to happen next.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// The action; without one, and without a player, nothing is done.
    #[serde(default)]
    action: String,
    /// The controller that chooses instead, as players are written.
    #[serde(default)]
    player: String,
    /// Its time for an action, in milliseconds.
    thinking: Option<u64>,
    ticks: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seek {
    tick: usize,
}

/// What does not change while a game is played.
#[derive(Serialize)]
struct Opened {
    id: String,
    columns: i32,
    rows: i32,
    block: i32,
    looks: Vec<LookView>,
    actions: Vec<&'static str>,
    /// Characters of levels, with what they put into a cell.
    characters: Vec<(char, Vec<String>)>,
    /// Sprites that never change.
    fixed: Vec<Sprite>,
    frame: Frame,
}

#[derive(Serialize)]
struct LookView {
    name: String,
    glyph: char,
    colour: &'static str,
    figure: &'static str,
}

/// A sprite: its type, its place and size in pixels, and where it looks.
type Sprite = (u16, i32, i32, i32, i32, i8, i8);

/// A moment of a game.
#[derive(Serialize)]
struct Frame {
    tick: i32,
    /// How many ticks were played before some were taken back.
    length: usize,
    score: i64,
    /// Won (1), lost (0) or neither (-1).
    win: i8,
    over: bool,
    /// What was done in the last tick.
    action: Option<&'static str>,
    sprites: Vec<Sprite>,
    /// Resources and health of the avatar.
    has: Vec<(String, i32)>,
    /// Where the avatar would be if the controller's plan was followed.
    plan: Vec<(i32, i32)>,
    /// How long the controller thought, in milliseconds, and its calls of the forward model.
    thought: f64,
    calls: u64,
}

/// A game that is being played.
struct Playing {
    game: AnyGame,
    seed: u64,
    state: AnyState,
    walker: <AnyGame as Game>::Walker,
    actions: Vec<Action>,
    /// How many of them were made.
    tick: usize,
    controller: Option<(String, Box<dyn Informed<AnyGame>>)>,
    plan: Vec<Action>,
    thought: Duration,
    calls: u64,
}

impl VideoGames {
    fn open(&self, wish: &Wish) -> Result<Opened, Refusal> {
        let rules = rules(wish)?;
        let Ruleset::Other(rules) = rules else {
            return Err(Refusal::unusable("this is no video game; write it as VGDL"));
        };
        let game = rules.game().map_err(Refusal::unusable)?;
        if game.inside::<VideoGame>().is_none() {
            return Err(Refusal::unusable("this is no video game; write it as VGDL"));
        }
        let playing = Playing {
            seed: wish.seed,
            state: game.initial(),
            walker: game.walker(),
            game,
            actions: Vec::new(),
            tick: 0,
            controller: None,
            plan: Vec::new(),
            thought: Duration::ZERO,
            calls: 0,
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.opened += 1;
        let id = format!("{:x}", open.opened);
        let view = playing.opened(&id)?;
        let playing = Arc::new(Mutex::new(playing));
        open.games.push_front((id, playing));
        open.games.truncate(MOST_OPEN);
        Ok(view)
    }

    fn with<T>(
        &self,
        id: &str,
        work: impl FnOnce(&mut Playing) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let found = {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let found = open.games.iter().find(|(own, _)| own == id);
            found.map(|(_, playing)| Arc::clone(playing))
        };
        let playing = found.ok_or_else(|| Refusal::missing("this game is no longer open"))?;
        let mut playing = playing.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut playing)
    }
}

/// The rules that are asked for. No file is ever read here.
fn rules(wish: &Wish) -> Result<Ruleset, Refusal> {
    let text = match Bundled::find(&wish.game) {
        Some(bundled) => bundled.text,
        None if wish.text.is_empty() => {
            return Err(Refusal::missing(format!(
                "there is no video game `{}`",
                wish.game
            )));
        }
        None => &wish.text,
    };
    let none = || Refusal::missing(format!("there is no level {}", wish.level));
    let text = with_one_level(text, wish.level).ok_or_else(none)?;
    let name = if wish.game.is_empty() {
        "game"
    } else {
        &wish.game
    };
    RuleText::new(name, &text)
        .check()
        .map_err(|error| match error {
            paidia_arena::rules::RulesError::Invalid(invalid) => {
                let problems = checking::problems(&invalid.source, &invalid.problems);
                Refusal::unusable("the game cannot be played as it is").with_problems(problems)
            }
            other => Refusal::unusable(other.sentence()),
        })
}

fn sprite(view: &SpriteView) -> Sprite {
    let (x, y) = view.orientation;
    let sign = |part: f64| part.clamp(-1.0, 1.0).round() as i8;
    (
        view.kind,
        view.place.0,
        view.place.1,
        view.size.0,
        view.size.1,
        sign(x),
        sign(y),
    )
}

impl Playing {
    fn video(&self) -> Result<(&VideoGame, &State), Refusal> {
        let parts = self
            .game
            .inside::<VideoGame>()
            .zip(self.state.inside::<State>());
        parts.ok_or_else(|| Refusal::unusable("this is no video game"))
    }

    fn opened(&self, id: &str) -> Result<Opened, Refusal> {
        let (game, state) = self.video()?;
        let level = game.level();
        let name = |kind: u16| level.game.types[usize::from(kind)].name.clone();
        let characters = level.game.characters().into_iter();
        let look = |look: Look| LookView {
            name: look.name,
            glyph: look.glyph,
            colour: look.colour,
            figure: look.figure,
        };
        Ok(Opened {
            id: id.to_owned(),
            columns: level.size().0,
            rows: level.size().1,
            block: level.block(),
            looks: looks(level).into_iter().map(look).collect(),
            actions: level
                .actions(state)
                .iter()
                .map(|action| action.name())
                .collect(),
            characters: characters
                .map(|(key, kinds)| (key, kinds.into_iter().map(name).collect()))
                .collect(),
            fixed: level.fixed_sprites().map(|view| sprite(&view)).collect(),
            frame: self.frame()?,
        })
    }

    fn frame(&self) -> Result<Frame, Refusal> {
        let (game, state) = self.video()?;
        let level = game.level();
        let kinds = level.game.order.iter();
        let sprites = kinds.flat_map(|&kind| state.changing_sprites_of(level, kind));
        let shown = sprites.filter(|view| {
            let kind = &level.game.types[usize::from(view.kind)];
            !kind.is_hidden() && !view.disabled
        });
        let mut has = Vec::new();
        if let Some(avatar) = state.avatar_view(level) {
            let resources = state.resources(&avatar);
            has.extend(
                resources.map(|(kind, amount)| {
                    (level.game.types[usize::from(kind)].name.clone(), amount)
                }),
            );
            if avatar.health.1 > 0 {
                has.push(("health".to_owned(), avatar.health.0));
            }
        }
        let last = self
            .tick
            .checked_sub(1)
            .and_then(|place| self.actions.get(place));
        Ok(Frame {
            tick: state.tick(),
            length: self.actions.len(),
            score: state.score(),
            win: state.win(),
            over: state.is_over(),
            action: last.map(|action| action.name()),
            sprites: shown.map(|view| sprite(&view)).collect(),
            has,
            plan: self.path()?,
            thought: self.thought.as_secs_f64() * 1e3,
            calls: self.calls,
        })
    }

    /// Where the avatar would be while the plan is followed, as far as the draws allow to tell.
    fn path(&self) -> Result<Vec<(i32, i32)>, Refusal> {
        let (game, state) = self.video()?;
        let (mut state, mut scratch) = (state.clone(), Scratch::forward());
        let mut path = Vec::new();
        for &action in self.plan.iter().take(SHOWN) {
            game.level().advance(&mut state, action, &mut scratch);
            path.extend(state.avatar_view(game.level()).map(|avatar| avatar.place));
        }
        Ok(path)
    }

    fn advance(&mut self, action: Action) {
        let mut chance = Chance::from_seed(self.seed.wrapping_add((self.tick as u64) << 20));
        self.walker.jump(&self.state);
        self.walker
            .advance(&[VideoGame::move_of(action)], &mut chance);
        self.walker.save(&mut self.state);
        self.tick += 1;
    }

    fn step(&mut self, wish: &Step) -> Result<Frame, Refusal> {
        let wanted = match wish.action.as_str() {
            "" => Action::Nil,
            name => Action::by_name(name)
                .ok_or_else(|| Refusal::bad(format!("there is no action `{name}`")))?,
        };
        // A controller thinks for one tick a question, so that others get their turn.
        let most = if wish.player.is_empty() {
            MOST_TICKS
        } else {
            1
        };
        for _ in 0..wish.ticks.unwrap_or(1).min(most) {
            let (game, state) = self.video()?;
            if state.is_over() {
                break;
            }
            let mut action = game.level().checked(state, wanted);
            if wish.player.is_empty() {
                self.plan.clear();
            } else {
                action = self.think(wish)?;
            }
            self.actions.truncate(self.tick);
            self.actions.push(action);
            self.advance(action);
            if !self.plan.is_empty() {
                self.plan.remove(0);
            }
        }
        self.frame()
    }

    /// Asks a controller.
    fn think(&mut self, wish: &Step) -> Result<Action, Refusal> {
        let known = self.controller.as_ref().map(|(name, _)| name.as_str());
        if known != Some(&wish.player) {
            let spec = wish.player.parse::<PlayerSpec>();
            let spec = spec.map_err(|error| Refusal::bad(error.to_string()))?;
            if !spec.settings().is_for_video() && spec.entry().name != "random" {
                let name = spec.entry().name;
                let refusal = format!("`{name}` is no controller of video games");
                return Err(Refusal::bad(refusal));
            }
            let playable = Playable::any(self.game.clone());
            let search = playable.search(&spec, RoleId(0), self.seed);
            let mut search = search.map_err(|error| Refusal::unusable(error.to_string()))?;
            search.prepare(&self.state, Budget::time(PREPARING));
            self.controller = Some((wish.player.clone(), search));
        }
        let begun = Instant::now();
        let thinking = wish.thinking.unwrap_or(THINKING).clamp(5, MOST_THINKING);
        let budget = Budget::time(Duration::from_millis(thinking));
        let Some((_, controller)) = &mut self.controller else {
            return Ok(Action::Nil);
        };
        let decision = controller.choose(&self.state, budget);
        self.thought = begun.elapsed();
        self.calls = decision.report.states;
        let line = decision.report.line.iter();
        let line = line.filter_map(|joint| VideoGame::action_of(*joint.first()?));
        self.plan = line.collect();
        Ok(VideoGame::action_of(decision.id).unwrap_or(Action::Nil))
    }

    /// Goes to a tick that was played.
    fn seek(&mut self, tick: usize) -> Result<Frame, Refusal> {
        let tick = tick.min(self.actions.len());
        self.state = self.game.initial();
        self.tick = 0;
        self.plan.clear();
        for place in 0..tick {
            self.advance(self.actions[place]);
        }
        self.frame()
    }
}
