//! Effects on resources, health, score, speed, spawners and timers. (section 16)

use super::Outcome;
use crate::class::Class;
use crate::effect::{Effect, Operation as O};
use crate::kind::{NO_TYPE, TypeId};
use crate::state::{NONE, Timer};
use crate::tick::Run;

impl Run<'_> {
    /// How much of a resource a sprite can have.
    pub(super) fn limit(&self, resource: TypeId) -> i32 {
        let plain = self
            .level
            .kinds
            .get(usize::from(resource))
            .and_then(|kind| kind.class)
            == Some(Class::Resource);
        if plain {
            self.level.fields(resource).limit
        } else {
            0
        }
    }

    /// The score of an effect whose memory says whether it applies.
    pub(super) fn remembered_score(&self, place: u16) -> Outcome {
        (!self.state.extras.silent.contains(&place)).into()
    }

    pub(super) fn remember_score(&mut self, place: u16, applies: bool) -> Outcome {
        let silent = &mut self.state.extras.silent;
        match (silent.iter().position(|&other| other == place), applies) {
            (Some(at), true) => {
                silent.swap_remove(at);
            }
            (None, false) => {
                silent.push(place);
                self.state.head.has_extras = true;
            }
            _ => {}
        }
        applies.into()
    }

    pub(super) fn collect(
        &mut self,
        effect: &Effect,
        place: u16,
        first: u16,
        second: u16,
    ) -> Outcome {
        let sprite = *self.sprite(first);
        if !self.level.kinds[usize::from(sprite.kind)].is_resource {
            return self.remembered_score(place);
        }
        let fields = self.level.fields(sprite.kind);
        let (resource, value) = (fields.resource, fields.value);
        let (held, limit) = (self.amount(second, resource), self.limit(resource));
        let applies = held < limit;
        if applies {
            self.state.give(second, resource, value.min(limit - held));
            if effect.kill_resource {
                self.kill(first, true);
            }
        }
        self.remember_score(place, applies)
    }

    pub(super) fn collect_if_held(
        &mut self,
        effect: &Effect,
        place: u16,
        first: u16,
        second: u16,
    ) -> Outcome {
        let sprite = *self.sprite(first);
        if !self.level.kinds[usize::from(sprite.kind)].is_resource {
            return self.remembered_score(place);
        }
        if self.amount(second, effect.resource) < effect.value {
            return self.remember_score(place, false);
        }
        let fields = self.level.fields(sprite.kind);
        let (resource, value) = (fields.resource, fields.value);
        let applies = self.amount(second, resource).saturating_add(value) <= self.limit(resource);
        if applies {
            self.state.give(second, resource, value);
        }
        if effect.kill_resource {
            self.kill(first, false);
        }
        self.remember_score(place, applies)
    }

    pub(super) fn change_resource(&mut self, effect: &Effect, first: u16, second: u16) -> Outcome {
        let held = self.amount(first, effect.resource);
        let applies = held.saturating_add(effect.value) <= self.limit(effect.resource);
        if applies {
            self.state.give(first, effect.resource, effect.value);
            if effect.kill_resource && second != NONE {
                self.kill(second, true);
            }
        }
        applies.into()
    }

    pub(super) fn add_health(&mut self, effect: &Effect, first: u16, second: u16) -> Outcome {
        let sprite = *self.sprite(first);
        let health = sprite.health.saturating_add(effect.value);
        let applies = health < self.level.fields(sprite.kind).limit_health;
        if applies {
            let sprite = self.sprite_mut(first);
            sprite.health = health;
            sprite.max_health = sprite.max_health.max(health);
            if effect.kill_second && second != NONE {
                self.kill(second, false);
            }
        }
        applies.into()
    }

    pub(super) fn add_health_to_max(&mut self, effect: &Effect, first: u16, second: u16) {
        let limit = self.level.fields(self.sprite(first).kind).limit_health;
        let sprite = self.sprite_mut(first);
        sprite.health = sprite.health.saturating_add(effect.value).min(limit);
        sprite.max_health = sprite.max_health.max(sprite.health);
        if effect.kill_second && second != NONE {
            self.kill(second, false);
        }
    }

    pub(super) fn subtract_health(&mut self, effect: &Effect, first: u16) -> Outcome {
        let mut target = first;
        if effect.stype != NO_TYPE {
            for &kind in self.subtypes(effect.stype) {
                if self.state.group_len(kind) > 0 {
                    target = self.state.member(kind, 0);
                }
            }
        }
        if target == NONE {
            return Outcome::Applies;
        }
        let sprite = self.sprite_mut(target);
        sprite.health = sprite.health.saturating_sub(effect.value);
        if sprite.health > effect.limit {
            return Outcome::Applies;
        }
        self.kill(target, false);
        Outcome::Killing
    }

    pub(super) fn remove_score(&mut self, effect: &Effect, first: u16, second: u16) {
        let avatar = |slot: u16| self.level.kinds[usize::from(self.sprite(slot).kind)].is_avatar;
        let named = effect.stype != NO_TYPE
            && self
                .state
                .group(effect.stype)
                .iter()
                .any(|&slot| avatar(slot));
        if named || (first != NONE && avatar(first)) {
            self.state.head.score = 0;
        }
        if effect.kill_second && second != NONE {
            self.kill(second, true);
        }
    }

    pub(super) fn set_speed(&mut self, slot: u16, speed: f64) {
        let own = self.level.kinds[usize::from(self.sprite(slot).kind)].speed;
        let code = if speed.to_bits() == own.to_bits() {
            0
        } else {
            self.state.speed_code(speed)
        };
        self.sprite_mut(slot).speed = code;
    }

    pub(super) fn change_speeds(&mut self, effect: &Effect) {
        for &kind in self.subtypes(effect.stype) {
            for place in 0..self.state.group_len(kind) {
                let slot = self.state.member(kind, place);
                let speed = self.speed(self.sprite(slot));
                let speed = match effect.operation {
                    O::SetSpeedForAll => effect.amount,
                    O::IncreaseSpeedToAll => speed + effect.amount,
                    _ => (speed - effect.amount).max(0.0),
                };
                self.set_speed(slot, speed);
            }
        }
    }

    pub(super) fn update_spawns(&mut self, effect: &Effect, second: u16) {
        let from = if second == NONE {
            NO_TYPE
        } else {
            self.sprite(second).kind
        };
        for &kind in self.subtypes(effect.other) {
            let class = self.level.kinds[usize::from(kind)].class;
            if !class.is_some_and(Class::is_spawner) {
                continue;
            }
            let listed = class == Some(Class::BomberRandomMissile);
            for place in 0..self.state.group_len(kind) {
                let slot = self.state.member(kind, place);
                let spawns = &mut self.state.extras.spawns;
                spawns.retain(|spawn| spawn.0 != slot || (listed && spawn.1 != from));
                spawns.push((slot, from, effect.stype));
                self.state.head.has_extras = true;
            }
        }
    }

    pub(super) fn start_timer(&mut self, effect: &Effect) {
        let Some(timed) = effect.timed else {
            return;
        };
        let timer = Timer {
            due: self.tick.saturating_add(effect.timer),
            effect: timed,
            wait: effect.timer,
            repeating: effect.repeating,
            kind: NO_TYPE,
        };
        self.add_timer(timer);
    }
}
