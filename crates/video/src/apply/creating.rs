//! Effects that create sprites. (section 16)

use super::Outcome;
use crate::effect::{Effect, Operation as O};
use crate::kind::NO_TYPE;
use crate::tick::Run;

impl Run<'_> {
    pub(super) fn spawn_at(&mut self, effect: &Effect, first: u16) -> Outcome {
        let plain = effect.operation == O::Spawn;
        if self.random.double() >= effect.probability {
            return plain.into();
        }
        let amount = self.amount(first, effect.resource);
        let wanted = match effect.operation {
            O::Spawn => true,
            O::SpawnIfHasMore => amount >= effect.limit,
            _ => amount <= effect.limit,
        };
        if wanted {
            let sprite = *self.sprite(first);
            self.create(effect.stype, sprite.x, sprite.y, false);
            if effect.operation == O::SpawnIfHasMore {
                self.state
                    .give(first, effect.resource, effect.spend.saturating_neg());
            }
        }
        wanted.into()
    }

    /// Where a sprite stood, unless it still overlaps with that. (M-7)
    pub(super) fn last_position(&self, slot: u16) -> Option<(i32, i32)> {
        let sprite = self.sprite(slot);
        let away = !sprite.rect().intersects(sprite.last_rect());
        away.then_some((sprite.last_x, sprite.last_y))
    }

    pub(super) fn spawn_beside(&mut self, effect: &Effect, second: u16) {
        if self.random.double() >= effect.probability {
            return;
        }
        let behind = effect.operation == O::SpawnBehind;
        let place = if behind || effect.step_back {
            self.last_position(second)
        } else {
            Some((self.sprite(second).x, self.sprite(second).y))
        };
        let Some((x, y)) = place else {
            return;
        };
        let block = self.level.block;
        let (right, down) = match effect.operation {
            O::SpawnAbove => (0, -block),
            O::SpawnBelow => (0, block),
            O::SpawnLeft => (-block, 0),
            O::SpawnRight => (block, 0),
            _ => (0, 0),
        };
        self.create(effect.stype, x + right, y + down, false);
    }

    pub(super) fn spawn_if_counter(&mut self, effect: &Effect, first: u16) -> Outcome {
        if effect.counted == NO_TYPE {
            return Outcome::Silent;
        }
        let applies = self.total(effect.counted) == effect.limit
            && self.live_kinds(effect.counted).div_euclid(2) == effect.sub_types;
        let kind = if applies { effect.stype } else { effect.other };
        let sprite = *self.sprite(first);
        self.create(kind, sprite.x, sprite.y, false);
        applies.into()
    }
}
