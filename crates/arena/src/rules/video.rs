//! Video games at the front door.
//!
//! A text is a description with levels after it, each from a line `Level` on. A file that has no
//! level takes those beside it, as the original framework lays them out: `NAME_lvl0.txt` beside
//! `NAME.txt`. `GAME@2` is level 2, counted from 0.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use paidia_game::AnyGame;
use paidia_gdl::analysis::Contents;
use paidia_gdl::{Code, Problem, Source};
use paidia_library::{Board, GameKind, Labels, Metadata, Piece, Shape};
use paidia_video::{Bundled, Level, VideoGame, looks, parts, problems, read, read_with_level};

use super::{InvalidRules, Language, OtherRules, Reader, RuleText, RulesError};

/// Reads video games.
pub(super) struct VideoReader;

impl Reader for VideoReader {
    fn diagnose(&self, source: &Source) -> Vec<Problem> {
        let (reading, _) = match parts(&source.text).levels.is_empty() {
            // A description by itself is checked as far as it goes.
            true => (read(source), None),
            false => read_with_level(source),
        };
        reading.problems.into_iter().map(Problem::from).collect()
    }

    fn check(&self, text: RuleText) -> Result<Arc<dyn OtherRules>, InvalidRules> {
        let (reading, level) = read_with_level(&text.source);
        let problems: Vec<Problem> = reading.problems.into_iter().map(Problem::from).collect();
        let Some(level) = level else {
            return Err(InvalidRules {
                source: text.source,
                problems,
                too_large: None,
            });
        };
        let metadata = text.metadata.clone().unwrap_or_else(|| Metadata {
            title: text.name.clone(),
            ..plain()
        });
        let metadata = drawn(metadata, &level);
        let game = VideoGame::new(&text.name, Arc::new(level));
        Ok(Arc::new(VideoSheet {
            text: text.with_metadata(Some(metadata)),
            warnings: problems,
            roles: ["player".to_owned()],
            game,
        }))
    }

    fn print(&self, source: &Source) -> Result<String, Vec<Problem>> {
        let problems = self.diagnose(source);
        match problems.iter().any(Problem::is_error) {
            true => Err(problems),
            false => Ok(tidy(&source.text)),
        }
    }

    fn codes(&self) -> &'static [Code] {
        problems::CODES
    }
}

/// The same text without blanks at the ends of the description's lines, and tabs as the single
/// characters that they count as. Levels stay as they are: blanks are cells.
fn tidy(text: &str) -> String {
    let end = parts(text).description;
    let mut tidy = String::with_capacity(text.len());
    for line in text[..end].lines() {
        tidy.push_str(&line.replace('\t', " ").trim_end().replace('\r', ""));
        tidy.push('\n');
    }
    tidy.push_str(&text[end..]);
    tidy
}

/// A video game that passed the checks.
struct VideoSheet {
    text: RuleText,
    warnings: Vec<Problem>,
    roles: [String; 1],
    game: VideoGame,
}

impl OtherRules for VideoSheet {
    fn text(&self) -> &RuleText {
        &self.text
    }

    fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    fn contents(&self) -> Contents {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Contents {
            rules: self.game.level().game.interactions().1,
            fluents: words(&[
                "avatar/2",
                "counter/2",
                "holds/4",
                "over/0",
                "score/1",
                "sprite/20",
                "tick/1",
                "timer/6",
                "winner/1",
            ]),
            moves: words(&["down/0", "left/0", "nil/0", "right/0", "up/0", "use/0"]),
            ..Contents::default()
        }
    }

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn game(&self) -> Result<AnyGame, String> {
        Ok(AnyGame::new(self.game.clone()))
    }
}

fn plain() -> Metadata {
    Metadata {
        title: String::new(),
        players: 1,
        kind: GameKind::Video,
        idea: "A video game.".to_owned(),
        rules: String::new(),
        solvable_in: None,
        unit_milliseconds: None,
        public: None,
        boards: Vec::new(),
        pieces: Default::default(),
    }
}

/// What the level itself tells drawing code.
fn drawn(metadata: Metadata, level: &Level) -> Metadata {
    let (columns, rows) = level.size();
    let numbers = |count: i32| (0..count).map(|number| number.to_string()).collect();
    let pieces = looks(level).into_iter().map(|look| {
        let piece = Piece {
            glyph: look.glyph.to_string(),
            shape: None,
            colour: Some(look.colour.to_owned()),
        };
        (look.name, piece)
    });
    Metadata {
        boards: vec![Board {
            fluent: "cell".to_owned(),
            column: 1,
            row: 2,
            content: 3,
            shape: Shape::Square,
            when: Default::default(),
            labels: Labels::Numbers,
            checkered: false,
            dress: Default::default(),
            top_down: true,
            columns: numbers(columns),
            rows: numbers(rows),
        }],
        pieces: pieces.collect(),
        ..metadata
    }
}

/// Takes apart `GAME@LEVEL`, where `GAME` is a file of a video game.
pub(super) fn file_and_level(game: &str) -> Option<(&str, &str)> {
    let (file, level) = game.rsplit_once('@')?;
    Path::new(file).is_file().then_some((file, level))
}

/// A bundled video game by its name, perhaps with the number of a level; none if there is no such
/// game.
pub(super) fn bundled(game: &str) -> Option<Result<RuleText, RulesError>> {
    let (name, level) = match game.split_once('@') {
        Some((name, level)) => (name, Some(level)),
        None => (game, None),
    };
    let bundled = Bundled::find(name)?;
    let (title, rules) = bundled.title_and_rules();
    let file = format!("{name}.vgdl");
    let text = RuleText {
        name: name.to_owned(),
        source: Source::new(&*file, bundled.text),
        metadata: Some(Metadata {
            title,
            rules,
            ..plain()
        }),
        language: Language::Video,
    };
    Some(with_level(text, Path::new(&file), level))
}

/// The text with one level: one of its own, one beside the file, or the file that is named.
///
/// # Errors
/// If there is no such level.
pub(super) fn with_level(
    text: RuleText,
    file: &Path,
    level: Option<&str>,
) -> Result<RuleText, RulesError> {
    let wanted = level.unwrap_or("0");
    let number: Option<usize> = wanted.parse().ok();
    let own = number.and_then(|number| paidia_video::with_one_level(&text.source.text, number));
    let own = match own {
        Some(own) => own,
        None => {
            let path = match number {
                Some(_) => beside(file, wanted),
                None => PathBuf::from(wanted),
            };
            match path.is_file() {
                true => {
                    let rows = super::find::read_source(&path)?;
                    let end = parts(&text.source.text).description;
                    paidia_video::join(&text.source.text[..end], &rows.text)
                }
                // The reader says that there is no level; `check` needs none.
                false if level.is_none() => return Ok(text),
                false => {
                    return Err(RulesError::NoLevel {
                        game: text.source.name,
                        level: wanted.to_owned(),
                        beside: path.display().to_string(),
                    });
                }
            }
        }
    };
    let name = match level {
        Some(level) if number.is_some() => format!("{}@{level}", text.name),
        _ => text.name.clone(),
    };
    Ok(RuleText {
        source: Source::new(text.source.name.clone(), own),
        name,
        ..text
    })
}

/// The file of a level beside that of its game.
fn beside(file: &Path, number: &str) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    let named = file.with_file_name(format!("{stem}_lvl{number}.{extension}"));
    match named.is_file() {
        true => named,
        false => file.with_file_name(format!("{stem}_lvl{number}.txt")),
    }
}
