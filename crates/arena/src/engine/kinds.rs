//! The engines that there are, and what can be set about each.

use paidia_reason::propnet::PASSES;

/// An engine that can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// The choice among the others.
    #[default]
    Auto,
    /// The one that all others are compared with.
    Reference,
    /// Goal-directed resolution.
    Prover,
    /// Look-ups in tables over numbered facts.
    Forward,
    /// Filter trees over flat arrays.
    Compiled,
    /// Models of ground rules, updated by what changes.
    Incremental,
    /// A network of gates.
    Propnet,
    /// The same network for many playouts at a time.
    Batch,
}

/// What there is to say about an engine.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Which engine it is.
    pub engine: Engine,
    /// How it is written.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub what: &'static str,
    /// What can be set.
    pub settings: &'static [Setting],
}

/// Something that can be set about an engine.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// How it is written.
    pub name: &'static str,
    /// What it does if it is on, or what it means.
    pub what: &'static str,
    /// What it takes.
    pub takes: Takes,
}

/// What a setting takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// One of these words; the first if nothing is said.
    OneOf(&'static [&'static str]),
    /// A whole number from here to there.
    Whole {
        /// The least and the most.
        range: (u64, u64),
        /// What it is if nothing is said.
        usual: &'static str,
    },
}

/// All engines, in the order of [`Engine`].
pub const ENGINES: &[Kind] = &[
    Kind {
        engine: Engine::Auto,
        name: "auto",
        what: "The network if the rules become one within a budget of time and memory, else the fastest of the others, by a short measurement",
        settings: &PASS_SETTINGS,
    },
    Kind {
        engine: Engine::Reference,
        name: "reference",
        what: "Derives from the rules what holds, in every state anew; all others are compared with it",
        settings: &[],
    },
    Kind {
        engine: Engine::Prover,
        name: "prover",
        what: "Proves what is asked by resolution, as Prolog does; the base of comparisons",
        settings: PROVER,
    },
    Kind {
        engine: Engine::Forward,
        name: "forward",
        what: "Rules as look-ups in tables over numbered facts, run in every state anew; needs no network",
        settings: FORWARD,
    },
    Kind {
        engine: Engine::Compiled,
        name: "compiled",
        what: "Rules as code over flat arrays, run in every state anew; needs no network",
        settings: COMPILED,
    },
    Kind {
        engine: Engine::Incremental,
        name: "incremental",
        what: "Rules without variables, of which only what changes from state to state is derived again",
        settings: INCREMENTAL,
    },
    Kind {
        engine: Engine::Propnet,
        name: "propnet",
        what: "A network of gates, made from the rules, in which only what changes is looked at",
        settings: &PASS_SETTINGS,
    },
    Kind {
        engine: Engine::Batch,
        name: "batch",
        what: "The same network for many random playouts at a time; for playouts only",
        settings: &PASS_SETTINGS,
    },
];

/// Which reasoner the prover is like.
const PROVER: &[Setting] = &[
    Setting {
        name: "state",
        what: "where the facts of the state are found",
        takes: Takes::OneOf(&["asserted", "list", "naive"]),
    },
    Setting {
        name: "order",
        what: "the order in which conditions are proved",
        takes: Takes::OneOf(&["negatives-last", "written"]),
    },
    Setting {
        name: "fixed",
        what: "relations that never change are derived once",
        takes: Takes::OneOf(&["off", "on"]),
    },
];

/// How conditions are ordered and looked up.
const FORWARD: &[Setting] = &[
    Setting {
        name: "order",
        what: "the order of conditions: by the fewest expected reads, the author's, by the most",
        takes: Takes::OneOf(&["best", "original", "worst"]),
    },
    switch(
        "candidates",
        "only facts that can agree with those before are read where they are few",
    ),
    Setting {
        name: "memory",
        what: "megabytes for tables; rules whose tables do not fit run without",
        takes: Takes::Whole {
            range: (0, 1 << 20),
            usual: "512",
        },
    },
];

/// The optimisations of filter trees.
const COMPILED: &[Setting] = &[
    switch(
        "share",
        "rules share the queries with which they start alike",
    ),
    switch(
        "order",
        "queries are ordered by how many rows they are expected to find",
    ),
    switch(
        "cut",
        "one success of the rest is enough where the head is bound",
    ),
    switch(
        "restrict",
        "values that a later query cannot have are dropped at once",
    ),
    switch(
        "carry",
        "rows that rules take over as they are are copied by words",
    ),
    Setting {
        name: "demand",
        what: "only rows that somebody asks for are derived: where that pays, never, or wherever it can be done",
        takes: Takes::OneOf(&["on", "off", "always"]),
    },
    switch("native", "rules become machine code"),
];

/// The optimisations of updates.
const INCREMENTAL: &[Setting] = &[
    switch("levels", "an atom waits until all its rules are final"),
    switch("support", "an atom keeps track of what supports it"),
    switch(
        "queue",
        "what waits is kept in lists by level, not in a heap",
    ),
    switch("count", "a rule counts the conditions that do not hold"),
    switch("lazy", "only what a question needs is brought up to date"),
];

/// The passes that make networks smaller.
const PASS_SETTINGS: [Setting; PASSES.len()] = {
    let mut settings = [switch("", ""); PASSES.len()];
    let mut place = 0;
    while place < PASSES.len() {
        settings[place] = switch(PASSES[place].name, PASSES[place].what);
        place += 1;
    }
    settings
};

/// Something that is on unless it is switched off.
const fn switch(name: &'static str, what: &'static str) -> Setting {
    Setting {
        name,
        what,
        takes: Takes::OneOf(&["on", "off"]),
    }
}

impl Engine {
    /// What there is to say about it.
    pub fn kind(self) -> &'static Kind {
        &ENGINES[self as usize]
    }

    /// Whether rules become a network for it, the passes of which can be set.
    pub fn has_network(self) -> bool {
        matches!(self, Engine::Auto | Engine::Propnet | Engine::Batch)
    }

    /// The name in reports and wherever engines are named.
    pub fn name(self) -> &'static str {
        self.kind().name
    }
}

impl Takes {
    /// What it is if nothing is said.
    pub fn usual(self) -> &'static str {
        match self {
            Takes::OneOf(words) => words.first().copied().unwrap_or_default(),
            Takes::Whole { usual, .. } => usual,
        }
    }

    /// Whether a value is one of those that it takes.
    pub(super) fn fits(self, value: &str) -> bool {
        match self {
            Takes::OneOf(words) => words.contains(&value),
            Takes::Whole {
                range: (least, most),
                ..
            } => value
                .parse()
                .is_ok_and(|number| (least..=most).contains(&number)),
        }
    }

    /// What it takes, in words.
    pub(super) fn in_words(self) -> String {
        match self {
            Takes::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                words.join(" or ")
            }
            Takes::Whole {
                range: (least, most),
                ..
            } => format!("a whole number from {least} to {most}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ENGINES;

    #[test]
    fn the_list_is_in_the_order_of_the_engines() {
        for kind in ENGINES {
            assert_eq!(kind.engine.name(), kind.name);
            assert!(kind.settings.iter().all(|setting| !setting.name.is_empty()));
        }
    }
}
