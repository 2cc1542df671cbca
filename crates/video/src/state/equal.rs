//! When two states are the same.

use std::hash::{Hash, Hasher};

use super::{FARTHEST, Rect, State, flag};
use crate::kind::TypeId;

impl State {
    /// Living sprites by type in their order, as all that tells states apart.
    fn telling(&self) -> impl Iterator<Item = Telling> + '_ {
        let base = usize::from(self.head.base);
        let turn = self.head.tick;
        let kinds = 0..usize::from(self.head.types);
        kinds.flat_map(move |kind| {
            let group = self.group(kind as TypeId).iter();
            group.map(move |&slot| {
                let sprite = &self.sprites[usize::from(slot) - base];
                let (x, y) = self.vector(sprite.orientation);
                Telling {
                    rect: sprite.rect(),
                    last: sprite.last_rect(),
                    numbers: [
                        i32::from(sprite.kind),
                        (turn - sprite.stamp).min(FARTHEST),
                        sprite.a,
                        sprite.b,
                        sprite.health,
                        sprite.max_health,
                        sprite.time_to_live,
                        i32::from(sprite.flags & flag::TELLING),
                    ],
                    bits: [
                        x.to_bits(),
                        y.to_bits(),
                        self.own_speed(sprite).map_or(0, f64::to_bits),
                    ],
                }
            })
        })
    }

    /// What sprites hold, by their place among all.
    fn holdings(&self) -> impl Iterator<Item = (usize, TypeId, i32)> + '_ {
        let kinds = 0..usize::from(self.head.types);
        let slots = kinds.flat_map(move |kind| self.group(kind as TypeId).iter().copied());
        let stocks = &self.extras.stocks;
        let wanted = if stocks.is_empty() { 0 } else { usize::MAX };
        slots
            .take(wanted)
            .enumerate()
            .flat_map(move |(place, slot)| {
                let own = stocks.iter().filter(move |stock| stock.slot == slot);
                own.map(move |stock| (place, stock.resource, stock.amount))
            })
    }
}

/// All of a sprite that tells states apart: its number and its slot do not.
#[derive(PartialEq, Eq, Hash)]
struct Telling {
    rect: Rect,
    last: Rect,
    numbers: [i32; 8],
    bits: [u64; 3],
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.head.tick == other.head.tick
            && self.head.score == other.head.score
            && self.head.win == other.head.win
            && self.head.living == other.head.living
            && self.telling().eq(other.telling())
            && self.holdings().eq(other.holdings())
            && self.extras.timers == other.extras.timers
            && self.extras.counters == other.extras.counters
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.head.tick.hash(hasher);
        self.head.score.hash(hasher);
        self.head.win.hash(hasher);
        for part in self.telling() {
            part.hash(hasher);
        }
    }
}
