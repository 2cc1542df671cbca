//! Effects that turn sprites into others. (section 16)

use super::Outcome;
use crate::effect::Effect;
use crate::kind::NO_TYPE;
use crate::state::{NONE, flag};
use crate::tick::Run;

impl Run<'_> {
    /// Hands over what a transformed sprite keeps. (EF-transformTo)
    pub(super) fn transfer(&mut self, old: u16, new: u16, effect: &Effect, second: u16) {
        let from = *self.sprite(old);
        let to = *self.sprite(new);
        let both = to.is(flag::ORIENTED) && from.is(flag::ORIENTED);
        if effect.force_orientation || (both && to.orientation == 0) {
            self.sprite_mut(new).orientation = from.orientation;
        }
        self.hand_over(old, new);
        self.sprite_mut(new).health = from.health;
        self.retire(old, new);
        if effect.kill_second && second != NONE {
            self.kill(second, true);
        }
    }

    /// The last rectangle and the stocks.
    pub(super) fn hand_over(&mut self, old: u16, new: u16) {
        let from = *self.sprite(old);
        let to = self.sprite_mut(new);
        (to.last_x, to.last_y, to.last_w, to.last_h) =
            (from.last_x, from.last_y, from.last_w, from.last_h);
        self.state.note_moved(self.level, new);
        if !self.state.extras.stocks.is_empty() {
            for place in 0..self.state.extras.stocks.len() {
                let stock = self.state.extras.stocks[place];
                if stock.slot == old {
                    self.scratch.list.push(stock.resource);
                }
            }
            while let Some(resource) = self.scratch.list.pop() {
                let amount = self.amount(old, resource);
                self.state.give(new, resource, amount);
            }
        }
    }

    /// Kills the old sprite; an avatar makes place for the new one, or dies.
    pub(super) fn retire(&mut self, old: u16, new: u16) {
        let avatar = |slot: u16| self.level.kinds[usize::from(self.sprite(slot).kind)].is_avatar;
        if avatar(old) && !avatar(new) {
            return self.disable(old);
        }
        if avatar(old) && old == self.state.head.avatar {
            self.state.head.avatar = new;
        }
        self.kill(old, true);
    }

    pub(super) fn transform_to(&mut self, effect: &Effect, first: u16, second: u16) {
        let sprite = *self.sprite(first);
        if sprite.is(flag::DISABLED) {
            return;
        }
        if let Some(new) = self.create(effect.stype, sprite.x, sprite.y, false) {
            self.transfer(first, new, effect, second);
        }
    }

    pub(super) fn transform_to_all(&mut self, effect: &Effect, second: u16) {
        if effect.stype == effect.other {
            return self.fail(crate::state::Fault::Work);
        }
        for place in 0..self.state.group_len(effect.stype) {
            let slot = self.state.member(effect.stype, place);
            let sprite = *self.sprite(slot);
            if let Some(new) = self.create(effect.other, sprite.x, sprite.y, true) {
                self.transfer(slot, new, effect, second);
            }
        }
    }

    pub(super) fn transform_if_count(
        &mut self,
        effect: &Effect,
        first: u16,
        second: u16,
    ) -> Outcome {
        let count = self.total(effect.counted);
        let within = (effect.geq..=effect.leq).contains(&count);
        let kind = if within { effect.stype } else { effect.other };
        let sprite = *self.sprite(first);
        if let Some(new) = self.create(kind, sprite.x, sprite.y, true) {
            self.transfer(first, new, effect, second);
        }
        within.into()
    }

    pub(super) fn transform_to_child(&mut self, effect: &Effect, first: u16, second: u16) {
        let all = self.subtypes(effect.stype);
        let others = || all.iter().copied().filter(|&kind| kind != effect.stype);
        let count = others().count();
        if count == 0 {
            return;
        }
        let drawn = self.random.below(count as i32) as usize;
        let kind = others().nth(drawn).unwrap_or(NO_TYPE);
        let sprite = *self.sprite(first);
        if let Some(new) = self.create(kind, sprite.x, sprite.y, false) {
            self.transfer(first, new, effect, second);
        }
    }

    pub(super) fn transform_to_singleton(&mut self, effect: &Effect, first: u16, second: u16) {
        for place in 0..self.state.group_len(effect.stype) {
            let slot = self.state.member(effect.stype, place);
            let sprite = *self.sprite(slot);
            if let Some(new) = self.create(effect.other, sprite.x, sprite.y, false) {
                self.set_fields(slot, new);
            }
        }
        let sprite = *self.sprite(first);
        let Some(new) = self.create(effect.stype, sprite.x, sprite.y, false) else {
            return;
        };
        self.set_fields(first, new);
        if effect.take_orientation && second != NONE {
            let orientation = self.sprite(second).orientation;
            let sprite = self.sprite_mut(new);
            sprite.flags |= flag::ORIENTED;
            sprite.orientation = orientation;
            self.reverse(new);
        }
    }

    pub(super) fn set_fields(&mut self, old: u16, new: u16) {
        let from = *self.sprite(old);
        if from.is(flag::ORIENTED) && self.sprite(new).is(flag::ORIENTED) {
            self.sprite_mut(new).orientation = from.orientation;
        }
        self.hand_over(old, new);
        self.retire(old, new);
    }
}
