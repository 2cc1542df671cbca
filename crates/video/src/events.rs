//! Effects by time, of leaving the screen, and of sprites that meet. (section 15)
//!
//! Which sprites meet is found through cells. A pair of types is not looked at when nothing of it
//! met in the last tick and none of its sprites moved or appeared since; otherwise the smaller side
//! is gone through, and for each of its sprites the cells around it. The order in which effects run
//! is that of the original: by the first sprite, then by the second.

use crate::effect::Operation;
use crate::kind::TypeId;
use crate::level::HotPair;
use crate::state::{NONE, flag};
use crate::tick::{Candidate, Event, Run};

impl Run<'_> {
    pub(crate) fn events(&mut self) {
        if !self.state.extras.timers.is_empty() {
            self.run_timers();
        }
        self.run_edges();
        let level = self.level;
        for (place, pair) in level.pairs.iter().enumerate() {
            if self.state.head.fault.is_some() {
                return;
            }
            self.run_pair(place, pair);
        }
    }

    /// E-1 to E-4.
    fn run_timers(&mut self) {
        while let Some(&timer) = self.state.extras.timers.first() {
            if timer.due > self.tick || !self.work(1) {
                return;
            }
            self.state.extras.timers.remove(0);
            let score = self.level.game.effects[usize::from(timer.effect)].score;
            if timer.kind == crate::kind::NO_TYPE {
                self.apply(timer.effect, NONE, NONE);
                self.add_score(score);
            } else {
                for &kind in self.subtypes(timer.kind) {
                    for place in 0..self.state.group_len(kind) {
                        let slot = self.state.member(kind, place);
                        if !self.sprite(slot).is(flag::KILLED | flag::DISABLED) && self.work(1) {
                            self.apply(timer.effect, slot, NONE);
                            self.add_score(score);
                        }
                    }
                }
            }
            if timer.repeating {
                let mut again = timer;
                again.due = self.tick.saturating_add(timer.wait);
                self.add_timer(again);
            }
        }
    }

    /// Puts a timer before those that are due at the same time. (E-2)
    pub(crate) fn add_timer(&mut self, timer: crate::state::Timer) {
        let timers = &mut self.state.extras.timers;
        let place = timers.partition_point(|other| other.due < timer.due);
        timers.insert(place, timer);
        self.state.head.has_extras = true;
        if self.state.extras.timers.len() > MAX_TIMERS {
            self.fail(crate::state::Fault::Work);
        }
    }

    pub(crate) fn add_score(&mut self, score: i64) {
        self.state.head.score = self.state.head.score.saturating_add(score);
    }

    /// E-5.
    fn run_edges(&mut self) {
        let level = self.level;
        for &entry in &level.game.edge_types {
            for &effect in &level.game.edge_effects[usize::from(entry)] {
                for &kind in self.subtypes(entry) {
                    self.run_edge(kind, effect);
                }
            }
        }
    }

    fn run_edge(&mut self, kind: TypeId, effect: u16) {
        let (width, height) = self.level.screen;
        let members = self.state.group_len(kind);
        for place in 0..members {
            let slot = self.state.member(kind, place);
            let sprite = self.sprite(slot);
            let (right, bottom) = (
                sprite.x + i32::from(sprite.w),
                sprite.y + i32::from(sprite.h),
            );
            let inside = sprite.x >= 0
                && sprite.y >= 0
                && right <= width
                && bottom <= height
                && sprite.w > 0
                && sprite.h > 0;
            if inside || sprite.is(flag::KILLED | flag::DISABLED) || !self.work(1) {
                continue;
            }
            self.execute(effect, slot, NONE);
            if self.state.group_len(kind) != members {
                return;
            }
        }
    }

    #[inline]
    fn run_pair(&mut self, place: usize, pair: &HotPair) {
        let count = |list: &[TypeId]| {
            list.iter()
                .map(|&kind| self.state.group_len(kind))
                .sum::<usize>()
        };
        let firsts = pair.fixed_first + count(&pair.first);
        if firsts == 0 {
            return;
        }
        let seconds = pair.fixed_second + count(&pair.second);
        if seconds == 0 {
            return;
        }
        let (word, mark) = (place / 64, 1u64 << (place % 64));
        let disturbed = self.state.head.disturbed | self.state.head.disturbed_before;
        let quiet = self.state.quiet[word] & mark != 0;
        if quiet && disturbed & (pair.first_mask | pair.second_mask) == 0 {
            return;
        }
        let mut met = false;
        for &effect in &pair.effects {
            if !self.scratch.shields.is_empty() {
                let name = self.level.game.effects[usize::from(effect)].operation;
                if self.scratch.shields.contains(&(pair.p, pair.q, name)) {
                    met = true;
                    continue;
                }
            }
            met |= if firsts <= seconds {
                self.by_first(pair, effect)
            } else {
                self.by_second(pair, effect)
            };
            if !met && self.scratch.shields.is_empty() {
                // What did not meet for one effect does not for the next: nothing has changed.
                break;
            }
        }
        if met {
            self.state.quiet[word] &= !mark;
        } else {
            self.state.quiet[word] |= mark;
        }
    }

    /// Goes through the first sprites in their order; whether any met another.
    fn by_first(&mut self, pair: &HotPair, effect: u16) -> bool {
        let limit = self.state.head.next_id;
        let mut met = false;
        for &kind in &pair.first {
            let fixed = self.level.fixed_group(kind);
            for &slot in fixed {
                met |= self.meet(pair, effect, slot, limit);
            }
            for place in 0..self.state.group_len(kind) {
                let slot = self.state.member(kind, place);
                if self.sprite(slot).id >= limit {
                    break;
                }
                met |= self.meet(pair, effect, slot, limit);
            }
        }
        met
    }

    /// Finds the first sprites from the second ones; whether any met another. Whenever a place has
    /// changed, those that are still to come are found anew.
    fn by_second(&mut self, pair: &HotPair, effect: u16) -> bool {
        let limit = self.state.head.next_id;
        let mut met = false;
        let mut firsts = std::mem::take(&mut self.scratch.firsts);
        let mut done = None;
        'again: loop {
            let epoch = self.state.head.epoch;
            self.find_firsts(pair, limit, done, &mut firsts);
            for &candidate in &firsts {
                met |= self.meet(pair, effect, candidate.slot, limit);
                done = Some(candidate);
                if self.state.head.epoch != epoch {
                    continue 'again;
                }
            }
            break;
        }
        self.scratch.firsts = firsts;
        met
    }

    fn find_firsts(
        &mut self,
        pair: &HotPair,
        limit: u32,
        after: Option<Candidate>,
        firsts: &mut Vec<Candidate>,
    ) {
        firsts.clear();
        for &kind in &pair.second {
            for &slot in self.level.fixed_group(kind) {
                self.find(slot, &pair.first_rank, pair.first_mask, limit, firsts);
            }
            for place in 0..self.state.group_len(kind) {
                let slot = self.state.member(kind, place);
                self.find(slot, &pair.first_rank, pair.first_mask, limit, firsts);
            }
        }
        if let Some(after) = after {
            firsts.retain(|&candidate| candidate > after);
        }
        if firsts.len() > 1 {
            firsts.sort_unstable();
            firsts.dedup();
        }
    }

    /// Runs an effect for a first sprite and all second ones that it meets; whether there are any.
    #[inline]
    fn meet(&mut self, pair: &HotPair, effect: u16, slot: u16, limit: u32) -> bool {
        if self.sprite(slot).is(flag::KILLED) {
            return false;
        }
        let mut hits = std::mem::take(&mut self.scratch.hits);
        hits.clear();
        self.find(slot, &pair.second_rank, pair.second_mask, limit, &mut hits);
        if hits.is_empty() {
            self.scratch.hits = hits;
            return false;
        }
        if hits.len() > 1 {
            hits.sort_unstable();
        }
        for &hit in &hits {
            let first = self.sprite(slot);
            if first.is(flag::KILLED) || !first.intersects(self.sprite(hit.slot)) || !self.work(1) {
                continue;
            }
            self.execute(effect, slot, hit.slot);
        }
        self.scratch.hits = hits;
        true
    }

    /// Adds the sprites of some types that overlap with a sprite.
    #[inline]
    fn find(&mut self, slot: u16, rank: &[u16], mask: u64, limit: u32, into: &mut Vec<Candidate>) {
        let level = self.level;
        let sprite = *self.sprite(slot);
        let own = u32::from(sprite.is(flag::ASKEW));
        let straight = self.state.head.askew <= own && !level.fixed_askew;
        if straight && own == 0 {
            return self.find_in(usize::from(sprite.cell), slot, rank, mask, limit, into);
        }
        let (left, right, top, bottom) = level.around(sprite.rect(), straight);
        for row in top..=bottom {
            for cell in row * level.stride() + left..=row * level.stride() + right {
                self.find_in(cell, slot, rank, mask, limit, into);
            }
        }
    }

    #[inline]
    fn find_in(
        &mut self,
        cell: usize,
        slot: u16,
        rank: &[u16],
        mask: u64,
        limit: u32,
        into: &mut Vec<Candidate>,
    ) {
        let level = self.level;
        let mut steps = 0;
        let sprite = self.sprite(slot);
        if self.state.masks[cell] & mask != 0 {
            let mut at = self.state.cell_head(level, cell);
            while at != NONE {
                let other = self.state.sprite(level, at);
                let place = rank[usize::from(other.kind)];
                if place != NONE && at != slot && other.id < limit && sprite.intersects(other) {
                    into.push(Candidate {
                        rank: place,
                        id: other.id,
                        slot: at,
                    });
                }
                at = other.next;
                steps += 1;
            }
        }
        if level.fixed_masks[cell] & mask != 0 {
            for &at in level.fixed_in(cell) {
                let other = &level.fixed[usize::from(at)];
                let place = rank[usize::from(other.kind)];
                if place != NONE && at != slot && sprite.intersects(other) {
                    into.push(Candidate {
                        rank: place,
                        id: other.id,
                        slot: at,
                    });
                }
            }
        }
        if steps > 16 {
            self.work(steps / 16);
        }
    }

    /// Runs an effect, adds its score and notes an event. (E-8)
    pub(crate) fn execute(&mut self, place: u16, first: u16, second: u16) {
        let effect = &self.level.game.effects[usize::from(place)];
        let outcome = self.apply(place, first, second);
        let applies = match outcome {
            crate::apply::Outcome::Applies => true,
            crate::apply::Outcome::Silent => false,
            crate::apply::Outcome::Killing => {
                self.add_score(effect.score_if_killed);
                self.note(first, second);
                return;
            }
        };
        if applies {
            self.add_score(effect.score);
        }
        if self.scratch.notes {
            self.note(first, second);
        }
        let changes = if applies {
            &effect.counters
        } else {
            &effect.counters_else
        };
        for (counter, change) in self.state.extras.counters.iter_mut().zip(changes) {
            *counter = counter.saturating_add(*change);
        }
    }

    /// O-9.
    fn note(&mut self, first: u16, second: u16) {
        if !self.scratch.notes || second == NONE {
            return;
        }
        let (one, other) = (*self.sprite(first), *self.sprite(second));
        let avatar = |kind: TypeId| self.level.kinds[usize::from(kind)].is_avatar;
        let (from_avatar, active, passive) = if avatar(one.kind) {
            (false, one, other)
        } else if one.is(flag::FROM_AVATAR) {
            (true, one, other)
        } else if avatar(other.kind) {
            (false, other, one)
        } else if other.is(flag::FROM_AVATAR) {
            (true, other, one)
        } else {
            return;
        };
        if self.scratch.events.len() < MAX_EVENTS {
            self.scratch.events.push(Event {
                tick: self.tick,
                from_avatar,
                active: active.kind,
                passive: passive.kind,
                active_id: active.id,
                passive_id: passive.id,
                place: (active.x, active.y),
            });
        }
    }

    /// Keeps an effect from running for two types until the tick ends. (EF-shieldFrom)
    pub(crate) fn shield(&mut self, first: TypeId, second: TypeId, operation: Operation) {
        let shield = (first, second, operation);
        if !self.scratch.shields.contains(&shield) {
            self.scratch.shields.push(shield);
        }
    }
}

/// Events of one tick that are noted; the original's set is smaller, as it drops equal ones.
const MAX_EVENTS: usize = 10_000;
/// Timers at once.
const MAX_TIMERS: usize = 10_000;
