//! Effects by time, of leaving the screen, and of sprites that meet. (section 15)
//!
//! Which sprites meet is found through cells. A pair of types is not looked at when nothing of it
//! met in the last tick and none of its sprites moved or appeared since; otherwise the smaller side
//! is gone through, and for each of its sprites the cells around it. The order in which effects run
//! is that of the original: by the first sprite, then by the second.

use crate::apply::Outcome;
use crate::effect::Operation;
use crate::kind::TypeId;
use crate::level::HotPair;
use crate::state::{NONE, Sprite, flag};
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
        let head = &self.state.head;
        let (word, mark) = (place / 64, 1u64 << (place % 64));
        let quiet = self.state.quiet[word] & mark != 0;
        let disturbed = head.disturbed | head.disturbed_before;
        if (quiet && disturbed & pair.either_mask == 0)
            || (head.present & pair.first_mask == 0 && pair.fixed_first == 0)
            || (head.present & pair.second_mask == 0 && pair.fixed_second == 0)
        {
            return;
        }
        self.run_effects(pair, quiet, word, mark);
    }

    fn run_effects(&mut self, pair: &HotPair, quiet: bool, word: usize, mark: u64) {
        if quiet && self.state.touched.len() <= FEW_TOUCHED && !self.touched_meet(pair) {
            return;
        }
        let count = |list: &[TypeId]| {
            list.iter()
                .map(|&kind| self.state.group_len(kind))
                .sum::<usize>()
        };
        let firsts = pair.fixed_first + count(&pair.first);
        let seconds = pair.fixed_second + count(&pair.second);
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
                self.by_first(pair, effect, quiet && !met)
            } else {
                self.by_second(pair, effect, quiet && !met)
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

    /// Whether a sprite that moved or appeared meets another, for a pair that had nothing to do
    /// before: if none does, there is still nothing to do.
    fn touched_meet(&mut self, pair: &HotPair) -> bool {
        let mut hits = std::mem::take(&mut self.scratch.hits);
        hits.clear();
        for place in 0..self.state.touched.len() {
            let slot = self.state.touched[place];
            let sprite = self.sprite(slot);
            if sprite.touched == 0 {
                continue;
            }
            let kind = usize::from(sprite.kind);
            if pair.first_rank[kind] != NONE {
                self.find(
                    slot,
                    &pair.second_rank,
                    pair.second_mask,
                    u32::MAX,
                    &mut hits,
                );
            }
            if pair.second_rank[kind] != NONE {
                self.find(slot, &pair.first_rank, pair.first_mask, u32::MAX, &mut hits);
            }
            if !hits.is_empty() {
                break;
            }
        }
        let met = !hits.is_empty();
        self.scratch.hits = hits;
        met
    }

    /// Whether a sprite need not be looked at for a pair that had nothing to do before: it has
    /// stayed where it was, and so have all sprites of some types.
    #[inline]
    fn rests_since(&self, slot: u16, others: u64) -> bool {
        let head = &self.state.head;
        (head.disturbed | head.disturbed_before) & others == 0
            && self.sprite(slot).touched + 1 < self.state.turn()
    }

    /// Goes through the first sprites in their order; whether any met another.
    fn by_first(&mut self, pair: &HotPair, effect: u16, quiet: bool) -> bool {
        let limit = self.state.head.next_id;
        let mut met = false;
        for &kind in &pair.first {
            let fixed = self.level.fixed_group(kind);
            for &slot in fixed {
                if !(quiet && self.rests_since(slot, pair.second_mask)) {
                    met |= self.meet(pair, effect, slot, limit);
                }
            }
            for place in 0..self.state.group_len(kind) {
                let slot = self.state.member(kind, place);
                if self.sprite(slot).id >= limit {
                    break;
                }
                if !(quiet && self.rests_since(slot, pair.second_mask)) {
                    met |= self.meet(pair, effect, slot, limit);
                }
            }
        }
        met
    }

    /// Finds the first sprites from the second ones; whether any met another. Whenever a place has
    /// changed, those that are still to come are found anew.
    fn by_second(&mut self, pair: &HotPair, effect: u16, quiet: bool) -> bool {
        let limit = self.state.head.next_id;
        let mut met = false;
        let mut firsts = std::mem::take(&mut self.scratch.firsts);
        let mut done = None;
        'again: loop {
            let epoch = self.state.head.epoch;
            self.find_firsts(pair, limit, done, quiet, &mut firsts);
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
        quiet: bool,
        firsts: &mut Vec<Candidate>,
    ) {
        firsts.clear();
        for &kind in &pair.second {
            for &slot in self.level.fixed_group(kind) {
                if !(quiet && self.rests_since(slot, pair.first_mask)) {
                    self.find(slot, &pair.first_rank, pair.first_mask, limit, firsts);
                }
            }
            for place in 0..self.state.group_len(kind) {
                let slot = self.state.member(kind, place);
                if !(quiet && self.rests_since(slot, pair.first_mask)) {
                    self.find(slot, &pair.first_rank, pair.first_mask, limit, firsts);
                }
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
        let (out, gone) = self.level.out;
        if self.sprite(slot).is(out) {
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
            let second = self.sprite(hit.slot);
            if first.is(out) || second.is(gone) || !first.intersects(second) || !self.work(1) {
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
        // Whether all others are one block on the grid, so that they overlap in one cell only.
        let straight = self.state.head.askew <= own;
        if self.state.head.present & mask != 0 {
            if straight && own == 0 {
                self.find_own(
                    usize::from(sprite.cell),
                    slot,
                    &sprite,
                    rank,
                    mask,
                    limit,
                    into,
                );
            } else {
                let (left, right, top, bottom) = level.around(sprite.rect(), straight);
                for row in top..=bottom {
                    for cell in row * level.stride() + left..=row * level.stride() + right {
                        self.find_own(cell, slot, &sprite, rank, mask, limit, into);
                    }
                }
            }
        }
        if level.fixed_present & mask == 0 {
            return;
        }
        if own == 0 && !level.fixed_askew {
            self.find_fixed(usize::from(sprite.cell), slot, &sprite, rank, mask, into);
            return;
        }
        let (left, right, top, bottom) = level.around(sprite.rect(), !level.fixed_askew);
        for row in top..=bottom {
            for cell in row * level.stride() + left..=row * level.stride() + right {
                self.find_fixed(cell, slot, &sprite, rank, mask, into);
            }
        }
    }

    /// Those of the state at home in a cell.
    #[inline]
    #[expect(
        clippy::too_many_arguments,
        reason = "the innermost loop, with all it needs"
    )]
    fn find_own(
        &mut self,
        cell: usize,
        slot: u16,
        sprite: &Sprite,
        rank: &[u16],
        mask: u64,
        limit: u32,
        into: &mut Vec<Candidate>,
    ) {
        if self.state.masks[cell] & mask == 0 {
            return;
        }
        let mut steps = 0;
        let mut at = self.state.cell_head(self.level, cell);
        while at != NONE {
            let other = self.state.sprite(self.level, at);
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
        if steps > 16 {
            self.work(steps / 16);
        }
    }

    /// Those of the level at home in a cell.
    #[inline]
    fn find_fixed(
        &self,
        cell: usize,
        slot: u16,
        sprite: &Sprite,
        rank: &[u16],
        mask: u64,
        into: &mut Vec<Candidate>,
    ) {
        if self.level.fixed_masks[cell] & mask == 0 {
            return;
        }
        for &at in self.level.fixed_in(cell) {
            let other = &self.level.fixed[usize::from(at)];
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

    /// Runs an effect, adds its score and notes an event. (E-8)
    pub(crate) fn execute(&mut self, place: u16, first: u16, second: u16) {
        let effect = &self.level.game.effects[usize::from(place)];
        let outcome = self.apply(place, first, second);
        let applies = outcome != Outcome::Silent;
        match outcome {
            Outcome::Applies => self.add_score(effect.score),
            Outcome::Killing => self.add_score(effect.score_if_killed),
            Outcome::Silent => {}
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

/// With more sprites than this in motion, going through the smaller group is as good.
const FEW_TOUCHED: usize = 12;
/// Events of one tick that are noted; the original's set is smaller, as it drops equal ones.
const MAX_EVENTS: usize = 10_000;
/// Timers at once.
const MAX_TIMERS: usize = 10_000;
