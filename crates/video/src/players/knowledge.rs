//! What a controller learns about types of sprites while it plays: how often the avatar met them
//! and what that did to the score.
//!
//! At the end of a playout without a change of the score, the reward is what was learnt on the way:
//! events seen more often than before, and ways to types that are unknown or have paid. Method
//! page: docs/methods/kb-fast-evo.md.

use crate::kind::TypeId;
use crate::level::Level;
use crate::state::State;
use crate::tick::Event;

/// The weight of events in the reward.
const CURIOSITY: f64 = 0.66;
/// The weight of distances in the reward.
const EXPERIENCE: f64 = 0.33;

/// Events by type of sprite.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    items: Vec<Item>,
}

/// What is known of one type.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Item {
    /// How often the avatar, or what it made, met a sprite of the type.
    pub count: f64,
    /// The mean change of the score in the ticks in which that happened.
    pub gain: f64,
}

/// What was known, and how far away things were, when a playout began.
#[derive(Clone, Debug, Default)]
pub struct Start {
    items: Vec<Item>,
    distances: Vec<Option<f64>>,
    kinds: Vec<TypeId>,
    value: f64,
}

impl Knowledge {
    /// What is known of a type.
    pub fn of(&self, kind: TypeId) -> Item {
        let item = self.items.get(usize::from(kind));
        item.copied().unwrap_or_default()
    }

    /// Takes in the events of a tick and the change of the score in it.
    pub fn learn(&mut self, level: &Level, events: &[Event], change: f64) {
        self.items.resize(level.game.types.len(), Item::default());
        for event in events {
            if level.is_of_interest(event.passive) {
                let item = &mut self.items[usize::from(event.passive)];
                item.count += 1.0;
                item.gain += (change - item.gain) / item.count;
            }
        }
    }

    /// Notes where a playout begins.
    pub fn start(&self, level: &Level, state: &State, value: f64, start: &mut Start) {
        if start.kinds.is_empty() {
            start.kinds = level.kinds_of_interest();
        }
        start.items.clear();
        start.distances.clear();
        for &kind in &start.kinds {
            start.items.push(self.of(kind));
            start.distances.push(level.distance_to(state, kind));
        }
        start.value = value;
    }

    /// The reward of a playout that ended in a state. (Eq. 4 to 6)
    pub fn reward(&self, level: &Level, state: &State, value: f64, start: &Start) -> f64 {
        let change = value - start.value;
        if change != 0.0 {
            return change;
        }
        let (mut curiosity, mut experience) = (0.0, 0.0);
        for (place, &kind) in start.kinds.iter().enumerate() {
            let before = start.items[place];
            curiosity += more_events(before.count, self.of(kind).count);
            if let (Some(from), Some(to)) = (start.distances[place], level.distance_to(state, kind))
            {
                experience += nearer(before.count, self.of(kind).gain, from, to);
            }
        }
        blend(change, curiosity, experience)
    }
}

/// How much was learnt of a type: the share of events that are new. (Eq. 4)
pub fn more_events(before: f64, after: f64) -> f64 {
    if before == 0.0 {
        after
    } else {
        after / before - 1.0
    }
}

/// How much nearer the avatar came to a type that is unknown or has paid. (Eq. 5)
pub fn nearer(count: f64, gain: f64, from: f64, to: f64) -> f64 {
    if from > 0.0 && (count == 0.0 || gain > 0.0) {
        1.0 - to / from
    } else {
        0.0
    }
}

/// The reward: a change of the score, or else what was learnt. (Eq. 6)
pub fn blend(change: f64, curiosity: f64, experience: f64) -> f64 {
    if change == 0.0 {
        CURIOSITY * curiosity + EXPERIENCE * experience
    } else {
        change
    }
}

#[cfg(test)]
mod tests {
    use super::{blend, more_events, nearer};

    /// B7.
    #[test]
    fn equations_are_those_of_the_paper() {
        assert_eq!(more_events(0.0, 3.0), 3.0);
        assert_eq!(more_events(4.0, 6.0), 0.5);
        assert_eq!(more_events(4.0, 4.0), 0.0);
        assert_eq!(nearer(0.0, 0.0, 10.0, 5.0), 0.5);
        assert_eq!(nearer(3.0, 0.0, 10.0, 5.0), 0.0);
        assert_eq!(nearer(3.0, 2.0, 10.0, 5.0), 0.5);
        assert!(nearer(0.0, 0.0, 5.0, 10.0) < 0.0);
        assert_eq!(nearer(0.0, 0.0, 0.0, 4.0), 0.0);
        assert_eq!(blend(-1.0, 5.0, 5.0), -1.0);
        assert!((blend(0.0, 1.0, 0.5) - 0.825).abs() < 1e-12);
    }
}
