//! What a machine may lack, and whether its absence is a failure.

use std::path::PathBuf;

/// The variable that names what must be there.
const VARIABLE: &str = "PAIDIA_REQUIRE";

/// What tests may need: the word for `PAIDIA_REQUIRE`, and how to get it.
const NEEDS: &[(&str, &str)] = &[
    (
        "corpus",
        "set PAIDIA_CORPUS to the folder of the public collection, or put it at ../shared/games",
    ),
    (
        "boards",
        "set PAIDIA_BOARDS to the folder of the reference data, or put it at ../shared/boards",
    ),
    (
        "vgdl",
        "set PAIDIA_VGDL to the folder of recorded video games, or put it at ../shared/vgdl",
    ),
    ("postgres", "`apt-get install postgresql`"),
    ("browser", "`apt-get install chromium`"),
    (
        "page",
        "`apt-get install nodejs npm chromium`, then `npm ci` in crates/server/browser",
    ),
    ("prolog", "`apt-get install swi-prolog-nox`"),
    (
        "hidden",
        "set PAIDIA_HIDDEN to the folder of the hidden games with their truth, or put it at ../shared/gdl2",
    ),
];

/// What was found; `None`, with a note, where it is missing and a test may skip.
///
/// # Panics
/// Where it is missing and `PAIDIA_REQUIRE` names it (or is `all`), and where `PAIDIA_REQUIRE` has
/// a word that means nothing.
#[track_caller]
pub fn need<T>(word: &str, found: Result<T, String>) -> Option<T> {
    let list = std::env::var(VARIABLE).unwrap_or_default();
    match decide(&list, word, found) {
        Ok(Ok(found)) => Some(found),
        Ok(Err(note)) => {
            eprintln!("SKIPPED: {note}");
            None
        }
        Err(failure) => panic!("{failure}"),
    }
}

/// What was found, or a note about a skip, or a failure.
fn decide<T>(
    list: &str,
    word: &str,
    found: Result<T, String>,
) -> Result<Result<T, String>, String> {
    let known: Vec<&str> = NEEDS.iter().map(|(word, _)| *word).collect();
    let words: Vec<&str> = list.split(',').map(str::trim).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let unknown = words
        .iter()
        .find(|word| **word != "all" && !known.contains(word));
    if let Some(unknown) = unknown {
        let known = known.join(", ");
        return Err(format!(
            "{VARIABLE} names `{unknown}`; it may name {known}, or all"
        ));
    }
    let Some((_, remedy)) = NEEDS.iter().find(|(other, _)| *other == word) else {
        return Err(format!("no test may need `{word}`"));
    };
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(what) if words.iter().any(|other| *other == word || *other == "all") => Err(format!(
            "{what}; {remedy} ({VARIABLE} names `{word}`, so this test must not skip)"
        )),
        Err(what) => Ok(Err(format!("{what}; {remedy}"))),
    }
}

/// The first program with one of these names in the path.
///
/// # Errors
/// That there is none.
pub fn program(names: &[&str]) -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let places = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = places.into_iter().find(|place| place.is_file());
    found.ok_or_else(|| format!("there is no program `{}` in the path", names[0]))
}

/// The browser that `PAIDIA_BROWSER` names, or a Chromium in the path.
///
/// # Errors
/// That there is none.
pub fn chromium() -> Result<PathBuf, String> {
    let given = std::env::var_os("PAIDIA_BROWSER").map(PathBuf::from);
    given.map_or_else(
        || program(&["chromium", "chromium-browser", "google-chrome"]),
        Ok,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing() -> Result<(), String> {
        Err("there is none".to_owned())
    }

    #[test]
    fn what_is_not_required_may_be_missing() {
        for list in ["", "postgres", "postgres, browser,"] {
            let note = decide(list, "corpus", missing()).unwrap().unwrap_err();
            assert!(note.starts_with("there is none; set PAIDIA_CORPUS"));
            assert_eq!(decide(list, "corpus", Ok(3)), Ok(Ok(3)));
        }
    }

    #[test]
    fn what_is_required_may_not() {
        for list in ["corpus", "postgres, corpus", "all"] {
            let failure = decide(list, "corpus", missing()).unwrap_err();
            assert!(failure.contains("there is none; set PAIDIA_CORPUS"));
            assert_eq!(decide(list, "corpus", Ok(3)), Ok(Ok(3)));
        }
    }

    #[test]
    fn unknown_words_are_failures() {
        let failure = decide("corpus,postgers", "corpus", Ok(3)).unwrap_err();
        assert!(failure.contains("names `postgers`; it may name corpus, "));
        assert!(decide("", "corpse", Ok(3)).is_err());
    }

    /// Checks the variable of this very run, in case no other test needs anything.
    #[test]
    fn the_variable_of_this_run_has_known_words() {
        assert_eq!(need("corpus", Ok(3)), Some(3));
    }
}
