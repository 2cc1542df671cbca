//! Matches in real time seen again, moment by moment: at a table that is over, or from a record.

use paidia_arena::engine::{EngineSpec, load_in_time};
use paidia_arena::realtime::verify_in_time;
use paidia_arena::record::MatchRecord;
use paidia_arena::rules::Ruleset;
use paidia_game::{Lasting, Reading, Ticks};
use paidia_picture::Scene;
use paidia_realtime::TimedRecord;
use paidia_realtime::record::RecordedUpdate;
use paidia_reason::timed::Timed;
use serde::Serialize;

use super::views::{MomentView, TimedCamera};
use crate::web::refusal::Refusal;

/// A match with more updates is too long for the page.
const MOST_MOMENTS: usize = 10_000;

/// A match, moment by moment.
#[derive(Serialize)]
pub(in crate::web) struct Replay {
    /// The game time of the end.
    end: f64,
    /// Seconds that a unit of game time took; 1 where nothing waited.
    pace: f64,
    scene: Scene,
    moments: Vec<MomentView>,
}

impl Replay {
    /// A match by its record.
    pub(super) fn new(
        rules: &Ruleset,
        game: &Timed,
        record: &TimedRecord,
    ) -> Result<Self, Refusal> {
        if record.updates.len() > MOST_MOMENTS {
            return Err(Refusal::unusable(format!(
                "the match has more than {MOST_MOMENTS} updates, which is too long for the page"
            )));
        }
        let mut camera = TimedCamera::new(rules, game);
        let updates = record.updates.iter().enumerate();
        let moments = updates.map(|(number, update)| moment(&mut camera, number, update));
        let mut moments: Vec<MomentView> = moments.collect();
        if let Some(last) = moments.last_mut() {
            last.over = true;
            last.goals = Some(record.goal_values.clone());
        }
        Ok(Self {
            end: record.end.parse().unwrap_or(0.0),
            pace: match record.play_clock > 0.0 {
                true => record.play_clock,
                false => 1.0,
            },
            scene: camera.scene,
            moments,
        })
    }

    /// The last moment of a match.
    pub(super) fn last(rules: &Ruleset, game: &Timed, record: &TimedRecord) -> MomentView {
        let mut camera = TimedCamera::new(rules, game);
        let last = record.updates.last();
        let last = last.map(|update| moment(&mut camera, record.updates.len() - 1, update));
        MomentView {
            time: record.end.parse().unwrap_or(0.0),
            over: true,
            goals: Some(record.goal_values.clone()),
            ..last.unwrap_or_default()
        }
    }
}

fn moment(camera: &mut TimedCamera, number: usize, update: &RecordedUpdate) -> MomentView {
    let time = Ticks::parse(&update.time).unwrap_or_default();
    let lasting = update.state.iter();
    let lasting = lasting.map(|(left, fact)| (Ticks::parse(left), fact.clone()));
    let lasting: Vec<Lasting> = lasting.collect();
    let (picture, countdowns) = camera.facts(&lasting, time);
    MomentView {
        number,
        time: time.units(),
        picture: Some(picture),
        countdowns,
        moves: update.moves.clone(),
        expired: update.expired.clone(),
        ..MomentView::default()
    }
}

/// A match that was written down.
#[derive(Serialize)]
pub(in crate::web) struct Recorded {
    id: String,
    title: String,
    roles: Vec<String>,
    rules: String,
    #[serde(flatten)]
    replay: Replay,
    /// Why the rules and the record do not agree, if they do not.
    pub(in crate::web) differs: Option<String>,
}

/// A match from its record, which is played again to see whether the rules agree with it.
pub(in crate::web) fn recorded(
    record: &MatchRecord,
    timed: &TimedRecord,
) -> Result<Recorded, Refusal> {
    let rules = rules_of(record)?;
    let reading = Reading::by_name(&timed.reading);
    let game = load_in_time(&EngineSpec::default(), &rules, reading);
    let game = game.map_err(|error| Refusal::unusable(error.to_string()))?;
    let replay = Replay::new(&rules, &game, timed)?;
    let metadata = rules.metadata();
    Ok(Recorded {
        id: rules.name().to_owned(),
        title: rules.title().to_owned(),
        roles: timed.roles.clone(),
        rules: metadata.map_or(String::new(), |facts| facts.rules.clone()),
        replay,
        differs: verify_in_time(&game, timed).err(),
    })
}

/// The rules of a record: the bundled ones, if they are the same, else those in the record.
fn rules_of(record: &MatchRecord) -> Result<Ruleset, Refusal> {
    let name = record.game_name.as_deref().unwrap_or("match");
    let mut bundled = paidia_library::real_time().iter();
    let bundled = bundled.find(|game| game.name == name);
    let found = match (&record.game_rulesheet, bundled) {
        (Some(text), Some(game)) if *text == game.rules => Ruleset::find(game.name),
        (Some(text), _) => Ruleset::from_text(name, text),
        (None, Some(game)) => Ruleset::find(game.name),
        (None, None) => {
            let why = "the record has no rules and names no bundled game";
            return Err(Refusal::unusable(why));
        }
    };
    found.map_err(|error| Refusal::unusable(error.sentence()))
}
