//! Rolling-horizon evolution: plans of a fixed length are bred until the time is up, and the best
//! one's first action is made. The next decision goes on with the plans of the last, moved on by
//! one action.

use paidia_game::Chance;

use super::{Controller, Simulator};
use crate::class::Action;
use crate::state::State;
use crate::view::actions_with_nil;

/// What the evolution is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollingOptions {
    /// Actions of a plan.
    pub length: usize,
    /// Plans that are kept.
    pub population: usize,
    /// How likely each action of a child is drawn anew.
    pub mutation: f64,
    /// Whether plans of the last decision are gone on with.
    pub shift: bool,
}

impl Default for RollingOptions {
    fn default() -> Self {
        Self {
            length: 14,
            population: 10,
            mutation: 0.15,
            shift: true,
        }
    }
}

/// Rolling-horizon evolution.
#[derive(Debug)]
pub struct Rolling {
    options: RollingOptions,
    plans: Vec<Plan>,
    trial: State,
}

#[derive(Clone, Debug)]
struct Plan {
    actions: Vec<Action>,
    value: f64,
}

impl Rolling {
    /// An evolution with some options.
    pub fn new(options: RollingOptions) -> Self {
        Self {
            options,
            plans: Vec::new(),
            trial: State::default(),
        }
    }

    fn drawn(&self, actions: &[Action], chance: &mut Chance) -> Vec<Action> {
        let one = |_| chance.pick(actions).unwrap_or(Action::Nil);
        (0..self.options.length.max(1)).map(one).collect()
    }

    /// The plans to begin with: those of the last decision moved on, or drawn ones.
    fn begin(&mut self, actions: &[Action], chance: &mut Chance) {
        if !self.options.shift {
            self.plans.clear();
        }
        for plan in &mut self.plans {
            plan.actions.remove(0);
            plan.actions
                .push(chance.pick(actions).unwrap_or(Action::Nil));
        }
        while self.plans.len() < self.options.population.max(2) {
            let actions = self.drawn(actions, chance);
            self.plans.push(Plan {
                actions,
                value: 0.0,
            });
        }
    }

    fn judge(&mut self, simulator: &mut Simulator<'_>, state: &State, plan: &[Action]) -> f64 {
        self.trial.copy(state);
        let mut value = 0.0;
        let mut weight = 1.0;
        let mut last = simulator.value(state);
        for &action in plan {
            if self.trial.is_over() || !simulator.has_budget() {
                break;
            }
            simulator.advance(&mut self.trial, action);
            let now = simulator.value(&self.trial);
            value += weight * (now - last);
            last = now;
            // Of equal gains the earlier one is better.
            weight *= 0.99;
        }
        value
    }

    /// A child of two good plans.
    fn breed(&self, actions: &[Action], chance: &mut Chance) -> Vec<Action> {
        let count = self.plans.len() as u32;
        let mut pick = || {
            let (one, other) = (chance.below(count), chance.below(count));
            // Plans stand in the order of their value.
            one.min(other) as usize
        };
        let (mother, father) = (pick(), pick());
        let mut child = Vec::with_capacity(self.options.length);
        for place in 0..self.plans[mother].actions.len() {
            let parent = if chance.below(2) == 0 { mother } else { father };
            let action = match chance.fraction() < self.options.mutation {
                true => chance.pick(actions).unwrap_or(Action::Nil),
                false => self.plans[parent].actions[place],
            };
            child.push(action);
        }
        child
    }
}

impl Controller for Rolling {
    fn choose(&mut self, simulator: &mut Simulator<'_>, state: &State) -> Action {
        let actions = actions_with_nil(simulator.level(), state);
        self.begin(actions, simulator.chance());
        let mut judged = 0;
        for place in 0..self.plans.len() {
            if !simulator.has_budget() {
                break;
            }
            let plan = std::mem::take(&mut self.plans[place].actions);
            self.plans[place].value = self.judge(simulator, state, &plan);
            self.plans[place].actions = plan;
            judged += 1;
        }
        self.plans.truncate(judged.max(1));
        let sort = |plans: &mut Vec<Plan>| plans.sort_by(|a, b| b.value.total_cmp(&a.value));
        sort(&mut self.plans);
        while simulator.has_budget() {
            let child = self.breed(actions, simulator.chance());
            let value = self.judge(simulator, state, &child);
            if !simulator.has_budget() {
                break;
            }
            let worst = self.plans.last_mut().expect("there are plans");
            if value >= worst.value {
                *worst = Plan {
                    actions: child,
                    value,
                };
                sort(&mut self.plans);
            }
        }
        let best = self.plans[0].actions.first().copied();
        best.filter(|action| actions.contains(action))
            .unwrap_or(Action::Nil)
    }

    fn plan(&self, into: &mut Vec<Action>) {
        into.clear();
        if let Some(best) = self.plans.first() {
            into.extend_from_slice(&best.actions);
        }
    }
}
