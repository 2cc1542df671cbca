//! The incremental engine: numeric models after random updates, and games beside the reference
//! engine.
//!
//! `PAIDIA_CORPUS` tells where the public collection is.

mod games;
mod numeric;
mod program;
mod published;
mod rows;

use paidia_reason::incremental::Options;

const ALL: Options = Options {
    levels: true,
    support: true,
    queue: true,
    count: true,
    lazy: true,
};

/// Each optimisation left out, and all of them.
fn without() -> [Options; 6] {
    [
        Options {
            levels: false,
            ..ALL
        },
        Options {
            support: false,
            ..ALL
        },
        Options {
            queue: false,
            ..ALL
        },
        Options {
            count: false,
            ..ALL
        },
        Options { lazy: false, ..ALL },
        Options {
            levels: false,
            support: false,
            queue: false,
            count: false,
            lazy: false,
        },
    ]
}
