//! Histories, messages and conversions that an independent interpreter wrote down.

use std::fs;
use std::path::{Path, PathBuf};

use paidia_game::Reading;
use paidia_realtime::scripted::{Compared, Recorded, compare};

use crate::stage::engines_reading;

/// The engines in their order.
const ENGINES: [&str; 3] = ["reference", "compiled", "machine code"];

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/realtime");
    folder.is_dir().then_some(folder)
}

/// Compares a folder by the engine with a number: that in [`engines_reading`].
fn compare_folder(folder: &Path, engine: usize) -> (usize, Compared) {
    let (mut all, mut games) = (Compared::default(), 0);
    for entry in fs::read_dir(folder.join("data")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let recorded: Recorded = serde_json::from_str(&text).unwrap();
        let sheet = folder
            .join("games")
            .join(path.with_extension("kif").file_name().unwrap());
        let text = fs::read_to_string(sheet).unwrap();
        let [game, first] = [Reading::PostUpdate, Reading::EventFirst]
            .map(|reading| engines_reading(&text, Some(reading))[engine].clone());
        let found = compare(&game, &first, &recorded).unwrap();
        for difference in found.differences.iter().take(2) {
            eprintln!("{} with {}: {difference:#?}", recorded.game, game.core());
        }
        games += 1;
        all.scripts += found.scripts;
        all.entries += found.entries;
        all.messages += found.messages;
        all.readings += found.readings;
        all.differences.extend(found.differences);
    }
    (games, all)
}

#[test]
fn histories_messages_and_readings_are_as_recorded() {
    let Some(folder) = folder() else {
        return eprintln!("skipped: there is no recorded play in real time");
    };
    for (engine, name) in ENGINES.iter().enumerate() {
        for (part, floors) in [(".", (15, 150, 1_000)), ("conversion", (5, 45, 500))] {
            let (games, compared) = compare_folder(&folder.join(part), engine);
            assert_eq!(compared.differences.len(), 0, "{part} with {name}");
            let found = (games, compared.scripts, compared.entries);
            assert!(
                found.0 >= floors.0 && found.1 >= floors.1 && found.2 >= floors.2,
                "{found:?}"
            );
            println!("{part}, {name}: {games} games, {compared:?}");
        }
    }
}
