//! Controllers by what is set about them.

use super::{
    AtRandom, Chooser, Controller, Novelty, Olets, OneStep, Rolling, RollingOptions, Scout, Tree,
    TreeOptions, Width,
};

/// How a controller decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// What did best in trial play before the first action.
    Chooser,
    /// Plans by width that are kept, beside open-loop expectimax.
    Scout,
    /// Any action.
    Random,
    /// One step of look-ahead.
    OneStep,
    /// Search in breadth, perhaps without states in which nothing is new.
    Width(Novelty),
    /// Monte Carlo tree search.
    Tree,
    /// Rolling-horizon evolution.
    Rolling,
    /// Open-loop expectimax tree search.
    Olets,
}

/// All that is set about a controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How it decides.
    pub method: Method,
    /// With [`Method::Width`]: whether actions that lose at once are left out first.
    pub prune: bool,
    /// With [`Method::Width`]: the factor for rewards of later actions.
    pub discount: f64,
    /// With [`Method::Tree`].
    pub tree: TreeOptions,
    /// With [`Method::Rolling`].
    pub rolling: RollingOptions,
}

impl Settings {
    /// The usual settings of a method.
    pub fn of(method: Method) -> Self {
        Self {
            method,
            prune: true,
            discount: 0.99,
            tree: TreeOptions::default(),
            rolling: RollingOptions::default(),
        }
    }

    /// The controller.
    pub fn controller(&self) -> Box<dyn Controller> {
        match self.method {
            Method::Chooser => Box::new(Chooser::default()),
            Method::Scout => Box::new(Scout::default()),
            Method::Random => Box::new(AtRandom),
            Method::OneStep => Box::new(OneStep::default()),
            Method::Width(novelty) => {
                let search = Width::new(novelty).with_discount(self.discount);
                Box::new(match self.prune {
                    true => search,
                    false => search.without_prepruning(),
                })
            }
            Method::Tree => Box::new(Tree::new(self.tree)),
            Method::Rolling => Box::new(Rolling::new(self.rolling)),
            Method::Olets => Box::new(Olets::default()),
        }
    }
}
