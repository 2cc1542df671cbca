//! Histories, messages and conversions that an independent interpreter wrote down.

use std::fs;
use std::path::{Path, PathBuf};

use paidia_game::Reading;
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_realtime::scripted::{Compared, Recorded, compare};
use paidia_reason::timed::{Core, Timed};

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/realtime");
    folder.is_dir().then_some(folder)
}

fn load(path: &Path, core: Core, reading: Reading) -> Timed {
    let name = path.file_stem().unwrap().to_string_lossy();
    let source = Source::new(&*name, fs::read_to_string(path).unwrap());
    let (sheet, report) = check_source(&source, None);
    assert!(!report.has_errors(), "{name}: {:?}", report.problems);
    let program = Program::new(&sheet.sheet, report.dialect).unwrap();
    Timed::new(&name, &program, core, Some(reading)).unwrap()
}

fn compare_folder(folder: &Path, core: Core) -> (usize, Compared) {
    let (mut all, mut games) = (Compared::default(), 0);
    for entry in fs::read_dir(folder.join("data")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let recorded: Recorded = serde_json::from_str(&text).unwrap();
        let sheet = folder
            .join("games")
            .join(path.with_extension("kif").file_name().unwrap());
        let game = load(&sheet, core, Reading::PostUpdate);
        let first = load(&sheet, core, Reading::EventFirst);
        let found = compare(&game, &first, &recorded).unwrap();
        for difference in found.differences.iter().take(2) {
            eprintln!("{} with {}: {difference:#?}", recorded.game, core.name());
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
    for core in [Core::Reference, Core::Compiled] {
        for (part, floors) in [(".", (15, 150, 1_000)), ("conversion", (5, 45, 500))] {
            let (games, compared) = compare_folder(&folder.join(part), core);
            assert_eq!(compared.differences.len(), 0, "{part} with {}", core.name());
            let found = (games, compared.scripts, compared.entries);
            assert!(
                found.0 >= floors.0 && found.1 >= floors.1 && found.2 >= floors.2,
                "{found:?}"
            );
            println!("{part}, {}: {games} games, {compared:?}", core.name());
        }
    }
}
