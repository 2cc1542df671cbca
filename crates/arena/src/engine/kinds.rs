//! The engines that there are, and their options.

use paidia_reason::compiled::{Demand, Optimisations};
use paidia_reason::propnet::PASSES;
use paidia_reason::{forward, incremental, prover};

use crate::options::{self, BadSpec, Catalogue, Configured, Entry, Field, Setting, Spec, Takes};

type Words<T> = options::Words<EngineSettings, T>;
type Whole = options::Whole<EngineSettings>;

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
    /// The same on a GPU.
    Gpu,
}

/// An engine, with what was set about it.
pub type EngineSpec = Spec<EngineSettings>;

/// Why a text is no engine.
pub type BadEngine = BadSpec;

/// What is set about an engine; each engine has options for some of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct EngineSettings {
    pub(super) engine: Engine,
    pub(super) prover: prover::Options,
    pub(super) forward: forward::Options,
    pub(super) compiled: Optimisations,
    /// Whether compiled rules stay without machine code.
    pub(super) not_native: bool,
    pub(super) incremental: incremental::Options,
    /// The passes that are left out, a bit each, in the order of [`PASSES`].
    passes_off: u64,
}

impl EngineSettings {
    fn new(engine: Engine) -> Self {
        Self {
            engine,
            ..Self::default()
        }
    }

    /// Whether a pass is run when a network is made.
    pub(super) fn has_pass(&self, name: &str) -> bool {
        let place = PASSES.iter().position(|pass| pass.name == name);
        place.is_some_and(|place| self.passes_off >> place & 1 == 0)
    }
}

impl Configured for EngineSettings {
    const CATALOGUE: Catalogue<Self> = Catalogue {
        noun: "engine",
        a_noun: "an engine",
        example: "`compiled` or `compiled(share=off, cut=off)`",
        entries: ENGINES,
    };
}

/// All engines, in the order of [`Engine`].
pub const ENGINES: &[Entry<EngineSettings>] = &[
    Entry {
        name: "auto",
        what: "The network if the rules become one within a budget of time and memory, else the fastest of the others, by a short measurement",
        groups: PASS_GROUPS,
        defaults: || EngineSettings::new(Engine::Auto),
    },
    Entry {
        name: "reference",
        what: "Derives from the rules what holds, in every state anew; all others are compared with it",
        groups: &[],
        defaults: || EngineSettings::new(Engine::Reference),
    },
    Entry {
        name: "prover",
        what: "Proves what is asked by resolution, as Prolog does; the base of comparisons",
        groups: &[PROVER],
        defaults: || EngineSettings::new(Engine::Prover),
    },
    Entry {
        name: "forward",
        what: "Rules as look-ups in tables over numbered facts, run in every state anew; needs no network",
        groups: &[FORWARD],
        defaults: || EngineSettings::new(Engine::Forward),
    },
    Entry {
        name: "compiled",
        what: "Rules as code over flat arrays, run in every state anew; needs no network",
        groups: &[COMPILED],
        defaults: || EngineSettings::new(Engine::Compiled),
    },
    Entry {
        name: "incremental",
        what: "Rules without variables, of which only what changes from state to state is derived again",
        groups: &[INCREMENTAL],
        defaults: || EngineSettings::new(Engine::Incremental),
    },
    Entry {
        name: "propnet",
        what: "A network of gates, made from the rules, in which only what changes is looked at",
        groups: PASS_GROUPS,
        defaults: || EngineSettings::new(Engine::Propnet),
    },
    Entry {
        name: "batch",
        what: "The same network for many random playouts at a time; for playouts only",
        groups: PASS_GROUPS,
        defaults: || EngineSettings::new(Engine::Batch),
    },
    Entry {
        name: "gpu",
        what: "The same network for millions of random playouts at a time on a GPU; for playouts only, and by `batch` where no GPU plays",
        groups: PASS_GROUPS,
        defaults: || EngineSettings::new(Engine::Gpu),
    },
];

/// What is set by `on` and `off`.
const ON_OR_OFF: &[(&str, bool)] = &[("on", true), ("off", false)];

/// Something that is switched on and off.
const fn switch(
    get: fn(&EngineSettings) -> Option<bool>,
    set: fn(&mut EngineSettings, bool),
) -> Words<bool> {
    Words {
        words: ON_OR_OFF,
        get,
        set,
    }
}

/// Which reasoner the prover is like.
const PROVER: &[Setting<EngineSettings>] = &[
    Setting::new(
        "state",
        "where the facts of the state are found",
        &Words {
            words: &[
                ("asserted", prover::StateStore::Asserted),
                ("list", prover::StateStore::List),
                ("naive", prover::StateStore::Naive),
            ],
            get: |s| Some(s.prover.state),
            set: |s, state| s.prover.state = state,
        },
    ),
    Setting::new(
        "order",
        "the order in which conditions are proved",
        &Words {
            words: &[
                ("negatives-last", prover::Order::NegativesLast),
                ("written", prover::Order::Written),
            ],
            get: |s| Some(s.prover.order),
            set: |s, order| s.prover.order = order,
        },
    ),
    Setting::new(
        "fixed",
        "relations that never change are derived once",
        &switch(|s| Some(s.prover.fixed), |s, on| s.prover.fixed = on),
    ),
];

/// How conditions are ordered and looked up.
const FORWARD: &[Setting<EngineSettings>] = &[
    Setting::new(
        "order",
        "the order of conditions: by the fewest expected reads, the author's, by the most",
        &Words {
            words: &[
                ("best", forward::Order::Best),
                ("original", forward::Order::Original),
                ("worst", forward::Order::Worst),
            ],
            get: |s| Some(s.forward.order),
            set: |s, order| s.forward.order = order,
        },
    ),
    Setting::new(
        "candidates",
        "only facts that can agree with those before are read where they are few",
        &switch(
            |s| Some(s.forward.candidates),
            |s, on| s.forward.candidates = on,
        ),
    ),
    Setting::new(
        "memory",
        "megabytes for tables; rules whose tables do not fit run without",
        &Whole {
            range: (0, 1 << 20),
            get: |s| Some((s.forward.memory >> 20) as u32),
            set: |s, megabytes| s.forward.memory = (megabytes as usize) << 20,
        },
    ),
];

/// The optimisations of filter trees.
const COMPILED: &[Setting<EngineSettings>] = &[
    Setting::new(
        "share",
        "rules share the queries with which they start alike",
        &switch(|s| Some(s.compiled.share), |s, on| s.compiled.share = on),
    ),
    Setting::new(
        "order",
        "queries are ordered by how many rows they are expected to find",
        &switch(|s| Some(s.compiled.order), |s, on| s.compiled.order = on),
    ),
    Setting::new(
        "cut",
        "one success of the rest is enough where the head is bound",
        &switch(|s| Some(s.compiled.cut), |s, on| s.compiled.cut = on),
    ),
    Setting::new(
        "restrict",
        "values that a later query cannot have are dropped at once",
        &switch(
            |s| Some(s.compiled.restrict),
            |s, on| s.compiled.restrict = on,
        ),
    ),
    Setting::new(
        "carry",
        "rows that rules take over as they are are copied by words",
        &switch(|s| Some(s.compiled.carry), |s, on| s.compiled.carry = on),
    ),
    Setting::new(
        "demand",
        "only rows that are asked for are derived: where that pays, never, or wherever it can be done",
        &Words {
            words: &[
                ("on", Demand::WherePays),
                ("off", Demand::Never),
                ("always", Demand::Always),
            ],
            get: |s| Some(s.compiled.demand),
            set: |s, demand| s.compiled.demand = demand,
        },
    ),
    Setting::new(
        "native",
        "rules become machine code",
        &switch(|s| Some(!s.not_native), |s, on| s.not_native = !on),
    ),
];

/// The optimisations of updates.
const INCREMENTAL: &[Setting<EngineSettings>] = &[
    Setting::new(
        "levels",
        "an atom waits until all its rules are final",
        &switch(
            |s| Some(s.incremental.levels),
            |s, on| s.incremental.levels = on,
        ),
    ),
    Setting::new(
        "support",
        "an atom keeps track of what supports it",
        &switch(
            |s| Some(s.incremental.support),
            |s, on| s.incremental.support = on,
        ),
    ),
    Setting::new(
        "queue",
        "what waits is kept in lists by level, not in a heap",
        &switch(
            |s| Some(s.incremental.queue),
            |s, on| s.incremental.queue = on,
        ),
    ),
    Setting::new(
        "count",
        "a rule counts the conditions that do not hold",
        &switch(
            |s| Some(s.incremental.count),
            |s, on| s.incremental.count = on,
        ),
    ),
    Setting::new(
        "lazy",
        "only what a question needs is brought up to date",
        &switch(
            |s| Some(s.incremental.lazy),
            |s, on| s.incremental.lazy = on,
        ),
    ),
];

/// Whether a pass is run when a network is made, by its place in [`PASSES`].
struct PassSwitch(usize);

impl Field<EngineSettings> for PassSwitch {
    fn takes(&self) -> Takes {
        Takes {
            words: vec!["on", "off"],
            ..Takes::default()
        }
    }

    fn get(&self, settings: &EngineSettings) -> Option<String> {
        let word = ["on", "off"][(settings.passes_off >> self.0 & 1) as usize];
        Some(word.to_owned())
    }

    fn set(&self, settings: &mut EngineSettings, value: &str) -> bool {
        match value {
            "on" => settings.passes_off &= !(1 << self.0),
            "off" => settings.passes_off |= 1 << self.0,
            _ => return false,
        }
        true
    }
}

const PASS_SWITCHES: [PassSwitch; PASSES.len()] = {
    let mut switches = [const { PassSwitch(0) }; PASSES.len()];
    let mut place = 0;
    while place < PASSES.len() {
        switches[place] = PassSwitch(place);
        place += 1;
    }
    switches
};

/// The passes that make networks smaller.
const PASS_SETTINGS: [Setting<EngineSettings>; PASSES.len()] = {
    let mut settings = [const { Setting::new("", "", &PassSwitch(0)) }; PASSES.len()];
    let mut place = 0;
    while place < PASSES.len() {
        let pass = &PASSES[place];
        settings[place] = Setting::new(pass.name, pass.what, &PASS_SWITCHES[place]);
        place += 1;
    }
    settings
};

const PASS_GROUPS: &[&[Setting<EngineSettings>]] = &[&PASS_SETTINGS];

impl Engine {
    /// What there is to say about it.
    pub fn entry(self) -> &'static Entry<EngineSettings> {
        &ENGINES[self as usize]
    }

    /// The name in reports and wherever engines are named.
    pub fn name(self) -> &'static str {
        self.entry().name
    }
}

impl EngineSpec {
    /// Which engine it is.
    pub fn engine(&self) -> Engine {
        self.settings().engine
    }

    /// Another engine, with those of the values that it takes.
    #[must_use]
    pub fn with_engine(&self, engine: Engine) -> Self {
        self.moved_to(engine.entry())
    }
}

impl From<Engine> for EngineSpec {
    fn from(engine: Engine) -> Self {
        Self::default().with_engine(engine)
    }
}

#[cfg(test)]
mod tests {
    use super::{Demand, ENGINES, Engine, EngineSpec};

    fn read(text: &str) -> EngineSpec {
        text.parse().unwrap()
    }

    #[test]
    fn the_list_is_in_the_order_of_the_engines() {
        for entry in ENGINES {
            assert_eq!(read(entry.name).engine().name(), entry.name);
            assert!(entry.settings().all(|setting| !setting.name.is_empty()));
        }
    }

    #[test]
    fn the_first_word_is_the_default() {
        for entry in ENGINES {
            for setting in entry.settings() {
                let default = entry.default_of(setting);
                if let Some(first) = setting.field.takes().words.first()
                    && (entry.name, setting.name) != ("prover", "fixed")
                {
                    assert_eq!(default.as_deref(), Some(*first), "{}", setting.name);
                }
            }
        }
    }

    #[test]
    fn settings_are_as_they_are_written_or_as_they_usually_are() {
        let compiled = read("compiled(cut=off, order=on)").settings().compiled;
        assert!(compiled.share && compiled.order && compiled.restrict && !compiled.cut);
        assert_eq!(compiled.demand, Demand::WherePays);
        let compiled = read("compiled(demand=off)").settings().compiled;
        assert_eq!(compiled.demand, Demand::Never);
        assert_eq!(read("forward(memory=1)").settings().forward.memory, 1 << 20);
        assert!(read("prover(fixed=on)").settings().prover.fixed);
        let network = read("propnet(factor=off)");
        assert!(!network.settings().has_pass("factor") && network.settings().has_pass("flatten"));
    }

    #[test]
    fn what_another_engine_does_not_take_is_dropped() {
        let spec = read("auto(factor=off)");
        let network = spec.with_engine(Engine::Propnet);
        assert_eq!(network.to_string(), "propnet(factor=off)");
        assert_eq!(spec.with_engine(Engine::Compiled), Engine::Compiled.into());
        let written = read("prover(order=written)");
        assert_eq!(
            written.with_engine(Engine::Compiled),
            Engine::Compiled.into()
        );
        assert_eq!(read(" batch ( ) "), Engine::Batch.into());
    }

    #[test]
    fn mistakes_are_named_with_what_is_near() {
        let mistake = |text: &str| text.parse::<EngineSpec>().unwrap_err().to_string();
        for (text, said) in [
            (
                "compild",
                "there is no engine called `compild`; did you mean `compiled`?",
            ),
            (
                "compiled(shrae=off)",
                "the engine `compiled` has no `shrae`; did you mean `share`?",
            ),
            (
                "compiled(zzz=off)",
                "the engine `compiled` has no `zzz`; it has share, order, cut, restrict, carry, demand, native",
            ),
            (
                "reference(x=1)",
                "the engine `reference` has no `x`; it has nothing to set",
            ),
            (
                "compiled(cut=no)",
                "`no` is not a value for `cut`: `on` or `off`",
            ),
            ("compiled(cut=on, cut=on)", "`cut` is set twice"),
        ] {
            assert_eq!(mistake(text), said);
        }
        assert!(
            mistake("zzz").starts_with("there is no engine called `zzz`; the engines are auto, ")
        );
        assert!(mistake("compiled(").contains("is not written as an engine"));
    }
}
