//! The Python module `paidia`: games from their rules.
//!
//! What Python imports as `paidia.paidia_native`; the package around it (`python/paidia`) adds what
//! is written more plainly in Python: results as dictionaries, vector environments, bridges to
//! other libraries. `game` holds rules that are ready to play, `state` positions as values,
//! `lanes` thousands of games side by side over NumPy arrays, `tournaments`
//! what many machines play together, and `work` runs what takes long
//! without the interpreter's lock, with progress and Ctrl-C.

// Python hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

mod errors;
mod game;
mod lanes;
mod matches;
mod moves;
mod state;
mod tournaments;
mod work;

use pyo3::prelude::*;

/// Games from their rules; `paidia` is the package to import.
#[pymodule]
fn paidia_native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<game::Game>()?;
    module.add_class::<state::State>()?;
    module.add_class::<lanes::Lanes>()?;
    module.add_class::<tournaments::Tournament>()?;
    module.add_class::<tournaments::TournamentStore>()?;
    module.add_function(wrap_pyfunction!(game::bundled, module)?)?;
    module.add_function(wrap_pyfunction!(game::diagnose, module)?)?;
    module.add_function(wrap_pyfunction!(matches::players, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
