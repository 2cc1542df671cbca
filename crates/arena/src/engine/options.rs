//! From what is set about an engine to the engine's own options.

use paidia_reason::compiled::{Demand, Optimisations};
use paidia_reason::forward;
use paidia_reason::incremental;
use paidia_reason::prover;

use super::EngineSpec;

impl EngineSpec {
    /// What is set about compiled rules.
    pub(super) fn optimisations(&self) -> Optimisations {
        Optimisations {
            share: self.is_on("share"),
            order: self.is_on("order"),
            cut: self.is_on("cut"),
            restrict: self.is_on("restrict"),
            carry: self.is_on("carry"),
            demand: match self.value("demand") {
                "off" => Demand::Never,
                "always" => Demand::Always,
                _ => Demand::WherePays,
            },
        }
    }

    /// What is set about the incremental engine.
    pub(super) fn incremental_options(&self) -> incremental::Options {
        incremental::Options {
            levels: self.is_on("levels"),
            support: self.is_on("support"),
            queue: self.is_on("queue"),
            count: self.is_on("count"),
            lazy: self.is_on("lazy"),
        }
    }

    /// What is set about the forward engine.
    pub(super) fn forward_options(&self) -> forward::Options {
        forward::Options {
            order: match self.value("order") {
                "worst" => forward::Order::Worst,
                "original" => forward::Order::Original,
                _ => forward::Order::Best,
            },
            memory: self.value("memory").parse::<usize>().unwrap_or(512) << 20,
            candidates: self.is_on("candidates"),
        }
    }

    /// What is set about the prover.
    pub(super) fn prover_options(&self) -> prover::Options {
        prover::Options {
            state: match self.value("state") {
                "list" => prover::StateStore::List,
                "naive" => prover::StateStore::Naive,
                _ => prover::StateStore::Asserted,
            },
            order: match self.value("order") {
                "written" => prover::Order::Written,
                _ => prover::Order::NegativesLast,
            },
            fixed: self.is_on("fixed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Demand, EngineSpec};

    #[test]
    fn settings_are_as_they_are_written_or_as_they_usually_are() {
        let read = |text: &str| text.parse::<EngineSpec>().unwrap();
        let optimisations = read("compiled(cut=off, order=on)").optimisations();
        assert!(optimisations.share && optimisations.order && optimisations.restrict);
        assert!(!optimisations.cut);
        assert_eq!(optimisations.demand, Demand::WherePays);
        let optimisations = read("compiled(demand=off)").optimisations();
        assert_eq!(optimisations.demand, Demand::Never);
        assert_eq!(read("forward").forward_options(), Default::default());
        assert_eq!(read("forward(memory=1)").forward_options().memory, 1 << 20);
        assert_eq!(read("prover").prover_options(), Default::default());
        assert!(read("prover(fixed=on)").prover_options().fixed);
    }
}
