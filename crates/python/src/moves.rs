//! Moves between Python and ids: a text (`"(mark 1 1)"`) or its number in `game.moves`.

use std::sync::{Mutex, PoisonError};

use paidia_game::{MoveId, Rules};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors;
use paidia_game::AnyGame;

/// The texts of moves as Python strings, each made once.
#[derive(Default)]
pub(crate) struct MoveTexts {
    texts: Mutex<Vec<Option<Py<PyString>>>>,
}

impl MoveTexts {
    /// The texts of moves.
    pub(crate) fn list(&self, py: Python<'_>, game: &AnyGame, ids: &[MoveId]) -> Vec<Py<PyString>> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let one = |&MoveId(id): &MoveId| {
            let place = id as usize;
            if texts.len() <= place {
                texts.resize_with(place + 1, || None);
            }
            let text = texts[place].get_or_insert_with(|| {
                PyString::intern(py, &game.moves().name(MoveId(id))).unbind()
            });
            text.clone_ref(py)
        };
        ids.iter().map(one).collect()
    }
}

/// The id of a move, given as its text or its number.
pub(crate) fn read(game: &AnyGame, given: &Bound<'_, PyAny>) -> PyResult<MoveId> {
    if let Ok(text) = given.cast::<PyString>() {
        let text = text.to_cow()?;
        return find(game, &text)
            .ok_or_else(|| errors::IllegalMove::new_err(format!("no move is called `{text}`")));
    }
    let number: i64 = given.extract().map_err(|_| {
        pyo3::exceptions::PyTypeError::new_err(
            "a move is its text, such as \"(mark 1 1)\", or its number in game.moves",
        )
    })?;
    let known = game.moves().len();
    match u32::try_from(number) {
        Ok(number) if (number as usize) < known => Ok(MoveId(number)),
        _ => Err(errors::IllegalMove::new_err(format!(
            "no move has the number {number}: there are {known}"
        ))),
    }
}

/// A move by its text, however it is spaced.
fn find(game: &AnyGame, text: &str) -> Option<MoveId> {
    let found = game.moves().find(text);
    found.or_else(|| {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = words.replace("( ", "(").replace(" )", ")").to_lowercase();
        game.moves().find(&words)
    })
}
