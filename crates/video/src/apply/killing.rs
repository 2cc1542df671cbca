//! Effects that kill. (section 16)

use super::Outcome;
use crate::avatar::norm;
use crate::effect::{Effect, Operation as O};
use crate::kind::TypeId;
use crate::tick::Run;

impl Run<'_> {
    pub(super) fn kill_all(&mut self, kind: TypeId) {
        for place in 0..self.state.group_len(kind) {
            let slot = self.state.member(kind, place);
            self.kill(slot, false);
        }
    }

    pub(super) fn amount(&self, slot: u16, resource: TypeId) -> i32 {
        self.state.stock(slot, resource).unwrap_or(0)
    }

    pub(super) fn kill_if(&mut self, effect: &Effect, first: u16, second: u16) -> Outcome {
        let (sprite, resource, limit) = (*self.sprite(first), effect.resource, effect.limit);
        let kills = match effect.operation {
            O::KillIfHasMore => self.amount(first, resource) >= limit,
            O::KillIfHasLess => self.amount(first, resource) <= limit,
            O::KillIfOtherHasMore => {
                let enough = self.amount(second, resource) >= limit;
                if enough && effect.subtract {
                    self.state.give(second, resource, limit.saturating_neg());
                }
                enough
            }
            O::KillIfFromAbove => {
                let other = self.sprite(second);
                let half = i32::from(other.h).div_euclid(2);
                sprite.last_y > other.last_y + half && other.y > other.last_y
            }
            _ => {
                let (x, y) = self.last_direction(first);
                let own = norm(f64::from(x), f64::from(y));
                let (x, y) = self.last_direction(second);
                let other = norm(f64::from(x), f64::from(y));
                let opposite = own.0 + other.0 == 0.0 && own.1 + other.1 == 0.0;
                let frontal = effect.operation == O::KillIfFrontal;
                own == (0.0, 0.0) || opposite == frontal
            }
        };
        if kills {
            self.kill(first, false);
        }
        kills.into()
    }

    pub(super) fn kill_by_speed(&mut self, effect: &Effect, first: u16, second: u16) {
        let (sprite, other) = (*self.sprite(first), *self.sprite(second));
        let relative = if self.level.fields(sprite.kind).is_static {
            self.speed(&other)
        } else if self.level.fields(other.kind).is_static {
            self.speed(&sprite)
        } else {
            let (x, y) = self.state.vector(sprite.orientation);
            let (other_x, other_y) = self.state.vector(other.orientation);
            ((x - other_x).powi(2) + (y - other_y).powi(2)).sqrt()
        };
        let kills = if effect.operation == O::KillIfFast {
            relative > effect.limit_speed
        } else {
            relative < effect.limit_speed
        };
        if kills {
            self.kill(first, false);
        }
    }
}
